"""A dialog that shows what a thread of its own measures: what the order panel, report cards and the ranking share."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterable
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QSize, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QPixmap
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLayout,
    QProgressBar,
    QPushButton,
    QTableWidget,
    QVBoxLayout,
    QWidget,
)

from app.system.errors import in_words
from app.system.language import tr, translated
from app.theme import Theme
from app.window.widgets import Explanation, dim, filled, make, push, save_dialog
from physics import PhysicsError, Scenario, ScenarioError
from physics.core.cancellation import GivenUp, check_wanted, until
from physics.io.trajectory_writers import check_unread
from physics.scenario.fingerprints import files_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

T = TypeVar("T")
EDGE, BAR = 16, 12  # [pixels] beside what is shown, and of a scroll bar
Progress = Callable[[float], None]  # called with the share that is done


def columns_width(table: QTableWidget) -> int:
    """Width at which a table shows all its columns [pixels]."""
    header = table.horizontalHeader()
    return sum(max(header.sectionSizeHint(i), table.sizeHintForColumn(i)) for i in range(table.columnCount()))


class Measurement(QDialog):
    """Measures one thing at a time; another one, or closing, gives it up soon.

    A run of one scheme, or a kernel that compiles, is not waited for: ``worker`` may outlive the dialog for so long.
    """

    explained = Signal(str)  # the page of the help to open

    def __init__(self, title: str, size: QSize, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        screen = self.screen().availableGeometry()
        self.resize(min(size.width(), screen.width() - 40), min(size.height(), screen.height() - 60))
        self.theme = theme
        self.note = dim()
        self.busy = make(QProgressBar, maximum=100, textVisible=False, accessibleName=tr("Measuring"), visible=False)
        self.word = Explanation()
        self.close_button = push(tr("Close"), self.close, default=True)
        self._jobs: queue.SimpleQueue[tuple[int, Callable[[], None]] | None] = queue.SimpleQueue()
        self._news: queue.SimpleQueue[tuple[int, Callable[[], None]]] = queue.SimpleQueue()
        self._number = 0  # of the job that is waited for; read by the worker
        self._timer = QTimer(self, interval=50)
        self._timer.timeout.connect(self.look)
        self.worker = threading.Thread(target=self._work, name=title, daemon=True)
        self.worker.start()

    def help_for(self, page: str) -> QPushButton:
        """A button that opens a page of the help."""
        return push(tr("What it means"), lambda: self.explained.emit(page), autoDefault=False)

    def arrange(self, *parts: QWidget | QLayout, tall: QWidget | QLayout, buttons: tuple[QPushButton, ...]) -> None:
        """The parts from top to bottom, one of them ``tall``; below them the progress, and the buttons, Close last."""
        foot = filled(QHBoxLayout(), (self.busy, 1), (self.word, 1), 1, *buttons, self.close_button)
        stretched = ((part, int(part is tall)) for part in (*parts, foot))
        filled(QVBoxLayout(self), *stretched, margins=(EDGE, 14, EDGE, 14), spacing=10)

    def make_room(self, table: QTableWidget) -> None:
        """Become so wide that a table shows all its columns; on a narrower screen it scrolls."""
        header = table.horizontalHeader()
        wide, room = columns_width(table) + 2 * (EDGE + BAR), self.screen().availableGeometry().width() - 40
        header.setStretchLastSection(wide <= room)
        self.resize(max(self.width(), min(wide, room)), self.height())

    def picture_of(self, figure: Figure, dots: float) -> QPixmap:
        """Picture of a figure, with so many dots an inch, and more on a screen with finer ones."""
        file, picture, ratio = BytesIO(), QPixmap(), self.devicePixelRatioF()
        figure.savefig(file, format="png", dpi=dots * ratio)
        picture.loadFromData(file.getvalue())
        picture.setDevicePixelRatio(ratio)
        return picture

    # ---- what is measured --------------------------------------------------------------------------------

    def measure(self, found: Callable[[Progress], Iterable[T]], take: Callable[[T], None]) -> None:
        """Run ``found`` in the thread, in place of what runs there; ``take`` gets here one by one what it finds."""
        self.give_up()
        self.word.say("")
        self.busy.setValue(0)
        self.busy.show()
        self._jobs.put((self._number, partial(self._run, self._number, found, take)))
        self._timer.start()

    def give_up(self) -> None:
        """Wait no more for what is measured: it is done, or given up."""
        self._number += 1
        self._timer.stop()
        self.busy.hide()

    @property
    def measuring(self) -> bool:
        """True while a result is pending."""
        return self._timer.isActive()

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            number, run = job
            with until(lambda number=number: self._number != number):  # type: ignore[misc]
                run()

    def _run(self, number: int, found: Callable[[Progress], Iterable[T]], take: Callable[[T], None]) -> None:
        def tell(news: Callable[[], None]) -> None:
            check_wanted()
            self._news.put((number, news))

        try:
            for one in found(lambda share: tell(partial(self.busy.setValue, round(100 * share)))):
                tell(partial(take, one))
            tell(self.give_up)
        except GivenUp:
            return
        except Exception as error:  # noqa: BLE001 - reported in a sentence
            self._news.put((number, partial(self.fail, translated(in_words(error, tr("the measurement failed"))))))

    def look(self) -> None:
        """Take what was measured since the last look."""
        while not self._news.empty():
            number, news = self._news.get()
            if number == self._number:
                news()

    def fail(self, wrong: str) -> None:
        """Say what went wrong with what was measured."""
        self.give_up()
        self.word.say(wrong)

    # ---- saving and closing ------------------------------------------------------------------------------

    def save_as(
        self, title: str, proposed: str, kinds: str, write: Callable[[Path], None], of: Scenario | None = None
    ) -> None:
        """Ask for a place, and save there what is shown, over no file that a scenario reads; see save_dialog."""
        path = save_dialog(self, title, proposed, kinds)
        if path is None:
            return
        try:
            check_unread(path, () if of is None else files_of(of))
            write(path)
        except (PhysicsError, ScenarioError) as error:
            self.word.say(error)
        else:
            self.word.say("")
            self.note.setText(tr("Saved: {path}").format(path=path))

    def closeEvent(self, event: QCloseEvent) -> None:
        """End the measurement and the thread."""
        self._end()
        super().closeEvent(event)

    def done(self, result: int) -> None:
        """The same with Esc, which closes without that event."""
        self._end()
        super().done(result)

    def _end(self) -> None:
        self.give_up()
        self._jobs.put(None)
