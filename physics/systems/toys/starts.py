"""Drawn starts of a body on a table, and what becomes of each: how far it tilts, and whether it turns over."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from physics.core.rotation import Array
from physics.core.trajectory import Block
from physics.systems.start_spread import runs, scattered, varies
from physics.systems.system import StartSampling
from physics.systems.toys import columns as toy_columns
from physics.systems.toys.world import TableWorld, placed

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


def drawn(world: TableWorld, run: int) -> TableWorld:
    """The world of one run, see physics.systems.start_spread."""
    q, w = scattered(world.scenario.ensemble, run, world.orientation, world.angular_velocity)
    return placed(replace(world, orientation=q, angular_velocity=w))


def outcome(world: TableWorld, blocks: Iterator[Block]) -> tuple[float, ...]:
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


def _energy(world: TableWorld, block: Block) -> Array:
    """Total energy (n,) [J]."""
    spin = world.moments * block.angular_velocity
    return np.asarray(world.kinetic_energy(block, spin) + world.potential_energy(block))


SAMPLING = StartSampling(draw=drawn, varies=varies, runs=runs, columns=COLUMNS, outcome=outcome, event="inverts")
