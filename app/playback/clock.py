"""The clock of the playback, the only time: views, plots and exports read it; nothing else moves them."""

from __future__ import annotations

import bisect
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SPEEDS = (*(digit * 10.0**power for power in range(-3, 2) for digit in (1.0, 2.0, 5.0)), 100.0)
LOOPS = ("off", "loop", "ping-pong")
SHORTEST_PLAY, LONGEST_PLAY = 10.0, 120.0  # [s] that a run takes to play at its usual speed


def usual_speed(duration: float) -> float:
    """Speed at which a run of so many seconds begins: real time if that takes SHORTEST_PLAY to LONGEST_PLAY."""
    if duration < SHORTEST_PLAY:
        return max((speed for speed in SPEEDS if speed <= duration / SHORTEST_PLAY * (1 + 1e-9)), default=SPEEDS[0])
    return min(
        (speed for speed in SPEEDS if speed >= max(1.0, duration / LONGEST_PLAY) * (1 - 1e-9)), default=SPEEDS[-1]
    )


def decimals(duration: float) -> int:
    """Decimals of seconds that tell hundredths of a run of so many seconds apart; two at least."""
    return max(2, 2 - math.floor(math.log10(duration))) if duration > 0.0 else 2


@dataclass
class Clock:
    """Simulated time at the playhead, and how it runs.

    Attributes
    ----------
    time : [s] of the playhead
    end : [s] last time that is recorded so far; the playhead never passes it
    total : [s] duration of the scenario
    speed : simulated seconds per second of the wall clock
    loop : one of LOOPS: what happens at the end, or at the out point
    first, last : in and out points [s] between which play loops; None: the ends
    newest : whether the playhead stays at the last recorded state while more is computed
    awaited : a time [s] that is not recorded yet, and to which the playhead goes; None: none
    complete : whether recording is over, so that the end is the end
    """

    time: float = 0.0
    end: float = 0.0
    total: float = 0.0
    speed: float = 1.0
    playing: bool = False
    loop: str = "off"
    first: float | None = None
    last: float | None = None
    newest: bool = False
    awaited: float | None = None
    complete: bool = False
    backward: bool = False  # the way back of ping-pong
    revision: int = field(default=0)  # counts changes, so that a view draws only when something moved

    def tick(self, elapsed: float) -> bool:
        """Advance by ``elapsed`` seconds of the wall clock; True if the playhead moved."""
        if self.awaited is not None:
            goal, self.awaited = self.awaited, None
            return self.wait_for(goal)
        if self.newest:
            self.newest = not self.complete
            return self._move(self.end)
        if not self.playing:
            return False
        # a long pause of the machine (a menu, a suspended window) must not throw the playhead forward
        by = min(elapsed, 0.25) * self.speed
        return self._move(self._back(self.time - by) if self.backward else self._on(self.time + by))

    def _on(self, target: float) -> float:
        """Next time of the playhead on its way forward."""
        marked = self.last is not None and self.time <= self.last <= self.end
        last = self.last if marked and self.last is not None else self.end
        if target < last:
            return target
        first = self._first(last)
        if not (marked or self.complete):
            return last
        if self.loop == "loop" and last > first:
            return first if self.time >= last else last
        if self.loop == "ping-pong" and last > first:
            self.backward = True
        else:
            self.playing = False
        return last

    def _back(self, target: float) -> float:
        """Next time of the playhead on its way back."""
        first = self._first(self.time)
        if target > first and self.loop == "ping-pong":
            return target
        self.backward = False
        return max(target, first)

    def _first(self, before: float) -> float:
        return self.first if self.first is not None and self.first < before else 0.0

    def seek(self, time: float) -> bool:
        """Move the playhead to a time [s]; True if it moved."""
        self.newest, self.awaited = False, None
        return self._move(time)

    def wait_for(self, time: float) -> bool:
        """Move the playhead to a time [s], which may not be computed yet: it then follows the end to there."""
        moved = self.seek(time)
        if self.end < time and not self.complete:
            self.awaited = time
        return moved

    def _move(self, time: float) -> bool:
        time = min(max(time, 0.0), self.end)
        moved = time != self.time
        self.time = time
        self.revision += moved
        return moved

    def toggle(self) -> None:
        """Play or pause; at the end, play again from the start (or the in point)."""
        at_end = (self.complete and self.time >= self.end) or (self.last is not None and self.time == self.last)
        if not self.playing and at_end:
            self.seek(self._first(self.time))
        self.playing = not self.playing
        self.newest = self.backward = False
        self.revision += 1

    def step(self, times: Sequence[float] | NDArray[np.float64], by: int) -> bool:
        """Pause and go to the next (1) or previous (-1) of the stored times [s]."""
        self.playing = False
        tiny = 1e-9 * max(1.0, self.end)
        i = bisect.bisect_right(times, self.time + tiny) if by > 0 else bisect.bisect_left(times, self.time - tiny) - 1
        self.revision += 1
        return self.seek(times[min(max(i, 0), len(times) - 1)]) if len(times) else False

    def faster(self, by: int) -> None:
        """Change to the next speed up (1) or down (-1)."""
        i = bisect.bisect_left(SPEEDS, self.speed * (1 - 1e-9)) + by
        self.speed = SPEEDS[min(max(i, 0), len(SPEEDS) - 1)]
        self.revision += 1

    def next_loop(self) -> None:
        """Change from off to loop, from loop to ping-pong, or from ping-pong to off."""
        self.loop = LOOPS[(LOOPS.index(self.loop) + 1) % len(LOOPS)]
        self.backward = False
        self.revision += 1

    def mark(self, *, first: bool) -> None:
        """Set the in point (or the out point) to the playhead; remove it if it is there, or out at the start."""
        name, other = ("first", self.last) if first else ("last", self.first)
        empty = self.time == 0.0 and not first
        setattr(self, name, None if empty or getattr(self, name) == self.time else self.time)
        if other is not None and self.first is not None and self.last is not None and self.first >= self.last:
            setattr(self, "last" if first else "first", None)
        self.revision += 1
