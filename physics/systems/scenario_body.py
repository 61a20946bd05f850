"""The body of a scenario: its shape made or read, with the mass properties that the scenario gives."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import ClassVar

import numpy as np

from physics.bodies import shapes
from physics.bodies.angularity import ANGULARITIES
from physics.bodies.body import IDENTITY, Body
from physics.bodies.mesh_io import Mesh, MeshReading, read_mesh
from physics.core.errors import ScenarioError
from physics.core.rotation import Array
from physics.scenario.common_config import SOLIDS, BodyConfig
from physics.scenario.scenario import Scenario


class BodyScenario(Scenario):
    """A scenario whose body is given by the table ``[body]``."""

    body: BodyConfig

    shapes: ClassVar[tuple[str, ...]] = SOLIDS  # that its bodies can have
    refused: ClassVar[tuple[str, ...]] = ("offset", "axes", "rim", "blocks")  # keys that mean nothing for its bodies
    most_corners: ClassVar[int | None] = None  # that hulls of files are reduced to

    def _check(self) -> None:
        if self.body.form not in self.shapes:
            expected = f"expected one of {', '.join(self.shapes)}"
            raise ScenarioError("body.shape", f"'{self.body.form}' is not available for kind '{self.kind}'; {expected}")
        key = next((key for key in self.refused if self.body.gives(key)), None)
        if key is not None:
            raise ScenarioError(f"body.{key}", f"not a key of kind '{self.kind}'")
        super()._check()

    @property
    def body_file(self) -> tuple[str, MeshReading] | None:
        """The file of the table ``[body]``, and how it is taken."""
        return None if self.body.file is None else (self.body.file, _reading(self.body))


def of_body(scenario: Scenario) -> BodyScenario:
    """The scenario, if its body is given by ``[body]``; else ScenarioError."""
    if not isinstance(scenario, BodyScenario):
        raise ScenarioError("kind", f"expected one with a table [body], got '{scenario.kind}'")
    return scenario


def make_body(given: Scenario) -> Body:
    """The body of a scenario that has a table ``[body]``."""
    scenario = of_body(given)
    return body_of(scenario.body, Path(scenario.folder), scenario.most_corners)


def body_of(table: BodyConfig, folder: Path, most: int | None = None, by_length: bool = False) -> Body:
    """The body of a table; relative names of files start at ``folder``.

    most: corners that hulls of files are reduced to where the table gives no number; by_length: whether the longest of
    the table's lengths goes along the longest extent of a file, and so on.
    """
    mass = {"mass": table.mass, "density": table.density}
    if table.inertia is not None:
        shapes.check_inertia(table.inertia)
    if table.form == "inertia":
        assert table.inertia is not None
        assert table.mass is not None
        return shapes.box_of_inertia(table.inertia, table.mass)
    if table.form in ("hull", "mesh"):
        body = _from_file(table, folder, most, by_length)
    elif table.form == "cone":
        assert table.height is not None
        assert table.radius is not None
        body = shapes.cone(table.height, table.radius, **mass)
    elif table.form == "sphere":
        body = shapes.ellipsoid([2.0 * (table.radius or 0.0)] * 3, **mass)
    elif table.form in ("cylinder", "disk"):
        wide = 2.0 * (table.radius or 0.0)
        size = table.size or (wide, wide, table.thickness)
        body = shapes.cylinder(size, table.mass, table.density, rim=table.rim)
    elif table.form == "random":
        body = random_rock(table, table.seed)
    else:
        assert table.size is not None
        body = getattr(shapes, table.form)(table.size, **mass)
    if table.inertia is not None:
        body = replace(body, inertia=np.array(table.inertia), axes=IDENTITY)
    return body


def random_rock(table: BodyConfig, seed: int | np.random.SeedSequence) -> Body:
    """The rock of the shape 'random' with that seed."""
    assert table.size is not None
    if table.angularity is None:
        return shapes.random(table.size, table.mass, table.density, seed, table.points)
    found = ANGULARITIES[table.angularity]
    return shapes.random(table.size, table.mass, table.density, seed, found.corners, found.roundness)


def _from_file(table: BodyConfig, folder: Path, most: int | None, by_length: bool) -> Body:
    """The solid of a mesh, or the convex hull of its points."""
    assert table.file is not None
    path = folder / table.file
    given = _mesh(path, path.stat().st_mtime_ns, _reading(table)) if os.path.isfile(path) else read_mesh(path)
    if table.size is not None:
        given = given._replace(points=given.points * _stretch(given, table, by_length))
    try:
        if table.form == "hull":
            most = table.points if table.gives("points") else most
            body = shapes.hull(given.points, table.mass, table.density, most)
        else:
            body = shapes.mesh(given, table.mass, table.density, table.repair)
    except ScenarioError as error:
        raise ScenarioError("", error.message, path) from None
    notes = tuple(f"{path.name}: {note}" for note in (*given.notes, *body.notes))
    if table.gives("points") and not body.notes:
        notes = (*notes, f"body.points changes nothing: the hull of {path.name} has {len(body.vertices)} corners")
    return replace(body, notes=notes)


def _reading(table: BodyConfig) -> MeshReading:
    return MeshReading(table.scale, table.up, table.repair)


def _stretch(given: Mesh, table: BodyConfig, by_length: bool) -> Array:
    """The factors (3,) that give the solid of a file the size of the table; corners of no triangle are in no mesh."""
    points = given.points if table.form == "hull" else given.points[np.unique(given.triangles)]
    extents = np.ptp(points, axis=0) if len(points) else np.zeros(3)
    size = np.array(table.size)
    if by_length:
        size[np.argsort(extents)] = np.sort(size)
    return np.asarray(np.divide(size, extents, out=np.ones(3), where=extents > 0.0))  # a flat one is reported later


@lru_cache(maxsize=2)  # an edit must not read the file again
def _mesh(path: Path, changed: int, reading: MeshReading) -> Mesh:
    return read_mesh(path, reading=reading)
