"""Slack: what the C library keeps of what was freed."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# a large block that is freed makes glibc keep the next ones of its size, unless it is told otherwise
CHILD = """
import sys
import numpy as np
from app.system.malloc import keep_little
from tests.soak.growth import told
if sys.argv[1] == "little":
    keep_little()
np.ones(2_500_000)
before = told().hblkhd
kept = np.ones(1_250_000)
print(told().hblkhd - before >= kept.nbytes)
"""


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "mallinfo2"), reason="glibc 2.33 and later tell")
@pytest.mark.parametrize("how", ["usual", "little"])
def test_large_blocks_are_mapped_and_so_given_back_once_they_are_freed(how: str) -> None:
    def mapped() -> bool:
        words = [sys.executable, "-c", CHILD, how]
        done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=60, check=True)
        return {"True": True, "False": False}[done.stdout.strip()]

    if how == "little":
        assert mapped()
    else:  # seldom the system has put a library right behind the heap, and glibc maps the block all the same
        assert not all(mapped() for _ in range(3))
