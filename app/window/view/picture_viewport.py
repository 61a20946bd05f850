"""The 3D widget where OpenGL is software: a picture, drawn without a window."""

from __future__ import annotations

from time import perf_counter

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget
from vtkmodules.util.numpy_support import vtk_to_numpy

from app.stage.plotter import BLIND, offscreen
from app.window.view.viewport import Viewport


class PictureViewport(Viewport):
    """A plotter without a window, shown as a picture.

    It is drawn once, and only when something asked for it; the window stays plain Qt.
    Raises PhysicsError where there is no OpenGL.
    """

    kind = "picture"

    def __init__(self, parent: QWidget) -> None:
        plotter = offscreen((64, 64), samples=0)  # first: where nothing can be drawn there is no widget either
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.image = QImage()
        self._stale = True
        self._take(plotter)

    def draw(self) -> None:
        """Draw a picture at the next opportunity."""
        self._stale = True
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Show the picture; render it first if it is out of date."""
        if self._stale and self.plotter.render_window is not None:  # None when it is closed
            self._stale = False
            self._render()
        with QPainter(self) as painter:
            painter.drawImage(QRectF(self.rect()), self.image)

    def _render(self) -> None:
        began = perf_counter()
        window = self.render_window
        wide, high = window.GetSize()
        if not self._drawn(wide, high):
            window.Finalize()  # the driver has lost the context: the next picture makes another
            if not self._drawn(wide, high):
                self.failed.emit(BLIND)
                return
        self.pictures += 1
        rows = vtk_to_numpy(self._pixels).reshape(high, wide, 4)
        self._buffer = np.ascontiguousarray(rows[::-1])  # VTK's first row is the lowest one
        self.image = QImage(self._buffer.data, wide, high, 4 * wide, QImage.Format.Format_RGBX8888)
        self.cost = perf_counter() - began
