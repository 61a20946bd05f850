"""The papers' figures and tables by name, drawn for print."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from matplotlib.figure import Figure

from app.figures import betsch, gustafsson, leine, tippe_top, work_precision
from app.hazard.figures import leine_rockfall, leine_tables
from app.plots.print_style import NO_TABLE, PrintTable
from physics.core.errors import ScenarioError
from physics.core.wording import N_
from physics.io.trajectory_writers import check_output


@dataclass(frozen=True)
class FigureRow:
    """A figure or a table: its name on the command line, what it shows, and the function that makes it."""

    name: str
    shows: str
    make: Callable[..., Figure | PrintTable]
    chosen: bool = False  # whether scenario and schemes are for the user to choose
    rocks: bool = False  # whether the number of rocks, or of tops, is

    def check(self, path: str | Path) -> None:
        """ScenarioError where it cannot be written there; before it is computed."""
        path = check_output(path, (".png", ".svg", ".pdf", ".csv"))
        if path.suffix.lower() == ".csv" and self.make.__annotations__["return"] != PrintTable.__name__:
            raise ScenarioError("", NO_TABLE, path)


def _row(name: str, make: Callable[..., Figure | PrintTable], chosen: bool = False, rocks: bool = False) -> FigureRow:
    return FigureRow(name, (make.__doc__ or "").split("\n")[0], make, chosen, rocks)


FIGURES = {
    drawing.name: drawing
    for drawing in (
        _row("leine-fig-2", leine.figure_2),
        _row("leine-fig-3", leine.figure_3),
        _row("leine-fig-4", leine.figure_4),
        _row("leine-fig-5", leine_rockfall.figure_5, rocks=True),
        _row("leine-fig-6", leine_rockfall.figure_6, rocks=True),
        _row("leine-step-size", leine_rockfall.step_size, rocks=True),
        _row("leine-table-1", leine_tables.table_1, rocks=True),
        _row("leine-table-2", leine_tables.table_2, rocks=True),
        _row("leine-table-3", leine_tables.table_3, rocks=True),
        _row("betsch-fig-1", betsch.figure_1),
        _row("betsch-fig-3", betsch.figure_3),
        _row("betsch-fig-4", betsch.figure_4),
        _row("betsch-fig-5", betsch.figure_5),
        _row("gustafsson-fig-1", gustafsson.figure_1),
        _row("gustafsson-fig-2", gustafsson.figure_2),
        _row("gustafsson-fig-3", gustafsson.figure_3),
        _row("gustafsson-fig-4", gustafsson.figure_4),
        _row("gustafsson-table-1", gustafsson.table_1),
        _row("gustafsson-table-2", gustafsson.table_2),
        _row("gustafsson-table-3", gustafsson.table_3),
        _row("tippe-top", tippe_top.inversion, rocks=True),
        _row("order", work_precision.order, chosen=True),
        _row("work-precision", work_precision.work, chosen=True),
    )
}


def drawing_of(name: str) -> FigureRow:
    """The figure or table of that name."""
    if name not in FIGURES:
        raise ScenarioError("", N_("'{name}' is not a figure; expected one of {figures}", name, ", ".join(FIGURES)))
    return FIGURES[name]


def draw(
    name: str, scenario: str | None = None, schemes: list[str] | None = None, rocks: int | None = None
) -> Figure | PrintTable:
    """The figure or table of that name; scenario file and schemes, or rocks, for those that let one choose."""
    drawing = drawing_of(name)
    if not drawing.chosen and (scenario is not None or schemes is not None):
        raise ScenarioError(
            "", N_("{name} is the paper's own; --scenario and --scheme apply to order and work-precision", name)
        )
    if not drawing.rocks and rocks is not None:
        serving = ", ".join(other.name for other in FIGURES.values() if other.rocks)
        raise ScenarioError("", N_("{name} has no ensemble of rocks; --rocks applies to {serving}", name, serving))
    if drawing.chosen:
        return drawing.make(scenario, schemes)
    return drawing.make() if rocks is None else drawing.make(rocks)
