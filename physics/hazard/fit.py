"""Fit: a few numbers of a scenario searched within bounds, so that its rocks stop where measured ones did.

Every trial lets the same rocks fall, from the same places in the same attitudes (common random numbers): the score is a
function of the parameters, and two trials differ by nothing else. The best of many trials is better on the rocks that
chose it than on others, so scores are reported for rocks that no trial has seen, and of runs that were held out.

Trials, in their order: the scenario as it is; each parameter alone at both bounds, to see that it acts; the points that
give sensitivities (physics.analysis.sobol); then differential evolution from the best of all these (Storn & Price 1997,
Journal of Global Optimization 11, 341-359, as scipy has it).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Self

import numpy as np
from numpy.typing import NDArray

from physics.analysis import sobol
from physics.contact import moreau
from physics.core.errors import ScenarioError
from physics.core.rotation import Array
from physics.core.wording import N_
from physics.hazard.fit_parameters import Parameter, Values, at, changed, values_by_field
from physics.hazard.ranks import Mask
from physics.hazard.validation import measured_runouts, paired
from physics.schemes.lane import lane_of
from physics.schemes.loop import CONTACT
from physics.systems.rockfall import system as rockfall
from physics.systems.rockfall.observations import Stops
from physics.systems.rockfall.scenario import RockfallScenario, of_rocks
from physics.systems.rockfall.world import RockfallWorld
from physics.systems.world import World

MAX_RUNS = 5000  # runs: a fitted scenario names each
MIN_RUNS = 4  # runs of which some can be held out: two of each part


@dataclass(frozen=True)
class Score:
    """Distance of computed run-outs from measured ones, all in metres but ``censored``.

    Attributes
    ----------
    score : the Wasserstein distance within each block, in the mean over the runs; that of all without blocks
    wasserstein : that of all runs, whatever their block, as in ``polhode validate``
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
    blocks : (n,) block of each; all "" where the table has none
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
        """Masks of the fitted and the held-out runs, by name; none that is empty."""
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
        """Score of the run-outs (m,) [m] of the rocks (m,) that ``rocks`` returns for a part of the runs."""
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
        """Masks of the runs and of the rocks of each block."""
        groups = np.array(self.groups)
        of_rocks = groups[rocks % len(self)] if self.paired else np.full(len(rocks), "")
        for name in dict.fromkeys(groups[part].tolist()):
            yield part & (groups == name), of_rocks == name


def runs_of(world: RockfallWorld, stops: Stops, share: float, seed: int) -> MeasuredRuns:
    """The runs of a table of stops, a share of them held out; ScenarioError where there are too few, or too many."""
    runouts = measured_runouts(world, stops)
    if len(stops) > MAX_RUNS:
        raise ScenarioError(
            "", N_("{stops} stops; expected at most {most} to fit on", len(stops), MAX_RUNS), stops.path
        )
    blocks = stops.blocks or ("",) * len(stops)
    held_out = np.zeros(len(stops), bool)
    if share > 0.0:
        held_out = split(np.column_stack([stops.places, runouts]), blocks, share, seed)
        if min(held_out.sum(), (~held_out).sum()) < 2:
            text = N_(
                "{stops} stops of which {held_out} would be held out; expected two or more in each part",
                len(stops),
                held_out.sum(),
            )
            raise ScenarioError("--holdout", N_("{text}, at least {least} in all", text, MIN_RUNS), stops.path)
    return MeasuredRuns(runouts, blocks, paired(world, stops), held_out)


def split(runs: Array, blocks: tuple[str, ...], share: float, seed: int) -> Mask:
    """Mask of the runs (n, k) that are held out: a share of each block, rounded; the same for a seed.

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


# ---- rocks that fall with other laws ------------------------------------------------------------------
# The rocks are those of physics.hazard.ensemble, by the same numbers: what is drawn for them does not change with
# what the scenario says of the ground. No rows and no statistics of them are kept.

KEPT = 20_000  # rocks that are kept as they start: 10 kB each
_LAST_ONLY = 2**40  # steps from one stored row to the next: none but the last


class FallingRocks:
    """Threads that let rocks of a scenario fall; a context, which ends them.

    Attributes
    ----------
    lane : the scheme that moves them
    """

    def __init__(self, scenario: RockfallScenario, workers: int) -> None:
        scenario.check_unedited()
        if scenario.ensemble.posterior is not None:
            raise ScenarioError("ensemble.posterior", N_("expected none where laws are fitted"))
        if len(scenario.schemes) != 1:
            names = ", ".join(scenario.schemes)
            raise ScenarioError("schemes", N_("expected one scheme, got {names}; choose with --scheme", names))
        (self.lane,) = scenario.schemes
        self._start = scenario
        self._started: dict[int, RockfallWorld] = {}
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="rocks")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self._pool.shutdown(cancel_futures=True)

    def stops(self, scenario: RockfallScenario, rocks: NDArray[np.int64]) -> tuple[Array, NDArray[np.bool_]]:
        """Run-outs (n,) [m] of rocks (n,) by their numbers, and whether they came to rest.

        Rocks that did not count where they were last. Raises ScenarioError where there is no such rock or ground.
        """
        world = World.of(scenario).of_lane(self.lane)
        assert isinstance(world, RockfallWorld)
        around = rockfall.surroundings(world)
        rotation = lane_of(self.lane).scheme.solver(CONTACT)
        rockfall.march_of(rotation, is_smooth=world.body.surface is not None)  # made once, not by each thread
        alike = self._alike(scenario)
        tasks = [self._pool.submit(self._stop, world, around, rock, alike) for rock in rocks.tolist()]
        try:
            found = [task.result() for task in tasks]
        except BaseException:
            for task in tasks:
                task.cancel()
            raise
        return np.array([runout for runout, _ in found]), np.array([reason == moreau.REST for _, reason in found])

    def _alike(self, scenario: RockfallScenario) -> bool:
        """Return True if rocks start as in the first scenario: only laws that act during the fall differ."""
        then, now = self._start.to_plain(), scenario.to_plain()
        different = {key for key in then.keys() | now.keys() if then.get(key) != now.get(key)}
        lifted = {"soil"} if math.isnan(scenario.release.lift) else set()  # by the bumps below each
        return different <= scenario.later - {"body"} - lifted

    def _stop(
        self, world: RockfallWorld, around: rockfall.Surroundings, rock: int, alike: bool
    ) -> tuple[float, int | None]:
        """The run-out of one rock [m], and why it stopped; None: the time was over."""
        if not alike:
            one = world.with_rock(rock)
        else:
            if (start := self._started.get(rock)) is None:
                start = world.with_rock(rock)
                if len(self._started) < KEPT:
                    self._started[rock] = start
            one = replace(start, scenario=world.scenario, cover=world.cover)
        state, reason = np.zeros(0), None
        for _, state, _, reason in rockfall.marching(one, lane_of(self.lane).row, 1, _LAST_ONLY, around):  # noqa: B007
            pass
        east, north = state[:2] - (one.position[:2] - np.array(one.terrain.origin))
        return math.hypot(east, north), reason


# ---- the search ---------------------------------------------------------------------------------------

FRESH = 4  # times as many rocks as in trials, others than these, for the reported scores
OUTPUTS = ("score", "mean", "std")  # outputs with sensitivities


@dataclass(frozen=True)
class Trial:
    """One set of values (d,) and its score on the fitted runs; stage: start, alone, design or search."""

    stage: str
    values: tuple[float, ...]
    score: Score


@dataclass(frozen=True)
class Outcome:
    """Result of a fit.

    Attributes
    ----------
    trials : in their order
    best : the trial of the lowest score within the bounds
    start, fitted : part of the runs ("fitted", "held_out") -> score of rocks that no trial has seen, with the values of
        the scenario and with those that were found
    runouts : "start", "fitted" -> (rocks, their run-outs [m]) of these
    sensitivities : by OUTPUTS; empty with one field or too few trials
    interrupted : whether it was ended before all trials were made
    """

    trials: tuple[Trial, ...]
    best: Trial
    start: dict[str, Score]
    fitted: dict[str, Score]
    runouts: dict[str, tuple[np.ndarray, Array]]
    sensitivities: dict[str, sobol.Indices]
    interrupted: bool


class Fit:
    """A scenario, its parameters and the measured runs; ``search`` makes the trials, ``outcome`` returns the result.

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
            raise ScenarioError("--rocks", N_("expected at least {runs}, one for each measured run", len(runs)))
        d = len(self.parameters)
        if budget < (least := least_trials(d)):
            raise ScenarioError(
                "--trials", N_("expected at least {least} for {d} fields, got {budget}", least, d, budget)
            )
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
        first = self.fall(values_by_field(start, self.parameters), self._rocks)
        self._note("start", start, first)
        after()
        for i, parameter in enumerate(self.parameters):
            acts = False
            for bound in (parameter.bounds.low, parameter.bounds.high):
                values = start.copy()
                values[i] = bound
                found = self.fall(values_by_field(values, self.parameters), self._rocks)
                acts = acts or not np.array_equal(found[0], first[0])
                self._note("alone", values, found)
                after()
            if not acts:
                low, high = parameter.bounds.low, parameter.bounds.high
                text = N_("{low:g} and {high:g} give the same run-outs as {start:g}", low, high, parameter.start)
                raise ScenarioError("--free", N_("{field} does not act on the rocks: {text}", parameter.field, text))
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
        shares = [np.array([p.share(x) for p, x in zip(self.parameters, one.values, strict=True)]) for one in ranked]
        distinct = {tuple(point.tolist()): point for point in [*shares, *fill]}
        begin = np.array([*distinct.values()][:size])
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
            self._note(stage, np.array(key), self.fall(self.values_at(shares), self._rocks))
            after()
        return self._known[key]

    def _note(self, stage: str, values: Array, found: tuple[Array, Mask]) -> None:
        fitted = ~self.runs.held_out
        trial = Trial(stage, tuple(values.tolist()), self.runs.score(fitted, self._rocks, *found))
        self.trials.append(trial)
        self._known.setdefault(trial.values, trial)

    def fall(self, values: Values, rocks: np.ndarray) -> tuple[Array, Mask]:
        """Run-outs [m] of rocks with values, and whether they came to rest; ScenarioError for values that are none."""
        try:
            return self._falling.stops(of_rocks(changed(self.scenario, values)), rocks)
        except ScenarioError as error:
            if error.field == "--free":
                raise
            raise ScenarioError("--free", N_("{values}: {error}", at(values), error)) from None

    @property
    def _rocks(self) -> np.ndarray:
        """Rocks of the fitted runs."""
        return self.runs.rocks(~self.runs.held_out, self.numbers)

    def values_at(self, shares: Array) -> dict[str, float]:
        """Values at a point (d,) of the unit cube."""
        return values_by_field(np.array(self._key(shares)), self.parameters)

    def _key(self, shares: Array) -> tuple[float, ...]:
        return tuple(float(one.at(s)) for one, s in zip(self.parameters, shares.tolist(), strict=True))

    def _within(self, trial: Trial) -> bool:
        pairs = zip(self.parameters, trial.values, strict=True)
        return all(one.bounds.low <= value <= one.bounds.high for one, value in pairs)

    # ---- results --------------------------------------------------------------------------------------

    def best(self) -> Trial | None:
        """The trial of the lowest score so far; None where none within the bounds is made."""
        return min(filter(self._within, self.trials), key=lambda one: one.score.score, default=None)

    def outcome(self, interrupted: bool = False) -> Outcome:
        """Result, judged by rocks that no trial has seen; ScenarioError where no trial is made."""
        if (best := self.best()) is None:
            raise ScenarioError("--trials", N_("no trial within the bounds was made"))
        numbers = range(len(self.numbers), (1 + FRESH) * len(self.numbers))
        everyone = self.runs.rocks(np.ones(len(self.runs), bool), numbers)
        begun = {one.field: one.start for one in self.parameters}
        found = {
            "start": self.fall(begun, everyone),
            "fitted": self.fall(values_by_field(np.array(best.values), self.parameters), everyone),
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
    """Number of points that differential evolution keeps."""
    return max(8, 3 * parameters)


def least_trials(parameters: int) -> int:
    """The start, each parameter at both bounds, and two generations of differential evolution from new points."""
    return 1 + 2 * parameters + 3 * population(parameters)
