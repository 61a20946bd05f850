"""The first start: lanes move while the kernels of those behind them are compiled; what is waited for is named."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import pyvista as pv
from pytestqt.qtbot import QtBot

import assets
from app.__main__ import main
from app.playback import run as runs
from app.playback.kernel_compiler import compiling_words
from app.playback.run import Run
from app.window.main_window import MainWindow
from app.window.session import summary
from physics import Scenario, load_scenario
from physics.core import compile_notice, jit
from physics.core.rotation import matrix
from tests.app.staging import finished
from tests.app.windowing import quiet, settle, wait
from tests.small import cuboid, rock


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Semaphore]:
    """Pretend that the kernels of every lane but the first are compiled, each until this is released."""
    done, real = threading.Semaphore(0), runs.record_schedule

    def recorded(worlds: Any, lane: str, *more: Any) -> Iterator[float]:
        blocks = real(worlds, lane, *more)
        yield next(blocks)  # the initial state
        if lane != "explicit" and not done.acquire(blocking=False):
            compile_notice.tell()
            done.acquire()
        yield from blocks

    monkeypatch.setattr(runs, "record_schedule", recorded)
    yield done
    done.release(2)


def test_the_first_scenario_is_a_body_about_its_intermediate_axis_in_three_lanes() -> None:
    scenario = load_scenario(assets.examples()[assets.FIRST])
    assert (scenario.kind, scenario.schemes) == ("free", ("explicit", "implicit", "exact"))
    about = [abs(rate) for rate in scenario.initial.angular_velocity]
    assert max(about) == about[1] > 1000 * about[0]
    assert scenario.body.size[0] > scenario.body.size[1] > scenario.body.size[2]


def test_a_lane_moves_while_the_next_one_is_compiled_which_then_has_come_as_far(compiled: threading.Semaphore) -> None:
    scenario = cuboid(schemes=("explicit", "implicit", "exact"), duration=60.0)
    run = Run(scenario).start()
    while run.compiling != ("implicit",):
        run.join(0.01)
    far = run.reached
    assert far == run.lanes[0].trajectory.time[-1] > 40.0  # a block
    assert [len(lane.trajectory) for lane in run.lanes[1:]] == [1, 1]
    compiled.release(2)
    while not run.finished:
        assert far <= (far := run.reached)  # the playhead never has to go back
        run.join(0.001)
    assert run.error is None
    assert [lane.trajectory.time[-1] for lane in run.lanes] == [60.0] * 3


def test_a_run_is_cancelled_while_a_lane_is_compiled(compiled: threading.Semaphore) -> None:
    run = Run(cuboid(schemes=("explicit", "implicit", "exact"))).start()
    while not run.compiling:
        run.join(0.01)
    run.cancel()
    compiled.release(2)
    run.join()
    assert run.finished
    assert run.stopped
    assert run.reached == run.lanes[0].trajectory.time[-1] > 0.0  # what is recorded stays
    assert len(run.lanes[2].trajectory) == 1


def test_the_window_plays_while_kernels_are_compiled_and_says_so(
    qtbot: QtBot, window: MainWindow, compiled: threading.Semaphore
) -> None:
    window.session.calm = False  # what is opened plays, as in the program
    window.begin()
    wait(qtbot, lambda: window.session.clock.time > 0.1)
    assert window.session.run.compiling == ("implicit",)
    wait(qtbot, lambda: window.status.text().startswith("Compiling the kernels of implicit (once, about "))
    at = window.session.clock.time
    compiled.release(2)
    wait(qtbot, lambda: window.session.run.finished)
    assert window.session.clock.time >= at
    assert {float(lane.trajectory.time[-1]) for lane in window.session.run.lanes} == {20.0}


@pytest.mark.picture
def test_a_lane_that_is_slower_than_the_clock_is_drawn_as_soon_as_it_is_there(
    qtbot: QtBot, window: MainWindow, compiled: threading.Semaphore
) -> None:
    window.open(cuboid(schemes=("explicit", "implicit", "exact")))
    wait(qtbot, lambda: window.session.clock.end == 2.0 and window.view.begun)
    window.session.seek(2.0)
    quiet(window)
    stage, slow = window.view.stage, window.session.run.lanes[1].recording
    before = stage.describe().numbers["implicit"]
    compiled.release()
    wait(qtbot, lambda: window.session.run.compiling == ("exact",))
    quiet(window)
    after, scene = stage.describe().numbers["implicit"], stage.describe().scenes[1][1]
    drawn = pv.array_from_vtkmatrix(scene.body.actor.GetUserMatrix())[:3, :3]
    compiled.release()  # a window waits for its run before it closes
    assert before.startswith("computed to 0 s ")
    assert "computed" not in after
    np.testing.assert_allclose(drawn, matrix(slow.trajectory().orientation[-1]), atol=1e-12)


@pytest.mark.picture
def test_the_camera_shows_what_is_recorded_before_the_last_lane_is(
    qtbot: QtBot, window: MainWindow, compiled: threading.Semaphore
) -> None:
    link = {"links": 1, "length": 1.0, "shape": "cuboid", "size": [1.0, 0.1, 0.1], "mass": 1.0}
    lanes = ("moser-veselov", "moser-veselov@0.005")
    compiled.release()
    window.open(Scenario(kind="joints", duration=1.0, step=0.01, schemes=lanes, chain=[link]))
    wait(qtbot, lambda: window.session.clock.end == 1.0 and window.view.begun)
    quiet(window)
    before = window.view.stage.viewpoint
    compiled.release()
    settle(qtbot, window)
    quiet(window)
    assert window.view.stage.viewpoint.distance == pytest.approx(before.distance, rel=1e-9)
    assert before.focus[2] < -0.2  # it swings down


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


def test_the_end_of_a_run_names_lanes_as_all_else_does() -> None:
    assert (
        summary(finished(cuboid(duration=0.1, schemes=("quat-em",))))
        == "Quaternion energy-momentum: the run ends at 0.1 s"
    )


def test_warm_compiles_examples_and_names_an_unknown_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["warm", "cuboid-major"]) == 0
    assert "the kernels of 1 examples are ready" in capsys.readouterr().out
    assert jit.is_warm("cuboid-major") or not jit.keeps_kernels()
    assert main(["warm", "nothing"]) == 2
    assert "no example is called 'nothing'; expected some of body-boom, " in capsys.readouterr().err
