"""One rock of an ensemble: its number, what happened to it with each scheme, and the button that replays it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGroupBox, QHBoxLayout, QPushButton

from app.system.language import tr
from app.theme import Theme
from app.window.labels import Plain
from app.window.panel.number_rows import Number
from app.window.results.statistics_tables import rock_table
from app.window.widgets import column_in, table


class RockCard(QGroupBox):
    """The rock that is chosen.

    Signals
    -------
    chosen : a rock's number was typed; -1: what is typed is none
    """

    chosen = Signal(int)

    def __init__(self, theme: Theme, replay_button: QPushButton) -> None:
        super().__init__(tr("One rock"))
        self.theme, self.replay_button = theme, replay_button
        self._rows: Mapping[str, Any] = {}
        self.number = Number(tr("Number of the rock"))
        self.number.setPlaceholderText(tr("Click a path"))
        self.number.textEdited.connect(self._choose)
        row = QHBoxLayout()
        row.addWidget(Plain(tr("Number"), buddy=self.number))
        row.addWidget(self.number, 1)
        self.facts = table(tr("What happened to the rock"))
        column = column_in(self)
        column.addLayout(row)
        column.addWidget(replay_button)
        column.addWidget(self.facts)

    def show_rock(self, rock: int | None, rows: Mapping[str, Any]) -> None:
        """Show what happened to a rock; None: to none."""
        self._rows = rows
        if rock is None or self.number.text() != str(rock):
            self.number.setText("" if rock is None else str(rock))
        self.facts.setText(rock_table(rows, self.theme) if rows else "")
        self.facts.setVisible(bool(rows))
        self.replay_button.setEnabled(bool(rows))

    def set_theme(self, theme: Theme) -> None:
        """Recolour."""
        self.theme = theme
        if self._rows:
            self.facts.setText(rock_table(self._rows, theme))

    def _choose(self, text: str) -> None:
        number = text.strip()
        self.chosen.emit(int(number) if number.isdecimal() and len(number) < 10 else -1)  # no rock has more digits
