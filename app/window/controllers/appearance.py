"""The appearance of the window: theme, language, reduced motion, and the layout of its parts."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QMainWindow, QMenuBar, QSplitter, QVBoxLayout, QWidget

from app.document.settings import LARGEST_LETTERS, SMALLEST_LETTERS, Language
from app.system.language import LANGUAGES, tr
from app.theme import CONTRAST, DARK
from app.window.actions import fill_menus
from app.window.guides.command_palette import Entry
from app.window.panel.rail import Rail
from app.window.style import Name, resolve, with_letters
from app.window.transport import Transport, tool_bar
from app.window.verdict_strip import VerdictStrip
from app.window.widgets import filled
from app.window.workspace import Workspace

# switches of what is shown
USUAL = {"panel": False, "plots": True, "verdicts": False, "ensemble": False, "overlay": False, "present": False}
AROUND = {"panel": False, "plots": True, "verdicts": False, "ensemble": False}  # the view in a presentation
STEP = 1.1  # factor of the size of letters
LEGIBLE = 0.022  # least height of letters in a presentation, as a share of the window's height
LOW = {"verdicts": 500, "plots": 430}  # [pixels] of the body, at usual letters, in which one of them yields to the view
NARROW = 318  # [pixels] of the view's width, at usual letters, in which panels yield to it


class WindowLayout(QObject):
    """Menus and tools above; panel, message, view, plots, verdicts and ensemble in the middle; transport below.

    What is around the view yields to it in a small window, and comes back in a larger one.

    tools : the bar with the menus; body : all below it; rail : in place of the panel while that is folded
    results : panel of the ensemble; parent : the window
    """

    emptied = Signal()  # the user's choices in view and plots are reset: draw them again
    lettered = Signal()  # ``least`` has changed

    def __init__(
        self,
        workspace: Workspace,
        transport: Transport,
        verdicts: VerdictStrip,
        results: QWidget,
        parent: QMainWindow,
    ) -> None:
        super().__init__(parent)
        self.workspace, self._window, self._results = workspace, parent, results
        self.least = 0.0  # height of the smallest letters [pixels] while one presents
        self._before: dict[str, bool] = {}  # switches before the presentation
        self._filled = False  # the window filled the screen before it
        self._yielded: list[str] = []  # switches of what has no room
        self.menus = QMenuBar()
        self.menus.setStyleSheet("QMenuBar { background: transparent; border: none; padding: 0; }")  # as the bar
        self.menus_by_name = fill_menus(self.menus, workspace.actions)
        self.tools = tool_bar(self.menus, workspace.actions)
        self._split = QSplitter(Qt.Orientation.Vertical, childrenCollapsible=False)
        self._split.addWidget(workspace.view)
        self._split.addWidget(workspace.plots)
        self._split.setHandleWidth(1)
        self._split.setStretchFactor(0, 1)
        middle = filled(QVBoxLayout(), workspace.message, (self._split, 1), verdicts, spacing=0)
        self.rail = Rail(workspace.theme, workspace.panel, workspace.actions["panel"])
        workspace.panel.hide()
        upper = filled(QHBoxLayout(), self.rail, workspace.panel, (middle, 1), results, spacing=0)
        self.body = QWidget()
        filled(QVBoxLayout(self.body), (upper, 1), transport, margins=(0, 0, 0, 0), spacing=0)
        self.body.installEventFilter(self)
        workspace.actions["ensemble"].toggled.connect(self.fit)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Fit what is around the view to the size of the body."""
        if event.type() == QEvent.Type.Resize:
            self.fit()
        return False

    def fit(self) -> None:
        """Let verdicts, plots and panels yield to the view where they leave it little room, else come back."""
        if self.presenting:
            self._enlarge()
            return
        wide, high = self.body.width(), self.body.height()
        self._yield("verdicts", high < with_letters(LOW["verdicts"]))
        self._yield("plots", high < with_letters(LOW["plots"]))
        results = self._results.minimumWidth() if self.workspace.actions["ensemble"].isChecked() else 0
        self._yield("panel", wide - self.workspace.panel.minimumWidth() - results < with_letters(NARROW))

    def _yield(self, name: str, small: bool) -> None:
        """Switch something off when the room for it is gone, and on again when it is back; the user may differ."""
        if small and name not in self._yielded and self.workspace.actions[name].isChecked():
            self._yielded.append(name)
            self.workspace.actions[name].setChecked(False)
        elif not small and name in self._yielded:
            self._yielded.remove(name)
            self.workspace.actions[name].setChecked(True)

    def open_panel(self, on: bool) -> None:
        """Open the panel, or fold it to a rail."""
        self.workspace.panel.setVisible(on)
        self.rail.setVisible(not on and not self.presenting)

    @property
    def paneled(self) -> bool:
        """True if the user has the panel open."""
        return self._before.get("panel", False) if self.presenting else self.workspace.actions["panel"].isChecked()

    # ---- full screen and presentation ------------------------------------------------------------------

    def fill_screen(self) -> None:
        """Fill the screen with the window, or leave it."""
        top = self._window.window()
        top.setWindowState(top.windowState() ^ Qt.WindowState.WindowFullScreen)

    @property
    def presenting(self) -> bool:
        """True while the view, one plot and the transport are shown alone."""
        return self.workspace.actions["present"].isChecked()

    def present(self, on: bool) -> None:
        """Show the view, one plot and the transport alone on the whole screen, or all that was shown before."""
        actions, top = self.workspace.actions, self._window.window()
        if on:
            self._before = {name: actions[name].isChecked() for name in AROUND}
            self._filled = top.isFullScreen()
        for name, shown in (AROUND if on else self._before).items():
            actions[name].setChecked(shown)
        self.rail.setVisible(not on and not actions["panel"].isChecked())
        self.tools.setVisible(not on)
        self._window.statusBar().setVisible(not on)
        if on != top.isFullScreen() and not self._filled:
            self.fill_screen()
        self._window.setFocus()  # on nothing that is hidden
        self._enlarge()
        self.divide()

    def _enlarge(self) -> None:
        """Let the smallest letters be as high as LEGIBLE says while one presents."""
        least = LEGIBLE * self._window.height() if self.presenting else 0.0
        if least != self.least:
            self.least = least
            self.lettered.emit()

    def open_menus(self) -> None:
        """Open the first menu."""
        if self.menus.isVisible():
            self.menus.setActiveAction(self.menus.actions()[0])

    def divide(self) -> None:
        """Share the height between view and plots."""
        high = self._window.height() - 120
        self._split.setSizes([int(0.7 * high), int(0.3 * high)])

    def make_usual(self) -> None:
        """Reset panels, plots and overlays to those of the first start."""
        for name, on in USUAL.items():
            self.workspace.actions[name].setChecked(on)
        self.divide()
        self.workspace.view.begin_from(None, None)
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
    lettered = Signal()  # another size of letters is chosen

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

    def enlarge(self, steps: int) -> None:
        """Enlarge all letters by so many steps; 0: show them in the desktop's size."""
        settings = self.workspace.settings
        wanted = round(settings.letters * STEP**steps, 2) if steps else 1.0
        settings.letters = min(max(wanted, SMALLEST_LETTERS), LARGEST_LETTERS)
        self.lettered.emit()
        self.workspace.tell(tr("Letters at {percent:.0f} %").format(percent=100 * settings.letters))

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
