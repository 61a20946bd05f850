"""The page of licences tells what the installed distributions tell."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from app.system.ffmpeg import ffmpeg
from assets.make import licences

ROOT = Path(licences.__file__).parents[2]
PAGE = licences.PAGE.read_text(encoding="utf-8")


def told() -> dict[str, str]:
    """Distribution -> licence, of the tables."""
    rows = re.findall(r"^\| (?!Licence|---)(.+?) \| (.+) \|$", PAGE, flags=re.M)
    return {name: licence for licence, names in rows for name in names.split(", ")}


def test_all_that_is_needed_is_told_with_its_licence():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    texts = [*project["dependencies"], *(t for e in licences.EXTRAS for t in project["optional-dependencies"][e])]
    needed = {canonicalize_name(Requirement(text).name) for text in texts}
    assert needed <= set(told())
    for name in needed:
        assert told()[name] == licences.licence(licences.distribution(name)), name
        assert told()[name] != "see its files"


def test_ffmpeg_and_qt_are_under_what_the_page_says():
    said = subprocess.run([ffmpeg()[0], "-L"], capture_output=True, text=True, check=False).stdout
    assert "GNU General Public License" in said
    assert "version 3" in said
    assert "GNU General Public License, version 3" in PAGE
    assert "LGPL-3.0-only" in told()["pyside6-essentials"]
    readme = " ".join((ROOT / "README.md").read_text().split())
    assert "ffmpeg (GPL 3, a separate program)" in readme
    assert "PySide6 (LGPL 3)" in readme
