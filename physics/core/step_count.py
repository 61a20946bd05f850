"""Number of steps of a run."""

from __future__ import annotations


def whole_steps(duration: float, step: float) -> int:
    """The full steps [s] that fit into a duration [s]; a quotient that is whole up to rounding counts as whole."""
    quotient = duration / step
    return round(quotient) if abs(quotient - round(quotient)) < 1e-6 * max(1.0, quotient) else int(quotient)
