"""The schemes of a scenario as check boxes; those that are seldom wanted wait in a drop-down."""

from __future__ import annotations

from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QSizePolicy, QVBoxLayout, QWidget

from app.playback.lane_looks import lane_schemes
from app.theme import Theme
from app.window.cards import Explanation, drop_down
from app.window.labels import tip
from app.window.lane_style import BADGE, badge
from app.window.make_widget import make
from physics import SCHEMES, Scenario
from physics.schemes import serving
from physics.systems.scheme_table import keeps

USUAL = ("explicit", "implicit", "exact")


class SchemeList(QWidget):
    """Lets one choose which schemes compute the scenario."""

    edited = Signal()

    def __init__(self, scenario: Scenario, theme: Theme, space: QObject) -> None:
        super().__init__()
        self._theme, self._space = theme, space
        self.checks: dict[str, QCheckBox] = {}
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
        for name in listed:
            self._list(name, name in scenario.schemes)
        self.more.addItem("Add a scheme…")
        for name in able:
            if name not in listed:
                self.more.addItem(SCHEMES[name].title, name)
        self.more.setVisible(self.more.count() > 1)
        self.set_theme(theme)

    def chosen(self) -> tuple[str, ...]:
        """The names of the checked schemes, in the order of the table."""
        return tuple(name for name in SCHEMES if name in self.checks and self.checks[name].isChecked())

    def toggle(self, name: str) -> None:
        """Choose a scheme, or leave it out."""
        if name in self.checks:
            self.checks[name].toggle()
        else:
            self._add(self.more.findData(name))

    def fill(self, names: tuple[str, ...]) -> None:
        """Check the schemes of these names."""
        blocked = self.blockSignals(True)
        for name in names:
            if name not in self.checks:
                self._list(name, True)
                self.more.removeItem(self.more.findData(name))
        for name, check in self.checks.items():
            check.setChecked(name in names)
        self.blockSignals(blocked)

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
        for name, check in self.checks.items():
            check.setIcon(badge(shown.get(name, SCHEMES[name]), self._theme, self.devicePixelRatioF()))

    def _list(self, name: str, checked: bool) -> None:
        scheme = SCHEMES[name]
        check = make(QCheckBox, scheme.title.replace("&", "&&"), checked=checked, focusPolicy=Qt.FocusPolicy.TabFocus)
        kept = "".join(f"\nKeeps ({motion}): {what}" for motion, what in keeps(scheme).items())
        check.setToolTip(tip(f"{scheme.advice}{kept}\n{scheme.reference}"))
        check.setIconSize(BADGE)
        check.setIcon(badge(scheme, self._theme, self.devicePixelRatioF()))
        check.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        check.toggled.connect(self._show_badges)
        check.toggled.connect(self.edited)
        check.installEventFilter(self._space)
        self._column.insertWidget(self._column.count() - 2, check)
        if self.checks:
            self.setTabOrder(list(self.checks.values())[-1], check)
        self.checks[name] = check
        self.more.raise_()  # the last one for the Tab key
        self.setTabOrder(check, self.more)

    def _add(self, index: int) -> None:
        if index > 0:
            self._list(self.more.itemData(index), True)
            self.more.removeItem(index)
            self.more.setCurrentIndex(0)
            self.edited.emit()
