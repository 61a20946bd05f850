"""Themes and the typeface, shared by stage, plots and window. Without Qt, for pictures drawn without a window."""

from __future__ import annotations

import colorsys
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Literal

import assets

FAMILY = "Inter"
FONTS = {
    weight: Path(assets.__file__).parent / "fonts" / f"Inter-{weight}.ttf"
    for weight in ("Regular", "Medium", "SemiBold")
}


@dataclass(frozen=True)
class Theme:
    """Named colours, each "#rrggbb"."""

    name: Literal["dark", "light", "high contrast"]
    window: str  # behind everything
    panel: str  # cards, bars, menus
    panel_raised: str  # buttons, hovered rows
    border: str  # hairlines that divide
    outline: str  # edges that show a control: contrast 3 : 1
    field: str  # text boxes
    field_border: str
    text: str
    text_dim: str  # units, captions, hints
    text_disabled: str
    accent: str  # primary button, selection, focus
    accent_hover: str
    accent_text: str  # on the accent
    accent_soft: str  # behind text of selected rows and buttons
    danger: str
    warning: str
    success: str
    overlay: str  # labels on the stage
    overlay_text: str
    plot_background: str
    plot_grid: str
    plot_axis: str
    stage_top: str
    stage_bottom: str


DARK = Theme(
    name="dark",
    window="#171c24",
    panel="#1f2630",
    panel_raised="#2b3441",
    border="#333d4b",
    outline="#6b7a8e",
    field="#12161d",
    field_border="#465364",
    text="#e8edf4",
    text_dim="#a3afbf",
    text_disabled="#667386",
    accent="#5aa7ff",
    accent_hover="#7bb9ff",
    accent_text="#06182c",
    accent_soft="#25456b",
    danger="#ff8178",
    warning="#f2b84b",
    success="#4fd1a5",
    overlay="#12161d",
    overlay_text="#f2f5f9",
    plot_background="#171c24",
    plot_grid="#2a323e",
    plot_axis="#a3afbf",
    stage_top="#33475f",
    stage_bottom="#161d27",
)

LIGHT = Theme(
    name="light",
    window="#f4f6f9",
    panel="#ffffff",
    panel_raised="#e9edf2",
    border="#d5dbe3",
    outline="#818d9c",
    field="#ffffff",
    field_border="#b9c2cd",
    text="#1b2330",
    text_dim="#566274",
    text_disabled="#97a2b0",
    accent="#1b68cc",
    accent_hover="#1557ad",
    accent_text="#ffffff",
    accent_soft="#cfe2f8",
    danger="#c0282d",
    warning="#8f5a00",
    success="#0b7a55",
    overlay="#ffffff",
    overlay_text="#1b2330",
    plot_background="#f4f6f9",
    plot_grid="#dfe4ea",
    plot_axis="#566274",
    stage_top="#b9d2ea",
    stage_bottom="#eef3f8",
)

CONTRAST = Theme(
    name="high contrast",
    window="#000000",
    panel="#000000",
    panel_raised="#1c1c1c",
    border="#707070",
    outline="#ffffff",
    field="#000000",
    field_border="#ffffff",
    text="#ffffff",
    text_dim="#e4e4e4",
    text_disabled="#a0a0a0",
    accent="#ffe14d",
    accent_hover="#fff0a0",
    accent_text="#000000",
    accent_soft="#5a4b00",
    danger="#ff9c94",
    warning="#ffc04d",
    success="#7ff0c4",
    overlay="#000000",
    overlay_text="#ffffff",
    plot_background="#000000",
    plot_grid="#5c5c5c",
    plot_axis="#ffffff",
    stage_top="#101418",
    stage_bottom="#000000",
)

# worlds outside have a day's sky with haze in every theme but that of high contrast: the program alone darkens
DAY = replace(DARK, stage_top="#2c5f94", stage_bottom="#7aa3c4")

THEMES = {theme.name: theme for theme in (DARK, LIGHT, CONTRAST)}


def rgb(colour: str) -> tuple[float, float, float]:
    """Red, green and blue, each 0 to 1, of "#rrggbb"."""
    red, green, blue = (int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5))
    return red, green, blue


OFF_FILL = "#d55e00"  # vermilion, behind the white cross of what is off the truth; darker on light panels


def mark_colours(verdict: str, panel: str, ink: str, dim: str) -> tuple[str, str]:
    """Colours of the mark of a verdict and of its ground, on a panel with ink for words and dim ink for notes.

    Off is the brightest, in grey too; others have no ground of their own.
    """
    if verdict == "off":
        return "#ffffff", OFF_FILL if contrast(panel, "#ffffff") > 4.5 else mixed(OFF_FILL, "#000000", 0.3)
    return dim, panel


def mixed(one: str, other: str, part: float) -> str:
    """A mix of two colours; part: share of the second, 0 to 1."""
    red, green, blue = ((1 - part) * a + part * b for a, b in zip(rgb(one), rgb(other), strict=True))
    return _hex((red, green, blue))


def contrast(one: str, other: str) -> float:
    """Contrast ratio of two colours, 1 to 21 (WCAG 2.2)."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgb(colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@cache
def legible(colour: str, theme: Theme, ratio: float = 3.0) -> str:
    """The colour, darkened or lightened to a contrast with the theme's panels (WCAG: 3 for lines, 4.5 for text)."""
    h, s, v = colorsys.rgb_to_hsv(*rgb(colour))
    while contrast(ink := _hex(colorsys.hsv_to_rgb(h, s, v)), theme.panel) < ratio:
        if theme.name == "light":
            v /= 1.06
        else:  # at full lightness it loses saturation
            s, v = max(0.0, s - max(0.0, 1.06 * v - 1.0)), min(1.0, 1.06 * v)
    return ink


def _hex(colour: tuple[float, float, float]) -> str:
    return "#" + "".join(f"{round(255 * c):02x}" for c in colour)
