"""Entries of a benchmark: what a program computed for measured runs, read from tables and scored.

A site has measured runs, an entry some rocks for each of them. Every run is compared with the rocks of its own. The
distance of all computed values from all measured ones is that of Wasserstein (W1). The score of each run is the
continuous ranked probability score: the mean distance of its rocks from the measured value, less half their mean
distance from one another (Gneiting & Raftery 2007, Journal of the American Statistical Association 102, 359-378), in
the form whose mean does not depend on the number of rocks (Ferro 2014, Quarterly Journal of the Royal Meteorological
Society 140, 1917-1923). It is smallest for the true distribution, and for one rock it is the distance itself.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from physics.core.errors import ScenarioError
from physics.core.json_text import json_text
from physics.core.rotation import Array
from physics.core.text_tables import Columns, read_columns
from physics.core.wording import N_
from physics.hazard.lane_distributions import aside_angles
from physics.hazard.ranks import Mask, Ranks, of_runs, ranks_each
from physics.hazard.rock_record import off_fall_line
from physics.hazard.validation import measured_runouts, paired
from physics.io.trajectory_writers import write_csv
from physics.systems.rockfall.world import RockfallWorld

NUMBERS = ("rock", "x", "y", "z", "energy", "deflection", "rested")
COLUMNS = ("site", "run", "class", *NUMBERS)  # columns of an entry
LABELS = ("class", "comment")  # columns that act on nothing
ALL = "all"  # name of the score of all runs, beside those of classes
LEAST_ROCKS = 19  # of each run, for ranks: with fewer a value beyond all rocks could lie within their 90 % band
GROWING = "runout"  # the quantity of which a rock that moves on can only have more
NAMED = 3  # runs that a message names
START = ("mass", "L1", "L2", "L3", "speed", "into")  # keys of a contact


@dataclass(frozen=True)
class Computed:
    """Rocks of one site.

    Attributes
    ----------
    runs : (m,) index of the run of each
    numbers : of NUMBERS, (m,) each: x, y, z [m] of the stop; energy [J]; deflection [°]; rested: 0 where a rock was
        still moving; NaN where not known
    """

    runs: NDArray[np.int64]
    numbers: Mapping[str, Array]


@dataclass(frozen=True)
class BenchmarkSite(ABC):
    """Measured runs.

    Attributes
    ----------
    name : in the column site of an entry
    title : for people
    runs, classes : (n,) name of each run, and of the kind of its block, "" where it has none
    observed : what was measured, a row a run
    """

    name: str
    title: str
    runs: tuple[str, ...]
    classes: tuple[str, ...]
    observed: Computed

    needed: ClassVar[tuple[str, ...]]  # columns that a row of an entry must have

    @abstractmethod
    def values(self, computed: Computed) -> dict[str, Array]:
        """Values that are compared, by quantity (m,): runout [m], deflection [°], energy [J]."""

    def rested(self, computed: Computed) -> NDArray[np.bool_]:
        """True for each rock (m,) that is known to have come to rest."""
        known = computed.numbers.get("rested")
        return np.ones(len(computed.runs), bool) if known is None else ~(known == 0.0)

    def check(self, table: Columns, rows: NDArray[np.int64]) -> None:
        """Raise ScenarioError for rows of a table that cannot be of this site."""
        for name in self.needed:
            values = table.numbers.get(name)
            for row in rows.tolist():
                if values is None or np.isnan(values[row]):
                    place = N_("line {number}, {name}", table.lines[row], name)
                    raise ScenarioError(
                        place, N_("missing; expected a number in each row of the site {site}", self.name), table.path
                    )


@dataclass(frozen=True)
class Slope(BenchmarkSite):
    """A slope on which rocks were let go and stopped; its rocks start one after the other where those did."""

    world: RockfallWorld

    needed = ("x", "y")

    @staticmethod
    def of(world: RockfallWorld, name: str, title: str) -> Slope:
        """The measured stops of a world; ScenarioError without any, or where rocks start elsewhere."""
        stops = world.observed.stops
        if stops is None:
            raise ScenarioError("observed.stops", N_("missing; expected a file of measured stops"))
        measured_runouts(world, stops)  # of two or more stops
        if not paired(world, stops):
            raise ScenarioError(
                "release", N_("expected the places at which the measured rocks were let go, in their order")
            )
        _of_own_names(stops.names, lambda _: "name", stops.path)
        numbers = dict(zip("xy", stops.places.T, strict=True))
        classes = stops.blocks or ("",) * len(stops)
        return Slope(name, title, stops.names, classes, Computed(np.arange(len(stops)), numbers), world)

    @property
    def releases(self) -> Array:
        """Places at which the runs began (n, 2) [m]."""
        stops = self.world.observed.stops
        assert stops is not None
        return stops.releases

    def values(self, computed: Computed) -> dict[str, Array]:
        """Run-out, and the angle of the stop beside the line of fall of the release."""
        terrain = self.world.terrain
        corner = np.array(terrain.extent)[[0, 2]]
        starts, places = self.releases[computed.runs], _places(computed.numbers)
        runout = np.hypot(*(places - starts).T)
        aside = [
            off_fall_line(terrain.heights, terrain.cell, start - corner, place - corner)
            for start, place in zip(starts, places, strict=True)
        ]
        return {"runout": runout, "deflection": aside_angles(np.array(aside), runout)}

    def rested(self, computed: Computed) -> NDArray[np.bool_]:
        """True for each rock (m,) that is known to have come to rest on the map."""
        x0, x1, y0, y1 = self.world.terrain.extent
        x, y = _places(computed.numbers).T
        return np.asarray(super().rested(computed) & (x >= x0) & (x <= x1) & (y >= y0) & (y <= y1), bool)

    def check(self, table: Columns, rows: NDArray[np.int64]) -> None:
        """Also for stops that lie as far off the map as it is wide."""
        super().check(table, rows)
        x0, x1, y0, y1 = self.world.terrain.extent
        for name, low, high in (("x", x0, x1), ("y", y0, y1)):
            for row in rows.tolist():
                value, room = table.numbers[name][row], high - low
                if not low - room <= value <= high + room:
                    text = N_(
                        "{value:.10g} lies far off the map of {site}; expected metres from about {low:g} to {high:g}",
                        *(value, self.name, low, high),
                    )
                    raise ScenarioError(N_("line {number}, {name}", table.lines[row], name), text, table.path)


@dataclass(frozen=True)
class Contacts(BenchmarkSite):
    """Single contacts of blocks with the ground.

    Attributes
    ----------
    soils : (n,) preset of each
    starts : mass [kg], L1, L2, L3 [m], speed [m/s], into: angle [°] of the velocity into the ground, slope [°] of that;
        (n,) each
    """

    soils: tuple[str, ...]
    starts: Mapping[str, Array]

    needed = ("energy",)

    @staticmethod
    def read(path: Path, title: str = "") -> Contacts:
        """The contacts of a table: run, soil, mass, L1, L2, L3, speed, into, energy; also class, slope, deflection."""
        table = read_columns(
            path,
            "contacts",
            needed=(*(name.lower() for name in START), "energy"),
            optional=("slope", "deflection"),
            words=("run", "soil"),
            labels=("class", "comment", "source"),
        )
        numbers = {name: table.numbers[name.lower()] for name in START}
        level = np.zeros(len(table.lines))
        numbers["slope"] = np.nan_to_num(table.numbers.get("slope", level))
        for name in (*START, "energy"):
            for line, value in zip(table.lines, table.numbers[name.lower()].tolist(), strict=True):
                if not value > 0.0:
                    place = N_("line {number}, {name}", line, name)
                    raise ScenarioError(place, N_("expected a number above 0, got {value:g}", value), table.path)
        runs, classes = table.words["run"], table.words.get("class", [""] * len(table.lines))
        _of_own_names(runs, lambda number: N_("line {number}, {name}", table.lines[number], "run"), path)
        names: tuple[str, ...] = ("energy", "deflection")
        measured = {name: table.numbers[name] for name in names if name in table.numbers}
        observed = Computed(np.arange(len(runs)), measured)
        return Contacts(
            path.stem, title or path.stem, tuple(runs), tuple(classes), observed, tuple(table.words["soil"]), numbers
        )

    def check(self, table: Columns, rows: NDArray[np.int64]) -> None:
        """Also for energies below 0."""
        super().check(table, rows)
        for row in rows.tolist():
            if (value := table.numbers["energy"][row]) < 0.0:
                place = N_("line {number}, {name}", table.lines[row], "energy")
                raise ScenarioError(place, N_("expected 0 or more, got {value:g}", value), table.path)

    def values(self, computed: Computed) -> dict[str, Array]:
        """Energy of translation after the contact, and by how much the velocity turned, where both know it."""
        return {name: computed.numbers[name] for name in ("energy", "deflection") if name in computed.numbers}


def _of_own_names(runs: Sequence[str], place: Callable[[int], str], path: Path) -> None:
    """Raise ScenarioError for two runs of one name, which no entry could tell apart, at the place of the second."""
    seen = set[str]()
    for number, name in enumerate(runs):
        if name in seen:
            text = N_("'{name:.40}' twice; expected a name of its own for each run", name)
            raise ScenarioError(place(number), text, path)
        seen.add(name)


@dataclass(frozen=True)
class BenchmarkEntry:
    """Rocks that a program computed: site -> rocks."""

    name: str
    sites: Mapping[str, Computed]


@dataclass(frozen=True)
class EntryScore:
    """One quantity of an entry beside that of some runs, in the quantity's unit.

    Attributes
    ----------
    runs, rocks : number of runs, and of computed values
    mean, std : of the computed values, each run as much as any other
    bias : mean of the computed less that of the measured values
    wasserstein : W1 of all computed values, each run as much as any other, from all measured ones
    crps : mean continuous ranked probability score
    ranks : of measured values in those of their own rocks; None where some run has fewer than LEAST_ROCKS
    """

    runs: int
    rocks: int
    mean: float
    std: float
    bias: float
    wasserstein: float
    crps: float
    ranks: Ranks | None

    def facts(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return asdict(self) | {"ranks": None if self.ranks is None else self.ranks.facts()}


def crps(measured: float, computed: Array) -> float:
    """Continuous ranked probability score of computed values (m,) that have nothing to tell them apart.

    In the form of Ferro 2014, by sorting; of a single value its distance.
    """
    m, ordered = len(computed), np.sort(computed)
    apart = float(np.abs(ordered - measured).mean())
    if m == 1:
        return apart
    weights = 2.0 * np.arange(m) - (m - 1.0)
    return apart - float(weights @ ordered) / (m * (m - 1.0))


# ---- scores -------------------------------------------------------------------------------------------


def scores(site: BenchmarkSite, computed: Computed) -> dict[str, dict[str, EntryScore]]:
    """Scores by quantity, then of all runs and of each class.

    Run-outs of rocks that did not come to rest are lower bounds for ranks. Other quantities could still rise or fall,
    and count as they are.
    """
    measured, found, rested = site.values(site.observed), site.values(computed), site.rested(computed)
    rocks, runs = of_runs(computed.runs, len(site.runs)), range(len(site.runs))
    parts = {ALL: list(runs)}
    if len(kinds := dict.fromkeys(site.classes)) > 1:
        parts |= {name: [run for run in runs if site.classes[run] == name] for name in kinds}
    told = dict[str, dict[str, EntryScore]]()
    for what in measured:
        if what in found:
            known = [one[np.isfinite(found[what][one])] for one in rocks]
            own = [(found[what][one], rested[one] if what == GROWING else None) for one in known]
            counted = {name: _counted(part, measured[what], own) for name, part in parts.items()}
            told[what] = {name: _score(measured[what], own, part) for name, part in counted.items() if part}
    return told


Own = tuple[Array, Mask | None]  # values of the rocks of a run, and whether these are final; None: as they are


def _counted(part: Sequence[int], measured: Array, own: Sequence[Own]) -> list[int]:
    """The runs of a part of which a measured and a computed value are known."""
    return [run for run in part if np.isfinite(measured[run]) and len(own[run][0])]


def _score(measured: Array, own: Sequence[Own], part: Sequence[int]) -> EntryScore:
    """Score of a part of the runs."""
    from scipy.stats import wasserstein_distance  # here: it takes half a second to load

    values, truth = [own[run][0] for run in part], measured[list(part)]
    pooled = np.concatenate(values)
    weights = np.concatenate([np.full(len(one), 1.0 / len(one)) for one in values])
    mean = float(np.average(pooled, weights=weights))
    enough = all(len(one) >= LEAST_ROCKS for one in values)
    return EntryScore(
        runs=len(part),
        rocks=len(pooled),
        mean=mean,
        std=float(np.sqrt(np.average((pooled - mean) ** 2, weights=weights))),
        bias=mean - float(truth.mean()),
        wasserstein=float(wasserstein_distance(truth, pooled, v_weights=weights)),
        crps=float(np.mean([crps(value, one) for value, one in zip(truth.tolist(), values, strict=True)])),
        ranks=ranks_each(truth, [own[run] for run in part]) if enough else None,
    )


# ---- files --------------------------------------------------------------------------------------------


def read_entry(path: Path, sites: Sequence[BenchmarkSite]) -> BenchmarkEntry:
    """The entry of a table (.csv, or .json: an array of objects), named as its file.

    Columns are site, run, and those of NUMBERS that its sites need.
    Raises ScenarioError, naming line and column, for a site or run that is not known, a number that is missing, a stop
    far off the map, a rock that is there twice, and a site of which some runs have no rock.
    """
    table = read_columns(path, "stops", needed=(), optional=NUMBERS, words=("site", "run"), labels=LABELS, records=True)
    named = {site.name: site for site in sites}
    rows: dict[str, list[int]] = {}
    for row, name in enumerate(table.words["site"]):
        if name not in named:
            place = N_("line {number}, {name}", table.lines[row], "site")
            text = N_("expected one of {sites}, got '{name:.40}'", ", ".join(named), name)
            raise ScenarioError(place, text, table.path)
        rows.setdefault(name, []).append(row)
    return BenchmarkEntry(path.stem, {name: _computed(named[name], table, np.array(own)) for name, own in rows.items()})


def _computed(site: BenchmarkSite, table: Columns, rows: NDArray[np.int64]) -> Computed:
    number = {name: i for i, name in enumerate(site.runs)}
    runs = np.empty(len(rows), np.int64)
    seen = dict[tuple[int, float], int]()
    rocks = table.numbers.get("rock")
    for i, row in enumerate(rows.tolist()):
        name, line = table.words["run"][row], table.lines[row]
        if name not in number:
            text = N_(
                "the site {site} has no run '{name:.40}'; expected one such as {runs}", site.name, name, _few(site.runs)
            )
            raise ScenarioError(N_("line {number}, {name}", line, "run"), text, table.path)
        runs[i] = number[name]
        if rocks is not None and not np.isnan(rocks[row]):
            first = seen.setdefault((number[name], float(rocks[row])), line)
            if first != line:
                text = N_(
                    "rock {rock:g} of run {run} stands in line {first} too; expected each once", rocks[row], name, first
                )
                raise ScenarioError(N_("line {number}, {name}", line, "rock"), text, table.path)
    site.check(table, rows)
    if lacking := [name for i, name in enumerate(site.runs) if not (runs == i).any()]:
        text = N_(
            "no row for {lacking} of the {count} runs of the site {site}, such as {runs}; expected one or more of each",
            *(len(lacking), len(site.runs), site.name, _few(lacking)),
        )
        raise ScenarioError("run", text, table.path)
    return Computed(runs, {name: values[rows] for name, values in table.numbers.items()})


def _few(names: Sequence[str]) -> str:
    return ", ".join(names[:NAMED])


def write_entry(path: Path, ending: str, entry: BenchmarkEntry, sites: Sequence[BenchmarkSite]) -> None:
    """Write an entry as ``read_entry`` reads it, .csv or .json; numbers to a thousandth of their unit."""
    rows = list(_rows(entry, sites))
    if ending == ".csv":
        write_csv(path, COLUMNS, rows)
        return
    records = (dict(zip(COLUMNS, row, strict=True)) for row in rows)
    lines = (json_text({name: value for name, value in one.items() if value != ""}) for one in records)
    path.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")


def _rows(entry: BenchmarkEntry, sites: Sequence[BenchmarkSite]) -> Iterator[list[str | float]]:
    for site in sites:
        computed = entry.sites.get(site.name)
        if computed is None:
            continue
        columns = [computed.numbers.get(name) for name in NUMBERS]
        for i, run in enumerate(computed.runs.tolist()):
            numbers = ["" if one is None or np.isnan(one[i]) else round(float(one[i]), 3) for one in columns]
            yield [site.name, site.runs[run], site.classes[run], *numbers]


def _places(numbers: Mapping[str, Array]) -> Array:
    return np.stack([numbers["x"], numbers["y"]], axis=1)
