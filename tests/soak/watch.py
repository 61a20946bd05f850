"""Watch: what must not happen in a window, whoever uses it: exceptions, warnings, stalls, texts for programmers."""

from __future__ import annotations

import re
import sys
import threading
import time
import traceback
from collections import deque
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from PySide6.QtCore import QMessageLogContext, QSize, QtMsgType, qInstallMessageHandler
from PySide6.QtWidgets import QApplication, QLabel, QWidget

SLOW = 60.0  # [s] in which a window answers, however busy a machine
SMALLEST = QSize(1024, 700)  # of a screen that the program is made for
MEMORY = 6000.0  # [MB] that it may hold
LAST = 20  # deeds that are told with a fault
FOLDERS = re.compile(r"(?:/[^/\s]+)*/")
LONGEST = 520  # letters of an explanation, without the folders of files; 400 of them may be a name that was typed
FOR_PROGRAMMERS = re.compile(
    r"Traceback|\b[A-Z]\w+(Error|Exception|Warning)\b|object at 0x|<class|\bNone\b|NoneType|\w\.py\b|[Ee]rrno|\n"
)

TESTING = "Keyboard event not accepted by receiving widget"  # QTest says so of a key that means nothing there


class Watch:
    """Collects ``faults``, and what the program has ``said``; with it, nothing is printed that would else be."""

    def __init__(self, log: IO[str] | None = None) -> None:
        self.faults: list[str] = []
        self.deeds: deque[str] = deque(maxlen=LAST)
        self.said: set[str] = set()
        self.longest = 0.0  # [s] between two looks
        self.log, self._beat = log, time.monotonic()
        self._beaten, self._over = threading.Event(), False

    def __enter__(self) -> Watch:
        from vtkmodules.vtkCommonCore import vtkOutputWindow, vtkStringOutputWindow

        self._hooks = sys.excepthook, threading.excepthook, sys.unraisablehook
        sys.excepthook = self._raised
        threading.excepthook = lambda told: self._raised(told.exc_type, told.exc_value, told.exc_traceback)
        sys.unraisablehook = lambda told: self._raised(told.exc_type, told.exc_value, told.exc_traceback)
        self._handler = qInstallMessageHandler(self._printed)
        self._window, self._words = vtkOutputWindow.GetInstance(), vtkStringOutputWindow()
        vtkOutputWindow.SetInstance(self._words)
        self._beat = time.monotonic()
        if self.log is not None:
            threading.Thread(target=self._wait, name="watch", daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        from vtkmodules.vtkCommonCore import vtkOutputWindow

        sys.excepthook, threading.excepthook, sys.unraisablehook = self._hooks
        qInstallMessageHandler(self._handler)
        vtkOutputWindow.SetInstance(self._window)
        self._over = True
        self._beaten.set()

    def note(self, deed: str) -> None:
        """Note a deed."""
        self.deeds.append(deed)
        if self.log is not None:
            print(deed, file=self.log, flush=True)

    def blame(self, fault: str) -> None:
        """Something must not be."""
        self.faults.append(fault)
        if self.log is not None:
            print(f"FAULT {fault}", file=self.log, flush=True)

    def _raised(self, kind: type[BaseException], error: BaseException | None, trace: TracebackType | None) -> None:
        self.blame("".join(traceback.format_exception(kind, error, trace)))

    def _printed(self, kind: QtMsgType, _: QMessageLogContext, text: str) -> None:
        if text != TESTING:
            self.blame(f"Qt says ({kind.name}): {text}")

    # ---- looks -----------------------------------------------------------------------------------------

    def beat(self) -> None:
        """The event loop turns."""
        now = time.monotonic()
        gone, self._beat = now - self._beat, now
        self.longest = max(self.longest, gone)
        if gone > SLOW:
            self.blame(f"the window did not answer for {gone:.0f} s; the stacks are above")
        self._beaten.set()

    def _wait(self) -> None:
        """Write the stacks where the event loop stands still; by faulthandler, threads that run on may crash it."""
        while not self._over:
            if not self._beaten.wait(SLOW / 2):
                names = {thread.ident: thread.name for thread in threading.enumerate()}
                for ident, frame in sys._current_frames().items():
                    stack = "".join(traceback.format_stack(frame))
                    print(f"{names.get(ident, 'thread')} stands at:\n{stack}", file=self.log, flush=True)
            self._beaten.clear()

    def look(self) -> None:
        """Between two deeds: is all as it should be?"""
        if words := self._words.GetOutput():
            self._words.Initialize()
            self.blame(f"VTK says: {words}")
        for window in QApplication.topLevelWidgets():
            if window.isVisible():
                self._measure(window)
                for label in window.findChildren(QLabel):
                    if label.property("role") == "error" or label.parentWidget().objectName() == "message":
                        self._read(label)

    def rest(self) -> None:
        """What comes now takes long and is no matter of the window."""
        self._beat = time.monotonic()

    def weigh(self) -> None:
        """Does the process hold too much?"""
        status = Path("/proc/self/status").read_text()
        held = int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]) / 1024.0
        if held > MEMORY:
            self.blame(f"the process holds {held:.0f} MB")

    def _measure(self, window: QWidget) -> None:
        size, room = window.frameGeometry().size(), window.screen().availableSize().expandedTo(SMALLEST)
        if size.width() > room.width() or size.height() > room.height():
            self.blame(f"{_named(window)} of {_pair(size)} pixels does not fit a screen of {_pair(room)}")

    def _read(self, label: QLabel) -> None:
        if label.isVisible() and (text := label.text()) and text not in self.said:
            self.said.add(text)
            if FOR_PROGRAMMERS.search(text) or len(FOLDERS.sub("", text)) > LONGEST:
                self.blame(f"said to a user: {text!r:.1000}")


def _named(widget: QWidget) -> str:
    return f"{type(widget).__name__} '{widget.windowTitle()}'"


def _pair(size: Any) -> str:
    return f"{size.width()} x {size.height()}"
