"""Rockfall: one rock on a terrain, from its release to its rest."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from physics import contact, layers, scar
from physics.rotation import apply, conjugate
from physics.schemes import SCHEMES
from physics.schemes.scheme import Scheme
from physics.systems import moreau
from physics.systems.steps import whole_steps
from physics.trajectory import Block, Event
from physics.world import World


@cache
def march_of(name: str) -> Any:
    """The compiled time stepping with a scheme's rotation."""
    formulas = SCHEMES[name].moreau
    assert formulas is not None, f"{name} does not serve rockfall"
    return moreau.moreau_with(*formulas)


def stream(world: World, scheme: Scheme, rows: int) -> Iterator[Block]:
    """Blocks of at most ``rows`` stored states; the first holds the initial state alone, the last says how it ended."""
    for out, state, steps, reason in marching(world, scheme, rows, world.scenario.record_every):
        yield _block(world, out, steps, () if reason is None else _ending(world, scheme, state, reason))


def marching(
    world: World, scheme: Scheme, rows: int, every: int, around: tuple[Any, ...] | None = None
) -> Iterator[tuple[np.ndarray, np.ndarray, int, int | None]]:
    """Rows (n, COLUMNS) of the loop as they are (see physics.systems.moreau), every n-th step, n <= ``rows`` of them.

    Yields rows, the state of the loop, the steps done since the last rows, and why the run is over, or None while it
    goes on. The first rows hold the initial state alone. around: the surroundings, where they are known already.
    """
    scenario, body = world.scenario, world.body
    h, total = scenario.step, whole_steps(scenario.duration - world.time, scenario.step)
    around = surroundings(world) if around is None else around
    state, first = _start(world)
    contacts, depths = np.zeros((len(body.vertices), contact.WIDTH)), np.zeros(len(body.vertices))
    march, J = march_of(scheme.name), np.ascontiguousarray(body.inertia)
    yield first, state, 0, None
    over = False
    while not over:
        left = int(total - state[moreau.STEP])
        n, stride = (min(rows, left // every), every) if left >= every else (1, left)
        out, before = np.empty((n, moreau.COLUMNS)), state[moreau.STEP]
        good, reason = march(J, body.mass, *around, h, scenario.g, stride, state, contacts, depths, out)
        steps = int(state[moreau.STEP] - before)
        over = reason != moreau.GOING or state[moreau.STEP] >= total
        yield out[:good], state, steps, reason if over else None


def surroundings(world: World) -> tuple[Any, ...]:
    """Rock and ground, and the laws between them, as the loop takes them; the same wherever the rock starts."""
    scenario, body, terrain = world.scenario, world.body, world.terrain
    assert terrain is not None
    soil, stop = scenario.soil, scenario.stop
    ground = (
        np.ascontiguousarray(apply(conjugate(body.axes), body.vertices)),
        np.ascontiguousarray(body.faces, np.int64),
        body.radius,
        terrain.heights,
        contact.ceiling(terrain.heights, terrain.cell, body.radius),
        terrain.cell,
    )
    laws = (
        (soil.mu_min, soil.mu_max, soil.beta, soil.kappa, soil.restitution, soil.drag),
        (0.0, 0.0) if soil.scar is None else scar.laws(**soil.scar.model_dump(), mass=body.mass),
        layers.forest(scenario.forest.drag, scenario.forest.height, body.mass, terrain.heights),
        (stop.energy, stop.for_),
    )
    return *ground, *laws


def _start(world: World) -> tuple[np.ndarray, np.ndarray]:
    """The state of the loop at its start and the row that stores it."""
    q, w = world.body.to_principal(world.orientation, world.angular_velocity)
    assert world.terrain is not None
    local = world.position - np.array([*world.terrain.origin, 0.0])
    state = np.zeros(moreau.STATE_SIZE)
    state[:13] = np.concatenate([local, q, world.velocity, w])
    return state, np.concatenate([[0.0], state[:13], [0.0]])[None]


def _block(world: World, out: np.ndarray, steps: int, events: tuple[Event, ...] = ()) -> Block:
    assert world.terrain is not None
    orientation, angular_velocity = world.body.from_principal(out[:, 4:8], out[:, 11:14])
    return Block(
        time=world.time + out[:, 0],
        position=out[:, 1:4] + np.array([*world.terrain.origin, 0.0]),
        orientation=orientation,
        velocity=out[:, 8:11],
        angular_velocity=angular_velocity,
        contact=out[:, 14],
        events=events,
        steps=steps,
    )


def _ending(world: World, scheme: Scheme, state: np.ndarray, reason: int) -> tuple[Event, ...]:
    """How the run ended, in one sentence; before it, a note when percussions were left unsolved."""
    assert world.terrain is not None
    time = world.time + float(world.scenario.step * state[moreau.STEP])
    x, y = state[:2] + world.terrain.origin - world.position[:2]
    where = f"{math.hypot(x, y):.0f} m from {'where it was edited' if world.time else 'its release'}"
    kind, text = {
        moreau.GOING: ("end", f"the time is up at {time:g} s, the rock still moves {where}"),
        moreau.REST: ("rest", f"the rock rests after {time:.2f} s, {where}"),
        moreau.LEFT_MAP: ("left-map", f"the rock left the map after {time:.2f} s, {where}"),
        moreau.FAILED: (
            "failed-solve",
            f"no solution of the step after {time:g} s; take a smaller step than {world.scenario.step:g} s",
        ),
    }[reason]
    ending = Event(kind, time, f"{scheme.name}: {text}")
    if not state[moreau.UNSOLVED]:
        return (ending,)
    share = state[moreau.UNSOLVED] / state[moreau.STEP]
    note = f"{scheme.name}: the percussions of {share:.2%} of the steps were left at the cap of {contact.SWEEPS} sweeps"
    return (Event("unsolved-contact", time, note), ending)
