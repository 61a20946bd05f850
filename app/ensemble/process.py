"""The process of an ensemble, on the window's side: start it, send it orders, receive its messages, end it."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import suppress
from io import BufferedReader
from queue import SimpleQueue
from threading import Thread
from typing import Any

from app.system import processes
from physics.core.messages import Message, receive, send

PROGRAM = ("-m", "app.ensemble.worker")
GRACE = 5.0  # [s] for a process that hears or tells nothing any more to end by itself


class EnsembleProcess:
    """A process for one ensemble, see app.ensemble.worker; started before it is needed, it has loaded all when it is.

    Raises OSError where no process can be started.
    """

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            processes.python(*PROGRAM),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=processes.environment(),
            cwd=processes.ROOT,
            **processes.apart(),
        )
        self._silent = False
        self._orders = SimpleQueue[tuple[str, dict[str, Any]] | None]()
        self._writing = Thread(target=self._write, name="orders", daemon=True)
        self._writing.start()

    @property
    def number(self) -> int:
        """Of the process, as the system has it."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether it runs."""
        return self._process.poll() is None

    def order(self, what: str, **facts: Any) -> None:
        """Send an order soon; does not wait."""
        self._orders.put((what, facts))

    def messages(self) -> Iterator[Message]:
        """What it tells, until its end; ValueError where nobody can read that."""
        assert isinstance(self._process.stdout, BufferedReader)
        with self._process.stdout as file:
            while (message := receive(file)) is not None:
                yield message

    def end(self) -> None:
        """No more orders: it finishes what it writes."""
        self._orders.put(None)

    def kill(self) -> None:
        """End it at once."""
        self._process.kill()
        self.end()

    def wait(self) -> int | None:
        """Its exit status, once it has ended; below 0: by that signal; None: it was deaf or mute, and had to be."""
        self.end()
        self._part()
        self._writing.join()
        status = self._process.wait()
        return None if self._silent else status

    def _part(self) -> None:
        """It hears or tells nothing any more: either it ends by itself, or it is ended."""
        try:
            self._process.wait(GRACE)
        except subprocess.TimeoutExpired:
            self._silent = True
            self._process.kill()

    def close(self) -> None:
        """End it, and wait for that."""
        self.kill()
        for _ in self.messages():
            pass
        self.wait()

    def _write(self) -> None:
        assert self._process.stdin is not None
        try:
            with self._process.stdin as file:
                while (order := self._orders.get()) is not None:
                    send(file, *order)
        except OSError:
            self._part()


class SpareProcess:
    """A process that waits for an ensemble: to start one and to load the kernels takes 2 s."""

    def __init__(self) -> None:
        self._child: EnsembleProcess | None = None

    def prepare(self) -> None:
        """Have one; where none can be started, ``take`` tells."""
        if self._child is None:
            with suppress(OSError):
                self._child = EnsembleProcess()

    def take(self) -> EnsembleProcess:
        """The one that waits, or a new one."""
        child, self._child = self._child, None
        if child is not None and not child.alive:
            child.close()
            child = None
        return child or EnsembleProcess()

    def close(self) -> None:
        """End it, and wait for that."""
        if self._child is not None:
            self._child.close()
        self._child = None
