"""How much memory the process holds."""

from __future__ import annotations

import os
import sys


def resident() -> int:
    """Resident memory of this process now [bytes]; 0 where the system does not tell."""
    if sys.platform != "linux":
        return 0
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def peak() -> int:
    """Largest resident memory of this process so far [bytes]; 0 where the system does not tell."""
    if sys.platform == "win32":
        return 0
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else 1024 * most
