"""Scenarios of kind ``table`` for tests: the published cases, and short ways to say others."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np

from physics import Scenario, World, simulate
from physics.analysis import toy_motion as table_motion
from physics.core.rotation import from_matrix

CASES = json.loads((Path(__file__).parent / "table.json").read_text())
G, NO_SLIP = 9.81, 1e6


def about(axis, angle):
    """The quaternion of a turn about an axis (3,) by an angle [rad]."""
    axis = np.array(axis, float) / np.linalg.norm(axis)
    return (math.cos(angle / 2), *(math.sin(angle / 2) * axis).tolist())


def scenario(body, table=None, initial=None, duration=1.0, step=1e-3, schemes=("implicit",), **more):
    """A scenario of a body on a table."""
    values = {"body": body, "table": table or {}, "initial": initial or {}, "schemes": schemes}
    return Scenario(kind="table", duration=duration, step=step, **values, **more)


def run(*args, **kwargs):
    """The world of a scenario and its one run."""
    made = scenario(*args, **kwargs)
    (found,) = simulate(made).values()
    return World.of(made), found


def published(name, duration, step, scheme="implicit"):
    """World and run of one of the published cases."""
    case = CASES[name]
    given = case["body"]
    body = {"mass": given["mass"], "inertia": given["inertia"]}
    body["offset"] = [-x for x in given.get("centre_from_S", (0.0, 0.0, 0.0))]
    if "semi_axes" in given:
        body |= {"shape": "ellipsoid", "size": [2.0 * a for a in given["semi_axes"]]}
        body["axes"] = from_matrix(given.get("shape_axes_in_body", np.eye(3))).tolist()
    elif "half_thickness" in given:
        body |= {"shape": "disk", "radius": given["radius"], "thickness": 2.0 * given["half_thickness"]}
    else:
        body |= {"shape": "sphere", "radius": given["radius"]}
    friction = case["friction"] or {"kind": "stick"}
    table = {
        "stick": {"mu": NO_SLIP},
        "none": {"mu": 0.0},
        "viscous": {"viscous": friction.get("c")},
        "coulomb": {"mu": friction.get("mu"), "regularisation": friction.get("eps")},
        "contensou": {"mu": friction.get("mu"), "spin_radius": friction.get("spin_radius")},
    }[friction["kind"]]
    initial = {"orientation": case["q0"], "angular_velocity": case["w0"]}
    if friction["kind"] != "stick":
        initial["velocity"] = (0.0, 0.0, 0.0)
    return run(body, table, initial, duration, step, (scheme,))


def errors(name, world, found):
    """Lengths of the errors of the normal in the body and of the angular velocity; error of the energy over itself."""
    (state,) = [s for s in CASES[name]["states"] if abs(s["t"] - found.time[-1]) < 1e-9]
    u = world.normal(found.orientation[-1:])[0] - world.normal(np.array([state["q"]]))[0]
    w = found.angular_velocity[-1] - state["w"]
    return float(np.linalg.norm(u)), float(np.linalg.norm(w)), float(found.total_energy[-1] / state["energy"] - 1.0)


def tilt(world, found):
    """See physics.analysis.toy_motion."""
    return table_motion.tilt(found, world)


def rise(found):
    """The largest rise of the energy from one stored state to the next, over its largest size."""
    return float(np.diff(found.total_energy).max() / np.abs(found.total_energy).max())


def lowest(world, found):
    """The smallest gap between body and table [m]."""
    return float(world.gap(found.position, found.orientation).min())
