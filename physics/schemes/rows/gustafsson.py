"""Rows of the table: the exact solution and the schemes of Gustafsson."""

from __future__ import annotations

from physics.schemes import exact
from physics.schemes.scheme import Scheme

_THESIS = "Gustafsson (2010), Accurate discretizations of torqued rigid body dynamics, NTNU Trondheim"

ROWS = (
    Scheme(
        name="exact",
        title="Exact (elliptic functions)",
        short="Gustafsson 2010",
        citation=_THESIS,
        equations="sections 4.1 and 4.3",
        doi="",
        order=None,
        implicit=False,
        symplectic=True,
        keeps_energy=True,
        keeps_spin=True,
        keeps_spin_norm=True,
        keeps_unit_length=True,
        reach=None,
        cost=110,
        kinds=("free",),
        advice="The truth to compare with: no step, no error but rounding.",
        colour="#2BB58F",
        dash="dash-dot",
        letter="X",
        start=exact.start,
        march=exact.march,
    ),
)
