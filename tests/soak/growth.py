"""Growth: memory, threads and VTK objects of this process, and how they grow from round to round."""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Sequence
from typing import NamedTuple

import psutil

# what a plotter or a stage that is not closed keeps alive; the rest of VTK (fonts, tables) may be shared
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
    psutil.heap_trim()
    process, heap = psutil.Process(), psutil.heap_info()
    used = (heap.heap_used + heap.mmap_used) / 2**20
    return Load(process.memory_info().rss / 2**20, used, threading.active_count(), len(heavy()), process.num_fds())


def growth(values: Sequence[float]) -> tuple[float, float]:
    """The slope of a straight line through values of successive rounds, and its standard error."""
    from scipy.stats import linregress  # here: it takes long to load

    line = linregress(range(len(values)), values)
    return float(line.slope), float(line.stderr)


def heavy() -> list[object]:
    """The VTK objects that hold much."""
    if "vtkmodules" not in sys.modules:
        return []
    from vtkmodules.vtkCommonCore import vtkObject

    # type() and not isinstance(): proxies in foreign modules answer isinstance() by importing things
    return [o for o in gc.get_objects() if issubclass(type(o), vtkObject) and type(o).__name__.endswith(HEAVY)]
