"""How figures and tables look in print, and how they are written: whole or not at all."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from app.colours import FAMILY, FONTS
from physics.errors import ScenarioError
from physics.files import replacing
from physics.schemes.scheme import Scheme

AXES = ("#D55E00", "#009E73", "#0072B2")  # x, y, z, told apart by everybody
DASHES = {"solid": "-", "dash": (0, (5, 2)), "dot": (0, (1, 1.5)), "dash-dot": (0, (5, 1.5, 1, 1.5))}


@dataclass(frozen=True)
class Table:
    """Numbers as a paper prints them: headings and rows of text; a line below says what was done."""

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


@contextmanager
def style() -> Iterator[None]:
    """The look of print: our typeface, thin lines, no box around the data."""
    from matplotlib import font_manager

    for path in FONTS.values():
        font_manager.fontManager.addfont(str(path))
    settings: dict[str, Any] = {
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
    }
    with mpl.rc_context(settings):
        yield


def page(rows: int, columns: int, height: float = 2.3, width: float = 7.0, **shared: Any) -> tuple[Figure, Any]:
    """A figure of rows x columns axes; width in inches, height in inches a row."""
    figure = Figure(figsize=(width, height * rows + 0.3))
    return figure, figure.subplots(rows, columns, squeeze=False, **shared)


def lane_style(scheme: Scheme) -> dict[str, Any]:
    """Colour, dash and label of a scheme, darkened for white paper."""
    red, green, blue = mpl.colors.to_rgb(scheme.colour)
    return {"color": (red * 0.8, green * 0.8, blue * 0.8), "linestyle": DASHES[scheme.dash], "label": scheme.name}


def label(axes: Axes, x: str, y: str, title: str = "") -> None:
    """Name what is drawn, with units."""
    axes.set(xlabel=x, ylabel=y)
    axes.set_title(title)


def below(axes: Axes) -> None:
    """The legend below the data, where it hides nothing."""
    axes.legend(ncols=4, loc="upper center", bbox_to_anchor=(0.5, -0.22), handlelength=2.6, columnspacing=1.4)


def write(made: Figure | Table, path: Path) -> None:
    """Write a figure (.png, .svg, .pdf) or a table (these and .csv), whole or not at all."""
    suffix = path.suffix.lower()
    if suffix == ".csv" and isinstance(made, Figure):
        raise ScenarioError("", "a figure has no table; expected .png, .svg or .pdf", path)
    with replacing(path) as part:
        if isinstance(made, Table) and suffix == ".csv":
            _write_csv(made, part)
        else:
            figure = _drawn(made) if isinstance(made, Table) else made
            figure.savefig(part, format=suffix[1:], metadata=_undated(suffix))


def _undated(suffix: str) -> dict[str, None] | None:
    """The same figure gives the same bytes."""
    return {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(suffix)


def _write_csv(table: Table, path: Path) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(table.headings)
        writer.writerows(table.rows)


def _drawn(table: Table) -> Figure:
    """A table as a picture."""
    figure = Figure(figsize=(7.0, 0.26 * (len(table.rows) + 3) + 0.35))
    axes = figure.add_subplot()
    axes.axis("off")
    axes.set_title(table.title)
    cells = axes.table(table.rows, colLabels=table.headings, loc="upper center", cellLoc="right", edges="horizontal")
    cells.auto_set_font_size(value=False)
    cells.set_fontsize(8)
    cells.auto_set_column_width(list(range(len(table.headings))))
    if table.note:
        figure.text(0.02, 0.015, table.note, fontsize=7, color="#4A5260", wrap=True)
    return figure
