"""The text of an error: what went wrong in a worker, in a sentence for people."""

from __future__ import annotations

import sys
import traceback

from app.system import error_log
from physics import PhysicsError, ScenarioError


def in_words(error: Exception, failed: str) -> PhysicsError | ScenarioError:
    """The error itself where its words are for people already, else one that says what failed (``"the run failed"``).

    A worker must not die in silence, nor leave a window waiting: it tells every error. With ``python -X dev`` the
    traceback of one that nobody has put into words is printed.
    """
    if isinstance(error, PhysicsError | ScenarioError):
        return error
    error_log.note_error(error)
    if sys.flags.dev_mode:
        traceback.print_exception(error)
    return PhysicsError(f"{failed}: {type(error).__name__}: {error}")
