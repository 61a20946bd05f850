"""The motion of a free body through samples of its flight: what is left, the search, and the covariance.

The motion is given by its state at the sample where it changes most, from which it is followed to both ends. Near the
intermediate axis the state at the begin would not do: there the sign of a small rate decides which way the body flips.
For the same reason the intermediate moment J is replaced by L² / 2T - J where the body flips: the times of the flips
give this distance from the separatrix to some 1e-8, so that parameters without it lie in a narrow, bent valley.

The air may slow the body: the rate w about each principal axis then falls by c |w| w, with one c or three.
Models are compared by Akaike's criterion for small samples (Hurvich & Tsai 1989), by as many independent samples as the
residuals of the largest model have.

Rounded samples have likelihoods of their own. The error of one is as good as noise where the noise is half a step or
more: what is left of it in the mean falls as exp(-2 π² σ² / Δ²), 0.7 % there. Below that, samples of a slow motion err
all the same way, and least squares gives an uncertainty that is too small. A sample y then says only that the value
with its noise was within Δ / 2 of y.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from physics.core.cancellation import check_wanted
from physics.core.rotation import Array, apply, conjugate, from_matrix, matrix, multiply, rotation_vector, unit_of
from physics.measured.motion import GAP
from physics.schemes.free_motion import free_motion, motion_in_air

NEAREST = 0.05  # of a step: deviations of the values from whole steps, by the digits of a file
FINEST = 0.05  # of a step: less noise than this makes likelihoods of edges alone
TAIL = 6  # steps to each side that have a share in an expected value


def step_of(values: Array) -> float:
    """The step of which all differences of rounded values (n, k) in a column are multiples; 0 where there is none."""
    levels = [np.unique(column) for column in values.T]
    spans = np.concatenate([np.diff(column) for column in levels])
    if not len(spans):
        return 0.0
    step = float(spans.min())
    step = float(spans.sum() / np.round(spans / step).sum())
    off = [(column - column[0]) / step for column in levels]
    return step if all(np.abs(one - np.round(one)).max() < NEAREST for one in off) else 0.0


def deviance(off: Array, step: float, noise: float) -> Array:
    """Signed roots of twice the logarithm by which a value at a distance ``off`` (n,) is less likely than at 0.

    off : of the value from the sample. The sum of squares is smallest where the samples are the likeliest; of a small
    step it is the usual one over the variance of the noise.
    """
    u, half = np.abs(off) / noise, 0.5 * step / noise
    return np.asarray(np.sign(off) * np.sqrt(2.0 * np.maximum(_logarithm(0.0 * u, half) - _logarithm(u, half), 0.0)))


def scores(off: Array, step: float, noise: float) -> Array:
    """Slopes (n,) of the logarithm of the likelihood over the distance ``off`` (n,) of the value from the sample."""
    u, half = np.abs(off) / noise, 0.5 * step / noise
    upper, lower = -0.5 * (half - u) ** 2, -0.5 * (half + u) ** 2
    slope = (np.exp(lower - _logarithm(u, half)) - np.exp(upper - _logarithm(u, half))) / math.sqrt(2.0 * math.pi)
    return np.asarray(np.sign(off) * slope / noise)


def noise_of(off: Array, step: float) -> float:
    """The standard deviation of the noise before rounding for which samples at distances (n,) are the likeliest."""
    from scipy.optimize import minimize_scalar

    def unlikely(logarithm: float) -> float:
        noise = math.exp(logarithm)
        return -float(_logarithm(np.abs(off) / noise, 0.5 * step / noise).sum())

    bounds = math.log(FINEST * step), math.log(step)
    return math.exp(float(minimize_scalar(unlikely, bounds=bounds, method="bounded", options={"xatol": 1e-3}).x))


def information(off: Array, step: float, noise: float) -> Array:
    """Fisher's information (n,) of one sample on the value, which lies at ``off`` (n,) from a level of the sensor."""
    from scipy.special import ndtr

    within = off - step * np.round(off / step)
    edges = (within[:, None] + step * (np.arange(-TAIL, TAIL + 2) - 0.5)) / noise
    shares = np.diff(ndtr(edges), axis=1)
    slopes = np.diff(np.exp(-0.5 * edges**2), axis=1) / (noise * math.sqrt(2.0 * math.pi))
    sure = shares > 1e-12  # smaller ones are rounding
    return np.asarray((np.where(sure, slopes, 0.0) ** 2 / np.where(sure, shares, 1.0)).sum(axis=1))


def _logarithm(u: Array, half: float) -> Array:
    """Logarithm of the share of a normal distribution between u - half and u + half, for u >= 0."""
    from scipy.special import log_ndtr

    upper, lower = log_ndtr(half - u), log_ndtr(-half - u)
    return np.asarray(upper + np.log1p(-np.exp(lower - upper)))


BIAS = 0.2  # [rad/s] standard deviation that is expected of it, some 11 deg/s: larger ones feign other moments
AIR = 0.2  # standard deviation that is expected of a drag over the moments: a racquet has some 0.03
SIDE = 4  # samples to each side whose means show how much the rates change
BEGIN = 75  # samples of the first part of a flight that is searched; then three times as many, and so on
FLIPS = 0.05  # of the energy about the outer axes, at the origin, from which on the distance is taken
FARTHEST = 5.5  # logarithm of a ratio: of a needle 16 times as long as broad
STRAY = 0.3  # standard deviation of moments (logarithm) and axes [rad] from the linear ones, in parts of a flight
COARSE = 1.7  # steps over what is left from which on they are larger than twice the noise
TINY, SMALL = 1e-9, 0.1  # steps of derivatives: of all parameters, and in standard deviations of what is left
ENOUGH = 1e-6  # relative change of the squares at which a search ends: of 900 samples a thousandth of one's share
ROUGHLY = 1e-3  # the same of a part of the flight: in the bent valley many small steps would lead on
FEW, MANY = 30, 660  # steps of a search: free motions mostly take 17 or fewer, nearly symmetric bodies hundreds
NEAR = 2.0  # times the noise of the samples: what is left beyond is no noise, and hundreds of steps change little
LITTLE = 0.1  # of the rates, or [rad]: of more than this and noise, a few turns may not show a correlation
ROUNDS = 2  # of noise and parameters in turn, where steps are coarse
TURNED = 0.5  # [rad] that the body turns in a part of a flight over which what is left is summed
COLOURED = 0.19  # correlation of neighbouring parts of noise that a sensor's filter has smoothed
DOUBT = 3.0  # standard deviations of a correlation beyond which it is not one of noise
BETWEEN = 6.0  # second differences of samples over the error of what was interpolated or differenced between them
RATIOS, TURN, RATE, LAST, DRAG = slice(0, 2), slice(2, 5), slice(5, 8), slice(8, 11), slice(11, 14)  # of parameters
PARAMETERS = 14


@dataclass(frozen=True)
class Samples:
    """Samples of one flight.

    Attributes
    ----------
    time : (n,) [s]; rates : (n, 3) [rad/s] about the axes of the body; attitudes : (n, 4) of these axes
    used : (n, 3) the rates about the sensor's axes that count; to_sensor : (4,) from the body's axes to those
    by_rates : whether rates are fitted; else attitudes
    origin : the number of the sample whose state is sought; noise : of the samples, in rad/s or rad
    """

    time: Array
    rates: Array
    attitudes: Array
    used: np.ndarray
    to_sensor: Array
    by_rates: bool
    origin: int
    noise: float

    @cached_property
    def fastest(self) -> float:
        """The largest rate [rad/s] of the samples that count."""
        here = self.used.all(axis=1)
        return float(np.linalg.norm(self.rates[here], axis=1).max())

    @property
    def size(self) -> float:
        """Scale of a residual: the root mean square of the rates [rad/s], or 1 rad."""
        return root(self.rates) if self.by_rates else 1.0

    def around(self, count: int) -> slice:
        """The numbers of about ``count`` samples around the origin."""
        return slice(max(0, self.origin - count // 2), self.origin + count // 2 + 1)


def unbroken(time: Array, whole: np.ndarray, count: int) -> np.ndarray:
    """True where that many samples from each on (n - count + 1,) count, ``whole`` (n,), and have no gap among them."""
    there = np.lib.stride_tricks.sliding_window_view(whole, count).all(axis=-1)
    spans = time[count - 1 :] - time[: len(time) - count + 1]
    return np.asarray(there & (spans < (count - 2 + GAP) * np.median(np.diff(time))))


def origin_of(time: Array, rates: Array, whole: np.ndarray) -> int:
    """The sample around which rates (n, 3) change most, without a gap; whole : (n,) the samples that count."""
    ahead = np.lib.stride_tricks.sliding_window_view(rates, SIDE, axis=0).mean(axis=-1)
    change = np.linalg.norm(ahead[SIDE:] - ahead[:-SIDE], axis=1)
    there = unbroken(time, whole, 2 * SIDE)
    return SIDE + int(np.argmax(np.where(there, change, -1.0))) if there.any() else int(np.argmax(whole))


@dataclass(frozen=True)
class FlightFit:
    """Samples, and the motion that parameters give.

    Parameters (14,): logarithms of the first two moments over the third, a turn (3,) of the axes from ``axes`` on, the
    rate (3,) at the origin in the body's axes, a bias (3,), or the turn (3,) of the attitude at the origin, and a drag
    (3,) over the moments.
    by_distance : the second parameter is the distance L² / 2T - J of the second moment; the third is then the largest
    factors : of the drag that are sought: 0, the motion is the exact one; 1, the first is that of all axes; 3
    """

    samples: Samples
    axes: Array
    by_distance: bool = False
    factors: int = 0

    def drag(self, p: Array) -> Array:
        """The drag (3,) over the moments."""
        return np.full(3, p[DRAG][0]) if self.factors == 1 else p[DRAG]

    def moments_and_axes(self, p: Array) -> tuple[Array, Array]:
        """Moments (3,), and principal axes (4,) -> the body's."""
        axes = multiply(self.axes, unit_of(p[TURN]))
        first, second = np.exp(np.clip(p[RATIOS], -FARTHEST, FARTHEST))
        if self.by_distance:
            x, y, z = apply(conjugate(axes), p[RATE]) ** 2
            energy, spin = first * x + z, first**2 * x + z  # the share of the outer axes in 2T and L²
            second = np.clip((spin - p[1] * energy) / (energy + p[1] * y), np.exp(-FARTHEST), np.exp(FARTHEST))
        return np.array([first, second, 1.0]), axes

    def ordered(self, p: Array) -> tuple[FlightFit, Array]:
        """The same motion (fit and parameters) with moments that rise, by distance where the body flips."""
        moments, axes = self.moments_and_axes(p)
        order = np.argsort(moments)
        directions = matrix(axes)[:, order]
        directions[:, 0] *= np.linalg.det(directions)
        moments, axes = moments[order] / moments[order[2]], from_matrix(directions)
        rates = apply(conjugate(axes), p[RATE])
        energy, spin = moments * rates**2, (moments * rates) ** 2
        flips = bool(energy[0] + energy[2] > FLIPS * energy.sum())
        second = spin.sum() / energy.sum() - moments[1] if flips else np.log(moments[1])
        drag = p[DRAG] if self.factors < 3 else p[DRAG][order]
        return replace(self, axes=axes, by_distance=flips), np.concatenate(
            [[np.log(moments[0]), second, 0.0, 0.0, 0.0], p[RATE], p[LAST], drag]
        )

    def motion(self, p: Array, part: slice) -> tuple[Array, Array]:
        """Attitudes (n, 4) of the body's axes, and rates (n, 3) about them, at some of the samples."""
        axes, q, w = self._principal(p, part)
        return multiply(q, conjugate(axes)), apply(axes, w)

    def _principal(self, p: Array, part: slice) -> tuple[Array, Array, Array]:
        """The principal axes (4,), and attitudes (n, 4) of them and rates (n, 3) about them at some of the samples."""
        given = self.samples
        moments, axes = self.moments_and_axes(p)
        first = given.attitudes[given.origin]
        first = first if given.by_rates else multiply(first, unit_of(p[LAST]))
        time = given.time[part] - given.time[given.origin]
        q, w = multiply(first, axes), apply(conjugate(axes), p[RATE])
        if self.factors:
            q, w = motion_in_air(moments, self.drag(p), q, w, time, given.fastest)
        else:
            q, w = free_motion(moments, q, w, time)
        return axes, q, w

    def left(self, p: Array, part: slice) -> Array:
        """Residuals (m,) of the samples that count, about the sensor's axes."""
        off = self.residuals(p, part)
        return off[self.samples.used[part]] if self.samples.by_rates else off.ravel()

    def residuals(self, p: Array, part: slice = slice(None)) -> Array:
        """Residuals (n, 3) of all samples, about the sensor's axes."""
        given, (axes, q, w) = self.samples, self._principal(p, part)
        if given.by_rates:
            return _turned(given.to_sensor, given.rates[part] - p[LAST] - _turned(axes, w))
        return rotation_vector(multiply(conjugate(given.attitudes[part]), multiply(q, conjugate(axes))))

    def expected(self, p: Array) -> Array:
        """Bias, but where attitudes are fitted, and drag, over the standard deviations that are expected of them."""
        return np.concatenate([p[LAST] / BIAS if self.samples.by_rates else [], p[of_air(self.factors)] / AIR])


def _turned(q: Array, v: Array) -> Array:
    """R(q) v of one quaternion (4,) and many vectors (n, 3), by its matrix: a fifth of the work of ``apply``."""
    return np.asarray(v @ matrix(q).T)


@dataclass(frozen=True)
class FlightSolution:
    """The best parameters (14,) of a fit, their covariance (14, 14), and the root of the mean square of what is left.

    steps : (14,) changes of single parameters that are small for the samples; 0 of what is held
    correlation : of what is left in neighbouring parts of the flight; usual : the largest one of noise
    independent : samples that tell as much as those that count, whose noise hangs together; sought : parameters
    """

    fit: FlightFit
    parameters: Array
    covariance: Array
    steps: Array
    residual: float
    correlation: float
    usual: float
    independent: float
    sought: int

    def criterion(self, independent: float) -> float:
        """Akaike's criterion for small samples, of so many; the noise is a parameter, too."""
        k = self.sought + 1
        spare = max(independent - k - 1.0, 1.0)
        return 2.0 * independent * math.log(self.residual) + 2.0 * k + 2.0 * k * (k + 1) / spare

    @property
    def is_smooth(self) -> bool:
        """True if what is left is less than what lies between samples: it says nothing of the air."""
        return self.residual <= _between(self.fit.samples)

    @property
    def is_free(self) -> bool:
        """True if a free motion fits: the residual is noise, or less than what lies between samples."""
        samples = self.fit.samples
        little = self.residual <= max(LITTLE * samples.size, NEAR * samples.noise)
        return little and (self.correlation <= self.usual or self.is_smooth)

    def spread(self, function: Callable[[Array], Array]) -> Array:
        """The standard deviations (m,) of a function of the parameters."""
        there = _slopes(function, self.parameters, self.steps)
        return np.sqrt(np.maximum(np.diag(there @ self.covariance @ there.T), 0.0))


def of_air(factors: int) -> np.ndarray:
    """(14,) true of so many parameters of the drag."""
    found = np.zeros(PARAMETERS, bool)
    found[DRAG.start : DRAG.start + factors] = True
    return found


def approached(fit: FlightFit, moments: Array, free: np.ndarray) -> tuple[FlightFit, Array]:
    """Parameters (14,) roughly, from moments on, and the fit that they belong to; only free ones (14,) change.

    Short parts of the flight come first: there the phase of a poor start is off by little.
    """
    given, p = fit.samples, np.zeros(PARAMETERS)
    free = free | of_air(fit.factors)
    near = given.around(3)
    p[RATIOS], p[RATE] = np.log(moments[:2] / moments[2]), given.rates[near].mean(axis=0)
    begun, count = p.copy(), BEGIN
    while count < 2 * len(given.time):
        part = given.around(count)

        def strays(some: Array, part: slice = part) -> Array:
            off = (some - begun)[:5]  # moments and axes, of which a short part says little
            scaled = given.noise * np.concatenate([fit.expected(some), off / STRAY])
            return np.concatenate([fit.left(some, part), scaled])

        p = _least(strays, p, free, ROUGHLY)
        count *= 3
    return fit.ordered(p)


def solved(fit: FlightFit, p: Array, free: np.ndarray) -> FlightSolution:
    """The free parameters (14,), with those of the drag, that fit all samples best, from ``p`` on."""
    free = free | of_air(fit.factors)
    given, whole = fit.samples, slice(0, len(fit.samples.time))

    def unlikely(some: Array) -> Array:
        return np.concatenate([fit.left(some, whole), given.noise * fit.expected(some)])

    p = _least(unlikely, p, free)
    if root(fit.left(p, whole)) < NEAR * given.noise:
        p = _least(unlikely, p, free, most=MANY)
    residual = root(fit.left(p, whole))
    step = step_of(apply(given.to_sensor, given.rates)) if given.by_rates else 0.0
    if step <= COARSE * residual:
        scores = fit.left(p, whole)
        weights = np.full(len(scores), residual**-2)
    else:
        p, weights, scores = _by_intervals(fit, p, free, step)
        residual = root(fit.left(p, whole))
    correlation, usual, widening = neighbours(given, scores)
    covariance, steps = _covariance(fit, p, free, weights)
    independent = len(weights) / widening
    return FlightSolution(
        fit, p, widening * covariance, steps, residual, correlation, usual, independent, int(free.sum())
    )


def neighbours(samples: Samples, scores: Array) -> tuple[float, float, float]:
    """Correlation of residuals (m,) of samples: a correlation, the largest of noise, a widening of variances.

    Noise is compared in parts in which the body turns by TURNED: their sums, each over the root of the number of its
    samples, are as independent as the samples where these have white noise. A filter of the sensor smooths noise over
    its time constant. One of first order whose band is 7 times the rate of the body, which it then changes by 1 %, has
    a constant of 1/7 rad: x = 7 TURNED of them in a part give neighbours a correlation
    (1 - exp -x)² / 2 (x - 1 + exp -x) = COLOURED. A motion that is not the fitted one differs from it at the rate of
    the body, or at twice that: neighbours then have cos TURNED to cos 2 TURNED, 0.9 to 0.5.

    The standard deviation of the correlation is that of independent sums of any variances (White 1980, of products).
    The widening is the spectral density of the sums at 0 over the variance of samples: least squares count smoothed
    samples as independent, and give too small a variance.
    """
    used = samples.used if samples.by_rates else np.ones((len(samples.time), 3), bool)
    left = np.zeros(used.shape)
    left[used] = scores
    squares = np.sum(samples.rates[samples.used.all(axis=1)] ** 2, axis=1)
    usual_rate = np.sqrt(np.sum(squares**2) / max(float(np.sum(squares)), 1e-300))  # that at which it turns, if it does
    parts = np.floor((samples.time - samples.time[0]) * usual_rate / TURNED)
    firsts = np.flatnonzero(np.diff(parts, prepend=-1.0))
    counts = np.add.reduceat(used.astype(float), firsts, axis=0)
    sums = np.add.reduceat(left, firsts, axis=0) / np.sqrt(np.maximum(counts, 1.0))
    pairs = (counts[1:] > 0.0) & (counts[:-1] > 0.0)
    one, two = sums[:-1][pairs], sums[1:][pairs]
    size = max(0.5 * float(one @ one + two @ two), 1e-300)
    correlation = float(one @ two) / size
    usual = COLOURED + DOUBT * float(np.sqrt(np.sum((one * two) ** 2))) / size
    variance = max(float(np.mean(scores**2)), 1e-300)
    density = float(np.mean(sums[counts > 0.0] ** 2)) * (1.0 + 2.0 * max(correlation, 0.0))
    return correlation, usual, max(1.0, density / variance)


def _between(samples: Samples) -> float:
    """The error [rad/s] or [rad] of samples that were interpolated, or differenced, from others as far apart.

    Of centred differences, h²/6 of the second derivative; linear interpolation errs by h²/8.
    """
    h = float(np.median(np.diff(samples.time)))
    if samples.by_rates:
        return root(np.diff(samples.rates, n=2, axis=0)) / BETWEEN
    return root(np.diff(samples.rates, axis=0)) * h / BETWEEN


def _by_intervals(fit: FlightFit, p: Array, free: np.ndarray, step: float) -> tuple[Array, Array, Array]:
    """The likeliest parameters (14,) of samples that name intervals, information of each sample (m,), scores (m,).

    Scores, the slopes of the likelihood, are as independent as the noise before rounding (Gourieroux et al. 1987); the
    errors of rounding themselves hang together where the motion is slow.
    """
    whole = slice(0, len(fit.samples.time))
    for _ in range(ROUNDS):
        noise = noise_of(fit.left(p, whole), step)

        def unlikely(some: Array, noise: float = noise) -> Array:
            return np.concatenate([deviance(fit.left(some, whole), step, noise), fit.expected(some)])

        p = _least(unlikely, p, free)
    off = fit.left(p, whole)
    return p, information(off, step, noise), scores(off, step, noise)


def _least(
    function: Callable[[Array], Array], p: Array, free: np.ndarray, enough: float = ENOUGH, most: int = FEW
) -> Array:
    """The parameters from p on for which the squares of a function add up to least; only free ones change.

    enough : relative change of the squares at which the search ends; most : steps after which it ends
    """
    from scipy.optimize import least_squares

    def of_free(some: Array) -> Array:
        check_wanted()
        whole = p.copy()
        whole[free] = some
        return function(whole)

    found = p.copy()
    found[free] = least_squares(of_free, p[free], method="lm", x_scale="jac", ftol=enough, max_nfev=most).x
    return found


def root(left: Array) -> float:
    """The root of the mean square of what is left; no less than rounding."""
    return max(1e-14, float(np.sqrt(np.mean(left**2))))


def _slopes(function: Callable[[Array], Array], p: Array, steps: Array) -> Array:
    """The derivatives (m, 14) of a function of the parameters, by centred differences; 0 where a step is 0."""
    columns = []
    for i, step in enumerate(steps):
        h = np.eye(len(p))[i] * step
        columns.append((function(p + h) - function(p - h)) / (2.0 * step or 1.0))
    return np.column_stack(columns)


def _covariance(fit: FlightFit, p: Array, free: np.ndarray, weights: Array) -> tuple[Array, Array]:
    """The covariance (14, 14) by the information of the samples, each with a weight (m,); and steps (14,)."""
    whole = slice(0, len(fit.samples.time))

    def scaled(some: Array) -> Array:
        return np.concatenate([np.sqrt(weights) * fit.left(some, whole), fit.expected(some)])

    tiny = _slopes(scaled, p, TINY * free)
    steps = np.where(free, SMALL / np.maximum(np.linalg.norm(tiny, axis=0), 1.0), 0.0)
    found = np.zeros((len(p), len(p)))
    spare = max(1, len(weights) - int(free.sum()))
    found[np.ix_(free, free)] = len(weights) / spare * _inverse(_slopes(scaled, p, steps)[:, free])
    return found, steps


def _inverse(jacobian: Array) -> Array:
    """The inverse of J^T J; large where the samples do not determine a parameter."""
    scale = np.linalg.norm(jacobian, axis=0)
    scale[scale == 0.0] = 1e-12
    _, s, v = np.linalg.svd(jacobian / scale, full_matrices=False)
    half = v.T / np.maximum(s, 1e-9 * s[0]) / scale[:, None]
    return np.asarray(half @ half.T)
