"""Rows of the table: compositions of kicks and exact free rotations, of orders 4 to 8 under torque.

Their coefficients stand in physics.schemes.composition_coefficients. A method of order above 2 without a force
gradient steps backwards somewhere (Goldman & Kaper 1996, SIAM Journal on Numerical Analysis 33, 349-367), so
with damping it magnifies for a part of the step; harmless while the step is short beside J/D.
"""

from __future__ import annotations

from functools import partial

from physics.schemes import composition_coefficients as of
from physics.schemes.composition import march_with
from physics.schemes.rows.spin_keeping import spin_keeping
from physics.schemes.ship_splitting import march_exactly

_row = partial(
    spin_keeping,
    implicit=False,
    symplectic=True,
    energy="kept",
    reach=None,
    kinds=("top", "vessel", "ship"),
    added_mass=True,
    family="splitting",
    help_page="compositions",
)
_YOSHIDA = partial(
    _row,
    short="Yoshida 1990",
    citation="Yoshida (1990), Construction of higher order symplectic integrators, Physics Letters A 150, 262-268",
    doi="10.1016/0375-9601(90)90092-3",
)
_SUZUKI = partial(
    _row,
    short="Suzuki 1990",
    citation="Suzuki (1990), Fractal decomposition of exponential operators with applications to many-body theories "
    "and Monte Carlo simulations, Physics Letters A 146, 319-323",
    doi="10.1016/0375-9601(90)90962-N",
)
_KAHAN_LI = partial(
    _row,
    short="Kahan & Li 1997",
    citation="Kahan & Li (1997), Composition constants for raising the orders of unconventional schemes for "
    "ordinary differential equations, Mathematics of Computation 66, 1089-1099",
    doi="10.1090/S0025-5718-97-00873-9",
)
_SUZUKI_UMENO = partial(
    _row,
    short="Suzuki & Umeno 1993",
    citation="Suzuki & Umeno (1993), Higher-order decomposition theory of exponential operators and its "
    "applications to QMC and nonlinear dynamics, Springer Proceedings in Physics 76, 74-86",
    doi="10.1007/978-3-642-78448-4_7",
)
_OMELYAN = partial(
    _row,
    short="Omelyan et al. 2002",
    citation="Omelyan, Mryglod & Folk (2002), Optimized Forest-Ruth- and Suzuki-like algorithms for integration of "
    "motion in many-body systems, Computer Physics Communications 146, 188-202",
    doi="10.1016/S0010-4655(02)00451-4",
)
_BLANES_MOAN = partial(
    _row,
    short="Blanes & Moan 2002",
    citation="Blanes & Moan (2002), Practical symplectic partitioned Runge-Kutta and Runge-Kutta-Nyström methods, "
    "Journal of Computational and Applied Mathematics 142, 313-330",
    doi="10.1016/S0377-0427(01)00492-7",
)
_MCLACHLAN = partial(
    _row,
    short="McLachlan 1995",
    citation="McLachlan (1995), Composition methods in the presence of small parameters, BIT 35, 258-268",
    doi="10.1007/BF01737165",
)
_BLANES = partial(
    _row,
    short="Blanes et al. 2013",
    citation="Blanes, Casas, Farrés, Laskar, Makazaga & Murua (2013), New families of symplectic splitting methods "
    "for numerical integration in dynamical astronomy, Applied Numerical Mathematics 68, 58-72",
    doi="10.1016/j.apnum.2013.01.003",
)
_CHIN = partial(
    _row,
    short="Chin 1997",
    citation="Chin (1997), Symplectic integrators from composite operator factorizations, Physics Letters A 226, "
    "344-348; Suzuki (1995), Hybrid exponential product formulas for unbounded operators with possible applications "
    "to Monte Carlo simulations, Physics Letters A 201, 425-428",
    doi="10.1016/S0375-9601(97)00003-0",
)

ROWS = (
    _YOSHIDA(
        name="yoshida-4",
        title="Yoshida 4",
        equations="triple jump",
        order=4,
        cost=172,
        advice="The oldest composition of order 4, and the least accurate one; rkn-4 is far better.",
        colour="#554499",
        dash="dash-dot",
        letter="Y4",
        march=march_with(of.YOSHIDA_4),
        afloat=march_exactly(of.YOSHIDA_4),
        torques=of.YOSHIDA_4.torques,
    ),
    _YOSHIDA(
        name="yoshida-6",
        title="Yoshida 6",
        equations="solution A",
        order=6,
        cost=392,
        advice="Order 6 with seven torques a step; kahan-li-6 errs about half as much, rkn-6 far less.",
        colour="#999955",
        dash="dash",
        letter="Y6",
        march=march_with(of.YOSHIDA_6),
        afloat=march_exactly(of.YOSHIDA_6),
        torques=of.YOSHIDA_6.torques,
    ),
    _SUZUKI(
        name="suzuki-4",
        title="Suzuki 4",
        equations="fractal of five steps",
        order=4,
        cost=280,
        advice="Order 4 in five short steps; eight times as accurate as yoshida-4 with as many torques.",
        colour="#664400",
        dash="dot",
        letter="S4",
        march=march_with(of.SUZUKI_4),
        afloat=march_exactly(of.SUZUKI_4),
        torques=of.SUZUKI_4.torques,
    ),
    _SUZUKI_UMENO(
        name="suzuki-umeno-8",
        title="Suzuki & Umeno 8",
        equations="fifteen stages",
        order=8,
        cost=837,
        advice="Order 8 with fifteen torques a step: near rounding where each turn takes some tens of torques.",
        colour="#CC1133",
        dash="solid",
        letter="S8",
        march=march_with(of.SUZUKI_UMENO_8),
        afloat=march_exactly(of.SUZUKI_UMENO_8),
        torques=of.SUZUKI_UMENO_8.torques,
    ),
    _KAHAN_LI(
        name="kahan-li-6",
        title="Kahan & Li 6",
        equations="nine stages",
        order=6,
        cost=503,
        advice="Order 6 that stays 6 with damping: the first choice there.",
        colour="#882244",
        dash="dash",
        letter="K6",
        march=march_with(of.KAHAN_LI_6),
        afloat=march_exactly(of.KAHAN_LI_6),
        torques=of.KAHAN_LI_6.torques,
    ),
    _KAHAN_LI(
        name="kahan-li-8",
        title="Kahan & Li 8",
        equations="seventeen stages",
        order=8,
        cost=948,
        advice="Order 8, with damping too; about as accurate as suzuki-umeno-8.",
        colour="#7722BB",
        dash="solid",
        letter="K8",
        march=march_with(of.KAHAN_LI_8),
        afloat=march_exactly(of.KAHAN_LI_8),
        torques=of.KAHAN_LI_8.torques,
    ),
    _OMELYAN(
        name="pefrl-4",
        title="PEFRL 4",
        equations="PEFRL",
        order=4,
        cost=268,
        advice="Order 4 with four torques a step, known from molecular dynamics as position extended Forest-Ruth-like.",
        colour="#EE4477",
        dash="dash-dot",
        letter="P4",
        march=march_with(of.PEFRL_4),
        afloat=march_exactly(of.PEFRL_4),
        torques=of.PEFRL_4.torques,
    ),
    _BLANES_MOAN(
        name="rkn-4",
        title="Nyström 4",
        equations="SRKN 6b",
        order=4,
        cost=336,
        advice="The first choice of order 4 under torque, with damping too: 300 times as accurate as Störmer-Verlet.",
        colour="#EEBBEE",
        dash="dash-dot",
        letter="N4",
        march=march_with(of.RKN_4),
        afloat=march_exactly(of.RKN_4),
        torques=of.RKN_4.torques,
    ),
    _BLANES_MOAN(
        name="rkn-6",
        title="Nyström 6",
        equations="SRKN 11b",
        order=6,
        cost=615,
        advice="Order 6 for motion without damping; with damping its order is 4.",
        colour="#BB88FF",
        dash="dash",
        letter="N6",
        march=march_with(of.RKN_6),
        afloat=march_exactly(of.RKN_6),
        torques=of.RKN_6.torques,
    ),
    _BLANES_MOAN(
        name="rkn-6-14",
        title="Nyström 6, 14 torques",
        equations="SRKN 14a",
        order=6,
        cost=823,
        advice="The most accurate one for tops without damping; with damping its order is 4.",
        colour="#AA66AA",
        dash="solid",
        letter="N14",
        march=march_with(of.RKN_6_14),
        afloat=march_exactly(of.RKN_6_14),
        torques=of.RKN_6_14.torques,
    ),
    _MCLACHLAN(
        name="aba-84",
        title="ABA (8, 4)",
        equations="order (8, 4)",
        order=4,
        cost=324,
        advice="For torques that are tiny beside the spin; the largest backward kick of all, so beware of damping.",
        colour="#D06A5A",
        dash="dash-dot",
        letter="A84",
        march=march_with(of.ABA_84),
        afloat=march_exactly(of.ABA_84),
        torques=of.ABA_84.torques,
    ),
    _BLANES(
        name="aba-864",
        title="ABA (8, 6, 4)",
        equations="order (8, 6, 4)",
        order=4,
        cost=433,
        advice="For torques that are tiny beside the spin, at large steps.",
        colour="#B0508A",
        dash="dash",
        letter="A86",
        march=march_with(of.ABA_864),
        afloat=march_exactly(of.ABA_864),
        torques=of.ABA_864.torques,
    ),
    _BLANES(
        name="aba-1064",
        title="ABA (10, 6, 4)",
        equations="order (10, 6, 4)",
        order=4,
        cost=491,
        advice="For torques that are tiny beside the spin, at the largest steps.",
        colour="#9A6ACA",
        dash="solid",
        letter="A10",
        march=march_with(of.ABA_1064),
        afloat=march_exactly(of.ABA_1064),
        torques=of.ABA_1064.torques,
    ),
    _CHIN(
        name="chin-4",
        kinds=("top", "vessel"),
        added_mass=False,
        title="Chin 4, force gradient",
        equations="4A",
        order=4,
        cost=129,
        advice="Order 4 with forward steps only, by a gradient of the torque: cheap, accurate, safe with damping.",
        colour="#C7A64B",
        dash="dot",
        letter="C4",
        march=march_with(of.CHIN_4),
        torques=of.CHIN_4.torques,
    ),
)
