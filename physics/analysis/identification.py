"""Identification: the ratios of a body's principal moments, its principal axes and its start from a free flight.

Least squares on what a sensor has recorded, through the exact motion: no differences of noisy rates are taken. The
start of the search is linear: attitudes R_i and rates w_i of one free flight keep the spin R_i J w_i, so that J is the
null vector of a matrix of known numbers, but for its scale, which no free motion tells.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations

import numpy as np

from physics.core.errors import PhysicsError, ScenarioError
from physics.core.rotation import (
    Array,
    apply,
    conjugate,
    from_matrix,
    matrix,
    multiply,
    rotation_vector,
    unit_of,
)
from physics.measured.motion import MeasuredMotion
from physics.simulation.exact_motion import free_motion

LEAST = 20  # samples of a flight
MOST = 20_000  # samples that are taken: of more every n-th
BIAS = 0.2  # [rad/s] standard deviation that is expected of it, some 11 deg/s: larger ones feign other moments
BEGIN = 75  # samples of the first part of a flight that is searched; then three times as many, and so on
FARTHEST = 5.5  # logarithm of a ratio: of a needle 16 times as long as broad
NOISY = 1.3  # times the noise of the samples: what is left beyond is no noise, and another start may do better
STRAY = 0.3  # standard deviation of moments (logarithm) and axes [rad] from the linear ones, in parts of a flight
UNKNOWN = 0.3  # standard deviation of a ratio, over the ratio, from which on the motion does not tell it
SURE = 1.96  # standard deviations to each side of an interval that holds the truth in 95 of 100 cases
RATIOS, TURN, RATE, LAST = slice(0, 2), slice(2, 5), slice(5, 8), slice(8, 11)  # of the parameters


# moments and axes from which the search begins where that from the linear ones has ended far from the samples
OTHERS = tuple((np.array(order), np.array([1.0, 0.0, 0.0, 0.0])) for order in permutations((0.5, 0.75, 1.0)))


@dataclass(frozen=True)
class Identification:
    """What a free flight tells of a body.

    Attributes
    ----------
    begin, end : of the flight [s]; samples : that were taken
    ratios : (3,) principal moments over the largest one, in the order of the axes
    axes : (4,) principal axes -> the axes of the sensor, or of the body where the file's table turns them
    angular_velocity : (3,) [rad/s] at ``begin``, in these axes; orientation : (4,) of these axes at ``begin``
    bias : (3,) [rad/s] of the gyroscope in these axes; zero where attitudes were taken
    ratio_deviations (3,), velocity_deviations (3,) [rad/s], bias_deviations (3,) [rad/s], axes_deviation [rad] :
        standard deviations; 0 for what was held
    residual : root of the mean square of what is left [rad/s], or [rad] where attitudes were taken
    """

    begin: float
    end: float
    samples: int
    ratios: Array
    axes: Array
    angular_velocity: Array
    orientation: Array
    bias: Array
    ratio_deviations: Array
    velocity_deviations: Array
    bias_deviations: Array
    axes_deviation: float
    residual: float

    @property
    def told(self) -> bool:
        """Whether the motion tells the ratios."""
        return bool((self.ratio_deviations / self.ratios).max() < UNKNOWN)

    def facts(self) -> dict[str, object]:
        """As plain values, for JSON."""
        return {name: v.tolist() if isinstance(v, np.ndarray) else v for name, v in self.__dict__.items()}


def identify(
    motion: MeasuredMotion,
    begin: float | None = None,
    end: float | None = None,
    *,
    aligned: bool = False,
    unbiased: bool = False,
) -> Identification:
    """What the samples from ``begin`` to ``end`` [s] tell of the body, which flies freely there.

    aligned : the sensor's axes are the principal ones; unbiased : the gyroscope has no bias. The residual is one of
    rates where the file has them, else one of attitudes. Raises ScenarioError where there are too few samples, and
    PhysicsError where the motion does not tell the ratios.
    """
    here = _within(motion, begin, end)
    time, rates, attitudes = motion.time[here], motion.angular_velocity[here], motion.orientation[here]
    by_rates = motion.table.angular_velocity is not None
    held = [TURN] * aligned + [LAST] * (by_rates and unbiased)
    best: Identification | None = None
    noise = _noise(rates if by_rates else attitudes)
    for moments, axes in (_linear(rates, attitudes, aligned), *OTHERS):
        fit = _Fit(time - time[0], rates, attitudes, by_rates, axes, noise)
        try:
            with np.errstate(all="ignore"):
                found = _told(fit, *_searched(fit, moments, held), float(time[0]))
        except (ValueError, np.linalg.LinAlgError):  # of numbers that are not finite: rates that change without sense
            continue
        if best is None or (not found.told, found.residual) < (not best.told, best.residual):
            best = found
        if best.residual < NOISY * noise:
            break
    if best is None or not best.told:
        raise PhysicsError(
            f"the motion from {time[0]:g} to {time[-1]:g} s does not tell the ratios of the moments: "
            "expected a body that turns about all its axes, for some turns, in free flight"
        )
    return best


def _within(motion: MeasuredMotion, begin: float | None, end: float | None) -> slice:
    first = 0 if begin is None else int(np.searchsorted(motion.time, begin - 1e-9))
    last = len(motion) if end is None else int(np.searchsorted(motion.time, end + 1e-9, side="right"))
    if last - first < LEAST:
        told = f"expected a flight of {LEAST} samples or more, got {max(0, last - first)}"
        raise ScenarioError("", f"{told} from {motion.time[0]:g} to {motion.time[-1]:g} s", motion.table.file)
    return slice(first, last, max(1, (last - first) // MOST))


def _linear(rates: Array, attitudes: Array, aligned: bool) -> tuple[Array, Array]:
    """Moments (3,) and axes (4,), principal -> the sensor's, for which the spin in space changes least."""
    x, y, z = rates.T
    o = np.zeros_like(x)
    columns = [(x, o, o), (o, y, o), (o, o, z)]  # J ω of each component of J: the moments, then the products
    columns += [] if aligned else [(y, x, o), (z, o, x), (o, z, y)]
    spins = np.stack([apply(attitudes, np.column_stack(column)) for column in columns], axis=-1)
    found = np.linalg.svd((spins - spins.mean(axis=0)).reshape(-1, len(columns)), full_matrices=False)[2][-1]
    a, b, c, d, e, f = [*found, 0.0, 0.0, 0.0][:6]
    J = np.array([[a, d, e], [d, b, f], [e, f, c]]) * np.sign(a + b + c)
    moments, directions = np.linalg.eigh(J)
    order, axes = _named(directions)
    if not moments.min() > 0.05 * moments.max():  # noise, or a motion that does not tell them
        return np.array([0.6, 0.8, 1.0]), axes
    return moments[order], axes


def _named(directions: Array) -> tuple[Array, Array]:
    """The order (3,) of principal directions, the columns of (3, 3), in which each is the nearest to x, y, z; and axes.

    The axes (4,) are the rotation from those in that order to the sensor's.
    """
    order = max(permutations(range(3)), key=lambda order: float(np.abs(np.diag(directions[:, order])).sum()))
    turned = directions[:, order] * np.where(np.diag(directions[:, order]) < 0.0, -1.0, 1.0)
    if np.linalg.det(turned) < 0.0:
        turned[:, int(np.argmin(np.abs(np.diag(turned))))] *= -1.0
    return np.array(order), from_matrix(turned)


@dataclass(frozen=True)
class _Fit:
    """Samples, and the exact motion that parameters give.

    Parameters (11,): logarithms of the first two moments over the third, a turn (3,) of the axes from ``axes`` on, the
    rate (3,) at the first sample in the sensor's axes, and a bias (3,), or the turn (3,) of the first attitude.
    """

    time: Array
    rates: Array
    attitudes: Array
    by_rates: bool
    axes: Array
    noise: float

    def state(self, p: Array) -> tuple[Array, Array, Array]:
        """Moments (3,), axes (4,) and the first attitude (4,)."""
        first = self.attitudes[0] if self.by_rates else multiply(self.attitudes[0], unit_of(p[LAST]))
        return (
            np.array([*np.exp(np.clip(p[RATIOS], -FARTHEST, FARTHEST)), 1.0]),
            multiply(self.axes, unit_of(p[TURN])),
            first,
        )

    def residual(self, p: Array, count: int) -> Array:
        """What is left (3 count,) of the first samples, and of a bias (3,) that is expected to be small."""
        moments, axes, first = self.state(p)
        q, w = free_motion(moments, multiply(first, axes), apply(conjugate(axes), p[RATE]), self.time[:count])
        if self.by_rates:
            left = self.rates[:count] - p[LAST] - apply(axes, w)
            return np.concatenate([left.ravel(), self.noise / BIAS * p[LAST]])
        return rotation_vector(multiply(conjugate(self.attitudes[:count]), multiply(q, conjugate(axes)))).ravel()


def _searched(fit: _Fit, moments: Array, held: list[slice]) -> tuple[Array, Array, float]:
    """The best parameters (11,), their covariance (11, 11), and the root of the mean square of what is left.

    Short parts of the flight come first: there the phase of a poor start is off by little.
    """
    from scipy.optimize import least_squares

    p, free = np.zeros(11), np.ones(11, bool)
    p[RATIOS], p[RATE] = np.log(moments[:2] / moments[2]), fit.rates[:3].mean(axis=0)
    for part in held:
        free[part] = False

    def left(some: Array, count: int) -> Array:
        whole = p.copy()
        whole[free] = some
        if count == len(fit.time):
            return fit.residual(whole, count)
        strayed = (whole - begun)[:5]  # moments and axes, of which a short part tells little
        return np.concatenate([fit.residual(whole, count), fit.noise / STRAY * strayed])

    count, begun = min(BEGIN, len(fit.time)), p.copy()
    while True:
        found = least_squares(left, p[free], method="lm", x_scale="jac", max_nfev=60 * int(free.sum()), args=(count,))
        p[free] = found.x
        if count == len(fit.time):
            break
        count = min(3 * count, len(fit.time))
    covariance = np.zeros((11, 11))
    covariance[np.ix_(free, free)] = 2.0 * found.cost / max(1, len(found.fun) - int(free.sum())) * _inverse(found.jac)
    return p, covariance, float(np.sqrt(2.0 * found.cost / len(found.fun)))


def _noise(samples: Array) -> float:
    """The noise of smooth samples (n, k), by their third differences."""
    return float(np.sqrt(np.mean(np.diff(samples, n=3, axis=0) ** 2) / 20.0))


def _inverse(jacobian: Array) -> Array:
    """The inverse of J^T J; large where the samples do not tell a parameter."""
    scale = np.linalg.norm(jacobian, axis=0)
    scale[scale == 0.0] = 1e-12
    _, s, v = np.linalg.svd(jacobian / scale, full_matrices=False)
    half = v.T / np.maximum(s, 1e-9 * s[0]) / scale[:, None]
    return np.asarray(half @ half.T)


def _told(fit: _Fit, p: Array, covariance: Array, residual: float, begin: float) -> Identification:
    moments, axes, first = fit.state(p)
    order, axes = _named(matrix(axes))
    moments, logs = moments[order], np.eye(3, 11) * np.array([[1.0], [1.0], [0.0]])
    largest = int(np.argmax(moments))
    logs = logs[order] - logs[order][largest]
    deviations = np.sqrt(np.maximum(np.diag(logs @ covariance @ logs.T), 0.0))
    spread = np.sqrt(np.diag(covariance))
    ratios = moments / moments[largest]
    return Identification(
        begin=begin,
        end=begin + float(fit.time[-1]),
        samples=len(fit.time),
        ratios=ratios,
        axes=axes,
        angular_velocity=p[RATE].copy(),
        orientation=first,
        bias=p[LAST].copy() if fit.by_rates else np.zeros(3),
        ratio_deviations=ratios * deviations,
        velocity_deviations=spread[RATE],
        bias_deviations=spread[LAST] if fit.by_rates else np.zeros(3),
        axes_deviation=float(np.linalg.norm(spread[TURN])),
        residual=residual,
    )
