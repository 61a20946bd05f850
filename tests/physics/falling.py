"""What the tests of ensembles share: a short ramp, and the quantities of a trajectory counted by hand."""

from __future__ import annotations

import numpy as np

import physics
from physics.ensembles.ensemble import Ensemble

ROCKS = 20
SCHEMES = ("explicit", "implicit")


def scenario(**changes):
    return physics.Scenario(
        **{
            "kind": "rockfall",
            "duration": 120.0,
            "step": 0.002,
            "schemes": SCHEMES,
            "body": {"shape": "eota", "size": [0.93, 0.93, 0.47], "mass": 780.0},
            "terrain": {"profile": "ramp", "drop": 40.0},
            "initial": {"orientation": "random"},
            "release": {"position": [1.0, 0.0]},
            "ensemble": {"rocks": ROCKS, "seed": 4},
        }
        | changes
    )


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
