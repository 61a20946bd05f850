"""A ship that floats by its own mesh: beside its heel, trim and heave, and the energy that calm water keeps."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from app.kinds.kind import Kind
from app.kinds.quantities import (
    ENERGIES,
    ENERGY_ERROR,
    OMEGA,
    ORTHOGONALITY,
    PLACE,
    QUATERNION,
    SPIN,
    Abscissa,
    Background,
    Quantity,
    Reading,
    by_stretches,
    caption,
    turned,
)
from app.kinds.ship_fields import CARDS
from app.kinds.ship_role import ROLE
from app.system.language import tr
from physics import Trajectory, World
from physics.analysis import ship_stability
from physics.core.rotation import Array
from physics.systems.ship.world import ShipWorld

if TYPE_CHECKING:
    from app.stage.lane_scene import SceneKind
    from app.stage.scenes.lane_numbers import Number


def _of(world: World) -> ShipWorld:
    assert isinstance(world, ShipWorld)
    return world


@by_stretches
def _heave(run: Trajectory, world: World) -> Array:
    """Of the centre of gravity above where the ship floats at rest (n,) [m]."""
    return np.asarray(run.position[:, 2] - _of(world).rest.height)


@by_stretches
def _lever(run: Trajectory, world: World) -> Array:
    return ship_stability.levers(run, _of(world))


def _roll_rate(run: Trajectory, _: World) -> Array:
    return np.degrees(ship_stability.roll_rate(run))


def _righting(world: World) -> Background:
    """The curve of righting levers, 30 and 40 degrees, and where it vanishes."""
    curve = ship_stability.lever_curve(_of(world))
    if curve is None:
        return Background()
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


HEEL = Abscissa("Heel", "°", turned(2), cyclic=True)
TRAIL = 6.0  # [s]
QUICK = 3000  # triangles, of which the curve of righting levers takes 0.1 s: a window waits for it
HEELED = Quantity("Heel", "°", turned(2), cyclic=True, form="{:.1f}°")
TRIM = Quantity("Trim", "°", turned(1), form="{:.1f}°")
LEVER = Quantity("Righting lever", "m", _lever, over=HEEL, background=_righting, trail=TRAIL, form="{:.3g} m")
CHARTS = (HEELED, TRIM, Quantity("Heave", "m", _heave), ENERGY_ERROR)
MORE = (
    LEVER,
    Quantity("Roll rate over heel", "°/s", _roll_rate, over=HEEL, background=_separatrix, trail=TRAIL),
    Quantity("Yaw", "°", turned(0), cyclic=True),
    *PLACE,
    *OMEGA,
    *QUATERNION,
    *SPIN,
    *ENERGIES,
    ORTHOGONALITY,
)


def _facts(world: World) -> str:
    """How stable the ship is, and what the step means for its roll."""
    ship = _of(world)
    height, period = ship_stability.metacentric_height(ship), ship_stability.roll_period(ship)
    words = [tr("GM {height:.3g} m where it floats.").format(height=height)]
    if period is not None:
        told = tr("A small roll takes {period:.3g} s, {steps:.3g} steps.")
        words.append(told.format(period=period, steps=period / world.scenario.step))
    if len(ship.load.hull.triangles) <= QUICK:
        words.append(_limits(ship))
    return " ".join(words)


def _limits(ship: ShipWorld) -> str:
    """How far the righting levers reach."""
    curve = ship_stability.lever_curve(ship)
    if curve is None:
        return tr("No trim balances it upright.")
    angles = [abs(math.degrees(angle)) for angle in curve.vanishing if angle is not None]
    if not angles:
        return tr("It is righted from any heel.")
    return tr("Beyond {angle:.3g}° of heel nothing rights it.").format(angle=min(angles))


@caption
def _numbers(now: Reading) -> tuple[Number, ...]:
    """Heel, trim and the righting lever; the energy's error where nothing damps or drives."""
    return (
        now.number(tr("heel"), HEELED, "−188.8°"),
        now.number(tr("trim"), TRIM, "−188.8°"),
        now.number("GZ", LEVER, "−0.000888 m"),
        *now.energy(),
    )


def _scene() -> SceneKind:
    from app.stage.lane_scene import SceneKind
    from app.stage.overlays.reference_frames import inertial_axes
    from app.stage.scenes.ship import Ship, framing

    return SceneKind(Ship, framing, {"inertial": inertial_axes(0.8)}, numbers=_numbers)


ROW = Kind(kind="ship", cards=CARDS, charts=CHARTS, more=MORE, scene=_scene, facts=_facts, role=ROLE)
