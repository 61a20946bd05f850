"""The look: every text can be read, every icon and every font file loads, the style sheet has no holes."""

from __future__ import annotations

import itertools
from dataclasses import asdict
from types import SimpleNamespace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QApplication

from app.theme import CONTRAST, DARK, FAMILY, FONTS, LIGHT, THEMES, Theme, contrast
from app.window import style as look
from app.window import style as system_theme

SURFACES = ("window", "panel", "panel_raised", "field")
PAIRS = [
    *itertools.product(("text", "text_dim", "danger", "warning", "success"), SURFACES),
    *(("text", "accent_soft"), ("text", "border"), ("overlay_text", "overlay"), ("accent", "panel")),
    *(("accent_text", "accent"), ("accent_text", "accent_hover"), ("plot_axis", "plot_background")),
]

both = pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)


def test_contrast_of_known_pairs() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21.0)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.478, abs=1e-3)


@both
@pytest.mark.parametrize(("text", "ground"), PAIRS)
def test_text_can_be_read(theme: Theme, text: str, ground: str) -> None:
    colours = asdict(theme)
    assert contrast(colours[text], colours[ground]) >= 4.5


@both
@pytest.mark.parametrize("ground", SURFACES)
def test_focus_and_edges_can_be_seen(theme: Theme, ground: str) -> None:
    assert contrast(theme.accent, asdict(theme)[ground]) >= 3.0
    if ground != "panel_raised":  # no check box lies on it
        assert contrast(theme.outline, asdict(theme)[ground]) >= 3.0


@pytest.mark.parametrize(
    ("scheme", "more", "told"),
    [("Unknown", False, DARK), ("Dark", False, DARK), ("Light", False, LIGHT), ("Light", True, CONTRAST)],
)
def test_the_look_is_the_one_that_the_system_tells(monkeypatch, scheme: str, more: bool, told: Theme) -> None:
    contrast_told = Qt.ContrastPreference.HighContrast if more else Qt.ContrastPreference.NoPreference
    hints = SimpleNamespace(  # of a desktop; a bare display server has none
        colorScheme=lambda: Qt.ColorScheme[scheme],
        accessibility=lambda: SimpleNamespace(contrastPreference=lambda: contrast_told),
    )
    monkeypatch.setattr(system_theme.QGuiApplication, "styleHints", lambda: hints)
    assert system_theme.resolve("system") is told
    assert system_theme.resolve("light") is LIGHT


def test_fonts_are_bundled_with_their_licence(qapp: QApplication) -> None:
    assert all(file.is_file() for file in FONTS.values())
    assert "SIL OPEN FONT LICENSE" in (FONTS["Regular"].parent / "OFL.txt").read_text(encoding="utf-8")
    look.apply(qapp, DARK)
    look.font(qapp)
    assert FAMILY in QFontDatabase.families()
