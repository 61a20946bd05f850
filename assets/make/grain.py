"""``python -m assets.make.grain`` makes the grain of the ground, which is always the same; a test compares.

It takes 0.04 s, for which a first picture would wait.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image

from assets import GRAIN


def grain(n: int = 512) -> np.ndarray:
    """Light and shade (n, n) of stones on stones, of all sizes, under a sun at the upper left: 0 to 255."""
    rng = np.random.default_rng(8)
    fy, fx = np.meshgrid(np.fft.fftfreq(n) * n, np.fft.rfftfreq(n) * n, indexing="ij")
    waves = np.hypot(fx, fy)
    fy[n // 2], fx[:, n // 2] = 0.0, 0.0  # the shortest waves have no slope that a grid could tell
    total = np.zeros((n, n))
    for size in (12.0, 25.0, 50.0, 100.0):  # waves along a side; longer ones would show where two tiles of it meet
        band = np.exp(-0.5 * ((waves - size) / (0.35 * size)) ** 2)
        stones = -np.abs(np.fft.irfft2(np.fft.rfft2(rng.standard_normal((n, n))) * band))
        light = np.fft.irfft2(1j * np.fft.rfft2(stones) * (fx - fy))
        total += np.clip(light / light.std(), -2.5, 2.5) * min(size / 30.0, 1.0)
    return np.asarray(np.clip(127.5 + 18.0 * total / total.std(), 0, 255).astype(np.uint8))


def main(file: Path = GRAIN) -> None:
    """Write it."""
    Image.fromarray(grain()).save(file, optimize=True)


if __name__ == "__main__":
    main()
