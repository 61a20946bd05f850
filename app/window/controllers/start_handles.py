"""Handles of the start in the view: drag the tip of the angular velocity, or the body itself, which turns."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QEvent, QLineF, QObject, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPen

from app.system.language import tr
from app.window.labels import Plain
from app.window.panel.panel import Panel
from app.window.session import Session
from app.window.view.drawing_overlay import DrawingOverlay, prompt
from app.window.view.view import View
from physics.core.rotation import yaw_pitch_roll
from physics.scenario.scenario import fields

if TYPE_CHECKING:
    from app.stage.overlays.drag_handles import DraggedStart
    from app.window.view.viewport import Viewport

NEAR = 16.0  # [pixels] of the tip
TURN = 0.009  # [rad] for each pixel that the body is dragged
OMEGA, ORIENTATION, GIVEN = "initial.angular_velocity", "initial.orientation", "initial.given"
HEEL, ATTITUDE = "initial.heel", "initial.attitude"  # of a ship


def _prompt() -> str:
    return tr("Drag the ring to set the angular velocity, the body to turn it; the panel has the numbers; Esc ends")


class StartHandles(QObject):
    """Draws the handles over the first view, and makes an edit of what is dragged.

    The same numbers stand in the panel, for the keyboard.
    """

    def __init__(self, session: Session, panel: Panel, view: View, status: Plain, parent: QObject) -> None:
        super().__init__(parent)
        self.session, self.panel, self.view, self.status = session, panel, view, status
        self.on = False
        self._start: DraggedStart | None = None
        self._dragged = ""  # "tip", "body" or nothing
        self._at = QPointF()
        self._sheet: DrawingOverlay | None = None

    def set_on(self, on: bool) -> None:
        """Show the handles at the start of the motion, or no longer."""
        self.on = on
        viewport = self._viewport
        if viewport is None:
            return
        if self._sheet is None:
            self._sheet = DrawingOverlay(viewport, self.paint)
            viewport.installEventFilter(self)
        self._sheet.setVisible(on)
        if on:
            self.session.reset()
            self.status.setText(self._elsewhere() or _prompt())

    def _elsewhere(self) -> str:
        """Where the start of the first lane stands, if not in the fields of the panel; "" where it does."""
        if (run := self.session.run) is None:
            return ""
        variant = run.scenario.lanes[0].variant
        if "initial" not in {field.partition(".")[0] for field in fields(run.scenario.variants.get(variant, {}))}:
            return ""
        told = tr("The first lane starts as its variant {variant} says: edit [variants.{variant}] in the scenario file")
        return told.format(variant=variant)

    @property
    def _viewport(self) -> Viewport | None:
        return self.view.viewport

    def _shown(self) -> DraggedStart | None:
        """The start of the staged run, as it is dragged; None where there is nothing to drag."""
        from app.stage.overlays.drag_handles import start_of

        stage = self.view.stage
        if stage is None or self.view.run is not self.session.run or self.session.clock.time > 0.0:
            return None
        if self._elsewhere():
            return None
        if not self._dragged:
            self._start = start_of(*stage.first())
        return self._start

    # ---- drawing ---------------------------------------------------------------------------------------

    def _pixels(self, points: np.ndarray) -> list[QPointF]:
        """Points (n, 3) [m] in the widget's coordinates."""
        from app.stage.overlays.drag_handles import projected

        viewport = self._viewport
        assert viewport is not None
        ratio = viewport.devicePixelRatioF()
        found = projected(viewport.plotter.renderers[0], points) / ratio
        return [QPointF(x, viewport.height() - y) for x, y, _ in found.tolist()]

    def paint(self, painter: QPainter) -> None:
        """Draw the handles over the picture."""
        start = self._shown()
        if start is None:
            return
        theme = self.view.theme
        prompt(painter, _prompt(), theme, self.view.headed)
        if self._dragged == "body":
            painter.setPen(QPen(QColor(theme.accent), 1.6))
            corners = self._pixels(start.drawn)
            painter.drawLines([QLineF(corners[a], corners[b]) for a, b in start.edges.tolist()])
        foot, tip = self._pixels(np.array([start.foot, start.tip]))
        painter.setPen(QPen(QColor(theme.accent), 2.0, Qt.PenStyle.DashLine))
        painter.drawLine(foot, tip)
        painter.setPen(QPen(QColor(theme.stage_top), 5.0))
        painter.drawEllipse(tip, 9.0, 9.0)
        painter.setPen(QPen(QColor(theme.accent), 2.5))
        painter.drawEllipse(tip, 9.0, 9.0)
        self._write(painter, tip, start)

    def _write(self, painter: QPainter, tip: QPointF, start: DraggedStart) -> None:
        theme = self.view.theme
        values = start.orientation if self._dragged == "body" else start.omega
        name, unit = ("q", "") if self._dragged == "body" else ("ω", " rad/s")
        text = f"{name} = ({', '.join(f'{value:.4g}' for value in values)}){unit}"
        if self._dragged == "body" and start.about is not None:
            text = tr("heel {angle:.1f}°").format(angle=yaw_pitch_roll(start.orientation)[2])
        metrics = painter.fontMetrics()
        wide, high = metrics.horizontalAdvance(text) + 16, metrics.height() + 8
        assert self._viewport is not None
        left = min(max(tip.x() + 18, 6.0), self._viewport.width() - wide - 6.0)
        box = QRectF(left, min(max(tip.y() - high - 10, 6.0), self._viewport.height() - high - 6.0), wide, high)
        painter.setPen(QPen(QColor(theme.border), 1.0))
        painter.setBrush(QColor(theme.panel))
        painter.drawRoundedRect(box, 5, 5)
        painter.setPen(QColor(theme.text))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
        painter.setBrush(Qt.BrushStyle.NoBrush)

    # ---- dragging --------------------------------------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take the mouse from the camera where it drags a handle."""
        if self.on and isinstance(event, QMouseEvent) and watched is self._viewport:
            if event.type() == QEvent.Type.MouseMove:
                return self.move(event)
            if event.button() == Qt.MouseButton.LeftButton:
                return self.press(event) if event.type() == QEvent.Type.MouseButtonPress else self.release(event)
        return False

    def press(self, event: QMouseEvent) -> bool:
        """Begin to drag what is under the pointer; whether there is something."""
        start = self._shown()
        if start is None or self._viewport is None or self._viewport.aim is not None:
            return False
        at = event.position()
        foot, tip = (QLineF(at, end).length() for end in self._pixels(np.array([start.foot, start.tip])))
        held = self._on_body(at, start)
        if tip <= NEAR and not (held and foot < tip):
            self._dragged = "tip"
        elif held:
            self._dragged = "body"
        self._at = at
        return bool(self._dragged)

    def _on_body(self, at: QPointF, start: DraggedStart) -> bool:
        corners = self._pixels(start.drawn)
        xs, ys = [corner.x() for corner in corners], [corner.y() for corner in corners]
        return min(xs) <= at.x() <= max(xs) and min(ys) <= at.y() <= max(ys)

    def move(self, event: QMouseEvent) -> bool:
        """Drag; whether something is dragged."""
        if not self._dragged or self._start is None or self._viewport is None:
            return False
        from app.stage.overlays.drag_handles import projected, unprojected
        from app.stage.overlays.overlay import axes_of_picture

        renderer, ratio = self._viewport.plotter.renderers[0], self._viewport.devicePixelRatioF()
        by = event.position() - self._at
        self._at = event.position()
        if self._dragged == "tip":
            (pixel,) = projected(renderer, self._start.tip[None])
            moved = pixel + np.array([by.x(), -by.y(), 0.0]) * ratio
            self._start = self._start.pulled(unprojected(renderer, moved))
        else:
            right, up = axes_of_picture(renderer.camera)
            self._start = self._start.dragged(TURN * by.x(), TURN * by.y(), right, up)
        assert self._sheet is not None
        self._sheet.update()
        return True

    def release(self, event: QMouseEvent) -> bool:
        """Let go: what was dragged is an edit, to be undone like any other; whether something was dragged."""
        dragged, self._dragged = self._dragged, ""
        if dragged and self._start is not None and self._viewport is not None:
            self._viewport.touched = True  # the camera stays where one has aimed from
            omega, attitude = (tuple(map(float, value)) for value in (self._start.omega, self._start.orientation))
            if GIVEN in self.panel.entries:  # a top's may be told by how its axis moves: no longer
                self.panel.put({GIVEN: "state", OMEGA: omega, ORIENTATION: attitude})
            elif dragged == "tip":
                self.panel.put({OMEGA: omega})
            elif self._start.about is not None and self.panel.entries[ATTITUDE].value() == "angles":
                self.panel.put({HEEL: round(math.radians(float(yaw_pitch_roll(self._start.orientation)[2])), 4)})
            else:
                self.panel.put({ORIENTATION: attitude})
        return bool(dragged)
