"""Trials of a scheme on bodies that the air slows: order, the fall of energy, and motions of closed form."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from physics.analysis.order import Order, orders_of
from physics.bodies.body import IDENTITY
from physics.core.cancellation import check_wanted
from physics.core.rotation import Array
from physics.schemes.driven_body import DrivenBody
from physics.schemes.driven_march import DRIVEN, started
from physics.schemes.free_motion import motion_in_air
from physics.schemes.scheme import Scheme

DRAG = np.array([0.03, 0.02, 0.05])  # over the moments: a racquet has some 0.03
START = np.array([3.0, 2.0, 0.9])  # [rad/s]
# for the order: about the axis alone about which the rate keeps its sign, for at 0 the torque of the air has a corner
SMOOTH, SPAN = np.array([0.2, 0.0, 0.0]), 2.0  # [s]
FINE = 100.0  # times the steps of the true motion, whose error is then one of rounding
TURN, STEPS = 0.08, 2000  # [rad] in a step, and their number
ROUNDING = 1e-14  # rise of the energy in a step, over what it was
SPIN = np.array([0.0, -3.0, 0.0])  # [rad/s] about a principal axis
OF_SPHERE = np.array([3.0, -2.0, 0.9])  # [rad/s]: the rates of a sphere do not know of each other


@dataclass(frozen=True)
class AirTrial:
    """Findings on bodies that the air slows.

    Attributes
    ----------
    order_attitude, order_velocity : of a body that tumbles
    rise : the largest one of the energy in one of STEPS steps, over what it was; energy falls if it is rounding
    spin_error, sphere_error : largest error of the rates over the first ones, in STEPS steps, beside those of closed
        form: w(t) = w0 / (1 + c |w0| t) about a principal axis, and about each axis of a sphere; inf: no solution
    """

    order_attitude: Order
    order_velocity: Order
    rise: float
    spin_error: float
    sphere_error: float

    @property
    def energy_falls(self) -> bool:
        """True if the energy falls in every step."""
        return self.rise <= ROUNDING


@np.errstate(all="ignore")  # what diverges overflows
def tried_in_air(scheme: Scheme, moments: Array) -> AirTrial | None:
    """The findings on a body with some moments (3,), and on a sphere; None for a scheme that serves no such body."""
    if DRIVEN not in scheme.marches:
        return None
    quarters = SPAN / 4.0 * np.arange(1, 5)
    speed = float(np.linalg.norm(START))
    truth = np.hstack(motion_in_air(moments, SMOOTH, IDENTITY, START, np.asarray(quarters), FINE * speed))
    attitude, velocity = orders_of(
        scheme,
        lambda count: _marched(scheme, _body(moments, SMOOTH), START, SPAN / count, count, count // 4),
        truth,
        speed,
    )
    found = _marched(scheme, _body(moments, DRAG), START, TURN / speed, STEPS)
    energy = 0.5 * (np.vstack([START, found[:, 4:]]) ** 2) @ moments
    rise = float(np.max(np.diff(energy) / energy[:-1])) if len(found) == STEPS else np.inf
    return AirTrial(attitude, velocity, rise, _missed(scheme, moments, SPIN), _missed(scheme, np.ones(3), OF_SPHERE))


def _missed(scheme: Scheme, moments: Array, start: Array) -> float:
    """Largest error of the rates about axes that do not know of each other, over the first ones; inf: no solution."""
    h = TURN / float(np.linalg.norm(start))
    found = _marched(scheme, _body(moments, DRAG), start, h, STEPS)
    time = h * np.arange(1, len(found) + 1)[:, None]
    exact = start / (1.0 + DRAG * np.abs(start) * time)
    off = np.linalg.norm(found[:, 4:] - exact, axis=1) / np.linalg.norm(start)
    return float(off.max()) if len(found) == STEPS else np.inf


def _marched(scheme: Scheme, body: DrivenBody, start: Array, h: float, steps: int, every: int = 1) -> Array:
    """Attitudes and velocities (steps // every, 7) after every so many steps; fewer where one has no solution."""
    check_wanted()
    out = np.empty((steps // every, 7))
    rows, _ = scheme.solver(DRIVEN)(body, h, every, started(body, IDENTITY, start, 0.0), out)
    return out[:rows]


def _body(moments: Array, drag: Array) -> DrivenBody:
    """A body with principal moments (3,) on which nothing acts but the air, with a drag (3,) over them."""
    return DrivenBody(
        moments=np.ascontiguousarray(moments),
        axes=IDENTITY.copy(),
        rotor_times=np.zeros(1),
        rotors=np.zeros((1, 2, 3)),
        times=np.zeros(1),
        torques=np.zeros((1, 6)),
        gradient=np.zeros(6),
        orbit=np.zeros((2, 3)),
        rate=0.0,
        spring_axis=np.zeros(3),
        stiffness=0.0,
        friction=0.0,
        internal=0.0,
        drag=drag * moments,
        drag_axes=np.eye(3),
    )
