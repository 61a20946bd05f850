"""Spectra of wind seas, and the components that stand for them.

JONSWAP as in DNV-RP-C205, chapter 3: a Pierson-Moskowitz spectrum with its peak raised by gamma, and made smaller by
1 - 0.287 ln gamma so that its height stays; gamma = 1 is Pierson-Moskowitz itself.
"""

from __future__ import annotations

import math

import numpy as np

from physics.core.rotation import Array

BAND = (0.6, 3.0)  # of frequencies, times that of the peak: it holds 98 % of the energy of a Pierson-Moskowitz sea
ROOM = 0.1  # of each band at either end: without it two neighbours could beat for longer than any record


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


def components(
    significant_height: float, peak_frequency: float, gamma: float, count: int, seed: int
) -> tuple[Array, Array, Array]:
    """Frequencies [rad/s], amplitudes [m] and phases [rad] (count,) of a sea of exactly this height.

    One frequency anywhere in the middle of each of ``count`` equal bands: equal steps would repeat the sea after
    2 pi over the step. An amplitude is sqrt(2 S dw), and all are scaled so that 4 sqrt(sum a²/2) is the height.
    """
    chance = np.random.Generator(np.random.PCG64(seed))
    low, high = BAND
    places = np.arange(count) + ROOM + (1.0 - 2.0 * ROOM) * chance.random(count)
    frequency = peak_frequency * (low + (high - low) * places / count)
    phase = 2.0 * math.pi * chance.random(count)
    amplitude = np.sqrt(jonswap(frequency, 1.0, peak_frequency, gamma))  # a height of 1e-200 m has a square of 0
    amplitude *= significant_height / (4.0 * math.sqrt(0.5 * math.fsum(amplitude * amplitude)))
    return frequency, amplitude, phase
