"""Natural periods of small motions of a ship about where it floats: roll, heave and pitch, each by itself.

The added mass is what is given, or that of strip theory at the frequency to which it leads.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from physics.hydrostatics.flotation import FloatingPose, Hydrostatics
from physics.hydrostatics.form import Form
from physics.hydrostatics.strip_theory import Mode, Strips, strips_of

MODES = ("heave", "roll", "pitch")  # in whose order added masses stand
ALIKE, TRIES = 1e-4, 30  # share by which the added mass moves a wavenumber at last, and how often it may


@dataclass(frozen=True)
class Periods:
    """Natural periods [s]; NaN where nothing restores the motion, or where its inertia is not known.

    Attributes
    ----------
    roll, heave, pitch : with the inertia and the added mass of the ship
    code : of roll, by the estimate of the 2008 IS Code, part A, 2.3; NaN of several hulls
    added : mass in heave [kg], inertia in roll and pitch [kg m²] of the water that moves with the ship
    estimated : which of them strip theory estimates, and are not given
    """

    roll: float
    heave: float
    pitch: float
    code: float
    added: tuple[float, float, float]
    estimated: tuple[bool, bool, bool]


def period(inertia: float, stiffness: float) -> float:
    """Period 2 pi sqrt(inertia / stiffness) [s]; NaN where nothing restores."""
    return 2.0 * math.pi * math.sqrt(inertia / stiffness) if stiffness > 0.0 else math.nan


def periods_of(
    pose: FloatingPose,
    at: Hydrostatics,
    form: Form,
    gravity: float,
    inertia: tuple[float, float] | None,
    added: tuple[float, float, float],
) -> Periods:
    """Periods of a ship that floats at rest.

    Parameters
    ----------
    pose, at, form : where it floats
    gravity : [m/s²]
    inertia : of roll and pitch about the centre of gravity [kg m²], or None where it is not known
    added : mass in heave [kg], inertia in roll and pitch [kg m²] of the water that moves with it; 0: it is estimated
    """
    mass, density = pose.load.mass, pose.load.density
    strips = None if all(added) else strips_of(pose)
    roll_inertia, pitch_inertia = (math.nan, math.nan) if inertia is None else inertia

    def of(mode: Mode, given: float, own: float, stiffness: float) -> tuple[float, float]:
        """Period and added mass of a motion."""
        if strips is not None and not given:
            given = density * _moved(strips, mode, own / density, stiffness / (density * gravity))
        return period(own + given, stiffness), given

    heave, in_heave = of("heave", added[0], mass, at.c33)
    roll, in_roll = of("roll", added[1], roll_inertia, mass * gravity * at.gm_transverse)
    pitch, in_pitch = of("pitch", added[2], pitch_inertia, mass * gravity * at.gm_longitudinal)
    estimated = not added[0], not added[1], not added[2]
    return Periods(roll, heave, pitch, code_period(at, form), (in_heave, in_roll, in_pitch), estimated)


def _moved(strips: Strips, mode: Mode, inertia: float, stiffness: float) -> float:
    """Added mass by strips at the natural frequency to which it leads, all over the density of water; NaN without one.

    inertia, stiffness : over the density, and that times gravity: their ratio is a wavenumber
    """
    if not (stiffness > 0.0 and inertia > 0.0 and len(strips.place)):
        return math.nan
    wavenumber = 0.5 * stiffness / inertia
    for _ in range(TRIES):
        found = strips.added(mode, wavenumber)
        if not inertia + found > 0.0:
            return math.nan
        before, wavenumber = wavenumber, stiffness / (inertia + found)
        if abs(wavenumber - before) <= ALIKE * before:
            return found
    return math.nan


def code_period(at: Hydrostatics, form: Form) -> float:
    """Roll period 2 C B / sqrt(GM) [s] of the 2008 IS Code, part A, 2.3, an estimate for ordinary ships of one hull.

    C = 0.373 + 0.023 B/d - 0.043 L/100, with length, breadth and draught of the waterline.
    """
    if form.hulls > 1 or not at.gm_transverse > 0.0:
        return math.nan
    factor = 0.373 + 0.023 * form.breadth / form.draught - 0.043 * form.length / 100.0
    return 2.0 * factor * form.breadth / math.sqrt(at.gm_transverse)
