"""The folder of an ensemble's results: summary.json, rocks.csv, deposits.geojson and maps/<scheme>/*.tif."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from physics import maps
from physics.ensemble import Ensemble, Row
from physics.errors import ScenarioError
from physics.files import check_folder, polhode_version, replacing
from physics.schemes import SCHEMES
from physics.statistics import BY_DISTANCE, BY_TIME, QUANTITIES, RATIO, summary_of

_UNITS = {
    "duration": "s",
    **dict.fromkeys(("x", "y", "z", "runout", "lateral"), "m"),
    **{f"max_{name}": unit for name, unit in QUANTITIES.items()},
    "energy_gain": "J",
}
HEADER = [f"{name} [{_UNITS[name]}]" if name in _UNITS else name for name in Row._fields]


def check_results(path: str | Path) -> Path:
    """The path, if a folder of results can be made there; else ScenarioError."""
    path = Path(path)
    if path.exists() and not path.is_dir():
        raise ScenarioError("", "cannot be written: it is a file; expected a new folder", path)
    if path.is_dir() and any(path.iterdir()):
        raise ScenarioError("", "cannot be written: the folder is not empty", path)
    check_folder(path)
    return path


def save_results(path: str | Path, ensemble: Ensemble) -> None:
    """Write the folder, whole or not at all; ScenarioError where it cannot be made, PhysicsError when writing fails."""
    path, terrain = check_results(path), ensemble.world.terrain
    assert terrain is not None
    with replacing(path) as part:
        part.mkdir()
        summary = json.dumps(summarised(ensemble), indent=2, ensure_ascii=False)
        (part / "summary.json").write_text(summary + "\n", encoding="utf-8")
        _write_rocks(part / "rocks.csv", ensemble)
        _write_deposits(part / "deposits.geojson", ensemble)
        for name, found in ensemble.results.items():
            maps.write(found.maps, terrain, part / "maps" / name, name)


def summarised(ensemble: Ensemble) -> dict[str, Any]:
    """What summary.json holds."""
    scenario = ensemble.world.scenario
    schemes = {}
    for name, found in ensemble.results.items():
        schemes[name] = {
            **found.statistics.summary(BY_DISTANCE),
            **{
                what: summary_of(np.array([getattr(row, what) for row in found.rows])) for what in ("runout", "lateral")
            },
            "weighted_by": "distance",
            "by_time": found.statistics.summary(BY_TIME),
            "stop_reasons": dict(sorted(Counter(row.stop_reason for row in found.rows).items())),
            "rocks": len(found.rows),
            "steps": sum(row.steps for row in found.rows),
            "largest_energy_gain": max(row.energy_gain for row in found.rows),
            "citation": SCHEMES[name].reference,
        }
    return {
        "note": maps.CONDITIONAL,
        "weighted_by": "distance",
        "distance": "along the path of the centre of mass; by_time: while the rock is followed, until it has stopped",
        "resolution": f"quantiles over all rocks within {RATIO - 1:.0%}, of map cells within "
        f"{(maps.RATIO - 1) / 2:.1%}; mean, std and max exact; runout and lateral exact",
        "rocks": ensemble.done,
        "seed": scenario.ensemble.seed,
        "steps": sum(found["steps"] for found in schemes.values()),
        "wall_seconds": ensemble.wall_time,
        "cpu_seconds": ensemble.cpu_time,
        "workers": ensemble.workers,
        "version": polhode_version(),
        "scenario": scenario.portable(),
        "schemes": schemes,
    }


def _write_rocks(path: Path, ensemble: Ensemble) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write(",".join(HEADER) + "\n")
        for rows in zip(*(found.rows for found in ensemble.results.values()), strict=True):
            file.writelines(",".join(map(str, row)) + "\n" for row in rows)


def _write_deposits(path: Path, ensemble: Ensemble) -> None:
    """GeoJSON of the rocks that rest, in the terrain's coordinates; a line a rock, so that memory stays bounded."""
    head = json.dumps({"type": "FeatureCollection", "name": "deposits", **_crs(ensemble)})
    rows = (row for found in ensemble.results.values() for row in found.rows if row.stop_reason == "rest")
    with path.open("w", encoding="utf-8") as file:
        file.write(head[:-1] + ', "features": [')
        for i, row in enumerate(rows):
            feature = {
                "type": "Feature",
                "geometry": {"type": "Point", "coordinates": [row.x, row.y, row.z]},
                "properties": {name: value for name, value in row._asdict().items() if name not in "xyz"},
            }
            file.write((",\n" if i else "\n") + json.dumps(feature))
        file.write("\n]}\n")


def _crs(ensemble: Ensemble) -> dict[str, Any]:
    """The coordinate system as GDAL and QGIS read it; none where the terrain tells none or one without a number."""
    from rasterio.crs import CRS

    assert ensemble.world.terrain is not None
    text = ensemble.world.terrain.crs
    authority = CRS.from_string(text).to_authority() if text else None
    if authority is None:
        return {}
    return {"crs": {"type": "name", "properties": {"name": f"urn:ogc:def:crs:{authority[0]}::{authority[1]}"}}}
