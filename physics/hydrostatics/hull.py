"""Hulls: closed meshes that displace water, from files, and what is loaded into them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from physics.bodies.closed_surface import TRY, closed
from physics.bodies.convex_hull import hull_faces
from physics.bodies.mesh_io import METRES, Mesh, MeshReading, read_mesh
from physics.bodies.shapes import polyhedron
from physics.core.cancellation import check_wanted
from physics.core.errors import ScenarioError, naming
from physics.core.jit import formula, kernel
from physics.core.rotation import Array, Vector, cross, dot
from physics.core.wording import N_
from physics.hydrostatics.immersion import immersed

# ---- surfaces that cut themselves ---------------------------------------------------------------------
# Triangles that touch at a corner, or that lie in one plane, are passed over: what they do to a volume is below
# rounding. So is a triangle that stands with a side on a face, as a column does on a pontoon.

MARGIN = 1e-6  # share of an edge and of a triangle: meshes in single precision overlap by 1e-7 of their size
MOVES = 500  # moves of points, after which a surface that cuts itself is given up
SLICE = 500  # triangles after which a search that is given up ends: spikes by the thousand all overlap


def uncrossed(points: Array, triangles: np.ndarray, reach: float) -> tuple[Array, np.ndarray] | None:
    """Points (n, 3) of which some are moved so that no edge goes through a triangle, and how far each was [m].

    The end of an edge that reaches least through a triangle is put onto its plane, again and again. None where that
    takes a move of more than ``reach`` [m], or more than MOVES.
    """
    found = points.copy()
    for _ in range(MOVES):
        pair = crossing(found, triangles)
        if pair is None:
            return found, np.linalg.norm(found - points, axis=1)
        point, move = _least_move(found, triangles, pair)
        found[point] += move
        if np.linalg.norm(found[point] - points[point]) > reach:
            return None
    return None


def depth(points: Array, triangles: np.ndarray, pair: tuple[int, int]) -> float:
    """Depth by which one of two crossing triangles reaches through the other [m]."""
    return float(np.linalg.norm(_least_move(points, triangles, pair)[1]))


def _least_move(points: Array, triangles: np.ndarray, pair: tuple[int, int]) -> tuple[int, Array]:
    """The end of an edge that goes through the other of two triangles, by the shortest way to that one's plane."""
    moves = []
    for one, other in (pair, pair[::-1]):
        a, b, c = points[triangles[other]]
        normal = np.cross(b - a, c - a)
        normal /= np.linalg.norm(normal)
        for k in range(3):
            start, end = triangles[one, k], triangles[one, (k + 1) % 3]
            if _pierces(points, triangles[one], k, triangles[other]):
                moves += [(int(p), -float((points[p] - a) @ normal) * normal) for p in (start, end)]
    return min(moves, key=lambda move: float(move[1] @ move[1]))


def crossing(points: Array, triangles: np.ndarray) -> tuple[int, int] | None:
    """Two triangles (m, 3) over points (n, 3) of which an edge of one goes through the other; None where none do."""
    corners = points[triangles]
    low, high = corners.min(axis=1), corners.max(axis=1)
    # along the axis on which the fewest pairs overlap: of a long cylinder's sides all do along its own
    first = min(range(3), key=lambda k: int(np.searchsorted(np.sort(low[:, k]), high[:, k], side="right").sum()))
    order = np.argsort(low[:, first], kind="stable")
    triangles, low, high = triangles[order], low[order], high[order]
    for begin in range(0, len(triangles), SLICE):
        check_wanted()
        a, b = _search(points, triangles, low, high, first, begin, min(begin + SLICE, len(triangles)))
        if a >= 0:
            return int(order[a]), int(order[b])
    return None


@kernel
def _search(
    points: Array, triangles: np.ndarray, low: Array, high: Array, first: int, begin: int, end: int
) -> tuple[int, int]:
    """Numbers of two triangles that cross, or -1, -1; they are sorted by their low ends along the first axis."""
    for i in range(begin, end):
        for j in range(i + 1, len(triangles)):
            if low[j, first] > high[i, first]:
                break
            if low[j, 0] > high[i, 0] or low[i, 0] > high[j, 0]:
                continue
            if low[j, 1] > high[i, 1] or low[i, 1] > high[j, 1]:
                continue
            if low[j, 2] > high[i, 2] or low[i, 2] > high[j, 2]:
                continue
            for k in range(3):
                if _pierces(points, triangles[i], k, triangles[j]) or _pierces(points, triangles[j], k, triangles[i]):
                    return i, j
    return -1, -1


@formula
def _to(points: Array, i: int, j: int) -> Vector:
    return (points[j, 0] - points[i, 0], points[j, 1] - points[i, 1], points[j, 2] - points[i, 2])


@formula
def _pierces(points: Array, own: np.ndarray, side: int, triangle: np.ndarray) -> bool:
    """Return True if a side of a triangle goes through another or a side of it (Möller and Trumbore 1997)."""
    start, end = own[side], own[(side + 1) % 3]
    for k in range(3):
        if triangle[k] == start or triangle[k] == end:
            return False
    a, b, way = _to(points, triangle[0], triangle[1]), _to(points, triangle[0], triangle[2]), _to(points, start, end)
    normal = cross(a, b)
    slope = dot(way, normal)
    if abs(slope) <= MARGIN * np.sqrt(dot(way, way) * dot(normal, normal)):
        return False
    off = _to(points, triangle[0], start)
    t = -dot(off, normal) / slope
    u = dot(way, cross(off, b)) / slope
    v = dot(way, cross(a, off)) / slope
    w = 1.0 - u - v
    if not MARGIN < t < 1.0 - MARGIN or min(u, v, w) < -MARGIN:
        return False
    if (u < MARGIN) + (v < MARGIN) + (w < MARGIN) != 1:  # not at a corner: one may lie on an edge that is not split
        return u >= MARGIN and v >= MARGIN and w >= MARGIN
    ends = (0, 2) if u < MARGIN else (0, 1) if v < MARGIN else (1, 2)
    met = _to(points, triangle[ends[0]], triangle[ends[1]])
    face = cross(_to(points, own[0], own[1]), _to(points, own[0], own[2]))
    return abs(dot(met, face)) > MARGIN * math.sqrt(dot(met, met) * dot(face, face))


# ---- hulls from files, and their loads ----------------------------------------------------------------

WATER = 1025.0  # density [kg/m³] of the sea
LONGEST_HULL, SHORTEST_HULL = 1000.0, 0.05  # [m], in a file: ships reach 460 m, models begin at some decimetres
REACH = 5e-3  # share of the largest extent: how far a repair moves a point of a surface that cuts itself
ALIKE = 0.01  # share of an extent, or a waterplane: what differs less on both sides is alike
WATERPLANES = (0.05, 0.25, 0.5, 0.75, 0.95)  # shares of the depth, in which a hull is looked at
NEUTRAL = 1e-9  # share of the volume of a hull: what stands less out of the water is all under it
LIGHTEST = 1e-9  # share of the mass that sinks a hull: what displaces less is lost in the rounding of the whole


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
        """Volume of the whole solid [m³]."""
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
            far = N_(
                "by {pair:.3g} m near ({x:.4g}, {y:.4g}, {z:.4g}) m", depth(points, surface.triangles, pair), x, y, z
            )
            way = N_("; points are moved by {reach:.3g} m at most", reach) if repair else TRY
            raise ScenarioError(
                "", N_("the surface cuts itself {far}; expected one that bounds a solid{way}", far, way)
            )
        points, far_each = moved
        note = N_(
            "{count} points moved by up to {far:.3g} m, as the surface cut itself",
            int((far_each > 0.0).sum()),
            far_each.max(),
        )
        repairs = (*repairs, N_("{note} near ({x:.4g}, {y:.4g}, {z:.4g}) m", note, x, y, z))
    made = np.ascontiguousarray(points), np.ascontiguousarray(surface.triangles)
    return Hull(*made, name, (*surface.notes, *_size_notes(points), *_deck_notes(*made)), repairs)


def _size_notes(points: Array) -> tuple[str, ...]:
    """A sentence on a hull that is no ship by its size: the unit of a mesh stands in no file."""
    length, breadth, depth = np.ptp(points, axis=0)
    if SHORTEST_HULL <= max(length, breadth) <= LONGEST_HULL:
        return ()
    extents = " x ".join(f"{float(f'{one:.4g}'):g}" for one in (length, breadth, depth))
    taken = N_("the hull is {extents} m, taken in metres", extents)
    longest = N_("ships are up to 460 m long, models more than {shortest:g} m", SHORTEST_HULL)
    return (
        N_(
            "{taken}: {longest}; if the file is in millimetres, give scale = 0.001 in [hull], or --scale 0.001",
            taken,
            longest,
        ),
    )


def _deck_notes(points: Array, triangles: np.ndarray) -> tuple[str, ...]:
    """A sentence on a hull that may lie on its side, on its end or upside down: the axis up stands in no file either.

    Ships are alike to both sides, not to top and bottom, longer than deep, and their largest waterplane is not the
    lowest one.
    """
    low, high = points.min(axis=0), points.max(axis=0)
    length, breadth, depth = (high - low).tolist()
    _, centroid, _ = polyhedron(points, triangles)
    _, aside, above = ((centroid - 0.5 * (low + high)) / (high - low)).tolist()
    areas = [immersed(points, triangles, np.eye(3), -low[2] - share * depth).area for share in WATERPLANES]
    if depth > max(length, breadth):
        why = N_("it is deeper than long")
    elif above < -ALIKE and areas[-1] < (1.0 - ALIKE) * areas[0] and areas[0] > (1.0 - ALIKE) * max(areas):
        why = N_("its waterplane is larger at the keel than at the deck")
    elif abs(above) < ALIKE < abs(aside):
        why = N_("it is alike to top and bottom, and not to both sides")
    else:
        return ()
    way = N_("give up = 'y' or up = 'x' in [hull], or --up, or turn it in the program that made it")
    return (N_("the deck of the hull may not be up: {why}; if another axis of the file points up, {way}", why, way),)


def read_hull(path: str | Path, reading: MeshReading = METRES) -> Hull:
    """The hull in a mesh file, in metres, z up; ScenarioError, naming the file, where it holds none."""
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

    @property
    def neutral(self) -> bool:
        """True if it displaces all of its volume, to rounding: nothing of it stands out of the water."""
        return self.displacement >= (1.0 - NEUTRAL) * self.hull.volume

    @cached_property
    def size(self) -> float:
        """The largest extent of the hull [m]: what small lengths are compared with."""
        return float(np.ptp(self.hull.points, axis=0).max())


def loaded(hull: Hull, mass: float, centre_of_gravity: ArrayLike, density: float = WATER) -> LoadedHull:
    """A hull with a mass [kg] and a centre of gravity (3,) [m]; ScenarioError where it cannot float so."""
    centre = np.asarray(centre_of_gravity, float)
    if not (np.isfinite(mass) and mass > 0.0):
        raise ScenarioError("mass", N_("expected a mass above 0 kg, got {mass:g}", mass), hull.name)
    if not (np.isfinite(density) and density > 0.0):
        raise ScenarioError(
            "density", N_("expected the density of the water above 0 kg/m³, got {density:g}", density), hull.name
        )
    if centre.shape != (3,) or not np.isfinite(centre).all():
        raise ScenarioError("centre of gravity", N_("expected three finite coordinates x, y, z [m]"), hull.name)
    most = density * hull.volume
    if mass > (1.0 + NEUTRAL) * most:
        raise ScenarioError(
            "mass",
            N_(
                "{mass:.6g} kg sink it: the whole hull displaces {most:.6g} kg of water of {density:g} "
                "kg/m³; expected less",
                mass,
                most,
                density,
            ),
            hull.name,
        )
    if mass < LIGHTEST * most:
        raise ScenarioError(
            "mass",
            N_("{mass:.6g} kg would not immerse it; expected at least {most:.3g}", mass, LIGHTEST * most),
            hull.name,
        )
    low, high = hull.points.min(axis=0), hull.points.max(axis=0)
    for axis, value, least, greatest in zip("xyz", centre, low, high, strict=True):
        if not least <= value <= greatest:
            raise ScenarioError(
                "centre of gravity",
                N_(
                    "{axis} = {value:g} m lies outside the hull; expected {least:g} to {greatest:g} m, in its own axes",
                    axis,
                    value,
                    least,
                    greatest,
                ),
                hull.name,
            )
    return LoadedHull(hull, mass, centre, density)


# ---- hulls by formula: x = 0 amidships, y = 0 the plane of symmetry -----------------------------------

PANELS = (160, 80)  # panels of a Wigley hull, along and down each side: volume within 1e-4 of the curved hull
SIDES = 384  # sides of a cylinder: levers within 2e-7


def box(size: ArrayLike) -> Hull:
    """A box of length, breadth, depth (3,) [m], its bottom at z = 0."""
    a, b, c = np.asarray(size, float)
    signs = itertools.product((-1, 1), (-1, 1), (0, 1))
    return _convex(np.array([(x * a / 2, y * b / 2, z * c) for x, y, z in signs]), "box")


def prism(size: ArrayLike) -> Hull:
    """A triangular prism of length, breadth, depth (3,) [m]: its edge down at z = 0, its deck at z = depth."""
    a, b, c = np.asarray(size, float)
    corners = [(x * a / 2, y * b / 2, z * c) for x in (-1, 1) for y, z in ((0, 0), (-1, 1), (1, 1))]
    return _convex(np.array(corners), "prism")


def cylinder(size: ArrayLike, sides: int = SIDES) -> Hull:
    """A lying elliptic cylinder of length, breadth, depth (3,) [m] about the x axis: a prism of many sides."""
    a, b, c = np.asarray(size, float)
    angle = 2 * math.pi * (np.arange(sides) + 0.5) / sides
    ring = np.stack([b / 2 * np.cos(angle), c / 2 * np.sin(angle)], axis=1)
    return _convex(np.concatenate([np.column_stack([np.full(sides, x), ring]) for x in (-a / 2, a / 2)]), "cylinder")


def wigley(size: ArrayLike, panels: tuple[int, int] = PANELS) -> Hull:
    """A Wigley hull of length, breadth, draught (3,) [m]: the waterline at z = 0, upright walls up to z = draught.

    y = ± breadth/2 (1 - (2x/length)²) (1 - (z/draught)²) below z = 0; panels along and down each side.
    """
    length, breadth, draught = np.asarray(size, float)
    along, down = panels
    x, z = np.linspace(-1.0, 1.0, along + 1), np.append(np.linspace(-1.0, 0.0, down + 1), 1.0)
    half = 0.5 * breadth * np.outer(1.0 - x * x, np.where(z < 0.0, 1.0 - z * z, 1.0))
    half[[0, -1]] = half[:, 0] = 0.0  # the stems and the keel are edges of both sides
    port = np.stack(np.broadcast_arrays(0.5 * length * x[:, None], half, draught * z), axis=-1)
    starboard = port * (1.0, -1.0, 1.0)
    skin = _triangles(port[:-1, :-1], port[:-1, 1:], port[1:, 1:], port[1:, :-1])
    deck = _triangles(port[:-1, -1:], starboard[:-1, -1:], starboard[1:, -1:], port[1:, -1:])
    corners = np.concatenate([skin, skin[:, ::-1] * (1.0, -1.0, 1.0), deck])
    a, b, c = np.moveaxis(corners, 1, 0)
    corners = corners[np.linalg.norm(np.cross(b - a, c - a), axis=1) > 0.0].reshape(-1, 3)
    return _made(Mesh(corners, np.arange(len(corners)).reshape(-1, 3)), "wigley")


def _triangles(a: Array, b: Array, c: Array, d: Array) -> Array:
    """Triangles (m, 3, 3) of a grid of quads, a corner of all in each array (p, q, 3).

    Their diagonals alternate: an even number of quads along the ship makes both ends alike.
    """
    one = np.stack([a, b, c, a, c, d], axis=2)
    other = np.stack([a, b, d, b, c, d], axis=2)
    even = np.indices(a.shape[:2]).sum(axis=0) % 2 == 0  # then no triangle of the ends lies in the plane y = 0
    return np.asarray(np.where(even[..., None, None], one, other).reshape(-1, 3, 3))


def _convex(points: Array, name: str) -> Hull:
    return _made(Mesh(points, hull_faces(points)), name)


def _made(mesh: Mesh, name: str) -> Hull:
    found = closed(mesh)[0]
    points, triangles = found.points, found.triangles
    return Hull(np.ascontiguousarray(points), np.ascontiguousarray(triangles), name)


MAKERS: dict[str, Callable[[ArrayLike], Hull]] = {"box": box, "wigley": wigley, "prism": prism, "cylinder": cylinder}


def make_hull(shape: str, size: ArrayLike, panels: int = PANELS[0]) -> Hull:
    """A hull of one of MAKERS by its extents (3,) [m]; ScenarioError where these are not three numbers above 0.

    panels : along each side of a Wigley hull, an even number; half as many down
    """
    extents = np.asarray(size, float)
    if extents.shape != (3,) or not (np.isfinite(extents).all() and (extents > 0.0).all()):
        raise ScenarioError("size", N_("expected three lengths above 0 m, got {extents}", extents.tolist()), shape)
    if extents.max() > 1e9 or extents.max() > 1e6 * extents.min():
        raise ScenarioError("size", N_("expected lengths below 1e9 m, none a million times another"), shape)
    return wigley(extents, (panels, panels // 2)) if shape == "wigley" else MAKERS[shape](extents)
