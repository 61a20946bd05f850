"""The folder of an ensemble's results: summary.json, rocks.csv, deposits.geojson, barriers.csv and maps/<scheme>/*.tif.

All but the summary's times is a function of the scenario: the same bytes from any number of workers, and after a kill.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from physics.core.archives import joined, pyarrow_or_sentence
from physics.core.arithmetic import platform_facts
from physics.core.rotation import Array
from physics.ensembles import lateral_spread, maps, run_out
from physics.ensembles.barriers import BarrierSegments
from physics.ensembles.coarse_steps import coarse_of
from physics.ensembles.ensemble import Ensemble, Results
from physics.ensembles.rock_rows import REASONS, ROW
from physics.ensembles.statistics import BY_DISTANCE, BY_TIME, QUANTITIES, RATIO, STATISTICS, summary_of
from physics.ensembles.validation_facts import Validator
from physics.io.trajectory_writers import check_new_folder, replacing
from physics.schemes.lane import lane_of
from physics.terrain import crs
from physics.terrain.terrain import Terrain

_UNITS = {
    "duration": "s",
    **dict.fromkeys(("x", "y", "z", "runout", "lateral"), "m"),
    **{f"max_{name}": unit for name, unit in QUANTITIES.items()},
    "energy_gain": "J",
}
COLUMNS = ["scheme", *(name for name in ROW.names or () if name != "unsolved")]
HEADER = [f"{name} [{_UNITS[name]}]" if name in _UNITS else name for name in COLUMNS]
COUNTS = "counts.npz"
_BARRIER = ["scheme", "barrier", "height [m]", "crossings", "rocks", "share_crossing", "share_stopped"]


@dataclass(frozen=True)
class Outcome:
    """What a folder tells of: an ensemble, or several that were gathered.

    Attributes
    ----------
    terrain : its grid and coordinate system; heights are not looked at
    lines : the barriers
    results : scheme name -> what its rocks left behind
    facts : rocks, seed, wall_seconds, cpu_seconds, workers, coarse_steps, and ``identity`` of its scenario; validation,
        scheme -> how its run-outs compare with measured ones, where there are any
    """

    terrain: Terrain
    lines: BarrierSegments
    results: dict[str, Results]
    facts: dict[str, Any]

    @classmethod
    def of(cls, ensemble: Ensemble) -> Outcome:
        """What an ensemble has found so far."""
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
        return cls(world.terrain, ensemble.lines, ensemble.results, facts)


def save_results(
    path: str | Path, ensemble: Ensemble, parquet: bool = False, paths: bool = False, counts: bool = False
) -> None:
    """Write the folder, whole or not at all; ScenarioError where it cannot be made, PhysicsError when writing fails.

    parquet: rocks.parquet in place of rocks.csv; paths: also paths.geojson, the thinned paths of the first rocks;
    counts: also counts.npz, see physics.ensembles.merge.
    """
    save_outcome(path, Outcome.of(ensemble), parquet, paths, counts)


def save_outcome(path: str | Path, outcome: Outcome, parquet: bool, paths: bool, counts: bool) -> None:
    """``save_results`` of what it was read from."""
    path = check_new_folder(path)
    with replacing(path) as part:
        part.mkdir()
        summary = json.dumps(_summary(outcome), indent=2, ensure_ascii=False)
        (part / "summary.json").write_text(summary + "\n", encoding="utf-8")
        if parquet:
            _write_parquet(part / "rocks.parquet", outcome)
        else:
            _write_rocks(part / "rocks.csv", outcome)
        _write_features(part / "deposits.geojson", outcome, _deposits(outcome))
        if paths:
            _write_features(part / "paths.geojson", outcome, _lines(outcome))
        if counts:
            _write_counts(part / COUNTS, outcome)
        if outcome.lines.names:
            _write_barriers(part / "barriers.csv", outcome)
        for name, found in outcome.results.items():
            maps.write(found.maps, outcome.terrain, part / "maps" / name, name)


def summarised(ensemble: Ensemble) -> dict[str, Any]:
    """What summary.json holds."""
    return _summary(Outcome.of(ensemble))


def _summary(outcome: Outcome) -> dict[str, Any]:
    facts, schemes = outcome.facts, {}
    for name, found in outcome.results.items():
        schemes[name] = {
            **found.statistics.summary(BY_DISTANCE),
            **{what: summary_of(found.rows.column(what)) for what in ("runout", "lateral")},
            "censored": run_out.censored(found.reasons),
            "runout_kaplan_meier": {"median": run_out.median(found.rows)},
            "weighted_by": "distance",
            "by_time": found.statistics.summary(BY_TIME),
            "lateral_by_distance": found.spread.summary(),
            "barriers": found.barriers.summary(),
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
        "note": maps.CONDITIONAL,
        "weighted_by": "distance",
        "distance": "along the path of the centre of mass; by_time: while the rock is followed, until it has stopped",
        "lateral_by_distance": "where rocks first are so far from their release along its fall line: offset across it, "
        f"left above 0; q95 of its size, within {(lateral_spread.RATIO - 1) / 2:.1%}",
        "censored": "share of rocks that left the map, ran out of time or had no solution: runout and lateral count "
        "them where they were last, as if they had stopped there, so that the run-out is at least what is told; "
        "runout_kaplan_meier takes them to go on like the others that got as far; null: beyond all known stops",
        "barriers": "they measure and do not stop: every crossing by the centre of mass; share_crossing: of all rocks; "
        "share_stopped: of these, lower than the barrier as they first cross it, whatever their energy; places: "
        "crossings in equal parts of the line",
        "energy_audit": "unsolved_percussions: steps whose percussions fell back on friction of fixed bounds; "
        "largest_energy_gain: "
        "the largest rise of total energy in a step [J], relative: over the rock's largest kinetic energy",
        "resolution": f"quantiles over all rocks within {RATIO - 1:.0%}, of map cells within "
        f"{(maps.RATIO - 1) / 2:.1%}; mean, std and max exact; runout and lateral exact; quantiles of map cells "
        "where at least " + ", ".join(f"{rocks} ({name})" for name, rocks in maps.FEWEST.items()) + " rocks passed",
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
        yield {"scheme": names * len(both)} | columns


def _write_rocks(path: Path, outcome: Outcome) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(HEADER)
        for piece in _pieces(outcome):
            writer.writerows(zip(*piece.values(), strict=True))


def _write_parquet(path: Path, outcome: Outcome) -> None:
    pyarrow, parquet = pyarrow_or_sentence()
    pieces = map(pyarrow.table, _pieces(outcome))
    first = next(pieces)
    with parquet.ParquetWriter(path, first.schema) as file:
        file.write_table(first)
        for piece in pieces:
            file.write_table(piece)


def _write_barriers(path: Path, outcome: Outcome) -> None:
    measures = [f"{quantity}_{key} [{unit}]" for quantity, unit in QUANTITIES.items() for key in STATISTICS]
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write(",".join([*_BARRIER, *measures]) + "\n")
        for scheme, found in outcome.results.items():
            for barrier in found.barriers.summary():
                # csv.writer would quote all texts or only some names, and the bytes of this file would change
                name = '"{}"'.format(barrier["name"].replace('"', '""'))
                facts = [barrier[key.split(" ")[0]] for key in _BARRIER[2:]]
                values = [barrier[quantity][key] for quantity in QUANTITIES for key in STATISTICS]
                file.write(",".join(map(str, [scheme, name, *facts, *values])) + "\n")


def _write_counts(path: Path, outcome: Outcome) -> None:
    """All that adds, so without paths: rows, sums and histograms; where they belong, and the facts."""
    terrain, lines = outcome.terrain, outcome.lines
    arrays = {"heights": lines.heights, "lengths": lines.lengths}
    for name, found in outcome.results.items():
        adding = {key: array for key, array in found.arrays().items() if not key.startswith("paths/")}
        arrays |= joined({name: adding | {"rows": found.rows.read()}})
    grid = {"shape": terrain.heights.shape, "origin": terrain.origin, "cell": terrain.cell, "crs": terrain.crs}
    facts = {"grid": grid, "barriers": lines.names, "facts": outcome.facts}
    with path.open("wb") as file:
        np.savez(file, allow_pickle=False, facts=np.array(json.dumps(facts)), **arrays)


# ---- GeoJSON ------------------------------------------------------------------------------------------


def _write_features(path: Path, outcome: Outcome, features: Iterator[dict[str, Any]]) -> None:
    """GeoJSON in the terrain's coordinates; a line a feature, so that memory stays bounded."""
    head = json.dumps({"type": "FeatureCollection", "name": path.stem, "note": maps.CONDITIONAL, **_crs(outcome)})
    with path.open("w", encoding="utf-8") as file:
        file.write(head[:-1] + ', "features": [')
        for i, feature in enumerate(features):
            file.write((",\n" if i else "\n") + json.dumps({"type": "Feature"} | feature))
        file.write("\n]}\n")


def _deposits(outcome: Outcome) -> Iterator[dict[str, Any]]:
    """A point for each rock that rests."""
    for piece in _pieces(outcome):
        for values in zip(*piece.values(), strict=True):
            row = dict(zip(piece, values, strict=True))
            if row["stop_reason"] == "rest":
                place = [row.pop(axis) for axis in "xyz"]
                yield {"geometry": {"type": "Point", "coordinates": place}, "properties": row}


def _lines(outcome: Outcome) -> Iterator[dict[str, Any]]:
    """A line for each rock whose path is kept."""
    origin = np.array([*outcome.terrain.origin, 0.0])
    for name, found in outcome.results.items():
        paths = found.paths
        for i, rock in enumerate(paths.rock.tolist()):
            points = paths.points[paths.offsets[i] : paths.offsets[i + 1]] + origin
            values = paths.values[paths.offsets[i] : paths.offsets[i + 1]]
            measures: dict[str, Any] = {
                f"max_{what}": float(peak) for what, peak in zip(QUANTITIES, values.max(axis=0), strict=True)
            }
            measures |= dict(zip(QUANTITIES, _short(values).T.tolist(), strict=True))  # one value a point
            yield {
                "geometry": {"type": "LineString", "coordinates": np.round(points, 2).tolist()},
                "properties": {"scheme": name, "rock": rock} | measures,
            }


def _short(values: np.ndarray) -> Array:
    """Values to four digits."""
    unit = 10.0 ** np.floor(np.log10(np.maximum(np.abs(values.astype(float)), 1e-3)) - 3.0)
    return np.asarray(np.round(np.round(values / unit) * unit, 6))


def _crs(outcome: Outcome) -> dict[str, Any]:
    """The coordinate system as GDAL and QGIS read it; none where the terrain tells none."""
    text = outcome.terrain.crs
    return {} if text is None else {"crs": {"type": "name", "properties": {"name": crs.name(text)}}}
