"""The panel at the left: scenario, schemes, step and the main values; every edit computes a new run."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QGroupBox, QLabel, QScrollArea, QVBoxLayout, QWidget

import assets
from app.colours import Theme
from app.window.advising import step_words
from app.window.entries import Choice, Entry, Row, entry_for
from app.window.field import Field
from app.window.fields import CARDS, STEP
from app.window.keepspace import KeepSpace
from app.window.schemes import SchemeList
from physics import Scenario, ScenarioError, World, load_scenario

SCENARIOS = Path(assets.__file__).parent / "scenarios"
DEFAULT = "rock-alpine"
MOST_LANES = 4
WHOLE = (
    "body",
    "soil",
    "forest",
    "release",
    "terrain",
)  # tables that are edited as a whole: what is left empty is left out
SHAPES = ("cuboid", "ellipsoid", "cylinder", "eota", "inertia", "mesh", "hull", "random")
RAMP = ("terrain.angle", "terrain.drop", "terrain.width")
PAUSE = 250  # [ms] without typing before a new run begins


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
        self.entries: dict[str, Row] = {}
        self.degrees = False
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
            entry.fill(_shown(entry.field, scenario))
        self._reveal()
        self._hint(scenario)
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
                if _fits(field, scenario):
                    column.addWidget(self._entry(field, scenario))
            self._cards.append(card)
        for i, card in enumerate(self._cards):
            self._column.insertWidget(1 + i, card)
        self._reveal()
        self._order()
        if "ensemble.seed" in self.entries:
            self.entries["ensemble.seed"].setEnabled(scenario.initial.orientation == "random")

    def _order(self) -> None:
        """Let the Tab key go through the cards from the top: they are younger than what stands below them."""
        before: QWidget = self.branching
        for card in self._cards:
            for control in card.findChildren(QWidget):
                if control.focusPolicy() & Qt.FocusPolicy.TabFocus and control.window() is self.window():
                    QWidget.setTabOrder(before, control)
                    before = control

    def _scheme_card(self, scenario: Scenario) -> QGroupBox:
        card, column = _card("Schemes")
        self.schemes = SchemeList(scenario, self.theme, self._space)
        self.schemes.edited.connect(self._pause.start)
        column.addWidget(self.schemes)
        for field in STEP:
            column.addWidget(self._entry(field, scenario))
        self.advice = QLabel(wordWrap=True, accessibleName="Step advice")
        self.advice.setProperty("role", "dim")
        column.addWidget(self.advice)
        return card

    def _entry(self, field: Field, scenario: Scenario) -> Row:
        entry = entry_for(field, _shown(field, scenario), self.degrees, self._space)
        self.entries[field.key] = entry
        entry.edited.connect(self._pause.start)
        if isinstance(entry, Choice):
            entry.edited.connect(partial(self._chose, field))
        return entry

    def _chose(self, field: Field) -> None:
        """Another soil brings its own values: those of the former one are taken away. Other fields may be meant."""
        self._reveal()
        if field.key == "soil.preset":
            for key, entry in self.entries.items():
                if key.startswith("soil.") and key.count(".") == 1 and key != field.key:
                    entry.fill(None)

    def _reveal(self) -> None:
        """Show only the fields that mean something with what is chosen."""
        for entry in self.entries.values():
            if entry.field.only is not None:
                key, words = entry.field.only
                entry.setVisible(self.entries[key].value() in words)

    def _hint(self, scenario: Scenario) -> None:
        """Show, dimmed, what empty fields stand for."""
        for key, entry in self.entries.items():
            value = entry.field.of(scenario)
            if isinstance(entry, Entry) and key.startswith("soil.") and isinstance(value, float):
                entry.hint((value,))

    def set_degrees(self, on: bool) -> None:
        """Show angles in degrees, or in radians."""
        self.degrees = on
        for entry in self.entries.values():
            if isinstance(entry, Entry):
                entry.set_degrees(on)

    def show_world(self, world: World) -> None:
        """Show what the run made of values that were left open."""
        release = self.entries.get("release.position")
        if isinstance(release, Entry):
            release.hint((world.position[0], world.position[1]))
        moments = self.entries.get("body.inertia")
        if isinstance(moments, Entry):
            moments.hint(tuple(float(value) for value in world.body.inertia))
        self._hint(world.scenario)
        words = step_words(world)
        self.advice.setText(words)
        self.advice.setVisible(bool(words))

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
        values = {key: None if entry.isHidden() else entry.value() for key, entry in self.entries.items()}
        place = f"release.{values.pop('release.place', 'position')}"  # told by the key that is given
        if place != "release.position" and values[place] is None:
            raise ScenarioError(place, "missing")
        changes: dict[str, Any] = {}
        for key, value in values.items():
            table = key.split(".")[0]
            if table in WHOLE:
                changes.setdefault(table, self._table(table, values))
            elif value != self.entries[key].field.of(self.base):
                changes[key] = value
        changes = {key: value for key, value in changes.items() if key not in WHOLE or value != self._plain(key)}
        schemes = self.schemes.chosen()
        if len(schemes) > MOST_LANES:
            raise ScenarioError("schemes", f"expected at most {MOST_LANES} schemes at once")
        if set(schemes) != set(self.base.schemes):
            changes["schemes"] = schemes
        return self.base.changed(**changes)

    def _plain(self, table: str) -> dict[str, Any]:
        assert self.base is not None
        plain: dict[str, Any] = self.base.to_plain().get(table, {})
        return {key: tuple(value) if isinstance(value, list) else value for key, value in plain.items()}

    def _table(self, name: str, values: dict[str, Any]) -> dict[str, Any]:
        """A whole table from the fields that show it, with what the panel does not show."""
        assert self.base is not None
        table = self._plain(name)
        for key, value in values.items():
            if not key.startswith(f"{name}."):
                continue
            *path, last = key.split(".")[1:]
            place = table
            if path and (value is not None or path[0] in table):
                place = table[path[0]] = dict(table.get(path[0], {}))
            field = self.entries[key].field
            if value is not None and (last in place or field.optional or value != field.of(self.base)):
                place[last] = value
            elif value is None:
                place.pop(last, None)
        table = {key: value for key, value in table.items() if value != {}}
        if name == "body" and "shape" not in self._plain(name) and table.get("shape") == self.base.body.form:
            del table["shape"]  # it went without saying
        return table

    def put(self, values: dict[str, Any]) -> None:
        """Edit as if the values of some fields had been typed."""
        for key, value in values.items():
            self.entries[key].fill(value)
        self._pause.stop()
        self._apply()

    def reset(self) -> None:
        """Take the values of the scenario as it was opened again."""
        if self.base is not None:
            self.show_scenario(self.base)
            self.reverted.emit(self.base)

    def go_to(self, key: str) -> None:
        """Give a field the keyboard."""
        entry = self.entries[key]
        entry.take_focus()
        self.ensureWidgetVisible(entry)

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


def _shown(field: Field, scenario: Scenario) -> Any:
    """What the panel shows of a value: of optional ones only what the scenario names itself."""
    if field.key == "body.shape":
        return scenario.body.form
    if field.key == "release.place":
        return scenario.release.place or "position"
    return field.given(scenario) if field.optional else field.of(scenario)


def _fits(field: Field, scenario: Scenario) -> bool:
    """Whether a scenario has such a value."""
    if field.key in ("body.shape", "body.size", "body.inertia") or (field.only or ("",))[0] == "body.shape":
        return scenario.body.form in SHAPES
    if field.key.startswith("terrain."):
        profile = None if scenario.terrain is None else scenario.terrain.profile
        return (profile == "ramp") if field.key in RAMP else profile is None
    if field.only is not None or field.key == "release.place":  # without a place it is a steep cell of the map
        return True
    value = field.of(scenario)
    return field.optional or (value is not None and value != "random")


def _card(title: str) -> tuple[QGroupBox, QVBoxLayout]:
    card = QGroupBox(title)
    column = QVBoxLayout(card)
    column.setContentsMargins(10, 4, 10, 10)
    column.setSpacing(6)
    return card, column
