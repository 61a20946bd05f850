"""Labels: the only place that makes them, since Qt takes any text that holds a tag for HTML.

A scenario's note, a title, a name of a file or what an error quotes would else load pictures: a FIFO named as one
hangs the window, and on Windows a network path is contacted. So labels are plain, or rich with all words escaped;
the linter refuses QLabel elsewhere.
"""

from __future__ import annotations

from html import escape
from typing import Any

from PySide6.QtCore import QEvent
from PySide6.QtGui import QResizeEvent, QShowEvent, Qt
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

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


class Steady(QWidget):
    """Holds a label whose text changes often, so that layouts around it are asked for another height only.

    A label in a layout has all layouts up to the window's computed anew by each new text: 1 to 20 ms here.

    wide : whether the label's text is seen whole: the width never shrinks; else it is what the layout gives
    """

    def __init__(self, label: QLabel, *, wide: bool = False) -> None:
        super().__init__()
        self._label, self._wide = label, wide
        self._lines: tuple[int, int, str] | None = None
        label.setParent(self)
        across = QSizePolicy.Policy.Preferred if wide else QSizePolicy.Policy.Ignored
        self.setSizePolicy(across, QSizePolicy.Policy.Fixed)
        self._fit()

    def event(self, event: QEvent) -> bool:
        """The label asks for room by a request to its parent."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._fit()
        return super().event(event)

    def showEvent(self, event: QShowEvent) -> None:
        """While it was hidden, nothing was asked for."""
        super().showEvent(event)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The label takes all of it."""
        super().resizeEvent(event)
        self._label.resize(event.size())

    def _fit(self) -> None:
        text = self._label.text()
        # lines are not wrapped: as many are as high, and a table of 60 cells takes 9 ms to be measured
        lines = text.count("\n"), text.count("<tr"), self._label.font().key()
        if lines == self._lines and not self._wide:
            return
        self._lines, wanted = lines, self._label.sizeHint().expandedTo(self._label.minimumSize())
        if self._wide and wanted.width() > self.minimumWidth():
            self.setMinimumWidth(wanted.width())
        if wanted.height() != self.minimumHeight():
            self.setFixedHeight(wanted.height())


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
