"""Barriers and lines: where an ensemble is measured; barriers with a capacity stop rocks.

Every crossing by the centre of mass counts. A barrier that only measures counts a rock as stopped when its centre of
mass is lower than the barrier's height as it first crosses the line, whatever its energy; the rock goes on behind it.
A line of interest is touched by a rock of half its width beside its ends, too: for each rock it is as much longer.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import Any, NamedTuple

import numpy as np

from physics.contact import moreau, obstacles
from physics.core.archives import counted
from physics.core.jit import kernel
from physics.core.rotation import Array
from physics.hazard.rock_rows import BARRIER, CROSSING, TREE
from physics.hazard.statistics import (
    BINS,
    COUNT,
    HISTOGRAM_BEGIN,
    QUANTITIES,
    QUANTITY_ROWS,
    RATIO,
    Cells,
    Quantities,
    Solid,
    Statistics,
    middles_of,
    quantities,
)
from physics.schemes.loop import AT_R, AT_T
from physics.systems.rockfall.map_lines import pieces_of
from physics.systems.rockfall.world import RockfallWorld
from physics.terrain.terrain import Ground, patch

PLACES = 50  # parts of a line in which crossings are counted
MAXIMUM_ENERGY = (100e3, 250e3, 500e3, 1000e3, 1500e3, 2000e3, 3000e3, 4500e3)  # [J] of levels 0 to 7 of kits of nets
# the columns of crossings: number of the barrier, distance along its line from the first point [m], the QUANTITIES,
# time [s], x, y, z [m] from the terrain's origin
_BARRIER, _PLACE, _VALUES, _TIME, _X, WIDTH = 0, 1, 2, 2 + COUNT, 3 + COUNT, 6 + COUNT
_HEIGHT = _VALUES + Quantities._fields.index("jump_height")
_NOTED = {  # quantity -> the column of notes of physics.contact.obstacles that has it
    "kinetic_energy": obstacles.ENERGY,
    "velocity": obstacles.SPEED,
    "rotation": obstacles.SPIN,
    "jump_height": obstacles.HEIGHT,
}


def energy_level(energy: float) -> int:
    """Least energy level of a kit of nets that takes an energy [J] once: 0 to 8; 8 has no upper limit.

    By the maximum energy level of ETAG 027 (EOTA 2008), which EAD 340059-00-0106 took over.
    """
    return bisect_left(MAXIMUM_ENERGY, energy)


class BarrierSegments(NamedTuple):
    """The barriers of a scenario, and behind them its lines of interest.

    segments (n, 6): of those that only measure: x, y of both ends from the terrain's origin, barrier, its place;
    capacities: [J], NaN of those; None: all only measure; barriers: how many are no lines; heights are NaN of lines
    """

    names: tuple[str, ...]
    heights: Array
    lengths: Array
    segments: Array
    capacities: Array | None = None
    barriers: int = 0

    @property
    def kinds(self) -> dict[str, range]:
        """Numbers of the barriers and of the lines."""
        return {"barrier": range(self.barriers), "line": range(self.barriers, len(self.names))}

    def widened(self, half: float) -> Array:
        """The segments for a rock of half this width [m]: lines of interest are as much longer at both ends."""
        found = self.segments.copy()
        number = found[:, 4]
        along = (found[:, 2:4] - found[:, :2]) / np.hypot(*(found[:, 2:4] - found[:, :2]).T)[:, None]
        begins, ends = np.diff(number, prepend=-1.0) != 0.0, np.diff(number, append=-1.0) != 0.0
        of_lines = number >= self.barriers
        found[begins & of_lines, :2] -= half * along[begins & of_lines]
        found[begins & of_lines, 5] -= half
        found[ends & of_lines, 2:4] += half * along[ends & of_lines]
        return found

    def on_lines(self, crossings: Array) -> Array:
        """Crossings (n, WIDTH) with those beside the ends of a line at its ends."""
        crossings[:, _PLACE] = np.clip(crossings[:, _PLACE], 0.0, self.lengths[crossings[:, _BARRIER].astype(int)])
        return crossings


def segments_of(world: RockfallWorld) -> BarrierSegments:
    """The barriers and lines of a world for the loop."""
    fences, lines = world.fences, world.lines
    pieces = pieces_of([*fences, *lines], world.terrain)
    names = tuple(one.name for one in (*fences, *lines))
    lengths = np.array([one.places[-1] for one in (*fences, *lines)])
    heights = np.array([*(fence.height for fence in fences), *([np.nan] * len(lines))])
    held = [np.nan if fence.capacity is None else fence.capacity for fence in fences]
    capacities = np.array([*held, *([np.nan] * len(lines))])
    segments = np.ascontiguousarray(pieces[np.isnan(pieces[:, -1]), :6])
    acting = None if np.isnan(capacities).all() else capacities
    return BarrierSegments(names, heights, lengths, segments, acting, len(fences))


def crossings_in(notes: Array, world: RockfallWorld) -> Array:
    """Crossings (m, WIDTH) of barriers that act, in notes (n, NOTE) of physics.contact.obstacles."""
    notes = notes[notes[:, obstacles.NUMBER] < 0.0]
    found = np.zeros((len(notes), WIDTH))
    found[:, _BARRIER], found[:, _PLACE] = -1.0 - notes[:, obstacles.NUMBER], notes[:, obstacles.ALONG]
    for column, name in enumerate(QUANTITIES, start=_VALUES):
        found[:, column] = notes[:, _NOTED[name]] if name in _NOTED else np.nan
    found[:, _TIME] = notes[:, obstacles.TIME]
    for row in found:
        fence = world.fences[int(row[_BARRIER])]
        x, y = (float(np.interp(row[_PLACE], fence.places, fence.line[:, k])) for k in range(2))
        row[_X], row[_X + 1] = np.array([x, y]) - world.terrain.origin
        row[_X + 2] = world.terrain.height(x, y) + row[_HEIGHT]
    return found


@kernel
def note_crossings(rows: Array, before: Array, segments: Array, solid: Solid, ground: Ground, found: Array) -> int:
    """Note where the rows (n, ROW_SIZE) of one rock cross segments, in found (m, WIDTH); how many there are.

    before (1, ROW_SIZE): the row before the first one. Between two rows all goes evenly.
    """
    (heights, cell), count = ground, 0
    for row in range(rows.shape[0]):
        for k in range(segments.shape[0]):
            earlier, at = (rows, row - 1) if row > 0 else (before, 0)
            x0, y0, z0 = earlier[at, AT_R], earlier[at, AT_R + 1], earlier[at, AT_R + 2]
            share, x, y, place = obstacles.crossing(segments[k], x0, y0, rows[row, AT_R], rows[row, AT_R + 1])
            if share < 0.0 or count >= found.shape[0]:
                continue
            t0, first = earlier[at, AT_T], quantities(earlier, at, solid, ground)
            last = quantities(rows, row, solid, ground)
            for i in range(COUNT):
                found[count, _VALUES + i] = first[i] + share * (last[i] - first[i])
            level, _, _ = patch(heights, cell[0], cell[1], x, y)
            z = z0 + share * (rows[row, AT_R + 2] - z0)
            found[count, _HEIGHT] = z - level
            found[count, _TIME] = t0 + share * (rows[row, AT_T] - t0)
            found[count, _X], found[count, _X + 1], found[count, _X + 2] = x, y, z
            found[count, _BARRIER] = segments[k, 4]
            found[count, _PLACE] = place
            count += 1
    return count


def crossing_rows(crossings: Array, row: Any, origin: tuple[float, float]) -> np.ndarray:
    """Crossings (n, WIDTH) of a rock, whose row of type ROW this is, as rows (n,) of type CROSSING on the map."""
    found = np.zeros(len(crossings), CROSSING)
    for name in ("rock", "class", "mass", "volume"):
        found[name] = row[name]
    found["barrier"], found["along"] = crossings[:, _BARRIER], crossings[:, _PLACE]
    for column, name in enumerate((*QUANTITIES, "time", "x", "y", "z"), start=_VALUES):
        found[name] = crossings[:, column]
    found["x"] += origin[0]
    found["y"] += origin[1]
    return found


_LEANS = 0.1  # [m] between a rock's ball and a stem on which it still leans


def stopped_by(notes: Array, world: RockfallWorld, state: Array, reason: int) -> int:
    """Reason why a rock stopped, of REASONS; notes (n, NOTE): what it met, a barrier or a stem may have held it."""
    if reason != moreau.REST or not len(notes):
        return reason
    if notes[-1, obstacles.NUMBER] < 0.0:
        return BARRIER if notes[-1, obstacles.FATE] == obstacles.HELD else reason
    standing = (notes[:, obstacles.NUMBER] >= 0.0) & (notes[:, obstacles.FATE] == obstacles.HELD)
    stems = world.cover.stems[0][notes[standing, obstacles.NUMBER].astype(int)]
    apart = np.hypot(stems[:, obstacles.X] - state[0], stems[:, obstacles.Y] - state[1]) - stems[:, obstacles.RADIUS]
    return TREE if (apart <= world.body.radius + _LEANS).any() else reason


def trees_in(notes: Array) -> Array:
    """Trees hit, those of them that broke, and the energy that they took [J], (3,), in notes (n, NOTE)."""
    found = notes[notes[:, obstacles.NUMBER] >= 0.0]
    broken = np.count_nonzero(found[:, obstacles.FATE] == obstacles.BROKEN)
    return np.array([len(np.unique(found[:, obstacles.NUMBER])), broken, found[:, obstacles.TAKEN].sum()])


class BarrierStatistics:
    """Statistics of the crossings of each barrier, for one scheme.

    Attributes
    ----------
    statistics : of the quantities at all crossings, one place a barrier
    crossed, stopped (n,) : rocks that crossed; those of them that were lower than the barrier when they first did, or
        that it stopped
    broken, overtopped (n,), after : of barriers that act: rocks that broke each, crossings above it, and statistics of
        the quantities behind it, of those that went on; after is None where none acts
    places (n, PLACES) : crossings in equal parts of the line, from its first point
    """

    def __init__(self, lines: BarrierSegments) -> None:
        n = len(lines.names)
        self.lines, self.rocks, self.statistics = lines, 0, Statistics(n)
        self.crossed, self.stopped = np.zeros(n, np.int64), np.zeros(n, np.int64)
        self.broken, self.overtopped = np.zeros(n, np.int64), np.zeros(n, np.int64)
        self.after = None if lines.capacities is None else Statistics(n)
        self.places = np.zeros((n, PLACES), np.int64)

    def add(self, crossings: Array) -> None:
        """One rock, with its crossings (n, WIDTH) in their order."""
        self.rocks += 1
        if not len(crossings):
            return
        which = crossings[:, _BARRIER].astype(np.int64)
        self.statistics.count(which, crossings[:, _VALUES:_TIME])
        part = (PLACES * crossings[:, _PLACE] / self.lines.lengths[which]).astype(np.int64)
        np.add.at(self.places, (which, np.minimum(part, PLACES - 1)), 1)
        barriers, first = np.unique(which, return_index=True)
        self.crossed[barriers] += 1
        measuring = np.ones(len(barriers), bool)
        if self.after is not None and self.lines.capacities is not None:
            measuring = np.isnan(self.lines.capacities[barriers])
            self._act(which, crossings[:, _VALUES:_TIME], self.lines.capacities[which], self.after)
        lower = crossings[first, _HEIGHT] < self.lines.heights[barriers]
        self.stopped[barriers] += lower & measuring

    def _act(self, which: Cells, values: Array, capacities: Array, after: Statistics) -> None:
        """Fate of crossings (n, COUNT) of barriers ``which`` (n,) that act; capacities (n,): NaN of others."""
        energy, over = values[:, 0], values[:, _HEIGHT - _VALUES] >= self.lines.heights[which]
        acting = ~np.isnan(capacities)
        held, broken = acting & ~over & (energy <= capacities), acting & ~over & (energy > capacities)
        for count, those in ((self.stopped, held), (self.broken, broken), (self.overtopped, acting & over)):
            np.add.at(count, which[those], 1)
        left = np.where(broken, np.sqrt(np.maximum(1.0 - capacities / np.where(broken, energy, 1.0), 0.0)), 1.0)
        passed = values * np.stack([left**row.power for row in QUANTITY_ROWS.values()], axis=1)
        after.count(which[acting & ~held], passed[acting & ~held])

    def merge(self, other: BarrierStatistics) -> None:
        """Add the crossings of the same barriers by other rocks."""
        self.rocks += other.rocks
        self.statistics.merge(other.statistics)
        self.crossed += other.crossed
        self.stopped += other.stopped
        self.broken += other.broken
        self.overtopped += other.overtopped
        self.places += other.places
        if self.after is not None and other.after is not None:
            self.after.merge(other.after)

    def summary(self) -> list[dict[str, Any]]:
        """Facts of each barrier, then of each line, for summary.json; share_stopped is of the rocks that crossed."""
        return [
            {
                "name": name,
                **({"height": float(self.lines.heights[i])} if i < self.lines.barriers else {}),
                "length": float(self.lines.lengths[i]),
                "crossings": int(self.statistics.sums[i, 0, 0]),
                "rocks": int(self.crossed[i]),
                "share_crossing": float(self.crossed[i] / max(self.rocks, 1)),
                **({"share_stopped": self._stopped(i)} if i < self.lines.barriers else {}),
                **self._acted(i),
                **self.statistics.summary(i),
                "places": self.places[i].tolist(),
                "histograms": {quantity: self.histogram(i, quantity) for quantity in QUANTITIES},
            }
            for i, name in enumerate(self.lines.names)
        ]

    def _stopped(self, i: int) -> float:
        return float(self.stopped[i] / max(self.crossed[i], 1))

    def _acted(self, i: int) -> dict[str, Any]:
        """Facts of a barrier that acts; none of one that only measures."""
        if self.after is None or self.lines.capacities is None or np.isnan(self.lines.capacities[i]):
            return {}
        return {
            "capacity": float(self.lines.capacities[i]),
            "stopped": int(self.stopped[i]),
            "broken": int(self.broken[i]),
            "overtopped": int(self.overtopped[i]),
            "after": self.after.summary(i),
        }

    def histogram(self, barrier: int, quantity: str, parts: int = 30) -> dict[str, list[float]]:
        """``edges`` of equal parts from 0 to the largest value, and the ``crossings`` between them."""
        k = list(QUANTITIES).index(quantity)
        largest = max(float(self.statistics.maxima[barrier, k]), HISTOGRAM_BEGIN)
        values = np.minimum(middles_of(np.arange(BINS), RATIO), largest)
        counts, edges = np.histogram(values, parts, (0.0, largest), weights=self.statistics.bins[barrier, k])
        return {"edges": edges.tolist(), "crossings": counts.tolist()}

    def arrays(self) -> dict[str, Any]:
        """All of it, for ``restore``."""
        own = {"rocks": np.array(self.rocks), "crossed": self.crossed, "stopped": self.stopped, "places": self.places}
        if self.after is not None:
            own |= {"broken": self.broken, "overtopped": self.overtopped}
            own |= {f"after_{name}": array for name, array in self.after.arrays().items()}
        return own | self.statistics.arrays()

    def restore(self, arrays: dict[str, Any]) -> None:
        """Restore the state in ``arrays``; ValueError where they are damaged."""
        self.rocks = int(arrays["rocks"])
        acted = () if self.after is None else ("broken", "overtopped")
        for name in ("crossed", "stopped", "places", *acted):
            setattr(self, name, counted(arrays[name], getattr(self, name)))
        if self.after is not None:
            after = {name.removeprefix("after_"): array for name, array in arrays.items() if name.startswith("after_")}
            self.after.restore(after)
        self.statistics.restore(arrays)
