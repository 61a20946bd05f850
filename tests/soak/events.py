"""Events of mouse and keyboard, as a window gets them from the display.

QTest would let all others happen in between, for ever where drawing takes longer than the time between two pictures.
What is pressed may take the window away before it is let go.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QKeySequence, QMouseEvent, QWheelEvent, QWindow
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

NONE, NOTHING = Qt.KeyboardModifier.NoModifier, Qt.MouseButton.NoButton


def lives(window: QWidget) -> bool:
    """Whether a window is there, and shown."""
    return window in QApplication.topLevelWidgets() and window.isVisible() and window.windowHandle() is not None


def mouse(
    window: QWidget, what: QEvent.Type, place: QPoint, button: Qt.MouseButton, keys: Qt.KeyboardModifier = NONE
) -> None:
    """One event of the mouse, at a place in the window's pixels."""
    if lives(window):
        at, down = QPointF(place), NOTHING if what == QEvent.Type.MouseButtonRelease else button
        pressed = NOTHING if what == QEvent.Type.MouseMove else button
        everywhere = QPointF(window.mapToGlobal(place))
        QApplication.sendEvent(handle_of(window), QMouseEvent(what, at, at, everywhere, pressed, down, keys))


def click(window: QWidget, button: Qt.MouseButton, place: QPoint, keys: Qt.KeyboardModifier = NONE) -> None:
    """Go there, press and let go."""
    for what in (QEvent.Type.MouseMove, QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonRelease):
        mouse(window, what, place, NOTHING if what == QEvent.Type.MouseMove else button, keys)


def wheel(window: QWidget, place: QPoint, by: int, keys: Qt.KeyboardModifier = NONE) -> None:
    """Turn the wheel, by 120 a notch."""
    for _ in range(abs(by) // 120):
        if lives(window):
            at, everywhere = QPointF(place), QPointF(window.mapToGlobal(place))
            turned = QPoint(0, 120 if by > 0 else -120)
            phase = Qt.ScrollPhase.NoScrollPhase
            event = QWheelEvent(at, everywhere, QPoint(), turned, NOTHING, keys, phase, False)
            QApplication.sendEvent(handle_of(window), event)


def press(window: QWidget, key: Qt.Key, keys: Qt.KeyboardModifier = NONE) -> None:
    """Press a key and let it go; it goes to what has the keyboard."""
    for do in (QTest.keyPress, QTest.keyRelease):
        if lives(window):
            do(window.focusWidget() or window, key, keys)


def press_all(window: QWidget, shortcut: str) -> None:
    """Press the keys of a shortcut."""
    pressed = QKeySequence(shortcut)[0]
    press(window, pressed.key(), pressed.keyboardModifiers())


def handle_of(window: QWidget) -> QWindow:
    """The window as the display knows it."""
    handle = window.windowHandle()
    assert handle is not None
    return handle
