"""A faulty file layer: the n-th call that makes, writes, flushes, closes or renames a file below a folder fails.

It is a library (writes.c) that is loaded before the system's own, so that the failure meets whoever writes: Python,
numpy, GDAL, ffmpeg.
"""

from __future__ import annotations

import mmap
import shutil
import struct
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).with_name("writes.c")
_CONTROL = struct.Struct("iiii1008s")  # struct control of writes.c


def library(folder: Path) -> Path:
    """The layer as a library in a folder, compiled now; it does nothing in processes that name no control."""
    made = folder / "writes.so"
    words = [compiler() or "cc", "-shared", "-fPIC", "-O1", "-o", str(made), str(SOURCE), "-ldl"]
    subprocess.run(words, check=True)
    return made


def compiler() -> str | None:
    """The C compiler that makes the layer; None where there is none, or where the system knows no such layers."""
    return shutil.which("cc") if sys.platform == "linux" else None


class Layer:
    """The layer below processes that were forked with ``variables`` in their environment, and below their children."""

    def __init__(self, folder: Path, made: Path) -> None:
        control, self._log = folder / "control", folder / "log"
        control.write_bytes(bytes(_CONTROL.size))
        self._log.touch()
        with control.open("r+b") as file:
            self._shared = mmap.mmap(file.fileno(), _CONTROL.size)
        paths = {"LD_PRELOAD": made, "FAULTS_CONTROL": control, "FAULTS_LOG": self._log}
        self.variables = {name: str(path) for name, path in paths.items()}

    def arm(self, below: Path, at: int = 0, error: int = 0, lasting: bool = False) -> None:
        """Call number ``at`` below a folder fails, none if 0; lasting: and all later ones that need room."""
        self._log.write_text("")
        self._shared[:] = _CONTROL.pack(at, error, lasting, 0, f"{below}/".encode())

    def disarm(self) -> list[str]:
        """Nothing fails any more; the calls since it was armed: number, kind and path."""
        self._shared[:] = bytes(_CONTROL.size)
        return self._log.read_text().splitlines()
