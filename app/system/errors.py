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


MAX_ENTRIES = 40  # entries
MAX_ENTRY_LETTERS = 4000  # characters of an entry; the end of longer ones is kept
_entries: deque[str] = deque(maxlen=MAX_ENTRIES)


def note(text: str) -> None:
    """Keep an error with the time of day; repetitions are kept once."""
    if not (_entries and _entries[-1].partition(" ")[2] == text[-MAX_ENTRY_LETTERS:]):
        _entries.append(f"{time.strftime('%H:%M:%S')} {text[-MAX_ENTRY_LETTERS:]}")


def note_error(error: BaseException) -> None:
    """Keep an error with its traceback."""
    note("".join(traceback.format_exception(error)).rstrip())


def noted() -> tuple[str, ...]:
    """The errors that are kept, the oldest first."""
    return tuple(_entries)


def listen() -> None:
    """Keep uncaught errors of all threads too, from now on; they are printed as before."""
    shown, shown_of_threads = sys.excepthook, threading.excepthook

    def keep(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        note_error(error)
        shown(kind, error, trace)

    def keep_of_thread(hook: threading.ExceptHookArgs) -> None:
        if hook.exc_value is not None:
            note_error(hook.exc_value)
        shown_of_threads(hook)

    sys.excepthook, threading.excepthook = keep, keep_of_thread


def in_words(error: Exception, failed: str) -> PhysicsError | ScenarioError:
    """An error for people: the error itself if it is one, else one that says what failed (``"the run failed"``).

    Workers report every error so, that no window waits for them. With ``python -X dev`` tracebacks are printed too.
    """
    from physics import PhysicsError, ScenarioError  # here: the window appears before physics is loaded
    from physics.core.wording import N_

    if isinstance(error, PhysicsError | ScenarioError):
        return error
    note_error(error)
    if sys.flags.dev_mode:
        traceback.print_exception(error)
    return PhysicsError(N_("{failed}: {name}: {error}", failed, type(error).__name__, error))
