"""How hot loops are compiled: numba, without the GIL, cached where the user may write.

``formula`` marks a small pure function that stays plain Python for readers and tests and is inlined
into every kernel that calls it. ``kernel`` compiles a loop, ``brief`` a short one. numba's own cache
looks at one source file only, so the cache folder is named by a digest of all of physics: an edit
anywhere compiles afresh.

Where the address space is limited (``ulimit -v``) and nearly full, LLVM would end the process: a kernel looks before
it is loaded.
"""

from __future__ import annotations

import hashlib
import math
import os
import shutil
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.extending import register_jitable
from platformdirs import user_cache_path

_PHYSICS = Path(__file__).parent

F = TypeVar("F", bound=Callable[..., Any])


def _digest() -> str:
    """A short name for this state of the physics sources and this numba."""
    files = sorted(_PHYSICS.rglob("*.py"))
    facts = [f"{f.relative_to(_PHYSICS)} {f.stat().st_mtime_ns} {f.stat().st_size}" for f in files]
    return hashlib.sha256("\n".join([numba.__version__, *facts]).encode()).hexdigest()[:16]


def _writable(folder: Path) -> bool:
    try:
        folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.mkdir(exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _own(folder: Path) -> bool:
    """Whether nobody else may write to a folder: what lies in the cache is run."""
    facts = folder.stat()
    return not hasattr(os, "getuid") or (facts.st_uid == os.getuid() and not facts.st_mode & 0o002)


def _cache_folder() -> Path | None:
    """The folder for compiled kernels, or None where nothing can be written."""
    for base in (
        user_cache_path("polhode", appauthor=False) / "kernels",
        Path(tempfile.gettempdir()) / f"polhode-kernels-{getattr(os, 'getuid', int)()}",
    ):
        folder = base / _digest()
        if _writable(folder) and _own(base):
            older = sorted((f for f in base.iterdir() if f != folder), key=lambda f: f.stat().st_mtime)
            for stale in older[:-2]:  # keep a little history: two versions may be installed side by side
                shutil.rmtree(stale, ignore_errors=True)
            return folder
    return None


_FOLDER = None if "NUMBA_CACHE_DIR" in os.environ else _cache_folder()
if _FOLDER is not None:
    setattr(numba.config, "CACHE_DIR", str(_FOLDER))  # noqa: B010 - numba types its settings at run time
_CACHED = _FOLDER is not None or "NUMBA_CACHE_DIR" in os.environ


def formula(function: F) -> F:
    """A small pure function that kernels inline and that runs as plain Python too."""
    jitable: F = register_jitable(function)
    return jitable


def kernel(function: F) -> F:
    """A compiled loop: no GIL, IEEE division, cached."""
    return cast(F, _with_room(numba.njit(nogil=True, cache=_CACHED, error_model="numpy")(function)))


def brief(function: F) -> F:
    """A kernel of some microseconds that keeps the GIL: a thread that gives it away waits to have it again."""
    return cast(F, _with_room(numba.njit(cache=_CACHED, error_model="numpy")(function)))


_ROOM = 300_000_000  # bytes of address space in which any kernel is loaded, or compiled
_loading = threading.local()  # by this thread: a kernel loads those that it calls


def _with_room(made: Any) -> Any:
    """A kernel that raises MemoryError when it is to be loaded and there is not room enough."""
    load = made.compile

    def compiled(signature: Any) -> Any:
        if getattr(_loading, "now", False):
            return load(signature)
        if _room() < _ROOM:
            raise MemoryError("no room to load a kernel")
        _loading.now = True
        try:
            return load(signature)
        finally:
            _loading.now = False

    made.compile = compiled
    return made


def _room() -> float:
    """Bytes of address space that this process may still take; infinite where there is no limit, or none is told."""
    if sys.platform != "linux":
        return math.inf
    import resource

    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    if limit == resource.RLIM_INFINITY:
        return math.inf
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    return limit - pages * resource.getpagesize()
