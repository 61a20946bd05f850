"""The look that the user chose: dark, light, high contrast, or as the system says; and calm, without motion."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QGuiApplication

from app.theme import CONTRAST, DARK, LIGHT, THEMES, Theme

if TYPE_CHECKING:
    from app.window.main_window import MainWindow

Name = Literal["system", "dark", "light", "high contrast"]


def resolve(name: Name) -> Theme:
    """The theme of a name; for "system" that of the contrast and the look that it tells, dark where it tells none."""
    if name != "system":
        return THEMES[name]
    hints = QGuiApplication.styleHints()
    if hints.accessibility().contrastPreference() == Qt.ContrastPreference.HighContrast:
        return CONTRAST
    return LIGHT if hints.colorScheme() == Qt.ColorScheme.Light else DARK


class Appearance(QObject):
    """Changes the window's look, and remembers the choice."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.window = window
        hints = QGuiApplication.styleHints()
        hints.colorSchemeChanged.connect(self._system_changed)
        hints.accessibility().contrastPreferenceChanged.connect(self._system_changed)

    def switch(self) -> None:
        """Dark or light."""
        self._choose("light" if self.window.workspace.theme is DARK else "dark")

    def contrast(self) -> None:
        """High contrast, or the look that was chosen before."""
        settings, shown = self.window.settings, self.window.workspace.theme
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
        self.window.settings.reduced_motion = on
        self.window.session.calm = on

    def set_degrees(self, on: bool) -> None:
        """Angles of the panel in degrees, or in radians."""
        self.window.settings.degrees = on
        self.window.panel.set_degrees(on)

    def _choose(self, name: Name) -> None:
        self.window.settings.theme = name
        self.window.set_theme(resolve(name))

    def _system_changed(self) -> None:
        if self.window.settings.theme == "system":
            self.window.set_theme(resolve("system"))
