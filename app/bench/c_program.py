"""Programs in C that a benchmark measures beside ours, where a compiler is found."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path

import numpy as np

from physics.io.trajectory_writers import scratch_folder


def pointer(array: np.ndarray) -> ctypes.c_void_p:
    """Where the numbers of an array lie."""
    return ctypes.c_void_p(array.ctypes.data)


def compiled(source: Path, *options: str) -> ctypes.CDLL | None:
    """A C program as a library, or None where no compiler is found, or it does not know an option."""
    compiler = next((path for name in ("cc", "gcc", "clang") if (path := shutil.which(name))), None)
    if compiler is None:
        return None
    with scratch_folder() as folder:
        library = folder / "program.so"
        command = [compiler, "-O3", *options, "-shared", "-fPIC", str(source), "-o", str(library), "-lm"]
        if subprocess.run(command, capture_output=True, check=False).returncode != 0:
            return None
        return ctypes.CDLL(str(library))
