"""The space bar of a control that has the focus."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent


class KeepSpace(QObject):
    """Lets a focused button or drop-down have the space bar, which else plays and pauses."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Claim the key before the shortcut gets it."""
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.key() == Qt.Key.Key_Space
        ):
            event.accept()
            return True
        return False
