"""The process in which a user's scheme runs: it may hang, crash or end, and is then ended without harm to others.

It hears on its standard input and tells on its standard output, see physics.core.messages. First comes ``take`` with
the text of the file; the answers are ``here``, ``read`` with the facts of the module, and ``ready``. Then each
``march`` gets ``rows`` as they are done, every tenth of a second while steps return, and ``done``. ``fault`` is an
answer too: one sentence. What the user's code prints goes to standard error,
which the program passes on line by line.
"""

from __future__ import annotations

import os
import queue
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from io import BufferedReader
from typing import Any

import numpy as np

from physics.core.messages import Message, receive, send
from physics.schemes.own_module import OwnModule, WrongReturn

SIGN = 0.1  # [s] between signs of life: rows that are done, or that steps were
PACE = 1_000_000  # steps at once, at most
Numbers = tuple[float, ...]
Motion = tuple[Numbers, Numbers, Numbers]  # attitude, angular velocity, memory
_TRIAL = (1.0, 2.0, 3.0), (0.0,) * 12, 1e-3, (1.0, 0.0, 0.0, 0.0), (0.1, 0.2, 0.3)


class Worker:
    """Answers one message after another."""

    def __init__(self, tell: Callable[..., None]) -> None:
        self._tell, self._path = tell, ""
        self._module: OwnModule | None = None
        self._advance: Callable[..., Any] | None = None  # the compiled loop
        self._found: list[Numbers] = []  # rows that are not told yet
        self._steps_done = self._steps_told = 0
        self._telling = threading.Lock()

    def answer(self, message: Message) -> None:
        """Do what a message asks for; a fault of the user's code is told in a sentence."""
        try:
            if message.what == "take":
                self._take(**message.facts)
            else:
                self._march(message)
        except BaseException as error:  # noqa: BLE001 - also SystemExit: it is the user's code that raises
            text = self._words(error)
            self.sign()
            self._tell("fault", {"text": text})

    def sign(self) -> None:
        """Tell the rows that were done since, or that steps were; nothing where none was."""
        with self._telling:
            rows, self._found = self._found, []
            if rows or self._steps_done != self._steps_told:
                self._steps_told = self._steps_done
                self._tell("rows", {}, {"rows": np.array(rows, float).reshape(-1, 7)})

    def _take(self, path: str, text: str) -> None:
        self._path = path
        self._module = module = OwnModule(path, text)
        memory = module.begin(*_TRIAL)
        module.checked(*_TRIAL, memory)
        self._tell("read", module.facts | {"memory": len(memory)})
        self._advance, why = module.compiled(*_TRIAL, memory)
        self._tell("ready", {"why": why})

    def _march(self, message: Message) -> None:
        """Steps; a row after each ``every`` of them. The state: q, w, whether it has begun, memory."""
        assert self._module is not None
        facts, arrays = message.facts, message.arrays
        h, every, rows, state = facts["h"], facts["every"], facts["rows"], arrays["state"].tolist()
        J, field = tuple(arrays["J"].tolist()), tuple(arrays["field"].tolist())
        now = tuple(state[:4]), tuple(state[4:7]), tuple(state[8:])
        if self._module.remembers and not state[7]:
            now = *now[:2], self._module.begin(J, field, h, *now[:2])
        for _ in range(rows):
            for residual, after in self._steps(J, field, h, every, now):
                if residual is not None:
                    self._done(residual, now)
                    return
                now = after
            with self._telling:  # the other thread takes the list away
                self._found.append((*now[0], *now[1]))
        self._done(0.0, now)

    def _done(self, residual: float, now: Motion) -> None:
        q, w, memory = now
        self.sign()
        self._tell("done", {"residual": residual}, {"state": np.array([*q, *w, 1.0, *memory], float)})

    def _steps(
        self, J: Numbers, field: Numbers, h: float, count: int, now: Motion
    ) -> Iterator[tuple[float | None, Motion]]:
        """So many steps, as many at once as take about SIGN; the residual of one that has no solution, else None."""
        assert self._module is not None
        pace, done = 1, 0
        while done < count:
            n, begun = min(pace, count - done), time.monotonic()
            if self._advance is None:
                good, residual, *after = self._module.advance(J, field, h, n, *now)
            else:
                try:
                    good, residual, *after = self._advance(J, field, h, n, *now)
                except Exception:  # compiled code knows no line of the file: the step that raises is done once more
                    if n == 1:
                        self._module.checked(J, field, h, *now)
                        raise
                    pace = 1
                    continue
            if good < n:
                yield residual, now
                return
            q, w, memory = after
            now = q, w, memory
            done += n
            self._steps_done += n
            took = time.monotonic() - begun
            pace = min(PACE, 2 * pace) if took < 0.5 * SIGN else max(1, pace // 2) if took > SIGN else pace
            yield None, now

    def _words(self, error: BaseException) -> str:
        """What went wrong, with file and line."""
        if isinstance(error, WrongReturn):
            return str(error)
        kind, line = type(error).__name__, 0
        if isinstance(error, SyntaxError) and error.lineno is not None:
            return f"line {error.lineno}: {kind}: {error.msg}"
        for frame in traceback.extract_tb(error.__traceback__):
            if frame.filename == self._path:
                line = frame.lineno or 0
        text = f"{kind}: {error}" if str(error) else kind
        return f"line {line}: {text}" if line else text


def main() -> None:
    """Answer until nobody asks any more: also amid an endless loop, as another thread hears the end."""
    heard = os.fdopen(os.dup(0), "rb")
    told = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]  # it may be ended at any moment
    orders: queue.SimpleQueue[Message] = queue.SimpleQueue()
    telling = threading.Lock()

    def hear(file: BufferedReader) -> None:
        while (message := receive(file)) is not None:
            orders.put(message)
        os._exit(0)

    def tell(what: str, facts: dict[str, Any], arrays: dict[str, np.ndarray] | None = None) -> None:
        try:
            with telling:
                send(told, what, facts, arrays)
        except OSError:  # nobody reads any more
            os._exit(0)

    threading.Thread(target=hear, args=(heard,), name="orders", daemon=True).start()

    def beat() -> None:
        while True:
            time.sleep(SIGN)
            worker.sign()

    worker = Worker(tell)
    threading.Thread(target=beat, name="signs", daemon=True).start()
    tell("here", {})
    while True:
        worker.answer(orders.get())


if __name__ == "__main__":
    main()
