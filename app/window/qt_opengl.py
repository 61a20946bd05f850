"""OpenGL in Qt: its renderer, and windows prepared for it."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication, QOffscreenSurface, QOpenGLContext, QSurfaceFormat
from PySide6.QtWidgets import QWidget

from app.system.opengl import is_software

# on which OpenGL widgets draw. Not Wayland, where pyvistaqt needs its format before the first window, and Polhode's
# window appears before the renderer is known
PLATFORMS = ("xcb", "windows", "cocoa")
_GL_RENDERER = 0x1F01


def renderer() -> str:
    """The name of the renderer of OpenGL widgets, which may differ from VTK's; "" if there is none."""
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
    """Prepare a hidden window for an interactor, if one is expected.

    Else Qt closes it and opens it again for its first OpenGL widget.
    asked : "interactor", "picture" or None, as at the command line; before : it was an interactor last time
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
    from PySide6.QtOpenGLWidgets import QOpenGLWidget  # here: rarely needed

    QOpenGLWidget(window).hide()
