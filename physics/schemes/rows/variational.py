"""Rows of the table: variational and multisymplectic schemes beyond the papers."""

from __future__ import annotations

from functools import partial

from physics.schemes import lgvi, pdmv, spherical_midpoint
from physics.schemes.loop import march_with
from physics.schemes.rows.spin_keeping import spin_keeping
from physics.schemes.scheme import Scheme

_row = partial(
    spin_keeping,
    implicit=True,
    energy="kept",
    kinds=("free", "top", "vessel"),
    torques=1,
    family="variational",
)


def _pdmv(order: int, cost: float, reach: float, advice: str) -> Scheme:
    return _row(
        name=f"pdmv-{order}",
        title=f"Preprocessed Moser-Veselov {order}",
        short="Hairer & Vilmart 2006",
        citation="Hairer & Vilmart (2006), Preprocessed discrete Moser-Veselov algorithm for the full dynamics of a "
        "rigid body, Journal of Physics A 39, 13225-13235",
        doi="10.1088/0305-4470/39/42/006",
        equations="preprocessed DMV",
        order=order,
        symplectic=False,
        reach=reach,
        cost=cost,
        advice=advice,
        letter=f"V{order}",
        march=march_with(pdmv.by_terms(order // 2 - 1)),
        order_under_torque=2,
        help_page="pdmv",
    )


ROWS = (
    _row(
        name="lgvi",
        title="Lie group variational",
        short="Lee et al. 2007",
        citation="Lee, Leok & McClamroch (2007), Lie group variational integrators for the full body problem, "
        "Computer Methods in Applied Mechanics and Engineering 196, 2907-2924",
        doi="10.1016/j.cma.2007.01.017",
        equations="Lie group variational integrator",
        order=2,
        symplectic=True,
        reach=0.98,
        cost=124,
        advice="Symplectic for tops and vessels, with energy swings; no solution beyond step times spin 1.",
        letter="LV",
        march=march_with(lgvi.step),
    ),
    _pdmv(
        4,
        162,
        2.0,
        "Moser-Veselov with corrected moments: order 4 for the free body at nearly the same cost.",
    ),
    _pdmv(6, 169, 1.4, "Order 6 for the free body; energy and spin kept."),
    _pdmv(8, 181, 1.7, "Order 8 for the free body; energy and spin kept."),
    _pdmv(
        10,
        203,
        3.0,
        "Order 10 for the free body: rounding at some tens of steps a turn; under torque 2, as the half kicks.",
    ),
    _row(
        name="spherical-midpoint",
        title="Spherical midpoint",
        short="McLachlan et al. 2014",
        citation="McLachlan, Modin & Verdier (2014), Symplectic integrators for spin systems, Physical Review E 89, "
        "061301",
        doi="10.1103/PhysRevE.89.061301",
        equations="spherical midpoint method",
        order=2,
        symplectic=False,
        reach=2.0,
        cost=160,
        advice="Energy and spin of a free body are kept to rounding; its phase errs as much as that of Moser-Veselov.",
        letter="SM",
        march=march_with(spherical_midpoint.step),
    ),
)
