"""The merge of ensembles of parts of one map into one folder of results.

A map larger than memory is cut into tiles that overlap by the reach of a rock. Each is an ensemble of its own, with
a window, a release and a seed, that leaves its sums and histograms in ``counts.npz``. These add, and a merge leaves
its own: many parts can be put together in a tree.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import shapely

from physics.core.archives import like, merged_arrays, part_of
from physics.core.errors import ScenarioError
from physics.core.input_checks import DAMAGED, check_archive
from physics.core.wording import N_
from physics.hazard.barriers import BarrierSegments
from physics.hazard.ensemble import Results, check_counting, checked, together
from physics.hazard.results_folder import COUNTS, Outcome, save_outcome
from physics.hazard.rock_rows import CROSSING, ROW
from physics.hazard.statistics import Cells, LateralSpread
from physics.hazard.study import Study, joined_classes, tables_in
from physics.io.trajectory_writers import check_new_folder
from physics.scenario.fingerprints import check_unchanged
from physics.scenario.scenario import Scenario
from physics.schemes.lane import is_lane
from physics.systems.rockfall.map_layers import LAYERS
from physics.systems.rockfall.scenario import HazardConfig, ScenarioClassConfig, of_rocks
from physics.systems.rockfall.world import RockfallWorld
from physics.terrain.dem import LARGEST_RASTER
from physics.terrain.terrain import Terrain
from physics.terrain.units import in_metres
from physics.terrain.zones import Shape, read_shapes

# what parts may differ in
_OWN = ["title", "note", "release", "scenario_class", "view", "terrain.window"]
_OWN += ["ensemble.seed", "ensemble.rocks", "ensemble.rock"]
_ADDED = ("rocks", "wall_seconds", "cpu_seconds", "workers")  # numbers that are added
MAX_MAP_CELLS = 50_000_000_000  # a canton's at half a metre; 6 GB
FARTHEST = 1e150  # [m] largest run-out of a row: its square is still a number
GAPS = 8  # times the cells of its parts: what a gathered map may span
_NEAR = 1e-3  # share of a cell: within it two grids are one


@dataclass(frozen=True)
class ResultsPart:
    """A folder of results, without its rocks: the grid of its map, its barriers, and the facts of Outcome.

    start : where its first rock starts [m], and its volume [m³]
    """

    folder: Path
    terrain: Terrain
    lines: BarrierSegments
    classes: tuple[ScenarioClassConfig, ...]
    hazard: HazardConfig
    facts: dict[str, Any]
    start: tuple[float, ...]

    @property
    def common(self) -> dict[str, Any]:
        """Facts that must agree in all parts."""
        scenario: dict[str, Any] = json.loads(json.dumps(self.facts["scenario"]))
        for key in _OWN:
            table, _, inner = key.rpartition(".")
            (scenario.get(table, {}) if table else scenario).pop(inner, None)
        files, crs = self.facts["files"], self.terrain.crs
        return {"version": self.facts["version"], "files": files, "CRS": crs, "cells": self.terrain.cell} | scenario

    @property
    def draws(self) -> list[str]:
        """Digest of release, classes, seed and first rock of each ensemble in it: where two agree, so do the rocks.

        Of one release and seed a window that cuts off a part of the release starts other rocks; another one does not.
        """
        if "draws" in self.facts:
            return [str(digest) for digest in self.facts["draws"]]
        scenario = self.facts["scenario"]
        seed = scenario.get("ensemble", {}).get("seed", 0)
        drawn = [scenario.get("release"), scenario.get("scenario_class"), self.start, seed]
        return [hashlib.blake2b(json.dumps(drawn, sort_keys=True).encode(), digest_size=8).hexdigest()]


def gather(
    folders: Sequence[Path],
    path: Path,
    parquet: bool = False,
    counts: bool = False,
    also: Callable[[Outcome, Path], None] | None = None,
) -> Outcome:
    """Write a folder of results of the rocks of all folders; ScenarioError where they do not belong together.

    also: what writes more of the outcome into the folder before it is in its place.
    """
    check_new_folder(path)
    parts = [_part(folder) for folder in folders]
    classes, numbers = joined_classes([part.classes for part in parts])
    whole = _whole(parts, classes)
    for part, kinds in zip(parts, numbers, strict=True):
        for name, found in whole.results.items():
            found.merge(_results(part, name), partial(_moved, part.terrain, whole.terrain), kinds)
    save_outcome(path, whole, parquet, False, counts, None if also is None else partial(also, whole))
    return whole


def _whole(parts: Sequence[ResultsPart], classes: tuple[ScenarioClassConfig, ...]) -> Outcome:
    """The outcome of all parts, still without a rock; its grid spans theirs."""
    first, facts = parts[0], [part.facts for part in parts]
    extents = np.array([part.terrain.extent for part in parts])
    (dx, dy), (x0, y0) = first.terrain.cell, extents[:, ::2].min(axis=0)
    seen: dict[str, ResultsPart] = {}
    for part in parts:
        for key, value in part.common.items():
            if value != first.common.get(key):
                raise ScenarioError(
                    key, N_("differs from that in {folder}; expected parts of one map", first.folder), part.folder
                )
        if not part.classes and classes:
            raise ScenarioError("scenario_class", N_("missing; expected classes in all parts or in none"), part.folder)
        for twin in (twin for digest in part.draws if (twin := seen.setdefault(digest, part)) is not part):
            same = N_(
                "release, first rock and seed are those of {folder}, and so are the rocks; expected another seed",
                twin.folder,
            )
            raise ScenarioError("ensemble.seed", same, part.folder)
        apart = (np.array(part.terrain.origin) - (x0, y0)) / (dx, dy)
        if np.abs(apart - np.round(apart)).max() > _NEAR:
            raise ScenarioError("terrain.window", N_("its cells are not those of {folder}", first.folder), part.folder)
    shape = [round((extents[:, i].max() - start) / d) + 1 for i, start, d in ((3, y0, dy), (1, x0, dx))]
    if shape[0] * shape[1] > MAX_MAP_CELLS:
        wide = N_(
            "{shape} x {shape2} cells are more than {most_cells}; expected parts closer together",
            shape[1],
            shape[0],
            MAX_MAP_CELLS,
        )
        raise ScenarioError("terrain.window", wide, first.folder)
    terrain = _grid(shape, (x0, y0), (dx, dy), first.terrain.crs)
    scenario = json.loads(json.dumps(first.facts["scenario"]))
    if classes:
        scenario["scenario_class"] = [one.model_dump(mode="json", exclude_none=True) for one in classes]
    windows = [part.facts["scenario"].get("terrain", {}).get("window") for part in parts]
    if None not in windows:
        corners = np.array(windows)
        scenario["terrain"]["window"] = [*corners[:, :2].min(axis=0).tolist(), *corners[:, 2:].max(axis=0).tolist()]
    # beside measured stops each part compared its own rocks alone
    facts_of_all = {key: fact for key, fact in first.facts.items() if key != "validation"} | {
        "scenario": scenario,
        "rocks": sum(each["rocks"] for each in facts),
        "seed": [each["seed"] for each in facts],
        "wall_seconds": sum(each["wall_seconds"] for each in facts),
        "cpu_seconds": sum(each["cpu_seconds"] for each in facts),
        "workers": max(each["workers"] for each in facts),
        "parts": [part.folder.name for part in parts],
        "draws": [digest for part in parts for digest in part.draws],
        "coarse_steps": together([each["coarse_steps"] for each in facts]),
    }
    study = Study.of(classes, first.hazard)
    results = {name: Results(terrain, first.lines, study) for name in first.facts["scenario"]["schemes"]}
    for found in results.values():  # stations as in the parts; those of the whole map are farther apart
        found.spread = max((LateralSpread(part.terrain) for part in parts), key=lambda spread: len(spread.sums))
    return Outcome(terrain, first.lines, study, first.hazard, _layers(parts), results, facts_of_all)


def _layers(parts: Sequence[ResultsPart]) -> dict[str, list[Shape]]:
    """The layers of all parts, each shape once, in their order; what a folder does not hold is left out."""
    layers: dict[str, list[Shape]] = {}
    for name in LAYERS:
        once: dict[tuple[bytes, str], Shape] = {}
        for file in (part.folder / f"{name}.geojson" for part in parts):
            for shape, given in read_shapes(file, heights=True)[0] if os.path.isfile(file) else ():
                if not np.isfinite(shapely.get_coordinates(shape)).all():
                    raise ScenarioError("", N_("expected finite coordinates"), file)
                once[shape.wkb, json.dumps(given)] = shape, given
        if once:
            layers[name] = sorted(once.values(), key=lambda one: _order(one[1]))
    return layers


def _order(attributes: dict[str, Any]) -> float:
    """The place of a zone; the first for another shape, or one that was changed to no number."""
    order = attributes.get("order")
    return order if isinstance(order, int | float) else 0.0


def _moved(here: Terrain, there: Terrain, cells: Cells) -> Cells:
    """The numbers on one grid of cells (n,) of another."""
    rows, columns = np.divmod(cells, here.heights.shape[1])
    right, up = (np.array(here.origin) - there.origin) / there.cell
    return np.asarray((rows + round(up)) * there.heights.shape[1] + columns + round(right))


def _grid(shape: Sequence[int], origin: Sequence[float], cell: Sequence[float], crs: str | None) -> Terrain:
    """A grid as a terrain: its heights, which are not used, are one number, however many there are."""
    level = np.broadcast_to(0.0, (shape[0], shape[1]))
    return Terrain(level, (float(origin[0]), float(origin[1])), (cell[0], cell[1]), crs)


def world_of(outcome: Outcome) -> RockfallWorld:
    """The world of an outcome, built again from the files of its scenario; its release is that of the first part.

    ScenarioError, naming the file, where they are not there, or not what they were.
    """
    facts = outcome.facts
    scenario = of_rocks(Scenario(**facts["scenario"], folder=facts["folder"]))
    check_unchanged(scenario, facts["files"])
    world = RockfallWorld.of(scenario)
    if world.terrain.heights.shape != outcome.terrain.heights.shape:
        raise ScenarioError("terrain.window", N_("parts of the map are missing between those that are gathered"))
    return world


# ---- folders ------------------------------------------------------------------------------------------


def _part(folder: Path) -> ResultsPart:
    """The part in a folder; ScenarioError where it has no counts or they are damaged."""
    if not os.path.isfile(folder / COUNTS):
        raise ScenarioError("", N_("holds no {counts}; expected a folder of polhode ensemble --counts", COUNTS), folder)
    with _read(folder) as data:
        check_archive(folder / COUNTS)
        stored = json.loads(str(data["facts"]))
        grid, facts = stored["grid"], stored["facts"]
        check_counting(facts.get("counting"), folder)
        fences, names = ([str(name) for name in stored[key]] for key in ("barriers", "lines"))
        none = np.zeros((0, 6))
        lines = BarrierSegments(
            (*fences, *names), data["heights"], data["lengths"], none, data.get("capacities"), len(fences)
        )
        grid["crs"] = None if grid["crs"] is None else in_metres(str(grid["crs"]))
        facts["coarse_steps"] = {name: checked(found) for name, found in facts["coarse_steps"].items()}
        first = data[f"{facts['scenario']['schemes'][0]}/rows"][0]
        start = tuple(round(float(first[name]), 6) for name in ("release_x", "release_y", "volume"))
        part = ResultsPart(folder, _grid(**grid), lines, *tables_in(facts["scenario"]), facts, start)
        _check(part)
        return part


def _check(part: ResultsPart) -> None:
    """ValueError, or another of DAMAGED, where a part holds impossible facts."""
    (rows, columns), lines, common = part.terrain.heights.shape, part.lines, part.common
    numbers = [common["step"], *part.terrain.origin, *part.terrain.cell, *(part.facts[name] for name in _ADDED)]
    sound = min(rows, columns) > 1 and rows * columns <= MAX_MAP_CELLS and min(part.terrain.cell) > 0.0
    # the map of one ensemble was read, those of several have gaps between them
    largest = GAPS * LARGEST_RASTER * _numbers(part.facts["seed"]) if "parts" in part.facts else LARGEST_RASTER
    sound = sound and rows * columns <= largest
    sound = sound and isinstance(part.facts.get("draws", []), list)
    sound = sound and lines.heights.shape == lines.lengths.shape == (len(lines.names),)
    sound = sound and (lines.capacities is None or lines.capacities.shape == lines.heights.shape)
    sound = sound and all(map(is_lane, {*common["schemes"], *part.facts["coarse_steps"]}))  # folders get their names
    heights = lines.heights[: lines.barriers]
    if not sound or not np.isfinite([*numbers, *heights, *lines.lengths]).all():
        raise ValueError(part.folder)


def _numbers(seeds: Any) -> int:
    """Count of the numbers in nested lists."""
    return sum(map(_numbers, seeds)) if isinstance(seeds, list) else 1


def _results(part: ResultsPart, name: str) -> Results:
    """Results of the rocks of a part with one scheme."""
    found = Results(part.terrain, part.lines, Study.of(part.classes, part.hazard))
    with _read(part.folder) as data:
        own = part_of(data, name) | merged_arrays({"paths": found.paths.arrays()})
        own["rows"] = like(own["rows"], np.zeros(0, ROW), longer=True)
        if not all((np.abs(own["rows"][column]) < FARTHEST).all() for column in ("runout", "lateral")):
            raise ValueError(part.folder)
        crossings = like(own["crossings"], np.zeros(0, CROSSING), longer=True)
        kinds = [own["rows"]["class"], crossings["class"]]
        if not all(((of >= 0) & (of <= len(found.maps.kinds))).all() for of in kinds):
            raise ValueError(part.folder)
        if not ((crossings["barrier"] >= 0) & (crossings["barrier"] < len(part.lines.names))).all():
            raise ValueError(part.folder)
        found.restore(own, like(own["rows"], np.zeros(0, ROW), longer=True), crossings)
    return found


@contextmanager
def _read(folder: Path) -> Iterator[Mapping[str, np.ndarray]]:
    """The arrays of a folder's counts, each read on access; ScenarioError where they are none."""
    try:
        with (folder / COUNTS).open("rb") as file, np.load(file, allow_pickle=False) as data:
            yield data
    except ScenarioError:
        raise
    except DAMAGED:
        raise ScenarioError("", N_("is damaged; expected the counts of an ensemble"), folder / COUNTS) from None
