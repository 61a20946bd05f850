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
    """The lock, or None: one holds it that lives, or there are no locks. Its file stays, to be found by its name."""
    # any thread may release it; a lock by existence, where the file system has no other, would outlive a kill
    held = FileLock(lock, timeout=0.0, thread_local=False, preserve_lock_file=True, fallback_to_soft=False)
    try:
        held.acquire()
    except OSError:  # also Timeout: another one holds it
        return None
    return held


_PREFIX, _LOCK = "polhode-", ".polhode-lock"


class ScratchFolder:
    """A folder that is removed with ``remove``, or when the process ends."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix=_PREFIX)
        self.path = Path(self._folder.name)
        self._lock = taken(self.path / _LOCK)
        atexit.register(self.remove)

    def remove(self) -> None:
        """It is not needed any longer."""
        if self._lock is not None:
            self._lock.release()  # Windows removes no file that is open
        atexit.unregister(self.remove)
        self._folder.cleanup()


def tidy() -> None:
    """Remove what processes that are gone have left behind."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with suppress(OSError):
            if _is_own(folder) and (lock := taken(folder / _LOCK)):
                lock.release()
                shutil.rmtree(folder, ignore_errors=True)


def _is_own(folder: Path) -> bool:
    """Whether it is a folder, and no link to one, that this user's program has made."""
    facts, user = folder.lstat(), getattr(os, "getuid", lambda: folder.lstat().st_uid)()
    return folder.is_dir() and not folder.is_symlink() and facts.st_uid == user and (folder / _LOCK).is_file()
