"""Where results are saved, and the button that opens the folder: below the one that saves them."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from app.system.language import tr
from app.window.results.progress_text import breaking, saving
from app.window.widgets import dim, make


class SavedFolder(QWidget):
    """Hidden while there is nothing to say; space: see KeepSpace."""

    failed = Signal(str)  # the folder cannot be shown

    def __init__(self, space: QObject) -> None:
        super().__init__()
        self._folder = ""
        self.word = dim(name=tr("Where the results are"))
        self.button = make(QPushButton, tr("Open the folder"), focusPolicy=Qt.FocusPolicy.TabFocus)
        self.button.clicked.connect(self._open)
        self.button.installEventFilter(space)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.word)
        column.addWidget(self.button)
        self.tell("", "")

    @property
    def saving(self) -> bool:
        """Whether they are being saved."""
        return self.word.text() == saving()

    def tell(self, word: str, folder: str) -> None:
        """Say in which folder they are, or else that they are being saved, if the word is that."""
        text = word if word == saving() else ""
        if folder:
            text = tr("Saved in {folder}").format(folder=breaking(folder))
        if text != self.word.text():
            self.word.setText(text)
        self._folder = folder
        self.button.setVisible(bool(folder))
        self.setVisible(bool(text))

    def _open(self) -> None:
        """In the desktop's own program for files."""
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(self._folder)):
            self.failed.emit(
                tr("no program shows folders here; the results are in {folder}").format(folder=self._folder)
            )
