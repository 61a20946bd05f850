"""Meshes of toys: smooth bodies of wood, plastic, nickel or steel, painted in the colour of the lane.

Pure geometry. The paint has the lane's colour. What it is made of follows from its density. A piece is turned: its
outline goes around the axis of the shape, stretched to the semi-axes.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pyvista as pv
from numpy.typing import NDArray

from app.stage.actor_group import rgb
from app.stage.bodies.body_mesh import cut, in_triangles, soup, swept_around
from physics.core.rotation import Array, apply
from physics.systems.toys.world import DRAWN, ToyWorld

SIDES = 96  # facets around
STEM_CUT = 0.42  # height at which a tippe top is cut off above the centre of its sphere, in radii
BEVEL = 0.014  # width of the bevel of a sharp edge, in radii
GROOVE = 0.25  # largest slope [rad] of the grooves of a turned face
RING = 0.035  # half section of a hoop without thickness, in radii
POLHODES = (0.72, 0.76, 0.8)  # end of the polhodes on a coin, and the ring around them, in radii

Paint = Callable[[Array, Array, Array], NDArray[np.bool_]]  # mask (n,) of the painted part, by x, y, z in semi-axes
Edges = Callable[[Array, Array], Array]  # values (n, k) by x and y, one of which is 0 at an edge of the paint


@dataclass(frozen=True)
class Material:
    """Material of a toy: colour, strength and sharpness of highlights, contrast of the grain."""

    colour: tuple[float, float, float]
    specular: float
    power: float
    grain: float = 0.0
    grooved: bool = False


WOOD = Material((205.0, 160.0, 106.0), 0.22, 30.0, grain=0.16)
PLASTIC = Material((236.0, 229.0, 214.0), 0.5, 60.0)
NICKEL = Material((158.0, 150.0, 136.0), 0.8, 25.0, grooved=True)
STEEL = Material((112.0, 119.0, 128.0), 0.9, 25.0, grooved=True)
UP_TO = ((900.0, WOOD), (2600.0, PLASTIC), (7500.0, NICKEL))  # densities [kg/m³]; steel is denser


class Piece(NamedTuple):
    """A surface of revolution: outline (m, 2) of distances and heights in semi-axes, its normals, and the paint.

    edges : of paint that follows neither the outline nor the facets, which are cut there
    """

    outline: Array
    normals: Array
    paint: Paint | None = None
    edges: Edges | None = None


def material_of(world: ToyWorld) -> Material:
    """Material of the body by its density; plastic without a volume."""
    table = world.scenario.body
    if table.form == "hoop" or (table.form == "disk" and table.thickness == 0.0):
        return PLASTIC
    density = world.body.mass / world.body.volume
    return next((material for limit, material in UP_TO if density < limit), STEEL)


def cut_of(world: ToyWorld) -> float:
    """Height at which the shape is cut off above its centre, in semi-axes along z; 1 if it is whole.

    A tippe top has its stem there, a rattleback (three different axes, the centre of mass below) its deck. The laws
    act on the whole shape: what is cut off is drawn as glass where it touches.
    """
    table = world.scenario.body
    if table.form == "tippe-top":
        return STEM_CUT
    uneven = table.size is not None and len(set(table.size)) == 3
    return 0.0 if table.form == "ellipsoid" and uneven and table.offset[2] < 0.0 else 1.0


def toy(world: ToyWorld, colour: str, sides: int = SIDES) -> pv.PolyData:
    """The body in body axes [m], painted in a colour, with a number of facets around."""
    material = material_of(world)
    pieces = _FORMS[world.scenario.body.form](world, material)
    paint = 0.86 * rgb(colour)  # darker, as the lights bleach it
    parts = [_painted(piece, material, paint, sides) for piece in pieces]
    return _placed(world, *(np.concatenate(values) for values in zip(*parts, strict=True)))


def glass(world: ToyWorld) -> pv.PolyData:
    """The part above ``cut_of`` in body axes [m]."""
    zone = _ball(np.linspace(cut_of(world), 1.0, 17))
    corners, normals = (in_triangles(swept_around(line, SIDES)) for line in (zone.outline, zone.normals))
    return _placed(world, corners, normals, np.full(corners.shape, 255.0))


def _placed(world: ToyWorld, corners: Array, normals: Array, colours: Array) -> pv.PolyData:
    """Triangles in semi-axes as a mesh in body axes."""
    axes = np.array(world.scenario.body.axes) / math.hypot(*world.scenario.body.axes)
    turned = apply(axes, normals / semi_axes(world))
    turned /= np.linalg.norm(turned, axis=2, keepdims=True)
    return soup(_in_body(world, corners), turned, colours)


def bore(world: ToyWorld) -> Array | None:
    """The two rims (2, n, 3) [m] of the hole of a hoop, in body axes; None: the shape has no hole."""
    if world.scenario.body.form != "hoop":
        return None
    thick = world.scenario.body.thickness > 0.0
    within = (_edge(world, None)[1] if thick else 1.0) - 2.0 * RING
    turn = np.linspace(0.0, 2.0 * np.pi, SIDES, endpoint=False)
    rims = [
        np.column_stack([within * np.cos(turn), within * np.sin(turn), 0.0 * turn + z * thick]) for z in (1.0, -1.0)
    ]
    return _in_body(world, np.array(rims))


def _in_body(world: ToyWorld, points: Array) -> Array:
    """Points (..., 3) in semi-axes, in body axes [m]."""
    axes = np.array(world.scenario.body.axes) / math.hypot(*world.scenario.body.axes)
    return np.asarray(apply(axes, points * semi_axes(world)) + world.surface.centre)


def semi_axes(world: ToyWorld) -> Array:
    """Semi-axes (3,) [m] of the drawn shape, along its own axes."""
    table = world.scenario.body
    R = table.radius or 0.0
    if table.size is not None:
        return np.array(table.size) / 2.0
    if table.form == "hoop":
        return np.array([R, R, table.thickness / 2.0 or RING * R])
    if table.form == "disk":
        return np.array([R, R, (table.thickness or DRAWN * R) / 2.0])
    return np.full(3, R)


# ---- pieces -------------------------------------------------------------------------------------------


def _ball(heights: Array, paint: Paint | None = None) -> Piece:
    """A zone of the unit sphere between heights (m,), -1 to 1."""
    outline = np.column_stack([np.sqrt(np.maximum(1.0 - heights**2, 0.0)), heights])
    return Piece(outline, outline, paint)


def _even(low: float, high: float, *borders: float) -> Array:
    """Heights on the unit sphere from low to high at even angles, with the borders of the paint."""
    angles = np.linspace(math.asin(low), math.asin(high), 28)
    return np.unique(np.r_[np.sin(angles), borders, low, high])


def _face(material: Material, high: float, radii: Array, paint: Paint | None, edges: Edges | None = None) -> Piece:
    """A flat face at a height, from radii (m,); metal has the grooves of a lathe."""
    side = math.copysign(1.0, high)
    lean = GROOVE * np.sin(2.4 * np.arange(len(radii))) if material.grooved else np.zeros(len(radii))
    normals = np.column_stack([np.sin(lean), side * np.cos(lean)])
    return Piece(np.column_stack([radii, np.full(len(radii), high)]), normals, paint, edges)


def _arc(centre: tuple[float, float], size: tuple[float, float], angles: Array, paint: Paint | None) -> Piece:
    """A rounded edge: an arc of an ellipse about a point of the section, angles from outward to up."""
    way = np.column_stack([np.cos(angles), np.sin(angles)])
    return Piece(np.array(centre) + way * size, way / size, paint)


# ---- paint --------------------------------------------------------------------------------------------


def _sector(x: Array, y: Array, count: int) -> Array:
    """Index (n,) of the sector around the axis."""
    return np.floor(np.mod(np.arctan2(y, x), 2.0 * np.pi) * count / (2.0 * np.pi) + 1e-9)


def _belts(x: Array, y: Array, z: Array) -> NDArray[np.bool_]:
    """A belt around the middle, and on either side a row of blocks."""
    far = np.abs(z)
    return np.asarray((far < 0.1) | ((far > 0.22) & (far < 0.42) & (_sector(x, y, 16) % 2 == 0)))


def _lower_belt(x: Array, y: Array, z: Array) -> NDArray[np.bool_]:
    """A belt of blocks around the middle, with a gap that shows the rotation, and the lowest part."""
    sector = _sector(x, y, 12)
    return np.asarray(((z > -0.2) & (z < 0.1) & (sector % 2 == 0) & (sector > 0)) | (z < -0.8))


def _wheel(x: Array, y: Array, z: Array) -> NDArray[np.bool_]:
    """Every other of eight sectors within a ring, and a ring outside."""
    rho = np.hypot(x, y)
    return np.asarray(((rho < 0.74) & (rho > 0.2) & (_sector(x, y, 8) % 2 == 0)) | (rho > 0.88))


def _ring(x: Array, y: Array, z: Array) -> NDArray[np.bool_]:
    """An inlaid ring with gaps, and a pointer to one of them."""
    rho = np.hypot(x, y)
    return np.asarray(
        ((rho > 0.7) & (rho < 0.8) & (_sector(x, y, 12) % 4 != 3))
        | ((rho > 0.16) & (rho < 0.6) & (_sector(x, y, 24) == 0))
    )


def _polhodes(x: Array, y: Array, z: Array) -> NDArray[np.bool_]:
    """The logo of the program: polhodes about the intermediate axis, in a ring."""
    rho, sides = np.hypot(x, y), _polhode_edges(x, y)
    lines = (sides[:, ::2] > 0.0) & (sides[:, 1::2] < 0.0)
    return np.asarray(((rho < POLHODES[0]) & lines.any(axis=1)) | ((rho > POLHODES[1]) & (rho < POLHODES[2])))


def _polhode_edges(x: Array, y: Array) -> Array:
    """Values (n, 2 k) that are 0 at the two edges of each of k polhodes."""
    level, slope = x * x - 0.62 * y * y, 2.0 * np.hypot(x, 0.62 * y)
    edges = [level - at + side * slope for at in (-0.24, -0.1, 0.0, 0.12, 0.3) for side in (0.026, -0.026)]
    return np.stack(edges, axis=1)


def _blocks(x: Array, y: Array, z: Array) -> NDArray[np.bool_]:
    """Every other of sixteen sectors."""
    return np.asarray(_sector(x, y, 16) % 2 == 0)


def _deck(x: Array, y: Array, z: Array) -> NDArray[np.bool_]:
    """A rim, and one half of a cross."""
    rho = np.hypot(x, y)
    return np.asarray((rho > 0.9) | ((rho < 0.7) & (_sector(x, y, 4) % 2 == 0)))


def _hull(x: Array, y: Array, z: Array) -> NDArray[np.bool_]:
    return np.asarray(z < -0.12)


def _all(x: Array, y: Array, z: Array) -> NDArray[np.bool_]:
    return np.ones(len(x), bool)


# ---- toys ---------------------------------------------------------------------------------------------


def _round(world: ToyWorld, material: Material) -> list[Piece]:
    """A sphere, an ellipsoid or an egg; of a rattleback the lower half, with its deck."""
    if cut_of(world) < 1.0:
        deck = _face(PLASTIC, 1e-9, np.array([0.0, 0.35, 0.7, 0.9, 1.0]), _deck)
        return [_ball(_even(-1.0, 0.0, -0.12), _hull), deck]
    return [_ball(_even(-1.0, 1.0, -0.42, -0.22, -0.1, 0.1, 0.22, 0.42), _belts)]


def _tippe_top(world: ToyWorld, material: Material) -> list[Piece]:
    """A sphere that is cut off, with a stem that ends on the sphere."""
    edge = math.sqrt(1.0 - STEM_CUT**2)
    thick, dome = 0.17, 0.16
    shoulder = math.sqrt(1.0 - dome**2)
    tip = _ball(np.r_[np.linspace(shoulder, 1.0, 9)], _all)
    neck = np.linspace(0.0, 1.0, 12)
    outline = np.column_stack(
        [thick + (dome - thick) * neck - 0.035 * np.sin(np.pi * neck), STEM_CUT + (shoulder - STEM_CUT) * neck]
    )
    slope = np.gradient(outline, axis=0)
    stem = Piece(outline, np.column_stack([slope[:, 1], -slope[:, 0]]), _all)
    deck = _face(material, STEM_CUT, np.linspace(thick, edge, 12), None)
    return [_ball(_even(-1.0, STEM_CUT, -0.8, -0.2, 0.1), _lower_belt), deck, stem, tip]


def _edge(world: ToyWorld, paint: Paint | None) -> tuple[list[Piece], float]:
    """The side of a disk with its edges, sharp or rounded, and the radius at which its faces end."""
    half, rim = semi_axes(world), world.scenario.body.rim
    broad = float(half[:2].min())
    round_ = rim if rim > 0.0 else min(BEVEL * broad, 0.3 * float(half[2]))
    size = round_ / broad, round_ / float(half[2])
    inner, high = 1.0 - size[0], 1.0 - size[1]
    quarter = np.linspace(0.0, np.pi / 2, 3 if rim == 0.0 else 9)
    side = np.linspace(-high, high, 5)
    wall = Piece(np.column_stack([np.ones(5), side]), np.tile([1.0, 0.0], (5, 1)), paint)
    edges = [_arc((inner, high), size, quarter, None), _arc((inner, -high), size, -quarter, None)]
    return [*edges, *([wall] if high > 1e-9 else [])], inner


def _disk(world: ToyWorld, material: Material) -> list[Piece]:
    """A disk or a cylinder; one with a rounded rim is a coin."""
    metal, coin = material.grooved, world.scenario.body.rim > 0.0
    sides, inner = _edge(world, None if metal else _blocks)
    paint = _wheel if not metal else _polhodes if coin else _ring
    borders = [radius for radius in (0.16, 0.2, 0.6, 0.7, *POLHODES, 0.74, 0.88) if radius < inner]
    radii = np.unique(np.r_[np.linspace(0.0, inner, 28 if metal else 8), borders])
    edges = _polhode_edges if metal and coin else None
    return [*sides, *(_face(material, high, radii, paint, edges) for high in (1.0, -1.0))]


def _hoop(world: ToyWorld, material: Material) -> list[Piece]:
    """A ring, with a round section if it has no thickness."""
    if world.scenario.body.thickness == 0.0:
        angles = np.linspace(0.0, 2.0 * np.pi, 21)
        return [_arc((1.0 - RING, 0.0), (RING, 1.0), angles, _blocks)]
    sides, inner = _edge(world, _blocks)
    within = inner - 2.0 * RING
    bore = Piece(np.array([[within, 1.0], [within, -1.0]]), np.array([[-1.0, 0.0], [-1.0, 0.0]]))
    return [*sides, bore, *(_face(material, high, np.array([within, inner]), None) for high in (1.0, -1.0))]


_FORMS = {
    "ellipsoid": _round,
    "sphere": _round,
    "egg": _round,
    "tippe-top": _tippe_top,
    "disk": _disk,
    "cylinder": _disk,
    "hoop": _hoop,
}


def _painted(piece: Piece, material: Material, paint: Array, sides: int) -> tuple[Array, Array, Array]:
    """Corners, normals and colours (n, 3, 3) of the triangles of a piece."""
    corners, normals = (in_triangles(swept_around(line, sides)) for line in (piece.outline, piece.normals))
    if piece.edges is not None:
        corners, normals = _split(corners, normals, piece.edges)
    middle = corners.mean(axis=1)
    where = np.zeros(len(middle), bool) if piece.paint is None else piece.paint(*middle.T)
    colours = np.where(where[:, None, None], paint, np.array(material.colour))
    if material.grain > 0.0:
        colours = colours * (1.0 + material.grain * _growth(corners))[..., None]
    return corners, normals, np.broadcast_to(colours, corners.shape)


def _split(corners: Array, normals: Array, edges: Edges) -> tuple[Array, Array]:
    """Triangles (n, 3, 3) with their normals, cut at the edges of the paint."""
    values = edges(corners[..., 0].ravel(), corners[..., 1].ravel()).reshape(*corners.shape[:2], -1)
    carried = np.concatenate([corners, normals, values], axis=2)
    for axis in range(6, carried.shape[2]):
        carried = cut(carried, axis)
    return carried[..., :3], carried[..., 3:6]


def _growth(points: Array) -> Array:
    """The growth rings of wood, -1 to 1, at points (..., 3), of a tree whose axis is beside the body."""
    x, y, z = np.moveaxis(points, -1, 0)
    far = np.hypot(x - 0.35 + 0.06 * np.sin(3.0 * z), y - 2.1 + 0.05 * np.sin(2.0 * z + 1.0))
    rings = np.sin(2.0 * np.pi * 4.5 * far) + 0.5 * np.sin(2.0 * np.pi * 11.3 * far + 1.7 * z)
    return np.asarray(rings / 1.5)
