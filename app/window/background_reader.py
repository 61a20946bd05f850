"""Reading of files in the background: a large map or a film takes long."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar

from physics.core import cancellation

T = TypeVar("T")


class BackgroundReader(Generic[T]):
    """A file that is read by a function in a thread."""

    def __init__(self, path: Path, read: Callable[[Path], T]) -> None:
        self.path, self._read = path, read
        self._found: list[T] = []
        self._error: Exception | None = None
        self._given_up = threading.Event()
        self._thread = threading.Thread(target=self._work, name="reading", daemon=True)
        self._thread.start()

    def join(self, seconds: float | None = None) -> None:
        """Wait until the file is read, at most for some seconds."""
        self._thread.join(seconds)

    def give_up(self) -> None:
        """Stop reading."""
        self._given_up.set()

    @property
    def running(self) -> bool:
        """True while the file is being read."""
        return self._thread.is_alive()

    def result(self) -> T:
        """The result of the function; its error is raised here."""
        if self._error is not None:
            raise self._error
        return self._found[0]

    def _work(self) -> None:
        try:
            with cancellation.until(self._given_up.is_set):
                self._found.append(self._read(self.path))
        except Exception as error:  # noqa: BLE001 - raised again by result
            self._error = error
