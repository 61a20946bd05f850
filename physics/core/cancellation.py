"""Cooperative cancellation and progress of long reads.

Long reads call ``check_wanted`` now and then. ``undone_by`` says what to undo if a process must end at once.

A compiled kernel cannot be cancelled: a process that must end in one undoes what it has begun, and ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar


class GivenUp(Exception):
    """The read was cancelled."""


_given_up: ContextVar[Callable[[], bool]] = ContextVar("given_up", default=lambda: False)
_heard: ContextVar[Callable[[float], object]] = ContextVar("heard", default=lambda share: None)


@contextmanager
def until(given_up: Callable[[], bool], heard: Callable[[float], object] = lambda share: None) -> Iterator[None]:
    """Context in which reads of this thread end with GivenUp soon after ``given_up`` returns true.

    heard : called with the share of a long file that is read, 0 .. 1
    """
    tokens = _given_up.set(given_up), _heard.set(heard)
    try:
        yield
    finally:
        _given_up.reset(tokens[0])
        _heard.reset(tokens[1])


def check_wanted(share: float | None = None) -> None:
    """Raise GivenUp if the read of this thread was cancelled; report the share of it that is read."""
    if _given_up.get()():
        raise GivenUp
    if share is not None:
        _heard.get()(share)


_begun: dict[object, Callable[[], object]] = {}  # in the order in which it was begun


@contextmanager
def undone_by(undo: Callable[[], object]) -> Iterator[None]:
    """Context in which ``undo_all`` calls ``undo``, for a block that would leave a file or a process behind."""
    key = object()
    _begun[key] = undo
    try:
        yield
    finally:
        _begun.pop(key, None)


def undo_all() -> None:
    """Undo all that is begun, the last first; from any thread of a process that is about to end."""
    while _begun:
        with suppress(Exception):  # KeyError: it has just ended by itself
            _begun.popitem()[1]()
