"""The page that stands where something is being prepared."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QProgressBar, QVBoxLayout, QWidget

from app.system.language import tr
from app.window.labels import Plain
from app.window.make_widget import make


class WaitingPage(QWidget):
    """A page that says what is being prepared."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._label = Plain(text, alignment=Qt.AlignmentFlag.AlignCenter, wordWrap=True)
        self._label.setProperty("role", "dim")
        self._busy = make(QProgressBar, textVisible=False, maximum=0, accessibleName=tr("Preparing"))
        self._busy.setFixedWidth(220)
        column = QVBoxLayout(self)
        column.addStretch(1)
        column.addWidget(self._label)
        column.addWidget(self._busy, alignment=Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(1)

    def fail(self, text: str) -> None:
        """Say why nothing more is to be waited for."""
        self._busy.hide()
        self._label.setText(text)
