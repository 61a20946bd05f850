"""A body on a table: rattleback, tippe top, Euler's disk, coin, egg, hoop."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from physics.contact import vertices
from physics.core.rotation import Array, apply
from physics.core.step_count import whole_steps
from physics.core.trajectory import Block, Event, Trajectory
from physics.scenario.scenario import Scenario
from physics.schemes.loop import Rotation
from physics.schemes.scheme import Scheme
from physics.systems.scenario_body import of_body
from physics.systems.start_spread import runs, scattered, varies
from physics.systems.system import Derived, StartSampling, System, unsettled
from physics.systems.toys import world as toy_columns
from physics.systems.toys.scenario import ToyScenario
from physics.systems.toys.world import NO_SLIP, TOUCHING, ToyWorld, body_and_surface, build, placed
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
    return placed(replace(world, orientation=q, angular_velocity=w))


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
    return float((block.angular_velocity[row] * toy_columns.normal(block.orientation[row])).sum())


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
    assert scheme.moreau is not None, f"{scheme.name} does not serve table"
    scenario, body = world.scenario, world.body
    h, every, stop = scenario.step, scenario.record_every, scenario.stop
    total = whole_steps(scenario.duration - world.time, h)
    state = np.zeros(time_stepping.STATE_SIZE + scheme.moreau.memory)
    state[:13] = np.concatenate([world.position, world.orientation, world.velocity, world.angular_velocity])
    laws = laws_of(world)
    _set_contact(world, laws, state)
    yield _block(world, np.concatenate([[0.0], state[:13], [state[time_stepping.CLOSED]]])[None], 0)
    march, J = march_of(scheme.moreau), np.ascontiguousarray(world.moments)
    room = np.zeros((facets.MOST, facets.WIDTH)), np.zeros((facets.MOST, vertices.WIDTH))
    surface = (world.surface.numbers, world.surface.flat, world.size)
    gravity, still = tuple(float(x) for x in world.gravity), (stop.energy, stop.for_)
    marks, written, over = np.zeros((MOST_EVENTS, 3)), 0, False
    while not over:
        left = int(total - state[time_stepping.STEP])
        n, stride = (min(rows, left // every), every) if left >= every else (1, left)
        out, before = np.empty((n, time_stepping.COLUMNS)), state[time_stepping.STEP]
        good, reason = march(J, body.mass, surface, laws, gravity, still, h, stride, state, *room, marks, out)
        over = reason != time_stepping.GOING or state[time_stepping.STEP] >= total
        seen = int(state[time_stepping.MARKS])
        events = _marked(world, scheme, marks[written:seen])
        written = seen
        if over:
            events += _ending(world, scheme, state, reason)
        yield _block(world, out[:good], int(state[time_stepping.STEP] - before), events)


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
        time=world.time + out[:, 0],
        position=out[:, 1:4],
        orientation=out[:, 4:8],
        velocity=out[:, 8:11],
        angular_velocity=out[:, 11:14],
        contact=out[:, 14],
        events=events,
        steps=steps,
    )


def _marked(world: ToyWorld, scheme: Scheme, marks: Array) -> tuple[Event, ...]:
    """Events of impacts, and of lift-offs if requested."""
    events = []
    for kind, time, speed in marks.tolist():
        at = world.time + time
        if kind == time_stepping.IMPACT:
            text = f"{scheme.name}: hits the table at {at:.4g} s with {speed:.3g} m/s"
            events.append(Event("impact", at, text))
        elif world.scenario.table.lift_off:
            events.append(Event("lift-off", at, f"{scheme.name}: leaves the table at {at:.4g} s"))
    return tuple(events)


def _ending(world: ToyWorld, scheme: Scheme, state: Array, reason: int) -> tuple[Event, ...]:
    """Event of the end of the run; before it, a note if percussions fell back."""
    h, steps = world.scenario.step, state[time_stepping.STEP]
    tried = steps + (reason == time_stepping.FAILED)
    time = world.time + float(h * steps)
    kind, text = {
        time_stepping.GOING: ("end", f"the run ends at {time:g} s"),
        time_stepping.REST: ("rest", f"rests after {time:.4g} s"),
        time_stepping.FAILED: (
            "failed-solve",
            f"no solution of the step after {time:g} s; take a smaller step than {h:g} s",
        ),
    }[reason]
    ending = Event(kind, time, f"{scheme.name}: {text}")
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
    stream=stream,
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
