"""Checks of every reader before it reads a file: the kind of file, and the memory needed."""

from __future__ import annotations

import glob
import math
import os
import stat
import struct
import tokenize
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

from physics.core.errors import ScenarioError
from physics.core.wording import N_

MAX_INPUT_BYTES = 100 * 10**9  # all of a file is read for its digest, a gigabyte in a second or two
MOST_PACKED = 200  # times the size of a file: what its arrays may take, packed or not
# what the readers of .npz, of its headers (as Python's own words) and of JSON raise
DAMAGED: tuple[type[Exception], ...] = (OSError, ValueError, KeyError, TypeError, AttributeError, EOFError, IndexError)
DAMAGED += (zipfile.BadZipFile, zlib.error, RuntimeError, OverflowError, MemoryError)
DAMAGED += (SyntaxError, tokenize.TokenError, struct.error, UserWarning)


def input_file(path: str | Path, endings: Sequence[str], what: str, most: int = MAX_INPUT_BYTES) -> Path:
    """The path of a file of ``what``, of at most so many bytes; ScenarioError where it is too large, missing or empty.

    Or where its ending is another. Files without an end, and those that only claim a size, are refused before a byte
    is read.
    """
    path, known = Path(path), ", ".join(endings)
    if path.suffix.lower() not in endings:
        raise ScenarioError(
            "", N_("cannot read {what} from '{suffix}'; expected one of {known}", what, path.suffix, known), path
        )
    check_file(path, what, known)
    if path.stat().st_size == 0:
        raise ScenarioError("", N_("the file is empty; expected {what}", what), path)
    check_bytes(path, what, most)
    return path


_KINDS = (
    (stat.S_ISDIR, N_("a folder")),
    (stat.S_ISFIFO, N_("a pipe")),
    (stat.S_ISSOCK, N_("a socket")),
    (stat.S_ISCHR, N_("a device")),
    (stat.S_ISBLK, N_("a device")),
)


def non_file_kind(path: str | Path) -> str | None:
    """Name of what is at a path that is no file: a folder, or a pipe without bytes; None for all else."""
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return None
    return next((name for is_one, name in _KINDS if is_one(mode)), None)


def check_file(path: Path, what: str, known: str, field: str = "") -> None:
    """ScenarioError where there is no file of ``what``, with known endings.

    It is not opened: a pipe might never answer, and a device never end.
    """
    if kind := non_file_kind(path):
        raise ScenarioError(field, N_("{kind}, not a file; expected {what} ({known})", kind, what, known), path)
    if not os.path.isfile(path):  # unlike Path.is_file it takes any text
        raise ScenarioError(field, N_("no such file; expected {what} ({known})", what, known), path)


def check_bytes(path: Path, what: str, most: int = MAX_INPUT_BYTES) -> None:
    """ScenarioError where a file has more bytes than a file of ``what`` may have."""
    if (size := path.stat().st_size) > most:
        raise ScenarioError(
            "", N_("{size} are more than the {most} that {what} may have", _amount(size), _amount(most), what), path
        )


def _amount(size: int) -> str:
    """A number of bytes, rounded."""
    return f"{size / 1e9:.0f} GB" if size >= 10**9 else f"{size / 1e6:.0f} MB" if size >= 10**6 else f"{size} bytes"


def check_text(text: str, number: int, path: Path | None) -> None:
    """ScenarioError, naming the line, where a part of a file that begins in a line of this number is no text."""
    place = text.find("\0")
    if place >= 0:
        line = number + text.count("\n", 0, place)
        raise ScenarioError(
            N_("line {number}", line), N_("expected text, got a NUL byte: binary data, or an incomplete file"), path
        )


def short_line(file: IO[bytes], most: int) -> bytes:
    """The next line; ValueError where it is longer than so many bytes, as that of a file of nothing is."""
    line = file.readline(most + 1)
    if len(line) > most:
        raise ValueError(N_("a line of more than {most} bytes", most))
    return line


_SHAPEFILE = (".dbf", ".shx", ".prj", ".qpj", ".cpg", ".cst", ".sbn", ".sbx", ".qix", ".idm", ".ind", ".xml")


def beside_shapes(path: Path) -> list[Path]:
    """The files that belong to a shapefile, sorted; other maps may have its name too. None for another file."""
    if path.suffix.lower() != ".shp":
        return []
    found = path.parent.glob(f"{glob.escape(path.stem)}.*")
    return sorted(file for file in found if file.suffix.lower() in _SHAPEFILE and os.path.isfile(file))


def file_beside(path: Path, name: str, field: str = "file") -> Path:
    """The file that a file names; ScenarioError where it does not lie in the same folder or below."""
    inside = os.path.normpath(name)
    if "\0" in name or "\\" in name or os.path.isabs(name) or inside.split(os.sep)[0] == os.pardir:
        expected = N_("expected a file in the folder of this file or below")
        raise ScenarioError(field, N_("'{name:.60}' leads elsewhere; {expected}", name, expected), path)
    return path.parent / inside


def check_no_pipes(path: Path) -> None:
    """ScenarioError where a file, or one beside it that has its name and that libraries read with it, is a pipe.

    Or another thing that gives no bytes until some are written: to open it might take for ever.
    """
    try:
        names = os.listdir(path.parent)
    except (OSError, ValueError):  # opening the file reports the reason
        return
    for file in (path.with_name(name) for name in names if name.startswith(path.stem)):
        if (kind := non_file_kind(file)) not in (None, "a folder"):
            raise ScenarioError("", N_("expected a file, got {kind}", kind), file)


def is_number(word: str) -> bool:
    """True if a word of a text is a number."""
    try:
        float(word)
    except ValueError:
        return False
    return True


def check_archive(path: Path, packed: int = MOST_PACKED) -> None:
    """ValueError, or another of DAMAGED, where a .npz file would take more memory than its size allows, or is no file.

    packed : how many times the size of the file its arrays may take; 1 where the program packs none
    """
    if not os.path.isfile(path):  # a pipe, or a device without an end
        raise ValueError(N_("no file"))
    if path.stat().st_size > MAX_INPUT_BYTES:
        raise ValueError(N_("more than {most_bytes} bytes", MAX_INPUT_BYTES))
    with zipfile.ZipFile(path) as archive:
        check_packed(path, sum(member.file_size for member in archive.infolist()), packed)


def check_packed(path: Path, size: int, packed: int = MOST_PACKED) -> None:
    """ValueError where what a file holds takes more memory [bytes] than so many times its size."""
    if size > packed * path.stat().st_size:
        raise ValueError(N_("{size} bytes in a file of {st_size}", size, path.stat().st_size))


def finite(value: Any) -> float:
    """A number of a file; ValueError where it is none, or not finite."""
    if not math.isfinite(number := float(value)):
        raise ValueError(N_("{value} is not finite", value))
    return number


def as_float(value: object) -> float:
    """A number of a JSON; nan where it is none, or too large for one, as a whole number of hundreds of digits is."""
    try:
        return float(value) if isinstance(value, int | float) else math.nan
    except OverflowError:
        return math.nan
