"""The reader of recipes in pictures and films: text of limited size, from files of known kinds only."""

from __future__ import annotations

import json
import os
import re
import subprocess
import warnings
from collections.abc import Callable
from pathlib import Path

from PIL import Image, UnidentifiedImageError

from app.document.recipe import FIRST, MOST
from app.system.ffmpeg import ffmpeg
from physics import Scenario, ScenarioError
from physics.io.trajectory_writers import of_version
from physics.scenario.scenario_file import parse_scenario

ROOM = 2 * MOST + 100_000  # bytes that are read: each sign may be escaped, and titles stand beside
PATIENCE = 20.0  # [s] for ffmpeg to find the notes of a film


def scenario_of(path: str | Path) -> Scenario:
    """The scenario, with its export table, that a picture or film made by polhode carries.

    Raises ScenarioError for a file that is missing or carries none.
    """
    path = Path(path)
    if not os.path.isfile(path):
        raise ScenarioError("", "no such file; expected a picture or film made by polhode", path)
    try:
        text = READERS[path.suffix.lower()](path)
    except OSError as error:
        raise ScenarioError("", f"cannot be read: {error.strerror or error}", path) from None
    start = text.find(FIRST)
    if start < 0:
        raise ScenarioError("", "carries no recipe; expected a file made by polhode, as it was written", path)
    try:
        return parse_scenario(text[start:], path)
    except ScenarioError as error:
        raise of_version(error, text[start:].removeprefix(FIRST).partition("\n")[0].strip()) from None


def _film(path: Path) -> str:
    """The comment of a film, told by ffmpeg, which may read this one file as what its name says."""
    kind = "matroska" if path.suffix.lower() in (".webm", ".mkv") else "mov"
    source = ["-protocol_whitelist", "file,pipe", "-f", kind, "-i", f"file:{path.absolute()}"]
    command = [*ffmpeg(), *source, "-f", "ffmetadata", "-"]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        return ""
    notes = done.stdout[:ROOM].decode(errors="replace")
    found = re.search(r"^(?i:comment)=((?:[^\\\n]|\\[\s\S])*)", notes, flags=re.MULTILINE)
    return re.sub(r"\\([\s\S])", r"\1", found[1]) if found else ""


def _picture(path: Path) -> str:
    """The comment of a .png, whose pixels are not read."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # of pictures that claim a huge size
            with Image.open(path, formats=["PNG"]) as picture:
                return str(picture.info.get("Comment", ""))
    except (UnidentifiedImageError, SyntaxError, ValueError, Warning, Image.DecompressionBombError):  # damaged
        return ""


def _end(path: Path) -> str:
    """What stands at the end of a .gif or .apng, see app.document.recipe_notes."""
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - ROOM))
        data = file.read(ROOM)
    start = data.rfind(FIRST.encode())
    if start < 0:
        return ""
    if path.suffix.lower() == ".apng":
        return data[start:-16].decode(errors="replace")
    text, place = b"", start - 1
    while data[place : place + 1] not in (b"", b"\0"):  # blocks, each with its length before it
        text += data[place + 1 : place + 1 + data[place]]
        place += 1 + data[place]
    return text.decode(errors="replace")


def _page(path: Path) -> str:
    """The recipe of a page or a model, which stands there as it is or in JSON."""
    with path.open("rb") as file:
        found = re.search(r'"recipe":\s*("(?:[^"\\]|\\.)*")', file.read(ROOM).decode(errors="replace"))
    try:
        return str(json.loads(found[1])) if found else ""
    except ValueError:
        return ""


READERS: dict[str, Callable[[Path], str]] = {
    ".mp4": _film,
    ".webm": _film,
    ".mov": _film,
    ".mkv": _film,
    ".gif": _end,
    ".apng": _end,
    ".png": _picture,
    ".html": _page,
    ".glb": _page,
}
