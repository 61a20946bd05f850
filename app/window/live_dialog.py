"""Dialog of a live sensor: its address, the body as it turns, and the tosses that have landed, each to be opened."""

from __future__ import annotations

import os
import time
from pathlib import Path

from PySide6.QtCore import QStandardPaths, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QHideEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QFileDialog,
    QFormLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.document.live import ENDED, Status, Toss, TossWatch
from app.system.language import tr, translated
from app.system.terminal import one_line
from app.window.labels import tip
from app.window.live_view import LiveView
from app.window.widgets import Explanation, across, dim, filled, make, push
from app.window.workspace import Workspace
from physics import ScenarioError

LOOK = 33  # [ms] between two pictures
SOON = 0.5  # [s] for which closing waits for the threads at most
MOST_LISTED = 200  # tosses; the logs of older ones stay


class LiveDialog(QDialog):
    """Dialog that reads a sensor while it is open."""

    landed = Signal(object)  # Toss, that has just landed, to be shown if nothing is in the way
    chosen = Signal(object)  # Toss, to be shown

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Live sensor"))
        self._workspace, self._then, self._told = workspace, 0.0, ""
        self._watch: TossWatch | None = None
        settings = workspace.settings
        self.address = make(
            QLineEdit, settings.sensor, accessibleName=tr("Address"), placeholderText="http://192.168.0.42:8080"
        )
        self.address.setToolTip(
            tr("The address that phyphox shows with 'Allow remote access', ws://HOST:PORT/PATH, or udp://HOST:PORT")
        )
        self.folder = make(QLineEdit, settings.tosses or str(_usual_folder()), accessibleName=tr("Folder of the logs"))
        self.start_button = push("", self._start_or_end, "primary", default=True)
        self.state, self.wrong = dim(name=tr("Status")), Explanation()
        self.view = LiveView(lambda: workspace.theme)
        self.tosses = make(QListWidget, accessibleName=tr("Tosses"))
        self.tosses.setWordWrap(True)
        self.tosses.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.open_each = make(QCheckBox, tr("Open each toss as it lands"), checked=True)
        self.open_button = push(tr("Open the toss"), self._choose, autoDefault=False, enabled=False)
        self._timer = QTimer(self, interval=LOOK)
        self._timer.timeout.connect(self._look)
        self.tosses.itemActivated.connect(self._choose)
        self.tosses.currentRowChanged.connect(lambda row: self.open_button.setEnabled(row >= 0))
        self._arrange()
        self._name_button()

    def _arrange(self) -> None:
        form = QFormLayout()
        form.addRow(tr("Address"), across(self.address, self.start_button))
        form.addRow(tr("Logs in"), across(self.folder, push(tr("Choose…"), self._choose_folder, autoDefault=False)))
        last = across(self.open_each, self.open_button, push(tr("Close"), self.close, autoDefault=False))
        parts = form, self.state, self.wrong, (self.view, 2), (self.tosses, 1), last
        filled(QVBoxLayout(self), *parts, margins=(20, 16, 20, 16), spacing=10)
        self.resize(560, 560)

    @property
    def reading(self) -> bool:
        """True while a sensor is read."""
        return self._watch is not None

    def _name_button(self) -> None:
        self.start_button.setText(tr("Stop") if self.reading else tr("Connect"))
        for line in (self.address, self.folder):
            line.setEnabled(not self.reading)

    def _choose_folder(self) -> None:
        name = QFileDialog.getExistingDirectory(self, tr("Folder of the logs"), self.folder.text())
        if name and not self.reading:
            self.folder.setText(name)

    def _start_or_end(self) -> None:
        if self.reading:
            self._end()
            self.state.setText(tr("Stopped."))
            return
        self.wrong.say()
        try:
            folder = Path(os.path.expanduser(self.folder.text().strip() or _usual_folder()))  # of nobody: as it stands
            watch = TossWatch(self.address.text(), folder)
        except ScenarioError as error:
            self.wrong.say(error)
            return
        self._workspace.settings.sensor, self._workspace.settings.tosses = self.address.text(), str(folder)
        self._watch, self._then = watch, time.perf_counter()
        self.view.forget()
        self.state.setText(tr("Looking for the sensor…"))
        watch.start()
        self._timer.start()
        self._name_button()

    def _look(self) -> None:
        """Show what has come of the sensor."""
        now = time.perf_counter()
        elapsed, self._then = now - self._then, now
        while self._watch is not None and (event := self._watch.next(0.0)) is not None:
            if isinstance(event, Toss):
                self._list(event)
            else:
                self._show(event)
        if self._watch is not None:
            self.view.take(self._watch.kept, elapsed)

    def _show(self, status: Status) -> None:
        if status.state == ENDED:
            self.wrong.say(status.error or status.text)
            self.state.setText("")
            self._end()
            return
        self._told = f"{one_line(translated(status.text))}."
        self.state.setText(self._told)

    def _list(self, toss: Toss) -> None:
        item = QListWidgetItem(one_line(toss.words))
        item.setData(Qt.ItemDataRole.UserRole, toss)
        item.setToolTip(tip(str(toss.file)))
        self.tosses.insertItem(0, item)
        self.tosses.setCurrentRow(0)
        if self.tosses.count() > MOST_LISTED:
            self.tosses.takeItem(MOST_LISTED)
        if toss.found is not None and toss.found.fitted:
            self.view.show_body(toss.found)
        if self.open_each.isChecked():
            self.state.setText(self._told)  # no toss before waits any more
            self.landed.emit(toss)

    def _choose(self) -> None:
        item = self.tosses.currentItem()
        if item is not None:
            self.chosen.emit(item.data(Qt.ItemDataRole.UserRole))

    def _end(self) -> None:
        self._timer.stop()
        if self._watch is not None:
            self._watch.end(SOON)
            self._watch = None
        self._name_button()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Let the sensor go."""
        self._end()
        super().closeEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        """Let the sensor go, also where Esc closes the dialog."""
        if not event.spontaneous():  # as where the window is minimised
            self._end()
        super().hideEvent(event)


def _usual_folder() -> Path:
    documents = Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation))
    return (documents if documents.is_dir() else Path.home()) / "polhode-tosses"
