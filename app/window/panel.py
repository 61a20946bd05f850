"""The panel at the left: scenario, schemes, step and the main values; every edit computes a new run."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCheckBox, QComboBox, QGroupBox, QLabel, QScrollArea, QVBoxLayout, QWidget

import assets
from app.colours import Theme
from app.window.fields import CARDS, STEP, Entry
from app.window.schemes import SchemeList
from physics import Scenario, ScenarioError, World, load_scenario

SCENARIOS = Path(assets.__file__).parent / "scenarios"
DEFAULT = "rock-alpine"
MOST_LANES = 4
PAUSE = 250  # [ms] without typing before a new run begins


class KeepSpace(QObject):
    """Lets a focused button or drop-down have the space bar, which else plays and pauses."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Claim the key before the shortcut gets it."""
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.key() == Qt.Key.Key_Space
        ):
            event.accept()
            return True
        return False


class Panel(QScrollArea):
    """Lets one choose a scenario and edit it."""

    chosen = Signal(object)  # Scenario, from the drop-down
    edited = Signal(object)  # Scenario, with other values
    reverted = Signal(object)  # Scenario, as it was opened
    failed = Signal(object)  # ScenarioError that belongs to no field of the panel

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.theme = theme
        self.scenarios: list[Scenario] = []
        self.bundled: dict[str, Scenario] = {}  # those that come with the program, by the stem of their file
        self.base: Scenario | None = None  # as opened; what is edited is told by the fields
        self.entries: dict[str, Entry] = {}
        self.schemes: SchemeList | None = None
        self._space = KeepSpace(self)
        self._pause = QTimer(self, singleShot=True, interval=PAUSE)
        self._pause.timeout.connect(self._apply)
        self.setWidgetResizable(True)
        self.setFixedWidth(326)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        body = QWidget()
        self._column = QVBoxLayout(body)
        self._column.setContentsMargins(10, 10, 8, 10)
        self._column.setSpacing(8)
        self._column.addWidget(self._scenario_card())
        self._cards: list[QGroupBox] = []
        self._column.addStretch(1)
        self.setWidget(body)

    def _scenario_card(self) -> QGroupBox:
        card, column = _card("Scenario")
        self.choice = QComboBox(accessibleName="Scenario", focusPolicy=Qt.FocusPolicy.TabFocus)
        self.choice.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.choice.activated.connect(lambda index: self.chosen.emit(self.scenarios[index]))
        self.choice.installEventFilter(self._space)
        self.note = QLabel(wordWrap=True)
        self.note.setProperty("role", "dim")
        self.branching = QCheckBox("Edit from the playhead", checked=True, focusPolicy=Qt.FocusPolicy.TabFocus)
        self.branching.setToolTip(
            "On: what is edited begins at the playhead. Off: all is computed anew.\n"
            "Another start, terrain or scheme always counts from the start."
        )
        self.branching.installEventFilter(self._space)
        column.addWidget(self.choice)
        column.addWidget(self.note)
        column.addWidget(self.branching)
        return card

    def load_scenarios(self) -> Scenario:
        """List the scenarios that come with the program; the one to begin with."""
        self.bundled = {file.stem: load_scenario(file) for file in sorted(SCENARIOS.glob("*.toml"))}
        for scenario in self.bundled.values():
            self._list(scenario)
        return self.bundled.get(DEFAULT, self.scenarios[0])

    def _list(self, scenario: Scenario) -> None:
        self.scenarios.append(scenario)
        self.choice.addItem(scenario.title or "Untitled")

    # ---- showing a scenario ----------------------------------------------------------------------------

    def show_values(self, opened: Scenario, scenario: Scenario) -> None:
        """Fill the panel from a scenario that was opened and since edited."""
        if self.base is not opened:
            self.show_scenario(opened)
        self._pause.stop()
        self._clear()
        for entry in self.entries.values():
            entry.fill(entry.field.of(scenario))
        assert self.schemes is not None
        self.schemes.fill(scenario.schemes)

    def show_scenario(self, scenario: Scenario) -> None:
        """Fill the panel from a scenario that was opened."""
        self._pause.stop()
        self.base = scenario
        if not any(known is scenario for known in self.scenarios):
            self._list(scenario)
        self.choice.setCurrentIndex(next(i for i, known in enumerate(self.scenarios) if known is scenario))
        self.note.setText(scenario.note)
        self.note.setVisible(bool(scenario.note))
        for card in self._cards:
            self._column.removeWidget(card)
            card.deleteLater()
        self.entries = {}
        self._cards = [self._scheme_card(scenario)]
        for title, fields in CARDS.get(scenario.kind, CARDS["free"]).items():
            card, column = _card(title)
            for field in fields:
                if field.optional or field.of(scenario) is not None:
                    column.addWidget(self._entry(Entry(field, field.of(scenario))))
            self._cards.append(card)
        for i, card in enumerate(self._cards):
            self._column.insertWidget(1 + i, card)
        if "ensemble.seed" in self.entries:
            self.entries["ensemble.seed"].setEnabled(scenario.initial.orientation == "random")

    def _scheme_card(self, scenario: Scenario) -> QGroupBox:
        card, column = _card("Schemes")
        self.schemes = SchemeList(scenario, self.theme, self._space)
        self.schemes.edited.connect(self._pause.start)
        column.addWidget(self.schemes)
        for field in STEP:
            column.addWidget(self._entry(Entry(field, field.of(scenario))))
        return card

    def _entry(self, entry: Entry) -> Entry:
        self.entries[entry.field.key] = entry
        entry.edited.connect(self._pause.start)
        return entry

    def show_world(self, world: World) -> None:
        """Show what the run made of values that were left open."""
        if "release.position" in self.entries:
            self.entries["release.position"].hint((world.position[0], world.position[1]))

    def set_theme(self, theme: Theme) -> None:
        """Recolour."""
        self.theme = theme
        if self.schemes is not None:
            self.schemes.set_theme(theme)

    # ---- editing ---------------------------------------------------------------------------------------

    def scenario(self) -> Scenario:
        """The scenario as edited; ScenarioError when a value is wrong."""
        assert self.base is not None
        assert self.schemes is not None
        values = {key: entry.value() for key, entry in self.entries.items()}
        changes = {key: value for key, value in values.items() if value != self.entries[key].field.of(self.base)}
        schemes = self.schemes.chosen()
        if len(schemes) > MOST_LANES:
            raise ScenarioError("schemes", f"expected at most {MOST_LANES} schemes at once")
        if set(schemes) != set(self.base.schemes):
            changes["schemes"] = schemes
        return self.base.changed(**changes)

    def reset(self) -> None:
        """Take the values of the scenario as it was opened again."""
        if self.base is not None:
            self.show_scenario(self.base)
            self.reverted.emit(self.base)

    def explain(self, error: ScenarioError) -> bool:
        """Explain an error beside its field; whether there is such a field."""
        for key, entry in self.entries.items():
            if error.field == key or error.field.startswith(key + "."):
                entry.explain(error.message)
                self.ensureWidgetVisible(entry)
                return True
        if error.field.startswith("schemes") and self.schemes is not None:
            self.schemes.explain(error.message)
            return True
        return False

    def _clear(self) -> None:
        """Take all explanations away."""
        for entry in self.entries.values():
            entry.explain("")
        if self.schemes is not None:
            self.schemes.explain("")

    def _apply(self) -> None:
        self._clear()
        try:
            scenario = self.scenario()
        except ScenarioError as error:
            if not self.explain(error):
                self.failed.emit(error)
        else:
            self.edited.emit(scenario)


def _card(title: str) -> tuple[QGroupBox, QVBoxLayout]:
    card = QGroupBox(title)
    column = QVBoxLayout(card)
    column.setContentsMargins(10, 4, 10, 10)
    column.setSpacing(6)
    return card, column
