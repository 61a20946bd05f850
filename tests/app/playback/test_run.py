"""A run computes in the background, can be stopped, and tells what went wrong."""

import threading
import time

import numpy as np

from app.playback.run import Run
from physics import simulate
from tests.small import cuboid


def test_it_records_what_simulate_returns() -> None:
    run = Run(cuboid()).start()
    run.join()
    assert run.finished
    assert run.error is None
    expected = simulate(cuboid())
    for lane in run.lanes:
        np.testing.assert_array_equal(lane.trajectory.orientation, expected[lane.scheme.name].orientation)
    assert run.reached == 2.0


def test_lanes_can_be_read_while_they_grow() -> None:
    run = Run(cuboid(duration=2000.0)).start()
    lengths = []
    while not run.finished:
        for lane in run.lanes:
            seen = lane.trajectory
            lengths.append(len(seen))
            assert np.all(np.isfinite(seen.orientation))
            assert np.all(np.diff(seen.time) > 0)
    run.join()
    assert max(lengths) <= 200_001


def test_cancelling_ends_the_thread_soon() -> None:
    run = Run(cuboid(duration=20_000.0)).start()
    while not run.lanes:
        time.sleep(0.001)
    run.cancel()
    run.join()
    assert run.finished
    assert run.reached < 20_000.0
    assert not [thread for thread in threading.enumerate() if thread.name == "physics"]


def test_a_wrong_file_is_an_error_and_no_lanes(tmp_path) -> None:
    run = Run(
        cuboid(kind="rockfall", terrain={"file": str(tmp_path / "none.asc")}, schemes=("explicit", "implicit"))
    ).start()
    run.join()
    assert run.world is None
    assert run.lanes == ()
    assert "none.asc" in run.error
    assert run.fault.file.name == "none.asc"
