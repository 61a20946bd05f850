"""Cards: captions as small pictures with round corners, set in Inter, laid flat over a viewport."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
import pyvista as pv
from PIL import Image, ImageDraw, ImageFont
from vtkmodules.vtkRenderingCore import vtkActor2D, vtkCoordinate, vtkPolyDataMapper2D, vtkTexturedActor2D

from app.colours import FONTS

PADDING = 10.0  # of a card [pixels of a picture 720 high]


@dataclass(frozen=True)
class Piece:
    """A run of text in one style; size [pixels of a picture 720 high]; a badge has a colour ``behind``."""

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


def draw(card: Card, unit: float, widest: int) -> np.ndarray:
    """The card as a picture (h, w, 4) of 0 to 255, no wider than ``widest`` [pixels]; smaller letters if it must.

    unit : pixels for one pixel of a picture 720 high
    """
    width = max(sum(_advance(piece, unit) for piece in line) for line in card.lines) + 2 * PADDING * unit
    if width > widest:
        unit *= max(widest / width * 0.995, 0.2)
    pad, gap = PADDING * unit, card.gap * unit
    strips = [_strip(line, unit) for line in card.lines]
    width = max(strip.width for strip in strips) + 2 * pad
    high = sum(strip.height + gap for strip in strips) - gap + 1.5 * pad
    size = (max(1, min(round(width), widest)), round(high))
    picture = _tile(size, 8 * unit, card.panel, card.opacity).copy()
    y = 0.75 * pad
    for strip in strips:
        picture.alpha_composite(strip, (round(pad), round(y)))
        y += strip.height + gap
    return np.asarray(picture)


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
    width = sum(_advance(piece, unit) for piece in line)
    height = max(piece.size for piece in line) * 1.22 * unit
    picture = Image.new("RGBA", (round(width) + 1, max(1, round(height))), (*pv.Color(line[0].colour).int_rgb, 0))
    x, base, pen = 0.0, 0.78 * height, ImageDraw.Draw(picture)
    for piece in line:
        font = _font(piece.weight, max(1, round(piece.size * unit)))
        if piece.behind is not None:
            side = _side(piece, unit)
            top = base - 0.36 * piece.size * unit - side / 2
            tile = _tile((round(side), round(side)), 4 * unit, piece.behind, 1.0)
            picture.alpha_composite(tile, (round(x), max(0, round(top))))
            pen.text(
                (round(x) + side / 2, round(top) + side / 2 + 0.36 * piece.size * unit),
                piece.text,
                piece.colour,
                font,
                "ms",
            )
        else:
            _digits(pen, piece, x, base, font)
        x += _advance(piece, unit)
    return picture


def _digits(pen: ImageDraw.ImageDraw, piece: Piece, x: float, base: float, font: ImageFont.FreeTypeFont) -> None:
    """Text whose digits are all as wide as a zero, so that numbers do not dance."""
    for part in _parts(piece.text):
        wide, own = _width(font, part)
        pen.text((x + (wide - own) / 2, base), part, piece.colour, font, "ls")
        x += wide


@lru_cache(maxsize=1024)
def _width(font: ImageFont.FreeTypeFont, part: str) -> tuple[float, float]:
    """The width that a part of a text is given and the one that it has [pixels]."""
    own = font.getlength(part)
    return (font.getlength("0") if part.isdigit() else own), own


def _parts(text: str) -> list[str]:
    """The text cut into single digits and what is between them."""
    parts: list[str] = []
    for letter in text:
        if parts and not letter.isdigit() and not parts[-1].isdigit():
            parts[-1] += letter
        else:
            parts.append(letter)
    return parts


def _side(piece: Piece, unit: float) -> float:
    return piece.size * 1.5 * unit


def _advance(piece: Piece, unit: float) -> float:
    """How far a piece moves the pen [pixels]."""
    if piece.behind is not None:
        return _side(piece, unit) + 8 * unit
    font = _font(piece.weight, max(1, round(piece.size * unit)))
    return sum(_width(font, part)[0] for part in _parts(piece.text))


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
        self._texture = pv.Texture(np.zeros((2, 2, 4), np.uint8))
        self._texture.InterpolateOff()
        self.actor: vtkActor2D = vtkTexturedActor2D()
        self.actor.SetMapper(mapper)
        self.actor.SetTexture(self._texture)
        self.actor.SetPickable(False)
        self._key: object = None

    def show(self, card: Card, unit: float, viewport: tuple[int, int], corner: str) -> None:
        """Draw a card in a corner ("top-left", "bottom-left") of a viewport (width, height) [pixels]."""
        key = (card, unit, viewport, corner)
        if key == self._key:
            return
        self._key = key
        margin = round(12 * unit)
        picture = draw(card, unit, viewport[0] - 2 * margin)
        h, w = picture.shape[:2]
        self._texture.SetInputData(_image(picture))
        x, y = margin, (viewport[1] - margin - h if corner.startswith("top") else margin)
        self._plane.points[:] = [(x, y, 0), (x + w, y, 0), (x + w, y + h, 0), (x, y + h, 0)]
        self._plane.GetPoints().Modified()


def _image(picture: np.ndarray) -> pv.ImageData:
    h, w = picture.shape[:2]
    image = pv.ImageData(dimensions=(w, h, 1))
    image.point_data["rgba"] = picture[::-1].reshape(-1, 4)
    return image
