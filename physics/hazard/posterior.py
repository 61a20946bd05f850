"""Posterior of a fit: sets of values with which rocks stop as measured ones did, to within what chance does.

Approximate Bayesian computation: beforehand all values between the bounds are as likely. Each set lets as many rocks
fall as there are fitted runs, once, and has the score of these rocks. In rounds, the half of the sets with the higher
scores begin again as copies of the others, and take Metropolis steps that may not exceed the highest score of those.
Rounds end where hardly a step is taken (Drovandi & Pettitt 2011, Biometrics 67, 225-233).

No set of laws mends the error of the model itself: it is drawn for each set, from what the fitted runs leave over
beside the rocks of all sets, see physics.hazard.model_error.
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
from physics.hazard.model_error import LEAST_RUNS, drawn_errors, with_error
from physics.hazard.ranks import Mask, Ranks, ranks_each, ranks_in
from physics.io.trajectory_writers import write_csv
from physics.systems.rockfall.law_sets import ERROR

MIN_SETS = 20  # sets: of fewer the spread is not known
LAWS = "start", "fitted", "posterior"  # of which rocks of all runs fall, as often as there are sets
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
    errors : (n, 3) of the model, one a set, see physics.hazard.model_error; None where fewer than LEAST_RUNS are fitted
    ranks : part of the runs -> of LAWS, and of these with the model's error -> ranks of its runs
    """

    values: Array
    tolerance: float
    simulations: int
    errors: Array | None
    ranks: dict[str, dict[str, Ranks]]

    def sentence(self, part: str) -> str:
        """Sentence on how many runs of a part lie within the bands."""
        own = self.ranks[part]
        bands = ", ".join(f"{100 * band.share:g} %" for band in own["posterior"].coverage)
        inside = [_inside(own[name]) for name in ("posterior", with_its_error("posterior")) if name in own]
        runs, sets = len(own["posterior"].values), len(self.values)
        text = N_(
            "Of {runs} runs {inside} lie in the bands of {bands} of the rocks, with {sets} sets of the posterior",
            runs,
            inside[-1],
            bands,
            sets,
        )
        if self.errors is None:
            return N_("{text}.", text)
        return N_("{text} and the model's error; without it {inside}.", text, inside[0])


def with_its_error(laws: str) -> str:
    """The name of LAWS with the model's error."""
    return f"{laws}_with_error"


def _inside(ranks: Ranks) -> str:
    return ", ".join(f"{band.inside}" for band in ranks.coverage)


def most_simulations(sets: int) -> int:
    """The most that ``posterior`` makes, but for what the ranks take."""
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
    start = np.array([one.start for one in fit.parameters])
    laws = zip(LAWS, (*(np.tile(one, (sets, 1)) for one in (start, best)), values), strict=True)
    ranks: dict[str, dict[str, Ranks]] = {part: {} for part in fit.runs.parts}
    for name, of_sets in laws:
        errors, found = ranked(fit, name, of_sets)
        for part, of_laws in found.items():
            ranks[part] |= of_laws
    return Posterior(values, tolerance, done, errors, ranks)  # the last of LAWS has these errors


def ranked(fit: Fit, name: str, values: Array) -> tuple[Array | None, dict[str, dict[str, Ranks]]]:
    """Rocks of all runs with each set of values (sets, d), one of LAWS: ``Posterior.errors``, and their ranks."""
    n = len(fit.runs)
    everyone = np.ones(n, bool)
    found = [
        fit.fall(values_by_field(each, fit.parameters), fit.runs.rocks(everyone, range(i * n, i * n + n)))
        for i, each in enumerate(values)
    ]
    runouts, rested = (np.array(each) for each in zip(*found, strict=True))
    errors = errors_of(fit, runouts)
    ranks = {part: {name: ranks_among(fit, mask, runouts, rested)} for part, mask in fit.runs.parts.items()}
    if errors is not None:
        told = predicted(fit, runouts, errors)
        for part, mask in fit.runs.parts.items():
            ranks[part][with_its_error(name)] = ranks_among(fit, mask, told, np.ones(told.shape, bool))
    return errors, ranks


def errors_of(fit: Fit, runouts: Array) -> Array | None:
    """The error of a model (sets, 3) from the fitted runs beside run-outs (sets, runs) [m]; None of too few."""
    fitted = ~fit.runs.held_out
    if fitted.sum() < LEAST_RUNS:
        return None
    means, spreads = _of_runs(fit, runouts)
    return drawn_errors(fit.runs.runouts[fitted], means[fitted], spreads[fitted], len(runouts), fit.seed)


def predicted(fit: Fit, runouts: Array, errors: Array) -> Array:
    """Run-outs (sets, runs) [m] with the model's error (sets, 3): each run has the error of each set once."""
    means = np.broadcast_to(_of_runs(fit, runouts)[0], runouts.shape)
    drawn = np.repeat(errors, runouts.shape[1], axis=0)
    noise = np.random.default_rng([fit.seed, runouts.size]).standard_normal(runouts.size)
    return with_error(runouts.ravel(), means.ravel(), drawn, noise).reshape(runouts.shape)


def _of_runs(fit: Fit, runouts: Array) -> tuple[Array, Array]:
    """Mean and spread of run-outs (sets, runs) of the rocks of each run, or of all, (runs,) [m]."""
    if fit.runs.paired:
        return runouts.mean(axis=0), runouts.std(axis=0, ddof=1)
    n = runouts.shape[1]
    return np.full(n, runouts.mean()), np.full(n, runouts.std(ddof=1))


def ranks_among(fit: Fit, part: Mask, runouts: Array, rested: Mask) -> Ranks:
    """Ranks of the runs of a part among rocks (sets, runs): each among its own, or all among all."""
    measured = fit.runs.runouts[part]
    if not fit.runs.paired:
        return ranks_in(measured, runouts.ravel(), rested.ravel())
    return ranks_each(measured, zip(runouts.T[part], rested.T[part], strict=True))


def write_draws(path: Path, fit: Fit, found: Posterior) -> None:
    """A column a field and a row a set, for ``[ensemble] posterior``; with the model's error."""
    errors = np.empty((len(found.values), 0)) if found.errors is None else found.errors
    rows = (
        (*values_by_field(row, fit.parameters).values(), *error)
        for row, error in zip(found.values, errors.tolist(), strict=True)
    )
    write_csv(path, (*(one.field for one in fit.parameters), *(ERROR if found.errors is not None else ())), rows)


def write_ranks(path: Path, fit: Fit, found: Posterior) -> None:
    """A row a run, by its number in the table of stops: its rank among the rocks of each of the laws."""
    rows = []
    for part, mask in fit.runs.parts.items():
        columns = [one.values for one in found.ranks[part].values()]
        rows += [[int(run) + 1, part, *ranks] for run, *ranks in zip(np.flatnonzero(mask), *columns, strict=True)]
    write_csv(path, ["run", "part", *next(iter(found.ranks.values()))], sorted(rows))


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
        "error": None
        if found.errors is None
        else {
            name: {"mean": float(column.mean()), "std": float(column.std(ddof=1))}
            for name, column in zip(ERROR, found.errors.T, strict=True)
        },
        "ranks": {part: {name: one.facts() for name, one in laws.items()} for part, laws in found.ranks.items()},
    }
