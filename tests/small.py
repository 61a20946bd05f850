"""What tests of all rooms share: a cuboid that turns, a top that precesses, and a rock on a short ramp."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
import rasterio

from physics import Scenario, ScenarioError, Trajectory
from physics.core.trajectory import COLUMNS
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
_ROD = {"shape": "cuboid", "size": (0.1, 0.1, 1.0), "mass": 1.0}
_HINGE = {"type": "hinge", "axis": (0.0, 1.0, 0.0), "angle": 0.0}
_PENDULUM = {
    "kind": "joints",
    "duration": 2.0,
    "step": 0.01,
    "schemes": ("moser-veselov",),
    "body": (
        _ROD | {"name": "upper", "position": (0.0, 0.0, -0.5)},
        _ROD | {"name": "lower", "position": (0.0, 0.0, -1.5)},
    ),
    "joint": (
        _HINGE | {"name": "shoulder", "between": ("ground", "upper")},
        _HINGE | {"name": "elbow", "between": ("upper", "lower"), "at": (0.0, 0.0, -1.0), "rate": 0.0},
    ),
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


def tossed(moments, drag, rates, scheme: str, step: float) -> Scenario:
    """A body of moments (3,) that flies for a second in the air, whose drag over the moments is (3,) or one number."""
    return Scenario(
        kind="free",
        duration=1.0,
        step=step,
        schemes=[scheme],
        body={"shape": "inertia", "mass": 0.3, "inertia": list(moments)},
        initial={"angular_velocity": list(rates)},
        damping={"quadratic": (drag * np.asarray(moments)).tolist()},
    )


def pendulum(**changes) -> Scenario:
    """Two rods that hang from each other by hinges, "shoulder" and "elbow": "upper" and "lower"."""
    return Scenario(**(_PENDULUM | changes))


def of_each_family(kind: str) -> list[str]:
    """The first and the last scheme of each family that serves a kind: for laws that are the same under all of them."""
    return [row.name for rows in by_family(kind).values() for row in dict.fromkeys((rows[0], rows[-1]))]


def same_run(one: Trajectory, other: Trajectory) -> None:
    """Two runs hold the same numbers, bit for bit."""
    for column in COLUMNS:
        np.testing.assert_array_equal(getattr(one, column), getattr(other, column), err_msg=column, strict=True)


@contextmanager
def refused(*words: str, file: Path | None = None) -> Iterator[None]:
    """What is done within is refused in one line, which holds these words and begins with the name of the file."""
    with pytest.raises(ScenarioError) as told:
        yield
    sentence = str(told.value)
    assert "\n" not in sentence
    assert [word for word in words if word not in sentence] == [], sentence
    assert file is None or sentence.startswith(str(file)), sentence


def write_map(path: Path, heights: np.ndarray, cell: float = 1.0, corner: tuple[float, float] = (0.0, 0.0)) -> None:
    """Write heights (ny, nx), rows from the north, as an ESRI ASCII grid with its south-western corner there."""
    (ny, nx), (x, y) = heights.shape, corner
    head = f"ncols {nx}\nnrows {ny}\nxllcorner {x}\nyllcorner {y}\ncellsize {cell}\nNODATA_value -9999\n"
    path.write_text(head + "\n".join(" ".join(f"{z:.3f}" for z in row) for row in heights) + "\n")


def features(*given: tuple[dict[str, object], dict[str, object]], crs: str = "") -> str:
    """GeoJSON of properties, each with its geometry, in a coordinate system that it names if there is one."""
    found = [{"type": "Feature", "properties": told, "geometry": shape} for told, shape in given]
    named = {"crs": {"type": "name", "properties": {"name": crs}}} if crs else {}
    return json.dumps({"type": "FeatureCollection", "features": found} | named)


def write_slope(path: Path, cell: float, nodes: int, west: float, south: float) -> None:
    """Write a square map whose slope levels out 60 m from its southern edge."""
    y = np.linspace(0.0, cell * (nodes - 1), nodes)[::-1, None]
    heights = np.broadcast_to(np.maximum(y - 60.0, 0.0), (nodes, nodes)).astype(np.float32)
    place = rasterio.Affine(cell, 0, west - cell / 2, 0, -cell, south + cell * (nodes - 0.5))
    kind = {"driver": "GTiff", "dtype": "float32", "count": 1, "crs": "EPSG:2056", "transform": place}
    with rasterio.open(path, "w", width=nodes, height=nodes, **kind) as file:
        file.write(heights, 1)


def swept(places, values, width: float, terrain, side: float = 10.0) -> dict[tuple[int, int], np.ndarray]:
    """Row and column of a node -> the maxima of values (n, k) while a rock touches a square around it.

    places (n, 2) : from the first node [m], of every step; width [m] : of the rock
    """
    kept = [0]
    for i, place in enumerate(places):
        if math.dist(place, places[kept[-1]]) >= 0.1:
            kept.append(i)
    places, values = places[kept], np.maximum.reduceat(values, kept)
    rows, columns = terrain.heights.shape
    apart = (places[:, k, None] - terrain.cell[k] * np.arange(n) for k, n in ((0, columns), (1, rows)))
    east, north = (np.maximum(np.abs(one) - side / 2, 0.0) for one in apart)
    found = {}
    for j in np.flatnonzero((north <= width / 2).any(axis=0)).tolist():
        for i in np.flatnonzero((east <= width / 2).any(axis=0)).tolist():
            touched = np.hypot(east[:, i], north[:, j]) <= width / 2
            if touched.any():
                found[j, i] = values[touched].max(axis=0)
    return found
