"""The message bar: one sentence about a failure or an edit, until it is dismissed or replaced."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QToolButton

from app.system import errors as error_log
from app.system.language import tr, translated
from app.system.terminal import one_line
from app.theme import Theme
from app.window.labels import Plain, sentence
from app.window.style import icon
from app.window.widgets import filled, make, push


class MessageBar(QFrame):
    """A bar with a message, in place of a modal box."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setVisible(False)
        self.setObjectName("message")
        self.text = Plain(wordWrap=True, textInteractionFlags=Qt.TextInteractionFlag.TextSelectableByMouse)
        self.text.setMinimumWidth(60)  # long names must not widen the window
        tab, name = Qt.FocusPolicy.TabFocus, tr("Dismiss the message")
        self._close = make(QToolButton, toolTip=tr("Dismiss"), accessibleName=name, focusPolicy=tab)
        self._close.clicked.connect(self.hide)
        self.button = push(tr("Dismiss"), self._accept, visible=False, focusPolicy=tab)
        self._offered: Callable[[], None] | None = None
        filled(QHBoxLayout(self), (self.text, 1), self.button, self._close, margins=(14, 6, 8, 6))
        self.set_theme(theme)

    def say(self, message: Exception | str) -> None:
        """Show an error, or a sentence in the current language, and alert screen readers."""
        error_log.note(one_line(str(message)))
        message = one_line(translated(message))
        named = message.partition(" ")[0].endswith(":")
        self.text.setText(message if named else sentence(message))
        self.button.hide()
        self.show()
        QAccessible.updateAccessibility(QAccessibleEvent(self.text, QAccessible.Event.Alert))

    def offer(self, sentence: str, word: str, accept: Callable[[], None]) -> None:
        """Show a sentence with a button, which hides it."""
        self.text.setText(sentence)
        self.button.setText(word)
        self.button.show()
        self._offered = accept
        self.show()

    def _accept(self) -> None:
        self.hide()
        if self._offered is not None:
            self._offered()

    def set_theme(self, theme: Theme) -> None:
        """Recolour."""
        self._close.setIcon(icon("close", theme))
        self.setStyleSheet(
            f"#message {{ background: {theme.panel}; border: none; border-left: 4px solid {theme.danger};"
            f" border-bottom: 1px solid {theme.border}; }}"
        )
