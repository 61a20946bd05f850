"""Statistics of many rocks in bounded memory: exact sums, and histograms for quantiles; all of it merges.

A histogram has cells that grow by one ratio: a quantile is known to that ratio, whatever its size. Mean, standard
deviation and maximum come from sums and are exact to rounding.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from physics.core.archives import counted, like
from physics.core.jit import brief, formula, kernel
from physics.core.rotation import Array
from physics.core.wording import N_
from physics.schemes.loop import AT_R, AT_T, AT_V, AT_W
from physics.systems.rockfall.scenario import SHARES
from physics.terrain.terrain import Ground, Terrain, patch

Cells = NDArray[np.int64]
Places = NDArray[np.int32]
Solid = tuple[Array, float]  # principal moments (3,) [kg m²], mass [kg]
Tallied = tuple[Array, Array, Array, Array, Array, Places]  # see ``tally``


class RockQuantity(NamedTuple):
    """Row of a quantity: its unit, and its names for people: of maps, of tables, of its largest value, of lines.

    power : of the velocities with which it grows
    """

    unit: str
    title: str
    name: str
    largest: str
    short: str
    power: int


class Quantities(NamedTuple):
    """Quantities that are measured of a rock in each step, in the order of QUANTITY_ROWS; see ``quantities``."""

    kinetic_energy: float
    velocity: float
    rotation: float
    jump_height: float


QUANTITY_ROWS = {
    "kinetic_energy": RockQuantity("J", "kinetic energy", "Kinetic energy", "Largest energy", "energy", 2),
    "velocity": RockQuantity("m/s", "velocity", "Velocity", "Largest velocity", "velocity", 1),
    "rotation": RockQuantity("rad/s", "spin rate", "Spin rate", "Largest spin rate", "rotation", 1),
    "jump_height": RockQuantity("m", "jump height", "Height above ground", "Largest height", "height", 0),
}
QUANTITIES = {name: row.unit for name, row in QUANTITY_ROWS.items()}
COUNT = len(QUANTITIES)
QUANTILES = {"median": 0.5, **SHARES}
STATISTICS = ("mean", "std", *QUANTILES, "max")  # statistics of a summary
BY_DISTANCE, BY_TIME = 0, 1
LEVEL = 0.95  # of intervals

HISTOGRAM_BEGIN, HISTOGRAM_END = 1e-6, 1e15  # in the unit of the quantity; smaller values count as 0
RATIO = 1.01  # ratio of the histograms over all rocks: 2 weights x COUNT quantities x 4861 bins, 311 kB a scheme


def bins_for(ratio: float) -> int:
    """The number of bins of a histogram of this ratio, with the one below HISTOGRAM_BEGIN."""
    return 1 + math.ceil(math.log(HISTOGRAM_END / HISTOGRAM_BEGIN) / math.log(ratio))


BINS = bins_for(RATIO)

# the lower edges of the bins, and an upper one: 0 below HISTOGRAM_BEGIN, then each RATIO times as wide as the last
EDGES = np.concatenate([[-np.inf], HISTOGRAM_BEGIN * RATIO ** np.arange(BINS - 1), [np.inf]])


@formula
def bin_of(value: float, near: int, edges: Array) -> int:
    """The bin of a value, looked for from another one: what is counted step by step rarely leaves its bin."""
    while value >= edges[near + 1] and near < edges.shape[0] - 2:
        near += 1
    while value < edges[near]:
        near -= 1
    return near


# what goes on from one block of rows to the next: place, total energy, time, how many bins are taken, those that were
# taken last
X, Y, Z, ENERGY, TIME, TAKEN, NEAR, LAST_SIZE = 0, 1, 2, 3, 4, 5, 6, 6 + COUNT


@formula
def quantities(rows: Array, row: int, solid: Solid, ground: Ground) -> Quantities:
    """The QUANTITIES in a row of physics.contact.moreau."""
    (moments, mass), (heights, cell) = solid, ground
    vv, turning, ww = 0.0, 0.0, 0.0
    for i in range(3):
        vv += rows[row, AT_V + i] ** 2
        ww += rows[row, AT_W + i] ** 2
        turning += moments[i] * rows[row, AT_W + i] ** 2
    level, _, _ = patch(heights, cell[0], cell[1], rows[row, AT_R], rows[row, AT_R + 1])
    return Quantities(
        kinetic_energy=0.5 * (mass * vv + turning),
        velocity=math.sqrt(vv),
        rotation=math.sqrt(ww),
        jump_height=rows[row, AT_R + 2] - level,
    )


@kernel
def tally(rows: Array, solid: Solid, g: float, ground: Ground, tallied: Tallied, measured: Array) -> None:
    """Count rows (n, ROW_SIZE) of one rock; the quantities of each go into measured (n, COUNT).

    tallied: edges, last, sums, maxima, bins, taken. edges: EDGES. last (LAST_SIZE,): the state before the first row,
    its TIME below 0 where there is none. sums (2, COUNT, 3): weight, weighted sum and sum of squares by distance along
    the path [m] and by time [s]; maxima (COUNT + 1,): of the quantities, and the largest rise of energy in a step [J].
    bins (COUNT BINS, 2): the histograms by both weights, one quantity after the other; taken (COUNT BINS,): which of
    them are in use.
    """
    (_, mass), (edges, last, sums, maxima, bins, taken) = solid, tallied
    size = edges.shape[0] - 1
    for row in range(rows.shape[0]):
        t = rows[row, AT_T]
        x, y, z = rows[row, AT_R], rows[row, AT_R + 1], rows[row, AT_R + 2]
        values = quantities(rows, row, solid, ground)
        energy = values.kinetic_energy + mass * g * z
        for k in range(COUNT):
            measured[row, k] = values[k]
            maxima[k] = max(maxima[k], values[k])
        if last[TIME] >= 0.0:
            distance = math.sqrt((x - last[X]) ** 2 + (y - last[Y]) ** 2 + (z - last[Z]) ** 2)
            duration = t - last[TIME]
            maxima[COUNT] = max(maxima[COUNT], energy - last[ENERGY])
            for k in range(COUNT):
                near = bin_of(values[k], int(last[NEAR + k]), edges)
                last[NEAR + k] = near
                place = k * size + near
                if bins[place, BY_TIME] == 0.0:
                    taken[int(last[TAKEN])] = place
                    last[TAKEN] += 1.0
                for weighting, weight in ((BY_DISTANCE, distance), (BY_TIME, duration)):
                    sums[weighting, k, 0] += weight
                    sums[weighting, k, 1] += weight * values[k]
                    sums[weighting, k, 2] += weight * values[k] * values[k]
                    bins[place, weighting] += weight
        last[X], last[Y], last[Z], last[ENERGY], last[TIME] = x, y, z, energy, t


@brief
def add_weights(bins: Array, places: Places, weights: Array) -> None:
    """Add weights (m, 2) to bins (2, n) at places (m,)."""
    for i in range(places.shape[0]):
        for weighting in range(2):
            bins[weighting, places[i]] += weights[i, weighting]


class Statistics:
    """Statistics of the quantities for n weightings or places; see ``tally`` for the arrays.

    Attributes
    ----------
    sums (n, COUNT, 3), bins (n, COUNT, BINS) : as ``tally`` counts them
    maxima (n, COUNT) : of the quantities; -inf where nothing was counted
    """

    def __init__(self, n: int = 2) -> None:
        self.sums = np.zeros((n, COUNT, 3))
        self.bins = np.zeros((n, COUNT, BINS))
        self.maxima = np.full((n, COUNT), -np.inf)

    def add(self, sums: Array, maxima: Array, places: Places, weights: Array) -> None:
        """Add one rock: places (m,) and weights (m, 2) of the bins that it took, as in ``tally``.

        In the same order of rocks the same bits.
        """
        self.sums += sums
        np.maximum(self.maxima, maxima, out=self.maxima)
        add_weights(self.bins.reshape(2, -1), places, weights)

    def merge(self, other: Statistics) -> None:
        """Count what other statistics of the same places have counted too."""
        self.sums += other.sums
        self.bins += other.bins
        np.maximum(self.maxima, other.maxima, out=self.maxima)

    def count(self, which: Cells, values: Array) -> None:
        """Values (m, COUNT) of single events, each with the number (m,) of its place and with weight 1."""
        quantity = np.arange(COUNT)
        np.add.at(self.sums, which, np.stack([np.ones_like(values), values, values * values], axis=2))
        np.add.at(self.bins, (which[:, None], quantity, bins_of(values, RATIO, BINS)), 1.0)
        np.maximum.at(self.maxima, which, values)

    def summary(self, i: int) -> dict[str, dict[str, float]]:
        """Quantity -> STATISTICS, of one weighting or place; zeros where nothing was."""
        found = {}
        for k, name in enumerate(QUANTITIES):
            weight, first, second = self.sums[i, k]
            largest = self.maxima[i, k] if np.isfinite(self.maxima[i, k]) else 0.0
            weight = weight or 1.0
            mean = first / weight
            quantiles = quantiles_of(self.bins[i, k], RATIO, largest)
            deviation = math.sqrt(max(0.0, second / weight - mean * mean))
            found[name] = {"mean": float(mean), "std": deviation, **quantiles, "max": float(largest)}
        return found

    def arrays(self) -> dict[str, Array]:
        """All of it, for ``restore``."""
        return {"sums": self.sums, "bins": self.bins, "maxima": self.maxima}

    def restore(self, arrays: dict[str, Array]) -> None:
        """Restore the state in ``arrays``; ValueError where they are damaged."""
        self.sums, self.bins = like(arrays["sums"], self.sums), counted(arrays["bins"], self.bins)
        self.maxima = like(arrays["maxima"], self.maxima, empty=True)


def bins_of(values: Array, ratio: float, bins: int) -> Cells:
    """``bin_of`` for an array."""
    place = 1 + np.log(np.maximum(values, HISTOGRAM_BEGIN) / HISTOGRAM_BEGIN) / math.log(ratio)
    return np.where(values >= HISTOGRAM_BEGIN, np.minimum(place, bins - 1), 0).astype(np.int64)


def middles_of(bins: NDArray[np.int64], ratio: float) -> Array:
    """Values (n,) in the middle of bins (n,), of their logarithms; 0 below HISTOGRAM_BEGIN."""
    return np.where(bins > 0, HISTOGRAM_BEGIN * ratio ** (bins - 0.5), 0.0)


def quantiles_of(weights: Array, ratio: float, largest: float) -> dict[str, float]:
    """QUANTILES of a histogram (BINS,); inside a bin the logarithm is taken as spread evenly."""
    above = np.cumsum(weights)
    found = {}
    for name, share in QUANTILES.items():
        wanted = share * above[-1]
        i = int(np.searchsorted(above, wanted))
        inside = (wanted - (above[i - 1] if i else 0.0)) / weights[i] if weights[i] > 0 else 0.0
        value = HISTOGRAM_BEGIN * ratio ** (i - 1 + inside) if i else 0.0
        found[name] = float(min(value, largest))
    return found


def share_bounds(count: int, of: int) -> tuple[float, float]:
    """Interval of LEVEL of a share of which ``count`` of some rocks are seen (Clopper & Pearson 1934, Biometrika 26).

    0 to 1 where there are none. 0 of n give 0 to 3.7 / n: that no rock came does not say that none will.
    """
    from scipy.special import betaincinv  # here: it takes long to load, and a window waits for it

    tail = 0.5 * (1.0 - LEVEL)
    low = float(betaincinv(count, of - count + 1, tail)) if count else 0.0
    return low, float(betaincinv(count + 1, of - count, 1.0 - tail)) if count < of else 1.0


def summary_of(values: Array) -> dict[str, float]:
    """STATISTICS of values (n,), one a rock: exact."""
    quantiles = {name: float(np.quantile(values, share)) for name, share in QUANTILES.items()}
    return {"mean": float(values.mean()), "std": float(values.std()), **quantiles, "max": float(values.max())}


# ---- spread across the slope --------------------------------------------------------------------------

OFFSET_RATIO = 1.05  # ratio of the bins: the quantile is known within 2.5 %
OFFSET_BINS = bins_for(OFFSET_RATIO)
# what goes on from one block of rows to the next: the place along and across the fall line, stations that were passed
_ALONG, _ACROSS, PASSED, STATION_CARRY = 0, 1, 2, 3


def spacing_of(terrain: Terrain) -> tuple[float, int]:
    """The distance between stations [m], 10 m or a multiple of it, and their number, at most about 500."""
    x0, x1, y0, y1 = terrain.extent
    longest = math.hypot(x1 - x0, y1 - y0)
    spacing = 10.0 * max(1, math.ceil(longest / 5000.0))
    return spacing, max(1, math.ceil(longest / spacing))


@kernel
def pass_stations(rows: Array, start: Array, down: Array, spacing: float, carry: Array, offsets: Array) -> None:
    """Note where the rows (n, ROW_SIZE) of one rock first reach each distance along the fall line.

    start, down (2,): the release [m] and the direction of the fall line; offsets (stations,): where it was across [m],
    left of the fall line above 0; carry (STATION_CARRY,): zeros before the first rows.
    """
    for row in range(rows.shape[0]):
        x, y = rows[row, AT_R] - start[0], rows[row, AT_R + 1] - start[1]
        along, across = x * down[0] + y * down[1], y * down[0] - x * down[1]
        station = int(carry[PASSED])
        while station < offsets.shape[0] and along >= (station + 1) * spacing:
            share = ((station + 1) * spacing - carry[_ALONG]) / (along - carry[_ALONG])
            offsets[station] = carry[_ACROSS] + share * (across - carry[_ACROSS])
            station += 1
        carry[_ALONG], carry[_ACROSS], carry[PASSED] = along, across, station


class LateralSpread:
    """Offsets across the fall line at stations along it, of the rocks that came so far; for one scheme."""

    def __init__(self, terrain: Terrain) -> None:
        self.spacing, n = spacing_of(terrain)
        self.sums = np.zeros((n, 3))  # rocks, their offsets, the squares
        self.bins = np.zeros((n, OFFSET_BINS), np.uint32)  # of the size of the offset

    def add(self, offsets: Array) -> None:
        """One rock: its offsets (passed,) [m] at the stations that it passed."""
        n = len(offsets)
        self.sums[:n] += np.stack([np.ones(n), offsets, offsets * offsets], axis=1)
        self.bins[np.arange(n), bins_of(np.abs(offsets), OFFSET_RATIO, OFFSET_BINS)] += np.uint32(1)

    def merge(self, other: LateralSpread) -> None:
        """Count the rocks of another too; nothing is known any more where its stations are elsewhere."""
        if other.spacing != self.spacing:
            self.sums, self.bins = np.zeros((0, 3)), np.zeros((0, OFFSET_BINS), np.uint32)
        n = min(len(self.sums), len(other.sums))
        self.sums[:n] += other.sums[:n]
        self.bins[:n] += other.bins[:n]

    def summary(self) -> list[dict[str, Any]]:
        """Distance [m], rocks, mean and std [m], q95 [m] of the size, of each station that a rock passed."""
        found = []
        for i, (rocks, first, second) in enumerate(self.sums[self.sums[:, 0] > 0]):
            mean = first / rocks
            q95 = quantiles_of(self.bins[i].astype(float), OFFSET_RATIO, math.inf)["q95"]
            std = math.sqrt(max(0.0, second / rocks - mean * mean))
            found.append(
                {"distance": self.spacing * (i + 1), "rocks": int(rocks), "mean": float(mean), "std": std, "q95": q95}
            )
        return found

    def arrays(self) -> dict[str, Any]:
        """All of it, for ``restore``."""
        return {"sums": self.sums, "bins": self.bins}

    def restore(self, arrays: dict[str, Any]) -> None:
        """Restore the state in ``arrays``; ValueError where they are damaged."""
        self.sums, self.bins = (like(arrays[name], getattr(self, name), longer=True) for name in ("sums", "bins"))
        if len(self.sums) != len(self.bins):
            raise ValueError(N_("stations without histograms"))
