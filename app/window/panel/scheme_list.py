"""The lanes of a scenario as check boxes; schemes that are seldom wanted wait in a drop-down."""

from __future__ import annotations

from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QVBoxLayout, QWidget

from app.playback.lane_looks import in_order, lane_schemes
from app.theme import Theme
from app.window.cards import Explanation, drop_down
from app.window.labels import tip
from app.window.lane_style import BADGE, badge
from app.window.panel.lane_row import LaneRow
from physics import SCHEMES, Scenario, ScenarioError
from physics.schemes import serving
from physics.schemes.lane import lane_of

USUAL = ("explicit", "implicit", "exact")


class SchemeList(QWidget):
    """Lets one choose which schemes compute the scenario, each with the scenario's step and with others beside it."""

    edited = Signal()

    def __init__(self, scenario: Scenario, theme: Theme, space: QObject) -> None:
        super().__init__()
        self._theme, self._space, self._kind = theme, space, scenario.served
        self.rows: dict[str, LaneRow] = {}
        self._step = scenario.step
        self.error = Explanation()
        self.more = drop_down("Add a scheme", space)
        self.more.setIconSize(QSize(BADGE))
        self.more.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.more.setMaxVisibleItems(30)
        self.more.activated.connect(self._add)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(4)
        self._column.addWidget(self.more)
        self._column.addWidget(self.error)
        able = serving(scenario.served)
        listed = [name for name in able if name in (*scenario.schemes, *USUAL)]
        self.more.addItem("Add a scheme…")
        for name in able:
            if name not in listed:
                self.more.addItem(SCHEMES[name].title, name)
        for lane in in_order({*listed, *scenario.schemes}):
            self._list(lane.name, lane.name in scenario.schemes)
        self.more.setVisible(self.more.count() > 1)
        self.set_theme(theme)

    @property
    def checks(self) -> dict[str, QCheckBox]:
        """The check box of each lane that is listed."""
        return {name: row.check for name, row in self.rows.items()}

    def chosen(self) -> tuple[str, ...]:
        """The names of the checked lanes, in the order of the table of schemes."""
        return tuple(lane.name for lane in in_order(name for name, check in self.checks.items() if check.isChecked()))

    def toggle(self, name: str) -> None:
        """Choose a lane, or leave it out; one with a step of its own is taken away."""
        if name in self.rows and lane_of(name).step is not None:
            self._remove(name)
        elif name in self.rows:
            self.rows[name].check.toggle()
        else:
            self._add(self.more.findData(name))

    def fill(self, scenario: Scenario) -> None:
        """Check the lanes of a scenario; others with a step of their own are no longer listed."""
        blocked = self.blockSignals(True)
        for name in [name for name in self.rows if lane_of(name).step is not None and name not in scenario.schemes]:
            self._drop(name)
        for name in scenario.schemes:
            if name not in self.rows:
                self._list(name, True)
        for name, check in self.checks.items():
            check.setChecked(name in scenario.schemes)
        self._step = scenario.step
        for row in self.rows.values():
            row.step = scenario.step
        self._show_badges()
        self.blockSignals(blocked)

    def add_lane(self, name: str) -> None:
        """Add a scheme with a step of its own, as typed; what is wrong with it is explained."""
        try:
            lane = lane_of(name, self._kind)
        except ScenarioError as error:
            self.explain(error.message)
            return
        listed = [row.lane for row in self.rows.values() if row.lane.identity == lane.identity]
        if listed and listed[0].name in self.chosen():
            self.explain(f"{listed[0].row.title} is there already")
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
        for i in range(1, self.more.count()):
            scheme = SCHEMES[self.more.itemData(i)]
            self.more.setItemIcon(i, badge(scheme, theme, self.devicePixelRatioF()))
            self.more.setItemData(i, tip(scheme.advice), Qt.ItemDataRole.ToolTipRole)

    def _show_badges(self) -> None:
        """Badges in the colours of the lanes, which depend on what is shown together."""
        shown = {scheme.name: scheme for scheme in lane_schemes(self.chosen())}
        for name, row in self.rows.items():
            row.show_badge(shown.get(name, row.lane.row), self._theme)

    def _list(self, name: str, checked: bool) -> None:
        """List a lane: new schemes at the end, one with a step of its own below the others of its scheme."""
        lane = lane_of(name)
        if (index := self.more.findData(name)) > 0:
            self.more.removeItem(index)
        row = LaneRow(lane, self._step, checked, self._space)
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

    def _order(self) -> None:
        """Let the Tab key go through the rows from the top, and then to the drop-down."""
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
        """Take a lane with a step of its own away."""
        checked = self.rows[name].check.isChecked()
        self._drop(name)
        self._show_badges()
        if checked:
            self.edited.emit()

    def _add(self, index: int) -> None:
        if index > 0:
            self._list(self.more.itemData(index), True)
            self.more.setCurrentIndex(0)
            self._show_badges()
            self.edited.emit()
