"""Hulls: closed meshes that displace water, from files, and what is loaded into them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from physics.bodies.closed_surface import TRY, closed
from physics.bodies.mesh_io import METRES, Mesh, MeshReading, read_mesh
from physics.bodies.shapes import polyhedron
from physics.core.errors import ScenarioError, naming
from physics.core.rotation import Array
from physics.hydrostatics.self_intersection import crossing, depth, uncrossed

WATER = 1025.0  # density [kg/m³] of the sea
LONGEST, SHORTEST = 1000.0, 0.05  # [m] of a hull in a file: ships reach 460 m, models begin at some decimetres
REACH = 5e-3  # of the largest extent: how far a repair moves a point of a surface that cuts itself
LIGHTEST = 1e-9  # of the mass that sinks a hull: what displaces less is lost in the rounding of the whole


@dataclass(frozen=True)
class Hull:
    """A closed surface in axes x forward, y port, z up.

    Attributes
    ----------
    points : (n, 3) [m]
    triangles : (m, 3) numbers of points, counter-clockwise from outside
    name : of its file or its shape, for messages
    notes : what is to know about its file
    repairs : what was changed when it was read
    """

    points: Array
    triangles: np.ndarray
    name: str
    notes: tuple[str, ...] = ()
    repairs: tuple[str, ...] = ()

    @cached_property
    def volume(self) -> float:
        """Of the whole solid [m³]."""
        return polyhedron(self.points, self.triangles)[0]

    @cached_property
    def keel(self) -> float:
        """The z of its lowest point in its own axes [m]."""
        return float(self.points[:, 2].min())


def hull_of(mesh: Mesh, name: str, repair: bool = False) -> Hull:
    """A mesh as a hull; ScenarioError where it is not closed, encloses no volume, or cuts itself.

    repair : whether more is repaired than what is safe; ``Hull.repairs`` says what was changed
    """
    surface, repairs = closed(mesh, instead="", repair=repair)
    points = surface.points
    if pair := crossing(points, surface.triangles):
        reach = REACH * float(np.ptp(points, axis=0).max())
        moved = uncrossed(points, surface.triangles, reach) if repair else None
        x, y, z = points[surface.triangles[pair[0]]].mean(axis=0)
        if moved is None:
            far = f"by {depth(points, surface.triangles, pair):.3g} m near ({x:.4g}, {y:.4g}, {z:.4g}) m"
            way = f"; points are moved by {reach:.3g} m at most" if repair else TRY
            raise ScenarioError("", f"the surface cuts itself {far}; expected one that bounds a solid{way}")
        points, far_each = moved
        told = f"{int((far_each > 0.0).sum())} points moved by up to {far_each.max():.3g} m, as the surface cut itself"
        repairs = (*repairs, f"{told} near ({x:.4g}, {y:.4g}, {z:.4g}) m")
    made = np.ascontiguousarray(points), np.ascontiguousarray(surface.triangles)
    return Hull(*made, name, (*surface.notes, *_size_notes(points)), repairs)


def _size_notes(points: Array) -> tuple[str, ...]:
    """A sentence on a hull that is no ship by its size: the unit of a mesh stands in no file."""
    length, breadth, depth = np.ptp(points, axis=0)
    if SHORTEST <= max(length, breadth) <= LONGEST:
        return ()
    extents = " x ".join(f"{float(f'{one:.4g}'):g}" for one in (length, breadth, depth))
    taken = f"the hull is {extents} m, taken in metres"
    longest = f"ships are up to 460 m long, models more than {SHORTEST:g} m"
    return (f"{taken}: {longest}; if the file is in millimetres, give scale = 0.001 in [hull], or --scale 0.001",)


def read_hull(path: str | Path, reading: MeshReading = METRES) -> Hull:
    """The hull in a .stl, .obj or .ply file, in metres, z up; ScenarioError, naming the file, where it holds none."""
    path = Path(path)
    mesh = read_mesh(path, reading=reading)
    with naming(path):
        return hull_of(mesh, path.name, reading.repair)


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
