"""Order 8(5,3) of Dormand & Prince, compiled, with steps by its estimate of their error: it integrates true motions.

Hairer, Nørsett & Wanner (1993), Solving Ordinary Differential Equations I, II.5 and II.10. ``dop853`` is SciPy's, and
ends a step of its own where each step of a run ends. These steps end at given times alone, where something that acts
jumps or has a corner: all stages of a step lie between two of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from physics.core.jit import formula, kernel
from physics.core.rotation import Array

STAGES = 12
FASTER, SLOWER, SAFE = 6.0, 0.2, 0.9  # a step over the one before, at most and at least; share of what seems possible
TIME, STEP, EVALUATIONS, STOP, FAILED, PLACE = range(6)  # of an integration: see ``Equations.place``
MOTION = ((0, 3), (3, 4), (7, 3), (10, 3))  # groups of a body that moves: place, attitude, velocity, angular velocity
TOLERANCE, TURN, LONGEST, PARTS, MOST = range(5)  # of a rule, see ``Rule``


@dataclass(frozen=True)
class Rule:
    """How finely an integration is made.

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
        """Where an integration is: time and next step [s], evaluations, number of the next stop, whether it failed."""
        return np.array([begin, 0.0, 0.0, 1.0, 0.0])

    def advance(
        self, stops: Array, rule: Rule, most: float, y: Array, place: Array, times: Array, out: Array, room: Array,
        table: Table,
    ) -> int:  # fmt: skip
        """Fill rows of times and states with steps, and return how many, see ``integrator``.

        stops : (s,) times [s] at which steps end; most : evaluations, with those before; room : (STAGES + 2, n)
        """
        limits = np.array([rule.tolerance, rule.turn, rule.longest, rule.parts, most])
        given = self.model, self.room, stops, self.groups, self.sizes, self.attitudes, limits
        return self.march(*given, y, place, times, out, room, *table)


Table = tuple[Array, Array, Array, Array, Array]


@cache
def coefficients() -> Table:
    """A (12, 12), b, c, and of the errors of orders 3 and 5 (12,); they are SciPy's, which takes long to load."""
    from scipy.integrate import DOP853

    found = DOP853.A[:STAGES, :STAGES], DOP853.B, DOP853.C[:STAGES], DOP853.E3[:STAGES], DOP853.E5[:STAGES]
    A, b, c, e3, e5 = (np.ascontiguousarray(values) for values in found)
    return A, b, c, e3, e5


@formula
def unsettled(model: Any, time: float, y: Array, room: Any) -> bool:
    """Nothing is done to a state after a step."""
    return True


def integrator(rate: Any, settle: Any) -> Any:
    """The loop for ``rate(model, time, y, room, found) -> bool``, false where there are none.

    settle : ``settle(model, time, y, room) -> bool``, what is done to a state after each step

    It fills rows of ``times`` and ``out`` with each step, from ``place`` on; fewer than there are when the last stop is
    reached, the evaluations are used up, or no step is short enough.
    """

    @kernel
    def march(
        model: Any, room: Any, stops: Array, groups: np.ndarray, sizes: Array, attitudes: np.ndarray, rule: Array,
        y: Array, place: Array, times: Array, out: Array, k: Array, A: Array, b: Array, c: Array, e3: Array, e5: Array,
    ) -> int:  # fmt: skip
        n, rows, shrunk = len(y), 0, False
        x, z, t, step, known = k[STAGES], k[STAGES + 1], place[TIME], place[STEP], False
        while rows < len(times) and place[STOP] < len(stops) and place[EVALUATIONS] < rule[MOST]:
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
            most = min(rule[LONGEST], (end - begin) / rule[PARTS])
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
                for i in range(n):
                    total = 0.0
                    for j in range(s):
                        total += A[s, j] * k[j, i]
                    x[i] = y[i] + h * total
                good = good and rate(model, min(max(t + c[s] * h, low), high), x, room, k[s])
                place[EVALUATIONS] += 1.0
                if not good:
                    break
            error = np.inf
            if good:
                for i in range(n):
                    total = 0.0
                    for j in range(STAGES):
                        total += b[j] * k[j, i]
                    z[i] = y[i] + h * total
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
            if not error <= 1.0:
                step, shrunk = h * max(SLOWER, SAFE * error**-0.125 if error < np.inf else 0.0), True
                continue
            for i in attitudes:
                length = (z[i] * z[i] + z[i + 1] ** 2 + z[i + 2] ** 2 + z[i + 3] ** 2) ** 0.5
                for j in range(4):
                    z[i + j] /= length
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
