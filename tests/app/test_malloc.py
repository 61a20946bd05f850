"""Slack: what the C library keeps of what was freed."""

from __future__ import annotations

import ctypes
import os
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
    # a test with a cluster leaves dask's MALLOC_TRIM_THRESHOLD_ behind, with which glibc maps all large blocks
    usual = {name: value for name, value in os.environ.items() if not name.startswith("MALLOC_")}
    words = [sys.executable, "-c", CHILD, how]
    done = subprocess.run(words, cwd=ROOT, env=usual, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == str(how == "little")
