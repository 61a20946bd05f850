"""The last errors of this process, for a report of a problem: what was told to the user, and tracebacks of the rest."""

from __future__ import annotations

import sys
import threading
import time
import traceback
from collections import deque
from types import TracebackType

MOST = 40  # entries; of a longer traceback the end
LONGEST = 4000  # letters of one
_entries: deque[str] = deque(maxlen=MOST)


def note(text: str) -> None:
    """Keep what went wrong, with the time of day; what was told a moment ago is not kept twice."""
    if not (_entries and _entries[-1].partition(" ")[2] == text[-LONGEST:]):
        _entries.append(f"{time.strftime('%H:%M:%S')} {text[-LONGEST:]}")


def note_error(error: BaseException) -> None:
    """Keep an error with its traceback."""
    note("".join(traceback.format_exception(error)).rstrip())


def noted() -> tuple[str, ...]:
    """What is kept, the oldest first."""
    return tuple(_entries)


def listen() -> None:
    """From now on errors that nobody catches are kept too, in every thread, before they are printed as ever."""
    shown, shown_of_threads = sys.excepthook, threading.excepthook

    def keep(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        note_error(error)
        shown(kind, error, trace)

    def keep_of_thread(told: threading.ExceptHookArgs) -> None:
        if told.exc_value is not None:
            note_error(told.exc_value)
        shown_of_threads(told)

    sys.excepthook, threading.excepthook = keep, keep_of_thread
