"""Observations: what was measured on a slope: where rocks stopped, their tracks, and passages through screens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from physics.core.errors import ScenarioError
from physics.core.rotation import Array
from physics.core.text_tables import Columns, read_columns
from physics.core.wording import N_
from physics.systems.rockfall.scenario import ObservedConfig
from physics.terrain.terrain import Terrain
from physics.terrain.zones import Zone, read_zones

ELSEWHERE = "elsewhere"  # the name of what lies in no zone
LABELS = ("id", "fid", "name", "label", "comment", "block", "mass", "date", "source")  # columns that act on nothing


@dataclass(frozen=True)
class Stops:
    """Measured resting places of rocks.

    Attributes
    ----------
    places : (n, 2) [m] x, y on the map
    releases : (n, 2) [m] where each was let go, NaN if that is not given
    runouts : (n,) [m] horizontal distance between the two, or as given by the file; NaN if neither is known
    path : the file
    blocks : (n,) what the column block says; empty where there is none
    names : (n,) what the column name, or id, says; else the number of each
    """

    places: Array
    releases: Array
    runouts: Array
    path: Path
    blocks: tuple[str, ...] = ()
    names: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.places)


@dataclass(frozen=True)
class Track:
    """The path of a rock: its name, and points (n, 3) [m]; z is NaN where only the place on the map is known."""

    name: str
    points: Array


@dataclass(frozen=True)
class Passages:
    """Rocks that passed a line: its name (n,), where (n, 2) [m], velocity (n,) [m/s] and height (n,) [m], or NaN.

    height : above the ground
    """

    screens: tuple[str, ...]
    places: Array
    velocities: Array
    heights: Array


@dataclass(frozen=True)
class Observations:
    """All that was measured; empty, or None, where the scenario names no file of it.

    notes : what lies off the map, one sentence a file
    """

    stops: Stops | None = None
    tracks: tuple[Track, ...] = ()
    passages: Passages | None = None
    zones: tuple[Zone, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def drawn(self) -> bool:
        """True if there is anything to be drawn."""
        return self.stops is not None or bool(self.tracks) or self.passages is not None


def observations_of(table: ObservedConfig, terrain: Terrain, folder: Path) -> Observations:
    """Measurements of a scenario on a terrain; relative names of files start at ``folder``.

    Raises ScenarioError, naming file, line and column, for a file that cannot be read.
    """
    stops = None if table.stops is None else read_stops(folder / table.stops)
    tracks = () if table.tracks is None else read_tracks(folder / table.tracks)
    passages = None if table.screens is None else read_passages(folder / table.screens)
    notes: list[str] = []
    zones: tuple[Zone, ...] = ()
    if table.zones is not None:
        found = read_zones(folder / table.zones, terrain)
        zones, notes = found.zones, list(found.notes)
    if stops is not None:
        notes += _off(stops.places, terrain, Path(table.stops or ""), N_("stops"))
        notes += _off(stops.releases, terrain, Path(table.stops or ""), N_("releases"))
    if tracks:
        notes += _off(
            np.concatenate([one.points[:, :2] for one in tracks]), terrain, Path(table.tracks or ""), N_("points")
        )
    if passages is not None:
        notes += _off(passages.places, terrain, Path(table.screens or ""), N_("passages"))
    return Observations(stops, tracks, passages, zones, tuple(notes))


def read_stops(path: Path) -> Stops:
    """The stops of a table with the columns x, y; and runout, or release_x and release_y [m]."""
    table = read_columns(
        path, "stops", needed=("x", "y"), optional=("runout", "release_x", "release_y"), labels=(*LABELS, "z")
    )
    for name, other in (("release_x", "release_y"), ("release_y", "release_x")):
        _check_beside(table, name, other)
    releases = np.stack([_given(table, "release_x"), _given(table, "release_y")], axis=1)
    places = _places(table)
    runouts = _given(table, "runout")
    _check_not_negative(table, "runout")
    found = np.where(np.isnan(runouts), np.hypot(*(places - releases).T), runouts)
    words, numbers = table.words, [str(i + 1) for i in range(len(places))]
    names = words.get("name") or words.get("id") or numbers
    return Stops(places, releases, found, table.path, tuple(words.get("block", ())), tuple(names))


def read_tracks(path: Path) -> tuple[Track, ...]:
    """The tracks of a table with the columns track, x, y and perhaps z, the points of each in their order."""
    table = read_columns(
        path, "tracks", needed=("x", "y"), optional=("z",), words=("track",), labels=(*LABELS, "t", "velocity")
    )
    points = np.column_stack([_places(table), _given(table, "z")])
    names = np.array(table.words["track"])
    tracks = []
    for name in dict.fromkeys(table.words["track"]):
        here = names == name
        if here.sum() < 2:
            line = table.lines[int(np.flatnonzero(here)[0])]
            raise ScenarioError(
                N_("line {number}, {name}", line, "track"),
                N_("'{name:.40}' has one point; expected two or more", name),
                path,
            )
        tracks.append(Track(name, points[here]))
    return tuple(tracks)


def read_passages(path: Path) -> Passages:
    """The passages of a table with the columns screen, x, y, and velocity [m/s] or height [m] or both."""
    table = read_columns(
        path,
        "passages",
        needed=("x", "y"),
        optional=("velocity", "height"),
        words=("screen",),
        labels=(*LABELS, "t", "z"),
    )
    if not table.numbers.keys() & {"velocity", "height"}:
        raise ScenarioError(N_("line {number}", 1), N_("expected a column velocity [m/s] or height [m]"), path)
    for name in ("velocity", "height"):
        _check_not_negative(table, name)
    return Passages(tuple(table.words["screen"]), _places(table), _given(table, "velocity"), _given(table, "height"))


def shares(places: Array, zones: Sequence[Zone]) -> Array:
    """The share of places (n, 2) in each zone, and elsewhere (zones + 1,); where zones overlap the later wins."""
    import shapely

    points = shapely.points(places)
    where = np.full(len(places), len(zones))
    for number, zone in enumerate(zones):
        where[shapely.intersects(zone.polygon, points)] = number
    return np.asarray(np.bincount(where, minlength=len(zones) + 1) / max(len(places), 1))


def zone_names(zones: Sequence[Zone]) -> list[str]:
    """Names of zones: their attribute name, zone or soil, or the one that differs in the file; and elsewhere."""
    keys = ("name", "zone", "soil")
    found = [next((str(z.attributes[k]) for k in keys if z.attributes.get(k)), z.where) for z in zones]
    return [*found, ELSEWHERE]


def _places(table: Columns) -> Array:
    return np.stack([table.numbers["x"], table.numbers["y"]], axis=1)


def _given(table: Columns, name: str) -> Array:
    """The numbers of a column; NaN where the file has none of it."""
    return table.numbers.get(name, np.full(len(table.lines), np.nan))


def _check_beside(table: Columns, name: str, other: str) -> None:
    """ScenarioError for a row with a number in one of two columns that belong together."""
    lone = np.flatnonzero(np.isfinite(_given(table, name)) & ~np.isfinite(_given(table, other)))
    if len(lone):
        raise ScenarioError(
            N_("line {number}, {name}", table.lines[int(lone[0])], other), N_("missing beside {name}", name), table.path
        )


def _check_not_negative(table: Columns, name: str) -> None:
    for line, value in zip(table.lines, _given(table, name), strict=True):
        if value < 0.0:
            raise ScenarioError(
                N_("line {number}, {name}", line, name), N_("expected 0 or more, got {value:g}", value), table.path
            )


def _off(places: Array, terrain: Terrain, path: Path, what: str) -> list[str]:
    """A note where some of the places lie off the map."""
    x0, x1, y0, y1 = terrain.extent
    off = int(((places[:, 0] < x0) | (places[:, 0] > x1) | (places[:, 1] < y0) | (places[:, 1] > y1)).sum())
    return [N_("{off} of {count} {what} in {file} lie off the map", off, len(places), what, path.name)] if off else []
