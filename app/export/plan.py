"""The plan: a map of a terrain and of an ensemble's results on paper, true to scale, with all that a map has."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from app.document.recipe import notes, title
from app.ensemble.layers import results_of
from app.export.plan_margin import (
    DEPOSIT_LOOK,
    FENCE_LOOK,
    LINES,
    RELEASE_LOOK,
    draw_bar,
    draw_frame,
    draw_legend,
    draw_north,
    draw_small_print,
    draw_title,
)
from app.export.plan_results import PlanResults, plan_results
from app.export.plan_sheet import PlanSheet, sheet_of
from app.plots.print_style import style
from app.stage.ground.shaded_relief import LONGEST, base_of, contour_interval, paint
from physics import Scenario, ScenarioError, World
from physics.core.rotation import Array
from physics.io.trajectory_writers import check_output, replacing
from physics.systems import kinds_of
from physics.systems.rockfall.world import RockfallWorld
from physics.terrain.terrain import Terrain

ENDINGS = (".pdf", ".svg", ".png")
DOTS = 254.0  # an inch, of what is a picture: ten a millimetre
PAPER, LIFTED = 255.0, 0.62  # how much of the relief's shade is left on the paper
NODES = 700  # along a side of the grid that contour lines are drawn from


def check_plan(scenario: Scenario) -> None:
    """ScenarioError where the view and export tables ask for a plan that cannot be drawn."""
    if scenario.ground is None:
        raise ScenarioError("kind", f"a plan serves {kinds_of(lambda row: row.ensembles)}, got '{scenario.kind}'")
    results_of(scenario)


def write_plan(world: World, path: str | Path) -> None:
    """Write the plan of a world to a .pdf, .svg or .png: scale, paper, results and map as its export table says.

    The file appears when it is complete; ScenarioError or PhysicsError, naming it, where it cannot.
    """
    path = check_output(path, ENDINGS)
    suffix = path.suffix.lower()
    with replacing(path) as part, style():
        told = notes(suffix, title(world.scenario), world.scenario)
        plan_of(world).savefig(part, format=suffix[1:], dpi=DOTS, metadata=told)


def draw_plan(world: World, dots: float = 60.0) -> np.ndarray:
    """The plan as a picture (height, width, 3) with so many pixels an inch."""
    with style():
        figure = plan_of(world, dots)
        figure.set_dpi(dots)
        canvas = FigureCanvasAgg(figure)
        canvas.draw()
    return np.ascontiguousarray(np.asarray(canvas.buffer_rgba())[..., :3])


def plan_of(world: World, dots: float = DOTS) -> Figure:
    """The plan as a figure as large as its paper, for a picture with so many pixels an inch."""
    check_plan(world.scenario)
    assert isinstance(world, RockfallWorld)
    terrain, export = world.terrain, world.scenario.export
    found = plan_results(world)
    sheet = sheet_of(terrain, export.paper, export.scale, _middle(world, found))
    wide, high = sheet.paper
    figure = Figure(figsize=(wide / 25.4, high / 25.4), facecolor="white")
    figure.set_layout_engine("none")
    left, bottom, w, h = sheet.frame
    axes = figure.add_axes((left / wide, bottom / high, w / wide, h / high))
    axes.set_label("map")
    _draw_ground(axes, world, sheet, found, dots)
    interval = _draw_contours(axes, terrain, sheet)
    _draw_marks(axes, world, found)
    draw_frame(axes, sheet)
    page = figure.add_axes((0, 0, 1, 1), label="page")  # in millimetres
    page.set(xlim=(0, wide), ylim=(0, high))
    page.axis("off")
    draw_north(page, sheet)
    draw_title(page, world, sheet, found)
    draw_bar(page, sheet)
    draw_legend(page, sheet, world, found, interval)
    draw_small_print(page, sheet, world, found)
    return figure


# ---- what there is ------------------------------------------------------------------------------------


def _middle(world: RockfallWorld, found: PlanResults | None) -> tuple[float, float]:
    """x and y [m] of what the sheet must show: release, deposits, and where the map has something."""
    places: list[Array] = [world.position[None, :2]]
    if found is not None:
        places.append(found.deposits)
        if found.values is not None:
            rows, columns = np.nonzero(np.isfinite(found.values))
            places.append(np.asarray(np.stack([columns, rows], axis=1) * world.terrain.cell + world.terrain.origin))
    every = np.concatenate(places)
    x, y = (every.min(axis=0) + every.max(axis=0)) / 2
    return float(x), float(y)


# ---- in the frame -------------------------------------------------------------------------------------


def _draw_ground(axes: Axes, world: RockfallWorld, sheet: PlanSheet, found: PlanResults | None, dots: float) -> None:
    """The relief as the heights tell it, or what is draped over it, pale; and the map."""
    base = base_of(world)
    if isinstance(base, ScenarioError):
        raise base
    part = _part(world.terrain, sheet)
    finest = min(LONGEST, round(max(sheet.frame[2:]) * dots / 25.4))  # pixels: no more than are printed
    if base:
        part = world.terrain
        picture = paint(part).picture(base, contours=False).astype(np.float32)
    else:
        shade = np.minimum(paint(part, finest).light.astype(np.float32) * (1.5 / 255 * 165), PAPER)
        picture = np.repeat(shade[..., None], 3, axis=2)
    if found is not None and found.values is not None:
        grey = picture.mean(axis=2, keepdims=True)
        picture = PAPER - LIFTED * (PAPER - (grey + 0.15 * (picture - grey)))
    _lay(axes, np.clip(picture, 0, 255).astype(np.uint8), part, "bilinear")
    if found is not None and found.values is not None and found.bar is not None:
        _lay(axes, found.bar.rgba(found.values, 0.85), world.terrain, "nearest")


def _lay(axes: Axes, picture: np.ndarray, terrain: Terrain, between: str) -> None:
    """A picture whose outermost pixels lie on the outermost nodes of a terrain."""
    x0, x1, y0, y1 = terrain.extent
    dx, dy = (x1 - x0) / (picture.shape[1] - 1) / 2, (y1 - y0) / (picture.shape[0] - 1) / 2
    where = (x0 - dx, x1 + dx, y0 - dy, y1 + dy)
    axes.imshow(picture, extent=where, origin="lower", interpolation=between, aspect="auto")


def _part(terrain: Terrain, sheet: PlanSheet) -> Terrain:
    """What the frame shows of a terrain, with a node around it."""
    (x, y), (dx, dy), (ny, nx) = terrain.origin, terrain.cell, terrain.heights.shape
    x0, x1, y0, y1 = sheet.shown
    i0, j0 = max(0, int((x0 - x) / dx) - 1), max(0, int((y0 - y) / dy) - 1)
    i1, j1 = min(nx, int((x1 - x) / dx) + 3), min(ny, int((y1 - y) / dy) + 3)
    return Terrain(terrain.heights[j0:j1, i0:i1], (x + i0 * dx, y + j0 * dy), terrain.cell)


def _draw_contours(axes: Axes, terrain: Terrain, sheet: PlanSheet) -> float:
    """Contour lines, every fifth one bold with its height; how far apart they are [m], 0 where it is level."""
    part = _part(terrain, sheet)
    stride = max(1, max(part.heights.shape) // NODES)
    heights = part.heights[::stride, ::stride]
    if not np.ptp(heights) > 0.0 or min(heights.shape) < 2:
        return 0.0
    x, y = (
        at + stride * size * np.arange(n)
        for at, size, n in zip(part.origin, part.cell, heights.shape[::-1], strict=True)
    )
    step = float(contour_interval(part.heights))
    levels = step * np.arange(np.ceil(heights.min() / step), np.floor(heights.max() / step) + 1)
    bold = np.isclose(np.round(levels / step) % 5, 0)
    for some, width in ((levels[~bold], 0.25), (levels[bold], 0.6)):
        if len(some):
            drawn = axes.contour(x, y, heights, levels=some, colors=LINES, linewidths=width)
            if width > 0.5:
                axes.clabel(drawn, fontsize=5.0, fmt="%g", inline_spacing=2)
    return step


def _draw_marks(axes: Axes, world: RockfallWorld, found: PlanResults | None) -> None:
    """Deposits, barriers and the release."""
    if found is not None and len(found.deposits):
        axes.plot(*found.deposits.T, **DEPOSIT_LOOK)
    for fence in world.fences:
        axes.plot(*np.asarray(fence.line, float).T, **FENCE_LOOK)
    axes.plot(*world.position[:2], **RELEASE_LOOK)
