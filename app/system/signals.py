"""Ctrl+C and SIGTERM, also where an exception would be lost: in callbacks of VTK and of compilers.

Python delivers signals to the main thread, which gets none while it is in a compiled kernel or waits for threads that
are. So another thread listens too, and ends the process if the main thread has not within GRACE.
"""

from __future__ import annotations

import signal
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from types import FrameType

GRACE = 1.0  # [s] for the main thread to end the process by itself
_LOOK = 0.05  # [s] between two checks for unfinished work
_requested, _postponed, _at_terminal, _finishing = Event(), Event(), Event(), Event()


def listen(end: Callable[[], object] | None = None) -> None:
    """Raise KeyboardInterrupt at the first SIGINT or SIGTERM; later ones must not disturb the clean-up.

    end : ends the process; called by another thread if it has not ended within GRACE
    """
    if end is not None:
        reader, writer = socket.socketpair()  # Python's C handler writes the number of each signal
        writer.setblocking(False)
        signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
        Thread(target=_watch, args=(reader, writer, end), name="signals", daemon=True).start()
    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) is not signal.SIG_IGN:  # background jobs of a shell ignore Ctrl+C
            signal.signal(number, _ask)


def check() -> None:
    """Raise a KeyboardInterrupt that was postponed or lost."""
    if _requested.is_set():
        raise KeyboardInterrupt


def requested() -> bool:
    """True if the process is asked to end, now or after what postpones it."""
    return _requested.is_set()


def at_terminal() -> bool:
    """True if the request was Ctrl+C: a user is there, who may want what is done so far."""
    return _at_terminal.is_set()


def leave() -> None:
    """Leave signals to a window from now on; the process is no longer ended after GRACE."""
    signal.set_wakeup_fd(-1)


@contextmanager
def finishing() -> Iterator[None]:
    """Context that is completed after Ctrl+C; a second signal ends the process amid it."""
    _finishing.set()
    try:
        yield
    finally:
        _finishing.clear()


def _watch(reader: socket.socket, writer: socket.socket, end: Callable[[], object]) -> None:
    """Wait for a signal, then for the process to end; ``writer`` is an argument so that it stays open."""
    while reader.recv(1)[0] not in (signal.SIGINT, signal.SIGTERM):
        pass
    last = time.monotonic() + GRACE
    reader.settimeout(_LOOK)
    while (left := last - time.monotonic()) > 0.0 or _finishing.is_set():
        try:
            if reader.recv(1) and left <= 0.0:
                break
        except TimeoutError:
            pass
    end()


@contextmanager
def postponed() -> Iterator[None]:
    """Context for drawing and compiling: callbacks of VTK and LLVM lose exceptions or end the process."""
    _postponed.set()
    try:
        yield
    finally:
        _postponed.clear()
    check()


def _ask(number: int, frame: FrameType | None) -> None:
    first = not _requested.is_set()
    _requested.set()
    if first and number == signal.SIGINT:
        _at_terminal.set()
    if first and not _postponed.is_set():
        raise KeyboardInterrupt
