"""A body on a table: rattleback, tippe top, Euler's disk, coin, egg, hoop."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from physics.bodies.surface import shape_of
from physics.contact import vertices
from physics.core.rotation import Array, apply, upwards
from physics.core.trajectory import Block, Event, Trajectory
from physics.core.wording import N_
from physics.scenario.scenario import Scenario
from physics.schemes.loop import AT_CONTACTS, AT_Q, AT_R, AT_T, AT_V, AT_W, CONTACT, MOTION, ROW_SIZE, Rotation
from physics.schemes.scheme import Scheme
from physics.systems.driver import stretches
from physics.systems.scenario_body import of_body
from physics.systems.start_spread import runs, scattered, varies
from physics.systems.system import Derived, StartSampling, System, unsettled
from physics.systems.toys import world as toy_columns
from physics.systems.toys.scenario import ToyScenario
from physics.systems.toys.world import (
    IMPACT,
    LIFT_OFF,
    NO_SLIP,
    TOUCHING,
    ToyWorld,
    body_and_surface,
    build,
    set_on_table,
)
from physics.toy_contact import facets, single, time_stepping

LEVEL = 0.5 * math.pi  # [rad] the tilt of an axis that lies in the plane of the table
COLUMNS = {
    "start_tilt": "rad",
    "start_spin": "rad/s",
    **dict.fromkeys(("qw", "qx", "qy", "qz"), "1"),
    **dict.fromkeys(("wx", "wy", "wz"), "rad/s"),
    "largest_tilt": "rad",
    "inverts": "",
    "inverts_at": "s",
    "duration": "s",
    "final_tilt": "rad",
    "final_spin": "rad/s",
    **dict.fromkeys(("start_energy", "final_energy", "energy_gain"), "J"),
    "failed": "",
}


def drawn(world: ToyWorld, run: int) -> ToyWorld:
    """The world of one run, see physics.systems.start_spread."""
    q, w = scattered(world.scenario.ensemble, run, world.orientation, world.angular_velocity)
    return set_on_table(replace(world, orientation=q, angular_velocity=w))


def outcome(world: ToyWorld, blocks: Iterator[Block]) -> tuple[float, ...]:
    """The COLUMNS of a run.

    It inverts where the body's z axis ends on the other side of the level plane from where it began; at the first
    stored state [s] from which on it stays there, NaN where it does not. Spin is that about the normal of the table.
    """
    stored = list(blocks)
    time = np.concatenate([block.time for block in stored])
    tilt = np.concatenate([toy_columns.tilt(block.orientation) for block in stored])
    energy = np.concatenate([_energy(world, block) for block in stored])
    first, last = stored[0], next(block for block in reversed(stored) if len(block.time))
    back = int(np.flatnonzero((tilt > LEVEL) == (tilt[0] > LEVEL))[-1])  # the last state on the side of the start
    inverts, failed = back + 1 < len(time), any(event.failed for block in stored for event in block.events)
    return (
        float(tilt[0]),
        _spin(first, 0),
        *first.orientation[0].tolist(),
        *first.angular_velocity[0].tolist(),
        float(tilt.max()),
        math.nan if failed else float(inverts),
        float(time[back + 1]) if inverts and not failed else math.nan,
        float(time[-1]),
        float(tilt[-1]),
        _spin(last, -1),
        float(energy[0]),
        float(energy[-1]),
        float(np.diff(energy).max(initial=0.0)),
        float(failed),
    )


def _spin(block: Block, row: int) -> float:
    """About the normal of the table [rad/s]."""
    return float((block.angular_velocity[row] * upwards(block.orientation[row])).sum())


def _energy(world: ToyWorld, block: Block) -> Array:
    """Total energy (n,) [J]."""
    spin = world.moments * block.angular_velocity
    return np.asarray(world.kinetic_energy(block, spin) + world.potential_energy(block))


SAMPLING = StartSampling(
    draw=drawn,
    varies=varies,
    runs=runs,
    columns=lambda scenario: COLUMNS,
    outcome=outcome,
    event="inverts",
)


MOST_EVENTS = 20  # impacts, and the like, recorded as events
STILL = 1e-9  # [m/s], [rad/s]: slip or rolling that counts as none where friction may stick


@cache
def march_of(rotation: Rotation) -> Any:
    """The compiled time stepping with a scheme's rotation."""
    return time_stepping.stepping_with(rotation.free_velocity, rotation.contact_attitude)


def stream(world: ToyWorld, scheme: Scheme, rows: int) -> Iterator[Block]:
    """Blocks of at most ``rows`` stored states; the first holds the initial state alone, the last says how it ended."""
    rotation = scheme.solver(CONTACT)
    scenario, body = world.scenario, world.body
    stop = scenario.stop
    state = np.zeros(time_stepping.STATE_SIZE + rotation.memory)
    state[:MOTION] = np.concatenate([world.position, world.orientation, world.velocity, world.angular_velocity])
    laws = laws_of(world)
    _set_contact(world, laws, state)
    yield _block(world, np.concatenate([[0.0], state[:MOTION], [state[time_stepping.CLOSED]]])[None], 0)
    (x, y, z), gravity = world.moments.tolist(), tuple(world.gravity.tolist())
    solid = single.Solid((x, y, z), body.mass, shape_of(world.surface.numbers.tolist()), world.size)
    march, flat, points = march_of(rotation), world.surface.flat, np.zeros((facets.MAX_POINTS, facets.WIDTH))
    marks, written = np.zeros((MOST_EVENTS, time_stepping.MARK)), 0
    room = time_stepping.Room(points, np.zeros((facets.MAX_POINTS, vertices.WIDTH)), marks)
    for done, stride, n, last in stretches(world, rows):
        out = np.empty((n, ROW_SIZE))
        settings = time_stepping.Settings(scenario.step, gravity, stride, stop.energy, stop.for_)
        good, reason = march(solid, flat, laws, settings, room, state, out)
        over = last or reason != time_stepping.GOING
        seen = int(state[time_stepping.MARKS])
        events = _marked(world, scheme, marks[written:seen])
        written = seen
        if over:
            events += _ending(world, scheme, state, reason)
        yield _block(world, out[:good], int(state[time_stepping.STEP]) - done, events)
        if over:
            return


def laws_of(world: ToyWorld) -> single.Laws:
    """Laws of the contact, as the loop takes them."""
    table = world.scenario.table
    mu = 0.0 if table.viscous is not None else NO_SLIP if math.isinf(table.mu) else table.mu
    return single.Laws(
        mu,
        table.spin_radius if mu > 0.0 else 0.0,
        table.rolling_arm,
        table.contour,
        table.viscous or 0.0,
        table.regularisation,
        table.restitution,
    )


@np.errstate(over="ignore", invalid="ignore")  # what is too large fails in the first step
def _set_contact(world: ToyWorld, laws: single.Laws, state: Array) -> None:
    """True if the state of the loop begins on the table, and what sticks there."""
    q, v, w = world.orientation, world.velocity, world.angular_velocity
    u = world.normal(q)
    slip = v + apply(q, np.cross(w, world.surface.support(u)))
    gap = float(world.gap(world.position, q))
    scale = STILL * max(1.0, world.size * float(np.linalg.norm(w)))
    fall = time_stepping.STRIKES * world.scenario.g * world.scenario.step  # stored states of a closed contact have less
    if gap > TOUCHING * world.size or abs(slip[2]) > max(scale, fall):
        return
    state[time_stepping.CLOSED] = 1.0
    rolling = float(np.linalg.norm(np.cross(w, u)))
    sticks = (np.hypot(*slip[:2]) < scale and laws.spin_radius * abs(float(w @ u)) < scale) * single.SLIP
    sticks += (rolling < STILL) * (single.ROLL + single.CONTOUR)
    state[time_stepping.STICKS] = sticks


@np.errstate(over="ignore", invalid="ignore")  # the recording says where a number is too large
def _block(world: ToyWorld, out: Array, steps: int, events: tuple[Event, ...] = ()) -> Block:
    return Block(
        time=world.time + out[:, AT_T],
        position=out[:, AT_R:AT_Q],
        orientation=out[:, AT_Q:AT_V],
        velocity=out[:, AT_V:AT_W],
        angular_velocity=out[:, AT_W:AT_CONTACTS],
        contact=out[:, AT_CONTACTS],
        events=events,
        steps=steps,
    )


def _marked(world: ToyWorld, scheme: Scheme, marks: Array) -> tuple[Event, ...]:
    """Events of impacts, and of lift-offs if requested."""
    events = []
    for kind, time, speed in marks.tolist():
        at = world.time + time
        if kind == time_stepping.IMPACT:
            text = N_("{name}: hits the table at {at:.4g} s with {speed:.3g} m/s", scheme.name, at, speed)
            events.append(Event(IMPACT, at, text))
        elif world.scenario.table.lift_off:
            events.append(Event(LIFT_OFF, at, N_("{name}: leaves the table at {at:.4g} s", scheme.name, at)))
    return tuple(events)


def _ending(world: ToyWorld, scheme: Scheme, state: Array, reason: int) -> tuple[Event, ...]:
    """Event of the end of the run; before it, a note if percussions fell back."""
    h, steps = world.scenario.step, state[time_stepping.STEP]
    tried = steps + (reason == time_stepping.FAILED)
    time = world.time + float(h * steps)
    kind, text = {
        time_stepping.GOING: ("end", N_("the run ends at {time:g} s", time)),
        time_stepping.REST: ("rest", N_("rests after {time:.4g} s", time)),
        time_stepping.FAILED: (
            "failed-solve",
            N_("no solution of the step after {time:g} s; take a smaller step than {h:g} s", time, h),
        ),
    }[reason]
    ending = Event(kind, time, N_("{name}: {text}", scheme.name, text))
    if state[time_stepping.UNSOLVED] <= 0.01 * tried:  # single steps of a face that comes down
        return (ending,)
    return (unsettled(scheme, time, state[time_stepping.UNSOLVED], tried), ending)


def _derive(run: Trajectory, scenario: Scenario) -> dict[str, Array]:
    body, surface = body_and_surface(of_body(scenario).body)
    return {
        "tilt": toy_columns.tilt(run.orientation),
        "contact_point": toy_columns.contact_point(surface, run.position, run.orientation),
        "jellett": toy_columns.jellett(surface, body.inertia, run.orientation, run.angular_velocity),
    }


ROW = System(
    kind="table",
    reference="implicit",
    effort=lambda world: 4.0,  # a step with contact takes as long as so many evaluations without
    scenario=ToyScenario,
    build=build,
    blocks=stream,
    contacts=True,
    falling=True,
    starts=SAMPLING,
    derived={
        "tilt": Derived("rad"),
        "contact_point": Derived("m", 3),
        "jellett": Derived("kg m³/s"),
    },
    derive=_derive,
    compiling=10.0,
)
