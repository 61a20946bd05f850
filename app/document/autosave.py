"""Autosave: the session of a running program, kept in a file until the program is closed normally.

The file ends with a checksum, and the previous one is kept too, in case the last one is damaged. A lock beside them
shows that the process lives: the system releases it when the process ends, for whatever reason. A process number would
be reused, and a time depends on a clock that may be set back.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import platformdirs
from filelock import BaseFileLock

from app.document.session import ENDING, SavedSession, from_toml, to_toml
from app.system.scratch_folders import taken
from physics import PhysicsError, ScenarioError
from physics.core.wording import N_
from physics.io.trajectory_writers import replacing
from physics.scenario.scenario_file import LARGEST

_BEFORE, _LOCK = f".before{ENDING}", ".lock"
_SEAL = "# checksum "
_held: dict[Path, BaseFileLock] = {}  # the locks of this process


def folder() -> Path:
    """The folder of autosaved sessions."""
    return platformdirs.user_state_path("polhode") / "unfinished"


def aside() -> Path:
    """The file with a copy of the session that was recovered last."""
    return folder() / f"recovered{ENDING}"


def keep(saved: SavedSession, where: Path | None = None) -> str:
    """Save the session of this process; return the reason if that fails, else ""."""
    try:
        file = _file(where)
        file.parent.mkdir(parents=True, exist_ok=True)
        lock = _lock(where)
        if lock not in _held and (mine := taken(lock)):
            _held[lock] = mine
        text = to_toml(saved)
        with replacing(file) as part:
            part.write_text(f"{text}{_SEAL}{_checksum(text)}\n", encoding="utf-8")
            if file.exists():
                file.replace(_before(file))
    except OSError as error:
        return f"{error.filename or where or folder()}: {error.strerror or error}"
    except PhysicsError as error:
        return str(error)
    return ""


def forget(where: Path | None = None) -> None:
    """Remove the session: this process ends normally."""
    try:
        if lock := _held.pop(_lock(where), None):
            lock.release()
        for file in (_file(where), _before(_file(where)), _lock(where)):
            file.unlink(missing_ok=True)
    except OSError:
        return


def leave(where: Path | None = None) -> None:
    """Release the session to the next process: this one ends normally."""
    if lock := _held.pop(_lock(where), None):
        lock.release()


def recover(where: Path | None = None) -> SavedSession | None:
    """The newest undamaged session left by a process that has ended, or None; each is returned once.

    Sessions of further processes wait for the next call. Raises ScenarioError, once, if all that is left is damaged;
    the newest file stays, under another name.
    """
    damaged: Path | None = None
    try:
        for files in reversed(_left(where or folder())):
            lock = taken(files[0].with_name(_owner(files[0]) + _LOCK))
            if lock is None:  # its process is alive
                continue
            try:
                found = [whole for file in files if (whole := _whole(file))]
            finally:
                lock.release()
            if not (found or damaged) and (kept := [file for file in files if file.name.endswith(ENDING)]):
                damaged = kept[-1].replace(kept[-1].with_name(f"damaged-{kept[-1].name}"))
            for file in (*files, Path(lock.lock_file)):
                file.unlink(missing_ok=True)
            if found:
                if damaged:
                    damaged.unlink(missing_ok=True)
                return found[-1]
    except OSError:  # no such folder, or one of another user
        return None
    if damaged:
        damage = N_(
            "the session that was not closed is damaged, and so is the one before it; nothing of it can be opened"
        )
        raise ScenarioError("", damage, damaged)
    return None


def _left(place: Path) -> list[list[Path]]:
    """The files of each process, its newest last; the process with the newest file last."""
    found: dict[str, list[Path]] = {}
    for file in place.iterdir():
        if _owner(file).isdigit():
            found.setdefault(_owner(file), []).append(file)
    for files in found.values():
        files.sort(key=lambda file: not file.name.endswith(_BEFORE))
    return sorted(found.values(), key=lambda files: max(file.stat().st_mtime_ns for file in files))


def _whole(file: Path) -> SavedSession | None:
    """The session in a file, or None if its checksum is wrong."""
    if not file.name.endswith(ENDING) or file.stat().st_size > LARGEST:
        return None
    text, _, seal = file.read_text(encoding="utf-8", errors="replace").rpartition(_SEAL)
    try:
        return from_toml(text) if seal.strip() == _checksum(text) else None
    except ScenarioError:
        return None


def _checksum(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def _before(file: Path) -> Path:
    return file.with_name(file.name.removesuffix(ENDING) + _BEFORE)


def _owner(file: Path) -> str:
    """The number of the process that a file belongs to."""
    return file.name.split(".")[0]


def _file(where: Path | None) -> Path:
    return (where or folder()) / f"{os.getpid()}{ENDING}"


def _lock(where: Path | None) -> Path:
    return (where or folder()) / f"{os.getpid()}{_LOCK}"
