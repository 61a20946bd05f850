"""Bodies coupled by joints: their motion in blocks, and what their joints do in it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from physics.core.rotation import Array
from physics.core.trajectory import Event, Trajectory
from physics.joints.mechanism import motion_of, row_size, start_state
from physics.joints.motion import joint_gaps, joint_loads
from physics.scenario.scenario import Scenario
from physics.schemes.scheme import Scheme
from physics.systems.joints.scenario import COORDINATE_NAMES, JointsScenario
from physics.systems.joints.world import JointsBlock, JointsWorld, build
from physics.systems.system import Derived, End, System, clock_for, marched


def stream(world: JointsWorld, scheme: Scheme, rows: int) -> Iterator[JointsBlock]:
    """Blocks of at most ``rows`` stored states; the first holds the initial state alone."""
    size, march, state = row_size(world.mechanism), scheme.joints, _start(world)
    assert march is not None, f"{scheme.name} does not serve joints"
    yield _block(world, np.array([world.time]), state[None, :size].copy(), 0)

    def ahead(every: int, out: Array) -> tuple[int, float]:
        return march(world.mechanism, world.scenario.step, every, state, out)

    for block in marched(world, scheme, rows, size, ahead):
        yield _block(world, *block)


def _start(world: JointsWorld) -> Array:
    """The state of the loops at the start."""
    q, w = world.to_principal(world.orientation, world.angular_velocity)
    return start_state(world.mechanism, world.position, q, world.velocity, w, world.coordinates, world.time)


def _block(world: JointsWorld, time: np.ndarray, out: Array, steps: int, events: tuple[Event, ...] = ()) -> JointsBlock:
    found = motion_of(world.mechanism, out)
    orientation, angular_velocity = world.from_principal(found.q, found.w)
    return JointsBlock(
        time=time,
        position=found.r,
        orientation=orientation,
        velocity=found.v,
        angular_velocity=angular_velocity,
        contact=np.zeros(len(time)),
        coordinates=found.coordinates,
        events=events,
        steps=steps,
    )


def end(world: JointsWorld, scheme: Scheme, count: int) -> End:
    """The attitudes (b, 4) after the scenario's duration in ``count`` steps."""
    state, out = _start(world), np.full((1, row_size(world.mechanism)), np.nan)
    march = scheme.joints
    assert march is not None, f"{scheme.name} does not serve joints"
    clock = clock_for(scheme)
    began = clock()
    march(world.mechanism, (world.scenario.duration - world.time) / count, count, state, out)
    return End(motion_of(world.mechanism, out).q[0], clock() - began, math.nan)


def _derive(run: Trajectory, scenario: Scenario) -> dict[str, Array]:
    """What the joints of a run do and carry; the gap is the largest of a constraint or motor."""
    joints = _scenario(scenario.of_lane(run.scheme))
    world = build(joints)
    stored, coordinates = world.stored(run), world.counted(run)[0]
    loads = joint_loads(world.mechanism, run.time, stored)
    sizes = [len(COORDINATE_NAMES[joint.type]) for _, joint in joints.joints.values()]
    return {
        "joint_gap": np.abs(joint_gaps(world.mechanism, run.time, stored)).max(axis=(1, 2)),
        "joint_force": loads.force,
        "joint_torque": loads.torque,
        "joint_coordinates": np.concatenate([coordinates[:, j, :size] for j, size in enumerate(sizes)], axis=1),
    }


def _coordinate_names(scenario: Scenario) -> tuple[str, ...]:
    """Names of these: ``elbow.angle``."""
    joints = _scenario(scenario).joints.items()
    return tuple(f"{name}.{key}" for name, (_, joint) in joints for key in COORDINATE_NAMES[joint.type])


def _joint_names(scenario: Scenario) -> tuple[str, ...]:
    return tuple(_scenario(scenario).joints)


def _scenario(scenario: Scenario) -> JointsScenario:
    assert isinstance(scenario, JointsScenario)
    return scenario


def _facts(scenario: JointsScenario) -> dict[str, Any]:
    """The joints by name, and the number of independent constraints."""
    return {
        "joints": list(scenario.joints),
        "joint_coordinates": list(_coordinate_names(scenario)),
        "rank": build(scenario).rank,
    }


ROW = System(
    kind="joints",
    scenario=JointsScenario,
    build=build,
    stream=stream,
    end=end,
    passive=True,
    derived={
        "joint_gap": Derived(""),
        "joint_force": Derived("N", 3, _joint_names),
        "joint_torque": Derived("N m", 3, _joint_names),
        "joint_coordinates": Derived("", 1, _coordinate_names),
    },
    derive=_derive,
    facts=_facts,
    reference=("dop853", 2_000_000),
    effort=lambda world: float(len(world.bodies)),
    compiling=20.0,
)
