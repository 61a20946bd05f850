"""The theme of a name, or the one that the system tells."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from app.theme import CONTRAST, DARK, LIGHT, THEMES, Theme

Name = Literal["system", "dark", "light", "high contrast"]


def resolve(name: Name) -> Theme:
    """The theme of a name; for "system" that of the contrast and the look that it tells, dark where it tells none."""
    if name != "system":
        return THEMES[name]
    hints = QGuiApplication.styleHints()
    if hints.accessibility().contrastPreference() == Qt.ContrastPreference.HighContrast:
        return CONTRAST
    return LIGHT if hints.colorScheme() == Qt.ColorScheme.Light else DARK
