"""Hulls: closed meshes that displace water, from files, and what is loaded into them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from physics.bodies.closed_surface import closed
from physics.bodies.mesh_io import Mesh, read_mesh
from physics.bodies.shapes import polyhedron
from physics.core.errors import ScenarioError, naming
from physics.core.rotation import Array
from physics.hydrostatics.self_intersection import crossing

WATER = 1025.0  # density [kg/m³] of the sea
LIGHTEST = 1e-9  # of the mass that sinks a hull: what displaces less is lost in the rounding of the whole


@dataclass(frozen=True)
class Hull:
    """A closed surface in axes x forward, y port, z up.

    Attributes
    ----------
    points : (n, 3) [m]
    triangles : (m, 3) numbers of points, counter-clockwise from outside
    name : of its file or its shape, for messages
    notes : what was repaired when it was read
    """

    points: Array
    triangles: np.ndarray
    name: str
    notes: tuple[str, ...] = ()

    @cached_property
    def volume(self) -> float:
        """Of the whole solid [m³]."""
        return polyhedron(self.points, self.triangles)[0]

    @cached_property
    def keel(self) -> float:
        """The z of its lowest point in its own axes [m]."""
        return float(self.points[:, 2].min())


def hull_of(mesh: Mesh, name: str) -> Hull:
    """A mesh as a hull; ScenarioError where it is not closed, encloses no volume, or cuts itself."""
    surface, notes = closed(mesh, instead="")
    if pair := crossing(surface.points, surface.triangles):
        x, y, z = surface.points[surface.triangles[pair[0]]].mean(axis=0)
        raise ScenarioError(
            "", f"the surface cuts itself near ({x:.4g}, {y:.4g}, {z:.4g}) m; expected one that bounds a solid"
        )
    return Hull(np.ascontiguousarray(surface.points), np.ascontiguousarray(surface.triangles), name, notes)


def read_hull(path: str | Path) -> Hull:
    """The hull in a .stl, .obj or .ply file [m]; ScenarioError, naming the file, where it holds none."""
    path = Path(path)
    mesh = read_mesh(path)
    with naming(path):
        return hull_of(mesh, path.name)


def scaled(hull: Hull, factor: float) -> Hull:
    """The same hull in a unit that is so many metres."""
    return hull if factor == 1.0 else replace(hull, points=factor * hull.points)


@dataclass(frozen=True)
class LoadedHull:
    """A hull with its cargo, in water.

    Attributes
    ----------
    hull : the closed surface
    mass : of all [kg]
    centre_of_gravity : (3,) of all, in the hull's axes [m]
    density : of the water [kg/m³]
    """

    hull: Hull
    mass: float
    centre_of_gravity: Array
    density: float = WATER

    @cached_property
    def vertices(self) -> Array:
        """(n, 3) from the centre of gravity [m]: rotations are about it."""
        return np.ascontiguousarray(self.hull.points - self.centre_of_gravity)

    @property
    def displacement(self) -> float:
        """The volume that it displaces when it floats [m³]."""
        return self.mass / self.density

    @cached_property
    def size(self) -> float:
        """The largest extent of the hull [m]: what small lengths are compared with."""
        return float(np.ptp(self.hull.points, axis=0).max())


def loaded(hull: Hull, mass: float, centre_of_gravity: ArrayLike, density: float = WATER) -> LoadedHull:
    """A hull with a mass [kg] and a centre of gravity (3,) [m]; ScenarioError where it cannot float so."""
    centre = np.asarray(centre_of_gravity, float)
    if not (np.isfinite(mass) and mass > 0.0):
        raise ScenarioError("mass", f"expected a mass above 0 kg, got {mass:g}", hull.name)
    if not (np.isfinite(density) and density > 0.0):
        raise ScenarioError("density", f"expected the density of the water above 0 kg/m³, got {density:g}", hull.name)
    if centre.shape != (3,) or not np.isfinite(centre).all():
        raise ScenarioError("centre of gravity", "expected three finite coordinates x, y, z [m]", hull.name)
    most = density * hull.volume
    if mass >= most:
        raise ScenarioError(
            "mass",
            f"{mass:.6g} kg sink it: the whole hull displaces {most:.6g} kg of water of {density:g} kg/m³;"
            " expected less",
            hull.name,
        )
    if mass < LIGHTEST * most:
        raise ScenarioError(
            "mass", f"{mass:.6g} kg would not wet it; expected at least {LIGHTEST * most:.3g}", hull.name
        )
    low, high = hull.points.min(axis=0), hull.points.max(axis=0)
    for axis, value, least, greatest in zip("xyz", centre, low, high, strict=True):
        if not least <= value <= greatest:
            raise ScenarioError(
                "centre of gravity",
                f"{axis} = {value:g} m lies outside the hull; expected {least:g} to {greatest:g} m, in its own axes",
                hull.name,
            )
    return LoadedHull(hull, mass, centre, density)
