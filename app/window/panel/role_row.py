"""What the body of a file is taken for: a row of buttons in the scenario's card."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QPushButton, QWidget

from app.kinds import role_of, roles
from app.system.language import tr
from app.window.labels import Plain
from app.window.widgets import make
from physics import Scenario


class RoleRow(QWidget):
    """One button a role; hidden where the body is of no file. Nothing of it is remembered."""

    chosen = Signal(str)  # another role than that which is shown

    def __init__(self, space: QObject) -> None:
        super().__init__(visible=False, accessibleName=tr("What the body is taken for"))
        self._shown: str | None = None
        self._group = QButtonGroup(self)
        self.buttons = {}
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(Plain(tr("Taken as")))
        for name, role in sorted(roles().items()):
            button = make(
                QPushButton, tr(role.word), checkable=True, toolTip=tr(role.tip), focusPolicy=Qt.FocusPolicy.TabFocus
            )
            button.setStyleSheet("padding-left: 8px; padding-right: 8px")  # three fit the card
            button.installEventFilter(space)
            self._group.addButton(button)
            self.buttons[name] = button
            row.addWidget(button, 1)
        self._group.buttonClicked.connect(lambda _: self._choose())

    def show_of(self, scenario: Scenario) -> None:
        """Show the role that the body has in a scenario."""
        self._shown = role_of(scenario)
        self.setVisible(self._shown is not None)
        self.restore()

    def restore(self) -> None:
        """Show the role of the scenario that is shown: another one failed."""
        if self._shown is not None:
            self.buttons[self._shown].setChecked(True)

    def _choose(self) -> None:
        role = next(role for role, button in self.buttons.items() if button.isChecked())
        if role != self._shown:
            self.chosen.emit(role)
