"""Validation: measured run-outs beside computed ones, and beside what would be found without any model.

Run-outs of rocks that did not come to rest are lower bounds. Ranks take them as such; elsewhere they count as they are,
and their share is reported.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from physics.core.errors import ScenarioError
from physics.core.input_checks import finite
from physics.core.rotation import Array
from physics.core.wording import N_
from physics.hazard.ensemble import Results
from physics.hazard.fit_parameters import fit_note
from physics.hazard.model_error import errors_of_rocks, with_error
from physics.hazard.ranks import BANDS, BINS, Mask, Ranks, of_runs, ranks_each, ranks_in
from physics.hazard.rock_record import fall_line
from physics.hazard.rock_rows import RESTED, censored_share, median_runout
from physics.systems.rockfall.observations import Stops, shares, zone_names
from physics.systems.rockfall.world import RockfallWorld
from physics.terrain.zones import Zone

_RULE = (
    "from the release; the least shadow angle of Evans & Hungr 1993, who draw it from the top of the talus; "
    "nothing is fitted"
)
QUANTILES = {"q05": 0.05, "q25": 0.25, "median": 0.5, "q75": 0.75, "q95": 0.95}
RESAMPLES, DRAWN = 1000, 2_000_000  # samples, and numbers that are drawn for all of them at most
RELEASES = 500  # releases from which the rule is followed at most
# [deg] from the release; the least shadow angle of Evans & Hungr (1993), Canadian Geotechnical Journal 30, 620-636, who
# draw it from the top of the talus, so that it reaches less far
REACH_ANGLE = 27.5


@dataclass(frozen=True)
class RunoutDistribution:
    """Values of rocks: their number, mean, standard deviation (n - 1 in the denominator) and quantiles [m].

    percentiles : (101,) [m] that 0, 1, ... 100 % of them do not exceed
    """

    rocks: int
    mean: float
    std: float
    quantiles: dict[str, float]
    percentiles: tuple[float, ...]


@dataclass(frozen=True)
class Comparison:
    """Computed run-outs beside measured ones.

    Attributes
    ----------
    computed : their distribution
    wasserstein : mean distance [m] by which the computed run-outs would have to be moved to be the measured ones
    ks, p_value : largest distance of the two cumulated shares, and how often one as large comes about by chance where
        both samples are of one distribution (Kolmogorov & Smirnov, two samples, asymptotic)
    censored, median : the share of rocks that did not come to rest, and the median of Kaplan and Meier [m], or None
    ranks : of the measured in the computed
    zones : the share of stops in each zone, and elsewhere; empty without zones
    """

    computed: RunoutDistribution
    wasserstein: float
    ks: float
    p_value: float
    ranks: Ranks
    censored: float = 0.0
    median: float | None = None
    zones: tuple[float, ...] = ()

    def facts(self) -> dict[str, Any]:
        """All numbers, as plain values."""
        return asdict(self) | {"ranks": self.ranks.facts()}


@dataclass(frozen=True)
class Resampled:
    """Distance of n values drawn from the measured ones, with repetition, from these: median and 95 % [m].

    Smaller distances of a model say nothing about it: so few stops are known no better.
    """

    median: float
    q95: float


@dataclass(frozen=True)
class Measured:
    """Measured run-outs, the effect of chance alone, and the run-outs of a rule without fitted numbers.

    Attributes
    ----------
    distribution, runouts : of the measured stops, and the values (n,) [m]
    resampled : see Resampled
    rule : every rock stops where the line of sight back to its release dips by REACH_ANGLE, straight down the fall line
    zone_names, zones : where they lie, and their shares there; empty without zones
    fitted : that the scenario is fitted, and on how many of them, in a sentence; "" where it is not
    paired : see ``paired``
    """

    distribution: RunoutDistribution
    runouts: Array
    resampled: Resampled
    rule: Comparison
    zone_names: tuple[str, ...]
    zones: tuple[float, ...]
    fitted: str = ""
    paired: bool = False

    def facts(self) -> dict[str, Any]:
        """All numbers, as plain values; lengths in metres."""
        return ({"fitted": self.fitted} if self.fitted else {}) | {
            "measured": asdict(self.distribution),
            "paired": self.paired,
            "zones": dict(zip(self.zone_names, self.zones, strict=True)),
            "baselines": {
                "resampled": asdict(self.resampled) | {"of": "samples of the measured, drawn with repetition"},
                "reach_angle": self.rule.facts() | {"angle": REACH_ANGLE, "of": _RULE},
            },
        }


@dataclass(frozen=True)
class Validation:
    """Measured run-outs, and those of each scheme.

    Attributes
    ----------
    schemes : name -> what it computed
    with_error : the same with the model's error; empty where the scenario's posterior has none
    values, stops, rested : scheme -> run-outs (rocks,) [m], where rocks were last (rocks, 2) [m], and whether they had
        come to rest there (rocks,)
    """

    measured: Measured
    schemes: dict[str, Comparison]
    with_error: dict[str, Comparison]
    values: dict[str, Array]
    stops: dict[str, Array]
    rested: dict[str, NDArray[np.bool_]]

    def facts(self) -> dict[str, Any]:
        """All numbers, as plain values; lengths in metres."""
        return self.measured.facts() | {"schemes": {name: self.facts_of(name) for name in self.schemes}}

    def facts_of(self, name: str) -> dict[str, Any]:
        """Numbers of one scheme."""
        one = self.schemes[name]
        error = {"with_error": self.with_error[name].facts()} if name in self.with_error else {}
        return one.facts() | error | {"zones": dict(zip(self.measured.zone_names, one.zones, strict=True))}


def measured_of(world: RockfallWorld, stops: Stops) -> Measured:
    """Facts of measured stops without a model; ScenarioError where they have no run-out."""
    runouts, zones = measured_runouts(world, stops), world.observed.zones
    return Measured(
        distribution=distribution(runouts),
        runouts=runouts,
        resampled=resampled(runouts),
        rule=compared(runouts, reach_runouts(world, releases(world, stops))),
        zone_names=tuple(zone_names(zones)) if zones else (),
        zones=tuple(_shares(stops.places, zones)),
        fitted=fit_note(world.scenario, stops),
        paired=paired(world, stops),
    )


NEAR = 0.1  # [m] a rock starts where the run did


def paired(world: RockfallWorld, stops: Stops) -> bool:
    """Return True if the scenario's rocks start, one after the other, where the measured ones were released."""
    source = world.source
    if source is None or not source.in_turn or len(source.corner) != len(stops):
        return False
    apart = np.hypot(*(stops.releases - source.corner).T)
    return bool((apart < NEAR).all())  # NaN, an unknown release, is not near


def validate(world: RockfallWorld, measured: Measured, results: dict[str, Results]) -> Validation:
    """Compare the rocks of an ensemble with measured stops."""
    rows = {name: found.rows.read() for name, found in results.items()}
    places = {name: np.stack([row["x"], row["y"]], axis=1) for name, row in rows.items()}
    values = {name: np.asarray(row["runout"], float) for name, row in rows.items()}
    rested = {name: np.isin(row["stop_reason"], RESTED) for name, row in rows.items()}
    schemes = {
        name: compared(
            measured.runouts,
            values[name],
            ranks=ranks_of_runs(measured, rows[name]["rock"], values[name], rested[name]),
            censored=censored_share(found.reasons),
            median=median_runout(found.rows),
            zones=tuple(_shares(places[name], world.observed.zones)),
        )
        for name, found in results.items()
    }
    corrected = {}
    if world.posterior is not None and (errors := world.posterior.errors) is not None:
        for name, row in rows.items():
            means, rocks = means_of_runs(measured, row["rock"], values[name]), np.asarray(row["rock"])
            told = with_error(values[name], means, *errors_of_rocks(errors, rocks, world.scenario.seed))
            ranks = ranks_of_runs(measured, rocks, told, np.ones(len(told), bool))
            corrected[name] = compared(measured.runouts, told, ranks=ranks)
    return Validation(measured, schemes, corrected, values, places, rested)


def ranks_of_runs(measured: Measured, rocks: NDArray[np.int64], runouts: Array, rested: Mask) -> Ranks:
    """Ranks of measured run-outs among those of rocks (m,): of their own, where rock k starts where run k mod n did.

    All rocks are taken where they start elsewhere, or as long as not every run has one of its own.
    """
    run = _run_of(measured, rocks)
    if run is None:
        return ranks_in(measured.runouts, runouts, rested)
    rocks_of_runs = of_runs(run, len(measured.runouts))
    return ranks_each(measured.runouts, ((runouts[own], rested[own]) for own in rocks_of_runs))


def means_of_runs(measured: Measured, rocks: NDArray[np.int64], runouts: Array) -> Array:
    """Mean run-out [m] of all rocks of the run of each rock (m,), or of all rocks, as in ``ranks_of_runs``."""
    run = _run_of(measured, rocks)
    if run is None:
        return np.full(len(runouts), runouts.mean())
    return np.asarray((np.bincount(run, runouts) / np.bincount(run))[run])


def _run_of(measured: Measured, rocks: NDArray[np.int64]) -> NDArray[np.int64] | None:
    """The run where each rock (m,) starts; None where they start elsewhere, or some run has no rock."""
    run = np.asarray(rocks) % len(measured.runouts)
    return run if measured.paired and len(np.unique(run)) == len(measured.runouts) else None


def measured_runouts(world: RockfallWorld, stops: Stops) -> Array:
    """The run-out of each stop (n,) [m]: as given, or from the one place at which all rocks of the scenario start."""
    if len(stops) < 2:
        raise ScenarioError("", N_("one stop; expected two or more to compare with"), stops.path)
    unknown = np.isnan(stops.runouts)
    if not unknown.any():
        return stops.runouts
    start = _one_start(world)
    if start is None:
        text = N_(
            "expected a column runout, or release_x and release_y: the scenario's rocks do not start at one place"
        )
        raise ScenarioError(N_("line {number}", 1), text, stops.path)
    return np.where(unknown, np.hypot(*(stops.places - start).T), stops.runouts)


def _one_start(world: RockfallWorld) -> Array | None:
    """The place at which all rocks start (2,) [m]; None where there are several."""
    source = world.source
    if source is None:
        return world.position[:2]
    return np.asarray(source.corner[0]) if len(source.corner) == 1 and not source.a.any() else None


def releases(world: RockfallWorld, stops: Stops, most: int = RELEASES) -> Array:
    """Releases of measured rocks (n, 2) [m], those off the map left out; of more than ``most`` some of them.

    Those of the scenario's first rocks where none is given.
    """
    given = stops.releases[np.isfinite(stops.releases[:, 0])]
    known = np.array([place for place in given.tolist() if world.terrain.contains(*place)])
    if not len(known):
        return first_places(world, min(len(stops), most))
    return np.asarray(known[np.linspace(0, len(known) - 1, min(len(known), most)).astype(int)])


def first_places(world: RockfallWorld, rocks: int) -> Array:
    """Starts of the first rocks of a scenario (rocks, 2) [m]."""
    return np.array([world.with_rock(rock).position[:2] for rock in range(rocks)])


# ---- statistics ---------------------------------------------------------------------------------------


def distribution(values: Array) -> RunoutDistribution:
    """Mean, spread and quantiles of values (n,); the spread of a single one is 0."""
    percentiles = np.quantile(values, np.linspace(0.0, 1.0, 101))
    return RunoutDistribution(
        rocks=len(values),
        mean=float(values.mean()),
        std=float(values.std(ddof=min(1, len(values) - 1))),
        quantiles={name: float(percentiles[round(100 * share)]) for name, share in QUANTILES.items()},
        percentiles=tuple(percentiles.tolist()),
    )


def compared(measured: Array, computed: Array, ranks: Ranks | None = None, **more: Any) -> Comparison:
    """Two samples (n,), (m,) [m]; ranks: those of the measured, if not in the computed one as it is.

    more: what else is known of the computed one.
    """
    from scipy.stats import ks_2samp, wasserstein_distance  # here: it takes half a second to load

    test = ks_2samp(measured, computed, method="asymp")
    return Comparison(
        computed=distribution(computed),
        wasserstein=float(wasserstein_distance(measured, computed)),
        ks=float(test.statistic),
        p_value=float(test.pvalue),
        ranks=ranks or ranks_in(measured, computed),
        **more,
    )


def resampled(measured: Array, seed: int = 0) -> Resampled:
    """Distance of the measured values from themselves, drawn again; the same for a seed."""
    n, rng = len(measured), np.random.default_rng(seed)
    drawn = np.sort(measured[rng.integers(0, n, (min(RESAMPLES, max(8, DRAWN // n)), n))], axis=1)
    apart = np.abs(drawn - np.sort(measured)).mean(axis=1)  # the Wasserstein distance of equally many values
    median, q95 = np.quantile(apart, [0.5, 0.95])
    return Resampled(float(median), float(q95))


def _shares(places: Array, zones: Sequence[Zone]) -> list[float]:
    return [float(share) for share in shares(places, zones)] if zones else []


# ---- the rule -----------------------------------------------------------------------------------------


def reach_runouts(world: RockfallWorld, releases: Array) -> Array:
    """Run-outs (n,) [m] by a constant angle of reach from releases (n, 2) [m]: no shape, no soil, nothing fitted.

    Each rock goes straight down the fall line of its release, to the farthest place from which one sees that release
    at REACH_ANGLE or steeper.
    """
    terrain, slope = world.terrain, math.tan(math.radians(REACH_ANGLE))
    x0, x1, y0, y1 = terrain.extent
    along = np.arange(0.0, math.hypot(x1 - x0, y1 - y0), 0.1 * min(terrain.cell))
    found = []
    for place in releases:
        start = np.array([*place, terrain.heights_at(*place)])  # to the last bit that of the line there
        line = place + along[:, None] * fall_line(replace(world, position=start))
        on = (line[:, 0] >= x0) & (line[:, 0] <= x1) & (line[:, 1] >= y0) & (line[:, 1] <= y1)
        above = start[2] - terrain.heights_at(line[on, 0], line[on, 1]) - along[on] * slope
        last = int(np.flatnonzero(above >= 0.0)[-1])
        share = above[last] / (above[last] - above[last + 1]) if last + 1 < len(above) else 0.0
        found.append(float(along[last] + share * along[1]))
    return np.array(found)


MAX_ZONES_READ = 1000
MOST_WORDS = 1000  # letters of a sentence


class Validator:
    """Comparison of the rocks of an ensemble, at any time, with measured stops on its slope."""

    def __init__(self, world: RockfallWorld) -> None:
        self._world = world

    @cached_property
    def _measured(self) -> Measured | ScenarioError | None:
        """Measured stops; the error where they cannot be compared; None without any."""
        stops = self._world.observed.stops
        try:
            return None if stops is None else measured_of(self._world, stops)
        except ScenarioError as error:
            return error

    def facts(self, name: str, found: Results) -> dict[str, Any]:
        """Numbers of ``Measured.facts``, and ``computed``; or ``fault``, a sentence; empty: nothing is compared."""
        measured = self._measured
        if measured is None or not len(found.rows):
            return {}
        if isinstance(measured, ScenarioError):
            return {"fault": str(measured)}
        return measured.facts() | {"computed": validate(self._world, measured, {name: found}).facts_of(name)}


def checked(found: dict[str, Any]) -> dict[str, Any]:
    """Facts of a validation in a file as numbers; an error of physics.core.input_checks.DAMAGED where they are none."""
    if not found or "fault" in found:
        return {"fault": str(found["fault"])} if found else {}
    rule, resampled = found["baselines"]["reach_angle"], found["baselines"]["resampled"]
    extra = {"fitted": str(found["fitted"])[:MOST_WORDS]} if found.get("fitted") else {}
    return extra | {
        "measured": _distribution(found["measured"]),
        "zones": _zones(found["zones"]),
        "baselines": {
            "resampled": {key: finite(resampled[key]) for key in ("median", "q95")},
            "reach_angle": _comparison(rule) | {"angle": finite(rule["angle"])},
        },
        "computed": _comparison(found["computed"]) | {"zones": _zones(found["computed"]["zones"])},
    }


def _distribution(found: dict[str, Any]) -> dict[str, Any]:
    percentiles = [finite(value) for value in found["percentiles"]]
    if len(percentiles) != 101 or percentiles != sorted(percentiles):
        raise ValueError("percentiles")
    quantiles = {key: finite(found["quantiles"][key]) for key in QUANTILES}
    numbers = {key: finite(found[key]) for key in ("mean", "std")}
    return {"rocks": int(found["rocks"]), "quantiles": quantiles, "percentiles": percentiles, **numbers}


def _comparison(found: dict[str, Any]) -> dict[str, Any]:
    numbers = {key: finite(found[key]) for key in ("wasserstein", "ks", "p_value", "censored")}
    error = {"with_error": _ranks(found["with_error"]["ranks"])} if "with_error" in found else {}
    return {"computed": _distribution(found["computed"]), "ranks": _ranks(found["ranks"]), **error, **numbers}


def _ranks(found: dict[str, Any]) -> dict[str, Any]:
    counts, expected = ([int(count) for count in found[key]] for key in ("counts", "expected"))
    if len(counts) != BINS or len(expected) != 2:
        raise ValueError("ranks")
    keys = ("share", "inside", "of", "low", "high")
    coverage = [{key: finite(one[key]) for key in keys} for one in found["coverage"][:10]]
    if len(coverage) != len(BANDS) or any(one["of"] < 1 for one in coverage):
        raise ValueError("coverage")
    numbers = {key: finite(found[key]) for key in ("mean", "mean_error")}
    return {"counts": counts, "expected": expected, "coverage": coverage, **numbers}


def _zones(found: dict[str, Any]) -> dict[str, float]:
    return {str(name)[:100]: finite(share) for name, share in list(found.items())[:MAX_ZONES_READ]}
