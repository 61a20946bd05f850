"""The run of a scenario: a worker thread computes its lanes into recordings, which the window reads without locks."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from app.playback.kernel_compiler import LOOK, KernelCompiler
from app.playback.lane_looks import lane_schemes
from app.playback.recorded_runs import RecordedRun, recorded_run
from app.system.error_text import in_words
from app.theme import mixed
from physics import Scenario, ScenarioError, World
from physics.core import cancellation, compile_notice, jit
from physics.core.trajectory import Recording, Trajectory
from physics.schemes.scheme import Scheme
from physics.simulation.schedule import Schedule, record_schedule
from physics.simulation.stream import recording

MOST_LANES = 8  # in one picture or window: the captions of more cover it
BEFORE = "′"  # ends name and letter of a lane that another is compared with
ROWS = 4096  # states of a block: milliseconds in a kernel that leaves the window alone, and little Python between


@dataclass(frozen=True)
class Lane:
    """One scheme of a run in its world, with what it has recorded so far; colour, dash and letter are the scheme's."""

    scheme: Scheme
    recording: Recording
    world: World

    @property
    def trajectory(self) -> Trajectory:
        """What is recorded so far, without copying."""
        return self.recording.trajectory()


def lanes_of(worlds: Sequence[World], names: Sequence[str]) -> tuple[Lane, ...]:
    """The lanes of these names, with nothing recorded yet, of a schedule with these worlds: each in its last one."""
    return tuple(Lane(row, recording(worlds[0], row.name), worlds[-1].of_lane(row.name)) for row in lane_schemes(names))


def end_of(lanes: Sequence[Lane]) -> float:
    """The last time [s] that any of some lanes has recorded."""
    return max(float(lane.trajectory.time[-1]) for lane in lanes)


def comparable(run: Run, before: Run | None) -> bool:
    """Whether two runs can be drawn in one picture."""
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


class Run:
    """Computes all lanes of a scenario, or of a schedule of edits, in the background.

    ``scenario`` is the last one of the schedule. ``world`` and ``lanes`` are None and () until the body and the terrain
    are built (a terrain may take a second to read); then recordings grow until ``finished``. ``error`` holds what went
    wrong, as one sentence, and ``fault`` the ScenarioError behind it when a field of the scenario is to blame.
    ``compiling`` names the schemes whose kernels are being compiled, which happens once; () at other times. It began at
    ``compiling_since``, by time.monotonic.

    compiler : compiles in a process of its own what computes a recorded run, which is shown meanwhile; None: all runs
        are computed before they are shown
    """

    def __init__(self, schedule: Schedule | Scenario, compiler: KernelCompiler | None = None) -> None:
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
        self._compiler, self._seen = compiler, False
        self._cancelled = threading.Event()
        self._thread = threading.Thread(target=self._work, name="physics", daemon=True)

    def start(self) -> Run:
        """Begin computing."""
        self._thread.start()
        return self

    def cancel(self) -> None:
        """Stop computing soon; what is recorded stays."""
        self._cancelled.set()

    def go_on(self) -> None:
        """What is known of it ahead is drawn: it may compute."""
        self._seen = True

    def join(self, timeout: float | None = None) -> None:
        """Wait until the worker has ended."""
        self._thread.join(timeout)

    @property
    def stopped(self) -> bool:
        """Whether it was cancelled before all lanes were computed."""
        return self._cancelled.is_set() and not all(lane.recording.finished for lane in self.lanes)

    @property
    def reached(self) -> float:
        """The time [s] up to which every lane that still runs is recorded, or the last time of all when finished."""
        ends = [
            (float(lane.trajectory.time[-1]), lane.recording.finished) for lane in self.lanes if len(lane.recording)
        ]
        if not ends or len(ends) < len(self.lanes):
            return 0.0
        return min((end for end, done in ends if not done), default=max(end for end, _ in ends))

    def _work(self) -> None:
        begun = time.monotonic()
        try:
            with cancellation.until(self._cancelled.is_set):
                worlds = self.schedule.worlds()
            lanes = lanes_of(worlds, self.scenario.shown)
            streams = [(lane, record_schedule(worlds, lane.scheme.name, lane.recording, ROWS)) for lane in lanes]
            for one in streams:
                self._advance(*one)  # to the initial state, so that there is something to show
            recorded = recorded_run(worlds[0]) if self._compiler is not None and len(worlds) == 1 else None
            if recorded is not None:
                for lane in lanes:
                    lane.recording.know_ahead(recorded.lanes[lane.scheme.name])
            self.lanes, self.world = lanes, worlds[-1]
            if self._compiler is not None:
                self._leave_to(self._compiler, recorded)
            with cancellation.until(self._cancelled.is_set):
                while streams and not self._cancelled.is_set():
                    streams = [one for one in streams if self._advance(*one)]
            if recorded is not None and not self._cancelled.is_set():
                jit.note_warm(recorded.example)
        except cancellation.GivenUp:  # a long file was being read, or a slow step of the user's done
            self.error = None if self.lanes else "the run was cancelled"
        except MemoryError:
            self.error = "not enough memory for this run; store fewer states (record_every) or shorten it"
        except Exception as error:  # noqa: BLE001 - told in words
            told = in_words(error, "the run failed")
            self.error, self.fault = str(told), told if isinstance(told, ScenarioError) else None
        finally:
            self.seconds = time.monotonic() - begun
            self.finished = True

    def _advance(self, lane: Lane, stream: Iterator[float]) -> bool:
        """Compute one block more; whether there was one. Kernels may be compiled for it."""

        def compiles() -> None:
            self._compile((lane.scheme.name,))

        with compile_notice.told_to(compiles):
            going = next(stream, None) is not None
        self.compiling = ()
        return going

    def _compile(self, schemes: tuple[str, ...]) -> None:
        """Say that kernels of schemes are being compiled from now on, if it is not said yet."""
        if schemes != self.compiling:
            self.compiling_since = time.monotonic()
            self.compiling = schemes

    def _leave_to(self, compiler: KernelCompiler, recorded: RecordedRun | None) -> None:
        """Let the compiler make the kernels of a run that is shown already, or finish those that it makes now."""
        kind = self.scenario.kind
        if recorded is not None:
            while not self._seen and not self._cancelled.wait(LOOK):
                pass  # the first picture comes first
            cold = jit.keeps_kernels() and not jit.is_warm(recorded.example)
            if cold:
                self._compile(self.scenario.schemes)
            if cold and not self._cancelled.is_set():
                compiler.start(recorded.example, kind=kind)
        if compiler.kind == kind and compiler.running:
            self._compile(self.scenario.schemes)
            compiler.wait(self._cancelled.wait)
        self.compiling = ()
