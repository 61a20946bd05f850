"""Error over step and error over computing time, for any schemes and scenario."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

import physics
from app.figures.printing import label, lane_style, page
from physics.errors import ScenarioError
from physics.rotation import Array, angle_between
from physics.schemes import SCHEMES, scheme_for, serving
from physics.systems.steps import whole_steps
from physics.world import World

HALVINGS, REPEATS, PATIENCE = 10, 5, 0.02  # the fastest of some runs counts, unless they take long [s]
DEFAULT = {  # a free body that tumbles, when no scenario is named
    "kind": "free",
    "title": "a free cuboid after 2 s",
    "duration": 2.0,
    "step": 0.1,
    "body": {"shape": "cuboid", "size": [3, 2, 1], "mass": 1},
    "initial": {"angular_velocity": [1.0, 2.0, 3.0]},
}


@dataclass(frozen=True)
class Points:
    """One scheme: steps (n,) [s], attitude errors (n,) [rad] at the end, computing times (n,) [s]."""

    scheme: str
    steps: Array
    errors: Array
    times: Array


def order(scenario: str | None = None, schemes: list[str] | None = None) -> Figure:
    """Order of convergence: attitude error over step."""
    return _diagram(scenario, schemes, "step [s]", "Order of convergence", lambda points: points.steps)


def work(scenario: str | None = None, schemes: list[str] | None = None) -> Figure:
    """Work and precision: attitude error over computing time."""
    return _diagram(scenario, schemes, "computing time [s]", "Work and precision", lambda points: points.times)


def _diagram(file: str | None, schemes: list[str] | None, x: str, title: str, of: Callable[[Points], Array]) -> Figure:
    scenario = physics.Scenario(**DEFAULT) if file is None else physics.load_scenario(file)
    if scenario.kind == "rockfall":
        raise ScenarioError(
            "kind", "rockfall has no order: impacts make it discontinuous; expected free, top or vessel"
        )
    names = schemes or [name for name in serving(scenario.kind) if SCHEMES[name].order is not None]
    figure, axes = page(1, 1, height=4.2)
    for points in measured(scenario, names):
        axes[0, 0].loglog(of(points), points.errors, marker="o", markersize=3, **lane_style(SCHEMES[points.scheme]))
    label(axes[0, 0], x, "attitude error at the end [rad]", f"{title}: {scenario.title or scenario.kind}")
    axes[0, 0].legend(loc="upper left", bbox_to_anchor=(1.01, 1.0))
    return figure


def measured(scenario: physics.Scenario, names: list[str]) -> list[Points]:
    """Every scheme from the scenario's step (an eighth of the duration at most), halved again and again."""
    for name in names:
        scheme_for(name, scenario.kind, "--scheme")
    world = World.of(scenario)
    first = max(8, whole_steps(scenario.duration, scenario.step))
    truth = _truth(world, first)
    return [_points(world, name, first, truth) for name in names]


def _truth(world: World, first: int) -> Array:
    """The attitude at the end: exact for a free body, else by a splitting scheme extrapolated from tiny steps."""
    if world.scenario.kind == "free":
        return _end(world, "exact", 1)[0]
    counts = (max(4096, 16 * first) * 2**i for i in range(3))
    coarse, middle, fine = (_end(world, "verlet-exact", count)[0] for count in counts)
    middle, fine = middle * np.sign(middle @ coarse), fine * np.sign(fine @ coarse)
    # Richardson: the symmetric scheme's error has even powers of the step only
    once, twice = (4 * middle - coarse) / 3, (4 * fine - middle) / 3
    best = (16 * twice - once) / 15
    return np.asarray(best / np.linalg.norm(best))


def _points(world: World, name: str, first: int, truth: Array) -> Points:
    _end(world, name, 1)  # compile
    rows = []
    for count in (first * 2**i for i in range(HALVINGS)):
        attitude, seconds = _end(world, name, count)
        if seconds < PATIENCE:
            seconds = min(seconds, *(_end(world, name, count)[1] for _ in range(REPEATS)))
        if np.isfinite(attitude).all():
            error = max(float(angle_between(attitude, truth)), 1e-17)
            rows.append((world.scenario.duration / count, error, seconds))
    steps, errors, times = np.array(rows).reshape(-1, 3).T
    return Points(name, steps, errors, times)


def _end(world: World, name: str, count: int) -> tuple[Array, float]:
    """Attitude (4,) at the end, not finite where a step had no solution, and the seconds that the steps took."""
    scheme, out = SCHEMES[name], np.full((1, 7), np.nan)
    J, step = np.ascontiguousarray(world.moments), world.scenario.duration / count
    state = scheme.start(J, *world.body.to_principal(world.orientation, world.angular_velocity))
    began = time.perf_counter()
    good, _ = scheme.march(J, world.field, step, count, state, out)
    seconds = time.perf_counter() - began
    attitude, _ = world.body.from_principal(out[:, :4], out[:, 4:])
    return attitude[0] if good else np.full(4, np.nan), seconds
