"""The hydrostatics sheet of a loaded hull, its curves of form over the draught, and its cross curves of stability KN.

Curves of form are those of the hull upright, at even keel. KN is the lever of buoyancy about the keel K, held at a heel
and free to trim, with the centre of gravity at K, below the centre of buoyancy at even keel: GZ = KN - KG sin(heel)
(Rawson and Tupper 2001, Basic Ship Theory, chapter 4).
"""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np

from physics.core.cancellation import check_wanted
from physics.core.errors import PhysicsError, ScenarioError
from physics.core.rotation import Array
from physics.core.wording import N_
from physics.hydrostatics.flotation import GRAVITY, FloatingPose, Hydrostatics, hydrostatics, placed
from physics.hydrostatics.form import Form, form_of
from physics.hydrostatics.hull import Hull, LoadedHull
from physics.hydrostatics.natural_periods import Periods, periods_of
from physics.hydrostatics.righting_levers import Criterion, Righting, criteria, curve, rest_of, righting
from physics.hydrostatics.weather_criterion import Weather, Windage, weather_of

FORM, CROSS = (0.1, 0.95), (0.2, 0.85)  # of the depth: draughts of the curves of form, and of loads of KN
ROUND = (1.0, 2.0, 2.5, 5.0, 10.0)  # steps of what is not stated, times a power of ten
DRAUGHTS, LOADS = 18, 6  # that are about as many
HEELS = np.radians(np.arange(0.0, 91.0, 5.0))  # heels of the cross curves


@dataclass(frozen=True)
class SheetInputs:
    """Inputs of a sheet beside its load; all in the axes of the hull.

    Attributes
    ----------
    draughts : of the curves of form [m]; none: round ones
    masses : of the cross curves [kg]; none: round ones
    inertia : of roll and pitch about the centre of gravity [kg m²]; None: it is not known
    openings : places (x, y, z) by which water comes in [m], each as if there were one to both sides
    windage : its side in the wind, for the weather criterion; None: it is not judged
    tanks : length and breadth of the free surface [m], density of the liquid [kg/m³]
    added : mass in heave [kg], inertia in roll and pitch [kg m²] of the water that moves with the hull; 0: estimated
    """

    draughts: tuple[float, ...] = ()
    masses: tuple[float, ...] = ()
    inertia: tuple[float, float] | None = None
    added: tuple[float, float, float] = (0.0, 0.0, 0.0)
    openings: tuple[tuple[float, float, float], ...] = ()
    tanks: tuple[tuple[float, float, float], ...] = ()
    windage: Windage | None = None


NOTHING = SheetInputs()


@dataclass(frozen=True)
class Sheet:
    """The numbers of a loaded hull where it floats, and its righting levers, judged.

    Attributes
    ----------
    at, form : where it floats by itself; with a fixed trim, at the trim that balances it upright. Free surfaces of
        tanks are in GM transverse and in C44
    raised : height by which free surfaces raise the centre of gravity for heel [m]; it is in the levers
    gravity : [m/s²]
    weather : the weather criterion, which is among the judged too; None: no windage is given
    inputs : with which it is made
    """

    at: Hydrostatics
    form: Form
    periods: Periods
    levers: Righting
    judged: tuple[Criterion, ...]
    gravity: float
    raised: float = 0.0
    weather: Weather | None = None
    inputs: SheetInputs = NOTHING


@dataclass(frozen=True)
class Curves:
    """Properties of a hull with any load, by draughts and by displacements.

    Attributes
    ----------
    form, shapes : numbers and forms at the draughts, ascending; KG is 0, GM is KM
    masses : (n,) [kg]; heels : (m,) [rad]; kn : (n, m) [m], NaN where no trim balances the hull
    density : of the water [kg/m³]
    """

    form: tuple[Hydrostatics, ...]
    shapes: tuple[Form, ...]
    masses: Array
    heels: Array
    kn: Array
    density: float


def sheet_of(
    load: LoadedHull, gravity: float = GRAVITY, fixed_trim: bool = False, inputs: SheetInputs = NOTHING
) -> Sheet:
    """The sheet of a loaded hull; free surfaces of its tanks act as a centre of gravity that is higher for heel.

    Raises PhysicsError where no trim balances it at a heel of 40 degrees or less, ScenarioError where the weather
    criterion would judge several hulls.
    """
    raised = sum(density * length * breadth**3 / 12.0 for length, breadth, density in inputs.tanks) / load.mass
    liquid = replace(load, centre_of_gravity=load.centre_of_gravity + np.array([0.0, 0.0, raised]))
    rest = rest_of(liquid, fixed_trim)
    levers = righting(liquid, rest, rest.trim if fixed_trim else None, inputs.openings)
    at, form, higher = hydrostatics(rest, gravity), form_of(rest), raised * float(rest.rotation[2, 2])
    # heights but that of G for heel are those of the solid load
    at = replace(
        at,
        kg=at.kg - higher,
        gm_longitudinal=at.gm_longitudinal + higher,
        c55=at.c55 + load.mass * gravity * higher,
    )
    solid = replace(rest, load=load, height=rest.height - higher)  # what swings turns about G of the solid load
    periods = periods_of(solid, at, form, gravity, inputs.inertia, inputs.added)
    weather, judged = None, criteria(levers)
    if inputs.windage is not None and at.area > 0.0:
        if form.hulls > 1:
            why = N_("the weather criterion is for one hull, not for {hulls} side by side; expected none", form.hulls)
            raise ScenarioError("stability.windage_area", why)
        weather = weather_of(levers, at, form, inputs.windage, gravity)
        judged = (*judged, *weather.criteria)
    return Sheet(at, form, periods, levers, judged, gravity, raised, weather, inputs)


def curves_of(hull: Hull, density: float, gravity: float = GRAVITY, inputs: SheetInputs = NOTHING) -> Curves:
    """Curves of form and cross curves of a hull in water of a density [kg/m³]."""
    depth = float(np.ptp(hull.points[:, 2]))
    draughts = np.unique(inputs.draughts or round_numbers(FORM[0] * depth, FORM[1] * depth, DRAUGHTS))
    poses = upright(hull, draughts, density)
    form = tuple(hydrostatics(pose, gravity) for pose in poses)
    light, full = upright(hull, depth * np.array(CROSS), density)
    masses = np.unique(
        inputs.masses or round_numbers(density * light.integrals.volume, density * full.integrals.volume, LOADS)
    )
    return Curves(form, tuple(map(form_of, poses)), masses, HEELS, cross_curves(hull, masses, HEELS, density), density)


def round_numbers(low: float, high: float, count: int) -> Array:
    """About ``count`` round numbers from low to high, both above 0, each by the same round step from the next."""
    least = (high - low) / count
    power = 10.0 ** math.floor(math.log10(least))
    step = next(one * power for one in ROUND if one * power >= least * (1.0 - 1e-9))
    return np.asarray(step * np.arange(max(1, math.ceil(low / step - 1e-9)), math.floor(high / step + 1e-9) + 1))


def upright(hull: Hull, draughts: Array, density: float) -> tuple[FloatingPose, ...]:
    """Poses of a hull upright, at even keel, at draughts (n,) [m] below its depth; G is at the keel: GM is KM."""
    load = LoadedHull(hull, 1.0, np.array([0.0, 0.0, hull.keel]), density)
    return tuple(placed(load, 0.0, 0.0, -float(draught)) for draught in draughts)


def cross_curves(hull: Hull, masses: Array, heels: Array, density: float) -> Array:
    """KN (n, m) [m] at masses (n,) [kg] and heels (m,) [rad], ascending; NaN from where no trim balances the hull."""
    levers = np.full((len(masses), len(heels)), math.nan)
    for row, mass in zip(levers, masses, strict=True):
        (even,) = curve(LoadedHull(hull, float(mass), np.array([0.0, 0.0, hull.keel]), density), np.zeros(1), 0.0)
        centre = np.array([even.integrals.x / even.integrals.volume, 0.0, hull.keel])
        with suppress(PhysicsError):
            for i, pose in enumerate(curve(LoadedHull(hull, float(mass), centre, density), heels)):
                check_wanted()
                row[i] = pose.lever
    return levers
