"""The merge of ensembles: parts of one map, computed apart, become one, with the statistics of all their rocks.

A map larger than memory is cut into tiles that overlap by the reach of a rock. Each is an ensemble of its own, with a
window, a release and a seed, that leaves its sums and histograms in ``counts.npz``. These add, and what was gathered
leaves its own: many are put together in a tree, on as many machines as one likes.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from physics.core.archives import joined, like, part_of
from physics.core.errors import ScenarioError
from physics.core.input_checks import DAMAGED, check_archive
from physics.ensembles.barriers import BarrierSegments
from physics.ensembles.coarse_steps import checked, together
from physics.ensembles.ensemble import Results
from physics.ensembles.lateral_spread import LateralSpread
from physics.ensembles.results_folder import COUNTS, Outcome, save_outcome
from physics.ensembles.rock_rows import ROW
from physics.ensembles.statistics import Cells
from physics.io.trajectory_writers import check_new_folder
from physics.schemes.lane import is_lane
from physics.terrain import crs
from physics.terrain.dem import LARGEST_RASTER
from physics.terrain.terrain import Terrain

# what parts may differ in
_OWN = ("title", "note", "release", "view", "terrain.window", "ensemble.seed", "ensemble.rocks", "ensemble.rock")
_TOLD = ("rocks", "wall_seconds", "cpu_seconds", "workers")  # numbers that are added
MOST_CELLS = 50_000_000_000  # of a map: a canton's at half a metre; 6 GB
FARTHEST = 1e150  # [m] from its release that a row may tell: its square is still a number
GAPS = 8  # times the cells of its parts: what a gathered map may span
_NEAR = 1e-3  # of a cell: within it two grids are one


@dataclass(frozen=True)
class Part:
    """A folder of results, without its rocks: the grid of its map, its barriers, and the facts of Outcome."""

    folder: Path
    terrain: Terrain
    lines: BarrierSegments
    facts: dict[str, Any]

    @property
    def common(self) -> dict[str, Any]:
        """What must be the same in all parts."""
        scenario: dict[str, Any] = json.loads(json.dumps(self.facts["scenario"]))
        for key in _OWN:
            table, _, inner = key.rpartition(".")
            (scenario.get(table, {}) if table else scenario).pop(inner, None)
        files, crs = self.facts["files"], self.terrain.crs
        return {"version": self.facts["version"], "files": files, "CRS": crs, "cells": self.terrain.cell} | scenario

    @property
    def draws(self) -> str:
        """Release, window and seed: of two parts that have the same, the rocks are the same."""
        scenario = self.facts["scenario"]
        window, seed = scenario.get("terrain", {}).get("window"), scenario.get("ensemble", {}).get("seed", 0)
        return json.dumps([scenario.get("release"), window, seed], sort_keys=True)


def gather(folders: Sequence[Path], path: Path, parquet: bool = False, counts: bool = False) -> Outcome:
    """Write a folder of results of the rocks of all folders; ScenarioError where they do not belong together."""
    check_new_folder(path)
    parts = [_part(folder) for folder in folders]
    whole = _whole(parts)
    for part in parts:
        for name, found in whole.results.items():
            found.merge(_results(part, name), partial(_moved, part.terrain, whole.terrain))
    save_outcome(path, whole, parquet, False, counts)
    return whole


def _whole(parts: Sequence[Part]) -> Outcome:
    """The outcome of all parts, still without a rock; its grid spans theirs."""
    first, facts = parts[0], [part.facts for part in parts]
    extents = np.array([part.terrain.extent for part in parts])
    (dx, dy), (x0, y0) = first.terrain.cell, extents[:, ::2].min(axis=0)
    seen: dict[str, Part] = {}
    for part in parts:
        for key, value in part.common.items():
            if value != first.common.get(key):
                raise ScenarioError(key, f"differs from that in {first.folder}; expected parts of one map", part.folder)
        if (twin := seen.setdefault(part.draws, part)) is not part:
            same = f"release, window and seed are those of {twin.folder}, and so are the rocks; expected another seed"
            raise ScenarioError("ensemble.seed", same, part.folder)
        apart = (np.array(part.terrain.origin) - (x0, y0)) / (dx, dy)
        if np.abs(apart - np.round(apart)).max() > _NEAR:
            raise ScenarioError("terrain.window", f"its cells are not those of {first.folder}", part.folder)
    shape = [round((extents[:, i].max() - start) / d) + 1 for i, start, d in ((3, y0, dy), (1, x0, dx))]
    if shape[0] * shape[1] > MOST_CELLS:
        wide = f"{shape[1]} x {shape[0]} cells are more than {MOST_CELLS}; expected parts closer together"
        raise ScenarioError("terrain.window", wide, first.folder)
    terrain = _grid(shape, (x0, y0), (dx, dy), first.terrain.crs)
    told = first.facts | {
        "rocks": sum(each["rocks"] for each in facts),
        "seed": [each["seed"] for each in facts],
        "wall_seconds": sum(each["wall_seconds"] for each in facts),
        "cpu_seconds": sum(each["cpu_seconds"] for each in facts),
        "workers": max(each["workers"] for each in facts),
        "parts": [part.folder.name for part in parts],
        "coarse_steps": together([each["coarse_steps"] for each in facts]),
    }
    results = {name: Results(terrain, first.lines) for name in first.facts["scenario"]["schemes"]}
    for found in results.values():  # stations as in the parts; those of the whole map are farther apart
        found.spread = max((LateralSpread(part.terrain) for part in parts), key=lambda spread: len(spread.sums))
    return Outcome(terrain, first.lines, results, told)


def _moved(here: Terrain, there: Terrain, cells: Cells) -> Cells:
    """The numbers on one grid of cells (n,) of another."""
    rows, columns = np.divmod(cells, here.heights.shape[1])
    right, up = (np.array(here.origin) - there.origin) / there.cell
    return np.asarray((rows + round(up)) * there.heights.shape[1] + columns + round(right))


def _grid(shape: Sequence[int], origin: Sequence[float], cell: Sequence[float], crs: str | None) -> Terrain:
    """A grid as a terrain: its heights, which nobody asks for, are one number, however many there are."""
    level = np.broadcast_to(0.0, (shape[0], shape[1]))
    return Terrain(level, (float(origin[0]), float(origin[1])), (cell[0], cell[1]), crs)


# ---- folders ------------------------------------------------------------------------------------------


def _part(folder: Path) -> Part:
    """The part in a folder; ScenarioError where it has no counts or they are damaged."""
    if not os.path.isfile(folder / COUNTS):
        raise ScenarioError("", f"holds no {COUNTS}; expected a folder of polhode ensemble --counts", folder)
    with _read(folder) as data:
        check_archive(folder / COUNTS)
        told = json.loads(str(data["facts"]))
        lines = BarrierSegments(tuple(map(str, told["barriers"])), data["heights"], data["lengths"], np.zeros((0, 6)))
        grid, facts = told["grid"], told["facts"]
        grid["crs"] = None if grid["crs"] is None else crs.in_metres(str(grid["crs"]))
        coarse = facts.get("coarse_steps", {})  # not in folders of older versions
        facts["coarse_steps"] = {name: checked(found) for name, found in coarse.items()}
        part = Part(folder, _grid(**grid), lines, facts)
        _check(part)
        return part


def _check(part: Part) -> None:
    """ValueError, or another of DAMAGED, where a part tells what no ensemble does."""
    (rows, columns), lines, common = part.terrain.heights.shape, part.lines, part.common
    numbers = [common["step"], *part.terrain.origin, *part.terrain.cell, *(part.facts[name] for name in _TOLD)]
    sound = min(rows, columns) > 1 and rows * columns <= MOST_CELLS and min(part.terrain.cell) > 0.0
    sound = sound and rows * columns <= _most_cells(part.facts)
    sound = sound and lines.heights.shape == lines.lengths.shape == (len(lines.names),)
    sound = sound and all(map(is_lane, {*common["schemes"], *part.facts["coarse_steps"]}))  # folders get their names
    if not sound or not np.isfinite([*numbers, *lines.heights, *lines.lengths]).all():
        raise ValueError(part.folder)


def _most_cells(facts: Mapping[str, Any]) -> int:
    """How many cells a map can have: that of one ensemble was read, those of several have gaps between them."""
    return GAPS * LARGEST_RASTER * _numbers(facts["seed"]) if "parts" in facts else LARGEST_RASTER


def _numbers(seeds: Any) -> int:
    """How many numbers there are in lists of lists."""
    return sum(map(_numbers, seeds)) if isinstance(seeds, list) else 1


def _results(part: Part, name: str) -> Results:
    """What the rocks of a part left behind with one scheme."""
    found = Results(part.terrain, part.lines)
    with _read(part.folder) as data:
        own = part_of(data, name) | joined({"paths": found.paths.arrays()})
        if not all((np.abs(own["rows"][column]) < FARTHEST).all() for column in ("runout", "lateral")):
            raise ValueError(part.folder)
        found.restore(own, like(own["rows"], np.zeros(0, ROW), longer=True))
    return found


@contextmanager
def _read(folder: Path) -> Iterator[Mapping[str, np.ndarray]]:
    """The arrays of a folder's counts, each read when it is asked for; ScenarioError where they are none."""
    try:
        with (folder / COUNTS).open("rb") as file, np.load(file, allow_pickle=False) as data:
            yield data
    except DAMAGED:
        raise ScenarioError("", "is damaged; expected the counts of an ensemble", folder / COUNTS) from None
