"""The event loop watched: how long it does not turn, and how much of that is drawing."""

from __future__ import annotations

import time
from typing import Any


class Watch:
    """Gaps between turns [ms], with the time that rendering took in them taken off.

    window : a main window whose stage stands; its rendering is timed from now on
    """

    def __init__(self, window: Any) -> None:
        viewport = window.view.viewport
        self.gaps: list[float] = []
        self.pictures = 0
        self._drawing = 0.0
        self._last = time.perf_counter()
        render = viewport._render

        def timed() -> None:
            began = time.perf_counter()
            render()
            self._drawing += time.perf_counter() - began
            self.pictures += 1

        viewport._render = timed

    def turn(self) -> None:
        """The event loop has turned once."""
        now = time.perf_counter()
        self.gaps.append(1e3 * (now - self._last - self._drawing))
        self._last, self._drawing = now, 0.0
