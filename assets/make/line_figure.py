"""Line figures of the help: curves in panels, side by side, as small SVG."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from assets.make.svg import HIGH, LETTER, LETTERS, WIDE, dot, line, path, sheet, text
from physics.core.rotation import Array

LEFT, RIGHT, TOP, BOTTOM = 46.0, 14.0, 34.0, 34.0  # around what a panel draws in
ROOM = 90.0  # at the right of a curve that ends early, for its name
MOST_POINTS = 240  # of a curve: more are not seen


@dataclass(frozen=True)
class Curve:
    """Points (n,) of x and y, a colour ("": the ink of the text), a name at its end; whether dashed, and with dots.

    bare : dots without a line; fill: how much of the ink lies in the area inside a closed curve
    """

    x: Array
    y: Array
    colour: str = ""
    name: str = ""
    dashed: bool = False
    dots: bool = False
    bare: bool = False
    fill: float = 0.0
    width: float = 1.8


class Drawn(Protocol):
    """A part of a figure."""

    def drawn(self, left: float, wide: float, high: float) -> str:
        """Its SVG in the pixels from ``left`` on, so wide and high."""
        ...


@dataclass(frozen=True)
class Panel:
    """Curves with a title and the names of their axes; the limits are those of the curves where None.

    to_scale : a length is as long upwards as across; axes: whether there are any
    labels : x, y, words and colour of what is named inside
    """

    title: str
    across: str
    curves: Sequence[Curve]
    log_x: bool = False
    log_y: bool = False
    low: float | None = None
    high: float | None = None
    to_scale: bool = False
    axes: bool = True
    labels: Sequence[tuple[float, float, str, str]] = ()

    def drawn(self, left: float, wide: float, high: float) -> str:
        """Its SVG."""
        x = np.concatenate([curve.x for curve in self.curves])
        y = np.concatenate([curve.y for curve in self.curves])
        x0, x1 = float(x.min()), float(x.max())
        start, end, foot, top = left + LEFT, left + wide - RIGHT, high - BOTTOM, TOP
        y0 = float(np.nanmin(y)) if self.low is None else self.low
        y1 = float(np.nanmax(y)) if self.high is None else self.high
        if self.to_scale:
            each = min((end - start) / (x1 - x0), (foot - top) / (y1 - y0))
            end, top = start + each * (x1 - x0), foot - each * (y1 - y0)
        across = Scale(x0, x1, start, end, self.log_x, tight=True)
        up = Scale(y0, y1, foot, top, self.log_y, tight=self.to_scale)
        parts = [text(start, min(top - 18.0, 30.0), self.title, bold=True)]
        for value, name in up.ticks() if self.axes else ():
            parts.append(line((across.start, up(value)), (across.end, up(value)), 0.14))
            parts.append(text(across.start - 6, up(value) + 4, name, "end", 0.75))
        for value, name in across.ticks() if self.axes else ():
            parts.append(text(across(value), foot + 15, name, "middle", 0.75))
        parts.append(text(across.end, high - 4.0, self.across, "end", 0.75))
        placed: list[float] = []
        parts += [_curve(curve, across, up, placed) for curve in self.curves]
        parts += [text(across(x), up(y), name, "middle", ink=ink) for x, y, name, ink in self.labels]
        return "\n".join(filter(None, parts))


def figure(
    panels: Sequence[Drawn],
    told: str,
    legend: Sequence[tuple[str, str]] = (),
    high: float = HIGH,
    first: float | None = None,
) -> str:
    """The panels side by side as SVG; told: what one sees, for readers aloud; legend: names and colours, below.

    first : the share of the width that the first of two panels has; None: half of it
    """
    wide = [WIDE / len(panels)] * len(panels) if first is None else [first * WIDE, (1 - first) * WIDE]
    parts = [panel.drawn(sum(wide[:number]), wide[number], high) for number, panel in enumerate(panels)]
    x = LEFT
    for name, ink in legend:
        if x == LEFT or x + LETTER * len(name) > WIDE:
            x, high = LEFT, high + 18.0
        parts.append(text(x, high - 5.0, name, ink=ink))
        x += LETTER * (len(name) + 3)
    return sheet(parts, told, high)


class Scale:
    """From values to pixels along an axis."""

    def __init__(self, low: float, high: float, start: float, end: float, log: bool, *, tight: bool = False) -> None:
        self.log, self.start, self.end = log, start, end
        if log:
            self.low, self.high = math.log10(low), math.log10(high)
        else:
            step = _step(low, high)
            self.low = step * math.floor(low / step + 1e-9)
            self.high = step * math.ceil(high / step - 1e-9)
            if tight:  # no empty place
                self.low, self.high = low, high

    def __call__(self, value: float) -> float:
        at = math.log10(value) if self.log else value
        return self.start + (at - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self) -> list[tuple[float, str]]:
        """Values that are named."""
        if self.log:
            low, high = math.ceil(self.low - 1e-9), math.floor(self.high + 1e-9)
            every = max(1, math.ceil((high - low) / 5))
            if low > high - 1:  # no two powers of ten: 1, 2 and 5 times
                near = [m * 10.0**e for e in range(low - 1, high + 1) for m in (1, 2, 5)]
                return [(v, f"{v:g}") for v in near if self.low - 1e-9 <= math.log10(v) <= self.high + 1e-9]
            return [(10.0**e, _power(e)) for e in range(low, high + 1, every)]
        step = _step(self.low, self.high)
        first = math.ceil(self.low / step - 1e-9)
        return [(k * step, _plain(k * step)) for k in range(first, math.floor(self.high / step + 1e-9) + 1)]


def _step(low: float, high: float) -> float:
    """A round distance between some four to seven ticks."""
    wanted = (high - low or 1.0) / 5
    power = 10.0 ** math.floor(math.log10(wanted))
    return next(m * power for m in (1, 2, 5, 10) if m * power >= wanted * 0.999)


def _plain(value: float) -> str:
    return f"{value:.0f}" if abs(value) >= 1e5 else f"{value:.6g}"


def _power(exponent: int) -> str:
    raised = str(exponent).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return "1" if exponent == 0 else f"10{raised}"


def _curve(curve: Curve, across: Scale, up: Scale, placed: list[float]) -> str:
    """A curve; its name stands at its end, below those of others that end there."""
    seen = np.isfinite(curve.y)
    x, y = curve.x[seen], curve.y[seen]
    if len(x) > MOST_POINTS:
        chosen = np.unique(np.linspace(0, len(x) - 1, MOST_POINTS).astype(int))
        x, y = x[chosen], y[chosen]
    if not len(x):
        return ""
    low, high = sorted((up.start, up.end))
    points = [(across(a), min(max(up(b), low), high)) for a, b in zip(x.tolist(), y.tolist(), strict=True)]
    parts = []
    if not curve.bare:
        parts.append(path(points, curve.colour, fill=curve.fill, dashed=curve.dashed, width=curve.width))
    if curve.dots or curve.bare:
        parts += [dot(a, b, curve.colour) for a, b in points]
    if curve.name:
        at = points[-1][1] - 5
        while any(abs(at - other) < LETTERS for other in placed):
            at -= 1.0
        placed.append(at)
        early = points[-1][0] < across.end - ROOM
        x0, anchor = (points[-1][0] + 5, "start") if early else (points[-1][0] - 2, "end")
        parts.append(text(x0, at, curve.name, anchor, ink=curve.colour))
    return "\n".join(parts)
