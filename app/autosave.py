"""Autosave: the session of a program that runs, kept in a file of its own until it is closed in good order.

The file ends with a checksum, and the one before it is kept too: where the last one is damaged, that is recovered.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import platformdirs

from app.saved import ENDING, LARGEST, Saved, from_toml, to_toml
from physics import PhysicsError, ScenarioError
from physics.files import replacing

_BEFORE = f".before{ENDING}"
_SEAL = "# checksum "


def folder() -> Path:
    """Where autosaved sessions are kept."""
    return platformdirs.user_state_path("polhode") / "unfinished"


def keep(saved: Saved, where: Path | None = None) -> None:
    """Save the session of this process; a place that cannot be written is no reason to complain."""
    try:
        file = _file(where)
        file.parent.mkdir(parents=True, exist_ok=True)
        text = to_toml(saved)
        with replacing(file) as part:
            part.write_text(f"{text}{_SEAL}{_checksum(text)}\n", encoding="utf-8")
            if file.exists():
                file.replace(_before(file))
    except (OSError, PhysicsError):
        return


def forget(where: Path | None = None) -> None:
    """This process ends in good order."""
    try:
        for file in (_file(where), _before(_file(where))):
            file.unlink(missing_ok=True)
    except OSError:
        return


def recover(where: Path | None = None) -> Saved | None:
    """The newest whole session of a process that is gone without having closed it, or None; it is handed out once."""
    found, saved = [], None
    try:
        for file in (where or folder()).iterdir():
            number = file.name.split(".")[0]
            if number.isdigit() and int(number) != os.getpid() and not _alive(int(number)):
                found.append((file.stat().st_mtime_ns, file))
        for _, file in sorted(found):
            saved = _whole(file) or saved
            file.unlink(missing_ok=True)
    except OSError:  # no such folder, or one of another user
        return saved
    return saved


def _whole(file: Path) -> Saved | None:
    """The session in a file whose checksum is right."""
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


def _file(where: Path | None) -> Path:
    return (where or folder()) / f"{os.getpid()}{ENDING}"


def _alive(number: int) -> bool:
    """Whether a process with this number runs; another one that took the number counts too."""
    if os.name == "nt":
        import ctypes

        handle = ctypes.windll.kernel32.OpenProcess(0x1000, False, number)  # type: ignore[attr-defined,unused-ignore]
        if handle:
            ctypes.windll.kernel32.CloseHandle(handle)  # type: ignore[attr-defined,unused-ignore]
        return bool(handle)
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
