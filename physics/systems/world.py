"""World: the things that a scenario speaks of, built once: the body, what acts on it, where it starts."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from physics.bodies import shapes
from physics.bodies.body import IDENTITY, Body, check_numbers
from physics.bodies.mesh_io import Mesh, read_mesh
from physics.core.errors import ScenarioError
from physics.core.rotation import Array, apply
from physics.core.trajectory import State
from physics.scenario.fingerprints import digests_since, versions
from physics.scenario.scenario import Scenario
from physics.scenario.tables import BodyTable
from physics.systems import rock_sampling
from physics.systems.attachment import field_of, notes_of
from physics.systems.barrier_lines import BarrierLine, fences_of
from physics.systems.ground_cover import Cover, lay
from physics.systems.release import ReleaseSource, source_of
from physics.terrain import crs
from physics.terrain.dem import read_terrain
from physics.terrain.terrain import Terrain


@dataclass(frozen=True)
class World:
    """A scenario with its body, what acts on it, and its start.

    Attributes
    ----------
    terrain, cover : for rockfall, else None: the heights; the soils and forests on them
    arm : (3,) from the fixed point to the centre of mass, in body axes [m]; zero but for a top
    moments : (3,) principal moments [kg m²] about the point that the body turns about: the tip of a top, else the
        centre of mass
    field : (12,) potential and damping that act on an attached body, see physics.core.potential
    position (3,) [m], orientation (4,), velocity (3,) [m/s], angular_velocity (3,) [rad/s] : the state at ``time``
    pattern : the body as the scenario gives it, before a size or a shape is drawn for the rock
    files : digests of the files that it was built from, see physics.scenario.fingerprints
    source : where the rocks of an ensemble start; None where the position is given
    rock : the number of the rock of the ensemble, see physics.systems.rock_sampling
    fences : the barriers, see physics.systems.barrier_lines
    notes : what was repaired or decided when the scenario's files were read, one sentence each
    time : [s] at which the motion starts; the run ends at the scenario's duration, which counts from t = 0
    """

    scenario: Scenario
    body: Body
    terrain: Terrain | None
    arm: Array
    moments: Array
    field: Array
    position: Array
    orientation: Array
    velocity: Array
    angular_velocity: Array
    pattern: Body
    files: Mapping[str, str]
    cover: Cover | None = None
    fences: tuple[BarrierLine, ...] = ()
    notes: tuple[str, ...] = ()
    source: ReleaseSource | None = None
    rock: int = 0
    time: float = 0.0

    @classmethod
    @np.errstate(over="ignore", invalid="ignore", divide="ignore")  # what numbers do not hold is told below
    def of(cls, scenario: Scenario) -> World:
        """Build body and terrain, read the files that the scenario names, place the body; ScenarioError on failure."""
        before = versions(scenario)
        body, terrain, initial = make_body(scenario), make_terrain(scenario), scenario.initial
        arm, moments = np.zeros(3), body.inertia
        if scenario.kind == "top":
            arm, moments, body = _about_the_tip(scenario, body)
        check_numbers(body, moments)
        orientation, angular_velocity = _turning(scenario, moments, float(arm[2]) * body.mass * scenario.g)
        position = np.array(initial.position or (0.0, 0.0, 0.0), float)
        velocity = np.array(initial.velocity, float)
        cover: Cover | None = None
        fences: tuple[BarrierLine, ...] = ()
        source: ReleaseSource | None = None
        notes = (*body.notes, *notes_of(scenario, body))
        if terrain is not None:
            _check_rock(scenario, body)
            cover = lay(scenario, terrain)
            advice = () if _is_plane(scenario) else terrain.advice(body.extents)
            source = _source(scenario, terrain)
            fences, of_fences = fences_of(scenario.barrier, terrain, Path(scenario.folder))
            notes = (*notes, *terrain.notes, *advice, *cover.notes, *(source.notes if source else ()), *of_fences)
            velocity = np.array(scenario.release.velocity or initial.velocity, float)
        energy = angular_velocity @ (moments * angular_velocity) + body.mass * (velocity @ velocity)
        if not np.isfinite(energy):
            raise ScenarioError("initial", "the kinetic energy is too large for a number; expected slower motion")
        field = field_of(scenario, body, float(arm[2]))
        start = position, orientation, velocity, angular_velocity
        files = digests_since(scenario, before)
        world = cls(scenario, body, terrain, arm, moments, field, *start, body, files, cover, fences, notes, source)
        world = world.with_rock(scenario.ensemble.rock)
        return replace(world, notes=(*notes, *_alike(scenario, source), *_buried(world)))

    def with_rock(self, rock: int) -> World:
        """The same world with another rock of its ensemble; ScenarioError when the rock is larger than the map."""
        scenario, terrain = self.scenario, self.terrain
        if terrain is None:
            return self
        body, orientation, place, z = rock_sampling.drawn(scenario, self.pattern, terrain, self.source, rock)
        position = self.position
        if place is not None:
            z = terrain.height(*place) + scenario.release.height if z is None else z
            position = np.array([*place, z])
        turned = self.orientation if orientation is None else orientation
        return replace(self, rock=rock, body=body, moments=body.inertia, orientation=turned, position=position)

    def starting(self, state: State) -> World:
        """The same world with a motion that starts from another state, at that state's time.

        What else the motion remembers begins anew: the slip that a contact has gathered, and how long a rock was calm.
        """
        return replace(
            self,
            position=np.array(state.position),
            orientation=np.array(state.orientation),
            velocity=np.array(state.velocity),
            angular_velocity=np.array(state.angular_velocity),
            time=state.time,
        )

    @property
    def attached(self) -> bool:
        """Whether the body only turns, about a point that stays."""
        return self.scenario.kind in ("top", "vessel")


def _about_the_tip(scenario: Scenario, body: Body) -> tuple[Array, Array, Body]:
    """Arm, moments about the fixed point, and the body of a top; its axis is the body's z axis."""
    table, distance = scenario.body, scenario.top.distance
    if table.form == "cone" and distance is None:
        distance = 0.75 * (table.height or 0.0)
    if distance is None:
        raise ScenarioError("top.distance", "missing; expected the distance of the centre of mass from the tip [m]")
    if not np.array_equal(body.axes, IDENTITY):
        raise ScenarioError("body", "expected a body whose z axis is a principal axis")
    added = body.mass * distance * distance * np.array([1.0, 1.0, 0.0])
    if table.inertia is None:
        return np.array([0.0, 0.0, distance]), body.inertia + added, body
    moments = np.array(table.inertia)
    # drawn as the cone that has this distance and this moment about its axis
    cone = shapes.cone(4.0 / 3.0 * distance, math.sqrt(moments[2] / (0.3 * body.mass)), body.mass)
    return np.array([0.0, 0.0, distance]), moments, cone


def _turning(scenario: Scenario, moments: Array, weight: float) -> tuple[Array, Array]:
    """Orientation (4,) and angular velocity (3,) [rad/s] at the start; weight: m g l of a top [N m]."""
    initial = scenario.initial
    if initial.nutation is not None:
        return _precessing(scenario, moments, weight)
    if initial.precession is not None or initial.spin is not None:
        raise ScenarioError("initial.nutation", "missing; precession and spin expect it")
    # a random orientation is drawn later, with the rest of what is drawn for a rock
    given = IDENTITY if initial.orientation == "random" else np.array(initial.orientation)
    orientation = given / math.sqrt((given * given).sum())  # no BLAS: its digits depend on the processor
    return orientation, np.array(initial.angular_velocity, float)


def _precessing(scenario: Scenario, moments: Array, weight: float) -> tuple[Array, Array]:
    """The start of a top from nutation, precession and spin (Betsch & Siebert 2009, section 5.2.1)."""
    initial = scenario.initial
    theta, rate, spin = initial.nutation or 0.0, initial.precession or 0.0, initial.spin or 0.0
    if spin == "steady":
        if rate == 0.0:
            raise ScenarioError("initial.precession", "'steady' expects a rate other than 0 [rad/s]")
        A, C = moments[0], moments[2]
        spin = weight / (C * rate) + (A - C) / C * rate * math.cos(theta)
    orientation = np.array([math.cos(theta / 2), math.sin(theta / 2), 0.0, 0.0])
    return orientation, np.array([0.0, rate * math.sin(theta), rate * math.cos(theta) + spin])


def make_body(scenario: Scenario) -> Body:
    """The body of a scenario."""
    table = scenario.body
    mass = {"mass": table.mass, "density": table.density}
    if table.inertia is not None:
        shapes.check_inertia(table.inertia)
    if table.form == "inertia":
        assert table.inertia is not None
        assert table.mass is not None
        return shapes.box_of_inertia(table.inertia, table.mass)
    if table.form in ("hull", "mesh"):
        body = _from_file(scenario)
    elif table.form == "cone":
        assert table.height is not None
        assert table.radius is not None
        body = shapes.cone(table.height, table.radius, **mass)
    elif table.form == "random":
        assert table.size is not None
        body = shapes.random(table.size, **mass, seed=table.seed, points=table.points)
    else:
        assert table.size is not None
        body = getattr(shapes, table.form)(table.size, **mass)
    if table.inertia is not None:
        body = replace(body, inertia=np.array(table.inertia), axes=IDENTITY)
    return body


_HOLLOW = "not convex: all its corners touch the ground, and nothing between them; scars take its hull"


def _from_file(scenario: Scenario) -> Body:
    """The solid of a mesh, or the convex hull of its points."""
    table = scenario.body
    assert table.file is not None
    path = scenario.path(table.file)
    given = _mesh(path, path.stat().st_mtime_ns) if os.path.isfile(path) else read_mesh(path)
    given = given._replace(points=given.points * (table.scale if table.size is None else _stretch(given, table)))
    try:
        if table.form == "hull":
            return shapes.hull(given.points, table.mass, table.density)
        body = shapes.mesh(given, table.mass, table.density)
        hollow = () if body.convex or scenario.kind != "rockfall" else (_HOLLOW,)
        return replace(body, notes=tuple(f"{path.name}: {note}" for note in (*body.notes, *hollow)))
    except ScenarioError as error:
        raise ScenarioError("", error.message, path) from None


def _stretch(given: Mesh, table: BodyTable) -> Array:
    """The factors (3,) that give the solid of a file the size of the table; corners of no triangle are in no mesh."""
    assert table.size is not None
    points = given.points if table.form == "hull" else given.points[np.unique(given.triangles)]
    extents = np.ptp(points, axis=0) if len(points) else np.zeros(3)
    return np.asarray(np.divide(table.size, extents, out=np.ones(3), where=extents > 0.0))  # a flat one is told later


def make_terrain(scenario: Scenario) -> Terrain | None:
    """The terrain of a rockfall scenario."""
    table = scenario.terrain
    if table is None:
        return None
    if table.file is not None:
        path = scenario.path(table.file)
        files = [file for file in (path, crs.beside(path)) if file is not None and os.path.isfile(file)]
        changed = tuple(file.stat().st_mtime_ns for file in files)
        return _read(path, changed, table.window, table.resolution, table.nodata, table.crs)
    if table.profile == "ramp":
        return _made("ramp", table.angle, table.drop, table.width)
    return _made(str(table.profile))


# the last files are kept: an edit must not read the mountain again, nor a view paint it


@lru_cache(maxsize=2)
def _read(path: Path, changed: tuple[int, ...], *how: Any) -> Terrain:  # changed: when its files were, in ns
    return read_terrain(path, *how)


@lru_cache(maxsize=2)
def _mesh(path: Path, changed: int) -> Mesh:
    return read_mesh(path)


@lru_cache(maxsize=3)
def _made(profile: str, *sizes: float) -> Terrain:
    from physics.terrain.profiles import alpine, chant_sura, ramp  # here: a window would wait until they are loaded

    if profile == "ramp":
        return ramp(*sizes)
    return alpine() if profile == "alpine" else chant_sura()


def _is_plane(scenario: Scenario) -> bool:
    return scenario.terrain is not None and scenario.terrain.profile == "ramp"


MOST_CORNERS = 500  # of a rock: each is tested against the ground in each step


def _check_rock(scenario: Scenario, body: Body) -> None:
    """ScenarioError for a body with too many corners to fall."""
    if len(body.vertices) > MOST_CORNERS:
        advice = "take its hull (shape = 'hull') or decimate it" if scenario.body.form == "mesh" else "decimate it"
        raise ScenarioError(
            "body.file", f"{len(body.vertices)} corners are more than the {MOST_CORNERS} of a falling rock; {advice}"
        )


def _alike(scenario: Scenario, source: ReleaseSource | None) -> tuple[str, ...]:
    """Notes if a seed or a number of a rock is given where it changes nothing."""
    told = []
    placed = source is not None and not source.in_turn
    if scenario.ensemble.gives("seed") and not (placed or rock_sampling.draws(scenario)):
        told.append("ensemble.seed changes nothing: nothing is drawn for the rocks")
    if scenario.ensemble.rock > 0 and not rock_sampling.varies(scenario):
        told.append("ensemble.rock changes nothing: all rocks are the same")
    return tuple(told)


def _buried(world: World) -> tuple[str, ...]:
    """A note if the rock starts in the ground."""
    if world.terrain is None:
        return ()
    corners = world.position + apply(world.orientation, world.body.vertices)
    depth = float((world.terrain.heights_at(corners[:, 0], corners[:, 1]) - corners[:, 2]).max())
    return (f"rock {world.rock} starts {depth:.2g} m deep in the ground; lift release.height",) if depth > 0.0 else ()


def _source(scenario: Scenario, terrain: Terrain) -> ReleaseSource | None:
    """Where rocks start; None where the scenario gives the position in space."""
    place = scenario.initial.position
    if place is None:
        return source_of(scenario.release, terrain, Path(scenario.folder))
    if scenario.release.gives("height"):
        raise ScenarioError("release.height", "serves a start on the map; initial.position is given")
    if not terrain.contains(place[0], place[1]):
        raise ScenarioError(
            "initial.position", f"({place[0]:g}, {place[1]:g}) lies off the map; expected {terrain.reach}"
        )
    return None
