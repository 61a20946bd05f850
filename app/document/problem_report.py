"""Problem reports: one text to read, change and mail. Nothing is sent, and folders of the user are left out."""

from __future__ import annotations

import importlib.metadata
import os
import re
from collections.abc import Iterable
from pathlib import Path

from app.document.session import SavedSession, to_toml
from app.document.settings import Settings
from app.document.toml_writer import toml_text
from app.system.language import tr
from app.system.processes import ROOT
from physics.core.arithmetic import platform_facts
from physics.io.trajectory_writers import polhode_version

# environment variables that change how the program draws, computes or finds its parts
VARIABLES = re.compile(
    r"QT_|VTK_|LIBGL_|MESA_|NUMBA_|OMP_|OPENBLAS_|XDG_SESSION_TYPE|WAYLAND_DISPLAY|DISPLAY$|IMAGEIO_|LANG$"
)
HEAD = """\
# Report of a problem with Polhode

What I did, what I saw, and what I expected:


"""
_QUOTED = re.compile(r"""(["'])(?:[A-Za-z]:|~)?[/\\](?:(?!\1)[^\n])*[/\\]((?:(?!\1)[^\n/\\])*)\1""")
_BARE = re.compile(r"""(?<![\w\]/:.<>])(?:[A-Za-z]:|~)?[/\\](?:[^\s/\\:"'<>|,;()]+[/\\])+(?=[^\s/\\])""")


def without_folders(text: str) -> str:
    """A text with file names without folders, and modules relative to the program."""
    for place in (f"{ROOT}{os.sep}", f"{Path.cwd()}{os.sep}"):
        if len(place) > len(Path(place).anchor):
            text = text.replace(place, "")
    text = re.sub(r"""(?:[A-Za-z]:)?[/\\][^\n"']*[/\\](?:site|dist)-packages[/\\]""", "", text)
    text = text.replace(str(Path.home()), "~")
    return _BARE.sub("", _QUOTED.sub(r"\1\2\1", text))


def report(saved: SavedSession | None, settings: Settings | None, drawing: Iterable[str], errors: Iterable[str]) -> str:
    """The text of a report.

    saved : session that is shown, if any
    settings : of the user; None for a command
    drawing : lines about screen and OpenGL; errors : the last ones, see app.system.errors
    """
    facts = [f"{name}: {value}" for name, value in platform_facts().items()]
    known = sorted((name, value) for name, value in os.environ.items() if VARIABLES.match(name))
    parts = {
        tr("Program"): [f"polhode {polhode_version()}", *facts],
        tr("Packages"): _packages(),
        tr("Drawing"): [*drawing, *(f"{name}={value}" for name, value in known)],
        tr("Settings"): _settings_lines(settings),
        tr("Last errors"): list(errors) or [tr("none")],
        tr("Scenario"): [to_toml(saved).rstrip() if saved is not None else tr("none")],
    }
    body = "\n\n".join(f"## {title}\n\n" + "\n".join(lines) for title, lines in parts.items() if lines)
    return tr(HEAD) + without_folders(body) + "\n"


def _packages() -> list[str]:
    """Name and version of the installed packages that Polhode and its extras require."""
    found = {}
    for text in importlib.metadata.requires("polhode") or ():
        if name := re.match(r"[\w.-]+", text):
            try:
                found[name[0]] = importlib.metadata.version(name[0])
            except importlib.metadata.PackageNotFoundError:
                continue
    return [f"{name} {version}" for name, version in sorted(found.items())]


def _settings_lines(settings: Settings | None) -> list[str]:
    """The settings, with the number of file names in place of the names."""
    if settings is None:
        return []
    plain = settings.model_dump(exclude={"recent", "geometry"})
    return [
        toml_text(plain).rstrip(),
        "# " + tr("names of recent files are left out: {count}").format(count=len(settings.recent)),
    ]
