"""The plan: a map of a terrain and of an ensemble's results on paper, true to scale.

It has contour lines, a legend, a scale bar, a north arrow and its sources.
"""

from __future__ import annotations

import os
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import shapely
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import PathPatch, Polygon, Rectangle
from matplotlib.path import Path as Outline
from matplotlib.patheffects import withStroke

from app.document.export_kinds import PLAN, endings
from app.document.recipe import notes, title
from app.hazard.layers import lane_title, maps_of, read_deposits, read_map, results_of
from app.playback.run import Lane
from app.plots.print_style import BOLD, INK, pixels, style
from app.stage.ground.last_made import LastMade
from app.stage.ground.shaded_relief import LONGER_SIDE, base_of, contour_interval, light_on, paint
from app.stage.text.caption_text import ground_named
from app.stage.text.colour_map import CLASSED_BY, CLASSES, Bar, mapped, nice
from app.system.language import capitalised, tr
from app.system.own_words import source_of
from physics import Scenario, ScenarioError, World
from physics.core.input_checks import DAMAGED
from physics.core.rotation import Array
from physics.core.wording import N_, joined
from physics.ensembles.summary import SUMMARY, foreign
from physics.hazard.maps import CONDITIONAL, note_of
from physics.hazard.study import INTENSITIES, tables_in
from physics.io.trajectory_writers import check_output, polhode_version, replacing
from physics.schemes.lane import lane_of
from physics.systems import kinds_of
from physics.systems.rockfall.map_layers import LAYERS, layers_of, uncovered
from physics.systems.rockfall.scenario import HazardConfig
from physics.systems.rockfall.world import RockfallWorld
from physics.terrain.terrain import Terrain
from physics.terrain.zones import Shape, read_shapes


@dataclass(frozen=True)
class PlanResults:
    """Results of an ensemble: a scheme, its rocks, where they rest (n, 2) [m], and a map if one is named.

    values : (ny, nx) of the map as heights in the bar, NaN where there is nothing; None without a map
    seed, layers : those of the rocks, see physics.systems.rockfall.map_layers; of parts that were gathered, of all
    trees : whether the scenario's are those among which the rocks fell
    note : what the numbers are conditional on
    hazard : by which the maps were counted, whatever the scenario says by now
    """

    lane: str
    rocks: int
    seed: str
    layers: dict[str, list[Shape]]
    trees: bool
    deposits: Array
    bar: Bar | None = None
    values: Array | None = None
    note: str = CONDITIONAL
    hazard: HazardConfig = field(default_factory=HazardConfig)


def heights_of(world: RockfallWorld) -> str:
    """Source of the heights: the name of the file, or those of all pieces of a surface."""
    table = world.scenario.terrain
    files = [] if table is None else [*(one.file for one in table.piece), table.file]
    return ", ".join(Path(file).name for file in files if file) or world.terrain.name  # of one that is generated


def seeds_of(seed: Any) -> str:
    """A seed, or lists of lists of those of gathered parts, in words."""
    return ", ".join(map(seeds_of, seed)) if isinstance(seed, list) else str(seed)


def plan_results(world: RockfallWorld) -> PlanResults | None:
    """The results that the export table of a world names; None where it names none.

    Raises ScenarioError, naming the folder, where it holds nothing of the wanted schemes.
    """
    scenario, export = world.scenario, world.scenario.export
    results = results_of(scenario)
    if results is None:
        return None
    folder, summary, edited = results
    schemes, seed = summary.get("schemes"), seeds_of(summary.get("seed", scenario.seed))
    counted = schemes if isinstance(schemes, dict) else {}
    known = maps_of(scenario) if export.map is not None else dict.fromkeys(scenario.schemes, folder)
    lanes = [name for name in known if name in counted and export.whose in (None, name)]
    if not lanes:
        raise ScenarioError(
            "export.results", N_("holds nothing of {known}", export.whose or joined(" or ", [*known])), folder
        )
    lane, rocks = lanes[0], int(counted[lanes[0]]["rocks"])
    deposits = read_deposits(folder / "deposits.geojson", lane)
    files = {name: folder / f"{name}.geojson" for name in LAYERS}
    layers = {name: read_shapes(file, heights=True)[0] for name, file in files.items() if os.path.isfile(file)}
    trees = not any(field.startswith("forest") for field in edited)
    found = PlanResults(lane, rocks, seed, layers, trees, deposits)
    if export.map is None:
        return found
    heading, unit, values = read_map(known[lane], world.terrain)
    values = np.where(values > 0.0, values, np.nan)
    bar, (heights,) = mapped(heading, unit, [values])
    try:
        _, hazard = tables_in(summary["scenario"])
    except DAMAGED:
        raise foreign(folder / SUMMARY) from None
    return replace(found, bar=bar, values=heights, note=note_of(export.map), hazard=hazard)


PAPERS = {"a4": (210.0, 297.0), "a3": (297.0, 420.0)}  # [mm], upright; ISO 216
SCALES = (
    *(m * 10**k for k in range(2, 6) for m in (1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 6, 7.5)),
    1_000_000,
)  # at most a third apart
LEFT, RIGHT, TOP, FOOT = 17.0, 10.0, 22.0, 43.0  # [mm] around the frame: numbers, title, legend and small print
COLUMN, EDGE = 68.0, 12.0  # [mm] at the right where legend and small print stand beside the frame, and then below it
MIN_FRAME_SIDE = 20.0  # [mm] of the frame's sides: smaller maps cannot be read

PageRoom = tuple[tuple[float, float], bool, tuple[float, float]]  # see rooms_of
Extent = tuple[float, float, float, float]  # x_min, x_max, y_min, y_max [m]


@dataclass(frozen=True)
class PlanSheet:
    """A sheet of paper with a frame.

    paper : its width and height [mm]; scale : metres for a metre; shown : the part of the terrain in the frame [m].
    The frame stands at the top, in the middle of what the margin leaves; ``beside``: the legend stands at its right.
    """

    paper: tuple[float, float]
    scale: float
    shown: Extent
    beside: bool = False

    @property
    def frame(self) -> tuple[float, float, float, float]:
        """Left, bottom, width and height [mm] of the frame on the paper."""
        x0, x1, y0, y1 = self.shown
        w, h = (x1 - x0) * 1e3 / self.scale, (y1 - y0) * 1e3 / self.scale
        right = RIGHT + COLUMN if self.beside else RIGHT
        return (LEFT + self.paper[0] - right - w) / 2, self.paper[1] - TOP - h, w, h

    @property
    def margin(self) -> tuple[float, float, float]:
        """Left, top and width [mm] of the room for legend and small print."""
        left, bottom, w, h = self.frame
        if self.beside:
            return left + w + 8.0, bottom + h, COLUMN - 8.0
        return LEFT, bottom, self.paper[0] - LEFT - RIGHT

    @property
    def crosses(self) -> float:
        """Distance between coordinates at the frame [m]: at least 25 mm on paper."""
        return nice(25.0 * self.scale / 1e3)

    @property
    def bar(self) -> float:
        """The length of the scale bar [m]: at most 50 mm."""
        return nice(50.0 * self.scale / 1e3 * 0.4)


def sheet_of(terrain: Terrain, paper: str, scale: float | None, middle: tuple[float, float]) -> PlanSheet:
    """The sheet of a terrain on "a4" or "a3", across or upright, the legend below or beside: what holds the most.

    scale : 5000 for 1:5000; None: the largest of SCALES at which all of the terrain is in the frame
    middle : x and y [m] of what stands in the middle where not all of it is
    Raises ScenarioError where the map would be too small to be read, or does not fit at any scale.
    """
    x0, x1, y0, y1 = terrain.extent
    wide, high = x1 - x0, y1 - y0
    rooms = rooms_of(paper)
    if scale is None:
        fits = [max(wide / w, high / h) * 1e3 for _, _, (w, h) in rooms]
        scale = next((one for one in SCALES if one >= min(fits) * (1 - 1e-9)), None)
        if scale is None:
            raise ScenarioError(
                "export.scale", N_("expected a scale for a terrain of {wide:.4g} x {high:.4g} m", wide, high)
            )
    sides = wide * 1e3 / scale, high * 1e3 / scale

    def held(room: PageRoom) -> tuple[int, bool, bool]:
        """Area of the terrain in a room [mm²]; of equal ones, paper across for a broad terrain."""
        (w, h), beside, (most_wide, most_high) = room
        return round(min(most_wide, sides[0]) * min(most_high, sides[1])), not beside, (w > h) == (wide > high)

    best, beside, most = max(rooms, key=held)
    shown = []
    for (low, top), room, at in zip(((x0, x1), (y0, y1)), most, middle, strict=True):
        long = min(top - low, room * scale / 1e3)
        first = min(max(at - long / 2, low), top - long)
        shown += [first, first + long]
    sheet = PlanSheet(best, float(scale), (shown[0], shown[1], shown[2], shown[3]), beside)
    if min(sheet.frame[2:]) < MIN_FRAME_SIDE:
        raise ScenarioError(
            "export.scale",
            N_(
                "the terrain of {wide:.4g} x {high:.4g} m would be {frame:.3g} x {frame2:.3g} mm at "
                "1:{scale:g}; expected a scale at which its sides are {least:g} mm or longer",
                wide,
                high,
                sheet.frame[2],
                sheet.frame[3],
                scale,
                MIN_FRAME_SIDE,
            ),
        )
    return sheet


def rooms_of(paper: str) -> list[PageRoom]:
    """Width and height of the paper [mm], whether the legend is beside the frame, and the room of the frame [mm]."""
    sheets = PAPERS[paper], PAPERS[paper][::-1]
    below: list[PageRoom] = [((w, h), False, (w - LEFT - RIGHT, h - TOP - FOOT)) for w, h in sheets]
    return [*below, *(((w, h), True, (w - LEFT - RIGHT - COLUMN, h - TOP - EDGE)) for w, h in sheets)]


LINES, DEPOSIT, FENCE = "#7A5A33", "#0B5FA5", "#B5123B"
SMALL, USUAL = 5.6, 7.0  # [pt]
BESIDE_BAR, BESIDE_COLOURS, BESIDE_PRINT = 30.0, 52.0, 62.0  # [mm] below the upper edge of a frame they stand beside

# how signs look, in the frame and in the legend
DEPOSIT_LOOK: dict[str, Any] = {
    "linestyle": "none", "marker": "o", "markersize": 2.4, "markerfacecolor": DEPOSIT, "markeredgecolor": "white",
    "markeredgewidth": 0.35, "zorder": 5,
}  # fmt: skip
STEM_LOOK: dict[str, Any] = {
    "linestyle": "none", "marker": ".", "markersize": 1.6, "markerfacecolor": "#2F7D32", "markeredgewidth": 0.0,
    "zorder": 4.5,
}  # fmt: skip
FENCE_LOOK: dict[str, Any] = {"color": FENCE, "linewidth": 1.6, "solid_capstyle": "butt", "zorder": 6}
COURSE_LOOK: dict[str, Any] = {"color": "#1769AA", "linewidth": 1.6, "linestyle": (0, (5, 1.2)), "zorder": 6}
RELEASE_LOOK: dict[str, Any] = {
    "linestyle": "none", "marker": "^", "markersize": 6.0, "markerfacecolor": "white", "markeredgecolor": INK,
    "markeredgewidth": 1.0, "zorder": 7,
}  # fmt: skip
ZONE_LOOK: dict[str, dict[str, Any]] = {  # of areas, by their layer
    "soil": {"facecolor": "#C97A1A30", "edgecolor": "#A85F0A", "linewidth": 1.0, "hatch": "///", "zorder": 4.2},
    "forest": {"facecolor": "#2F7D3230", "edgecolor": "#2F7D32", "linewidth": 1.0, "hatch": "\\\\\\", "zorder": 4.4},
    "release": {"facecolor": "none", "edgecolor": INK, "linewidth": 1.2, "linestyle": (0, (4, 2)), "zorder": 4.6},
}


def zone_looks(found: PlanResults | None) -> dict[str, dict[str, Any]]:
    """ZONE_LOOK, outlines alone where a map lies below, whose colours are to be read."""
    on_map = found is not None and found.values is not None
    return {kind: look | {"facecolor": "none", "hatch": ""} if on_map else look for kind, look in ZONE_LOOK.items()}


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
    number += 0.0  # no -0
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
    """Draw the title, and a line with map, rocks, scheme and scale."""
    left, high = LEFT, sheet.paper[1]
    heading = title(world.scenario)
    page.text(left, high - 12, heading, fontsize=13 * min(1.0, 70 / len(heading)), color=INK, parse_math=False, **BOLD)
    below = f"1 : {grouped(sheet.scale)}"
    if found is not None:
        what = tr("rocks at rest") if found.bar is None else found.bar.title
        rocks = tr("{number} rocks").format(number=found.rocks)
        below = f"{capitalised(what)}, {rocks}, {lane_title(found.lane)}   ·   {below}"
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
    """Draw the legend of signs and of the map's colours, beside the frame or in a row below it."""
    left, top, wide = sheet.margin
    if found is not None and found.bar is not None:
        at = (left, top - BESIDE_COLOURS) if sheet.beside else (left + wide - 60.0, top - 16.0)
        _draw_colours(page, found.bar, INTENSITIES[found.hazard.intensity], at, 56.0)
    signs: list[tuple[str, dict[str, Any]]] = [(tr("release"), RELEASE_LOOK)]
    texts = {"soil": tr("other soils"), "forest": tr("other forests"), "release": tr("area of release")}
    layers = _layers(world, found)
    drawn = {kind for kind, layer in layers.items() if any(shape.area for shape, _ in layer)}
    signs += [(texts[kind], look) for kind, look in zone_looks(found).items() if kind in drawn]
    if found is not None:
        signs.append((tr("{number} rocks at rest").format(number=len(found.deposits)), DEPOSIT_LOOK))
    if len(_stems(world, found)):
        signs.append((tr("tree"), STEM_LOOK))
    if layers.get("barriers"):
        signs.append((tr("barrier"), FENCE_LOOK))
    if layers.get("lines"):
        signs.append((tr("line of interest"), COURSE_LOOK))
    if interval:
        signs.append(
            (tr("contour lines, {interval:g} m").format(interval=interval), {"color": LINES, "linewidth": 0.6})
        )
    x, first = (left + 2.0, top - 2.0) if sheet.beside else (left + sheet.bar * 1e3 / sheet.scale + 12.0, top - 9.5)
    room = BESIDE_BAR - 8.0 if sheet.beside else 14.5  # above the scale bar or the small print
    apart = min(4.2, room / max(1, len(signs) - 1))
    size = USUAL if apart > 3.0 else SMALL
    for number, (text, look) in enumerate(signs):
        y = first - apart * number
        if "facecolor" in look:
            page.add_patch(Rectangle((x - 2.0, y - 0.4 * apart), 4.0, 0.8 * apart, **look))
        else:
            line = "marker" not in look
            page.plot([x - 2, x + 2] if line else [x], [y, y] if line else [y], **look)
        page.text(x + 4.0, y, text, va="center", fontsize=size, color=INK)


def _draw_colours(page: Axes, bar: Bar, limits: tuple[float, ...], place: tuple[float, float], wide: float) -> None:
    """The bar of a map's colours; on energies marks at the limits [J], where the classes of intensity meet."""
    (x, y), high = place, 3.0
    page.text(x, y + 4.6, bar.heading, fontsize=USUAL, va="bottom", color=INK, **BOLD)
    strip = bar.strip[None]
    page.imshow(strip, extent=(x, x + wide, y, y + high), aspect="auto", interpolation="bilinear", zorder=2)
    page.add_patch(Rectangle((x, y), wide, high, fill=False, edgecolor=INK, linewidth=0.5, zorder=3))
    if bar.unit == "J":
        for limit in limits:
            if bar.low < limit < bar.high:
                at = x + wide * (limit - bar.low) / (bar.high - bar.low)
                page.plot([at, at], [y, y + high + 1], color=INK, linewidth=0.5, zorder=4)
    for value, text in bar.labels():
        at = x + wide * (value - bar.low) / (bar.high - bar.low)
        page.plot([at, at], [y, y - 1], color=INK, linewidth=0.5)
        page.text(at, y - 1.5, text, ha="center", va="top", fontsize=SMALL, color=INK)
    if bar.more:
        end = x + wide
        page.add_patch(Polygon([(end, y), (end + 2, y + high / 2), (end, y + high)], facecolor=strip[0, -1] / 255))


def draw_small_print(page: Axes, sheet: PlanSheet, world: RockfallWorld, found: PlanResults | None) -> None:
    """Draw the sources: heights, rocks, scheme, classes of intensity, version."""
    scenario, terrain, export = world.scenario, world.terrain, world.scenario.export
    cell = " x ".join(dict.fromkeys(f"{size:g}" for size in terrain.cell))
    heights = tr(
        "Heights: {file}, cells of {cell} m. Coordinates: {crs}, in metres; north is that of the grid. "
        "Relief lit from the north-west."
    )
    lines = [heights.format(file=heights_of(world), cell=cell, crs=terrain.crs or tr("of the file"))]
    if found is not None:
        scheme = lane_of(found.lane).scheme
        rocks = tr("{number} rocks, scheme {scheme} ({source}), seed {seed}.")
        lines.append(rocks.format(number=found.rocks, scheme=found.lane, source=scheme.reference, seed=found.seed))
        if found.bar is not None and found.bar.unit in ("J", "class"):
            weak, *stronger = map(tr, CLASSES)
            limits = dict(zip(INTENSITIES[found.hazard.intensity], stronger, strict=True))
            classes = " < ".join([weak, *(f"{limit / 1e3:g} kJ < {word}" for limit, word in limits.items())])
            if found.bar.unit == "J":
                intensity = tr("Intensity as {maps} class it: {classes}; marks above the colours.")
            else:
                intensity = tr("Intensity as {maps} class it: {classes}.")
            lines.append(intensity.format(maps=tr(CLASSED_BY[found.hazard.intensity]), classes=classes))
        if found.bar is not None and export.map != "deposits":
            per = tr("Maps count rocks that touch a square of {cell:g} m around the middle of each cell.")
            lines.append(per.format(cell=found.hazard.cell))
        lines.append(f"{capitalised(tr(found.note))}.")
    source = f"{tr('Source: {source}.').format(source=source_of(scenario))} " if scenario.source else ""
    lines.append(f"{source}Polhode {polhode_version()}.")
    left, top, wide = sheet.margin
    wrapped = [part for line in lines for part in textwrap.wrap(line, int(wide / 0.95))]
    if sheet.beside:  # it ends with the frame, unless the legend needs more room
        first = min(top - BESIDE_PRINT, sheet.frame[1] + 2.6 * len(wrapped))
    else:
        first = top - 26.0
        wrapped = wrapped[: int(first / 2.6)]  # what the sheet has room for
    for number, line in enumerate(wrapped):
        page.text(left, first - 2.6 * number, line, fontsize=SMALL, va="top", color="#4A5260", parse_math=False)


ENDINGS = endings(PLAN)
DOTS = 254.0  # an inch, of what is a picture: ten a millimetre
ON_SCREEN = 60.0  # the same of a preview
PAPER, LIFTED = 255.0, 0.62  # how much of the relief's shade is left on the paper
NODES = 700  # along a side of the grid that contour lines are drawn from


def check_plan(scenario: Scenario) -> None:
    """ScenarioError where the view and export tables name a plan that cannot be drawn."""
    if scenario.ground is None:
        raise ScenarioError(
            "kind",
            N_("a plan applies to {ensembles}, got '{kind}'", kinds_of(lambda row: row.ensembles), scenario.kind),
        )
    results_of(scenario)


def write_plan(world: World, _: Sequence[Lane], path: str | Path) -> None:
    """Write the plan of a world to a .pdf, .svg or .png: scale, paper, results and map as its export table says.

    The file appears when it is complete; ScenarioError or PhysicsError, naming it, where it cannot.
    """
    path = check_output(path, ENDINGS)
    suffix = path.suffix.lower()
    with replacing(path) as part, style():
        facts = notes(suffix, title(world.scenario), world.scenario)
        plan_of(world).savefig(part, format=suffix[1:], dpi=DOTS, metadata=facts)


def draw_plan(world: World, _: Sequence[Lane]) -> np.ndarray:
    """The plan as a picture (height, width, 3) for the screen."""
    with style():
        figure = plan_of(world, ON_SCREEN)
        figure.set_dpi(ON_SCREEN)
        return pixels(figure)


def plan_of(world: World, dots: float = DOTS) -> Figure:
    """The plan as a figure as large as its paper, for a picture with so many pixels an inch."""
    check_plan(world.scenario)
    assert isinstance(world, RockfallWorld)
    terrain, export = world.terrain, world.scenario.export
    found = plan_results(world)
    sheet = sheet_of(terrain, export.paper, export.scale, _middle(world, found))
    wide, high = sheet.paper
    # from the beginning: one whose layout is taken away later is drawn twice
    figure = Figure(figsize=(wide / 25.4, high / 25.4), facecolor="white", layout="none")  # type: ignore[arg-type]  # which its types lack
    left, bottom, w, h = sheet.frame
    axes = figure.add_axes((left / wide, bottom / high, w / wide, h / high))
    axes.set_label("map")
    _draw_ground(axes, world, sheet, found, dots)
    interval = _draw_contours(axes, terrain, sheet, found)
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


# ---- the sheet's middle ------------------------------------------------------------------------------------


def _middle(world: RockfallWorld, found: PlanResults | None) -> tuple[float, float]:
    """x and y [m] of the middle of release, deposits and map, which the sheet must show."""
    places: list[Array] = [_starts(world, found)]
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
    """Draw the relief of the heights, or the picture draped over it, pale; and the map."""
    base = base_of(world)
    if isinstance(base, ScenarioError):
        raise base
    if base:
        part = world.terrain
        picture = paint(part).picture(base, contours=False).astype(np.float32)
    else:
        part = _part(world.terrain, sheet)
        finest = min(LONGER_SIDE, round(max(sheet.frame[2:]) * dots / 25.4))  # pixels: no more than are printed
        light = _light(world.terrain, sheet, finest)[..., None].astype(np.float32)
        picture = np.minimum(light * (1.5 / 255 * 165), PAPER)
    if found is not None and found.values is not None:
        grey = picture.mean(axis=2, keepdims=True)
        picture = PAPER - LIFTED * (PAPER - (grey + 0.15 * (picture - grey)))
    colours = np.clip(picture, 0, 255).astype(np.uint8)
    _lay(axes, np.broadcast_to(colours, (*colours.shape[:2], 3)), part, "bilinear")
    if found is not None and found.values is not None and found.bar is not None:
        _lay(axes, found.bar.rgba(found.values, 0.85), world.terrain, "nearest")


def _light(terrain: Terrain, sheet: PlanSheet, longest: int) -> np.ndarray:
    """The light on what the frame shows, kept for the next plan: those of a study differ by their maps."""
    key = sheet.shown, longest
    known = _LIGHT.of(terrain.heights, key)
    return _LIGHT.keep(terrain.heights, key, light_on(_part(terrain, sheet), longest)) if known is None else known


_LIGHT = LastMade[tuple[Extent, int], np.ndarray]()


def _lay(axes: Axes, picture: np.ndarray, terrain: Terrain, between: str) -> None:
    """A picture whose outermost pixels lie on the outermost nodes of a terrain."""
    x0, x1, y0, y1 = terrain.extent
    dx, dy = (x1 - x0) / (picture.shape[1] - 1) / 2, (y1 - y0) / (picture.shape[0] - 1) / 2
    where = (x0 - dx, x1 + dx, y0 - dy, y1 + dy)
    axes.imshow(picture, extent=where, origin="lower", interpolation=between, aspect="auto")


def _part(terrain: Terrain, sheet: PlanSheet) -> Terrain:
    """Part of a terrain that the frame shows, with a node around it."""
    (x, y), (dx, dy), (ny, nx) = terrain.origin, terrain.cell, terrain.heights.shape
    x0, x1, y0, y1 = sheet.shown
    i0, j0 = max(0, int((x0 - x) / dx) - 1), max(0, int((y0 - y) / dy) - 1)
    i1, j1 = min(nx, int((x1 - x) / dx) + 3), min(ny, int((y1 - y) / dy) + 3)
    return Terrain(terrain.heights[j0:j1, i0:i1], (x + i0 * dx, y + j0 * dy), terrain.cell)


def _draw_contours(axes: Axes, terrain: Terrain, sheet: PlanSheet, found: PlanResults | None) -> float:
    """Contour lines, every fifth one bold with its height; their interval [m], 0 on level ground.

    Over a map only the bold ones, thin: its colours are to be read.
    """
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
    on_map = found is not None and found.values is not None
    if not on_map and len(levels[~bold]):
        axes.contour(x, y, heights, levels=levels[~bold], colors=LINES, linewidths=0.25)
    if len(levels[bold]):
        drawn = axes.contour(x, y, heights, levels=levels[bold], colors=LINES, linewidths=0.3 if on_map else 0.6)
        axes.clabel(drawn, fontsize=5.0, fmt="%g m", inline_spacing=2)
    return 5.0 * step if on_map else step


def _layers(world: RockfallWorld, found: PlanResults | None) -> dict[str, list[Shape]]:
    """The layers of the world; with results those that these were computed with, whatever the world has by now."""
    return layers_of(world) if found is None else found.layers


def _starts(world: RockfallWorld, found: PlanResults | None) -> Array:
    """Places (n, 2) [m] of the sign of the release: one of the rock that is shown, with results one in each shape.

    A release on steep cells has no shape.
    """
    shapes = [] if found is None else [shape for shape, _ in found.layers.get("release", ())]
    return shapely.get_coordinates(shapely.point_on_surface(shapes)) if shapes else world.position[None, :2]


def _stems(world: RockfallWorld, found: PlanResults | None) -> Array:
    """Trees (n, 2) [m]; with results none but those among which their rocks fell."""
    stems = world.cover.stems[0] if found is None or found.trees else world.cover.stems[0][:0]
    return np.asarray(stems[:, :2] + world.terrain.origin)


def _draw_marks(axes: Axes, world: RockfallWorld, found: PlanResults | None) -> None:
    """Deposits, zones, barriers, lines and the release."""
    layers = _layers(world, found)
    for kind, look in zone_looks(found).items():
        _draw_zones(axes, layers.get(kind, []), look, {"soil": "bottom", "forest": "top"}.get(kind))
    if found is not None and len(found.deposits):
        axes.plot(*found.deposits.T, **DEPOSIT_LOOK)
    if len(stems := _stems(world, found)):
        axes.plot(*stems.T, **STEM_LOOK)
    for line, given in layers.get("barriers", ()):
        _draw_line(axes, line, given, FENCE_LOOK | ({"linewidth": 2.6} if given.get("capacity") else {}))
    for line, given in layers.get("lines", ()):
        _draw_line(axes, line, given, COURSE_LOOK)
    axes.plot(*_starts(world, found).T, **RELEASE_LOOK)


def _draw_line(axes: Axes, line: Any, given: dict[str, Any], look: dict[str, Any]) -> None:
    """A barrier or a line of interest, with its name at its middle."""
    axes.plot(*shapely.get_coordinates(line).T, **look)
    middle = shapely.line_interpolate_point(line, 0.5, normalized=True)
    halo = [withStroke(linewidth=2.0, foreground="white")]
    style: dict[str, Any] = {"ha": "center", "va": "bottom", "fontsize": SMALL, "clip_on": True, **BOLD}
    axes.text(middle.x, middle.y, given.get("name", ""), color=look["color"], path_effects=halo, zorder=6.5, **style)


def _draw_zones(axes: Axes, layer: Sequence[Shape], look: dict[str, Any], side: str | None) -> None:
    """Outlines of the areas and lines of a layer; areas filled, and named, where no later one covers them.

    side : of its point that is the edge of a name, as soils and forests may have the same area; None: there are none
    """
    for shape, _ in layer:
        for line in shapely.get_parts(shape.boundary if shape.area else shape):
            if line.geom_type == "LineString":
                edge = {key: look[key] for key in ("linewidth", "linestyle", "zorder") if key in look}
                axes.plot(*shapely.get_coordinates(line).T, color=look["edgecolor"], **edge)
    for shape, given in uncovered(layer) if side else ():
        if shape.area:
            rings = [Outline(shapely.get_coordinates(ring), closed=True) for ring in shapely.get_rings(shape)]
            axes.add_patch(PathPatch(Outline.make_compound_path(*rings), **look | {"linewidth": 0.0}))
            place = shape.representative_point()
            halo = [withStroke(linewidth=2.0, foreground="white")]
            style: dict[str, Any] = {"ha": "center", "va": side, "fontsize": SMALL, "clip_on": True, **BOLD}
            text = ground_named(given)
            axes.text(place.x, place.y, text, color=look["edgecolor"], path_effects=halo, zorder=4.8, **style)
