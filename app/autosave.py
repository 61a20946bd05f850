"""Autosave: the session of a program that runs, kept in a file of its own until it is closed in good order."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

from app.saved import ENDING, Saved, load_session, save_session
from physics import PhysicsError, ScenarioError


def folder() -> Path:
    """Where autosaved sessions are kept."""
    return platformdirs.user_state_path("polhode") / "unfinished"


def keep(saved: Saved, where: Path | None = None) -> None:
    """Save the session of this process; a place that cannot be written is no reason to complain."""
    try:
        file = _file(where)
        file.parent.mkdir(parents=True, exist_ok=True)
        save_session(file, saved)
    except (OSError, PhysicsError):
        return


def forget(where: Path | None = None) -> None:
    """This process ends in good order."""
    try:
        _file(where).unlink(missing_ok=True)
    except OSError:
        return


def recover(where: Path | None = None) -> Saved | None:
    """The newest session of a process that is gone without having closed it, or None; it is handed out once."""
    found = []
    for file in (where or folder()).glob(f"*{ENDING}"):
        number = file.name.removesuffix(ENDING)
        if number.isdigit() and int(number) != os.getpid() and not _alive(int(number)):
            found.append(file)
    saved = None
    for file in sorted(found, key=lambda one: one.stat().st_mtime):
        try:
            saved = load_session(file)
        except ScenarioError:
            continue
        finally:
            file.unlink(missing_ok=True)
    return saved


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
