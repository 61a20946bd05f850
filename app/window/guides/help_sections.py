"""Sections of the help: each heading of a page with what stands below it, to be found by any of its words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from app.document.help_pages import INDEX, contents, read
from app.plots.formula import BLOCK, without_latex
from app.system.language import tr
from app.window.guides.fuzzy_search import words

BEFORE, AFTER = 16, 60  # letters that are shown about what was found: it must stand where lines are not cut off


@dataclass(frozen=True)
class HelpSection:
    """A heading of a page with its text: stem of the page, its title, the heading ("" above the first), the text."""

    stem: str
    page: str
    heading: str
    text: str

    def excerpt(self, query: str) -> str:
        """The text about the first word of a query that stands in it; "" where none does."""
        found = self.place(query)
        if found is None:
            return ""
        low, high = max(0, found.start() - BEFORE), found.end() + AFTER
        start = self.text.rfind(" ", 0, low) + 1 if low else 0
        end = self.text.find(" ", high)
        end = len(self.text) if end < 0 else end
        return f"{'…' if start else ''}{self.text[start:end]}{'…' if end < len(self.text) else ''}"

    def place(self, query: str) -> re.Match[str] | None:
        """Match of the longest word of a query at the beginning of a word of the text."""
        for word in sorted(words(query), key=len, reverse=True):
            if found := re.search(rf"\b{re.escape(word.removesuffix('s') or word)}\w*", self.text, re.IGNORECASE):
                return found
        return None


@cache
def all_sections() -> tuple[HelpSection, ...]:
    """All sections of all pages, in the order of their index."""
    titles = {stem: title for _, pages in contents() for stem, title in pages} | {INDEX: tr("Contents")}
    found = []
    for stem, title in titles.items():
        for i, part in enumerate(re.split(r"^## ", read(stem), flags=re.MULTILINE)):
            heading, _, text = part.partition("\n")
            found.append(HelpSection(stem, title, heading if i else "", _plain(text)))
    return tuple(found)


def _plain(markdown: str) -> str:
    """A text in one line, without the signs of Markdown."""
    text = BLOCK.sub(lambda found: without_latex(found[1]), markdown)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return " ".join(re.sub(r"[`*|#]|^- ", " ", text, flags=re.MULTILINE).split())
