"""Bodies coupled by joints: their motion in blocks, and what their joints do in it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from physics.core.rotation import Array
from physics.core.trajectory import Event, Trajectory
from physics.joints.mechanism import motion_of, row_size, start_state
from physics.joints.motion import JointLoads, joint_gaps, joint_loads
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


def _world(run: Trajectory, scenario: Scenario) -> JointsWorld:
    """The world of a run, at its own first state."""
    lane = scenario.of_lane(run.scheme)
    assert isinstance(lane, JointsScenario)
    return build(lane)


def _loads(run: Trajectory, scenario: Scenario) -> JointLoads:
    """Forces and torques in the joints of a run."""
    world = _world(run, scenario)
    return joint_loads(world.mechanism, run.time, world.stored(run))


def _gap(run: Trajectory, scenario: Scenario) -> Array:
    """Largest gap of a constraint or motor in each row (n,)."""
    world = _world(run, scenario)
    return np.asarray(np.abs(joint_gaps(world.mechanism, run.time, world.stored(run))).max(axis=(1, 2)))


def _coordinates(run: Trajectory, scenario: Scenario) -> Array:
    """Angles and travels (n, c) of the joints that have some."""
    counted = _world(run, scenario).counted(run)[0]
    sizes = [len(COORDINATE_NAMES[joint.type]) for _, joint in _scenario(scenario).joints.values()]
    return np.concatenate([counted[:, j, :size] for j, size in enumerate(sizes)], axis=1)


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
        "joint_gap": Derived("", _gap),
        "joint_force": Derived("N", lambda run, scenario: _loads(run, scenario).force, 3, _joint_names),
        "joint_torque": Derived("N m", lambda run, scenario: _loads(run, scenario).torque, 3, _joint_names),
        "joint_coordinates": Derived("", _coordinates, 1, _coordinate_names),
    },
    facts=_facts,
    reference=("dop853", 2_000_000),
    effort=lambda world: float(len(world.bodies)),
    compiling=20.0,
)
