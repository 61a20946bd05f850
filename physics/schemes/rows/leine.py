"""Rows of the table: the schemes of Leine et al."""

from __future__ import annotations

from physics.schemes import explicit, implicit, ship_splitting
from physics.schemes.loop import march_with, start_with
from physics.schemes.many_bodies import march_many_with
from physics.schemes.scheme import Rotation, Scheme

_PAPER = "Leine, Capobianco, Bartelt, Christen & Caviezel (2021), Multibody System Dynamics 52, 431-455"
_DOI = "10.1007/s11044-021-09792-y"

ROWS = (
    Scheme(
        name="explicit",
        title="Explicit (RAMMS)",
        short="Leine et al. 2021",
        citation=_PAPER,
        equations="(45)-(47)",
        doi=_DOI,
        order=1,
        implicit=False,
        symplectic=False,
        energy="kept",
        keeps_spin=False,
        keeps_spin_norm=False,
        keeps_unit_length=True,
        reversible=False,
        reach=None,
        cost=42,
        kinds=("free", "ship", "rockfall", "table"),
        advice="For comparison only: it drives every rotation onto the minor axis.",
        colour="#E69F00",
        dash="dash",
        letter="E",
        start=start_with,
        march=march_with(explicit.step),
        march_many=march_many_with(explicit.advance_many),
        afloat=ship_splitting.march_with(ship_splitting.by_step(explicit.step)),
        moreau=Rotation(explicit.free_velocity, explicit.contact_attitude),
    ),
    Scheme(
        name="implicit",
        title="Implicit (energy-spin)",
        short="Leine et al. 2021",
        citation=_PAPER,
        equations="(61)-(75)",
        doi=_DOI,
        order=2,
        implicit=True,
        symplectic=False,
        energy="kept",
        keeps_spin=True,
        keeps_spin_norm=True,
        keeps_unit_length=True,
        reach=2.9,
        cost=66,
        kinds=("free", "ship", "rockfall", "table"),
        advice="The default: cheap, robust, and stable about the axes that are stable in nature.",
        colour="#56B4E9",
        dash="solid",
        letter="I",
        start=start_with,
        march=march_with(implicit.step),
        march_many=march_many_with(implicit.advance_many),
        afloat=ship_splitting.march_with(ship_splitting.by_step(implicit.step)),
        moreau=Rotation(implicit.free_velocity, implicit.contact_attitude),
    ),
)
