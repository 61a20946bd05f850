"""Maps of an ensemble on the terrain's grid: what passed each cell, in memory that does not grow with rocks.

Only cells near which rocks came are stored, in strips of a row of the grid (80 bytes a cell), and of the histograms of
the maxima that rocks reached in a cell only the bins that are taken (8 bytes each): memory is bounded by cells
visited x bins in use.
"""

from __future__ import annotations

import errno
import math
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from physics.core.archives import counted, like
from physics.core.jit import brief
from physics.core.rotation import Array
from physics.core.wording import N_
from physics.hazard.statistics import COUNT, HISTOGRAM_BEGIN, QUANTILES, QUANTITIES, Cells, bins_for, middles_of
from physics.hazard.study import LEVELS, Study
from physics.hazard.sweep import STRIP
from physics.terrain.terrain import Terrain

RATIO = 1.05  # ratio of the bins: quantiles are known within 2.5 %
BINS = bins_for(RATIO)
CONDITIONAL = N_("conditional on release: of the simulated rocks, each released once; not a hazard map")
YEARLY = N_(
    "a hazard map, of annual frequencies: the classes of the scenario start as often as it "
    "says, spread evenly over their rocks"
)
NODATA = -9999.0
_YEARLY = ("frequency", "intensity", "energy", "height")  # first words of maps that know how often rocks start
_ROUNDED = 1e-6  # share of a frequency, below which sums of it are rounded
FEWEST = {
    name: round(1.0 / (1.0 - share)) for name, share in QUANTILES.items()
}  # below, a quantile is the largest value
_WRITTEN = 4_000_000  # cells of a map that are written at once: it may not fit the memory as a whole
_PENDING = 1_000_000  # maxima that wait to be sorted into bins: 8 MB


@brief
def slots_of(cells: Cells, strip: NDArray[np.int32], strips: int) -> tuple[Cells, int]:
    """The slots (n,) of cells (n,) in the store, and the number of strips in it: where no rock has been one is added.

    strip: the number in the store of each strip of the map, below 0 where it has none.
    """
    slots = np.empty_like(cells)
    for i in range(cells.shape[0]):
        which, inside = divmod(cells[i], STRIP)
        if strip[which] < 0:
            strip[which] = strips
            strips += 1
        slots[i] = strip[which] * STRIP + inside
    return slots, strips


@brief
def pass_cells(
    slots: Cells,
    peaks: Array,
    passages: NDArray[np.uint32],
    sums: Array,
    maxima: Array,
    limits: Array,
    label: int,
    labels: int,
) -> Cells:
    """Count a rock's maxima (n, COUNT) in the slots (n,) of its cells; the bins (COUNT n,) that they fall into.

    Each bin has so many labels; that of a maximum is the given one and the number of limits (COUNT, m) that it exceeds.
    """
    keys = np.empty(COUNT * slots.shape[0], np.int64)
    for i in range(slots.shape[0]):
        slot = slots[i]
        passages[slot] += np.uint32(1)
        for k in range(COUNT):
            value = peaks[i, k]
            sums[slot, k] += value
            maxima[slot, k] = max(maxima[slot, k], value)
            place = (
                min(1 + int(math.log(value / HISTOGRAM_BEGIN) / math.log(RATIO)), BINS - 1)
                if value >= HISTOGRAM_BEGIN
                else 0
            )
            level = 0
            for limit in limits[k]:
                level += value > limit
            keys[COUNT * i + k] = ((slot * COUNT + k) * BINS + place) * labels + label + level
    return keys


@brief
def merged(keys: Any, counts: Any, more: Any, times: Any) -> tuple[Any, Any]:
    """Sorted keys (n,), each once, with their counts, and sorted ones (m,) with theirs, repeated or not, together."""
    found, total, n = np.empty(len(keys) + len(more), keys.dtype), np.empty(len(keys) + len(more), counts.dtype), 0
    i = j = 0
    while i < len(keys) or j < len(more):
        if j == len(more) or (i < len(keys) and keys[i] <= more[j]):
            found[n], total[n] = keys[i], counts[i]
            i += 1
        else:
            found[n], total[n] = more[j], times[j]
            j += 1
        while j < len(more) and more[j] == found[n]:
            total[n] += times[j]
            j += 1
        n += 1
    return found[:n].copy(), total[:n].copy()


class Maps:
    """Passages, deposits and the maxima of rocks in each cell, for one scheme. Cells are numbered row by row.

    With a study each bin is counted by class of rocks, and by the study's limits that the maximum exceeds.

    Attributes
    ----------
    rocks, kinds (classes,) : how many were counted, and of each class
    """

    def __init__(self, cells: int, study: Study | None = None) -> None:
        self.cells, self.rocks, self.study = cells, 0, study
        self.kinds = np.zeros(0 if study is None else len(study.frequencies), np.int64)
        self._labels = max(1, LEVELS * len(self.kinds))
        self._limits = np.zeros((COUNT, 0)) if study is None else study.limits
        self._strip = np.full(-(-cells // STRIP), -1, np.int32)  # its number in the store, of each strip of the map
        self._strips = 0
        # the store: slots of cells, strip after strip
        self._passages, self._deposits = np.zeros(0, np.uint32), np.zeros(0, np.uint32)
        self._sums, self._maxima = np.zeros((0, COUNT)), np.zeros((0, COUNT))
        # bins in use, sorted: number of the slot, the quantity and the bin in one, and what was counted
        self._keys, self._counts = np.zeros(0, np.uint32), np.zeros(0, np.uint32)
        self._pending: list[Cells] = []
        self._waiting = 0

    def add(self, cells: Cells, peaks: Array, deposit: Cells, kind: int = 0) -> None:
        """One rock: cells (n,) whose square it touched, its maxima (n, COUNT) there; deposit: where it rests, if.

        kind: its class, from 1 on, with a study.
        """
        self.rocks += 1
        self.kinds[kind - 1 : kind] += 1
        slots, self._strips = slots_of(cells, self._strip, self._strips)
        rests, self._strips = slots_of(deposit, self._strip, self._strips)
        self._grow(self._strips * STRIP)
        label = LEVELS * max(kind - 1, 0)
        keys = pass_cells(slots, peaks, self._passages, self._sums, self._maxima, self._limits, label, self._labels)
        self._deposits[rests] += np.uint32(1)
        self._pending.append(keys)
        self._waiting += keys.size
        if self._waiting > max(_PENDING, len(self._keys) // 4):
            self._sort()

    def _grow(self, slots: int) -> None:
        """Make room for so many slots."""
        if slots > len(self._passages):
            longer = max(slots, len(self._passages) * 5 // (4 * STRIP) * STRIP)
            self._passages, self._deposits = _longer(self._passages, longer, 0), _longer(self._deposits, longer, 0)
            self._sums, self._maxima = _longer(self._sums, longer, 0), _longer(self._maxima, longer, -np.inf)
        if slots * COUNT * BINS * self._labels > np.iinfo(self._keys.dtype).max:
            self._keys = self._keys.astype(np.uint64)

    def _sort(self) -> None:
        """Count what waits."""
        if self._pending:
            keys = np.sort(np.concatenate(self._pending).astype(self._keys.dtype))
            self._pending, self._waiting = [], 0
            self._insert(keys, np.ones(len(keys), np.uint32))

    def _insert(self, keys: np.ndarray, counts: np.ndarray) -> None:
        """Count sorted keys so many times."""
        self._keys, self._counts = merged(self._keys, self._counts, keys, counts)

    def merge(self, other: Maps, places: Callable[[Cells], Cells], kinds: Cells) -> None:
        """Count the rocks of other maps too; ``places``, kinds (1 + classes,): numbers of their cells and classes here.

        A class of theirs is here at most once.
        """
        other._sort()
        strips = np.flatnonzero(other._strip >= 0)
        strips = strips[np.argsort(other._strip[strips])]  # in the order of the other store
        cells = (strips[:, None] * STRIP + np.arange(STRIP)).ravel()
        crossed = np.flatnonzero((other._passages + other._deposits)[: len(cells)])
        slots, self._strips = slots_of(places(cells[crossed]), self._strip, self._strips)
        self._grow(self._strips * STRIP)
        self.rocks += other.rocks
        self.kinds[kinds[1:] - 1] += other.kinds
        self._passages[slots] += other._passages[crossed]
        self._deposits[slots] += other._deposits[crossed]
        self._sums[slots] += other._sums[crossed]
        self._maxima[slots] = np.maximum(self._maxima[slots], other._maxima[crossed])
        here = np.zeros(len(cells), np.int64)
        here[crossed] = slots
        bins, label = np.divmod(other._keys.astype(np.int64), other._labels)
        slot, rest = np.divmod(bins, COUNT * BINS)
        if len(kinds) > 1:
            kind, level = np.divmod(label, LEVELS)
            label = LEVELS * (kinds[1 + kind] - 1) + level
        keys = (here[slot] * (COUNT * BINS) + rest) * self._labels + label
        order = np.argsort(keys)
        self._insert(keys[order].astype(self._keys.dtype), other._counts[order])

    def _quantiles(self, k: int) -> dict[str, Array]:
        """Quantile -> (slots,) of one quantity; that of the rock whose rank is next above the share.

        NaN where fewer than FEWEST rocks passed.
        """
        passages = self._passages.astype(np.int64)
        one = np.flatnonzero(self._keys // (BINS * self._labels) % COUNT == k)  # sorted by slot, then by bin
        places = (self._keys[one] // self._labels % BINS).astype(np.int64)
        above = np.cumsum(self._counts[one].astype(np.int64))
        crossed = passages > 0
        before = (np.cumsum(passages) - passages)[crossed]  # every rock that crossed is counted once
        found = {}
        for name, share in QUANTILES.items():
            values = np.full(len(passages), np.nan)
            bins = places[np.searchsorted(above, before + np.ceil(share * passages[crossed]))]
            values[crossed] = np.minimum(middles_of(bins, RATIO), self._maxima[crossed, k])
            values[passages < FEWEST[name]] = np.nan
            found[name] = values
        return found

    def of_cells(self, values: np.ndarray, empty: float, first: int = 0, last: int = -1) -> NDArray[np.float32]:
        """Values of cells first to last - 1 (all), as float32, from those of the slots; ``empty`` where none is."""
        last = self.cells if last < 0 else last
        strip = self._strip[first // STRIP : -(-last // STRIP)]
        whole = np.full((len(strip), STRIP), empty, np.float32)
        stored = np.flatnonzero(strip >= 0)
        whole[stored] = values.reshape(-1, STRIP)[strip[stored]]
        return np.asarray(whole.reshape(-1)[first % STRIP : first % STRIP + last - first])

    def measured(self) -> Iterator[tuple[str, str, np.ndarray, float]]:
        """Name and unit of each map, its values (slots,) for ``of_cells``, and that of cells where no rock passed."""
        self._sort()
        yield "passages", "rocks", self._passages, 0.0
        yield "reach_probability", "1", self._passages / max(self.rocks, 1), 0.0
        yield "deposits", "rocks", self._deposits, 0.0
        crossed = self._passages > 0
        for k, (quantity, unit) in enumerate(QUANTITIES.items()):
            mean = np.full(len(crossed), np.nan)
            mean[crossed] = self._sums[crossed, k] / self._passages[crossed]
            largest = np.where(crossed, self._maxima[:, k], np.nan)
            for statistic, values in {"mean": mean, **self._quantiles(k), "max": largest}.items():
                yield f"{quantity}_{statistic}", unit, values, np.nan
        yield from self.yearly()

    def yearly(self) -> Iterator[tuple[str, str, np.ndarray, float]]:
        """Frequencies and what is exceeded once in a return period, as ``measured`` yields maps; none without a study.

        Energies and heights of a return period, within half a bin, are NaN where rocks pass less often.
        """
        self._sort()
        if (study := self.study) is None:
            return
        weights, names = study.weights(self.kinds), list(QUANTITIES)
        energy, height = (self._weighted(names.index(name), weights) for name in ("kinetic_energy", "jump_height"))
        passing, medium, strong = (energy.above(level) for level in range(LEVELS))
        yield "frequency", "1/a", passing, 0.0
        for limit, values in dict(zip(study.intensities, (medium, strong), strict=True)).items():
            yield f"frequency_{limit / 1e3:g}kJ", "1/a", values, 0.0
        if math.isfinite(study.height):
            yield f"frequency_{study.height:g}m", "1/a", height.above(1), 0.0
        for period in study.periods:
            least = (1.0 - _ROUNDED) / period
            reached = sum(values >= least for values in (passing, medium, strong))
            yield f"intensity_{period:g}a", "class", np.where(passing > 0.0, reached, np.nan), np.nan
            for name, unit, found, k in (("energy", "J", energy, 0), ("height", "m", height, 3)):
                values = np.minimum(found.exceeded(least), np.where(self._passages > 0, self._maxima[:, k], np.nan))
                yield f"{name}_{period:g}a", unit, values, np.nan

    def _weighted(self, k: int, weights: Array) -> WeightedBins:
        """The bins of one quantity with the rocks in a year [1/a] of each."""
        each = self._labels * BINS
        one = np.flatnonzero(self._keys // each % COUNT == k)
        keys = self._keys[one].astype(np.int64)
        kind, level = np.divmod(keys % self._labels, LEVELS)
        slot = keys // (each * COUNT)
        place, weight = keys // self._labels % BINS, weights[kind] * self._counts[one]
        return WeightedBins(slot, place, level, weight, len(self._sums))

    def layers(self) -> Iterator[tuple[str, str, NDArray[np.float32]]]:
        """Name, unit and values (cells,) float32 of each map; NaN where none or too few rocks passed, see FEWEST."""
        for name, unit, values, empty in self.measured():
            yield name, unit, self.of_cells(values, empty)

    def arrays(self) -> dict[str, Any]:
        """All of it, for ``restore``."""
        self._sort()
        return {
            "rocks": np.array(self.rocks),
            "kinds": self.kinds,
            "strip": np.flatnonzero(self._strip >= 0),
            "number": self._strip[self._strip >= 0],
            **{name: getattr(self, f"_{name}") for name in _STORED},
        }

    def most_bytes(self, rocks: int) -> int:
        """The most that ``arrays`` of so many rocks take: all have crossed each cell, in bins of their own."""
        slots = len(self._strip) * STRIP
        stored = 2 * self._passages.itemsize + 2 * COUNT * self._sums.itemsize  # the store has room for more
        each = np.dtype(np.uint64).itemsize + self._counts.itemsize
        bins = COUNT * min(rocks, BINS * self._labels) * each
        return slots * (2 * stored + bins) + 12 * len(self._strip)

    def restore(self, arrays: dict[str, Any]) -> None:
        """Restore the state in ``arrays``; ValueError where they are damaged, or lead out of the map."""
        strip, number, self.rocks = arrays["strip"], arrays["number"], int(arrays["rocks"])
        self.kinds = counted(arrays["kinds"], self.kinds)
        for name in _STORED:
            if name != "keys" or arrays[name].dtype != np.uint64:  # of a large store
                like(arrays[name], getattr(self, f"_{name}"), longer=True, empty=name == "maxima")
            setattr(self, f"_{name}", arrays[name])
        slots, keys = len(self._passages), arrays["keys"]
        large = max(np.abs(self._sums).max(initial=0.0), self._maxima.max(initial=0.0)) > np.finfo(np.float32).max
        uneven = {len(self._deposits), len(self._sums), len(self._maxima)} != {slots} or len(keys) != len(self._counts)
        if uneven or large:  # than a map can hold
            raise ValueError(N_("cells without numbers"))
        order = np.concatenate([[-1], strip, [len(self._strip)]])
        if not np.array_equal(np.sort(number), np.arange(len(strip))) or not (order[1:] > order[:-1]).all():
            raise ValueError(N_("strips that are not those of the map"))
        if slots % STRIP or slots < STRIP * len(strip):
            raise ValueError(N_("strips that are not those of the store"))
        each = COUNT * BINS * self._labels
        if not ((keys[1:] > keys[:-1]).all() and (keys[-1:] < slots * each).all()):
            raise ValueError(N_("bins that are not those of the store"))
        self._strip[strip], self._strips = number, len(strip)
        last, beyond = STRIP * int(self._strip[-1]), self.cells % STRIP
        if beyond and last >= 0 and self._passages[last + beyond : last + STRIP].any():
            raise ValueError(N_("cells beyond the map"))


class WeightedBins(NamedTuple):
    """Bins in use of one quantity, sorted by slot, then by bin: slot, bin, limits exceeded, rocks in a year [1/a]."""

    slot: Cells
    place: Cells
    level: Cells
    weight: Array
    slots: int

    def above(self, level: int) -> Array:
        """Rocks in a year [1/a] that exceed so many limits or more, in each slot (slots,)."""
        some = self.level >= level
        return np.asarray(np.bincount(self.slot[some], self.weight[some], self.slots), float)

    def exceeded(self, least: float) -> Array:
        """The value (slots,) that so many rocks in a year [1/a] exceed; NaN where fewer pass."""
        below = np.cumsum(self.weight) - self.weight
        ends = np.cumsum(np.bincount(self.slot, self.weight, self.slots))
        often = ends[self.slot] - below >= least
        last = np.zeros(self.slots, np.int64)
        np.maximum.at(last, self.slot[often], np.flatnonzero(often))
        values = np.full(self.slots, np.nan)
        reached = np.bincount(self.slot[often], minlength=self.slots) > 0
        values[reached] = middles_of(self.place[last[reached]], RATIO)
        return values


_STORED = ("passages", "deposits", "sums", "maxima", "keys", "counts")


def _longer(array: np.ndarray, n: int, value: float) -> np.ndarray:
    """An array of n entries that begins with the given one and goes on with a value."""
    longer = np.full((n, *array.shape[1:]), value, array.dtype)
    longer[: len(array)] = array
    return longer


def is_yearly(name: str) -> bool:
    """True for a map that knows how often rocks start: a hazard map."""
    return name.partition("_")[0] in _YEARLY


def note_of(name: str) -> str:
    """Condition of the numbers of a map."""
    return YEARLY if is_yearly(name) else CONDITIONAL


def write(maps: Maps, terrain: Terrain, folder: Path, scheme: str) -> None:
    """One GeoTIFF (float32, deflate) a map, on the terrain's grid and in its coordinate system."""
    import rasterio
    from rasterio.windows import Window

    os.environ.setdefault("GDAL_PAM_ENABLED", "NO")  # tags belong into the file, not beside it
    ny, nx = terrain.heights.shape
    profile = {
        "driver": "GTiff",
        "width": nx,
        "height": ny,
        "count": 1,
        "dtype": "float32",
        "crs": terrain.crs,
        "transform": rasterio.Affine(*terrain.transform),
        "nodata": NODATA,
        "compress": "deflate",
        "BIGTIFF": "IF_SAFER",
    }
    folder.mkdir(parents=True)
    high = max(1, _WRITTEN // nx)
    for name, unit, values, empty in maps.measured():
        path = folder / f"{name}.tif"
        with rasterio.MemoryFile() as memory:  # compressed; GDAL's own errors of a full disk are unclear
            with memory.open(**profile) as file:
                for first in range(0, ny, high):  # from the north
                    rows = min(high, ny - first)
                    grid = maps.of_cells(values, empty, (ny - first - rows) * nx, (ny - first) * nx)
                    grid = np.where(np.isnan(grid), np.float32(NODATA), grid).reshape(rows, nx)[::-1]
                    file.write(grid, 1, window=Window(0, first, nx, rows))
                file.update_tags(
                    note=note_of(name), scheme=scheme, rocks=str(maps.rocks), map=name, unit=unit, software="polhode"
                )
                file.set_band_description(1, name)
                file.set_band_unit(1, unit)
                if (statistic := name.rpartition("_")[2]) in FEWEST:
                    file.update_tags(fewest_rocks=str(FEWEST[statistic]))  # in a cell that has a value
                if terrain.crs is not None:
                    file.update_tags(crs=terrain.crs)
            content = memory.read()
        path.write_bytes(content)
        if path.read_bytes() != content:  # no error is raised where a disk loses written data
            raise OSError(errno.EIO, "a map is not on the disk as it was written (is the disk full?)")
