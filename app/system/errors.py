"""Errors of this process: their text for people, and the last ones for a report of a problem."""

from __future__ import annotations

import sys
import threading
import time
import traceback
from collections import deque
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from physics import PhysicsError, ScenarioError


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


def in_words(error: Exception, failed: str) -> PhysicsError | ScenarioError:
    """The error itself where its words are for people already, else one that says what failed (``"the run failed"``).

    A worker must not die in silence, nor leave a window waiting: it tells every error. With ``python -X dev`` the
    traceback of one that nobody has put into words is printed.
    """
    from physics import PhysicsError, ScenarioError  # here: the window appears before physics is loaded

    if isinstance(error, PhysicsError | ScenarioError):
        return error
    note_error(error)
    if sys.flags.dev_mode:
        traceback.print_exception(error)
    return PhysicsError(f"{failed}: {type(error).__name__}: {error}")
