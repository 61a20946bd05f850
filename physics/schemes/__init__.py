"""THE TABLE: every scheme that Polhode knows, one row each.

Drop-downs, ``polhode schemes``, the README, tests, legends and captions read it. A new scheme is one file
beside this one and one row here.
"""

from __future__ import annotations

from physics.errors import ScenarioError
from physics.schemes import exact, explicit, implicit
from physics.schemes.march import march_with, start_with
from physics.schemes.scheme import Scheme

_LEINE = "Leine, Capobianco, Bartelt, Christen & Caviezel (2021), Multibody System Dynamics 52, 431-455"
_GUSTAFSSON = "Gustafsson (2010), Accurate discretizations of torqued rigid body dynamics, NTNU"

_ROWS = (
    Scheme(
        name="explicit",
        title="Explicit (RAMMS)",
        short="Leine et al. 2021",
        citation=_LEINE,
        equations="(45)-(47)",
        doi="10.1007/s11044-021-09792-y",
        order=1,
        implicit=False,
        keeps_energy=True,
        keeps_spin=False,
        keeps_spin_norm=False,
        keeps_unit_length=True,
        kinds=("free", "rockfall"),
        advice="For comparison only: it drives every rotation onto the minor axis.",
        colour="#E69F00",
        dash="dash",
        letter="E",
        start=start_with,
        march=march_with(explicit.step),
        moreau=(explicit.free_velocity, explicit.contact_attitude),
    ),
    Scheme(
        name="implicit",
        title="Implicit (energy-spin)",
        short="Leine et al. 2021",
        citation=_LEINE,
        equations="(61)-(75)",
        doi="10.1007/s11044-021-09792-y",
        order=2,
        implicit=True,
        keeps_energy=True,
        keeps_spin=True,
        keeps_spin_norm=True,
        keeps_unit_length=True,
        kinds=("free", "rockfall"),
        advice="The default: cheap, robust, and stable about the axes that are stable in nature.",
        colour="#56B4E9",
        dash="solid",
        letter="I",
        start=start_with,
        march=march_with(implicit.step),
        moreau=(implicit.free_velocity, implicit.contact_attitude),
    ),
    Scheme(
        name="exact",
        title="Exact (elliptic functions)",
        short="Gustafsson 2010",
        citation=_GUSTAFSSON,
        equations="sections 4.1 and 4.3",
        doi="",
        order=None,
        implicit=False,
        keeps_energy=True,
        keeps_spin=True,
        keeps_spin_norm=True,
        keeps_unit_length=True,
        kinds=("free",),
        advice="The truth to compare with: no step, no error but rounding.",
        colour="#2BB58F",
        dash="dash-dot",
        letter="X",
        start=exact.start,
        march=exact.march,
    ),
)

SCHEMES: dict[str, Scheme] = {row.name: row for row in _ROWS}


def serving(kind: str) -> tuple[str, ...]:
    """The names of the schemes that serve a kind of scenario."""
    return tuple(name for name, scheme in SCHEMES.items() if kind in scheme.kinds)


def scheme_for(name: str, kind: str, field: str = "schemes") -> Scheme:
    """The scheme of that name; ScenarioError, with the list of those that can, when it cannot serve the kind."""
    if name not in serving(kind):
        known = "cannot serve" if name in SCHEMES else "is not a scheme for"
        raise ScenarioError(field, f"'{name}' {known} kind '{kind}'; expected one of {', '.join(serving(kind))}")
    return SCHEMES[name]
