"""Cards: captions as small pictures with round corners, set in Inter, laid flat over a viewport."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np
import pyvista as pv
from PIL import Image, ImageDraw, ImageFont
from vtkmodules.vtkRenderingCore import vtkActor2D, vtkCoordinate, vtkPolyDataMapper2D, vtkTexturedActor2D

from app.colours import FONTS
from app.stage.part import move

MARGIN = 12.0  # of a card to the edges of the viewport [pixels of a picture 720 high]
PADDING = 10.0  # of a card [pixels of a picture 720 high]
FINER = 4  # how many times larger letters are drawn, and then reduced
BLANK = "\u2007"  # a space as wide as a digit


@dataclass(frozen=True)
class Piece:
    """A run of text in one style; size [pixels of a picture 720 high]; a badge has a colour ``behind``.

    Digits, signs and BLANK are all as wide as a zero, so that numbers do not dance.
    """

    text: str
    colour: str
    size: float = 13.0
    weight: str = "Regular"
    behind: str | None = None


@dataclass(frozen=True)
class Card:
    """Lines of pieces on a panel of a colour and an opacity."""

    lines: tuple[tuple[Piece, ...], ...]
    panel: str
    opacity: float = 0.75
    gap: float = field(default=5.0)


@lru_cache(maxsize=64)
def _font(weight: str, size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    path = FONTS[weight]
    return ImageFont.truetype(str(path), size) if path.is_file() else ImageFont.load_default(size)


def draw(card: Card, unit: float, widest: int, highest: int = 10_000) -> np.ndarray:
    """The card as a picture (h, w, 4) of 0 to 255, no larger than ``widest`` and ``highest`` [pixels].

    Lines that are too long are broken; where that makes the card too high, or a word is too long, letters shrink.
    unit : pixels for one pixel of a picture 720 high
    """
    for _ in range(40):
        room = widest - 2 * PADDING * unit
        lines = [_trimmed(part) for line in card.lines for part in _broken(line, unit, room)]
        width = max(_length(line, unit) for line in lines) + 2 * PADDING * unit
        pad, gap = PADDING * unit, card.gap * unit
        high = sum(_height(line, unit) + gap for line in lines) - gap + 1.5 * pad
        if (width <= widest + 1 and high <= highest + 1) or unit < 0.1:
            break
        unit *= 0.93
    size = (max(1, min(round(width), widest)), max(1, min(round(high), highest)))
    picture = _tile(size, min(8 * unit, size[0] / 2, size[1] / 2), card.panel, card.opacity).copy()
    y = 0.75 * pad
    for line in lines:
        picture.alpha_composite(_strip(line, unit), (round(pad), round(y)))
        y += _height(line, unit) + gap
    return np.asarray(picture)


def _trimmed(line: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """A line without the space that would part it from more."""
    return (*line[:-1], replace(line[-1], text=line[-1].text.rstrip(" "))) if line else line


def _broken(line: tuple[Piece, ...], unit: float, room: float) -> list[tuple[Piece, ...]]:
    """A line of pieces as one or several that fit ``room`` [pixels]."""
    if _length(line, unit) <= room:
        return [line]
    lines: list[tuple[Piece, ...]] = [()]
    left = room
    for bit in _bits(line):
        tail = replace(bit[-1], text=bit[-1].text.rstrip())
        if lines[-1] and _length((*bit[:-1], tail), unit) > left:
            lines.append(())
            left = room
        lines[-1] += bit
        left -= _length(bit, unit)
    return lines


def _bits(line: tuple[Piece, ...]) -> list[tuple[Piece, ...]]:
    """What must not be broken: the words of a text; among several texts each, a value with the name before it."""
    texts = [piece for piece in line if piece.behind is None]
    bits: list[tuple[Piece, ...]] = []
    for piece in line:
        if piece.behind is None and len(texts) == 1:
            bits += [(replace(piece, text=word),) for word in re.findall(r"\S+\s*", piece.text)]
        elif bits and piece.behind is None and bits[-1][-1].text.endswith(" ") and bits[-1][-1].text[-2:] != "  ":
            bits[-1] += (piece,)
        else:
            bits.append((piece,))
    return bits


@lru_cache(maxsize=64)
def _tile(size: tuple[int, int], radius: float, colour: str, opacity: float) -> Image.Image:
    """A filled rectangle with round corners; drawn four times too large and reduced, for smooth corners."""
    w, h = size
    mask = Image.new("L", (4 * w, 4 * h), 0)
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, 4 * w - 1, 4 * h - 1), 4 * radius, fill=round(255 * opacity))
    tile = Image.new("RGBA", (w, h), pv.Color(colour).int_rgb)
    tile.putalpha(mask.resize((w, h), Image.Resampling.BOX))
    return tile


@lru_cache(maxsize=256)
def _strip(line: tuple[Piece, ...], unit: float) -> Image.Image:
    """One line of pieces; kept, as most lines stay the same from picture to picture."""
    width, height = _length(line, unit), _height(line, unit)
    picture = Image.new("RGBA", (round(width) + 1, max(1, round(height) + 1)), (*pv.Color(line[0].colour).int_rgb, 0))
    x, base, pen = 0.0, 0.78 * height, ImageDraw.Draw(picture)
    for piece in line:
        font = _font(piece.weight, max(1, round(piece.size * unit)))
        if piece.behind is not None:
            wide, side = _badge(piece, unit)
            top = max(0.0, base - 0.36 * piece.size * unit - side / 2)
            tile = _tile((round(wide), round(side)), 4 * unit, piece.behind, 1.0)
            picture.alpha_composite(tile, (round(x), round(top)))
            pen.text(
                (round(x) + wide / 2, round(top) + side / 2 + 0.36 * piece.size * unit),
                piece.text,
                piece.colour,
                font,
                "ms",
            )
        else:
            text = _text(piece, round(height) + 1, base, font)
            picture.alpha_composite(text, (max(round(x) - 1, 0), 0))
        x += _advance(piece, unit)
    return picture


@lru_cache(maxsize=256)
def _text(piece: Piece, high: int, base: float, font: ImageFont.FreeTypeFont) -> Image.Image:
    """A text, from one pixel on, on a base line [pixels]; kept, as of a line that changes most pieces stay."""
    parts = _parts(piece.text)
    wide = sum(_width(font, part)[0] for part in parts)
    picture = Image.new("RGBA", (round(wide) + 3, high), (*pv.Color(piece.colour).int_rgb, 0))
    x = 1.0
    for part in parts:
        wide, own = _width(font, part)
        if part.strip():
            glyph, left, over = _glyph(font, part, piece.colour)
            place = round(x + (wide - own) / 2) - left, round(base) - over
            picture.alpha_composite(glyph, (max(place[0], 0), max(place[1], 0)))
        x += wide
    return picture


@lru_cache(maxsize=1024)
def _glyph(font: ImageFont.FreeTypeFont, part: str, colour: str) -> tuple[Image.Image, int, int]:
    """A part of a text as a picture, and where its origin is in it; kept, as the same digits come back."""
    fine = _finer(font)
    x0, y0, x1, y1 = (math.floor(edge / FINER) for edge in fine.getbbox(part, anchor="ls"))
    left, over = 1 - min(x0, 0), 1 - min(y0, 0)
    size = left + x1 + 2, over + max(y1, 0) + 2
    ink = Image.new("L", (FINER * size[0], FINER * size[1]), 0)
    ImageDraw.Draw(ink).text((FINER * left, FINER * over), part, 255, fine, "ls")
    picture = Image.new("RGBA", size, pv.Color(colour).int_rgb)
    picture.putalpha(ink.reduce(FINER))
    return picture, left, over


@lru_cache(maxsize=64)
def _finer(font: ImageFont.FreeTypeFont) -> ImageFont.FreeTypeFont:
    """The font in which letters are drawn before they are reduced: else each would stand on a whole pixel."""
    return font.font_variant(size=FINER * font.size)


@lru_cache(maxsize=1024)
def _width(font: ImageFont.FreeTypeFont, part: str) -> tuple[float, float]:
    """The width that a part of a text is given and the one that it has [pixels]."""
    fine = _finer(font)
    own = fine.getlength(part) / FINER
    return (fine.getlength("0") / FINER if _is_cell(part) else own), own


def _parts(text: str) -> list[str]:
    """The text cut into single digits and what is between them."""
    parts: list[str] = []
    for letter in text:
        if parts and not _is_cell(letter) and not _is_cell(parts[-1]):
            parts[-1] += letter
        else:
            parts.append(letter)
    return parts


def _is_cell(part: str) -> bool:
    """Whether a part of a text is a single letter that is given the width of a zero."""
    return part.isdigit() or part in (BLANK, "−")


def _badge(piece: Piece, unit: float) -> tuple[float, float]:
    """Width and height of a badge [pixels]: square around one letter, wider around two."""
    side = piece.size * 1.5 * unit
    font = _font(piece.weight, max(1, round(piece.size * unit)))
    return max(side, font.getlength(piece.text) + 0.7 * piece.size * unit), side


def _height(line: tuple[Piece, ...], unit: float) -> float:
    """Of a line [pixels]."""
    return max(piece.size for piece in line) * 1.22 * unit


@lru_cache(maxsize=1024)
def _advance(piece: Piece, unit: float) -> float:
    """How far a piece moves the pen [pixels]."""
    if piece.behind is not None:
        return _badge(piece, unit)[0] + 8 * unit
    font = _font(piece.weight, max(1, round(piece.size * unit)))
    return sum(_width(font, part)[0] for part in _parts(piece.text))


def _length(line: tuple[Piece, ...], unit: float) -> float:
    """Of a line [pixels]."""
    return sum(_advance(piece, unit) for piece in line)


class Sheet:
    """A picture laid flat over a viewport; ``actor`` is built once, the picture changes in place."""

    def __init__(self) -> None:
        self._plane = pv.PolyData.from_regular_faces(np.zeros((4, 3), np.float32), np.array([[0, 1, 2, 3]]))
        self._plane.active_texture_coordinates = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
        mapper = vtkPolyDataMapper2D()
        mapper.SetInputData(self._plane)
        pixels = vtkCoordinate()
        pixels.SetCoordinateSystemToViewport()
        mapper.SetTransformCoordinate(pixels)
        self._image = image(np.zeros((2, 2, 4), np.uint8))
        self._texture = pv.Texture(self._image)
        self._texture.InterpolateOff()
        self.actor: vtkActor2D = vtkTexturedActor2D()
        self.actor.SetMapper(mapper)
        self.actor.SetTexture(self._texture)
        self.actor.SetPickable(False)
        self._key: object = None
        self.top = 0  # its upper edge [pixels]

    def fill(self, place: tuple[int, int], size: tuple[int, int], radius: float, colour: str, opacity: float) -> None:
        """Draw an empty card with its lower left corner at a place of the viewport [pixels]."""
        key = (place, size, radius, colour, opacity)
        if key != self._key:
            self._key = key
            self._put(np.asarray(_tile(size, radius, colour, opacity)), *place)

    def show(self, card: Card, unit: float, viewport: tuple[int, int], corner: str, margin: float = MARGIN) -> None:
        """Draw a card in a corner ("top-left", "bottom-left") of a viewport (width, height) [pixels]."""
        key = (card, unit, viewport, corner)
        if key == self._key:
            return
        self._key = key
        aside = round(margin * unit)
        picture = draw(card, unit, max(viewport[0] - 2 * aside, 1), max(viewport[1] - 2 * aside, 1))
        high = viewport[1] - aside - picture.shape[0]
        self._put(picture, aside, high if corner.startswith("top") else aside)

    def lay(self, picture: np.ndarray, unit: float, viewport: tuple[int, int], corner: str, away: int = 0) -> None:
        """Lay a picture (h, w, 4) into a corner, top or bottom, left or right; ``away`` from top or bottom [pixels]."""
        self._key = None
        margin, (h, w) = round(12 * unit), picture.shape[:2]
        x = viewport[0] - margin - w if corner.endswith("right") else margin
        y = viewport[1] - margin - h - away if corner.startswith("top") else margin + away
        self._put(picture, x, y)

    def come_before(self, renderer: pv.Renderer, *, on: bool) -> None:
        """Lie over all that is flat in a renderer so far, and be shown or hidden."""
        renderer.RemoveViewProp(self.actor)
        renderer.AddViewProp(self.actor)
        self.actor.SetVisibility(on)

    def _put(self, picture: np.ndarray, x: int, y: int) -> None:
        h, w = picture.shape[:2]
        self.top = y + h
        if self._image.GetDimensions()[:2] == (w, h):  # as most often: only numbers have changed
            np.asarray(self._image.GetPointData().GetScalars()).reshape(h, w, 4)[::-1] = picture
            self._image.Modified()
        else:
            self._image = image(picture)
            self._texture.SetInputData(self._image)
        move(self._plane, np.array([(x, y, 0), (x + w, y, 0), (x + w, y + h, 0), (x, y + h, 0)]))


def image(picture: np.ndarray) -> pv.ImageData:
    """A picture (h, w, 4) of 0 to 255 as VTK takes it."""
    h, w = picture.shape[:2]
    data = pv.ImageData(dimensions=(w, h, 1))
    data.point_data["rgba"] = picture[::-1].reshape(-1, 4)
    return data


def outlined(text: str, colour: str, edge: str, size: float) -> np.ndarray:
    """A short text on nothing (h, w, 4), its letters edged in another colour; size [pixels]."""
    font, width = _font("SemiBold", max(1, round(size))), max(1, round(0.16 * size))
    wide, high = round(font.getlength(text)) + 2 * width + 2, round(1.3 * size) + 2 * width
    picture = Image.new("RGBA", (wide, high), (*pv.Color(edge).int_rgb, 0))
    pen, middle = ImageDraw.Draw(picture), (wide / 2, high / 2)
    pen.text(middle, text, fill=colour, font=font, anchor="mm", stroke_width=width, stroke_fill=edge)
    return np.asarray(picture)
