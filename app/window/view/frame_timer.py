"""The timer of the window: at the screen's rate if a frame takes little of it, else thirty times a second.

Between two frames one task of the queue runs in its own turn of the event loop: a key waits for one task at most.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from time import perf_counter

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QScreen, QWindow

from app.window.view.view import View

Task = Callable[[], object]


class TaskQueue:
    """Tasks that run one by one between frames, in order of arrival; each waits once."""

    def __init__(self) -> None:
        self._tasks: deque[Task] = deque()

    def add(self, task: Task) -> None:
        """Add a task, unless it waits already."""
        if task not in self._tasks:
            self._tasks.append(task)

    def take(self) -> Task | None:
        """Remove and return the first task, or None."""
        return self._tasks.popleft() if self._tasks else None


FRAME = 33  # [ms] between two frames, unless the screen's rate can be followed
FIRST = 10  # [ms] until the first picture
SHARE = 0.5  # share of the screen's period that a frame may take
FRAMES = 9  # frames of which the median is used
REST = 0.5  # [s] without a new picture until the timer slows down


def interval(rate: float, cost: float) -> int:
    """The interval [ms] of frames that cost some time [s], on a screen with a rate [Hz]."""
    period = 1000.0 / rate if rate > 0.0 else FRAME
    return min(int(period), FRAME) if 1000.0 * cost <= SHARE * period else FRAME


class FrameTimer(QTimer):
    """A timer that calls ``frame``, at an interval by the costs of the frame and of the view's picture.

    Qt draws a frame's picture, and lays out the changes of a task, in the next turn of the event loop, which is left
    free.
    """

    def __init__(self, parent: QObject, frame: Task, view: View, tasks: TaskQueue) -> None:
        super().__init__(parent, interval=FIRST, timerType=Qt.TimerType.PreciseTimer)
        self._show_frame, self._view, self._tasks = frame, view, tasks
        self._rate = 0.0  # [Hz] of the screen
        self._costs: deque[float] = deque(maxlen=FRAMES)
        self._pictures, self._changed = 0, 0.0
        self._between: deque[Task] = deque()  # turns of the event loop before the next frame
        self._due = 0.0  # time of the next frame, if there are turns
        self.timeout.connect(self._turn)

    def follow(self, window: QWindow) -> None:
        """Start, and follow the rate of the window's screen; may be called again."""
        self._take_rate(window.screen())
        if not window.property("followed"):
            window.setProperty("followed", True)
            window.screenChanged.connect(self._take_rate)
        self.start()

    def _take_rate(self, screen: QScreen | None) -> None:
        self._rate = 0.0 if screen is None else screen.refreshRate()

    def _turn(self) -> None:
        if self._between:
            self._between.popleft()()
            if not self._between:
                self.setInterval(max(0, int(1000.0 * (self._due - perf_counter()))))
            return
        began = perf_counter()
        self._show_frame()
        wanted = self._wanted(began)
        if task := self._tasks.take():
            self._between += (_rest, task, _rest)
            self._due, wanted = began + 0.001 * wanted, 0
        if wanted != self.interval():
            self.setInterval(wanted)

    def _wanted(self, began: float) -> int:
        """The interval [ms] after a frame that began at a time [s] and is complete."""
        now = perf_counter()
        pictures, cost = self._view.drawing
        if pictures != self._pictures:
            self._pictures, self._changed = pictures, now
            self._costs.append(now - began + cost)
        known = len(self._costs) == FRAMES and now - self._changed < REST
        usual = FRAME if pictures else FIRST
        return interval(self._rate, sorted(self._costs)[FRAMES // 2]) if known else usual


def _rest() -> None:
    """A free turn for Qt."""
