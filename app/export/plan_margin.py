"""The margin of a plan: frame and coordinates, north, title, scale bar, legend and small print."""

from __future__ import annotations

import textwrap
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Polygon, Rectangle

from app.document.recipe import title
from app.export.plan_results import PlanResults
from app.export.plan_sheet import LEFT, PlanSheet
from app.plots.print_style import BOLD, INK
from app.stage.text.colour_map import Bar, table
from app.system.language import tr
from app.system.sentences import told
from physics.ensembles.maps import CONDITIONAL
from physics.io.trajectory_writers import polhode_version
from physics.schemes.lane import lane_of
from physics.systems.rockfall.world import RockfallWorld

INTENSITIES = ((30e3, "30 kJ"), (300e3, "300 kJ"))  # [J] where classes meet: Canton of Valais, hazard maps
STRONGER = "medium", "strong"
LINES, DEPOSIT, FENCE = "#7A5A33", "#0B5FA5", "#B5123B"
SMALL, USUAL = 5.6, 7.0  # [pt]
BESIDE_BAR, BESIDE_COLOURS, BESIDE_PRINT = 30.0, 52.0, 62.0  # [mm] below the upper edge of a frame they stand beside

# how signs look, in the frame and in the legend
DEPOSIT_LOOK: dict[str, Any] = {
    "linestyle": "none", "marker": "o", "markersize": 2.4, "markerfacecolor": DEPOSIT, "markeredgecolor": "white",
    "markeredgewidth": 0.35, "zorder": 5,
}  # fmt: skip
FENCE_LOOK: dict[str, Any] = {"color": FENCE, "linewidth": 1.6, "solid_capstyle": "butt", "zorder": 6}
RELEASE_LOOK: dict[str, Any] = {
    "linestyle": "none", "marker": "^", "markersize": 6.0, "markerfacecolor": "white", "markeredgecolor": INK,
    "markeredgewidth": 1.0, "zorder": 7,
}  # fmt: skip


def draw_frame(axes: Axes, sheet: PlanSheet) -> None:
    """The frame, with coordinates outside and crosses inside."""
    x0, x1, y0, y1 = sheet.shown
    axes.set(xlim=(x0, x1), ylim=(y0, y1))
    axes.grid(visible=False)
    for spine in axes.spines.values():
        spine.set(visible=True, linewidth=0.8, color=INK, zorder=9)
    step = sheet.crosses
    xs, ys = (step * np.arange(np.ceil(low / step), np.floor(high / step) + 1) for low, high in ((x0, x1), (y0, y1)))
    corner = 8.0 * sheet.scale / 1e3  # [m], where the numbers of both sides would meet
    axes.set_xticks(xs, [grouped(x) if x > x0 + corner else "" for x in xs])
    axes.set_yticks(ys, [grouped(y) if y > y0 + corner else "" for y in ys], rotation=90, va="center")
    axes.tick_params(top=True, right=True, length=3, width=0.6, color=INK, labelsize=SMALL, pad=2)
    for mark in np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2):
        axes.plot(*mark, "+", color=INK, markersize=5, markeredgewidth=0.4, zorder=4)


def grouped(number: float) -> str:
    """A coordinate [m] with its digits in threes."""
    return f"{number:,.6g}".replace(",", "\u202f") if abs(number) < 1e5 else f"{number:,.0f}".replace(",", "\u202f")


def draw_north(page: Axes, sheet: PlanSheet) -> None:
    """An arrow to grid north in the frame's upper right corner."""
    left, bottom, w, h = sheet.frame
    x, y = left + w - 8.0, bottom + h - 16.0
    page.add_patch(Rectangle((x - 4.5, y - 2), 9, 16, facecolor="white", alpha=0.8, linewidth=0))
    page.add_patch(Polygon([(x, y + 9), (x - 2.6, y), (x, y + 2)], facecolor=INK, edgecolor=INK, linewidth=0.5))
    page.add_patch(Polygon([(x, y + 9), (x + 2.6, y), (x, y + 2)], facecolor="white", edgecolor=INK, linewidth=0.5))
    page.text(x, y + 9.6, "N", ha="center", va="bottom", fontsize=8, color=INK, **BOLD)


def draw_title(page: Axes, world: RockfallWorld, sheet: PlanSheet, found: PlanResults | None) -> None:
    """What it is, of what, and its scale."""
    left, high = LEFT, sheet.paper[1]
    heading = title(world.scenario)
    page.text(left, high - 12, heading, fontsize=13 * min(1.0, 70 / len(heading)), color=INK, parse_math=False, **BOLD)
    below = f"1 : {grouped(sheet.scale)}"
    if found is not None:
        what = tr("rocks at rest") if found.bar is None else found.bar.title
        rocks = tr("{number} rocks").format(number=found.rocks)
        below = f"{what[:1].upper()}{what[1:]}, {rocks}, {lane_of(found.lane).scheme.title}   ·   {below}"
    page.text(left, high - 18, below, fontsize=8.5, color=INK, parse_math=False)


def draw_bar(page: Axes, sheet: PlanSheet) -> None:
    """The scale bar, four parts black and white."""
    left, top, _ = sheet.margin
    bottom = top - (BESIDE_BAR if sheet.beside else 16.0)
    part = sheet.bar / 4 * 1e3 / sheet.scale
    for k in range(4):
        colour = INK if k % 2 == 0 else "white"
        place = (left + k * part, bottom)
        page.add_patch(Rectangle(place, part, 1.6, facecolor=colour, edgecolor=INK, linewidth=0.5, gid=f"scale-{k}"))
    for k in (0, 2, 4):
        text = f"{k * sheet.bar / 4:g}" + (" m" if k == 4 else "")
        page.text(left + k * part, bottom + 2.2, text, ha="center", va="bottom", fontsize=SMALL, color=INK)
    page.text(left, bottom - 2.0, f"1 : {grouped(sheet.scale)}", va="top", fontsize=USUAL, color=INK, **BOLD)


def draw_legend(page: Axes, sheet: PlanSheet, world: RockfallWorld, found: PlanResults | None, interval: float) -> None:
    """What the signs mean, and the colours of the map: one below the other beside the frame, or all in a row below."""
    left, top, wide = sheet.margin
    if found is not None and found.bar is not None:
        at = (left, top - BESIDE_COLOURS) if sheet.beside else (left + wide - 60.0, top - 16.0)
        _draw_colours(page, found.bar, at, 56.0)
    signs: list[tuple[str, dict[str, Any]]] = [(tr("release"), RELEASE_LOOK)]
    if found is not None:
        signs.append((tr("{number} rocks at rest").format(number=len(found.deposits)), DEPOSIT_LOOK))
    if world.fences:
        signs.append((tr("barrier"), FENCE_LOOK))
    if interval:
        signs.append(
            (tr("contour lines, {interval:g} m").format(interval=interval), {"color": LINES, "linewidth": 0.6})
        )
    x, first = (left + 2.0, top - 2.0) if sheet.beside else (left + sheet.bar * 1e3 / sheet.scale + 12.0, top - 12.0)
    for number, (text, look) in enumerate(signs):
        y = first - 4.2 * number
        line = "marker" not in look
        page.plot([x - 2, x + 2] if line else [x], [y, y] if line else [y], **look)
        page.text(x + 4.0, y, text, va="center", fontsize=USUAL, color=INK)


def _draw_colours(page: Axes, bar: Bar, place: tuple[float, float], wide: float) -> None:
    """The bar of a map's colours; on energies where the classes of intensity meet."""
    (x, y), high = place, 3.0
    page.text(x, y + 4.6, bar.heading, fontsize=USUAL, va="bottom", color=INK, **BOLD)
    strip = table(bar.colours)[None]
    page.imshow(strip, extent=(x, x + wide, y, y + high), aspect="auto", interpolation="bilinear", zorder=2)
    page.add_patch(Rectangle((x, y), wide, high, fill=False, edgecolor=INK, linewidth=0.5, zorder=3))
    if bar.unit == "J":
        for limit, _ in INTENSITIES:
            if bar.low < limit < bar.high:
                at = x + wide * (limit - bar.low) / (bar.high - bar.low)
                page.plot([at, at], [y, y + high + 1], color=INK, linewidth=0.5, zorder=4)
    for value, text in bar.labels():
        at = x + wide * (value - bar.low) / (bar.high - bar.low)
        page.plot([at, at], [y, y - 1], color=INK, linewidth=0.5)
        page.text(at, y - 1.5, text, **_CENTRED)
    if bar.more:
        end = x + wide
        page.add_patch(Polygon([(end, y), (end + 2, y + high / 2), (end, y + high)], facecolor=strip[0, -1] / 255))


_CENTRED: dict[str, Any] = {"ha": "center", "va": "top", "fontsize": SMALL, "color": INK}


def draw_small_print(page: Axes, sheet: PlanSheet, world: RockfallWorld, found: PlanResults | None) -> None:
    """Where all of it comes from."""
    scenario, terrain = world.scenario, world.terrain
    cell = " x ".join(dict.fromkeys(f"{size:g}" for size in terrain.cell))
    heights = tr(
        "Heights: {file}, cells of {cell} m. Coordinates: {crs}, in metres; north is that of the grid. "
        "Relief lit from the north-west."
    )
    lines = [heights.format(file=terrain.name, cell=cell, crs=terrain.crs or tr("of the file"))]
    if found is not None:
        scheme = lane_of(found.lane).scheme
        rocks = tr("{number} rocks, scheme {scheme} ({source}), seed {seed}.")
        lines.append(rocks.format(number=found.rocks, scheme=found.lane, source=scheme.reference, seed=scenario.seed))
        if found.bar is not None and found.bar.unit == "J":
            classes = " < ".join(
                [tr("weak"), *(f"{text} < {tr(name)}" for (_, text), name in zip(INTENSITIES, STRONGER, strict=True))]
            )
            intensity = tr(
                "Intensity as Swiss hazard maps class it (Canton of Valais): {classes}; marks above the colours."
            )
            lines.append(intensity.format(classes=classes))
        conditional = tr(CONDITIONAL)
        lines.append(f"{conditional[:1].upper()}{conditional[1:]}.")
    if scenario.source:
        lines.append(tr("Source: {source}.").format(source=told(scenario.source)))
    lines.append(f"Polhode {polhode_version()}.")
    left, top, wide = sheet.margin
    wrapped = [part for line in lines for part in textwrap.wrap(line, int(wide / 0.95))]
    if sheet.beside:  # it ends where the frame does, or the legend before it wants more
        first = min(top - BESIDE_PRINT, sheet.frame[1] + 2.6 * len(wrapped))
    else:
        first, wrapped = top - 26.0, wrapped[:6]
    for number, line in enumerate(wrapped):
        page.text(left, first - 2.6 * number, line, fontsize=SMALL, va="top", color="#4A5260", parse_math=False)
