"""The folder of an ensemble's results: summary.json, rocks.csv, barriers.csv, lines.csv, crossings.csv,
maps/<scheme>/*.tif, and results.gpkg.

results.gpkg has the layers release, soil, forest, barriers, lines, deposits and paths; each is in a file, such as
soil.geojson, too.
Beside paths it has path_points, with the times at which rocks were there.

All but the summary's times is a function of the scenario: the same bytes from any number of workers, and after a kill.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from physics.core.archives import merged_arrays, pyarrow_or_sentence
from physics.core.arithmetic import platform_facts
from physics.core.rotation import Array
from physics.core.wording import N_
from physics.hazard import maps
from physics.hazard.barriers import BarrierSegments
from physics.hazard.design import Row, columns, design_rows, rocks_at
from physics.hazard.ensemble import Ensemble, Results, coarse_of
from physics.hazard.rock_record import Points
from physics.hazard.rock_rows import CROSSING, REASONS, RESTED, ROW, censored_share, median_runout
from physics.hazard.statistics import (
    BY_DISTANCE,
    BY_TIME,
    OFFSET_RATIO,
    QUANTITIES,
    RATIO,
    summary_of,
)
from physics.hazard.study import Study
from physics.hazard.sweep import STEP
from physics.hazard.validation import Validator
from physics.io.trajectory_writers import check_new_folder, replacing, write_csv
from physics.io.vector_files import Feature, features, write_geojson, write_geopackage
from physics.schemes.lane import lane_of
from physics.systems.rockfall.map_layers import layers_of
from physics.systems.rockfall.scenario import HazardConfig
from physics.terrain.terrain import Terrain
from physics.terrain.zones import Shape

_UNITS = {
    "duration": "s",
    **dict.fromkeys(("x", "y", "z", "runout", "lateral", "off_fall_line", "release_x", "release_y"), "m"),
    **{f"max_{name}": unit for name, unit in QUANTITIES.items()},
    "energy_gain": "J",
    "mass": "kg",
    "volume": "m3",
    "weight": "1/a",
    "time": "s",
    "along": "m",
    **QUANTITIES,
    **dict.fromkeys(("translational_energy", "rotational_energy"), "J"),
}
COLUMNS = ["scheme", *(name for name in ROW.names or () if name not in ("unsolved", "class"))]
STUDIED = ["class", "weight"]  # columns with classes of rocks; weight: starts in a year that a rock stands for


def _headed(names: Sequence[str]) -> list[str]:
    """Names of columns with their units."""
    return [f"{name} [{_UNITS[name]}]" if name in _UNITS else name for name in names]


HEADER = _headed(COLUMNS)
COUNTS = "counts.npz"
_OTHERS = [name for name in QUANTITIES if name not in ("velocity", "rotation", "kinetic_energy")]
_CROSSING = ["scheme", "barrier", "rock", *STUDIED, "time", "along", "x", "y", "z", "velocity", "rotation"]
_CROSSING += ["kinetic_energy", "translational_energy", "rotational_energy", *_OTHERS, "mass", "volume", "line"]

TREES = ("rocks", "hit", "broken", "energy_taken")  # a tree counts for each rock that hit it; in J
_OF_ACTING = (
    "; with a capacity [J] they act: stopped: rocks lower than the barrier, of at most so much energy; broken: by "
    "lower rocks of more, which lose the capacity; overtopped: crossings above it; after: of crossings that went on"
)


@dataclass(frozen=True)
class Outcome:
    """Contents of a folder: an ensemble, or several that were merged.

    Attributes
    ----------
    terrain : its grid and coordinate system; heights are not looked at
    lines : the barriers
    study : classes of rocks; None without any
    hazard : what is wanted of them
    layers : what the rocks fell on, see ``layers_of``
    results : scheme name -> what its rocks left behind
    facts : rocks, seed, wall_seconds, cpu_seconds, workers, coarse_steps, and ``identity`` of its scenario; validation,
        scheme -> how its run-outs compare with measured ones, where there are any
    """

    terrain: Terrain
    lines: BarrierSegments
    study: Study | None
    hazard: HazardConfig
    layers: dict[str, list[Shape]]
    results: dict[str, Results]
    facts: dict[str, Any]

    @classmethod
    def of(cls, ensemble: Ensemble) -> Outcome:
        """Results of an ensemble so far."""
        world = ensemble.world
        validator = Validator(world)
        validations = {name: validator.facts(name, found) for name, found in ensemble.results.items()}
        facts = {
            "rocks": ensemble.done,
            "seed": world.scenario.seed,
            "wall_seconds": ensemble.wall_time,
            "cpu_seconds": ensemble.cpu_time,
            "workers": ensemble.workers,
            "coarse_steps": {
                name: coarse_of(world.of_lane(name), found.rows) for name, found in ensemble.results.items()
            },
            **({"validation": validations} if any(validations.values()) else {}),
            **ensemble.identity,
            "folder": str(Path(world.scenario.folder).absolute()),
        }
        hazard = world.scenario.hazard
        return cls(world.terrain, ensemble.lines, ensemble.study, hazard, layers_of(world), ensemble.results, facts)

    @property
    def note(self) -> str:
        """Condition of the numbers."""
        if self.study is None:
            return maps.CONDITIONAL
        return N_("{yearly}; statistics over all rocks are {conditional}", maps.YEARLY, maps.CONDITIONAL)

    def weights(self, name: str) -> Array:
        """Starts in a year [1/a] that a rock of each class stands for (1 + classes,); NaN for class 0, of no study."""
        own = [] if self.study is None else self.study.weights(self.results[name].maps.kinds).tolist()
        return np.array([np.nan, *own])

    def rows(self, name: str) -> list[list[Row]]:
        """The rows of each barrier, then of each line, under a scheme; see physics.hazard.design."""
        found = self.results[name]
        crossings, weights = found.crossings.read(), self.weights(name)
        kinds = np.array([len(found.rows)]) if self.study is None else found.maps.kinds
        return [
            design_rows(i, self.lines, rocks_at(i, self.lines, crossings, weights), self.study, self.hazard, kinds)
            for i in range(len(self.lines.names))
        ]


def save_results(
    path: str | Path, ensemble: Ensemble, parquet: bool = False, paths: bool = False, counts: bool = False
) -> None:
    """Write the folder, whole or not at all; ScenarioError where it cannot be made, PhysicsError when writing fails.

    parquet: rocks.parquet in place of rocks.csv; paths: also paths.geojson, the thinned paths of the first rocks;
    counts: also counts.npz, for a merge.
    """
    save_outcome(path, Outcome.of(ensemble), parquet, paths, counts)


def save_outcome(
    path: str | Path,
    outcome: Outcome,
    parquet: bool,
    paths: bool,
    counts: bool,
    also: Callable[[Path], None] | None = None,
) -> None:
    """``save_results`` of what it was read from; also: what writes more into the folder before it is in its place."""
    path = check_new_folder(path)
    with replacing(path) as part:
        part.mkdir()
        summary = json.dumps(_summary(outcome), indent=2, ensure_ascii=False)
        (part / "summary.json").write_text(summary + "\n", encoding="utf-8")
        if parquet:
            _write_parquet(part / "rocks.parquet", outcome)
        else:
            rows = chain.from_iterable(zip(*piece.values(), strict=True) for piece in _pieces(outcome))
            write_csv(part / "rocks.csv", HEADER if outcome.study is None else HEADER + _headed(STUDIED), rows)
        layers = {name: partial(features, shapes) for name, shapes in outcome.layers.items()}
        layers |= {"deposits": partial(_deposits, outcome)} | ({"paths": partial(_lines, outcome)} if paths else {})
        for name, read in layers.items():
            write_geojson(part / f"{name}.geojson", read(), outcome.terrain.crs, outcome.note)
        shapes = {name: read() for name, read in layers.items()}
        shapes |= {"path_points": _path_points(outcome)} if paths else {}
        write_geopackage(part / "results.gpkg", shapes, outcome.terrain.crs, outcome.note)
        if counts:
            _write_counts(part / COUNTS, outcome)
        tables = {name: outcome.rows(name) for name in outcome.results} if outcome.lines.names else {}
        for kind, numbers in outcome.lines.kinds.items():
            if numbers:
                _write_table(part / f"{kind}s.csv", outcome, kind, numbers, tables)
        if tables:
            write_csv(part / "crossings.csv", _headed(_CROSSING), _crossings(outcome))
        for name, found in outcome.results.items():
            maps.write(found.maps, outcome.terrain, part / "maps" / name, name)
        if also is not None:
            also(part)


def summarised(ensemble: Ensemble) -> dict[str, Any]:
    """Contents of summary.json."""
    return _summary(Outcome.of(ensemble))


def _measured_lines(outcome: Outcome, name: str) -> dict[str, list[dict[str, Any]]]:
    """Facts of barriers and of lines for summary.json, with their rows, one a class."""
    both = [
        facts | {"classes": rows}
        for facts, rows in zip(outcome.results[name].barriers.summary(), outcome.rows(name), strict=True)
    ]
    found = {f"{kind}s": [both[i] for i in numbers] for kind, numbers in outcome.lines.kinds.items()}
    return {"barriers": found["barriers"], **({"lines": found["lines"]} if found["lines"] else {})}


def _trees(found: Results) -> dict[str, int | float]:
    """Numbers of rocks and trees that met, and the energy [J]."""
    *counts, energy = found.trees.tolist()
    return dict(zip(TREES, [*map(int, counts), energy], strict=True))


def _summary(outcome: Outcome) -> dict[str, Any]:
    facts, schemes = outcome.facts, {}
    for name, found in outcome.results.items():
        schemes[name] = {
            **found.statistics.summary(BY_DISTANCE),
            **{what: summary_of(found.rows.column(what)) for what in ("runout", "lateral")},
            "censored": censored_share(found.reasons),
            "runout_kaplan_meier": {"median": median_runout(found.rows)},
            "weighted_by": "distance",
            "by_time": found.statistics.summary(BY_TIME),
            "lateral_by_distance": found.spread.summary(),
            **_measured_lines(outcome, name),
            **({} if outcome.study is None else {"classes": outcome.study.summary(found.maps.kinds)}),
            **({"trees": _trees(found)} if found.trees.any() else {}),
            "stop_reasons": dict(sorted(found.reasons.items())),
            "rocks": len(found.rows),
            "starts_in_ground": {"rocks": int(found.buried[0]), "deepest": float(found.buried[1])},
            "steps": found.steps,
            "unsolved_percussions": found.unsolved,
            "largest_energy_gain": found.largest_gain,
            "largest_relative_energy_gain": found.largest_relative_gain,
            "citation": lane_of(name).scheme.reference,
        }
    return {
        "note": outcome.note,
        "weighted_by": "distance",
        "distance": "along the path of the centre of mass; by_time: while the rock is followed, until it has stopped",
        "lateral_by_distance": "where rocks first are so far from their release along its fall line: offset across it, "
        f"left above 0; q95 of its size, within {(OFFSET_RATIO - 1) / 2:.1%}",
        "censored": "share of rocks that left the map, ran out of time or had no solution: runout and lateral count "
        "them where they were last, as if they had stopped there, so that the run-out is at least the value given; "
        "runout_kaplan_meier takes them to go on like the others that got as far; null: beyond all known stops",
        "barriers": "they measure and do not stop: every crossing by the centre of mass; share_crossing: of all rocks; "
        "share_stopped: of these, lower than the barrier as they first cross it, whatever their energy; places: "
        "crossings in equal parts of the line; classes: see barriers.csv"
        + ("" if outcome.lines.capacities is None else _OF_ACTING),
        "lines": "as barriers; a rock of half its width beside an end touches the line, too",
        "maps": f"per square of {outcome.hazard.cell:g} m around the middle of each cell: rocks whose path, with half "
        "their width on both sides, touches it, once each, with the largest of each quantity meanwhile; the width is "
        "that of a ball of the rock's volume; deposits: rocks that rest in a cell of the grid",
        "trees": "rocks: that hit one; hit, broken: each tree once a rock; energy_taken [J]: at the first impact of a "
        "rock on each, and as it broke",
        "energy_audit": "unsolved_percussions: steps whose percussions fell back on friction of fixed bounds; "
        "largest_energy_gain: "
        "the largest rise of total energy in a step [J], relative: over the rock's largest kinetic energy",
        "resolution": f"quantiles over all rocks within {RATIO - 1:.0%}, of map cells within "
        f"{(maps.RATIO - 1) / 2:.1%}; mean, std, max of all rocks exact, of map cells at places {STEP:g} m apart on "
        "paths; runout and lateral exact; quantiles of map cells where at least "
        + ", ".join(f"{rocks} ({name})" for name, rocks in maps.FEWEST.items())
        + " rocks passed",
        "rocks": facts["rocks"],
        "seed": facts["seed"],
        "crs": outcome.terrain.crs,
        "steps": sum(found.steps for found in outcome.results.values()),
        "platform": platform_facts(),
        **facts,
        "schemes": schemes,
    }


# ---- rows ---------------------------------------------------------------------------------------------


def _pieces(outcome: Outcome) -> Iterator[dict[str, list[Any]]]:
    """Some thousand rocks at a time: column -> values, rock by rock and scheme by scheme."""
    names = list(outcome.results)
    for rows in zip(*(found.rows.pieces() for found in outcome.results.values()), strict=True):
        both = np.stack(rows, axis=1)
        columns = {name: both[name].ravel().tolist() for name in COLUMNS[1:]}
        columns["stop_reason"] = [REASONS[code] for code in columns["stop_reason"]]
        if outcome.study is not None:
            weights = np.array([outcome.weights(name) for name in names])
            columns["class"] = both["class"].ravel().tolist()
            columns["weight"] = np.take_along_axis(weights.T, both["class"], axis=0).ravel().tolist()
        yield {"scheme": names * len(both)} | columns


def _write_parquet(path: Path, outcome: Outcome) -> None:
    pyarrow, parquet = pyarrow_or_sentence()
    pieces = map(pyarrow.table, _pieces(outcome))
    first = next(pieces)
    with parquet.ParquetWriter(path, first.schema) as file:
        file.write_table(first)
        for piece in pieces:
            file.write_table(piece)


def _write_table(path: Path, outcome: Outcome, kind: str, numbers: Sequence[int], tables: Mapping[str, Any]) -> None:
    """barriers.csv, or lines.csv: a row a class of each of them; kind: barrier or line, tables: rows by scheme."""
    names = columns(outcome.lines, outcome.study, outcome.hazard, kind == "barrier")
    head = [f"{name} [{unit}]" if unit else name for name, unit in names.items()]
    rows = (
        [scheme, outcome.lines.names[i], *("" if row.get(name) is None else row[name] for name in names)]
        for scheme, found in tables.items()
        for i in numbers
        for row in found[i]
    )
    write_csv(path, ["scheme", kind, *head], rows)


def _crossings(outcome: Outcome) -> Iterator[tuple[Any, ...]]:
    """A row a crossing, scheme after scheme, in the order of rocks; class and weight empty without classes."""
    names = outcome.lines.names
    for scheme, found in outcome.results.items():
        weights = outcome.weights(scheme)
        for rows in found.crossings.pieces():
            columns = {name: rows[name] for name in CROSSING.names or ()}
            columns["translational_energy"] = 0.5 * rows["mass"] * rows["velocity"] ** 2
            rotational = rows["kinetic_energy"] - columns["translational_energy"]
            columns["rotational_energy"] = np.maximum(rotational, 0.0)
            columns["weight"] = weights[rows["class"]]
            plain = {name: values.tolist() for name, values in columns.items()}
            which = plain["barrier"]
            plain |= {"scheme": [scheme] * len(rows)}
            for kind, numbers in outcome.lines.kinds.items():
                plain[kind] = [names[i] if i in numbers else "" for i in which]
            plain |= {} if outcome.study is not None else dict.fromkeys(STUDIED, [""] * len(rows))
            yield from zip(*(plain[name] for name in _CROSSING), strict=True)


def _write_counts(path: Path, outcome: Outcome) -> None:
    """All that adds, so without paths: rows, sums and histograms; where they belong, and the facts."""
    terrain, lines = outcome.terrain, outcome.lines
    arrays = {"heights": lines.heights, "lengths": lines.lengths}
    arrays |= {} if lines.capacities is None else {"capacities": lines.capacities}
    for name, found in outcome.results.items():
        adding = {key: array for key, array in found.arrays().items() if not key.startswith("paths/")}
        arrays |= merged_arrays({name: adding | {"rows": found.rows.read(), "crossings": found.crossings.read()}})
    grid = {"shape": terrain.heights.shape, "origin": terrain.origin, "cell": terrain.cell, "crs": terrain.crs}
    kinds = {f"{kind}s": [lines.names[i] for i in numbers] for kind, numbers in lines.kinds.items()}
    facts = {"grid": grid, **kinds, "facts": outcome.facts}
    with path.open("wb") as file:
        np.savez(file, allow_pickle=False, facts=np.array(json.dumps(facts)), **arrays)


# ---- features -----------------------------------------------------------------------------------------


def _deposits(outcome: Outcome) -> Iterator[Feature]:
    """A point for each rock that rests."""
    rested = [REASONS[code] for code in RESTED]
    for piece in _pieces(outcome):
        for values in zip(*piece.values(), strict=True):
            row = dict(zip(piece, values, strict=True))
            if row["stop_reason"] in rested:
                place = [row.pop(axis) for axis in "xyz"]
                yield {"geometry": {"type": "Point", "coordinates": place}, "properties": row}


def _kept(outcome: Outcome) -> Iterator[tuple[dict[str, Any], Any, Array, Points, Array]]:
    """Facts and row of each path that is kept, its points (n, 3) [m], the QUANTITIES (n, 4) there, and times (n,)."""
    origin = np.array([*outcome.terrain.origin, 0.0])
    for name, found in outcome.results.items():
        paths = found.paths
        for i, rock in enumerate(paths.rock.tolist()):
            here = slice(paths.offsets[i], paths.offsets[i + 1])
            points, values = np.round(paths.points[here] + origin, 2), paths.values[here]
            row = found.rows.read(rock, rock + 1)[0]
            whose = {key: float(row[key]) for key in ("mass", "volume", "release_x", "release_y")}
            if outcome.study is not None:
                whose |= {"class": int(row["class"]), "weight": float(outcome.weights(name)[row["class"]])}
            times = np.round(values[:, -1].astype(float), 3)
            yield {"scheme": name, "rock": rock} | whose, row, points, values[:, :-1], times


def _lines(outcome: Outcome) -> Iterator[Feature]:
    """A line for each rock whose path is kept."""
    for whose, row, points, values, times in _kept(outcome):
        # over all steps, as in rocks.csv: a rock is fastest between two points, right before a bounce
        measures: dict[str, Any] = {f"max_{what}": float(row[f"max_{what}"]) for what in QUANTITIES}
        measures |= dict(zip(QUANTITIES, _short(values).T.tolist(), strict=True))  # one value a point
        yield {
            "geometry": {"type": "LineString", "coordinates": points.tolist()},
            "properties": whose | measures | {"t": times.tolist()},
        }


_RELEASED = datetime(1970, 1, 1, tzinfo=UTC)  # a GIS plays dates: that of all releases


def _path_points(outcome: Outcome) -> Iterator[Feature]:
    """A point for each one of the paths, with the time since the release [s], also as a date."""
    for whose, _, points, values, times in _kept(outcome):
        for place, measures, t in zip(points.tolist(), _short(values).tolist(), times.tolist(), strict=True):
            yield {
                "geometry": {"type": "Point", "coordinates": place},
                "properties": whose
                | {"t": t, "time": _RELEASED + timedelta(seconds=t)}
                | dict(zip(QUANTITIES, measures, strict=True)),
            }


def _short(values: np.ndarray) -> Array:
    """Values to four digits."""
    unit = 10.0 ** np.floor(np.log10(np.maximum(np.abs(values.astype(float)), 1e-3)) - 3.0)
    return np.asarray(np.round(np.round(values / unit) * unit, 6))
