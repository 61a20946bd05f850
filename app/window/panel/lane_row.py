"""The row of a lane: a check box with its badge, and a menu that adds its scheme again with another step."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QInputDialog, QMenu, QSizePolicy, QToolButton, QWidget

from app.theme import Theme
from app.window.labels import tip
from app.window.lane_style import BADGE, badge
from app.window.make_widget import make
from physics.schemes.lane import MARK, Lane, in_words
from physics.schemes.scheme import Scheme
from physics.systems.scheme_table import keeps


class LaneRow(QWidget):
    """Lets one choose a lane, add its scheme with another step, or take it away if it has a step of its own."""

    wanted = Signal(str)  # the name of another lane, as typed
    unwanted = Signal()

    def __init__(self, lane: Lane, step: float, checked: bool, space: QObject) -> None:
        super().__init__()
        self.step = step  # of the scenario [s]
        self.check = make(QCheckBox, checked=checked, focusPolicy=Qt.FocusPolicy.TabFocus)
        self.check.setIconSize(BADGE)
        self.check.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.check.installEventFilter(space)
        self.button = make(QToolButton, autoRaise=True, focusPolicy=Qt.FocusPolicy.TabFocus)
        self.button.setText("h" if lane.step is None else in_words(lane.step))
        self.button.setToolTip("The same scheme with another step beside it")
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
        self.check.setText(lane.scheme.title.replace("&", "&&"))
        self.check.setAccessibleName(row.title)
        kept = "".join(f"\nKeeps ({motion}): {what}" for motion, what in keeps(row).items() if row.code is None)
        self.check.setToolTip(tip(f"{row.advice}{kept}\n{row.reference}"))
        self.button.setAccessibleName(f"Other steps of {lane.scheme.title}")

    def show_badge(self, scheme: Scheme, theme: Theme) -> None:
        """In the colours of a lane."""
        self.check.setIcon(badge(scheme, theme, self.devicePixelRatioF()))

    def _fill(self) -> None:
        """What the menu offers: the steps follow that of the scenario."""
        self.menu.clear()
        own = self.lane.step or self.step
        for factor, words in ((0.5, "Add with half the step"), (2.0, "Add with twice the step")):
            text = f"{factor * own:.12g}"
            action = self.menu.addAction(f"{words}, {in_words(float(text))}")
            action.triggered.connect(partial(self._want, text))
        self.menu.addAction("Add with another step…").triggered.connect(self.ask)
        if self.lane.step is not None:
            self.menu.addSeparator()
            self.menu.addAction("Remove").triggered.connect(self.unwanted)

    def ask(self) -> None:
        """Ask for a step."""
        dialog = QInputDialog(self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle("Add with another step")
        dialog.setLabelText("Step [s]")
        dialog.textValueSelected.connect(self._want)
        dialog.open()

    def _want(self, text: str) -> None:
        self.wanted.emit(f"{self.lane.scheme.name}{MARK}{text.strip()}")
