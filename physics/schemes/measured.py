"""The row of a lane that shows what was measured: it is in no list of schemes, and it has no step."""

from __future__ import annotations

from physics.bibliography import Source
from physics.core.rotation import Array
from physics.schemes.loop import start_with
from physics.schemes.scheme import Scheme

NAME = "measured"


def _no_step(J: Array, field: Array, h: float, every: int, state: Array, out: Array) -> tuple[int, float]:
    """As physics.schemes.loop says, of a step that never has a solution: what was measured is read, not computed."""
    return 0, float("nan")


ROW = Scheme(
    name=NAME,
    title="Measured",
    source=Source("read from a file", "Measured"),
    equations="not computed",
    order=None,
    implicit=False,
    symplectic=False,
    energy="drifts",
    keeps_spin=False,
    keeps_spin_norm=False,
    keeps_unit_length=True,
    reach=None,
    cost=0.0,
    kinds=(),
    advice="What a sensor on the body has recorded.",
    letter="Me",
    start=start_with,
    march=_no_step,
    remedy="choose another part of the file",
    family="own",
    help_page="measured-motion",
    colour="#2255FF",
    dash="dot",
)
