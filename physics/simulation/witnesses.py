"""Lanes as witnesses of the true motion: where two that err in different ways agree with each other and not with it.

Two lanes are witnesses where their schemes are of different construction, or where they are of one scheme with steps
that differ at least twofold, and finer steps change less. Where they agree, they may have seen what was missed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Protocol

import numpy as np

from physics.core.rotation import Array
from physics.core.separation import RIGHT, Separation
from physics.core.trajectory import Trajectory
from physics.core.wording import N_
from physics.schemes.lane import lane_of
from physics.simulation.solution import COLUMNS, Solution

AGREE = 0.1  # share of their distance from the truth, within which two agree
COARSER = 2.0  # least ratio of two steps of one scheme
LASTING = 3  # stored states in which they agree, one after another: lanes that are off meet by chance


class Truth(Protocol):
    """A true motion."""

    def separation(self, run: Trajectory, true: Solution | None = None) -> Separation:
        """Separation of the rows of a run from it, or from other states at their times; NaN where it is not known."""


@dataclass(frozen=True)
class Doubt:
    """A doubt about a truth.

    sure : [s] the last time before it that witnesses share; since, until : [s] the first and last time of it
    step : [s] of the finer witness
    """

    sure: float
    since: float
    until: float
    step: float

    @property
    def reason(self) -> str:
        """Reason why no truth is known from there on."""
        return N_("reference in doubt from {since:.2g} s: schemes agree with one another more than with it", self.since)


def doubted(truth: Truth, runs: Mapping[str, Trajectory], steps: Mapping[str, float]) -> Doubt | None:
    """The doubt that lanes of one truth cast on it, from the first of all to the last; None: they cast none.

    steps : [s] of each lane
    """
    off = {name: truth.separation(run).departure for name, run in runs.items()}
    far = [name for name in runs if np.nanmax(off[name], initial=0.0) > RIGHT and lane_of(name).scheme.kinds]
    found: list[Doubt] = []
    for pair in combinations(sorted(far, key=steps.__getitem__, reverse=True), 2):
        coarse, fine = pair
        if not _independent(coarse, fine, steps):
            continue
        times, apart = _apart(truth, runs[coarse], runs[fine])
        least = np.minimum(*(np.interp(times, runs[name].time, off[name], right=np.nan) for name in pair))
        agree = (least > RIGHT) & (apart <= AGREE * least)
        for other in runs:  # of one scheme: a coarser step has to differ more
            if (
                steps[other] >= COARSER * steps[coarse]
                and len({lane_of(name).scheme.name for name in (*pair, other)}) == 1
            ):
                at, more = _apart(truth, runs[other], runs[coarse])
                agree &= np.interp(times, at, more) > apart
        lasting = np.convolve(agree, np.ones(LASTING), "valid") == LASTING
        if lasting.any():
            first, last = np.flatnonzero(lasting)[[0, -1]]
            sure, since, until = times[[max(first - 1, 0), first, last + LASTING - 1]].tolist()
            found.append(Doubt(sure, since, until, steps[fine]))
    if not found:
        return None
    first = min(found, key=lambda one: one.sure)
    return Doubt(first.sure, first.since, max(one.until for one in found), min(one.step for one in found))


def _independent(coarse: str, fine: str, steps: Mapping[str, float]) -> bool:
    """True if two lanes err in different ways, or one of them less."""
    one, other = lane_of(coarse).scheme, lane_of(fine).scheme
    if one.construction != other.construction:
        return True
    return one.name == other.name and steps[coarse] >= COARSER * steps[fine]


def _apart(truth: Truth, one: Trajectory, other: Trajectory) -> tuple[Array, Array]:
    """Times (n,) [s] that two runs share, and the departure (n,) of one from the other there."""
    sparse, dense = (one, other) if len(one) < len(other) else (other, one)
    times = sparse.time[sparse.time <= dense.time[-1]]
    states = Solution(*(getattr(dense, name) for name in COLUMNS))
    found = truth.separation(sparse.rows(slice(len(times))), Solution(times, *states.at(times)))
    return times, found.departure
