"""Growth: memory, threads and VTK objects of this process, and how they grow from round to round."""

from __future__ import annotations

import ctypes
import gc
import sys
import threading
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

HEAVY = ("RenderWindow", "Renderer", "Actor", "Mapper", "PolyData", "ImageData", "StructuredGrid", "Texture")


class Load(NamedTuple):
    """What this process holds: memory and what is in use of it [MB], threads of Python, heavy VTK objects, open files.

    The system's pages come and go by tens of MB (memory); what the C library has given away and not got back
    (used: Qt, VTK, OpenGL, numpy's arrays) shows what is lost to a few KB.
    """

    memory: float
    used: float
    threads: int
    objects: int
    files: int


def load() -> Load:
    """What this process holds now, after a collection of garbage, and without what it has freed."""
    gc.collect()
    if (trim := getattr(ctypes.CDLL(None), "malloc_trim", None)) is not None:  # of glibc
        trim(0)
    status = Path("/proc/self/status").read_text()
    resident = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    return Load(
        int(resident.split()[1]) / 1024.0,
        _used(),
        threading.active_count(),
        _objects(),
        len(list(Path("/proc/self/fd").iterdir())),
    )


class _Malloc(ctypes.Structure):
    """``struct mallinfo2`` of malloc.h, in bytes: ``uordblks`` of all arenas, ``hblkhd`` in mappings of their own."""

    _fields_ = [
        *((name, ctypes.c_size_t) for name in ("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks")),
        *((name, ctypes.c_size_t) for name in ("uordblks", "fordblks", "keepcost")),
    ]


def _used() -> float:
    """Memory that is allocated of the C library [MB]; 0 where it does not tell (before glibc 2.33)."""
    tell = getattr(ctypes.CDLL(None), "mallinfo2", _Malloc)
    tell.restype = _Malloc
    facts = tell()
    return float(facts.uordblks + facts.hblkhd) / 2**20


def growth(values: Sequence[float]) -> tuple[float, float]:
    """The slope of a straight line through values of successive rounds, and its standard error."""
    from scipy.stats import linregress  # here: it takes long to load

    line = linregress(range(len(values)), values)
    return float(line.slope), float(line.stderr)


def _objects() -> int:
    if "vtkmodules" not in sys.modules:
        return 0
    from vtkmodules.vtkCommonCore import vtkObject

    kinds = Counter(map(type, gc.get_objects()))  # type() and not isinstance(): some proxies answer it by importing
    return sum(n for kind, n in kinds.items() if issubclass(kind, vtkObject) and kind.__name__.endswith(HEAVY))
