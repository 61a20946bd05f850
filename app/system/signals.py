"""Ctrl+C and polite termination, also where an exception would be lost: in callbacks of VTK and of compilers."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event
from types import FrameType

_asked, _postponed, _at_terminal = Event(), Event(), Event()


def listen() -> None:
    """From now on the first SIGINT or SIGTERM raises KeyboardInterrupt; more of them must not disturb the clean-up."""
    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) is not signal.SIG_IGN:  # a shell's background job ignores Ctrl+C
            signal.signal(number, _ask)


def check() -> None:
    """Raise the KeyboardInterrupt that was asked for, if it has been postponed or lost."""
    if _asked.is_set():
        raise KeyboardInterrupt


def asked() -> bool:
    """Whether somebody wants an end, be it postponed or not."""
    return _asked.is_set()


def at_terminal() -> bool:
    """Whether it was Ctrl+C that asked for an end: somebody sits there who may want what is done so far."""
    return _at_terminal.is_set()


@contextmanager
def postponed() -> Iterator[None]:
    """Around drawing and compiling: VTK and LLVM call Python back, and lose an exception or end the process."""
    _postponed.set()
    try:
        yield
    finally:
        _postponed.clear()
    check()


def _ask(number: int, frame: FrameType | None) -> None:
    first = not _asked.is_set()
    _asked.set()
    if first and number == signal.SIGINT:
        _at_terminal.set()
    if first and not _postponed.is_set():
        raise KeyboardInterrupt
