"""About the program: its version, licence and papers, and how to cite it."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import Signal
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QApplication, QDialog, QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from app.system.language import tr
from app.theme import Theme
from app.window.labels import Plain, Rich
from app.window.widgets import filled, make, push
from physics.bibliography import Source, program
from physics.io.trajectory_writers import polhode_version
from physics.schemes import PAPERS

AUTHORS, YEAR = "The Polhode authors", "2026"
TITLE = "Polhode: how rigid bodies tumble, and which numerical scheme gets it right"
ORIGINS = tuple(PAPERS[short] for short in ("Leine et al. 2021", "Betsch & Siebert 2009", "Gustafsson 2010"))


def itself() -> Source:
    """The program as a source to cite, with the version that runs."""
    fields = {"author": f"{{{AUTHORS}}}", "title": f"{{{TITLE}}}", "year": YEAR, "version": polhode_version()}
    return program("Polhode", "polhode", **fields)


class About(QDialog):
    """Version, licence, papers and citation."""

    explained = Signal(str)  # the page of the help that is wanted

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("About Polhode"))
        heading = Plain(f"Polhode {polhode_version()}", "heading")
        licence = tr("Copyright {year} {authors}. Free software under the MIT licence.")
        aim = tr("How rigid bodies tumble, and which numerical scheme gets it right.")
        links = "".join(f"<li>{_name(paper, theme)}: {escape(paper.title)}</li>" for paper in ORIGINS)
        origin = tr("The schemes come from these papers, and from those that their pages name:")
        self.papers = Rich(f"{escape(origin)}<ul>{links}</ul>", wordWrap=True, openExternalLinks=True)
        self.citation = make(QPlainTextEdit, accessibleName=tr("Citation"))
        self.citation.setPlainText("\n".join(source.bibtex for source in (itself(), *ORIGINS)))
        self.citation.setReadOnly(True)
        self.citation.setTabChangesFocus(True)
        self.citation.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        row = QHBoxLayout()
        for name, call in (
            (tr("Licences"), lambda: self.explained.emit("licences")),
            (tr("Copy citation"), lambda: QApplication.clipboard().setText(self.citation.toPlainText())),
        ):
            row.addWidget(push(name, call, autoDefault=False))
        filled(row, 1, push(tr("Close"), self.accept, default=True))
        texts = [Plain(text, wordWrap=True) for text in (aim, licence.format(year=YEAR, authors=AUTHORS))]
        cite = Plain(tr("To cite the program, and the papers:"))
        column = filled(QVBoxLayout(self), heading, *texts, margins=(24, 18, 24, 18), spacing=12)
        filled(column, self.papers, cite, (self.citation, 1), row, spacing=12)
        room = self.screen().availableGeometry()
        self.resize(min(760, room.width()), min(640, room.height() - 40))


def _name(paper: Source, theme: Theme) -> str:
    """Authors and year, with the link if there is one."""
    short = escape(paper.short)
    return f"<a style='color:{theme.accent}' href='{escape(paper.link)}'>{short}</a>" if paper.link else short
