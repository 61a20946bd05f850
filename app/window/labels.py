"""Labels: the only place that makes them, since Qt takes any text that holds a tag for HTML.

A scenario's note, a title, a name of a file or what an error quotes would else load pictures: a FIFO named as one
hangs the window, and on Windows a network path is contacted. So labels are plain, or rich with all words escaped;
the linter refuses QLabel elsewhere.
"""

from __future__ import annotations

from html import escape
from typing import Any

from PySide6.QtGui import Qt
from PySide6.QtWidgets import QLabel

from app.system.language import tr
from app.system.terminal import one_line


class Plain(QLabel):
    """Shows a text letter by letter, whatever it holds."""

    def __init__(self, text: str = "", **properties: Any) -> None:
        super().__init__(textFormat=Qt.TextFormat.PlainText, **properties)
        self.setText(text)


class Rich(QLabel):
    """Shows a table or colours that the program itself has written; whatever else stands in it is escaped."""

    def __init__(self, html: str = "", **properties: Any) -> None:
        super().__init__(textFormat=Qt.TextFormat.RichText, **properties)
        self.setText(html)


def sentence(text: str) -> str:
    """A text on one line that begins with a capital."""
    text = one_line(text)
    return text[:1].upper() + text[1:]


def with_unit(name: str, unit: str) -> str:
    """The name of a number with its unit, for screen readers."""
    return tr("{name} in {unit}").format(name=name, unit=unit) if unit else name


def tip(text: str) -> str:
    """A text as a tool tip, which has no format of its own: one with tags is escaped, others stay as they are."""
    if not Qt.mightBeRichText(text):
        return text
    return f"<span style='white-space:pre'>{escape(text)}</span>"
