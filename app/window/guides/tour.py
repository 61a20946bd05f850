"""The tour: five steps that show where things are; may be left at any of them, and taken again from the help menu."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from app.system.language import tr
from app.theme import Theme
from app.window.labels import Plain
from app.window.style import with_letters
from app.window.widgets import RETURN, filled, push

WIDE = 380
_KEYS = (Qt.Key.Key_Space, *RETURN, Qt.Key.Key_Escape, Qt.Key.Key_Left, Qt.Key.Key_Right)


def around(target: QWidget, window: QWidget) -> Iterator[QWidget]:
    """A widget and those around it, but for the window."""
    here: QWidget | None = target
    while here is not None and here is not window:
        yield here
        here = here.parentWidget()


class Ring(QWidget):
    """A ring around what is spoken of; the mouse does not notice it."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.theme, self.place = theme, QRect()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw it."""
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(self.theme.warning), 3))
            painter.drawRoundedRect(self.place.adjusted(2, 2, -2, -2), 8, 8)


class Tour(QFrame):
    """A card that goes from widget to widget, below the menus; Return goes on, Esc leaves.

    steps : how to find the widget that is spoken of, which another scenario may replace; heading; text
    parent : the window; uppermost : what stands right below its menus
    """

    left = Signal()

    def __init__(
        self, steps: Sequence[tuple[Callable[[], QWidget], str, str]], theme: Theme, parent: QWidget, uppermost: QWidget
    ) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Tour"))
        self.setObjectName("tour")
        self.setStyleSheet(
            f"#tour {{ background: {theme.panel_raised}; border: 2px solid {theme.warning}; border-radius: 10px; }}"
        )
        self.steps, self.at, self._window, self._uppermost = steps, 0, parent, uppermost
        self.ring = Ring(theme, parent)
        self.heading, self.text = Plain("", "heading"), Plain(wordWrap=True)
        self.count = Plain("", "dim", alignment=Qt.AlignmentFlag.AlignCenter)
        self.skip = push(tr("Skip the tour"), self.leave, focusPolicy=Qt.FocusPolicy.TabFocus)
        self.back = push(tr("Back"), lambda: self.go(-1), focusPolicy=Qt.FocusPolicy.TabFocus)
        self.next = push(tr("Next"), lambda: self.go(1), "primary")
        buttons = filled(QHBoxLayout(), self.skip, (self.count, 1), self.back, self.next)
        filled(QVBoxLayout(self), self.heading, self.text, buttons, margins=(18, 14, 18, 14), spacing=10)
        self.setFixedWidth(self._wide)
        parent.installEventFilter(self)
        self.ring.show()
        self.show()
        self.go(0)
        self.next.setFocus(Qt.FocusReason.TabFocusReason)

    def go(self, by: int) -> None:
        """To a step further on (1) or back (-1); beyond the last one the tour is over."""
        if self.at + by >= len(self.steps):
            self.leave()
            return
        self.at = max(0, self.at + by)
        find, heading, text = self.steps[self.at]
        self._follow(find())
        self.heading.setText(heading)
        self.text.setText(text)
        self.count.setText(tr("{number} of {steps}").format(number=self.at + 1, steps=len(self.steps)))
        self.back.setEnabled(self.at > 0)
        self.next.setText(tr("Done") if self.at + 1 == len(self.steps) else tr("Next"))
        self.setAccessibleDescription(f"{heading}. {text}")
        self._place()

    def leave(self) -> None:
        """End the tour."""
        self._window.setFocus()  # on no control: the space bar plays
        self.ring.hide()
        self.hide()
        self.left.emit()
        self.ring.deleteLater()
        self.deleteLater()

    @property
    def _below(self) -> int:
        """Where menus and tools end."""
        return self._uppermost.mapTo(self._window, QPoint(0, 0)).y()

    @property
    def _wide(self) -> int:
        return with_letters(WIDE)

    def _follow(self, target: QWidget) -> None:
        """Bring what is spoken of into sight, and follow it and what is around it."""
        for one in around(target, self._window):
            one.installEventFilter(self)
            if isinstance(one, QScrollArea):
                one.ensureWidgetVisible(target)

    def _place(self) -> None:
        """Beside what is spoken of, inside the window."""
        window, target = self._window, self.steps[self.at][0]()
        place = window.rect()
        for one in around(target, window):  # a panel may have scrolled some of it out of sight
            place &= QRect(one.mapTo(window, QPoint(0, 0)), one.size())
        self.ring.setGeometry(window.rect())
        self.ring.place = place
        self.ring.update()
        self.adjustSize()
        wide = self.width()
        x = place.right() + 14 if place.right() + wide + 20 < window.width() else place.center().x() - wide // 2
        y = place.center().y() - self.height() // 2
        if x < place.right():  # no room at the right: above it
            y = place.top() - self.height() - 14 if place.top() > self.height() + 60 else place.bottom() + 14
        x = min(max(x, 12), window.width() - wide - 12)
        y = min(max(y, self._below + 12), window.height() - self.height() - 12)
        self.move(x, y)
        self.ring.raise_()
        self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay in place when something moves or changes its size; Return that nobody else takes goes on."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move) and self.isVisible():
            self._place()
        pressed = event.type() == QEvent.Type.KeyPress and watched is self._window
        if pressed and isinstance(event, QKeyEvent) and event.key() in RETURN:
            self.go(1)
            return True
        return super().eventFilter(watched, event)

    def event(self, event: QEvent) -> bool:
        """While the tour has the focus, its keys are not those of the window."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and event.key() in _KEYS:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc leaves, Return presses the button that has the focus, else the one that goes on."""
        if event.key() == Qt.Key.Key_Escape:
            self.leave()
        elif event.key() in RETURN:
            buttons = (self.skip, self.back)
            next((button for button in buttons if button.hasFocus()), self.next).click()
        else:
            super().keyPressEvent(event)
