"""The schemes of a scenario as check boxes; those that are seldom wanted wait in a list, by family."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from app.playback.lane_looks import lane_schemes
from app.theme import Theme
from app.window.cards import Explanation
from app.window.guides.command_palette import CommandPalette, Entry
from app.window.labels import tip
from app.window.lane_style import BADGE, badge
from app.window.make_widget import make
from physics import SCHEMES, Scenario
from physics.schemes import serving
from physics.schemes.scheme import FAMILIES, Scheme
from physics.systems.scheme_table import keeps

USUAL = ("explicit", "implicit", "exact")
WIDE, HIGH = 560, 620  # pixels of the list of schemes, where there is room


def scheme_entry(scheme: Scheme, kind: str, call: Callable[..., object], removes: str = "") -> Entry:
    """A scheme in a palette, under the heading of its family; kind: what one does with it."""
    also = f"{scheme.name} {scheme.family} integrator method solver"
    hint, heading = f"{scheme.name}, {scheme.short}", FAMILIES[scheme.family]
    return Entry(kind, scheme.title, hint, scheme.letter, call, also, None, scheme.advice, removes, heading)


class SchemeList(QWidget):
    """Lets one choose which schemes compute the scenario."""

    edited = Signal()

    def __init__(self, scenario: Scenario, theme: Theme, space: QObject) -> None:
        super().__init__()
        self._theme, self._space = theme, space
        self._able = serving(scenario.served)
        self.checks: dict[str, QCheckBox] = {}
        self.error = Explanation()
        self.more = make(QPushButton, "Add a scheme…", focusPolicy=Qt.FocusPolicy.TabFocus)
        self.more.setAccessibleName("Add a scheme")
        self.more.setToolTip("All that serve here, by family; typing finds")
        self.more.installEventFilter(space)
        self.more.clicked.connect(self.show_more)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(4)
        self._column.addWidget(self.more)
        self._column.addWidget(self.error)
        for name in self._able:
            if name in (*scenario.schemes, *USUAL):
                self._list(name, name in scenario.schemes)
        self._show_badges()

    def chosen(self) -> tuple[str, ...]:
        """The names of the checked schemes, in the order of the table."""
        return tuple(name for name in SCHEMES if name in self.checks and self.checks[name].isChecked())

    def toggle(self, name: str) -> None:
        """Choose a scheme, or leave it out."""
        if name in self.checks:
            self.checks[name].toggle()
        else:
            self._list(name, True)
            self._show_badges()
            self.edited.emit()

    def show_more(self) -> None:
        """List the schemes that are not listed yet under the headings of their families, below the button."""
        entries = []
        for name in self._able:
            if name not in self.checks:
                entry = scheme_entry(SCHEMES[name], "", partial(self.toggle, name))
                icon = badge(SCHEMES[name], self._theme, self.devicePixelRatioF())
                entries.append(replace(entry, key="", icon=icon))
        prompt = "Type a part of a name, a family, an author"
        palette = CommandPalette(entries, self._theme, self.window(), name="Schemes", prompt=prompt)
        palette.lie_below(self.more, QSize(WIDE, HIGH))

    def fill(self, names: tuple[str, ...]) -> None:
        """Check the schemes of these names."""
        blocked = self.blockSignals(True)
        for name in names:
            if name not in self.checks:
                self._list(name, True)
        for name, check in self.checks.items():
            check.setChecked(name in names)
        self._show_badges()
        self.blockSignals(blocked)

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
        self.more.setVisible(len(self.checks) < len(self._able))
