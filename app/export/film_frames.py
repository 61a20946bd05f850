"""The frames of a film, told without what draws them."""

from __future__ import annotations

import numpy as np

FASTEST_GIF = 50  # frames a second: browsers slow down what is faster


def card_frames(fps: float, *seconds: float) -> int:
    """The frames of cards, each shown so long [s]."""
    return sum(round(each * fps) for each in seconds)


def frame_times(duration: float, fps: float, speed: float) -> np.ndarray:
    """Simulated times (n,) [s] of the frames of a run of that duration [s]."""
    return np.arange(max(1, round(duration / speed * fps))) * (speed / fps)
