"""Measured runs of a fit: which rocks are compared with which, which are held out, and how far both lie apart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from physics.core.errors import ScenarioError
from physics.core.rotation import Array
from physics.ensembles.validation import measured_runouts
from physics.systems.rockfall.observations import Stops
from physics.systems.rockfall.world import RockfallWorld

MOST = 5000  # runs: a fitted scenario names each
NEAR = 0.1  # [m] a rock starts where the run did
LEAST = 4  # runs of which some can be held out: two of each part

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Score:
    """How far computed run-outs lie from measured ones, all in metres but ``censored``.

    Attributes
    ----------
    score : the Wasserstein distance within each block, in the mean over the runs; that of all without blocks
    wasserstein : that of all runs, whatever their block, as ``polhode validate`` tells it
    mean, std : of the computed (n - 1 in the denominator)
    censored : the share of rocks that did not come to rest, which count where they were last
    """

    score: float
    wasserstein: float
    mean: float
    std: float
    censored: float


@dataclass(frozen=True)
class MeasuredRuns:
    """Measured runs.

    Attributes
    ----------
    runouts : (n,) [m]
    blocks : (n,) what block each was; all "" where the table does not tell it
    paired : whether rock k of an ensemble starts where run k mod n did: then it is compared with that run, and counts
        as one of its block; else all runs are compared with all rocks
    held_out : (n,) whether a run is kept from the fit
    """

    runouts: Array
    blocks: tuple[str, ...]
    paired: bool
    held_out: Mask

    def __len__(self) -> int:
        return len(self.runouts)

    @property
    def parts(self) -> dict[str, Mask]:
        """Which of the runs are fitted, and which held out, by name; none that is empty."""
        found = {"fitted": ~self.held_out, "held_out": self.held_out}
        return {name: part for name, part in found.items() if part.any()}

    @property
    def groups(self) -> tuple[str, ...]:
        """Within which run-outs are compared: the blocks, where each rock belongs to a run."""
        return self.blocks if self.paired else ("",) * len(self)

    def rocks(self, part: Mask, numbers: range) -> NDArray[np.int64]:
        """The rocks among these numbers that are compared with a part of the runs."""
        rocks = np.array(numbers)
        return rocks[part[rocks % len(self)]] if self.paired else rocks

    def score(self, part: Mask, rocks: NDArray[np.int64], runouts: Array, rested: Mask) -> Score:
        """Of a part of the runs, and the run-outs (m,) [m] of the rocks (m,) that ``rocks`` told for it."""
        from scipy.stats import wasserstein_distance  # here: it takes half a second to load

        distances = [
            (ours.sum(), wasserstein_distance(self.runouts[ours], runouts[theirs]))
            for ours, theirs in self._groups(part, rocks)
        ]
        return Score(
            score=float(sum(n * apart for n, apart in distances) / part.sum()),
            wasserstein=float(wasserstein_distance(self.runouts[part], runouts)),
            mean=float(runouts.mean()),
            std=float(runouts.std(ddof=min(1, len(runouts) - 1))),
            censored=float(1.0 - rested.mean()),
        )

    def _groups(self, part: Mask, rocks: NDArray[np.int64]) -> Iterator[tuple[Mask, Mask]]:
        """For each block, which of the runs and which of the rocks are of it."""
        groups = np.array(self.groups)
        of_rocks = groups[rocks % len(self)] if self.paired else np.full(len(rocks), "")
        for name in dict.fromkeys(groups[part].tolist()):
            yield part & (groups == name), of_rocks == name


def runs_of(world: RockfallWorld, stops: Stops, share: float, seed: int) -> MeasuredRuns:
    """The runs of a table of stops, a share of them held out; ScenarioError where there are too few, or too many."""
    runouts = measured_runouts(world, stops)
    if len(stops) > MOST:
        raise ScenarioError("", f"{len(stops)} stops; expected at most {MOST} to fit on", stops.path)
    blocks = stops.blocks or ("",) * len(stops)
    held_out = np.zeros(len(stops), bool)
    if share > 0.0:
        held_out = split(np.column_stack([stops.places, runouts]), blocks, share, seed)
        if min(held_out.sum(), (~held_out).sum()) < 2:
            told = f"{len(stops)} stops of which {held_out.sum()} would be held out; expected two or more in each part"
            raise ScenarioError("--holdout", f"{told}, at least {LEAST} in all", stops.path)
    return MeasuredRuns(runouts, blocks, paired(world, stops), held_out)


def paired(world: RockfallWorld, stops: Stops) -> bool:
    """Whether the scenario's rocks start, one after the other, where the measured ones were let go."""
    source = world.source
    if source is None or not source.in_turn or len(source.corner) != len(stops):
        return False
    apart = np.hypot(*(stops.releases - source.corner).T)
    return bool((apart < NEAR).all())  # not where a release is not told: NaN


def split(runs: Array, blocks: tuple[str, ...], share: float, seed: int) -> Mask:
    """Which of runs (n, k) are held out: a share of each block, as near as whole numbers go; the same for a seed.

    Runs that are equal in the data stay together.
    """
    held, rng = np.zeros(len(runs), bool), np.random.default_rng(np.random.SeedSequence([seed, len(runs)]))
    seen = taken = 0
    of_block = np.array(blocks)
    for name in sorted(set(blocks)):
        members = np.flatnonzero(of_block == name)
        _, alike = np.unique(runs[members], axis=0, return_inverse=True)
        for which in rng.permutation(alike.max() + 1):
            one = members[alike.ravel() == which]
            seen += len(one)
            if taken + 0.5 * len(one) <= share * seen:
                held[one] = True
                taken += len(one)
    return held
