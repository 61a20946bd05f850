"""Reference data for physics: high-precision solutions, kept in the project."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from physics.simulation.schedule import record_schedule, recording
from physics.systems.world import World
from tests.physics.falling import ROCKS, SCHEMES, ran, scenario

DATA = json.loads((Path(__file__).parent / "reference.json").read_text())


@pytest.fixture(params=[name for name, case in DATA["cases"].items() if case["problem"]["potential"] == "free"])
def free_case(request: pytest.FixtureRequest) -> dict[str, Any]:
    """A free body with its solution to 20 digits: J, q0, w0, and states at several times."""
    case = DATA["cases"][request.param]
    problem = case["problem"]
    J = np.array(problem["J"])
    w = np.array(problem["w0"]) if "w0" in problem else np.array(problem["m0"]) / J
    q = np.array(problem["q0"])
    states = [*case.get("trajectory", []), {"t": case["T"], **{k: case["reference"][k] for k in "wq"}}]
    return {
        "name": request.param,
        "J": J,
        "q0": q / np.linalg.norm(q),
        "w0": w,
        "states": [(float(s["t"]), np.array(s["w"], float), np.array(s["q"], float)) for s in states],
        "condition": max(case["reference"]["condition_w"], case["reference"]["condition_q"]),
    }


@pytest.fixture(scope="session")
def ramp():
    """The world of a short ramp with 20 rocks."""
    return World.of(scenario())


@pytest.fixture(scope="session")
def done(ramp):
    """Its ensemble, run by one thread."""
    return ran(ramp)


@pytest.fixture(scope="session")
def trajectories(ramp):
    """The trajectory of each rock, every step of it: (scheme, rock) -> Trajectory."""
    found = {}
    for rock in range(ROCKS):
        for name in SCHEMES:
            into = recording(ramp.with_rock(rock), name)
            for _ in record_schedule([ramp.with_rock(rock)], name, into, rows=8192):
                pass
            found[name, rock] = into.trajectory()
    return found
