"""The report of a problem: shown as it would be saved, to be changed, saved or copied. Nothing is sent."""

from __future__ import annotations

from PySide6.QtGui import QFontDatabase, QTextCursor
from PySide6.QtWidgets import QApplication, QDialog, QPlainTextEdit, QVBoxLayout, QWidget

from app.system.language import tr, translated
from app.window.labels import Plain, sentence
from app.window.widgets import across, filled, make, push, save_dialog
from physics import PhysicsError
from physics.io.trajectory_writers import replacing


class ProblemReport(QDialog):
    """A text to be read before it is saved."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Report a problem"))
        self.text = make(QPlainTextEdit, text, accessibleName=tr("Report"))
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.text.setTabChangesFocus(True)
        self.outcome = Plain(wordWrap=True, accessibleName=tr("Result of the report"))
        self.save_button = push(tr("Save…"), self.save, default=True)
        copy, close = push(tr("Copy"), self.copy), push(tr("Close"), self.reject)
        what = tr(
            "This is what the file will hold: program, platform, settings, the last errors and the scenario, with no "
            "folder of yours. Write at its top what happened, and take out what should not be in it. Nothing is sent: "
            "save the file, and mail it or attach it to an issue."
        )
        parts = Plain(what, wordWrap=True), (self.text, 1), across(self.outcome, close, copy, self.save_button)
        filled(QVBoxLayout(self), *parts, margins=(24, 18, 24, 18), spacing=14)
        room = self.screen().availableGeometry()
        self.resize(min(860, room.width()), min(720, room.height() - 40))
        self.text.setTextCursor(QTextCursor(self.text.document().findBlockByNumber(3)))  # below the question
        self.text.setFocus()

    def save(self) -> None:
        """Ask for a name, and write the text as it stands."""
        path = save_dialog(self, tr("Save the report"), "polhode-report.txt", tr("Text (*.txt)"))
        if path is None:
            return
        try:
            with replacing(path) as part:
                part.write_text(self.text.toPlainText(), encoding="utf-8")
        except PhysicsError as error:
            self.outcome.setText(sentence(translated(error)))
        else:
            self.outcome.setText(tr("Saved as {name}").format(name=path.name))

    def copy(self) -> None:
        """Put the text into the clipboard."""
        QApplication.clipboard().setText(self.text.toPlainText())
        self.outcome.setText(tr("Copied"))
