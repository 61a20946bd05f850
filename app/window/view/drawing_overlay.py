"""The drawing overlay: it lies over the 3D view to draw on it, and lets the mouse through."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from app.theme import Theme

GAP = 10.0  # [pixels] from the title, or the upper edge, to a prompt below it


class DrawingOverlay(QWidget):
    """As large as the view that it lies over; ``paint`` draws on it."""

    def __init__(self, view: QWidget, paint: Callable[[QPainter], None]) -> None:
        super().__init__(view)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._paint = paint
        self.setGeometry(view.rect())
        view.resized.connect(lambda: self.setGeometry(view.rect()))  # type: ignore[attr-defined]

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw."""
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint(painter)


def prompt(painter: QPainter, text: str, theme: Theme, below: float) -> None:
    """Say at the top of the view, below its title, what it waits for."""
    wide = painter.viewport().width() / painter.device().devicePixelRatioF()
    flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
    room = QRectF(0.0, 0.0, wide - 60.0, 200.0)
    size = painter.boundingRect(room, flags, text)
    box = QRectF((wide - size.width()) / 2 - 12.0, below + GAP, size.width() + 24.0, size.height() + 14.0)
    painter.setPen(QPen(QColor(theme.accent), 1.0))
    painter.setBrush(QColor(theme.panel))
    painter.drawRoundedRect(box, 6.0, 6.0)
    painter.setPen(QColor(theme.text))
    painter.drawText(box, flags, text)
    painter.setBrush(Qt.BrushStyle.NoBrush)
