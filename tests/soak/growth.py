"""Growth: memory, threads and VTK objects of this process."""

from __future__ import annotations

import gc
import sys
import threading
from pathlib import Path
from typing import NamedTuple

HEAVY = ("RenderWindow", "Renderer", "Actor", "Mapper", "PolyData", "ImageData", "StructuredGrid", "Texture")


class Load(NamedTuple):
    """What this process holds: memory [MB], threads of Python, heavy VTK objects, open files."""

    memory: float
    threads: int
    objects: int
    files: int


def load() -> Load:
    """What this process holds now, after a collection of garbage."""
    gc.collect()
    status = Path("/proc/self/status").read_text()
    resident = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    return Load(
        int(resident.split()[1]) / 1024.0,
        threading.active_count(),
        _objects(),
        len(list(Path("/proc/self/fd").iterdir())),
    )


def _objects() -> int:
    if "vtkmodules" not in sys.modules:
        return 0
    from vtkmodules.vtkCommonCore import vtkObject

    return sum(issubclass(type(o), vtkObject) and type(o).__name__.endswith(HEAVY) for o in gc.get_objects())
