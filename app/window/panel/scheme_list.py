"""List of the lanes of a scenario: check boxes, their menus, step advice, and schemes by family."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QInputDialog,
    QMenu,
    QSizePolicy,
    QStyle,
    QStyleOptionButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.playback.lane_looks import in_order, lane_schemes
from app.system.language import tr, translated
from app.theme import Theme
from app.window.guides.command_palette import CommandPalette, Entry
from app.window.labels import tip
from app.window.style import badge, badge_size
from app.window.widgets import Explanation, eliding, filled, make, push, take_out
from physics import SCHEMES, Scenario, ScenarioError
from physics.scenario.scenario import Variants, fields
from physics.schemes import serving
from physics.schemes.lane import MARK, NamedLane, in_words, lane_of, named
from physics.schemes.scheme import FAMILIES, Scheme
from physics.systems.scheme_overview import keeps


def variant_words(name: str, variants: Variants) -> str:
    """Differences of a variant from the scenario, in words."""
    changes = ", ".join(f"{field} = {_text(value)}" for field, value in fields(variants.get(name, {})).items())
    return (
        tr("Variant {name}: {changes}.").format(name=name, changes=changes)
        if changes
        else tr("Variant {name}: as the fields say.").format(name=name)
    )


def _text(value: Any) -> str:
    if isinstance(value, list | tuple):
        return f"({', '.join(map(_text, value))})"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


BETWEEN = 4  # pixels between the icon and the text, as Qt's styles have them


class TitleBox(QCheckBox):
    """A check box with an icon, whose title ends in an ellipsis where it has no room."""

    _title = ""

    def set_title(self, title: str) -> None:
        """Show a title."""
        self._title = title
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show as much of the title as there is room for."""
        super().resizeEvent(event)
        self._fit()

    def showEvent(self, event: QShowEvent) -> None:
        """The same."""
        super().showEvent(event)
        self._fit()

    def _fit(self) -> None:
        option = QStyleOptionButton()
        self.initStyleOption(option)
        contents = self.style().subElementRect(QStyle.SubElement.SE_CheckBoxContents, option, self)
        room = contents.width() - option.iconSize.width() - BETWEEN
        text = self.fontMetrics().elidedText(self._title, Qt.TextElideMode.ElideRight, room)
        self.setText((text if self.isVisible() else self._title).replace("&", "&&"))


class LaneRow(QWidget):
    """Lets one choose a lane, add its scheme with another step or variant, or remove it if it was added."""

    wanted = Signal(str)  # the name of another lane, as typed
    unwanted = Signal()

    def __init__(self, lane: NamedLane, step: float, variants: Variants, checked: bool, space: QObject) -> None:
        super().__init__()
        self.step, self.variants = step, variants  # of the scenario; the step [s]
        self.check = eliding(make(TitleBox, checked=checked, focusPolicy=Qt.FocusPolicy.TabFocus))
        self.check.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.check.installEventFilter(space)
        self.button = make(QToolButton, autoRaise=True, focusPolicy=Qt.FocusPolicy.TabFocus)
        words = filter(None, (lane.variant, "" if lane.step is None else in_words(lane.step)))
        self.button.setText(", ".join(words) or "h")
        self.button.setToolTip(tr("The same scheme with another step, or of a variant, beside it"))
        self.button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.button.installEventFilter(space)
        self.menu = QMenu(self.button)
        self.menu.aboutToShow.connect(self._fill)
        self.button.setMenu(self.menu)
        filled(QHBoxLayout(self), (self.check, 1), self.button, margins=(0, 0, 0, 0), spacing=2)
        self.describe(lane)

    def describe(self, lane: NamedLane) -> None:
        """Tell what the lane is."""
        self.lane, row = lane, lane.row
        self.check.set_title(lane.scheme.title)
        self.check.setAccessibleName(row.title)
        kept = "".join(
            "\n" + tr("Keeps ({motion}): {what}").format(motion=translated(motion), what=translated(what))
            for motion, what in keeps(row).items()
            if row.code is None
        )
        own = f"{variant_words(lane.variant, self.variants)}\n" if lane.variant else ""
        self.check.setToolTip(tip(f"{own}{translated(row.advice)}{kept}\n{row.reference}"))
        self.button.setAccessibleName(tr("Other steps of {scheme}").format(scheme=lane.scheme.title))

    def show_badge(self, scheme: Scheme, theme: Theme) -> None:
        """Show the badge of a lane in its colours."""
        self.check.setIconSize(badge_size())
        self.check.setIcon(badge(scheme, theme, self.devicePixelRatioF()))

    def _fill(self) -> None:
        """Fill the menu; the steps follow that of the scenario."""
        self.menu.clear()
        own = self.lane.step or self.step
        for factor, words in ((0.5, tr("Add with half the step")), (2.0, tr("Add with twice the step"))):
            text = f"{factor * own:.12g}"
            action = self.menu.addAction(f"{words}, {in_words(float(text))}")
            action.triggered.connect(partial(self._want, text))
        self.menu.addAction(tr("Add with another step…")).triggered.connect(self.ask)
        step = self.lane.name.partition(MARK)[2]
        for variant in self.variants:
            if variant != self.lane.variant:
                action = self.menu.addAction(tr("Add as variant {variant}").format(variant=variant))
                action.triggered.connect(partial(self.wanted.emit, named(self.lane.scheme.name, variant, step)))
        if self.lane.listed:
            self.menu.addSeparator()
            self.menu.addAction(tr("Remove")).triggered.connect(self.unwanted)

    def ask(self) -> None:
        """Ask for a step."""
        dialog = QInputDialog(self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle(tr("Add with another step"))
        dialog.setLabelText(tr("Step [s]"))
        dialog.textValueSelected.connect(self._want)
        dialog.open()

    def _want(self, text: str) -> None:
        self.wanted.emit(named(self.lane.scheme.name, self.lane.variant, text.strip()))


USUAL = ("explicit", "implicit", "exact")
WIDE, HIGH = 560, 620  # pixels of the list of schemes, where there is room


def scheme_entry(scheme: Scheme, kind: str, call: Callable[..., object], removes: str = "") -> Entry:
    """A scheme in a palette, under the heading of its family; kind: what one does with it."""
    also = f"{scheme.name} {scheme.family} integrator method solver"
    hint, heading = f"{scheme.name}, {scheme.short}", tr(FAMILIES[scheme.family])
    return Entry(kind, scheme.title, hint, scheme.letter, call, also, None, translated(scheme.advice), removes, heading)


class SchemeList(QWidget):
    """Lets one choose which schemes compute the scenario, each with the scenario's step and with others beside it."""

    edited = Signal()

    def __init__(self, scenario: Scenario, theme: Theme, space: QObject) -> None:
        super().__init__()
        self._theme, self._space, self._kind = theme, space, scenario.served
        self.rows: dict[str, LaneRow] = {}
        self._step, self._variants = scenario.step, scenario.variants
        self.error = Explanation()
        self.more = push(tr("Add a scheme…"), self.show_more, focusPolicy=Qt.FocusPolicy.TabFocus)
        self.more.setAccessibleName(tr("Add a scheme"))
        self.more.setToolTip(tr("All schemes for this kind, by family; type to search"))
        self.more.installEventFilter(space)
        self._column = filled(QVBoxLayout(self), self.more, self.error, margins=(0, 0, 0, 0), spacing=4)
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
        with QSignalBlocker(self):
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

    def add_lane(self, name: str) -> None:
        """Add a scheme with a step of its own, as typed, or of a variant; what is wrong with it is explained."""
        try:
            lane = lane_of(name, self._kind)
        except ScenarioError as error:
            self.explain(error.message)
            return
        listed = [row.lane for row in self.rows.values() if row.lane.identity == lane.identity]
        if listed and listed[0].name in self.chosen():
            self.error.say(tr("{scheme} is there already").format(scheme=listed[0].row.title))
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
        self.error.say(translated(message))

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
        take_out(self._column, self.rows.pop(name))

    def _remove(self, name: str) -> None:
        """Remove a lane that was added."""
        checked = self.rows[name].check.isChecked()
        self._drop(name)
        self._show_badges()
        if checked:
            self.edited.emit()
