"""The row of a lane: a check box with its badge, and a menu that adds its scheme with another step or variant."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, Qt, Signal
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
    QWidget,
)

from app.system.language import tr
from app.system.sentences import each_told, told
from app.theme import Theme
from app.window.labels import tip
from app.window.panel.variant_words import variant_words
from app.window.style import BADGE, badge
from app.window.widgets import eliding, make
from physics.scenario.variants import Variants
from physics.schemes.lane import MARK, Lane, in_words, named
from physics.schemes.scheme import Scheme
from physics.systems.scheme_overview import keeps

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
    """Lets one choose a lane, add its scheme with another step or variant, or take it away if somebody added it."""

    wanted = Signal(str)  # the name of another lane, as typed
    unwanted = Signal()

    def __init__(self, lane: Lane, step: float, variants: Variants, checked: bool, space: QObject) -> None:
        super().__init__()
        self.step, self.variants = step, variants  # of the scenario; the step [s]
        self.check = eliding(make(TitleBox, checked=checked, focusPolicy=Qt.FocusPolicy.TabFocus))
        self.check.setIconSize(BADGE)
        self.check.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.check.installEventFilter(space)
        self.button = make(QToolButton, autoRaise=True, focusPolicy=Qt.FocusPolicy.TabFocus)
        told = filter(None, (lane.variant, "" if lane.step is None else in_words(lane.step)))
        self.button.setText(", ".join(told) or "h")
        self.button.setToolTip(tr("The same scheme with another step, or of a variant, beside it"))
        self.button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.button.installEventFilter(space)
        self.menu = QMenu(self.button)
        self.menu.aboutToShow.connect(self._fill)
        self.button.setMenu(self.menu)
        across = QHBoxLayout(self)
        across.setContentsMargins(0, 0, 0, 0)
        across.setSpacing(2)
        across.addWidget(self.check, 1)
        across.addWidget(self.button)
        self.describe(lane)

    def describe(self, lane: Lane) -> None:
        """Tell what the lane is."""
        self.lane, row = lane, lane.row
        self.check.set_title(lane.scheme.title)
        self.check.setAccessibleName(row.title)
        kept = "".join(
            "\n" + tr("Keeps ({motion}): {what}").format(motion=told(motion), what=each_told(what))
            for motion, what in keeps(row).items()
            if row.code is None
        )
        own = f"{variant_words(lane.variant, self.variants)}\n" if lane.variant else ""
        self.check.setToolTip(tip(f"{own}{told(row.advice)}{kept}\n{row.reference}"))
        self.button.setAccessibleName(tr("Other steps of {scheme}").format(scheme=lane.scheme.title))

    def show_badge(self, scheme: Scheme, theme: Theme) -> None:
        """In the colours of a lane."""
        self.check.setIcon(badge(scheme, theme, self.devicePixelRatioF()))

    def _fill(self) -> None:
        """What the menu offers: the steps follow that of the scenario."""
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
