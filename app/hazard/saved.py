"""The saved ensemble: a folder of results that ``polhode ensemble`` or the window has written."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cached_property, partial
from itertools import islice
from pathlib import Path
from typing import IO, Any

import numpy as np

from app.hazard.layers import PathFile, read_map, read_paths
from app.hazard.source import EnsembleSource, Query, SchemeResults, Snapshot, Summary
from physics import Scenario, ScenarioError
from physics.core.input_checks import DAMAGED, finite, short_line
from physics.core.wording import joined
from physics.ensembles.summary import SUMMARY, foreign, read_summary
from physics.hazard.ensemble import buried, check_counting, checked, doubts
from physics.hazard.results_folder import COLUMNS, HEADER, STUDIED
from physics.hazard.rock_record import MOST_ROCKS
from physics.hazard.rock_rows import REASONS, RESTED, ROW
from physics.hazard.statistics import QUANTITIES, STATISTICS
from physics.hazard.validation import checked as validation
from physics.io.trajectory_readers import read_table
from physics.systems.rockfall.world import make_terrain
from physics.terrain.terrain import Terrain

MAX_LINE_BYTES = 5000  # bytes of a line of rocks.csv
_CODES = {reason: code for code, reason in REASONS.items()}


class SavedEnsemble(EnsembleSource):
    """The results in a folder; statistics and reasons are read from the summary, rows and maps when they are wanted."""

    def __init__(self, folder: str | Path, scenario: Scenario) -> None:
        self.folder = Path(folder).absolute()
        self._summaries = _summaries(self.folder, scenario)
        self._rows = _rows_in(self.folder, scenario.schemes)
        self._shown: dict[str, tuple[PathFile, np.ndarray]] = {}  # scheme -> paths and rests that were read
        super().__init__(scenario)
        self.saved = self.folder

    @property
    def done(self) -> int:
        """Rocks that are counted."""
        return next(iter(self._summaries.values())).rocks

    def row(self, rock: int) -> dict[str, Any]:
        """Scheme -> the row (physics.hazard.rock_rows.ROW) of a rock; {} where there is none of this number."""
        if not 0 <= rock < self.done or self._rows is None:
            return {}
        try:
            return {scheme: row for scheme, row in self._rows.from_rock(rock) if int(row["rock"]) == rock}
        except DAMAGED:
            raise foreign(self._rows.path) from None

    # ---- in the thread that reads -----------------------------------------------------------------------

    @cached_property
    def _terrain(self) -> Terrain:
        return make_terrain(self.scenario)

    def see(self, wanted: Query) -> Snapshot:
        left, unit = {}, ""
        for name in wanted.schemes:
            if name in self._summaries:
                values = None
                if wanted.map:
                    unit, values = self._map(name, wanted.layer)
                left[name] = SchemeResults(*self._known(name), values)
        return Snapshot(self.done, wanted, self._summaries, left, unit)

    def _map(self, scheme: str, layer: str) -> tuple[str, np.ndarray]:
        """Unit and values (cells,) of a scheme's map."""
        try:
            _, unit, values = read_map(self.folder / "maps" / scheme / f"{layer}.tif", self._terrain)
        except ScenarioError as error:
            raise ScenarioError("", error.message, error.file) from None
        return unit, values.ravel()

    def _known(self, scheme: str) -> tuple[PathFile, np.ndarray]:
        """See ``_paths``; read once."""
        if scheme not in self._shown:
            self._shown[scheme] = self._paths(scheme)
        return self._shown[scheme]

    def _paths(self, scheme: str) -> tuple[PathFile, np.ndarray]:
        """The paths of a scheme's first rocks, and which of these came to rest; only ends where no paths were saved."""
        ends = [] if self._rows is None else self._rows.first(scheme, MOST_ROCKS)
        rested = {int(row["rock"]) for row in ends if row["stop_reason"] in RESTED}
        path = self.folder / "paths.geojson"
        try:
            paths = read_paths(path, scheme, self._terrain) if path.is_file() else _ends(ends, self._terrain)
        except ScenarioError as error:
            raise ScenarioError("", error.message, error.file) from None
        return paths, np.isin(paths.rock, list(rested))


def _ends(rows: list[Any], terrain: Terrain) -> PathFile:
    """Resting places of rocks, as paths of no length."""
    places = np.array([[row["x"], row["y"], row["z"]] for row in rows]).reshape(-1, 3) - (*terrain.origin, 0.0)
    points = np.repeat(places, 2, axis=0).astype(np.float32)
    rock = np.array([int(row["rock"]) for row in rows], np.int64)
    return PathFile(rock, 2 * np.arange(len(rows) + 1), points, np.full((len(points), len(QUANTITIES)), np.nan))


# ---- the summary --------------------------------------------------------------------------------------


def _summaries(folder: Path, scenario: Scenario) -> dict[str, Summary]:
    """Summaries of the rocks of each scheme."""
    summaries = {}
    try:
        summary = read_summary(folder)
    except DAMAGED:
        raise foreign(folder / SUMMARY) from None
    check_counting(summary.get("counting"), folder)
    try:
        coarse = {scheme: checked(found) for scheme, found in summary["coarse_steps"].items()}
        for scheme, found in summary["schemes"].items():
            if scheme not in scenario.schemes:
                raise foreign(folder / SUMMARY)
            measures = {name: _numbers(found[name]) for name in (*QUANTITIES, "runout")}
            reasons = {str(reason): int(count) for reason, count in found["stop_reasons"].items()}
            barriers = [dict(barrier) for barrier in found["barriers"]]
            median = found["runout_kaplan_meier"]["median"]
            median = None if median is None else finite(median)
            steps = {scheme: coarse[scheme]} if scheme in coarse else {}
            starts = found["starts_in_ground"]
            sunk = buried(int(starts["rocks"]), finite(starts["deepest"]), int(found["rocks"]))
            doubt = joined("\n", [*doubts(steps, scenario.step), *sunk])
            compared = validation(summary.get("validation", {}).get(scheme, {}))
            summaries[scheme] = Summary(int(found["rocks"]), measures, reasons, barriers, median, doubt, compared)
    except DAMAGED:
        raise foreign(folder / SUMMARY) from None
    if not summaries:
        raise foreign(folder / SUMMARY)
    return summaries


def _numbers(table: dict[str, Any]) -> dict[str, float]:
    return {name: finite(table[name]) for name in STATISTICS}


# ---- the rows -----------------------------------------------------------------------------------------


class _Csv:
    """rocks.csv, whose lines are sorted by rock: one is found by halving, so that no table need be read as a whole."""

    def __init__(self, path: Path, schemes: tuple[str, ...]) -> None:
        self.path, self._schemes = path, schemes

    def from_rock(self, rock: int) -> Iterator[tuple[str, Any]]:
        """Scheme and row of a rock, one after the other."""
        with self.path.open("rb") as file:
            header = short_line(file, MAX_LINE_BYTES).decode().strip().split(",")
            if header[: len(HEADER)] != HEADER:
                raise ValueError(self.path)
            file.seek(_place(file, rock))
            for _ in self._schemes:
                yield _read(short_line(file, MAX_LINE_BYTES))

    def first(self, scheme: str, count: int) -> list[Any]:
        """The rows of a scheme's first rocks."""
        found = []
        try:
            with self.path.open("rb") as file:
                short_line(file, MAX_LINE_BYTES)
                for line in islice(iter(partial(short_line, file, MAX_LINE_BYTES), b""), count * len(self._schemes)):
                    name, row = _read(line)
                    if name == scheme:
                        found.append(row)
        except DAMAGED:
            raise foreign(self.path) from None
        return found


def _place(file: IO[bytes], rock: int) -> int:
    """Place of the first line of a rock in a file that stands behind its header."""
    low, high = file.tell(), file.seek(0, os.SEEK_END)  # the line begins in low ... high
    while low < high:
        middle = (low + high) // 2
        file.seek(middle)
        if middle > low:
            short_line(file, MAX_LINE_BYTES)  # of a line that began before
        line = short_line(file, MAX_LINE_BYTES)
        if not line or int(line.split(b",")[1]) >= rock:
            high = middle
        else:
            low = file.tell()
    file.seek(low)
    return low


def _read(line: bytes) -> tuple[str, Any]:
    """Scheme and row in a line of rocks.csv."""
    scheme, *words = line.decode().strip().split(",")
    if len(words) not in (len(_COLUMNS), len(_COLUMNS) + len(STUDIED)):
        raise ValueError(line)
    return scheme, _row(dict(zip(_COLUMNS, words, strict=False)))


_COLUMNS = COLUMNS[1:]


def _row(values: dict[str, Any]) -> Any:
    """A record of type ROW."""
    row = np.zeros(1, ROW)
    for name, value in values.items():
        row[name] = _CODES[value] if name == "stop_reason" else finite(value)
    return row[0]


class _Parquet:
    """rocks.parquet, of which only the rows that are wanted are read."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def from_rock(self, rock: int) -> Iterator[tuple[str, Any]]:
        """Scheme and row of a rock."""
        yield from self._where([("rock", "==", rock)])

    def first(self, scheme: str, count: int) -> list[Any]:
        """The rows of a scheme's first rocks."""
        return [row for _, row in self._where([("rock", "<", count), ("scheme", "==", scheme)])]

    def _where(self, filters: list[Any]) -> Iterator[tuple[str, Any]]:
        try:
            found = read_table(self.path, {"scheme", *_COLUMNS}, filters=filters).to_pylist()
            yield from [(row["scheme"], _row({name: row[name] for name in _COLUMNS})) for row in found]
        except DAMAGED:
            raise foreign(self.path) from None


def _rows_in(folder: Path, schemes: tuple[str, ...]) -> _Csv | _Parquet | None:
    """The rows of a folder; None where it has none."""
    if (folder / "rocks.csv").is_file():
        return _Csv(folder / "rocks.csv", schemes)
    return _Parquet(folder / "rocks.parquet") if (folder / "rocks.parquet").is_file() else None
