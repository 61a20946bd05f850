"""The timeline: a slider over the whole run that shows how far it is computed and where lanes ended."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QHelpEvent, QMouseEvent, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QSlider, QToolTip, QWidget

from app.playback.markers import Marker
from app.system.language import tr
from app.theme import Theme, legible
from app.window.labels import tip
from physics.measured.motion import DRIFT, MISSING, SATURATION

FINE = 100_000  # positions of the slider


class Timeline(QSlider):
    """A slider in simulated seconds; a click anywhere moves the playhead there."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.theme = theme
        self.setRange(0, FINE)
        self.setPageStep(FINE // 20)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setMinimumHeight(28)
        self.setAccessibleName(tr("Timeline"))
        self.setToolTip(tr("Drag or click to move through time; click a mark to go to what happened there"))
        self.setMouseTracking(True)
        self._total, self._recorded = 0.0, 0.0
        self._marks: tuple[Marker, ...] = ()
        self._span: tuple[float | None, float | None] = (None, None)

    def show_time(self, time: float, total: float, recorded: float) -> None:
        """Put the playhead to a time of a total, of which so much is recorded [s]."""
        position = round(FINE * time / total) if total > 0 else 0
        if (position, total, recorded) == (self.value(), self._total, self._recorded):
            return
        self._total, self._recorded = total, recorded
        blocked = self.blockSignals(True)
        self.setValue(position)
        self.blockSignals(blocked)
        self.update()

    def mark(self, marks: tuple[Marker, ...], first: float | None, last: float | None) -> None:
        """Draw events, and the in and out points [s]."""
        if marks is not self._marks or (first, last) != self._span:
            self._marks, self._span = marks, (first, last)
            self.update()

    def near(self, x: float) -> tuple[Marker, ...]:
        """The events within some pixels of a place on the groove, the nearest one first."""
        near = (mark for mark in self._marks if abs(self._place(mark.time) - x) < 5)
        return tuple(sorted(near, key=lambda mark: abs(self._place(mark.time) - x)))

    def event(self, event: QEvent) -> bool:
        """Tell what happened where the pointer rests."""
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
        """Move the playhead to the pointer, or to the very moment of an event that is clicked."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.setSliderDown(True)
            near = self.near(event.position().x())
            self._move_to(QPointF(self._place(near[0].time), 0.0) if near else event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag the playhead; without a button, show what can be clicked."""
        if self.isSliderDown():
            self._move_to(event.position())
        elif self.near(event.position().x()):
            self.setCursor(Qt.CursorShape.PointingHandCursor)
        else:
            self.unsetCursor()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let the playhead go."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.setSliderDown(False)

    def _move_to(self, point: QPointF) -> None:
        groove = self._groove()
        self.setValue(round(FINE * (point.x() - groove.left()) / max(1.0, groove.width())))

    def _groove(self) -> QRectF:
        return QRectF(8, self.height() / 2 - 2, self.width() - 16, 4)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Groove, recorded part, played part, ticks and playhead; a ring shows keyboard focus."""
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
                self._draw_mark(painter, mark)
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
        """Ticks for what is frequent, bars for ends, triangles for edits, crosses for failures, diamonds for doubts."""
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

    def _draw_bracket(self, painter: QPainter, x: float, side: float) -> None:
        """The in point opens to the right (side 1), the out point to the left (-1)."""
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
