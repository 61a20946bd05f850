"""Figures of Leine et al. (2021): the free cuboid under the explicit and the implicit scheme."""

from __future__ import annotations

from matplotlib.figure import Figure

import physics
from app.plots.print_style import below, components, label, page
from app.system.language import tr
from physics.analysis.invariants import axis_difference

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
    """Rotation about the major axis under the explicit scheme."""
    return _motion("explicit")


def figure_3() -> Figure:
    """Rotation about the major axis under the implicit scheme."""
    return _motion("implicit")


def _motion(scheme: str) -> Figure:
    run = cuboid(scheme, MAJOR)
    figure, axes = page(1, 2)
    components(axes[0, 0], run.time, run.angular_velocity, RATES)
    label(
        axes[0, 0],
        tr("time [s]"),
        tr("angular velocity [rad/s]"),
        tr("{scheme}: angular velocity, body frame").format(scheme=scheme),
    )
    components(axes[0, 1], run.time, axis_difference(run.orientation), ("d$_x$", "d$_y$", "d$_z$"))
    for axis in axes[0]:
        below(axis)
    title = tr("{scheme}: difference of the axis of rotation (20)").format(scheme=scheme)
    label(axes[0, 1], tr("time [s]"), "d [1]", title)
    return figure


def figure_4() -> Figure:
    """Rotation about the intermediate axis under both schemes."""
    figure, axes = page(1, 2, sharey=True)
    for axis, scheme in zip(axes[0], ("explicit", "implicit"), strict=True):
        run = cuboid(scheme, INTERMEDIATE)
        components(axis, run.time, run.angular_velocity, RATES)
        label(
            axis,
            tr("time [s]"),
            tr("angular velocity [rad/s]"),
            tr("{scheme}: angular velocity, body frame").format(scheme=scheme),
        )
        below(axis)
    return figure
