"""The sheet of a plan: its paper, its scale, and what part of a terrain its frame shows, all to the millimetre."""

from __future__ import annotations

from dataclasses import dataclass

from app.stage.colour_map import nice
from physics.core.errors import ScenarioError
from physics.terrain.terrain import Terrain

PAPERS = {"a4": (210.0, 297.0), "a3": (297.0, 420.0)}  # [mm], upright; ISO 216
SCALES = (
    *(m * 10**k for k in range(2, 6) for m in (1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 6, 7.5)),
    1_000_000,
)  # at most a third apart
LEFT, RIGHT, TOP, FOOT = 17.0, 10.0, 22.0, 43.0  # [mm] around the frame: numbers, title, legend and small print
LEAST = 20.0  # [mm] of the frame's sides, below which nobody reads it

Extent = tuple[float, float, float, float]  # x_min, x_max, y_min, y_max [m]


@dataclass(frozen=True)
class PlanSheet:
    """paper : its width and height [mm]; scale : metres for a metre; shown : what the frame shows [m].

    The frame stands at the top, in the middle.
    """

    paper: tuple[float, float]
    scale: float
    shown: Extent

    @property
    def frame(self) -> tuple[float, float, float, float]:
        """Left, bottom, width and height [mm] of the frame on the paper."""
        x0, x1, y0, y1 = self.shown
        w, h = (x1 - x0) * 1e3 / self.scale, (y1 - y0) * 1e3 / self.scale
        return (LEFT + self.paper[0] - RIGHT - w) / 2, self.paper[1] - TOP - h, w, h

    @property
    def crosses(self) -> float:
        """How far apart the coordinates at the frame are [m]: at least 25 mm."""
        return nice(25.0 * self.scale / 1e3)

    @property
    def bar(self) -> float:
        """The length of the scale bar [m]: at most 50 mm."""
        return nice(50.0 * self.scale / 1e3 * 0.4)


def sheet_of(terrain: Terrain, paper: str, scale: float | None, middle: tuple[float, float]) -> PlanSheet:
    """The sheet of a terrain on "a4" or "a3", across or upright, whichever holds more of it.

    scale : 5000 for 1:5000; None: the largest of SCALES at which all of the terrain is in the frame
    middle : x and y [m] of what stands in the middle where not all of it is
    Raises ScenarioError where the map would be too small to be read, or does not fit at any scale.
    """
    x0, x1, y0, y1 = terrain.extent
    wide, high = x1 - x0, y1 - y0
    sheets = [PAPERS[paper], PAPERS[paper][::-1]]
    rooms = [(w - LEFT - RIGHT, h - TOP - FOOT) for w, h in sheets]
    if scale is None:
        fits = [max(wide / w, high / h) * 1e3 for w, h in rooms]
        scale = next((one for one in SCALES if one >= min(fits) * (1 - 1e-9)), None)
        if scale is None:
            raise ScenarioError("export.scale", f"expected a scale for a terrain of {wide:.4g} x {high:.4g} m")
    room = [min(w, wide * 1e3 / scale) * min(h, high * 1e3 / scale) for w, h in rooms]
    across = wide > high  # where both hold as much
    best = max((0, 1), key=lambda one: (round(room[one]), one == across))
    sides = []
    for (low, top), most, at in zip(((x0, x1), (y0, y1)), rooms[best], middle, strict=True):
        long = min(top - low, most * scale / 1e3)
        first = min(max(at - long / 2, low), top - long)
        sides += [first, first + long]
    sheet = PlanSheet(sheets[best], float(scale), (sides[0], sides[1], sides[2], sides[3]))
    if min(sheet.frame[2:]) < LEAST:
        raise ScenarioError(
            "export.scale",
            f"the terrain of {wide:.4g} x {high:.4g} m would be {sheet.frame[2]:.2g} x {sheet.frame[3]:.2g} mm at "
            f"1:{scale:g}; expected a scale at which its sides are {LEAST:g} mm or longer",
        )
    return sheet
