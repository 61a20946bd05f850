"""Rows of the table: the schemes of Leine et al."""

from __future__ import annotations

from physics.bibliography import article
from physics.schemes import explicit, implicit, ship_splitting
from physics.schemes.loop import march_with, start_with
from physics.schemes.many_bodies import march_many_with
from physics.schemes.scheme import Rotation, Scheme

_LEINE = article(
    "Leine et al. 2021",
    "leine2021stability",
    citation="Leine, Capobianco, Bartelt, Christen & Caviezel (2021), Multibody System Dynamics 52, 431-455",
    author="Leine, Remco I. and Capobianco, Giuseppe and Bartelt, Perry and Christen, Marc and Caviezel, Andrin",
    title="Stability of rigid body motion through an extended intermediate axis theorem: application to "
    "rockfall simulation",
    journal="Multibody System Dynamics",
    volume="52",
    pages="431--455",
    year="2021",
    doi="10.1007/s11044-021-09792-y",
)

ROWS = (
    Scheme(
        name="explicit",
        title="Explicit (RAMMS)",
        source=_LEINE,
        equations="(45)-(47)",
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
        source=_LEINE,
        equations="(61)-(75)",
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
