"""Threads of the window beside that which draws."""

from __future__ import annotations

import os
import sys

LOWER = 10  # of at most 19


def give_way() -> None:
    """Let the thread that calls this run when no other wants its processor, where the system does that (Linux).

    While a terrain was painted on two processors, the window's thread waited 10 to 20 ms at a time, also 40.
    """
    if sys.platform == "linux":  # elsewhere it would be the whole process
        os.nice(LOWER)
