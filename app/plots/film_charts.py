"""The charts of the window beside or under the 3D view: drawn once, then only the cursors and the numbers move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image, ImageDraw

from app.playback.run import Lane
from app.plots.chart_data import along_at, breaks, read_out, value_at
from app.theme import Theme, legible
from physics import World

if TYPE_CHECKING:
    from app.plots.files import Panel

SHARE = {"under": 0.29, "beside": 0.3}  # of the height or the width
FILL = 70  # of 255: of the area under a curve
LEAST_CHART = 110.0, 90.0  # width and height [pixels of a picture 720 high]: letters shrink where a chart has less
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


class Charts:
    """All charts of a run in one picture of a size (width, height) [pixels], in a row ("under") or a column."""

    def __init__(self, world: World, lanes: Sequence[Lane], theme: Theme, size: tuple[int, int], plots: str) -> None:
        from app.plots.files import draw_panels, quantities_of, shown  # here, as matplotlib takes a quarter of a second

        self._world, self._lanes, self._theme, self._under = world, lanes, theme, plots == "under"
        columns, lines = (len(quantities_of(world)), 1) if self._under else (1, len(quantities_of(world)))
        wanted = max(0.75, (size[1] / SHARE["under"] if self._under else size[1]) / 720.0)
        self._unit = min(wanted, size[0] / columns / LEAST_CHART[0], size[1] / lines / LEAST_CHART[1])
        self._picture, self._panels = draw_panels(world, lanes, theme, size, self._unit, in_row=self._under)
        self._shown = shown(world, lanes)
        self._inks = [legible(lane.scheme.colour, theme) for lane in lanes]
        self._trails: dict[tuple[str, int], np.ndarray] = {}
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
        for panel in self._panels:
            values = [value_at(panel.quantity, lane.trajectory, lane.world, time) for lane in self._lanes]
            self._mark(picture, pen, panel, time, values)
            self._tell(picture, panel, values)
        return np.asarray(picture)

    def _mark(
        self, picture: Image.Image, pen: ImageDraw.ImageDraw, panel: Panel, time: float, values: list[float]
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
        self._fill(picture, panel, places[0])
        for number, ink in enumerate(self._inks):
            for trail in self._trail(panel, number, time):
                if len(trail) > 1:
                    pen.line(trail, ink, 2 * wide)
        size = 3.5 * self._unit
        for place, value, ink in zip(places, values, self._inks, strict=True):
            across, up = panel.across(place), panel.up(value)
            pen.ellipse((across - size, up - size, across + size, up + size), ink, self._theme.window, wide)

    def _fill(self, picture: Image.Image, panel: Panel, to: float) -> None:
        """The area of the first lane under what stands still behind a chart."""
        area = panel.quantity.behind(self._world).filled(to)
        if len(area) < 2:
            return
        corners = [(x, y) for x, y in area] + [(area[-1, 0], 0.0), (area[0, 0], 0.0)]
        veil = Image.new("L", picture.size)
        pen = ImageDraw.Draw(veil)
        pen.polygon([(panel.across(x), panel.up(y)) for x, y in corners], FILL)
        picture.paste(self._inks[0], (0, 0), veil)

    def _trail(self, panel: Panel, number: int, time: float) -> list[list[tuple[float, float]]]:
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

    def _tell(self, picture: Image.Image, panel: Panel, values: list[float]) -> None:
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
