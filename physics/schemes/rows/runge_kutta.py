"""Rows of the table: Runge-Kutta schemes on attitude and angular velocity."""

from __future__ import annotations

from functools import partial

from physics.schemes import dop853, runge_kutta, ship_runge_kutta
from physics.schemes.loop import march_with, start_with
from physics.schemes.scheme import Scheme

_row = partial(
    Scheme,
    added_mass=True,
    implicit=False,
    symplectic=False,
    energy="drifts",
    keeps_spin=False,
    keeps_spin_norm=False,
    kinds=("free", "top", "vessel", "ship"),
    family="Runge-Kutta",
    start=start_with,
    energy_under_torque="drifts",
    reversible=False,
)
_classical = partial(
    _row,
    short="Kutta 1901",
    citation="Kutta (1901), Beitrag zur näherungsweisen Integration totaler Differentialgleichungen, "
    "Zeitschrift für Mathematik und Physik 46, 435-453",
    doi="",
    equations="classical scheme of order 4",
    order=4,
    reach=2.2,
    torques=4,
)

ROWS = (
    _classical(
        name="rk4",
        title="Runge-Kutta 4",
        keeps_unit_length=False,
        cost=62,
        advice="What most programs start with: accurate for a while, keeps nothing; the quaternion leaves its length.",
        letter="RK",
        march=march_with(runge_kutta.step),
        afloat=ship_runge_kutta.march_classical(unit=False),
    ),
    _classical(
        name="rk4-unit",
        title="Runge-Kutta 4, normalised",
        keeps_unit_length=True,
        cost=74,
        advice="Runge-Kutta 4 with the quaternion brought back to length 1 after each step.",
        letter="RU",
        march=march_with(runge_kutta.step_unit),
        afloat=ship_runge_kutta.march_classical(unit=True),
    ),
    _row(
        name="dop853",
        title="DOP853, adaptive",
        short="Hairer et al. 1993",
        citation="Hairer, Nørsett & Wanner (1993), Solving Ordinary Differential Equations I, 2nd edition, Springer",
        doi="10.1007/978-3-540-78862-1",
        equations="II.10",
        order=8,
        keeps_unit_length=True,
        reach=None,
        cost=38000,
        advice="An adaptive reference of tolerance 1e-13: it checks the others, slowly.",
        letter="D8",
        start=dop853.start,
        march=dop853.march,
        afloat=ship_runge_kutta.march_dop853,
        torques=dop853.torques,
        adaptive=True,
    ),
)
