"""The bars: the transport with its timeline below the view, menus and tools above it."""

from __future__ import annotations

import math

from PySide6.QtCore import QEvent, QPointF, QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QColor,
    QFont,
    QFontMetricsF,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QHBoxLayout,
    QMenuBar,
    QSizePolicy,
    QSlider,
    QToolBar,
    QToolButton,
    QToolTip,
    QWidget,
)

from app.playback.clock import SPEEDS, decimals
from app.playback.markers import FLAGS, Marker
from app.system.language import tr
from app.theme import Theme, legible
from app.window.actions import TOOL_BAR, TRANSPORT
from app.window.labels import Plain, Steady, tip
from app.window.session import Session
from app.window.style import icon, ink_on, with_letters
from app.window.widgets import KeyFilter, filled, make
from physics.core.separation import NEAR
from physics.measured.motion import DRIFT, MISSING, SATURATION

FINE = 100_000  # positions of the slider
FLAG = 14.0  # [pixels] from the groove to the top of a flag, at usual letters
LETTER = 10.0  # [pixels] on a flag, at usual letters
# buttons that make room for the timeline, the last first
YIELDING = ("step-back", "step-forward", "to-start", "to-end", "loop", "reset")
MIN_TIMELINE_WIDTH = 220  # [pixels] of the timeline, at usual letters, to which other controls leave their places


class TimeSlider(QSlider):
    """A slider over the run, with its computed part and events; a click moves the playhead there."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.theme = theme
        self.setRange(0, FINE)
        self.setPageStep(FINE // 20)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setObjectName("timeline")
        self.setAccessibleName(tr("Timeline"))
        self.setToolTip(tr("Drag or click to move through time; click a mark to go to what happened there"))
        self.setMouseTracking(True)
        self._total, self._recorded = 0.0, 0.0
        self._marks: tuple[Marker, ...] = ()
        self._span: tuple[float | None, float | None] = (None, None)

    def show_time(self, time: float, total: float, recorded: float) -> None:
        """Show a time, the total and the recorded part [s]."""
        position = round(FINE * time / total) if total > 0 else 0
        if (position, total, recorded) == (self.value(), self._total, self._recorded):
            return
        self._total, self._recorded = total, recorded
        with QSignalBlocker(self):
            self.setValue(position)
        self.update()

    def mark(self, marks: tuple[Marker, ...], first: float | None, last: float | None) -> None:
        """Show events, and the in and out points [s]."""
        if marks is not self._marks or (first, last) != self._span:
            self._marks, self._span = marks, (first, last)
            self.update()

    def near(self, x: float) -> tuple[Marker, ...]:
        """The events within 5 pixels of a place on the groove, the nearest first."""
        near = (mark for mark in self._marks if abs(self._place(mark.time) - x) < 5)
        return tuple(sorted(near, key=lambda mark: abs(self._place(mark.time) - x)))

    def event(self, event: QEvent) -> bool:
        """Show a tip about events near the pointer."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            near = self.near(event.pos().x())
            if near:
                QToolTip.showText(event.globalPos(), tip("\n".join(mark.text for mark in near[:6])), self)
                return True
        return super().event(event)

    def seconds(self) -> float:
        """The playhead's time [s]."""
        return self.value() / FINE * self._total

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Move the playhead to the pointer, or to the exact time of a clicked event."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.setSliderDown(True)
            near = self.near(event.position().x())
            self._move_to(QPointF(self._place(near[0].time), 0.0) if near else event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag the playhead; without a button, mark clickable events by the cursor."""
        if self.isSliderDown():
            self._move_to(event.position())
        elif self.near(event.position().x()):
            self.setCursor(Qt.CursorShape.PointingHandCursor)
        else:
            self.unsetCursor()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Release the playhead."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.setSliderDown(False)

    def _move_to(self, point: QPointF) -> None:
        groove = self._groove()
        self.setValue(round(FINE * (point.x() - groove.left()) / max(1.0, groove.width())))

    def _groove(self) -> QRectF:
        return QRectF(8, self.height() / 2 - 2, self.width() - 16, 4)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw groove, recorded part, played part, marks and playhead, with a ring for keyboard focus."""
        theme, groove = self.theme, self._groove()
        x = groove.left() + groove.width() * self.value() / FINE
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            self._bar(painter, theme.border, groove.right())
            if self._total > 0:
                part = min(1.0, self._recorded / self._total)
                self._bar(painter, theme.outline, groove.left() + groove.width() * part)
            self._bar(painter, theme.accent, x)
            for mark in self._marks:
                if mark.kind not in FLAGS.values():
                    self._draw_mark(painter, mark)
            self._draw_flags(painter)
            for seconds, side in zip(self._span, (1.0, -1.0), strict=True):
                if seconds is not None:
                    self._draw_bracket(painter, self._place(seconds), side)
            painter.setPen(Qt.PenStyle.NoPen)
            if self.hasFocus():
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QColor(theme.accent))
                painter.drawEllipse(QPointF(x, groove.center().y()), 10, 10)
                painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.text))
            painter.drawEllipse(QPointF(x, groove.center().y()), 7, 7)

    def _place(self, seconds: float) -> float:
        groove = self._groove()
        return groove.left() + groove.width() * min(1.0, seconds / max(self._total, 1e-9))

    def _draw_mark(self, painter: QPainter, mark: Marker) -> None:
        """Draw a tick (impact, flip), bar (end), triangle (edit), cross (failure) or diamond (doubt)."""
        x, middle = self._place(mark.time), self._groove().center().y()
        colour = QColor(legible(mark.colour, self.theme) if mark.colour else self.theme.text)
        painter.setBrush(colour)
        painter.setPen(Qt.PenStyle.NoPen)
        if mark.kind in ("impact", "flip"):
            painter.drawRect(QRectF(x - 0.75, middle + 4, 1.5, 6))
        elif mark.kind == "edit":
            path = QPainterPath(QPointF(x, middle - 4))
            path.lineTo(x - 5, middle - 12)
            path.lineTo(x + 5, middle - 12)
            painter.drawPath(path)
        elif mark.kind in (SATURATION, MISSING, DRIFT):
            painter.setPen(QPen(colour, 1.5))
            painter.setBrush(QColor(self.theme.warning))
            corners = ((0, -11), (4, -6), (0, -1), (-4, -6))
            painter.drawPolygon([QPointF(x + dx, middle + dy) for dx, dy in corners])
        elif mark.kind == "failed-solve":
            painter.setPen(QPen(QColor(self.theme.danger), 2))
            painter.drawLine(QPointF(x - 4, middle - 8), QPointF(x + 4, middle + 8))
            painter.drawLine(QPointF(x + 4, middle - 8), QPointF(x - 4, middle + 8))
        else:
            painter.drawRoundedRect(QRectF(x - 1.5, middle - 8, 3, 16), 1.5, 1.5)

    def _draw_flags(self, painter: QPainter) -> None:
        """Draw a pennant where a lane drifts from the truth, a flag with its letter where it leaves it.

        Flags of lanes that leave at about the same time stand beside each other.
        """
        font = QFont(self.font())
        font.setPixelSize(with_letters(LETTER))
        font.setWeight(QFont.Weight.DemiBold)
        painter.setFont(font)
        metrics, high = QFontMetricsF(font), with_letters(FLAG)
        top, free = self._groove().center().y() - high, 0.0
        for mark in self._marks:
            if mark.kind not in FLAGS.values():
                continue
            x, colour = self._place(mark.time), legible(mark.colour, self.theme)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colour))
            painter.drawRect(QRectF(x - 0.75, top, 1.5, high))
            if mark.kind != FLAGS[NEAR]:
                painter.drawPolygon([QPointF(x, top), QPointF(x + 5, top + 2.5), QPointF(x, top + 5)])
                continue
            cloth = QRectF(max(x, free), top, metrics.horizontalAdvance(mark.letter) + 5, 0.8 * high)
            painter.drawRect(QRectF(x, top, cloth.left() - x, 1.5))
            painter.drawRect(cloth)
            painter.setPen(ink_on(colour))
            painter.drawText(cloth, Qt.AlignmentFlag.AlignCenter, mark.letter)
            free = cloth.right() + 1

    def _draw_bracket(self, painter: QPainter, x: float, side: float) -> None:
        """Draw the in point, open to the right (side 1), or the out point, to the left (-1)."""
        middle = self._groove().center().y()
        painter.setPen(QPen(QColor(self.theme.warning), 2))
        for dy in (-10.0, 10.0):
            painter.drawLine(QPointF(x, middle + dy), QPointF(x + 5 * side, middle + dy))
        painter.drawLine(QPointF(x, middle - 10), QPointF(x, middle + 10))

    def _bar(self, painter: QPainter, colour: str, right: float) -> None:
        groove = self._groove()
        groove.setRight(right)
        painter.setBrush(QColor(colour))
        painter.drawRoundedRect(groove, 2, 2)


class Transport(QWidget):
    """The session's clock, and controls of it."""

    changed = Signal()  # the playhead was moved by hand

    def __init__(self, session: Session, actions: dict[str, QAction], theme: Theme) -> None:
        super().__init__()
        self.setObjectName("transport")
        self.session = session
        self._stop = actions["stop"]
        self._looping = "off"
        self._loop = actions["loop"]
        self._loop.setCheckable(True)
        self.buttons = {name: button(actions[name], large=name == "play") for name in (*TRANSPORT, "loop", "reset")}
        row = QHBoxLayout(self)
        filled(row, *(self.buttons[name] for name in TRANSPORT), margins=(12, 6, 12, 6), spacing=4)
        self.now = Plain(alignment=Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.end = Plain()
        self.timeline = TimeSlider(theme)
        self.timeline.valueChanged.connect(self._seek)
        self.timeline.sliderPressed.connect(lambda: self._hold(True))
        self.timeline.sliderReleased.connect(lambda: self._hold(False))
        self.speed = make(
            QComboBox, accessibleName=tr("Speed", "of playing"), toolTip=tr("Simulated seconds per second (- and =)")
        )
        self.speed.addItems([f"{speed:g}×" for speed in SPEEDS])
        self.speed.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.speed.activated.connect(lambda index: session.set_speed(SPEEDS[index]))
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        self.rate = Plain(tr("Speed", "of playing"), "dim", alignment=right, accessibleName=tr("Measured speed"))
        self.rate.setToolTip(tr("Simulated seconds per second, as measured while it plays"))
        self.now.setObjectName("time")
        self.end.setObjectName("duration")
        row.addSpacing(8)
        now = Steady(self.now, wide=True)
        row.addWidget(now)
        row.addSpacing(4)
        row.addWidget(self.timeline, 1)
        row.addSpacing(4)
        row.addWidget(self.end)
        row.addSpacing(8)
        filled(row, self.rate, self.speed, self.buttons["loop"], self.buttons["reset"])
        yielding = *(self.buttons[name] for name in YIELDING), self.end, self.speed, self.rate
        self._parts = (self.buttons["play"], now, *yielding)  # those that stay longest in a narrow window first
        self.setMinimumWidth(MIN_TIMELINE_WIDTH)
        self.set_theme(theme)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show what leaves the timeline room."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Show as many controls as leave the timeline MIN_TIMELINE_WIDTH pixels; keys and menus have them all."""
        room = self.width() - 24 - with_letters(MIN_TIMELINE_WIDTH)
        for part in self._parts:
            room -= part.sizeHint().expandedTo(part.minimumSize()).width() + 8
            part.setVisible(room >= 0)

    def refresh(self) -> None:
        """Show the clock."""
        clock = self.session.clock
        total = clock.end if clock.complete else max(clock.total, clock.end)
        digits = 2 if clock.speed > 0.05 and total >= 1 else max(4, decimals(total))
        exact = digits if clock.playing else max(digits, _decimals(clock.time))
        self.now.setText(f"{clock.time:.{exact}f} s")
        self.end.setText(f"{total:.{digits}f} s")
        self.timeline.show_time(clock.time, total, clock.end)
        if not clock.playing:  # else screen readers read the slider's own numbers
            self.timeline.setAccessibleDescription(
                tr("{time} of {end}").format(time=self.now.text(), end=self.end.text())
            )
        self.speed.setCurrentIndex(SPEEDS.index(clock.speed) if clock.speed in SPEEDS else -1)
        if clock.speed not in SPEEDS:  # a speed written by hand
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
        """Show the icon of the loop mode."""
        loop = self.session.clock.loop
        self._loop.setIcon(icon("ping-pong" if loop == "ping-pong" else "loop", self.timeline.theme))

    def set_theme(self, theme: Theme) -> None:
        """Recolour, and follow the size of letters."""
        self.timeline.theme = theme
        self.timeline.update()
        wide = QFontMetricsF(QApplication.font()).horizontalAdvance
        self.rate.setMinimumWidth(math.ceil(wide(tr("really {rate}×").format(rate="0.0001"))))
        for label in (self.now, self.end):
            label.setMinimumWidth(math.ceil(wide("000.000 s ")))
        side = min(with_letters(18), 30)
        for one in self.buttons.values():
            one.setIconSize(QSize(side, side))
        self.timeline.setMinimumHeight(2 * with_letters(FLAG) + 2)
        self._fit()
        self.show_loop()

    def _seek(self) -> None:
        self.session.seek(self.timeline.seconds())
        self.changed.emit()

    def _hold(self, on: bool) -> None:
        self.session.hold = on


def _decimals(time: float) -> int:
    """Number of decimals of a paused time [s], four at most."""
    return next((n for n in range(4) if abs(round(time, n) - time) < 1e-7), 4)


def _two_digits(value: float) -> str:
    return f"{value:.2f}" if value >= 0.095 else f"{value:.2g}"


def button(action: QAction, large: bool = False) -> QToolButton:
    """A flat button for an action, with focus by Tab, but not by a click."""
    made = make(QToolButton, focusPolicy=Qt.FocusPolicy.TabFocus, autoRaise=True, accessibleName=action.text())
    made.setDefaultAction(action)
    made.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
    made.setIconSize(QSize(18, 18))
    made.installEventFilter(KeyFilter(made))
    if large:
        made.setProperty("role", "play")
    return made


class Tools(QToolBar):
    """A tool bar with less space between tools in a narrow window, before some move into a menu."""

    def __init__(self, menus: QMenuBar) -> None:
        super().__init__(tr("Tools"), movable=False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.menus = menus
        self._wanted = 0  # [pixels] with all space

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Adapt the space between tools."""
        super().resizeEvent(event)
        narrow = bool(self.property("narrow"))
        if not narrow:
            self._wanted = self.sizeHint().width()
        if narrow != (event.size().width() < self._wanted):
            self._set_narrow(not narrow)

    def fit(self) -> None:
        """Adapt to another size of letters."""
        self._set_narrow(False)
        self._wanted = self.sizeHint().width()
        if self.width() < self._wanted:
            self._set_narrow(True)

    def _set_narrow(self, narrow: bool) -> None:
        self.setProperty("narrow", narrow)
        for part in (self, self.menus, *self.findChildren(QToolButton)):
            part.style().unpolish(part)
            part.style().polish(part)
        QApplication.sendEvent(self.menus, QEvent(QEvent.Type.StyleChange))  # else the menu bar keeps its widths
        self.menus.setMinimumWidth(self.menus.sizeHint().width())  # tools move into a menu, not menus


def tool_bar(menus: QMenuBar, actions: dict[str, QAction]) -> Tools:
    """One bar with menus at the left and tools at the right."""
    bar = Tools(menus)
    bar.setIconSize(QSize(20, 20))
    bar.setMinimumHeight(42)
    menus.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)  # else it is at the top
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
