"""The user's settings, in one small file that may be edited by hand."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Literal

import platformdirs
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from app.system.language import Code

MOST_RECENT = 10
SMALLEST_LETTERS, LARGEST_LETTERS = 0.75, 2.5  # factors on the desktop's size of letters
Language = Literal["system"] | Code


class Settings(BaseModel):
    """Settings: theme, the window's place, switches, recent files (newest first)."""

    model_config = ConfigDict(extra="ignore", validate_assignment=True)
    theme: Literal["system", "dark", "light", "high contrast"] = "system"
    theme_before: Literal["system", "dark", "light", "high contrast"] = "system"  # before high contrast
    language: Language = "system"
    degrees: bool = True  # angles of the panel
    reduced_motion: bool = False
    letters: float = Field(1.0, ge=SMALLEST_LETTERS, le=LARGEST_LETTERS)  # factor on the desktop's size
    branching: bool = False
    compile_ahead: bool = True
    hinted: bool = False  # the user knows the keys that matter
    panel: bool = False  # open, not folded to a rail
    interactor: bool = False  # the last view was one: prepare the next window for it
    geometry: str = ""  # as Qt writes it, in base64
    charts: dict[str, list[str]] = {}  # kind -> titles of the charts that are shown
    exports: dict[str, list[str]] = {}  # kind of an export -> format and size of the last one
    exported: str = ""  # kind of the last export
    sensor: str = ""  # address of the last live sensor
    tosses: str = ""  # folder of the logs of its tosses
    recent: list[str] = []

    def remember(self, path: str | Path) -> None:
        """Put a file first among the recent ones."""
        name = str(Path(path).resolve())
        self.recent = [name, *(other for other in self.recent if other != name)][:MOST_RECENT]

    def over(self, file: Settings, before: Settings) -> Settings:
        """The settings in the file, which another window may have written, with what has changed here since before."""
        was = before.model_dump()
        changed = {key: value for key, value in self.model_dump().items() if was[key] != value}
        new = _put_first(self.recent, before.recent)
        changed["recent"] = [*new, *(name for name in file.recent if name not in new)][:MOST_RECENT]
        for name in ("charts", "exports"):
            now, then = getattr(self, name), getattr(before, name)
            mine = {kind: words for kind, words in now.items() if then.get(kind) != words}
            changed[name] = getattr(file, name) | mine
        return file.model_copy(update=changed)


def _put_first(names: list[str], before: list[str]) -> list[str]:
    """Those of some names that were put before the others since the list was another."""
    left = ([name for name in before if name not in names[:k]] for k in range(len(names) + 1))
    return names[: next(k for k, others in enumerate(left) if others[: len(names) - k] == names[k:])]


def place() -> Path:
    """The file of the settings."""
    return platformdirs.user_config_path("polhode") / "settings.toml"


def load_settings(path: Path | None = None) -> Settings:
    """The settings in a file, with defaults for what is missing or damaged."""
    path = path or place()
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8")) if os.path.isfile(path) else {}
    except (OSError, ValueError, RecursionError):
        return Settings()
    try:
        return Settings(**data)
    except ValidationError as error:
        wrong = {str(fault["loc"][0]) for fault in error.errors()}
        return Settings(**{key: value for key, value in data.items() if key not in wrong})


def save_settings(settings: Settings, path: Path | None = None, before: Settings | None = None) -> str:
    """Write the settings, whole or not at all; return the reason if that fails, else "".

    before : as this window has read or written them last: only what has changed since is put into those in the file
    """
    import tomlkit  # here: the window appears before they are loaded

    from physics import PhysicsError
    from physics.io.trajectory_writers import replacing

    path = path or place()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(Path(path)) as part:
            made = settings if before is None or not path.is_file() else settings.over(load_settings(path), before)
            part.write_text(tomlkit.dumps(made.model_dump()), encoding="utf-8")
    except OSError as error:
        return f"{error.filename or path}: {error.strerror or error}"
    except PhysicsError as error:
        return str(error)
    return ""
