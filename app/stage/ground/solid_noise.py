"""Solid noise: noise of the point in space, so that the ground of a cliff has it as a meadow has it, without stripes.

What is laid down from above is drawn out on steep ground: at 75 degrees a spot becomes a stripe four times as long as
wide. Noise that depends on the height too does not know the direction one looks from. Pure numpy.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from physics.core.rotation import Array

SIDE = 64  # of the cube that repeats; a power of two, for bits are cheaper than remainders
WAVES = 6  # along a side
LAYERED = 1.6  # how much shorter waves are upwards than sideways: bands of rock, and ledges
SHORTEST, LONGER = 1.0, 2.6  # [m] the finest waves, and how many times longer each next ones are
SAMPLES = 8  # of a wave, at least; lines between them
ROWS = 64
SEEN = 2.5  # pixels of the ground that a wave spans before one sees it; twice as many show all of it


def noise_on(heights: Array, steep: Array, pixel: tuple[float, float], longest: float) -> tuple[Array, Array]:
    """Two pictures (h, w), both around 0: how bright and how raised each spot is, waves of several lengths added.

    Of each length as much as the ground shows of it: standard deviation 1 where it shows all.

    heights, steep : (h, w) [m] and their slope [1]; pixel : its size along x and y [m]
    longest : [m] of the waves: what is longer, the heights tell themselves
    """
    size = max(pixel)
    lengths = [one for one in _lengths() if SEEN * size < one <= LONGER * max(longest, 2.0 * SEEN * size)]
    # the least wave in pixels of the ground: on steep ground a pixel is far longer than it is wide
    stretch: Array = np.float32(size) * np.sqrt(1.0 + (LAYERED * steep) ** 2)
    strides = [2 ** max(0, int(np.log2(length / (SAMPLES * size)))) for length in lengths]
    last = strides[-1] if strides else 1
    sums = np.zeros((2, *heights[::last, ::last].shape), np.float32)
    for length, stride in zip(reversed(lengths), reversed(strides), strict=True):
        part = heights[::stride, ::stride]
        sums, last = stretched(sums, part.shape, last // stride), stride
        _add_waves(sums, part, stretch[::stride, ::stride], (stride * pixel[0], stride * pixel[1]), length)
    bright, raised = stretched(sums, heights.shape, last)
    return bright, raised


def _add_waves(sums: Array, heights: Array, stretch: np.ndarray, pixel: tuple[float, float], length: float) -> None:
    """Add the waves of a length to bright and raised (2, h, w)."""
    number = _lengths().index(length)
    scale = SIDE / (WAVES * length)  # voxels a metre
    x, y = (
        ((np.arange(n) * (size * scale)).astype(np.int32) + 17 * k * number) & (SIDE - 1)
        for n, size, k in zip(heights.shape[::-1], pixel, (1, 2), strict=True)
    )
    y *= SIDE
    for first in range(0, len(y), ROWS):  # a few rows at a time stay in the processor's own memory
        rows = slice(first, first + ROWS)
        place = (heights[rows] * np.float32(scale * LAYERED)).astype(np.int32)
        place &= SIDE - 1
        place *= SIDE * SIDE
        place += y[rows, None]
        place += x
        shown = smooth(length / stretch[rows] / SEEN - 1.0)
        for total, waves in zip(sums, _cube(), strict=True):
            total[rows] += shown * waves.take(place)


def _lengths() -> list[float]:
    return [SHORTEST * LONGER**k for k in range(12)]


@lru_cache(maxsize=1)
def _cube() -> tuple[Array, Array]:
    """Light on rough ground and its height at the points of a cube that repeats (SIDE^3,), standard deviation 1.

    The light is how fast the ground rises away from the sun, which stands in the north-west. 2 MB.
    """
    rng = np.random.default_rng(6)
    k = np.fft.fftfreq(SIDE) * SIDE
    kz, ky, kx = np.meshgrid(k, k, k[: SIDE // 2 + 1].copy(), indexing="ij")
    kx = np.abs(kx)
    spectrum = np.fft.rfftn(rng.standard_normal((SIDE, SIDE, SIDE)))
    spectrum *= np.exp(-0.5 * ((np.sqrt(kx**2 + ky**2 + kz**2) - WAVES) / (0.3 * WAVES)) ** 2)
    height = -np.abs(np.fft.irfftn(spectrum))  # with edges, as broken rock has
    height -= height.mean()
    light = np.fft.irfftn(1j * np.fft.rfftn(height) * (0.6 * kx - 0.6 * ky - 0.5 * kz))
    cubes = [np.clip(one / one.std(), -2.5, 2.5).astype(np.float32).ravel() for one in (light, height)]
    return cubes[0], cubes[1]


def stretched(pictures: Array, shape: tuple[int, int], stride: int) -> Array:
    """Pictures (n, h, w) of every so many-th pixel as those of all (n, *shape), by straight lines between them."""
    if stride == 1:
        return pictures
    for axis, n in enumerate(shape, start=1):
        place = np.minimum(np.arange(n) / stride, pictures.shape[axis] - 1.0)
        low = place.astype(int)
        high = np.minimum(low + 1, pictures.shape[axis] - 1)
        share = (place - low).astype(np.float32)
        first = pictures.take(low, axis=axis)
        step = pictures.take(high, axis=axis)
        step -= first
        step *= share[:, None] if axis == 1 else share
        first += step
        pictures = first
    return pictures


def smooth(x: Array) -> Array:
    """0 below 0, 1 above 1, without a kink between."""
    x = np.clip(x, 0.0, 1.0)
    return x * x * (3.0 - 2.0 * x)
