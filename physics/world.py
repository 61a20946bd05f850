"""World: the things that a scenario speaks of, built once: the body, what acts on it, where it starts."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import numpy as np

from physics import shapes
from physics.body import IDENTITY, Body
from physics.errors import ScenarioError
from physics.profiles import alpine, ramp
from physics.rotation import Array, random
from physics.scenario import Scenario
from physics.terrain import Terrain, read_terrain
from physics.trajectory import State

FREE = np.zeros(9)


@dataclass(frozen=True)
class World:
    """A scenario with its body, what acts on it, and its start.

    Attributes
    ----------
    terrain : for rockfall, else None
    arm : (3,) from the fixed point to the centre of mass, in body axes [m]; zero but for a top
    moments : (3,) principal moments [kg m²] about the point that the body turns about: the tip of a top, else the
        centre of mass
    field : (9,) potential and damping that act on an attached body, see physics.field
    position (3,) [m], orientation (4,), velocity (3,) [m/s], angular_velocity (3,) [rad/s] : the state at ``time``
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
    time: float = 0.0

    @classmethod
    def of(cls, scenario: Scenario) -> World:
        """Build body and terrain, read the files that the scenario names, place the body; ScenarioError on failure."""
        body, terrain, initial = make_body(scenario), make_terrain(scenario), scenario.initial
        arm, moments = np.zeros(3), body.inertia
        if scenario.kind == "top":
            arm, moments, body = _about_the_tip(scenario, body)
        orientation, angular_velocity = _turning(scenario, moments, float(arm[2]) * body.mass * scenario.g)
        position = np.array(initial.position or (0.0, 0.0, 0.0), float)
        velocity = np.array(initial.velocity, float)
        if terrain is not None:
            position = _released(scenario, terrain)
            velocity = np.array(scenario.release.velocity or initial.velocity, float)
        with np.errstate(over="ignore"):
            energy = angular_velocity @ (moments * angular_velocity) + body.mass * (velocity @ velocity)
            if not np.isfinite(energy):
                raise ScenarioError("initial", "the kinetic energy is too large for a number; expected slower motion")
        field = _field(scenario, body, float(arm[2]))
        return cls(scenario, body, terrain, arm, moments, field, position, orientation, velocity, angular_velocity)

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
    added = body.mass * distance**2 * np.array([1.0, 1.0, 0.0])
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
    if initial.orientation == "random":
        orientation = random(np.random.default_rng(scenario.ensemble.seed), 1)[0]
    else:
        orientation = np.array(initial.orientation) / np.linalg.norm(initial.orientation)
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


def _field(scenario: Scenario, body: Body, distance: float) -> Array:
    """Potential and damping (9,), see World.field."""
    weight = body.mass * scenario.g
    if scenario.kind == "top":
        return np.array([0.0, 0.0, weight * distance, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    if scenario.kind == "vessel" and scenario.vessel is not None:
        height = scenario.vessel.metacentric_height
        stiff = weight * scenario.vessel.restoring
        return np.array([0, 0, 0, stiff * height.longitudinal, stiff * height.transverse, 0, *scenario.vessel.damping])
    return FREE


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
    if table.form == "hull":
        assert table.file is not None
        body = shapes.hull(shapes.read_points(scenario.path(table.file)), **mass)
    elif table.form == "cone":
        assert table.height is not None
        assert table.radius is not None
        body = shapes.cone(table.height, table.radius, **mass)
    else:
        assert table.size is not None
        body = getattr(shapes, table.form)(table.size, **mass)
    if table.inertia is not None:
        body = replace(body, inertia=np.array(table.inertia), axes=IDENTITY)
    return body


def make_terrain(scenario: Scenario) -> Terrain | None:
    """The terrain of a rockfall scenario."""
    table = scenario.terrain
    if table is None:
        return None
    if table.file is not None:
        path = scenario.path(table.file)
        return _read(path, path.stat().st_mtime_ns) if path.is_file() else read_terrain(path)
    if table.profile == "alpine":
        return _alpine()
    return _ramp(table.angle, table.drop, table.width)


# the last terrains are kept: an edit of the rock must not read, nor a view paint, the mountain again


@lru_cache(maxsize=2)
def _read(path: Path, changed: int) -> Terrain:  # changed: when the file was, in ns
    return read_terrain(path)


_alpine = lru_cache(maxsize=1)(alpine)
_ramp = lru_cache(maxsize=1)(ramp)


def _released(scenario: Scenario, terrain: Terrain) -> Array:
    """The position (3,) [m] of the centre of mass at the start."""
    if scenario.initial.position is not None:
        position = np.array(scenario.initial.position, float)
        field = "initial.position"
    else:
        x, y = scenario.release.position or terrain.steepest()
        position = np.array([x, y, terrain.height(x, y) + scenario.release.height])
        field = "release.position"
    if not terrain.contains(position[0], position[1]):
        x0, x1, y0, y1 = terrain.extent
        raise ScenarioError(
            field,
            f"({position[0]:g}, {position[1]:g}) lies off the map; expected x {x0:g} to {x1:g}, y {y0:g} to {y1:g}",
        )
    return position
