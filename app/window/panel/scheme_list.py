"""The lanes of a scenario as check boxes; schemes that are seldom wanted wait in a list, by family."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QPushButton, QVBoxLayout, QWidget

from app.playback.lane_looks import in_order, lane_schemes
from app.system.language import tr
from app.system.sentences import told
from app.theme import Theme
from app.window.guides.command_palette import CommandPalette, Entry
from app.window.panel.lane_row import LaneRow
from app.window.style import badge
from app.window.widgets import Explanation, make
from physics import SCHEMES, Scenario, ScenarioError
from physics.schemes import serving
from physics.schemes.lane import lane_of
from physics.schemes.scheme import FAMILIES, Scheme

USUAL = ("explicit", "implicit", "exact")
WIDE, HIGH = 560, 620  # pixels of the list of schemes, where there is room


def scheme_entry(scheme: Scheme, kind: str, call: Callable[..., object], removes: str = "") -> Entry:
    """A scheme in a palette, under the heading of its family; kind: what one does with it."""
    also = f"{scheme.name} {scheme.family} integrator method solver"
    hint, heading = f"{scheme.name}, {scheme.short}", told(FAMILIES[scheme.family])
    return Entry(kind, scheme.title, hint, scheme.letter, call, also, None, told(scheme.advice), removes, heading)


class SchemeList(QWidget):
    """Lets one choose which schemes compute the scenario, each with the scenario's step and with others beside it."""

    edited = Signal()

    def __init__(self, scenario: Scenario, theme: Theme, space: QObject) -> None:
        super().__init__()
        self._theme, self._space, self._kind = theme, space, scenario.served
        self.rows: dict[str, LaneRow] = {}
        self._step, self._variants = scenario.step, scenario.variants
        self.error = Explanation()
        self.more = make(QPushButton, tr("Add a scheme…"), focusPolicy=Qt.FocusPolicy.TabFocus)
        self.more.setAccessibleName(tr("Add a scheme"))
        self.more.setToolTip(tr("All that serve here, by family; typing finds"))
        self.more.installEventFilter(space)
        self.more.clicked.connect(self.show_more)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(4)
        self._column.addWidget(self.more)
        self._column.addWidget(self.error)
        usual = [name for name in serving(scenario.served) if name in USUAL]
        for lane in in_order(dict.fromkeys([*usual, *scenario.schemes])):
            self._list(lane.name, lane.name in scenario.schemes)
        self._show_badges()

    @property
    def checks(self) -> dict[str, QCheckBox]:
        """The check box of each lane that is listed."""
        return {name: row.check for name, row in self.rows.items()}

    def chosen(self) -> tuple[str, ...]:
        """The names of the checked lanes, in the order of the table of schemes."""
        return tuple(lane.name for lane in in_order(name for name, check in self.checks.items() if check.isChecked()))

    def toggle(self, name: str) -> None:
        """Choose a lane, or leave it out; one with a step of its own, or of a variant, is taken away."""
        if name in self.rows and lane_of(name).listed:
            self._remove(name)
        elif name in self.rows:
            self.rows[name].check.toggle()
        else:
            self._list(name, True)
            self._show_badges()
            self.edited.emit()

    def show_more(self) -> None:
        """List the schemes that are not listed yet under the headings of their families, below the button."""
        entries = []
        for name in serving(self._kind):
            if name not in self.rows:
                entry = scheme_entry(SCHEMES[name], "", partial(self.toggle, name))
                icon = badge(SCHEMES[name], self._theme, self.devicePixelRatioF())
                entries.append(replace(entry, key="", icon=icon))
        prompt = tr("Type a part of a name, a family, an author")
        palette = CommandPalette(entries, self._theme, self.window(), self, name=tr("Schemes"), prompt=prompt)
        palette.lie_below(self.more, QSize(WIDE, HIGH))

    def fill(self, scenario: Scenario) -> None:
        """Check the lanes of a scenario; others with a step of their own, or of a variant, are no longer listed."""
        self._step, self._variants = scenario.step, scenario.variants
        blocked = self.blockSignals(True)
        for name in [name for name in self.rows if lane_of(name).listed and name not in scenario.schemes]:
            self._drop(name)
        for name in scenario.schemes:
            if name not in self.rows:
                self._list(name, True)
        for name, check in self.checks.items():
            check.setChecked(name in scenario.schemes)
        for row in self.rows.values():
            row.step, row.variants = scenario.step, scenario.variants
            row.describe(row.lane)
        self._show_badges()
        self.blockSignals(blocked)

    def add_lane(self, name: str) -> None:
        """Add a scheme with a step of its own, as typed, or of a variant; what is wrong with it is explained."""
        try:
            lane = lane_of(name, self._kind)
        except ScenarioError as error:
            self.explain(error.message)
            return
        listed = [row.lane for row in self.rows.values() if row.lane.identity == lane.identity]
        if listed and listed[0].name in self.chosen():
            self.explain(tr("{scheme} is there already").format(scheme=listed[0].row.title))
            return
        self.explain("")
        if listed:
            self.rows[listed[0].name].check.setChecked(True)
            return
        self._list(name, True)
        self._show_badges()
        self.edited.emit()

    def renew(self, name: str) -> None:
        """Tell anew what the lanes of a scheme are, which was read again."""
        for row in self.rows.values():
            if row.lane.scheme.name == name:
                row.describe(lane_of(row.lane.name))
        self._show_badges()

    def explain(self, message: str) -> None:
        """Say what is wrong with the choice; "" when nothing is."""
        self.error.say(message)

    def set_theme(self, theme: Theme) -> None:
        """Recolour."""
        self._theme = theme
        self._show_badges()

    def _show_badges(self) -> None:
        """Badges in the colours of the lanes, which depend on what is shown together."""
        shown = {scheme.name: scheme for scheme in lane_schemes(self.chosen())}
        for name, row in self.rows.items():
            row.show_badge(shown.get(name, row.lane.row), self._theme)

    def _list(self, name: str, checked: bool) -> None:
        """List a lane: new schemes at the end, one with a step of its own or a variant below others of its scheme."""
        lane = lane_of(name)
        row = LaneRow(lane, self._step, self._variants, checked, self._space)
        row.check.toggled.connect(self._show_badges)
        row.check.toggled.connect(self.edited)
        row.wanted.connect(self.add_lane)
        row.unwanted.connect(lambda: self._remove(name))
        alike = [at for at, other in enumerate(self.rows.values()) if other.lane.scheme.name == lane.scheme.name]
        place = alike[-1] + 1 if alike else len(self.rows)
        self._column.insertWidget(place, row)
        rows = list(self.rows.items())
        self.rows = dict([*rows[:place], (name, row), *rows[place:]])
        self._order()
        self.more.setVisible(not {*serving(self._kind)} <= {*self.rows})

    def _order(self) -> None:
        """Let the Tab key go through the rows from the top, and then to the button."""
        before: QWidget | None = None
        for row in self.rows.values():
            row.raise_()  # the panel asks in the order in which they lie
            for control in (row.check, row.button):
                if before is not None:
                    self.setTabOrder(before, control)
                before = control
        self.more.raise_()
        if before is not None:
            self.setTabOrder(before, self.more)

    def _drop(self, name: str) -> None:
        row = self.rows.pop(name)
        self._column.removeWidget(row)
        row.hide()
        row.deleteLater()

    def _remove(self, name: str) -> None:
        """Take a lane away that somebody added."""
        checked = self.rows[name].check.isChecked()
        self._drop(name)
        self._show_badges()
        if checked:
            self.edited.emit()
