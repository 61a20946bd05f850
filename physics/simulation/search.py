"""The search for the true motion of a world that has no closed form: two integrations whose difference bounds an error.

Smooth motions are integrated by the method of order 8 of physics.schemes.dormand_prince, each time with finer steps on
another grid: steps end where something that acts in time has a corner, and those of two integrations are no multiples
of each other. Both go on side by side, and end where they part. Motions with contact are solved by a scheme of theirs
with n equal steps and with 2 n + 1, which have no time in common.

What a search may cost is counted in evaluations, so that it finds the same on every machine; the time is only a guard.
"""

from __future__ import annotations

import math
import time
from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np

from physics.core.cancellation import check_wanted
from physics.core.errors import PhysicsError
from physics.core.rotation import Array, angle_between
from physics.core.trajectory import STATE, Event
from physics.core.wording import N_
from physics.schemes import SCHEMES
from physics.schemes.dormand_prince import EVALUATIONS, FAILED, POINTS, STOP, WITHIN, Equations, Rule, coefficients
from physics.schemes.lane import in_words
from physics.simulation.solution import Solution, concatenated, parting
from physics.systems import system_of
from physics.systems.world import World

ANGLE = math.radians(0.01)  # two solutions agree up to here
LENGTH = 1e-4  # the same for places, in radii of the body
MAX_EVALUATIONS = 10_000_000  # evaluations of one body's motion in one search: 10 to 20 s
# budget of a search [s], of this thread's time: a guard for machines that are slow beyond what was thought of
SECONDS = 120.0
SOURCE = "dop853"  # the scheme of the integrations of smooth motions
ROUGH = Rule(1e-6, turn=0.3, longest=math.inf, parts=4.0)  # rule of the first one
TOLERANCES = 1e-8, 1e-10, 1e-12, 1e-13  # tolerances of those after it
FINER = 0.618  # steps of an integration beside those of the one before at most
SHARE = 0.25  # largest share of the shortest period that a step is
CURVED = 2.0  # bound, in times of ANGLE: cubics over twice the distance err at least twice as much
AT_ONCE, GROWTH = 512, 8  # steps that are integrated before they are compared: at most, or a share of all so far
HOPELESS = 100.0  # budgets that the rest would cost by the last steps: the equations have no bounds there
PIECES = 100  # least number of pieces in which a budget is spent
ROWS = 200_000  # states of a solution that are kept, about
# share of ANGLE and LENGTH where the body touches something: errors may fall with the root of the step alone
TOUCHING = 0.5
COARSER = 4.0  # the first step with contact, of the scenario's
SLOW = 0.05  # [rad] of the first step with contact at most
AHEAD = 2.0  # times the time for which two solutions agree: how far the next ones go, where all of it is too much


class Budget:
    """Budget of a search: ``left`` evaluations of ``most``."""

    def __init__(self, most: float) -> None:
        self.most = self.left = most
        self._begun = time.thread_time()

    def spend(self, evaluations: float) -> None:
        """Count some; GivenUp if the search was cancelled."""
        self.left -= evaluations
        check_wanted(min(1.0, 1.0 - self.left / self.most))

    @property
    def late(self) -> bool:
        """True if the guard strikes."""
        return time.thread_time() - self._begun > SECONDS

    @property
    def over(self) -> bool:
        """True if nothing is left."""
        return self.left <= 0.0 or self.late


@dataclass(frozen=True)
class SearchResult:
    """Result of a search.

    Attributes
    ----------
    solution : the finer one of two
    valid_until : [s] up to which both agree
    source, step : its scheme, and the mean of its steps [s]
    reason : why they do not agree up to the end, one sentence; "" where they do
    """

    solution: Solution
    valid_until: float
    source: str
    step: float
    reason: str


def search(world: World, until: float, longest: float = math.inf, taken: Collection[float] = ()) -> SearchResult:
    """The motion of a world from its start to a time [s], as far as it can be known.

    longest : [s], of the steps that are taken
    taken : steps [s] that are not taken with contact: those of lanes of the same scheme
    """
    row = system_of(world.scenario)
    if row.equations is None and row.reference is None:
        raise PhysicsError(N_("no scheme gives the true motion of kind '{kind}'", world.scenario.kind))
    budget = Budget(MAX_EVALUATIONS / row.effort(world))
    if row.equations is not None:
        return _integrated(world, until, longest, budget)
    assert row.reference is not None
    return _stepped(world, until, longest, taken, row.reference, budget)


def _why(steps: tuple[float, float], budget: Budget, unfinished: bool, ended: bool = False) -> str:
    """Reason why two solutions with steps [s] agree up to a time and no farther.

    unfinished : they do not part there; ended : no step leads on
    """
    if ended:
        return N_("no step leads on: the equations of motion may have no unique solution there")
    if budget.late:
        return N_("the search was stopped after {seconds:.0f} s of computing", SECONDS)
    coarse, fine = (in_words(float(f"{step:.2g}")) for step in steps)
    if unfinished:
        return N_("the search came to its limit, in steps of {step}", fine)
    return N_("solutions with steps of {coarse} and {fine} differ from then on", coarse, fine)


# ---- smooth motions ------------------------------------------------------------------------------------


class Integration:
    """An integration of a world's motion up to a time [s], which goes on as far as it is wanted.

    solution : its states so far; time : [s] that is reached
    last : [s], the mean of its last steps; stuck : these are too small by far to reach the end
    """

    def __init__(self, world: World, until: float, rule: Rule) -> None:
        equations = system_of(world.scenario).equations
        assert equations is not None
        # steps end where the time alone makes a corner or a jump; those of the state, as of a controller at its bound,
        # are not sought: a step across one errs by more than it may, and is taken again until it is short enough
        inside = world.knots[(world.knots > world.time) & (world.knots < until)]
        self.equations: Equations = equations(world)
        self.stops = np.array([world.time, *np.unique(inside), until])
        self._rule, self._table = rule, coefficients()
        self._place, self._y = self.equations.place(world.time), self.equations.start.copy()
        self._room = np.zeros((WITHIN + 2, len(self._y)))
        self._steps = 0
        self.solution = self._motion(self.stops[:1], self._y[None].copy())
        self.time = world.time
        self.last, self.stuck = until - world.time, False

    @property
    def step(self) -> float:
        """The mean of its steps [s]."""
        return (self.time - float(self.stops[0])) / max(self._steps, 1)

    @property
    def failed(self) -> bool:
        """True if no step leads on."""
        return bool(self._place[FAILED])

    @property
    def over(self) -> bool:
        """True if it does not go on."""
        return self.failed or self.stuck or not self._place[STOP] < len(self.stops)

    def extend(self, budget: Budget) -> None:
        """Go on by some steps, as far as the budget allows."""
        few = max(1, int(budget.most / (PIECES * WITHIN)))
        rows = POINTS * min(few, max(AT_ONCE, len(self.solution.time) // (GROWTH * POINTS)))
        times, out, before = np.empty(rows), np.empty((rows, len(self._y))), self._place[EVALUATIONS]
        done = self.equations.advance(
            self.stops, self._rule, before + budget.left, self._y, self._place, times, out, self._room, self._table
        )
        if done:
            self.last = (float(times[done - 1]) - self.time) * POINTS / done
            self.solution = concatenated(self.solution.thinned(ROWS), self._motion(times[:done], out[:done]))
            self.time, self._steps = float(times[done - 1]), self._steps + done // POINTS
            wanted = (float(self.stops[-1]) - self.time) * WITHIN / self.last
            self.stuck = done >= POINTS * AT_ONCE and wanted > HOPELESS * budget.most
        budget.spend(float(self._place[EVALUATIONS] - before))

    def _motion(self, times: Array, rows: Array) -> Solution:
        return Solution(times.copy(), *self.equations.motion(times, rows))


def _integrated(world: World, until: float, longest: float, budget: Budget) -> SearchResult:
    """The motion of a smooth world, by finer and finer integrations until two agree."""
    begin, length = world.time, LENGTH * world.body.radius
    if not begin < until:  # the first sample of what was measured may be late
        only = (np.array([getattr(world, name)]) for name in STATE)
        return SearchResult(Solution(np.array([begin]), *only), begin, SOURCE, 0.0, "")
    rule = replace(ROUGH, longest=min(SHARE * world.shortest_period, longest))
    coarse, best = Integration(world, until, rule), None
    for number, tolerance in enumerate(TOLERANCES, 1):
        fine = Integration(world, until, rule.finer(FINER**number, tolerance))
        valid = _together(coarse, fine, length, budget)
        valid = min(valid, _curved_until(fine.solution.around(begin, valid), length))
        if best is None or valid > best.valid_until:
            ended = fine.failed and coarse.failed
            unfinished = budget.over or (coarse.stuck and fine.stuck)
            steps = (coarse.last, fine.last) if unfinished else (coarse.step, fine.step)
            why = "" if valid == until else _why(steps, budget, unfinished, ended)
            best = SearchResult(fine.solution.around(begin, valid), valid, SOURCE, fine.step, why)
        if valid == until or budget.over:
            break
        coarse = fine
    assert best is not None
    return best


def end_by_knots(world: World) -> tuple[Array, float, float]:
    """The attitude at the end of a smooth world's scenario, by the finest integration, whose steps end at its knots.

    With the mean of its steps [s], and the angle [rad] between it and the end of the one before. PhysicsError where it
    takes more evaluations than a search may cost, no step leads there, or the one before it ends elsewhere.
    """
    rule = replace(ROUGH, longest=SHARE * world.shortest_period)
    ends, until = [], world.scenario.duration
    for number, tolerance in list(enumerate(TOLERANCES, 1))[-2:]:
        motion = Integration(world, until, rule.finer(FINER**number, tolerance))
        budget = Budget(MAX_EVALUATIONS / system_of(world.scenario).effort(world))
        while not motion.over and not budget.over:
            motion.extend(budget)
        if motion.time < until:
            raise PhysicsError(N_("no truth known after {time:.3g} s", motion.time))
        ends.append(motion.solution.orientation[-1])
    if (apart := float(angle_between(*ends).max())) > ANGLE:
        raise PhysicsError(N_("no truth known after {time:.3g} s", search(world, until).valid_until))
    return np.asarray(ends[-1]), motion.step, apart


def _together(coarse: Integration, fine: Integration, length: float, budget: Budget) -> float:
    """Time [s] up to which two integrations agree that go on side by side until they part."""
    agreed = float(coarse.stops[0])
    while True:
        for one in (coarse, fine):
            while one.time <= agreed and not one.over and not budget.over:
                one.extend(budget)
        reached = min(coarse.time, fine.time)
        if not reached > agreed:
            return agreed
        part = coarse.solution.between(agreed, reached)
        parted = parting(part, fine.solution.around(agreed, reached), ANGLE, length)
        if parted < math.inf:
            return parted
        agreed = reached


def _curved_until(solution: Solution, length: float) -> float:
    """Time [s] up to which cubics between the states of a solution are right; infinite where they are throughout.

    Those over twice the distance err at least twice as much, and 16 times as much where the motion is smooth.
    """
    return parting(solution.rows(slice(1, -1, 2)), solution.rows(slice(None, None, 2)), CURVED * ANGLE, CURVED * length)


# ---- motions with contact ------------------------------------------------------------------------------


def _stepped(
    world: World, until: float, longest: float, taken: Collection[float], name: str, budget: Budget
) -> SearchResult:
    """The motion of a world with contact, by a scheme's steps of finer and finer length until two solutions agree."""
    begin, length = world.time, LENGTH * world.body.radius
    if not begin < until:
        return SearchResult(_solved(world, name, world.scenario.step, 0)[0], begin, name, 0.0, "")
    span, fastest = until - begin, float(np.linalg.norm(world.angular_velocity)) / SLOW
    n = math.ceil(min(span * max(fastest, 1.0 / min(COARSER * world.scenario.step, longest)), budget.left / 8.0))
    n = _free(span, max(n, 1), taken)
    coarse, _ = _solved(world, name, span / n, n)
    budget.spend(n)
    while True:
        m = _free(span, 2 * n + 1, taken)
        fine, fault = _solved(world, name, span / m, m)
        budget.spend(m)
        end = min(coarse.time[-1], fine.time[-1])
        valid = min(
            end,
            parting(coarse.between(begin, end), fine, TOUCHING * ANGLE, TOUCHING * length),
            _curved_until(fine.between(begin, end), length),
        )
        agreed, steps = valid == end, (span / n, span / m)
        if agreed and begin + span == until and (fault is None or not fault.failed):
            return SearchResult(
                fine, until if fault is None else valid, name, steps[1], "" if fault is None else fault.text
            )
        if budget.left < 3.0 * m:  # finer steps for all of it are too many: see what is near
            share = min(1.0, AHEAD * (valid - begin) / span, budget.left / (3.0 * m + 3.0))
            if share * span <= valid - begin:
                break
            span, m = share * span, _free(share * span, math.ceil(share * m), taken)
            fine, _ = _solved(world, name, span / m, m)
            budget.spend(m)
        if budget.late:
            break
        coarse, n = fine, m
    why = _why(steps, budget, agreed) if fault is None or not agreed else fault.text
    return SearchResult(fine, valid, name, steps[1], why)


def _free(span: float, count: int, taken: Collection[float]) -> int:
    """A number of steps in a span [s] near a given one, whose length is none of those that are taken."""
    while any(math.isclose(span / count, step, rel_tol=1e-6) for step in taken):
        count += 1
    return count


def _solved(world: World, name: str, step: float, count: int) -> tuple[Solution, Event | None]:
    """States of a scheme after up to so many steps [s], and the event that ended it before.

    A body that rests stays where it is.
    """
    until, every = world.time + count * step, 1
    while count > ROWS * every:
        every *= 2
    scenario = world.scenario.model_copy(update={"step": step, "record_every": every, "duration": until})
    blocks, events = [], dict[str, Event]()
    for block in system_of(scenario).stream(replace(world, scenario=scenario), SCHEMES[name], 4096):
        check_wanted()
        blocks.append(block)
        events |= {event.kind: event for event in block.events}
        if count == 0:
            break
    columns = {column: np.concatenate([getattr(block, column) for block in blocks]) for column in ("time", *STATE)}
    if "rest" in events and columns["time"][-1] < until:
        for column, values in columns.items():
            still = 0.0 if "velocity" in column else 1.0
            columns[column] = np.concatenate([values[:-1], still * values[-1:], still * values[-1:]])
        columns["time"][-1] = until
    return Solution(**columns), events.get("failed-solve", events.get("left-map"))
