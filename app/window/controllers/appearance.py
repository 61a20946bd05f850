"""The look that the user chose: dark, light, high contrast, or as the system says; and calm, without motion."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication

from app.theme import CONTRAST, DARK
from app.window.system_theme import Name, resolve
from app.window.workspace import Workspace


class Appearance(QObject):
    """Asks for another look of the window, and remembers the choice."""

    chosen = Signal(object)  # Theme

    def __init__(self, workspace: Workspace, parent: QObject) -> None:
        super().__init__(parent)
        self.workspace = workspace
        hints = QGuiApplication.styleHints()
        hints.colorSchemeChanged.connect(self._system_changed)
        hints.accessibility().contrastPreferenceChanged.connect(self._system_changed)

    def switch(self) -> None:
        """Dark or light."""
        self._choose("light" if self.workspace.theme is DARK else "dark")

    def contrast(self) -> None:
        """High contrast, or the look that was chosen before."""
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
        """Dark or light as the system says, now and later."""
        self._choose("system")

    def set_calm(self, on: bool) -> None:
        """Whether what is opened waits to be played."""
        self.workspace.settings.reduced_motion = on
        self.workspace.session.calm = on

    def set_degrees(self, on: bool) -> None:
        """Angles of the panel in degrees, or in radians."""
        self.workspace.settings.degrees = on
        self.workspace.panel.set_degrees(on)

    def _choose(self, name: Name) -> None:
        self.workspace.settings.theme = name
        self.chosen.emit(resolve(name))

    def _system_changed(self) -> None:
        if self.workspace.settings.theme == "system":
            self.chosen.emit(resolve("system"))
