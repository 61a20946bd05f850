"""The run of a scenario: a worker thread computes its lanes into recordings, which the window reads without locks."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import chain

from app.playback.lane_looks import lane_schemes
from app.system.errors import in_words
from app.theme import mixed
from physics import Scenario, ScenarioError, World
from physics.core import cancellation, compile_notice
from physics.core.separation import Separation
from physics.core.trajectory import Recording, Trajectory
from physics.core.wording import N_
from physics.schemes.scheme import Scheme
from physics.simulation.reference import Reference, references
from physics.simulation.schedule import Schedule, record_schedule, recording

MOST_LANES = 8  # lanes in one picture or window: the captions of more cover it
BEFORE = "′"  # ends name and letter of a lane that another is compared with
ROWS = 4096  # states of a block: milliseconds in a kernel that leaves the window alone, and little Python between


@dataclass(frozen=True)
class Lane:
    """One scheme of a run in its world, with its recording; colour, dash and letter are the scheme's.

    truths : the true motions that are known so far, by lane
    """

    scheme: Scheme
    recording: Recording
    world: World
    truths: dict[str, Reference] = field(default_factory=dict)

    @property
    def truth(self) -> Reference | None:
        """The true motion to compare with; None while it is not known yet."""
        return self.truths.get(self.recording.scheme)

    @property
    def off(self) -> Separation | None:
        """Separation of its states from the true motion; None while that is not known."""
        if self.recording.off is None and self.truth is not None:
            self.recording.off = self.truth.separation(self.trajectory)
        return None if self.truth is None else self.recording.off

    @property
    def trajectory(self) -> Trajectory:
        """The states recorded so far, without copying."""
        return self.recording.trajectory()


def lanes_of(worlds: Sequence[World], names: Sequence[str]) -> tuple[Lane, ...]:
    """Lanes of some names, with nothing recorded yet, in the last world of a schedule."""
    truths: dict[str, Reference] = {}
    return tuple(
        Lane(row, recording(worlds[0], row.name), worlds[-1].of_lane(row.name), truths) for row in lane_schemes(names)
    )


def find_truths(worlds: Sequence[World], lanes: Sequence[Lane]) -> None:
    """Find the true motion of each lane that was computed, which ``Lane.truth`` then has, and how far it is off."""
    named = {lane.scheme.name: lane for lane in lanes}
    for name, truth in references(worlds, {name: lane.trajectory for name, lane in named.items()}):
        lane = named[name]
        lane.recording.off = truth.separation(lane.trajectory)
        lane.truths[name] = truth


def end_of(lanes: Sequence[Lane]) -> float:
    """The last time [s] that any of some lanes has recorded."""
    return max(float(lane.trajectory.time[-1]) for lane in lanes)


def comparable(run: Run, before: Run | None) -> bool:
    """True if two runs can be drawn in one picture."""
    if before is None or before.world is None or run.world is None:
        return False
    one, other = run.scenario, before.scenario
    return (one.kind, one.ground, one.folder) == (other.kind, other.ground, other.folder)


def faded(*runs: Sequence[Lane]) -> tuple[Lane, ...]:
    """The lanes of runs that another is compared with: paler, dotted, with a prime."""
    lanes = []
    for lane in chain(*runs):
        old = lane.scheme
        scheme = replace(
            old,
            name=f"{old.name}{BEFORE}",
            title=f"{old.title}, before",
            letter=f"{old.letter}{BEFORE}",
            colour=mixed(old.colour, "#808890", 0.6),
            dash="dot",
        )
        lanes.append(replace(lane, scheme=scheme))
    return tuple(lanes)


def current(lanes: Iterable[Lane]) -> list[Lane]:
    """Those of some lanes that are not of a run before, which are shown, and not judged beside them."""
    return [lane for lane in lanes if not lane.scheme.name.endswith(BEFORE)]


class Run:
    """Computation of all lanes of a scenario, or of a schedule of edits, in the background.

    ``scenario`` is the last one of the schedule. ``world`` and ``lanes`` are None and () until the body and the terrain
    are built (a terrain may take a second to read); then recordings grow until ``finished``. ``error`` is one
    sentence on what went wrong, ``fault`` the ScenarioError behind it when a field of the scenario is to blame.
    ``compiling`` names the schemes whose kernels are being compiled, which happens once; () at other times. It began at
    ``compiling_since``, by time.monotonic. The lanes before them move meanwhile.

    prepare : computes of the world what its picture needs, before there is a ``world``, so that no one waits for it;
        returns what is to be computed after all lanes, or None
    ready : whether kernels may be loaded, which holds up the first picture of a window by a second
    """

    def __init__(
        self,
        schedule: Schedule | Scenario,
        prepare: Callable[[World], Callable[[], object] | None] | None = None,
        ready: Callable[[], bool] = lambda: True,
    ) -> None:
        self.schedule = Schedule((schedule,)) if isinstance(schedule, Scenario) else schedule
        self.scenario = self.schedule.scenario
        self.world: World | None = None
        self.lanes: tuple[Lane, ...] = ()
        self.error: str | None = None
        self.fault: ScenarioError | None = None
        self.finished = False
        self.compiling: tuple[str, ...] = ()
        self.compiling_since = 0.0
        self.seconds = 0.0  # that computing took
        self._prepare, self._ready = prepare, ready
        self._following: tuple[Lane, ...] = ()  # the lanes that are as far as those before them
        self._compiles = False  # whether kernels of this run had to be compiled
        self.reading: float | None = None  # share of a large map that is read
        self.searching: float | None = None  # share of what the search for a true motion may cost; None: none goes on
        self._cancelled = threading.Event()
        self._thread = threading.Thread(target=self._work, name="physics", daemon=True)

    def start(self) -> Run:
        """Begin computing."""
        self._thread.start()
        return self

    def cancel(self) -> None:
        """Stop computing soon; what is recorded stays."""
        self._cancelled.set()

    def join(self, timeout: float | None = None) -> None:
        """Wait until the worker has ended."""
        self._thread.join(timeout)

    @property
    def stopped(self) -> bool:
        """True if it was cancelled before all lanes were computed."""
        return self._cancelled.is_set() and not all(lane.recording.finished for lane in self.lanes)

    @property
    def reached(self) -> float:
        """The time [s] up to which every lane that still runs is recorded, or the last time of all when finished.

        Lanes whose kernels are compiled meanwhile, or that were cancelled before, do not hold up those before them.
        """
        lanes = self._following if self._compiles or self.finished else self.lanes
        ends = [(float(lane.trajectory.time[-1]), lane.recording.finished) for lane in lanes]
        return min((end for end, done in ends if not done), default=max((end for end, _ in ends), default=0.0))

    def _work(self) -> None:
        begun = time.monotonic()
        try:
            reading = cancellation.until(self._cancelled.is_set, lambda share: setattr(self, "reading", share))
            with reading, self._telling(self.scenario.schemes[0]):  # what all lanes share is compiled for the first
                worlds = self.schedule.worlds()
                later = None if self._prepare is None else self._prepare(worlds[-1])
            lanes = lanes_of(worlds, self.scenario.shown)
            streams = [(lane, record_schedule(worlds, lane.scheme.name, lane.recording, ROWS)) for lane in lanes]
            for one in streams:
                self._advance(*one)  # to the initial state, so that there is something to show
            self.lanes, self.world = lanes, worlds[-1]
            while not self._ready() and not self._cancelled.wait(0.005):
                pass
            with cancellation.until(self._cancelled.is_set):
                for number, one in enumerate(streams, 1):
                    if self._cancelled.is_set() or not self._follow(*one):
                        break
                    self._following = lanes[:number]
                while streams and not self._cancelled.is_set():
                    streams = [one for one in streams if self._advance(*one)]
                self._finish(begun)
                self.searching = 0.0
                with cancellation.until(self._cancelled.is_set, lambda share: setattr(self, "searching", share)):
                    find_truths(worlds, lanes)
                    self.searching = None
                if later is not None and not self._cancelled.is_set():
                    later()
        except cancellation.GivenUp:  # a long file was being read, or a slow step of the user's done
            self.error = None if self.lanes else N_("the run was cancelled")
        except MemoryError:
            self.error = N_("not enough memory for this run; store fewer states (record_every) or shorten it")
        except Exception as error:  # noqa: BLE001 - reported in words
            fault = in_words(error, N_("the run failed"))
            self.error, self.fault = str(fault), fault if isinstance(fault, ScenarioError) else None
        finally:
            self.searching = None
            self._finish(begun)

    def _finish(self, begun: float) -> None:
        if not self.finished:
            self.seconds = time.monotonic() - begun
            self.finished = True

    def _advance(self, lane: Lane, stream: Iterator[float]) -> bool:
        """Compute one more block; False if there was none. Kernels may be compiled for it."""
        with self._telling(lane.scheme.name):
            return next(stream, None) is not None

    @contextmanager
    def _telling(self, scheme: str) -> Iterator[None]:
        """Within, say which scheme's kernels are compiled, where some are."""

        def compiles() -> None:
            if not self.compiling:
                self.compiling_since, self._compiles = time.monotonic(), True
                self.compiling = (scheme,)

        try:
            with compile_notice.told_to(compiles):
                yield
        finally:
            self.compiling = ()

    def _follow(self, lane: Lane, stream: Iterator[float]) -> bool:
        """Compute a lane's first block, then up to the time of the lanes before it; False if cancelled."""
        while self._advance(lane, stream):
            if lane.trajectory.time[-1] >= end_of(self._following or (lane,)):
                return True
            if self._cancelled.is_set():
                return False
        return True
