"""A file that is being opened: in a thread, as the map behind results, or a film, may take long to read."""

from __future__ import annotations

import threading
from pathlib import Path

from app.document.open import measured_session, saved_for
from app.document.session import SavedSession
from physics.core import cancellation
from physics.measured.measured_config import MeasuredTable


class BackgroundOpen:
    """The session in a file, read in a thread of its own; table: how the columns of a measured motion are read."""

    def __init__(self, path: str | Path, table: MeasuredTable | None = None) -> None:
        self.path, self._table = path, table
        self._saved: SavedSession | None = None
        self._error: Exception | None = None
        self._given_up = threading.Event()
        self._thread = threading.Thread(target=self._work, name="opening", daemon=True)
        self._thread.start()

    def join(self, seconds: float | None = None) -> None:
        """Wait until it is read, or for so long."""
        self._thread.join(seconds)

    def give_up(self) -> None:
        """Read no further."""
        self._given_up.set()

    @property
    def running(self) -> bool:
        """Whether it is still being read."""
        return self._thread.is_alive()

    def result(self) -> SavedSession:
        """The session; ScenarioError where the file holds none."""
        if self._error is not None:
            raise self._error
        assert self._saved is not None
        return self._saved

    def _work(self) -> None:
        try:
            with cancellation.until(self._given_up.is_set):
                table = self._table
                self._saved = saved_for(self.path) if table is None else measured_session(self.path, table)
        except Exception as error:  # noqa: BLE001 - raised again in the thread that asks
            self._error = error
