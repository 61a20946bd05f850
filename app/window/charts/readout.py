"""The readout of a chart: the values of its lanes under the cursor, each in the colour of its lane."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QSize
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

Cell = tuple[str, str]  # a text and its colour


class Readout(QWidget):
    """Cells in rows and columns, painted anew while the clock runs: a label of HTML takes 1.3 ms a text, these 0.1."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.rows: list[list[Cell]] = []
        self._lefts: list[float] = []
        self._fit()

    def show_rows(self, rows: list[list[Cell]], rights: list[float]) -> None:
        """Show other cells; rights : where each column ends [pixels], but for the last cell of a row."""
        lefts = [0.0, *rights]
        if (rows, lefts) == (self.rows, self._lefts):
            return
        self.rows, self._lefts = rows, lefts
        self.setAccessibleName(self.text())
        self._fit()
        self.update()

    def text(self) -> str:
        """What is read, a line each row."""
        return "\n".join("  ".join(text for text, _ in row) for row in self.rows)

    def sizeHint(self) -> QSize:
        """The room that its texts take."""
        metrics = QFontMetricsF(self.font())
        ends = [left + metrics.horizontalAdvance(text) for row in self.rows for left, (text, _) in self._placed(row)]
        return QSize(math.ceil(max(ends, default=0.0)), self.minimumHeight())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Write all cells."""
        metrics = QFontMetricsF(self.font())
        with QPainter(self) as painter:
            for number, row in enumerate(self.rows):
                for left, (text, colour) in self._placed(row):
                    painter.setPen(QColor(colour))
                    painter.drawText(QPointF(left, number * metrics.lineSpacing() + metrics.ascent()), text)

    def _placed(self, row: list[Cell]) -> list[tuple[float, Cell]]:
        return list(zip(self._lefts, row, strict=False))

    def _fit(self) -> None:
        high = math.ceil(max(len(self.rows), 1) * QFontMetricsF(self.font()).lineSpacing())
        if high != self.minimumHeight():
            self.setFixedHeight(high)
