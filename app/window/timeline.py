"""The timeline: a slider over the whole run that shows how far it is computed and where lanes ended."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSlider, QWidget

from app.colours import Theme

FINE = 100_000  # positions of the slider


class Timeline(QSlider):
    """A slider in simulated seconds; a click anywhere moves the playhead there."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.theme = theme
        self.setRange(0, FINE)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setMinimumHeight(28)
        self.setAccessibleName("Timeline")
        self.setToolTip("Drag or click to move through time")
        self._total, self._recorded = 0.0, 0.0
        self._marks: tuple[tuple[float, str], ...] = ()

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

    def mark(self, marks: tuple[tuple[float, str], ...]) -> None:
        """Draw ticks at times [s] in colours (where lanes ended)."""
        if marks != self._marks:
            self._marks = marks
            self.update()

    def seconds(self) -> float:
        """The playhead's time [s]."""
        return self.value() / FINE * self._total

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Move the playhead to the pointer."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.setSliderDown(True)
            self._move_to(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag the playhead."""
        if self.isSliderDown():
            self._move_to(event.position())

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
            for seconds, colour in self._marks:
                at = groove.left() + groove.width() * min(1.0, seconds / max(self._total, 1e-9))
                painter.setBrush(QColor(colour))
                painter.drawRoundedRect(QRectF(at - 1.5, groove.center().y() - 8, 3, 16), 1.5, 1.5)
            if self.hasFocus():
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QColor(theme.accent))
                painter.drawEllipse(QPointF(x, groove.center().y()), 10, 10)
                painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.text))
            painter.drawEllipse(QPointF(x, groove.center().y()), 7, 7)

    def _bar(self, painter: QPainter, colour: str, right: float) -> None:
        groove = self._groove()
        groove.setRight(right)
        painter.setBrush(QColor(colour))
        painter.drawRoundedRect(groove, 2, 2)
