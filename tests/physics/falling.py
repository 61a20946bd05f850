"""What the tests of ensembles share: a short ramp, and the quantities of a trajectory counted by hand."""

from __future__ import annotations

import numpy as np

from physics.core.rotation import apply
from physics.hazard.ensemble import Ensemble
from tests.small import rock

ROCKS = 20
SCHEMES = ("explicit", "implicit")


def scenario(**changes):
    given = {"duration": 120.0, "step": 0.002, "schemes": SCHEMES, "terrain": {"profile": "ramp", "drop": 40.0}}
    given |= {"initial": {"orientation": "random"}, "ensemble": {"rocks": ROCKS, "seed": 4}}
    return rock(**(given | changes))


def ran(world, workers=1):
    ensemble = Ensemble(world)
    assert list(ensemble.march(workers)) == list(range(1, ensemble.rocks + 1))
    return ensemble


def quantities(world, path):
    ground = world.terrain.heights_at(path.position[:, 0], path.position[:, 1])
    return {
        "kinetic_energy": path.kinetic_energy,
        "velocity": np.linalg.norm(path.velocity, axis=1),
        "rotation": np.linalg.norm(path.angular_velocity, axis=1),
        "jump_height": path.position[:, 2] - ground,
    }


def lowest_vertex(world, found):
    """Height of the lowest vertex above the ground at each stored state, measured plumb."""
    corners = found.position[:, None, :] + apply(found.orientation[:, None, :], world.body.vertices[None])
    ground = world.terrain.heights_at(corners[..., 0].ravel(), corners[..., 1].ravel()).reshape(corners.shape[:2])
    return (corners[..., 2] - ground).min(axis=1)
