"""Ranking of schemes for one motion by the computing time that an accuracy takes.

For a body, its spin and torque, and a step, as a scenario has them: each scheme runs from the scenario's step, halved
until the attitude at the end has the wanted accuracy. The end is that of a run: after the last whole step.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from physics.analysis.convergence import (
    fastest,
    of_first,
    order_on,
    run_in_steps,
    selection,
    served_first,
    shared_world,
    truth_of,
)
from physics.core.cancellation import check_wanted
from physics.core.errors import ScenarioError
from physics.core.rotation import angle_between
from physics.core.step_count import whole_steps
from physics.core.wording import N_, joined
from physics.scenario.scenario import Scenario
from physics.schemes import serving
from physics.schemes.lane import lane_of
from physics.schemes.own_process import SchemeFault
from physics.systems import kinds_of, system_of, under_torque
from physics.systems.world import World

ACCURACY = math.radians(0.1)  # [rad]
HALVINGS = 12
MAX_RUN_SECONDS = 5.0  # no finer step is tried after it
HEADINGS = ("scheme", "order", "error at the step", "step needed", "cost of a step", "time")


@dataclass(frozen=True)
class Rank:
    """One scheme.

    error [rad]: of the attitude at the end with the scenario's step, of several bodies the largest; not finite where a
    step had no solution.
    cost [s]: computing time of a step. step [s]: the longest one, of halvings of the scenario's, that has the wanted
    accuracy. time [s]: computing time of the motion with it; infinite where none of them is. fault: why it failed, in
    words: it cannot take the scenario, or is of the user's own and its code is wrong.
    order: for the motion; None: exact. unsure [rad]: of the true end, below which no error is known
    advice: the scheme's; "" where it speaks of other motions: of a free body, or of an order that it has not here
    """

    scheme: str
    error: float
    cost: float
    step: float
    time: float
    fault: str = ""
    order: int | None = None
    unsure: float = 0.0
    advice: str = ""


def candidates(scenario: Scenario, every: bool = False) -> list[str]:
    """The schemes to rank: those of the scenario and a choice of those that serve its kind, or every one of these.

    All for the motion of the scenario's first lane.
    """
    kind, own = served_first(scenario), (lane.scheme.name for lane in scenario.lanes)
    return of_first(scenario, serving(kind) if every else dict.fromkeys([*own, *selection(kind)]))


def ranked(
    scenario: Scenario,
    names: Sequence[str],
    accuracy: float = ACCURACY,
    progress: Callable[[float], None] | None = None,
) -> tuple[Rank, ...]:
    """The schemes, the fastest for the accuracy [rad] first; those that never reach it by their error.

    progress : called with the share that is done. Raises ScenarioError, naming the field; GivenUp where the caller's
    ``physics.core.cancellation.until`` says so.
    """
    if not system_of(scenario).smooth:
        smooth = kinds_of(lambda row: row.smooth)
        raise ScenarioError(
            "kind", N_("{kind}: impacts decide where it ends, not steps; expected {smooth}", scenario.kind, smooth)
        )
    world, first = shared_world(scenario, names), whole_steps(scenario.duration, scenario.step)
    world = replace(world, scenario=world.scenario.model_copy(update={"duration": end_of(scenario)}))
    truth = truth_of(world, max(8, first))
    if not accuracy > truth.unsure:
        text = N_("expected more than {angle:.2g}°, to which the true end is known", math.degrees(truth.unsure))
        raise ScenarioError("accuracy", text)
    found = []
    for done, name in enumerate(names):
        if progress is not None:
            progress(done / len(names))
        rank, order = _rank(world, name, first, truth.attitude, accuracy), order_on(world, name)
        found.append(replace(rank, order=order, unsure=truth.unsure, advice=_advice(world, name, order)))
    return tuple(sorted(found, key=lambda rank: (rank.time, math.isnan(rank.error), rank.error)))


def end_of(scenario: Scenario) -> float:
    """The time [s] at which schemes are compared."""
    return scenario.step * whole_steps(scenario.duration, scenario.step)


def _rank(world: World, name: str, first: int, truth: np.ndarray, accuracy: float) -> Rank:
    """A scheme alone; one that cannot take the scenario, or a file of the user's that fails, stops no other."""
    if why := world.scenario.unfit(name):
        return Rank(name, math.nan, math.nan, math.nan, math.inf, N_("it {why}", why))
    try:
        return _reached(world, name, first, truth, accuracy)
    except SchemeFault as fault:
        return Rank(name, math.nan, math.nan, math.nan, math.inf, str(fault))


def _reached(world: World, name: str, first: int, truth: np.ndarray, accuracy: float) -> Rank:
    run_in_steps(world, name, 1)  # compile
    at_first = error = seconds = math.nan
    count = first
    for count in (first * 2**i for i in range(HALVINGS)):
        check_wanted()
        attitude, seconds, _ = run_in_steps(world, name, count)
        error = float(angle_between(attitude, truth).max()) if np.isfinite(attitude).all() else math.nan
        if count == first:
            at_first = error
        if error <= accuracy or seconds > MAX_RUN_SECONDS:
            break
    seconds = fastest(world, name, count, seconds)
    reached = error <= accuracy
    step = world.scenario.duration / count if reached else math.nan
    return Rank(name, at_first, seconds / count, step, seconds if reached else math.inf)


def _advice(world: World, name: str, order: int | None) -> str:
    """The advice of a scheme, which speaks of free bodies if it serves them, and of its usual order."""
    scheme = lane_of(name).scheme
    acted = under_torque(world.scenario) or not world.lossless
    return scheme.advice if order == scheme.order and not (acted and "free" in scheme.kinds) else ""


def advice(ranks: Sequence[Rank]) -> str:
    """The best of the ranking in one sentence, and what failed."""
    best = next((rank for rank in ranks if math.isfinite(rank.time)), None)
    texts: list[str]
    if best is None:
        texts = [N_("None of these schemes reaches this accuracy with any step tried.")]
    else:
        first = N_("{scheme} with a step of {step:.3g} s is the fastest.", best.scheme, best.step)
        texts = [first, *([best.advice] if best.advice else [])]
    failed = [N_("{scheme} failed: {fault}.", rank.scheme, rank.fault) for rank in ranks if rank.fault]
    return joined(" ", [*texts, *failed])


def cells(rank: Rank) -> tuple[str, ...]:
    """A scheme's line under HEADINGS: degrees, seconds, nanoseconds and milliseconds."""
    degrees = math.degrees(rank.error)
    reached = math.isfinite(rank.time)
    return (
        rank.scheme,
        (N_("exact") if rank.order is None else str(rank.order)),
        (
            N_("failed")
            if rank.fault
            else N_("no solution")
            if math.isnan(rank.error)
            else f"<{math.degrees(rank.unsure):.2g}°"
            if rank.error <= rank.unsure
            else N_("{degrees:.0f}°", degrees)
            if degrees >= 10.0
            else N_("{degrees:.2g}°", degrees)
        ),
        (N_("{step:.3g} s", rank.step) if reached else N_("not reached")),
        ("–" if rank.fault else N_("{cost:.0f} ns", 1e9 * rank.cost)),
        (N_("{time:.3g} ms", 1e3 * rank.time) if reached else "–"),
    )


def rank_facts(rank: Rank) -> dict[str, str | float | None]:
    """A scheme's line for JSON: radians and seconds, null where there is none; what failed."""
    numbers = {"error": rank.error, "unsure": rank.unsure, "cost": rank.cost, "step": rank.step, "time": rank.time}
    found = {key: x if math.isfinite(x) else None for key, x in numbers.items()}
    return {"scheme": rank.scheme} | found | {"fault": rank.fault or None}
