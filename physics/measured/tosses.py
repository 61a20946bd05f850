"""Tosses in a stream of samples: stretches in which the body turned, handed over once it has landed; as log files."""

from __future__ import annotations

import math
from contextlib import suppress
from pathlib import Path

import numpy as np

from physics.core.rotation import Array
from physics.measured.live import Burst, nothing
from physics.measured.motion import runs

KEPT, MOST_KEPT = 12.0, 20_000  # [s], samples: what is kept of a stream
PIECE = 1.0  # [s] of a long burst that are looked at together, so that no toss in it is beyond what is kept
QUICK = 1.5  # [rad/s] from which on a body turns
SLOWED = 0.25  # of the largest rate of a stretch: below it the body has landed, as no free flight falls so far
STILL = 0.15  # [s] for which it has to stay so
LONGEST = 8.0  # [s] of a stretch; a longer one is cut
BEGIN = 0.3  # [s] before a stretch that belong to it
LEAST = 4.0  # [rad] by which a body turns in a flight that tells anything
BROKEN = 1.0  # [s] without samples after which nothing goes on


class TossFinder:
    """Finder of stretches of a stream in which a body turned and came to rest, or was caught.

    It keeps KEPT seconds, and MOST_KEPT samples at most.
    """

    def __init__(self) -> None:
        self.kept = nothing(accelerated=False)
        self._done = -math.inf  # time up to which stretches are handed over

    def feed(self, burst: Burst) -> list[Burst]:
        """Stretches that have ended with these samples; what was about to end before a break ends there."""
        found: list[Burst] = []
        first = 0
        while first < len(burst.time):
            last = int(np.searchsorted(burst.time, burst.time[first] + PIECE, side="right"))
            found += self._fed(_of(burst, first, last)._replace(anew=burst.anew and not first))
            first = last
        return found

    def _fed(self, burst: Burst) -> list[Burst]:
        before, kept = [], self.kept
        other = (kept.acceleration is None) != (burst.acceleration is None)
        if burst.anew or other or (len(kept.time) and burst.time[0] - kept.time[-1] > BROKEN):
            before = self._ended(broken=True)
            kept, self._done = nothing(burst.acceleration is not None), -math.inf
        self.kept = _joined(kept, burst)
        return before + self._ended(broken=False)

    def _ended(self, broken: bool) -> list[Burst]:
        """Stretches that have ended; broken : nothing follows, so that all have."""
        found: list[Burst] = []
        kept = self.kept
        speeds = np.linalg.norm(kept.rates, axis=1)
        while True:
            first = int(np.searchsorted(kept.time, self._done, side="right"))
            quick = np.flatnonzero(speeds[first:] > QUICK)
            if not len(quick):
                return found
            first += int(quick[0])
            time, here = kept.time[first:], speeds[first:]
            begins, ends = runs(here < np.maximum(QUICK, SLOWED * np.maximum.accumulate(here)))
            long = np.flatnonzero(time[ends] - time[begins] >= STILL)
            if len(long):
                count = int(np.searchsorted(time, time[begins[long[0]]] + STILL)) + 1
            elif broken or time[-1] - time[0] > LONGEST:
                count = len(time)
            else:
                return found
            self._done = float(time[count - 1])
            if float(np.sum(here[: count - 1] * np.diff(time[:count]))) > LEAST:
                begin = int(np.searchsorted(kept.time, time[0] - BEGIN))
                found.append(_of(kept, begin, first + count))


def _of(burst: Burst, first: int, last: int) -> Burst:
    acceleration = None if burst.acceleration is None else burst.acceleration[first:last].copy()
    return Burst(burst.time[first:last].copy(), burst.rates[first:last].copy(), acceleration)


def _joined(kept: Burst, burst: Burst) -> Burst:
    """Part of a stream that is kept after further samples."""
    time = np.concatenate([kept.time, burst.time])
    first = max(int(np.searchsorted(time, time[-1] - KEPT)), len(time) - MOST_KEPT)

    def both(one: Array, other: Array) -> Array:
        return np.concatenate([one, other])[first:]

    acceleration = None
    if kept.acceleration is not None and burst.acceleration is not None:
        acceleration = both(kept.acceleration, burst.acceleration)
    return Burst(time[first:], both(kept.rates, burst.rates), acceleration)


def log_text(stretch: Burst) -> str:
    """A table of samples as phyphox writes it, which opens like any log."""
    names = ["Time (s)", *(f"Gyroscope {letter} (rad/s)" for letter in "xyz")]
    columns = [stretch.time[:, None], stretch.rates]
    if stretch.acceleration is not None:
        names += [f"Acceleration {letter} (m/s^2)" for letter in "xyz"]
        columns.append(stretch.acceleration)
    rows = np.column_stack(columns).tolist()
    return "\n".join([",".join(names), *(",".join(f"{value:.10g}" for value in row) for row in rows)]) + "\n"


def next_log(folder: Path) -> tuple[int, Path]:
    """Make an empty file for the next toss in a folder, which no other process has; its number, and the file."""
    while True:
        numbers = [int(path.stem[5:]) for path in folder.glob("toss-*.csv") if path.stem[5:].isdecimal()]
        number = max(numbers, default=0) + 1
        file = folder / f"toss-{number:03}.csv"
        with suppress(FileExistsError):
            file.touch(exist_ok=False)
            return number, file
