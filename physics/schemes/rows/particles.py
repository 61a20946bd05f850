"""Rows of the table: how particle codes (discrete element methods) turn particles that are no spheres."""

from __future__ import annotations

from functools import partial

from physics.bibliography import article
from physics.core.wording import N_
from physics.schemes import particle_rules
from physics.schemes.loop import march_with
from physics.schemes.scheme import Scheme, look

_row = partial(
    Scheme,
    order=2,
    energy="drifts",
    energy_under_torque="drifts",
    reversible=False,
    torques=1,
    family="particles",
    help_page="particle-codes",
)

ROWS = (
    _row(
        name="spiral",
        title="SPIRAL",
        source=article(
            "del Valle et al. 2024",
            "delvalle2024spiral",
            author="del Valle, Carlos Andrés and Angelidakis, Vasileios and Roy, Sudeshna and Muñoz, José Daniel and "
            "Pöschel, Thorsten",
            title="{SPIRAL}: An efficient algorithm for the integration of the equation of rotational motion",
            where="Computer Physics Communications 297, 109077",
            doi="10.1016/j.cpc.2023.109077",
        ),
        equations="leapfrog, brought to whole steps",
        velocity_order=3,
        reach=3.7,
        cost=129,
        advice=N_("The most accurate of the particle codes at usual steps; its energy drifts slowly."),
        **look("Sp", "#554433", "dash-dot"),
        march=march_with(particle_rules.spiral),
    ),
    _row(
        name="fincham",
        title="Fincham's leapfrog",
        source=article(
            "Fincham 1992",
            "fincham1992leapfrog",
            author="Fincham, David",
            title="Leapfrog rotational algorithms",
            where="Molecular Simulation 8, 165--178",
            doi="10.1080/08927029208022474",
        ),
        equations="as in Yade, brought to whole steps",
        keeps_spin=True,
        keeps_spin_norm=True,
        keeps_vertical_spin=True,
        cost=88,
        advice=N_("Keeps the angular momentum, and gains energy steadily."),
        **look("Fi", "#778800", "solid"),
        march=march_with(particle_rules.fincham),
    ),
    _row(
        name="omelyan",
        title="Omelyan's leapfrog",
        source=article(
            "Omelyan 1998",
            "omelyan1998numerical",
            author="Omelyan, Igor P.",
            title="On the numerical integration of motion for rigid polyatomics: The modified quaternion approach",
            where="Computers in Physics 12, 97",
            doi="10.1063/1.168642",
        ),
        equations="three sweeps, as in Yade, brought to whole steps",
        reach=3.8,
        cost=110,
        advice=N_("Its attitude needs no normalising; angular momentum and energy drift slowly."),
        **look("Om", "#BB6688", "dash"),
        march=march_with(particle_rules.omelyan),
    ),
    _row(
        name="buss",
        title="Buss, augmented second order",
        source=article(
            "Buss 2000",
            "buss2000accurate",
            author="Buss, Samuel R.",
            title="Accurate and efficient simulation of rigid-body rotations",
            where="Journal of Computational Physics",
            doi="10.1006/jcph.2000.6602",
        ),
        equations="augmented second-order method",
        keeps_spin=True,
        keeps_spin_norm=True,
        keeps_vertical_spin=True,
        cost=63,
        advice=N_("One turn a step and no equation to solve: keeps the angular momentum, its energy drifts."),
        **look("Bs", "#FF6644", "solid"),
        march=march_with(particle_rules.buss),
    ),
)
