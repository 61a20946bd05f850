"""The rows of an ensemble, one a rock: in memory while they are few, in a file without a name when they are many."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from threading import Lock
from typing import Any

import numpy as np

from physics.contact import moreau
from physics.hazard.statistics import QUANTITIES

BARRIER, TREE = 4, 5  # reasons of rocks at rest beside moreau.REST: a barrier held it, or it leans on a stem
RESTED = (moreau.REST, BARRIER, TREE)
REASONS = {
    moreau.GOING: "end",
    moreau.REST: "rest",
    moreau.LEFT_MAP: "left-map",
    moreau.FAILED: "failed-solve",
    BARRIER: "barrier",
    TREE: "tree",
}
# one rock and scheme: its number, simulated time [s], steps, why it stopped (a key of REASONS); x, y, z [m] where it
# stopped; runout: horizontal distance [m] from its release to there, lateral: distance [m] of there from the fall line
# of the release; max_...: over all its steps; energy_gain: the largest rise of total energy in a step [J]; unsolved:
# steps whose percussions were left at the cap; off_fall_line: distance [m] of where it stopped from the line of
# steepest descent that begins at its release; mass [kg], volume [m³]; release_x, release_y [m]; class: of the
# scenario, from 1 on, 0 where it has none
ROW = np.dtype(
    [
        ("rock", "<i8"),
        ("duration", "<f8"),
        ("steps", "<i8"),
        ("stop_reason", "<i8"),
        *((name, "<f8") for name in ("x", "y", "z", "runout", "lateral")),
        *((f"max_{name}", "<f8") for name in QUANTITIES),
        ("energy_gain", "<f8"),
        ("unsolved", "<i8"),
        *((name, "<f8") for name in ("off_fall_line", "mass", "volume", "release_x", "release_y")),
        ("class", "<i8"),
    ]
)
# one crossing of a barrier by a rock: along: from the first point of the line [m]; x, y, z [m] of the centre of mass;
# time since its release [s]; what it had there: kinetic energy [J], velocity [m/s], rotation [rad/s], height [m]
CROSSING = np.dtype(
    [
        *((name, "<i8") for name in ("rock", "barrier", "class")),
        *((name, "<f8") for name in ("along", "x", "y", "z", "time")),
        *((name, "<f8") for name in (*QUANTITIES, "mass", "volume")),
    ]
)


_IN_MEMORY = 4_000_000  # bytes: about 30 000 rocks


class RockTable:
    """Records, of type ROW, that can be appended to and read while they grow; ``copy.copy`` is those of this moment."""

    def __init__(self, dtype: np.dtype[Any] = ROW) -> None:
        self.dtype, self._store, self._n = dtype, _Store(), 0

    def __len__(self) -> int:
        return self._n

    def append(self, rows: np.ndarray) -> None:
        """Add rows (n,) of its type."""
        self._store.write(self._n * self.dtype.itemsize, rows.tobytes())
        self._n += len(rows)

    def read(self, first: int = 0, last: int | None = None) -> Any:
        """Rows first to last - 1 (all) as a record array: ``rows.read().x`` are their x."""
        last = self._n if last is None else min(last, self._n)
        size = self.dtype.itemsize
        data = self._store.read(first * size, max(last - first, 0) * size)
        return np.frombuffer(data, self.dtype).view(np.recarray)

    def pieces(self, size: int = 16384) -> Iterator[Any]:
        """All rows, so many at a time."""
        for first in range(0, self._n, size):
            yield self.read(first, first + size)

    def column(self, name: str) -> np.ndarray:
        """One column (n,) of all rows."""
        return np.concatenate([np.empty(0, self.dtype[name]), *(piece[name] for piece in self.pieces())])


class _Store:
    """Bytes in memory, beyond _IN_MEMORY in a file without a name, which is removed with its last reference."""

    def __init__(self) -> None:
        self._file = tempfile.SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115 - closed with the store
        self._lock = Lock()

    def __del__(self) -> None:
        self._file.close()

    def write(self, place: int, data: bytes) -> None:
        with self._lock:
            self._file.seek(place)
            self._file.write(data)

    def read(self, place: int, size: int) -> bytes:
        with self._lock:
            self._file.seek(place)
            return self._file.read(size)


# ---- run-outs of which some are censored --------------------------------------------------------------
# Of rocks that left the map, ran out of time or had no solution it is only known that they went at least so far.
# Mean, deviation and quantiles over all rocks take them as if they had stopped there, and are too small. The estimate
# of Kaplan & Meier (1958, Journal of the American Statistical Association 53, 457-481) counts each as one that goes
# on like the others that got as far.

_SLACK = 1e-9  # relative slack: products of shares are rounded


def censored_share(reasons: Mapping[str, int]) -> float:
    """The share of rocks that did not come to rest; 0 where there are none."""
    rocks = sum(reasons.values())
    return 1.0 - sum(reasons.get(REASONS[code], 0) for code in RESTED) / rocks if rocks else 0.0


def median_runout(rows: RockTable) -> float | None:
    """The median run-out [m] by Kaplan and Meier (1958); None where fewer than half of the rocks came to rest.

    Rocks that did not come to rest are censored where they were last: they went at least so far.
    """
    values, place = np.unique(rows.column("runout"), return_inverse=True)
    rested = np.bincount(place[np.isin(rows.column("stop_reason"), RESTED)], minlength=len(values))
    at_risk = np.bincount(place)[::-1].cumsum()[::-1]
    farther = np.cumprod(1.0 - rested / at_risk)  # the share of rocks that go farther than each value
    low = int(np.searchsorted(-farther, -(0.5 + _SLACK)))
    if low == len(values):
        return None
    high = int(np.searchsorted(-farther, -(0.5 - _SLACK)))  # where it falls below a half
    return float(0.5 * (values[low] + values[high])) if low < high < len(values) else float(values[low])
