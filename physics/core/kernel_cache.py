"""Compiled kernels on disk, kept between processes, such that no process ever runs another kernel than its own.

numba's own cache is not safe for this program, in four ways:

- Symbols. numba numbers the functions of a process from 1, and the number is the only difference between two closures
  of one factory. Kernels that were compiled in different processes hold different closures under one symbol; where
  both are loaded, the first one serves both. Here every number is drawn at random (64 bits), so that a symbol names one
  function of one process.
- Files. All closures, signatures and processors of a function share one index, whose files are numbered; two processes
  that write at once can take the same number. Here each key has files of its own, named by a digest of the key.
- Keys. numba's key holds a pickle of what a closure holds, and a pickle records which of equal objects are one
  object. So it differs between ways to start Python, and kernels were compiled again. Here it holds values alone.
- Sources. numba compares the file that holds the kernel, not those that it calls. Here the folder is named by a digest
  of all of physics, of the versions of Python, numba and llvmlite, and of the settings that change what is compiled.

What cannot be written or read, or is damaged, is compiled anew.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import shutil
import stat
import sys
import tempfile
import uuid
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import FunctionType
from typing import Any

import llvmlite
import numba
from numba.core.bytecode import FunctionIdentity
from numba.core.caching import FunctionCache
from numba.core.serialize import dumps
from platformdirs import user_cache_path

from physics.core import compile_notice

_PHYSICS = Path(__file__).parents[1]
_CHECKSUM = hashlib.sha256().digest_size  # bytes before the code
_DAY = 86_400.0  # [s] that a folder of another version is kept at least after its last use
_ROOM = 1_000_000  # bytes that there must be: on a full disk kernels would be compiled at each start
_KEPT = 3  # the folders used last are kept for longer
_SETTINGS = ("OPT", "LOOP_VECTORIZE", "SLP_VECTORIZE", "ENABLE_AVX", "BOUNDSCHECK", "DEBUGINFO_DEFAULT")


def draw_symbols() -> bool:
    """Number functions at random from here on; False where this numba numbers them in a way that is not known here.

    Each number is drawn for itself, so that processes that were forked from this one draw their own.
    """
    if not hasattr(FunctionIdentity, "_unique_ids"):
        return False
    setattr(FunctionIdentity, "_unique_ids", iter(lambda: uuid.uuid4().int >> 64, None))  # noqa: B010 - typed as a count
    return True


def sources_digest(root: Path = _PHYSICS) -> str:
    """A short name for the sources of physics and for all else that decides what is compiled, but for the processor."""
    settings = [f"{name}={getattr(numba.config, name, None)!r}" for name in _SETTINGS]
    digest = hashlib.sha256(repr((sys.version, numba.__version__, llvmlite.__version__, settings)).encode())
    for file in sorted(root.rglob("*.py")):
        digest.update(f"\n{file.relative_to(root).as_posix()}\n".encode())
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()[:16]


def open_folder() -> Path | None:
    """The folder of this version's kernels, or None where none can be kept that is safe and this user's alone."""
    if not draw_symbols():
        return None
    name = sources_digest()
    for base in _bases():
        try:
            base.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not _is_own(base):
                continue
            folder = base / name
            folder.mkdir(mode=0o700, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder) as file:
                file.write(bytes(_ROOM))
            os.utime(folder)  # used now
        except OSError:
            continue
        _remove_old(base, folder)
        return folder
    return None


def _bases() -> list[Path]:
    given = os.environ.get("NUMBA_CACHE_DIR")
    user = getattr(os, "getuid", int)()
    return [
        *([Path(given) / "polhode-kernels"] if given else []),
        user_cache_path("polhode", appauthor=False) / "kernels",
        Path(tempfile.gettempdir()) / f"polhode-kernels-{user}",
    ]


def _is_own(folder: Path) -> bool:
    """True if a folder is this user's, no link that another has laid, and closed to others: what lies in it is run."""
    if not hasattr(os, "getuid"):
        return folder.is_dir()
    place, facts, user = folder.lstat(), folder.stat(), os.getuid()
    return stat.S_ISDIR(facts.st_mode) and place.st_uid == facts.st_uid == user and not facts.st_mode & 0o022


def _remove_old(base: Path, current: Path) -> None:
    """Remove the folders of other versions that have not been used for a day, but for the newest."""
    try:
        others = [f for f in base.iterdir() if f != current and not f.is_symlink()]
        oldest = sorted(others, key=lambda f: f.stat().st_mtime)[: -(_KEPT - 1)]
        for folder in oldest:
            if current.stat().st_mtime - folder.stat().st_mtime > _DAY:
                shutil.rmtree(folder, ignore_errors=True)
    except OSError:
        return  # another process removes them now


def identity(function: FunctionType) -> tuple[object, ...]:
    """Key of a function among others of the same sources: its place, its code, and the values in its closure."""
    code, cells = function.__code__, function.__closure__ or ()
    held = (function.__defaults__, *(cell.cell_contents for cell in cells))
    place = tuple(code.co_positions())  # lines and columns of all that it does: two lambdas of one line differ
    return function.__module__, function.__qualname__, place, code.co_code, _value(held)


def _value(value: Any) -> object:
    """Key of a value in a closure, the same in all processes, whichever objects are shared."""
    if isinstance(value, tuple):
        return type(value).__qualname__, *map(_value, value)
    function = getattr(value, "py_func", value)  # of a kernel
    if isinstance(function, FunctionType) and function.__module__.partition(".")[0] == "physics":
        return identity(function)
    if value is None or type(value) in (bool, int, float, str):
        return value
    return hashlib.sha256(dumps(value)).hexdigest()


class KernelCache(FunctionCache):
    """numba's cache of one function, with a file of its own for every key: a checksum, and the compiled code."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)  # type: ignore[no-untyped-call]  # numba has no types

    def _file(self, sig: Any, codegen: Any) -> Path:
        key = sig, codegen.magic_tuple(), identity(self._py_func)
        name = hashlib.sha256(repr(key).encode()).hexdigest()[:32]
        return Path(self._cache_path) / f"{self._impl.filename_base}.{name}.nbc"

    def _load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            content = self._file(sig, target_context.codegen()).read_bytes()
        except OSError:
            content = b""
        if not content or hashlib.sha256(content[_CHECKSUM:]).digest() != content[:_CHECKSUM]:
            compile_notice.tell()
            return None
        return self._impl.rebuild(target_context, pickle.loads(content[_CHECKSUM:]))

    def _save_overload(self, sig: Any, data: Any) -> None:
        if not self._impl.check_cachable(data):
            return
        content = dumps(self._impl.reduce(data))
        file = self._file(sig, data.codegen)
        part = file.with_name(f"{uuid.uuid4().hex}.part")
        try:
            self._impl.locator.ensure_cache_path()
            part.write_bytes(hashlib.sha256(content).digest() + content)
            os.replace(part, file)
        except OSError:  # a full disk, or a folder that was removed: the kernel runs all the same
            with suppress(OSError):
                part.unlink()
