"""Blocks: the rocks of an ensemble that a table tells, row by row, see physics.systems.rockfall.blocks_csv.

What a row leaves out is as the scenario says, or drawn.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from physics.bodies.body import Body
from physics.core.errors import ScenarioError
from physics.core.rotation import Array
from physics.scenario.common_config import BodyTable
from physics.systems.rockfall.blocks_csv import ATTITUDE, PLACE, SPIN, VELOCITY, BlockRow, read_blocks
from physics.systems.rockfall.release import HIGHEST, ReleaseSource
from physics.systems.rockfall.scenario import RockfallScenario
from physics.systems.scenario_body import body_of
from physics.terrain.terrain import Terrain

SMALLEST, LARGEST = 0.01, 100.0  # [m] of a rock in a file
UNUSUAL = 300.0, 8000.0  # [kg/m³] of the box around a block: what is beyond is in other units


@dataclass(frozen=True)
class Blocks:
    """The rocks of a table; rock k of an ensemble is that of row k, from the first again after the last.

    Attributes
    ----------
    tables : of the body of each row
    made : the bodies that files tell; None where the table of the row makes it
    source : where they start; None where the scenario says so
    heights : (n,) [m] of the centre of mass above the ground, where no altitude is given
    velocities, spins : (n, 3) [m/s], [rad/s] at the start
    orientations : (n, 4), NaN where they are drawn
    notes : what was decided, one sentence each
    """

    tables: tuple[BodyTable, ...]
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
        """How a rock starts: velocity, angular_velocity, height, and its orientation where that is given."""
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
    told = dict.fromkeys(note for body in made if body is not None for note in body.notes)
    return Blocks(
        tables=tuple(row.body for row in rows),
        made=made,
        source=source,
        heights=_filled(rows, ("height",), (release.height,))[:, 0],
        velocities=_filled(rows, VELOCITY, release.velocity or initial.velocity),
        spins=_filled(rows, SPIN, initial.angular_velocity),
        orientations=orientations / np.sqrt((orientations * orientations).sum(axis=1, keepdims=True)),
        notes=(
            *_turned(scenario, rows, path),
            *_few(tuple(told), path),
            *_doubts(rows, path),
            *_idle(scenario, rows, path),
        ),
    )


def rocks_asked(scenario: RockfallScenario) -> int:
    """How many rocks a scenario asks for; where it gives no number, as many as its table of blocks."""
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
        return _made(row.body, "L1" in row.told, file.stat().st_mtime_ns if file.is_file() else 0)
    except ScenarioError as error:
        raise ScenarioError(f"line {row.line}, file", str(error), path) from None


@lru_cache(maxsize=4096)  # an edit must not read the scans again
def _made(table: BodyTable, by_length: bool, changed: int) -> Body:
    body = body_of(table, Path(), RockfallScenario.most_corners, by_length)
    check_corners(body)
    return sized(body, table)


def sized(body: Body, table: BodyTable) -> Body:
    """The body with a note where it is no rock by its size: the unit of a mesh stands in no file."""
    longest = float(body.extents.max())
    if table.file is None or table.size is not None or SMALLEST <= longest <= LARGEST:
        return body
    extents = " x ".join(f"{float(f'{extent:.4g}'):g}" for extent in body.extents)
    taken = f"{Path(table.file).name}: the rock is {extents} m and has {body.mass:.3g} kg, taken in metres"
    usual = f"falling rocks are {SMALLEST:g} to {LARGEST:g} m long"
    way = "if the file is in millimetres, give scale = 0.001 in [body], or --scale 0.001"
    return replace(body, notes=(*body.notes, f"{taken}: {usual}; {way}"))


def check_corners(body: Body) -> None:
    """ScenarioError for a body with too many corners to fall: no hull, which is reduced."""
    most = RockfallScenario.most_corners
    if most is not None and len(body.vertices) > most:
        found = f"{len(body.vertices)} corners are more than the {most} of a falling rock"
        raise ScenarioError("body.file", f"{found}; take its hull (shape = 'hull') or decimate it")


def _source(
    scenario: RockfallScenario, rows: tuple[BlockRow, ...], terrain: Terrain, path: Path
) -> ReleaseSource | None:
    """The starts x, y of the rows, with the altitudes of those that tell z; None where they tell no places."""
    if scenario.initial.position is not None:
        expected = "expected none beside body.blocks; give x, y and z there, or release.position"
        raise ScenarioError("initial.position", expected)
    if "x" not in rows[0].told:
        return None
    if (place := scenario.release.place) is not None:
        raise ScenarioError(f"release.{place}", f"expected none: the rocks of {path.name} have x and y")
    starts = _filled(rows, PLACE, (math.nan,) * 3)
    for row, (x, y, z) in zip(rows, starts.tolist(), strict=True):
        at = f"({x:.10g}, {y:.10g})"
        if not terrain.contains(x, y):
            raise ScenarioError(f"line {row.line}, x", f"{at} lies off the map; expected {terrain.reach}", path)
        ground = terrain.height(x, y)
        if not math.isnan(z) and not ground <= z <= HIGHEST:
            expected = f"expected that of the centre of mass, above the ground at {ground:.6g} m"
            raise ScenarioError(f"line {row.line}, z", f"{z:.10g} m at {at}; {expected}", path)
    places, nowhere = np.ascontiguousarray(starts[:, :2]), np.zeros((len(rows), 2))
    return ReleaseSource(places, nowhere, nowhere, in_turn=True, altitudes=starts[:, 2])


def _filled(rows: tuple[BlockRow, ...], names: tuple[str, ...], usual: tuple[float, ...]) -> Array:
    """(n, k) the numbers of the rows' starts, the usual ones where a row tells none."""
    pairs = tuple(zip(names, usual, strict=True))
    return np.array([[row.start.get(name, other) for name, other in pairs] for row in rows], float)


# ---- notes --------------------------------------------------------------------------------------------


def _turned(scenario: RockfallScenario, rows: tuple[BlockRow, ...], path: Path) -> Iterator[str]:
    """A note where the axes of a table are turned with those of the terrain."""
    up = "z" if scenario.terrain is None else scenario.terrain.up
    if up != "z" and any({*PLACE, *VELOCITY, *ATTITUDE} & row.told for row in rows):
        yield f"{path.name}: places, velocities and orientations have {up} up, as the terrain has"


def _few(notes: tuple[str, ...], path: Path) -> tuple[str, ...]:
    """The first notes on the files of a table, and how many more there are."""
    more = f"{path.name}: {len(notes) - 3} more notes of this kind on its files"
    return notes if len(notes) <= 4 else (*notes[:3], more)


def _doubts(rows: tuple[BlockRow, ...], path: Path) -> Iterator[str]:
    """A note on the first block whose mass and lengths are hardly in kilograms and metres."""
    for row in rows:
        if row.body.mass is not None and row.body.size is not None:
            density = row.body.mass / math.prod(row.body.size)
            if not UNUSUAL[0] <= density <= UNUSUAL[1]:
                told = f"{row.body.mass:.4g} kg in a box of {math.prod(row.body.size):.4g} m³ are {density:.3g} kg/m³"
                yield f"{path.name}: line {row.line}: {told}; are these kilograms and metres?"
                return


def _idle(scenario: RockfallScenario, rows: tuple[BlockRow, ...], path: Path) -> Iterator[str]:
    """Notes on the keys of the scenario that change nothing, because each row tells its own."""
    whole = frozenset.intersection(*(row.told for row in rows))
    weighed = all({"mass", "density"} & row.told for row in rows)
    shaped = all({"shape", "file"} & row.told for row in rows)
    lifted = all({"z", "height"} & row.told for row in rows)
    facts = {
        "body.mass": weighed, "body.density": weighed, "body.size": "L1" in whole, "body.shape": shaped,
        "release.height": lifted, "release.velocity": "vx" in whole, "initial.velocity": "vx" in whole,
        "initial.angular_velocity": "wx" in whole, "initial.orientation": "qw" in whole,
    }  # fmt: skip
    for field, own in facts.items():
        table, key = field.split(".")
        if own and getattr(scenario, table).gives(key):
            yield f"{field} changes nothing: each rock of {path.name} has its own"
    if scenario.ensemble.shapes == "each" and all(row.body.form != "random" for row in rows):
        yield f"ensemble.shapes changes nothing: no rock of {path.name} has the shape 'random'"
