"""Which 3D widget: pyvistaqt's interactor where a graphics card draws, a picture where OpenGL is software."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication, QOffscreenSurface, QOpenGLContext
from PySide6.QtWidgets import QWidget

from app.stage.plotter import frame_time, is_software
from app.window.view.picture_viewport import PictureViewport
from app.window.view.viewport import Viewport

QUICK = 0.008  # [s] at most of ``frame_time``: half of the time between two pictures of a screen of 60 Hz
# Qt's platforms with native windows within windows. Not Wayland: there pyvistaqt wants its format of OpenGL before the
# first window is made, and Polhode's is there before VTK is loaded
PLATFORMS = ("xcb", "windows", "cocoa")
GL_RENDERER = 0x1F01
NO_INTERACTOR = "--view interactor: Qt has no OpenGL for widgets on this display; the view is drawn as a picture"


def chosen(platform: str, renderer: str, seconds: float) -> str:
    """ "interactor" or "picture".

    platform : Qt's name of it
    renderer : the name of what draws by OpenGL in Qt, "" where nothing does
    seconds : that a picture took, as ``frame_time`` tells: a card at the other end of a network, or software that is
        not known by its name, is found by it
    """
    hardware = platform in PLATFORMS and renderer and not is_software(renderer) and seconds <= QUICK
    return "interactor" if hardware else "picture"


def make_viewport(parent: QWidget, asked: str | None) -> Viewport:
    """The 3D widget, as it is asked for or, with None, as ``chosen``; a picture where there can be no interactor.

    Raises PhysicsError where nothing can be drawn.
    """
    if asked == "interactor" and QGuiApplication.platformName() in PLATFORMS and renderer_of_qt():
        return _interactor(parent)
    picture = PictureViewport(parent)
    if asked is not None or is_software(picture.render_window.ReportCapabilities()):
        return picture
    if chosen(QGuiApplication.platformName(), renderer_of_qt(), frame_time(picture.plotter)) == "picture":
        return picture
    picture.close_plotter()
    picture.deleteLater()
    return _interactor(parent)


def renderer_of_qt() -> str:
    """The name of what draws in OpenGL widgets of Qt, not always what VTK draws with; "" where nothing does."""
    surface, context = QOffscreenSurface(), QOpenGLContext()
    surface.create()
    if not (surface.isValid() and context.create() and context.makeCurrent(surface)):
        return ""
    name = str(context.functions().glGetString(GL_RENDERER))
    context.doneCurrent()
    return name


def _interactor(parent: QWidget) -> Viewport:
    from app.window.view.interactor_viewport import InteractorViewport  # here: it takes 0.2 s to load

    return InteractorViewport(parent)
