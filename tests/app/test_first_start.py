"""The first start: a recorded run is shown while kernels are compiled; what is waited for is named."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from types import FunctionType

import numpy as np
import pytest
from PIL import Image
from pytestqt.qtbot import QtBot
from small import cuboid, rock
from windowing import show, wait

import assets
import physics
from app.__main__ import main
from app.cli import warm
from app.playback.kernel_compiler import KernelCompiler, compiling_words
from app.playback.recorded_runs import SOURCES, RecordedRun, key_of, recorded_run
from app.playback.run import Run
from app.stage.ground import recorded_relief
from app.stage.ground.shaded_relief import ROUGH, paint
from app.stage.pyvista_imports import _StandIn
from app.window.main_window import MainWindow
from app.window.session import summary
from assets.make.grain import grain
from assets.make.recordings import hulls, record
from physics import Trajectory, World, load_scenario
from physics.bodies.convex_hull import KEPT
from physics.core import jit
from physics.core.arithmetic import elementary_functions
from physics.core.trajectory import COLUMNS
from physics.schemes.lane import lane_of
from physics.systems.rockfall.system import march_of
from physics.systems.rockfall.world import RockfallWorld

SCENARIO = load_scenario(assets.examples()[assets.FIRST])


class NoProcess(KernelCompiler):
    """Remembers what it was asked for, and starts nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[tuple[str, ...]] = []

    def start(self, *examples: str, kind: str = "") -> bool:
        """As if no process could be started."""
        self.asked.append(examples)
        return False


@pytest.fixture(scope="module")
def computed() -> tuple[World, dict[str, Trajectory]]:
    """The first example and the beginning of its run, as they are computed now."""
    return record(assets.FIRST)


@pytest.fixture(scope="module")
def recorded(computed: tuple[World, dict[str, Trajectory]]) -> RecordedRun:
    """The recorded run that comes with the program."""
    (file,) = assets.RECORDINGS.glob("*.npz")
    if elementary_functions() not in str(np.load(file)["meta"]):
        pytest.skip("elementary functions differ here from those it was recorded with: it is not shown")
    found = recorded_run(computed[0])
    assert found is not None, "what computes it has changed: python -m assets.make.recordings"
    return found


def test_the_recorded_run_is_what_is_computed(
    computed: tuple[World, dict[str, Trajectory]], recorded: RecordedRun
) -> None:
    _, now = computed
    assert recorded.example == assets.FIRST
    assert set(recorded.lanes) == set(now) == set(SCENARIO.schemes)
    for lane, run in recorded.lanes.items():
        for column in COLUMNS:
            np.testing.assert_array_equal(getattr(run, column), getattr(now[lane], column), err_msg=f"{lane} {column}")


@pytest.mark.parametrize("change", [{"soil.beta": 186.0}, {"ensemble.seed": 22}, {"schemes": ["implicit"]}])
def test_another_scenario_has_no_recorded_run(change: dict[str, object]) -> None:
    assert recorded_run(World.of(SCENARIO.changed(**change))) is None


def test_a_damaged_recording_is_not_shown(computed: tuple[World, dict[str, Trajectory]], tmp_path: Path) -> None:
    (tmp_path / f"{assets.FIRST}.{key_of(computed[0])}.npz").write_bytes(b"PK, and nothing")
    assert recorded_run(computed[0], tmp_path) is None


def test_other_sources_or_files_have_another_key(computed: tuple[World, dict[str, Trajectory]], tmp_path: Path) -> None:
    world, _ = computed
    root = Path(physics.__file__).parent
    assert all(list(root.glob(pattern)) for pattern in SOURCES)
    shutil.copytree(root, tmp_path / "physics", ignore=shutil.ignore_patterns("__pycache__"))
    assert key_of(world, tmp_path / "physics") == key_of(world)
    with (tmp_path / "physics" / "contact" / "friction.py").open("a") as file:
        file.write("# other\n")
    assert key_of(world, tmp_path / "physics") != key_of(world)


@pytest.mark.parametrize("example", [assets.FIRST, "cuboid-intermediate", "table-disk", "top-steady", "vessel-free"])
def test_the_hulls_that_are_kept_are_what_is_computed(example: str) -> None:
    kept = json.loads(KEPT.read_text())
    computed = hulls(example)
    assert computed
    for name, faces in computed.items():
        assert kept[name] == faces.ravel().tolist(), "python -m assets.make.recordings"


def test_the_recorded_relief_is_what_is_painted(computed: tuple[World, dict[str, Trajectory]]) -> None:
    relief = recorded_relief.recorded_relief(rockfall(computed[0]))
    assert relief is not None, "what paints it has changed: python -m assets.make.recordings"
    painted = paint(rockfall(computed[0]).terrain, ROUGH)
    assert relief.interval == painted.interval
    for name in ("natural", "light", "ink"):
        seen, now = getattr(relief, name).astype(int), getattr(painted, name).astype(int)
        assert np.abs(seen - now).max() <= 1, name  # processors round otherwise


def test_another_terrain_or_a_damaged_file_has_no_recorded_relief(
    computed: tuple[World, dict[str, Trajectory]], tmp_path: Path
) -> None:
    world = rockfall(computed[0])
    (tmp_path / f"{assets.FIRST}.{recorded_relief.key_of(world)}.npz").write_bytes(b"PK, and nothing")
    assert recorded_relief.recorded_relief(world, tmp_path) is None
    other = World.of(SCENARIO.changed(**{"terrain.resolution": 20.0}))
    assert recorded_relief.recorded_relief(rockfall(other)) is None


def test_the_grain_is_what_is_computed() -> None:
    seen = np.asarray(Image.open(assets.GRAIN)).astype(int)
    assert np.abs(seen - grain()).max() <= 1  # as above


def rockfall(world: World) -> RockfallWorld:
    """A world that is known to be of rocks."""
    assert isinstance(world, RockfallWorld)
    return world


def called(function: object, found: set[FunctionType]) -> set[FunctionType]:
    """The functions of physics that one names, itself or by those that it names; ``found`` grows."""
    function = getattr(function, "py_func", function)
    if isinstance(function, FunctionType) and function not in found and function.__module__.startswith("physics."):
        found.add(function)
        named = [function.__globals__.get(name) for name in function.__code__.co_names]
        for one in (*named, *(cell.cell_contents for cell in function.__closure__ or ())):
            called(one, found)
    return found


def test_every_source_of_the_loop_that_computes_it_decides_its_key() -> None:
    root = Path(physics.__file__).parent
    sources = {file.relative_to(root.parent) for pattern in SOURCES for file in root.glob(pattern)}
    loops = [march_of(lane_of(lane).scheme.moreau, is_smooth=False) for lane in SCENARIO.schemes]
    modules = {function.__module__ for loop in loops for function in called(loop, set())}
    assert {Path(*module.split(".")).with_suffix(".py") for module in modules} <= sources
    assert len(modules) > 15


def test_a_run_shows_what_is_recorded_and_then_computes_the_same(
    computed: tuple[World, dict[str, Trajectory]], recorded: RecordedRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jit, "is_warm", lambda example: False)
    compiler = NoProcess()
    run = Run(SCENARIO, compiler).start()
    while run.world is None:
        run.join(0.01)
    before = [lane.trajectory for lane in run.lanes]
    assert run.reached == min(one.time[-1] for one in before) > 20.0
    assert all(one.steps == 0 for one in before)  # nothing is computed before the first picture
    assert compiler.asked == []
    run.go_on()
    run.join(120)
    assert run.error is None
    assert compiler.asked == [(assets.FIRST,)]
    for lane, seen in zip(run.lanes, before, strict=True):
        now = lane.trajectory
        assert len(now) >= len(seen)
        assert now.steps > 5 * 2000
        np.testing.assert_array_equal(now.rows(slice(len(seen))).orientation, seen.orientation)


def test_rows_that_are_known_ahead_give_way_to_computed_ones() -> None:
    whole = Run(cuboid()).start()
    whole.join(60)
    known = whole.lanes[0].trajectory
    run = Run(cuboid(duration=1.0)).start()
    run.join(60)
    recording = run.lanes[0].recording
    assert len(recording) == 101
    recording.know_ahead(known)
    assert len(recording) == len(known) == 201
    np.testing.assert_array_equal(recording.trajectory().spin, known.spin)
    recording.end_ahead()
    assert recording.trajectory().time[-1] == 1.0


def test_what_is_compiled_is_named_with_the_time_that_it_takes_and_took() -> None:
    run = Run(rock(schemes=("explicit", "implicit@0.01", "implicit")))
    run.compiling, run.compiling_since = ("implicit@0.01",), time.monotonic()
    assert summary(run) == "Compiling the kernels of implicit (once, about 4 s)…"  # what all share is there already
    run.compiling_since -= 12.5
    assert re.fullmatch(r"Compiling the kernels of implicit \(once, about 4 s, \d+ s so far\)…", summary(run))
    told = compiling_words(run.scenario, run.scenario.schemes)
    assert told == "Compiling the kernels of explicit and implicit (once, about 14 s)…"
    run.compiling = ()
    assert summary(run) == "Computing… 0 %"


def test_the_window_closes_at_once_while_the_compiler_runs(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch, recorded: RecordedRun
) -> None:
    monkeypatch.setattr(jit, "is_warm", lambda example: False)
    window.begin()
    wait(qtbot, lambda: window.session.compiler.running)
    told = "Compiling the kernels of explicit and implicit (once, about 14 s"
    wait(qtbot, lambda: window.status.text().startswith(told))
    wait(qtbot, lambda: window.session.clock.time > 0.1)  # it plays meanwhile
    assert window.plots.charts
    assert all(lane.recording.steps == 0 for lane in window.session.run.lanes)
    window.close()
    assert not window.session.compiler.running
    assert not window.session.compiler.start(assets.FIRST, kind="rockfall")


def test_in_idle_time_the_rest_is_compiled_until_something_is_asked_for(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = dict.fromkeys(assets.examples(), False)
    monkeypatch.setattr(jit, "is_warm", kept.__getitem__)
    window.session.compiler = compiler = NoProcess()
    show(qtbot, window, cuboid(duration=0.1))
    idle = window.idle_compiler
    idle.look()
    idle.look()
    assert compiler.asked == []  # a window that keeps nothing on disk
    window.workspace.lasting = True
    window.actions_by_id["ahead"].setChecked(False)
    idle.look()
    assert compiler.asked == []
    window.actions_by_id["ahead"].setChecked(True)
    idle.look()
    assert compiler.asked == [()]
    kept.update(dict.fromkeys(kept, True))
    idle.look()
    assert compiler.asked == [()]
    assert not idle._timer.isActive()
    window.workspace.lasting = False


def test_warm_compiles_examples_and_names_an_unknown_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["warm", "cuboid-major"]) == 0
    assert "the kernels of 1 examples are ready" in capsys.readouterr().out
    assert jit.is_warm("cuboid-major") or not jit.keeps_kernels()
    assert main(["warm", "nothing"]) == 2
    assert "no example is called 'nothing'; expected some of body-coarse, " in capsys.readouterr().err


def test_a_compiler_ends_with_the_window_that_started_it(monkeypatch: pytest.MonkeyPatch) -> None:
    reading, writing = os.pipe()
    ended: list[int] = []
    with os.fdopen(reading) as file:
        monkeypatch.setattr(sys, "stdin", file)
        monkeypatch.setattr(os, "_exit", ended.append)
        os.write(writing, b"it still runs")
        os.close(writing)
        warm._end_with_input()
    assert ended == [0]


def test_what_stands_for_a_module_has_what_the_module_has() -> None:
    import matplotlib.colors
    import matplotlib.figure

    assert _StandIn("matplotlib.colors").to_rgb is matplotlib.colors.to_rgb
    canvas = _StandIn("matplotlib.backends.backend_agg").FigureCanvasAgg(matplotlib.figure.Figure())
    assert type(canvas).__module__ == "matplotlib.backends.backend_agg"


WITHOUT_MATPLOTLIB = """
import sys
import app.stage
from pyvista.plotting.colors import get_cmap_safe
from app.stage.plotter import offscreen
offscreen([320, 180], 0).close()
print([name for name in ("matplotlib", "pyparsing") if name in sys.modules])
map = get_cmap_safe("viridis")
import matplotlib
print(map == matplotlib.colormaps["viridis"], get_cmap_safe(map) is map, get_cmap_safe(["red", "blue"]).N)
"""


def test_the_stage_is_there_without_matplotlib_and_its_colour_maps_come_when_they_are_asked_for() -> None:
    assert said(WITHOUT_MATPLOTLIB) == ["[]", "True True 2"]


def test_while_a_module_stands_for_matplotlib_its_parts_are_found() -> None:
    stood = (
        "import sys; from app.stage.pyvista_imports import _StandIn; sys.modules['matplotlib'] = _StandIn('matplotlib')"
    )
    asked = "import matplotlib.figure; from matplotlib.backends.backend_svg import FigureCanvasSVG"
    assert said(f"{stood}; {asked}; print(type(sys.modules['matplotlib']).__name__)") == ["module"]


def said(code: str) -> list[str]:
    """The lines that a program prints in a process of its own."""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return run.stdout.splitlines()
