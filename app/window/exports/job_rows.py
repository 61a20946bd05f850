"""The exports that were asked for: a row each, in a list that is scrolled."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QFrame, QProgressBar, QPushButton, QScrollArea, QVBoxLayout, QWidget

from app.system.language import tr
from app.window.exports.queue import Export, State
from app.window.labels import Plain
from app.window.widgets import across, make

SEEN = 3  # rows that are seen without scrolling
LOW = 560  # [pixels] of a screen on which the dialog would not fit with them


class Rows(QScrollArea):
    """How all exports stand; the newest is in sight, or the one that is at work. Hidden while there is none."""

    def __init__(self) -> None:
        super().__init__(widgetResizable=True)
        self.setVisible(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName(tr("Exports"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._column = QVBoxLayout()
        self._column.setContentsMargins(0, 0, 8, 0)
        self._column.setSpacing(8)
        self._column.addStretch(1)
        within = QWidget()
        within.setLayout(self._column)
        self.setWidget(within)

    def add(self, export: Export) -> None:
        """Show one more."""
        row = Row(export)
        self._column.insertWidget(self._column.count() - 1, row)
        if self.isHidden():
            seen = SEEN if self.screen().availableSize().height() > LOW else SEEN - 1
            self.setMinimumHeight(seen * (row.sizeHint().height() + self._column.spacing()))
        self.show()
        export.changed.connect(lambda: self._follow(row))
        QTimer.singleShot(0, self, lambda: self.ensureWidgetVisible(row, 0, 0))  # when it has its place

    def _follow(self, row: Row) -> None:
        """Bring one into sight when it begins."""
        if row.export.state is State.RUNNING and not row.export.done:
            self.ensureWidgetVisible(row, 0, 0)


class Row(QWidget):
    """How one export stands, and a button that stops it."""

    def __init__(self, export: Export) -> None:
        super().__init__()
        self.export = export
        self.name = Plain(export.output.name)
        self.bar = make(
            QProgressBar, textVisible=False, accessibleName=tr("Progress of {file}").format(file=export.output.name)
        )
        self.word = Plain(wordWrap=True, textInteractionFlags=Qt.TextInteractionFlag.TextSelectableByMouse)
        self.cancel_button = make(
            QPushButton,
            tr("Cancel"),
            accessibleName=tr("Cancel {file}").format(file=export.output.name),
            autoDefault=False,
        )
        self.cancel_button.clicked.connect(export.cancel)
        line = across(self.name, self.bar, self.cancel_button)
        line.setStretch(1, 2)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addLayout(line)
        column.addWidget(self.word)
        export.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show how it stands now."""
        export = self.export
        self.bar.setVisible(not export.over)
        self.bar.setMaximum(export.total or int(export.state is State.WAITING))  # 0: busy
        self.bar.setValue(export.done)
        self.cancel_button.setVisible(not export.over)
        self.cancel_button.setEnabled(export.state is not State.STOPPING)
        self.word.setProperty("role", "error" if export.state is State.FAILED else "dim")
        self.word.style().unpolish(self.word)
        self.word.style().polish(self.word)
        self.word.setText(export.word)
