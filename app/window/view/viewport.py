"""The 3D widget: what turns its cameras with the mouse, and its picture where OpenGL is software.

Imported in the background at the start: PyVista takes a second to load.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal, SignalInstance
from PySide6.QtGui import (
    QEnterEvent,
    QImage,
    QInputEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget
from pyvista import BasePlotter
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkCommand, vtkUnsignedCharArray
from vtkmodules.vtkInteractionStyle import vtkInteractorStyleTerrain
from vtkmodules.vtkRenderingCore import vtkRenderWindow
from vtkmodules.vtkRenderingUI import vtkGenericRenderWindowInteractor

from app.stage.overlays.drag_handles import projected
from app.stage.plotter import BLIND, SAMPLES, offscreen, smooth_if_hardware
from app.system.language import tr
from app.window.style import draw_cross
from app.window.widgets import DrawingOverlay
from physics import PhysicsError

_BUTTONS = {
    Qt.MouseButton.LeftButton: "LeftButton",
    Qt.MouseButton.MiddleButton: "MiddleButton",
    Qt.MouseButton.RightButton: "RightButton",
}
TILT = math.radians(1.01)  # angle from straight down, at which VTK's style for terrains begins to turn a camera
STILL = 4  # pixels that the pointer may move in a click
ARROWS = {Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Up: (0, -1), Qt.Key.Key_Down: (0, 1)}
TAKING = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)


class Viewport(QWidget):
    """Base of the 3D widgets: turns cameras with the mouse, and picks places on the ground.

    A subclass makes the plotter, passes it to ``_take``, and has ``draw``.
    kind : "picture" or "interactor"
    """

    kind: str
    resized = Signal()
    clicked = Signal(float, float)  # pixels of the picture from its upper left corner
    aimed = Signal(float, float)  # the same, while a place is picked
    failed = Signal(str)  # why no picture can be drawn any more

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, accessibleName=tr("3D view"), focusPolicy=Qt.FocusPolicy.ClickFocus)
        self.setMouseTracking(True)
        self.touched = False  # the user has moved the camera
        self.pictures = 0  # number rendered so far
        self.cost = 0.0  # [s] of a recent picture
        self._held = ""  # VTK's name of the pressed button
        self._pressed = QPointF()
        self.aim: QPointF | None = None  # the cross, while a place is picked
        self._pixels = vtkUnsignedCharArray()

    def _take(self, plotter: BasePlotter) -> None:
        """Set the plotter to draw with."""
        self.plotter = plotter
        smooth_if_hardware(plotter)
        self._interactor = vtkGenericRenderWindowInteractor()
        self._interactor.SetRenderWindow(self.render_window)
        # the terrain style keeps z up
        self._interactor.SetInteractorStyle(vtkInteractorStyleTerrain())
        self._interactor.EnableRenderOff()  # requests for pictures become events
        self._request_tag = self._interactor.AddObserver(vtkCommand.RenderEvent, lambda *_: self.draw())
        self._interactor.Initialize()
        self._cross = DrawingOverlay(self, self._paint_cross)
        self._cross.hide()

    def draw(self) -> None:
        """Draw a picture at the next opportunity."""
        raise NotImplementedError

    @property
    def render_window(self) -> vtkRenderWindow:
        """VTK's window, until it is closed."""
        window: vtkRenderWindow | None = self.plotter.render_window
        assert window is not None
        return window

    @property
    def held(self) -> bool:
        """True while the user moves the camera."""
        return bool(self._held)

    def pixels(self, points: np.ndarray) -> list[QPointF]:
        """Points (n, 3) [m] in coordinates of the widget, where the first view shows them."""
        found = projected(self.plotter.renderers[0], points) / self.devicePixelRatioF()
        return [QPointF(x, self.height() - y) for x, y, _ in found.tolist()]

    def close_plotter(self) -> None:
        """Free what VTK holds."""
        self._interactor.RemoveObserver(self._request_tag)
        self._interactor.SetInteractorStyle(None)  # type: ignore[arg-type] # VTK's stubs lack None
        self._interactor.SetRenderWindow(None)  # type: ignore[arg-type]
        self.plotter.close()

    # ---- drawing ---------------------------------------------------------------------------------------

    def fit_size(self) -> None:
        """Give the plotter the widget's size in device pixels."""
        size = self.size() * self.devicePixelRatioF()
        self._interactor.UpdateSize(max(1, size.width()), max(1, size.height()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Follow the new size."""
        super().resizeEvent(event)
        self.fit_size()
        self.resized.emit()
        self.draw()

    def _drawn(self, wide: int, high: int) -> bool:
        """Draw; True if all pixels of the picture could be read."""
        window = self.render_window
        window.Render()
        read = window.GetRGBACharPixelData(0, 0, wide - 1, high - 1, 0, self._pixels, 0)
        return bool(read) and self._pixels.GetNumberOfTuples() == wide * high

    @contextmanager
    def posing(self, larger: float) -> Iterator[Callable[[], np.ndarray]]:
        """Context of an enlarged view with smooth edges; yields a function that draws a picture (height, width, 3)."""
        window = self.render_window
        size, samples = window.GetSize(), window.GetMultiSamples()
        if not any(renderer.GetPass() for renderer in self.plotter.renderers):  # with occlusion, see app.stage.plotter
            window.SetMultiSamples(SAMPLES)
        self._interactor.UpdateSize(*(round(larger * side) for side in size))

        def shoot() -> np.ndarray:
            wide, high = window.GetSize()
            if not self._drawn(wide, high):
                raise PhysicsError(BLIND)
            rows = vtk_to_numpy(self._pixels).reshape(high, wide, 4)
            return np.ascontiguousarray(rows[::-1, :, :3])

        try:
            yield shoot
        finally:
            window.SetMultiSamples(samples)
            self._interactor.UpdateSize(*size)

    # ---- picking of a place ----------------------------------------------------------------------------

    def ask_place(self, first: tuple[float, float] | None) -> None:
        """Show a cross to move by mouse and arrows, at first at a pixel of the picture; None: hide it.

        A click, Return or the space bar picks the place.
        """
        self.aim = None if first is None else QPointF(*first) / self.devicePixelRatioF()
        if self.aim is not None:
            self.setFocus()
            self.setCursor(Qt.CursorShape.CrossCursor)
        else:
            self.unsetCursor()
        self._cross.setVisible(self.aim is not None)
        self._cross.update()

    def _paint_cross(self, painter: QPainter) -> None:
        if self.aim is not None:
            draw_cross(painter, self.aim)

    def event(self, event: QEvent) -> bool:
        """Handle the keys of the cross before shortcuts do."""
        if isinstance(event, QKeyEvent) and self.aim is not None and event.key() in (*ARROWS, *TAKING):
            if event.type() == QEvent.Type.ShortcutOverride:
                event.accept()
                return True
            if event.type() == QEvent.Type.KeyPress:
                self._move_cross(event)
                return True
        return super().event(event)

    def _move_cross(self, event: QKeyEvent) -> None:
        assert self.aim is not None
        if event.key() in TAKING:
            self._emit_place(self.aimed, self.aim)
            return
        x, y = ARROWS[Qt.Key(event.key())]
        far = 1.0 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 12.0
        moved = self.aim + QPointF(far * x, far * y)
        self.aim = QPointF(min(max(moved.x(), 0.0), self.width() - 1.0), min(max(moved.y(), 0.0), self.height() - 1.0))
        self._cross.update()

    def _emit_place(self, signal: SignalInstance, position: QPointF) -> None:
        ratio = self.devicePixelRatioF()
        signal.emit(position.x() * ratio, position.y() * ratio)

    # ---- the mouse turns the camera --------------------------------------------------------------------

    def _update_pointer(self, event: QInputEvent, position: QPointF) -> None:
        keys, ratio = event.modifiers(), self.devicePixelRatioF()
        x, y = position.x() * ratio, (self.height() - position.y() - 1) * ratio
        control = bool(keys & Qt.KeyboardModifier.ControlModifier)
        shift = bool(keys & Qt.KeyboardModifier.ShiftModifier)
        self._interactor.SetEventInformation(round(x), round(y), control, shift)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Start to turn (left), move (middle, or left with shift) or zoom (right)."""
        self._update_pointer(event, event.position())
        self._pressed = event.position()
        if event.button() in _BUTTONS and not self._held:
            shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self._held = "MiddleButton" if shift else _BUTTONS[event.button()]
            self._interactor.InvokeEvent(f"{self._held}PressEvent")

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Release the camera."""
        self._update_pointer(event, event.position())
        if self._held:
            self._interactor.InvokeEvent(f"{self._held}ReleaseEvent")
            self._held = ""
        moved = (event.position() - self._pressed).manhattanLength()
        if event.button() == Qt.MouseButton.LeftButton and moved <= STILL:
            self._emit_place(self.clicked if self.aim is None else self.aimed, event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Turn, move or zoom."""
        self._update_pointer(event, event.position())
        if self._held and (event.position() - self._pressed).manhattanLength() > STILL:
            if self._held == "LeftButton":
                self._tilt()
            self.touched = True  # not by a click, which picks a place or a rock
        if self.aim is not None:
            self.aim = event.position()
            self._cross.update()
        self._interactor.InvokeEvent("MouseMoveEvent")

    def _tilt(self) -> None:
        """Tilt a camera that looks straight down just enough for VTK to turn it."""
        camera = self._interactor.FindPokedRenderer(*self._interactor.GetEventPosition()).GetActiveCamera()
        focus = np.array(camera.GetFocalPoint())
        arm = np.array(camera.GetPosition()) - focus
        far, aside = float(np.linalg.norm(arm)), float(np.hypot(arm[0], arm[1]))
        if 0.0 < aside < far * math.sin(TILT):
            tilted = (*(math.sin(TILT) / aside * arm[:2]), math.copysign(math.cos(TILT), arm[2]))
            camera.SetPosition(*(focus + far * np.array(tilted)))

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom in or out."""
        self._update_pointer(event, event.position())
        steps = event.angleDelta().y() / 120.0
        if steps:
            self.touched = True
            renderer = self._interactor.FindPokedRenderer(*self._interactor.GetEventPosition())
            camera = renderer.GetActiveCamera()
            if camera.GetParallelProjection():
                camera.SetParallelScale(camera.GetParallelScale() / 1.1**steps)
            else:
                camera.Dolly(1.1**steps)
            renderer.ResetCameraClippingRange()
            self._interactor.GetInteractorStyle().InvokeEvent("InteractionEvent")
            self.draw()

    def enterEvent(self, event: QEnterEvent) -> None:
        """Pass the event to VTK."""
        self._update_pointer(event, event.position())
        self._interactor.InvokeEvent("EnterEvent")

    def leaveEvent(self, event: QEvent) -> None:
        """Pass the event to VTK."""
        self._interactor.InvokeEvent("LeaveEvent")


class PictureViewport(Viewport):
    """The widget for software OpenGL: pictures drawn without a window, and only on request.

    Raises PhysicsError if there is no OpenGL.
    """

    kind = "picture"

    def __init__(self, parent: QWidget) -> None:
        plotter = offscreen((64, 64), samples=0)  # before the widget: it fails if nothing can be drawn
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.image = QImage()
        self._stale = True
        self._take(plotter)

    def draw(self) -> None:
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
            window.Finalize()  # the driver has lost the context; the next picture makes another
            if not self._drawn(wide, high):
                self.failed.emit(BLIND)
                return
        self.pictures += 1
        rows = vtk_to_numpy(self._pixels).reshape(high, wide, 4)
        self._buffer = np.ascontiguousarray(rows[::-1])  # VTK's first row is the lowest one
        self.image = QImage(self._buffer.data, wide, high, 4 * wide, QImage.Format.Format_RGBX8888)
        self.cost = perf_counter() - began
