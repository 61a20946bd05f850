"""Recovery of ensembles: each is kept in a folder until all of it is saved, or the user discards it.

The folder lies beside the autosaved sessions and holds the checkpoints of physics.ensembles.checkpoint. The session
holds its name, so that the next window finds it, also after a crash; ``left`` lists all. A window holds a lock on the
folder of the ensemble that it shows.
"""

from __future__ import annotations

import secrets
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from filelock import BaseFileLock

from app.document import autosave
from app.system.scratch_folders import taken
from physics import Scenario
from physics.ensembles.checkpoint import begun, checkpoints, folder_of, remove_checkpoints
from physics.systems.rockfall.scenario import RockfallScenario, of_rocks

_LOCK = ".lock"


class UnfinishedEnsemble:
    """A folder for one ensemble, which no other window has; see ``new`` and ``found``."""

    def __init__(self, lock: BaseFileLock) -> None:
        self._lock = lock
        self.path = Path(lock.lock_file).with_suffix("")  # the checkpoints lie in path.part

    @property
    def name(self) -> str:
        """By which ``found`` finds it."""
        return self.path.name

    @property
    def kept(self) -> list[Path]:
        """Its checkpoints."""
        return checkpoints(folder_of(self.path))

    @property
    def scenario(self) -> Scenario | None:
        """Of the ensemble that was begun; None where nothing of it is kept."""
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
    """Of the ensemble whose newest checkpoint is known: its name tells its content, and to read it may take long."""
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
