"""Error over step and error over computing time, for any schemes and scenario."""

from __future__ import annotations

import textwrap
import time
from dataclasses import dataclass
from itertools import zip_longest

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

import physics
from app.figures import line_labels
from app.playback.lane_looks import lane_schemes
from app.plots.print_style import label, lane_style, page
from physics.core.errors import ScenarioError
from physics.core.rotation import Array, angle_between
from physics.core.step_count import whole_steps
from physics.schemes import SCHEMES, by_family, serving
from physics.schemes.families import ADVICE
from physics.schemes.lane import lane_of
from physics.systems import kinds_of, system_of
from physics.systems.rotating_world import RotatingWorld
from physics.systems.scheme_table import short_names

MOST = 10  # lines where none are chosen: more are crowded
LINE = 0.125  # inches that the name of a line takes, or a line of the caption
WIDE = 132  # letters in a line of the caption
ALL = "all"  # in place of the names of schemes
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
    return _diagram(scenario, schemes, "Order of convergence", timed=False)


def work(scenario: str | None = None, schemes: list[str] | None = None) -> Figure:
    """Work and precision: attitude error over computing time."""
    return _diagram(scenario, schemes, "Work and precision", timed=True)


def _diagram(file: str | None, schemes: list[str] | None, title: str, timed: bool) -> Figure:
    scenario = physics.Scenario(**DEFAULT) if file is None else physics.load_scenario(file)
    if not system_of(scenario).smooth:
        raise ScenarioError(
            "kind",
            f"{scenario.kind} has no order: impacts make it discontinuous; expected {kinds_of(lambda row: row.smooth)}",
        )
    able = _able(scenario.served)
    names = able if schemes is not None and ALL in schemes else schemes or selection(scenario.served)
    found = measured(scenario, names)
    solved = [points for points in found if len(points.steps)]
    if not solved:
        raise ScenarioError("step", f"{', '.join(names)}: no solution of any step from {scenario.step:g} s down", file)
    of = (scenario.title or scenario.kind).replace("$", r"\$")  # no formula begins with it
    told = [f"{title}: {of}"]
    told += [f"{points.scheme}: no solution of any of these steps" for points in found if not len(points.steps)]
    hidden = _hidden(scenario.served, names) if schemes is None and len(names) < len(able) else ""
    beside = 1.2 + LINE * (len(told) + len(hidden.splitlines()))  # titles, numbers and captions
    figure, axes = page(1, 1, height=beside + max(3.9, LINE * len(solved)) - 0.3)
    lines = []
    rows = lane_schemes([points.scheme for points in solved])
    for points, scheme, mark in zip(solved, rows, line_labels.marked(rows), strict=True):
        x = points.times if timed else points.steps
        lines += axes[0, 0].loglog(x, points.errors, **mark, **lane_style(scheme))
    told[1:1] = _explained(lines)
    label(
        axes[0, 0], f"{'computing time' if timed else 'step'} [s]", "attitude error at the end [rad]", "\n".join(told)
    )
    if hidden:
        figure.supxlabel(hidden, x=0.01, ha="left", fontsize=line_labels.SIZE)
    line_labels.name(axes[0, 0], lines, left=timed, beside=beside)
    return figure


def _able(kind: str) -> list[str]:
    """The schemes that serve a kind and have an order."""
    return [name for name in serving(kind) if SCHEMES[name].order is not None]


def selection(kind: str) -> list[str]:
    """The schemes that are drawn where none are chosen: all of a kind, or MOST of them.

    The user's own, of each family in turn those that one is advised to choose, then one for each of its other orders.
    """
    able = _able(kind)
    if len(able) <= MOST:
        return able
    families = {family: [scheme.name for scheme in schemes] for family, schemes in by_family(kind).items()}
    advised = [[name for name in ADVICE[family].choices if name in able] for family in families]
    found = [name for name in families.get("own", []) if name in able]
    found += [name for turn in zip_longest(*advised) for name in turn if name is not None]
    seen = {(SCHEMES[name].family, SCHEMES[name].order) for name in found}
    for name in able:
        if (order := (SCHEMES[name].family, SCHEMES[name].order)) not in seen:
            seen.add(order)
            found.append(name)
    return sorted(found[:MOST], key=able.index)


def _hidden(kind: str, shown: list[str]) -> str:
    """Which schemes are not drawn, and how to draw them."""
    names = short_names(name for name in _able(kind) if name not in shown)
    told = (
        f"{len(shown)} of {len(_able(kind))} schemes. Not shown: {names}. They are drawn with --scheme NAME, again for "
    )
    return textwrap.fill(f"{told}each, or with --scheme {ALL}.", WIDE, break_on_hyphens=False)


def _explained(lines: list[Line2D]) -> list[str]:
    """What hides lines from sight, if anything does."""
    told = []
    if len(line_labels.coinciding(lines)) < len(lines):
        told.append("=: on the line of the name above; the lowest such line is wide and pale")
    if min(float(np.min(line.get_ydata())) for line in lines) < line_labels.ROUNDING:
        told.append("Below 10⁻¹³ rounding alone parts the lines")
    return told


def measured(scenario: physics.Scenario, names: list[str]) -> list[Points]:
    """Every scheme from the scenario's step (an eighth of the duration at most), halved again and again."""
    for name in names:
        lane = lane_of(name, scenario.served, "--scheme")
        if lane.step is not None:
            raise ScenarioError("--scheme", f"the figure takes many steps; expected {lane.scheme.name}, got '{name}'")
    world = RotatingWorld.of(scenario)
    first = max(8, whole_steps(scenario.duration, scenario.step))
    truth = _truth(world, first)
    return [_points(world, name, first, truth) for name in names]


def _truth(world: RotatingWorld, first: int) -> Array:
    """The attitude at the end: exact for a free body, else by a splitting scheme extrapolated from tiny steps."""
    if system_of(world.scenario).torque_free:
        return _end(world, "exact", 1)[0]
    counts = (max(4096, 16 * first) * 2**i for i in range(3))
    coarse, middle, fine = (_end(world, "verlet-exact", count)[0] for count in counts)
    middle, fine = middle * np.sign(middle @ coarse), fine * np.sign(fine @ coarse)
    # Richardson: the symmetric scheme's error has even powers of the step only
    once, twice = (4 * middle - coarse) / 3, (4 * fine - middle) / 3
    best = (16 * twice - once) / 15
    return np.asarray(best / np.linalg.norm(best))


def _points(world: RotatingWorld, name: str, first: int, truth: Array) -> Points:
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


def _end(world: RotatingWorld, name: str, count: int) -> tuple[Array, float]:
    """Attitude (4,) at the end, not finite where a step had no solution, and the seconds that the steps took."""
    scheme, out = SCHEMES[name], np.full((1, 7), np.nan)
    J, step = np.ascontiguousarray(world.moments), world.scenario.duration / count
    state = scheme.start(J, *world.body.to_principal(world.orientation, world.angular_velocity))
    began = time.perf_counter()
    good, _ = scheme.march(J, world.field, step, count, state, out)
    seconds = time.perf_counter() - began
    attitude, _ = world.body.from_principal(out[:, :4], out[:, 4:])
    return attitude[0] if good else np.full(4, np.nan), seconds
