"""The frame worker: a second process that draws every other picture of a film, while this one draws the others.

Software that draws keeps less than two processors busy: it waits while actors are moved, and for its own threads. No
picture depends on those before, so the film is the same whichever process draws one.
"""

from __future__ import annotations

import mmap
import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

import numpy as np

from app.export.offscreen_stage import Camera
from app.system import opengl
from physics.core.cancellation import undone_by

LEAST = 100e6  # pixels of a film from which the worker's own start, of 1 to 4 s, is worth while
SLOTS = 3  # pictures that the worker may be ahead


class FrameWorker:
    """Pictures that another process draws, one after the other."""

    def __init__(self, answers: Connection, memory: mmap.mmap, shape: tuple[int, ...]) -> None:
        self._answers, self._memory, self._shape = answers, memory, shape
        self._taken = 0

    def take(self) -> np.ndarray | None:
        """The next picture, the caller's own; None: the process has ended, for want of memory perhaps."""
        try:
            self._answers.recv_bytes()
            picture = _slot(self._memory, self._shape, self._taken).copy()
            self._answers.send_bytes(b"free")
        except (EOFError, OSError):
            return None
        self._taken += 1
        return picture


@contextmanager
def frame_worker(
    studio: Callable[[], AbstractContextManager[Camera]], times: Sequence[float], shape: tuple[int, int, int]
) -> Iterator[FrameWorker | None]:
    """A process that draws pictures (height, width, 3 or 4) of some times [s]; None where one process does as well.

    It is a copy of this one, which must not have drawn yet: a copy of a driver of OpenGL does not work.
    """
    started = _started(studio, times, shape)
    if started is None:
        yield None
        return
    process, answers, memory = started
    try:
        with undone_by(process.kill):
            yield FrameWorker(answers, memory, shape)
    finally:
        process.kill()
        process.join()
        answers.close()


def _started(
    studio: Callable[[], AbstractContextManager[Camera]], times: Sequence[float], shape: tuple[int, int, int]
) -> tuple[BaseProcess, Connection, mmap.mmap] | None:
    """The process, its answers and the memory for its pictures; None where there is none, or no room for it."""
    if not (sys.platform == "linux" and len(os.sched_getaffinity(0)) > 1 and len(times)) or opengl.is_loaded():
        return None
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe()
    try:
        memory = mmap.mmap(-1, SLOTS * int(np.prod(shape)))
        process = context.Process(target=_draw, args=(studio, times, shape, memory, ours, theirs), daemon=True)
        process.start()
    except OSError:
        ours.close()
        return None
    finally:
        theirs.close()
    return process, ours, memory


def _slot(memory: mmap.mmap, shape: tuple[int, ...], number: int) -> np.ndarray:
    """The part of the memory that both processes share for a picture."""
    size = int(np.prod(shape))
    return np.frombuffer(memory, np.uint8, size, (number % SLOTS) * size).reshape(shape)


def _draw(
    studio: Callable[[], AbstractContextManager[Camera]],
    times: Sequence[float],
    shape: tuple[int, ...],
    memory: mmap.mmap,
    ours: Connection,
    theirs: Connection,
) -> None:
    """In the worker: draw picture after picture; the first process draws what this one cannot."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who presses Ctrl+C ends the first one, and that ends this one
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    ours.close()
    with suppress(Exception), studio() as take:
        for number, time in enumerate(times):
            if number >= SLOTS:
                theirs.recv_bytes()
            _slot(memory, shape, number)[:] = take(time)
            theirs.send_bytes(b"drawn")
        theirs.recv_bytes()  # the memory is needed until all is taken
    os._exit(0)  # without the clean-up of what the first process has begun
