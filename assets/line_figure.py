"""Line figures of the help: curves in panels as small SVG, whose ink is ``currentColor`` for dark and light pages."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import numpy as np

from physics.core.rotation import Array

WIDE, HIGH = 680, 236  # of a figure [pixels]
LEFT, RIGHT, TOP, BOTTOM = 46.0, 14.0, 34.0, 34.0  # around what a panel draws in
LETTERS, LETTER = 11.5, 6.2  # the height of letters, and how wide one of them is
ROOM = 90.0  # at the right of a curve that ends early, for its name
MOST_POINTS = 240  # of a curve: more are not seen


@dataclass(frozen=True)
class Curve:
    """Points (n,) of x and y, a colour ("": the ink of the text), a name at its end; whether dashed, and with dots."""

    x: Array
    y: Array
    colour: str = ""
    name: str = ""
    dashed: bool = False
    dots: bool = False


@dataclass(frozen=True)
class Panel:
    """Curves with a title and the names of their axes; the limits are those of the curves where None."""

    title: str
    across: str
    curves: Sequence[Curve]
    log_x: bool = False
    log_y: bool = False
    low: float | None = None
    high: float | None = None


def figure(panels: Sequence[Panel], told: str, legend: Sequence[tuple[str, str]] = ()) -> str:
    """The panels side by side as SVG; told: what one sees, for readers aloud; legend: names and colours, below."""
    wide = WIDE / len(panels)
    parts = [_panel(panel, number * wide, wide) for number, panel in enumerate(panels)]
    x, high = LEFT, float(HIGH)
    for name, ink in legend:
        if x == LEFT or x + LETTER * len(name) > WIDE:
            x, high = LEFT, high + 18.0
        parts.append(_text(x, high - 5.0, name, "start", 1.0, colour=ink))
        x += LETTER * (len(name) + 3)
    size = f'viewBox="0 0 {WIDE} {high:g}" width="{WIDE}" height="{high:g}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {size}'
    letters = f'font-family="Inter" font-size="{LETTERS}" fill="currentColor"'
    return f"{head} {letters}>\n<title>{escape(told)}</title>\n" + "\n".join(parts) + "\n</svg>\n"


def _panel(panel: Panel, left: float, wide: float) -> str:
    x = np.concatenate([curve.x for curve in panel.curves])
    y = np.concatenate([curve.y for curve in panel.curves])
    across = _Scale(float(x.min()), float(x.max()), left + LEFT, left + wide - RIGHT, panel.log_x)
    low = float(np.nanmin(y)) if panel.low is None else panel.low
    high = float(np.nanmax(y)) if panel.high is None else panel.high
    up = _Scale(low, high, HIGH - BOTTOM, TOP, panel.log_y)
    parts = [_text(left + LEFT, 16.0, panel.title, "start", 1.0, bold=True)]
    for value, name in up.ticks():
        at = up(value)
        parts.append(_line((across.start, at), (across.end, at), 0.14))
        parts.append(_text(across.start - 6, at + 4, name, "end", 0.75))
    for value, name in across.ticks():
        parts.append(_text(across(value), HIGH - BOTTOM + 15, name, "middle", 0.75))
    parts.append(_text(across.end, HIGH - 4.0, panel.across, "end", 0.75))
    placed: list[float] = []
    for curve in panel.curves:
        parts.append(_curve(curve, across, up, placed))
    return "\n".join(filter(None, parts))


class _Scale:
    """From values to pixels along an axis."""

    def __init__(self, low: float, high: float, start: float, end: float, log: bool) -> None:
        self.log, self.start, self.end = log, start, end
        if log:
            self.low, self.high = math.log10(low), math.log10(high)
        else:
            step = _step(low, high)
            self.low = step * math.floor(low / step + 1e-9)
            self.high = step * math.ceil(high / step - 1e-9)
            if start < end:  # along the abscissa: no empty place
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
        return [(k * step, f"{k * step:.6g}") for k in range(first, math.floor(self.high / step + 1e-9) + 1)]


def _step(low: float, high: float) -> float:
    """A round distance between some four to seven ticks."""
    wanted = (high - low or 1.0) / 5
    power = 10.0 ** math.floor(math.log10(wanted))
    return next(m * power for m in (1, 2, 5, 10) if m * power >= wanted * 0.999)


def _power(exponent: int) -> str:
    raised = str(exponent).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return "1" if exponent == 0 else f"10{raised}"


def _curve(curve: Curve, across: _Scale, up: _Scale, placed: list[float]) -> str:
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
    ink = curve.colour or "currentColor"
    dash = ' stroke-dasharray="4 3"' if curve.dashed else ""
    path = " ".join(f"{a:.1f},{b:.1f}" for a, b in points)
    parts = [f'<polyline fill="none" stroke="{ink}" stroke-width="1.8" points="{path}"{dash}/>']
    if curve.dots:
        parts += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="2.6" fill="{ink}"/>' for a, b in points]
    if curve.name:
        at = points[-1][1] - 5
        while any(abs(at - other) < LETTERS for other in placed):
            at -= 1.0
        placed.append(at)
        early = points[-1][0] < across.end - ROOM
        parts.append(
            _text(points[-1][0] + (5 if early else -2), at, curve.name, "start" if early else "end", 1.0, colour=ink)
        )
    return "\n".join(parts)


def _text(x: float, y: float, text: str, anchor: str, opacity: float, *, bold: bool = False, colour: str = "") -> str:
    weight = ' font-weight="600"' if bold else ""
    ink = f' fill="{colour}"' if colour else ""
    shade = f' fill-opacity="{opacity}"' if opacity < 1 else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{weight}{ink}{shade}>{escape(text)}</text>'


def _line(one: tuple[float, float], other: tuple[float, float], opacity: float) -> str:
    (a, b), (c, d) = one, other
    return (
        f'<line x1="{a:.1f}" y1="{b:.1f}" x2="{c:.1f}" y2="{d:.1f}" stroke="currentColor" stroke-opacity="{opacity}"/>'
    )
