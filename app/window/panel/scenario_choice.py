"""The drop-down of scenarios: those that come with the program, then those that were opened."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal

import assets
from app.system.language import tr
from app.system.sentences import told
from app.window.widgets import drop_down, eliding
from physics import Scenario, load_scenario

LATER = 500  # [ms] after the first picture, when the first scenario moves


class ScenarioChoice(QObject):
    """Lists scenarios, and tells which one is chosen.

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
        self.box.insertItem(place, told(scenario.title) or tr("Untitled"))
