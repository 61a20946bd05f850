"""Which 3D widget: pyvistaqt's interactor where a graphics card draws, a picture where OpenGL is software."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from app.stage.plotter import frame_time
from app.system.opengl import is_software
from app.window.qt_opengl import renderer
from app.window.view.viewport import PictureViewport, Viewport

QUICK = 0.008  # [s] at most of ``frame_time``: half of the time between two pictures of a screen of 60 Hz
NO_INTERACTOR = "--view interactor: Qt has no OpenGL for widgets on this display; the view is drawn as a picture"


def chosen(name: str, seconds: float) -> str:
    """Which of the two, "interactor" or "picture".

    name : of what draws OpenGL widgets, "" where nothing does
    seconds : that a picture took, as ``frame_time`` tells: a card at the other end of a network, or software that is
        not known by its name, is found by it
    """
    return "interactor" if name and not is_software(name) and seconds <= QUICK else "picture"


def make_viewport(parent: QWidget, asked: str | None) -> Viewport:
    """The 3D widget, as it is asked for or, with None, as ``chosen``; a picture where there can be no interactor.

    Raises PhysicsError where nothing can be drawn.
    """
    if asked == "interactor" and renderer():
        return _interactor(parent)
    picture = PictureViewport(parent)
    if asked is not None or is_software(picture.render_window.ReportCapabilities()):
        return picture
    seconds = frame_time(picture.plotter)
    picture.render_window.ReleaseCurrent()  # where VTK draws by EGL and Qt by GLX, only one of them can draw at a time
    if chosen(renderer(), seconds) == "picture":
        return picture
    picture.close_plotter()
    picture.deleteLater()
    return _interactor(parent)


def _interactor(parent: QWidget) -> Viewport:
    from app.window.view.interactor_viewport import InteractorViewport  # here: it takes 0.2 s to load

    active = parent.isActiveWindow()
    viewport = InteractorViewport(parent)
    if active:  # a window that Qt opens anew for it, see qt_opengl.make_ready, has lost the keyboard
        parent.activateWindow()
    return viewport
