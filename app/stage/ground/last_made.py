"""The value that was made last of a large array, such as the heights of a terrain, for its next users."""

from __future__ import annotations

import weakref
from typing import Generic, TypeVar

import numpy as np

K = TypeVar("K")
V = TypeVar("V")


class LastMade(Generic[K, V]):
    """One value, of an array and of what else it was made by; the next one replaces it. The array is not kept alive."""

    def __init__(self) -> None:
        self._last: tuple[weakref.ref[np.ndarray], K, V] | None = None

    def of(self, array: np.ndarray, key: K) -> V | None:
        """The value, if it was made of this array and key."""
        last = self._last  # once: another thread may replace it
        return last[2] if last is not None and last[0]() is array and last[1] == key else None

    def keep(self, array: np.ndarray, key: K, value: V) -> V:
        """Keep a value in place of the last one, and return it."""
        self._last = weakref.ref(array), key, value
        return value
