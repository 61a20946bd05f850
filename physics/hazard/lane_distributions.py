"""Schemes judged by distribution: lanes of one ensemble beside a reference, with what chance makes of so many rocks.

Beyond its first contacts no single rock has a true motion that a computer could find; the ensemble of its starts has a
distribution. Each lane lets the same rocks fall, and so does the reference: a scheme with the exact free rotation, at a
fraction of the step. How far two samples are apart is said by the distance of Wasserstein W1 and by the statistic of
Kolmogorov and Smirnov. Both are above 0 for two samples of one distribution too. How far chance alone brings them is
found by permutation: the rocks of both are thrown together and divided anew at random (Pitman 1937).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from physics.core.errors import ScenarioError
from physics.core.rotation import Array
from physics.core.wording import N_
from physics.hazard.ensemble import Ensemble, Results, coarse_of, doubts
from physics.hazard.rock_rows import censored_share
from physics.schemes.lane import MARK, lane_of
from physics.systems.rockfall.blocks import rocks_asked
from physics.systems.rockfall.scenario import RockfallScenario
from physics.systems.rockfall.world import RockfallWorld

REFERENCE = "exact"  # scheme of the reference
REFINED = 4  # steps of the reference in one of the scenario's
LEAST_ROCKS = 20  # rocks; with fewer, chance alone makes almost any difference
LEVEL = 0.95  # share of the divisions by chance that a difference has to exceed
WIDE = 1.96  # half the width of a band of that share, in standard errors
PERMUTATIONS, MOST_DRAWN = 999, 20_000_000  # divisions, and numbers that these draw in all
FINE = (1.0, 2.0, 5.0)
QUANTITIES = ("runout", "max_kinetic_energy", "deflection")  # [m], [J], [°]


@dataclass(frozen=True)
class Difference:
    """One quantity of a lane beside that of the reference.

    Attributes
    ----------
    mean, std : of the lane, in the quantity's unit
    shift, shift_error : of the mean from the reference's, and half the width of its band of 95 %
    wasserstein, by_chance : W1, and the value that 95 % of two samples of one distribution stay below
    ks, ks_by_chance : statistic of Kolmogorov and Smirnov, and likewise
    """

    mean: float
    std: float
    shift: float
    shift_error: float
    wasserstein: float
    by_chance: float
    ks: float
    ks_by_chance: float

    @property
    def differs(self) -> bool:
        """True if W1 is larger than chance makes it."""
        return self.wasserstein > self.by_chance

    @property
    def shifted(self) -> bool:
        """True if the mean is off by more than its band."""
        return abs(self.shift) > self.shift_error

    def finer(self, rocks: int) -> tuple[int, float]:
        """Number of rocks that would show a distance W1, and that distance: a round one, half of chance's or less."""
        half = 0.5 * self.by_chance
        if not half > 0.0:
            return rocks, 0.0
        power = 10.0 ** math.floor(math.log10(half))
        told = max(step * power for step in FINE if step * power <= half * (1 + 1e-12))
        return math.ceil(rocks * (self.by_chance / told) ** 2 / 100.0) * 100, told


@dataclass(frozen=True)
class LaneDistribution:
    """A lane beside the reference; differences: by QUANTITIES; unfinished: share of rocks that did not come to rest."""

    lane: str
    differences: Mapping[str, Difference]
    unfinished: float

    def facts(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        found = {name: asdict(one) | {"differs": one.differs} for name, one in self.differences.items()}
        return {"not_at_rest": self.unfinished} | found


@dataclass(frozen=True)
class LaneComparison:
    """Lanes of a slope beside the reference.

    Attributes
    ----------
    rocks : of each lane
    reference : name of its lane
    lanes : those of the scenario, without the reference
    settled : the reference with twice its step, beside itself
    values : of the lanes and of the reference, see ``values_of``
    """

    rocks: int
    reference: str
    lanes: tuple[LaneDistribution, ...]
    settled: LaneDistribution
    values: Mapping[str, Mapping[str, Array]]


class LaneEnsemble:
    """The same rocks under each lane of a slope, under the reference, and under that with twice its step.

    Attributes
    ----------
    world, ensemble : of all these lanes; the ensemble marches
    """

    def __init__(self, scenario: RockfallScenario) -> None:
        check_rocks(rocks_asked(scenario))
        self._lanes = scenario.schemes
        self._reference, self._coarser = reference_lanes(scenario)
        every = dict.fromkeys((*self._lanes, self._coarser, self._reference))
        self.world = RockfallWorld.of(scenario.changed(schemes=tuple(every)))
        self.ensemble = Ensemble(self.world)

    def compared(self) -> LaneComparison:
        """The lanes beside the reference, when all rocks have fallen."""
        results, reference = self.ensemble.results, self._reference
        values = {name: values_of(found) for name, found in results.items()}
        return LaneComparison(
            rocks=self.ensemble.rocks,
            reference=reference,
            lanes=tuple(beside(name, results, values, reference) for name in self._lanes if name != reference),
            settled=beside(self._coarser, results, values, reference),
            values={name: values[name] for name in dict.fromkeys((*self._lanes, reference))},
        )

    def doubts(self) -> list[str]:
        """Sentences on lanes whose rocks were too fast for the step, or sank into the ground."""
        results, world = self.ensemble.results, self.world
        coarse = {name: coarse_of(world.of_lane(name), results[name].rows) for name in self._lanes}
        sunk = [text for found in results.values() for text in found.sunk()]
        return list(dict.fromkeys([*doubts(coarse, world.scenario.step), *sunk]))


def reference_lanes(scenario: RockfallScenario) -> tuple[str, str]:
    """Names of the reference's lane, and of that with twice its step, by which it is checked."""
    finest = min(lane_of(name).step or scenario.step for name in scenario.schemes) / REFINED
    return f"{REFERENCE}{MARK}{finest:g}", f"{REFERENCE}{MARK}{2.0 * finest:g}"


def check_rocks(rocks: int) -> None:
    """ScenarioError for fewer rocks than LEAST_ROCKS."""
    if rocks < LEAST_ROCKS:
        raise ScenarioError(
            "ensemble.rocks", N_("expected {least} rocks or more to compare, got {rocks}", LEAST_ROCKS, rocks)
        )


def values_of(results: Results) -> dict[str, Array]:
    """The quantities (n,) of the rocks of a lane, in the order of rocks.

    Run-out [m]: horizontal distance from release to stop; of a rock that did not come to rest as far as it got. Largest
    kinetic energy [J]. Deflection [°]: of the stop from the fall line of the release, 0 to 90.
    """
    rows = results.rows.read()
    runout = np.asarray(rows["runout"], float)
    return {
        "runout": runout,
        "max_kinetic_energy": np.asarray(rows["max_kinetic_energy"], float),
        "deflection": aside_angles(rows["off_fall_line"], runout),
    }


def aside_angles(aside: Array, runout: Array) -> Array:
    """Angles (n,) [°], 0 to 90, of stops beside a line from which they lie ``aside`` (n,), run-outs (n,) far [m]."""
    share = np.divide(np.abs(aside), runout, out=np.zeros(len(runout)), where=runout > 0.0)
    return np.asarray(np.degrees(np.arcsin(np.clip(share, 0.0, 1.0))))


def beside(
    name: str, results: Mapping[str, Results], values: Mapping[str, Mapping[str, Array]], reference: str
) -> LaneDistribution:
    """A lane of an ensemble beside its reference; values: of each lane, see ``values_of``."""
    found = {what: difference(values[name][what], values[reference][what]) for what in QUANTITIES}
    return LaneDistribution(name, found, censored_share(results[name].reasons))


def difference(ours: Array, theirs: Array, seed: int = 0) -> Difference:
    """Two samples of equal size (n,) beside each other; chance is drawn with a seed."""
    n = len(ours)
    pooled, random = np.concatenate([ours, theirs]), np.random.default_rng(seed)
    times = max(99, min(PERMUTATIONS, MOST_DRAWN // (2 * n)))
    drawn = np.array([_apart(*np.split(random.permutation(pooled), 2)) for _ in range(times)])
    w1, ks = _apart(ours, theirs)
    by_chance, ks_by_chance = np.quantile(drawn, LEVEL, axis=0)
    error = WIDE * math.sqrt((float(np.var(ours, ddof=1)) + float(np.var(theirs, ddof=1))) / n)
    return Difference(
        mean=float(ours.mean()),
        std=float(ours.std(ddof=1)),
        shift=float(ours.mean() - theirs.mean()),
        shift_error=error,
        wasserstein=w1,
        by_chance=float(by_chance),
        ks=ks,
        ks_by_chance=float(ks_by_chance),
    )


def _apart(one: Array, other: Array) -> tuple[float, float]:
    """W1 of two samples of equal size, and their statistic of Kolmogorov and Smirnov."""
    a, b = np.sort(one), np.sort(other)
    both = np.concatenate([a, b])
    shares = (np.searchsorted(a, both, side="right") - np.searchsorted(b, both, side="right")) / len(a)
    return float(np.abs(a - b).mean()), float(np.abs(shares).max())
