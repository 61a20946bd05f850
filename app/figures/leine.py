"""Figures of Leine et al. (2021): the free cuboid under the explicit and the implicit scheme."""

from __future__ import annotations

from collections.abc import Callable

from matplotlib.figure import Figure

import physics
from app.plots.print_style import below, components, figure_page, label
from app.system.language import tr
from physics.analysis.invariants import axis_difference
from physics.core.rotation import Array

MAJOR, INTERMEDIATE = (1e-3, 1e-3, 10.0), (1e-3, 10.0, 1e-3)
RATES = ("ω$_x$", "ω$_y$", "ω$_z$")


def cuboid(scheme: str, angular_velocity: tuple[float, float, float]) -> physics.Trajectory:
    """The paper's numerical comparison, section 4.3: 20 s at a step of 0.01 s."""
    scenario = physics.Scenario(
        kind="free",
        duration=20.0,
        step=0.01,
        schemes=[scheme],
        body={"shape": "cuboid", "size": [3, 2, 1], "mass": 1},
        initial={"angular_velocity": list(angular_velocity)},
    )
    return physics.simulate(scenario)[scheme]


def figure_2() -> Figure:
    """Rotation about the major axis: angular velocity under both schemes."""
    return _angular_velocities(MAJOR)


def figure_3() -> Figure:
    """Rotation about the major axis: difference of the axis of rotation under both schemes."""
    title = tr("{scheme}: difference of the axis of rotation (20)")
    return _both(MAJOR, lambda run: axis_difference(run.orientation), ("d$_x$", "d$_y$", "d$_z$"), "d [1]", title, 2.0)


def figure_4() -> Figure:
    """Rotation about the intermediate axis: angular velocity under both schemes."""
    return _angular_velocities(INTERMEDIATE)


def _angular_velocities(start: tuple[float, float, float]) -> Figure:
    title = tr("{scheme}: angular velocity, body frame")
    return _both(start, lambda run: run.angular_velocity, RATES, tr("angular velocity [rad/s]"), title, 20.0)


def _both(
    start: tuple[float, float, float],
    values: Callable[[physics.Trajectory], Array],
    names: tuple[str, ...],
    quantity: str,
    title: str,
    limit: float,
) -> Figure:
    """A vector (n, 3) under the explicit scheme and the implicit one beside it; the paper's axis ends at ``limit``."""
    figure, axes = figure_page(1, 2, sharey=True)
    for axis, scheme in zip(axes[0], ("explicit", "implicit"), strict=True):
        run = cuboid(scheme, start)
        components(axis, run.time, values(run), names)
        label(axis, tr("time [s]"), quantity, title.format(scheme=scheme))
        below(axis)
    axes[0, 0].set_ylim(-limit, limit)
    return figure
