"""Corners of what acts, which a motion passes: there no scheme keeps a high order, unless a step ends at each.

A step of h across a jump of a derivative of order k of the force errs by h to the power k + 1, whatever its scheme
(Hairer, Nørsett & Wanner 1993, section II.6), and a motion passes as many corners with fine steps as with coarse ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from physics.analysis.steering import at_bound, controlled, off_course
from physics.core.cancellation import check_wanted
from physics.core.rotation import Array, apply, conjugate, multiply, yaw_pitch_roll
from physics.core.trajectory import Trajectory
from physics.schemes.driven_body import twists
from physics.schemes.lane import lane_of
from physics.schemes.steered import PROPORTIONAL
from physics.seakeeping.ship_model import FINS
from physics.simulation.schedule import record_schedule, recording
from physics.systems.free.rotating_world import AttachedWorld, FreeWorld
from physics.systems.ship.world import ShipWorld
from physics.systems.world import World

ALIGNED = 1e-6  # share of a step off its end within which a corner in time lies there
NOTHING = 1e-9  # share of the largest rate: less is rounding, and changes no sign


def order_at_corners(world: World, lane: str) -> int | None:
    """The order of convergence that corners leave a lane; None where its motion passes none.

    1: a gust begins, or a torque jumps half a turn off a course or the rest of a spring; 2: a row of a table or path
    lies between two steps, or a controller comes to its bound; 3: a rate on which drag acts by its square changes its
    sign. Where the scheme looks beyond the ends of a step, a row may not lie there either. A scheme that chooses its
    own steps has passed them to its tolerance. Kinks of the water's force are not looked for.
    """
    scheme = lane_of(lane).scheme
    if scheme.adaptive:
        return None
    knots = world.knots[(world.knots >= world.time) & (world.knots <= world.scenario.duration)]
    steps, gust = (knots - world.time) / world.scenario.step, isinstance(world, ShipWorld)
    met = scheme.beyond | (np.abs(steps - np.rint(steps)) > ALIGNED)
    if (met | (gust & (steps > 0.0))).any():  # a step that ends where a gust begins feels it
        return 1 if gust else 2
    if not _bends(world) or world.scenario.unfit(scheme.name):
        return None
    world = replace(world, scenario=world.scenario.model_copy(update={"record_every": 1}))
    into = recording(world, lane)
    for _ in record_schedule([world], lane, into, rows=8192):
        check_wanted()
    passed = (order for order, beyond in _sides(into.trajectory(), world) if beyond.any() and not beyond.all())
    return min(passed, default=None)


def _bends(world: World) -> bool:
    """True if something acts that has a corner at some states."""
    if isinstance(world, ShipWorld):
        return world.model.control == FINS or bool(world.model.quadratic.any())
    if isinstance(world, FreeWorld):
        return world.acting is not None and bool(world.acting.drag.any() or world.acting.stiffness)
    return controlled(world)


def _sides(run: Trajectory, world: World) -> Iterator[tuple[int, NDArray[np.bool_]]]:
    """The order that each corner leaves, and on which side of it the rows of a run are (n,)."""
    if isinstance(world, ShipWorld):
        model, w = world.model, run.angular_velocity
        if model.control == FINS:
            proportional, derivative, limit, *_ = model.settings
            heel = np.radians(yaw_pitch_roll(run.orientation)[:, 2])
            yield 2, np.abs(proportional * heel + derivative * w[:, 0]) > limit
        rates = np.concatenate([apply(conjugate(run.orientation), run.velocity), w], axis=1)
        yield from _signs(rates[:, model.quadratic > 0.0])
    elif isinstance(world, FreeWorld):
        assert world.acting is not None
        if world.acting.stiffness:
            yield 1, _past_half_a_turn(twists(world.acting, multiply(run.orientation, world.acting.axes)))
        _, w = world.body.to_principal(run.orientation, run.angular_velocity)
        yield from _signs(w[:, world.acting.drag > 0.0])
    else:
        assert isinstance(world, AttachedWorld)
        assert world.acting is not None
        yield 2, at_bound(run, world)
        if world.acting.vessel.gains[PROPORTIONAL]:
            yield 1, _past_half_a_turn(off_course(run, world))


def _past_half_a_turn(angle: Array) -> NDArray[np.bool_]:
    """True where an angle (n,) [rad], -pi to pi, has gone on from the other side."""
    return np.abs(np.unwrap(angle) - angle) > 1.0


def _signs(rates: Array) -> Iterator[tuple[int, NDArray[np.bool_]]]:
    """Those of the square of rates (n, k), times their sign."""
    least = NOTHING * np.abs(rates).max(initial=0.0)
    for rate in rates.T:
        yield 3, rate[np.abs(rate) > least] > 0.0
