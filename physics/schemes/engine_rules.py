"""Steps of the engines of games: Bullet, Box3D, Jolt, PhysX and ODE, in double precision.

All write the velocity first and the attitude with the new velocity: order 1. What each does was read in its source;
Bullet's was also run beside its own package (see assets/help/engines.md). Limits of speed, sleeping and an engine's
own damping are left out; torque and damping of the field are added explicitly, where the engine adds them.
"""

from __future__ import annotations

import math

from physics.core.jit import formula
from physics.core.potential import moment
from physics.core.rotation import Field, Quaternion, Vector, cross, dot, normalised, product
from physics.schemes.explicit import solve_with_skew
from physics.schemes.gyroscopic import attitude_after, newton_velocity, pushed

NOTHING = (0.0, 0.0, 0.0)
BULLET_ANGLE = 0.25 * math.pi  # ANGULAR_MOTION_THRESHOLD of btTransformUtil.h [rad]
_BULLET_TANGENT = math.tan(0.5 * BULLET_ANGLE) / BULLET_ANGLE


@formula
def half_turned(h: float, q: Quaternion, w: Vector) -> Quaternion:
    """q + h/2 q o w, normalised: a turn by 2 arctan(h |w|/2)."""
    return normalised(product(q, (1.0, 0.5 * h * w[0], 0.5 * h * w[1], 0.5 * h * w[2])))


@formula
def bullet(J: Vector, field: Field, h: float, q: Quaternion, w: Vector) -> tuple[Quaternion, Vector, float]:
    """Bullet 3.2, btRigidBody.cpp and btTransformUtil.h: both parts of the change are taken at the old velocity.

    A turn θ of more than π/4 becomes 2 arctan(4 θ/π tan(π/8)): the engine cuts the angle, not the vector beside it,
    and normalises. The velocity itself is not cut.
    """
    w_next = pushed(J, h, moment(field, q, w), newton_velocity(J, NOTHING, h, NOTHING, w))
    return bullet_turned(h, q, w_next), w_next, 0.0


@formula
def bullet_turned(h: float, q: Quaternion, w: Vector) -> Quaternion:
    """Attitude after a turn by h w, cut as in ``bullet``."""
    if abs(h) * math.sqrt(dot(w, w)) <= BULLET_ANGLE:
        return attitude_after(h, q, w)
    s = h * _BULLET_TANGENT
    return normalised(product(q, (1.0, s * w[0], s * w[1], s * w[2])))


@formula
def box3d(J: Vector, field: Field, h: float, q: Quaternion, w: Vector) -> tuple[Quaternion, Vector, float]:
    """Box3D, solver.c: the torque first, then the Newton step from what it gives."""
    w_next = newton_velocity(J, NOTHING, h, NOTHING, pushed(J, h, moment(field, q, w), w))
    return half_turned(h, q, w_next), w_next, 0.0


@formula
def jolt(J: Vector, field: Field, h: float, q: Quaternion, w: Vector) -> tuple[Quaternion, Vector, float]:
    """Jolt, MotionProperties.inl: explicit Euler for the momentum, brought back to its length; then the torque."""
    m = (J[0] * w[0], J[1] * w[1], J[2] * w[2])
    c = cross(w, m)
    p = (m[0] - h * c[0], m[1] - h * c[1], m[2] - h * c[2])
    after = dot(p, p)
    s = math.sqrt(dot(m, m) / after) if after > 0.0 else 1.0
    free = (s * p[0] / J[0], s * p[1] / J[1], s * p[2] / J[2])
    w_next = pushed(J, h, moment(field, q, w), free)
    return attitude_after(h, q, w_next), w_next, 0.0


@formula
def physx(J: Vector, field: Field, h: float, q: Quaternion, w: Vector) -> tuple[Quaternion, Vector, float]:
    """PhysX 5, DyBodyCoreIntegrator.h: no gyroscopic torque; the angular velocity stays where it is in space.

    A turn about the velocity leaves the velocity in the body alone: without torque both are constant.
    """
    w_next = pushed(J, h, moment(field, q, w), w)
    return attitude_after(h, q, w_next), w_next, 0.0


@formula
def ode(J: Vector, field: Field, h: float, q: Quaternion, w: Vector) -> tuple[Quaternion, Vector, float]:
    """ODE, step.cpp and quickstep.cpp: (J - h hat(Jw)) w' = Jw, the momentum in the product the old one."""
    w_next = pushed(J, h, moment(field, q, w), ode_velocity(J, h, w))
    return half_turned(h, q, w_next), w_next, 0.0


@formula
def ode_velocity(J: Vector, h: float, w: Vector) -> Vector:
    """The angular velocity of ``ode`` without torque."""
    m = (J[0] * w[0], J[1] * w[1], J[2] * w[2])
    c = cross(m, w)
    d = solve_with_skew(J, (-h * m[0], -h * m[1], -h * m[2]), (h * c[0], h * c[1], h * c[2]))
    return (w[0] + d[0], w[1] + d[1], w[2] + d[2])
