"""Help pages: Markdown files in which comments stand for what the rows of schemes and cameras say."""

from __future__ import annotations

import re
from pathlib import Path

import assets
from physics import SCHEMES
from physics.scenario.camera_modes import CAMERA_MODES
from physics.systems.scheme_overview import markdown

PAGES = Path(assets.__file__).parent / "help"
INDEX = "index"


def read(stem: str) -> str:
    """The Markdown of a page, with the tables and the links that its comments stand for; FileNotFoundError."""
    text = (PAGES / f"{stem}.md").read_text(encoding="utf-8")
    if "<!-- schemes -->" in text:
        text = text.replace("<!-- schemes -->", markdown())
    cameras = ", ".join(f"{name} ({mode.title.lower()})" for name, mode in CAMERA_MODES.items())
    text = text.replace("<!-- cameras -->", cameras)
    return text.replace("<!-- other schemes -->\n", _links(text))


def _links(text: str) -> str:
    """A line with a link for each scheme's page that a text does not link."""
    pages = {scheme.page: f"- [{scheme.title}]({scheme.page}.md): {scheme.advice}\n" for scheme in SCHEMES.values()}
    return "".join(line for page, line in pages.items() if f"({page}.md)" not in text)


def contents() -> list[tuple[str, list[tuple[str, str]]]]:
    """The groups of the index page, each with (stem, title) of its pages."""
    groups: list[tuple[str, list[tuple[str, str]]]] = []
    for line in read(INDEX).splitlines():
        if line.startswith("## "):
            groups.append((line[3:], []))
        elif found := re.match(r"- \[(.+?)\]\(([\w-]+)\.md\)", line):
            groups[-1][1].append((found[2], found[1]))
    return [group for group in groups if group[1]]
