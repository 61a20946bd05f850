"""Mechanisms for tests: the cases of joints.json, a computation apart from this program, and how they are marched."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from physics.core.rotation import Array, dot
from physics.joints.mechanism import CONSTRAINTS, Mechanism, motion_of, row_size, start_state
from physics.joints.rows import MechanismPose, spring, vector_of
from physics.scenario.scenario_file import parse_scenario
from physics.schemes import SCHEMES
from physics.schemes.joint_march import JOINTS
from physics.systems.joints.world import JointsWorld

CASES: dict[str, Any] = json.loads((Path(__file__).parent / "joints.json").read_text())["cases"]
HEAD = 'duration = 1.0\nstep = 0.01\nschemes = ["moser-veselov"]\n'


@cache
def world_of(case: str, *changes: tuple[str, str]) -> JointsWorld:
    """The world of a case, with changes to the text of its scenario."""
    text = CASES[case]["scenario"]
    for old, new in changes:
        text = text.replace(old, new)
    return JointsWorld.of(parse_scenario(HEAD + text, f"{case}.toml"))


def start_of(world: JointsWorld) -> Array:
    q, w = world.to_principal(world.orientation, world.angular_velocity)
    return start_state(world.mechanism, world.position, q, world.velocity, w, world.coordinates)


def march(scheme: str, world: JointsWorld, duration: float, h: float, rows: int = 1) -> Array:
    """Stored rows of a run, all of which have to be there."""
    found, state, steps = np.empty((rows, row_size(world.mechanism))), start_of(world), round(duration / h)
    run = SCHEMES[scheme].solver(JOINTS)
    assert run is not None
    assert run(world.mechanism, h, steps // rows, state, found) == (rows, 0.0)
    return found


def expected_of(case: str, world: JointsWorld, time: float) -> Array:
    """The state of a case at a time: a row of places, attitudes, velocities and rates for each body."""
    (state,) = (state for state in CASES[case]["states"] if float(state["t"]) == time)
    return np.array([state["bodies"][name] for name in world.body_names], float)


def place_error(case: str, scheme: str, h: float, duration: float) -> float:
    """Largest error of place of a centre of mass at the end, against the case's state."""
    world = world_of(case)
    found = motion_of(world.mechanism, march(scheme, world, duration, h)).r[-1]
    return float(np.linalg.norm(found - expected_of(case, world, duration)[:, :3], axis=1).max())


def potential(m: Mechanism, p: MechanismPose) -> float:
    """Potential energy [J]: of weight from z = 0, of springs, and minus constant loads times their coordinates."""
    found = 0.0
    for i in range(m.bodies.shape[0]):
        found -= m.bodies[i].mass * dot(vector_of(m.gravity), vector_of(p.bodies[i].r))
    for j in range(m.joints.shape[0]):
        joint = m.joints[j]
        for c in range(6 - CONSTRAINTS[joint.kind]):
            x = p.joints[j].coordinates[c] - joint.rest[c]
            found += 0.5 * joint.stiffness[c] * x * x - joint.load[c] * p.joints[j].coordinates[c]
    for s in range(m.springs.shape[0]):
        one = m.springs[s]
        x = spring(m, p, s)[0] - one.rest
        found += 0.5 * one.stiffness * x * x
    return found
