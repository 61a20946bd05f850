"""The sheet of a plan: its paper, its scale, and what part of a terrain its frame shows, all to the millimetre."""

from __future__ import annotations

from dataclasses import dataclass

from app.stage.text.colour_map import nice
from physics.core.errors import ScenarioError
from physics.terrain.terrain import Terrain

PAPERS = {"a4": (210.0, 297.0), "a3": (297.0, 420.0)}  # [mm], upright; ISO 216
SCALES = (
    *(m * 10**k for k in range(2, 6) for m in (1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 6, 7.5)),
    1_000_000,
)  # at most a third apart
LEFT, RIGHT, TOP, FOOT = 17.0, 10.0, 22.0, 43.0  # [mm] around the frame: numbers, title, legend and small print
COLUMN, EDGE = 68.0, 12.0  # [mm] at the right where legend and small print stand beside the frame, and then below it
LEAST = 20.0  # [mm] of the frame's sides, below which nobody reads it

Room = tuple[tuple[float, float], bool, tuple[float, float]]  # see rooms_of
Extent = tuple[float, float, float, float]  # x_min, x_max, y_min, y_max [m]


@dataclass(frozen=True)
class PlanSheet:
    """paper : its width and height [mm]; scale : metres for a metre; shown : what the frame shows [m].

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
        """Left, top and width [mm] of what legend and small print have."""
        left, bottom, w, h = self.frame
        if self.beside:
            return left + w + 8.0, bottom + h, COLUMN - 8.0
        return LEFT, bottom, self.paper[0] - LEFT - RIGHT

    @property
    def crosses(self) -> float:
        """How far apart the coordinates at the frame are [m]: at least 25 mm."""
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
            raise ScenarioError("export.scale", f"expected a scale for a terrain of {wide:.4g} x {high:.4g} m")
    sides = wide * 1e3 / scale, high * 1e3 / scale

    def held(room: Room) -> tuple[int, bool, bool]:
        """How much of the terrain a room holds [mm²]; of those that hold as much, paper across for a broad one."""
        (w, h), beside, (most_wide, most_high) = room
        return round(min(most_wide, sides[0]) * min(most_high, sides[1])), not beside, (w > h) == (wide > high)

    best, beside, most = max(rooms, key=held)
    shown = []
    for (low, top), room, at in zip(((x0, x1), (y0, y1)), most, middle, strict=True):
        long = min(top - low, room * scale / 1e3)
        first = min(max(at - long / 2, low), top - long)
        shown += [first, first + long]
    sheet = PlanSheet(best, float(scale), (shown[0], shown[1], shown[2], shown[3]), beside)
    if min(sheet.frame[2:]) < LEAST:
        raise ScenarioError(
            "export.scale",
            f"the terrain of {wide:.4g} x {high:.4g} m would be {sheet.frame[2]:.2g} x {sheet.frame[3]:.2g} mm at "
            f"1:{scale:g}; expected a scale at which its sides are {LEAST:g} mm or longer",
        )
    return sheet


def rooms_of(paper: str) -> list[Room]:
    """Width and height of the paper [mm], whether the legend is beside the frame, and the room of the frame [mm]."""
    sheets = PAPERS[paper], PAPERS[paper][::-1]
    below: list[Room] = [((w, h), False, (w - LEFT - RIGHT, h - TOP - FOOT)) for w, h in sheets]
    return [*below, *(((w, h), True, (w - LEFT - RIGHT - COLUMN, h - TOP - EDGE)) for w, h in sheets)]
