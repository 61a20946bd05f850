"""A ship that floats by its own mesh: beside its heel, trim and heave, and the energy that calm water keeps."""

# ruff: noqa: E501 - a table is read by rows

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from app.kinds.field import Field
from app.kinds.kind import Kind
from app.kinds.quantities import (
    ENERGIES,
    OMEGA,
    ORTHOGONALITY,
    PLACE,
    QUATERNION,
    SPIN,
    TINY,
    Abscissa,
    Background,
    Quantity,
    turned,
    unwound,
)
from app.kinds.shared_fields import ANGULAR_VELOCITY, GRAVITY, XYZ
from physics import Trajectory, World
from physics.analysis import ship_stability
from physics.core.rotation import Array
from physics.systems.ship_world import ShipWorld

if TYPE_CHECKING:
    from app.stage.scene_kind import SceneKind

SIX = ("surge", "sway", "heave", "roll", "pitch", "yaw")
CARDS = {
    "Hull": (
        Field("hull.file", "File", tip="Of a closed mesh: x forward, y port, z up", endings=(".stl", ".obj", ".ply")),
        Field("hull.shape", "Shape", tip="A hull that is made", choices=("box", "wigley", "prism", "cylinder")),
        Field("hull.size", "Size", "m", ("length", "breadth", "depth"), "Of the hull that is made; above 0"),
        Field("hull.mass", "Mass", "kg", tip="Of hull and cargo; above 0, below that of its own volume of water"),
        Field("hull.draught", "Draught", "m", tip="Upright, from the lowest point; it tells the mass"),
        Field("hull.centre_of_gravity", "Centre of gravity", "m", XYZ, "Of hull and cargo, in the axes of the file"),
        Field("hull.radii_of_gyration", "Radii of gyration", "m", XYZ, "About the axes through the centre of gravity; above 0"),
        Field("hull.added_mass", "Added mass", "kg, kg m²", SIX, "Constant in the hull: a model for small angles; at large ones it gives a Munk moment"),
    ),
    "Water": (
        Field("water.density", "Density", "kg/m³", tip="Above 0; 1025 of the sea"),
        Field("damping.linear", "Linear damping", "N s/m, N m s", SIX, "Of surge to yaw, in the hull's axes; 0 or more"),
        Field("damping.quadratic", "Quadratic damping", "N s²/m², N m s²", SIX, "Of surge to yaw, in the hull's axes; 0 or more"),
        GRAVITY,
    ),
    "Start": (
        Field("initial.heel", "Heel", "rad", tip="Positive to starboard; empty: as it floats", optional=True),
        Field("initial.trim", "Trim", "rad", tip="Positive bow down; empty: as it floats", optional=True),
        Field("initial.heave", "Heave", "m", tip="Of the centre of gravity above where it floats; empty: 0", optional=True),
        Field("initial.velocity", "Velocity", "m/s", XYZ, "Of the centre of gravity at the start, z up"),
        ANGULAR_VELOCITY,
    ),
}  # fmt: skip


def _of(world: World) -> ShipWorld:
    assert isinstance(world, ShipWorld)
    return world


def _heave(run: Trajectory, world: World) -> Array:
    """Of the centre of gravity above where the ship floats at rest (n,) [m]."""
    return np.asarray(run.position[:, 2] - _of(world).rest.height)


def _energy_error(run: Trajectory, world: World) -> Array:
    """Size of the error (n,) over the energy that the start has more than rest, never below rounding."""
    return np.maximum(np.abs(ship_stability.energy_error(run, _of(world))), TINY)


def _lever(run: Trajectory, world: World) -> Array:
    return ship_stability.levers(run, _of(world))


def _roll_rate(run: Trajectory, _: World) -> Array:
    return np.degrees(ship_stability.roll_rate(run))


def _righting(world: World) -> Background:
    """The curve of righting levers, 30 and 40 degrees, and where it vanishes."""
    curve = ship_stability.lever_curve(_of(world))
    heels = np.degrees(curve.heels)
    vanishing = tuple(math.degrees(angle) for angle in curve.vanishing if angle is not None)
    return Background(
        curves=(np.column_stack([heels, curve.levers]),),
        limits=(-40.0, -30.0, 30.0, 40.0),
        beyond=vanishing,
        foot=float(heels[curve.rest]),
    )


def _separatrix(world: World) -> Background:
    """What heel and roll rate must pass for the ship to capsize, by its energy alone."""
    found = ship_stability.separatrix(_of(world))
    if found is None:
        return Background()
    heels, rates = np.degrees(found)
    return Background(curves=(np.column_stack([np.r_[heels, heels[::-1]], np.r_[rates, -rates[::-1]]]),))


HEEL = Abscissa("Heel", "°", unwound(2), counted=True)
TRAIL = 6.0  # [s]
CHARTS = (
    Quantity("Heel", "°", unwound(2), counted=True),
    Quantity("Trim", "°", turned(1)),
    Quantity("Heave", "m", _heave),
    Quantity("Energy error", "|E − E₀| / (E₀ − E at rest)", _energy_error, log=True),
)
MORE = (
    Quantity("Righting lever", "m", _lever, over=HEEL, background=_righting, trail=TRAIL),
    Quantity("Roll rate over heel", "°/s", _roll_rate, over=HEEL, background=_separatrix, trail=TRAIL),
    Quantity("Yaw", "°", unwound(0), counted=True),
    *PLACE,
    *OMEGA,
    *QUATERNION,
    *SPIN,
    *ENERGIES,
    ORTHOGONALITY,
)


def _scene() -> SceneKind:
    from app.stage.reference_frames import InertialAxes
    from app.stage.scene_kind import SceneKind
    from app.stage.ship import Ship, framing

    return SceneKind(
        lane=Ship,
        framing=framing,
        overlays={"inertial": lambda tracks, look: InertialAxes(tracks, look, 0.8 * tracks[0].body.radius)},
    )


ROW = Kind(kind="ship", cards=CARDS, charts=CHARTS, more=MORE, scene=_scene)
