"""The clock: the playhead never passes what is recorded, and moves as the transport says."""

import numpy as np
import pytest

from app.playback.clock import SPEEDS, Clock, usual_speed


def playing(**values: float) -> Clock:
    return Clock(end=10.0, total=10.0, playing=True, complete=True, **values)


def test_time_passes_at_the_chosen_speed_and_not_while_paused() -> None:
    clock = playing(speed=2.0)
    assert clock.tick(0.1)
    assert clock.time == pytest.approx(0.2)
    clock = Clock(end=10.0)
    before = clock.revision
    assert not clock.tick(0.1)
    assert clock.revision == before
    clock = playing()
    clock.tick(60.0)
    assert clock.time == pytest.approx(0.25)


def test_at_the_end_it_waits_stops_or_starts_over() -> None:
    clock = Clock(end=0.1, total=10.0, playing=True)
    clock.tick(0.2)
    assert clock.time == 0.1
    assert clock.playing
    clock.end = 5.0
    clock.tick(0.2)
    assert clock.time == pytest.approx(0.3)
    clock = playing(time=9.99)
    clock.tick(0.1)
    assert (clock.time, clock.playing) == (10.0, False)
    clock.toggle()
    assert (clock.time, clock.playing) == (0.0, True)
    clock = playing(time=9.99)
    clock.loop = "loop"
    clock.tick(0.1)
    assert (clock.time, clock.playing) == (10.0, True)
    clock.tick(0.1)
    assert (clock.time, clock.playing) == (0.0, True)
    clock = playing(time=9.99)
    clock.loop = "ping-pong"
    clock.tick(0.1)
    clock.tick(0.1)
    assert clock.time == pytest.approx(9.9)
    clock.seek(0.05)
    clock.tick(0.1)
    assert (clock.time, clock.backward) == (0.0, False)
    clock.tick(0.1)
    assert clock.time == pytest.approx(0.1)


def test_seeking_and_steps_stay_inside_the_recording() -> None:
    clock = Clock(end=3.0)
    clock.seek(7.0)
    assert clock.time == 3.0
    clock.seek(-1.0)
    assert clock.time == 0.0
    clock = Clock(end=1.0)
    times = [0.0, 0.5, 1.0]
    clock.step(times, -1)
    assert clock.time == 0.0
    for _ in range(5):
        clock.step(times, 1)
    assert clock.time == 1.0


def test_a_step_goes_to_the_neighbouring_stored_state_whatever_the_speed() -> None:
    clock = playing(time=0.1, speed=0.01)
    times = np.arange(0.0, 10.005, 0.01)
    clock.step(times, 1)
    assert clock.time == pytest.approx(0.11)
    assert not clock.playing
    clock.step(times, -1)
    clock.step(times, -1)
    assert clock.time == pytest.approx(0.09)
    clock.seek(0.095)
    clock.step(times, -1)
    assert clock.time == pytest.approx(0.09)


def test_speeds_go_through_real_time_up_and_down_and_stop_at_the_ends() -> None:
    clock = Clock()
    seen = set()
    for _ in range(20):
        clock.faster(-1)
        seen.add(clock.speed)
    assert clock.speed == 0.001
    for _ in range(20):
        clock.faster(1)
        seen.add(clock.speed)
    assert clock.speed == 100.0
    assert seen == set(SPEEDS)


def test_a_loop_stays_between_the_in_and_the_out_point() -> None:
    clock = playing(time=2.0)
    clock.mark(first=True)
    clock.seek(3.0)
    clock.mark(first=False)
    assert (clock.first, clock.last) == (2.0, 3.0)
    clock.loop = "loop"
    clock.seek(2.95)
    clock.tick(0.1)
    assert clock.time == 3.0
    clock.tick(0.1)
    assert clock.time == 2.0
    clock.seek(5.0)  # beyond the out point it plays on to the end
    clock.tick(0.1)
    assert clock.time == pytest.approx(5.1)
    clock.seek(3.0)
    clock.mark(first=False)
    assert clock.last is None
    clock = playing(time=3.0)
    clock.mark(first=False)
    clock.seek(4.0)
    clock.mark(first=True)
    assert (clock.first, clock.last) == (4.0, None)
    clock.seek(0.0)
    clock.mark(first=False)
    assert (clock.first, clock.last) == (4.0, None)  # an empty range: neither loops nor films have one


def test_it_stays_with_the_newest_state_until_one_moves_it() -> None:
    clock = Clock(end=1.0, total=10.0, newest=True)
    clock.tick(0.03)
    assert clock.time == 1.0
    clock.end = 4.0
    clock.tick(0.03)
    assert clock.time == 4.0
    clock.seek(2.0)
    clock.tick(0.03)
    assert clock.time == 2.0


def test_it_goes_to_a_time_that_is_not_computed_yet_unless_one_moves_it() -> None:
    clock = Clock(end=1.0, total=10.0)
    clock.wait_for(5.0)
    assert clock.time == 1.0
    clock.end = 4.0
    clock.tick(0.03)
    assert clock.time == 4.0
    clock.end = 6.0
    clock.tick(0.03)
    assert (clock.time, clock.awaited) == (5.0, None)
    clock.wait_for(8.0)
    clock.complete = True  # the run ended before
    clock.tick(0.03)
    assert (clock.time, clock.awaited) == (6.0, None)
    clock.complete = False
    clock.wait_for(8.0)
    clock.seek(2.0)
    clock.end = 9.0
    clock.tick(0.03)
    assert clock.time == 2.0


@pytest.mark.parametrize(
    ("duration", "speed"),
    [
        (2.0, 0.2),
        (5.0, 0.5),
        (9.9, 0.5),
        (10.0, 1.0),
        (20.0, 1.0),
        (120.0, 1.0),
        (400.0, 5.0),
        (1e9, 100.0),
        (1e-9, 0.001),
    ],
)
def test_a_run_begins_at_a_speed_that_leaves_time_to_act_and_comes_to_an_end(duration: float, speed: float) -> None:
    assert usual_speed(duration) == pytest.approx(speed)
    assert usual_speed(duration) in SPEEDS
