"""Bodies coupled by joints: their motion in blocks, and what their joints do in it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from physics.core.rotation import Array, multiply, unit_of
from physics.core.trajectory import Block, Event, Trajectory
from physics.joints.joint_types import JOINT_TYPES
from physics.joints.mechanism import BODY, motion_of, row_size, start_state
from physics.joints.motion import enter, joint_gaps, joint_loads
from physics.scenario.scenario import Scenario
from physics.schemes.dormand_prince import MOTION, Equations
from physics.schemes.joint_march import JOINTS, march_truth
from physics.schemes.scheme import Scheme
from physics.systems.driver import Course
from physics.systems.joints.parts_config import JointConfig
from physics.systems.joints.scenario import SCATTERED, JointsScenario
from physics.systems.joints.world import JointsBlock, JointsWorld, assembled, build
from physics.systems.start_spread import shares_of
from physics.systems.system import Derived, StartSampling, System


def course(world: JointsWorld, scheme: Scheme) -> Course:
    """The march of bodies coupled by joints."""
    state = _start(world)
    return Course(
        first=state[: row_size(world.mechanism)].copy(),
        start=lambda: state,
        march=partial(scheme.solver(JOINTS), world.mechanism),
        block=partial(_block, world),
    )


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


def equations(world: JointsWorld) -> Equations:
    """The equations of motion by index 1, with joints and motors closed after each step."""
    m, state = world.mechanism, _start(world)
    span, size = (
        world.scenario.duration - world.time,
        math.sqrt(float((m.bodies.inertia.max(axis=1) / m.bodies.mass).max())),
    )

    def motion(times: Array, rows: Array) -> tuple[Array, Array, Array, Array]:
        found = motion_of(m, rows)
        orientation, angular_velocity = world.from_principal(found.q, found.w)
        return found.r, orientation, found.v, angular_velocity

    bodies = BODY * np.arange(len(m.bodies))
    return Equations(
        march=march_truth,
        model=m,
        room=enter(m, state),
        start=state[: row_size(m)].copy(),
        groups=np.array([(at + first, count) for at in bodies for first, count in MOTION]),
        sizes=np.tile([-size, 1.0, size / span, 1.0 / span], len(m.bodies)),
        attitudes=bodies + MOTION[1][0],
        motion=motion,
    )


def _derive(run: Trajectory, scenario: Scenario) -> dict[str, Array]:
    """Motion and loads of the joints of a run; the gap is the largest of a constraint or motor."""
    joints = _scenario(scenario.of_lane(run.scheme))
    world = build(joints)
    stored = world.stored(run)
    named = np.array([len(JOINT_TYPES[joint.type].names) for _, joint in joints.joints.values()], int)
    loads = joint_loads(world.mechanism, run.time, stored)
    return {
        "joint_gap": np.abs(joint_gaps(world.mechanism, run.time, stored)).max(axis=(1, 2), initial=0.0),
        "joint_force": loads.force,
        "joint_torque": loads.torque,
        "joint_coordinates": motion_of(world.mechanism, stored).coordinates[:, np.arange(3) < named[:, None]],
    }


def _coordinate_names(scenario: Scenario) -> tuple[str, ...]:
    """Names of these: ``elbow.angle``."""
    joints = _scenario(scenario).joints.items()
    return tuple(f"{name}.{key}" for name, (_, joint) in joints for key in JOINT_TYPES[joint.type].names)


def _coordinate_unit(name: str) -> str:
    return UNITS.get(name.rpartition(".")[2].partition("-")[0], "")


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


# ---- many starts ---------------------------------------------------------------------------------------

UNITS = {"angle": "rad", "rate": "rad/s", "travel": "m", "speed": "m/s"}


def drawn(world: JointsWorld, run: int) -> JointsWorld:
    """The world of one run: its joints start as the sweep says, or scattered about what they give.

    All numbers are drawn whatever scatters: what one joint does not depend on whether another scatters too.
    """
    scenario = world.scenario
    ensemble, joints = scenario.ensemble, {name: joint for name, (_, joint) in scenario.joints.items()}
    if ensemble.sweep:
        first, second = ensemble.sweep
        for one, number in ((first, run % first.points), (second, run // first.points)):
            joints[one.joint] = joints[one.joint].model_copy(update={one.key: one.value(number)})
    else:
        shares, _ = shares_of(ensemble, ensemble.spread.distribution, run, (len(joints), len(SCATTERED), 3))
        sizes = np.array([getattr(ensemble.spread, key) for key in SCATTERED])
        for (name, joint), share in zip(list(joints.items()), sizes[:, None] * shares, strict=True):
            joints[name] = joint.model_copy(update=_scattered(joint, share))
    every_step = scenario.starting(joints).model_copy(update={"record_every": 1})  # what goes over may come back soon
    return replace(assembled(every_step, world.parts), files=world.files)


def _scattered(joint: JointConfig, changes: Array) -> dict[str, Any]:
    """Start values of a joint, changed; changes (4, 3): of the keys of a spread."""
    found: dict[str, Any] = {}
    for change, keys in zip(changes, SCATTERED.values(), strict=True):
        for key in keys:
            value = getattr(joint, key)
            if key == "orientation" and value is not None:
                found[key] = tuple(multiply(unit_of(change), value).tolist())
            elif isinstance(value, tuple):
                found[key] = tuple((np.array(value) + change[: len(value)]).tolist())
            elif value is not None:
                found[key] = value + float(change[0])
    return found


def _starts(scenario: JointsScenario) -> dict[str, tuple[float, str]]:
    """Values with their units that joints give of their start, by the names of their columns."""
    swept = {(one.joint, one.key) for one in scenario.ensemble.sweep}
    found: dict[str, tuple[float, str]] = {}
    for name, (_, joint) in scenario.joints.items():
        for key, keys in SCATTERED.items():
            for own in keys:
                value = getattr(joint, own)
                if isinstance(value, tuple):
                    unit = "1" if own == "orientation" else UNITS[key]
                    found |= {f"{name}.{own}-{i}": (x, unit) for i, x in enumerate(value, 1)}
                elif value is not None or (name, own) in swept:
                    found[f"{name}.{own}"] = (0.0 if value is None else value, UNITS[key])
    return found


def _watched(scenario: JointsScenario) -> tuple[str, ...]:
    """Names of the bodies that may go over first."""
    return scenario.ensemble.over or tuple(one.name for one in scenario.bodies)


def columns(scenario: JointsScenario) -> dict[str, str]:
    """Units of the outcomes of a run, by name."""
    return {
        **{name: unit for name, (_, unit) in _starts(scenario).items()},
        **dict.fromkeys(events(scenario), ""),
        "over_at": "s",
        "duration": "s",
        "energy_change": "J",
        "failed": "",
    }


def events(scenario: JointsScenario) -> dict[str, str]:
    """Columns that say which body went over first, with its name."""
    return {f"{name}.first": name for name in _watched(scenario)}


@np.errstate(over="ignore", invalid="ignore")  # numbers may overflow: that is reported
def outcome(world: JointsWorld, blocks: Iterator[Block]) -> tuple[float, ...]:
    """The columns of a run, which ends where a body goes over.

    A body goes over when its turn from the drawing passes half a turn, which the scalar part of this turn's quaternion
    does at 0; between two stored states it is taken as a straight line. Quaternions of stored states do not jump.
    """
    scenario = world.scenario
    names = [one.name for one in scenario.bodies]
    bodies = [names.index(name) for name in _watched(scenario)]
    drawing = np.array([scenario.bodies[body].orientation for body in bodies])
    drawing *= np.where(np.sum(drawing * world.orientation[bodies], axis=1) < 0.0, -1.0, 1.0)[:, None]
    over_at, first, failed, energy = math.nan, -1, False, list[float]()
    time, upright = np.empty(0), np.empty((0, len(bodies)))
    for block in blocks:
        found = np.sum(block.orientation[:, bodies] * drawing, axis=2)
        time, upright = np.concatenate([time[-1:], block.time]), np.concatenate([upright[-1:], found])
        at = len(time) - 1
        if (over := (upright < 0.0).any(axis=1)).any():
            at = int(over.argmax())
            before, after = upright[at - 1], upright[at]
            share = np.divide(before, before - after, out=np.full(len(bodies), np.inf), where=after < 0.0)
            first = int(share.argmin())
            over_at = float(time[at - 1] + share[first] * (time[at] - time[at - 1]))
        measured = world.measures(block)
        total = measured["kinetic_energy"] + measured["potential_energy"]
        if len(total):
            energy = [energy[0] if energy else float(total[0]), float(total[at - len(time)])]
        failed = first < 0 and any(event.failed for event in block.events)
        if first >= 0:
            break
    happened = [math.nan if failed else float(i == first) for i in range(len(bodies))]
    start = [value for value, _ in _starts(scenario).values()]
    return (*start, *happened, over_at, float(time[at]), energy[1] - energy[0], float(failed))


SAMPLING = StartSampling(
    draw=drawn,
    varies=lambda world: (
        bool(world.scenario.ensemble.sweep) or any(getattr(world.scenario.ensemble.spread, key) for key in SCATTERED)
    ),
    runs=lambda world: world.scenario.ensemble.number,
    columns=columns,
    outcome=outcome,
    event="goes over first",
    of_bodies=events,
)

ROW = System(
    kind="joints",
    scenario=JointsScenario,
    build=build,
    course=course,
    passive=True,
    derived={
        "joint_gap": Derived(""),
        "joint_force": Derived("N", 3, _joint_names),
        "joint_torque": Derived("N m", 3, _joint_names),
        "joint_coordinates": Derived(_coordinate_unit, 1, _coordinate_names),
    },
    derive=_derive,
    facts=_facts,
    starts=SAMPLING,
    equations=equations,
    effort=lambda world: float(len(world.bodies)),
    compiling=20.0,
)
