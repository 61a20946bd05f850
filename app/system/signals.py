"""Ctrl+C and polite termination, also where an exception would be lost: in callbacks of VTK and of compilers.

Python hands a signal to the main thread, which is told of none while it is in a compiled kernel or waits for threads
that are. So another thread hears it too, and ends the process where the main thread has not within GRACE.
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
_LOOK = 0.05  # [s] between two looks whether it still has to finish something
_asked, _postponed, _at_terminal, _finishing = Event(), Event(), Event(), Event()


def listen(end: Callable[[], object] | None = None) -> None:
    """From now on the first SIGINT or SIGTERM raises KeyboardInterrupt; more of them must not disturb the clean-up.

    end : ends the process; called by another thread where it has not ended within GRACE
    """
    if end is not None:
        heard, told = socket.socketpair()  # Python's own handler, in C, writes the number of each signal
        told.setblocking(False)
        signal.set_wakeup_fd(told.fileno(), warn_on_full_buffer=False)
        Thread(target=_watch, args=(heard, told, end), name="signals", daemon=True).start()
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


def leave() -> None:
    """From now on another one heeds signals, a window; the process is no longer ended after GRACE."""
    signal.set_wakeup_fd(-1)


@contextmanager
def finishing() -> Iterator[None]:
    """Around what is worth waiting for after Ctrl+C: the process ends amid it only when it is asked once more."""
    _finishing.set()
    try:
        yield
    finally:
        _finishing.clear()


def _watch(heard: socket.socket, told: socket.socket, end: Callable[[], object]) -> None:
    """Wait for a signal, then for the process to end; ``told`` has to stay open as long."""
    while heard.recv(1)[0] not in (signal.SIGINT, signal.SIGTERM):
        pass
    last = time.monotonic() + GRACE
    heard.settimeout(_LOOK)
    while (left := last - time.monotonic()) > 0.0 or _finishing.is_set():
        try:
            if heard.recv(1) and left <= 0.0:
                break
        except TimeoutError:
            pass
    end()


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
