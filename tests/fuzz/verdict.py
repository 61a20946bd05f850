"""Verdicts: what a reader did with an input, and whether that is allowed."""

from __future__ import annotations

import re
import signal
import threading
import time
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from physics.core.errors import PhysicsError, ScenarioError

PATIENCE = 10.0  # [s] of this thread for one small file
MEMORY = 1_000_000_000  # bytes more than before


@dataclass(frozen=True)
class Verdict:
    """``result``, ``sentence``, or what was wrong; why: the sentence, or what to look at."""

    kind: str
    why: str = ""

    @property
    def allowed(self) -> bool:
        return self.kind in ("result", "sentence")


class Hang(BaseException):
    """Raised in a reader that takes too long."""


def judged(read: Callable[[], Iterable[np.ndarray]]) -> Verdict:
    """Read once: numbers that are all finite, or one sentence, soon and in little memory."""
    began, before = time.thread_time(), _peak(reset=True)
    try:
        with warnings.catch_warnings(), _patience():
            warnings.simplefilter("error")
            verdict = _judged(read())
    except (ScenarioError, PhysicsError) as error:
        verdict = _sentence(str(error))
    except Hang:
        verdict = Verdict("hang", f"more than {PATIENCE:g} s")
    except Exception:  # noqa: BLE001 - that is what is looked for
        verdict = Verdict("crash", traceback.format_exc(limit=-4))
    if verdict.allowed and time.thread_time() - began > PATIENCE:
        return Verdict("hang", f"{time.thread_time() - began:.1f} s")
    if verdict.allowed and _peak() - before > MEMORY:
        return Verdict("memory", f"{(_peak() - before) / 1e9:.1f} GB")
    return verdict


def _judged(arrays: Iterable[np.ndarray]) -> Verdict:
    for i, array in enumerate(arrays):
        if not np.isfinite(array).all():
            return Verdict("nonsense", f"array {i} holds {np.asarray(array)[~np.isfinite(array)][0]}")
    return Verdict("result")


def _sentence(text: str) -> Verdict:
    if "\n" in text.strip() or not 5 < len(text) < 1500 or re.search(r"Traceback|at 0x[0-9a-f]{8}|<class", text):
        return Verdict("no sentence", text[:400])
    return Verdict("sentence", text)


@contextmanager
def _patience() -> Iterator[None]:
    """Raise Hang in what takes too long, where this thread can be interrupted."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def over(*_: object) -> None:
        raise Hang

    before = signal.signal(signal.SIGVTALRM, over)
    signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.0)
        signal.signal(signal.SIGVTALRM, before)


def _peak(reset: bool = False) -> int:
    """The largest memory [bytes] that this process has held, since the last reset; 0 where Linux does not tell."""
    try:
        if reset:
            Path("/proc/self/clear_refs").write_text("5")
        status = Path("/proc/self/status").read_text()
    except OSError:
        return 0
    found = re.search(r"VmHWM:\s*(\d+) kB", status)
    return 1024 * int(found[1]) if found else 0
