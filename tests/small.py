"""What tests of all rooms share: a cuboid that turns, a top that precesses, and a rock on a short ramp."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import rasterio

from physics import Scenario
from physics.schemes import by_family

_CUBOID = {
    "kind": "free",
    "duration": 2.0,
    "step": 0.01,
    "schemes": ("explicit", "implicit"),
    "body": {"shape": "cuboid", "size": (3.0, 2.0, 1.0), "mass": 1.0},
    "initial": {"angular_velocity": (1e-3, 10.0, 1e-3)},
}
_TOP = {
    "kind": "top",
    "duration": 0.1,
    "step": 0.005,
    "body": {"shape": "cone", "height": 0.1, "radius": 0.05, "density": 2700.0},
    "initial": {"nutation": 1.0, "precession": 10.0, "spin": "steady"},
}
_ROCK = {
    "kind": "rockfall",
    "duration": 10.0,
    "step": 0.005,
    "body": {"shape": "eota", "size": (0.93, 0.93, 0.47), "mass": 780.0},
    "terrain": {"profile": "ramp", "drop": 12.0, "width": 30.0},
    "release": {"position": (1.0, 0.0)},
}


def cuboid(**changes) -> Scenario:
    """A free cuboid about its intermediate axis: two seconds under two schemes."""
    return Scenario(**(_CUBOID | changes))


def top(**changes) -> Scenario:
    """A cone on its tip in steady precession: a tenth of a second under the schemes of its kind."""
    return Scenario(**(_TOP | changes))


def rock(**changes) -> Scenario:
    """A rock on a ramp: ten seconds under two schemes."""
    return Scenario(**(_ROCK | changes))


def of_each_family(kind: str) -> list[str]:
    """The first and the last scheme of each family that serves a kind: for laws that are the same under all of them."""
    return [row.name for rows in by_family(kind).values() for row in dict.fromkeys((rows[0], rows[-1]))]


def write_slope(path: Path, cell: float, nodes: int, west: float, south: float) -> None:
    """Write a square map whose slope levels out 60 m from its southern edge."""
    y = np.linspace(0.0, cell * (nodes - 1), nodes)[::-1, None]
    heights = np.broadcast_to(np.maximum(y - 60.0, 0.0), (nodes, nodes)).astype(np.float32)
    place = rasterio.Affine(cell, 0, west - cell / 2, 0, -cell, south + cell * (nodes - 0.5))
    kind = {"driver": "GTiff", "dtype": "float32", "count": 1, "crs": "EPSG:2056", "transform": place}
    with rasterio.open(path, "w", width=nodes, height=nodes, **kind) as file:
        file.write(heights, 1)
