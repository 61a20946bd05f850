"""The clock: the only time. Views, plots and exports read it; nothing else moves them."""

from __future__ import annotations

import bisect
from collections.abc import Sequence
from dataclasses import dataclass, field

SPEEDS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)


@dataclass
class Clock:
    """Simulated time at the playhead, and how it runs.

    Attributes
    ----------
    time : [s] of the playhead
    end : [s] last time that is recorded so far; the playhead never passes it
    total : [s] duration of the scenario
    speed : simulated seconds per second of the wall clock
    complete : whether recording is over, so that the end is the end
    """

    time: float = 0.0
    end: float = 0.0
    total: float = 0.0
    speed: float = 1.0
    playing: bool = False
    loop: bool = False
    complete: bool = False
    revision: int = field(default=0)  # counts changes, so that a view draws only when something moved

    def tick(self, elapsed: float) -> bool:
        """Let ``elapsed`` seconds of the wall clock pass; whether the playhead moved."""
        if not self.playing:
            return False
        # a long pause of the machine (a menu, a suspended window) must not throw the playhead forward
        target = self.time + min(elapsed, 0.25) * self.speed
        if target >= self.end:
            if self.complete and self.loop and self.end > 0:
                target = 0.0 if self.time >= self.end else self.end
            else:
                target = self.end
                self.playing = not self.complete
        return self.seek(target)

    def seek(self, time: float) -> bool:
        """Move the playhead to a time [s]; whether it moved."""
        time = min(max(time, 0.0), self.end)
        moved = time != self.time
        self.time = time
        self.revision += moved
        return moved

    def toggle(self) -> None:
        """Play or pause; at the end, play again from the start."""
        if not self.playing and self.complete and self.time >= self.end:
            self.seek(0.0)
        self.playing = not self.playing
        self.revision += 1

    def step(self, times: Sequence[float], by: int) -> bool:
        """Pause and go to the next (1) or previous (-1) of the stored times [s]."""
        self.playing = False
        tiny = 1e-9 * max(1.0, self.end)
        i = bisect.bisect_right(times, self.time + tiny) if by > 0 else bisect.bisect_left(times, self.time - tiny) - 1
        self.revision += 1
        return self.seek(times[min(max(i, 0), len(times) - 1)]) if len(times) else False

    def faster(self, by: int) -> None:
        """The next speed up (1) or down (-1)."""
        i = bisect.bisect_left(SPEEDS, self.speed) + by
        self.speed = SPEEDS[min(max(i, 0), len(SPEEDS) - 1)]
        self.revision += 1
