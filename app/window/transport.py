"""The bars: the transport (play, step, timeline, speed, loop) below, menus and tools above."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QHBoxLayout,
    QMenuBar,
    QSizePolicy,
    QToolBar,
    QToolButton,
    QWidget,
)

from app.playback.clock import SPEEDS
from app.system.language import tr
from app.theme import Theme
from app.window.actions import TOOL_BAR, TRANSPORT
from app.window.event_filters import KeyFilter
from app.window.labels import Plain, Steady
from app.window.make_widget import make
from app.window.session import Session
from app.window.style import icon
from app.window.timeline import Timeline


class Transport(QWidget):
    """Shows the session's clock and steers it."""

    changed = Signal()  # the playhead was moved by hand

    def __init__(self, session: Session, actions: dict[str, QAction], theme: Theme) -> None:
        super().__init__()
        self.setObjectName("transport")
        self.session = session
        self._stop = actions["stop"]
        self._looping = "off"
        self._loop = actions["loop"]
        self._loop.setCheckable(True)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 6, 12, 6)
        row.setSpacing(4)
        for name in TRANSPORT:
            row.addWidget(button(actions[name], large=name == "play"))
        self.now = Plain(alignment=Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.end = Plain()
        self.timeline = Timeline(theme)
        self.timeline.valueChanged.connect(self._seek)
        self.timeline.sliderPressed.connect(lambda: self._hold(True))
        self.timeline.sliderReleased.connect(lambda: self._hold(False))
        self.speed = make(
            QComboBox, accessibleName=tr("Speed", "of playing"), toolTip=tr("Simulated seconds per second (- and =)")
        )
        self.speed.addItems([f"{speed:g}×" for speed in SPEEDS])
        self.speed.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.speed.activated.connect(lambda index: session.set_speed(SPEEDS[index]))
        self.rate = Plain(
            tr("Speed", "of playing"), alignment=Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        )
        self.rate.setAccessibleName(tr("Measured speed"))
        self.rate.setToolTip(tr("Simulated seconds per second, as measured while it plays"))
        self.rate.setProperty("role", "dim")
        self.rate.setMinimumWidth(self.fontMetrics().horizontalAdvance(tr("really {rate}×").format(rate="0.0001")))
        for label, name in ((self.now, "time"), (self.end, "duration")):
            label.setObjectName(name)
            label.setMinimumWidth(self.fontMetrics().horizontalAdvance("000.000 s "))
        row.addSpacing(8)
        row.addWidget(Steady(self.now, wide=True))
        row.addSpacing(4)
        row.addWidget(self.timeline, 1)
        row.addSpacing(4)
        row.addWidget(self.end)
        row.addSpacing(8)
        row.addWidget(self.rate)
        row.addWidget(self.speed)
        for name in ("loop", "reset"):
            row.addWidget(button(actions[name]))

    def refresh(self) -> None:
        """Read the clock."""
        clock = self.session.clock
        total = clock.end if clock.complete else max(clock.total, clock.end)
        digits = 2 if clock.speed > 0.05 and total >= 1 else 4
        exact = digits if clock.playing else max(digits, _decimals(clock.time))
        self.now.setText(f"{clock.time:.{exact}f} s")
        self.end.setText(f"{total:.{digits}f} s")
        self.timeline.show_time(clock.time, total, clock.end)
        if not clock.playing:  # a screen reader reads numbers of the slider, which mean nothing
            self.timeline.setAccessibleDescription(
                tr("{time} of {end}").format(time=self.now.text(), end=self.end.text())
            )
        self.speed.setCurrentIndex(SPEEDS.index(clock.speed) if clock.speed in SPEEDS else -1)
        if clock.speed not in SPEEDS:  # of a session that was written by hand
            self.speed.setPlaceholderText(f"{clock.speed:g}×")
        self.timeline.mark(self.session.markers, clock.first, clock.last)
        self._stop.setEnabled(self.session.computing)
        self._loop.setChecked(clock.loop != "off")
        if clock.loop != self._looping:
            self._looping = clock.loop
            self.show_loop()
        rate = self.session.rate
        text = tr("Speed", "of playing") if rate is None else tr("really {rate}×").format(rate=_two_digits(rate))
        if text != self.rate.text():
            self.rate.setText(text)

    def show_loop(self) -> None:
        """The sign of what happens at the end."""
        loop = self.session.clock.loop
        self._loop.setIcon(icon("ping-pong" if loop == "ping-pong" else "loop", self.timeline.theme))

    def set_theme(self, theme: Theme) -> None:
        """Recolour."""
        self.timeline.theme = theme
        self.timeline.update()
        self.show_loop()

    def _seek(self) -> None:
        self.session.seek(self.timeline.seconds())
        self.changed.emit()

    def _hold(self, on: bool) -> None:
        self.session.hold = on


def _decimals(time: float) -> int:
    """Of a time at rest [s], four at most."""
    return next((n for n in range(4) if abs(round(time, n) - time) < 1e-7), 4)


def _two_digits(value: float) -> str:
    return f"{value:.2f}" if value >= 0.095 else f"{value:.2g}"


def button(action: QAction, large: bool = False) -> QToolButton:
    """A flat button for an action; Tab reaches it, but a click leaves the focus where it is."""
    made = make(QToolButton, focusPolicy=Qt.FocusPolicy.TabFocus, autoRaise=True, accessibleName=action.text())
    made.setDefaultAction(action)
    made.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
    made.setIconSize(QSize(18, 18))
    made.installEventFilter(KeyFilter(made))
    if large:
        made.setProperty("role", "play")
    return made


class Tools(QToolBar):
    """A bar whose tools come closer to each other in a narrow window, before some give way to a menu of more."""

    def __init__(self, menus: QMenuBar) -> None:
        super().__init__(tr("Tools"), movable=False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.menus = menus
        self._wanted = 0  # [pixels] without coming closer

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Come closer, or part."""
        super().resizeEvent(event)
        narrow = bool(self.property("narrow"))
        if not narrow:
            self._wanted = self.sizeHint().width()
        if narrow != (event.size().width() < self._wanted):
            self.setProperty("narrow", not narrow)
            for part in (self, self.menus, *self.findChildren(QToolButton)):
                part.style().unpolish(part)
                part.style().polish(part)
            QApplication.sendEvent(self.menus, QEvent(QEvent.Type.StyleChange))  # else it keeps its widths
            self.menus.setMinimumWidth(self.menus.sizeHint().width())  # in a narrow window tools give way, not menus


def tool_bar(menus: QMenuBar, actions: dict[str, QAction]) -> QToolBar:
    """One bar: menus at the left, tools at the right."""
    bar = Tools(menus)
    bar.setIconSize(QSize(20, 20))
    bar.setMinimumHeight(42)
    menus.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)  # else it clings to the top
    menus.setMinimumWidth(menus.sizeHint().width())
    more = bar.findChild(QToolButton, "qt_toolbar_ext_button")
    assert more is not None
    more.setAccessibleName(tr("More tools"))
    space = QWidget()
    space.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
    bar.addWidget(menus)
    bar.addWidget(space)
    for name in TOOL_BAR:
        if name == "|":
            bar.addSeparator()
        else:
            bar.addWidget(button(actions[name]))
    return bar
