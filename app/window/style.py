"""The look of the window: palette, style sheet, typeface, icons and lanes, all from the colours in app.theme."""

from __future__ import annotations

from dataclasses import asdict
from functools import cache
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QFontInfo,
    QGuiApplication,
    QIcon,
    QPainter,
    QPalette,
    QPen,
    QPixmap,
)
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication

import assets
from app.system.scratch_folders import ScratchFolder
from app.theme import CONTRAST, DARK, FAMILY, FONTS, LIGHT, THEMES, Theme, contrast, legible

if TYPE_CHECKING:
    from physics.schemes.scheme import Scheme

Name = Literal["system", "dark", "light", "high contrast"]


def resolve(name: Name) -> Theme:
    """The theme of a name; for "system" that of the system's contrast and colour scheme, dark if unknown."""
    if name != "system":
        return THEMES[name]
    hints = QGuiApplication.styleHints()
    if hints.accessibility().contrastPreference() == Qt.ContrastPreference.HighContrast:
        return CONTRAST
    return LIGHT if hints.colorScheme() == Qt.ColorScheme.Light else DARK


DASHES = {
    "solid": Qt.PenStyle.SolidLine,
    "dash": Qt.PenStyle.DashLine,
    "dot": Qt.PenStyle.DotLine,
    "dash-dot": Qt.PenStyle.DashDotLine,
}


def badge_size() -> QSize:
    """The size of a badge."""
    return QSize(with_letters(48), with_letters(18))


def badge(scheme: Scheme, theme: Theme, device_ratio: float = 2.0) -> QIcon:
    """The scheme's letter on its colour, with its line style."""
    pixmap = QPixmap(badge_size() * device_ratio)
    pixmap.setDevicePixelRatio(device_ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    with QPainter(pixmap) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(badge_size().width() / 48, badge_size().height() / 18)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(scheme.colour))
        square = QRectF(0, 0, 18, 18)
        painter.drawRoundedRect(square, 5, 5)
        font = QFont()
        font.setPixelSize({1: 12, 2: 9, 3: 9}.get(len(scheme.letter), 7))
        font.setWeight(QFont.Weight.DemiBold)
        painter.setFont(font)
        painter.setPen(ink_on(scheme.colour))
        painter.drawText(square, Qt.AlignmentFlag.AlignCenter, scheme.letter)
        painter.setPen(QPen(QColor(legible(scheme.colour, theme)), 2, DASHES[scheme.dash]))
        painter.drawLine(24, 9, 47, 9)
    return QIcon(pixmap)


def ink_on(colour: str) -> QColor:
    """Black or white, for letters on a colour."""
    return QColor(max("#101418", "#ffffff", key=lambda ink: contrast(ink, colour)))


def draw_cross(painter: QPainter, place: QPointF, arm: float = 16.0, gap: float = 4.0) -> None:
    """Draw a cross with a free middle, visible on any picture."""
    for colour, width in (("#101418", 4.0), ("#ffffff", 1.6)):
        painter.setPen(QPen(QColor(colour), width))
        for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            painter.drawLine(place + QPointF(gap * x, gap * y), place + QPointF(arm * x, arm * y))


ICONS = Path(assets.__file__).parent / "icons"
SHEET = Path(__file__).with_name("style.qss")
SIZES = (16, 24, 32, 48, 64, 128, 256)  # pixels, for task bars and docks


def apply(app: QApplication, theme: Theme, letters: float = 1.0) -> None:
    """Apply a theme, and a factor on the desktop's size of letters, to the program; may be called again to change them.

    Properties of widgets select styles: ``role`` is "primary", "danger" or "small" (push buttons), "play" (the
    round tool button), "heading", "dim", "value", "error" or "overlay" (labels); ``error`` is true for wrong fields.
    """
    if app.property("look") == (look := [theme.name, letters]):
        return
    if app.property("size") is None:
        app.setProperty("size", max(app.font().pointSizeF(), 9.5))
    app.setProperty("look", look)
    app.setStyle("Fusion")
    app.setFont(font(app, letters))
    app.setPalette(palette(theme))
    app.setStyleSheet(style_sheet(app, theme))


SMALL = 0.85  # share of the usual letters: those of charts, the smallest


def letters_for(app: QApplication, least: float) -> float:
    """The factor on the desktop's size with which the smallest letters are so high [pixels]."""
    return round(least / (SMALL * QFontInfo(font(app)).pixelSize()), 2)


def with_letters(pixels: float) -> int:
    """A length [pixels] that grows with the letters of the window."""
    look = QApplication.instance().property("look")  # type: ignore[union-attr] # there is one before widgets are
    return round(pixels * (look[1] if look else 1.0))


def font(app: QApplication, letters: float = 1.0) -> QFont:
    """Inter in the desktop's size times a factor, with digits of equal width, so that running numbers stand still."""
    _load_fonts()
    result = QFont(FAMILY)
    result.setPointSizeF(letters * app.property("size"))
    result.setFeature(QFont.Tag("tnum"), 1)
    return result


@cache
def _load_fonts() -> tuple[str, ...]:
    """Load the bundled fonts; their family names."""
    numbers = [QFontDatabase.addApplicationFont(str(file)) for file in FONTS.values()]
    return tuple(name for number in numbers for name in QFontDatabase.applicationFontFamilies(number))


def palette(theme: Theme) -> QPalette:
    """The palette of Fusion, for what the style sheet does not set."""
    role = QPalette.ColorRole
    colours = {
        role.Window: theme.window,
        role.WindowText: theme.text,
        role.Base: theme.field,
        role.AlternateBase: theme.panel,
        role.Text: theme.text,
        role.PlaceholderText: theme.text_dim,
        role.Button: theme.panel_raised,
        role.ButtonText: theme.text,
        role.BrightText: theme.danger,
        role.ToolTipBase: theme.panel_raised,
        role.ToolTipText: theme.text,
        role.Highlight: theme.accent,
        role.HighlightedText: theme.accent_text,
        role.Accent: theme.accent,
        role.Link: theme.accent,
        role.LinkVisited: theme.accent,
        role.Light: theme.panel_raised,
        role.Midlight: theme.panel_raised,
        role.Mid: theme.border,
        role.Dark: theme.border,
        role.Shadow: theme.border,
    }
    result = QPalette()
    for key, colour in colours.items():
        result.setColor(key, QColor(colour))
    for key in (role.WindowText, role.Text, role.ButtonText, role.HighlightedText):
        result.setColor(QPalette.ColorGroup.Disabled, key, QColor(theme.text_disabled))
    return result


def style_sheet(app: QApplication, theme: Theme) -> str:
    """The style sheet with the colours of a theme filled in."""
    size = app.font().pointSizeF()
    behind = QColor(theme.overlay)
    overlay = ", ".join(str(c) for c in (behind.red(), behind.green(), behind.blue()))
    return Template(SHEET.read_text(encoding="utf-8")).substitute(
        asdict(theme),
        overlay=f"rgba({overlay}, 200)",
        small=f"{size - 0.8:g}pt",
        large=f"{size + 3:g}pt",
        check=_mark("check", theme.accent_text),
        down=_mark("chevron-down", theme.text_dim),
        up=_mark("chevron-up", theme.text_dim),
        right=_mark("chevron-right", theme.text_dim),
        down_off=_mark("chevron-down", theme.text_disabled),
        up_off=_mark("chevron-up", theme.text_disabled),
    )


# ---- icons --------------------------------------------------------------------------------------------


@cache
def icon(name: str, theme: Theme, colour: str | None = None) -> QIcon:
    """An icon of assets/icons in a theme's text colour or another; dimmed if disabled."""
    result = QIcon(_mark(name, colour or theme.text))  # drawn by Qt at the requested size
    result.addFile(_mark(name, theme.text_disabled), QSize(), QIcon.Mode.Disabled)
    return result


@cache
def application_icon() -> QIcon:
    """The program's icon, in the sizes of task bars and docks."""
    renderer, result = QSvgRenderer(str(ICONS / "polhode.svg")), QIcon()
    for size in SIZES:
        pixmap = QPixmap(size, size)
        pixmap.fill(Qt.GlobalColor.transparent)
        with QPainter(pixmap) as painter:
            renderer.render(painter, QRectF(0, 0, size, size))
        result.addPixmap(pixmap)
    return result


@cache
def _marks() -> ScratchFolder:
    return ScratchFolder()


@cache
def _mark(name: str, colour: str) -> str:
    """Path of an icon in one colour: style sheets take files only."""
    file = _marks().path / f"{name}-{colour[1:]}.svg"
    text = (ICONS / f"{name}.svg").read_text(encoding="utf-8").replace("currentColor", colour)
    file.write_text(text, encoding="utf-8")
    return file.as_posix()
