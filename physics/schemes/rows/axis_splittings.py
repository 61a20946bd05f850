"""Rows of the table: splittings into turns about the principal axes."""

from __future__ import annotations

from functools import partial

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
        short="Dullweber et al. 1997",
        citation="Dullweber, Leimkuhler & McLachlan (1997), Symplectic splitting methods for rigid body molecular "
        "dynamics, Journal of Chemical Physics 107, 5840-5851",
        doi="10.1063/1.474310",
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
        short="Miller et al. 2002",
        citation="Miller, Eleftheriou, Pattnaik, Ndirango, Newns & Martyna (2002), Symplectic quaternion scheme for "
        "biophysical molecular dynamics, Journal of Chemical Physics 116, 8649-8659",
        doi="10.1063/1.1473654",
        equations="NO-SQUISH",
        cost=167,
        advice="The axis splitting in quaternions, in wide use for rigid molecules.",
        colour="#CC6677",
        dash="dash",
        letter="NQ",
        march=march_with(no_squish.step),
    ),
)
