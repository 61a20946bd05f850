"""Progress on standard error: a bar for people, lines for programs, or nothing."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable
from types import TracebackType

from app.system import signals
from app.system.language import tr, translated
from app.system.terminal import one_line

WIDTH = 32


class Progress:
    """Progress of a task; ``mode`` is ``"bar" | "lines" | "none"``; None means a bar on a terminal.

    ``lines`` prints ``progress DONE TOTAL`` for each step of tasks with ``counted=True``.
    """

    def __init__(self, mode: str | None, quiet: bool = False) -> None:
        if mode is None:
            mode = "bar" if sys.stderr is not None and sys.stderr.isatty() else "none"
        self.mode, self.quiet = "none" if quiet else mode, quiet
        self._drawn = 0.0
        self._started = time.monotonic()
        self._task = ""
        self._noted: set[str] = set()

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        if self.mode == "bar" and self._drawn:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def note(self, notes: Iterable[str], *, failed: bool = False) -> None:
        """Print what was repaired or decided, a line each, and each once; failed: what failed, in whatever mode."""
        if failed or not (self.quiet or self.mode == "lines"):
            for text in dict.fromkeys(text for text in notes if text not in self._noted):
                self._noted.add(text)
                over = "\r\x1b[K" if sys.stderr is not None and sys.stderr.isatty() else ""  # a bar, also another's
                words = [f"{over}polhode:", *([] if failed else [f"{tr('note')}:"]), one_line(translated(text))]
                print(*words, file=sys.stderr, flush=True)

    def show(self, task: str, done: float, total: float, counted: bool = False) -> None:
        """Show that ``done`` of ``total`` parts are ready; KeyboardInterrupt if the user has interrupted."""
        signals.check()
        if self.mode == "lines" and counted:
            print(f"progress {done:.0f} {total:.0f}", file=sys.stderr, flush=True)
        if self.mode != "bar":
            return
        now = time.monotonic()
        if task != self._task:
            self._task, self._started, self._drawn = task, now, 0.0
        if now - self._drawn < 0.1 and done < total:
            return
        self._drawn = now
        share = min(done / total, 1.0) if total > 0 else 1.0
        filled = round(WIDTH * share)
        left = (
            tr(", {seconds:.0f} s left").format(seconds=(now - self._started) * (1 / share - 1))
            if 0 < share < 1
            else ""
        )
        bar = "━" * filled + " " * (WIDTH - filled)
        print(f"\r{task} ▕{bar}▏ {100 * share:3.0f} %{left}\x1b[K", end="", file=sys.stderr, flush=True)
