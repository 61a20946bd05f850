"""The recipe of a picture or film: a scenario file, written into it and read from it again."""

from __future__ import annotations

import json
import os
import re
import subprocess
import warnings
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path

from PIL import Image, UnidentifiedImageError

from app.document.export_kinds import OPENED
from app.document.look import Look
from app.document.toml_writer import toml_text
from app.playback.run import Lane, end_of
from app.system.ffmpeg import ENCODINGS, ffmpeg
from app.system.own_words import title_of
from app.theme import THEMES, Theme
from physics import Scenario, ScenarioError
from physics.core.input_checks import check_file
from physics.core.wording import N_
from physics.io.trajectory_writers import of_version, polhode_version
from physics.scenario.scenario_file import parse_scenario
from physics.scenario.view_config import FilmConfig

_END_OF_PNG = 12  # bytes of its last chunk, IEND


def add_note(path: Path, suffix: str, text: str) -> None:
    """Add a text to a .gif (a comment extension) or an .apng (an iTXt chunk named Comment) before its end."""
    data = text.encode()
    with path.open("r+b") as file:
        if suffix == ".gif":
            file.seek(-1, os.SEEK_END)
            blocks = (data[i : i + 255] for i in range(0, len(data), 255))
            file.write(b"\x21\xfe" + b"".join(bytes([len(block)]) + block for block in blocks) + b"\x00\x3b")
        else:
            file.seek(-_END_OF_PNG, os.SEEK_END)
            file.write(_chunk(b"iTXt", b"Comment\0\0\0\0\0" + data) + _chunk(b"IEND", b""))


def _chunk(name: bytes, data: bytes) -> bytes:
    return len(data).to_bytes(4) + name + data + zlib.crc32(name + data).to_bytes(4)


FIRST = "# Made with Polhode"  # beginning of a recipe
MAX_RECIPE_BYTES = 1_000_000  # bytes of a recipe or a scenario file


def title(scenario: Scenario) -> str:
    """The title of a picture or film."""
    return title_of(scenario) or "Polhode"


def recipe(scenario: Scenario) -> str:
    """A scenario file with the whole export table; comments name the version and the schemes' sources.

    Raises ScenarioError if it is too long to be read again.
    """
    sources = (f"# {lane.name}: {lane.scheme.reference}" for lane in scenario.lanes)
    lines = [f"{FIRST} {polhode_version()}", *sources]
    plain = scenario.portable()
    view, export, film = (plain.pop(key, {}) for key in ("view", "export", "film"))
    # last: a recipe of a recipe is the same
    look = Look.of(scenario)
    plain["view"] = {"layout": look.layout, "camera": look.camera} | view
    by_length = None if scenario.export.length is None else {"speed"}
    plain["export"] = scenario.export.model_dump(mode="json", exclude_none=True, exclude=by_length) | export
    if film:
        plain["film"] = scenario.film.model_dump(mode="json") | film
    text = "\n".join(lines) + "\n\n" + toml_text(plain)
    if (size := len(text.encode())) > MAX_RECIPE_BYTES:
        raise ScenarioError(
            "",
            N_("expected a scenario of at most {most} bytes with all its defaults, got {size}", MAX_RECIPE_BYTES, size),
        )
    return text


def notes(suffix: str, heading: str, scenario: Scenario) -> dict[str, str | None]:
    """Metadata of a figure's .png, .svg or .pdf: a heading and the recipe, and no date."""
    text = recipe(scenario)
    own = {".svg": {"Description": text, "Date": None}, ".pdf": {"Keywords": text, "CreationDate": None}}
    return {"Title": heading} | own.get(suffix, {"Comment": text})


EXPLAINED = FilmConfig(captions="auto", slow=0.25, pause=3.0)  # table of a film that explains itself
VERDICT = 3.2  # [s] of its end card, where it has none: two seconds between the fades


def theme_of(scenario: Scenario) -> Theme:
    """The theme of the export table; ScenarioError for an unknown name."""
    name = scenario.export.theme
    if name not in THEMES:
        raise ScenarioError("export.theme", N_("expected one of {themes}, got '{name}'", ", ".join(THEMES), name))
    return THEMES[name]


def span(scenario: Scenario, lanes: Sequence[Lane]) -> tuple[float, float]:
    """The part of a run [s] in films and charts, until the last lane ends at most."""
    first, last, end = scenario.export.first, scenario.export.last, end_of(lanes)
    if end <= first > 0:
        raise ScenarioError(
            "export.first", N_("expected less than {end:.4g} s, where the run ends, got {first:g}", end, first)
        )
    return first, end if last is None else min(last, end)


ROOM = 2 * MAX_RECIPE_BYTES + 100_000  # bytes to read: each character may be escaped, and titles are there too
PATIENCE = 20.0  # [s] for ffmpeg to read the metadata of a film


def scenario_of(path: str | Path) -> Scenario:
    """The scenario, with its export table, in a picture or film made by polhode.

    Raises ScenarioError for a file that is missing or has none.
    """
    path = Path(path)
    check_file(path, N_("a picture or film made by polhode"), ", ".join(OPENED))
    try:
        text = READERS[OPENED[path.suffix.lower()].recipe](path)
    except OSError as error:
        raise ScenarioError("", N_("cannot be read: {error}", error.strerror or error), path) from None
    start = text.find(FIRST)
    if start < 0:
        raise ScenarioError("", N_("contains no recipe; expected an unchanged file made by polhode"), path)
    try:
        return parse_scenario(text[start:], path)
    except ScenarioError as error:
        raise of_version(error, text[start:].removeprefix(FIRST).partition("\n")[0].strip()) from None


def _film(path: Path) -> str:
    """The comment of a film by ffmpeg, which may read this file only, in the format of its suffix."""
    demuxer = ENCODINGS[path.suffix.lower()].demuxer
    source = ["-protocol_whitelist", "file,pipe", "-f", demuxer, "-i", f"file:{path.absolute()}"]
    command = [*ffmpeg(), *source, "-f", "ffmetadata", "-"]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        return ""
    notes = done.stdout[:ROOM].decode(errors="replace")
    found = re.search(r"^(?i:comment)=((?:[^\\\n]|\\[\s\S])*)", notes, flags=re.MULTILINE)
    return re.sub(r"\\([\s\S])", r"\1", found[1]) if found else ""


def _picture(path: Path) -> str:
    """The comment of a .png; its pixels are not read."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # pictures that claim a huge size
            with Image.open(path, formats=["PNG"]) as picture:
                return str(picture.info.get("Comment", ""))
    except (UnidentifiedImageError, SyntaxError, ValueError, Warning, Image.DecompressionBombError):  # damaged
        return ""


def _end(path: Path) -> str:
    """The text at the end of a .gif or .apng, see ``add_note``."""
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - ROOM))
        data = file.read(ROOM)
    start = data.rfind(FIRST.encode())
    if start < 0:
        return ""
    if path.suffix.lower() == ".apng":
        return data[start:-16].decode(errors="replace")
    text, place = b"", start - 1
    while data[place : place + 1] not in (b"", b"\0"):  # blocks after their lengths
        text += data[place + 1 : place + 1 + data[place]]
        place += 1 + data[place]
    return text.decode(errors="replace")


def _page(path: Path) -> str:
    """The recipe in a page or a model, where it is JSON."""
    with path.open("rb") as file:
        found = re.search(r'"recipe":\s*("(?:[^"\\]|\\.)*")', file.read(ROOM).decode(errors="replace"))
    try:
        return str(json.loads(found[1])) if found else ""
    except ValueError:
        return ""


def holds_recipe(path: str | Path) -> bool:
    """True for a model that polhode made; False for others, and for what cannot be read."""
    try:
        return os.path.isfile(path) and _page(Path(path)).find(FIRST) >= 0
    except OSError:
        return False


READERS: dict[str, Callable[[Path], str]] = {"picture": _picture, "film": _film, "end": _end, "page": _page}
