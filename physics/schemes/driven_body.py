"""A body that something acts on, as compiled code takes it: torques, rotors, gravity gradient, damping, air, a helm.

The unknowns are the attitude R and the whole angular momentum m in the body, that of the rotors included:

    R' = R hat(u),  m' = m x u + tau(t, R) - c g (g.w) - sum k |e.w| (e.w) e,
    w = J⁻¹ (m - h(t)),  u = w + kappa J⁻² (m x w)

h(t) is the angular momentum of the rotors, piecewise linear in the time (Hughes 1986, Spacecraft Attitude Dynamics).
One whose speed is held has h = I s a, and its axial moment I counts in J. One that a motor drives with a torque n has
h = (I (a.w + s) + n t) a with its start's w and s, and J lacks I a a^T.

Internal damping is that of a spherical cavity full of a viscous fluid, or of a ball in one, whose motion relative to
the body is quasi-static (Chernousko 1968, energy sink of a spherical damper): the fluid lags behind by
a momentum kappa w', so that the body turns at u and energy falls by kappa w'.w' [W], w' that of the motion without
torque. m is turned alone: the spin in space stays. w is the mean angular velocity of body and fluid, and is stored.

The air slows the rate about each principal axis e of the body by k times its square. Its torque has a corner in its
slope where that rate changes its sign.

A vessel that is steered is such a body with what rights, damps and steers it, see physics.schemes.steered.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from physics.core.jit import formula, procedure
from physics.core.rotation import (
    Array,
    Quaternion,
    Vector,
    added,
    apply,
    conjugate,
    cross,
    dot,
    exp_half,
    inverse,
    over,
    product,
    rotate,
)
from physics.schemes.kicks import damping
from physics.schemes.rkmk import speed
from physics.schemes.steered import (
    DERIVATIVE,
    Steered,
    about_mast,
    along_mast,
    by_attitude,
    by_heading,
    by_rate,
    impulse,
)


class DrivenBody(NamedTuple):
    """Actions on a body, in the principal axes of J.

    Attributes
    ----------
    moments : (3,) of J [kg m²]
    axes : (4,) unit quaternion, from these axes to those of the body
    rotor_times, rotors : (k,) [s], and (k, 2, 3) h there [kg m²/s], and its rate from there on [N m]
    times, torques : (n,) [s] and (n, 6) [N m]: in space, and in these axes; linear between, constant beyond
    gradient : (6,) 3 n² times the inertia with locked rotors: xx, yy, zz, xy, xz, yz [N m]
    orbit : (2, 3) unit vectors in space: to the planet at t = 0, and a quarter of an orbit later
    rate : n, of the orbit [rad/s]
    spring_axis : (3,) unit vector, the same in the axes of the body and of space
    stiffness, friction : k [N m] and c [N m s] of the spring about it
    internal : kappa [kg m² s]
    drag, drag_axes : (3,) k of the air [kg m²], and (3, 3) the unit vectors e about which it acts, one a row
    vessel : what acts on a vessel alone
    """

    moments: Array
    axes: Array
    rotor_times: Array
    rotors: Array
    times: Array
    torques: Array
    gradient: Array
    orbit: Array
    rate: float
    spring_axis: Array
    stiffness: float
    friction: float
    internal: float
    drag: Array
    drag_axes: Array
    vessel: Steered = Steered()


@formula
def rotor_row(body: DrivenBody, time: float) -> int:
    """The last row of the rotors at or before a time; the first one for earlier times."""
    if len(body.rotor_times) == 1:
        return 0
    return max(int(np.searchsorted(body.rotor_times, time, side="right")) - 1, 0)


@formula
def velocity(body: DrivenBody, time: float, m: Vector) -> Vector:
    """w = J⁻¹ (m - h) [rad/s]."""
    row = rotor_row(body, time)
    t, h, n = time - body.rotor_times[row], body.rotors[row, 0], body.rotors[row, 1]
    return over((m[0] - h[0] - t * n[0], m[1] - h[1] - t * n[1], m[2] - h[2] - t * n[2]), body.moments)


@formula
def momentum(body: DrivenBody, time: float, w: Vector) -> Vector:
    """m = J w + h [kg m²/s]."""
    row = rotor_row(body, time)
    t, J, h, n = time - body.rotor_times[row], body.moments, body.rotors[row, 0], body.rotors[row, 1]
    return (J[0] * w[0] + h[0] + t * n[0], J[1] * w[1] + h[1] + t * n[1], J[2] * w[2] + h[2] + t * n[2])


@formula
def lag(body: DrivenBody, m: Vector, w: Vector) -> Vector:
    """u - w [rad/s], by which the body turns faster than the mean of body and fluid."""
    x = over(over(cross(m, w), body.moments), body.moments)
    return (body.internal * x[0], body.internal * x[1], body.internal * x[2])


@formula
def twist(body: DrivenBody, q: Quaternion) -> tuple[float, Vector]:
    """Angle of the attitude about the spring's axis, -pi to pi [rad], and g: its rate is g.w, in principal axes.

    The twist of the swing-twist decomposition, 2 atan2(p, q0), p = a.(q1, q2, q3) (Dobrowolski 2015, arXiv 1506.05481).
    """
    c = (body.axes[0], -body.axes[1], -body.axes[2], -body.axes[3])
    a = (body.spring_axis[0], body.spring_axis[1], body.spring_axis[2])
    r = product(q, c)
    if r[0] < 0.0:
        r = (-r[0], -r[1], -r[2], -r[3])
    v = (r[1], r[2], r[3])
    p = dot(a, v)
    size = p * p + r[0] * r[0]
    if size == 0.0:  # turned over: no axis is left about which the spring could pull
        return 0.0, (0.0, 0.0, 0.0)
    x = cross(a, v)
    g = (
        (r[0] * (r[0] * a[0] + x[0]) + p * v[0]) / size,
        (r[0] * (r[0] * a[1] + x[1]) + p * v[1]) / size,
        (r[0] * (r[0] * a[2] + x[2]) + p * v[2]) / size,
    )
    return 2.0 * math.atan2(p, r[0]), rotate(c, g)


@procedure
def acting_torque(body: DrivenBody, time: float, q: Quaternion) -> tuple[Vector, Vector, float]:
    """tau [N m], all that the angular velocity does not change, at an attitude; g of the friction (0 without).

    The third is what the heading makes a vessel's controller want [N m].
    """
    times, rows, n = body.times, body.torques, len(body.times)
    i = min(max(int(np.searchsorted(times, time)), 1), n - 1) if n > 1 else 0
    f = min(max((time - times[i - 1]) / (times[i] - times[i - 1]), 0.0), 1.0) if n > 1 else 1.0
    j = i - 1 if n > 1 else 0
    x = rows[j, 0] + f * (rows[i, 0] - rows[j, 0])
    y = rows[j, 1] + f * (rows[i, 1] - rows[j, 1])
    z = rows[j, 2] + f * (rows[i, 2] - rows[j, 2])
    back = inverse(q)
    n_space = rotate(back, (x, y, z))
    tau = (
        n_space[0] + rows[j, 3] + f * (rows[i, 3] - rows[j, 3]),
        n_space[1] + rows[j, 4] + f * (rows[i, 4] - rows[j, 4]),
        n_space[2] + rows[j, 5] + f * (rows[i, 5] - rows[j, 5]),
    )
    if body.rate != 0.0:
        c, s = math.cos(body.rate * time), math.sin(body.rate * time)
        e, d, G = body.orbit[0], body.orbit[1], body.gradient
        r = rotate(back, (c * e[0] + s * d[0], c * e[1] + s * d[1], c * e[2] + s * d[2]))
        pulled = (
            G[0] * r[0] + G[3] * r[1] + G[4] * r[2],
            G[3] * r[0] + G[1] * r[1] + G[5] * r[2],
            G[4] * r[0] + G[5] * r[1] + G[2] * r[2],
        )
        tau = added(tau, 1.0, cross(r, pulled))
    g = (0.0, 0.0, 0.0)
    if body.stiffness != 0.0 or body.friction != 0.0:
        angle, axis = twist(body, q)
        tau = added(tau, -body.stiffness * angle, axis)
        if body.friction != 0.0:
            g = axis
    wanted = 0.0
    if body.vessel.acts:
        tau, wanted = added(tau, 1.0, by_attitude(body.vessel, q)), by_heading(body.vessel, q)
    return tau, g, wanted


@formula
def pushed(body: DrivenBody, time: float, t: float, m: Vector, tau: Vector, g: Vector) -> Vector:
    """m after tau and the friction, or a vessel's damping, have acted for t [s] on a body held still, exactly.

    m' = tau - c g (g.w), or tau - D w about each principal axis: a vessel has no spring.
    """
    if body.vessel.acts:
        return damped(body, t, m, tau)
    if body.friction != 0.0:
        rate = body.friction * dot(g, over(g, body.moments))  # of the decay of g.w [1/s]
        if rate * t != 0.0:
            gain = -math.expm1(-rate * t) / rate
            gone = gain * dot(g, velocity(body, time, m)) + (t - gain) / rate * dot(g, over(tau, body.moments))
            m = added(m, -body.friction * gone, g)
    return added(m, t, tau)


@formula
def damped(body: DrivenBody, t: float, m: Vector, tau: Vector) -> Vector:
    """m after tau and the damping of a vessel, which has no rotors, have acted for t [s] (Gustafsson 2010, (45))."""
    J, D = body.moments, body.vessel.field
    e1, f1 = damping(J[0], D[6], t)
    e2, f2 = damping(J[1], D[7], t)
    e3, f3 = damping(J[2], D[8], t)
    return (e1 * m[0] + J[0] * f1 * tau[0], e2 * m[1] + J[1] * f2 * tau[1], e3 * m[2] + J[2] * f3 * tau[2])


@formula
def steered(body: DrivenBody, time: float, t: float, m: Vector, wanted: float) -> Vector:
    """m after a vessel's controller alone has acted for t [s] on a body held still, exactly."""
    vessel = body.vessel
    wanted -= vessel.gains[DERIVATIVE] * along_mast(vessel, velocity(body, time, m))
    ease = along_mast(vessel, over(about_mast(vessel, 1.0), body.moments))
    return added(m, 1.0, about_mast(vessel, impulse(vessel, t, wanted, ease)))


@formula
def in_air(body: DrivenBody) -> bool:
    """True if the air slows the body."""
    return bool(body.drag[0] + body.drag[1] + body.drag[2] != 0.0)


@procedure
def pull_of_air(body: DrivenBody, w: Vector) -> Vector:
    """Torque of the air [N m], -sum k |e.w| (e.w) e."""
    found = (0.0, 0.0, 0.0)
    for i in range(3):
        e = (body.drag_axes[i, 0], body.drag_axes[i, 1], body.drag_axes[i, 2])
        p = dot(e, w)
        found = added(found, -body.drag[i] * abs(p) * p, e)
    return found


@procedure
def slowed_by_air(body: DrivenBody, time: float, t: float, m: Vector, last: int) -> Vector:
    """m after the air alone has acted for t [s], about one axis after another, up to the last or down from it.

    About one axis it is exact: p = e.w obeys p' = -a |p| p with a = k e.J⁻¹ e, so that p(t) = p / (1 + a |p| t). It is
    infinite where that has no solution, far backwards.
    """
    for n in range(3):
        i = abs(last - 2 + n)
        e = (body.drag_axes[i, 0], body.drag_axes[i, 1], body.drag_axes[i, 2])
        p = dot(e, velocity(body, time, m))
        left = 1.0 + body.drag[i] * dot(e, over(e, body.moments)) * abs(p) * t
        m = added(m, -body.drag[i] * abs(p) * p * t / left if left > 0.0 else math.inf, e)
    return m


@formula
def kicked(body: DrivenBody, time: float, t: float, m: Vector, tau: Vector, g: Vector, wanted: float) -> Vector:
    """m after all torques have acted for t [s] on a body held still: half of air and controller around the others.

    The way back is the same, so that a step of such kicks stays symmetric.
    """
    if in_air(body):
        m = slowed_by_air(body, time, 0.5 * t, m, 2)
    if body.vessel.acts:
        m = steered(body, time, 0.5 * t, m, wanted)
    m = pushed(body, time, t, m, tau, g)
    if body.vessel.acts:
        m = steered(body, time, 0.5 * t, m, wanted)
    if in_air(body):
        m = slowed_by_air(body, time, 0.5 * t, m, 0)
    return m


@formula
def rates(body: DrivenBody, time: float, q: Quaternion, m: Vector) -> tuple[Vector, Vector]:
    """u [rad/s], and the torque that changes m in space, in principal axes [N m]."""
    w = velocity(body, time, m)
    tau, g, wanted = acting_torque(body, time, q)
    tau = added(tau, -body.friction * dot(g, w), g)
    if body.vessel.acts:
        tau = added(tau, 1.0, by_rate(body.vessel, w, wanted))
    if in_air(body):
        tau = added(tau, 1.0, pull_of_air(body, w))
    return added(w, 1.0, lag(body, m, w)), tau


def twists(body: DrivenBody, orientation: Array) -> Array:
    """Twist (n,) about the spring's axis, -pi to pi [rad], at attitudes (n, 4) of principal axes."""
    return np.array([twist(body, (q[0], q[1], q[2], q[3]))[0] for q in orientation.tolist()])


def turning_potential(body: DrivenBody, time: Array, orientation: Array) -> Array:
    """Energy (n,) [J] of spring and gravity gradient, at times (n,) and attitudes (n, 4) of principal axes."""
    found = np.zeros(len(time))
    if body.stiffness:
        found += 0.5 * body.stiffness * twists(body, orientation) ** 2
    if body.rate:
        c, s = np.cos(body.rate * time)[:, None], np.sin(body.rate * time)[:, None]
        r, G = apply(conjugate(orientation), c * body.orbit[0] + s * body.orbit[1]), body.gradient
        mixed = r[:, 0] * r[:, 1] * G[3] + r[:, 0] * r[:, 2] * G[4] + r[:, 1] * r[:, 2] * G[5]
        found += 0.5 * (r * r) @ G[:3] + mixed
    return found


# ---- Munthe-Kaas's Runge-Kutta scheme of order 4, for the whole motion or for what splittings leave ----


@procedure
def advanced(
    body: DrivenBody, time: float, h: float, q: Quaternion, m: Vector, whole: bool
) -> tuple[Quaternion, Vector]:
    """Attitude and m after h [s] of the whole motion; or of the turn by u - J⁻¹ m alone, at one time, without torque.

    The angular momentum in space changes by the torques alone, to rounding.
    """
    v, k, n, turn, push = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for stage in range(4):
        t = 0.0 if stage == 0 else h if stage == 3 else 0.5 * h
        weight = h / 6.0 if stage == 0 or stage == 3 else h / 3.0
        v = (t * k[0], t * k[1], t * k[2])
        e = exp_half(v)
        now = rotate(inverse(e), added(m, t, n))
        if whole:
            u, tau = rates(body, time + t, product(q, e), now)
            n = rotate(e, tau)
        else:
            w = velocity(body, time, now)
            u = added(added(w, 1.0, lag(body, now, w)), -1.0, over(now, body.moments))
        k = speed(v, u)
        turn, push = added(turn, weight, k), added(push, weight, n)
    e = exp_half(turn)
    return product(q, e), rotate(inverse(e), added(m, 1.0, push))
