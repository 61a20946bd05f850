"""Rows of splittings: compositions of kicks and exact free rotations, and turns about the principal axes.

A composition of order above 2 without a force gradient steps backwards somewhere (Goldman & Kaper 1996, SIAM Journal on
Numerical Analysis 33, 349-367), so with damping it magnifies for a part of the step; harmless while the step is short
beside J/D.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from physics.bibliography import article
from physics.core.wording import N_
from physics.schemes import composition, dlm, driven_march, joint_march, no_squish, processed
from physics.schemes.driven_march import DRIVEN
from physics.schemes.joint_march import JOINTS
from physics.schemes.loop import march_with
from physics.schemes.problem import Problem
from physics.schemes.scheme import Scheme, look, spin_keeping
from physics.schemes.ship_march import AFLOAT, march_exactly

_row = partial(
    spin_keeping,
    symplectic=True,
    energy="kept",
    alone=("top", "vessel"),
    added_mass=True,
    family="splitting",
    inner="verlet-exact",
    help_page="compositions",
)
_YOSHIDA = article(
    "Yoshida 1990",
    "yoshida1990construction",
    author="Yoshida, Haruo",
    title="Construction of higher order symplectic integrators",
    where="Physics Letters A 150, 262--268",
    doi="10.1016/0375-9601(90)90092-3",
)
_SUZUKI = article(
    "Suzuki 1990",
    "suzuki1990fractal",
    author="Suzuki, Masuo",
    title="Fractal decomposition of exponential operators with applications to many-body theories and "
    "{M}onte {C}arlo simulations",
    where="Physics Letters A 146, 319--323",
    doi="10.1016/0375-9601(90)90962-N",
)
_KAHAN_LI = article(
    "Kahan & Li 1997",
    "kahan1997composition",
    author="Kahan, William and Li, Ren-Cang",
    title="Composition constants for raising the orders of unconventional schemes for ordinary differential equations",
    where="Mathematics of Computation 66, 1089--1099",
    doi="10.1090/S0025-5718-97-00873-9",
)
_SUZUKI_UMENO = article(
    "Suzuki & Umeno 1993",
    "suzuki1993higher",
    author="Suzuki, Masuo and Umeno, Ken",
    title="Higher-order decomposition theory of exponential operators and its applications to {QMC} and "
    "nonlinear dynamics",
    where="Springer Proceedings in Physics 76, 74--86",
    doi="10.1007/978-3-642-78448-4_7",
)
_OMELYAN = article(
    "Omelyan et al. 2002",
    "omelyan2002optimized",
    author="Omelyan, I. P. and Mryglod, I. M. and Folk, R.",
    title="Optimized {F}orest-{R}uth- and {S}uzuki-like algorithms for integration of motion in many-body systems",
    where="Computer Physics Communications 146, 188--202",
    doi="10.1016/S0010-4655(02)00451-4",
)
_BLANES_MOAN = article(
    "Blanes & Moan 2002",
    "blanes2002practical",
    author="Blanes, Sergio and Moan, Per Christian",
    title="Practical symplectic partitioned {R}unge-{K}utta and {R}unge-{K}utta-{N}yström methods",
    where="Journal of Computational and Applied Mathematics 142, 313--330",
    doi="10.1016/S0377-0427(01)00492-7",
)
_MCLACHLAN = article(
    "McLachlan 1995",
    "mclachlan1995composition",
    citation="McLachlan (1995), Composition methods in the presence of small parameters, BIT 35, 258-268",
    author="McLachlan, Robert I.",
    title="Composition methods in the presence of small parameters",
    where="BIT Numerical Mathematics 35, 258--268",
    doi="10.1007/BF01737165",
)
_BLANES = article(
    "Blanes et al. 2013",
    "blanes2013new",
    author="Blanes, Sergio and Casas, Fernando and Farrés, Ariadna and Laskar, Jacques and Makazaga, Joseba "
    "and Murua, Ander",
    title="New families of symplectic splitting methods for numerical integration in dynamical astronomy",
    where="Applied Numerical Mathematics 68, 58--72",
    doi="10.1016/j.apnum.2013.01.003",
)
_REIN = article(
    "Rein et al. 2019",
    "rein2019high",
    author="Rein, Hanno and Tamayo, Daniel and Brown, Garett",
    title="High-order symplectic integrators for planetary dynamics and their implementation in {REBOUND}",
    where="Monthly Notices of the Royal Astronomical Society 489, 4632--4640",
    doi="10.1093/mnras/stz2503",
)
_BLANES_ROS = article(
    "Blanes et al. 2000",
    "blanes2000processing",
    author="Blanes, Sergio and Casas, Fernando and Ros, José",
    title="Processing symplectic methods for near-integrable {H}amiltonian systems",
    where="Celestial Mechanics and Dynamical Astronomy 77, 17--36",
)
_CHIN = article(
    "Chin 1997",
    "chin1997symplectic",
    citation="Chin (1997), Symplectic integrators from composite operator factorizations, Physics Letters A "
    "226, 344-348; Suzuki (1995), Hybrid exponential product formulas for unbounded operators with "
    "possible applications to Monte Carlo simulations, Physics Letters A 201, 425-428",
    author="Chin, Siu A.",
    title="Symplectic integrators from composite operator factorizations",
    where="Physics Letters A 226, 344--348",
    doi="10.1016/S0375-9601(97)00003-0",
)


def _composition(stages: composition.Stages, **facts: Any) -> Scheme:
    marches: dict[Problem[Any], Any] = {} if stages.gradients.any() else {AFLOAT: march_exactly(stages)}
    if stages.of_verlet:
        marches |= {DRIVEN: driven_march.march_exactly(stages), JOINTS: joint_march.march_exactly(stages)}
    found = {"march": composition.march_exactly(stages), "marches": marches, "torques": stages.torques}
    return _row(beyond=stages.beyond, **found, **facts)


COMPOSITIONS = (
    _composition(
        composition.YOSHIDA_4,
        name="yoshida-4",
        title="Yoshida 4",
        source=_YOSHIDA,
        equations="triple jump",
        order=4,
        cost=172,
        advice=N_("The oldest composition of order 4, and the least accurate one; rkn-4 is far better."),
        **look("Y4", "#8844DD", "solid"),
    ),
    _composition(
        composition.YOSHIDA_6,
        name="yoshida-6",
        title="Yoshida 6",
        source=_YOSHIDA,
        equations="solution A",
        order=6,
        cost=392,
        advice=N_("Order 6 with seven torques a step; kahan-li-6 errs about half as much, rkn-6 far less."),
        **look("Y6", "#7711BB", "dot"),
    ),
    _composition(
        composition.SUZUKI_4,
        name="suzuki-4",
        title="Suzuki 4",
        source=_SUZUKI,
        equations="fractal of five steps",
        order=4,
        cost=280,
        advice=N_(
            "Order 4 in five short steps; with as many torques more accurate than yoshida-4, on a fast top eight times."
        ),
        **look("S4", "#CCEEAA", "solid"),
    ),
    _composition(
        composition.SUZUKI_UMENO_8,
        name="suzuki-umeno-8",
        title="Suzuki & Umeno 8",
        source=_SUZUKI_UMENO,
        equations="fifteen stages",
        order=8,
        cost=837,
        advice=N_("Order 8 with fifteen torques a step: near rounding where each turn takes some tens of torques."),
        **look("S8", "#5B2266", "dash"),
    ),
    _composition(
        composition.KAHAN_LI_6,
        name="kahan-li-6",
        title="Kahan & Li 6",
        source=_KAHAN_LI,
        equations="nine stages",
        order=6,
        cost=503,
        advice=N_("Order 6 that stays 6 with damping: the first choice there."),
        **look("K6", "#8680F2", "solid"),
    ),
    _composition(
        composition.KAHAN_LI_8,
        name="kahan-li-8",
        title="Kahan & Li 8",
        source=_KAHAN_LI,
        equations="seventeen stages",
        order=8,
        cost=948,
        advice=N_("Order 8, with damping too; about as accurate as suzuki-umeno-8."),
        **look("K8", "#004444", "dash-dot"),
    ),
    _composition(
        composition.PEFRL_4,
        name="pefrl-4",
        title="PEFRL 4",
        source=_OMELYAN,
        equations="PEFRL",
        order=4,
        cost=268,
        advice=N_(
            "Order 4 with four torques a step, known from molecular dynamics as position extended Forest-Ruth-like."
        ),
        **look("P4", "#9933BB", "dash-dot"),
    ),
    _composition(
        composition.RKN_4,
        name="rkn-4",
        title="Nyström 4",
        source=_BLANES_MOAN,
        equations="SRKN 6b",
        order=4,
        cost=336,
        advice=N_(
            "The first choice of order 4 under torque, with damping too: "
            "some 300 times as accurate as yoshida-4 with as many torques."
        ),
        **look("N4", "#885555", "solid"),
    ),
    _composition(
        composition.RKN_6,
        name="rkn-6",
        title="Nyström 6",
        source=_BLANES_MOAN,
        equations="SRKN 11b",
        order=6,
        order_with_damping=4,
        cost=615,
        advice=N_("Order 6 for motion without damping; with damping its order is 4."),
        **look("N6", "#AA5522", "dot"),
    ),
    _composition(
        composition.RKN_6_14,
        name="rkn-6-14",
        title="Nyström 6, 14 torques",
        source=_BLANES_MOAN,
        equations="SRKN 14a",
        order=6,
        order_with_damping=4,
        cost=823,
        advice=N_("The most accurate one for tops without damping; with damping its order is 4."),
        **look("N14", "#AACCDD", "solid"),
    ),
    _composition(
        composition.ABA_84,
        name="aba-84",
        title="ABA (8, 4)",
        source=_MCLACHLAN,
        equations="order (8, 4)",
        order=4,
        cost=324,
        advice=N_(
            "For torques that are tiny compared with the rotation; "
            "the largest backward kick of all, so beware of damping."
        ),
        **look("A84", "#88FF66", "solid"),
    ),
    _composition(
        composition.ABA_864,
        name="aba-864",
        title="ABA (8, 6, 4)",
        source=_BLANES,
        equations="order (8, 6, 4)",
        order=4,
        cost=433,
        advice=N_("For torques that are tiny compared with the rotation, at large steps."),
        **look("A86", "#DD22AA", "solid"),
    ),
    _composition(
        composition.ABA_1064,
        name="aba-1064",
        title="ABA (10, 6, 4)",
        source=_BLANES,
        equations="order (10, 6, 4)",
        order=4,
        cost=491,
        advice=N_("For torques that are tiny compared with the rotation, at the largest steps."),
        **look("A10", "#AA7755", "dot"),
    ),
    _composition(
        composition.CHIN_4,
        name="chin-4",
        added_mass=False,
        title="Chin 4, force gradient",
        source=_CHIN,
        equations="4A",
        order=4,
        order_with_damping=2,
        cost=129,
        advice=N_(
            "Order 4 with forward steps only, by a gradient of the torque: cheap and accurate; "
            "with damping safe, but its order is 2."
        ),
        **look("C4", "#FF9900", "dash"),
    ),
)

PROCESSED = _row(
    start=processed.start,
    march=processed.march_processed(processed.PROCESSED_84),
    name="processed-84",
    added_mass=False,
    title="Processed (8, 4)",
    source=_REIN,
    more_sources=(_BLANES_ROS,),
    equations="modified kick with corrector of order 7",
    order=4,
    order_with_damping=2,
    cost=122,
    reversible=False,
    torques=processed.torques,
    advice=N_(
        "One torque a step, and order 4 where few states are stored: each of them takes a dozen torques more; "
        "with damping its order is 2."
    ),
    **look("P8", "#55BBEE", "solid"),
)


_axis_row = partial(
    spin_keeping,
    order=2,
    symplectic=True,
    energy="bounded",
    torques=1,
    family="splitting",
)

AXIS_SPLITTINGS = (
    _axis_row(
        name="dlm",
        title="Axis splitting",
        source=article(
            "Dullweber et al. 1997",
            "dullweber1997symplectic",
            author="Dullweber, Andreas and Leimkuhler, Benedict and McLachlan, Robert",
            title="Symplectic splitting methods for rigid body molecular dynamics",
            where="The Journal of Chemical Physics 107, 5840--5851",
            doi="10.1063/1.474310",
        ),
        equations="rotations about the axes",
        cost=152,
        advice=N_(
            "Explicit and symplectic, from molecular dynamics: angular momentum kept to rounding, energy bounded."
        ),
        axes_equivariant=False,
        **look("DL", "#771122", "solid"),
        march=march_with(dlm.step),
    ),
    _axis_row(
        name="no-squish",
        title="NO-SQUISH",
        source=article(
            "Miller et al. 2002",
            "miller2002symplectic",
            author="Miller, T. F. and Eleftheriou, M. and Pattnaik, P. and Ndirango, A. and Newns, D. and Martyna, "
            "G. J.",
            title="Symplectic quaternion scheme for biophysical molecular dynamics",
            where="The Journal of Chemical Physics 116, 8649--8659",
            doi="10.1063/1.1473654",
        ),
        equations="NO-SQUISH",
        cost=146,
        advice=N_("The axis splitting in quaternions, in wide use for rigid molecules."),
        axes_equivariant=False,
        **look("NQ", "#BB0088", "dash-dot"),
        march=march_with(no_squish.step),
    ),
)

ROWS = (*COMPOSITIONS, PROCESSED, *AXIS_SPLITTINGS)
