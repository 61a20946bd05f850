"""Compilation of hot loops by numba, without the GIL, cached where the user may write.

``formula`` marks a small pure function that stays plain Python for readers and tests and is inlined
into every kernel that calls it, ``procedure`` a large one. ``kernel`` compiles a loop, ``brief`` a short one.
Where kernels are kept between processes: physics.core.kernel_cache.

A large function that many kernels call and that is the same for all of them is a kernel too: it is kept, and the others
link it. As formulas, contact and percussions were compiled again with each scheme of rocks, in each process: 26 s for a
further scheme, and 11 s now. Where a scheme's own part is small beside a call, the loop takes it as an argument
(``Handed``), and there is one loop for all schemes.

numba takes 0.15 s to load, and is loaded when the first kernel is called, unless a user's program has loaded it: until
then formulas and kernels are only marked. A window has its first picture before.

Where the address space is limited (``ulimit -v``) and nearly full, LLVM would end the process: a kernel looks before
it is loaded.
"""

from __future__ import annotations

import gc
import math
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, cached_property, update_wrapper
from pathlib import Path
from typing import Any, TypeVar, cast

from physics.core import compile_notice

F = TypeVar("F", bound=Callable[..., Any])

_making = threading.RLock()  # one thread makes what others ask for at once
_marked: list[tuple[Callable[..., Any], dict[str, Any]]] = []  # formulas that are not yet registered with numba


def formula(function: F) -> F:
    """A small pure function that kernels inline and that runs as plain Python too.

    LLVM alone would call those of more than a few lines and pass their tuples through memory: a step took up to 1.7
    times as long, and no loop was compiled to vectors. Only kernels call it, so that it needs no wrapper for C: each
    takes about 7 % of the time to compile.
    """
    return _mark(function, no_cfunc_wrapper=True, forceinline=True)


def procedure(function: F) -> F:
    """Mark a function like ``formula``, but let kernels call it: it is large, and stands at several places."""
    return _mark(function, no_cfunc_wrapper=True)


def _mark(function: F, **options: Any) -> F:
    """Let numba know of a function: at once where it is loaded, as a program of the user's may compile with it."""
    _marked.append((function, options))
    if "numba" in sys.modules:
        compiler()
    return function


def kernel(function: F) -> F:
    """A compiled loop: no GIL, IEEE division, cached."""
    return cast(F, Kernel(function, nogil=True))


def unallocating(function: F) -> F:
    """A kernel that makes no array and returns none: it does not count who holds those that it is given.

    Counting is atomic, and took 5 to 10 % of a rock's steps. numba compiles a formula once for these kernels and once
    for those that may allocate: where large formulas are shared, all kernels had better be of one sort.
    """
    return cast(F, Kernel(function, nogil=True, _nrt=False))


def brief(function: F) -> F:
    """A kernel of some microseconds that keeps the GIL: a thread that gives it away waits to have it again."""
    return cast(F, Kernel(function))


class Kernel:
    """A function that numba compiles, or loads, when it is first called, by Python or by another kernel.

    py_func : the function as it is written
    """

    def __init__(self, function: Callable[..., Any], **options: Any) -> None:
        self.py_func, self._options = function, options
        update_wrapper(self, function)

    def __call__(self, *values: Any) -> Any:
        """Call what is compiled."""
        return self.dispatcher(*values)

    @cached_property
    def dispatcher(self) -> Any:
        """numba's own object."""
        with _timed(), _making:
            if "dispatcher" not in vars(self):
                options = {"error_model": "numpy", "no_cfunc_wrapper": True, **self._options}  # C calls none
                made = compiler().njit(**options)(self.py_func)
                vars(self)["dispatcher"] = _with_room(_cached(made))
            return vars(self)["dispatcher"]

    @property
    def _numba_type_(self) -> Any:
        """Type for numba where another kernel calls this one."""
        return self.dispatcher._numba_type_


class Handed:
    """A formula that kernels take as an argument and call by its address: they are compiled once for all of them.

    A call takes some 5 ns. What goes in or out as tuples is copied twice, and waited for: pass it in an array.

    signature : types of what the formula returns and takes, as numba reads them
    """

    def __init__(self, function: Callable[..., Any], signature: str) -> None:
        self.kernel, self._signature = Kernel(function, no_cfunc_wrapper=False), signature

    @cached_property
    def address(self) -> Any:
        """The argument that kernels take."""
        from numba import types

        dispatcher = self.kernel.dispatcher
        dispatcher.compile(self._signature)
        return types.CompileResultWAP(*dispatcher.overloads.values())


def compiler() -> Any:
    """numba, which knows all formulas and procedures that are marked by now, and names no two functions alike."""
    import numba
    from numba.extending import register_jitable

    with _making:
        _folder()  # before anything is compiled: a formula keeps its symbol in every kernel that it is inlined into
        while _marked:
            function, options = _marked.pop(0)
            register_jitable(**options)(function)
    return numba


@cache
def _folder() -> Path | None:
    """Folder that keeps kernels between processes, None if there is none; sets it in numba."""
    import numba

    from physics.core import kernel_cache

    folder = kernel_cache.open_folder()
    if folder is not None:
        setattr(numba.config, "CACHE_DIR", str(folder))  # noqa: B010 - numba types its settings at run time
    return folder


def keeps_kernels() -> bool:
    """True if kernels are kept between processes."""
    return _folder() is not None


def is_warm(example: str) -> bool:
    """True if the kernels of an example were compiled before, by this version, and are kept; see ``note_warm``."""
    folder = _folder()
    return folder is not None and (folder / f"{example}.warm").is_file()


def note_warm(example: str) -> None:
    """The kernels of an example are compiled and kept."""
    folder = _folder()
    if folder is not None:
        with suppress(OSError):  # a full disk, or a removed folder: reported elsewhere
            (folder / f"{example}.warm").touch()


def _cached(made: Any) -> Any:
    """A kernel that is kept between processes, where a folder for that could be had."""
    if _folder() is not None:
        from physics.core.kernel_cache import KernelCache

        made._cache = KernelCache(made.py_func)
    return made


_ROOM = 300_000_000  # bytes of address space in which any kernel is loaded, or compiled
_loading = threading.local()  # by this thread: a kernel loads those that it calls


def seconds_loading() -> float:
    """Time [s] that this thread has spent on compiling kernels, or on loading those that are kept, and numba."""
    return float(getattr(_loading, "seconds", 0.0))


@contextmanager
def _timed() -> Iterator[None]:
    """Count the time within as that of loading; a kernel loads those that it calls, and is counted with them once."""
    before, began = seconds_loading(), time.perf_counter()
    try:
        yield
    finally:
        _loading.seconds = before + time.perf_counter() - began


def _with_room(made: Any) -> Any:
    """A kernel that raises MemoryError when it is to be loaded and there is not room enough."""
    load = made.compile

    def compiled(signature: Any) -> Any:
        if getattr(_loading, "now", False):
            return load(signature)
        if room() < _ROOM:
            raise MemoryError("no room to load a kernel")
        _loading.now = True
        if _folder() is None:
            compile_notice.tell()
        try:
            with _uncollected(), _timed():
                return load(signature)
        finally:
            _loading.now = False

    made.compile = compiled
    return made


@contextmanager
def _uncollected() -> Iterator[None]:
    """Without the collection of garbage, which looks at all that the compiler keeps: 7 % of the time to compile.

    Threads may compile at once and end in any order: the one that found it enabled enables it again.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def room() -> float:
    """Bytes of address space that this process may still take; infinite if there is no limit, or none is known."""
    if sys.platform != "linux":
        return math.inf
    import resource

    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    if limit == resource.RLIM_INFINITY:
        return math.inf
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    return limit - pages * resource.getpagesize()
