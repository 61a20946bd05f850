"""The look: every text can be read, every icon and every font file loads, the style sheet has no holes."""

from __future__ import annotations

import itertools
from dataclasses import asdict
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontDatabase, QFontInfo, QGuiApplication, QIcon
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


@pytest.fixture(autouse=True)
def plain_again(qapp: QApplication):
    """Leave the application as other tests expect it."""
    style, font, palette = qapp.style().name(), qapp.font(), qapp.palette()
    yield
    qapp.setStyleSheet("")
    qapp.setStyle(style)
    qapp.setFont(font)
    qapp.setPalette(palette)


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


@both
@pytest.mark.parametrize("name", sorted(file.stem for file in look.ICONS.glob("*.svg")))
def test_icon_draws_something(qapp: QApplication, theme: Theme, name: str) -> None:
    drawn = look.icon(name, theme)
    for mode in (QIcon.Mode.Normal, QIcon.Mode.Disabled):
        image = drawn.pixmap(QSize(24, 24), 1.0, mode).toImage()
        assert image.size() == QSize(24, 24)
        assert any(image.pixelColor(x, y).alpha() > 128 for x in range(24) for y in range(24))


@both
def test_apply_sets_font_palette_and_style_sheet(qapp: QApplication, theme: Theme) -> None:
    look.apply(qapp, theme)
    assert QFontInfo(QGuiApplication.font()).family() == FAMILY
    assert qapp.palette().window().color().name() == theme.window
    assert "$" not in qapp.styleSheet()
    size = qapp.font().pointSizeF()
    look.apply(qapp, theme)
    assert qapp.font().pointSizeF() == size  # does not grow with each change of theme


def test_fonts_are_bundled_with_their_licence(qapp: QApplication) -> None:
    assert all(file.is_file() for file in FONTS.values())
    assert "SIL OPEN FONT LICENSE" in (FONTS["Regular"].parent / "OFL.txt").read_text(encoding="utf-8")
    look.font(qapp)
    assert FAMILY in QFontDatabase.families()
