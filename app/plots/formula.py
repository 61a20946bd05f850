r"""Formulas of the help: LaTeX in blocks of Markdown, drawn as outlines, and in plain words.

A block holds one formula, or rows in ``\begin{aligned}`` that end with ``\\`` and whose cells are divided by ``&``: as
in LaTeX, cells are pushed right and left in turn. A cell is what matplotlib's mathtext reads; matplotlib is imported
when the first one is drawn.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache
from html import escape

# block of a formula in Markdown; its group is the source
BLOCK = re.compile(r"^```math\n(.*?)\n```$", re.MULTILINE | re.DOTALL)
FIGURE = re.compile(r"!\[[^\]]*\]\(([^)\s]+\.svg)\)")  # beside them; its group is the file, whose ink is currentColor
FONTS = "stix"
EM = 100.0  # units of an outline
ASCENT, DESCENT = 0.72, 0.22  # em: of a row, at least
GAP, LINE = 2.0, 0.42  # em: from a pair of columns to the next, from row to row
WIDEST = 44.0  # em: so much fits beside each other in the help's window

SIGNS = {
    "times": " × ",
    "circ": " ∘ ",
    "cdot": "·",
    "pm": "±",
    "mp": "∓",
    "leftarrow": " ← ",
    "leq": " ≤ ",
    "geq": " ≥ ",
    "sum": "Σ",
    "dots": "…",
    "left": "",
    "right": "",
    "quad": " ",
    "exp": "exp",
    "arg": "arg ",
    "cos": "cos ",
    "sin": "sin ",
    "tan": "tan ",
    "arctan": "arctan",
}
ACCENTS = {"dot": "\u0307", "hat": "\u0302", "tilde": "\u0303", "bar": "\u0304"}
RAISED = str.maketrans("0123456789+−T", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ᵀ")


@dataclass(frozen=True)
class Drawing:
    """A formula as an outline in the notation of SVG, with its size [em]."""

    path: str
    width: float
    height: float


def rows(source: str) -> list[list[str]]:
    """The cells of a block, row by row."""
    inside = re.sub(r"\\(?:begin|end)\{aligned\}", "", source)
    return [[cell.strip() for cell in row.split("&")] for row in inside.split(r"\\") if row.strip()]


# ---- drawn --------------------------------------------------------------------------------------------


@cache
def drawing(source: str) -> Drawing:
    """Lay out a block. ValueError where mathtext does not know what stands there."""
    table = [[_outline(cell) for cell in row] for row in rows(source)]
    columns = max(map(len, table))
    wide = [max((row[i][1] for row in table if i < len(row)), default=0.0) for i in range(columns)]
    left = [0.0]
    for i in range(columns):
        left.append(left[-1] + wide[i] + (GAP * EM if i % 2 else 0.0))
    parts, y = [], 0.0
    for number, row in enumerate(table):
        y += max(ASCENT * EM, *(ascent for _, _, ascent, _ in row)) + (LINE * EM if number else 0.0)
        for i, (path, width, _, _) in enumerate(row):
            parts.append(_placed(path, left[i] + (0.0 if i % 2 else wide[i] - width), y))
        y += max(DESCENT * EM, *(descent for _, _, _, descent in row))
    return Drawing("".join(parts), (left[columns - 1] + wide[-1]) / EM, y / EM)


def svg(source: str, ink: str, unit: str = "em", em: float = 1.0) -> str:
    """An SVG picture of a block in a colour, titled with its words; em: its length in units."""
    made = drawing(source)
    words = escape(without_latex(source).replace("\n", "; "), quote=True)
    size = f'width="{made.width * em:.3f}{unit}" height="{made.height * em:.3f}{unit}"'
    box = f'viewBox="0 0 {made.width * EM:.1f} {made.height * EM:.1f}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {size} {box}>'
        f'<title>{words}</title><path fill="{ink}" d="{made.path}"/></svg>'
    )


@cache
def _outline(cell: str) -> tuple[tuple[tuple[str, tuple[float, ...]], ...], float, float, float]:
    """The strokes of a cell, y up from its line, and its width, ascent and descent."""
    if not cell:
        return (), 0.0, 0.0, 0.0
    from matplotlib.font_manager import FontProperties  # here, as it takes a sixth of a second
    from matplotlib.path import Path
    from matplotlib.textpath import TextPath, text_to_path

    letters = {Path.MOVETO: "M", Path.LINETO: "L", Path.CURVE3: "Q", Path.CURVE4: "C", Path.CLOSEPOLY: "Z"}
    fonts = FontProperties(size=EM, math_fontfamily=FONTS)
    text = f"${cell}$"
    width, height, descent = text_to_path.get_text_width_height_descent(text, fonts, ismath=True)
    strokes = []
    for points, code in TextPath((0, 0), text, size=EM, prop=fonts).iter_segments(simplify=False):
        letter = letters[code]
        strokes.append((letter, () if letter == "Z" else tuple(float(number) for number in points)))
    return tuple(strokes), float(width), float(height - descent), float(descent)


def _placed(strokes: tuple[tuple[str, tuple[float, ...]], ...], x: float, y: float) -> str:
    """Strokes with their beginning at a place, y down."""
    return "".join(
        letter + " ".join(f"{y - number if i % 2 else x + number:.1f}" for i, number in enumerate(points))
        for letter, points in strokes
    )


# ---- in words ---------------------------------------------------------------------------------------------


def without_latex(source: str) -> str:
    """A block in letters and signs without LaTeX, a line a row: for readers aloud, for search, to be copied."""
    return "\n".join(" ".join(filter(None, map(_words, row))) for row in rows(source))


def _words(cell: str) -> str:
    parts = re.split(r"\\text\{([^{}]*)\}", cell)
    return " ".join("".join(part if i % 2 else _signs(part) for i, part in enumerate(parts)).split())


def _signs(tex: str) -> str:
    r"""Signs for LaTeX's names, from the innermost braces outwards; what is unknown keeps its ``\``."""
    text = re.sub(r"\\[,;! ]", " ", re.sub(r"\\sum_\w", r"\\sum ", tex).replace("-", "−").replace(r"\|", "|"))
    for sign in "=+<>":
        text = text.replace(sign, f" {sign} ")
    before = ""
    while before != text:
        before = text
        text = re.sub(r"\\(?:boldsymbol|mathbf|mathrm|mathsf|mathtt) *\{([^{}]*)\}", r"\1", text)
        text = re.sub(r"\\operatorname\{([^{}]*)\}", r"\1 ", text)
        text = re.sub(r"\\(dot|hat|tilde|bar)\{([^{}]*)\}", lambda m: m[2] + ACCENTS[m[1]], text)
        text = re.sub(r"\\sqrt\{([^{}]*)\}", r"√(\1)", text)
        text = re.sub(r"\\d?frac\{([^{}]*)\}\{([^{}]*)\}", lambda m: f"{_held(m[1])}/{_held(m[2])} ", text)
        text = re.sub(r"_\{([^{}]*)\}", r"_\1", text)
        text = re.sub(r"\^\{([^{}]*)\}", lambda m: _raised(m[1]), text)
        text = re.sub(r"\\([A-Za-z]+)(?!\{)", _sign, text)
    text = re.sub(r" +(?=[)\],])", "", text)
    text = re.sub(r"\^(\w)", lambda m: _raised(m[1]), text)
    return re.sub(r"_(\d)", r"\1", text)


def _sign(name: re.Match[str]) -> str:
    """Sign for a name of LaTeX."""
    if name[1] in SIGNS:
        return SIGNS[name[1]]
    letter = "lamda" if name[1] == "lambda" else name[1]
    try:
        return unicodedata.lookup(f"GREEK {'SMALL' if letter.islower() else 'CAPITAL'} LETTER {letter}")
    except KeyError:
        return name[0]


def _held(part: str) -> str:
    """Half of a fraction, in brackets where it has several parts."""
    part = part.strip()
    return f"({part})" if re.search(r"[ +−/·]", part) else part


def _raised(power: str) -> str:
    """A power as raised letters, or after ^."""
    power = power.strip()
    return power.translate(RAISED) if re.fullmatch("[0-9+−T]+", power) else f"^({power})"
