"""Cards: lines of text set in Inter as small pictures, on a panel or over a soft shadow, laid flat over a viewport."""

from __future__ import annotations

import math
import re
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

import numpy as np
import pyvista as pv
from PIL import Image, ImageDraw, ImageFilter, ImageFont
from vtkmodules.vtkRenderingCore import vtkActor2D, vtkCoordinate, vtkPolyDataMapper2D, vtkTexturedActor2D

from app.stage.actor_group import move, polygons
from app.stage.plotter import Box
from app.theme import FONTS

FINER = 4  # factor by which letters are drawn larger and then reduced
BLANK = "\u2007"  # a space as wide as a digit
WORD = re.compile(r"^\s+|(?:[-−]?\d[\d.]* (?=\S{1,4}(?!\S)))?\S+\s*")  # a number keeps its unit


@lru_cache(maxsize=64)
def font_of(weight: str, size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """The typeface in a weight and a size [pixels]."""
    path = FONTS[weight]
    return ImageFont.truetype(str(path), size) if path.is_file() else ImageFont.load_default(size)


@lru_cache(maxsize=64)
def _finer(font: ImageFont.FreeTypeFont) -> ImageFont.FreeTypeFont:
    """The font in which letters are drawn before they are reduced: else each would stand on a whole pixel."""
    return font.font_variant(size=FINER * font.size)


@lru_cache(maxsize=2048)
def glyph(font: ImageFont.FreeTypeFont, part: str, soft: bool) -> tuple[np.ndarray, int, int]:
    """A part of a text, or its soft shadow before it is darkened, as a mask (h, w), and where its origin is in it."""
    if soft:
        cover, left, over = glyph(font, part, False)
        far = max(2, round(SOFT * font.size))
        blurred = Image.fromarray(np.pad(cover, 2 * far)).filter(ImageFilter.GaussianBlur(far / 2))
        return np.asarray(blurred, np.uint16), left + 2 * far, over + 2 * far
    fine = _finer(font)
    x0, y0, x1, y1 = (math.floor(edge / FINER) for edge in fine.getbbox(part, anchor="ls"))
    left, over = 1 - min(x0, 0), 1 - min(y0, 0)
    size = left + x1 + 2, over + max(y1, 0) + 2
    ink = Image.new("L", (FINER * size[0], FINER * size[1]), 0)
    ImageDraw.Draw(ink).text((FINER * left, FINER * over), part, 255, fine, "ls")
    return np.asarray(ink.reduce(FINER)), left, over


@lru_cache(maxsize=512)
def word(font: ImageFont.FreeTypeFont, text: str, soft: bool) -> tuple[np.ndarray, int, int]:
    """A text, or its soft shadow, as a mask (h, w) of 0 to 255, and where its origin is in it.

    Its parts stand side by side: only those that are new are drawn.
    """
    placed, x = [], 0.0
    for part in parts(text):
        given, own = width(font, part)
        if part.strip():
            mask, left, over = glyph(font, part, soft)
            placed.append((mask, round(x + (given - own) / 2) - left, over))
        x += given
    if not placed:
        return np.zeros((1, 1), np.uint8), 0, 0
    first, most = min(at for _, at, _ in placed), max(over for _, _, over in placed)
    wide = max(at + mask.shape[1] for mask, at, _ in placed) - first
    high = max(most - over + mask.shape[0] for mask, _, over in placed)
    whole = np.zeros((high, wide), np.uint16)
    for mask, at, over in placed:
        whole[most - over : most - over + mask.shape[0], at - first : at - first + mask.shape[1]] += mask
    dark = np.minimum(whole * np.float32(DARKER), 255.0 * DARKEST) if soft else np.minimum(whole, 255)
    return dark.astype(np.uint8), -first, most


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
    """True for a single letter that takes the width of a zero."""
    return part.isdigit() or part in (BLANK, "−")


def outlined(text: str, colour: str, edge: str, size: float) -> np.ndarray:
    """A short text on nothing (h, w, 4), its letters edged in another colour; size [pixels]."""
    font, thick = font_of("SemiBold", max(1, round(FINER * size))), max(FINER, round(0.16 * FINER * size))
    wide, high = math.ceil((font.getlength(text) + 2 * thick) / FINER) + 2, round(1.3 * size + 2 * thick / FINER)
    picture = Image.new("RGBA", (FINER * wide, FINER * high), (*pv.Color(edge).int_rgb, 0))
    pen, middle = ImageDraw.Draw(picture), (FINER * wide / 2, FINER * high / 2)
    pen.text(middle, text, fill=colour, font=font, anchor="mm", stroke_width=thick, stroke_fill=edge)
    return np.asarray(picture.reduce(FINER))


SOFT, DARKER, DARKEST = 0.22, 2.2, 0.8  # reach of a shadow in letters, how strong it is, and how dark at most
DISC = 1.25  # diameter of a mark in letters
FAINT, HALF = 110, 80  # of 255: the ground of a ring, and the lower half of what is near
PADDING = 10.0  # inside a card [pixels of a picture 720 high]


class TextRun(NamedTuple):  # compared and looked up many times a frame: in C, in half the time
    """A run of text in one style; size [pixels of a picture 720 high]; a badge has a colour ``behind``.

    A mark, by its key in app.playback.verdicts.MARKS, is drawn in place of its text.

    Digits, signs and BLANK are all as wide as a zero, so that numbers do not dance. It takes the width of the widest
    text that may stand in its place, its ``room``, so that cards do not grow as numbers do; SemiBold may stand in the
    place of Medium. Prose may be broken between any two words, even beside other runs.
    """

    text: str
    colour: str
    size: float = 13.0
    weight: str = "Regular"
    behind: str | None = None
    room: str = ""
    prose: bool = False
    mark: str | None = None

    @property
    def trimmed(self) -> TextRun:
        """Without trailing space."""
        return self._replace(text=self.text.rstrip(" "), room=self.room.rstrip(" "))


Line = tuple[TextRun, ...]


class Card(NamedTuple):
    """Lines of pieces on a panel of a colour and an opacity.

    shadow : letters have a soft shadow of the panel's colour, by which they are read without a panel
    align : of the lines: 0: left, 0.5: in the middle, 1: right
    """

    lines: tuple[Line, ...]
    panel: str
    opacity: float = 0.75
    gap: float = 5.0
    shadow: bool = False
    align: float = 0.0


def draw(card: Card, unit: float, widest: int, highest: int = 10_000) -> np.ndarray:
    """The card as a picture (h, w, 4) of 0 to 255, no larger than ``widest`` and ``highest`` [pixels].

    Lines that are too long are broken; where that makes the card too high, or a word is too long, letters shrink.
    unit : pixels for one pixel of a picture 720 high
    """
    lines, wide, high, unit = _laid(card, unit, widest, highest)
    size = max(1, min(round(wide), widest)), max(1, min(round(high), highest))
    picture = blank(size, min(8 * unit, size[0] / 2, size[1] / 2), card.panel, card.opacity).copy()
    top, placed = 0.75 * PADDING * unit, list[tuple[TextRun, float, float]]()
    for line in lines:
        x = PADDING * unit + card.align * (size[0] - 2 * PADDING * unit - length(line, unit))
        for piece in line:
            placed.append((piece, x, round(top) + 0.78 * _height(line, unit)))
            x += _advance(piece, unit)
        top += _height(line, unit) + card.gap * unit
    for piece, x, base in placed if card.shadow else ():
        if piece.behind is None and piece.mark is None:
            _letters(picture, piece, unit, x, base, card.panel, soft=True)
    for piece, x, base in placed:
        _write(picture, piece, unit, x, base)
    return picture


drawn = lru_cache(maxsize=256)(draw)  # most texts stay for many frames; not to be changed


def rows(line: Line, room: float, unit: float = 1.0, first: float | None = None) -> list[Line]:
    """The lines, without space at their ends, that a line takes in a room, the first one in another [pixels]."""
    broken = _broken(line, unit, room, room if first is None else first)
    return [(*part[:-1], part[-1].trimmed) if part else part for part in broken]


def _laid(card: Card, unit: float, widest: int, highest: int) -> tuple[list[Line], float, float, float]:
    """The lines as they fit, the card's width and height [pixels], and the unit that this takes."""
    for _ in range(40):
        room = widest - 2 * PADDING * unit
        lines = [row for line in card.lines for row in rows(line, room, unit)]
        wide = max(length(line, unit) for line in lines) + 2 * PADDING * unit
        high = sum(_height(line, unit) + card.gap * unit for line in lines) + (1.5 * PADDING - card.gap) * unit
        if (wide <= widest + 1 and high <= highest + 1) or unit < 0.1:
            break
        unit *= 0.93
    return lines, wide, high, unit


def _broken(line: Line, unit: float, room: float, first: float) -> list[Line]:
    """A line of pieces, broken to fit rooms [pixels]; one without a word stays, and keeps its height."""
    bits = _bits(line)
    if not bits or length(line, unit) <= first:
        return [line]
    lines, left = [list[Line]()], first
    for bit in bits:
        if lines[-1] and length((*bit[:-1], bit[-1].trimmed), unit) > left:
            lines.append([])
            left = room
        lines[-1].append(bit)
        left -= length(bit, unit)
    if len(lines) > 1 and len(lines[-1]) == 1 and len(lines[-2]) > 2 and line[0].behind is None:
        last = [lines[-2][-1], *lines[-1]]  # no word alone on a line
        if length(tuple(chain(*last)), unit) <= room:
            lines[-2:] = [lines[-2][:-1], last]
    return [tuple(chain(*one)) for one in lines]


def _bits(line: Line) -> list[Line]:
    """Pieces that stay together: the words of prose or of a single text; else each, a value with its name."""
    texts = [piece for piece in line if piece.behind is None]
    bits: list[Line] = []
    for piece in line:
        if piece.prose or (piece.behind is None and len(texts) == 1):
            words = [(piece._replace(text=word, room=""),) for word in WORD.findall(piece.text)]
            if bits and words and not bits[-1][-1].text.endswith(" "):
                bits[-1] += words.pop(0)  # what follows without a space stays there, and so does the space
            bits += words
        elif bits and piece.behind is None and re.search(r"[^ ] $", bits[-1][-1].text or bits[-1][-1].room):
            bits[-1] += (piece,)
        else:
            bits.append((piece,))
    return bits


# ---- ink ----------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def blank(size: tuple[int, int], radius: float, colour: str, opacity: float) -> np.ndarray:
    """A filled rectangle (h, w, 4) with round corners; not to be changed."""
    picture = np.empty((size[1], size[0], 4), np.uint8)
    picture[..., :3] = pv.Color(colour).int_rgb
    picture[..., 3] = np.asarray(_rounded(size, radius, round(255 * opacity)))
    return picture


@lru_cache(maxsize=64)
def _rounded(size: tuple[int, int], radius: float, fill: int) -> Image.Image:
    """The mask of a rectangle with round corners; drawn four times too large and reduced, for smooth corners."""
    mask = Image.new("L", (4 * size[0], 4 * size[1]), 0)
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, mask.width - 1, mask.height - 1), 4 * radius, fill=fill)
    return mask.resize(size, Image.Resampling.BOX)


def _write(picture: np.ndarray, piece: TextRun, unit: float, x: float, base: float) -> None:
    """Write a piece, from x on and on a base line [pixels], on a picture (h, w, 4)."""
    up = 0.36 * piece.size * unit  # the middle of its letters above the line
    if piece.mark is not None:
        side = _side(piece, unit)
        inks = piece.behind or piece.colour, piece.colour
        for cover, ink in zip(disc_of(piece.mark, side), inks, strict=True):
            lay(picture, cover, ink, round(x), round(base - up - side / 2))
        return
    if piece.behind is not None:
        wide, side = _badge(piece, unit)
        top, size = max(0, round(base - up - side / 2)), (max(1, round(wide)), max(1, round(side)))
        lay(picture, np.asarray(_rounded(size, 4 * unit, 255)), piece.behind, round(x), top)
        font = font_of(piece.weight, max(1, round(piece.size * unit)))
        x = round(x) + (wide - sum(width(font, part)[0] for part in parts(piece.text))) / 2
        base = top + side / 2 + up
    _letters(picture, piece, unit, x, base, piece.colour, soft=False)


def _letters(
    picture: np.ndarray, piece: TextRun, unit: float, x: float, base: float, colour: str, *, soft: bool
) -> None:
    """Lay the letters of a piece, or their soft shadow, on a picture (h, w, 4)."""
    cover, left, over = word(font_of(piece.weight, max(1, round(piece.size * unit))), piece.text, soft)
    lay(picture, cover, colour, round(x) - left, round(base) - over)


@lru_cache(maxsize=64)
def disc_of(mark: str, side: float) -> tuple[np.ndarray, np.ndarray]:
    """One of app.playback.verdicts.MARKS as two masks (h, w) of 0 to 255: its ground and its ink.

    Off is a full disc with a rim and a cross, near is half full, and others are rings: right with a tick, unknown with
    a question mark, over with a bar.
    """
    n, middle = FINER * round(side), FINER * round(side) / 2
    ground, ink = (Image.new("L", (n, n), 0) for _ in range(2))
    on_ground, on_ink = ImageDraw.Draw(ground), ImageDraw.Draw(ink)
    edge, line = round(0.04 * n), max(1, round(0.1 * n))
    box = edge, edge, n - 1 - edge, n - 1 - edge
    if mark == "off":
        on_ground.ellipse((0, 0, n - 1, n - 1), fill=255)
        on_ink.ellipse((0, 0, n - 1, n - 1), outline=255, width=line)
        a, b = 0.3 * n, 0.7 * n
        for ends in (((a, a), (b, b)), ((a, b), (b, a))):
            on_ink.line(ends, 255, round(0.15 * n))
    else:
        on_ground.ellipse(box, fill=FAINT)
        on_ink.ellipse(box, outline=255, width=line)
        if mark == "near":
            on_ink.pieslice(box, 0, 180, fill=HALF)
            on_ink.ellipse(box, outline=255, width=line)
            x = np.linspace(0.0, 1.0, 4 * FINER)
            for height in (0.4, 0.6):
                wave = np.column_stack([0.25 + 0.5 * x, height - 0.06 * np.sin(2.0 * np.pi * x)])
                on_ink.line([(float(a), float(b)) for a, b in n * wave], 255, round(0.8 * line), "curve")
        elif mark == "right":
            on_ink.line(((0.29 * n, 0.53 * n), (0.44 * n, 0.67 * n), (0.71 * n, 0.35 * n)), 255, line, "curve")
        elif mark == "over":
            on_ink.line(((0.25 * n, middle), (0.75 * n, middle)), 255, round(1.5 * line))
        else:
            font = font_of("SemiBold", max(1, round(0.68 * n)))
            on_ink.text((middle, middle), "?", 255, font, "mm")
    return np.asarray(ground.reduce(FINER)), np.asarray(ink.reduce(FINER))


def lay(picture: np.ndarray, cover: np.ndarray, colour: str, left: int, top: int) -> None:
    """Lay a colour on a part of a picture (h, w, 4), with a mask from 0 to 255."""
    cover = cover[max(-top, 0) :, max(-left, 0) :]
    left, top = max(left, 0), max(top, 0)
    part = picture[top : top + cover.shape[0], left : left + cover.shape[1]]
    if not part[..., 3].any():  # most often
        part[..., :3], part[..., 3] = pv.Color(colour).int_rgb, cover[: part.shape[0], : part.shape[1]]
        return
    over = cover[: part.shape[0], : part.shape[1], None].astype(np.float32) / 255.0
    below = part[..., 3:] / np.float32(255.0) * (1.0 - over)
    both = over + below
    ink = np.array(pv.Color(colour).int_rgb, np.float32)
    part[..., :3] = (ink * over + part[..., :3] * below) / np.maximum(both, 1e-6) + 0.5
    part[..., 3:] = 255.0 * both + 0.5


def _side(piece: TextRun, unit: float) -> float:
    """Width and height of a mark [pixels]."""
    return max(4.0, DISC * piece.size * unit)


def _badge(piece: TextRun, unit: float) -> tuple[float, float]:
    """Width and height of a badge [pixels]: square around one letter, wider around two."""
    side = piece.size * 1.5 * unit
    font = font_of(piece.weight, max(1, round(piece.size * unit)))
    return max(side, width(font, piece.text)[1] + 0.7 * piece.size * unit), side


def _height(line: Line, unit: float) -> float:
    """Height of a line [pixels]."""
    return max(piece.size * (1.22 if piece.mark is None else DISC) for piece in line) * unit


@lru_cache(maxsize=1024)
def _advance(piece: TextRun, unit: float) -> float:
    """Width that a piece takes on its line [pixels]."""
    if piece.mark is not None:
        return _side(piece, unit) + 0.4 * piece.size * unit
    if piece.behind is not None:
        return _badge(piece, unit)[0] + 0.45 * piece.size * unit + 2 * unit
    size = max(1, round(piece.size * unit))
    bolder = "SemiBold" if piece.weight == "Medium" else piece.weight
    texts = (piece.text, piece.weight), (piece.room, piece.weight), (piece.room, bolder)
    return max(sum(width(font_of(weight, size), part)[0] for part in parts(text)) for text, weight in texts)


def length(line: Line, unit: float = 1.0) -> float:
    """Length of a line [pixels]; unit: pixels for one pixel of a picture 720 high."""
    return sum(_advance(piece, unit) for piece in line)


MARGIN = 12.0  # distance between a card and the edges of the viewport [pixels of a picture 720 high]


class FlatPicture:
    """A picture laid flat over a viewport; ``actor`` is built once, the picture changes in place."""

    def __init__(self) -> None:
        self._plane = polygons(np.zeros((4, 3), np.float32), np.array([[0, 1, 2, 3]]))
        corners: np.ndarray = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
        self._plane.active_texture_coordinates = corners
        self._image = image(np.zeros((2, 2, 4), np.uint8))
        self._pixels = _pixels(self._image)
        self._texture = pv.Texture(self._image)
        self._texture.InterpolateOff()
        self.actor = flat(self._plane, self._texture)
        self._key: object = None
        self._laid: np.ndarray | None = None  # the picture of ``place``, whose number is thus no other's
        self._place: tuple[int, ...] = ()
        self.top = self.right = 0  # its upper and right edge [pixels]

    @property
    def box(self) -> Box | None:
        """Part of the viewport that it covers; None while it is hidden or empty."""
        if not self._place or not self.actor.GetVisibility():
            return None
        x, y, w, h = self._place
        return x, y, x + w, y + h

    def place(self, picture: np.ndarray, x: int, y: int) -> None:
        """Lay a picture (h, w, 4), which stays as it is, with its lower left corner at a pixel of the viewport."""
        if self._key != (key := (id(picture), x, y)):
            self._key, self._laid = key, picture
            self._put(picture, x, y)

    def lay(self, picture: np.ndarray, unit: float, viewport: tuple[int, int], corner: str, away: int = 0) -> None:
        """Lay a picture (h, w, 4) into a corner, top or bottom, left or right; ``away`` from top or bottom [pixels]."""
        margin, (h, w) = round(MARGIN * unit), picture.shape[:2]
        x = viewport[0] - margin - w if corner.endswith("right") else margin
        self.place(picture, x, viewport[1] - margin - h - away if corner.startswith("top") else margin + away)

    def stretch(self, picture: np.ndarray, size: tuple[int, int]) -> None:
        """Lay a small picture (h, w, 4), smoothly enlarged, over a whole viewport (width, height)."""
        if self._key != size:
            self._key = size
            self._texture.InterpolateOn()
            self._put(picture, 0, 0)
            self._place = 0, 0, *size
            w, h = size
            move(self._plane, np.array([(0, 0, 0), (w, 0, 0), (w, h, 0), (0, h, 0)]))

    def come_before(self, renderer: pv.Renderer, *, on: bool) -> None:
        """Lie over all that is flat in a renderer so far, and be shown or hidden."""
        renderer.RemoveViewProp(self.actor)
        renderer.AddViewProp(self.actor)
        self.actor.SetVisibility(on)

    def _put(self, picture: np.ndarray, x: int, y: int) -> None:
        h, w = picture.shape[:2]
        self.top, self.right = y + h, x + w
        if self._image.GetDimensions()[:2] == (w, h):  # as most often: only numbers have changed
            self._pixels[::-1] = picture
            self._image.Modified()
        else:
            self._image = image(picture)
            self._pixels = _pixels(self._image)
            self._texture.SetInputData(self._image)
        if (x, y, w, h) != self._place:
            self._place = x, y, w, h
            move(self._plane, np.array([(x, y, 0), (x + w, y, 0), (x + w, y + h, 0), (x, y + h, 0)]))


def flat(mesh: pv.PolyData, texture: pv.Texture) -> vtkActor2D:
    """An actor for a mesh whose points are pixels of a viewport."""
    mapper = vtkPolyDataMapper2D()
    mapper.SetInputData(mesh)
    pixels = vtkCoordinate()
    pixels.SetCoordinateSystemToViewport()
    mapper.SetTransformCoordinate(pixels)
    actor = vtkTexturedActor2D()
    actor.SetMapper(mapper)
    actor.SetTexture(texture)
    actor.SetPickable(False)
    return actor


def _pixels(image: pv.ImageData) -> np.ndarray:
    """The pixels (h, w, 4) that an image holds, from below."""
    w, h, _ = image.GetDimensions()
    return np.asarray(image.GetPointData().GetScalars()).reshape(h, w, 4)


def image(picture: np.ndarray) -> pv.ImageData:
    """A picture (h, w, 4) of 0 to 255 as VTK takes it."""
    h, w = picture.shape[:2]
    data = pv.ImageData(dimensions=(w, h, 1))
    data.point_data["rgba"] = picture[::-1].reshape(-1, 4)
    return data
