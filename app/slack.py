"""Slack: memory that was freed, but is not yet the system's again."""

from __future__ import annotations

import ctypes
import sys


def give_back() -> None:
    """Give it back where the C library (glibc) keeps it: hundreds of MB after terrains were painted in threads."""
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # other libraries have none, nor need one
        if trim is not None:
            trim(0)
