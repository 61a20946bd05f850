"""A vessel that is steered: its course, what the controller gives, and the balance of energy and work.

Where something drives or damps a motion its energy changes, and says nothing of the scheme. Energy minus the work that
all of it has done stays, and a scheme keeps it as it keeps the energy where nothing acts.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from physics.core.jit import brief, formula, procedure
from physics.core.potential import torque, vertical
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
    multiply,
    over,
    product,
    rotation_vector,
    vector_at,
)
from physics.core.trajectory import Trajectory
from physics.hydrostatics.righting_levers import crossed
from physics.schemes.driven_body import DrivenBody, rates
from physics.schemes.gauss_legendre import SHARES_6, WEIGHTS_6
from physics.schemes.rkmk import speed
from physics.schemes.steered import (
    COURSE,
    DERIVATIVE,
    LIMIT,
    PROPORTIONAL,
    bounded,
    by_heading,
    pushed_by_flows,
)
from physics.systems.attached.vessel import VesselScenario, steered
from physics.systems.free.rotating_world import AttachedWorld
from physics.systems.world import World

NEAR = math.radians(1.0)  # angle to the course within which a vessel has reached it
HEADINGS, SMALL = 720, 1e-6  # in a turn among which a rest is looked for; [rad] off it at which it is stiff
_PIECES = 2  # of the time between two rows


# ---- the controller --------------------------------------------------------------------------------


def controlled(world: World) -> bool:
    """True if a controller steers a vessel, before an edit or after."""
    return bool(_gains_between_edits(world)[:, :LIMIT].any())


def off_course(run: Trajectory, world: World) -> Array:
    """Angle (n,) [rad] from the course to the heading of a vessel with a controller, -pi to pi."""
    bow = apply(run.orientation, np.array([1.0, 0.0, 0.0]))
    off = np.arctan2(bow[:, 1], bow[:, 0]) - _gains(run, world)[COURSE]
    return np.asarray((off + math.pi) % (2.0 * math.pi) - math.pi)


def wanted_torque(run: Trajectory, world: World) -> Array:
    """Torque (n,) [N m] about the vessel's z axis that its controller wants, whatever its bound."""
    gains = _gains(run, world)
    return np.asarray(-gains[PROPORTIONAL] * off_course(run, world) - gains[DERIVATIVE] * run.angular_velocity[:, 2])


def controller_torque(run: Trajectory, world: World) -> Array:
    """Torque (n,) [N m] about the vessel's z axis that its controller gives."""
    limit = _gains(run, world)[LIMIT]
    return np.clip(wanted_torque(run, world), -limit, limit)


def on_course(run: Trajectory, world: World) -> NDArray[np.bool_]:
    """True where the heading of a vessel with a controller is within a degree of the course (n,)."""
    return np.asarray((np.abs(off_course(run, world)) < NEAR) & _gains(run, world)[:LIMIT].any(axis=0))


def at_bound(run: Trajectory, world: World) -> NDArray[np.bool_]:
    """True where the controller wants more than its bound (n,)."""
    return np.asarray(np.abs(wanted_torque(run, world)) > _gains(run, world)[LIMIT])


def _gains(run: Trajectory, world: World) -> Array:
    """Gains (4, n) of the controller in the rows of a run, through its edits."""
    return _gains_between_edits(world)[run.stretches].T


def _gains_between_edits(world: World) -> Array:
    """Gains (k, 4) of the controller in each stretch between edits; 0 where there is none."""
    acting = (one.acting if isinstance(one, AttachedWorld) else None for one in (*world.earlier, world))
    return np.array([np.zeros(4) if one is None else one.vessel.gains for one in acting])


class Rest(NamedTuple):
    """Rest of the heading of a vessel under a controller.

    off : from its course [rad]; stiffness : torque over a small angle off it [N m]; bounded : whether the controller is
        at its bound there
    """

    off: float
    stiffness: float
    bounded: bool


def rest_off_course(world: World) -> Rest | None:
    """The first heading, from its course on, at which an upright vessel is pushed back where it is pushed away before.

    Controller, wind, current and the last torques that are given act. None where they turn it all the way round.
    """
    assert isinstance(world, AttachedWorld)
    assert world.acting is not None
    vessel, last, body = world.acting.vessel, world.acting.torques[-1], world.body
    steady = float(last[2] + vessel.mast @ last[3:])

    def attitude(off: float) -> Quaternion:
        half = 0.5 * (float(vessel.gains[COURSE]) + off)
        q, _ = body.to_principal(np.array([math.cos(half), 0.0, 0.0, math.sin(half)]), np.zeros(3))
        return tuple(q.tolist())

    def pushed(off: float) -> float:
        q = attitude(off)
        return steady + float(pushed_by_flows(vessel, q) + bounded(vessel, by_heading(vessel, q)))

    step = math.copysign(2.0 * math.pi / HEADINGS, pushed(0.0))
    for k in range(HEADINGS):
        if math.copysign(1.0, step) * pushed((k + 1) * step) <= 0.0:
            off = crossed(pushed, k * step, (k + 1) * step)
            stiffness = (pushed(off - SMALL) - pushed(off + SMALL)) / (2.0 * SMALL)
            return Rest(off, stiffness, bool(abs(by_heading(vessel, attitude(off))) > vessel.gains[LIMIT]))
    return None


# ---- work ------------------------------------------------------------------------------------------


def _acting_of(world: World) -> DrivenBody | None:
    """The vessel with all that acts on it, where damping alone does too; None of what is no vessel."""
    if not (isinstance(world, AttachedWorld) and isinstance(world.scenario, VesselScenario)):
        return None
    return steered(world.scenario, world.body, world.field) if world.acting is None else world.acting


@procedure
def _pull(body: DrivenBody, time: float, q: Quaternion, w: Vector) -> tuple[Vector, float]:
    """Angular acceleration [rad/s²], and the power [W] of all but what rights the vessel, in principal axes."""
    J = body.moments
    m = (J[0] * w[0], J[1] * w[1], J[2] * w[2])
    _, n = rates(body, time, q, m)
    outside = added(n, -1.0, torque(body.vessel.field, vertical(q)))
    return over(added(cross(m, w), 1.0, n), J), dot(outside, w)


@formula
def _between(s: float, h: float, a: Vector, slope: Vector, b: Vector, other: Vector) -> Vector:
    """The cubic through a and b with these slopes, over a time h, at a share s of it."""
    r = 1.0 - s
    f, g, u, v = (1.0 + 2.0 * s) * r * r, s * s * (3.0 - 2.0 * s), h * s * r * r, -h * s * s * r
    return (
        f * a[0] + g * b[0] + u * slope[0] + v * other[0],
        f * a[1] + g * b[1] + u * slope[1] + v * other[1],
        f * a[2] + g * b[2] + u * slope[2] + v * other[2],
    )


@brief
def _works(body: DrivenBody, times: Array, q: Array, w: Array, turns: Array, out: Array) -> None:
    for i in range(len(times) - 1):
        j = i + 1
        h = times[j] - times[i]
        first, v, b = (q[i, 0], q[i, 1], q[i, 2], q[i, 3]), vector_at(w[i], 0), vector_at(turns[i], 0)
        last, u = (q[j, 0], q[j, 1], q[j, 2], q[j, 3]), vector_at(w[j], 0)
        begin, end, total = _pull(body, times[i], first, v)[0], _pull(body, times[j], last, u)[0], 0.0
        slope = speed(b, u)
        for piece in range(_PIECES):
            for k in range(3):
                s = (piece + SHARES_6[k]) / _PIECES
                turn = _between(s, h, (0.0, 0.0, 0.0), v, b, slope)
                rate = _between(s, h, v, begin, u, end)
                power = _pull(body, times[i] + s * h, product(first, exp_half(turn)), rate)[1]
                total += WEIGHTS_6[k] * power
        out[j] = out[i] + h * total / _PIECES


def work(run: Trajectory, world: World) -> Array:
    """Work (n,) [J] of torques, controller, wind, current and damping on a vessel since the start of a run.

    Of a run with edits: of a stretch, since its start. Between two stored states attitude and angular velocity are
    cubics with the slopes that the laws of motion give, and the power is integrated by Gauss's rule: it errs by the
    fourth power of the time between two rows. By the second where between them the power has a corner, as where the
    controller meets its bound or at a row of a table, and by the first where it jumps, half a turn off the course.
    """
    acting = _acting_of(world)
    if acting is None:
        return np.zeros(len(run))
    times = np.concatenate([[run.start.time], run.time])
    q = np.concatenate([run.start.orientation[None], run.orientation])
    w = np.concatenate([run.start.angular_velocity[None], run.angular_velocity])
    q, w = world.body.to_principal(q, w)
    turns, found = rotation_vector(multiply(conjugate(q[:-1]), q[1:])), np.zeros(len(times))
    _works(acting, times, np.ascontiguousarray(q), np.ascontiguousarray(w), np.ascontiguousarray(turns), found)
    return found[1:]


def balance(run: Trajectory, world: World) -> Array:
    """Change of energy minus work since the start of a run, over the largest of either so far, (n,).

    That is the largest energy above rest, or work: a vessel may start at rest, and what drives it gives all it has. NaN
    as long as both are 0. Of a run with edits: of a stretch, since its start.
    """
    done, change, first = work(run, world), run.total_energy - run.since("energy"), run.since("energy_scale")
    scale = np.maximum.accumulate(np.maximum.reduce([first, first + change, np.abs(done)]))
    return np.asarray(np.divide(change - done, scale, out=np.full(len(run), np.nan), where=scale > 0.0))
