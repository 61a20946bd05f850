"""Rockfall: one rock on a terrain, from its release to its rest."""

from __future__ import annotations

import math
import weakref
from collections.abc import Iterator
from functools import cache
from threading import Lock
from typing import Any, NamedTuple

import numpy as np

from physics.bodies.convex_hull import hull_faces
from physics.contact import moreau, obstacles, places, polyhedra, smooth, vertices
from physics.core.rotation import Array
from physics.core.trajectory import Block, Event
from physics.core.wording import N_, in_digits
from physics.schemes.loop import AT_CONTACTS, AT_Q, AT_R, AT_T, AT_V, AT_W, CONTACT, MOTION, ROW_SIZE, Rotation
from physics.schemes.scheme import Scheme
from physics.systems.driver import stretches
from physics.systems.measured import measured_stream
from physics.systems.rockfall import sampling as rock_sampling
from physics.systems.rockfall.ground_cover import Cover
from physics.systems.rockfall.map_lines import pieces_of
from physics.systems.rockfall.scenario import RockfallScenario
from physics.systems.rockfall.world import RockfallWorld, build
from physics.systems.system import System, unsettled
from physics.terrain.soil import double_areas
from physics.terrain.terrain import Terrain


@cache
def march_of(rotation: Rotation, *, is_smooth: bool) -> Any:
    """The compiled time stepping with a scheme's rotation, of polyhedra or of smooth bodies."""
    detection = smooth.SMOOTH if is_smooth else polyhedra.POLYHEDRON
    return moreau.moreau_with(rotation.free_velocity, rotation.contact_attitude, detection)


def stream(world: RockfallWorld, scheme: Scheme, rows: int) -> Iterator[Block]:
    """Blocks of at most ``rows`` stored states; the first holds the initial state alone, the last says how it ended."""
    if scheme.name in world.measured:
        yield from measured_stream(world, world.measured[scheme.name], scheme.name, rows)
        return
    notes: list[Array] = []
    for out, state, steps, reason in marching(world, scheme, rows, world.scenario.record_every, notes=notes):
        events = tuple(_met(world, scheme, note) for note in notes.pop()) if notes else ()
        yield _block(world, out, steps, events + (() if reason is None else _ending(world, scheme, state, reason)))


def marching(
    world: RockfallWorld,
    scheme: Scheme,
    rows: int,
    every: int,
    around: Surroundings | None = None,
    notes: list[Array] | None = None,
) -> Iterator[tuple[np.ndarray, np.ndarray, int, int | None]]:
    """Rows (n, ROW_SIZE) of the loop as they are (see physics.contact.moreau), every n-th step, n <= ``rows`` of them.

    Yields rows, the state of the loop, the steps done since the last rows, and why the run is over, or None while it
    goes on. The first rows hold the initial state alone. around: of ``surroundings``, where it is known already; notes:
    takes those of physics.contact.obstacles (n, NOTE), if there are any, before the rows in which they were written.
    """
    scenario, body = world.scenario, world.body
    state, first = _start(world, scheme)
    yield first, state, 0, None  # before anything that takes time: there is a picture of it at once
    around = surroundings(world) if around is None else around
    faller, site = _rock_and_ground(world, around)
    most = len(body.vertices) if body.surface is None else places.MAX_PLACES
    contacts, near = np.zeros((most, vertices.WIDTH)), np.zeros((most, places.WIDTH))
    room = moreau.Room(contacts, near, np.zeros((2, most)))
    fates = np.zeros(len(around.cover.stems[0]), np.uint8), np.zeros(len(world.fences), np.uint8)
    written = np.empty((obstacles.ROOM, obstacles.NOTE))
    met = obstacles.Obstacles(body.corners, around.cover.stems, around.pieces, *fates, written)
    march, stop = march_of(scheme.solver(CONTACT), is_smooth=body.surface is not None), scenario.stop
    key = rock_sampling.key_of(scenario, world.rock)
    for done, stride, n, last in stretches(world, rows, every):
        out = np.empty((n, ROW_SIZE))
        settings = moreau.Settings(stop.energy, stop.for_, scenario.step, scenario.g, key, stride)
        good, reason, noted = march(faller, site, settings, state, room, met, out)
        if noted and notes is not None:
            notes.append(written[:noted].copy())
        over = last or reason != moreau.GOING
        yield out[:good], state, int(state[moreau.STEP]) - done, reason if over else None
        if over:
            return


class Surroundings(NamedTuple):
    """The ground as the loop takes it, the same for all rocks of an ensemble."""

    terrain: Terrain
    cover: Cover
    pieces: Array  # of barriers that act, see physics.contact.obstacles
    highest: float  # [m] ground of the map


def surroundings(world: RockfallWorld) -> Surroundings:
    """The ground of a world, to be handed to ``marching`` with the world of any rock on it."""
    pieces = pieces_of(world.fences, world.terrain)
    acting = np.ascontiguousarray(pieces[np.isfinite(pieces[:, -1])])
    return Surroundings(world.terrain, world.cover, acting, float(world.terrain.heights.max()))


def _rock_and_ground(world: RockfallWorld, around: Surroundings) -> tuple[moreau.Faller, moreau.Site]:
    """A rock, and the ground with the laws between them, as the loop takes them."""
    body, terrain = world.body, around.terrain
    faces = body.faces if body.convex else hull_faces(body.vertices)  # the area in a scar is that of a convex body
    corners, triangles = body.corners, np.ascontiguousarray(faces, np.uint64)
    polyhedron = corners, triangles, double_areas(corners, faces), polyhedra.in_blocks(corners)
    surface: tuple[Any, ...] = polyhedron if body.surface is None else (body.surface.numbers, *polyhedron)
    forest, top = around.cover.forest_laws(body.mass, around.highest)
    site = moreau.Site(
        heights=terrain.heights,
        clearances=_clearance(terrain, body.radius),
        cell=terrain.cell,
        holes=terrain.holes,
        soil=around.cover.soil_laws(body.mass, body.volume),
        forest=forest,
        top=top,
        bumps=around.cover.bumps(terrain),
    )
    return moreau.Faller(np.ascontiguousarray(body.inertia), body.mass, surface, body.radius), site


_clearances: dict[tuple[int, float], Array] = {}  # by terrain and reach, while the terrain lives
_filtering = Lock()


def _clearance(terrain: Terrain, radius: float) -> Array:
    """The clearance of balls from the ground, the same array for all rocks of about one size.

    It looks as far as the radius rounded up to cells by a power of two: where ground farther away is steeper, it says
    less often that a rock flies, and is as right.
    """
    cell = min(terrain.cell)
    reach = cell * 2.0 ** max(0, math.ceil(math.log2(radius / cell)))
    key = id(terrain.heights), reach
    with _filtering:
        if key not in _clearances:
            _clearances[key] = vertices.clearance(terrain.heights, terrain.cell, reach)
            weakref.finalize(terrain.heights, _clearances.pop, key)
        return _clearances[key]


def _start(world: RockfallWorld, scheme: Scheme) -> tuple[np.ndarray, np.ndarray]:
    """The state of the loop at its start and the row that stores it."""
    q, w = world.body.to_principal(world.orientation, world.angular_velocity)
    local = world.position - np.array([*world.terrain.origin, 0.0])
    state = np.zeros(moreau.STATE_SIZE + scheme.solver(CONTACT).memory)
    state[:MOTION] = np.concatenate([local, q, world.velocity, w])
    return state, np.concatenate([[0.0], state[:MOTION], [0.0]])[None]


@np.errstate(over="ignore", invalid="ignore")  # the recording says where a number is too large
def _block(world: RockfallWorld, out: np.ndarray, steps: int, events: tuple[Event, ...] = ()) -> Block:
    orientation, angular_velocity = world.body.from_principal(out[:, AT_Q:AT_V], out[:, AT_W:AT_CONTACTS])
    return Block(
        time=world.time + out[:, AT_T],
        position=out[:, AT_R:AT_Q] + np.array([*world.terrain.origin, 0.0]),
        orientation=orientation,
        velocity=out[:, AT_V:AT_W],
        angular_velocity=angular_velocity,
        contact=out[:, AT_CONTACTS],
        events=events,
        steps=steps,
    )


_FATES = {
    (True, obstacles.HELD): "hits",
    (True, obstacles.BROKEN): "breaks",
    (False, obstacles.HELD): N_("is held by"),
    (False, obstacles.BROKEN): "breaks",
}


def _met(world: RockfallWorld, scheme: Scheme, note: Array) -> Event:
    """Event of a stem or a barrier that the rock meets; place: the tree's number among ``cover.stems``, or None."""
    number, tree = int(note[obstacles.NUMBER]), bool(note[obstacles.NUMBER] >= 0.0)
    fate, taken = int(note[obstacles.FATE]), in_digits(note[obstacles.TAKEN] / 1e3, 3)
    if tree:
        x, y = world.cover.stems[0][number, :2] + world.terrain.origin
        name: str = N_("the tree at ({x:.1f}, {y:.1f})", x, y)
    else:
        name = world.fences[-1 - number].name
    if fate == obstacles.OVER:
        text = N_("{name}: the rock passes over {name2}", scheme.name, name)
    else:
        met = _FATES[tree, fate]
        text = N_("{name}: the rock {fate} {name2}, which takes {taken} kJ", scheme.name, met, name, taken)
    kind = ("tree-broken" if fate == obstacles.BROKEN else "tree") if tree else "barrier"
    return Event(kind, world.time + float(note[obstacles.TIME]), text, number if tree else -1)


def _ending(world: RockfallWorld, scheme: Scheme, state: np.ndarray, reason: int) -> tuple[Event, ...]:
    """Event of the end of the run; before it, a note if percussions fell back."""
    time = world.time + float(world.scenario.step * state[moreau.STEP])
    x, y = state[:2] + world.terrain.origin - world.position[:2]
    where = (
        N_("{y:.0f} m from where it was edited", math.hypot(x, y))
        if world.time
        else N_("{y:.0f} m from its release", math.hypot(x, y))
    )
    kind, text = {
        moreau.GOING: ("end", N_("the time is up at {time:g} s, the rock still moves {where}", time, where)),
        moreau.REST: ("rest", N_("the rock rests after {time:.2f} s, {where}", time, where)),
        moreau.LEFT_MAP: ("left-map", N_("the rock left the map after {time:.2f} s, {where}", time, where)),
        moreau.FAILED: (
            "failed-solve",
            N_(
                "no solution of the step after {time:g} s; take a smaller step than {step:g} s",
                time,
                world.scenario.step,
            ),
        ),
    }[reason]
    ending = Event(kind, time, N_("{name}: {text}", scheme.name, text))
    if not state[moreau.UNSOLVED]:
        return (ending,)
    tried = state[moreau.STEP] + (reason == moreau.FAILED)
    return (unsettled(scheme, time, state[moreau.UNSOLVED], tried), ending)


ROW = System(
    kind="rockfall",
    reference="implicit",
    effort=lambda world: 10.0,  # a step with contact takes as long as so many evaluations without
    scenario=RockfallScenario,
    build=build,
    blocks=stream,
    contacts=True,
    ensembles=True,
    compiling=10.0,
)
