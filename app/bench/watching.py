"""The event loop watched: how long it does not turn, and how much of that is drawing."""

from __future__ import annotations

import time
from pathlib import Path
from threading import get_native_id
from typing import Any


class Watch:
    """Gaps between turns [ms], with the time that rendering took in them taken off.

    ``own`` are the same without the time in which the thread was ready and got no processor: on a machine that does
    other things too, they tell what the program itself is to blame for. Where the system does not tell, as ``gaps``.

    window : a main window whose stage stands; its rendering is timed from now on
    """

    def __init__(self, window: Any) -> None:
        viewport = window.view.viewport
        self.gaps: list[float] = []
        self.own: list[float] = []
        self.pictures = 0
        self._drawing = self._drawing_waited = 0.0
        self._last, self._waited = time.perf_counter(), _waited()
        render = viewport._render

        def timed() -> None:
            began, waited = time.perf_counter(), _waited()
            render()
            self._drawing += time.perf_counter() - began
            self._drawing_waited += _waited() - waited
            self.pictures += 1

        viewport._render = timed

    def turn(self) -> None:
        """The event loop has turned once."""
        now, waited = time.perf_counter(), _waited()
        gap = now - self._last - self._drawing
        self.gaps.append(1e3 * gap)
        self.own.append(1e3 * (gap - (waited - self._waited - self._drawing_waited)))
        self._last, self._waited = now, waited
        self._drawing = self._drawing_waited = 0.0


def _waited() -> float:
    """For how long [s] this thread was ready and got no processor, so far; 0 where the system does not tell."""
    try:
        told = Path(f"/proc/self/task/{get_native_id()}/schedstat").read_text(encoding="ascii")
    except OSError:
        return 0.0
    return 1e-9 * int(told.split()[1])
