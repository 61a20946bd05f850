"""Handles: what dragging the start means, without a window."""

from __future__ import annotations

import numpy as np
import pytest

from app.run import Lane
from app.stage.handles import start_of
from physics import SCHEMES, Scenario, World
from physics.simulate import record, recording


def start(**changes):
    """Of a free body that turns."""
    values = {
        "kind": "free",
        "duration": 0.1,
        "step": 0.01,
        "schemes": ("implicit",),
        "body": {"shape": "cuboid", "size": (3.0, 2.0, 1.0), "mass": 1.0},
        "initial": {"orientation": (0.8, 0.6, 0.0, 0.0), "angular_velocity": (1.0, 2.0, 3.0)},
    }
    world = World.of(Scenario(**(values | changes)))
    into = recording(world, "implicit")
    list(record(world, "implicit", into))
    return start_of(world, Lane(SCHEMES["implicit"], into))


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


def test_a_body_at_rest_has_a_handle_too() -> None:
    still = start(initial={})
    assert still.tip == pytest.approx(still.foot)
    assert np.any(still.pulled(still.foot + np.array([0.5, 0.0, 0.0])).omega)


def test_a_fine_body_is_drawn_as_its_box() -> None:
    rough = {"shape": "random", "size": (3.0, 2.0, 1.0), "mass": 1.0, "points": 500}
    coarse, fine = start(), start(body=rough)
    assert coarse.edges.shape == (18, 2)  # with the diagonals of its faces
    assert (fine.corners.shape, fine.edges.shape) == ((8, 3), (12, 2))
    assert np.ptp(fine.corners, axis=0).max() == pytest.approx(3.0, rel=0.05)
