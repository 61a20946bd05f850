"""Rows of the table: Runge-Kutta schemes on attitude and angular velocity."""

from __future__ import annotations

from functools import partial

from physics.bibliography import article, book, entry
from physics.core.wording import N_
from physics.schemes import dop853, driven_march, euler_angles, joint_march, runge_kutta, ship_march
from physics.schemes.driven_march import DRIVEN
from physics.schemes.joint_march import JOINTS
from physics.schemes.loop import march_with
from physics.schemes.scheme import Scheme, look
from physics.schemes.ship_march import AFLOAT

_row = partial(
    Scheme,
    added_mass=True,
    energy="drifts",
    family="Runge-Kutta",
    energy_under_torque="drifts",
    reversible=False,
)
_classical = partial(
    _row,
    source=article(
        "Kutta 1901",
        "kutta1901beitrag",
        author="Kutta, Wilhelm",
        title="Beitrag zur näherungsweisen Integration totaler Differentialgleichungen",
        where="Zeitschrift für Mathematik und Physik 46, 435--453",
    ),
    equations="classical scheme of order 4",
    order=4,
    reach=2.2,
    torques=4,
)
_angles = partial(
    _classical,
    help_page="euler-angles",
    remedy=N_("take a smaller step; at the gimbal lock of its angles turn the start, or take a scheme on quaternions"),
    more_sources=(
        entry(
            "techreport",
            "Diebel 2006",
            "diebel2006representing",
            citation="Diebel (2006), Representing Attitude: Euler Angles, Unit Quaternions, and Rotation Vectors, "
            "Stanford University",
            author="Diebel, James",
            title="Representing Attitude: {Euler} Angles, Unit Quaternions, and Rotation Vectors",
            institution="Stanford University",
            year="2006",
        ),
    ),
    equations="classical scheme of order 4 on the angles of Diebel's sections 5.5 and 5.6",
    added_mass=False,
)

ROWS = (
    _classical(
        name="rk4",
        title="Runge-Kutta 4",
        keeps_unit_length=False,
        cost=74,
        advice=N_("The usual first choice: accurate for a while, keeps nothing; the quaternion's length drifts."),
        **look("RK", "#557799", "dash"),
        march=march_with(runge_kutta.step),
        marches={
            DRIVEN: driven_march.march_stages(driven_march.CLASSICAL),
            AFLOAT: ship_march.march_classical(unit=False),
        },
    ),
    _classical(
        name="rk4-unit",
        inner="rk4",
        title="Runge-Kutta 4, normalised",
        cost=74,
        advice=N_("Runge-Kutta 4 with the quaternion brought back to length 1 after each step."),
        **look("RU", "#8FB9BF", "dash-dot"),
        march=march_with(runge_kutta.step_unit),
        marches={
            DRIVEN: driven_march.march_stages(driven_march.NORMALISED),
            AFLOAT: ship_march.march_classical(unit=True),
            JOINTS: joint_march.march_classical,
        },
    ),
    _angles(
        name="euler-zyx-rk4",
        title="Euler angles zyx, Runge-Kutta 4",
        cost=350,
        advice=N_("Yaw, pitch and roll, as textbooks begin: the attitude is lost where the pitch passes near 90°."),
        frame_equivariant=False,
        axes_equivariant=False,
        **look("EY", "#79A85B", "dash-dot"),
        start=euler_angles.start_zyx,
        march=euler_angles.march_zyx,
    ),
    _angles(
        name="euler-zxz-rk4",
        title="Euler angles zxz, Runge-Kutta 4",
        cost=400,
        advice=N_("Lagrange's angles of a top: the attitude is lost where its axis passes near the vertical."),
        frame_equivariant=False,
        axes_equivariant=False,
        **look("EX", "#B8F5D5", "solid"),
        start=euler_angles.start_zxz,
        march=euler_angles.march_zxz,
        alone=("top",),
    ),
    _row(
        name="dop853",
        title="DOP853, adaptive",
        source=book(
            "Hairer et al. 1993",
            "hairer1993solving",
            citation="Hairer, Nørsett & Wanner (1993), Solving Ordinary Differential Equations I, 2nd edition, "
            "Springer",
            author="Hairer, Ernst and Nørsett, Syvert P. and Wanner, Gerhard",
            title="Solving Ordinary Differential Equations {I}: Nonstiff Problems",
            edition="2",
            publisher="Springer",
            year="1993",
            doi="10.1007/978-3-540-78862-1",
        ),
        equations="II.10",
        order=8,
        cost=38000,
        advice=N_("An adaptive reference of tolerance 1e-13: it checks the others, slowly."),
        **look("D8", "#BB77CC", "dot"),
        start=dop853.start,
        march=dop853.march,
        marches={DRIVEN: driven_march.march_dop853, AFLOAT: ship_march.march_dop853, JOINTS: joint_march.march_dop853},
        torques=dop853.torques,
        adaptive=True,
    ),
)
