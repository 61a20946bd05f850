"""Rows of the table of schemes, the facts that everything else reads, and the families that they are gathered by."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple, TypedDict

from physics.bibliography import Source
from physics.core.rotation import Array
from physics.core.wording import N_
from physics.schemes.loop import March, Start, start_with
from physics.schemes.own_process import OwnCode
from physics.schemes.problem import M, Problem

ALONE = ("free", "top", "vessel")  # kinds of scenario in which nothing but a rotation is integrated

FAMILIES = {  # and their headings in lists
    "papers": "The three papers",
    "splitting": "Splitting",
    "Lie group": "Lie group",
    "variational": "Variational and multisymplectic",
    "engines": "Engines of games and robots",
    "particles": "Particle codes (DEM)",
    "Runge-Kutta": "Runge-Kutta",
    "own": "Your own",
}


@dataclass(frozen=True, kw_only=True)
class Scheme:
    """The facts of a scheme.

    Attributes
    ----------
    name : as in scenario files and on the command line
    title : for people, a few words
    source : paper, book or program; more_sources : others that ``equations`` names; equations : their numbers
    order : order of convergence of attitude and angular velocity; 0: converges to no motion; None for exact
    implicit : each step solves an equation; symplectic : the step is a symplectic map
    energy : kinetic energy of the free body: ``kept`` to rounding, ``bounded``, ``drifts`` (up, or up and down) or
        ``dissipates`` (never rises while a step turns the body by less than about a radian)
    keeps_spin, keeps_spin_norm : conserved to rounding for the free body: the angular momentum vector in space, its
        magnitude
    keeps_unit_length : the quaternion stays a unit quaternion to rounding
    energy_under_torque : as ``energy``, the total energy of a top without damping; one that dissipates may rise in a
        swing
    keeps_vertical_spin : the vertical spin of a top is conserved to rounding
    reversible : a step back undoes a step
    reach : largest step times angular velocity at which every step was solved on the papers' motions [rad]; None: any
    cost : nanoseconds per step on one core, last state stored, minimum of many runs on one machine; splittings on a
        top, others on a free body, also those that serve mechanisms alone, whose joints take more;
        ``polhode bench kernels`` measures it
    advice : one sentence on when to use it
    frame_equivariant : a step in a turned frame is the turned step; under gravity in one turned about the vertical
    axes_equivariant : a step of a body with renamed principal axes is the renamed step
    remedy : what helps when a step has no solution
    family : one of FAMILIES, by which lists are gathered
    velocity_order : order of convergence of a free body's angular velocity, if it differs from ``order``
    order_under_torque : of a top or a vessel, if it differs from that of the free body
    order_with_damping : of the same, where something takes energy, if it differs again
    torques : evaluations of the torque per step, where that at its end serves the next step too; a function of the
        state if the scheme counts them; None: iterations, of any number, or no torque served
    beyond : looks at torques before a step's start or after its end
    adaptive : chooses its own steps within the step, to a tolerance; then ``order`` is that of its formula
    inner : the scheme whose steps under torque its own are made of, or nearly; "": it has steps of its own
    help_page : stem of the page in assets/help that it shares with schemes of other names
    letter, colour, dash : look of its lane, whatever is shown beside it; dash is ``solid | dash | dot | dash-dot``;
        without a colour it gets a spare one
    start, march : of the rotation alone, see physics.schemes.loop
    alone : which of ALONE they serve
    marches : what solves other problems: MANY and CONTACT of physics.schemes.loop, DRIVEN, AFLOAT and JOINTS of
        physics.schemes.driven_march, .ship_march and .joint_march
    added_mass : the loop of a ship moves water with the hull; else the scheme is a rotation alone
    code : the file of the user's that it is from, see physics.schemes.own_scheme; its order is 0 where it names none;
        None: one of the program's own

    Examples
    --------
    >>> import physics
    >>> scheme = physics.SCHEMES["implicit"]
    >>> scheme.order, scheme.keeps_energy, scheme.source.short, scheme.equations
    (2, True, 'Leine et al. 2021', '(61)-(75)')
    """

    name: str
    title: str
    source: Source
    equations: str
    order: int | None
    implicit: bool = False
    symplectic: bool = False
    energy: str
    keeps_spin: bool = False
    keeps_spin_norm: bool = False
    keeps_unit_length: bool = True
    reach: float | None = None
    cost: float
    advice: str
    letter: str
    start: Start = start_with
    march: March
    alone: tuple[str, ...] = ALONE
    marches: Mapping[Problem[Any], Any] = field(default_factory=dict, hash=False)
    added_mass: bool = False
    energy_under_torque: str = "bounded"
    keeps_vertical_spin: bool = False
    reversible: bool = True
    frame_equivariant: bool = True
    axes_equivariant: bool = True
    remedy: str = N_("take a smaller step")
    family: str = "papers"
    velocity_order: int | None = None
    order_under_torque: int | None = None
    order_with_damping: int | None = None
    torques: int | Callable[[Array], int] | None = None
    beyond: bool = False
    adaptive: bool = False
    inner: str = ""
    help_page: str = ""
    colour: str = ""
    dash: str = ""
    code: OwnCode | None = None
    more_sources: tuple[Source, ...] = ()

    @property
    def kinds(self) -> tuple[str, ...]:
        """Kinds of scenario that it serves."""
        return (*self.alone, *(kind for problem in self.marches for kind in problem.kinds))

    def serves(self, kind: str) -> bool:
        """True if it serves a kind of scenario, or a problem of that name, such as a driven body."""
        return kind in self.kinds or any(problem.name == kind for problem in self.marches)

    def solver(self, problem: Problem[M]) -> M:
        """March that solves a problem; scenarios refuse schemes without one."""
        assert problem in self.marches, f"{self.name} does not serve {problem.name}"
        found: M = self.marches[problem]
        return found

    @property
    def exact(self) -> bool:
        """True if it computes the exact motion; what was measured, or fitted to it, has no order either."""
        return self.order is None and bool(self.kinds)

    def order_for(self, *, torque: bool, damped: bool) -> int | None:
        """Order of convergence where torques act, or something takes energy; None for exact."""
        given = [self.order_with_damping if damped else None, self.order_under_torque if torque else None]
        return next((order for order in given if order is not None), self.order)

    @property
    def keeps_energy(self) -> bool:
        """True if the kinetic energy of the free body is kept to rounding."""
        return self.energy == "kept"

    @property
    def keeps_energy_under_torque(self) -> bool:
        """True if the total energy of a top is kept to rounding."""
        return self.energy_under_torque == "kept"

    @property
    def construction(self) -> str:
        """Construction of the step: schemes of one construction err alike, as the Euler steps of engines do."""
        return self.inner or (self.family if self.family == "engines" and self.order == 1 else self.name)

    @property
    def claims(self) -> Scheme | None:
        """The row whose facts a report card is compared with: this one, or None: a file of the user's declares none."""
        return self if self.code is None or self.order or self.torques else None

    @property
    def short(self) -> str:
        """Authors and year, for captions."""
        return self.source.short

    @property
    def citation(self) -> str:
        """The sources in full."""
        return "; ".join(source.citation for source in (*self.more_sources, self.source))

    @property
    def doi(self) -> str:
        """DOI of the source, or an empty string."""
        return self.source.doi

    @property
    def reference(self) -> str:
        """Citation with equation numbers, for captions."""
        return f"{self.citation}, {self.equations}"

    @property
    def page(self) -> str:
        """Stem of the page in assets/help: the one it shares, else the name without order and ``-matrix``."""
        return self.help_page or re.sub(r"-\d+(-matrix)?$", "", self.name)

    def facts(self) -> dict[str, str | int | bool | list[str] | None]:
        """The row without its functions: plain values for JSON and tables."""
        hidden = {"source", "more_sources", "start", "march", "alone", "marches", "code", "beyond"}
        values: dict[str, Any] = {key: getattr(self, key) for key in ("name", "title", "short", "citation", "kinds")}
        values |= {"equations": self.equations, "doi": self.doi}
        values |= {key: value for key, value in self.__dict__.items() if key not in hidden}
        values["torques"] = self.torques if isinstance(self.torques, int) else None
        values |= {"keeps_energy": self.keeps_energy, "keeps_energy_under_torque": self.keeps_energy_under_torque}
        return {key: list(value) if isinstance(value, tuple) else value for key, value in values.items()}


# ---- families --------------------------------------------------------------------------------------
# The colours of the rows were found by a search: any two schemes of one kind differ by more than 6.5 in CIE L*a*b*
# (1976) for all eyes, those with one of the three colour deficiencies too, and where by less than 10 in their dashes;
# the engines by more than 14 among themselves, and so do the schemes of the papers.


DASHES = ("solid", "dash", "dash-dot", "dot")
# for rows without a colour and for lanes of one scheme: any two differ by more than 14 for all eyes
SPARE = (
    "#2255FF", "#EE7700", "#44BB33", "#FF2277", "#33DDCC", "#AA66FF", "#AA1100", "#FFCC66", "#447744", "#774477",
    "#CCDD00", "#7788AA", "#008877", "#EE99AA", "#9933AA", "#AADD99", "#BB5500", "#CC99EE", "#DD0044", "#77BB66",
    "#FF22AA", "#CCCCFF", "#8833CC", "#BB66DD",
)  # fmt: skip


class SchemeLook(TypedDict):
    """Fields of a row that say how its lane looks."""

    letter: str
    colour: str
    dash: str


def look(letter: str, colour: str, dash: str) -> SchemeLook:
    """The look of a row's lane, see Scheme."""
    return {"letter": letter, "colour": colour, "dash": dash}


class Advice(NamedTuple):
    """Purpose of a family, and its schemes to choose, the best one first: name -> use."""

    purpose: str
    choices: dict[str, str]


ADVICE = {
    "papers": Advice(
        "free bodies, tops, vessels and rocks: what the three papers compare",
        {
            "implicit": "free bodies, rocks",
            "exact": "the truth of a free body",
            "explicit": "to see what goes wrong",
            "verlet-exact": "tops, vessels",
            "quat-em": "tops whose energy counts",
            "magnus-4": "free bodies, nothing to solve",
        },
    ),
    "splitting": Advice(
        "tops and vessels: kicks of torque between exact free rotations, symplectic, of orders 4 to 8",
        {
            "rkn-4": "order 4",
            "chin-4": "order 4, only forward steps",
            "kahan-li-6": "with damping",
            "rkn-6-14": "the most accurate one without it",
        },
    ),
    "Lie group": Advice(
        "methods of Runge-Kutta and of structural dynamics that stay on the group of rotations",
        {"rkmk-4": "accuracy", "lie-newmark": "as in codes of flexible bodies"},
    ),
    "variational": Advice(
        "steps from a discrete action, or close to one, that keep its invariants over long runs",
        {"pdmv-6": "free bodies", "lgvi": "tops, vessels"},
    ),
    "engines": Advice(
        "what games and robots compute with, to see what they lose",
        {"bullet": "Bullet's own default", "mujoco-midpoint": "keeps the energy"},
    ),
    "particles": Advice(
        "what codes of many particles turn their bodies with",
        {"spiral": "accuracy", "fincham": "keeps the angular momentum"},
    ),
    "Runge-Kutta": Advice(
        "the textbook's methods on quaternion and angular velocity",
        {"rk4-unit": "what most people try first", "dop853": "accuracy to a tolerance"},
    ),
    "own": Advice("what comes from files of your own", {}),
}


def in_order(rows: Iterable[Scheme]) -> list[Scheme]:
    """Rows by family, in the order of FAMILIES; those without a colour of their own get a spare one by their place."""
    found, number = [], 0
    for row in sorted(rows, key=lambda row: [*FAMILIES].index(row.family)):
        if not row.colour:
            row = replace(row, colour=SPARE[number % len(SPARE)], dash=row.dash or DASHES[number % len(DASHES)])
            number += 1
        found.append(row)
    return found


spin_keeping = partial(
    Scheme,
    keeps_spin=True,
    keeps_spin_norm=True,
    keeps_vertical_spin=True,
)
