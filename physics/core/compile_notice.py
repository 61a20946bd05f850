"""Notice that a kernel is about to be compiled, which takes seconds, once for each version."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_hear: ContextVar[Callable[[], None]] = ContextVar("hear", default=lambda: None)


@contextmanager
def told_to(hear: Callable[[], None]) -> Iterator[None]:
    """Context in which ``hear()`` is called in this thread before each kernel that has to be compiled."""
    token = _hear.set(hear)
    try:
        yield
    finally:
        _hear.reset(token)


def tell() -> None:
    """Report that a kernel is about to be compiled."""
    _hear.get()()
