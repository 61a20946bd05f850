"""World: the things that a scenario speaks of, built once: the body and, for rockfall, the terrain."""

from __future__ import annotations

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


@dataclass(frozen=True)
class World:
    """A scenario with its body, its terrain (None for a free body) and its start.

    position (3,) [m], orientation (4,), velocity (3,) [m/s] and angular_velocity (3,) [rad/s] are the state at t = 0.
    """

    scenario: Scenario
    body: Body
    terrain: Terrain | None
    position: Array
    orientation: Array
    velocity: Array
    angular_velocity: Array

    @classmethod
    def of(cls, scenario: Scenario) -> World:
        """Build body and terrain, read the files that the scenario names, place the body; ScenarioError on failure."""
        body = make_body(scenario)
        terrain = make_terrain(scenario)
        initial = scenario.initial
        position = np.array(initial.position or (0.0, 0.0, 0.0), float)
        velocity = np.array(initial.velocity, float)
        if terrain is not None:
            position = _released(scenario, terrain)
            velocity = np.array(scenario.release.velocity or initial.velocity, float)
        if initial.orientation == "random":
            orientation = random(np.random.default_rng(scenario.ensemble.seed), 1)[0]
        else:
            orientation = np.array(initial.orientation) / np.linalg.norm(initial.orientation)
        world = cls(scenario, body, terrain, position, orientation, velocity, np.array(initial.angular_velocity, float))
        with np.errstate(over="ignore"):
            spin = body.spin(world.angular_velocity)
            if not np.isfinite(world.angular_velocity @ spin + body.mass * (velocity @ velocity)):
                raise ScenarioError("initial", "the kinetic energy is too large for a number; expected slower motion")
        return world


def make_body(scenario: Scenario) -> Body:
    """The body of a scenario."""
    table = scenario.body
    mass = {"mass": table.mass, "density": table.density}
    if table.inertia is not None:
        shapes.check_inertia(table.inertia)
    if table.shape == "inertia":
        assert table.inertia is not None
        assert table.mass is not None
        return shapes.box_of_inertia(table.inertia, table.mass)
    if table.shape == "hull":
        assert table.file is not None
        body = shapes.hull(shapes.read_points(scenario.path(table.file)), **mass)
    else:
        assert table.size is not None
        body = getattr(shapes, table.shape)(table.size, **mass)
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
