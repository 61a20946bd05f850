"""Flow figures of the help: boxes with words on a grid, and arrows from one to another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assets.make.svg import DASHED, LETTER, WIDE, Place, box, path, sheet, text

LEADING = 15.0  # from line to line in a box [pixels]
EDGE, GAP = 9.0, 26.0  # inside of a box; from a row of boxes to the next
HEAD = 6.0  # the length of an arrow's head


@dataclass(frozen=True)
class Box:
    """A title and lines below it in a column and a row of the grid; across: how many columns it is wide."""

    column: int
    row: int
    title: str
    lines: Sequence[str] = ()
    ink: str = ""
    across: int = 1


@dataclass(frozen=True)
class Arrow:
    """Arrow from a box to another, by their numbers, with words beside it."""

    start: int
    end: int
    words: str = ""
    dashed: bool = False


def flow(boxes: Sequence[Box], arrows: Sequence[Arrow], told: str, apart: float = 34.0) -> str:
    """Boxes and arrows as SVG; apart: pixels between columns; told: what one sees, for readers aloud."""
    columns = max(one.column + one.across for one in boxes)
    wide = (WIDE - 2.0 - apart * (columns - 1)) / columns
    tops, y = [], 1.0
    for row in range(max(one.row for one in boxes) + 1):
        tops.append(y)
        y += max(_height(one) for one in boxes if one.row == row) + GAP
    rows = [max(_height(one) for one in boxes if one.row == row) for row in range(len(tops))]
    places = [
        (1.0 + one.column * (wide + apart), tops[one.row], one.across * (wide + apart) - apart, rows[one.row])
        for one in boxes
    ]
    parts = []
    for one, (x, top, w, h) in zip(boxes, places, strict=True):
        for words in (one.title, *one.lines):
            assert LETTER * len(words) < w - EDGE + 16, f"{words!r} does not fit"
        parts.append(box(x, top, w, h, one.ink, 0.14 if one.ink else 0.05, round=6.0))
        parts.append(text(x + EDGE, top + EDGE + 10.0, one.title, bold=True))
        for number, words in enumerate(one.lines, 1):
            parts.append(text(x + EDGE, top + EDGE + 10.0 + LEADING * number, words, opacity=0.85))
    for arrow in arrows:
        parts.append(_arrow(arrow, places[arrow.start], places[arrow.end]))
    return sheet(parts, told, y - GAP + 1.0)


def _height(one: Box) -> float:
    return LEADING * (1 + len(one.lines)) + 2 * EDGE - 1.0


def _arrow(arrow: Arrow, one: tuple[float, float, float, float], other: tuple[float, float, float, float]) -> str:
    """An arrow from side to side where boxes stand beside each other, else from below to above."""
    (x, y, w, h), (a, b, c, d) = one, other
    start: Place
    end: Place
    if x + w <= a or a + c <= x:  # beside each other
        level = (max(y, b) + min(y + h, b + d)) / 2 if max(y, b) < min(y + h, b + d) else None
        right = x + w <= a
        start = (x + w if right else x, y + h / 2 if level is None else level)
        end = (a if right else a + c, b + d / 2 if level is None else level)
        points = [start, end]
        if level is None:
            bend = (start[0] + end[0]) / 2
            points = [start, (bend, start[1]), (bend, end[1]), end]
        head = (end[0] - HEAD, end[0]) if right else (end[0] + HEAD, end[0])
        tip = [(head[0], end[1] - 4), (head[1], end[1]), (head[0], end[1] + 4)]
    else:
        middle = (max(x, a) + min(x + w, a + c)) / 2
        down = y < b
        start, end = (middle, y + h if down else y), (middle, b if down else b + d)
        points, back = [start, end], -HEAD if down else HEAD
        tip = [(middle - 4, end[1] + back), end, (middle + 4, end[1] + back)]
    drawn = [path(points, "", dash=DASHED if arrow.dashed else "", width=1.3), path(tip, "", width=1.3)]
    if arrow.words:
        x0, y0 = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
        upright = abs(start[0] - end[0]) < 1.0
        drawn.append(
            text(
                x0 + (7 if upright else 0),
                y0 + (4 if upright else -5),
                arrow.words,
                "start" if upright else "middle",
                0.75,
            )
        )
    return "\n".join(drawn)
