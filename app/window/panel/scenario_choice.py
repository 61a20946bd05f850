"""Parts of the panel's first card: the choice of a scenario, and the role of a body from a file."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QPushButton, QWidget

import assets
from app.kinds import role_of, roles
from app.system.language import tr
from app.system.own_words import title_of
from app.window.labels import Plain
from app.window.widgets import drop_down, eliding, filled, make
from physics import Scenario, load_scenario


class RoleRow(QWidget):
    """One button a role; hidden where the body is of no file. Nothing of it is remembered."""

    chosen = Signal(str)  # another role than that which is shown

    def __init__(self, space: QObject) -> None:
        super().__init__(visible=False, accessibleName=tr("Role of the body"))
        self._shown: str | None = None
        self._group = QButtonGroup(self)
        self.buttons = {}
        row = filled(QHBoxLayout(self), Plain(tr("Taken as")), margins=(0, 0, 0, 0), spacing=6)
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


LATER = 500  # [ms] after the first picture, when the first scenario moves


class ScenarioChoice(QObject):
    """Lists scenarios, and signals which one is chosen.

    box : the drop-down; scenarios : its rows; bundled : those that come with the program, by the stem of their file
    """

    chosen = Signal(object)  # Scenario

    def __init__(self, space: QObject) -> None:
        super().__init__()
        self.box = eliding(drop_down(tr("Scenario"), space))
        self.box.activated.connect(lambda index: self.chosen.emit(self.scenarios[index]))
        self.scenarios: list[Scenario] = []
        self.bundled: dict[str, Scenario] = {}
        self._waiting = False

    def load_first(self) -> Scenario:
        """List the scenario to begin with, alone: the others would take 0.03 s of the time to the first picture."""
        examples = assets.examples()
        name = assets.FIRST if assets.FIRST in examples else next(iter(examples))
        first = self.bundled[name] = load_scenario(examples[name])
        self._list(first, 0)
        self._waiting = True
        return first

    def begin(self) -> None:
        """The view has its picture: list the others soon."""
        if self._waiting:
            self._waiting = False
            QTimer.singleShot(LATER, self.box, self.load_all)  # unless the box is gone by then

    def load_all(self) -> None:
        """List all that come with the program, unless they are listed."""
        examples = assets.examples()
        for place, (name, file) in enumerate(examples.items()):
            if name not in self.bundled:
                self.bundled[name] = load_scenario(file)
                self._list(self.bundled[name], place)
        self.bundled = {name: self.bundled[name] for name in examples}

    def show(self, scenario: Scenario) -> None:
        """Show the row of a scenario, which is listed if it was not."""
        if scenario not in self.scenarios:  # the same file may be opened again and again
            self._list(scenario, len(self.scenarios))
        self.box.setCurrentIndex(self.scenarios.index(scenario))

    def _list(self, scenario: Scenario, place: int) -> None:
        self.scenarios.insert(place, scenario)
        self.box.insertItem(place, title_of(scenario) or tr("Untitled"))
