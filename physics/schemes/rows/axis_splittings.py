"""Rows of the table: splittings into turns about the principal axes."""

from __future__ import annotations

from functools import partial

from physics.bibliography import article
from physics.schemes import dlm, no_squish
from physics.schemes.loop import march_with
from physics.schemes.rows.spin_keeping import spin_keeping

_row = partial(
    spin_keeping,
    order=2,
    implicit=False,
    symplectic=True,
    energy="bounded",
    reach=None,
    kinds=("free", "top", "vessel"),
    torques=1,
    family="splitting",
)

ROWS = (
    _row(
        name="dlm",
        title="Axis splitting",
        source=article(
            "Dullweber et al. 1997",
            "dullweber1997symplectic",
            author="Dullweber, Andreas and Leimkuhler, Benedict and McLachlan, Robert",
            title="Symplectic splitting methods for rigid body molecular dynamics",
            journal="The Journal of Chemical Physics",
            volume="107",
            pages="5840--5851",
            year="1997",
            doi="10.1063/1.474310",
        ),
        equations="rotations about the axes",
        cost=176,
        advice="Explicit and symplectic, from molecular dynamics: spin kept to rounding, energy bounded.",
        colour="#AA4499",
        dash="solid",
        letter="DL",
        march=march_with(dlm.step),
    ),
    _row(
        name="no-squish",
        title="NO-SQUISH",
        source=article(
            "Miller et al. 2002",
            "miller2002symplectic",
            author="Miller, T. F. and Eleftheriou, M. and Pattnaik, P. and Ndirango, A. and Newns, D. and Martyna, "
            "G. J.",
            title="Symplectic quaternion scheme for biophysical molecular dynamics",
            journal="The Journal of Chemical Physics",
            volume="116",
            pages="8649--8659",
            year="2002",
            doi="10.1063/1.1473654",
        ),
        equations="NO-SQUISH",
        cost=167,
        advice="The axis splitting in quaternions, in wide use for rigid molecules.",
        colour="#CC6677",
        dash="dash",
        letter="NQ",
        march=march_with(no_squish.step),
    ),
)
