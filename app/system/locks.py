"""File locks that show whether a process lives: the system releases them when it ends, also after a crash."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import IO


def taken(lock: Path) -> IO[bytes] | None:
    """The lock, unless one holds it that lives."""
    file = lock.open("ab")
    try:
        if sys.platform == "win32":  # which a type checker understands
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        return None
    return file
