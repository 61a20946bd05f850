"""Rows of the schemes of the three papers: Leine et al., Betsch & Siebert with those they compare, Gustafsson.

Of Gustafsson's, hues distinguish the families, shades and dashes the orders: no two schemes of a kind share a colour.
Capital letters are schemes of the free body; the small letter is the splitting scheme around the same one.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from physics.bibliography import article, entry
from physics.core.wording import N_
from physics.schemes import (
    algo_c1,
    cayley_em,
    composition,
    dir_em,
    driven_march,
    exact,
    explicit,
    factorization,
    factorization_e3,
    implicit,
    joint_march,
    magnus,
    moser_veselov,
    quat_em,
    quat_vi,
    ship_march,
    verlet,
)
from physics.schemes.driven_march import DRIVEN
from physics.schemes.joint_march import JOINTS
from physics.schemes.loop import (
    CONTACT,
    MANY,
    Rotation,
    between_contacts,
    contact_attitude,
    march_many_with,
    march_with,
)
from physics.schemes.scheme import Scheme, look, spin_keeping
from physics.schemes.ship_march import AFLOAT, by_step

_BETSCH = article(
    "Betsch & Siebert 2009",
    "betsch2009rigid",
    citation="Betsch & Siebert (2009), International Journal for Numerical Methods in Engineering 79, 444-473",
    author="Betsch, Peter and Siebert, Ralf",
    title="Rigid body dynamics in terms of quaternions: {H}amiltonian formulation and conserving numerical integration",
    where="International Journal for Numerical Methods in Engineering 79, 444--473",
    doi="10.1002/nme.2586",
)

BETSCH = (
    spin_keeping(
        name="quat-em",
        title="Quaternion energy-momentum",
        source=_BETSCH,
        equations="(51)-(53)",
        order=2,
        implicit=True,
        energy="kept",
        energy_under_torque="kept",
        reach=1.4,
        cost=111,
        advice=N_(
            "For tops and vessels: keeps energy and vertical angular momentum to rounding at any solved step; "
            "of mechanisms it keeps the energy."
        ),
        **look("Q", "#CC79A7", "solid"),
        march=march_with(quat_em.step),
        marches={CONTACT: between_contacts(quat_em.step), JOINTS: cayley_em.march_quaternions},
    ),
    spin_keeping(
        name="quat-vi",
        title="Quaternion variational",
        source=_BETSCH,
        equations="appendix E",
        order=2,
        implicit=True,
        symplectic=True,
        energy="kept",
        reach=0.98,
        cost=88,
        alone=("free", "top"),
        advice=N_(
            "Symplectic: the energy of a top swings but does not drift; "
            "no solution beyond step times angular velocity 1."
        ),
        **look("V", "#D55E00", "dot"),
        march=march_with(quat_vi.step),
    ),
    spin_keeping(
        name="dir-em",
        title="Director energy-momentum",
        source=_BETSCH,
        equations="section 3 and references [7, 23]",
        order=2,
        implicit=True,
        energy="bounded",
        reach=8.8,
        cost=126,
        alone=("free", "top"),
        advice=N_(
            "Most accurate for the axis of a top; it keeps the energy of its nine velocities, not that of the body."
        ),
        **look("D", "#C6BB55", "dash-dot"),
        start=dir_em.start,
        march=dir_em.march,
        marches={JOINTS: cayley_em.march_directors},
    ),
    spin_keeping(
        name="cayley-em",
        title="Cayley energy-momentum",
        source=_BETSCH,
        more_sources=(
            article(
                "Gonzalez 1996",
                "gonzalez1996time",
                author="Gonzalez, O.",
                title="Time integration and discrete {H}amiltonian systems",
                where="Journal of Nonlinear Science 6, 449--467",
                doi="10.1007/BF02440162",
            ),
            article(
                "Betsch & Steinmann 2001",
                "betsch2001constrained",
                author="Betsch, P. and Steinmann, P.",
                title="Constrained integration of rigid body dynamics",
                where="Computer Methods in Applied Mechanics and Engineering",
                doi="10.1016/S0045-7825(01)00283-3",
            ),
        ),
        equations="discrete gradients of the joints, rotations by Cayley's map",
        order=2,
        implicit=True,
        energy="kept",
        energy_under_torque="kept",
        reach=2.9,
        cost=37,
        alone=(),
        advice=N_("For mechanisms: energy and angular momentum are kept to rounding, joints are closed."),
        **look("CE", "#4FC3F7", "solid"),
        march=march_with(cayley_em.step),
        marches={JOINTS: cayley_em.march},
    ),
    spin_keeping(
        name="algo-c1",
        title="Simo & Wong ALGO_C1",
        source=article(
            "Simo & Wong 1991",
            "simo1991unconditionally",
            citation="Simo & Wong (1991), International Journal for Numerical Methods in Engineering 31, 19-52",
            author="Simo, Juan C. and Wong, K. K.",
            title="Unconditionally stable algorithms for rigid body dynamics that exactly preserve energy and momentum",
            where="International Journal for Numerical Methods in Engineering 31, 19--52",
            doi="10.1002/nme.1620310103",
        ),
        equations="ALGO_C1 with β/γ = 1/2, as compared by Betsch & Siebert (2009)",
        order=2,
        implicit=True,
        energy="kept",
        reach=1.3,
        cost=145,
        advice=N_("A classic: keeps energy and angular momentum of a free body, and only its vertical part of a top."),
        **look("C", "#8E63C7", "dash"),
        march=march_with(algo_c1.step),
        marches={CONTACT: between_contacts(algo_c1.step)},
    ),
    Scheme(
        name="moser-veselov",
        title="Discrete Moser-Veselov",
        source=article(
            "Moser & Veselov 1991",
            "moser1991discrete",
            citation="Moser & Veselov (1991), Communications in Mathematical Physics 139, 217-243; McLachlan & Zanna "
            "(2005), Foundations of Computational Mathematics 5, 87-123",
            author="Moser, Jürgen and Veselov, Alexander P.",
            title="Discrete versions of some classical integrable systems and factorization of matrix polynomials",
            where="Communications in Mathematical Physics 139, 217--243",
            doi="10.1007/BF02352494",
        ),
        equations="the discrete Euler equations",
        order=2,
        implicit=True,
        symplectic=True,
        energy="kept",
        keeps_spin=True,
        keeps_spin_norm=True,
        reach=0.98,
        cost=70,
        alone=("free",),
        advice=N_(
            "The integrable discrete body: keeps everything, but has no solution beyond step times angular velocity 1."
        ),
        **look("MV", "#F0F069", "dot"),
        march=march_with(moser_veselov.step),
        marches={CONTACT: between_contacts(moser_veselov.step), JOINTS: joint_march.march_moser_veselov},
    ),
)


_THESIS = entry(
    "mastersthesis",
    "Gustafsson 2010",
    "gustafsson2010accurate",
    citation="Gustafsson (2010), Accurate discretizations of torqued rigid body dynamics, NTNU Trondheim",
    author="Gustafsson, Einar",
    title="Accurate discretizations of torqued rigid body dynamics",
    school="Norwegian University of Science and Technology",
    address="Trondheim",
    year="2010",
)
_ATTITUDE = article(
    "Celledoni et al. 2008",
    "celledoni2008exact",
    citation="Celledoni, Fassò, Säfström & Zanna (2008), SIAM Journal on Scientific Computing 30, 2084-2112; "
    "Celledoni & Zanna (2008), FRB: Fortran routines for the exact computation of free rigid body motions, "
    "preprint Numerics 7/2008, NTNU Trondheim",  # references [7] and [11] of the thesis: closed form of the angle
    author="Celledoni, Elena and Fassò, Francesco and Säfström, Niklas and Zanna, Antonella",
    title="The exact computation of the free rigid body motion and its use in splitting methods",
    where="SIAM Journal on Scientific Computing 30, 2084--2112",
    doi="10.1137/070704393",
)
_row = partial(  # all these schemes take the momentum of the free body as it is, and none solves an equation
    Scheme,
    source=_THESIS,
    energy="kept",
    keeps_spin_norm=True,
)
_DASHES = {2: "dot", 4: "dash-dot", 6: "dash", 8: "solid"}
# found by a search: any two schemes of a kind differ by 14 or more (CIE 1976), for colour-blind people as well
_MAGNUS_COLOURS = {2: "#D5A474", 4: "#BFFFE7", 6: "#809A43", 8: "#904424"}
_MATRIX_COLOURS = {2: "#87DB9B", 4: "#A94306", 6: "#7F574E", 8: "#857B4D"}
_BLUES = {2: "#857FF8", 4: "#724BD2", 6: "#4C43E9", 8: "#2D5F95"}
_PLUMS = {2: "#FFCCF2", 4: "#5900B2", 6: "#5C2966", 8: "#66293D"}
_VERLET_GREENS = {2: "#A0DE90", 4: "#62DEB3", 6: "#C2DD48", 8: "#596933"}
_VERLET_BLUES = {2: "#929BFF", 4: "#3677FE", 6: "#3839E0", 8: "#315879"}
_EXPONENTS = {2: magnus.exponent_2, 4: magnus.exponent_4, 6: magnus.exponent_6, 8: magnus.exponent_8}
_TURNS = {2: factorization.turn_2, 4: factorization.turn_4, 6: factorization.turn_6, 8: factorization.turn_8}
_MAGNUS = {2: "(22)", 4: "(23)", 6: "(24)", 8: "(25)"}

_EXACT = _row(
    name="exact",
    title="Exact (elliptic functions)",
    more_sources=(_ATTITUDE,),
    equations="section 4.1; angle of the attitude: Celledoni et al. 2008",
    order=None,
    symplectic=True,
    keeps_spin=True,
    cost=114,
    alone=("free",),
    advice=N_("The exact motion to compare with: no step, no error except rounding."),
    **look("X", "#499D78", "dash-dot"),
    start=exact.start,
    march=exact.march,
    marches={CONTACT: Rotation(exact.free_velocity, contact_attitude, exact.MEMORY)},
)


def _magnus(order: int, cost: float, advice: str) -> Scheme:
    return _row(
        name=f"magnus-{order}",
        title=f"Magnus, order {order}",
        equations=f"{_MAGNUS[order]}, section 4.3.1",
        order=order,
        keeps_spin=False,  # in space: only to the order of the attitude
        cost=cost,
        alone=("free",),
        advice=advice,
        **look(f"M{order}", _MAGNUS_COLOURS[order], _DASHES[order]),
        start=magnus.start,
        march=magnus.march_quaternion(_EXPONENTS[order]),
    )


def _matrix(order: int, cost: float) -> Scheme:
    return _row(
        name=f"magnus-{order}-matrix",
        title=f"Magnus, order {order}, matrices",
        equations=f"{_MAGNUS[order]}, section 4.3.1",
        order=order,
        cost=cost,
        alone=("free",),
        advice=N_(
            "To see that matrices change nothing: nine numbers in place of four, the errors of magnus-{order}.", order
        ),
        **look(f"R{order}", _MATRIX_COLOURS[order], _DASHES[order]),
        start=magnus.start,
        march=magnus.march_matrix(_EXPONENTS[order]),
    )


def _factorization(order: int, cost: float, advice: str) -> Scheme:
    return _row(
        name=f"factorization-{order}",
        title=f"Factorization, order {order}",
        equations="(31)-(36) about another axis",
        order=order,
        keeps_spin=True,  # the one angle that is not exact turns about the spin
        cost=cost,
        alone=("free",),
        advice=advice,
        **look(f"F{order}", _BLUES[order], _DASHES[order]),
        start=factorization.start,
        march=factorization.march_with(_TURNS[order]),
    )


def _about_e3(order: int, cost: float, advice: str) -> Scheme:
    return _row(
        name=f"factorization-e3-{order}",
        title=f"Factorization about e3, order {order}",
        equations="(31)-(36) with c0 = c3 = 1/2",
        order=order,
        keeps_spin=True,
        cost=cost,
        alone=("free",),
        advice=advice,
        remedy=N_("take a smaller step; where L points along -e3 there is none: take factorization-{order}", order),
        axes_equivariant=False,
        **look(f"G{order}", _PLUMS[order], _DASHES[order]),
        start=factorization_e3.start_with(order),
        march=factorization_e3.march,
    )


def _verlet(free: Any) -> dict[str, Any]:
    """Loops of Störmer-Verlet steps around a free rotation."""
    return {
        "march": composition.march_with(free),
        "marches": {
            DRIVEN: driven_march.march_with(free, exact=True),
            AFLOAT: ship_march.march_with(free, exact=True),
        },
    }


def _verlet_magnus(order: int, cost: float, advice: str) -> Scheme:
    return _row(
        name=f"verlet-magnus-{order}",
        help_page="verlet",
        inner="verlet-exact",
        title=f"Störmer-Verlet, Magnus {order}",
        equations=f"(40), (45) with {_MAGNUS[order]}",
        order=2,
        symplectic=False,  # the Magnus attitude is not the flow of any energy
        cost=cost,
        alone=("top", "vessel"),
        torques=1,
        advice=advice,
        **look(f"m{order}", _VERLET_GREENS[order], _DASHES[order]),
        **_verlet(verlet.by_magnus(_EXPONENTS[order])),
    )


def _verlet_factorization(order: int, cost: float, advice: str) -> Scheme:
    return _row(
        name=f"verlet-factorization-{order}",
        help_page="verlet",
        inner="verlet-exact",
        title=f"Störmer-Verlet, factorization {order}",
        equations="(40), (45) with (31)-(36)",
        order=2,
        keeps_spin=True,
        cost=cost,
        alone=("top", "vessel"),
        torques=1,
        advice=advice,
        **look(f"f{order}", _VERLET_BLUES[order], _DASHES[order]),
        **_verlet(verlet.by_factorization(_TURNS[order])),
        keeps_vertical_spin=True,
    )


_VERLET_EXACT = _row(
    name="verlet-exact",
    help_page="verlet",
    title="Störmer-Verlet, exact free part",
    more_sources=(_ATTITUDE,),
    equations="(40), (45) with section 4.1; angle of the attitude: Celledoni et al. 2008",
    order=2,
    symplectic=True,
    keeps_spin=True,
    cost=60,
    alone=("top", "vessel"),
    torques=1,
    advice=N_(
        "The first choice under torque: symplectic, so that the energy stays near, and exact where torque is weak."
    ),
    **look("x", "#1F8F6D", "dash-dot"),
    march=composition.march_exactly(),
    marches={
        DRIVEN: driven_march.march_exactly(),
        AFLOAT: ship_march.march_exactly(),
        JOINTS: joint_march.march_exactly(),
    },
    added_mass=True,
    keeps_vertical_spin=True,
)

GUSTAFSSON = (
    _EXACT,
    _magnus(
        2,
        69,
        N_("The simplest attitude beside an exact momentum; the angular momentum wanders with the square of the step."),
    ),
    _magnus(4, 116, N_("Two nodes and one commutator: for steps of some degrees.")),
    _magnus(6, 160, N_("Three nodes and three commutators: near rounding at steps of some degrees.")),
    _magnus(8, 216, N_("The most accurate Magnus method; factorization-8 is more accurate still, and cheaper.")),
    _matrix(2, 92),
    _matrix(4, 139),
    _matrix(6, 181),
    _matrix(8, 238),
    _factorization(
        2, 35, N_("Energy and angular momentum as true as the exact solution; only the angle about it has an error.")
    ),
    _factorization(
        4,
        51,
        N_(
            "Energy and angular momentum to rounding and a small error of one angle, for half as much time again as "
            "order 2."
        ),
    ),
    _factorization(6, 67, N_("The error of the angle reaches rounding at steps of a tenth of a turn.")),
    _factorization(8, 83, N_("As good as exact at steps of a tenth of a turn: the most accurate of these methods.")),
    _about_e3(
        2,
        135,
        N_(
            "The thesis's own form, singular where the angular momentum points along -e3: to check its tables and "
            "figures."
        ),
    ),
    _about_e3(4, 177, N_("As factorization-e3-2: in each step two turns that mostly cancel, whose rounding adds up.")),
    _about_e3(6, 221, N_("As factorization-e3-2, and near rounding at steps of some degrees.")),
    _about_e3(8, 263, N_("That of the thesis's table 2; factorization-8 is more accurate, and never singular.")),
    _verlet_magnus(
        2, 358, N_("The author's choice for the vessel: where torque dominates, a better free part changes little.")
    ),
    _verlet_magnus(4, 396, N_("For fast tops, where the free rotation dominates and order 2 of it is not enough.")),
    _verlet_magnus(6, 434, N_("As verlet-magnus-4, nearer to an exact free part.")),
    _verlet_magnus(
        8, 477, N_("Like verlet-exact, except that the vertical angular momentum is kept to the eighth order only.")
    ),
    _verlet_factorization(
        2, 420, N_("Keeps the vertical angular momentum to rounding; the free part is nearly exact already.")
    ),
    _verlet_factorization(
        4, 434, N_("As verlet-factorization-2, with an error of the free part far below that of the splitting.")
    ),
    _verlet_factorization(6, 450, N_("The splitting error alone is left; verlet-exact has the same and costs less.")),
    _verlet_factorization(8, 465, N_("The splitting error alone is left; verlet-exact has the same and costs less.")),
    _VERLET_EXACT,
)


_LEINE = article(
    "Leine et al. 2021",
    "leine2021stability",
    citation="Leine, Capobianco, Bartelt, Christen & Caviezel (2021), Multibody System Dynamics 52, 431-455",
    author="Leine, Remco I. and Capobianco, Giuseppe and Bartelt, Perry and Christen, Marc and Caviezel, Andrin",
    title="Stability of rigid body motion through an extended intermediate axis theorem: application to "
    "rockfall simulation",
    where="Multibody System Dynamics 52, 431--455",
    doi="10.1007/s11044-021-09792-y",
)

LEINE = (
    Scheme(
        name="explicit",
        title="Explicit (RAMMS)",
        source=_LEINE,
        equations="(45)-(47)",
        order=1,
        energy="kept",
        reversible=False,
        cost=42,
        alone=("free",),
        advice=N_("For comparison only: it drives every rotation onto the minor axis."),
        **look("E", "#E69F00", "dash"),
        march=march_with(explicit.step),
        marches={
            MANY: march_many_with(explicit.advance_many),
            DRIVEN: driven_march.march_with(by_step(explicit.step)),
            AFLOAT: ship_march.march_with(by_step(explicit.step)),
            CONTACT: Rotation(explicit.free_velocity, explicit.contact_attitude),
        },
    ),
    Scheme(
        name="implicit",
        title="Implicit (energy-momentum)",
        source=_LEINE,
        equations="(61)-(75)",
        order=2,
        implicit=True,
        energy="kept",
        keeps_spin=True,
        keeps_spin_norm=True,
        reach=2.9,
        cost=66,
        alone=("free",),
        advice=N_("The default: cheap, robust, and stable about the axes that are stable in nature."),
        **look("I", "#56B4E9", "solid"),
        march=march_with(implicit.step),
        marches={
            MANY: march_many_with(implicit.advance_many),
            DRIVEN: driven_march.march_with(by_step(implicit.step)),
            AFLOAT: ship_march.march_with(by_step(implicit.step)),
            CONTACT: Rotation(implicit.free_velocity, implicit.contact_attitude),
        },
    ),
)

ROWS = (*LEINE, *BETSCH, *GUSTAFSSON)
