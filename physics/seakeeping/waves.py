"""The sea as a sum of plane waves of small steepness (Newman 1977, chapter 6; Faltinsen 1990, chapter 2).

    zeta = sum a cos(k (x cos b + y sin b) - w t + e),  w² = g k tanh(k d)

Heights are from calm water, times from the start of the run.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from physics.core.errors import ScenarioError
from physics.core.rotation import Array
from physics.core.wording import N_
from physics.hydrostatics.flotation import GRAVITY

# ---- spectra of wind seas, and the components that stand for them -------------------------------------
# JONSWAP as in DNV-RP-C205, chapter 3: a Pierson-Moskowitz spectrum with its peak raised by gamma, and made smaller
# by 1 - 0.287 ln gamma so that its height stays; gamma = 1 is Pierson-Moskowitz itself.

BAND = (0.6, 3.0)  # band of frequencies, times that of the peak: it holds 98 % of the energy of a Pierson-Moskowitz sea
ROOM = 0.1  # share of each band at either end: without it two neighbours could beat for longer than any record


def jonswap(frequency: Array, significant_height: float, peak_frequency: float, gamma: float = 1.0) -> Array:
    """The density of m0 over the frequency [m² s].

    Parameters
    ----------
    frequency : any shape, above 0 [rad/s]
    significant_height : 4 sqrt(m0) [m]
    peak_frequency : [rad/s]
    gamma : 1 to 10
    """
    ratio = frequency / peak_frequency
    width = np.where(ratio <= 1.0, 0.07, 0.09)
    peak = gamma ** np.exp(-0.5 * ((ratio - 1.0) / width) ** 2)
    level = (1.0 - 0.287 * math.log(gamma)) * 5.0 / 16.0 * significant_height**2 / peak_frequency
    return np.asarray(level * ratio**-5.0 * np.exp(-1.25 * ratio**-4.0) * peak)


def spectrum_components(
    significant_height: float, peak_frequency: float, gamma: float, count: int, seed: int
) -> tuple[Array, Array, Array]:
    """Frequencies [rad/s], amplitudes [m] and phases [rad] (count,) of a sea of exactly this height.

    One frequency anywhere in the middle of each of ``count`` equal bands: equal steps would repeat the sea after
    2 pi over the step. The one that is nearest to the peak lies on it: of however few the largest has the period of
    the peak. An amplitude is sqrt(2 S dw), and all are scaled so that 4 sqrt(sum a²/2) is the height.
    """
    chance = np.random.Generator(np.random.PCG64(seed))
    low, high = BAND
    places = np.arange(count) + ROOM + (1.0 - 2.0 * ROOM) * chance.random(count)
    ratios = low + (high - low) * places / count
    ratios[np.argmin(np.abs(ratios - 1.0))] = 1.0
    frequency = peak_frequency * ratios
    phase = 2.0 * math.pi * chance.random(count)
    amplitude = np.sqrt(jonswap(frequency, 1.0, peak_frequency, gamma))  # a height of 1e-200 m has a square of 0
    amplitude *= significant_height / (4.0 * math.sqrt(0.5 * math.fsum(amplitude * amplitude)))
    return frequency, amplitude, phase


Stretching = Literal["wheeler", "linear"]


# ---- the sea ------------------------------------------------------------------------------------------

STEEPEST = 0.142  # height over length of the steepest wave, times tanh(k d): Miche 1944
BLOCK = 1 << 16  # places and components at a time: arrays of half a megabyte


@dataclass(frozen=True)
class Waves:
    """A sea; no component at all is calm water.

    Attributes
    ----------
    amplitude, wavenumber, direction, frequency, phase : (n,) [m], [rad/m], [rad], [rad/s], [rad]; a direction is that
        of travel, from x towards y
    depth : of the calm water [m], inf where it is deep
    stretching : how the pressure goes on to the moving surface. "wheeler" moves its law with the surface, on which it
        is 0; "linear" keeps it below calm water, and above goes on with what it is there
    """

    amplitude: Array
    wavenumber: Array
    direction: Array
    frequency: Array
    phase: Array
    depth: float = math.inf
    stretching: Stretching = "wheeler"

    @property
    def is_calm(self) -> bool:
        """True if there is no wave."""
        return len(self.amplitude) == 0

    @property
    def wheeler(self) -> bool:
        """True if the law moves with the surface."""
        return self.stretching == "wheeler"

    @property
    def significant_height(self) -> float:
        """4 sqrt(m0) [m]; of a regular wave sqrt(2) times its height."""
        return 4.0 * math.sqrt(0.5 * math.fsum(self.amplitude**2))

    @cached_property
    def table(self) -> Array:
        """(7, n) for kernels: amplitude, wavenumber along x and along y, wavenumber, frequency, phase, exp(-2 k d)."""
        k = self.wavenumber
        still = np.exp(-2.0 * k * self.depth)
        kx, ky = k * np.cos(self.direction), k * np.sin(self.direction)
        return np.array([self.amplitude, kx, ky, k, self.frequency, self.phase, still], float)


def calm(depth: float = math.inf) -> Waves:
    """Water without a wave."""
    _check_depth(depth)
    none = np.empty(0)
    return Waves(none, none, none, none, none, depth)


def regular(
    height: float,
    period: float,
    direction: float = 0.0,
    phase: float = 0.0,
    depth: float = math.inf,
    stretching: Stretching = "wheeler",
    gravity: float = GRAVITY,
) -> Waves:
    """One wave of a height [m] from trough to crest and a period [s]; ScenarioError where there is no such wave."""
    _check_period("period", period, gravity)
    _check_depth(depth)
    frequency = 2.0 * math.pi / period
    number = wavenumber(frequency, depth, gravity)
    _check_breaking("height", height, number, depth)
    a, k, b, w, e = (np.array([v], float) for v in (0.5 * height, number, direction, frequency, phase))
    return Waves(a, k, b, w, e, depth, stretching)


def irregular(
    spectrum: str,
    significant_height: float,
    peak_period: float,
    gamma: float = 3.3,
    components: int = 60,
    seed: int = 1,
    direction: float = 0.0,
    depth: float = math.inf,
    stretching: Stretching = "wheeler",
    gravity: float = GRAVITY,
) -> Waves:
    """A long-crested wind sea of a significant height [m] and a period of its peak [s].

    The spectrum is "jonswap", or "pierson-moskowitz" whatever gamma is. The same seed gives the same bytes. Frequencies
    are those of deep water's spectrum; the depth only changes the wavelengths. ScenarioError where it is no sea.
    """
    _check_period("peak_period", peak_period, gravity)
    _check_depth(depth)
    peak = 2.0 * math.pi / peak_period
    _check_breaking("significant_height", significant_height, wavenumber(peak, depth, gravity), depth)
    if not significant_height <= 0.5 * depth:  # of any larger one the troughs could reach the ground
        raise ScenarioError(
            "significant_height",
            N_("expected at most half the depth of {depth:g} m, got {significant_height:g}", depth, significant_height),
        )
    raised = gamma if spectrum == "jonswap" else 1.0
    frequency, amplitude, phase = spectrum_components(significant_height, peak, raised, components, seed)
    number = np.array([wavenumber(w, depth, gravity) for w in frequency.tolist()])
    return Waves(amplitude, number, np.full(components, float(direction)), frequency, phase, depth, stretching)


def wavenumber(frequency: float, depth: float = math.inf, gravity: float = GRAVITY) -> float:
    """k [rad/m] of a frequency [rad/s] in water of a depth [m]: the root of w² = g k tanh(k d), to rounding."""
    deep = frequency * frequency / gravity
    y = deep * depth
    if y > 20.0:  # tanh is 1
        return deep
    x = math.sqrt(y) if y < 1.0 else y  # of k d
    for _ in range(50):
        t = math.tanh(x)
        step = (x * t - y) / (t + x * (1.0 - t * t))
        x -= step
        if abs(step) <= 2e-16 * x:
            break
    return x / depth


def elevation(waves: Waves, x: ArrayLike, y: ArrayLike, t: ArrayLike) -> Array:
    """The height of the surface [m] at places [m] and times [s], which are broadcast together."""
    x, y, t = np.broadcast_arrays(*(np.asarray(v, float) for v in (x, y, t)))
    a, kx, ky, _, w, e, _ = waves.table[:, :, None]
    places = [np.ravel(v) for v in (x, y, t)]
    out = np.zeros(x.size)
    step = max(1, BLOCK // max(1, len(waves.amplitude)))
    for start in range(0, x.size, step):
        px, py, pt = (v[start : start + step] for v in places)
        out[start : start + step] = (a * np.cos(kx * px + ky * py - w * pt + e)).sum(axis=0)
    return out.reshape(x.shape)


# ---- checks of what depends on several numbers; ranges of single ones are those of a scenario's table ----


def _check_period(field: str, value: float, gravity: float) -> None:
    """Refuse periods of waves shorter than a millimetre or longer than a thousand kilometres."""
    short, long = (math.sqrt(2.0 * math.pi * length / gravity) for length in (1e-3, 1e6))
    if not short <= value <= long:
        raise ScenarioError(field, N_("expected {short:.3g} to {long:.3g} s, got {value:g}", short, long, value))


def _check_depth(depth: float) -> None:
    if not depth >= 1e-3:
        raise ScenarioError("depth", N_("expected at least 0.001 m, or inf, got {depth:g}", depth))


def _check_breaking(field: str, height: float, number: float, depth: float) -> None:
    """Miche's limit; in shallow water it is 0.89 of the depth, so that no trough comes near the ground."""
    length = 2.0 * math.pi / number
    highest = STEEPEST * math.tanh(number * depth) * length
    if height > highest:
        raise ScenarioError(
            field,
            N_(
                "a wave {length:.4g} m long breaks before it is {height:g} m high; expected at most "
                "{highest:.4g} m (Miche: 0.142 tanh(k depth) times the length)",
                length,
                height,
                highest,
            ),
        )
