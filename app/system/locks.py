"""File locks that show whether a process lives: the system releases them when it ends, also after a crash."""

from __future__ import annotations

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
