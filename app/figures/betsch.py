"""Figures of Betsch & Siebert (2009): a free body and a steady top under the four schemes that they compare."""

from __future__ import annotations

from functools import cache

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import physics
from app.plots.print_style import AXES, AXES_DASHES, INK, PALE, below, below_all, figure_page, label, lane_style
from app.system.language import tr
from physics.core.rotation import Array, matrix, multiply
from physics.schemes import SCHEMES
from physics.systems.world import World

COMPARED = ("quat-em", "quat-vi", "dir-em", "algo-c1")
FREE_COUNTS = (20, 50, 100, 200, 400, 800, 1600)  # steps in the second
TOP_COUNTS = (100, 143, 200, 400, 800, 1600, 3200)
TILT, PRECESSION, ARM = np.pi / 3, 10.0, 0.075  # θ0 [rad], ω_p [rad/s], L = 3/4 H [m]


# ---- the free body, section 5.1 -----------------------------------------------------------------------


@cache
def free_body(scheme: str, step: float, duration: float = 1.0) -> physics.Trajectory:
    """The free body with moments (6, 8, 3) that starts at (10, 20, 20) rad/s."""
    scenario = physics.Scenario(
        kind="free",
        duration=duration,
        step=step,
        schemes=[scheme],
        body={"shape": "inertia", "inertia": [6, 8, 3], "mass": 1},
        initial={"angular_velocity": [10, 20, 20]},
    )
    return physics.simulate(scenario)[scheme]


def configuration_error(one: Array, other: Array) -> float:
    """e = |R1 R2^T - I|, Frobenius norm, of two attitudes (4,)."""
    return float(np.linalg.norm(matrix(one) @ matrix(other).T - np.eye(3)))


@cache
def free_errors(scheme: str) -> tuple[Array, Array]:
    """Steps (n,) [s] that the scheme can take, and errors (n,) of the attitude after one second."""
    truth = free_body("exact", 1.0).orientation[-1]
    runs = {1 / n: free_body(scheme, 1 / n) for n in FREE_COUNTS}
    found = {step: configuration_error(truth, run.orientation[-1]) for step, run in runs.items() if _whole(run)}
    return np.array(list(found)), np.array(list(found.values()))


def _whole(run: physics.Trajectory) -> bool:
    return not run.events[-1].failed


def figure_1() -> Figure:
    """Free body: what quat-em keeps at a step of 0.05 s, and the attitude error of four schemes over the step."""
    figure, axes = figure_page(1, 2, height=2.7)
    run = free_body("quat-em", 0.05, 10.0)
    spin = np.linalg.norm(run.spin[0])
    _changes(axes[0, 0], run, {i: (run.spin[:, i] - run.spin[0, i]) / spin for i in range(3)})
    axes[0, 0].set_title(tr("quat-em at a step of 0.05 s: kept to rounding"))
    for name in COMPARED:
        axes[0, 1].loglog(*free_errors(name), marker="o", markersize=3, **lane_style(SCHEMES[name]))
    title = tr("Attitude after 1 s (quat-vi: none at 0.05 s)")
    label(axes[0, 1], tr("step [s]"), "e = ‖R$_\\mathrm{ref}$ R$^\\mathrm{T}$ − I‖ [1]", title)
    for axis in axes[0]:
        below(axis)
    return figure


def _changes(axes: Axes, run: physics.Trajectory, spin: dict[int, Array]) -> None:
    """Relative changes (n,) of what should not change: the energy, and components of the spin in space."""
    energy = run.total_energy / run.total_energy[0] - 1
    axes.plot(run.time, 1e15 * energy, color=INK, linewidth=0.9, label=tr("energy"))
    for i, change in spin.items():
        axes.plot(run.time, 1e15 * change, label=f"L$_{i + 1}$", color=AXES[i], linestyle=AXES_DASHES[i], linewidth=0.9)
    axes.set_xlim(run.time[0], run.time[-1])
    reach = 1.3e15 * max(np.abs(change).max() for change in (energy, *spin.values()))
    axes.set_ylim(-max(5.0, reach), max(5.0, reach))
    label(axes, tr("time [s]"), f"{tr('relative change')} [10$^{{-15}}$]")


# ---- the steady top, section 5.2 ----------------------------------------------------------------------


def top_scenario(scheme: str, step: float, duration: float = 1.0) -> physics.Scenario:
    """The cone that precesses steadily at 10 rad/s with its axis at 60° from the vertical."""
    return physics.Scenario(
        kind="top",
        duration=duration,
        step=step,
        schemes=[scheme],
        body={"shape": "cone", "height": 0.1, "radius": 0.05, "density": 2700},
        initial={"nutation": TILT, "precession": PRECESSION, "spin": "steady"},
    )


@cache
def top(scheme: str, step: float, duration: float = 1.0) -> physics.Trajectory:
    """The top under a scheme."""
    return physics.simulate(top_scenario(scheme, step, duration))[scheme]


def steady_centre(time: Array) -> Array:
    """The analytical centre of mass (n, 3) [m] at times (n,) [s]."""
    angle, radius = PRECESSION * np.asarray(time), ARM * np.sin(TILT)
    return np.stack([radius * np.sin(angle), -radius * np.cos(angle), np.full_like(angle, ARM * np.cos(TILT))], axis=-1)


def steady_attitude(time: float) -> Array:
    """The analytical attitude (4,): turned by spin about the axis, tilted, turned by precession about the vertical."""
    start = World.of(top_scenario("quat-em", 0.01))
    spin = start.angular_velocity[2] - PRECESSION * np.cos(TILT)  # ω_s
    vertical, own = (np.array([np.cos(r * time / 2), 0.0, 0.0, np.sin(r * time / 2)]) for r in (PRECESSION, spin))
    return multiply(multiply(vertical, start.orientation), own)


@cache
def top_errors(scheme: str) -> tuple[Array, Array, Array]:
    """Steps (n,) [s] that the scheme can take; after one second, relative errors of the centre, errors of attitude."""
    centre, attitude = steady_centre(np.array([1.0]))[0], steady_attitude(1.0)
    rows = []
    for n in TOP_COUNTS:
        run = top(scheme, 1 / n)
        if _whole(run):
            away = np.linalg.norm(run.position[-1] - centre) / np.linalg.norm(centre)
            rows.append((1 / n, away, configuration_error(attitude, run.orientation[-1])))
    steps, centres, attitudes = np.array(rows).T
    return steps, centres, attitudes


def figure_3() -> Figure:
    """Steady top: what quat-em keeps at 0.01 s, and errors of the centre of mass and of the attitude over the step."""
    figure, axes = figure_page(1, 3, height=2.8)
    run = top("quat-em", 0.01)
    _changes(axes[0, 0], run, {2: run.spin[:, 2] / run.spin[0, 2] - 1})
    axes[0, 0].set_title(tr("quat-em at 0.01 s:\nkept to rounding"))
    for name in COMPARED:
        steps, centres, attitudes = top_errors(name)
        for axis, errors in zip(axes[0, 1:], (centres, attitudes), strict=True):
            axis.loglog(steps, errors, marker="o", markersize=3, **lane_style(SCHEMES[name]))
    title = tr("Centre of mass only:\ndir-em most accurate")
    label(axes[0, 1], tr("step [s]"), tr("relative error at 1 s [1]"), title)
    error = tr("{error} at 1 s [1]").format(error="‖R$_\\mathrm{ref}$ R$^\\mathrm{T}$ − I‖")
    label(axes[0, 2], tr("step [s]"), error, tr("Attitude, with angular momentum:\nalgo-c1 most accurate"))
    below_all(figure, axes[0, 0], axes[0, 1], columns=6)
    return figure


def figure_4() -> Figure:
    """Steady top: centre of mass under quat-em and dir-em at a step of 0.01 s, beside the analytical solution."""
    return _centre(("quat-em", "dir-em"), 0.01)


def figure_5() -> Figure:
    """Steady top: centre of mass under quat-vi and algo-c1 at a step of 0.007 s, beside the analytical solution."""
    return _centre(("quat-vi", "algo-c1"), 0.007)


def _centre(schemes: tuple[str, str], step: float) -> Figure:
    figure, axes = figure_page(1, 2, height=2.5)
    time = np.linspace(0.0, 1.0, 401)
    for axis, name, i in zip(axes[0], "xz", (0, 2), strict=True):
        truth = 1000 * steady_centre(time)[:, i]
        axis.plot(time, truth, color=PALE, linewidth=2.6, solid_capstyle="butt", label=tr("analytical"))
        for scheme in schemes:
            run = top(scheme, step)
            axis.plot(run.time, 1000 * run.position[:, i], **lane_style(SCHEMES[scheme]))
        axis.set_xlim(0.0, 1.0)
        title = tr("Centre of mass, {axis}; step {step} s").format(axis=name, step=f"{step:g}")
        label(axis, tr("time [s]"), f"{name} [mm]", title)
    below_all(figure, axes[0, 0])
    return figure
