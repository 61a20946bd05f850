"""Maps of an ensemble on the terrain's grid: what passed each cell, in memory that does not grow with rocks.

A cell keeps counts, sums and maxima (80 bytes), and a histogram of the maxima that rocks reached in it: only its
bins that are taken are stored (16 bytes each), so memory is bounded by cells x bins in use.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from physics.rotation import Array
from physics.statistics import LEAST, MOST, QUANTILES, QUANTITIES, Cells
from physics.terrain import Terrain

RATIO = 1.05  # of the bins: quantiles are known within 2.5 %
BINS = 1 + math.ceil(math.log(MOST / LEAST) / math.log(RATIO))
STATISTICS = ("mean", *QUANTILES, "max")
CONDITIONAL = "conditional on release: of the simulated rocks, each released once; not a hazard map"
NODATA = -9999.0
_PENDING = 500_000  # maxima that wait to be sorted into bins: 4 MB


class Maps:
    """Passages, deposits and the maxima of rocks in each cell, for one scheme. Cells are numbered row by row."""

    def __init__(self, cells: int) -> None:
        self.rocks = 0
        self.passages = np.zeros(cells, np.int64)
        self.deposits = np.zeros(cells, np.int64)
        self.sums = np.zeros((len(QUANTITIES), cells))
        self.maxima = np.full((len(QUANTITIES), cells), -np.inf)
        # bins in use, sorted: number of the quantity, the cell and the bin in one, and what was counted
        self._keys, self._counts = np.zeros(0, np.int64), np.zeros(0, np.int64)
        self._pending: list[Cells] = []
        self._waiting = 0

    def add(self, cells: Cells, peaks: Array, deposit: int | None) -> None:
        """One rock: the cells (n,) that it crossed, each once, its maxima (n, 4) there, the cell where it rests."""
        self.rocks += 1
        self.passages[cells] += 1
        if deposit is not None:
            self.deposits[deposit] += 1
        with np.errstate(divide="ignore", invalid="ignore"):
            place = 1 + np.log(np.maximum(peaks, 0.0) / LEAST) / math.log(RATIO)
        bins: Cells = np.where(peaks >= LEAST, np.clip(place, 1, BINS - 1), 0).astype(np.int64)
        for k in range(len(QUANTITIES)):
            self.sums[k, cells] += peaks[:, k]
            self.maxima[k, cells] = np.maximum(self.maxima[k, cells], peaks[:, k])
            self._pending.append((k * len(self.passages) + cells) * BINS + bins[:, k])
            self._waiting += len(cells)
        if self._waiting > max(_PENDING, len(self._keys) // 4):
            self._sort()

    def _sort(self) -> None:
        """Count what waits."""
        keys, counts = np.unique(np.concatenate([np.zeros(0, np.int64), *self._pending]), return_counts=True)
        self._pending, self._waiting = [], 0
        merged, place = np.unique(np.concatenate([self._keys, keys]), return_inverse=True)
        total = np.zeros(len(merged), np.int64)
        total[place[: len(self._keys)]] = self._counts
        total[place[len(self._keys) :]] += counts
        self._keys, self._counts = merged, total

    def _quantiles(self, k: int) -> dict[str, Array]:
        """Quantile -> (cells,) of one quantity; that of the rock whose rank is next above the share."""
        n = len(self.passages)
        first, last = np.searchsorted(self._keys, [k * n * BINS, (k + 1) * n * BINS])
        places = self._keys[first:last] % BINS
        above = np.cumsum(self._counts[first:last])
        ends = np.cumsum(self.passages)  # every rock that crossed is counted once
        found = {}
        for name, share in QUANTILES.items():
            values = np.full(n, np.nan)
            crossed = self.passages > 0
            wanted = ends - self.passages + np.ceil(share * self.passages)
            bins = places[np.searchsorted(above, wanted[crossed])]
            middle = np.where(bins > 0, LEAST * RATIO ** (bins - 0.5), 0.0)
            values[crossed] = np.minimum(middle, self.maxima[k, crossed])
            found[name] = values
        return found

    def layers(self) -> Iterator[tuple[str, str, Array]]:
        """Name, unit and values (cells,) of each map; NaN where no rock passed."""
        self._sort()
        yield "passages", "rocks", self.passages.astype(float)
        yield "reach_probability", "1", self.passages / max(self.rocks, 1)
        yield "deposits", "rocks", self.deposits.astype(float)
        crossed = self.passages > 0
        for k, (quantity, unit) in enumerate(QUANTITIES.items()):
            mean = np.full(len(crossed), np.nan)
            mean[crossed] = self.sums[k, crossed] / self.passages[crossed]
            largest = np.where(crossed, self.maxima[k], np.nan)
            for statistic, values in {"mean": mean, **self._quantiles(k), "max": largest}.items():
                yield f"{quantity}_{statistic}", unit, values


def write(maps: Maps, terrain: Terrain, folder: Path, scheme: str) -> None:
    """One GeoTIFF (float32, deflate) a map, on the terrain's grid and in its coordinate system."""
    import rasterio

    os.environ.setdefault("GDAL_PAM_ENABLED", "NO")  # tags belong into the file, not beside it
    (ny, nx), (dx, dy) = terrain.heights.shape, terrain.cell
    west, _, _, north = terrain.extent
    profile = {
        "driver": "GTiff",
        "width": nx,
        "height": ny,
        "count": 1,
        "dtype": "float32",
        "crs": terrain.crs,
        "transform": rasterio.Affine(dx, 0.0, west - dx / 2, 0.0, -dy, north + dy / 2),
        "nodata": NODATA,
        "compress": "deflate",
    }
    folder.mkdir(parents=True)
    for name, unit, values in maps.layers():
        grid = np.where(np.isnan(values), NODATA, values).reshape(ny, nx)[::-1]
        with rasterio.open(folder / f"{name}.tif", "w", **profile) as file:
            file.write(grid.astype(np.float32), 1)
            file.update_tags(
                note=CONDITIONAL, scheme=scheme, rocks=str(maps.rocks), map=name, unit=unit, software="polhode"
            )
