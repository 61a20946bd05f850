"""Layers: what a folder of ``polhode ensemble`` adds to a picture of its terrain: the paths of rocks, or a map."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from physics import Scenario, ScenarioError, World
from physics.ensembles.maps import NODATA
from physics.ensembles.paths import MOST_POINTS
from physics.ensembles.statistics import QUANTITIES
from physics.ground.rasters import open_raster
from physics.ground.terrain import Terrain
from physics.ground.zones import FARTHEST
from physics.inputs import DAMAGED
from physics.rotation import Array

if TYPE_CHECKING:
    from app.stage import Stage


@dataclass(frozen=True)
class Found:
    """Paths of rocks as a file tells them, see app.stage.ensemble.Paths."""

    rock: np.ndarray
    offsets: np.ndarray
    points: np.ndarray
    values: np.ndarray


def check_layers(scenario: Scenario) -> None:
    """ScenarioError where the results or the map that the export table names are not there."""
    export = scenario.export
    if export.results is None:
        if export.map is not None:
            raise ScenarioError("export.map", "expected together with the folder of an ensemble's results")
        return
    if scenario.kind != "rockfall":
        raise ScenarioError("export.results", f"serves rockfall, got '{scenario.kind}'")
    if len(scenario.schemes) != 1:
        names = ", ".join(scenario.schemes)
        raise ScenarioError("export.results", f"shows the rocks of one scheme; expected one scheme, got {names}")
    folder = scenario.path(export.results)
    if not os.path.isfile(folder / "summary.json"):
        raise ScenarioError("export.results", "expected a folder that polhode ensemble has written", folder)
    if export.map is None:
        if not os.path.isfile(folder / "paths.geojson"):
            raise ScenarioError("export.results", "has no paths; expected results of polhode ensemble --paths", folder)
    elif export.map not in (maps := sorted(path.stem for path in _map(scenario).parent.glob("*.tif"))):
        some = ", ".join(maps) if maps else f"no map of {scenario.schemes[0]}"
        raise ScenarioError("export.map", f"there is no '{export.map}'; found {some}", folder)


def lay(stage: Stage, world: World) -> None:
    """Show what the export table of the world's scenario names; ScenarioError where it cannot be read."""
    scenario, terrain = world.scenario, world.terrain
    check_layers(scenario)
    if scenario.export.results is None:
        return
    assert terrain is not None
    if scenario.export.map is not None:
        stage.show_map(*read_map(_map(scenario), terrain))
        return
    folder, scheme = scenario.path(scenario.export.results), scenario.schemes[0]
    paths = read_paths(folder / "paths.geojson", scheme, terrain)
    stage.show_ensemble(paths, scenario.view.colour, np.isin(paths.rock, _rested(folder / "deposits.geojson", scheme)))


def _map(scenario: Scenario) -> Path:
    """Where the map is that the export table names."""
    export = scenario.export
    assert export.results is not None
    return scenario.path(export.results) / "maps" / scenario.schemes[0] / f"{export.map}.tif"


def read_map(path: Path, terrain: Terrain) -> tuple[str, str, Array]:
    """Title, unit and values (ny, nx), row 0 the southernmost, of a map on the terrain's grid; NaN: none."""
    from rasterio.errors import RasterioError

    try:
        with open_raster(path) as file:
            (west, north), (dx, dy), (x0, _, _, y1) = (file.bounds.left, file.bounds.top), terrain.cell, terrain.extent
            apart = max(abs(west + dx / 2 - x0), abs(north - dy / 2 - y1))
            if file.shape != terrain.heights.shape or apart > 0.01 * min(dx, dy):
                raise ScenarioError("export.map", "lies on another grid than the scenario's terrain", path)
            values, tags = file.read(1)[::-1].astype(float), file.tags()
    except RasterioError as error:
        raise ScenarioError("export.map", f"not a readable map: {str(error).splitlines()[0]}", path) from None
    quantity, _, statistic = path.stem.rpartition("_")
    title = f"{quantity.replace('_', ' ')}, {statistic}" if quantity in QUANTITIES else path.stem.replace("_", " ")
    unit = str(tags.get("unit", ""))
    return title, "" if unit == "1" else unit, np.where(values == NODATA, np.nan, values)


def read_paths(path: Path, scheme: str, terrain: Terrain) -> Found:
    """The paths of a scheme's rocks; ScenarioError where the file is not what polhode has written."""
    rock, points, values = [], [], []
    offsets = [0]
    for row in _features(path, scheme):
        try:
            here = np.array(row["geometry"]["coordinates"], float) - (*terrain.origin, 0.0)
            along = np.array([row["properties"][name] for name in QUANTITIES], float).T
            rock.append(np.int64(int(row["properties"]["rock"])))
        except DAMAGED:
            raise _foreign(path) from None
        if here.ndim != 2 or along.shape != (len(here), len(QUANTITIES)) or offsets[-1] + len(here) > MOST_POINTS:
            raise _foreign(path)
        if not (np.abs(here) < FARTHEST).all() or not (np.abs(along) < FARTHEST**2).all():  # also NaN
            raise _foreign(path)
        points.append(here.astype(np.float32))
        values.append(along.astype(np.float32))
        offsets.append(offsets[-1] + len(here))
    if not rock:
        raise ScenarioError("export.results", f"holds no paths of {scheme}", path)
    return Found(np.array(rock), np.array(offsets), np.concatenate(points), np.concatenate(values))


def _rested(path: Path, scheme: str) -> list[int]:
    """The numbers of a scheme's rocks that came to rest."""
    try:
        return [int(row["properties"]["rock"]) for row in _features(path, scheme)]
    except ScenarioError:
        raise
    except DAMAGED:
        raise _foreign(path) from None


def _features(path: Path, scheme: str) -> Iterator[dict[str, Any]]:
    """The features of a scheme, of a file that polhode has written: one a line, so that memory stays bounded."""
    try:
        with path.open(encoding="utf-8") as file:
            for line in file:
                if line.startswith('{"type": "Feature"') and f'"scheme": "{scheme}"' in line:
                    yield json.loads(line.rstrip().rstrip(","))
    except OSError as error:
        raise ScenarioError("export.results", f"cannot be read: {error.strerror or error}", path) from None
    except DAMAGED:
        raise _foreign(path) from None


def _foreign(path: Path) -> ScenarioError:
    return ScenarioError("export.results", "expected a file as polhode ensemble writes it", path)
