"""Cancellation: what reads for long asks now and then whether anybody still waits for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar


class GivenUp(Exception):
    """Nobody waits any more."""


_given_up: ContextVar[Callable[[], bool]] = ContextVar("given_up", default=lambda: False)


@contextmanager
def until(given_up: Callable[[], bool]) -> Iterator[None]:
    """What this thread reads meanwhile ends with GivenUp soon after ``given_up`` says so."""
    token = _given_up.set(given_up)
    try:
        yield
    finally:
        _given_up.reset(token)


def check_wanted() -> None:
    """GivenUp where nobody waits any more for what this thread reads."""
    if _given_up.get()():
        raise GivenUp
