"""Identification: the ratios of a body's principal moments, its principal axes and its start from a free flight.

The exact motion is fitted to what a sensor has recorded, see physics.analysis.flight_fit: no differences of noisy rates
are taken. The start of the search is linear: attitudes R_i and rates w_i of one free flight keep the spin R_i J w_i, so
that J is the null vector of a matrix of known numbers, but for its scale, which no free motion determines.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import permutations

import numpy as np

from physics.analysis.flight_fit import (
    LAST,
    TURN,
    Fit,
    Samples,
    Solution,
    approached,
    origin_of,
    root,
    solved,
    unbroken,
)
from physics.core.errors import PhysicsError, ScenarioError
from physics.core.rotation import Array, apply, conjugate, from_matrix, matrix
from physics.measured.motion import MeasuredMotion, gaps

LEAST = 20  # samples of a flight that count
MOST = 20_000  # samples that are taken: of more every n-th
NOISY = 1.3  # times the noise of the samples: what is left beyond is no noise, and another start may do better
UNKNOWN = 0.3  # standard deviation of a ratio, over the ratio, from which on the motion does not determine it
DEVIATIONS = ("ratio_deviations", "velocity_deviations", "bias_deviations", "axes_deviation")
SURE = 1.96  # standard deviations to each side of an interval that holds the truth in 95 of 100 cases


# moments and axes from which the search begins where that from the linear ones has ended far from the samples
OTHERS = [(np.array(order), np.array([1.0, 0.0, 0.0, 0.0])) for order in permutations((0.5, 0.75, 1.0))]


@dataclass(frozen=True)
class Identification:
    """Moments, axes and start of a body, from a free flight.

    Attributes
    ----------
    begin, end : of the flight [s]; samples : that were taken
    left_out : samples among them of which the fit takes nothing about an axis where the gyroscope was at its end
    ratios : (3,) principal moments over the largest one, in the order of the axes
    axes : (4,) principal axes -> the axes of the sensor, or of the body where the file's table turns them
    angular_velocity : (3,) [rad/s] at ``begin``, in these axes; orientation : (4,) of these axes at ``begin``
    bias : (3,) [rad/s] of the gyroscope in these axes; zero where attitudes were taken
    ratio_deviations (3,), velocity_deviations (3,) [rad/s], bias_deviations (3,) [rad/s], axes_deviation [rad] :
        standard deviations; 0 for what was held
    residual : root of the mean square of what is left, in ``unit``: rad/s, or rad where attitudes were taken
    correlation : of what is left in neighbouring parts of the flight; usual : the largest one that noise gives
    fitted : whether a free motion fits: what is left is noise. Else ratios, axes, rates and bias are those of the
        nearest free motion, which is another one than that of the body, and all deviations are NaN
    """

    begin: float
    end: float
    samples: int
    left_out: int
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
    unit: str
    correlation: float
    usual: float
    fitted: bool

    @property
    def doubt(self) -> str:
        """A sentence on why the numbers are not those of the body; "" where a free motion fits."""
        if self.fitted:
            return ""
        return (
            f"no free motion fits from {self.begin:g} to {self.end:g} s: the residuals of neighbouring samples are "
            f"correlated ({self.correlation:.2f}; noise gives at most {self.usual:.2f}), "
            f"their root mean square is {self.residual:.3g} {self.unit}"
        )

    @property
    def determined(self) -> bool:
        """True if the motion determines the ratios."""
        return bool((self.ratio_deviations / self.ratios).max() < UNKNOWN)

    def facts(self) -> dict[str, object]:
        """As plain values, for JSON; None for deviations where no free motion fits."""
        unknown = () if self.fitted else DEVIATIONS
        plain = {name: v.tolist() if isinstance(v, np.ndarray) else v for name, v in self.__dict__.items()}
        return plain | dict.fromkeys(unknown)

    def without_intervals(self) -> Identification:
        """The same with deviations of NaN."""
        return replace(self, **{name: np.nan * (1.0 + getattr(self, name)) for name in DEVIATIONS})


def identify(
    motion: MeasuredMotion,
    begin: float | None = None,
    end: float | None = None,
    *,
    aligned: bool = False,
    unbiased: bool = False,
) -> Identification:
    """Identify a body from the samples from ``begin`` to ``end`` [s], where it flies freely.

    aligned : the sensor's axes are the principal ones; unbiased : the gyroscope has no bias. The residual is one of
    rates where the file has them, else one of attitudes. Where no free motion fits the nearest one is returned, without
    deviations. Raises ScenarioError where there are too few samples, and PhysicsError where a free motion fits but does
    not determine the ratios.
    """
    samples = _within(motion, begin, end)
    time = samples.time
    free = np.ones(11, bool)
    for held in [TURN] * aligned + [LAST] * (samples.by_rates and unbiased):
        free[held] = False
    best = _best(samples, free, [_linear(samples, motion.relative, aligned)])
    if best is None or not best.determined or not best.fitted or best.residual > NOISY * samples.noise:
        other = _best(samples, free, OTHERS)
        found = [one for one in (best, other) if one is not None]
        best = min(found, key=lambda one: (not one.fitted, not one.determined, one.residual), default=None)
    if best is None or (best.fitted and not best.determined):
        raise PhysicsError(
            f"the motion from {time[0]:g} to {time[-1]:g} s does not tell the ratios of the moments: "
            "expected a body that turns about all its axes, for some turns, in free flight"
        )
    return best if best.fitted else best.without_intervals()


def _best(samples: Samples, free: np.ndarray, starts: Sequence[tuple[Array, Array]]) -> Identification | None:
    """The fit from that start, moments (3,) and axes (4,), whose rough fit leaves the smallest residual."""
    rough: list[tuple[Fit, Array]] = []
    whole = slice(0, len(samples.time))
    with np.errstate(all="ignore"):
        for moments, axes in starts:
            with suppress(ValueError, np.linalg.LinAlgError):  # of numbers that are not finite: rates without sense
                rough.append(approached(Fit(samples, axes), moments, free))
        if not rough:
            return None
        fit, p = min(rough, key=lambda one: root(one[0].left(one[1], whole)))
        try:
            return _identification(solved(fit, p, free))
        except (ValueError, np.linalg.LinAlgError):
            return None


def _within(motion: MeasuredMotion, begin: float | None, end: float | None) -> Samples:
    """The samples of a flight; those at the end of the gyroscope's range do not count."""
    first = 0 if begin is None else int(np.searchsorted(motion.time, begin - 1e-9))
    last = len(motion) if end is None else int(np.searchsorted(motion.time, end + 1e-9, side="right"))
    part = motion.taken(slice(first, last, max(1, (last - first) // MOST)))
    by_rates = motion.table.angular_velocity is not None
    used = np.ones((len(part), 3), bool)
    if by_rates and part.saturated is not None:
        used &= ~part.saturated
    if not by_rates:  # rates that come of attitudes are wrong at both sides of a gap; these attitudes are not
        used[[*gaps(part.time), *(gaps(part.time) + 1)]] = False
    whole = np.asarray(used.all(axis=1))
    if whole.sum() < LEAST:
        text = f"expected a flight of {LEAST} samples or more, got {whole.sum()}"
        text += f" beside {len(part) - whole.sum()} at the end of the gyroscope's range" if len(part) >= LEAST else ""
        raise ScenarioError("", f"{text} from {motion.time[0]:g} to {motion.time[-1]:g} s", motion.table.file)
    turn = motion.table.turn()
    return Samples(
        time=part.time,
        rates=part.angular_velocity,
        attitudes=part.orientation,
        used=used,
        to_sensor=np.array([1.0, 0.0, 0.0, 0.0]) if turn is None else conjugate(turn),
        by_rates=by_rates,
        origin=origin_of(part.time, part.angular_velocity, whole),
        noise=_noise(part.time, part.angular_velocity if by_rates else part.orientation, whole),
    )


def _linear(samples: Samples, relative: bool, aligned: bool) -> tuple[Array, Array]:
    """Moments (3,) and axes (4,), principal -> the sensor's, for which the spin in space changes least.

    relative : attitudes come of the rates; the spin is then compared only between samples that follow each other.
    """
    here = samples.used.all(axis=1)
    x, y, z = samples.rates[here].T
    o = np.zeros_like(x)
    columns = [(x, o, o), (o, y, o), (o, o, z)]  # J ω of each component of J: the moments, then the products
    columns += [] if aligned else [(y, x, o), (z, o, x), (o, z, y)]
    spins = np.stack([apply(samples.attitudes[here], np.column_stack(column)) for column in columns], axis=-1)
    breaks = np.diff(np.flatnonzero(here)) > 1
    breaks[gaps(samples.time[here])] = True
    parts = np.split(spins, np.flatnonzero(breaks) + 1) if relative else [spins]
    off = np.concatenate([part - part.mean(axis=0) for part in parts])
    found = np.linalg.svd(off.reshape(-1, len(columns)), full_matrices=False)[2][-1]
    a, b, c, d, e, f = [*found, 0.0, 0.0, 0.0][:6]
    J = np.array([[a, d, e], [d, b, f], [e, f, c]]) * np.sign(a + b + c)
    moments, directions = np.linalg.eigh(J)
    order, axes = _named(directions)
    if not moments.min() > 0.05 * moments.max():  # noise, or a motion that does not determine them
        return np.array([0.6, 0.8, 1.0]), axes
    return moments[order], axes


def _named(directions: Array) -> tuple[Array, Array]:
    """The order (3,) of principal directions, the columns of (3, 3), in which each is the nearest to x, y, z; and axes.

    The axes (4,) are the rotation from those in that order to the sensor's.
    """

    def nearness(order: tuple[int, ...]) -> float:
        return float(np.abs(np.diag(directions[:, order])).sum())

    order = max(permutations(range(3)), key=nearness)
    turned = directions[:, order] * np.where(np.diag(directions[:, order]) < 0.0, -1.0, 1.0)
    if np.linalg.det(turned) < 0.0:
        turned[:, int(np.argmin(np.abs(np.diag(turned))))] *= -1.0
    return np.array(order), from_matrix(turned)


def _noise(time: Array, samples: Array, whole: np.ndarray) -> float:
    """The noise of smooth samples (n, k), by third differences of those that count and follow each other.

    In rad of attitudes (n, 4): a quaternion changes by half the angle, in three of four directions.
    """
    near = unbroken(time, whole, 4)
    thirds = np.diff(samples, n=3, axis=0)[near if near.any() else slice(None)]
    noise = float(np.sqrt(np.mean(thirds**2) / 20.0))
    return noise if samples.shape[1] == 3 else noise * 4.0 / np.sqrt(3.0)


def _identification(found: Solution) -> Identification:
    """The best parameters as quantities of the body."""
    fit, p, samples, begin = found.fit, found.parameters, found.fit.samples, slice(0, 1)
    moments, axes = fit.moments_and_axes(p)
    order, axes = _named(matrix(axes))
    largest = int(np.argmax(moments))

    def logarithms(some: Array) -> Array:
        logs = np.log(fit.moments_and_axes(some)[0])
        return np.asarray((logs - logs[largest])[order])

    attitude, rate = fit.motion(p, begin)
    ratios = (moments / moments[largest])[order]
    bias_deviations = found.spread(lambda some: some[LAST])
    return Identification(
        begin=float(samples.time[0]),
        end=float(samples.time[-1]),
        samples=len(samples.time),
        left_out=int((~samples.used).any(axis=1).sum()) if samples.by_rates else 0,
        ratios=ratios,
        axes=axes,
        angular_velocity=rate[0],
        orientation=samples.attitudes[0] if samples.by_rates else attitude[0],
        bias=p[LAST].copy() if samples.by_rates else np.zeros(3),
        ratio_deviations=ratios * found.spread(logarithms),
        velocity_deviations=found.spread(lambda some: fit.motion(some, begin)[1][0]),
        bias_deviations=bias_deviations if samples.by_rates else np.zeros(3),
        axes_deviation=float(np.linalg.norm(found.spread(lambda some: some[TURN]))),
        residual=found.residual,
        unit="rad/s" if samples.by_rates else "rad",
        correlation=found.correlation,
        usual=found.usual,
        fitted=found.is_free,
    )
