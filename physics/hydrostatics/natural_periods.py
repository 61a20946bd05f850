"""Natural periods of small motions of a ship about where it floats: roll, heave and pitch, each by itself."""

from __future__ import annotations

import math
from dataclasses import dataclass

from physics.hydrostatics.flotation import Hydrostatics
from physics.hydrostatics.form import Form


@dataclass(frozen=True)
class Periods:
    """Natural periods [s]; NaN where nothing restores the motion, or where its inertia is not known.

    Attributes
    ----------
    roll, heave, pitch : with the inertia and the added mass of the ship
    code : of roll, by the estimate of the 2008 IS Code, part A, 2.3; NaN of several hulls
    """

    roll: float
    heave: float
    pitch: float
    code: float


def period(inertia: float, stiffness: float) -> float:
    """Period 2 pi sqrt(inertia / stiffness) [s]; NaN where nothing restores."""
    return 2.0 * math.pi * math.sqrt(inertia / stiffness) if stiffness > 0.0 else math.nan


def periods_of(
    at: Hydrostatics,
    form: Form,
    mass: float,
    gravity: float,
    inertia: tuple[float, float] | None,
    added: tuple[float, float, float],
) -> Periods:
    """Periods of a ship that floats at rest.

    Parameters
    ----------
    at, form : where it floats
    mass : [kg]; gravity : [m/s²]
    inertia : of roll and pitch about the centre of gravity [kg m²], or None where it is not known
    added : mass in heave [kg], inertia in roll and pitch [kg m²] of the water that moves with it
    """
    weight, (heave, *turns) = mass * gravity, added
    about = (math.nan, math.nan) if inertia is None else inertia
    roll, pitch = (own + water for own, water in zip(about, turns, strict=True))
    return Periods(
        roll=period(roll, weight * at.gm_transverse),
        heave=period(mass + heave, at.c33),
        pitch=period(pitch, weight * at.gm_longitudinal),
        code=code_period(at, form),
    )


def code_period(at: Hydrostatics, form: Form) -> float:
    """Roll period 2 C B / sqrt(GM) [s] of the 2008 IS Code, part A, 2.3, an estimate for ordinary ships of one hull.

    C = 0.373 + 0.023 B/d - 0.043 L/100, with length, breadth and draught of the waterline.
    """
    if form.hulls > 1 or not at.gm_transverse > 0.0:
        return math.nan
    factor = 0.373 + 0.023 * form.breadth / form.draught - 0.043 * form.length / 100.0
    return 2.0 * factor * form.breadth / math.sqrt(at.gm_transverse)
