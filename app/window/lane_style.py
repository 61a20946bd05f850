"""How lanes look in the window: colours that can be read on a theme, dashes, badges with the scheme's letter."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QIcon, QPainter, QPen, QPixmap

from app.theme import Theme, contrast, legible
from physics.schemes.scheme import Scheme

DASHES = {
    "solid": Qt.PenStyle.SolidLine,
    "dash": Qt.PenStyle.DashLine,
    "dot": Qt.PenStyle.DotLine,
    "dash-dot": Qt.PenStyle.DashDotLine,
}
BADGE = QSize(48, 18)


def badge(scheme: Scheme, theme: Theme, device_ratio: float = 2.0) -> QIcon:
    """The scheme's letter on its colour, and its line."""
    pixmap = QPixmap(BADGE * device_ratio)
    pixmap.setDevicePixelRatio(device_ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    with QPainter(pixmap) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(scheme.colour))
        square = QRectF(0, 0, 18, 18)
        painter.drawRoundedRect(square, 5, 5)
        font = QFont()
        font.setPixelSize({1: 12, 2: 9, 3: 9}.get(len(scheme.letter), 7))
        font.setWeight(QFont.Weight.DemiBold)
        painter.setFont(font)
        dark = contrast(scheme.colour, "#101418") > contrast(scheme.colour, "#ffffff")
        painter.setPen(QColor("#101418" if dark else "#ffffff"))
        painter.drawText(square, Qt.AlignmentFlag.AlignCenter, scheme.letter)
        painter.setPen(QPen(QColor(legible(scheme.colour, theme)), 2, DASHES[scheme.dash]))
        painter.drawLine(24, 9, 47, 9)
    return QIcon(pixmap)


def draw_cross(painter: QPainter, place: QPointF, arm: float = 16.0, gap: float = 4.0) -> None:
    """A cross with a free middle that is seen on any picture."""
    for colour, width in (("#101418", 4.0), ("#ffffff", 1.6)):
        painter.setPen(QPen(QColor(colour), width))
        for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            painter.drawLine(place + QPointF(gap * x, gap * y), place + QPointF(arm * x, arm * y))
