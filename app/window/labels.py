"""Labels that show text from files safely: Qt takes any text with a tag for HTML.

Notes, titles, file names and quotations in errors could else load pictures: a FIFO hangs the window, and on Windows a
network path is contacted. So labels are plain, or rich with escaped words; the linter refuses QLabel elsewhere.
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
    """A label with plain text, whatever it contains."""

    def __init__(self, text: str = "", **properties: Any) -> None:
        super().__init__(textFormat=Qt.TextFormat.PlainText, **properties)
        self.setText(text)


class Rich(QLabel):
    """A label with tables or colours of the program; other text in it must be escaped."""

    def __init__(self, html: str = "", **properties: Any) -> None:
        super().__init__(textFormat=Qt.TextFormat.RichText, **properties)
        self.setText(html)


class Steady(QWidget):
    """A container for a label whose text changes often: layouts around it are computed again for another height only.

    Each new text of a label in a layout updates all layouts up to the window's, which takes 1 to 20 ms.

    wide : the width fits the label's text and never shrinks; else it is given by the layout
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
        """Handle layout requests of the label."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._fit()
        return super().event(event)

    def showEvent(self, event: QShowEvent) -> None:
        """Fit the label: hidden labels make no requests."""
        super().showEvent(event)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Resize the label too."""
        super().resizeEvent(event)
        self._label.resize(event.size())

    def _fit(self) -> None:
        text = self._label.text()
        # lines are not wrapped, so their number gives the height; measuring a table of 60 cells takes 9 ms
        lines = text.count("\n"), text.count("<tr"), self._label.font().key()
        if lines == self._lines and not self._wide:
            return
        self._lines, wanted = lines, self._label.sizeHint().expandedTo(self._label.minimumSize())
        if self._wide and wanted.width() > self.minimumWidth():
            self.setMinimumWidth(wanted.width())
        if wanted.height() != self.minimumHeight():
            self.setFixedHeight(wanted.height())


def sentence(text: str) -> str:
    """A text on one line with a capital at its start."""
    text = one_line(text)
    return text[:1].upper() + text[1:]


def with_unit(name: str, unit: str) -> str:
    """The name of a number with its unit, for screen readers."""
    return tr("{name} in {unit}").format(name=name, unit=unit) if unit else name


def tip(text: str) -> str:
    """A text for a tool tip; tags in it are escaped."""
    if not Qt.mightBeRichText(text):
        return text
    return f"<span style='white-space:pre'>{escape(text)}</span>"
