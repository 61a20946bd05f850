"""Posterior of a fit: sets of values with which rocks stop as measured ones did, to within what chance does.

Approximate Bayesian computation: beforehand all values between the bounds are as likely. Each set lets as many rocks
fall as there are fitted runs, once, and has the score of these rocks. In rounds, the half of the sets with the higher
scores begin again as copies of the others, and take Metropolis steps that may not exceed the highest score of those.
Rounds end where hardly a step is taken (Drovandi & Pettitt 2011, Biometrics 67, 225-233).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from physics.core.errors import ScenarioError
from physics.core.rotation import Array
from physics.core.wording import N_
from physics.hazard.fit import FRESH, Fit
from physics.hazard.fit_parameters import values_by_field
from physics.hazard.ranks import Mask
from physics.io.trajectory_writers import write_csv

MIN_SETS = 20  # sets: of fewer the spread is not known
BANDS = 0.5, 0.9  # shares of the computed rocks, in the middle
STEPS, MOVED = 3, 0.1  # that a set tries in a round; the share taken below which rounds end
MOST_ROUNDS = 8  # each leaves half of the possible values, or more


@dataclass(frozen=True)
class Posterior:
    """Sets of values, all as likely, and what they predict.

    Attributes
    ----------
    values : (n, d) of the parameters
    tolerance : highest score of a set on the fitted runs, with one rock for each [m]
    simulations : how many times rocks of all fitted runs have fallen
    coverage : part of the runs -> "start", "fitted", "posterior" -> how many of its runs lie within each of BANDS
    """

    values: Array
    tolerance: float
    simulations: int
    coverage: dict[str, dict[str, tuple[int, ...]]]

    def sentence(self, runs: int, part: str) -> str:
        """Sentence on how many runs of a part lie within the bands."""
        inside, (narrow, wide) = self.coverage[part]["posterior"], (f"{100 * share:g} %" for share in BANDS)
        text = N_(
            "Of {runs} runs {inside} lie in the {narrow} band of their rocks and {inside2} in the {wide} band",
            runs,
            inside[0],
            narrow,
            inside[1],
            wide,
        )
        return N_("{text}, with {values} sets of the posterior.", text, len(self.values))


def most_simulations(sets: int) -> int:
    """The most that ``posterior`` makes, but for what coverage takes."""
    return sets + MOST_ROUNDS * (sets - sets // 2) * STEPS


def draws(fit: Fit, sets: int, after: Callable[[int], object] = lambda _: None) -> tuple[Array, float, int]:
    """Values (sets, d), their highest score, and how many simulations it took; ``after`` gets their number."""
    if sets < MIN_SETS:
        raise ScenarioError("--draws", N_("expected 0, or at least {least}, got {sets}", MIN_SETS, sets))
    rng, runs, fitted = np.random.default_rng([fit.seed, sets]), fit.runs, ~fit.runs.held_out
    pools = max(1, (1 + FRESH) * len(fit.numbers) // len(runs))  # of a rock a run: kept as they start, and drawn again
    done = 0

    def score(point: Array) -> float:
        nonlocal done
        first = len(runs) * int(rng.integers(pools))
        rocks = runs.rocks(fitted, range(first, first + len(runs)))[: fitted.sum()]
        found = runs.score(fitted, rocks, *fit.fall(fit.values_at(point), rocks)).score
        done += 1
        after(done)
        return found

    points = rng.random((sets, len(fit.parameters)))
    scores = np.array([score(point) for point in points])
    half, d = sets // 2, len(fit.parameters)
    for _ in range(MOST_ROUNDS):
        order = np.argsort(scores, kind="stable")
        points, scores, moved = points[order], scores[order], 0
        spread = np.cov(points[:half].T).reshape(d, d) * 2.38**2 / d + 1e-12 * np.eye(d)
        root = np.linalg.cholesky(spread)
        for i in range(half, sets):
            j = int(rng.integers(half))
            points[i], scores[i] = points[j], scores[j]
            for _ in range(STEPS):
                point = points[i] + root @ rng.standard_normal(d)
                if ((point >= 0.0) & (point <= 1.0)).all() and (found := score(point)) <= scores[half - 1]:
                    points[i], scores[i], moved = point, found, moved + 1
        if moved < MOVED * STEPS * (sets - half):
            break
    values = [[*fit.values_at(point).values()] for point in points]
    return np.array(values, float), float(scores.max()), done


def posterior(fit: Fit, sets: int, best: Array, after: Callable[[int], object] = lambda _: None) -> Posterior:
    """Draw sets, and let rocks of all runs fall with each, with the start and with the fitted values (d,)."""
    values, tolerance, done = draws(fit, sets, after)
    everyone, n = np.ones(len(fit.runs), bool), len(fit.runs)
    start = np.array([one.start for one in fit.parameters])
    laws = {"start": [start] * sets, "fitted": [best] * sets, "posterior": list(values)}
    runouts = {
        name: np.array(
            [
                fit.fall(values_by_field(each, fit.parameters), fit.runs.rocks(everyone, range(i * n, i * n + n)))[0]
                for i, each in enumerate(of_sets)
            ]
        )
        for name, of_sets in laws.items()
    }
    parts = fit.runs.parts
    coverage = {
        part: {name: within(fit, mask, found) for name, found in runouts.items()} for part, mask in parts.items()
    }
    return Posterior(values, tolerance, done, coverage)


def within(fit: Fit, part: Mask, runouts: Array) -> tuple[int, ...]:
    """Numbers of runs of a part within each of BANDS of run-outs (sets, runs) [m]: of their rocks, or of all."""
    seen = runouts[:, part] if fit.runs.paired else np.repeat(runouts.ravel()[:, None], part.sum(), axis=1)
    counts = []
    for share in BANDS:
        low, high = np.quantile(seen, (0.5 * (1.0 - share), 0.5 * (1.0 + share)), axis=0)
        counts.append(int(((low <= fit.runs.runouts[part]) & (fit.runs.runouts[part] <= high)).sum()))
    return tuple(counts)


def write_draws(path: Path, fit: Fit, found: Posterior) -> None:
    """A column a field and a row a set, for ``[ensemble] posterior``."""
    rows = (values_by_field(row, fit.parameters).values() for row in found.values)
    write_csv(path, (one.field for one in fit.parameters), rows)


def posterior_facts(fit: Fit, found: Posterior) -> dict[str, Any]:
    """All numbers, as plain values."""
    return {
        "sets": len(found.values),
        "tolerance": found.tolerance,
        "simulations": found.simulations,
        "quantiles": {
            one.field: dict(zip(("q5", "median", "q95"), np.quantile(column, (0.05, 0.5, 0.95)).tolist(), strict=True))
            for one, column in zip(fit.parameters, found.values.T, strict=True)
        },
        "coverage": {
            part: {name: dict(zip(map(str, BANDS), counts, strict=True)) for name, counts in of_part.items()}
            for part, of_part in found.coverage.items()
        },
    }
