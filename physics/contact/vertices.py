"""Contact points, vertices or others: how a body answers a percussion there, and when it clears the ground.

What finds them is a Detection, see physics.contact.polyhedra and physics.contact.smooth. The percussions themselves:
physics.contact.percussions.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from physics.core.jit import formula
from physics.core.rotation import Array, Quaternion, Symmetric, Vector, cross, dot
from physics.terrain.terrain import patch

Rows = tuple[Vector, Vector, Vector]
Twist = tuple[Vector, Vector]  # velocity of the centre of mass, angular velocity in the body
BodyMotion = tuple[Vector, Quaternion, Vector, Vector]  # place [m], attitude, and the two of a twist
Inertia = tuple[Symmetric, Vector]  # S and g of the matrix S + hat(g) that answers torques
Grid = tuple[Array, float, float]  # heights (ny, nx) of the ground at its nodes, their spacing along x and y, all [m]

# the numbers of a contact
DIRECTION = 0  # (3, 3) n, t1, t2, inertial
LEVER = DIRECTION + 9  # (3, 3) the arm of each, in the body
ANSWER = LEVER + 9  # (3, 3) of the angular velocity to a unit percussion along each
BLOCK = ANSWER + 9  # (3, 3) of the Delassus matrix, its own [1/kg]
INVERSE = BLOCK + 9  # (3, 3) of the block
PERCUSSION = INVERSE + 9  # (3,) along each direction [N s]
APPROACH = PERCUSSION + 3  # less the normal velocity below which it must not end [m/s]; SLIDE follows
SLIDE = APPROACH + 1  # (2,) added to the slip against which friction acts [m/s]
BOUND = SLIDE + 2  # bound of friction in the fallback [N s]
STEP = BOUND + 1  # (3,) of the percussion in the last sweep
STEP_BEFORE = STEP + 3  # (3,) in the one before it
PERCUSSION_BEFORE = STEP_BEFORE + 3  # (3,) before the last sweep
# of smooth bodies: the velocity of the point that is nearest the ground at the start of the step, and what is added to
# it until the middle
START = PERCUSSION_BEFORE + 3  # (3,) [m/s]
BEND = START + 3  # (3,) [m/s]
# of rolling resistance; all but the first are of the first contact, for all
ROLLING = BEND + 3  # its arm [m], or 0
TURN = ROLLING + 1  # (3, 3) answers of the angular velocity to unit moments
MOMENT = TURN + 9  # (3,) [N m s]
MOMENT_SHIFT = MOMENT + 3  # (3,) added to the angular velocity that it acts against [rad/s]
MOMENT_STEP = MOMENT_SHIFT + 3  # (3,) in the last sweep
MOMENT_STEP_BEFORE = MOMENT_STEP + 3  # (3,) in the one before it
MOMENT_BEFORE = MOMENT_STEP_BEFORE + 3  # (3,) before the last sweep
WIDTH = MOMENT_BEFORE + 3

_AT_ONCE = 1_000_000  # patches whose clearance is found at once


class Detection(NamedTuple):
    """Detection of contacts for the time stepping: five formulas.

    at_end : fill depths [m] at the end of a step of free motion, -inf of what is surely clear; the largest of them
    at_start : fill those at the start, where the end is not above ``least``
    landed : fill those of a moment at which one has come down, and which is on the ground
    ploughing : A |v| [m³/s] of the part below the ground, see physics.terrain.soil
    touching : fill the contacts, see there; their number
    wanders : whether contacts wander along the body as it turns
    allocates : whether one of the formulas makes an array
    """

    at_end: Any
    at_start: Any
    landed: Any
    ploughing: Any
    touching: Any
    wanders: bool
    allocates: bool


def clearance(heights: Array, cell: tuple[float, float], reach: float) -> Array:
    """(ny - 1, nx - 1) how many radii above the ground a ball no larger than ``reach`` [m] cannot touch it, by patch.

    Where no slope within the radius is steeper than s, the ball clears the ground by radius times sqrt(1 + s²).
    In the heights' own precision, rounded up; some rows at a time, so that only the result takes memory.
    """
    from scipy.ndimage import maximum_filter  # here: it takes long to load, and a window waits for it

    window = [2 * math.ceil(reach / d) + 1 for d in (cell[1], cell[0])]
    ny, nx = heights.shape[0] - 1, heights.shape[1] - 1
    found, high, aside = np.empty((ny, nx), heights.dtype), max(1, _AT_ONCE // nx), window[0] // 2
    for first in range(0, ny, high):
        last = min(first + high, ny)
        low, top = max(first - aside, 0), min(last + aside, ny)
        rows = heights[low : top + 1].astype(np.float64, copy=False)
        along = np.abs(np.diff(rows, axis=1)) / cell[0]
        across = np.abs(np.diff(rows, axis=0)) / cell[1]
        squared = np.maximum(along[1:], along[:-1]) ** 2 + np.maximum(across[:, 1:], across[:, :-1]) ** 2
        steepest = maximum_filter(squared, size=window, mode="nearest")[first - low : last - low]
        found[first:last] = np.sqrt(1.0 + steepest)
    if found.dtype != np.float64:
        np.nextafter(found, np.inf, out=found)
    return found


@formula
def flies(heights: Array, clearances: Array, dx: float, dy: float, r: Vector, radius: float) -> bool:
    """Return True if the ball around the body, with its centre at r, is clear of the ground."""
    return bool(r[2] > patch(heights, dx, dy, r[0], r[1])[0] + radius * _around(clearances, dx, dy, r))


@formula
def steepness(clearances: Array, dx: float, dy: float, r: Vector) -> float:
    """The square of the steepest slope that a body with its centre at r can reach."""
    c = _around(clearances, dx, dy, r)
    return c * c - 1.0


@formula
def _around(clearances: Array, dx: float, dy: float, r: Vector) -> float:
    ny, nx = clearances.shape
    i = min(max(int(r[0] / dx), 0), nx - 1)
    j = min(max(int(r[1] / dy), 0), ny - 1)
    return float(clearances[j, i])


@formula
def axes_of(q: Quaternion) -> Rows:
    """The rows of the rotation matrix of q: cheaper than quaternions where many vectors are turned."""
    a, b, c, d = q
    return (
        (1.0 - 2.0 * (c * c + d * d), 2.0 * (b * c - a * d), 2.0 * (b * d + a * c)),
        (2.0 * (b * c + a * d), 1.0 - 2.0 * (b * b + d * d), 2.0 * (c * d - a * b)),
        (2.0 * (b * d - a * c), 2.0 * (c * d + a * b), 1.0 - 2.0 * (b * b + c * c)),
    )


@formula
def in_space(R: Rows, x: Vector) -> Vector:
    """x of the body in space."""
    return (dot(R[0], x), dot(R[1], x), dot(R[2], x))


@formula
def turned_back(R: Rows, x: Vector) -> Vector:
    """x of space in the body."""
    return (
        R[0][0] * x[0] + R[1][0] * x[1] + R[2][0] * x[2],
        R[0][1] * x[0] + R[1][1] * x[1] + R[2][1] * x[2],
        R[0][2] * x[0] + R[1][2] * x[1] + R[2][2] * x[2],
    )


@formula
def first_landing(starts: Array, depths: Array, lowered: float, slack: float) -> tuple[float, int]:
    """The share of a flight after which its first vertex is as deep as ``lowered`` [m], and that vertex; or 1 and -1.

    starts, depths (n,): of the vertices before and after [m]; between them they count as straight lines. A vertex that
    starts less than ``slack`` [m] above is on the ground already, and does not land.
    """
    share, vertex = 1.0, -1
    for i in range(depths.shape[0]):
        if depths[i] >= lowered and starts[i] < lowered - slack:
            passed = (lowered - starts[i]) / (depths[i] - starts[i])
            if vertex < 0 or passed < share:
                share, vertex = passed, i
    return share, vertex


@formula
def fill_contact(c: Array, normal: Vector, rho: Vector, R: Rows, inertia: Inertia, mass: float) -> None:
    """Fill the row of a contact whose normal is ``normal``, at rho [m] in the body; the others: see ``touching``."""
    # t1 is normal to the horizontal inertial axis that is farther from n
    axis = (1.0, 0.0, 0.0) if abs(normal[0]) <= abs(normal[1]) else (0.0, 1.0, 0.0)
    t1 = cross(axis, normal)
    s = 1.0 / math.sqrt(dot(t1, t1))
    t1 = (t1[0] * s, t1[1] * s, t1[2] * s)
    answers = inverse_inertia(*inertia)
    t2 = cross(normal, t1)
    for k in range(3):
        d = normal if k == 0 else (t1 if k == 1 else t2)
        lever = lever_of(d, rho, R)
        put_direction(c, k, d, lever, (dot(answers[0], lever), dot(answers[1], lever), dot(answers[2], lever)))
    weigh(c, mass)
    c[PERCUSSION] = c[PERCUSSION + 1] = c[PERCUSSION + 2] = c[ROLLING] = 0.0


@formula
def lever_of(d: Vector, rho: Vector, R: Rows) -> Vector:
    """rho x A^T d, of w = (d, rho x A^T d) (Leine et al. 2014)."""
    return cross(rho, turned_back(R, d))


@formula
def put_direction(c: Array, k: int, d: Vector, lever: Vector, answer: Vector) -> None:
    """Direction k of a contact, as it stands in its row."""
    for i in range(3):
        c[DIRECTION + 3 * k + i] = d[i]
        c[LEVER + 3 * k + i] = lever[i]
        c[ANSWER + 3 * k + i] = answer[i]


@formula
def times(S: Symmetric, b: Vector) -> Vector:
    """S b."""
    return (
        S[0] * b[0] + (S[3] * b[1] + S[4] * b[2]),
        S[1] * b[1] + (S[3] * b[0] + S[5] * b[2]),
        S[2] * b[2] + (S[4] * b[0] + S[5] * b[1]),
    )


@formula
def _beside_diagonal(S: Symmetric) -> tuple[Symmetric, float]:
    """Contributions of the off-diagonal numbers to the adjugate and the determinant: zeros for a diagonal S."""
    xx, yy, zz, xy, xz, yz = S
    adjugate = (-yz * yz, -xz * xz, -xy * xy, xz * yz - xy * zz, xy * yz - xz * yy, xy * xz - yz * xx)
    return adjugate, 2.0 * xy * xz * yz - xx * yz * yz - yy * xz * xz - zz * xy * xy


@formula
def answer(S: Symmetric, g: Vector, b: Vector) -> Vector:
    """The x with (S + hat(g)) x = b, S positive definite; (adj S + g g^T - hat(S g)) / (det S + g.Sg) is the inverse.

    For a diagonal S to the last digit as physics.schemes.explicit.solve_with_skew.
    """
    Sg = times(S, g)
    adjugate, more = _beside_diagonal(S)
    det = S[0] * S[1] * S[2] + g[0] * Sg[0] + g[1] * Sg[1] + g[2] * Sg[2] + more
    gb, c, d = dot(g, b), cross(Sg, b), times(adjugate, b)
    return (
        (S[1] * S[2] * b[0] + g[0] * gb - c[0] + d[0]) / det,
        (S[2] * S[0] * b[1] + g[1] * gb - c[1] + d[1]) / det,
        (S[0] * S[1] * b[2] + g[2] * gb - c[2] + d[2]) / det,
    )


@formula
def inverse_inertia(S: Symmetric, g: Vector) -> Rows:
    """The rows of (S + hat(g))^-1, see ``answer``: one division for many answers."""
    x, y, z = times(S, g)
    adjugate, more = _beside_diagonal(S)
    s = 1.0 / (S[0] * S[1] * S[2] + g[0] * x + g[1] * y + g[2] * z + more)
    a, b, c = s * g[0], s * g[1], s * g[2]
    x, y, z = s * x, s * y, s * z
    xx, yy, zz, xy, xz, yz = adjugate
    return (
        (s * S[1] * S[2] + a * g[0] + s * xx, a * g[1] + z + s * xy, a * g[2] - y + s * xz),
        (b * g[0] - z + s * xy, s * S[2] * S[0] + b * g[1] + s * yy, b * g[2] + x + s * yz),
        (c * g[0] + y + s * xz, c * g[1] - x + s * yz, s * S[0] * S[1] + c * g[2] + s * zz),
    )


@formula
def weigh(c: Array, mass: float) -> None:
    """The contact's own block of the Delassus matrix, I/m + W^T (Θ + hat(g))^-1 W, and its inverse."""
    for i in range(3):
        for j in range(3):
            total = 1.0 / mass if i == j else 0.0
            for m in range(3):
                total += c[LEVER + 3 * i + m] * c[ANSWER + 3 * j + m]
            c[BLOCK + 3 * i + j] = total
    x = (c[BLOCK], c[BLOCK + 1], c[BLOCK + 2])
    y = (c[BLOCK + 3], c[BLOCK + 4], c[BLOCK + 5])
    z = (c[BLOCK + 6], c[BLOCK + 7], c[BLOCK + 8])
    yz, zx, xy = cross(y, z), cross(z, x), cross(x, y)
    s = 1.0 / dot(x, yz)
    for i in range(3):
        c[INVERSE + 3 * i], c[INVERSE + 3 * i + 1], c[INVERSE + 3 * i + 2] = s * yz[i], s * zx[i], s * xy[i]


@formula
def speed(c: Array, k: int, v: Vector, w: Vector) -> float:
    """Velocity of the contact point along direction k [m/s]."""
    total = 0.0
    for m in range(3):
        total += c[DIRECTION + 3 * k + m] * v[m] + c[LEVER + 3 * k + m] * w[m]
    return total


@formula
def push(c: Array, k: int, p: float, mass: float, v: Vector, w: Vector) -> Twist:
    """Velocities after a percussion p [N s] along direction k."""
    a, b = DIRECTION + 3 * k, ANSWER + 3 * k
    f = p / mass
    return (
        (v[0] + f * c[a], v[1] + f * c[a + 1], v[2] + f * c[a + 2]),
        (w[0] + p * c[b], w[1] + p * c[b + 1], w[2] + p * c[b + 2]),
    )
