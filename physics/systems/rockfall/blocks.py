"""Blocks: the rocks of an ensemble from a table, row by row, see physics.systems.rockfall.blocks.

What a row leaves out is as the scenario says, or drawn.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from pydantic import ValidationError

from physics.bodies.body import Body
from physics.bodies.mesh_io import TURNS, when_written, with_z_up
from physics.core.errors import ScenarioError
from physics.core.input_checks import file_beside
from physics.core.rotation import Array, from_matrix, multiply
from physics.core.text_tables import CsvRows, read_rows
from physics.core.wording import N_
from physics.scenario.body_shapes import BLOCKS, shapes_with
from physics.scenario.common_config import BodyConfig
from physics.scenario.scenario import explained
from physics.systems.rockfall.release import HIGHEST, LABELS, ReleaseSource
from physics.systems.rockfall.scenario import RockfallScenario
from physics.systems.scenario_body import body_of
from physics.terrain.terrain import Terrain

MAX_BLOCKS = 100_000  # rows: a kilobyte each
LENGTHS, PLACE, VELOCITY = ("L1", "L2", "L3"), ("x", "y", "z"), ("vx", "vy", "vz")
SPIN, ATTITUDE = ("wx", "wy", "wz"), ("qw", "qx", "qy", "qz")
UNITS = {"mass": "kg", "density": "kg/m³", "height": "m", "shape": "", "file": ""}
UNITS |= dict.fromkeys((*LENGTHS, *PLACE), "m") | dict.fromkeys(VELOCITY, "m/s") | dict.fromkeys(SPIN, "rad/s")
UNITS |= dict.fromkeys(ATTITUDE, "")
_HEAD = re.compile(r"\s*(\w*)\s*[\[(]?\s*([^\])]*?)\s*[\])]?\s*")


class BlockRow(NamedTuple):
    """Row of the table of blocks: its line, its body, and the numbers of its start, NaN if missing."""

    line: int
    body: BodyConfig
    given: frozenset[str]
    start: Mapping[str, float]


@lru_cache(maxsize=4)  # an edit must not read the table again
def read_blocks(path: Path, changed: int, base: BodyConfig, folder: str, up: str) -> tuple[BlockRow, ...]:
    """The rows of a table; ScenarioError, naming line and column, where one is no block.

    changed: when the file was, in ns; base: the table ``[body]``, whose relative names of files start at ``folder``;
    up: the axis of its places and velocities that points up. Those of the rows have z up.
    """
    table = read_rows(path, "blocks", MAX_BLOCKS + 2)
    names = _header(table)
    if not 1 < len(table.rows) <= MAX_BLOCKS + 1:
        found = N_("no blocks") if len(table.rows) < 2 else N_("more than {most} blocks", MAX_BLOCKS)
        raise ScenarioError("", N_("{found}; expected a row of each below the names of the columns", found), table.path)
    plain = base.model_dump(exclude_unset=True, exclude={"blocks"})
    if base.file is not None:
        plain["file"] = str(Path(folder) / base.file)
    rows = tuple(_row(table, names, line, words, plain, up) for line, words in table.rows[1:])
    if 0 < sum("x" in row.given for row in rows) < len(rows):
        line = next(row.line for row in rows if "x" not in row.given)
        raise ScenarioError(
            N_("line {number}, {name}", line, "x"), N_("missing; expected a place in each row, or in none"), table.path
        )
    return rows


def _header(table: CsvRows) -> list[str]:
    """The names of the columns; ScenarioError for one that would do nothing, stands twice or is in another unit."""
    known = {name.lower(): name for name in UNITS} | dict.fromkeys(LABELS, "")
    names: list[str] = []
    for word in table.rows[0][1] if table.rows else []:
        match = _HEAD.fullmatch(word)
        name, unit = (match[1].lower(), match[2]) if match is not None else (word, "")
        if word and name not in known:
            expected: str = N_("expected {units}, and {labels} for people", ", ".join(UNITS), ", ".join(LABELS))
            raise ScenarioError(
                N_("line {number}", 1),
                N_("the column '{word:.40}' is unknown; {expected}", " ".join(word.split()), expected),
                table.path,
            )
        name = known.get(name, "")
        if name and unit and unit.replace("3", "³") != UNITS[name]:
            expected = UNITS[name] or N_("no unit")
            raise ScenarioError(
                N_("line {number}, {name}", 1, name),
                N_("expected {expected}, got '{unit:.20}'", expected, unit),
                table.path,
            )
        if name and name in names:
            raise ScenarioError(N_("line {number}", 1), N_("expected one column '{name}'", name), table.path)
        names.append(name)
    if not any(names):
        raise ScenarioError(
            N_("line {number}", 1), N_("expected the names of columns, such as {units}", ", ".join(UNITS)), table.path
        )
    return names


def _row(table: CsvRows, names: list[str], line: int, words: list[str], base: dict[str, Any], up: str) -> BlockRow:
    if any(words[len(names) :]):
        raise ScenarioError(
            N_("line {number}", line),
            N_("expected at most {names} values, got {words}", len(names), len(words)),
            table.path,
        )
    cells = {name: word for name, word in zip(names, words, strict=False) if name and word}
    numbers: dict[str, float] = {}
    for name in cells:
        if name in ("shape", "file"):
            continue
        try:
            numbers[name] = table.marks.number(cells[name])
        except ValueError:
            numbers[name] = math.nan
        if not abs(numbers[name]) < 1e15:
            expected = (
                N_("expected a number [{name}]", UNITS[name]) if UNITS[name] else N_("expected a number ")
            ).strip()
            raise ScenarioError(
                N_("line {number}, {name}", line, name),
                N_("{expected}, got '{name:.40}'", expected, cells[name]),
                table.path,
            )
    for group in (LENGTHS, VELOCITY, SPIN, ATTITUDE):
        if missing := [name for name in group if name not in cells] if any(name in cells for name in group) else []:
            raise ScenarioError(
                N_("line {number}, {name}", line, missing[0]),
                N_("missing beside {group}", ", ".join(group)),
                table.path,
            )
    if "qw" in cells and not abs(math.hypot(*(numbers[name] for name in ATTITUDE)) - 1.0) < 1e-3:
        raise ScenarioError(
            N_("line {number}, {name}", line, "qw"), N_("expected a unit quaternion qw, qx, qy, qz"), table.path
        )
    *plan, altitude = (PLACE[axis] for axis, _ in TURNS[up])
    if altitude in cells and "height" in cells:
        raise ScenarioError(
            N_("line {number}, {name}", line, "height"),
            N_("expected none beside {altitude}, which is that above sea", altitude),
            table.path,
        )
    if missing := [name for name in plan if name not in cells] if any(name in cells for name in PLACE) else []:
        raise ScenarioError(
            N_("line {number}, {name}", line, missing[0]), N_("missing beside {place}", ", ".join(PLACE)), table.path
        )
    body = _body_table(table.path, line, cells, numbers, base)
    start = {name: value for name, value in numbers.items() if name not in ("mass", "density", *LENGTHS)}
    start = _upright(start, up)
    return BlockRow(line, body, frozenset((cells.keys() - {*PLACE}) | start.keys()), start)


def _upright(start: dict[str, float], up: str) -> dict[str, float]:
    """The start of a rock in axes with z up, from those of a table in which ``up`` points up."""
    if up == "z":
        return start
    rest = {name: value for name, value in start.items() if name not in (*PLACE, *VELOCITY, *ATTITUDE)}
    for names in (PLACE, VELOCITY):
        vector = with_z_up(np.array([start.get(name, math.nan) for name in names]), up)
        rest |= {name: value for name, value in zip(names, vector.tolist(), strict=True) if not math.isnan(value)}
    if "qw" in start:
        turn = from_matrix(with_z_up(np.eye(3), up).T)
        rest |= zip(ATTITUDE, multiply(turn, np.array([start[name] for name in ATTITUDE])).tolist(), strict=True)
    return rest


def _body_table(
    path: Path, line: int, cells: Mapping[str, str], numbers: Mapping[str, float], base: dict[str, Any]
) -> BodyConfig:
    """The table of a row's body: the row's values, and those of the scenario that apply to its shape."""
    values = dict(base)
    if "mass" in cells or "density" in cells:
        values = {key: value for key, value in values.items() if key not in ("mass", "density")}
    values |= {key: numbers[key] for key in ("mass", "density") if key in cells}
    if "L1" in cells:
        values["size"] = tuple(numbers[name] for name in LENGTHS)
        values.pop("scale", None)
    if "file" in cells:
        values["file"] = str(file_beside(path, cells["file"], N_("line {number}, {name}", line, "file")))
        values |= {} if values.get("shape") == "mesh" else {"shape": "hull"}
    values |= {"shape": cells["shape"].lower()} if "shape" in cells else {}
    if "shape" not in values:
        expected = N_("expected a column shape or file, or [body] shape")
        raise ScenarioError(N_("line {number}, {name}", line, "shape"), N_("missing; {expected}", expected), path)
    if (shape := values["shape"]) not in BLOCKS:
        shapes = ", ".join(BLOCKS)
        where = N_("line {number}, {name}", line, "shape")
        raise ScenarioError(where, N_("expected one of {shapes}, got '{shape:.40}'", shapes, shape), path)
    given = {"size" if name in LENGTHS else name for name in cells}
    values = {key: value for key, value in values.items() if key in given or shape in (shapes_with(key) or BLOCKS)}
    try:
        return BodyConfig(**values)
    except ValidationError as error:
        fault = explained(error, BodyConfig)
        column = _COLUMNS.get(fault.field.strip(".").split(".")[0], fault.field.strip("."))
        raise ScenarioError(
            N_("line {number}", line) + (f", {column}" if column else ""), fault.message, path
        ) from None


_COLUMNS = {"size": "L1, L2, L3"}


SMALLEST_BLOCK, LARGEST_BLOCK = 0.01, 100.0  # [m] of a rock in a file
UNUSUAL = 300.0, 8000.0  # [kg/m³] of the box around a block: what is beyond is in other units


@dataclass(frozen=True)
class Blocks:
    """The rocks of a table; rock k of an ensemble is that of row k, from the first again after the last.

    Attributes
    ----------
    tables : of the body of each row
    made : the bodies from files; None where the table of the row makes it
    source : where they start; None where the scenario says so
    heights : (n,) [m] of the centre of mass above the ground, where no altitude is given; NaN: clear of the ground
    velocities, spins : (n, 3) [m/s], [rad/s] at the start
    orientations : (n, 4), NaN where they are drawn
    notes : what was decided, one sentence each
    """

    tables: tuple[BodyConfig, ...]
    made: tuple[Body | None, ...]
    source: ReleaseSource | None
    heights: Array
    velocities: Array
    spins: Array
    orientations: Array
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.tables)

    def body(self, rock: int) -> Body:
        """The body of a rock."""
        row = rock % len(self)
        return self.made[row] or _made(self.tables[row], False, 0)

    def start(self, rock: int) -> dict[str, Any]:
        """Start of a rock: velocity, angular_velocity, height, and its orientation if given."""
        row = rock % len(self)
        start = {"velocity": self.velocities[row], "angular_velocity": self.spins[row], "height": self.heights[row]}
        attitude = self.orientations[row]
        return start if np.isnan(attitude[0]) else start | {"orientation": attitude}


def blocks_of(scenario: RockfallScenario, terrain: Terrain) -> Blocks | None:
    """The blocks of a scenario on its terrain; None where it names no table of them.

    Raises ScenarioError, naming the table, the line and the column, for what no rock can have.
    """
    if scenario.body.blocks is None:
        return None
    rows = _rows_of(scenario)
    path = scenario.path(scenario.body.blocks)
    made = tuple(_from_file(row, path) for row in rows)
    source = _source(scenario, rows, terrain, path)
    initial, release = scenario.initial, scenario.release
    attitude = (math.nan,) * 4 if isinstance(initial.orientation, str) else initial.orientation
    orientations = _filled(rows, ATTITUDE, attitude)
    notes = dict.fromkeys(note for body in made if body is not None for note in body.notes)
    return Blocks(
        tables=tuple(row.body for row in rows),
        made=made,
        source=source,
        heights=_filled(rows, ("height",), (release.lift,))[:, 0],
        velocities=_filled(rows, VELOCITY, release.velocity or initial.velocity),
        spins=_filled(rows, SPIN, initial.angular_velocity),
        orientations=orientations / np.sqrt((orientations * orientations).sum(axis=1, keepdims=True)),
        notes=(
            *_turned(scenario, rows, path),
            *_few(tuple(notes), path),
            *_doubts(rows, path),
            *_idle(scenario, rows, path),
        ),
    )


def rocks_asked(scenario: RockfallScenario) -> int:
    """Number of rocks of a scenario; without a number, that of its table of blocks."""
    if scenario.body.blocks is None or scenario.ensemble.gives("rocks"):
        return scenario.ensemble.rocks
    try:
        return len(_rows_of(scenario))
    except ScenarioError:
        return scenario.ensemble.rocks


def _rows_of(scenario: RockfallScenario) -> tuple[BlockRow, ...]:
    path = scenario.path(str(scenario.body.blocks))
    changed = path.stat().st_mtime_ns if path.is_file() else 0
    up = "z" if scenario.terrain is None else scenario.terrain.up
    return read_blocks(path, changed, scenario.body, scenario.folder, up)


# ---- bodies and starts --------------------------------------------------------------------------------


def _from_file(row: BlockRow, path: Path) -> Body | None:
    """The body of a row whose table names a file, with no more corners than a falling rock has."""
    if row.body.file is None:
        return None
    file = Path(row.body.file)
    try:
        return _made(row.body, "L1" in row.given, when_written(file))
    except ScenarioError as error:
        raise ScenarioError(N_("line {number}, {name}", row.line, "file"), str(error), path) from None


@lru_cache(maxsize=4096)  # an edit must not read the scans again
def _made(table: BodyConfig, by_length: bool, written: tuple[int, ...]) -> Body:
    body = body_of(table, Path(), RockfallScenario.most_corners, by_length)
    check_corners(body)
    return sized(body, table)


def sized(body: Body, table: BodyConfig) -> Body:
    """The body with a note where it is no rock by its size: the unit of a mesh stands in no file."""
    longest = float(body.extents.max())
    if table.file is None or table.size is not None or SMALLEST_BLOCK <= longest <= LARGEST_BLOCK:
        return body
    extents = " x ".join(f"{float(f'{extent:.4g}'):g}" for extent in body.extents)
    taken = N_(
        "{name}: the rock is {extents} m and has {mass:.3g} kg, taken in metres",
        Path(table.file).name,
        extents,
        body.mass,
    )
    usual = N_("falling rocks are {smallest:g} to {largest:g} m long", SMALLEST_BLOCK, LARGEST_BLOCK)
    way = N_("if the file is in millimetres, give scale = 0.001 in [body], or --scale 0.001")
    return replace(body, notes=(*body.notes, N_("{taken}: {usual}; {way}", taken, usual, way)))


def check_corners(body: Body) -> None:
    """ScenarioError for a body with too many corners to fall: no hull, which is reduced."""
    most = RockfallScenario.most_corners
    if most is not None and len(body.vertices) > most:
        found = N_("{vertices} corners are more than the {most} of a falling rock", len(body.vertices), most)
        raise ScenarioError("body.file", N_("{found}; take its hull (shape = 'hull') or decimate it", found))


def _source(
    scenario: RockfallScenario, rows: tuple[BlockRow, ...], terrain: Terrain, path: Path
) -> ReleaseSource | None:
    """The starts x, y of the rows, with the altitudes of those that have z; None if they have no places."""
    if scenario.initial.position is not None:
        expected = N_("expected none beside body.blocks; give x, y and z there, or release.position")
        raise ScenarioError("initial.position", expected)
    if "x" not in rows[0].given:
        return None
    if (place := scenario.release.place) is not None:
        raise ScenarioError(f"release.{place}", N_("expected none: the rocks of {name} have x and y", path.name))
    starts = _filled(rows, PLACE, (math.nan,) * 3)
    for row, (x, y, z) in zip(rows, starts.tolist(), strict=True):
        at = f"({x:.10g}, {y:.10g})"
        if not terrain.contains(x, y):
            raise ScenarioError(
                N_("line {number}, {name}", row.line, "x"),
                N_("{at} lies off the map; expected {reach}", at, terrain.reach),
                path,
            )
        ground = terrain.height(x, y)
        if not math.isnan(z) and not ground <= z <= HIGHEST:
            expected = N_("expected that of the centre of mass, above the ground at {ground:.6g} m", ground)
            raise ScenarioError(
                N_("line {number}, {name}", row.line, "z"), N_("{z:.10g} m at {at}; {expected}", z, at, expected), path
            )
    places, nowhere = np.ascontiguousarray(starts[:, :2]), np.zeros((len(rows), 2))
    return ReleaseSource(places, nowhere, nowhere, in_turn=True, altitudes=starts[:, 2])


def _filled(rows: tuple[BlockRow, ...], names: tuple[str, ...], usual: tuple[float, ...]) -> Array:
    """(n, k) the numbers of the rows' starts, the usual ones if a row gives none."""
    pairs = tuple(zip(names, usual, strict=True))
    return np.array([[row.start.get(name, other) for name, other in pairs] for row in rows], float)


# ---- notes --------------------------------------------------------------------------------------------


def _turned(scenario: RockfallScenario, rows: tuple[BlockRow, ...], path: Path) -> Iterator[str]:
    """A note where the axes of a table are turned with those of the terrain."""
    up = "z" if scenario.terrain is None else scenario.terrain.up
    if up != "z" and any({*PLACE, *VELOCITY, *ATTITUDE} & row.given for row in rows):
        yield N_("{name}: places, velocities and orientations have {up} up, as the terrain has", path.name, up)


def _few(notes: tuple[str, ...], path: Path) -> tuple[str, ...]:
    """The first notes on the files of a table, and how many more there are."""
    more = N_("{name}: {notes} more notes of this kind on its files", path.name, len(notes) - 3)
    return notes if len(notes) <= 4 else (*notes[:3], more)


def _doubts(rows: tuple[BlockRow, ...], path: Path) -> Iterator[str]:
    """A note on the first block whose mass and lengths are hardly in kilograms and metres."""
    for row in rows:
        if row.body.mass is not None and row.body.size is not None:
            density = row.body.mass / math.prod(row.body.size)
            if not UNUSUAL[0] <= density <= UNUSUAL[1]:
                text = N_(
                    "{mass:.4g} kg in a box of {size:.4g} m³ are {density:.3g} kg/m³",
                    row.body.mass,
                    math.prod(row.body.size),
                    density,
                )
                yield N_("{name}: line {line}: {text}; are these kilograms and metres?", path.name, row.line, text)
                return


def _idle(scenario: RockfallScenario, rows: tuple[BlockRow, ...], path: Path) -> Iterator[str]:
    """Notes on the keys of the scenario that change nothing, because each row has its own."""
    whole = frozenset.intersection(*(row.given for row in rows))
    weighed = all({"mass", "density"} & row.given for row in rows)
    shaped = all({"shape", "file"} & row.given for row in rows)
    lifted = all({"z", "height"} & row.given for row in rows)
    facts = {
        "body.mass": weighed, "body.density": weighed, "body.size": "L1" in whole, "body.shape": shaped,
        "release.height": lifted, "release.velocity": "vx" in whole, "initial.velocity": "vx" in whole,
        "initial.angular_velocity": "wx" in whole, "initial.orientation": "qw" in whole,
    }  # fmt: skip
    for field, own in facts.items():
        table, key = field.split(".")
        if own and getattr(scenario, table).gives(key):
            yield N_("{field} changes nothing: each rock of {name} has its own", field, path.name)
    if scenario.ensemble.shapes == "each" and all(row.body.form != "random" for row in rows):
        yield N_("ensemble.shapes changes nothing: no rock of {name} has the shape 'random'", path.name)
