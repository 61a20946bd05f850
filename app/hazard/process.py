"""Process of an ensemble, on the side of the window, and recovery of those that were not saved."""

from __future__ import annotations

import secrets
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from io import BufferedReader
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any

from filelock import BaseFileLock

from app.document import autosave
from app.system import processes
from app.system.scratch_folders import taken
from physics import Scenario
from physics.core.messages import Message, receive, send
from physics.hazard.checkpoint import begun, checkpoints, folder_of, remove_checkpoints
from physics.systems.rockfall.scenario import RockfallScenario, of_rocks

_LOCK = ".lock"


class UnfinishedEnsemble:
    """A folder for one ensemble, which no other window has; see ``new`` and ``found``."""

    def __init__(self, lock: BaseFileLock) -> None:
        self._lock = lock
        self.path = Path(lock.lock_file).with_suffix("")  # the checkpoints lie in path.part

    @property
    def name(self) -> str:
        """Name by which ``found`` finds it."""
        return self.path.name

    @property
    def kept(self) -> list[Path]:
        """Its checkpoints."""
        return checkpoints(folder_of(self.path))

    @property
    def scenario(self) -> Scenario | None:
        """Scenario of the ensemble that was begun; None if nothing of it is kept."""
        return begun(folder_of(self.path))

    def leave(self) -> None:
        """Let another window have it."""
        self._lock.release()

    def remove(self) -> None:
        """Give it up; what cannot be removed is no reason to complain."""
        remove_checkpoints(folder_of(self.path))
        self.leave()
        with suppress(OSError):
            self.path.with_suffix(_LOCK).unlink()


def new() -> UnfinishedEnsemble | None:
    """One for a new ensemble; None where none can be made."""
    try:
        autosave.folder().mkdir(parents=True, exist_ok=True)
        _tidy()
        return _taken(f"rocks-{secrets.token_hex(4)}")
    except OSError:
        return None


def found(name: str) -> UnfinishedEnsemble | None:
    """The one of that name; None where it is gone, or another window has it."""
    try:
        one = _taken(name)
    except OSError:
        return None
    if one is not None and not one.kept:
        one.remove()
        return None
    return one


def discard(name: str) -> None:
    """Remove the one of that name, unless a window shows it."""
    if one := found(name):
        one.remove()


@dataclass(frozen=True)
class LeftEnsemble:
    """An ensemble that no window shows: the name by which ``found`` finds it, rocks done, and when [s since 1970]."""

    name: str
    scenario: RockfallScenario
    done: int
    time: float


def left() -> list[LeftEnsemble]:
    """Those that no window shows, the newest first."""
    ones = []
    for lock in autosave.folder().glob(f"rocks-*{_LOCK}"):
        one = found(lock.stem)
        if one is None:
            continue
        try:
            newest = one.kept[0]
            if (scenario := _scenario(newest)) is not None:
                ones.append(LeftEnsemble(one.name, scenario, int(newest.stem.split("-")[1]), newest.stat().st_mtime))
        except OSError:
            continue
        finally:
            one.leave()
    return sorted(ones, key=lambda one: one.time, reverse=True)


@lru_cache(maxsize=64)
def _scenario(newest: Path) -> RockfallScenario | None:
    """Scenario of the ensemble with that newest checkpoint; its name identifies its content, slow to read."""
    scenario = begun(newest.parent)
    return None if scenario is None else of_rocks(scenario)


def _taken(name: str) -> UnfinishedEnsemble | None:
    lock = taken(autosave.folder() / f"{name}{_LOCK}")
    return None if lock is None else UnfinishedEnsemble(lock)


def _tidy() -> None:
    """Remove what windows that are gone have left where nothing is kept in it."""
    for lock in autosave.folder().glob(f"rocks-*{_LOCK}"):
        if one := found(lock.stem):
            one.leave()


PROGRAM = ("-m", "app.hazard.worker")
GRACE = 5.0  # [s] in which an unresponsive process may exit by itself


class EnsembleProcess:
    """A process for one ensemble, see app.hazard.worker; started before it is needed, it has loaded all when it is.

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
        """Number of the process in the system."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """True if it runs."""
        return self._process.poll() is None

    def order(self, what: str, **facts: Any) -> None:
        """Send an order soon; does not wait."""
        self._orders.put((what, facts))

    def messages(self) -> Iterator[Message]:
        """Messages of the process until its end; ValueError if one cannot be read."""
        assert isinstance(self._process.stdout, BufferedReader)
        with self._process.stdout as file:
            while (message := receive(file)) is not None:
                yield message

    def end(self) -> None:
        """Send no more orders; the process finishes what it writes."""
        self._orders.put(None)

    def kill(self) -> None:
        """End it at once."""
        self._process.kill()
        self.end()

    def wait(self) -> int | None:
        """Exit status, negative if a signal ended it; None if the worker stopped responding and was killed."""
        self.end()
        self._part()
        self._writing.join()
        status = self._process.wait()
        return None if self._silent else status

    def _part(self) -> None:
        """End a process that stopped responding, unless it exits by itself."""
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
        """Start a process unless there is one; a failure goes to ``take``."""
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
