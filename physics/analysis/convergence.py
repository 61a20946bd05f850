"""Convergence of schemes on one motion: order as the step is halved, and work against precision."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import NamedTuple

import numpy as np

from physics.analysis.corners import order_at_corners
from physics.core.errors import PhysicsError, ScenarioError
from physics.core.rotation import Array, angle_between
from physics.core.step_count import whole_steps
from physics.core.wording import N_, joined
from physics.scenario.scenario import Scenario
from physics.schemes import SCHEMES, by_family, serving
from physics.schemes.lane import lane_of, named, variant_in
from physics.schemes.scheme import ADVICE, Scheme
from physics.simulation.exact_motion import exact_motion
from physics.simulation.search import MAX_EVALUATIONS, end_by_knots
from physics.systems import system_of, torque_free, under_torque
from physics.systems.driver import End
from physics.systems.world import World

MAX_USUAL_SCHEMES = 10  # schemes where none are chosen: more lines are crowded
COST_HALVINGS = 10
SURE = 1e-6  # [rad] by which two extrapolations of a true end may differ; the better one errs by far less
EPSILON = float(np.finfo(float).eps)
REPEATS, ENOUGH = 30, 0.03  # a run is timed so often again at most, while all took less than this [s]


@dataclass(frozen=True)
class Points:
    """One scheme: steps (n,) [s], attitude errors (n,) [rad] at the end, computing times (n,) [s].

    torques (n,): number evaluated; NaN, see ``End``. unsure: [rad] of the true end, below which no error is known
    """

    scheme: str
    steps: Array
    errors: Array
    times: Array
    torques: Array
    unsure: float


class TrueEnd(NamedTuple):
    """The attitude (..., 4) of one or several bodies at the end of a motion, and the angle [rad] that it may be off.

    A step turns a body by a rounding error, and its angular velocity has gathered one in all steps before.
    """

    attitude: Array
    unsure: float

    @classmethod
    def of(cls, attitude: Array, world: World, steps: float, apart: float = 0.0) -> TrueEnd:
        """The end after so many steps, the angle [rad] apart from another one that is nearly as good."""
        turned = world.scenario.duration * float(np.linalg.norm(world.angular_velocity, axis=-1).max())
        return cls(attitude, max(apart, EPSILON * (steps + (1.0 + math.sqrt(steps)) * turned)))


def motions_of(scenario: Scenario) -> tuple[str, ...]:
    """The lanes of a scenario with its own step: each scheme and variant once, whatever steps its lanes have."""
    return tuple(dict.fromkeys(lane.motion for lane in scenario.lanes))


def of_first(scenario: Scenario, schemes: Iterable[str]) -> list[str]:
    """Lanes of schemes that all move as the first lane of a scenario does, if it is one of a variant."""
    return [named(scheme, scenario.lanes[0].variant) for scheme in schemes]


def served_first(scenario: Scenario) -> str:
    """The kind whose schemes serve the motion of the first lane: a variant may have a torque, or none."""
    return scenario.of_lane(scenario.lanes[0].motion).served


def shared_world(scenario: Scenario, names: Sequence[str]) -> World:
    """The world of lanes that are one motion: all of one variant, or as the scenario is; ScenarioError where not."""
    scenario.check_unedited()
    variants = dict.fromkeys(map(variant_in, names))
    if len(variants) > 1:
        text = joined(" and ", [name or N_("none") for name in variants])
        raise ScenarioError(
            "--scheme", N_("expected schemes of one variant, whose motion is measured, got {text}", text)
        )
    variant = next(iter(variants), "")
    made = scenario.of_variant(variant) if variant else scenario
    for lane in (lane_of(name, made.served, "--scheme") for name in names):
        if lane.step is not None:
            raise ScenarioError(
                "--scheme", N_("it takes many steps; expected {motion}, got '{name}'", lane.motion, lane.name)
            )
    return World.of(made)


def able(kind: str) -> list[str]:
    """The schemes that serve a kind and have an order."""
    return [name for name in serving(kind) if SCHEMES[name].order is not None]


def selection(kind: str) -> list[str]:
    """The schemes that are drawn where none are chosen: all of a kind, or MAX_USUAL_SCHEMES of them.

    The user's own, of each family in turn those that one is advised to choose, then one for each of its other orders.
    """
    known = able(kind)
    if len(known) <= MAX_USUAL_SCHEMES:
        return known
    families = {family: [scheme.name for scheme in schemes] for family, schemes in by_family(kind).items()}
    advised = [[name for name in ADVICE[family].choices if name in known] for family in families]
    found = [name for name in families.get("own", []) if name in known]
    found += [name for turn in zip_longest(*advised) for name in turn if name is not None]
    seen = {(SCHEMES[name].family, SCHEMES[name].order) for name in found}
    for name in known:
        if (order := (SCHEMES[name].family, SCHEMES[name].order)) not in seen:
            seen.add(order)
            found.append(name)
    return sorted(found[:MAX_USUAL_SCHEMES], key=known.index)


def measured(scenario: Scenario, names: list[str]) -> list[Points]:
    """Every scheme from the scenario's step (an eighth of the duration at most), halved again and again."""
    world = shared_world(scenario, names)
    first = max(8, whole_steps(scenario.duration, scenario.step))
    truth = truth_of(world, first)
    return [_points(world, name, first, truth) for name in names]


def truth_of(world: World, first: int) -> TrueEnd:
    """The true end: exact for a free body, else by a splitting scheme extrapolated from tiny steps.

    Where what acts has corners in time on the way, such steps may pass over them: then by steps that end there, and so
    where no steps are tiny enough for a long motion. PhysicsError where it cannot be known.
    """
    if torque_free(world.scenario):
        return TrueEnd.of(run_in_steps(world, "exact", 1).attitude, world, 1)
    if ((world.time < world.knots) & (world.knots < world.scenario.duration)).any():
        return _by_knots(world)
    most = MAX_EVALUATIONS / system_of(world.scenario).effort(world)
    count, ends = max(4096, 16 * first), list[Array]()
    while len(ends) < 3 or 2 * count <= most:
        ends = [*ends[-2:], run_in_steps(world, "verlet-exact", count).attitude]
        count *= 2
        if len(ends) < 3:
            continue
        coarse, middle, fine = (q * np.sign(np.sum(q * ends[0], axis=-1, keepdims=True)) for q in ends)
        # Richardson: the symmetric scheme's error has even powers of the step only
        once, twice = (4 * middle - coarse) / 3, (4 * fine - middle) / 3
        best = (16 * twice - once) / 15
        best /= np.linalg.norm(best, axis=-1, keepdims=True)
        if (apart := float(angle_between(best, twice).max())) < SURE:
            return TrueEnd.of(best, world, count // 2, apart)
    return _by_knots(world)


def _by_knots(world: World) -> TrueEnd:
    attitude, step, apart = end_by_knots(world)
    return TrueEnd.of(attitude, world, world.scenario.duration / step, apart)


def _points(world: World, name: str, first: int, truth: TrueEnd) -> Points:
    run_in_steps(world, name, 1)  # compile
    rows = []
    for count in (first * 2**i for i in range(COST_HALVINGS)):
        end = run_in_steps(world, name, count)
        if np.isfinite(end.attitude).all():
            error = max(float(angle_between(end.attitude, truth.attitude).max()), 1e-17)
            seconds = fastest(world, name, count, end.seconds)
            rows.append((world.scenario.duration / count, error, seconds, end.torques))
    steps, errors, times, torques = np.array(rows).reshape(-1, 4).T
    return Points(name, steps, errors, times, torques, truth.unsure)


def run_in_steps(world: World, name: str, count: int) -> End:
    """The scenario's duration in ``count`` steps; the seconds of the first run are those of compiling too."""
    system = system_of(world.scenario)
    if not system.smooth:
        raise PhysicsError(N_("impacts make the motion chaotic: no order can be seen in it"))
    return system.end(world, lane_of(name).scheme, count)


def uncounted(names: Iterable[str]) -> str:
    """A sentence on schemes that cannot be drawn over the number of torques, and why; "" if all can."""
    found = [scheme for scheme in (lane_of(name).scheme for name in names) if scheme.torques is None]
    solving = [scheme.name for scheme in found if scheme.code is None]
    silent = [scheme.name for scheme in found if scheme.code is not None]
    parts = [N_("{solving} (evaluated in iterations, of any number)", ", ".join(solving))] if solving else []
    parts += [N_("{silent} (no TORQUES in the file)", ", ".join(silent))] if silent else []
    return N_("No curve over torques: {parts}.", joined("; ", parts)) if parts else ""


def fastest(world: World, name: str, count: int, seconds: float) -> float:
    """The computing time [s] of steps that took ``seconds`` once: the shortest of some runs where they are brief."""
    taken = [seconds]
    while len(taken) <= REPEATS and sum(taken) < ENOUGH:
        taken.append(run_in_steps(world, name, count).seconds)
    return min(taken)


# ---- order of convergence --------------------------------------------------------------------------

HALVINGS = 7
SMALLEST_ERROR = 1e-13  # [deg] of an error that is drawn: on a logarithmic axis there is no zero
TURNS = 2.0  # turns of the body that the comparison lasts, at least a few steps
_FINER = 16  # times finer than the finest step: the reference of bodies without an exact solution


class Axis(NamedTuple):
    """An axis that errors are drawn over: a field of Point, and its name with the unit."""

    field: str
    label: str


AXES = (Axis("step", "step [s]"), Axis("seconds", "computing time [s]"), Axis("torques", "number of torques"))


@dataclass(frozen=True)
class Point:
    """The attitude error [deg] of a lane at the end of the span, with a step [s]; NaN where there is no solution.

    seconds : of computation, of the steps alone; the fastest of some runs
    torques : number evaluated; NaN, see End
    order : that the scheme promises for the motion; None: exact
    """

    scheme: str
    step: float
    error: float
    seconds: float
    torques: float
    order: int | None


def order_on(world: World, lane: str) -> int | None:
    """The order that a lane's scheme promises for the motion of a world; None of exact."""
    scheme = lane_of(lane).scheme
    order = scheme.order_for(torque=under_torque(world.scenario), damped=not world.lossless)
    if not order:
        return order
    most = world.highest_order(scheme), order_at_corners(world, lane)
    return min([order, *(one for one in most if one is not None)])


def span(world: World) -> float:
    """Length of the comparison [s]: two turns of the body, in whole steps, at most the scenario's duration."""
    h, rate = world.scenario.step, float(np.linalg.norm(world.angular_velocity))
    wanted = TURNS * 2.0 * math.pi / rate if rate > 0 else world.scenario.duration
    steps = max(4, round(wanted / h))
    return h * min(steps, max(1, whole_steps(world.scenario.duration, h)))


def study(scenario: Scenario) -> Iterator[Point]:
    """Errors of all schemes of a smooth motion, of several bodies the largest, with its step and with ever half of it.

    Each scheme and variant once, whatever steps of their own its lanes have.

    Against the exact solution of a free body; else against the scheme itself with a far smaller step, and then each
    scheme's own order is seen, not whether it goes to the right motion.
    """
    system = system_of(scenario)
    if not system.smooth:
        raise PhysicsError(N_("impacts make the motion chaotic: no order can be seen in it"))
    scenario.check_unedited()
    world = World.of(scenario)
    for name in motions_of(scenario):
        own = world.of_lane(name)
        end = span(own)
        order = order_on(_lasting(own, scenario.step, end), name)
        finest = scenario.step / 2 ** (HALVINGS - 1)
        truth = (
            exact_motion(own, np.array([end]))[0][0]
            if torque_free(own.scenario)
            else _end(own, name, finest / _FINER, end).attitude
        )
        _end(own, name, end, end)  # compile
        for halving in range(HALVINGS):
            step = scenario.step / 2**halving
            found, seconds, torques = _end(own, name, step, end)
            solved = np.isfinite(found).all() and np.isfinite(truth).all()
            error = math.degrees(angle_between(found, truth).max()) if solved else math.nan
            yield Point(name, step, error, seconds, torques, order)


def _end(world: World, scheme: str, step: float, end: float) -> End:
    """The end of the span of ``end`` seconds."""
    timed, steps = _lasting(world, step, end), round(end / step)
    found = run_in_steps(timed, scheme, steps)
    return found._replace(seconds=fastest(timed, scheme, steps, found.seconds))


def _lasting(world: World, step: float, end: float) -> World:
    """The world with another step and duration [s]."""
    return replace(world, scenario=world.scenario.model_copy(update={"step": step, "duration": end}))


def slope(points: Sequence[Point]) -> float | None:
    """The order that points of one scheme show: the slope of the error over the step, or None.

    Only errors well above rounding and well below a whole turn count.
    """
    logs = [(math.log(p.step), math.log(p.error)) for p in points if 1e-9 < p.error < 20.0]
    if len(logs) < 2:
        return None
    x, y = np.array(logs[-4:]).T
    return float(np.polyfit(x, y, 1)[0])


def axes_of(scenario: Scenario) -> tuple[Axis, ...]:
    """Over what the errors of a scenario are drawn: over torques where one acts, and a scheme's are counted."""
    counted = any(lane.scheme.torques is not None for lane in scenario.lanes)
    return AXES if counted and under_torque(scenario) else AXES[:2]


def drawn(points: Sequence[Point], over: Axis) -> Array:
    """Abscissae and errors [deg] (2, n) of the points that logarithmic axes can show."""
    seen = [
        (float(getattr(point, over.field)), max(point.error, SMALLEST_ERROR))
        for point in points
        if math.isfinite(point.error)
    ]
    return np.array([pair for pair in seen if math.isfinite(pair[0])]).reshape(-1, 2).T


def verdict(scheme: Scheme, points: Sequence[Point]) -> tuple[str, str]:
    """The slope that the points of a scheme show, and the order that the scheme promises for their motion."""
    found, order = slope(points), points[0].order if points else scheme.order
    shown = N_("no slope") if found is None else N_("slope {found:.2f}", found)
    if scheme.code is not None and not scheme.order:
        return shown, N_("of its own: no order can be given")
    return shown, (N_("exact") if order is None else N_("order {order}", order))
