"""Settings of malloc: memory that was freed goes back to the system soon."""

from __future__ import annotations

import ctypes
import sys

_M_MMAP_THRESHOLD, LARGE = -3, 4_000_000  # of malloc.h; bytes


def keep_little() -> None:
    """From now on give large blocks back as soon as they are freed.

    By itself glibc soon keeps blocks of up to 32 MB, and hands out pieces of them: after a round through all examples
    the window would take 880 MB in place of 670.
    """
    if sys.platform == "linux":
        tell = getattr(ctypes.CDLL(None), "mallopt", None)
        if tell is not None:
            tell(_M_MMAP_THRESHOLD, LARGE)


def give_back() -> None:
    """Give it back where the C library (glibc) keeps it: hundreds of MB after terrains were painted in threads."""
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # other libraries have none, nor need one
        if trim is not None:
            trim(0)
