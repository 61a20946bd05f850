"""Line figures of the help: curves in panels, side by side, as small SVG."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from assets.make.svg import DASHED, HIGH, LETTER, LETTERS, WIDE, Place, dot, line, path, sheet, text
from physics.core.rotation import Array

LEFT, RIGHT, TOP, BOTTOM = 46.0, 14.0, 34.0, 34.0  # around what a panel draws in
NEAR = 45.0  # of a curve's end, for its name [pixels]
BEFORE = 3  # places of a name farther from the end, where there is no room
ROOM = 90.0  # at the right of a curve that ends early, for its name
MOST_POINTS = 240  # of a curve: more are not seen
HIDDEN, PERIOD = 1.5, 16.0  # [pixels] between lines of which one hides the other, and of the dashes of such a line


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
        lines = [_line(curve, across, up) for curve in self.curves]
        taken = [_between(points) for points in lines]
        for number, (curve, points) in enumerate(zip(self.curves, lines, strict=True)):
            below = sum(_hides(points, other) for other in lines[:number])
            parts.append(_curve(curve, points, below))
            if curve.name and len(points):
                parts.append(_name(curve, points, across.end, (top, foot - 3.0), taken))
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
    """Map from values to pixels along an axis."""

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


def _line(curve: Curve, across: Scale, up: Scale) -> Array:
    """The points (n, 2) of a curve in pixels."""
    seen = np.flatnonzero(np.isfinite(curve.y))
    if len(seen) > MOST_POINTS:
        seen = seen[np.unique(np.linspace(0, len(seen) - 1, MOST_POINTS).astype(int))]
    low, high = sorted((up.start, up.end))
    points = [(across(a), min(max(up(b), low), high)) for a, b in zip(curve.x[seen], curve.y[seen], strict=True)]
    return np.array(points).reshape(-1, 2)


def _between(points: Array) -> Array:
    """Points (m, 2) on a line, a pixel apart or less."""
    if len(points) < 2:
        return points
    along = np.concatenate([[0.0], np.cumsum(np.abs(np.diff(points, axis=0)).max(axis=1))])
    at = np.arange(0.0, along[-1] + 1.0)
    return np.column_stack([np.interp(at, along, column) for column in points.T])


def _hides(points: Array, other: Array) -> bool:
    """True if a line lies on most of another one."""
    if points.shape != other.shape or len(points) < 3:
        return False
    return bool(np.median(np.abs(points - other).max(axis=1)) < HIDDEN)


def _curve(curve: Curve, line: Array, below: int) -> str:
    """A curve on so many others that it would hide: dashed, so that these are seen in its gaps."""
    points: list[Place] = [(a, b) for a, b in line.tolist()]
    parts = []
    if points and not curve.bare:
        dash = f"{PERIOD / 2**below:g} {PERIOD - PERIOD / 2**below:g}" if below else DASHED if curve.dashed else ""
        parts.append(path(points, curve.colour, fill=curve.fill, dash=dash, width=curve.width))
    if curve.dots or curve.bare:
        parts += [dot(a, b, curve.colour) for a, b in points]
    return "\n".join(parts)


def _name(curve: Curve, line: Array, end: float, within: tuple[float, float], taken: list[Array]) -> str:
    """The name of a curve near its end or before, where no curve and no other name is; it is added to ``taken``.

    within : upper and lower limit of its foot [pixels]
    """
    wide, crowd = LETTER * len(curve.name), np.concatenate(taken)
    places = []
    for back in range(1 + BEFORE):
        x, y = line[np.argmin(np.abs(line[:, 0] - (line[-1, 0] - back * (wide + 8.0))))].tolist() if back else line[-1]
        early = not back and x < end - ROOM
        left, usual = x + 5.0 if early else x - 2.0 - wide, y - 5.0
        beside = crowd[(crowd[:, 0] > left - 2.0) & (crowd[:, 0] < left + wide + 2.0), 1]
        feet = np.arange(max(within[0], usual - NEAR), min(within[1], usual + NEAR))
        free = [f for f in feet if not ((beside > f - LETTERS + 1.0) & (beside < f + 4.0)).any()]
        places.append((left, min(free, key=lambda foot: abs(foot - usual), default=usual), early))
        if free:
            break
    left, foot, early = places[-1] if free else places[0]
    taken.append(
        np.array([[left + share * wide, foot - up] for share in np.linspace(0.0, 1.0, 9) for up in (0.0, 9.0)])
    )
    return text(left if early else left + wide, foot, curve.name, "start" if early else "end", ink=curve.colour)
