"""Saved sessions: a scenario with its edits, the playhead and the view, as a file or as one short text.

The file is a scenario with two more tables, which may be written by hand::

    [[edit]]                # from this time on these tables replace those of the scenario
    time = 4.2
    soil = { mu_min = 0.3, mu_max = 0.5 }

    [session]
    time = 7.5              # of the playhead [s]

A text is ``polhode1:`` and the compressed file with a checksum, to be mailed or put into a paper.
"""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError

import assets
from app.document.look import CameraPlace, Look, ScenarioField
from app.document.toml_writer import toml_text
from physics import Scenario, ScenarioError
from physics.core.wording import N_
from physics.io.trajectory_writers import of_version, polhode_version, replacing
from physics.scenario.common_config import NotNegative, Table
from physics.scenario.file_references import check_names, with_names
from physics.scenario.scenario import explained
from physics.scenario.scenario_file import LARGEST, tables_of, text_of
from physics.simulation.schedule import Schedule

ENDING = ".polhode.toml"
PREFIX = "polhode1:"
MOST_PLACES = 24  # saved viewpoints of a session
_WHAT = N_("a scenario or a session")
_BUNDLED = "polhode:"  # before the name of a file that comes with the program
_ASSETS = Path(assets.__file__).parent


class Playback(Table):
    """Playback of a run: the state of a window's clock."""

    time: Annotated[float, Field(ge=0, allow_inf_nan=False), ScenarioField("export.time")] = 0.0
    speed: Annotated[float, Field(gt=0, le=1e6)] | None = Field(None, description="without it: by the run's length")
    loop: Literal["off", "loop", "ping-pong"] = "off"
    first: NotNegative | None = None
    last: NotNegative | None = None


class SessionView(Look, Playback):
    """``[session]``: playback and look."""

    viewpoints: list[CameraPlace] = Field([], max_length=MOST_PLACES, description="saved places of the camera")
    # an ensemble, see app.hazard.process
    unfinished: Annotated[str, Field(pattern=r"^rocks-[0-9a-f]{8}$")] | None = None
    version: str = ""


@dataclass(frozen=True)
class SavedSession:
    """A session: schedule and look, and the stamp of its file when it was read, see ``stamp_of``."""

    schedule: Schedule
    look: SessionView = field(default_factory=SessionView)
    stamp: tuple[int, ...] | None = field(default=None, compare=False)

    @property
    def seen(self) -> Scenario:
        """The session as one scenario with its look."""
        return self.look.put_into(self.schedule.whole)


def looked_at(scenario: Scenario) -> SessionView:
    """The look of a session of a scenario, whose overlays and results stay its own."""
    given = Look.of(scenario).said
    return SessionView(
        **{name: given[name] for name in ("layout", "camera", "compare", "logarithmic", "viewpoint") if name in given}
    )


# ---- text ---------------------------------------------------------------------------------------------


def to_toml(saved: SavedSession, folder: Path | None = None) -> str:
    """The session as TOML, with absolute paths of files.

    folder : of the TOML file: paths in it or below are relative, so that the folder may be moved
    """
    document = _document(saved.schedule.whole, folder)
    look = saved.look.model_dump(exclude_none=True) | {"version": polhode_version()}
    document["session"] = with_names(look, lambda name: _portable(Path(name), folder))
    return toml_text(document)


def scenario_toml(scenario: Scenario, folder: Path) -> str:
    """A scenario as TOML for a file in a folder, without a session."""
    return toml_text(_document(scenario, folder))


def _document(scenario: Scenario, folder: Path | None) -> dict[str, Any]:
    """The tables of a scenario, with paths of files as in ``to_toml``."""
    tables: dict[str, Any] = with_names(scenario.in_full(), lambda name: _portable(scenario.path(name), folder))
    return tables


def from_toml(text: str, path: str | Path = "") -> SavedSession:
    """The session, or the scenario, in a text; ScenarioError names the field that is wrong."""
    data = tables_of(text, _WHAT, path or None)
    version = data["session"].get("version") if isinstance(data.get("session"), dict) else None
    try:
        data = with_names(data, _found)
        check_names(data, Path(path).parent)
        look = data.pop("session", {})
        data.pop("folder", None)
        folder = str(Path(path).parent) if path else ""
        scenario = Scenario(**data, folder=folder)
        return SavedSession(Schedule.of(scenario), looked_at(scenario) if look == {} else _look(look, Path(folder)))
    except ScenarioError as error:
        raise of_version(error.in_file(path) if path else error, version) from None


def _portable(path: Path, folder: Path | None) -> str:
    """A file name, portable if the file comes with the program or is in a folder or below it."""
    whole, assets_folder = path.resolve(), _ASSETS.resolve()
    if whole.is_relative_to(assets_folder):
        return _BUNDLED + whole.relative_to(assets_folder).as_posix()
    if folder is not None:
        for inner, outer in ((path.absolute(), folder.absolute()), (whole, folder.resolve())):
            if inner.is_relative_to(outer) and ".." not in inner.parts:
                return inner.relative_to(outer).as_posix()
    return whole.as_posix()


def _found(name: str) -> str:
    if not name.startswith(_BUNDLED):
        return name
    path = (_ASSETS / name.removeprefix(_BUNDLED)).resolve()
    if not path.is_relative_to(_ASSETS.resolve()):
        raise ScenarioError("file", N_("'{name}' does not come with the program", name))
    return str(path)


def _look(data: Any, folder: Path) -> SessionView:
    """The look in a table; a folder of results is relative to a folder."""
    if isinstance(data, dict) and isinstance(data.get("results"), str):
        data = data | {"results": str((folder / data["results"]).absolute())}
    try:
        return SessionView.model_validate(data)
    except ValidationError as error:
        fault = explained(error, SessionView)
        raise ScenarioError(f"session.{fault.field}".rstrip("."), fault.message) from None


# ---- files --------------------------------------------------------------------------------------------


def save_session(path: str | Path, saved: SavedSession) -> None:
    """Write a session, whole or not at all; PhysicsError names the file if writing fails."""
    text = to_toml(saved, Path(path).parent)
    with replacing(Path(path)) as part:
        part.write_text(text, encoding="utf-8")


def load_session(path: str | Path) -> SavedSession:
    """The session, or the scenario, in a file; ScenarioError names the file and field that is wrong."""
    stamp = stamp_of(Path(path))  # first: what is written meanwhile is not what is read
    return replace(from_toml(text_of(Path(path), _WHAT), path), stamp=stamp)


def stamp_of(path: Path) -> tuple[int, ...] | None:
    """Mark of a file that differs once another program has written it; None if there is no file."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


# ---- one short text -----------------------------------------------------------------------------------


def to_text(saved: SavedSession) -> str:
    """The session as one line of letters, digits, - and _."""
    data = to_toml(saved).encode()
    packed = zlib.compress(data, 9) + zlib.crc32(data).to_bytes(4, "big")
    return PREFIX + base64.urlsafe_b64encode(packed).decode().rstrip("=")


def from_text(text: str) -> SavedSession:
    """The session in a text of ``to_text``; line breaks and spaces in it are ignored."""
    text = re.sub(r"\s+", "", text)
    if not text.startswith(PREFIX):
        if re.match(r"polhode\d+:", text):
            raise ScenarioError("", N_("the copied text is of a later version of Polhode"))
        raise ScenarioError("", N_("no scenario in the copied text; expected one that begins with {prefix}", PREFIX))
    try:
        body = text.removeprefix(PREFIX)
        packed = base64.b64decode(body + "=" * (-len(body) % 4), altchars=b"-_", validate=True)
        unpacker = zlib.decompressobj()
        data = unpacker.decompress(packed[:-4], LARGEST)
    except (binascii.Error, ValueError, zlib.error):
        raise ScenarioError("", N_("the copied text is damaged or cut short")) from None
    if not unpacker.eof or zlib.crc32(data).to_bytes(4, "big") != packed[-4:]:
        raise ScenarioError("", N_("the copied text is damaged or cut short"))
    return from_toml(data.decode(errors="replace"))
