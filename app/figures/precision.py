"""Error over step and error over computing time, for any schemes and scenario."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

import physics
from app.figures.printing import label, lane_style, page
from physics.errors import ScenarioError
from physics.rotation import angle_between
from physics.schemes import SCHEMES, serving

HALVINGS = 10
DEFAULT = {  # a free body that tumbles, when no scenario is named
    "kind": "free",
    "duration": 2.0,
    "step": 0.1,
    "body": {"shape": "cuboid", "size": [3, 2, 1], "mass": 1},
    "initial": {"angular_velocity": [1.0, 2.0, 3.0]},
}


@dataclass(frozen=True)
class Points:
    """One scheme: steps (n,) [s], attitude errors (n,) [rad] at the end, computing times (n,) [s]."""

    scheme: str
    steps: np.ndarray
    errors: np.ndarray
    times: np.ndarray


def order(scenario: str | None = None, schemes: list[str] | None = None) -> Figure:
    """Order of convergence: attitude error over step."""
    figure, axes = page(1, 1, height=4.2)
    for points in _points(scenario, schemes):
        axes[0, 0].loglog(points.steps, points.errors, marker="o", markersize=3, **lane_style(SCHEMES[points.scheme]))
    label(axes[0, 0], "step [s]", "attitude error at the end [rad]", "Order of convergence")
    axes[0, 0].legend(loc="upper left", bbox_to_anchor=(1.01, 1.0))
    return figure


def work(scenario: str | None = None, schemes: list[str] | None = None) -> Figure:
    """Work and precision: attitude error over computing time."""
    figure, axes = page(1, 1, height=4.2)
    for points in _points(scenario, schemes):
        axes[0, 0].loglog(points.times, points.errors, marker="o", markersize=3, **lane_style(SCHEMES[points.scheme]))
    label(axes[0, 0], "computing time [s]", "attitude error at the end [rad]", "Work and precision")
    axes[0, 0].legend(loc="upper left", bbox_to_anchor=(1.01, 1.0))
    return figure


def _points(file: str | None, schemes: list[str] | None) -> list[Points]:
    scenario = physics.Scenario(**DEFAULT) if file is None else physics.load_scenario(file)
    if scenario.kind == "rockfall":
        raise ScenarioError(
            "kind", "rockfall has no order: impacts make it discontinuous; expected free, top or vessel"
        )
    names = schemes or [name for name in serving(scenario.kind) if SCHEMES[name].order is not None]
    truth = _truth(scenario)
    return [_measured(scenario, name, truth) for name in names]


def _truth(scenario: physics.Scenario) -> np.ndarray:
    """The attitude at the end: exact for a free body, else by a splitting scheme extrapolated from tiny steps."""
    if scenario.kind == "free":
        found = scenario.changed(schemes=["exact"], step=scenario.duration, record_every=1)
        return physics.simulate(found)["exact"].orientation[-1]
    coarse, middle, fine = (_end(scenario, "verlet-exact", scenario.duration / (4096 * 2**i))[0] for i in range(3))
    middle, fine = middle * np.sign(middle @ coarse), fine * np.sign(fine @ coarse)
    # Richardson: the symmetric scheme's error has even powers of the step only
    once, twice = (4 * middle - coarse) / 3, (4 * fine - middle) / 3
    best = (16 * twice - once) / 15
    return np.asarray(best / np.linalg.norm(best))


def _measured(scenario: physics.Scenario, name: str, truth: np.ndarray) -> Points:
    _end(scenario, name, scenario.duration / 8)  # compile
    steps, errors, times = [], [], []
    for i in range(HALVINGS):
        step = scenario.duration / (8 * 2**i) if scenario.step > scenario.duration / 8 else scenario.step / 2**i
        attitude, seconds = _end(scenario, name, step)
        if attitude is None:
            continue  # no solution at this step
        steps.append(step)
        errors.append(max(float(angle_between(attitude, truth)), 1e-17))
        times.append(seconds)
    return Points(name, np.array(steps), np.array(errors), np.array(times))


def _end(scenario: physics.Scenario, name: str, step: float) -> tuple[np.ndarray | None, float]:
    """Attitude at the end, None where a step had no solution, and the seconds it took."""
    every = max(1, math.floor(scenario.duration / step))
    changed = scenario.changed(schemes=[name], step=step, record_every=every)
    began = time.perf_counter()
    run = physics.simulate(changed)[name]
    seconds = time.perf_counter() - began
    return (None if run.events[-1].kind == "failed-solve" else run.orientation[-1]), seconds
