"""Glyphs: parts of texts as masks, set in Inter, and how wide they are; kept, as the same digits come back."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
import pyvista as pv
from PIL import Image, ImageDraw, ImageFont

from app.theme import FONTS

FINER = 4  # how many times larger letters are drawn, and then reduced
BLANK = "\u2007"  # a space as wide as a digit


@lru_cache(maxsize=64)
def font_of(weight: str, size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """The typeface in a weight and a size [pixels]."""
    path = FONTS[weight]
    return ImageFont.truetype(str(path), size) if path.is_file() else ImageFont.load_default(size)


@lru_cache(maxsize=64)
def _finer(font: ImageFont.FreeTypeFont) -> ImageFont.FreeTypeFont:
    """The font in which letters are drawn before they are reduced: else each would stand on a whole pixel."""
    return font.font_variant(size=FINER * font.size)


@lru_cache(maxsize=1024)
def glyph(font: ImageFont.FreeTypeFont, part: str) -> tuple[np.ndarray, int, int]:
    """A part of a text as a mask (h, w) of 0 to 255, and where its origin is in it."""
    fine = _finer(font)
    x0, y0, x1, y1 = (math.floor(edge / FINER) for edge in fine.getbbox(part, anchor="ls"))
    left, over = 1 - min(x0, 0), 1 - min(y0, 0)
    size = left + x1 + 2, over + max(y1, 0) + 2
    ink = Image.new("L", (FINER * size[0], FINER * size[1]), 0)
    ImageDraw.Draw(ink).text((FINER * left, FINER * over), part, 255, fine, "ls")
    return np.asarray(ink.reduce(FINER)), left, over


@lru_cache(maxsize=256)
def word(font: ImageFont.FreeTypeFont, text: str) -> tuple[np.ndarray, int, int]:
    """A text as a mask (h, w) of 0 to 255, and where its origin is in it."""
    placed, x = [], 0.0
    for part in parts(text):
        given, own = width(font, part)
        if part.strip():
            mask, left, over = glyph(font, part)
            placed.append((mask, round(x + (given - own) / 2) - left, over))
        x += given
    if not placed:
        return np.zeros((1, 1), np.uint8), 0, 0
    first, most = min(at for _, at, _ in placed), max(over for _, _, over in placed)
    wide = max(at + mask.shape[1] for mask, at, _ in placed) - first
    high = max(most - over + mask.shape[0] for mask, _, over in placed)
    whole = np.zeros((high, wide), np.uint8)
    for mask, at, over in placed:
        spot = whole[most - over : most - over + mask.shape[0], at - first : at - first + mask.shape[1]]
        np.maximum(spot, mask, out=spot)
    return whole, -first, most


@lru_cache(maxsize=1024)
def width(font: ImageFont.FreeTypeFont, part: str) -> tuple[float, float]:
    """The width that a part of a text is given and the one that it has [pixels]."""
    fine = _finer(font)
    own = fine.getlength(part) / FINER
    return (fine.getlength("0") / FINER if _is_cell(part) else own), own


def parts(text: str) -> list[str]:
    """The text cut into single digits and what is between them."""
    found: list[str] = []
    for letter in text:
        if found and not _is_cell(letter) and not _is_cell(found[-1]):
            found[-1] += letter
        else:
            found.append(letter)
    return found


def _is_cell(part: str) -> bool:
    """Whether a part of a text is a single letter that is given the width of a zero."""
    return part.isdigit() or part in (BLANK, "−")


def outlined(text: str, colour: str, edge: str, size: float) -> np.ndarray:
    """A short text on nothing (h, w, 4), its letters edged in another colour; size [pixels]."""
    font, thick = font_of("SemiBold", max(1, round(size))), max(1, round(0.16 * size))
    wide, high = round(font.getlength(text)) + 2 * thick + 2, round(1.3 * size) + 2 * thick
    picture = Image.new("RGBA", (wide, high), (*pv.Color(edge).int_rgb, 0))
    pen, middle = ImageDraw.Draw(picture), (wide / 2, high / 2)
    pen.text(middle, text, fill=colour, font=font, anchor="mm", stroke_width=thick, stroke_fill=edge)
    return np.asarray(picture)
