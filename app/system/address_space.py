"""The limit of the address space: how much memory a process may take.

Below a limit some libraries never return, or end the process. So it is checked before they are loaded.
"""

from __future__ import annotations

import sys

LEAST = 1_000_000_000  # bytes that they and the kernels take, on two processors


def shortage() -> str:
    """What is wrong with the limit of this process; "" where nothing is."""
    if sys.platform == "win32":
        return ""
    import resource

    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    if limit == resource.RLIM_INFINITY or limit >= LEAST:
        return ""
    found = f"a process may take {limit / 1e6:.0f} MB here (ulimit -v)"
    return f"not enough memory: {found}; expected {LEAST / 1e6:.0f} MB or more"
