"""How hot loops are compiled: numba, without the GIL, cached where the user may write.

``formula`` marks a small pure function that stays plain Python for readers and tests and is inlined
into every kernel that calls it, ``procedure`` a large one. ``kernel`` compiles a loop, ``brief`` a short one.
Where kernels are kept between processes: physics.core.kernel_cache.

Where the address space is limited (``ulimit -v``) and nearly full, LLVM would end the process: a kernel looks before
it is loaded.
"""

from __future__ import annotations

import math
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.extending import register_jitable

from physics.core import compile_notice, kernel_cache

F = TypeVar("F", bound=Callable[..., Any])

_FOLDER = kernel_cache.open_folder()
if _FOLDER is not None:
    setattr(numba.config, "CACHE_DIR", str(_FOLDER))  # noqa: B010 - numba types its settings at run time


def formula(function: F) -> F:
    """A small pure function that kernels inline and that runs as plain Python too.

    LLVM alone would call those of more than a few lines and pass their tuples through memory: a step took up to 1.7
    times as long, and no loop was compiled to vectors. Only kernels call it, so that it needs no wrapper for C: each
    takes about 7 % of the time to compile.
    """
    jitable: F = register_jitable(no_cfunc_wrapper=True, forceinline=True)(function)
    return jitable


def procedure(function: F) -> F:
    """As ``formula``, but kernels may call it: one that is large, and stands at several places."""
    jitable: F = register_jitable(no_cfunc_wrapper=True)(function)
    return jitable


def kernel(function: F) -> F:
    """A compiled loop: no GIL, IEEE division, cached."""
    return cast(F, _with_room(_cached(numba.njit(nogil=True, error_model="numpy")(function))))


def unallocating(function: F) -> F:
    """A kernel that makes no array and returns none: it does not count who holds those that it is given.

    Counting is atomic, and took 5 to 10 % of a rock's steps.
    """
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": False}
    return cast(F, _with_room(_cached(numba.njit(**options)(function))))


def brief(function: F) -> F:
    """A kernel of some microseconds that keeps the GIL: a thread that gives it away waits to have it again."""
    return cast(F, _with_room(_cached(numba.njit(error_model="numpy")(function))))


def keeps_kernels() -> bool:
    """Whether kernels are kept between processes."""
    return _FOLDER is not None


def is_warm(example: str) -> bool:
    """Whether the kernels of an example were compiled before, by this version, and are kept; see ``note_warm``."""
    return _FOLDER is not None and (_FOLDER / f"{example}.warm").is_file()


def note_warm(example: str) -> None:
    """The kernels of an example are compiled and kept."""
    if _FOLDER is not None:
        with suppress(OSError):  # a full disk, or a folder that was removed: it is told another time
            (_FOLDER / f"{example}.warm").touch()


def _cached(made: Any) -> Any:
    """A kernel that is kept between processes, where a folder for that could be had."""
    if _FOLDER is not None:
        made._cache = kernel_cache.KernelCache(made.py_func)
    return made


_ROOM = 300_000_000  # bytes of address space in which any kernel is loaded, or compiled
_loading = threading.local()  # by this thread: a kernel loads those that it calls


def _with_room(made: Any) -> Any:
    """A kernel that raises MemoryError when it is to be loaded and there is not room enough."""
    load = made.compile

    def compiled(signature: Any) -> Any:
        if getattr(_loading, "now", False):
            return load(signature)
        if room() < _ROOM:
            raise MemoryError("no room to load a kernel")
        _loading.now = True
        if _FOLDER is None:
            compile_notice.tell()
        try:
            return load(signature)
        finally:
            _loading.now = False

    made.compile = compiled
    return made


def room() -> float:
    """Bytes of address space that this process may still take; infinite where there is no limit, or none is told."""
    if sys.platform != "linux":
        return math.inf
    import resource

    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    if limit == resource.RLIM_INFINITY:
        return math.inf
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    return limit - pages * resource.getpagesize()
