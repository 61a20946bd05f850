"""Rows of the table: variational and multisymplectic schemes beyond the papers."""

from __future__ import annotations

from functools import partial

from physics.bibliography import article
from physics.core.wording import N_
from physics.schemes import joint_march, lgvi, pdmv, spherical_midpoint
from physics.schemes.joint_march import JOINTS
from physics.schemes.loop import march_with
from physics.schemes.scheme import Scheme, look, spin_keeping

_row = partial(
    spin_keeping,
    implicit=True,
    energy="kept",
    torques=1,
    family="variational",
)


def _pdmv(order: int, cost: float, reach: float, advice: str, colour: str, dash: str) -> Scheme:
    return _row(
        name=f"pdmv-{order}",
        title=f"Preprocessed Moser-Veselov {order}",
        source=article(
            "Hairer & Vilmart 2006",
            "hairer2006preprocessed",
            citation="Hairer & Vilmart (2006), Preprocessed discrete Moser-Veselov algorithm for the full dynamics of "
            "a rigid body, Journal of Physics A 39, 13225-13235",
            author="Hairer, Ernst and Vilmart, Gilles",
            title="Preprocessed discrete {M}oser-{V}eselov algorithm for the full dynamics of a rigid body",
            where="Journal of Physics A: Mathematical and General 39, 13225--13235",
            doi="10.1088/0305-4470/39/42/006",
        ),
        equations="preprocessed DMV",
        order=order,
        reach=reach,
        cost=cost,
        advice=advice,
        **look(f"V{order}", colour, dash),
        march=march_with(pdmv.by_terms(order // 2 - 1)),
        order_under_torque=2,
        inner="moser-veselov",
        help_page="pdmv",
    )


ROWS = (
    _row(
        name="lgvi",
        inner="moser-veselov",
        title="Lie group variational",
        source=article(
            "Lee et al. 2007",
            "lee2007lie",
            author="Lee, Taeyoung and Leok, Melvin and McClamroch, N. Harris",
            title="Lie group variational integrators for the full body problem",
            where="Computer Methods in Applied Mechanics and Engineering 196, 2907--2924",
            doi="10.1016/j.cma.2007.01.017",
        ),
        equations="Lie group variational integrator",
        order=2,
        symplectic=True,
        reach=0.98,
        cost=124,
        advice=N_(
            "Symplectic for tops and vessels, with energy swings; no solution beyond step times angular velocity 1."
        ),
        **look("LV", "#448833", "dash-dot"),
        march=march_with(lgvi.step),
        marches={JOINTS: joint_march.march_moser_veselov},
    ),
    _pdmv(
        4,
        162,
        2.0,
        N_("Moser-Veselov with corrected moments: order 4 for the free body at twice the cost."),
        "#EE9999",
        "solid",
    ),
    _pdmv(6, 169, 1.4, N_("Order 6 for the free body; energy and angular momentum kept."), "#99EEDD", "dash"),
    _pdmv(8, 181, 1.7, N_("Order 8 for the free body; energy and angular momentum kept."), "#66FF22", "dot"),
    _pdmv(
        10,
        203,
        3.0,
        N_("Order 10 for the free body: rounding at some tens of steps a turn; under torque 2, as the half kicks."),
        "#555533",
        "dot",
    ),
    _row(
        name="spherical-midpoint",
        title="Spherical midpoint",
        source=article(
            "McLachlan et al. 2014",
            "mclachlan2014symplectic",
            author="McLachlan, Robert I. and Modin, Klas and Verdier, Olivier",
            title="Symplectic integrators for spin systems",
            where="Physical Review E 89, 061301",
            doi="10.1103/PhysRevE.89.061301",
        ),
        equations="spherical midpoint method",
        order=2,
        reach=2.0,
        cost=160,
        advice=N_(
            "Keeps energy and angular momentum of a free body to rounding; its phase errs half as much as "
            "Moser-Veselov's."
        ),
        **look("SM", "#DDEE99", "dash-dot"),
        march=march_with(spherical_midpoint.step),
    ),
)
