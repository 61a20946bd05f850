"""Small SVG for the help: letters, lines, areas and arrows, whose ink is ``currentColor`` for dark and light pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from itertools import pairwise

WIDE, HIGH = 680, 236  # of a figure [pixels]
LETTERS, LETTER = 11.5, 6.2  # the height of letters, and how wide one of them is
BLUE, ORANGE, GREEN, RED, VIOLET = "#3f8fd0", "#d07a2d", "#3f9d5f", "#d05050", "#8f76d0"  # stand off both pages

DASHED = "4 3"
Place = tuple[float, float]  # pixels to the right and down


def sheet(parts: Iterable[str], told: str, high: float = HIGH) -> str:
    """A whole file; told: what one sees, for readers aloud."""
    size = f'viewBox="0 0 {WIDE} {high:g}" width="{WIDE}" height="{high:g}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {size}'
    letters = f'font-family="Inter" font-size="{LETTERS}" fill="currentColor"'
    body = "\n".join(filter(None, parts))
    return f"{head} {letters}>\n<title>{escape(told)}</title>\n{body}\n</svg>\n"


def text(
    x: float, y: float, letters: str, anchor: str = "start", opacity: float = 1.0, *, bold: bool = False, ink: str = ""
) -> str:
    """Letters on a line that begins, has its middle or ends at x."""
    weight = ' font-weight="600"' if bold else ""
    colour = f' fill="{ink}"' if ink else ""
    shade = f' fill-opacity="{opacity}"' if opacity < 1 else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{weight}{colour}{shade}>{escape(letters)}</text>'


def line(one: Place, other: Place, opacity: float) -> str:
    """A thin straight line."""
    (a, b), (c, d) = one, other
    return (
        f'<line x1="{a:.1f}" y1="{b:.1f}" x2="{c:.1f}" y2="{d:.1f}" stroke="currentColor" stroke-opacity="{opacity}"/>'
    )


def path(points: Sequence[Place], ink: str, *, fill: float = 0.0, dash: str = "", width: float = 1.8) -> str:
    """A line through points, or the area inside them, filled with so much of its ink; dash: such as DASHED."""
    told = " ".join(f"{a:.1f},{b:.1f}" for a, b in points)
    ink, dash = ink or "currentColor", f' stroke-dasharray="{dash}"' if dash else ""
    if fill > 0.0:
        area = f'fill="{ink}" fill-opacity="{fill:g}" stroke="{ink}" stroke-width="{width:g}"'
        return f'<polygon {area} stroke-linejoin="round" points="{told}"{dash}/>'
    return f'<polyline fill="none" stroke="{ink}" stroke-width="{width:g}" points="{told}"{dash}/>'


def facets(areas: Iterable[tuple[str, Iterable[Sequence[Place]]]]) -> str:
    """Areas of inks, without gaps between those that touch."""
    paths = [f'<path fill="{ink}" stroke="{ink}" d="{"".join(map(_closed, polygons))}"/>' for ink, polygons in areas]
    return '<g stroke-width="0.6" stroke-linejoin="round">' + "".join(paths) + "</g>"


def _closed(points: Sequence[Place]) -> str:
    """A closed path, each corner from the one before: a quarter fewer letters."""
    tenths = [(round(10.0 * a), round(10.0 * b)) for a, b in points]
    moves = [(x - a, y - b) for (a, b), (x, y) in pairwise(tenths)]
    first, *others = [f"{a / 10:g} {b / 10:g}" for a, b in (tenths[0], *moves)]
    return f"M{first}l{' '.join(others)}z".replace(" -", "-")


def dot(x: float, y: float, ink: str, radius: float = 2.6) -> str:
    """A round dot."""
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}" fill="{ink or "currentColor"}"/>'


def box(x: float, y: float, wide: float, high: float, ink: str = "", fill: float = 0.0, *, round: float = 0.0) -> str:
    """A rectangle with its edge, filled with so much of its ink."""
    ink = ink or "currentColor"
    at = f'x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{high:.1f}"'
    return f'<rect {at} rx="{round:g}" fill="{ink}" fill-opacity="{fill:g}" stroke="{ink}" stroke-opacity="0.7"/>'
