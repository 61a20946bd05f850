"""Processes that run the code of a user's file, see physics.schemes.own_worker, and messages to and from them.

A step that does not return within PATIENCE is taken for an endless loop: its process is ended. What counts is the
time of the processor, which it reports while it works, and time asleep; not that of other programs on a busy machine.
"""

from __future__ import annotations

import hashlib
import os
import queue
import subprocess
import sys
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from io import BufferedReader
from pathlib import Path
from typing import Any

import numpy as np

from physics.core.cancellation import check_wanted
from physics.core.errors import PhysicsError
from physics.core.messages import Message, receive, send
from physics.core.rotation import Array
from physics.core.wording import N_

PATIENCE = 10.0  # [s] of a step, and of the lines of the file outside of functions
COMPILING = 120.0  # [s] of numba
_LOOK = 0.1  # [s] between two checks for cancellation
_SILENCE = 6  # times as long on the wall: a process that reports nothing at all, such as one that is stopped
_LINE = 2000  # bytes of a line that the user's code prints; a longer one becomes several
_IDLE = 2  # processes that are kept for the next march
_ROOT = Path(__file__).parents[2]  # folder in which physics lies


class SchemeFault(PhysicsError):
    """A user's scheme failed in a step; ``rows`` of the march were good."""

    def __init__(self, text: str, rows: int = 0) -> None:
        super().__init__(text)
        self.rows = rows


@dataclass(eq=False)
class OwnCode:
    """The text of a user's file, and the processes that run it. Each march has one of them for itself."""

    path: Path
    text: str
    facts: dict[str, Any] = field(default_factory=dict)
    why: str = ""  # it is not compiled

    def __post_init__(self) -> None:
        self._idle: list[OwnProcess] = []
        self._lock = threading.Lock()
        weakref.finalize(self, _end, self._idle)

    @property
    def digest(self) -> str:
        """The SHA-256 of the text."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    def read(self) -> None:
        """Run the text once, and learn its facts; SchemeFault where that fails."""
        with self._process() as process:
            self.facts, self.why = process.facts, process.why

    def march(self, J: Array, field: Array, h: float, every: int, state: Array, out: Array) -> tuple[int, float]:
        """See physics.schemes.loop; SchemeFault where the code fails."""
        rows = 0
        try:
            with self._process() as process:
                arrays = {"J": np.asarray(J, float), "field": np.asarray(field, float), "state": state}
                process.ask("march", {"h": float(h), "every": int(every), "rows": len(out)}, arrays)
                while (answer := process.answer(PATIENCE)).what != "done":
                    found = answer.arrays["rows"]
                    out[rows : rows + len(found)] = found
                    rows += len(found)
                state[:] = answer.arrays["state"]
                return rows, float(answer.facts["residual"])
        except SchemeFault as fault:
            raise SchemeFault(N_("{name}: {fault}", self.path.name, fault), rows) from None

    @contextmanager
    def _process(self) -> Iterator[OwnProcess]:
        """A process that has taken the text; it is ended where it fails."""
        with self._lock:
            process = self._idle.pop() if self._idle else None
        if process is None or not process.alive:
            process = OwnProcess()
            try:
                process.take(self.path, self.text)
            except BaseException:
                process.end()
                raise
        try:
            yield process
        except BaseException:
            process.end()
            raise
        with self._lock:
            if len(self._idle) < _IDLE:
                self._idle.append(process)
                return
        process.end()


class OwnProcess:
    """One process; messages to and from it."""

    def __init__(self) -> None:
        known = os.environ | {"PYTHONSAFEPATH": "1"}
        places = [place for place in os.environ.get("PYTHONPATH", "").split(os.pathsep) if os.path.isabs(place)]
        self._child = subprocess.Popen(
            [sys.executable, "-P", "-m", "physics.schemes.own_worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=known | {"PYTHONPATH": os.pathsep.join([str(_ROOT), *places])},
            cwd=_ROOT,
            **_APART,
        )
        self._received: queue.SimpleQueue[Message | None] = queue.SimpleQueue()
        self.facts: dict[str, Any] = {}
        self.why = ""
        self._hearing = threading.Thread(target=self._hear, name="own scheme", daemon=True)
        self._hearing.start()
        self._name = ""  # of the file
        self._printing = threading.Thread(target=self._print, name="own scheme's print", daemon=True)
        self._printing.start()

    @property
    def alive(self) -> bool:
        """True while it runs."""
        return self._child.poll() is None

    def take(self, path: Path, text: str) -> None:
        """Run the text of a file; SchemeFault where that fails."""
        self._name = path.name
        self.ask("take", {"path": str(path), "text": text})
        self.answer(COMPILING, N_("Python does"))
        self.facts = self.answer(PATIENCE, N_("its first step, or code outside of functions, does")).facts
        self.why = self.answer(COMPILING, N_("numba does")).facts["why"]

    def ask(self, what: str, facts: dict[str, Any], arrays: dict[str, Array] | None = None) -> None:
        """Send an order."""
        assert self._child.stdin is not None
        with suppress(OSError):  # it has ended: ``answer`` reports it
            send(self._child.stdin, what, facts, arrays)

    def answer(self, patience: float, does: str = N_("a step does")) -> Message:
        """The next answer; SchemeFault where it is a fault, or none comes. ``does``: what does not return then.

        GivenUp where the caller has cancelled.
        """
        begun: float | None = None
        spent, silent = 0.0, 0
        while spent <= patience and silent * _LOOK <= patience * _SILENCE:
            check_wanted()
            try:
                message = self._received.get(timeout=_LOOK)
            except queue.Empty:
                silent += 1
                continue
            if message is None:
                status = self._child.wait()
                raise SchemeFault(N_("its process exited (status {status})", status))
            if message.what == "fault":
                raise SchemeFault(message.facts["text"])
            if message.what != "spent":
                return message
            begun = float(message.facts["seconds"]) if begun is None else begun
            spent, silent = float(message.facts["seconds"]) - begun, 0
        raise SchemeFault(N_("{does} not return within {patience:g} s: an endless loop?", does, patience))

    def end(self) -> None:
        """End it at once."""
        self._child.kill()
        self._child.wait()
        self._hearing.join()
        self._printing.join(_LOOK)  # a process that the user's code started may still hold the pipe
        for file in (self._child.stdin, self._child.stdout):
            if file is not None:
                with suppress(OSError):
                    file.close()

    def _hear(self) -> None:
        assert isinstance(self._child.stdout, BufferedReader)
        with suppress(ValueError, OSError):  # closed amid a message
            while (message := receive(self._child.stdout)) is not None:
                self._received.put(message)
        self._received.put(None)

    def _print(self) -> None:
        """Pass on what the user's code prints, each line with its file's name: none is a sentence of the program."""
        assert self._child.stderr is not None
        with self._child.stderr as file:
            while line := file.readline(_LINE):
                text = "".join(c if c.isprintable() else " " for c in line.decode(errors="replace").rstrip())
                with suppress(OSError, ValueError, AttributeError):  # the other end may be closed
                    print(f"{self._name} prints: {text}", file=sys.stderr, flush=True)


def _apart() -> dict[str, Any]:
    """Ctrl+C in a terminal is for the program, which ends this process itself."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW}
    return {"process_group": 0}


_APART = _apart()


def _end(processes: list[OwnProcess]) -> None:
    while processes:
        processes.pop().end()
