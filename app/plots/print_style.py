"""Style of figures and tables in print, and their files, which appear whole or not at all."""

from __future__ import annotations

import csv
import re
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from app.system.language import speaking, used
from app.theme import FAMILY, FONTS
from physics.core.errors import ScenarioError
from physics.core.rotation import Array
from physics.core.wording import N_
from physics.io.trajectory_writers import replacing
from physics.schemes.scheme import Scheme

if TYPE_CHECKING:
    from matplotlib.typing import RcKeyType

AXES = ("#D55E00", "#009E73", "#0072B2")  # x, y, z, distinct for all eyes
DASHES = {"solid": "-", "dash": (0, (5, 2)), "dot": (0, (1, 1.5)), "dash-dot": (0, (5, 1.5, 1, 1.5))}
AXES_DASHES = (DASHES["solid"], DASHES["dash"], DASHES["dash-dot"])
EDGE, GAP, LINE = 0.12, 0.2, 0.2  # inches: around a table, between its columns, from line to line
BOLD: dict[str, Any] = {"family": FAMILY, "weight": "semibold"}  # without the fallback, which has no such weight
FIGURES = (".png", ".svg", ".pdf")  # endings of files with a figure
INK, PALE = "#20242B", "#AAB2BD"  # what has no colour of its own: a scalar, rules; and the truth behind it


@dataclass(frozen=True)
class PrintTable:
    """A table for print: headings, rows of text, and a note below.

    A heading may have lines. Cells are plain text, powers of ten as in 1.5e-03; rows that begin alike are a group.
    """

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


@contextmanager
def style() -> Iterator[None]:
    """Style of print: our typeface, thin lines, no box around the data."""
    from matplotlib import font_manager

    for path in FONTS.values():
        font_manager.fontManager.addfont(str(path))
    settings: dict[RcKeyType, Any] = {
        "font.family": [FAMILY, "DejaVu Sans"],
        "font.size": 8.5,
        "axes.titlesize": 9.5,
        "axes.titlelocation": "left",
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": True,
        "grid.color": "#E6E8EC",
        "grid.linewidth": 0.6,
        "axes.edgecolor": "#6B7380",
        "axes.linewidth": 0.7,
        "lines.linewidth": 1.1,
        "legend.frameon": False,
        "svg.fonttype": "none",
        "svg.hashsalt": "polhode",
        "pdf.fonttype": 42,
        "savefig.dpi": 220,
        "figure.constrained_layout.use": True,
        "image.composite_image": False,  # a relief and the map on it as one picture take twice as long to draw
    }
    with mpl.rc_context(settings), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "constrained_layout not applied")  # in a picture of a few pixels
        yield


def pixels(figure: Figure) -> np.ndarray:
    """The picture (height, width, 3) of a figure, 8 bits a colour."""
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    return np.ascontiguousarray(np.asarray(canvas.buffer_rgba())[..., :3])


def figure_page(rows: int, columns: int, height: float = 2.3, width: float = 7.0, **shared: Any) -> tuple[Figure, Any]:
    """A figure of rows x columns axes; width in inches, height in inches a row."""
    figure = Figure(figsize=(width, height * rows + 0.3))
    return figure, figure.subplots(rows, columns, squeeze=False, **shared)


def lane_style(scheme: Scheme) -> dict[str, Any]:
    """Colour, dash and label of a scheme, darkened for white paper."""
    red, green, blue = mpl.colors.to_rgb(scheme.colour)
    return {"color": (red * 0.8, green * 0.8, blue * 0.8), "linestyle": DASHES[scheme.dash], "label": scheme.name}


def label(axes: Axes, x: str, y: str, title: str = "") -> None:
    """Label the axes, with units, and set the title."""
    axes.set(xlabel=x, ylabel=y)
    axes.set_title(title, parse_math=False)


def escaped(text: str) -> str:
    """A text that may be a user's, for a label or a legend: no formula begins in it."""
    return text.replace("$", r"\$")


NO_TABLE = N_("a figure has no table; expected .png, .svg or .pdf")


SPACING = {"handlelength": 2.5, "handletextpad": 0.5, "columnspacing": 1.1}  # of the names in a legend


def below(axes: Axes) -> None:
    """Put the legend below the data, where it hides nothing."""
    axes.legend(ncols=4, loc="upper center", bbox_to_anchor=(0.5, -0.22), **SPACING)


def above(axes: Axes) -> None:
    """Put the legend above the data, where it hides nothing."""
    axes.legend(ncols=6, loc="lower left", bbox_to_anchor=(0.0, 1.0), borderaxespad=0.2, **SPACING)


def below_all(figure: Figure, *sources: Axes, columns: int = 5) -> None:
    """Put one legend of all labels in ``sources`` below the whole figure."""
    named = {name: line for axes in sources for line, name in zip(*axes.get_legend_handles_labels(), strict=True)}
    figure.legend(named.values(), named.keys(), ncols=columns, loc="outside lower center", handlelength=2.6)


def components(axes: Axes, x: Array, values: Array, names: tuple[str, ...]) -> None:
    """Draw the components of a vector, (n, 3) or (n, 4), over x (n,); of a quaternion the scalar is black."""
    looks = [*[(INK, DASHES["dot"])] * (len(names) - 3), *zip(AXES, AXES_DASHES, strict=True)]
    for i, (name, (colour, dash)) in enumerate(zip(names, looks, strict=True)):
        axes.plot(x, values[:, i], color=colour, linestyle=dash, label=name)
    axes.set_xlim(x[0], x[-1])


def write(made: Figure | PrintTable, path: Path) -> None:
    """Write a figure (.png, .svg, .pdf) or a table (these and .csv), whole or not at all."""
    suffix = path.suffix.lower()
    if suffix == ".csv" and isinstance(made, Figure):
        raise ScenarioError("", NO_TABLE, path)
    with replacing(path) as part:
        if isinstance(made, PrintTable) and suffix == ".csv":
            _write_csv(made, part)
        else:
            figure = picture(made) if isinstance(made, PrintTable) else made
            figure.savefig(part, format=suffix[1:], metadata=_undated(suffix))


def write_either(path: Path, figure: Callable[[], Figure], table: Callable[[], PrintTable]) -> None:
    """Write a figure in the language in use, or a table for other programs (.csv), made in English."""
    drawn = path.suffix.lower() in FIGURES
    with style(), speaking(used() if drawn else "en"):
        write(figure() if drawn else table(), path)


def _undated(suffix: str) -> dict[str, None] | None:
    """Metadata without a date, so that the same figure gives the same bytes."""
    return {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(suffix)


def _write_csv(table: PrintTable, path: Path) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow([heading.replace("\n", " ") for heading in table.headings])
        writer.writerows(table.rows)


def picture(table: PrintTable) -> Figure:
    """A table as a picture, as wide and as high as its text: rules above, below the headings, between groups, below."""
    figure = Figure(figsize=(7.0, 3.0))
    figure.set_layout_engine("none")
    inch = figure.dpi_scale_trans
    widths = [_column_width(figure, table, i) for i in range(len(table.headings))]
    lefts = [EDGE + sum(widths[:i]) + GAP * i for i in range(len(widths))]
    wide = max(lefts[-1] + widths[-1] - EDGE, _width(figure, table.title, fontsize=9.5))
    note = [line for paragraph in table.note.splitlines() for line in _wrapped(figure, paragraph, 0.97 * wide)]
    begins = [n > 0 and row[0] != table.rows[n - 1][0] for n, row in enumerate(table.rows)]
    grouped = not all(begins[1:])
    heads = max(heading.count("\n") + 1 for heading in table.headings)
    lines = 2.45 + 0.8 * heads + len(table.rows) + 0.4 * grouped * sum(begins) + 0.9 * len(note)
    figure.set_size_inches(wide + 2 * EDGE, 2 * EDGE + LINE * lines)

    def put(text: str, column: int, y: float, **look: Any) -> None:
        left = column == 0 or not _is_number(table.rows[0][column])
        x = lefts[column] if left else lefts[column] + widths[column]
        figure.text(x, y, text, transform=inch, ha="left" if left else "right", va="baseline", **look)

    def rule(y: float, width: float) -> None:
        figure.add_artist(Line2D((EDGE, EDGE + wide), (y, y), transform=inch, color=INK, linewidth=width))

    y = EDGE + LINE * (lines - 0.8)
    put(table.title, 0, y, fontsize=9.5)
    rule(y - 0.5 * LINE, 0.9)
    y -= (0.8 + 0.8 * heads) * LINE
    for i, heading in enumerate(table.headings):
        for n, line in enumerate(reversed(heading.splitlines())):
            put(line, i, y + 0.8 * n * LINE, fontsize=8, **BOLD)
    rule(y - 0.4 * LINE, 0.6)
    y -= 0.15 * LINE
    for row, begin in zip(table.rows, begins, strict=True):
        if grouped and begin:
            rule(y - 0.5 * LINE, 0.3)
            y -= 0.4 * LINE
        y -= LINE
        for i, cell in enumerate(row):
            if i > 0 or begin or row is table.rows[0]:
                put(with_powers(cell) or "–", i, y, fontsize=8)
    rule(y - 0.5 * LINE, 0.9)
    for n, line in enumerate(note):
        put(line, 0, y - (1.5 + 0.9 * n) * LINE, fontsize=7, color="#4A5260")
    return figure


def _is_number(cell: str) -> bool:
    return re.fullmatch(r"[-+.\de]+", cell) is not None


def with_powers(text: str) -> str:
    """1.5e-03 as 1.5×10⁻³, in matplotlib's own way of writing powers; and c₀ in its way of writing indices."""
    text = re.sub(r"[₀-₉]", lambda found: f"$_{ord(found[0]) - ord('₀')}$", text)
    return re.sub(r"(?<=\d)e([+-]\d+)", lambda found: f"×10$^{{{int(found[1])}}}$", text)


def _width(figure: Figure, text: str, **look: Any) -> float:
    """Width of a text [inches]."""
    made = figure.text(0, 0, text, **look)
    width = made.get_window_extent(FigureCanvasAgg(figure).get_renderer()).width / figure.dpi
    made.remove()
    return float(width)


def _column_width(figure: Figure, table: PrintTable, column: int) -> float:
    """Width of the widest cell [inches]."""
    cells = (_width(figure, with_powers(row[column]), fontsize=8) for row in table.rows)
    return max(_width(figure, table.headings[column], fontsize=8, **BOLD), *cells)


def _wrapped(figure: Figure, text: str, width: float) -> list[str]:
    """The lines of a note that is ``width`` inches wide."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and _width(figure, longer, fontsize=7) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines
