"""Rows of the table: the exact solution and the schemes of Gustafsson.

Hues tell the families apart, shades and dashes the orders: no two schemes of a kind share a colour. Capital letters
are schemes of the free body; the small letter is the splitting scheme around the same one.
"""

from __future__ import annotations

from functools import partial

from physics.bibliography import article, entry
from physics.schemes import exact, factorization, factorization_e3, magnus, ship_splitting, verlet
from physics.schemes.contact_rotation import contact_attitude
from physics.schemes.loop import start_with
from physics.schemes.scheme import Rotation, Scheme

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
    journal="SIAM Journal on Scientific Computing",
    volume="30",
    pages="2084--2112",
    year="2008",
    doi="10.1137/070704393",
)
_row = partial(  # all these schemes take the momentum of the free body as it is, and none solves an equation
    Scheme,
    source=_THESIS,
    implicit=False,
    energy="kept",
    keeps_spin_norm=True,
    keeps_unit_length=True,
    reach=None,
)
_DASHES = {2: "dot", 4: "dash-dot", 6: "dash", 8: "solid"}
# found by a search: any two schemes of a kind differ by 14 or more (CIE 1976), for colour-blind people as well
_GREENS = {2: "#87DB9B", 4: "#59DEB7", 6: "#809A43", 8: "#857B4D"}
_BROWNS = {2: "#D5A474", 4: "#A94306", 6: "#7F574E", 8: "#904424"}
_BLUES = {2: "#857FF8", 4: "#724BD2", 6: "#4C43E9", 8: "#2D5F95"}
_PLUMS = {2: "#FFCCF2", 4: "#5900B2", 6: "#5C2966", 8: "#66293D"}
_VERLET_GREENS = {2: "#97D88B", 4: "#62DEB3", 6: "#C2DD48", 8: "#596933"}
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
    kinds=("free", "rockfall", "table"),
    advice="The truth to compare with: no step, no error but rounding.",
    colour="#499D78",
    dash="dash-dot",
    letter="X",
    start=exact.start,
    march=exact.march,
    moreau=Rotation(exact.free_velocity, contact_attitude, exact.MEMORY),
)


def _magnus(order: int, cost: float, advice: str) -> Scheme:
    return _row(
        name=f"magnus-{order}",
        title=f"Magnus, order {order}",
        equations=f"{_MAGNUS[order]}, section 4.3.1",
        order=order,
        symplectic=False,
        keeps_spin=False,  # in space: only to the order of the attitude
        cost=cost,
        kinds=("free",),
        advice=advice,
        colour=_GREENS[order],
        dash=_DASHES[order],
        letter=f"M{order}",
        start=magnus.start,
        march=magnus.march_quaternion(_EXPONENTS[order]),
    )


def _matrix(order: int, cost: float) -> Scheme:
    return _row(
        name=f"magnus-{order}-matrix",
        title=f"Magnus, order {order}, matrices",
        equations=f"{_MAGNUS[order]}, section 4.3.1",
        order=order,
        symplectic=False,
        keeps_spin=False,
        cost=cost,
        kinds=("free",),
        advice=f"To see that matrices change nothing: nine numbers in place of four, the errors of magnus-{order}.",
        colour=_BROWNS[order],
        dash=_DASHES[order],
        letter=f"R{order}",
        start=magnus.start,
        march=magnus.march_matrix(_EXPONENTS[order]),
    )


def _factorization(order: int, cost: float, advice: str) -> Scheme:
    return _row(
        name=f"factorization-{order}",
        title=f"Factorization, order {order}",
        equations="(31)-(36) about another axis",
        order=order,
        symplectic=False,
        keeps_spin=True,  # the one angle that is not exact turns about the spin
        cost=cost,
        kinds=("free",),
        advice=advice,
        colour=_BLUES[order],
        dash=_DASHES[order],
        letter=f"F{order}",
        start=factorization.start,
        march=factorization.march_with(_TURNS[order]),
    )


def _about_e3(order: int, cost: float, advice: str) -> Scheme:
    return _row(
        name=f"factorization-e3-{order}",
        title=f"Factorization about e3, order {order}",
        equations="(31)-(36) with c0 = c3 = 1/2",
        order=order,
        symplectic=False,
        keeps_spin=True,
        cost=cost,
        kinds=("free",),
        advice=advice,
        remedy=f"take a smaller step; where the spin points along -e3 there is none: take factorization-{order}",
        colour=_PLUMS[order],
        dash=_DASHES[order],
        letter=f"G{order}",
        start=factorization_e3.start_with(order),
        march=factorization_e3.march,
    )


def _verlet_magnus(order: int, cost: float, advice: str) -> Scheme:
    return _row(
        name=f"verlet-magnus-{order}",
        help_page="verlet",
        title=f"Störmer-Verlet, Magnus {order}",
        equations=f"(40), (45) with {_MAGNUS[order]}",
        order=2,
        symplectic=False,  # the Magnus attitude is not the flow of any energy
        keeps_spin=False,
        cost=cost,
        kinds=("top", "vessel", "ship"),
        torques=1,
        advice=advice,
        colour=_VERLET_GREENS[order],
        dash=_DASHES[order],
        letter=f"m{order}",
        start=start_with,
        march=verlet.march_with(verlet.by_magnus(_EXPONENTS[order])),
        afloat=ship_splitting.march_with(verlet.by_magnus(_EXPONENTS[order]), exact=True),
    )


def _verlet_factorization(order: int, cost: float, advice: str) -> Scheme:
    return _row(
        name=f"verlet-factorization-{order}",
        help_page="verlet",
        title=f"Störmer-Verlet, factorization {order}",
        equations="(40), (45) with (31)-(36)",
        order=2,
        symplectic=False,
        keeps_spin=True,
        cost=cost,
        kinds=("top", "vessel", "ship"),
        torques=1,
        advice=advice,
        colour=_VERLET_BLUES[order],
        dash=_DASHES[order],
        letter=f"f{order}",
        start=start_with,
        march=verlet.march_with(verlet.by_factorization(_TURNS[order])),
        afloat=ship_splitting.march_with(verlet.by_factorization(_TURNS[order]), exact=True),
        keeps_vertical_spin=True,
    )


_VERLET_EXACT = _row(
    name="verlet-exact",
    help_page="verlet",
    title="Störmer-Verlet, exact",
    more_sources=(_ATTITUDE,),
    equations="(40), (45) with section 4.1; angle of the attitude: Celledoni et al. 2008",
    order=2,
    symplectic=True,
    keeps_spin=True,
    cost=60,
    kinds=("top", "vessel", "ship"),
    torques=1,
    advice="The first choice under torque: symplectic, so that the energy stays near, and exact where torque is weak.",
    colour="#1F8F6D",
    dash="dash-dot",
    letter="x",
    start=start_with,
    march=verlet.march_exactly(),
    afloat=ship_splitting.march_exactly(),
    added_mass=True,
    keeps_vertical_spin=True,
)

ROWS = (
    _EXACT,
    _magnus(
        2, 83, "The simplest attitude beside an exact momentum; the spin in space wanders with the square of the step."
    ),
    _magnus(4, 165, "Two nodes and one commutator: for steps of some degrees."),
    _magnus(6, 236, "Three nodes and three commutators: near rounding at steps of some degrees."),
    _magnus(8, 312, "The most accurate Magnus method; factorization-8 is more accurate still, and cheaper."),
    _matrix(2, 102),
    _matrix(4, 174),
    _matrix(6, 245),
    _matrix(8, 321),
    _factorization(2, 60, "Energy and spin as true as the exact solution; only the angle about the spin has an error."),
    _factorization(4, 120, "Energy and spin to rounding and a small error of one angle, for little more than order 2."),
    _factorization(6, 169, "The error of the angle reaches rounding at steps of a tenth of a turn."),
    _factorization(8, 218, "As good as exact at steps of a tenth of a turn: the most accurate of these methods."),
    _about_e3(
        2, 171, "The thesis's own form, singular where the spin points along -e3: to check its tables and figures."
    ),
    _about_e3(4, 233, "As factorization-e3-2: in each step two turns that mostly cancel, whose rounding adds up."),
    _about_e3(6, 297, "As factorization-e3-2, and near rounding at steps of some degrees."),
    _about_e3(8, 361, "That of the thesis's table 2; factorization-8 is more accurate, and never singular."),
    _verlet_magnus(
        2, 381, "The author's choice for the vessel: where torque dominates, a better free part changes little."
    ),
    _verlet_magnus(4, 437, "For fast tops, where the free rotation dominates and order 2 of it is not enough."),
    _verlet_magnus(6, 493, "As verlet-magnus-4, nearer to an exact free part."),
    _verlet_magnus(8, 552, "As verlet-exact but for the vertical spin, which is kept to the eighth order only."),
    _verlet_factorization(2, 463, "Keeps the vertical spin to rounding; the free part is nearly exact already."),
    _verlet_factorization(
        4, 511, "As verlet-factorization-2, with an error of the free part far below that of the splitting."
    ),
    _verlet_factorization(6, 546, "The splitting error alone is left; verlet-exact has the same and costs less."),
    _verlet_factorization(8, 582, "The splitting error alone is left; verlet-exact has the same and costs less."),
    _VERLET_EXACT,
)
