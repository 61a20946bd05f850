"""Choice of the 3D widget: pyvistaqt's interactor for graphics cards, a picture for software OpenGL."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from app.stage.plotter import frame_time
from app.system.opengl import is_software
from app.window.qt_opengl import renderer
from app.window.view.viewport import PictureViewport, Viewport

QUICK = 0.008  # [s] of ``frame_time`` at most: half a period of 60 Hz
NO_INTERACTOR = "--view interactor: Qt has no OpenGL for widgets on this display; the view is drawn as a picture"


def chosen(name: str, seconds: float) -> str:
    """The kind of the widget, "interactor" or "picture".

    name : of the renderer of OpenGL widgets, "" if there is none
    seconds : cost of a picture by ``frame_time``, which is high for remote cards and for unknown software renderers
    """
    return "interactor" if name and not is_software(name) and seconds <= QUICK else "picture"


def make_viewport(parent: QWidget, asked: str | None) -> Viewport:
    """The 3D widget of the requested kind or, with None, as ``chosen``; a picture if there can be no interactor.

    Raises PhysicsError if nothing can be drawn.
    """
    if asked == "interactor" and renderer():
        return _interactor(parent)
    picture = PictureViewport(parent)
    if asked is not None or is_software(picture.render_window.ReportCapabilities()):
        return picture
    seconds = frame_time(picture.plotter)
    picture.render_window.ReleaseCurrent()  # VTK by EGL and Qt by GLX cannot draw at the same time
    if chosen(renderer(), seconds) == "picture":
        return picture
    picture.close_plotter()
    picture.deleteLater()
    return _interactor(parent)


def _interactor(parent: QWidget) -> Viewport:
    from app.window.view.interactor_viewport import InteractorViewport  # here: it takes 0.2 s to load

    active = parent.isActiveWindow()
    viewport = InteractorViewport(parent)
    if active:  # a window that Qt opens again for it, see qt_opengl.make_ready, loses the keyboard
        parent.activateWindow()
    return viewport
