"""The 3D widget where a graphics card draws: pyvistaqt's interactor, whose pictures never leave the card.

Imported only where it is used: pyvistaqt and what it loads of Qt take 0.2 s.
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

TIMED = 16  # one of so many pictures is timed: for that the program waits until the card has drawn it
GAP = 0.008  # [s] at least between two compositions: half of the time between two pictures of a screen of 60 Hz


class Composition(QObject):
    """Has Qt compose a window by OpenGL once for all that changes within GAP.

    What a frame changes reaches Qt in several turns of the event loop, and Qt would compose the whole window after
    each: it copies what widgets have painted, takes it to the card, and may wait for the screen. With four lanes that
    was six to seven times a picture: an H200, which took 9 ms for one of 1280 x 720, showed 15 a second.
    """

    def __init__(self, window: QWidget, parent: QObject) -> None:
        super().__init__(parent)
        self._window, self._composing = window, False
        self._ended = -math.inf  # when the last one did
        self._later = QTimer(self, singleShot=True, timerType=Qt.TimerType.PreciseTimer)
        self._later.timeout.connect(self._compose)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Put off what Qt asks for too early; it asks for nothing more until that is done."""
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
    """A QtInteractor below what handles mouse and keys: it only draws, when it is asked to.

    Qt composes the whole main window by OpenGL then, whenever something in it changes. It is no native window of its
    own, which would spare that: palette and tour, which lie over the view, could not be seen.
    """

    kind = "interactor"

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        # 0: no timer that draws by itself
        self._canvas = QtInteractor(self, auto_update=0.0, multi_samples=0, **SETTINGS)
        self._canvas.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._canvas.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._canvas.setAcceptDrops(False)  # the main window takes them
        self._began = 0.0
        self._composition = Composition(parent.window(), self)
        self._take(self._canvas)
        # else the QtInteractor would draw by what turns the cameras, which only asks for pictures
        self.render_window.SetInteractor(None)  # type: ignore[arg-type] # VTK's types do not tell that it may be None
        self._tags = [
            self.render_window.AddObserver(vtkCommand.StartEvent, lambda *_: self._begin()),
            self.render_window.AddObserver(vtkCommand.EndEvent, lambda *_: self._end()),
        ]

    def draw(self) -> None:
        """Draw a picture at the next opportunity."""
        self._canvas.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the interactor the whole widget."""
        self._canvas.setGeometry(self.rect())
        super().resizeEvent(event)

    def close_plotter(self) -> None:
        """Free what VTK holds."""
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
