"""OpenGL in Qt: what draws it, and a window that is made for it."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication, QOffscreenSurface, QOpenGLContext, QSurfaceFormat
from PySide6.QtWidgets import QWidget

from app.system.opengl import is_software

# with windows in which OpenGL widgets draw. Not Wayland: there pyvistaqt wants its format to be set before the first
# window is made, and Polhode's is there before it is known what draws
PLATFORMS = ("xcb", "windows", "cocoa")
_GL_RENDERER = 0x1F01


def renderer() -> str:
    """The name of what draws OpenGL widgets, which need not be what VTK draws with; "" where nothing does."""
    if QGuiApplication.platformName() not in PLATFORMS:
        return ""
    surface, context = QOffscreenSurface(), QOpenGLContext()
    surface.create()
    if not (surface.isValid() and context.create() and context.makeCurrent(surface)):
        return ""
    name = str(context.functions().glGetString(_GL_RENDERER))
    context.doneCurrent()
    return name


def make_ready(window: QWidget, asked: str | None, before: bool) -> None:
    """Make a window, which is not shown yet, ready for a view that is an interactor, if that is to be expected.

    Else Qt closes it and opens it again when the first OpenGL widget comes in.
    asked : "interactor", "picture" or None, as at the command line; before : whether it was an interactor last time
    """
    if asked == "picture" or not (asked or before):
        return
    name = renderer()
    if not name or (asked is None and is_software(name)):
        return
    wanted = QSurfaceFormat.defaultFormat()
    wanted.setRenderableType(QSurfaceFormat.RenderableType.OpenGL)
    wanted.setProfile(QSurfaceFormat.OpenGLContextProfile.CoreProfile)  # as pyvistaqt: contexts of one kind can share
    wanted.setVersion(3, 2)
    QSurfaceFormat.setDefaultFormat(wanted)
    from PySide6.QtOpenGLWidgets import QOpenGLWidget  # here: few windows need it

    QOpenGLWidget(window).hide()
