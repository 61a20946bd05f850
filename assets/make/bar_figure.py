"""Bar figures of the help: a name and a bar a line, or a value with what it scatters by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assets.make.line_figure import BOTTOM, RIGHT, TOP, Scale
from assets.make.svg import DASHED, LETTER, box, dot, line, path, text

THICK = 0.62  # of the height of a line


@dataclass(frozen=True)
class Bar:
    """A value with a name and a colour; spread: how far to either side of it a line goes, instead of a bar from 0.

    told : what stands behind it; name: "" for one more bar of the line above
    """

    name: str
    value: float
    ink: str
    spread: float | None = None
    told: str = ""


@dataclass(frozen=True)
class Bars:
    """Bars below each other, with a title and the name of the axis; marks: names and values of upright lines."""

    title: str
    across: str
    bars: Sequence[Bar]
    marks: Sequence[tuple[str, float]] = ()
    log: bool = False
    low: float = 0.0

    def drawn(self, left: float, wide: float, high: float) -> str:
        """Its SVG."""
        names = max(LETTER * len(bar.name) for bar in self.bars) + 16.0
        ends = [bar.value + (bar.spread or 0.0) for bar in self.bars] + [value for _, value in self.marks]
        room = max(LETTER * len(bar.told) for bar in self.bars)
        start, end, top, foot = left + names, left + wide - RIGHT - room, TOP + 6.0, high - BOTTOM
        across = Scale(self.low, max(ends), start, end, self.log, tight=True)
        parts = [text(left + 6.0, 16.0, self.title, bold=True)]
        for value, name in across.ticks():
            parts.append(line((across(value), top), (across(value), foot), 0.14))
            parts.append(text(across(value), foot + 15, name, "middle", 0.75))
        parts.append(text(end, high - 4.0, self.across, "end", 0.75))
        each = (foot - top) / len(self.bars)
        for number, bar in enumerate(self.bars):
            y = top + (number + 0.5) * each
            parts.append(text(start - 8.0, y + 4, bar.name, "end"))
            if bar.spread is None:
                thick = each * THICK
                parts.append(box(start, y - thick / 2, across(bar.value) - start, thick, bar.ink, 0.55))
                parts.append(text(across(bar.value) + 5.0, y + 4, bar.told, opacity=0.75))
            else:
                low, far = max(bar.value - bar.spread, self.low), bar.value + bar.spread
                parts.append(path([(across(low), y), (across(far), y)], bar.ink, width=4.0))
                parts.append(dot(across(bar.value), y, bar.ink, 5.0))
                parts.append(text(across(far) + 7.0, y + 4, bar.told, opacity=0.75))
        for name, value in self.marks:
            parts.append(path([(across(value), top - 4), (across(value), foot)], "", dash=DASHED, width=1.2))
            parts.append(text(across(value), top - 7, name, "middle", 0.75))
        return "\n".join(parts)
