"""The body of a scenario: its shape made or read, with the mass properties that the scenario gives."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import ClassVar

import numpy as np

from physics.bodies import compound, shapes
from physics.bodies.angularity import ANGULARITIES
from physics.bodies.body import Body, Origin
from physics.bodies.mesh_io import Mesh, MeshReading, read_mesh, when_written, with_z_up
from physics.core.errors import ScenarioError
from physics.core.rotation import Array, apply
from physics.core.wording import N_
from physics.scenario.body_shapes import SOLIDS
from physics.scenario.common_config import BodyConfig, SolidConfig
from physics.scenario.scenario import Scenario

REFUSED = ("offset", "axes", "rim", "blocks")  # keys that mean nothing for them


def check_body(
    place: str, table: BodyConfig, kind: str, shapes: Sequence[str] = SOLIDS, refused: Sequence[str] = REFUSED
) -> None:
    """ScenarioError where a table of a body, or of one of its parts, has a shape or a key that its kind has not."""
    for field, solid in ((place, table), *((f"{place}.part.{i}", part) for i, part in enumerate(table.part))):
        if solid.form not in shapes:
            expected = N_("expected one of {shapes}", ", ".join(shapes))
            raise ScenarioError(
                f"{field}.shape",
                N_("'{form}' is not available for kind '{kind}'; {expected}", solid.form, kind, expected),
            )
        key = next((key for key in refused if solid.gives(key)), None)
        if key is not None:
            raise ScenarioError(f"{field}.{key}", N_("not a key of kind '{kind}'", kind))
        if "inertia_axes" in refused and len(solid.inertia or ()) > 3:
            text = N_("expected 3 principal moments for kind '{kind}', got 6 numbers of a tensor", kind)
            raise ScenarioError(f"{field}.inertia", text)


class BodyScenario(Scenario):
    """A scenario whose body is given by the table ``[body]``."""

    body: BodyConfig

    shapes: ClassVar[tuple[str, ...]] = SOLIDS  # that its bodies can have
    refused: ClassVar[tuple[str, ...]] = REFUSED  # keys that mean nothing for its bodies
    most_corners: ClassVar[int | None] = None  # that hulls of files are reduced to

    def _check(self) -> None:
        check_body("body", self.body, self.kind, self.shapes, self.refused)
        super()._check()

    @property
    def body_file(self) -> tuple[str, MeshReading] | None:
        """The file of the table ``[body]``, and how it is taken."""
        return None if self.body.file is None else (self.body.file, _reading(self.body))


def of_body(scenario: Scenario) -> BodyScenario:
    """The scenario, if its body is given by ``[body]``; else ScenarioError."""
    if not isinstance(scenario, BodyScenario):
        raise ScenarioError("kind", N_("expected one with a table [body], got '{kind}'", scenario.kind))
    return scenario


def make_body(given: Scenario) -> Body:
    """The body of a scenario that has a table ``[body]``."""
    scenario = of_body(given)
    table = scenario.body
    return with_axes(table, body_of(table, Path(scenario.folder), scenario.most_corners))


def with_axes(table: BodyConfig, body: Body) -> Body:
    """The body of a table, with a note on its principal axes where they are not those of its shape."""
    if table.form == "parts" or len(table.inertia or ()) > 3 or table.gives("inertia_about", "inertia_axes"):
        return replace(body, notes=(*body.notes, compound.axes_found(body)))
    return body


def body_of(table: SolidConfig, folder: Path, most: int | None = None, by_length: bool = False) -> Body:
    """The body of a table; relative names of files start at ``folder``.

    most: corners that hulls of files are reduced to where the table gives no number; by_length: whether the longest of
    the table's lengths goes along the longest extent of a file, and so on.
    """
    if table.form == "inertia":
        assert table.inertia is not None
        assert table.mass is not None
        moments, axes = _inertia(table, table.mass)
        box = shapes.box_of_inertia(moments, table.mass)
        body = replace(box, vertices=apply(axes, box.vertices))
    elif isinstance(table, BodyConfig) and table.form == "parts":
        body = _of_parts(table, folder)
    elif table.shell is None:
        body = _solid(table, folder, most, by_length)
    else:
        body = _solid(table.model_copy(update={"mass": None, "density": 1.0}), folder, most, by_length)
        body = compound.hollow(body, _cavity(table, body, table.shell), table.mass, table.density)
    if table.inertia is not None:
        moments, axes = _inertia(table, body.mass)
        body = replace(body, inertia=moments, axes=axes)
    return body


def _inertia(table: SolidConfig, mass: float) -> tuple[Array, Array]:
    """Principal moments and axes of the inertia that a table gives."""
    assert table.inertia is not None
    about = (0.0, 0.0, 0.0) if table.inertia_about == "centre" else table.inertia_about
    return compound.principal_of(
        table.inertia, mass, about, np.array(table.inertia_axes) / math.hypot(*table.inertia_axes)
    )


def _of_parts(table: BodyConfig, folder: Path) -> Body:
    """The body that the parts of a table make."""
    parts = []
    for i, part in enumerate(table.part):
        try:
            made = body_of(part, folder)
        except ScenarioError as error:
            field = error.field.replace("body", f"body.part.{i}", 1)
            raise ScenarioError(field, error.message, error.file) from None
        parts.append((made, part.position, part.orientation))
    return compound.combined(parts)


def _solid(table: SolidConfig, folder: Path, most: int | None, by_length: bool) -> Body:
    """The solid of a table."""
    mass = {"mass": table.mass, "density": table.density}
    if table.form in ("hull", "mesh"):
        return _from_file(table, folder, most, by_length)
    if table.form == "cone":
        assert table.height is not None
        assert table.radius is not None
        return shapes.cone(table.height, table.radius, **mass)
    if table.form == "sphere":
        return shapes.ellipsoid([2.0 * (table.radius or 0.0)] * 3, **mass)
    if table.form in ("cylinder", "disk"):
        wide = 2.0 * (table.radius or 0.0)
        return shapes.cylinder(table.size or (wide, wide, table.thickness), table.mass, table.density, rim=table.rim)
    if table.form == "random":
        return random_rock(table, table.seed)
    assert table.size is not None
    body: Body = getattr(shapes, table.form)(table.size, **mass)
    return body


def _cavity(table: SolidConfig, body: Body, thickness: float) -> compound.Cavity:
    """Cavity that a wall leaves in the solid of a table."""
    if table.form == "cone":
        return compound.in_cone(table.height or 0.0, table.radius or 0.0, thickness)
    if table.form == "sphere":
        return compound.in_ellipsoid([2.0 * (table.radius or 0.0)] * 3, thickness)
    inside = {"cuboid": compound.in_box, "cylinder": compound.in_cylinder, "ellipsoid": compound.in_ellipsoid}
    if table.form not in inside:
        return compound.in_polyhedron(body, thickness)
    assert table.size is not None
    return inside[table.form](table.size, thickness)


def random_rock(table: SolidConfig, seed: int | np.random.SeedSequence) -> Body:
    """The rock of the shape 'random' with that seed."""
    assert table.size is not None
    if table.angularity is None:
        return shapes.random_rock(table.size, table.mass, table.density, seed, table.points)
    found = ANGULARITIES[table.angularity]
    return shapes.random_rock(table.size, table.mass, table.density, seed, found.corners, found.roundness)


def _from_file(table: SolidConfig, folder: Path, most: int | None, by_length: bool) -> Body:
    """The solid of a mesh, or the convex hull of its points."""
    assert table.file is not None
    path = folder / table.file
    given = _mesh(path, when_written(path), _reading(table)) if os.path.isfile(path) else read_mesh(path)
    stretch = np.ones(3) if table.size is None else _stretch(given, table, by_length)
    if table.size is not None:
        given = given._replace(points=given.points * stretch)
    try:
        if table.form == "hull":
            most = table.points if table.gives("points") else most
            body = shapes.hull(given.points, table.mass, table.density, most)
        else:
            body = shapes.mesh(given, table.mass, table.density, table.repair)
            how = _reading(table)
            turned = with_z_up(np.eye(3), how.upward(path)).T * (stretch * how.scale)[:, None]
            body = replace(body, origins=(Origin(path, how.nodes, np.column_stack([turned, -body.centre])),))
    except ScenarioError as error:
        raise ScenarioError("", error.message, path) from None
    notes = tuple(N_("{name}: {note}", path.name, note) for note in (*given.notes, *body.notes))
    if table.gives("points") and not body.notes:
        notes = (
            *notes,
            N_("body.points changes nothing: the hull of {name} has {vertices} corners", path.name, len(body.vertices)),
        )
    return replace(body, notes=notes)


def _reading(table: SolidConfig) -> MeshReading:
    return MeshReading(table.scale, table.up or "", table.repair, table.nodes)


def _stretch(given: Mesh, table: SolidConfig, by_length: bool) -> Array:
    """The factors (3,) that give the solid of a file the size of the table; corners of no triangle are in no mesh."""
    points = given.points if table.form == "hull" else given.points[np.unique(given.triangles)]
    extents = np.ptp(points, axis=0) if len(points) else np.zeros(3)
    size = np.array(table.size)
    if by_length:
        size[np.argsort(extents)] = np.sort(size)
    return np.asarray(np.divide(size, extents, out=np.ones(3), where=extents > 0.0))  # a flat one is reported later


@lru_cache(maxsize=2)  # an edit must not read the file again
def _mesh(path: Path, written: tuple[int, ...], reading: MeshReading) -> Mesh:
    return read_mesh(path, reading=reading)
