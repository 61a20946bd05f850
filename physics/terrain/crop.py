"""How much of a map is read: a window of it, cells averaged to a resolution, and never more than memory holds."""

from __future__ import annotations

from pathlib import Path

from physics.core.errors import ScenarioError

LARGEST = 25_000_000  # nodes that are held at once in double precision: 200 MB of heights

CELLS = 1e-4, 1e6  # [m] a tenth of a millimetre, a thousand kilometres: what is none of these is in another unit

Window = tuple[float, float, float, float]  # xmin, ymin, xmax, ymax [m]
Extent = tuple[float, float, float, float]  # x_min, x_max, y_min, y_max of the nodes [m]


def reach(extent: Extent) -> str:
    """Where a map is, for sentences."""
    x0, x1, y0, y1 = extent
    return f"x {x0:.10g} to {x1:.10g}, y {y0:.10g} to {y1:.10g}"


def check_window(window: Window, extent: Extent, path: Path) -> None:
    """Refuse a window beside a map."""
    x0, x1, y0, y1 = extent
    if window[0] > x1 or window[2] < x0 or window[1] > y1 or window[3] < y0:
        raise ScenarioError("window", f"holds nothing of the map; expected {reach(extent)}", path)


def check_cell(cell: tuple[float, float], path: Path) -> None:
    """ScenarioError for cells that no map has."""
    if not CELLS[0] <= min(cell) <= max(cell) <= CELLS[1]:
        found = " x ".join(f"{side:g}" for side in dict.fromkeys(cell))
        raise ScenarioError("cell size", f"expected {CELLS[0]:g} to {CELLS[1]:g} m, got {found}", path)


def check_size(columns: int, rows: int, most: int, path: Path, extent: Extent | None = None) -> None:
    """Refuse a map that is too small, or of more nodes than ``most``; extent: of the whole map."""
    if columns < 2 or rows < 2:
        raise ScenarioError("", f"expected at least 2 x 2 cells, found {max(columns, 0)} x {max(rows, 0)}", path)
    if columns * rows > most:
        whole = f" of a map from {reach(extent)}" if extent is not None else ""
        raise ScenarioError(
            "",
            f"{columns} x {rows} cells{whole} are more than the {most} that are read at once; expected a part of "
            "it, [terrain] window = [xmin, ymin, xmax, ymax], or a coarser resolution",
            path,
        )


def steps(resolution: float | None, cell: float, path: Path) -> int:
    """The number of cells along each axis that make one of the resolution [m]."""
    if resolution is None:
        return 1
    if resolution < 0.999 * cell:
        raise ScenarioError("resolution", f"expected at least the map's cells of {cell:g} m, got {resolution:g}", path)
    return max(1, round(resolution / cell))
