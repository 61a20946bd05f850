"""Hand: what a person can do to a window with mouse and keyboard, at random, by the events that Qt gets from them.

QTest would let all others happen in between, for ever where drawing takes longer than the time between two pictures.
What is pressed may take the window away before it is let go.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress

from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, QRect, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent, QKeySequence, QMouseEvent, QWheelEvent, QWindow
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QMessageBox, QPushButton, QScrollArea, QWidget
from shiboken6 import isValid

from app.window.actions import ACTIONS
from tests.soak.bait import Bait
from tests.soak.watch import Watch

NONE, NOTHING = Qt.KeyboardModifier.NoModifier, Qt.MouseButton.NoButton
KEYS = [
    *(Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Tab, Qt.Key.Key_Backtab, Qt.Key.Key_Space, Qt.Key.Key_Delete),
    *(Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown),
    *(Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_Backspace, Qt.Key.Key_Menu, Qt.Key.Key_A, Qt.Key.Key_7),
]  # fmt: skip
MODIFIERS = (Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier)
CONTROL = Qt.KeyboardModifier.ControlModifier
SHORTCUTS = [key for action in ACTIONS if action.id != "quit" for key in action.keys.split()]
FOUND = ("go to ", "open ", "add scheme", "recent", "zzzz", "help")  # in the palette
LEFT, RIGHT, MIDDLE = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton, Qt.MouseButton.MiddleButton


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


class NowhereError(Exception):
    """Nothing is seen of what the hand has chosen."""


class Hand:
    """Does one thing after another; what it does is told to the watch."""

    def __init__(self, rng: random.Random, bait: Bait, watch: Watch) -> None:
        self.rng, self.bait, self.watch = rng, bait, watch
        self._deeds: dict[Callable[[QWidget], str], float] = {
            self.click: 30,
            self.click_twice: 4,
            self.click_right: 4,
            self.turn_wheel: 6,
            self.drag: 12,
            self.hover: 3,
            self.type: 18,
            self.press_key: 8,
            self.press_shortcut: 20,
            self.find_command: 3,
            self.drop: 2,
            self.paste: 1.5,
            self.resize: 1.5,
            self.close: 0.4,
        }
        self._in_menu = {self.click: 6, self.hover: 1, self.turn_wheel: 1, self.drag: 1, self.press_key: 3}

    def deed(self) -> None:
        """One deed, in the window or dialog that it is the turn of."""
        window = self._window()
        deeds = self._in_menu if window.windowType() == Qt.WindowType.Popup else self._deeds
        (do,) = self.rng.choices([*deeds], [*deeds.values()])
        if isinstance(window, QFileDialog):
            do = self.answer
        elif isinstance(window, QMessageBox):
            do = self.click
        self.watch.note(f"{type(window).__name__}: {do.__name__}")
        with suppress(NowhereError):
            self.watch.note(f"    {do(window)}")

    # ---- where -----------------------------------------------------------------------------------------

    def _window(self) -> QWidget:
        """The menu, the dialog or the window that takes what one does."""
        popup, modal = QApplication.activePopupWidget(), QApplication.activeModalWidget()
        if popup is not None:
            return popup
        windows = [w for w in QApplication.topLevelWidgets() if w.isVisible() and w.windowHandle() is not None]
        kinds = (Qt.WindowType.Window, Qt.WindowType.Dialog)
        chosen = modal or self.rng.choice([w for w in windows if w.windowType() in kinds])
        if not chosen.isActiveWindow():
            chosen.raise_()
            chosen.activateWindow()
        return chosen

    def _spot(self, window: QWidget, kind: type[QWidget] = QWidget) -> tuple[QWidget, QPoint]:
        """A widget of a window, and a place in it that one sees, in the window's pixels; scrolled to, if need be."""
        widgets = [w for w in window.findChildren(kind) if w.isVisible() and w.isEnabled() and w.window() is window]
        ends = [w for w in widgets if not any(isinstance(c, QWidget) and c.isVisible() for c in w.children())]
        if not widgets:  # a menu
            return window, QPoint(self.rng.randrange(window.width()), self.rng.randrange(window.height()))
        kinds: dict[str, list[QWidget]] = {}
        for widget in ends or widgets:
            kinds.setdefault(type(widget).__name__, []).append(widget)
        widget = self.rng.choice(kinds[self.rng.choice(sorted(kinds))])
        self._scroll_to(window, widget)
        seen = widget.visibleRegion().boundingRect() if isValid(widget) and lives(window) else QRect()
        if seen.isEmpty():
            raise NowhereError
        inside = QPoint(self.rng.randint(seen.left(), seen.right()), self.rng.randint(seen.top(), seen.bottom()))
        return widget, widget.mapTo(window, inside)

    def _scroll_to(self, window: QWidget, widget: QWidget) -> None:
        """Scroll to a widget by the wheel, over the edge of what scrolls."""
        area = widget.parentWidget()
        while area is not None and not isinstance(area, QScrollArea):
            area = area.parentWidget()
        if area is None or area.window() is not window:
            return
        edge = area.mapTo(window, QPoint(3, area.height() // 2))
        for _ in range(60):
            if not (isValid(widget) and area.isAncestorOf(widget)):  # another run has come
                return
            place = widget.mapTo(area, widget.rect().center()).y()
            if 0 < place < area.height():
                return
            wheel(window, edge, 120 if place <= 0 else -120)

    # ---- mouse -----------------------------------------------------------------------------------------

    def click(self, window: QWidget) -> str:
        """Somewhere."""
        return self._press(window, LEFT)

    def click_twice(self, window: QWidget) -> str:
        """Somewhere."""
        return self._press(window, LEFT, twice=True)

    def click_right(self, window: QWidget) -> str:
        """Somewhere, or with the button in the middle."""
        return self._press(window, self.rng.choice((RIGHT, RIGHT, MIDDLE)))

    def _press(self, window: QWidget, button: Qt.MouseButton, twice: bool = False) -> str:
        widget, place = self._spot(window)
        told = f"{_told(widget)} at {place.x()}, {place.y()}"
        keys = self.rng.choice(MODIFIERS) if self.rng.random() < 0.08 else NONE
        click(window, button, place, keys)
        if twice:
            for what in (QEvent.Type.MouseButtonDblClick, QEvent.Type.MouseButtonRelease):
                mouse(window, what, place, button, keys)
        return told

    def turn_wheel(self, window: QWidget) -> str:
        """Up or down, a little or much."""
        widget, place = self._spot(window)
        told, by = _told(widget), self.rng.choice((-120, 120)) * self.rng.choice((1, 1, 5, 50))
        wheel(window, place, by, CONTROL if self.rng.random() < 0.05 else NONE)
        return f"{told}: {by}"

    def drag(self, window: QWidget) -> str:
        """Drag from somewhere to somewhere, also out of the window."""
        widget, place = self._spot(window)
        told, far = _told(widget), self.rng.choice((10, 60, 400))
        button = self.rng.choice((LEFT, LEFT, LEFT, RIGHT, MIDDLE))
        mouse(window, QEvent.Type.MouseButtonPress, place, button)
        by = QPoint(self.rng.randint(-far, far), self.rng.randint(-far, far))
        for part in range(1, self.rng.randint(2, 8)):
            mouse(window, QEvent.Type.MouseMove, place + by * part / 7, button)
        if self.rng.random() < 0.05:
            press(window, Qt.Key.Key_Escape)
        mouse(window, QEvent.Type.MouseButtonRelease, place + by, button)
        return f"{told} by {by.x()}, {by.y()}"

    def hover(self, window: QWidget) -> str:
        """Only move the pointer."""
        widget, place = self._spot(window)
        mouse(window, QEvent.Type.MouseMove, place, NOTHING)
        return _told(widget)

    # ---- keyboard --------------------------------------------------------------------------------------

    def type(self, window: QWidget) -> str:
        """Something in a field."""
        line, place = self._spot(window, QLineEdit)
        if not isinstance(line, QLineEdit):
            return "no field"
        text = self.bait.text(line.text())
        told = f"{_told(line)} {text[:60]!r} ({len(text)} letters)"
        click(window, LEFT, place)
        if self.rng.random() < 0.9:
            press(window, Qt.Key.Key_A, CONTROL)
        self._write(window, text)
        end = self.rng.choice((Qt.Key.Key_Return, Qt.Key.Key_Tab, Qt.Key.Key_Escape, Qt.Key.Key_Up, None))
        if end is not None:
            press(window, end)
        return told

    def _write(self, window: QWidget, text: str) -> None:
        """Write with the keys; what is long or has no key, from the clipboard."""
        if text == "":
            press(window, Qt.Key.Key_Delete)
        elif text.isascii() and len(text) < 40 and (to := QApplication.focusWidget()) is not None:
            for letter in text:
                if isValid(to):
                    QTest.keyClick(to, letter)
        else:
            QApplication.clipboard().setText(text)
            press(window, Qt.Key.Key_V, CONTROL)

    def press_key(self, window: QWidget) -> str:
        """Any."""
        key = self.rng.choice(KEYS)
        keys = self.rng.choice(MODIFIERS) if self.rng.random() < 0.2 else NONE
        if key == Qt.Key.Key_Backtab:
            keys = Qt.KeyboardModifier.ShiftModifier
        press(window, key, keys)
        return f"{keys.name} {key.name}"

    def press_shortcut(self, window: QWidget) -> str:
        """That of an action, some times."""
        key = self.rng.choice(SHORTCUTS)
        for _ in range(self.rng.choice((1, 1, 1, 2, 3))):
            press_all(window, key)
        return key

    def find_command(self, window: QWidget) -> str:
        """Find a command in the palette, by some letters."""
        press_all(window, "Ctrl+K")
        text = self.rng.choice((self.rng.choice(ACTIONS).text[:9], *FOUND))
        self._write(window, text)
        for _ in range(self.rng.randint(0, 9)):
            press(window, Qt.Key.Key_Down)
        press(window, self.rng.choice((Qt.Key.Key_Return, Qt.Key.Key_Return, Qt.Key.Key_Escape)))
        return text

    def paste(self, window: QWidget) -> str:
        """A scenario that was copied as text, or what is none."""
        text = self.rng.choice(self.bait.copied)
        QApplication.clipboard().setText(text)
        press_all(window, "Ctrl+Shift+V")
        return f"{text[:20]!r} ({len(text)} letters)"

    # ---- windows ---------------------------------------------------------------------------------------

    def drop(self, window: QWidget) -> str:
        """A file, or some, somewhere."""
        files = [self.bait.to_open() for _ in range(self.rng.choice((1, 1, 1, 1, 2, 0)))]
        data, place = QMimeData(), QPointF(self._spot(window)[1])
        data.setUrls([QUrl.fromLocalFile(str(file)) for file in files] or [QUrl("https://example.org/scene.toml")])
        handle, copy, buttons = handle_of(window), Qt.DropAction.CopyAction, LEFT
        enter = QDragEnterEvent(place.toPoint(), copy, data, buttons, NONE)
        QApplication.sendEvent(handle, enter)
        if enter.isAccepted():
            QApplication.sendEvent(handle, QDragMoveEvent(place.toPoint(), copy, data, buttons, NONE))
            QApplication.sendEvent(handle, QDropEvent(place, copy, data, buttons, NONE))
        return ", ".join(file.name[:60] for file in files) or "an address"

    def resize(self, window: QWidget) -> str:
        """Resize a window as a window manager does."""
        room, least = window.screen().availableSize(), window.minimumSizeHint().expandedTo(window.minimumSize())
        wide = self.rng.randint(min(least.width(), room.width()), room.width())
        high = self.rng.randint(min(least.height(), room.height()), room.height())
        window.resize(wide, high)
        return f"to {wide} x {high}"

    def close(self, window: QWidget) -> str:
        """Close a window by the button of its frame."""
        told = _told(window)
        handle_of(window).close()
        return told

    def answer(self, dialog: QWidget) -> str:
        """A dialog that asks for a file."""
        assert isinstance(dialog, QFileDialog)
        opens = dialog.acceptMode() == QFileDialog.AcceptMode.AcceptOpen
        line = dialog.findChild(QLineEdit, "fileNameEdit")
        if line is None or self.rng.random() < 0.3:
            press(dialog, Qt.Key.Key_Escape)
            return "Esc"
        name = str(self.bait.to_open() if opens else self.bait.to_save())
        line.setFocus()
        press(dialog, Qt.Key.Key_A, CONTROL)
        self._write(dialog, name)
        press(dialog, Qt.Key.Key_Return)
        return name[-80:]


def _told(widget: QWidget) -> str:
    text = widget.text() if isinstance(widget, QPushButton) else widget.accessibleName() or widget.objectName()
    return f"{type(widget).__name__} '{text[:40]}'"
