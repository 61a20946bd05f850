"""The spread of rocks across the slope: how far from the fall line they are, by distance from the release."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from physics.contact.moreau import AT_R
from physics.core.archives import like
from physics.core.jit import kernel
from physics.core.rotation import Array
from physics.ensembles.statistics import bins_for, bins_of, quantiles_of
from physics.terrain.terrain import Terrain

RATIO = 1.05  # of the bins: the quantile is known within 2.5 %
BINS = bins_for(RATIO)
# what goes on from one block of rows to the next: the place along and across the fall line, stations that were passed
_ALONG, _ACROSS, PASSED, CARRY_SIZE = 0, 1, 2, 3


def spacing_of(terrain: Terrain) -> tuple[float, int]:
    """The distance between stations [m], 10 m or a multiple of it, and their number, at most about 500."""
    x0, x1, y0, y1 = terrain.extent
    longest = math.hypot(x1 - x0, y1 - y0)
    spacing = 10.0 * max(1, math.ceil(longest / 5000.0))
    return spacing, max(1, math.ceil(longest / spacing))


@kernel
def pass_stations(rows: Array, start: Array, down: Array, spacing: float, carry: Array, offsets: Array) -> None:
    """Note where the rows (n, COLUMNS) of one rock first reach each distance along the fall line.

    start, down (2,): the release [m] and the direction of the fall line; offsets (stations,): where it was across [m],
    left of the fall line above 0; carry (CARRY_SIZE,): zeros before the first rows.
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
        self.bins = np.zeros((n, BINS), np.uint32)  # of the size of the offset

    def add(self, offsets: Array) -> None:
        """One rock: its offsets (passed,) [m] at the stations that it passed."""
        n = len(offsets)
        self.sums[:n] += np.stack([np.ones(n), offsets, offsets * offsets], axis=1)
        self.bins[np.arange(n), bins_of(np.abs(offsets), RATIO, BINS)] += np.uint32(1)

    def merge(self, other: LateralSpread) -> None:
        """Count the rocks of another too; nothing is known any more where its stations are elsewhere."""
        if other.spacing != self.spacing:
            self.sums, self.bins = np.zeros((0, 3)), np.zeros((0, BINS), np.uint32)
        n = min(len(self.sums), len(other.sums))
        self.sums[:n] += other.sums[:n]
        self.bins[:n] += other.bins[:n]

    def summary(self) -> list[dict[str, Any]]:
        """For each station that a rock passed: distance [m], rocks, mean and std [m], q95 [m] of the size."""
        found = []
        for i, (rocks, first, second) in enumerate(self.sums[self.sums[:, 0] > 0]):
            mean = first / rocks
            q95 = quantiles_of(self.bins[i].astype(float), RATIO, math.inf)["q95"]
            std = math.sqrt(max(0.0, second / rocks - mean * mean))
            found.append(
                {"distance": self.spacing * (i + 1), "rocks": int(rocks), "mean": float(mean), "std": std, "q95": q95}
            )
        return found

    def arrays(self) -> dict[str, Any]:
        """All of it, as ``restore`` takes it."""
        return {"sums": self.sums, "bins": self.bins}

    def restore(self, arrays: dict[str, Any]) -> None:
        """Become what ``arrays`` told; ValueError where these are others."""
        self.sums, self.bins = (like(arrays[name], getattr(self, name), longer=True) for name in ("sums", "bins"))
        if len(self.sums) != len(self.bins):
            raise ValueError("stations without histograms")
