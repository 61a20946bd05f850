"""Colour maps that colour-blind people can read, and the colour bar that explains one."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from PIL import Image, ImageDraw

from app.stage.text.caption_text import badge
from app.stage.text.cards import Card, Line, TextRun, blank, draw
from app.stage.theme_colours import StageColours
from app.system.language import tr
from physics.core.rotation import Array
from physics.schemes.scheme import Scheme

ON_DARK, ON_LIGHT = (
    "viridis 0.25 1",
    "viridis 0 0.85",
)  # along paths before a sky, without the colours that sink into it
OVER = "cividis"  # properties of the terrain itself: its slope
ROCKS = "plasma 0.42 0.8"  # colours of rocks, on stage and on paper: neither dull as the ground nor pale as paper
ROUND = "twilight"  # directions, which go round
CLASSES = "weak", "medium", "strong"  # classes of intensity, 1 to 3 in maps whose unit is "class"
# authors of the classes
CLASSED_BY = {"foen": "Swiss hazard maps (Canton of Valais)", "oerok": "Austrian hazard maps (ÖROK)"}
_PREFIXES = {"J": ((1e6, "MJ"), (1e3, "kJ"))}


@lru_cache(maxsize=8)
def colour_table(name: str) -> np.ndarray:
    """The colours of a map of colours, (256, 3) of 0 to 255; after the name the shares that are taken of it, 0 to 1."""
    from matplotlib import colormaps  # here, as it takes a tenth of a second

    name, low, high = (*name.split(), "0", "1")[:3]
    return np.round(255 * colormaps[name](np.linspace(float(low), float(high), 256))[:, :3]).astype(np.uint8)


@dataclass(frozen=True)
class Bar:
    """Scale of colours: a quantity from low to high in a unit; beyond, the end's colour holds.

    marks : (value, text) in place of round numbers
    more : whether there are values above high; the bar then ends in a point
    """

    title: str
    unit: str
    low: float
    high: float
    colours: str
    marks: tuple[tuple[float, str], ...] = ()
    more: bool = False

    def rgba(self, values: Array, opacity: float = 1.0) -> np.ndarray:
        """Colours (..., 4) of 0 to 255 of values (...); NaN is transparent."""
        known = np.isfinite(values)
        span = self.high - self.low if self.high > self.low else 1.0
        place = np.clip((np.where(known, values, self.low) - self.low) * (255.999 / span), 0, 255).astype(np.uint8)
        out = np.empty((*np.shape(values), 4), np.uint8)
        out[..., :3] = colour_table(self.colours)[place]
        out[..., 3] = np.where(known, round(255 * opacity), 0)
        return out

    @property
    def heading(self) -> str:
        """The title with the unit that the marks are in."""
        unit = self._scale()[1]
        return f"{self.title} [{unit}]" if unit not in ("", "1", "class") else self.title

    @property
    def strip(self) -> np.ndarray:
        """Colours (256, 3) of 0 to 255 from low to high; one for each class."""
        values = np.linspace(self.low, self.high, 256)
        return self.rgba(np.clip(np.round(values), 1, len(CLASSES)) if self.unit == "class" else values)[:, :3]

    def labels(self) -> list[tuple[float, str]]:
        """(value, text) of the marks below the bar."""
        if self.marks:
            return list(self.marks)
        factor, _ = self._scale()
        step = nice((self.high - self.low) / factor / 4.5)
        first, last = math.ceil(self.low / factor / step - 1e-9), math.floor(self.high / factor / step + 1e-9)
        return [(k * step * factor, f"{k * step:g}") for k in range(first, last + 1)]

    def _scale(self) -> tuple[float, str]:
        """The unit that keeps numbers short, in units of the bar."""
        return next(((f, u) for f, u in _PREFIXES.get(self.unit, ()) if self.high >= 2 * f), (1.0, self.unit))


def nice(least: float) -> float:
    """The smallest of 1, 2, 5 times a power of ten that is at least ``least``."""
    if not least > 0.0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(least))
    return next(m * power for m in (1, 2, 5, 10) if m * power >= least * (1 - 1e-9))


def reaching(*several: Array, share: float = 1.0) -> float:
    """A number, above 0, that a share of the values of each of several sets does not exceed."""
    known = [one[np.isfinite(one)] for one in several]
    top = max((float(np.quantile(one, share)) for one in known if len(one)), default=0.0)
    return top if top > 0.0 else 1.0


def spanning(title: str, unit: str, share: float, several: Collection[Array]) -> Bar:
    """The bar from 0 of several sets of values, up to what a share of those of each does not exceed."""
    high = reaching(*several, share=share)
    return Bar(title, unit, 0.0, high, ROCKS, more=any((one > high).any() for one in several))


def mapped(title: str, unit: str, grids: Collection[Array]) -> tuple[Bar, list[Array]]:
    """The bar of an ensemble's maps, NaN where there is nothing, and their heights in it.

    Of shares and frequencies these are decades, to 1 or more; of classes their numbers.
    """
    if unit == "class":
        words = tuple((float(k), tr(word)) for k, word in enumerate(CLASSES, start=1))
        return Bar(title, unit, 0.5, len(CLASSES) + 0.5, ROCKS, words), list(grids)
    if unit not in ("", "1", "1/a"):
        return spanning(title, unit, 0.99, grids), list(grids)
    least = min((float(np.nanmin(grid)) for grid in grids if np.isfinite(grid).any()), default=1.0)
    low = math.floor(math.log10(max(min(least, 0.1), 1e-6)) + 1e-9)
    high = max(0, math.ceil(math.log10(reaching(*grids)) - 1e-9))
    marks = tuple((float(k), f"{10.0**k:g}") for k in range(low, high + 1))
    return Bar(title, unit, float(low), float(high), ROCKS, marks), [np.log10(grid) for grid in grids]


def panel(bar: Bar, look: StageColours, unit: float, widest: int, whose: Scheme | str = "") -> np.ndarray:
    """The bar with its title and its marks on a card (h, w, 4) of 0 to 255; unit: see cards.draw.

    whose : the scheme whose numbers these are, or words that stand in its place
    """
    lines: tuple[Line, ...] = ((TextRun(bar.heading, look.ink, 12.5, "Medium"),),)
    if isinstance(whose, Scheme):
        lines = ((badge(whose, 11.0), TextRun(whose.title, look.ink, 12.0)), *lines)
    elif whose:
        lines = (*lines, (TextRun(whose, look.dim, 11.5),))
    words = draw(Card(lines, look.panel, 0.0), unit, widest)
    marks = [
        (value, draw(Card(((TextRun(text, look.dim, 11.5),),), look.panel, 0.0), unit, widest))
        for value, text in bar.labels()
    ]
    wide = min(widest, max(round(216 * unit), words.shape[1]))
    pad, thick = round(10 * unit), max(4, round(9 * unit))
    high = words.shape[0] + thick + max((mark.shape[0] for _, mark in marks), default=0)
    card = Image.fromarray(blank((wide, high), 8 * unit, look.panel, look.panel_opacity))
    card.alpha_composite(Image.fromarray(words), (0, 0))
    strip = bar.strip[np.linspace(0, 255, wide - 2 * pad).astype(int)]
    top = words.shape[0] - round(2 * unit)
    card.paste(Image.fromarray(np.repeat(strip[None], thick, axis=0)), (pad, top))
    pen, free = ImageDraw.Draw(card), -wide
    if bar.more:
        end = wide - pad
        last = tuple(strip[-1].tolist())
        pen.polygon(((end, top), (end + 0.7 * thick, top + (thick - 1) / 2), (end, top + thick - 1)), fill=last)
    for value, mark in marks:
        x = pad + (value - bar.low) / max(bar.high - bar.low, 1e-300) * (wide - 2 * pad - 1)
        left = min(max(round(x - mark.shape[1] / 2), round(pad - 10 * unit)), wide - mark.shape[1])
        if left + pad < free:  # marks must not touch
            continue
        free = left + mark.shape[1] - pad
        pen.line((x, top + thick, x, top + thick + 3 * unit), fill=look.dim, width=max(1, round(unit)))
        card.alpha_composite(Image.fromarray(mark), (max(left, 0), top + thick - round(2 * unit)))
    return np.asarray(card)
