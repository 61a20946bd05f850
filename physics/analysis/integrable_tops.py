"""Integrals of heavy tops that can be solved: the conserved quantity beside energy and vertical angular momentum.

A body that turns about a fixed point, with its centre of mass at r from there, is integrable in three cases: Euler's,
r = 0; Lagrange's, A = B and r along the axis of C; Kovalevskaya's, A = B = 2 C and r in the plane of A and B. Goryachev
and Chaplygin's, A = B = 4 C and r in that plane, has one more integral where the vertical angular momentum is 0.

Below, (p, q, s) is the angular velocity along r, aside of it, and along the axis of C, (u1, u2, u3) the upward vertical
in the same axes, and c = m g |r| / C.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from physics.core.rotation import Array, upwards
from physics.core.trajectory import Trajectory
from physics.systems.free.rotating_world import AttachedWorld
from physics.systems.world import World

Case = Literal["", "Lagrange", "Kovalevskaya", "Goryachev-Chaplygin"]
ALIKE = 1e-9  # share by which moments, and directions, may differ

# ratio of the two equal moments to the third one, of the cases whose centre of mass lies in the plane of the two
_RATIOS: dict[float, Case] = {2.0: "Kovalevskaya", 4.0: "Goryachev-Chaplygin"}


def case_of(world: World) -> Case:
    """Case in which a world's body can be solved; "" for another body, or where more than its weight acts.

    Of Goryachev and Chaplygin's case the vertical angular momentum at the start has to be 0.
    """
    axis = _single_axis(world)
    if axis is None:
        return ""
    assert world.arm is not None
    along = abs(world.arm[axis]) / float(np.linalg.norm(world.arm))
    if abs(along - 1.0) < ALIKE:
        return "Lagrange"
    ratio = world.moments[axis - 1] / world.moments[axis]
    case: Case = next((name for wanted, name in _RATIOS.items() if abs(ratio / wanted - 1.0) < ALIKE), "")
    if along > ALIKE or not case:
        return ""
    spin = world.moments * world.angular_velocity
    if case == "Goryachev-Chaplygin" and abs(spin @ upwards(world.orientation)) > ALIKE * np.linalg.norm(spin):
        return ""
    return case


def integral_error(run: Trajectory, world: World) -> Array:
    """Change of the integral of a top's case since the origin of each row, as a share of its scale, (n,).

    Lagrange: C s over |L|. Kovalevskaya: |(p + i q)² - c (u1 + i u2)|² over (p² + q² + c)². Goryachev and Chaplygin:
    s (p² + q²) - c p u3 over (p² + q² + s² + c)^(3/2). NaN of a world that has none, see ``case_of``.

    Sources: Perelomov (2001) for Kovalevskaya's body, Maciejewski & Przybylska (2004) for that there are no others; the
    formulas are derived in the help page integrable-tops.md.
    """
    case, axis = case_of(world), _single_axis(world)
    if not case or axis is None:
        return np.full(len(run), np.nan)
    assert isinstance(world, AttachedWorld)
    value, _ = _integral(world, case, axis, run.angular_velocity, run.orientation)
    origins = run.origins or (run.origin(0),)
    rates, attitudes = (
        np.array([getattr(origin.state, name) for origin in origins]) for name in ("angular_velocity", "orientation")
    )
    begun, scale = _integral(world, case, axis, rates, attitudes)
    return np.asarray((value - begun[run.stretches]) / scale[run.stretches])


def _integral(world: AttachedWorld, case: Case, axis: int, w: Array, orientation: Array) -> tuple[Array, Array]:
    """The integral and its scale (n,) at angular velocities (n, 3) [rad/s] and attitudes (n, 4)."""
    if case == "Lagrange":
        return world.moments[axis] * w[:, axis], np.linalg.norm(world.moments * w, axis=1)
    frame = _frame(world, axis)
    (p, q, s), u = (w @ frame.T).T, (upwards(orientation) @ frame.T).T
    c = float(np.linalg.norm(world.field[:3])) / world.moments[axis]
    if case == "Kovalevskaya":
        return np.abs((p + 1j * q) ** 2 - c * (u[0] + 1j * u[1])) ** 2, (p * p + q * q + c) ** 2
    return s * (p * p + q * q) - c * p * u[2], (p * p + q * q + s * s + c) ** 1.5


def _single_axis(world: World) -> int | None:
    """Number of the axis whose two other moments are alike, of a top that only its weight turns; None: another body."""
    if not isinstance(world, AttachedWorld) or world.field[3:].any() or not world.arm.any():
        return None
    for axis in (2, 0, 1):
        A, B = world.moments[axis - 2], world.moments[axis - 1]
        if abs(A - B) < ALIKE * A:
            return axis
    return None


def _frame(world: AttachedWorld, axis: int) -> Array:
    """Unit vectors (3, 3) along the arm, aside of it, and along an axis that is normal to it, in body axes."""
    first, third = world.arm / np.linalg.norm(world.arm), np.eye(3)[axis]
    return np.array([first, np.cross(third, first), third])
