"""The 3D widget for graphics cards: pyvistaqt's interactor, whose pictures stay on the card.

Imported only if it is used: pyvistaqt takes 0.2 s to load.
"""

from __future__ import annotations

import math
from time import perf_counter

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget
from pyvistaqt import QtInteractor
from vtkmodules.vtkCommonCore import vtkCommand

from app.stage.plotter import SETTINGS
from app.window.view.viewport import Viewport

TIMED = 16  # one of so many pictures is timed, which waits for the card
GAP = 0.008  # [s] at least between two compositions: half a period of 60 Hz


class Composition(QObject):
    """A filter that has Qt compose a window once for all changes within GAP.

    Changes of a frame reach Qt in several turns of the event loop, after each of which it would compose the whole
    window: with four lanes six to seven times a picture, which limited an H200 to 15 pictures a second.
    """

    def __init__(self, window: QWidget, parent: QObject) -> None:
        super().__init__(parent)
        self._window, self._composing = window, False
        self._ended = -math.inf  # end of the last composition
        self._later = QTimer(self, singleShot=True, timerType=Qt.TimerType.PreciseTimer)
        self._later.timeout.connect(self._compose)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Delay early requests; Qt makes no further request until one is done."""
        if event.type() != QEvent.Type.UpdateRequest or self._composing:
            return False
        left = self._ended + GAP - perf_counter()
        if left <= 0.0:
            self._compose()
        elif not self._later.isActive():
            self._later.start(math.ceil(1000.0 * left))
        return True

    def _compose(self) -> None:
        self._composing = True
        QCoreApplication.sendEvent(self._window, QEvent(QEvent.Type.UpdateRequest))
        self._composing, self._ended = False, perf_counter()


class InteractorViewport(Viewport):
    """A QtInteractor that only draws, below the widget that handles mouse and keys.

    Qt composes the whole main window by OpenGL then. A native window of its own would avoid that, but hide the
    palette, which is over the view.
    """

    kind = "interactor"

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        # auto_update 0: no timer that draws
        self._canvas = QtInteractor(self, auto_update=0.0, multi_samples=0, **SETTINGS)
        self._canvas.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._canvas.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._canvas.setAcceptDrops(False)  # the main window takes them
        self._began = 0.0
        self._composition = Composition(parent.window(), self)
        self._take(self._canvas)
        # else the QtInteractor would draw at each turn of a camera, which only requests pictures
        self.render_window.SetInteractor(None)  # type: ignore[arg-type] # VTK's stubs lack None
        self._tags = [
            self.render_window.AddObserver(vtkCommand.StartEvent, lambda *_: self._begin()),
            self.render_window.AddObserver(vtkCommand.EndEvent, lambda *_: self._end()),
        ]

    def draw(self) -> None:
        self._canvas.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the interactor the whole widget."""
        self._canvas.setGeometry(self.rect())
        super().resizeEvent(event)

    def close_plotter(self) -> None:
        for tag in self._tags:
            self.render_window.RemoveObserver(tag)
        super().close_plotter()

    def _begin(self) -> None:
        self._began = perf_counter()

    def _end(self) -> None:
        if self.pictures % TIMED == 1:  # not the first: it compiles shaders
            self.render_window.WaitForCompletion()
            self.cost = perf_counter() - self._began
        self.pictures += 1
