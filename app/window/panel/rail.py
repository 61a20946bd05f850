"""Rail: what is left of the panel while it is folded, a button for each of its cards."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QSize
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QFrame, QGroupBox, QToolButton, QVBoxLayout

from app.system.language import tr
from app.theme import Theme
from app.window.panel.panel import Panel
from app.window.style import icon
from app.window.widgets import filled, take_out

WIDE, SIDE = 44, 36  # pixels of the rail, and of a button
EDGE, APART = 8, 4  # pixels above and below all of them, and between two
ICONS = {  # icons of cards, by their titles
    "Scenario": "papers",
    "Schemes": "overlay",
    "Body": "cuboid",
    "Rock": "rock",
    "Top": "ellipsoid",
    "Mechanism": "grips",
    "Start": "arrows",
    "Release": "arrows",
    "What acts": "trails",
    "Study": "ensemble",
}


class Rail(QFrame):
    """A button to open the panel, and one for each card, which opens it there."""

    def __init__(self, theme: Theme, panel: Panel, opened: QAction) -> None:
        super().__init__()
        self.setObjectName("rail")
        self.setAccessibleName(tr("Folded panel"))
        self.theme, self._panel, self._opened = theme, panel, opened
        self.buttons: list[QToolButton] = []
        self.setFixedWidth(WIDE)
        self.setMinimumHeight(1)  # a low window has fewer buttons
        self._column = filled(QVBoxLayout(self), 1, margins=(4, EDGE, 4, EDGE), spacing=APART)
        panel.arranged.connect(self.fill)
        self.set_theme(theme)

    def fill(self) -> None:
        """Take the cards that the panel has now."""
        take_out(self._column, *self.buttons)
        self.buttons = [self._button("", "chevron-right", self._opened.toolTip())]
        self.buttons[0].clicked.connect(lambda: self._opened.setChecked(True))
        names = {tr(title): name for title, name in ICONS.items()}
        for box in self._panel.cards:
            button = self._button(box.title()[:2], names.get(box.title(), ""), box.title())
            button.clicked.connect(partial(self._open_at, box))
            self.buttons.append(button)
        for number, button in enumerate(self.buttons):
            self._column.insertWidget(number, button)
        self._fit()

    def set_theme(self, theme: Theme) -> None:
        """Recolour."""
        self.theme = theme
        self.setStyleSheet(
            f"#rail {{ background: {theme.window}; border: none; border-right: 1px solid {theme.border}; }}"
        )
        self.fill()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show as many buttons as there is room for."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        room = (self.height() - 2 * EDGE + APART) // (SIDE + APART)
        for number, button in enumerate(self.buttons):
            button.setVisible(number < room)

    def _open_at(self, box: QGroupBox) -> None:
        self._opened.setChecked(True)
        self._panel.ensureWidgetVisible(box)

    def _button(self, text: str, name: str, tip: str) -> QToolButton:
        button = QToolButton()
        button.setAutoRaise(True)
        button.setFixedSize(SIDE, SIDE)
        if name:
            button.setIcon(icon(name, self.theme))
            button.setIconSize(QSize(20, 20))
        else:
            button.setText(text)
        button.setToolTip(tip)
        button.setAccessibleName(tip)
        return button
