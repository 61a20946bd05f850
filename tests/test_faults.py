"""Faults: what is killed, starved or cut off loses nothing that was promised (longer: python -m tests.faults)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.document.session import load_session
from tests.faults.killing import ensembles, outputs, sessions
from tests.faults.processes import CUBOID, ROCKS, ROOT, started
from tests.faults.windows import windows

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="kills, limits and /proc of Linux")


def test_killed_ensembles_end_with_the_same_bytes(tmp_path: Path) -> None:
    tally = ensembles(tmp_path, kills=1, seed=3, rocks=12)
    assert (tally.kills, tally.lost) == (1, 0)


def test_a_killed_run_leaves_the_old_file_or_a_whole_one(tmp_path: Path) -> None:
    tally = outputs("run", tmp_path, kills=1, seed=1)
    assert (tally.kills, tally.lost) == (1, 0)


@pytest.mark.picture
@pytest.mark.skipif(not os.environ.get("DISPLAY"), reason="a window needs a display")
def test_a_killed_window_loses_ten_seconds_of_edits_at_most(tmp_path: Path) -> None:
    tally = sessions(tmp_path, kills=1, seed=1)
    assert (tally.kills, tally.lost) == (1, 0)


@pytest.mark.picture
@pytest.mark.skipif(not os.environ.get("DISPLAY"), reason="a window needs a display")
def test_an_ensemble_in_a_window_outlives_its_process_and_its_window(tmp_path: Path) -> None:
    tally = windows(["child", "itself"], tmp_path, kills=2, seed=1, rocks=20)
    assert (tally.kills, tally.lost) == (2, 0)


@pytest.mark.parametrize(
    ("command", "room"),
    [(["run", "--scheme", "explicit"], 500), (["ensemble", "--workers", "2", "--scheme", "exact"], 80)],
    ids=["states", "a kernel, which LLVM would end the process for"],
)
def test_where_memory_ends_it_is_said(tmp_path: Path, command: list[str], room: int) -> None:
    long = CUBOID.replace("20.0", "4900.0").replace("0.002", "0.001")
    (tmp_path / "it.toml").write_text(long if command[0] == "run" else ROCKS.format(rocks=3))
    words = [str(room), *command, tmp_path / "it.toml", "-o", tmp_path / "out.npz"]
    process = started(*words, program="tests.faults.programs:starved")
    out, err = process.communicate()
    assert (process.returncode, out) == (1, "")
    remedy = "expected fewer states (record_every), fewer workers or a smaller map"
    assert err == f"polhode: not enough memory; {remedy}\n"
    assert [path.name for path in tmp_path.iterdir()] == ["it.toml"]


def test_where_not_even_the_libraries_have_room_it_is_said_before_one_hangs(tmp_path: Path) -> None:
    (tmp_path / "it.toml").write_text(CUBOID)
    words = [sys.executable, "-m", "app", "run", str(tmp_path / "it.toml"), "-o", str(tmp_path / "out.npz")]
    limited = "import resource, os, sys; resource.setrlimit(resource.RLIMIT_AS, (3 * 10**8,) * 2); "
    limited += "os.execv(sys.argv[1], sys.argv[1:])"
    done = subprocess.run(
        [sys.executable, "-c", limited, *words], capture_output=True, text=True, cwd=ROOT, check=False
    )
    found = "a process may take 300 MB here (ulimit -v)"
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"polhode: not enough memory: {found}; expected 1000 MB or more\n"


# no OpenGL at all
BLIND = {"__EGL_VENDOR_LIBRARY_DIRS": "/nonexistent", "LIBGL_DRIVERS_PATH": "/nonexistent"}


def test_without_opengl_it_is_said(tmp_path: Path) -> None:
    (tmp_path / "cuboid.toml").write_text(CUBOID)
    process = started("image", tmp_path / "cuboid.toml", "-o", tmp_path / "still.png", **BLIND)
    _, err = process.communicate()
    own = [line for line in err.splitlines() if not line.startswith("lib")]  # Mesa complains too
    assert len(own) == 1
    assert own[0].startswith("polhode: no OpenGL found; on Debian")
    assert process.returncode == 1
    assert [path.name for path in tmp_path.iterdir()] == ["cuboid.toml"]


@pytest.mark.picture
@pytest.mark.skipif(not os.environ.get("DISPLAY"), reason="a window needs a display")
def test_without_opengl_a_window_computes_plays_and_saves(tmp_path: Path) -> None:
    (tmp_path / "cuboid.toml").write_text(CUBOID.replace("20.0", "0.5"))
    words = [tmp_path / "cuboid.toml", tmp_path / "kept.polhode.toml"]
    process = started(*words, program="tests.faults.driven:blind", **os.environ | BLIND)
    out, err = process.communicate()
    assert (process.returncode, "Traceback" in err) == (0, False), err
    assert out.startswith("Nothing can be drawn here: no OpenGL")
    assert load_session(tmp_path / "kept.polhode.toml").look.time > 0.0


@pytest.mark.picture
def test_a_lost_context_is_made_again(qtbot) -> None:
    from pyvista import Cube

    from app.window.view.viewport import PictureViewport

    viewport, told = PictureViewport(None), []
    qtbot.addWidget(viewport)
    viewport.failed.connect(told.append)
    viewport.plotter.add_mesh(Cube(), color="red")
    viewport.show()
    qtbot.waitUntil(lambda: viewport.pictures == 1, timeout=900_000)
    before = viewport.image.copy()
    viewport.plotter.render_window.Finalize()  # all that the driver held is gone
    viewport.draw()
    qtbot.waitUntil(lambda: viewport.pictures == 2, timeout=900_000)
    assert (viewport.image, told) == (before, [])
    viewport.close_plotter()
