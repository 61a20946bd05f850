"""Scene parts: a run as solids, arrows, curves and lights with their motion, for what draws it by itself."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from physics import World
from physics.core.rotation import Array
from physics.schemes.scheme import Scheme


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

    memory : how much of it is seen [s]; around : whether the points are told from where the body is
    """

    points: Array
    times: Array
    memory: float
    around: bool


@dataclass(frozen=True)
class Arrow:
    """An arrow from the origin along x, as it is at its longest: how it is turned (n, 4) and scaled (n,).

    ink : the name of its colour in app.stage.theme_colours, which a page looks up when the theme changes
    """

    ink: str
    mesh: Mesh
    orientations: Array
    scales: Array


@dataclass(frozen=True)
class SpinMark:
    """Arrows on a table around the foot of a body, of which at each of the actor's times one is seen (n,); -1: none.

    points : those of each (k, 3) [m]; faces : triangles (m, 3) between them, the same of all
    """

    points: tuple[Array, ...]
    faces: np.ndarray
    seen: NDArray[np.intp]


@dataclass(frozen=True)
class Actor:
    """The body of one lane: where it is (n, 3) [m] and how it is turned, (n, 4) scalar first, at times (n,) [s].

    arrows : of omega and spin, at the same times, from the body or, where it is attached, from the origin
    spin : how it turns about the normal of a table, in the colour of its scheme; None: there is no table
    shine : how much ambient and reflected light one sees, and the power that says how narrow the latter is
    """

    scheme: Scheme
    mesh: Mesh
    times: Array
    positions: Array
    orientations: Array
    curves: tuple[Curve, ...]
    arrows: tuple[Arrow, ...]
    spin: SpinMark | None
    shine: tuple[float, float, float]


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
