"""Textures of ground, water, wood and hulls."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pyvista as pv


def whole(picture: np.ndarray) -> pv.Texture:
    """The picture of a terrain (h, w, 3), rows from south to north, for one look at a time; it is not copied."""
    high, wide, colours = picture.shape
    image = pv.ImageData(dimensions=(wide, high, 1))
    image.point_data["picture"] = picture.reshape(-1, colours)
    texture = _smooth(pv.Texture(image))
    texture.RepeatOff()
    texture.EdgeClampOn()
    return texture


def laid_on(picture: np.ndarray, *, repeat: bool) -> pv.Texture:
    """A picture (h, w, 3 or 4), rows from above, of a material."""
    texture = _smooth(pv.Texture(np.ascontiguousarray(picture)))
    if repeat:
        texture.RepeatOn()
    else:
        texture.RepeatOff()
        texture.EdgeClampOn()
    return texture


def _smooth(texture: pv.Texture) -> pv.Texture:
    texture.InterpolateOn()
    texture.MipmapOn()
    texture.SetMaximumAnisotropicFiltering(1)  # more takes Mesa's software half a minute a picture at grazing sight
    return texture


@lru_cache(maxsize=1)
def _grain_picture() -> np.ndarray:
    """Fine grain that repeats (n, n, 1): what one sees of the ground from near by, and nothing from far.

    Light and shade of stones on stones, of all sizes, under a sun at the upper left: 0 to 255.
    """
    n, rng = 512, np.random.default_rng(8)
    fy, fx = np.meshgrid(np.fft.fftfreq(n) * n, np.fft.rfftfreq(n) * n, indexing="ij")
    waves = np.hypot(fx, fy)
    fy[n // 2], fx[:, n // 2] = 0.0, 0.0  # the slope of the shortest waves is lost on the grid
    total = np.zeros((n, n))
    for size in (12.0, 25.0, 50.0, 100.0):  # waves along a side; longer ones would show where two tiles of it meet
        band = np.exp(-0.5 * ((waves - size) / (0.35 * size)) ** 2)
        stones = -np.abs(np.fft.irfft2(np.fft.rfft2(rng.standard_normal((n, n))) * band))
        light = np.fft.irfft2(1j * np.fft.rfft2(stones) * (fx - fy))
        total += np.clip(light / light.std(), -2.5, 2.5) * min(size / 30.0, 1.0)
    return np.asarray(np.clip(127.5 + 18.0 * total / total.std(), 0, 255).astype(np.uint8)[..., None])


def grain() -> pv.Texture:
    texture = whole(_grain_picture())
    texture.SetColorModeToDirectScalars()
    texture.EdgeClampOff()
    texture.RepeatOn()
    texture.SetBlendingMode(4)  # add signed: middle grey changes nothing
    return texture


def _waves(n: int) -> np.ndarray:
    """Ripples (n, n, 1) of standard deviation 1, at most 2, that repeat; broader than they are long."""
    from scipy.ndimage import gaussian_filter  # here: it takes long to load, and a window waits for it

    noise = np.random.default_rng(5).standard_normal((n, n))
    waves = sum(gaussian_filter(noise, (size, 3.5 * size), mode="wrap") * size * 1.9 for size in (1.6, 3.2, 6.4))
    return np.asarray(np.clip(waves / np.std(waves), -2.0, 2.0)[..., None])


@lru_cache(maxsize=1)
def _ripple_picture() -> np.ndarray:
    grey = 222.0 + 15.0 * _waves(512)
    return np.repeat(np.clip(grey, 0, 255).astype(np.uint8), 3, axis=2)


def ripples() -> pv.Texture:
    """Ripples that repeat, as shades of what they lie on."""
    texture = _smooth(pv.Texture(_ripple_picture()))
    texture.RepeatOn()
    return texture


def _streaks(noise: np.ndarray, across: float, along: float) -> np.ndarray:
    """Noise (n, n) smoothed by standard deviations [pixels], round its edges; transformed, as the lengths are long."""
    from scipy.fft import fftfreq, irfft2, rfft2, rfftfreq  # here: it takes long to load, and a window waits for it

    n = len(noise)
    spread = [np.exp(-2.0 * (np.pi * size * f) ** 2) for size, f in ((across, fftfreq(n)), (along, rfftfreq(n)))]
    return np.asarray(irfft2(rfft2(noise) * np.outer(*spread).astype(np.float32), s=noise.shape))


@lru_cache(maxsize=1)
def _planks_picture() -> np.ndarray:
    """Boards side by side that repeat (n, n, 3), as shades of wood: each with its own tone, its grain along rows."""
    n, boards = 1024, 6
    rng = np.random.default_rng(12)
    fine, broad = (_streaks(rng.standard_normal((n, n), np.float32), *size) for size in ((0.7, 40.0), (5.0, 160.0)))
    across = np.arange(n)[:, None] * (boards / n)
    board, inside = across.astype(int), across % 1.0
    shift = rng.integers(0, n, boards)[board[:, 0]]
    grain = np.stack([np.roll(row, by) for row, by in zip(broad, shift, strict=True)])
    # the rings of a tree that was sawn along: their distance grows towards the edges of a board
    curve = 9.0 * (inside - 0.5 - 0.25 * np.sin(3.0 * board)) ** 2 + 1.6 * grain / grain.std()
    rings = 0.5 + 0.5 * np.sin(2.0 * np.pi * (2.2 * curve + 0.37 * board))
    tone = rng.uniform(0.82, 1.0, boards)[board]
    light = tone * (0.88 + 0.1 * rings**2 + 0.035 * fine / fine.std())
    seam = np.minimum(inside, 1.0 - inside) * n / boards
    light = np.clip(light, 0.0, 1.0) * np.clip(0.45 + 0.3 * seam, 0.0, 1.0)
    warm = np.array([1.0, 0.97, 0.92]) ** (1.0 + 3.0 * (1.0 - light[..., None]))
    return np.asarray((255.0 * light[..., None] * warm).astype(np.uint8))


def planks() -> pv.Texture:
    """Boards that repeat, as shades of what they lie on."""
    texture = _smooth(pv.Texture(_planks_picture()))
    texture.RepeatOn()
    return texture


def wetness() -> pv.Texture:
    """Across: the shade of a hull from far below the water to far above it; the waterline is in the middle."""
    n = 4096
    shade = np.full((1, n, 3), 255.0)
    depth = np.linspace(1.0, 0.0, n // 2)[:, None]
    shade[0, : n // 2] = np.array([118.0, 150.0, 176.0]) * (1.0 - 0.35 * np.minimum(3.0 * depth, 1.0))
    texture = pv.Texture(shade.astype(np.uint8))
    texture.InterpolateOn()
    texture.MipmapOff()
    texture.RepeatOff()
    texture.EdgeClampOn()
    return texture
