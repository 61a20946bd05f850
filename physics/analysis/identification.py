"""Identification: the ratios of a body's principal moments, its principal axes, its start and its drag from a flight.

The motion without torque, or with that of the air, is fitted to what a sensor has recorded, see
physics.analysis.flight_fit: no differences of noisy rates are taken. The start of the search is linear: attitudes R_i
and rates w_i of one free flight keep the spin R_i J w_i, so that J is the null vector of a matrix of known numbers, but
for its scale, which no free motion determines.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import permutations

import numpy as np

from physics.analysis.flight_fit import (
    DRAG,
    LAST,
    TURN,
    FlightFit,
    FlightSolution,
    Samples,
    approached,
    of_air,
    origin_of,
    root,
    solved,
    unbroken,
)
from physics.analysis.flips import NEAR as STEADY
from physics.analysis.flips import Flips
from physics.core.errors import PhysicsError, ScenarioError
from physics.core.rotation import Array, apply, conjugate, from_matrix, matrix
from physics.core.wording import N_
from physics.measured.motion import MeasuredMotion, gaps

MIN_SAMPLES = 20  # samples of a flight that count
MAX_SAMPLES = 20_000  # samples that are taken: of more every n-th
NOISY = 1.3  # times the noise of the samples: what is left beyond is no noise, and another start may do better
UNKNOWN = 0.3  # standard deviation of a ratio, over the ratio, from which on the motion does not determine it well
FLATTEST = 0.01  # ratio of moments: needles 10 times as long as broad have 0.015
NOTHING = 1.0  # the same, from which on it says nothing: 95 % lie between a seventh and seven times the ratio
DEVIATIONS = ("ratio_deviations", "velocity_deviations", "bias_deviations", "axes_deviation", "drag_deviations")
WINDOW = 4.0  # [rad] by which the body turns in a window in which a flight is looked for
WINDOWS = 8  # windows that begin while it turns by as much
UNEVEN = 0.1  # change of the spin, over its size, in a window that is no flight; a bias and noise give up to 0.03
TRIES = 4  # windows from which a flight is followed
SCANNED = 100_000  # samples in which windows are looked at; of more every n-th
FITTED = 1000  # samples of a part that is fitted on the way to a flight
GROWTHS = 16  # times that a part may grow
GROWTH, LEAST_GROWTH = 0.5, 0.04  # of its length, by which it grows at each end
ROUGH = 0.015  # share of the rates: a flight in the air leaves as much, which is a law of its own
BLOCK = 5  # samples in a row
STRAY = 2.5  # times the residual of the part: what is left in a block beyond its ends is no noise
LARGEST_BIAS = 1.0  # [rad/s], 57 deg/s: gyroscopes have less
PART = 1.3  # times the part that an accelerometer shows, from which on a flight is longer than it
SPARSE = 0.5  # [rad] by which the body turns between samples that say nothing of the air
MOST = 0.4  # share of the rates, or [rad]: where more is left, it is not for the air
SURE = 1.96  # standard deviations to each side of an interval that holds the truth in 95 of 100 cases


# moments and axes from which the search begins where that from the linear ones has ended far from the samples
OTHERS = [
    (np.array(order), np.array([1.0, 0.0, 0.0, 0.0]))
    for moments in ((0.5, 0.75, 1.0), (0.1, 0.95, 1.0))
    for order in permutations(moments)
]


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
    drag : (3,) of the air over the moments: the rate w about each axis falls by drag |w| w; 0 where the motion without
        it is as good
    drag_factors : numbers of which it is made: 0, 1 for all axes, or 3
    ratio_deviations (3,), velocity_deviations (3,) [rad/s], bias_deviations (3,) [rad/s], axes_deviation [rad],
    drag_deviations (3,) : standard deviations; 0 for what was held
    residual : root of the mean square of what is left, in ``unit``: rad/s, or rad where attitudes were taken
    residual_without_drag : what the motion without drag leaves, in ``unit``; None where there is none
    flips : what it did in the flight, in these axes
    correlation : of what is left in neighbouring parts of the flight; usual : the largest one that noise gives
    fitted : whether a free motion fits, with drag or without: what is left is noise. Else ratios, axes, rates, bias and
        drag are those of the nearest one, which is another one than that of the body, and all deviations are NaN
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
    drag: Array
    drag_factors: int
    ratio_deviations: Array
    velocity_deviations: Array
    bias_deviations: Array
    axes_deviation: float
    drag_deviations: Array
    residual: float
    residual_without_drag: float | None
    unit: str
    flips: Flips
    correlation: float
    usual: float
    fitted: bool

    @property
    def doubt(self) -> str:
        """A sentence on why the numbers are not those of the body; "" where a free motion fits."""
        if self.fitted:
            return ""
        return N_(
            "no free motion fits from {begin:g} to {end:g} s: the residuals of neighbouring samples are "
            "correlated ({correlation:.2f}; noise gives at most {usual:.2f}), "
            "their root mean square is {residual:.3g} {unit}",
            self.begin,
            self.end,
            self.correlation,
            self.usual,
            self.residual,
            self.unit,
        )

    @property
    def determined(self) -> bool:
        """True if the motion determines the ratios well."""
        return bool((self.ratio_deviations / self.ratios).max() < UNKNOWN)

    @property
    def tells_something(self) -> bool:
        """True if the motion says something of the ratios."""
        return bool((self.ratio_deviations / self.ratios).max() < NOTHING and self.ratios.min() > FLATTEST)

    @property
    def ratio_intervals(self) -> Array:
        """Ends (3, 2) of the 95 % intervals of the ratios: even in their logarithms, and none above the largest."""
        with np.errstate(over="ignore"):
            wide = np.exp(SURE * self.ratio_deviations / self.ratios)
            return np.minimum(np.stack([self.ratios / wide, self.ratios * wide], axis=1), 1.0)

    @property
    def tells_flips(self) -> bool:
        """True if the moments are known to differ that ``flips`` takes to differ, to 95 %.

        All three, except of a body that turns near the axis of the smallest or of the largest one: that one from the
        next. A body with two equal moments has no intermediate axis, and its rates swing however steadily it turns.
        """
        order = np.argsort(self.ratios)
        ratios, unsure = self.ratios[order], SURE * self.ratio_deviations[order]
        known = ratios[1:] - ratios[:-1] > unsure[1:] + unsure[:-1]
        spin = self.ratios * apply(conjugate(self.axes), self.angular_velocity)
        near = abs(spin[self.flips.axis]) > STEADY * np.linalg.norm(spin)
        return bool(known.all() or (self.flips.moment != 1 and near and known[self.flips.moment // 2]))

    def facts(self) -> dict[str, object]:
        """Plain values for JSON; None for deviations if no free motion fits."""
        unknown = () if self.fitted else DEVIATIONS
        plain = {name: v.tolist() if isinstance(v, np.ndarray) else v for name, v in self.__dict__.items()}
        flips = {"axis": "xyz"[self.flips.axis], "times": list(self.flips.times), "takes": self.flips.takes}
        beside = {"ratio_intervals": self.ratio_intervals.tolist(), "flips": flips if self.tells_flips else None}
        return plain | (beside if self.fitted else dict.fromkeys(beside)) | dict.fromkeys(unknown)


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
    free = ~of_air(3)
    for held in [TURN] * aligned + [LAST] * (samples.by_rates and unbiased):
        free[held] = False
    start = _linear(samples, motion.relative, aligned)
    plain = _searched(samples, free, [start], 0)
    best = _simplest([plain, *_in_air(samples, free, start, plain)])
    if best is None or (best.fitted and not best.tells_something):
        raise PhysicsError(
            N_(
                "the motion from {time:g} to {time2:g} s does not tell the ratios of the moments: "
                "expected a body that turns about all its axes, for some turns, in free flight",
                time[0],
                time[-1],
            )
        )
    unknown = () if best.fitted else DEVIATIONS
    return replace(best, **{name: np.nan * (1.0 + getattr(best, name)) for name in unknown})


@np.errstate(all="ignore")  # of numbers that are not finite: rates without sense
def free_flight(motion: MeasuredMotion) -> tuple[float, float] | None:
    """Begin and end [s] of the flight in which a body turns most, found by what a free motion leaves; None: no flight.

    In a window of a free motion, attitudes R and rates w keep the spin R J w. From the windows in which it
    changes least, with the J that is best for each, the motion is fitted, in the air if need be, followed beyond both
    ends as long as what is left is noise or little of the rates, and fitted anew.
    """
    first, last, uneven = _windows(motion)
    turned = np.concatenate([[0.0], np.cumsum(_turns(motion))])
    tried, tries, found, most = np.zeros(len(motion), bool), 0, None, 0.0
    for i in np.argsort(uneven):
        if uneven[i] > UNEVEN or tries == TRIES or most > 0.5 * turned[-1]:
            break
        if tried[first[i] : last[i]].any():
            continue
        tries += 1
        tried[first[i] : last[i]] = True
        if (grown := _grown(motion, first[i], last[i])) is None:
            continue
        begin, end, known = grown
        tried[begin:end] = True
        if turned[end - 1] - turned[begin] > most and _tells(known):
            found, most = (begin, end), turned[end - 1] - turned[begin]
    return None if found is None else (float(motion.time[found[0]]), float(motion.time[found[1] - 1]))


@np.errstate(all="ignore")
def whole_flight(motion: MeasuredMotion, begin: float, end: float) -> tuple[float, float]:
    """Begin and end [s] of the flight of which an accelerometer shows a part; that part where it is most of it.

    A sensor far off the centre of mass is still for a part of a flight alone: the motion there is followed beyond.
    """
    first, last = (int(one) for one in np.searchsorted(motion.time, [begin - 1e-9, end + 1e-9]))
    grown = _grown(motion, first, last)
    if grown is None or not _tells(grown[2]):
        return begin, end
    found = float(motion.time[grown[0]]), float(motion.time[grown[1] - 1])
    return found if found[1] - found[0] > PART * (end - begin) else (begin, end)


def _turns(motion: MeasuredMotion) -> Array:
    """The angles [rad] of the intervals between samples (n - 1,)."""
    return np.asarray(np.linalg.norm(motion.angular_velocity[:-1], axis=1) * np.diff(motion.time))


def _windows(motion: MeasuredMotion) -> tuple[np.ndarray, np.ndarray, Array]:
    """First numbers and ends (m,) of windows without a gap, and how much the spin changes in them (m,)."""
    every = max(1, len(motion) // SCANNED)
    part = motion.taken(slice(None, None, every))
    spins, squares = _spins(part.angular_velocity, part.orientation), np.sum(part.angular_velocity**2, axis=1)
    turned = np.concatenate([[0.0], np.cumsum(_turns(part))])
    broken = np.zeros(len(part))
    broken[gaps(part.time)] = 1.0
    broken += 0.0 if part.saturated is None else part.saturated.any(axis=1)
    first = np.unique(np.searchsorted(turned, np.arange(0.0, turned[-1] - WINDOW, WINDOW / WINDOWS)))
    last = np.maximum(np.searchsorted(turned, turned[first] + WINDOW), first + MIN_SAMPLES)
    first, last = first[last <= len(part)], last[last <= len(part)]

    def summed(values: Array) -> Array:
        sums = np.concatenate([np.zeros((1, *values.shape[1:])), np.cumsum(values, axis=0)])
        return np.asarray(sums[last] - sums[first])

    sums = summed(spins)
    spread = summed(spins.swapaxes(1, 2) @ spins) - sums.swapaxes(1, 2) @ sums / (last - first)[:, None, None]
    least = np.linalg.eigvalsh(spread)[:, 0]
    uneven = np.sqrt(np.maximum(least, 0.0) / np.maximum(summed(squares), 1e-300))
    whole = summed(broken) == 0.0
    return every * first[whole], np.minimum(every * last[whole], len(motion)), uneven[whole]


def _part(motion: MeasuredMotion, first: int, last: int) -> Samples:
    """About FITTED samples from a number to an end."""
    return _within(motion.taken(slice(first, last, max(1, (last - first) // FITTED))), None, None)


def _tells(known: FlightSolution) -> bool:
    """True if a free motion determines a body, and leaves less of the rates than a cubic of the time does.

    The cubic has a parameter more: where it is as good, the motion may be any one. Rates of a wrong scale need a bias
    that no gyroscope has.
    """
    fit, p, samples = known.fit, known.parameters, known.fit.samples
    rates = samples.rates - p[LAST] if samples.by_rates else samples.rates
    left = root(rates - fit.motion(p, slice(None))[1])
    time = samples.time - samples.time.mean()
    powers = np.vander(time / np.abs(time).max(), 4)
    of_cubic = root(rates - powers @ np.linalg.lstsq(powers, rates, rcond=None)[0])
    off = samples.by_rates and np.abs(p[LAST]).max() > LARGEST_BIAS
    return not off and NOISY * left < of_cubic and _identification(known).determined


def _grown(motion: MeasuredMotion, first: int, last: int) -> tuple[int, int, FlightSolution] | None:
    """The first number and the end of the part around a window that a free motion fits, and that; None if none does.

    A part that has grown too far grows by less.
    """
    found: tuple[int, int, FlightSolution] | None = None
    growth = GROWTH
    for _ in range(GROWTHS):
        solution = _described(motion, first, last)
        if solution is not None:
            found = first, last, solution
        elif found is None:
            return None
        else:
            growth *= 0.5
        if growth < LEAST_GROWTH:
            break
        first, last = _followed(motion, *found, growth)
        if last - first < MIN_SAMPLES or (first, last) == found[:2]:
            break
    return found


def _described(motion: MeasuredMotion, first: int, last: int) -> FlightSolution | None:
    """The motion through the samples of a part, in the air where none without fits; None if it leaves too much."""
    with suppress(ScenarioError, ValueError, np.linalg.LinAlgError):
        samples, everything = _part(motion, first, last), ~of_air(3)
        moments, axes = _linear(samples, motion.relative, aligned=False)
        plain = solved(*approached(FlightFit(samples, axes), moments, everything), everything)
        if (plain.is_free and plain.residual <= NOISY * samples.noise) or _is_sparse(samples):
            return plain if plain.is_free else None
        slowed = _best(samples, everything, [(moments, axes), plain.fit.moments_and_axes(plain.parameters)], 1)
        if slowed is not None and (slowed.is_free or slowed.residual < ROUGH * samples.size):
            return slowed
        return plain if plain.is_free else None
    return None


def _followed(motion: MeasuredMotion, first: int, last: int, known: FlightSolution, growth: float) -> tuple[int, int]:
    """The first number and the end of the samples that a solution describes, up to a share of a part beyond it."""
    further = max(1, int(growth * (last - first)))
    lower, upper = max(0, first - further), min(len(motion), last + further)
    samples = _within(motion.taken(slice(lower, upper)), None, None)
    given = known.fit.samples
    samples = replace(samples, origin=int(np.searchsorted(samples.time, given.time[given.origin])))
    left = replace(known.fit, samples=samples).residuals(known.parameters)
    sums = np.concatenate([[0.0], np.cumsum(np.mean(left**2, axis=1))])
    usual = max(known.residual, given.noise, ROUGH * given.size)
    strays = ~(sums[BLOCK:] - sums[:-BLOCK] <= BLOCK * (STRAY * usual) ** 2)
    middle = (first + last) // 2 - lower
    before, after = np.flatnonzero(strays[:middle]), np.flatnonzero(strays[middle:])
    begin = int(before[-1]) + BLOCK if len(before) else 0
    end = middle + int(after[0]) if len(after) else upper - lower
    return lower + begin, lower + end


TrialStart = tuple[Array, Array]  # moments (3,) and axes (4,)


def _searched(samples: Samples, free: np.ndarray, starts: Sequence[TrialStart], factors: int) -> FlightSolution | None:
    """The best motion with so many factors of drag from some starts, and from OTHERS where these lead nowhere."""
    best = _best(samples, free, starts, factors)
    if best is None or not _is_body(best) or not best.is_free or best.residual > NOISY * samples.noise:
        found = [one for one in (best, _best(samples, free, OTHERS, factors)) if one is not None]
        best = min(found, key=lambda one: (not one.is_free, not _is_body(one), one.residual), default=None)
    return best


def _in_air(
    samples: Samples, free: np.ndarray, start: TrialStart, plain: FlightSolution | None
) -> list[FlightSolution]:
    """Motions with one factor of drag, and with three.

    None where the motion without leaves less than samples tell, or most of the rates, or where samples are sparse.
    """
    if _is_sparse(samples) or (plain is not None and (plain.is_smooth or plain.residual > MOST * samples.size)):
        return []
    starts = [start] if plain is None else [start, plain.fit.moments_and_axes(plain.parameters)]
    one = _searched(samples, free, starts, 1)
    if one is None:
        return []
    p = one.parameters.copy()
    p[DRAG] = p[DRAG][0]
    with suppress(ValueError, np.linalg.LinAlgError), np.errstate(all="ignore"):
        return [one, solved(replace(one.fit, factors=3), p, free)]
    return [one]


def _is_sparse(samples: Samples) -> bool:
    """True if the body turns too far between samples for them to say anything of the air."""
    return samples.fastest * float(np.median(np.diff(samples.time))) > SPARSE


def _is_body(found: FlightSolution) -> bool:
    """True if a motion determines the ratios, and the air gives no energy."""
    with np.errstate(all="ignore"):
        body = _identification(found)
        return body.determined and body.ratios.min() > FLATTEST and _is_air(found)


def _is_air(found: FlightSolution) -> bool:
    """True if the air may give no energy."""
    drag = found.fit.drag
    return bool((drag(found.parameters) + SURE * found.spread(drag) >= 0.0).all())


def _simplest(found: Sequence[FlightSolution | None]) -> Identification | None:
    """The body of the motion that is the likeliest for its number of parameters; None of none."""
    known = [one for one in found if one is not None]
    if not known:
        return None
    independent = known[-1].independent
    with np.errstate(all="ignore"):
        best = min(known, key=lambda one: (not one.is_free, not _is_air(one), one.criterion(independent)))
        without = known[0].residual if not known[0].fit.factors else None
        body = replace(_identification(best), residual_without_drag=without)
        for other in known:
            if best.fit.factors == 1 and other.fit.factors == 3 and other.is_free and _is_air(other):
                further = other.criterion(independent) - best.criterion(independent)
                body = _widened(body, _identification(other), 1.0 / (1.0 + np.exp(0.5 * further)))
        return body


def _widened(body: Identification, other: Identification, weight: float) -> Identification:
    """A body with deviations for the case, of some weight, that another model is the right one.

    Burnham & Anderson (2002), Model Selection and Multimodel Inference, section 4.3, about the chosen model's values.
    """

    def deviation(spread: str, value: str) -> Array:
        one, two = getattr(body, spread), getattr(other, spread)
        apart = getattr(other, value) - getattr(body, value)
        return np.asarray(np.sqrt((1.0 - weight) * one**2 + weight * (two**2 + apart**2)))

    return replace(
        body,
        ratio_deviations=deviation("ratio_deviations", "ratios"),
        velocity_deviations=deviation("velocity_deviations", "angular_velocity"),
        bias_deviations=deviation("bias_deviations", "bias"),
        drag_deviations=deviation("drag_deviations", "drag"),
    )


def _best(samples: Samples, free: np.ndarray, starts: Sequence[TrialStart], factors: int) -> FlightSolution | None:
    """The fit from that start whose rough fit leaves the smallest residual."""
    rough: list[tuple[FlightFit, Array]] = []
    whole = slice(0, len(samples.time))
    with np.errstate(all="ignore"):
        for moments, axes in starts:
            with suppress(ValueError, np.linalg.LinAlgError):  # of numbers that are not finite: rates without sense
                rough.append(approached(FlightFit(samples, axes, factors=factors), moments, free))
        if not rough:
            return None
        fit, p = min(rough, key=lambda one: root(one[0].left(one[1], whole)))
        try:
            return solved(fit, p, free)
        except (ValueError, np.linalg.LinAlgError):
            return None


def _within(motion: MeasuredMotion, begin: float | None, end: float | None) -> Samples:
    """The samples of a flight; those at the end of the gyroscope's range do not count."""
    first = 0 if begin is None else int(np.searchsorted(motion.time, begin - 1e-9))
    last = len(motion) if end is None else int(np.searchsorted(motion.time, end + 1e-9, side="right"))
    part = motion.taken(slice(first, last, max(1, (last - first) // MAX_SAMPLES)))
    by_rates = motion.table.angular_velocity is not None
    used = np.ones((len(part), 3), bool)
    if by_rates and part.saturated is not None:
        used &= ~part.saturated
    if not by_rates:  # rates that come of attitudes are wrong at both sides of a gap; these attitudes are not
        used[[*gaps(part.time), *(gaps(part.time) + 1)]] = False
    whole = np.asarray(used.all(axis=1))
    if whole.sum() < MIN_SAMPLES:
        text = N_("expected a flight of {least} samples or more, got {whole}", MIN_SAMPLES, whole.sum())
        text += (
            N_(" beside {whole} at the end of the gyroscope's range", len(part) - whole.sum())
            if len(part) >= MIN_SAMPLES
            else ""
        )
        raise ScenarioError(
            "", N_("{text} from {time:g} to {time2:g} s", text, motion.time[0], motion.time[-1]), motion.table.file
        )
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
    spins = _spins(samples.rates[here], samples.attitudes[here])[:, :, : 3 if aligned else 6]
    breaks = np.diff(np.flatnonzero(here)) > 1
    breaks[gaps(samples.time[here])] = True
    parts = np.split(spins, np.flatnonzero(breaks) + 1) if relative else [spins]
    off = np.concatenate([part - part.mean(axis=0) for part in parts])
    found = np.linalg.svd(off.reshape(-1, spins.shape[2]), full_matrices=False)[2][-1]
    a, b, c, d, e, f = [*found, 0.0, 0.0, 0.0][:6]
    J = np.array([[a, d, e], [d, b, f], [e, f, c]]) * np.sign(a + b + c)
    moments, directions = np.linalg.eigh(J)
    order, axes = _named(directions)
    if not moments.min() > 0.05 * moments.max():  # noise, or a motion that does not determine them
        return np.array([0.6, 0.8, 1.0]), axes
    return moments[order], axes


def _spins(rates: Array, attitudes: Array) -> Array:
    """The spins in space (n, 3, 6) that each component of J alone gives: the moments, then the products."""
    x, y, z = rates.T
    o = np.zeros_like(x)
    columns = [(x, o, o), (o, y, o), (o, o, z), (y, x, o), (z, o, x), (o, z, y)]
    return np.stack([apply(attitudes, np.column_stack(column)) for column in columns], axis=-1)


def _named(directions: Array) -> tuple[Array, Array]:
    """The order (3,) of principal directions, the columns of (3, 3), in which each is the nearest to x, y, z; and axes.

    The axes (4,) are the rotation from those in that order to the sensor's.
    """
    order = max(permutations(range(3)), key=lambda some: float(np.abs(np.diag(directions[:, some])).sum()))
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


def _identification(found: FlightSolution) -> Identification:
    """The best parameters as quantities of the body."""
    fit, p, samples, begin = found.fit, found.parameters, found.fit.samples, slice(0, 1)
    moments, axes = fit.moments_and_axes(p)
    order, axes = _named(matrix(axes))
    largest = int(np.argmax(moments))

    def logarithms(some: Array) -> Array:
        logs = np.log(fit.moments_and_axes(some)[0])
        return np.asarray((logs - logs[largest])[order])

    attitudes, rates = fit.motion(p, slice(None))
    ratios = (moments / moments[largest])[order]
    bias_deviations = found.spread(lambda some: some[LAST])

    def drag(some: Array) -> Array:
        return np.asarray(fit.drag(some)[order])

    return Identification(
        begin=float(samples.time[0]),
        end=float(samples.time[-1]),
        samples=len(samples.time),
        left_out=int((~samples.used).any(axis=1).sum()) if samples.by_rates else 0,
        ratios=ratios,
        axes=axes,
        angular_velocity=rates[0],
        orientation=samples.attitudes[0] if samples.by_rates else attitudes[0],
        bias=p[LAST].copy() if samples.by_rates else np.zeros(3),
        drag=drag(p),
        drag_factors=fit.factors,
        ratio_deviations=ratios * found.spread(logarithms),
        velocity_deviations=found.spread(lambda some: fit.motion(some, begin)[1][0]),
        bias_deviations=bias_deviations if samples.by_rates else np.zeros(3),
        axes_deviation=float(np.linalg.norm(found.spread(lambda some: some[TURN]))),
        drag_deviations=found.spread(drag),
        residual=found.residual,
        residual_without_drag=found.residual,
        unit="rad/s" if samples.by_rates else "rad",
        flips=Flips.of(ratios, apply(conjugate(axes), rates), samples.time),
        correlation=found.correlation,
        usual=found.usual,
        fitted=found.is_free,
    )
