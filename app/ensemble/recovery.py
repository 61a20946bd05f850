"""Recovery of the ensemble of a window: it is kept in a folder until it is saved or given up.

The folder lies beside the autosaved sessions and holds the checkpoints of physics.ensembles.checkpoint. The session
holds its name, so that the next window finds it, also after a crash. A window holds a lock on its own folder.
"""

from __future__ import annotations

import secrets
from contextlib import suppress
from pathlib import Path

from filelock import BaseFileLock

from app.document import autosave
from app.system.locks import taken
from physics import Scenario
from physics.ensembles.checkpoint import begun, checkpoints, folder_of, remove_checkpoints

MOST = 4  # that windows which are gone have left; older ones are removed
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


def _taken(name: str) -> UnfinishedEnsemble | None:
    lock = taken(autosave.folder() / f"{name}{_LOCK}")
    return None if lock is None else UnfinishedEnsemble(lock)


def _tidy() -> None:
    """Remove what windows that are gone have left, but for the last ones in which anything is kept."""
    names = [path.stem for path in autosave.folder().glob(f"rocks-*{_LOCK}")]
    left = [one for name in names if (one := _taken(name))]
    left.sort(key=lambda one: max((path.stat().st_mtime_ns for path in one.kept), default=0))
    for one in left:
        if one.kept and one in left[-MOST:]:
            one.leave()
        else:
            one.remove()
