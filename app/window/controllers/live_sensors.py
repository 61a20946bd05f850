"""Live sensors: the dialog that reads one, and its tosses shown in the window."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QApplication, QWidget

from app.document.live import Toss
from app.document.session import SavedSession, looked_at
from app.system.language import tr
from app.window.controllers.session_files import SessionFiles, document_of
from app.window.workspace import Workspace
from physics.simulation.schedule import Schedule

if TYPE_CHECKING:
    from app.window.live_dialog import LiveDialog


class LiveSensors(QObject):
    """Dialog of a live sensor, and the opening of its tosses."""

    def __init__(self, workspace: Workspace, files: SessionFiles, parent: QWidget) -> None:
        super().__init__(parent)
        self._workspace, self._files, self._window = workspace, files, parent

    def show(self) -> None:
        """Show the dialog; a sensor that is read goes on."""
        from app.window.live_dialog import LiveDialog  # here: other windows need no network

        dialog = self._window.findChild(LiveDialog)
        if dialog is None:
            dialog = LiveDialog(self._workspace, self._window)
            dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            dialog.landed.connect(partial(self._show_landed, dialog))
            dialog.chosen.connect(self._show)
        dialog.show()
        dialog.raise_()

    def _show_landed(self, dialog: LiveDialog, toss: Toss) -> None:
        """Show a toss that has just landed, unless edits would be asked about, or another dialog is in the way."""
        self._workspace.panel.finish()  # what is half typed is an edit
        if self._files.unsaved:
            text = tr("Toss {number} waits in the list: the session has unsaved changes.")
        elif QApplication.activeModalWidget() is not None:
            text = tr("Toss {number} waits in the list: another dialog is open.")
        else:
            self._show(toss)
            return
        dialog.state.setText(text.format(number=toss.number))

    def _show(self, toss: Toss) -> None:
        self._files.remember(toss.file)
        saved = SavedSession(Schedule.of(toss.scenario), looked_at(toss.scenario))
        self._files.opened.emit(saved, document_of(toss.file, saved))
