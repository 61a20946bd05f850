"""Compass: an arrow to the north, and a bar whose length is told, as on a map."""

from __future__ import annotations

import math

import numpy as np
from PIL import Image, ImageDraw

from app.stage.text.cards import Card, TextRun, blank, draw
from app.stage.theme_colours import StageColours

WIDE = 96.0  # the longest bar [pixels of a picture 720 high]


def bar_length(metres: float) -> float:
    """The longest round length [m] that is no longer than so many metres."""
    power = 10.0 ** math.floor(math.log10(max(metres, 1e-9)))
    return max(m * power for m in (1, 2, 5) if m * power <= metres * (1 + 1e-9))


def told(metres: float) -> str:
    """A length in words."""
    return f"{metres / 1000:g} km" if metres >= 1000 else f"{metres:g} m"


def card(azimuth: float, per_pixel: float, look: StageColours, unit: float) -> np.ndarray:
    """The card (h, w, 4) of 0 to 255.

    azimuth : of the direction of view, clockwise from north [deg]
    per_pixel : metres across one pixel in the middle of the picture
    """
    length = bar_length(WIDE * unit * per_pixel)
    words = Image.fromarray(
        draw(Card(((TextRun(told(length), look.ink, 11.5, "Medium"),),), look.panel, 0.0), unit, 999)
    )
    wide, high, fine = round((WIDE + 62) * unit), round(50 * unit), 4
    large = Image.fromarray(blank((fine * wide, fine * high), 8 * unit * fine, look.panel, look.panel_opacity))
    pen, scale = ImageDraw.Draw(large), fine * unit
    _needle(pen, azimuth, (26 * scale, large.size[1] / 2), 17 * scale, look)
    left, y, right = 50 * scale, 34 * scale, (50 + length / per_pixel / unit) * scale
    half = (left + right) / 2
    pen.rectangle((left, y, half, y + 4 * scale), fill=look.ink)
    pen.rectangle((left, y, right, y + 4 * scale), outline=look.ink, width=round(1.2 * scale))
    picture = large.resize((wide, high), Image.Resampling.BOX)
    picture.alpha_composite(words, (round(40 * unit), round(2 * unit)))
    return np.asarray(picture)


def _needle(
    pen: ImageDraw.ImageDraw, azimuth: float, centre: tuple[float, float], size: float, look: StageColours
) -> None:
    """A needle whose dark half points north, where the view looks to an azimuth [deg]."""
    turn = math.radians(-azimuth)
    ahead, aside = (math.sin(turn), -math.cos(turn)), (math.cos(turn), math.sin(turn))

    def at(along: float, across: float) -> tuple[float, float]:
        return (
            centre[0] + size * (along * ahead[0] + across * aside[0]),
            centre[1] + size * (along * ahead[1] + across * aside[1]),
        )

    pen.polygon((at(1, 0), at(0, 0.34), at(0, -0.34)), fill=look.alarm)
    pen.polygon((at(-1, 0), at(0, 0.34), at(0, -0.34)), fill=look.dim)
