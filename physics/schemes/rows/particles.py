"""Rows of the table: how particle codes (discrete element methods) turn particles that are no spheres."""

from __future__ import annotations

from functools import partial

from physics.schemes import particle_rules
from physics.schemes.loop import march_with, start_with
from physics.schemes.scheme import Scheme

_row = partial(
    Scheme,
    order=2,
    implicit=False,
    symplectic=False,
    energy="drifts",
    keeps_spin=False,
    keeps_spin_norm=False,
    keeps_unit_length=True,
    energy_under_torque="drifts",
    reversible=False,
    reach=None,
    kinds=("free", "top", "vessel"),
    torques=1,
    start=start_with,
    family="particles",
    help_page="particle-codes",
)

ROWS = (
    _row(
        name="spiral",
        title="SPIRAL",
        short="del Valle et al. 2024",
        citation="del Valle, Angelidakis, Roy, Muñoz & Pöschel (2024), SPIRAL: An efficient algorithm for the "
        "integration of the equation of rotational motion, Computer Physics Communications 297, 109077",
        equations="leapfrog, brought to whole steps",
        doi="10.1016/j.cpc.2023.109077",
        velocity_order=3,
        reach=3.7,
        cost=129,
        advice="The most accurate of the particle codes at usual steps; its energy drifts slowly.",
        letter="Sp",
        march=march_with(particle_rules.spiral),
    ),
    _row(
        name="fincham",
        title="Fincham's leapfrog",
        short="Fincham 1992",
        citation="Fincham (1992), Leapfrog rotational algorithms, Molecular Simulation 8, 165-178",
        equations="as in Yade, brought to whole steps",
        doi="10.1080/08927029208022474",
        keeps_spin=True,
        keeps_spin_norm=True,
        keeps_vertical_spin=True,
        cost=88,
        advice="Keeps the spin, and gains energy steadily.",
        letter="Fi",
        march=march_with(particle_rules.fincham),
    ),
    _row(
        name="omelyan",
        title="Omelyan's leapfrog",
        short="Omelyan 1998",
        citation="Omelyan (1998), On the numerical integration of motion for rigid polyatomics: The modified "
        "quaternion approach, Computers in Physics 12, 97",
        equations="three sweeps, as in Yade, brought to whole steps",
        doi="10.1063/1.168642",
        reach=3.8,
        cost=110,
        advice="Its attitude needs no normalising; spin and energy drift slowly.",
        letter="Om",
        march=march_with(particle_rules.omelyan),
    ),
    _row(
        name="buss",
        title="Buss, augmented second order",
        short="Buss 2000",
        citation="Buss (2000), Accurate and efficient simulation of rigid-body rotations, Journal of Computational "
        "Physics",
        equations="augmented second-order method",
        doi="10.1006/jcph.2000.6602",
        keeps_spin=True,
        keeps_spin_norm=True,
        keeps_vertical_spin=True,
        cost=88,
        advice="One turn a step and no equation to solve: keeps the spin, its energy drifts.",
        letter="Bs",
        march=march_with(particle_rules.buss),
    ),
)
