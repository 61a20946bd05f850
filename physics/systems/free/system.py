"""A free body, which nothing turns or what its tables name; its centre of mass flies on a parabola, or stays."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from physics.core.potential import FREE
from physics.core.rotation import Array, apply
from physics.core.trajectory import Block
from physics.schemes.scheme import Scheme
from physics.systems import driver
from physics.systems.free.actions import driven_body, rotors_of, wheels
from physics.systems.free.rotating_world import FreeWorld
from physics.systems.free.rotation_stream import course, equations, flight, stream_many
from physics.systems.free.scenario import FreeScenario
from physics.systems.measured import measured_stream
from physics.systems.scenario_body import make_body
from physics.systems.start_spread import runs, scattered, varies
from physics.systems.system import StartSampling, System, Watch

COLUMNS = {
    **dict.fromkeys(("qw", "qx", "qy", "qz"), "1"),
    **dict.fromkeys(("wx", "wy", "wz"), "rad/s"),
    "flips": "",
    "flips_at": "s",
    "flip_count": "",
    "duration": "s",
    "energy_change": "1",
    "spin_change": "1",
    "failed": "",
}
_ENERGY_CHANGE = [*COLUMNS].index("energy_change")
_NUMBERS = 1_000_000  # numbers of the states that are stored at once: 8 MB


def drawn(world: FreeWorld, run: int) -> FreeWorld:
    """The world of one run, see physics.systems.start_spread."""
    q, w = scattered(world.scenario.ensemble, run, world.orientation, world.angular_velocity)
    rotors, acting = rotors_of(world.scenario.rotor, w), world.acting
    if acting is not None:
        acting = acting._replace(rotors=wheels(rotors, acting.axes))
    return replace(world, orientation=q, angular_velocity=w, rotors=rotors, acting=acting)


def outcome(world: FreeWorld, blocks: Iterator[Block]) -> tuple[float, ...]:
    """The COLUMNS of a run."""
    seen: list[Block] = []  # the first one and the last one

    def watched() -> Iterator[tuple[Array, Array]]:
        for block in blocks:
            if len(block.time):
                seen[1:] = [block] if seen else [block, block]
            yield _states(world, block)

    row = _outcomes([world], watched())[0]
    if world.acting is not None:
        (energy, spin), (energy_after, spin_after) = _totals(world, seen[0], 0), _totals(world, seen[1], -1)
        row[_ENERGY_CHANGE] = _change(energy, energy_after)[0]
        row[_ENERGY_CHANGE + 1] = _change(spin, spin_after)[0]
    return tuple(row.tolist())


def _totals(world: FreeWorld, block: Block, row: int) -> tuple[Array, Array]:
    """Total energy (1, 1) [J] and angular momentum in space (1, 3) [kg m²/s], with rotors, in a row of a block."""
    spin = world.body.spin(block.angular_velocity)
    energy = world.kinetic_energy(block, spin) + world.potential_energy(block)
    whole = spin + world.rotor_spin(block.time, block.angular_velocity)
    return energy[row].reshape(1, 1), apply(block.orientation, whole)[row].reshape(1, 3)


def outcomes(worlds: Sequence[FreeWorld], scheme: Scheme, watch: Watch) -> Array:
    """The COLUMNS (n, columns) of several runs."""
    rows = max(1, _NUMBERS // (7 * len(worlds)))
    starts = np.array([np.concatenate(_principal(world)) for world in worlds])
    return _outcomes(worlds, watch(stream_many(worlds[0], scheme, starts, rows)))


def _principal(world: FreeWorld) -> tuple[Array, Array]:
    return world.body.to_principal(world.orientation, world.angular_velocity)


def _states(world: FreeWorld, block: Block) -> tuple[Array, Array]:
    """Times (r,) [s] and states (r, 1, 7) in principal axes; a last row of NaN where a step had no solution."""
    q, w = world.body.to_principal(block.orientation, block.angular_velocity)
    lost = int(any(event.failed for event in block.events))
    states = np.concatenate([np.concatenate([q, w], axis=1), np.full((lost, 7), math.nan)])
    return np.concatenate([block.time, np.full(lost, math.nan)]), states[:, None]


@np.errstate(over="ignore", invalid="ignore")  # numbers may overflow: that is reported
def _outcomes(worlds: Sequence[FreeWorld], chunks: Iterator[tuple[Array, Array]]) -> Array:
    """Outcomes of runs, from times (r,) and states (r, n, 7), first the starts alone; lost bodies are NaN."""
    J, each = worlds[0].moments, np.arange(len(worlds))
    time, states = next(chunks)
    first = last = states[0]
    axis = 4 + np.abs(J * first[:, 4:]).argmax(axis=1)
    side, count = first[each, axis] > 0.0, np.zeros(len(worlds))
    flips_at, ended = np.full(len(worlds), math.nan), np.full(len(worlds), time[0])
    failed = np.zeros(len(worlds), bool)
    for time, states in chunks:
        lost, sides = np.isnan(states[:, :, 0]), states[:, each, axis] > 0.0
        flipped = (sides != np.concatenate([side[None], sides[:-1]])) & ~lost
        flips_at = np.where((count == 0.0) & flipped.any(axis=0), time[flipped.argmax(axis=0)], flips_at)
        count += flipped.sum(axis=0)
        kept = (~lost).sum(axis=0)
        last = np.where(kept[:, None] > 0, states[kept - 1, each], last)
        ended = np.where(kept > 0, time[kept - 1], ended)
        side, failed = sides[-1], lost[-1]
    given = np.array([np.concatenate([world.orientation, world.angular_velocity]) for world in worlds])
    columns = [
        *given.T,
        np.where(failed, math.nan, count > 0.0),
        np.where(failed, math.nan, flips_at),
        np.where(failed, math.nan, count),
        ended,
        _change(_energy(J, first)[:, None], _energy(J, last)[:, None]),
        _change(_spin(J, first), _spin(J, last)),
        failed.astype(float),
    ]
    return np.stack(columns, axis=1)


def _energy(J: Array, states: Array) -> Array:
    """Kinetic (n,) [J]."""
    w = states[:, 4:]
    return np.asarray(0.5 * (J[0] * w[:, 0] ** 2 + J[1] * w[:, 1] ** 2 + J[2] * w[:, 2] ** 2))


def _spin(J: Array, states: Array) -> Array:
    """Angular momentum in space (n, 3) [kg m²/s]."""
    return apply(states[:, :4], J * states[:, 4:])


def _change(before: Array, after: Array) -> Array:
    """The size (n,) of a change over that of what changed (n, m); 0 of what was 0."""
    size, change = (np.sqrt((x * x).sum(axis=1)) for x in (before, after - before))
    return np.asarray(np.divide(change, size, out=np.zeros_like(size), where=size > 0.0))


SAMPLING = StartSampling(
    draw=drawn,
    varies=varies,
    runs=runs,
    columns=lambda scenario: COLUMNS,
    outcome=outcome,
    outcomes=outcomes,
    event="flips",
)


def build(scenario: FreeScenario) -> FreeWorld:
    """The body with its moments about the centre of mass."""
    body = make_body(scenario)
    rotors, acting = rotors_of(scenario.rotor, np.array(scenario.initial.angular_velocity)), None
    if scenario.acted:
        acting = driven_body(scenario.actions, body, rotors, Path(scenario.folder))
    measured = scenario.motions()
    more = {"measured": measured, "rotors": rotors, "acting": acting}
    notes = (*body.notes, *scenario.choices(measured))
    return FreeWorld.at_start(scenario, body, body.inertia, field=FREE, notes=notes, **more)


def states(world: FreeWorld, scheme: Scheme, rows: int) -> Iterator[Block]:
    """The states of a lane: computed, or as they were measured."""
    if scheme.name in world.measured:
        return measured_stream(world, world.measured[scheme.name], scheme.name, rows, partial(flight, world))
    return driver.stream(course(world, scheme), world, scheme, rows)


ROW = System(
    kind="free",
    scenario=FreeScenario,
    build=build,
    course=course,
    blocks=states,
    starts=SAMPLING,
    rotation_alone=True,
    torque_free=True,
    equations=equations,
    passive=True,
)
