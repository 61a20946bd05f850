"""The note in the status line: how exports stand while their dialog is closed."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolButton

from app.system.language import tr
from app.window.exports.queue import Export, ExportQueue, State
from app.window.widgets import KeyFilter

TOLD = {State.DONE: "{file} is written", State.STOPPED: "{file} was stopped", State.FAILED: "{file} failed"}


class ExportNote(QToolButton):
    """Tells of the export that runs, or of the last one; a click shows the dialog. Hidden before the first export."""

    def __init__(self, queue: ExportQueue) -> None:
        super().__init__(autoRaise=True)
        self.setVisible(False)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(tr("Exports"))
        self.setToolTip(tr("Show the exports (Ctrl+E)"))
        self.installEventFilter(KeyFilter(self))
        self.setProperty("role", "note")
        self.queue = queue
        queue.added.connect(self._follow)

    def _follow(self, export: Export) -> None:
        export.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Tell how it stands now."""
        at_work = [export for export in self.queue.exports if not export.over]
        export = at_work[0] if at_work else self.queue.exports[-1]
        share = f" {100 * export.done // export.total} %" if export.total else ""
        text = tr(TOLD.get(export.state, "Exporting {file}")).format(file=export.output.name)
        text += share if export.state not in TOLD else ""
        self.setText(
            tr("{told}, {count} more to come").format(told=text, count=len(at_work) - 1) if len(at_work) > 1 else text
        )
        self.setVisible(True)
