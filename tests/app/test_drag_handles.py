"""Handles: what dragging the start means, without a window."""

from __future__ import annotations

import numpy as np
import pytest
from small import cuboid, rock, top

from app.playback.run import Lane
from app.stage.lane_scene import LanePlace
from app.stage.lane_track import LaneTrack
from app.stage.overlays.drag_handles import start_of
from app.stage.scenes.lane_actors import Fall, Flight
from app.stage.scenes.top import Top
from app.stage.theme_colours import look_of
from app.theme import DARK
from physics import SCHEMES, World
from physics.simulation.schedule import record_schedule, recording

TURNING = {"orientation": (0.8, 0.6, 0.0, 0.0), "angular_velocity": (1.0, 2.0, 3.0)}


def start(make=cuboid, scale: float = 1.0, **changes):
    """Of a body that turns."""
    given = {"duration": 0.1} | ({} if make is top else {"schemes": ("implicit",), "initial": TURNING})
    scenario = make(**(given | changes))
    world, name = World.of(scenario), scenario.schemes[0]
    into = recording(world, name)
    list(record_schedule([world], name, into))
    track, look = LaneTrack(Lane(SCHEMES[name], into, world), np.zeros(3)), look_of(DARK)
    if scenario.kind == "rockfall":
        from app.stage.ground.ground import Ground

        return start_of(Fall(track, look, LanePlace(ground=Ground(world, np.zeros(3)))), scale)
    kind = Top if scenario.kind == "top" else Flight
    return start_of(kind(track, look, LanePlace()), scale)


def test_the_tip_goes_where_it_is_pulled() -> None:
    first = start()
    assert first.pulled(first.tip).omega == pytest.approx([1.0, 2.0, 3.0], abs=1e-3)
    to = first.foot + np.array([0.4, -0.2, 0.9])
    assert first.pulled(to).tip == pytest.approx(to, abs=1e-3)


def test_a_turn_takes_the_angular_velocity_along() -> None:
    first = start()
    turned = first.turned(np.array([0.0, 0.0, np.pi / 2]))
    x, y, z = first.tip - first.foot
    assert turned.tip - turned.foot == pytest.approx([-y, x, z], abs=1e-4)
    assert turned.omega == pytest.approx(first.omega)
    assert first.turned(np.zeros(3)) is first


@pytest.mark.parametrize("make", [cuboid, rock])
def test_a_body_at_rest_has_a_handle_beside_it(make) -> None:
    still = start(make, initial={})
    above = still.tip - still.foot
    assert above[2] > 0.5 * np.ptp(still.corners, axis=0).min()
    pulled = still.pulled(still.foot + above)
    assert pulled.tip == pytest.approx(still.tip, abs=1e-2)
    assert np.any(pulled.omega)


def test_a_rock_that_is_drawn_larger_has_larger_handles() -> None:
    one, three = (start(rock, scale) for scale in (1.0, 3.0))
    assert three.tip - three.foot == pytest.approx(3.0 * (one.tip - one.foot))
    assert three.corners == pytest.approx(3.0 * one.corners)
    assert three.foot[2] > one.foot[2]
    assert three.pulled(three.tip).omega == pytest.approx([1.0, 2.0, 3.0], abs=1e-3)


def test_a_top_turns_about_its_tip() -> None:
    leaning = start(top)
    assert leaning.foot == pytest.approx(0.0)
    axis = leaning.drawn.mean(axis=0)
    assert axis @ [0, 0, 1] / np.linalg.norm(axis) == pytest.approx(np.cos(1.0), abs=0.02)
    turned = leaning.turned(np.array([0.0, 0.0, 0.5]))
    assert turned.drawn[:, 2] == pytest.approx(leaning.drawn[:, 2], abs=1e-5)


def test_a_fine_body_is_drawn_as_its_box() -> None:
    rough = {"shape": "random", "size": (3.0, 2.0, 1.0), "mass": 1.0, "points": 500}
    coarse, fine = start(), start(body=rough)
    assert coarse.edges.shape == (18, 2)  # with the diagonals of its faces
    assert (fine.corners.shape, fine.edges.shape) == ((8, 3), (12, 2))
    assert np.ptp(fine.corners, axis=0).max() == pytest.approx(3.0, rel=0.05)
