"""Scratch folders in the system's temporary folder, and the file locks that show whether their process lives.

A process that is killed leaves its folder behind; the next window removes it. A folder without a lock is not ours.
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

from filelock import BaseFileLock, FileLock


def taken(lock: Path) -> BaseFileLock | None:
    """The acquired lock; None if a living process holds it, or the file system has no locks. Its file stays."""
    # any thread may release it; a soft lock, by the existence of a file, would outlive a killed process
    held = FileLock(lock, timeout=0.0, thread_local=False, preserve_lock_file=True, fallback_to_soft=False)
    try:
        held.acquire()
    except OSError:  # also Timeout, from a lock that is held
        return None
    return held


_PREFIX, _LOCK = "polhode-", ".polhode-lock"


class ScratchFolder:
    """A temporary folder, removed by ``remove`` or at the end of the process."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix=_PREFIX)
        self.path = Path(self._folder.name)
        self._lock = taken(self.path / _LOCK)
        atexit.register(self.remove)

    def remove(self) -> None:
        """Remove the folder."""
        if self._lock is not None:
            self._lock.release()  # Windows does not remove open files
        atexit.unregister(self.remove)
        self._folder.cleanup()


def tidy() -> None:
    """Remove folders whose processes have ended."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with suppress(OSError):
            if _is_own(folder) and (lock := taken(folder / _LOCK)):
                lock.release()
                shutil.rmtree(folder, ignore_errors=True)


def _is_own(folder: Path) -> bool:
    """True for a folder, not a link to one, that this user's program has made."""
    facts, user = folder.lstat(), getattr(os, "getuid", lambda: folder.lstat().st_uid)()
    return folder.is_dir() and not folder.is_symlink() and facts.st_uid == user and (folder / _LOCK).is_file()
