"""How events are taken: the space bar of a control that has the focus, the wheel over one that has not, and drops."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QDropEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QWidget


class KeyFilter(QObject):
    """Lets a focused button or drop-down have the space bar, which else plays and pauses.

    The wheel scrolls the panel: what happens to be under the pointer meanwhile must not change.
    """

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Claim the key before the shortcut gets it; leave the wheel to whatever the control stands on."""
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.key() == Qt.Key.Key_Space
        ):
            event.accept()
            return True
        if event.type() == QEvent.Type.Wheel and isinstance(watched, QWidget) and not watched.hasFocus():
            event.ignore()
            return True
        return False


class UndoFilter(QObject):
    """Leaves the keys of undo and redo to the window where each value that is typed is an edit of the scenario.

    A line would take them for its own text, and swallow them where that has no history.
    """

    pressed = Signal()  # before the window gets the key

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep the line from claiming the key."""
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and (event.matches(QKeySequence.StandardKey.Undo) or event.matches(QKeySequence.StandardKey.Redo))
        ):
            self.pressed.emit()
            event.ignore()
            return True
        return False


def accept_copy(event: QDropEvent) -> None:
    """Take a copy, whatever is proposed: who drags a file must not think that it has been moved away."""
    event.setDropAction(Qt.DropAction.CopyAction)
    event.accept()
