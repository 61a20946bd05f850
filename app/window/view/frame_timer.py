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
    """Tasks in the order in which they came; one that waits already is not added again."""

    def __init__(self) -> None:
        self._tasks: deque[Task] = deque()

    def add(self, task: Task) -> None:
        """Have a task done soon."""
        if task not in self._tasks:
            self._tasks.append(task)

    def take(self) -> Task | None:
        """The task that has waited longest, which waits no longer; None where none waits."""
        return self._tasks.popleft() if self._tasks else None


FRAME = 33  # [ms] between two frames, unless the screen's rate can be followed
FIRST = 10  # [ms] until there is a picture: what has been loaded is shown at once
SHARE = 0.5  # of the time between two pictures of the screen that a frame may take: the rest is for all else
FRAMES = 9  # whose median counts
REST = 0.5  # [s] without a new picture after which the timer goes slowly


def interval(rate: float, cost: float) -> int:
    """The time [ms] between two frames for a screen of a rate [Hz], where a frame costs so much [s]."""
    period = 1000.0 / rate if rate > 0.0 else FRAME
    return min(int(period), FRAME) if 1000.0 * cost <= SHARE * period else FRAME


class FrameTimer(QTimer):
    """Calls what makes a frame, and adds to the time that this takes what the view's picture costs.

    A frame's picture is drawn, and what a task has changed is laid out, in the turn after it, which is left to that.
    """

    def __init__(self, parent: QObject, frame: Task, view: View, tasks: TaskQueue) -> None:
        super().__init__(parent, interval=FIRST, timerType=Qt.TimerType.PreciseTimer)
        self._show_frame, self._view, self._tasks = frame, view, tasks
        self._rate = 0.0  # [Hz] of the screen
        self._costs: deque[float] = deque(maxlen=FRAMES)
        self._pictures, self._changed = 0, 0.0
        self._between: deque[Task] = deque()  # turns before the next frame
        self._due = 0.0  # when that is wanted, where there are any
        self.timeout.connect(self._turn)

    def follow(self, window: QWindow) -> None:
        """Follow the rate of the screen that a window is on, and begin; as often as it is shown."""
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
        """The time [ms] between the frame that began at a time [s], and is done, and the next one."""
        now = perf_counter()
        pictures, cost = self._view.drawing
        if pictures != self._pictures:
            self._pictures, self._changed = pictures, now
            self._costs.append(now - began + cost)
        known = len(self._costs) == FRAMES and now - self._changed < REST
        usual = FRAME if pictures else FIRST
        return interval(self._rate, sorted(self._costs)[FRAMES // 2]) if known else usual


def _rest() -> None:
    """A turn for what Qt itself has to do."""
