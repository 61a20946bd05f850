"""The table of blocks (.csv): a row a rock, with mass, lengths, shape or file, and the start.

SI units; a header may tell them: ``L1 [m]``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from pydantic import ValidationError

from physics.bodies.mesh_io import TURNS, turned
from physics.core.csv_rows import CsvRows, read_rows
from physics.core.errors import ScenarioError
from physics.core.rotation import from_matrix, multiply
from physics.scenario.common_config import SERVES, SOLIDS, BodyTable
from physics.scenario.file_references import file_of_table
from physics.scenario.validation_messages import explained
from physics.systems.rockfall.release import LABELS

MOST = 100_000  # rows: a kilobyte each
SHAPES = tuple(shape for shape in SOLIDS if shape != "inertia")
LENGTHS, PLACE, VELOCITY = ("L1", "L2", "L3"), ("x", "y", "z"), ("vx", "vy", "vz")
SPIN, ATTITUDE = ("wx", "wy", "wz"), ("qw", "qx", "qy", "qz")
UNITS = {"mass": "kg", "density": "kg/m³", "height": "m", "shape": "", "file": ""}
UNITS |= dict.fromkeys((*LENGTHS, *PLACE), "m") | dict.fromkeys(VELOCITY, "m/s") | dict.fromkeys(SPIN, "rad/s")
UNITS |= dict.fromkeys(ATTITUDE, "")
_HEAD = re.compile(r"\s*(\w*)\s*[\[(]?\s*([^\])]*?)\s*[\])]?\s*")


class BlockRow(NamedTuple):
    """What a row tells: its line, its body, and the numbers of its start, NaN where it tells none."""

    line: int
    body: BodyTable
    told: frozenset[str]
    start: Mapping[str, float]


@lru_cache(maxsize=4)  # an edit must not read the table again
def read_blocks(path: Path, changed: int, base: BodyTable, folder: str, up: str) -> tuple[BlockRow, ...]:
    """The rows of a table; ScenarioError, naming line and column, where one is no block.

    changed: when the file was, in ns; base: the table ``[body]``, whose relative names of files start at ``folder``;
    up: the axis of its places and velocities that points up. Those of the rows have z up.
    """
    table = read_rows(path, "blocks", MOST + 2)
    names = _header(table)
    if not 1 < len(table.rows) <= MOST + 1:
        found = "no blocks" if len(table.rows) < 2 else f"more than {MOST} blocks"
        raise ScenarioError("", f"{found}; expected a row of each below the names of the columns", table.path)
    plain = base.model_dump(exclude_unset=True, exclude={"blocks"})
    if base.file is not None:
        plain["file"] = str(Path(folder) / base.file)
    rows = tuple(_row(table, names, line, words, plain, up) for line, words in table.rows[1:])
    if 0 < sum("x" in row.told for row in rows) < len(rows):
        line = next(row.line for row in rows if "x" not in row.told)
        raise ScenarioError(f"line {line}, x", "missing; expected a place in each row, or in none", table.path)
    return rows


def _header(table: CsvRows) -> list[str]:
    """The names of the columns; ScenarioError for one that would do nothing, stands twice or is in another unit."""
    known = {name.lower(): name for name in UNITS} | dict.fromkeys(LABELS, "")
    names: list[str] = []
    for word in table.rows[0][1] if table.rows else []:
        match = _HEAD.fullmatch(word)
        name, unit = (match[1].lower(), match[2]) if match is not None else (word, "")
        if word and name not in known:
            expected = f"expected {', '.join(UNITS)}, and {', '.join(LABELS)} for people"
            raise ScenarioError(
                "line 1", f"the column '{' '.join(word.split()):.40}' is unknown; {expected}", table.path
            )
        name = known.get(name, "")
        if name and unit and unit.replace("3", "³") != UNITS[name]:
            expected = UNITS[name] or "no unit"
            raise ScenarioError(f"line 1, {name}", f"expected {expected}, got '{unit:.20}'", table.path)
        if name and name in names:
            raise ScenarioError("line 1", f"expected one column '{name}'", table.path)
        names.append(name)
    if not any(names):
        raise ScenarioError("line 1", f"expected the names of columns, such as {', '.join(UNITS)}", table.path)
    return names


def _row(table: CsvRows, names: list[str], line: int, words: list[str], base: dict[str, Any], up: str) -> BlockRow:
    if any(words[len(names) :]):
        raise ScenarioError(f"line {line}", f"expected at most {len(names)} values, got {len(words)}", table.path)
    told = {name: word for name, word in zip(names, words, strict=False) if name and word}
    numbers: dict[str, float] = {}
    for name in told:
        if name in ("shape", "file"):
            continue
        try:
            numbers[name] = table.marks.number(told[name])
        except ValueError:
            numbers[name] = math.nan
        if not abs(numbers[name]) < 1e15:
            expected = f"expected a number {f'[{UNITS[name]}]' if UNITS[name] else ''}".strip()
            raise ScenarioError(f"line {line}, {name}", f"{expected}, got '{told[name]:.40}'", table.path)
    for group in (LENGTHS, VELOCITY, SPIN, ATTITUDE):
        if missing := [name for name in group if name not in told] if any(name in told for name in group) else []:
            raise ScenarioError(f"line {line}, {missing[0]}", f"missing beside {', '.join(group)}", table.path)
    if "qw" in told and not abs(math.hypot(*(numbers[name] for name in ATTITUDE)) - 1.0) < 1e-3:
        raise ScenarioError(f"line {line}, qw", "expected a unit quaternion qw, qx, qy, qz", table.path)
    *plan, altitude = (PLACE[axis] for axis, _ in TURNS[up])
    if altitude in told and "height" in told:
        raise ScenarioError(
            f"line {line}, height", f"expected none beside {altitude}, which is that above sea", table.path
        )
    if missing := [name for name in plan if name not in told] if any(name in told for name in PLACE) else []:
        raise ScenarioError(f"line {line}, {missing[0]}", f"missing beside {', '.join(PLACE)}", table.path)
    body = _body_table(table.path, line, told, numbers, base)
    start = {name: value for name, value in numbers.items() if name not in ("mass", "density", *LENGTHS)}
    start = _upright(start, up)
    return BlockRow(line, body, frozenset((told.keys() - {*PLACE}) | start.keys()), start)


def _upright(start: dict[str, float], up: str) -> dict[str, float]:
    """The start of a rock in axes with z up, from those of a table in which ``up`` points up."""
    if up == "z":
        return start
    rest = {name: value for name, value in start.items() if name not in (*PLACE, *VELOCITY, *ATTITUDE)}
    for names in (PLACE, VELOCITY):
        vector = turned(np.array([start.get(name, math.nan) for name in names]), up)
        rest |= {name: value for name, value in zip(names, vector.tolist(), strict=True) if not math.isnan(value)}
    if "qw" in start:
        turn = from_matrix(turned(np.eye(3), up).T)
        rest |= zip(ATTITUDE, multiply(turn, np.array([start[name] for name in ATTITUDE])).tolist(), strict=True)
    return rest


def _body_table(
    path: Path, line: int, told: Mapping[str, str], numbers: Mapping[str, float], base: dict[str, Any]
) -> BodyTable:
    """The table of a row's body: what the row tells, and of the scenario's own what serves its shape."""
    values = dict(base)
    if "mass" in told or "density" in told:
        values = {key: value for key, value in values.items() if key not in ("mass", "density")}
    values |= {key: numbers[key] for key in ("mass", "density") if key in told}
    if "L1" in told:
        values["size"] = tuple(numbers[name] for name in LENGTHS)
        values.pop("scale", None)
    if "file" in told:
        values["file"] = str(file_of_table(path, told["file"], f"line {line}, file"))
        values |= {} if values.get("shape") == "mesh" else {"shape": "hull"}
    values |= {"shape": told["shape"].lower()} if "shape" in told else {}
    if "shape" not in values:
        expected = "expected a column shape or file, or [body] shape"
        raise ScenarioError(f"line {line}, shape", f"missing; {expected}", path)
    if (shape := values["shape"]) not in SHAPES:
        raise ScenarioError(f"line {line}, shape", f"expected one of {', '.join(SHAPES)}, got '{shape:.40}'", path)
    given = {"size" if name in LENGTHS else name for name in told}
    values = {key: value for key, value in values.items() if key in given or shape in SERVES.get(key, (shape,))}
    try:
        return BodyTable(**values)
    except ValidationError as error:
        fault = explained(error, BodyTable)
        column = _COLUMNS.get(fault.field.strip(".").split(".")[0], fault.field.strip("."))
        raise ScenarioError(f"line {line}" + (f", {column}" if column else ""), fault.message, path) from None


_COLUMNS = {"size": "L1, L2, L3"}
