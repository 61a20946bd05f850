"""Layers of an ensemble on a picture of its terrain: paths of rocks, or a map with its title."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from app.kinds.kind import Layers
from app.system.language import tr
from physics import Scenario, ScenarioError, World
from physics.core.input_checks import DAMAGED, check_no_pipes
from physics.core.rotation import Array
from physics.core.wording import N_, joined
from physics.ensembles.identity import differences
from physics.ensembles.summary import SUMMARY, foreign, read_summary
from physics.hazard.ensemble import check_counting
from physics.hazard.maps import FEWEST, NODATA, is_yearly
from physics.hazard.rock_record import MOST_POINTS
from physics.hazard.statistics import QUANTITIES, QUANTITY_ROWS
from physics.hazard.study import INTENSITIES
from physics.scenario.file_references import with_names
from physics.scenario.fingerprints import digests
from physics.schemes.lane import lane_of
from physics.systems import kinds_of, system_of
from physics.systems.rockfall.observations import ELSEWHERE
from physics.systems.rockfall.scenario import SHARES, RockfallScenario, of_rocks
from physics.terrain.raster import open_raster
from physics.terrain.terrain import Terrain
from physics.terrain.zones import FARTHEST

if TYPE_CHECKING:
    from app.stage import Stage


MAPS = {  # what can be laid over the terrain -> title; of the QUANTITIES each with one of WORDS
    "reach_probability": "reach probability",
    "passages": "rocks that passed",
    "deposits": "rocks at rest",
    **{name: row.title for name, row in QUANTITY_ROWS.items()},
}
_QUANTILES = {name: f"{100.0 * share:.0f} %" for name, share in SHARES.items()}
WORDS = {"mean": "mean", "median": "median", **_QUANTILES, "max": "largest"}

STOPS = {
    "rest": N_("at rest"),
    "barrier": N_("held by a barrier"),
    "tree": N_("held by a tree"),
    "left-map": N_("left the map"),
    "end": N_("still moving"),
    "failed-solve": N_("no solution"),
}

REPORT = "report.pdf"  # report of a study, in the folder of its results


def title_of(layer: str) -> str:
    """A map of physics.hazard.maps for people: quantity and statistic."""
    if (title := _yearly(layer)) is not None:
        return title
    quantity, _, statistic = layer.rpartition("_")
    if quantity not in QUANTITIES or statistic not in WORDS:
        return tr(MAPS.get(layer, layer.replace("_", " ")))
    word = tr(WORDS[statistic])
    if statistic.startswith("q"):
        quantile = tr("{share} quantile of {rocks} rocks or more")
        word = quantile.format(share=WORDS[statistic], rocks=FEWEST[statistic])
    return f"{tr(MAPS[quantity])}, {word}"


def condition_of(layer: str) -> str:
    """Name of a map of physics.hazard.maps in a legend: only one that knows how often rocks start is a hazard map."""
    return tr("hazard map") if is_yearly(layer) else tr("map conditional on release")


def yearly_maps(scenario: RockfallScenario) -> tuple[str, ...]:
    """Maps of frequency and intensity that an ensemble of the scenario has; none without classes of rocks."""
    if not scenario.scenario_class:
        return ()
    limits = dict.fromkeys(f"frequency_{limit / 1e3:g}kJ" for limit in INTENSITIES[scenario.hazard.intensity])
    return ("frequency", *limits, *(f"intensity_{period:g}a" for period in scenario.hazard.return_periods))


def study_maps(scenario: RockfallScenario) -> tuple[str, ...]:
    """Maps on the plans of a study: frequency, intensities, and energy and height of the longest return period."""
    longest = max(scenario.hazard.return_periods)
    intensities = (f"intensity_{period:g}a" for period in scenario.hazard.return_periods)
    return ("frequency", *intensities, f"energy_{longest:g}a", f"height_{longest:g}a")


def _yearly(layer: str) -> str | None:
    """The title of a map of a study; None of another."""
    what, _, bound = layer.partition("_")
    if what == "frequency":
        if not bound:
            return tr("passages in a year")
        unit = "kJ" if bound.endswith("kJ") else "m"
        return tr("passages in a year above {bound}").format(bound=f"{bound.removesuffix(unit)} {unit}")
    titles = {"intensity": tr("intensity"), "energy": tr("kinetic energy"), "height": tr("height")}
    if what not in titles or not bound.endswith("a"):
        return None
    period = bound.removesuffix("a")
    return tr("{quantity}, return period {period} years").format(quantity=titles[what], period=period)


def lane_title(name: str) -> str:
    """The title of a lane's scheme, and the lane's own variant and step, if it has them."""
    lane = lane_of(name)
    return tr(lane.scheme.title) + lane.row.title.removeprefix(lane.scheme.title)


def in_zone(name: str) -> str:
    """Name of a zone as the place in which a share of the rocks stopped."""
    return tr("elsewhere") if name == ELSEWHERE else tr("in {zone}").format(zone=name)


MAX_FEATURE_BYTES = 1_000_000_000  # bytes of a file of features: 15 million points of paths, or 2 million rests
_Taken = TypeVar("_Taken")


@dataclass(frozen=True)
class PathFile:
    """Paths of rocks in a file, see app.stage.ground.marks.PathTable."""

    rock: np.ndarray
    offsets: np.ndarray
    points: np.ndarray
    values: np.ndarray


def check_layers(scenario: Scenario) -> None:
    """ScenarioError where the results or the map that the export table names are not there."""
    _shown_results(scenario)


def _shown_results(scenario: Scenario) -> Results | None:
    results = results_of(scenario)
    if results is not None and scenario.export.map is None and not os.path.isfile(results.folder / "paths.geojson"):
        text = N_("has no paths; expected results of polhode ensemble --paths")
        raise ScenarioError("export.results", text, results.folder)
    return results


class Results(NamedTuple):
    """A folder of results: its place, its summary, and the fields that had other values, see ``edited_fields``."""

    folder: Path
    summary: dict[str, Any]
    edited: tuple[str, ...]


def results_of(scenario: Scenario) -> Results | None:
    """The results that the export table names, checked, with the map if one is named; None: it names none."""
    export = scenario.export
    if export.results is None:
        if export.map is not None:
            raise ScenarioError("export.map", N_("expected together with the folder of an ensemble's results"))
        return None
    if not system_of(scenario).ensembles:
        raise ScenarioError(
            "export.results",
            N_("applies to {ensembles}, got '{kind}'", kinds_of(lambda row: row.ensembles), scenario.kind),
        )
    if export.whose is not None and export.whose not in scenario.schemes:
        names = ", ".join(scenario.schemes)
        raise ScenarioError(
            "export.whose", N_("expected one of the scenario's schemes, {names}, got '{whose}'", names, export.whose)
        )
    folder = scenario.path(export.results)
    if not os.path.isfile(folder / SUMMARY):
        raise ScenarioError("export.results", N_("expected a folder that polhode ensemble has written"), folder)
    summary = read_summary(folder)
    fields = _edited_since(scenario, folder, summary)
    if terrain := [field for field in fields if field.startswith("terrain") and field != WINDOW]:
        text = N_("are of another terrain than the scenario's: {fields} differs", terrain[0])
        raise ScenarioError("export.results", text, folder)
    if export.map not in (None, "deposits"):
        check_counting(summary.get("counting"), folder)
    if export.map is not None and not maps_of(scenario):
        found = maps_in(scenario)
        some = ", ".join(found) if found else N_("no map of {schemes}", joined(" or ", scenario.schemes))
        raise ScenarioError("export.map", N_("there is no '{map}'; found {some}", export.map, some), folder)
    return Results(folder, summary, fields)


COUNTS = {"rocks", "rock", "seed"}  # keys of ensembles that decide how many fall, and which one alone
# tables and keys that are no matter for the rocks of results
_OF_LOOKS = {"view", "export", "film", "title", "note", "source", "folder"}
_ASIDE = _OF_LOOKS | {"schemes", "scheme_files", "record_every", "batch", "edit", "measured", "fitted"}
_OF_PARTS = {"release", "scenario_class"}  # in which gathered parts differ
WINDOW = "terrain.window"
Files = Mapping[str, str]  # names in a scenario -> what each file holds


def edited_fields(
    results: Scenario, shown: Scenario, files: tuple[Files, Files] | None = None, aside: Collection[str] = ()
) -> tuple[str, ...]:
    """Dotted names of the fields in which a scenario has other values than that of results; those aside are left out.

    files : of either scenario; files that it lacks are known by their names, and without it all by their places
    """

    def compared(one: Scenario, known: Files | None) -> dict[str, Any]:
        plain = json.loads(one.model_dump_json(by_alias=True))  # in full: what is unset has its default
        kept = {key: value for key, value in plain.items() if key not in _ASIDE and key not in aside}
        kept["ensemble"] = {key: value for key, value in kept["ensemble"].items() if key not in COUNTS}

        def place(name: str) -> str:
            return os.path.abspath(one.path(name)) if known is None else known.get(name, Path(name).name)

        named: dict[str, Any] = with_names(kept, place)
        return named

    theirs, mine = files or (None, None)
    return tuple(differences(compared(results, theirs), compared(shown, mine)))


def _edited_since(scenario: Scenario, folder: Path, summary: dict[str, Any]) -> tuple[str, ...]:
    """Fields that had other values when the results of a summary were computed; files are compared by what they hold.

    A window of the terrain leaves the map of all of it what it is.
    """
    try:
        results = of_rocks(Scenario(**summary["scenario"], folder=str(folder)))
        theirs = dict(summary.get("files", {}))
    except DAMAGED:
        raise foreign(folder / SUMMARY) from None
    files, aside = (theirs, digests(scenario)), {"observed"} | (_OF_PARTS if "parts" in summary else set())
    fields = edited_fields(results, scenario, files, aside)
    whole = results.terrain is None or results.terrain.window is None
    return tuple(field for field in fields if field != WINDOW or not whole)


def notes_since(scenario: Scenario) -> tuple[str, ...]:
    """A sentence on the fields that were edited since; none where there are none."""
    results = results_of(scenario)
    if results is None or not results.edited:
        return ()
    fields = results.edited
    named = ", ".join(fields[:4]) + (", …" if len(fields) > 4 else "")
    return (N_("{name}: the results are of other values of {fields}", results.folder.name, named),)


def lay(stage: Stage, world: World) -> None:
    """Show what the export table of the world's scenario names, in each viewport the results of its own scheme.

    ScenarioError where it cannot be read, or holds nothing of any of the schemes.
    """
    scenario = world.scenario
    results = _shown_results(scenario)
    if results is None:
        return
    land = stage.land
    assert land is not None
    terrain = land.world.terrain
    land.prefer(scenario.export.whose or "")
    land.since = tr("; of values before the last edit") if results.edited else ""
    if scenario.export.map is not None:
        read = {name: read_map(path, terrain) for name, path in maps_of(scenario).items()}
        title, unit, _ = next(iter(read.values()))
        maps = {name: values for name, (_, _, values) in read.items()}
        laid = land.painted(title, unit, maps, condition_of(scenario.export.map))
        land.show_results(None, laid)
        stage.show(stage.time)
        return
    folder = results.folder
    paths = {name: _paths(folder / "paths.geojson", name, terrain) for name in scenario.schemes}
    known = {name: found for name, found in paths.items() if found is not None}
    if not known:
        raise _none(folder / "paths.geojson", joined(" or ", scenario.schemes))
    deposits = folder / "deposits.geojson"
    rested = {name: np.isin(found.rock, _features(deposits, name, _rock)) for name, found in known.items()}
    land.show_results(land.path_geometry(known, scenario.view.colour, rested), None)
    stage.show(stage.time)


def _mapped(scenario: Scenario, scheme: str) -> Path:
    """Folder of the maps of a scheme."""
    assert scenario.export.results is not None
    return scenario.path(scenario.export.results) / "maps" / scheme


def maps_in(scenario: Scenario) -> list[str]:
    """The names of all maps in the folder of results that the export table names; none where it names none."""
    if scenario.export.results is None:
        return []
    return sorted({path.stem for name in scenario.schemes for path in _mapped(scenario, name).glob("*.tif")})


def titled_maps(scenario: Scenario) -> dict[str, str]:
    """The names of ``maps_in`` by their titles."""
    return {title_of(name): name for name in maps_in(scenario)}


def maps_of(scenario: Scenario) -> dict[str, Path]:
    """Scheme -> the map that the export table names, of those that have it."""
    paths = {name: _mapped(scenario, name) / f"{scenario.export.map}.tif" for name in scenario.schemes}
    return {name: path for name, path in paths.items() if os.path.isfile(path)}


def read_map(path: Path, terrain: Terrain) -> tuple[str, str, Array]:
    """Title, unit and values (ny, nx), row 0 the southernmost, of a map on the terrain's grid; NaN: none."""
    from rasterio.errors import RasterioError

    try:
        with open_raster(path) as file:
            (west, north), (dx, dy), (x0, _, _, y1) = (file.bounds.left, file.bounds.top), terrain.cell, terrain.extent
            apart = max(abs(west + dx / 2 - x0), abs(north - dy / 2 - y1))
            if file.shape != terrain.heights.shape or apart > 0.01 * min(dx, dy):
                raise ScenarioError("export.map", N_("lies on another grid than the scenario's terrain"), path)
            values, tags = file.read(1)[::-1].astype(float), file.tags()
    except RasterioError as error:
        raise ScenarioError("export.map", N_("not a readable map: {error}", str(error).splitlines()[0]), path) from None
    unit = str(tags.get("unit", ""))
    return title_of(path.stem), "" if unit == "1" else unit, np.where(values == NODATA, np.nan, values)


def read_paths(path: Path, scheme: str, terrain: Terrain) -> PathFile:
    """The paths of a scheme's rocks; ScenarioError where the file is not what polhode has written, or has none."""
    found = _paths(path, scheme, terrain)
    if found is None:
        raise _none(path, scheme)
    return found


def read_deposits(path: Path, scheme: str) -> Array:
    """Resting places x, y (n, 2) [m] of a scheme's rocks; ScenarioError if the file is not as polhode writes it."""
    places = _features(path, scheme, lambda feature: [float(x) for x in feature["geometry"]["coordinates"][:2]])
    found = np.array(places, float).reshape(-1, 2)
    if not (np.abs(found) < FARTHEST).all():  # also NaN
        raise _foreign(path)
    return found


def _none(path: Path, scheme: str) -> ScenarioError:
    return ScenarioError("export.results", N_("holds no paths of {scheme}", scheme), path)


def _paths(path: Path, scheme: str, terrain: Terrain) -> PathFile | None:
    """The paths of a scheme's rocks; None: there are none."""
    rock, points, values = [], [], []
    offsets = [0]
    for number, places, along in _features(path, scheme, _line):
        if places.shape != (len(along), 3) or along.shape[1:] != (len(QUANTITIES),):
            raise _foreign(path)
        if offsets[-1] + len(places) > MOST_POINTS:
            raise _foreign(path)
        here = places - (*terrain.origin, 0.0)
        if not (np.abs(here) < FARTHEST).all() or not (np.abs(along) < FARTHEST**2).all():  # also NaN
            raise _foreign(path)
        rock.append(number)
        points.append(here.astype(np.float32))
        values.append(along.astype(np.float32))
        offsets.append(offsets[-1] + len(here))
    if not rock:
        return None
    return PathFile(np.array(rock), np.array(offsets), np.concatenate(points), np.concatenate(values))


def _line(feature: dict[str, Any]) -> tuple[np.int64, Array, Array]:
    """Number of the rock, places (n, 3) and values (n, quantities) of a path."""
    rock, places = _rock(feature), np.array(feature["geometry"]["coordinates"], float)
    return rock, places, np.array([feature["properties"][name] for name in QUANTITIES], float).T


def _rock(feature: dict[str, Any]) -> np.int64:
    """The number of the rock of a feature."""
    return np.int64(int(feature["properties"]["rock"]))


def _features(path: Path, scheme: str, take: Callable[[dict[str, Any]], _Taken]) -> list[_Taken]:
    """Results of ``take`` for each feature of a scheme, in a file written by polhode or saved again by a GIS.

    Each feature is taken as soon as it is read: as Python's lists a million points fill 420 MB, so 130 MB.
    """
    found: list[_Taken] = []

    def taken(table: dict[str, Any]) -> dict[str, Any] | None:
        if table.get("type") != "Feature":
            return table
        if table["properties"]["scheme"] == scheme:
            found.append(take(table))
        return None

    check_no_pipes(path)
    try:
        if path.stat().st_size <= MAX_FEATURE_BYTES:
            with path.open(encoding="utf-8-sig") as file:
                json.load(file, object_hook=taken)
            return found
    except OSError as error:
        raise ScenarioError("export.results", N_("cannot be read: {error}", error.strerror or error), path) from None
    except DAMAGED:
        raise _foreign(path) from None
    raise _foreign(path)


def _foreign(path: Path) -> ScenarioError:
    return ScenarioError("export.results", N_("expected a file as polhode ensemble writes it"), path)


LAYERS = Layers(check_layers, lay, titled_maps, notes_since)
