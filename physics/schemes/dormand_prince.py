"""Order 8(5,3) of Dormand & Prince, compiled, with steps by its estimate of their error: it integrates true motions.

Hairer, Nørsett & Wanner (1993), Solving Ordinary Differential Equations I, II.5, II.6 and II.10. ``dop853`` is SciPy's,
and ends a step of its own where each step of a run ends. These steps end at given times alone, where something that
acts jumps or has a corner: all stages of a step lie between two of them. States within a step are those of its
polynomial of order 7, so that what is between two of them is far below the error of the step.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from physics.core.jit import formula, kernel
from physics.core.rotation import Array

STAGES, WITHIN = 12, 16  # of a step; with those of the polynomial within it
POINTS = 4  # states that are stored of a step, equally far from one another, with the one at its end
FASTER, SLOWER, SAFE = 6.0, 0.2, 0.9  # a step over the one before, at most and at least; share of what seems possible
TIME, STEP, EVALUATIONS, STOP, FAILED, PLACE = range(6)  # of an integration: see ``Equations.place``
MOTION = ((0, 3), (3, 4), (7, 3), (10, 3))  # groups of a body that moves: place, attitude, velocity, angular velocity
TOLERANCE, TURN, LONGEST_STEP, PARTS, MAX_EVALUATIONS = range(5)  # of a rule, see ``Rule``


@dataclass(frozen=True)
class Rule:
    """Fineness of an integration.

    tolerance : of the error of one step, beside the size of each group of numbers
    turn : [rad] by which any body turns in one step at most
    longest : [s], of a step
    parts : steps between two stops at least
    """

    tolerance: float
    turn: float
    longest: float
    parts: float

    def finer(self, share: float, tolerance: float) -> Rule:
        """The rule with steps of a share of these at most, and a tolerance."""
        return Rule(tolerance, share * self.turn, share * self.longest, self.parts / share)


@dataclass(frozen=True)
class Equations:
    """The equations of motion of a world from its start.

    Attributes
    ----------
    march : the compiled loop, see ``integrator``
    model, room : what it passes on to its function of the rates
    start : (n,) numbers of the state
    groups : (g, 2) first number and count of those whose error is measured together; none for what is only carried on
    sizes : (g,) beside which their errors are measured where they are smaller; below 0: always
    attitudes : first numbers of quaternions
    motion : of times (m,) and states (m, n): positions, orientations, velocities, angular velocities
    """

    march: Callable[..., int]
    model: Any
    room: Any
    start: Array
    groups: np.ndarray
    sizes: Array
    attitudes: np.ndarray
    motion: Callable[[Array, Array], tuple[Array, Array, Array, Array]]

    def place(self, begin: float) -> Array:
        """Place of an integration: time, next step [s], evaluations, number of the next stop, whether it failed."""
        return np.array([begin, 0.0, 0.0, 1.0, 0.0])

    def advance(
        self, stops: Array, rule: Rule, most: float, y: Array, place: Array, times: Array, out: Array, room: Array,
        table: Tableau,
    ) -> int:  # fmt: skip
        """Fill rows of times and states with steps, and return how many, see ``integrator``.

        stops : (s,) times [s] at which steps end; most : evaluations, with those before; room : (WITHIN + 2, n)
        """
        limits = np.array([rule.tolerance, rule.turn, rule.longest, rule.parts, most])
        given = self.model, self.room, stops, self.groups, self.sizes, self.attitudes, limits
        return self.march(*given, y, place, times, out, room, *table)


Tableau = tuple[Array, Array, Array, Array, Array]


@cache
def coefficients() -> Tableau:
    """A (16, 16), c (16,), of the errors of orders 3 and 5 (12,), of the polynomial (4, 16).

    Row STAGES of A is b, of the state at the end of a step. They are SciPy's, which takes long to load.
    """
    from scipy.integrate import DOP853

    A = np.zeros((WITHIN, WITHIN))
    A[:STAGES, :STAGES], A[STAGES, :STAGES], A[STAGES + 1 :] = DOP853.A, DOP853.B, DOP853.A_EXTRA
    c = np.concatenate([DOP853.C, [1.0], DOP853.C_EXTRA])
    e3, e5, d = (np.ascontiguousarray(x) for x in (DOP853.E3[:STAGES], DOP853.E5[:STAGES], DOP853.D))
    return A, c, e3, e5, d


@formula
def unsettled(model: Any, time: float, y: Array, room: Any) -> bool:
    """Nothing is done to a state after a step."""
    return True


@formula
def unit(y: Array, i: int) -> None:
    """A quaternion of a state from its number i on, of length 1."""
    length = (y[i] * y[i] + y[i + 1] ** 2 + y[i + 2] ** 2 + y[i + 3] ** 2) ** 0.5
    for j in range(4):
        y[i + j] /= length


@formula
def stage(A: Array, s: int, k: Array, y: Array, h: float, x: Array) -> None:
    """State x of stage s of a step h [s] from y on, by the rates k of the stages before it."""
    for i in range(len(y)):
        total = 0.0
        for j in range(s):
            total += A[s, j] * k[j, i]
        x[i] = y[i] + h * total


def integrator(rate: Any, settle: Any) -> Any:
    """The loop for ``rate(model, time, y, room, found) -> bool``, false where there are none.

    settle : ``settle(model, time, y, room) -> bool``, what is done to a state after each step

    It fills POINTS rows of ``times`` and ``out`` with each step, from ``place`` on; fewer than there are when the last
    stop is reached, the evaluations are used up, or no step is short enough.
    """

    @kernel
    def march(
        model: Any, room: Any, stops: Array, groups: np.ndarray, sizes: Array, attitudes: np.ndarray, rule: Array,
        y: Array, place: Array, times: Array, out: Array, k: Array, A: Array, c: Array, e3: Array, e5: Array, d: Array,
    ) -> int:  # fmt: skip
        n, rows, shrunk = len(y), 0, False
        x, z, t, step, known = k[WITHIN], k[WITHIN + 1], place[TIME], place[STEP], False
        while rows + POINTS <= len(times) and place[STOP] < len(stops) and place[EVALUATIONS] < rule[MAX_EVALUATIONS]:
            stop = int(place[STOP])
            begin, end = stops[stop - 1], stops[stop]
            edge = 4e-16 * max(abs(begin), abs(end))  # at a stop itself it is open what acts: before or after
            low, high = begin + edge, end - edge
            if not known:
                known = rate(model, min(max(t, low), high), y, room, k[0])
                place[EVALUATIONS] += 1.0
                if not known:
                    place[FAILED] = 1.0
                    break
            fastest = 0.0
            for i in attitudes:
                u = k[0]
                fastest = max(fastest, 4.0 * (u[i] * u[i] + u[i + 1] ** 2 + u[i + 2] ** 2 + u[i + 3] ** 2))
            most = min(rule[LONGEST_STEP], (end - begin) / rule[PARTS])
            if fastest * most * most > rule[TURN] * rule[TURN]:
                most = rule[TURN] / fastest**0.5
            h = min(step, most) if step > 0.0 else 0.1 * most
            step, left = h, end - t
            last = h >= left * (1.0 - 1e-9)
            h = left if last else min(h, 0.5 * left) if h > 0.5 * left else h
            if not t + h > t:
                place[FAILED] = 1.0
                break
            good = True
            for s in range(1, STAGES):
                stage(A, s, k, y, h, x)
                good = good and rate(model, min(max(t + c[s] * h, low), high), x, room, k[s])
                place[EVALUATIONS] += 1.0
                if not good:
                    break
            error = np.inf
            if good:
                stage(A, STAGES, k, y, h, z)
                error = 0.0
                for g in range(len(groups)):
                    size, third, fifth = 0.0, 0.0, 0.0
                    for i in range(groups[g, 0], groups[g, 0] + groups[g, 1]):
                        size += z[i] * z[i]
                        three, five = 0.0, 0.0
                        for j in range(STAGES):
                            three += e3[j] * k[j, i]
                            five += e5[j] * k[j, i]
                        third, fifth = third + three * three, fifth + five * five
                    least = sizes[g]
                    scale = -least if least < 0.0 else max(least, size**0.5)
                    if fifth > 0.0:
                        found = h * fifth / (fifth + 0.01 * third) ** 0.5 / (rule[TOLERANCE] * scale)
                        error = found if not found <= error else error
                    elif fifth != 0.0:  # not a number
                        error = np.inf
            if error <= 1.0:  # what the polynomial wants beside
                for i in attitudes:
                    unit(z, i)
                good = rate(model, min(max(t + h, low), high), z, room, k[STAGES])
                for s in range(STAGES + 1, WITHIN):
                    stage(A, s, k, y, h, x)
                    good = good and rate(model, min(max(t + c[s] * h, low), high), x, room, k[s])
                place[EVALUATIONS] += WITHIN - STAGES
                error = error if good else np.inf
            if not error <= 1.0:
                step, shrunk = h * max(SLOWER, SAFE * error**-0.125 if error < np.inf else 0.0), True
                continue
            for i in range(n):
                moved = z[i] - y[i]
                first, second = h * k[0, i] - moved, 2.0 * moved - h * (k[0, i] + k[STAGES, i])
                p3 = p4 = p5 = p6 = 0.0
                for j in range(WITHIN):
                    moves = h * k[j, i]
                    p3, p4, p5, p6 = (
                        p3 + d[0, j] * moves,
                        p4 + d[1, j] * moves,
                        p5 + d[2, j] * moves,
                        p6 + d[3, j] * moves,
                    )
                for point in range(1, POINTS):
                    f = point / POINTS
                    rest = 1.0 - f
                    inner = p3 + f * (p4 + rest * (p5 + f * p6))
                    out[rows + point - 1, i] = y[i] + f * (moved + rest * (first + f * (second + rest * inner)))
            for point in range(1, POINTS):
                times[rows + point - 1] = t + h * (point / POINTS)
                for i in attitudes:
                    unit(out[rows + point - 1], i)
            rows += POINTS - 1
            t = end if last else t + h
            if not settle(model, min(max(t, low), high), z, room):
                place[FAILED] = 1.0
                break
            for i in range(n):
                y[i] = z[i]
                out[rows, i] = z[i]
            times[rows] = t
            rows, known = rows + 1, False
            wanted = h * min(1.0 if shrunk else FASTER, SAFE * max(error, 1e-8) ** -0.125)
            step, shrunk = wanted if wanted < h else max(step, wanted), False
            if last:
                place[STOP] += 1.0
        place[TIME], place[STEP] = t, step
        return rows

    return march
