"""Bodies coupled by joints: their motion in blocks, and what their joints do in it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from physics.core.rotation import Array
from physics.core.step_count import whole_steps
from physics.core.trajectory import Event, Trajectory
from physics.joints.mechanism import motion_of, row_size, start_state
from physics.joints.motion import JointLoads, joint_loads
from physics.scenario.scenario import Scenario
from physics.schemes.loop import unsolved
from physics.schemes.scheme import Scheme
from physics.systems.joints.scenario import COORDINATE_NAMES, JointsScenario
from physics.systems.joints.world import JointsBlock, JointsWorld, build
from physics.systems.system import Derived, End, System, clock_for


def stream(world: JointsWorld, scheme: Scheme, rows: int) -> Iterator[JointsBlock]:
    """Blocks of at most ``rows`` stored states; the first holds the initial state alone."""
    scenario, size = world.scenario, row_size(world.mechanism)
    h, every, begin = scenario.step, scenario.record_every, world.time
    total, march = whole_steps(scenario.duration - begin, h), scheme.joints
    assert march is not None, f"{scheme.name} does not serve joints"
    state = _start(world)
    yield _block(world, np.array([begin]), state[None, :size].copy(), 0)
    done = 0
    while done < total:
        n = min(rows, (total - done) // every)
        stride = every if n else total - done  # the last state is stored even when it falls between
        out = np.empty((max(n, 1), size))
        good, residual = march(world.mechanism, h, stride, state, out)
        times = begin + h * (done + stride * np.arange(1, good + 1))
        done += stride * good
        ended: tuple[Event, ...] = ()
        if good < len(out):
            ended = (unsolved(scheme.name, begin + h * (done + stride), residual, scheme.remedy),)
        elif done == total:
            ended = (Event("end", begin + h * done, f"{scheme.name}: the run ends at {begin + h * done:g} s"),)
        yield _block(world, times, out[:good], stride * good, ended)
        if good < len(out):
            return


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
        "joint_gap": Derived("", lambda run, scenario: np.abs(_loads(run, scenario).gaps).max(axis=(1, 2))),
        "joint_force": Derived("N", lambda run, scenario: _loads(run, scenario).force, 3, _joint_names),
        "joint_torque": Derived("N m", lambda run, scenario: _loads(run, scenario).torque, 3, _joint_names),
        "joint_coordinates": Derived("", _coordinates, 1, _coordinate_names),
    },
    facts=_facts,
    reference=("dop853", 2_000_000),
    effort=lambda world: float(len(world.bodies)),
    compiling=20.0,
)
