"""The parts of a model: solids, lines and curves with their motion, as plain arrays that files hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyvista as pv
from numpy.typing import NDArray

from app.stage.bodies.model_look import Piece
from app.stage.bodies.true_motion import Tip
from physics import World
from physics.core.rotation import Array
from physics.schemes.scheme import Scheme

MAX_RINGS_PER_TUBE = 4000
THIN, THIN_FAR = 0.008, 0.0008  # the radius of a tube: of the body's, at least this much of how far the curve goes


@dataclass(frozen=True)
class Mesh:
    """Triangles, with faces (m, 3), or lines, with faces (m, 2), between points (n, 3).

    Colours (n, 4), 0 to 255, or places (n, 2) from the upper left, of which 0 to 1 is on the picture (h, w, 3 or 4),
    or both: then one shades the other, and the picture repeats. What has no normals (n, 3) is not lit.
    """

    points: np.ndarray
    faces: np.ndarray
    normals: np.ndarray | None = None
    colours: NDArray[np.uint8] | None = None
    places: Array | None = None
    picture: NDArray[np.uint8] | None = None


@dataclass(frozen=True)
class Curve:
    """A curve through points (n, 3) [m], reached at times (n,) [s].

    memory : how much of it is seen [s]; around : whether the points are relative to the body; turning : whether they
    turn with it
    """

    points: Array
    times: Array
    memory: float
    around: bool
    turning: bool = False


@dataclass(frozen=True)
class Arrow:
    """An arrow from the origin along x, as it is at its longest: how it is turned (n, 4) and scaled (n,).

    ink : the name of its colour in app.export.scene_files, which a page looks up when the theme changes; "": its own
    feet : where it begins (n, 3) [m]; None: at the body, or, where that is attached, at the origin
    name : of what it is
    """

    ink: str
    mesh: Mesh
    orientations: Array
    scales: Array
    feet: Array | None
    name: str


@dataclass(frozen=True)
class Part:
    """Part that goes with a body: a mesh about its centre, with an opacity; turning : and turns with it.

    ink : as of an arrow
    """

    mesh: Mesh
    turning: bool
    ink: str = ""
    opacity: float = 1.0


@dataclass(frozen=True)
class SpinMark:
    """Arrows on a table around the foot of a body, of which at each of the actor's times one is seen (n,); -1: none.

    points : those of each (k, 3) [m]; faces : triangles (m, 3) between them, the same of all
    """

    points: tuple[Array, ...]
    faces: np.ndarray
    seen: NDArray[np.intp]


@dataclass(frozen=True)
class TrueBody:
    """The outline of the true body, where it is (n, 3) [m] and how it is turned (n, 4) at the times of an actor.

    degrees : by which the actor is off it (n,); -1 where the truth is not known; seen : where it is drawn (n,)
    """

    mesh: Mesh
    positions: Array
    orientations: Array
    degrees: Array
    seen: NDArray[np.bool_]


@dataclass(frozen=True)
class Actor:
    """The body of one lane: where it is (n, 3) [m] and how it is turned, (n, 4) scalar first, at times (n,) [s].

    arrows : of omega and spin, at the same times, from the body or, where it is attached, from the origin
    spin : how it turns about the normal of a table, in the colour of its scheme; None: there is no table
    truth : None: it is not known; true_others : of the other bodies of a mechanism
    shine : how much ambient and reflected light one sees, and the power that says how narrow the latter is
    verdict : how the lane compares with the true motion, in words; "" where that is not known
    numbers : those of its caption, see app.export.scene_words
    parts : of the overlays that the scenario shows
    tips : points of its bodies from which arcs go to the true ones
    axes : those of the body; None: they are off
    skin : surfaces with the materials of the body's file, () where it has none
    axle : rod from the fixed point of a body, beside its skin; None: there is no such point, or no skin
    tracers : the balls that draw curves
    name : of its body, of a mechanism with that of the scenario
    """

    scheme: Scheme
    mesh: Mesh
    times: Array
    positions: Array
    orientations: Array
    curves: tuple[Curve, ...]
    arrows: tuple[Arrow, ...]
    spin: SpinMark | None
    truth: TrueBody | None
    true_others: tuple[TrueBody, ...]
    shine: tuple[float, float, float]
    verdict: str
    numbers: dict[str, Any]
    parts: tuple[Part, ...] = ()
    tips: tuple[Tip, ...] = ()
    axes: Mesh | None = None
    skin: tuple[Piece, ...] = ()
    axle: Mesh | None = None
    tracers: tuple[Arrow, ...] = ()
    name: str = "body"


@dataclass(frozen=True)
class Light:
    """A light from far away: the unit vector (3,) towards it, and its colour (3,) with its strength, 0 to 1.

    fixed : to the camera, whose x is right, y up and z back; else to the scene
    """

    way: Array
    ink: Array
    fixed: bool


@dataclass(frozen=True)
class Model:
    """All lanes and what they share, in metres, z up, near the origin; a view of it: eye and focus (3,) [m].

    near : eye and focus (3,) [m] of a camera that goes with the body, from where that is
    floor : height [m] of a flat floor, on which shadows lie; None: there is none
    bored : whether the bodies are rings, whose shadows have a hole
    signs : what the signs mean, with their colours, by theme; charts : see app.export.scene_words
    said : the headline, see app.playback.headline
    grid : rows and columns of the first mesh of the ground; heights : of contour lines, (m,) texts and (m, 3) [m];
    near_rocks : whether the rocks are drawn from near, too
    radius : of a body, or of the ball in which a mechanism moves [m]
    """

    world: World
    actors: tuple[Actor, ...]
    ground: tuple[Mesh, ...]
    eye: Array
    focus: Array
    end: float
    near: tuple[Array, Array]
    lights: tuple[Light, ...]
    floor: float | None
    bored: bool
    signs: dict[str, list[list[str]]]
    said: tuple[tuple[float, str], ...]
    charts: list[dict[str, Any]]
    grid: tuple[int, ...]
    heights: tuple[list[str], Array]
    near_rocks: bool
    radius: float


def joined(one: Mesh, other: Mesh) -> Mesh:
    """Two solids with normals and colours as one."""
    assert one.normals is not None
    assert other.normals is not None
    assert one.colours is not None
    assert other.colours is not None
    return Mesh(
        np.concatenate([one.points, other.points]),
        np.concatenate([one.faces, other.faces + len(one.points)]),
        np.concatenate([one.normals, other.normals]),
        np.concatenate([one.colours, other.colours]),
    )


def tube(curve: Curve, radius: float) -> Mesh:
    """A curve as a thin solid, beside a body of a radius [m]."""
    chosen = np.unique(np.linspace(0, len(curve.points) - 1, min(len(curve.points), MAX_RINGS_PER_TUBE)).astype(int))
    points = curve.points[chosen].astype(np.float32)  # as the file holds them: what differs by less is one place
    points = points[np.any(np.diff(points, axis=0, prepend=np.nan), axis=1)]
    extent = float(np.linalg.norm(np.ptp(points, axis=0)))
    if extent == 0.0:  # a curve that stays where it is has no way
        points = points[0] + np.array([[0.0, 0.0, 0.0], [1e-3 * radius, 0.0, 0.0]], np.float32)
    line = pv.lines_from_points(points)
    solid = line.strip().tube(radius=max(THIN * radius, THIN_FAR * extent), n_sides=5).triangulate()
    return Mesh(np.asarray(solid.points), solid.regular_faces)
