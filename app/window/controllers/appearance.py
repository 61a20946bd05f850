"""The appearance of the window: theme, language, reduced motion, and the layout of its parts."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QMenuBar, QSplitter, QVBoxLayout, QWidget

from app.document.settings import Language
from app.system.language import LANGUAGES, tr
from app.theme import CONTRAST, DARK
from app.window.actions import fill_menus
from app.window.guides.command_palette import Entry
from app.window.style import Name, resolve
from app.window.transport import Transport, tool_bar
from app.window.verdict_strip import VerdictStrip
from app.window.workspace import Workspace

USUAL = {"plots": True, "verdicts": True, "ensemble": False, "overlay": False}  # switches of what is shown


class WindowLayout(QObject):
    """Menus and tools above; panel, message, view, plots, verdicts and ensemble in the middle; transport below.

    tools : the bar with the menus; body : all below it
    results : panel of the ensemble; parent : the window
    """

    emptied = Signal()  # the user's choices in view and plots are reset: draw them again

    def __init__(
        self, workspace: Workspace, transport: Transport, verdicts: VerdictStrip, results: QWidget, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.workspace, self._window, self._verdicts = workspace, parent, verdicts
        self.menus = QMenuBar()
        self.menus.setStyleSheet("QMenuBar { background: transparent; border: none; padding: 0; }")  # as the bar
        self.menus_by_name = fill_menus(self.menus, workspace.actions)
        self.tools = tool_bar(self.menus, workspace.actions)
        self._split = QSplitter(Qt.Orientation.Vertical, childrenCollapsible=False)
        self._split.addWidget(workspace.view)
        self._split.addWidget(workspace.plots)
        self._split.setHandleWidth(1)
        self._split.setStretchFactor(0, 1)
        middle = QVBoxLayout()
        middle.setSpacing(0)
        middle.addWidget(workspace.message)
        middle.addWidget(self._split, 1)
        middle.addWidget(verdicts)
        upper = QHBoxLayout()
        upper.setSpacing(0)
        upper.addWidget(workspace.panel)
        upper.addLayout(middle, 1)
        upper.addWidget(results)
        self.body = QWidget()
        column = QVBoxLayout(self.body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(upper, 1)
        column.addWidget(transport)

    def divide(self) -> None:
        """Share the height between view and plots."""
        high = self._window.height() - 120
        self._split.setSizes([int(0.73 * high), int(0.27 * high)])

    def show_plots(self, on: bool) -> None:
        """Show or hide the plots."""
        self.workspace.plots.setVisible(on)

    def show_verdicts(self, on: bool) -> None:
        """Show or hide the sentences on the schemes."""
        self._verdicts.show_wanted(on)

    def make_usual(self) -> None:
        """Reset panels, plots and overlays to those of the first start."""
        for name, on in USUAL.items():
            self.workspace.actions[name].setChecked(on)
        self.divide()
        self.workspace.view.overlays, self.workspace.plots.titles = {}, {}
        self.emptied.emit()


def language_entries(workspace: Workspace) -> list[Entry]:
    """Entries of the palette; each language in itself, for users in front of a foreign one."""
    chosen = workspace.settings.language
    names: list[tuple[Language, str]] = [("system", tr("System language")), *LANGUAGES.items()]
    return [
        Entry(
            "Language", name, tr("chosen") if code == chosen else "", "", partial(choose, workspace, code), "language"
        )
        for code, name in names
    ]


def choose(workspace: Workspace, code: Language) -> None:
    """Use a language from the next start on."""
    workspace.settings.language = code
    workspace.tell(tr("The language changes at the next start of Polhode"))


class Appearance(QObject):
    """Theme and motion as the user chose; the choice is kept in the settings."""

    chosen = Signal(object)  # Theme

    def __init__(self, workspace: Workspace, parent: QObject) -> None:
        super().__init__(parent)
        self.workspace = workspace
        hints = QGuiApplication.styleHints()
        hints.colorSchemeChanged.connect(self._system_changed)
        hints.accessibility().contrastPreferenceChanged.connect(self._system_changed)

    def switch(self) -> None:
        """Switch between dark and light."""
        self._choose("light" if self.workspace.theme is DARK else "dark")

    def contrast(self) -> None:
        """Switch to high contrast, or back to the theme before."""
        settings, shown = self.workspace.settings, self.workspace.theme
        if shown is not CONTRAST:
            settings.theme_before = (
                "system" if settings.theme == "system" and resolve("system") is shown else shown.name
            )
            self._choose("high contrast")
        else:
            before = settings.theme_before
            self._choose(before if resolve(before) is not CONTRAST else "dark")

    def follow_system(self) -> None:
        """Follow the system's theme from now on."""
        self._choose("system")

    def set_calm(self, on: bool) -> None:
        """Switch autoplay off, or on again."""
        self.workspace.settings.reduced_motion = on
        self.workspace.session.calm = on

    def set_degrees(self, on: bool) -> None:
        """Show angles of the panel in degrees, or in radians."""
        self.workspace.settings.degrees = on
        self.workspace.panel.set_degrees(on)

    def _choose(self, name: Name) -> None:
        self.workspace.settings.theme = name
        self.chosen.emit(resolve(name))

    def _system_changed(self) -> None:
        if self.workspace.settings.theme == "system":
            self.chosen.emit(resolve("system"))
