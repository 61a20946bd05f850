"""Picture of a sensor that is read live: its body as it turns, and the trace of its rates on the energy ellipsoid."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from app.kinds.measured_body import PHONE
from app.system.language import tr
from app.theme import Theme
from physics.analysis.identification import Identification
from physics.bodies.body import IDENTITY
from physics.core.rotation import Array, apply, conjugate, matrix, multiply, unit_of
from physics.measured.live import Burst
from physics.measured.motion import running_product
from physics.measured.tosses import QUICK

TRACE = 1.5  # [s] of the trace
LATE = 0.15  # [s] by which the picture is late, so that it moves evenly though samples come in bursts
LONGEST = 0.3  # [s] between samples over which the body is turned on
# the viewer's right, up and towards the viewer, in space: from the side and from above
VIEW = np.array([[0.87, -0.5, 0.0], [0.17, 0.3, 0.94], [-0.47, -0.81, 0.34]])
LIGHT = np.array([0.3, -0.4, 0.87])
THINNEST = 0.08  # of the longest edge


class LiveView(QWidget):
    """Body of a sensor in space, and its rates in the body over the root of twice the energy: a point of an ellipsoid.

    The body is a phone until a toss tells its moments. colours : the theme of the window, which may change
    """

    def __init__(self, colours: Callable[[], Theme]) -> None:
        super().__init__(accessibleName=tr("The body as it turns"))
        self._colours = colours
        self.setMinimumSize(360, 170)
        self.forget()
        a, b, c = PHONE
        self._moments, self._axes = np.array([b * b + c * c, a * a + c * c, a * a + b * b]), IDENTITY

    def forget(self) -> None:
        """Begin anew, as the stream does."""
        self._time, self._rates, self._attitudes = np.empty(0), np.empty((0, 3)), IDENTITY[None]
        self._shown = -math.inf  # time of the picture

    def take(self, kept: Burst, elapsed: float) -> None:
        """Go on by some seconds, with the last samples of a stream."""
        if not len(kept.time):
            return
        if len(self._time) and kept.time[-1] < self._time[-1]:
            self.forget()
        known = self._time[-1] if len(self._time) else -math.inf
        first = int(np.searchsorted(kept.time, max(known, kept.time[-1] - 2.0 * TRACE), side="right"))
        if first < len(kept.time):
            time, rates = kept.time[first:], kept.rates[first:]
            spans = np.diff(time, prepend=known if math.isfinite(known) else time[0])
            turns = np.minimum(spans, LONGEST)[:, None] * rates
            turned = multiply(self._attitudes[-1], running_product(unit_of(turns)))
            gone = int(np.searchsorted(self._time, time[-1] - 2.0 * TRACE))
            self._time = np.concatenate([self._time[gone:], time])
            self._rates = np.concatenate([self._rates[gone:], rates])
            self._attitudes = np.concatenate([self._attitudes, turned])[-len(self._time) :]
        newest = float(self._time[-1])
        shown = min(max(self._shown + elapsed, newest - 2.0 * LATE), newest)
        if shown != self._shown:
            self._shown = shown
            self.update()

    def show_body(self, found: Identification) -> None:
        """Draw the body of a toss from now on."""
        self._moments, self._axes = found.ratios, found.axes
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw both."""
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.fillRect(self.rect(), QColor(self._colours().plot_background))
            half = self.width() / 2.0
            self._paint_body(painter, QRectF(0.0, 0.0, half, float(self.height())))
            self._paint_trace(painter, QRectF(half, 0.0, half, float(self.height())))
            painter.setPen(QColor(self._colours().text_dim))
            for left, text in ((0.0, tr("The body")), (half, tr("Its rates on the energy ellipsoid"))):
                painter.drawText(QRectF(left + 8.0, 6.0, half - 16.0, 40.0), Qt.TextFlag.TextWordWrap, text)

    def _paint_body(self, painter: QPainter, room: QRectF) -> None:
        at = min(int(np.searchsorted(self._time, self._shown, side="right")), len(self._attitudes)) - 1
        q = multiply(self._attitudes[max(0, at)], self._axes)
        half, normals = _edges(self._moments), matrix(q).T
        scale = 0.42 * min(room.width(), room.height()) / float(np.linalg.norm(half))
        toward, colour = VIEW[2], QColor(self._colours().accent)
        painter.setPen(QPen(QColor(self._colours().text), 1.2, j=Qt.PenJoinStyle.RoundJoin))
        for axis in range(3):
            for sign in (1.0, -1.0):
                normal = sign * normals[axis]
                if normal @ toward <= 0.0:
                    continue
                one, other = (k for k in range(3) if k != axis)
                corners = np.zeros((4, 3))
                corners[:, axis] = sign * half[axis]
                corners[:, one] = half[one] * np.array([1.0, -1.0, -1.0, 1.0])
                corners[:, other] = half[other] * np.array([1.0, 1.0, -1.0, -1.0])
                painter.setBrush(colour.darker(100 + int(70 * (1.0 - max(0.0, float(normal @ LIGHT))))))
                painter.drawPolygon(_seen(apply(q, corners), room, scale))

    def _paint_trace(self, painter: QPainter, room: QRectF) -> None:
        """Draw the ellipsoid by its sections with the principal planes, and the trace."""
        sizes = 1.0 / np.sqrt(self._moments)
        scale = 0.42 * min(room.width(), room.height()) / float(sizes.max())
        angle = np.linspace(0.0, 2.0 * np.pi, 73)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(self._colours().plot_axis), 1.0))
        for axis in range(3):
            ring = np.zeros((73, 3))
            ring[:, axis - 1], ring[:, axis - 2] = np.cos(angle), np.sin(angle)
            painter.drawPolyline(_seen(ring * sizes, room, scale))
        here = (self._time <= self._shown) & (self._time > self._shown - TRACE)
        rates = apply(conjugate(self._axes), self._rates[here])
        quick = np.linalg.norm(rates, axis=1) > QUICK
        rates = rates[quick]
        if len(rates) > 1:
            points = rates / np.sqrt(np.sum(self._moments * rates**2, axis=1))[:, None]
            painter.setPen(QPen(QColor(self._colours().warning), 2.4))
            painter.drawPolyline(_seen(points, room, scale))


def _edges(moments: Array) -> Array:
    """Half the edges (3,) of a homogeneous box with some moments, up to its size."""
    squares = np.maximum(0.5 * moments.sum() - moments, 0.0)
    edges = np.sqrt(squares / squares.max())
    return np.asarray(np.maximum(edges, THINNEST))


def _seen(points: Array, room: QRectF, scale: float) -> QPolygonF:
    """Points (n, 3) in space as they are seen in a part of the widget."""
    across, up = (points @ VIEW[:2].T * scale).T
    middle = room.center()
    return QPolygonF([QPointF(middle.x() + x, middle.y() - y) for x, y in zip(across, up, strict=True)])
