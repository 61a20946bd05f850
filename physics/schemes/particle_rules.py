"""Steps of particle codes (DEM), brought from leapfrog to whole steps: half a step of velocity, attitude, half a step.

A particle code keeps velocities half a step away from attitudes and asks for the torque once a step. Here each half
takes the torque at its own end of the step, so that attitude and velocity are known at the same time.
"""

from __future__ import annotations

from physics.core.jit import formula
from physics.core.potential import moment
from physics.core.rotation import (
    Field,
    Quaternion,
    Vector,
    cross,
    exp_half,
    inverse,
    normalised,
    product,
    renormalised,
    rotate,
)
from physics.schemes.gyroscopic import attitude_after, change
from physics.schemes.kicks import between_kicks, kicked_for

SWEEPS = 3


@formula
def spiral_velocity(J: Vector, field: Field, h: float, q: Quaternion, w: Vector) -> Vector:
    """The Runge-Kutta method of order 3 of Shu and Osher, at a fixed attitude."""
    a = change(J, h, moment(field, q, w), w)
    v = (w[0] + a[0], w[1] + a[1], w[2] + a[2])
    b = change(J, h, moment(field, q, v), v)
    v = (w[0] + 0.25 * (a[0] + b[0]), w[1] + 0.25 * (a[1] + b[1]), w[2] + 0.25 * (a[2] + b[2]))
    c = change(J, h, moment(field, q, v), v)
    return (
        w[0] + (a[0] + b[0] + 4.0 * c[0]) / 6.0,
        w[1] + (a[1] + b[1] + 4.0 * c[1]) / 6.0,
        w[2] + (a[2] + b[2] + 4.0 * c[2]) / 6.0,
    )


@formula
def spiral(J: Vector, field: Field, h: float, q: Quaternion, w: Vector) -> tuple[Quaternion, Vector, float]:
    """SPIRAL of del Valle et al. (2024)."""
    mid = spiral_velocity(J, field, 0.5 * h, q, w)
    q_next = attitude_after(h, q, mid)
    return q_next, spiral_velocity(J, field, 0.5 * h, q_next, mid), 0.0


@formula
def omelyan_velocity(J: Vector, field: Field, h: float, q: Quaternion, w: Vector) -> Vector:
    """x with J (x - w) = h/2 (n(w) - w × Jw + n(x) - x × Jx) at a fixed attitude, by three sweeps from w."""
    a = change(J, 0.5 * h, moment(field, q, w), w)
    x = w
    for _ in range(SWEEPS):
        b = change(J, 0.5 * h, moment(field, q, x), x)
        x = (w[0] + a[0] + b[0], w[1] + a[1] + b[1], w[2] + a[2] + b[2])
    return x


@formula
def omelyan(J: Vector, field: Field, h: float, q: Quaternion, w: Vector) -> tuple[Quaternion, Vector, float]:
    """Omelyan (1998): an attitude of length 1 without a root, ((1 - a) q + h/2 q o w)/(1 + a), a = h²|w|²/16."""
    mid = omelyan_velocity(J, field, 0.5 * h, q, w)
    a = 0.0625 * h * h * (mid[0] * mid[0] + mid[1] * mid[1] + mid[2] * mid[2])
    s = 0.5 * h / (1.0 + a)
    turn = ((1.0 - a) / (1.0 + a), s * mid[0], s * mid[1], s * mid[2])
    q_next = renormalised(product(q, turn))
    return q_next, omelyan_velocity(J, field, 0.5 * h, q_next, mid), 0.0


@formula
def momentum(J: Vector, q: Quaternion, w: Vector) -> Vector:
    """R(q) J w: the spin in space."""
    return rotate(q, (J[0] * w[0], J[1] * w[1], J[2] * w[2]))


@formula
def velocity(J: Vector, q: Quaternion, L: Vector) -> Vector:
    """J^{-1} R(q)^T L: the angular velocity in the body that belongs to a spin in space."""
    m = rotate(inverse(q), L)
    return (m[0] / J[0], m[1] / J[1], m[2] / J[2])


@formula
def fincham(J: Vector, field: Field, h: float, q: Quaternion, w: Vector) -> tuple[Quaternion, Vector, float]:
    """Fincham (1992): the attitude of half a step gives the velocity that the whole step takes."""
    L = momentum(J, q, kicked_for(J, field, 0.5 * h, q, w))
    half = normalised(product(q, (1.0, 0.25 * h * w[0], 0.25 * h * w[1], 0.25 * h * w[2])))
    v = velocity(J, half, L)
    slope = product(half, (0.0, v[0], v[1], v[2]))
    s = 0.5 * h
    q_next = normalised((q[0] + s * slope[0], q[1] + s * slope[1], q[2] + s * slope[2], q[3] + s * slope[3]))
    return q_next, kicked_for(J, field, 0.5 * h, q_next, velocity(J, q_next, L)), 0.0


@formula
def buss_free(J: Vector, field: Field, h: float, q: Quaternion, w: Vector) -> tuple[Quaternion, Vector, float]:
    """A free step of Buss (2000), augmented second order: a turn by h (w + h a/2 + h²/12 a × w)."""
    a = change(J, h, (0.0, 0.0, 0.0), w)  # h times the acceleration
    c = cross(a, w)
    k = h / 12.0
    v = (w[0] + 0.5 * a[0] + k * c[0], w[1] + 0.5 * a[1] + k * c[1], w[2] + 0.5 * a[2] + k * c[2])
    turn = exp_half((h * v[0], h * v[1], h * v[2]))
    # the spin stays in space: taken back by the turn alone, whose departure from length 1 counts by its square only
    return renormalised(product(q, turn)), velocity(J, turn, (J[0] * w[0], J[1] * w[1], J[2] * w[2])), 0.0


buss = between_kicks(buss_free)
