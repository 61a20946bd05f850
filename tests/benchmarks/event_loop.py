"""The event loop watched: how long it does not turn, and how much of that is drawing."""

from __future__ import annotations

import time
from pathlib import Path
from threading import get_native_id
from typing import Any

from PySide6.QtCore import QEvent


class EventLoopWatch:
    """Gaps between turns [ms], with the time that drawing took in them taken off.

    ``own`` are the same without the time in which the thread was ready and got no processor: on a machine that does
    other things too, they tell what the program itself is to blame for. Where the system does not tell, as ``gaps``.
    ``pictured`` are the gaps without the 3D pictures only: the charts and what carries them to the screen count.

    window : a main window whose stage stands; its drawing is timed from now on
    """

    def __init__(self, window: Any) -> None:
        viewport = window.view.viewport
        self.gaps: list[float] = []
        self.own: list[float] = []
        self.pictured: list[float] = []
        self.pictures = 0
        self._drawing = self._drawing_waited = self._picturing = 0.0
        self._last, self._waited = time.perf_counter(), _waited()
        render, handle = viewport._render, window.event

        def timed() -> None:
            began = time.perf_counter()
            render()
            self._picturing += time.perf_counter() - began
            self.pictures += 1

        def event(event: QEvent) -> bool:
            if event.type() != QEvent.Type.UpdateRequest:  # at which Qt paints all that changed, and shows it
                return bool(handle(event))
            began, waited = time.perf_counter(), _waited()
            handled = handle(event)
            self._drawing += time.perf_counter() - began
            self._drawing_waited += _waited() - waited
            return bool(handled)

        viewport._render, window.event = timed, event

    def turn(self) -> None:
        """The event loop has turned once."""
        now, waited = time.perf_counter(), _waited()
        gap = now - self._last - self._drawing
        self.gaps.append(1e3 * gap)
        self.own.append(1e3 * (gap - (waited - self._waited - self._drawing_waited)))
        self.pictured.append(1e3 * (now - self._last - self._picturing))
        self._last, self._waited = now, waited
        self._drawing = self._drawing_waited = self._picturing = 0.0


def _waited() -> float:
    """For how long [s] this thread was ready and got no processor, so far; 0 where the system does not tell."""
    try:
        told = Path(f"/proc/self/task/{get_native_id()}/schedstat").read_text(encoding="ascii")
    except OSError:
        return 0.0
    return 1e-9 * int(told.split()[1])
