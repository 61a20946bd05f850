"""What rows of several families have in common: one-step schemes that keep the spin of a free body in space."""

from __future__ import annotations

from functools import partial

from physics.schemes.loop import start_with
from physics.schemes.scheme import Scheme

spin_keeping = partial(
    Scheme,
    keeps_spin=True,
    keeps_spin_norm=True,
    keeps_unit_length=True,
    start=start_with,
    keeps_vertical_spin=True,
)
