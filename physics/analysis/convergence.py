"""The order of convergence as one run shows it: halve the step, and see by how much the error falls."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from physics.analysis.work_precision import ended, fastest, motions_of
from physics.core.errors import PhysicsError
from physics.core.rotation import Array
from physics.core.step_count import whole_steps
from physics.scenario.scenario import Scenario
from physics.schemes.scheme import Scheme
from physics.simulation.exact_motion import angle_between, exact_motion
from physics.systems import system_of
from physics.systems.system import End
from physics.systems.world import World

HALVINGS = 7
LEAST = 1e-13  # [deg] of an error that is drawn: on a logarithmic axis there is no zero
TURNS = 2.0  # of the body that the comparison lasts, at least a few steps
_FINER = 16  # times finer than the finest step: the reference of bodies without an exact solution


class Axis(NamedTuple):
    """What errors are drawn over: a field of Point, and its name with the unit."""

    field: str
    label: str


AXES = (Axis("step", "step [s]"), Axis("seconds", "computing time [s]"), Axis("torques", "number of torques"))


@dataclass(frozen=True)
class Point:
    """The attitude error [deg] of a lane at the end of the span, with a step [s]; NaN where there is no solution.

    seconds : of computation, of the steps alone; the fastest of some runs
    torques : how many were evaluated; NaN, see work_precision.End
    """

    scheme: str
    step: float
    error: float
    seconds: float
    torques: float


def span(world: World) -> float:
    """How long the comparison lasts [s]: two turns of the body, in whole steps, at most the scenario's duration."""
    h, rate = world.scenario.step, float(np.linalg.norm(world.angular_velocity))
    wanted = TURNS * 2.0 * math.pi / rate if rate > 0 else world.scenario.duration
    steps = max(4, round(wanted / h))
    return h * min(steps, max(1, whole_steps(world.scenario.duration, h)))


def study(scenario: Scenario) -> Iterator[Point]:
    """Errors of all schemes of a scenario (free, top or vessel), with its step and with ever half of it.

    Each scheme and variant once, whatever steps of their own its lanes have.

    Against the exact solution of a free body; else against the scheme itself with a far smaller step, and then each
    scheme's own order is seen, not whether it goes to the right motion.
    """
    system = system_of(scenario)
    if not system.smooth:
        raise PhysicsError("impacts make the motion chaotic: no order can be seen in it")
    world = World.of(scenario)
    for name in motions_of(scenario):
        own = world.of_lane(name)
        end = span(own)
        finest = scenario.step / 2 ** (HALVINGS - 1)
        truth = (
            exact_motion(own, np.array([end]))[0][0]
            if system.torque_free
            else _end(own, name, finest / _FINER, end).attitude
        )
        _end(own, name, end, end)  # compile
        for halving in range(HALVINGS):
            step = scenario.step / 2**halving
            found, seconds, torques = _end(own, name, step, end)
            solved = np.isfinite(found).all() and np.isfinite(truth).all()
            error = float(angle_between(found[None], truth[None])[0]) if solved else math.nan
            yield Point(name, step, error, seconds, torques)


def _end(world: World, scheme: str, step: float, end: float) -> End:
    """The end of the span of ``end`` seconds."""
    scenario = world.scenario.model_copy(update={"step": step, "duration": end})
    timed, steps = replace(world, scenario=scenario), round(end / step)
    found = ended(timed, scheme, steps)
    return found._replace(seconds=fastest(timed, scheme, steps, found.seconds))


def slope(points: Sequence[Point]) -> float | None:
    """The order that points of one scheme show: the slope of the error over the step, or None.

    Only errors well above rounding and well below a whole turn tell it.
    """
    told = [(math.log(p.step), math.log(p.error)) for p in points if 1e-9 < p.error < 20.0]
    if len(told) < 2:
        return None
    x, y = np.array(told[-4:]).T
    return float(np.polyfit(x, y, 1)[0])


def axes_of(scenario: Scenario) -> tuple[Axis, ...]:
    """Over what the errors of a scenario are drawn: over torques where one acts, and a scheme's are counted."""
    counted = any(lane.scheme.torques is not None for lane in scenario.lanes)
    return AXES if counted and system_of(scenario).torque else AXES[:2]


def drawn(points: Sequence[Point], over: Axis) -> Array:
    """What the errors are drawn over, and the errors [deg] (2, n), of the points that logarithmic axes can show."""
    seen = [
        (float(getattr(point, over.field)), max(point.error, LEAST)) for point in points if math.isfinite(point.error)
    ]
    return np.array([pair for pair in seen if math.isfinite(pair[0])]).reshape(-1, 2).T


def verdict(scheme: Scheme, points: Sequence[Point]) -> tuple[str, str]:
    """The slope that the points of a scheme show, and the order that the scheme promises."""
    found = slope(points)
    told = "no slope" if found is None else f"slope {found:.2f}"
    if scheme.code is not None and not scheme.order:
        return told, "of its own, it tells no order"
    return told, "exact" if scheme.order is None else f"order {scheme.order}"
