"""Lines on a map: barriers, and lines of interest, typed or from files."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import shapely

from physics.contact.obstacles import PIECE
from physics.core.errors import ScenarioError
from physics.core.rotation import Array
from physics.core.wording import N_
from physics.scenario.common_config import checked_name, distinct
from physics.systems.rockfall.scenario import BarrierConfig, LineConfig
from physics.terrain.terrain import Terrain
from physics.terrain.zones import FARTHEST, Shape, read_shapes

MAX_BARRIERS = 64  # barriers of a scenario, and as many lines: each is looked at in each step
MAX_LINE_CORNERS = 1000


@dataclass(frozen=True)
class Line:
    """A line of interest: its name and its points (n, 2) [m] in the map's coordinates."""

    name: str
    line: Array

    @property
    def places(self) -> Array:
        """Distances (n,) of the line's points from the first one, along it [m]."""
        return np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(self.line, axis=0), axis=1))])


@dataclass(frozen=True)
class Barrier(Line):
    """A barrier: a line and its height above the ground [m].

    capacity : kinetic energy that it stops [J]; None: it only measures
    """

    height: float
    capacity: float | None = None


def pieces_of(lines: Sequence[Line], terrain: Terrain) -> Array:
    """Pieces (n, PIECE) of lines, see physics.contact.obstacles; the capacity is NaN of those that only measure."""
    pieces = []
    for i, one in enumerate(lines):
        height, capacity = (one.height, one.capacity) if isinstance(one, Barrier) else (math.nan, None)
        local = one.line - terrain.origin
        ends = zip(local[:-1], local[1:], one.places[:-1], strict=True)
        pieces += [[*a, *b, i, place, height, math.nan if capacity is None else capacity] for a, b, place in ends]
    return np.array(pieces, float).reshape(-1, PIECE)


_Found = TypeVar("_Found", bound=Line)
_Table = TypeVar("_Table", BarrierConfig, LineConfig)


def fences_of(
    barriers: Sequence[BarrierConfig], terrain: Terrain, folder: Path
) -> tuple[tuple[Barrier, ...], tuple[str, ...]]:
    """The barriers of a scenario on its terrain, each line of a file as one, and notes on what was decided.

    Relative names of files start at ``folder``. ScenarioError, naming the table or the file, for a line that is no line
    on the map.
    """

    def typed(table: BarrierConfig, name: str, line: Array) -> Barrier:
        assert table.height is not None
        return Barrier(name, line, table.height, _joules(table.capacity))

    def read(table: BarrierConfig, i: int, path: Path, lines: list[_Shape]) -> Iterator[Barrier]:
        given = [one.attributes.get("height") for one in lines]
        if table.height is not None and None not in given:
            raise ScenarioError(
                f"barrier.{i}.height", N_("expected none where each line of {name} has its own", path.name)
            )
        for one, height in zip(lines, given, strict=True):
            capacity = _positive(one.attributes.get("capacity"), f"{one.where}.capacity", "kJ", path)
            held = _joules(table.capacity if capacity is None else capacity)
            yield Barrier(one.name, one.line, _height(height, table, one.where, path), held)

    return _all_of("barrier", barriers, [table.line for table in barriers], terrain, folder, typed, read)


def lines_of(lines: Sequence[LineConfig], terrain: Terrain, folder: Path) -> tuple[tuple[Line, ...], tuple[str, ...]]:
    """The lines of interest of a scenario on its terrain, as ``fences_of`` gives its barriers."""

    def typed(_: LineConfig, name: str, line: Array) -> Line:
        return Line(name, line)

    def read(_: LineConfig, i: int, path: Path, lines: list[_Shape]) -> Iterator[Line]:
        return (Line(one.name, one.line) for one in lines)

    return _all_of("line", lines, [table.points for table in lines], terrain, folder, typed, read)


@dataclass(frozen=True)
class _Shape:
    """A line of a file: its name, where it stands in it, its points (n, 2) [m], attributes with small letters."""

    name: str
    where: str
    line: Array
    attributes: dict[str, Any]


def _all_of(
    key: str,
    tables: Sequence[_Table],
    points: Sequence[Sequence[tuple[float, float]] | None],
    terrain: Terrain,
    folder: Path,
    typed: Callable[[_Table, str, Array], _Found],
    read: Callable[[_Table, int, Path, list[_Shape]], Iterator[_Found]],
) -> tuple[tuple[_Found, ...], tuple[str, ...]]:
    """Lines that all tables of a scenario give, and notes; key: of the tables; points: of those that are typed."""
    found: list[_Found] = []
    notes: list[str] = []
    for i, (table, given) in enumerate(zip(tables, points, strict=True)):
        if table.file is None:
            assert given is not None
            line, where = np.array(given), f"{key}.{i}.{'line' if key == 'barrier' else 'points'}"
            if not _on_map(line, terrain):
                raise ScenarioError(where, N_("lies off the map; expected {reach}", terrain.reach))
            _check_line(line, where, None)
            found.append(typed(table, table.name or f"{key} {len(found) + 1}", line))
        else:
            path = folder / table.file
            lines, sentences = _read_lines(table.name, terrain, path)
            found += read(table, i, path, lines)
            notes += sentences
        if len(found) > MAX_BARRIERS:
            many = (
                N_("more than {most} barriers", MAX_BARRIERS)
                if key == "barrier"
                else N_("more than {most} lines", MAX_BARRIERS)
            )
            if table.file is None:
                raise ScenarioError(f"{key}.{i}", N_("{many} with those of files; expected fewer", many))
            raise ScenarioError("", N_("{many} with its lines; expected fewer", many), folder / table.file)
    for i, name in enumerate(distinct([one.name for one in found])):
        if (one := found[i]).name != name:  # tables know them by their names
            found[i] = replace(one, name=name)
            notes.append(N_("another line is named {name}: this one is {name2} in tables and on plans", one.name, name))
    notes += [
        N_("{name}: a part of the line lies off the map, where no rock comes", one.name)
        for one in found
        if _leaves(one, terrain)
    ]
    return tuple(found), tuple(notes)


def _read_lines(name: str, terrain: Terrain, path: Path) -> tuple[list[_Shape], tuple[str, ...]]:
    """Lines of a file, and notes; lines off the map are left out."""
    shapes, notes = read_shapes(path, terrain.crs)
    lines = list(_lines(shapes, path))
    found = []
    for number, (where, line, attributes) in enumerate(lines, start=1):
        _check_line(line, where, path)
        own = attributes.get("name") or " ".join(filter(None, [name or path.stem, str(number)]))
        try:
            own = checked_name(str(own))
        except ValueError as error:
            raise ScenarioError(f"{where}.name", str(error), path) from None
        if _on_map(line, terrain):
            found.append(_Shape(own, where, line, attributes))
    if not found:
        raise ScenarioError(
            "", N_("all {lines} lines lie off the map; expected {reach}", len(lines), terrain.reach), path
        )
    off = len(lines) - len(found)
    return found, (
        *notes,
        *([N_("{off} of {lines} lines lie off the map in {name}", off, len(lines), path.name)] if off else []),
    )


def _lines(shapes: Sequence[Shape], path: Path) -> Iterator[tuple[str, Array, dict[str, Any]]]:
    """Field, corners (n, 2) [m] and attributes of each line of the file, their names in small letters."""
    for n, (shape, attributes) in enumerate(shapes, start=1):
        if shape.geom_type not in ("LineString", "MultiLineString"):
            raise ScenarioError(f"feature {n}", N_("expected a line, got {geom_type}", shape.geom_type), path)
        small = {key.lower(): value for key, value in attributes.items()}
        for part in shapely.get_parts(shape):
            yield f"feature {n}", shapely.get_coordinates(part), small


def _height(given: Any, table: BarrierConfig, where: str, path: Path) -> float:
    """The height of a line of a file [m]: its own, or that of the table."""
    height = _positive(table.height if given is None else given, f"{where}.height", "m", path)
    if height is None:
        raise ScenarioError(
            f"{where}.height", N_("missing; expected an attribute [m], or height beside the file"), path
        )
    return height


def _positive(value: Any, where: str, unit: str, path: Path) -> float | None:
    """The number that an attribute of a line gives, or None; ScenarioError for no number above 0."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0.0 < value < math.inf:
        raise ScenarioError(where, N_("expected a number above 0 [{unit}], got {value!r:.40}", unit, value), path)
    return float(value)


def _joules(kilojoules: float | None) -> float | None:
    return None if kilojoules is None else 1e3 * kilojoules


def _on_map(line: Array, terrain: Terrain) -> bool:
    """True if a line comes near the map."""
    (x0, x1, y0, y1), low, high = terrain.extent, line.min(axis=0), line.max(axis=0)
    return bool(high[0] >= x0 and low[0] <= x1 and high[1] >= y0 and low[1] <= y1)


def _leaves(one: Line, terrain: Terrain) -> bool:
    """True if a point of a line lies more than a cell off the map."""
    (x0, x1, y0, y1), (dx, dy) = terrain.extent, terrain.cell
    (x, y) = one.line.T
    return bool((x < x0 - dx).any() or (x > x1 + dx).any() or (y < y0 - dy).any() or (y > y1 + dy).any())


def _check_line(line: Array, where: str, path: Path | None) -> None:
    """ScenarioError for a line that has no length somewhere, or too many corners."""
    if not 2 <= len(line) <= MAX_LINE_CORNERS or not (np.abs(line) < FARTHEST).all():
        raise ScenarioError(where, N_("expected 2 to {most_corners} finite corners [m]", MAX_LINE_CORNERS), path)
    if not (np.linalg.norm(np.diff(line, axis=0), axis=1) > 0.0).all():
        raise ScenarioError(where, N_("expected points that differ from the one before them"), path)
