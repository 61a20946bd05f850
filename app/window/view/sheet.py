"""Sheet: lies over the 3D view to draw on it, and lets the mouse through."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget


class Sheet(QWidget):
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
