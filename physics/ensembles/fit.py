"""Fit: a few numbers of a scenario searched within bounds, so that its rocks stop where measured ones did.

Every trial lets the same rocks fall, from the same places in the same attitudes (common random numbers): the score is a
function of the parameters, and two trials differ by nothing else. The best of many trials is better on the rocks that
chose it than on others, so scores are told of rocks that no trial has seen, and of runs that were held out.

Trials, in their order: the scenario as it is; each parameter alone at both bounds, to see that it acts; the points that
tell sensitivities (physics.analysis.sobol); then differential evolution from the best of all these (Storn & Price 1997,
Journal of Global Optimization 11, 341-359, as scipy has it).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from physics.analysis import sobol
from physics.core.errors import ScenarioError
from physics.core.rotation import Array
from physics.ensembles.falling_rocks import FallingRocks
from physics.ensembles.fit_parameters import Parameter, Values, at, changed, plain
from physics.ensembles.fit_runs import Mask, MeasuredRuns, Score
from physics.systems.rockfall.scenario import RockfallScenario, of_rocks

FRESH = 4  # times as many rocks as in trials, others than these, for the scores that are told
OUTPUTS = ("score", "mean", "std")  # of which sensitivities are told


@dataclass(frozen=True)
class Trial:
    """One set of values (d,) and its score on the fitted runs; stage: start, alone, design or search."""

    stage: str
    values: tuple[float, ...]
    score: Score


@dataclass(frozen=True)
class Outcome:
    """What a fit has found.

    Attributes
    ----------
    trials : in their order
    best : the trial of the lowest score within the bounds
    start, fitted : part of the runs ("fitted", "held_out") -> score of rocks that no trial has seen, with the values of
        the scenario and with those that were found
    runouts : "start", "fitted" -> (rocks, their run-outs [m]) of these
    sensitivities : by OUTPUTS; empty where they could not be told
    interrupted : whether somebody ended it before all trials were made
    """

    trials: tuple[Trial, ...]
    best: Trial
    start: dict[str, Score]
    fitted: dict[str, Score]
    runouts: dict[str, tuple[np.ndarray, Array]]
    sensitivities: dict[str, sobol.Indices]
    interrupted: bool


class Fit:
    """A scenario, its parameters and the measured runs; ``search`` makes the trials, ``outcome`` tells of them.

    Attributes
    ----------
    trials : those that are made
    budget : how many there are to be
    """

    def __init__(
        self,
        scenario: RockfallScenario,
        parameters: Sequence[Parameter],
        runs: MeasuredRuns,
        falling: FallingRocks,
        budget: int,
    ) -> None:
        self.scenario, self.parameters, self.runs, self.budget = scenario, tuple(parameters), runs, budget
        self.seed, self.numbers = scenario.seed, range(scenario.ensemble.rocks)
        if runs.paired and len(self.numbers) < len(runs):
            raise ScenarioError("--rocks", f"expected at least {len(runs)}, one for each measured run")
        d = len(self.parameters)
        if budget < (least := least_trials(d)):
            raise ScenarioError("--trials", f"expected at least {least} for {d} fields, got {budget}")
        self.trials: list[Trial] = []
        self._falling, self._known = falling, dict[tuple[float, ...], Trial]()
        self._design: Array | None = None  # (d + 2, n, d) shares, once all of its trials are made

    # ---- trials ---------------------------------------------------------------------------------------

    def prepare(self) -> None:
        """Compile what one rock needs, before threads would."""
        self._falling.stops(self.scenario, self._rocks[:1])

    def search(self, after: Callable[[], object] = lambda: None) -> None:
        """Make the trials; ``after`` is called after each, and may raise to end them."""
        start = np.array([one.start for one in self.parameters])
        first = self._runouts(self._values(start))
        self._note("start", start, first)
        after()
        for i, parameter in enumerate(self.parameters):
            acts = False
            for bound in (parameter.bounds.low, parameter.bounds.high):
                values = start.copy()
                values[i] = bound
                found = self._runouts(self._values(values))
                acts = acts or not np.array_equal(found[0], first[0])
                self._note("alone", values, found)
                after()
            if not acts:
                low, high = parameter.bounds.low, parameter.bounds.high
                told = f"{low:g} and {high:g} give the same run-outs as {parameter.start:g}"
                raise ScenarioError("--free", f"{parameter.field} does not act on the rocks: {told}")
        d = len(self.parameters)
        if d > 1 and (n := sobol.points_within(d, self.budget // 2)):  # with one parameter goes all of the variance
            points = sobol.design(d, n, self.seed)
            for point in points.reshape(-1, d):
                self._trial("design", point, after)
            self._design = points
        self._evolve(after)

    def _evolve(self, after: Callable[[], object]) -> None:
        """Differential evolution from the best trials, as long as there are trials left."""
        from scipy.optimize import differential_evolution  # here: it takes half a second to load
        from scipy.stats import qmc

        d = len(self.parameters)
        size = population(d)
        fill = qmc.Sobol(d, rng=np.random.default_rng(self.seed + 1)).random_base2(size.bit_length())
        ranked = sorted((one for one in self.trials if self._within(one)), key=lambda one: one.score.score)
        shares = [self._shares(one.values) for one in ranked]
        begin = np.array(_distinct([*shares, *fill])[:size])
        new = sum(self._key(point) not in self._known for point in begin)
        generations = (self.budget - len(self.trials) - new) // size
        if generations < 1:
            return
        differential_evolution(
            lambda point: self._trial("search", point, after).score.score,
            [(0.0, 1.0)] * d,
            init=begin,
            maxiter=generations,
            tol=0.0,
            polish=False,
            rng=np.random.default_rng(self.seed),
        )

    def _trial(self, stage: str, shares: Array, after: Callable[[], object]) -> Trial:
        """The trial at a point of the unit cube; one that was made is not made again."""
        key = self._key(shares)
        if key not in self._known:
            self._note(stage, np.array(key), self._runouts(self._values(np.array(key))))
            after()
        return self._known[key]

    def _note(self, stage: str, values: Array, found: tuple[Array, Mask]) -> None:
        fitted = ~self.runs.held_out
        trial = Trial(stage, tuple(values.tolist()), self.runs.score(fitted, self._rocks, *found))
        self.trials.append(trial)
        self._known.setdefault(trial.values, trial)

    def _runouts(self, values: Values) -> tuple[Array, Mask]:
        """Run-outs [m] of the rocks of the fitted runs, and whether they came to rest."""
        return self._fall(values, self._rocks)

    def _fall(self, values: Values, rocks: np.ndarray) -> tuple[Array, Mask]:
        try:
            return self._falling.stops(of_rocks(changed(self.scenario, values)), rocks)
        except ScenarioError as error:
            if error.field == "--free":
                raise
            raise ScenarioError("--free", f"{at(values)}: {error}") from None

    @property
    def _rocks(self) -> np.ndarray:
        return self.runs.rocks(~self.runs.held_out, self.numbers)

    def _values(self, values: Array) -> dict[str, float]:
        return plain(values, self.parameters)

    def _key(self, shares: Array) -> tuple[float, ...]:
        return tuple(float(one.at(s)) for one, s in zip(self.parameters, shares.tolist(), strict=True))

    def _shares(self, values: Sequence[float]) -> Array:
        return np.array([one.share(value) for one, value in zip(self.parameters, values, strict=True)])

    def _within(self, trial: Trial) -> bool:
        pairs = zip(self.parameters, trial.values, strict=True)
        return all(one.bounds.low <= value <= one.bounds.high for one, value in pairs)

    # ---- what is told ---------------------------------------------------------------------------------

    def best(self) -> Trial | None:
        """The trial of the lowest score so far; None where none within the bounds is made."""
        return min(filter(self._within, self.trials), key=lambda one: one.score.score, default=None)

    def outcome(self, interrupted: bool = False) -> Outcome:
        """What was found, judged by rocks that no trial has seen; ScenarioError where no trial is made."""
        if (best := self.best()) is None:
            raise ScenarioError("--trials", "no trial within the bounds was made")
        numbers = range(len(self.numbers), (1 + FRESH) * len(self.numbers))
        everyone = self.runs.rocks(np.ones(len(self.runs), bool), numbers)
        begun = {one.field: one.start for one in self.parameters}
        found = {
            "start": self._fall(begun, everyone),
            "fitted": self._fall(self._values(np.array(best.values)), everyone),
        }
        scores = {name: self._parts(everyone, *stops) for name, stops in found.items()}
        return Outcome(
            trials=tuple(self.trials),
            best=best,
            start=scores["start"],
            fitted=scores["fitted"],
            runouts={name: (everyone, stops[0]) for name, stops in found.items()},
            sensitivities=self._sensitivities(),
            interrupted=interrupted,
        )

    def _parts(self, rocks: np.ndarray, runouts: Array, rested: Mask) -> dict[str, Score]:
        """The score of each part of the runs that is not empty."""
        scores = {}
        for name, part in self.runs.parts.items():
            here = np.isin(rocks, self.runs.rocks(part, range(int(rocks.max()) + 1)))
            scores[name] = self.runs.score(part, rocks[here], runouts[here], rested[here])
        return scores

    def _sensitivities(self) -> dict[str, sobol.Indices]:
        if self._design is None:
            return {}
        shape = self._design.shape[:2]
        trials = [self._known[self._key(point)] for point in self._design.reshape(-1, self._design.shape[2])]
        values = {name: np.array([getattr(one.score, name) for one in trials]) for name in OUTPUTS}
        return {name: sobol.indices(found.reshape(shape), self.seed) for name, found in values.items()}


def population(parameters: int) -> int:
    """How many points differential evolution keeps."""
    return max(8, 3 * parameters)


def least_trials(parameters: int) -> int:
    """The start, each parameter at both bounds, and two generations of differential evolution from new points."""
    return 1 + 2 * parameters + 3 * population(parameters)


def _distinct(points: list[Array]) -> list[Array]:
    """Points, each once, in their order."""
    return list({tuple(point.tolist()): point for point in points}.values())
