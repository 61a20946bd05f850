"""What every reader of a file asks first: whether it is one that it can read, and what it would take of memory."""

from __future__ import annotations

import math
import os
import struct
import tokenize
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from physics.core.errors import ScenarioError

MOST_PACKED = 200  # times the size of a file: what its arrays may take, packed or not
# what the readers of .npz, of its headers (as Python's own words) and of JSON raise
DAMAGED: tuple[type[Exception], ...] = (OSError, ValueError, KeyError, TypeError, AttributeError, EOFError, IndexError)
DAMAGED += (zipfile.BadZipFile, zlib.error, RuntimeError, OverflowError, MemoryError)
DAMAGED += (SyntaxError, tokenize.TokenError, struct.error, UserWarning)


def input_file(path: str | Path, endings: Sequence[str], what: str) -> Path:
    """The path of a file of ``what``; ScenarioError where its ending is another, or where it is missing or empty."""
    path, known = Path(path), ", ".join(endings)
    if path.suffix.lower() not in endings:
        raise ScenarioError("", f"cannot read {what} from '{path.suffix}'; expected one of {known}", path)
    if not os.path.isfile(path):  # unlike Path.is_file it takes any text
        raise ScenarioError("", f"no such file; expected {what} ({known})", path)
    if path.stat().st_size == 0:
        raise ScenarioError("", f"the file is empty; expected {what}", path)
    return path


def check_no_pipes(path: Path) -> None:
    """ScenarioError where a file, or one beside it that has its name and that libraries read with it, is a pipe.

    Or another thing that gives no bytes until somebody writes some: to open it might take for ever.
    """
    try:
        names = os.listdir(path.parent)
    except (OSError, ValueError):  # who opens the file tells why
        return
    for file in (path.with_name(name) for name in names if name.startswith(path.stem)):
        if os.path.exists(file) and not (os.path.isfile(file) or os.path.isdir(file)):
            raise ScenarioError("", "expected a file, got a pipe or a device", file)


def is_number(word: str) -> bool:
    """Whether a word of a text is a number."""
    try:
        float(word)
    except ValueError:
        return False
    return True


def check_archive(path: Path) -> None:
    """ValueError, or another of DAMAGED, where a .npz file would take more memory than its size allows."""
    with zipfile.ZipFile(path) as archive:
        check_packed(path, sum(member.file_size for member in archive.infolist()))


def check_packed(path: Path, size: int) -> None:
    """ValueError where what a file holds takes more memory [bytes] than its size allows."""
    if size > MOST_PACKED * path.stat().st_size:
        raise ValueError(f"{size} bytes in a file of {path.stat().st_size}")


def finite(value: Any) -> float:
    """A number of a file; ValueError where it is none, or not finite."""
    if not math.isfinite(number := float(value)):
        raise ValueError(f"{value} is not finite")
    return number
