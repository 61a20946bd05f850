"""The charts of the window beside or under the 3D view: drawn once, then only the cursors and the numbers move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image, ImageDraw

from app.playback.run import Lane
from app.plots.chart_data import along_at, breaks, counted, read_out, value_at
from app.theme import Theme, legible
from physics import World

if TYPE_CHECKING:
    from app.kinds.quantities import Quantity
    from app.plots.files import ChartPlace

SHARE = {"under": 0.29, "beside": 0.3}  # share of the height or the width
FILL = 70  # opacity, of 255, of the area under a curve
LEAST_CHART = 150.0, 90.0  # width and height [pixels of a picture 720 high]
UPRIGHT = 0.7  # least width of a chart in a row, of its height
FEW = {"under": 1, "beside": 2}  # number of the usual charts that are shown, so that they are large
LEAST = 300  # pixels along a side of a picture that has room for charts


def divided(size: tuple[int, int], plots: str) -> tuple[tuple[int, int], tuple[int, int] | None]:
    """The sizes (width, height) [pixels] of the view and of the charts, None where there are none."""
    w, h = size
    if plots == "none" or min(w, h) < LEAST:
        return size, None
    if plots == "under":
        low = round(SHARE[plots] * h)
        return (w, h - low), (w, low)
    narrow = round(SHARE[plots] * w)
    return (w - narrow, h), (narrow, h)


def arranged(world: World, size: tuple[float, float], plots: str) -> tuple[tuple[Quantity, ...], int]:
    """The charts on a picture of a size (width, height) [pixels of a picture 720 high], and in how many columns.

    All charts that the export table names are shown, but of the usual ones only FEW, first what is off.
    """
    from app.plots.files import quantities_of  # here, as matplotlib takes a quarter of a second

    charts, (w, h) = quantities_of(world), size
    wide, high = int(w / max(LEAST_CHART[0], UPRIGHT * h)), int(h / LEAST_CHART[1])
    if not world.scenario.export.charts:
        charts = tuple(sorted(charts, key=lambda one: (not one.true, one.error is None)))[: FEW[plots]]
    if plots != "under":
        return charts, 1
    in_row = len(charts) <= wide and (len(charts) > FEW["beside"] or w >= h * len(charts))
    lines = 1 if in_row else max(1, min(high, len(charts)))
    return charts, -(-len(charts) // lines)


class Charts:
    """Charts of a run in one picture of a size (width, height) [pixels], in rows ("under") or a column."""

    def __init__(self, world: World, lanes: Sequence[Lane], theme: Theme, size: tuple[int, int], plots: str) -> None:
        from app.plots.files import draw_panels, shown  # here, as matplotlib takes a quarter of a second

        self._world, self._lanes, self._theme, self._under = world, lanes, theme, plots == "under"
        (w, h), share = size, SHARE[plots]
        wanted = max(0.75, (min(w, h / share) if self._under else min(w / share, h)) / 720.0)
        charts, columns = arranged(world, (w / wanted, h / wanted), plots)
        lines = -(-len(charts) // columns)
        self._unit = min(wanted, w / columns / LEAST_CHART[0], h / lines / LEAST_CHART[1])
        self._picture, self._panels = draw_panels(world, lanes, theme, size, self._unit, charts, columns)
        self._shown = shown(world, lanes)
        self._inks = [legible(lane.scheme.colour, theme) for lane in lanes]
        self._trails: dict[tuple[str, int], np.ndarray] = {}
        self._counted = [
            [counted(panel.quantity, lane.trajectory, lane.world) for lane in lanes] for panel in self._panels
        ]
        self._texts = [legible(lane.scheme.colour, theme, ratio=4.5) for lane in lanes]

    def beside(self, view: np.ndarray, time: float) -> np.ndarray:
        """The picture of a view (height, width, 3 or 4) with the charts at a time [s]."""
        charts = self.show(time)
        if view.shape[2] == 4:
            charts = np.dstack([charts, np.full(charts.shape[:2], 255, np.uint8)])
        return np.concatenate([view, charts], axis=0 if self._under else 1)

    def show(self, time: float) -> np.ndarray:
        """The charts (height, width, 3) at a time [s]."""
        picture = self._picture.copy()
        pen = ImageDraw.Draw(picture)
        for panel, rows in zip(self._panels, self._counted, strict=True):
            values = [
                value_at(panel.quantity, lane.trajectory, lane.world, time, known)
                for lane, known in zip(self._lanes, rows, strict=True)
            ]
            self._mark(picture, pen, panel, time, values)
            self._tell(picture, panel, values)
        return np.asarray(picture)

    def _mark(
        self, picture: Image.Image, pen: ImageDraw.ImageDraw, panel: ChartPlace, time: float, values: list[float]
    ) -> None:
        """A line at the time, or a dot a lane where time is not the abscissa, with the chart's area and trail."""
        wide, quantity = max(1, round(self._unit)), panel.quantity
        if quantity.over is None:
            x = round(panel.across(time))
            dash = max(2, round(4 * self._unit))
            for y in range(round(panel.top), round(panel.bottom), 2 * dash):
                pen.line((x, y, x, min(y + dash - 1, round(panel.bottom))), self._theme.text, wide)
            return
        places = [along_at(quantity, lane.trajectory, lane.world, time) for lane in self._lanes]
        self._fill(picture, panel, places[0], time)
        for number, ink in enumerate(self._inks):
            for trail in self._trail(panel, number, time):
                if len(trail) > 1:
                    pen.line(trail, ink, 2 * wide)
        size = 3.5 * self._unit
        for place, value, ink in zip(places, values, self._inks, strict=True):
            across, up = panel.across(place), panel.up(value)
            pen.ellipse((across - size, up - size, across + size, up + size), ink, self._theme.window, wide)

    def _fill(self, picture: Image.Image, panel: ChartPlace, to: float, time: float) -> None:
        """The area of the first lane under what stands still behind a chart."""
        area = panel.quantity.behind(self._world).filled(to, time)
        if len(area) < 2:
            return
        corners = [(x, y) for x, y in area] + [(area[-1, 0], 0.0), (area[0, 0], 0.0)]
        veil = Image.new("L", picture.size)
        pen = ImageDraw.Draw(veil)
        pen.polygon([(panel.across(x), panel.up(y)) for x, y in corners], FILL)
        picture.paste(self._inks[0], (0, 0), veil)

    def _trail(self, panel: ChartPlace, number: int, time: float) -> list[list[tuple[float, float]]]:
        """The pixels of what a lane drew lately, without a break each."""
        if panel.quantity.trail == 0.0:
            return []
        key = panel.quantity.title, number
        if key not in self._trails:
            run = self._shown[number]
            self._trails[key] = np.column_stack([run.time, run.along(panel.quantity), run.values(panel.quantity)])
        t, x, y = self._trails[key].T
        now = (t >= time - panel.quantity.trail) & (t <= time)
        points = np.array([(panel.across(a), panel.up(b)) for a, b in zip(x[now], y[now], strict=True)])
        parts = np.split(points, breaks(panel.quantity, x[now], y[now])) if len(points) else []
        return [[tuple(point) for point in part.tolist()] for part in parts]

    def _tell(self, picture: Image.Image, panel: ChartPlace, values: list[float]) -> None:
        """The lanes' letters and numbers under a chart's title."""
        from app.stage.text.cards import Card, TextRun, draw

        digits = 4 if len(values) < 3 else 3
        pieces = tuple(
            TextRun(f"{lane.scheme.letter} {read_out(panel.quantity, value, digits)}   ", ink, 11.5, "Medium")
            for lane, value, ink in zip(self._lanes, values, self._texts, strict=True)
        )
        card = draw(Card((pieces,), self._theme.window, 0.0), self._unit, round(panel.right - panel.left))
        place = (round(panel.left - 10 * self._unit), round(panel.base - 7.5 * self._unit))
        if place[1] + card.shape[0] - 12 * self._unit > panel.top:
            return  # on a small picture the curves come first
        picture.paste(
            Image.fromarray(card[..., :3]), (max(place[0], 0), max(place[1], 0)), Image.fromarray(card[..., 3])
        )
