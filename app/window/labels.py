"""Labels that show text from files safely: Qt takes any text with a tag for HTML.

Notes, titles, file names and quotations in errors could else load pictures: a FIFO hangs the window, and on Windows a
network path is contacted. So labels are plain, or rich with escaped words; the linter refuses QLabel elsewhere.
"""

from __future__ import annotations

from html import escape
from typing import Any

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QResizeEvent, QShowEvent, Qt
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from app.system.language import tr
from app.system.terminal import one_line

MARGIN = 8  # [pixels] left and right of an elided text, that of the status line


class Plain(QLabel):
    """A label with plain text, whatever it contains; role: of its style, see app.window.style."""

    def __init__(self, text: str = "", role: str = "", **properties: Any) -> None:
        super().__init__(textFormat=Qt.TextFormat.PlainText, **properties)
        self.setProperty("role", role)
        self.setText(text)


class Elided(Plain):
    """A label whose text ends in an ellipsis where it has no room, and is then whole in its tip."""

    def __init__(self, text: str = "", **properties: Any) -> None:
        self._whole = text
        super().__init__(text, **properties)
        self.setProperty("elides", True)
        self.setMinimumWidth(60)

    def text(self) -> str:
        """The whole text."""
        return self._whole

    def setText(self, text: str) -> None:
        """Show another text."""
        self._whole = text
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show as much of the text as there is room for."""
        super().resizeEvent(event)
        self._fit()

    def sizeHint(self) -> QSize:
        """The room that the whole text takes."""
        return QSize(self.fontMetrics().horizontalAdvance(self._whole) + 2 * MARGIN, super().sizeHint().height())

    def _fit(self) -> None:
        shown = self.fontMetrics().elidedText(self._whole, Qt.TextElideMode.ElideRight, self.width() - 2 * MARGIN)
        QLabel.setText(self, shown)
        self.setToolTip(tip(self._whole) if shown != self._whole else "")


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
        other = self._lines is None or lines[2] != self._lines[2]  # in other letters it may be narrower
        self._lines, wanted = lines, self._label.sizeHint().expandedTo(self._label.minimumSize())
        if self._wide and (other or wanted.width() > self.minimumWidth()):
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


def breaking(path: object) -> str:
    """A path, or words with one, that may break into lines."""
    return str(path).replace("/", "/\u200b")


def tip(text: str) -> str:
    """A text for a tool tip; tags in it are escaped."""
    if not Qt.mightBeRichText(text):
        return text
    return f"<span style='white-space:pre'>{escape(text)}</span>"
