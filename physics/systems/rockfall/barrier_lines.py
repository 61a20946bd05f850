"""Barrier lines: the lines of a scenario's barriers, given by their corners or by a file of lines."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import shapely

from physics.core.errors import ScenarioError
from physics.core.rotation import Array
from physics.systems.rockfall.ground_config import BarrierTable
from physics.terrain.terrain import Terrain
from physics.terrain.zones import FARTHEST, Shape, read_shapes

MOST = 64  # barriers of a scenario: each is looked at in each step
MOST_CORNERS = 1000  # of a line


@dataclass(frozen=True)
class Barrier:
    """A barrier: its name, its line (n, 2) [m] in the map's coordinates, and its height above the ground [m]."""

    name: str
    line: Array
    height: float


def fences_of(
    barriers: Sequence[BarrierTable], terrain: Terrain, folder: Path
) -> tuple[tuple[Barrier, ...], tuple[str, ...]]:
    """The barriers of a scenario on its terrain, each line of a file as one, and notes on what was decided.

    Relative names of files start at ``folder``. ScenarioError, naming the table or the file, for a line that is no line
    on the map.
    """
    found: list[Barrier] = []
    notes: list[str] = []
    for i, table in enumerate(barriers):
        if table.file is None:
            found.append(_typed(table, i, terrain, f"barrier {len(found) + 1}"))
        else:
            fences, told = _read(table, i, terrain, folder / table.file)
            found += fences
            notes += told
        if len(found) > MOST:
            if table.file is None:
                raise ScenarioError(f"barrier.{i}", f"more than {MOST} barriers with those of files; expected fewer")
            raise ScenarioError("", f"more than {MOST} barriers with its lines; expected fewer", folder / table.file)
    return tuple(found), tuple(notes)


def _typed(table: BarrierTable, i: int, terrain: Terrain, name: str) -> Barrier:
    assert table.line is not None
    assert table.height is not None
    line = np.array(table.line)
    if not _on_map(line, terrain):
        raise ScenarioError(f"barrier.{i}.line", f"lies off the map; expected {terrain.reach}")
    _check_line(line, f"barrier.{i}.line", None)
    return Barrier(table.name or name, line, table.height)


def _read(table: BarrierTable, i: int, terrain: Terrain, path: Path) -> tuple[list[Barrier], tuple[str, ...]]:
    """The lines of a file; those off the map are left out, which is told."""
    shapes, notes = read_shapes(path, terrain.crs)
    lines = list(_lines(shapes, path))
    given = [attributes.get("height") for _, _, attributes in lines]
    if table.height is not None and None not in given:
        raise ScenarioError(f"barrier.{i}.height", f"expected none where each line of {path.name} has its own")
    fences = []
    for number, ((where, line, attributes), height) in enumerate(zip(lines, given, strict=True), start=1):
        _check_line(line, where, path)
        name = attributes.get("name") or " ".join(filter(None, [table.name or path.stem, str(number)]))
        if _on_map(line, terrain):
            fences.append(Barrier(str(name), line, _height(height, table, where, path)))
    if not fences:
        raise ScenarioError("", f"all {len(lines)} lines lie off the map; expected {terrain.reach}", path)
    off = len(lines) - len(fences)
    return fences, (*notes, *([f"{off} of {len(lines)} lines lie off the map in {path.name}"] if off else []))


def _lines(shapes: Sequence[Shape], path: Path) -> Iterator[tuple[str, Array, dict[str, Any]]]:
    """Where each line of the file stands, its corners (n, 2) [m] and its attributes, their names in small letters."""
    for n, (shape, attributes) in enumerate(shapes, start=1):
        if shape.geom_type not in ("LineString", "MultiLineString"):
            raise ScenarioError(f"feature {n}", f"expected a line, got {shape.geom_type}", path)
        small = {key.lower(): value for key, value in attributes.items()}
        for part in shapely.get_parts(shape):
            yield f"feature {n}", shapely.get_coordinates(part), small


def _height(given: Any, table: BarrierTable, where: str, path: Path) -> float:
    """The height of a line of a file [m]: its own, or that of the table."""
    height = table.height if given is None else given
    if height is None:
        raise ScenarioError(f"{where}.height", "missing; expected an attribute [m], or height beside the file", path)
    if isinstance(height, bool) or not isinstance(height, int | float) or not 0.0 < height < math.inf:
        raise ScenarioError(f"{where}.height", f"expected a number above 0 [m], got {height!r:.40}", path)
    return float(height)


def _on_map(line: Array, terrain: Terrain) -> bool:
    """Whether a line comes near the map."""
    (x0, x1, y0, y1), low, high = terrain.extent, line.min(axis=0), line.max(axis=0)
    return bool(high[0] >= x0 and low[0] <= x1 and high[1] >= y0 and low[1] <= y1)


def _check_line(line: Array, where: str, path: Path | None) -> None:
    """ScenarioError for a line that has no length somewhere, or too many corners."""
    if not 2 <= len(line) <= MOST_CORNERS or not (np.abs(line) < FARTHEST).all():
        raise ScenarioError(where, f"expected 2 to {MOST_CORNERS} finite corners [m]", path)
    if not (np.linalg.norm(np.diff(line, axis=0), axis=1) > 0.0).all():
        raise ScenarioError(where, "expected points that differ from the one before them", path)
