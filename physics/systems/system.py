"""One row of the table of systems: what a kind of scenario is, how its model is built and how it moves."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

import numpy as np

from physics.core.rotation import Array
from physics.core.step_count import whole_steps
from physics.core.trajectory import Block, Event, Trajectory
from physics.scenario.scenario import Scenario
from physics.schemes.dormand_prince import Equations
from physics.schemes.loop import unsolved
from physics.schemes.scheme import Scheme
from physics.systems.world import World

Chunk = TypeVar("Chunk")
S = TypeVar("S", bound=Scenario)
W = TypeVar("W", bound=World)


def clock_for(scheme: Scheme) -> Callable[[], float]:
    """The clock [s] of what a scheme computes in this thread, which stands still while the thread waits for others.

    A window that draws keeps it waiting for milliseconds. Windows counts such time in ticks that are longer than runs,
    and the code of a user's scheme runs in another process: there it is the clock on the wall.
    """
    exact = time.get_clock_info("thread_time").resolution < 1e-6
    return time.thread_time if exact and scheme.code is None else time.perf_counter


class Derived(NamedTuple):
    """A column that files of trajectories have besides.

    Its values (n,) or (n, width) have a unit. names: of what has a value each in a scenario, as its joints have: values
    (n, names) or (n, names, width); None: no such.
    """

    unit: str
    width: int = 1
    names: Callable[[Scenario], tuple[str, ...]] | None = None


class End(NamedTuple):
    """The end of a march.

    attitude (4,), of several bodies (b, 4): not finite where a step had no solution. seconds: that the steps took.
    torques: how many they evaluated, once at each attitude; NaN where no torque acts, or iterations of no constant
    number evaluate it.
    """

    attitude: Array
    seconds: float
    torques: float


class Marched(NamedTuple):
    """A block of a march: times (n,) [s], stored rows (n, width), steps since the block before, and how it ended."""

    time: Array
    rows: Array
    steps: int
    events: tuple[Event, ...]


def marched(
    world: World, scheme: Scheme, rows: int, width: int, march: Callable[[int, Array], tuple[int, float]]
) -> Iterator[Marched]:
    """Blocks of at most so many stored rows after the initial state; the last state is always stored.

    march : ``march(every, out) -> rows done, residual``; fewer rows than out has mean that a step had no solution
    """
    h, every, begin = world.scenario.step, world.scenario.record_every, world.time
    total, done = whole_steps(world.scenario.duration - begin, h), 0
    while done < total:
        n = min(rows, (total - done) // every)
        stride = every if n else total - done  # the last state is stored even when it falls between
        out = np.empty((max(n, 1), width))
        good, residual = march(stride, out)
        times = np.asarray(begin + h * (done + stride * np.arange(1, good + 1)))
        done += stride * good
        ended: tuple[Event, ...] = ()
        if good < len(out):
            ended = (unsolved(scheme.name, begin + h * (done + stride), residual, scheme.remedy),)
        elif done == total:
            ended = (Event("end", begin + h * done, f"{scheme.name}: the run ends at {begin + h * done:g} s"),)
        yield Marched(times, out[:good], stride * good, ended)
        if good < len(out):
            return


class Watch(Protocol):
    """Passes on what an iterator yields, and ends it by an exception when its run is to end."""

    def __call__(self, chunks: Iterator[Chunk], /) -> Iterator[Chunk]:
        """The same iterator, watched."""


@dataclass(frozen=True)
class StartSampling(Generic[W]):
    """Many runs whose starts are drawn, each followed to its end; see physics.ensembles.start_ensemble.

    Attributes
    ----------
    draw : of the world of a scenario that of one of its ensemble's runs, by its number alone
    varies : whether the starts of a world's ensemble differ
    runs : how many there are
    columns : units of the outcomes of a run in a scenario, by name; "": a count
    outcome : numbers reported for a run, in the order of ``columns``: of its world, and the blocks of its stored states
    outcomes : the same of several runs at once (n, columns), bit for bit, by a scheme that marches many bodies: of
        their worlds, that scheme, and what watches over the chunks of their motion; None: runs are made one by one
    event : what may happen in a run, in words
    of_bodies : columns, 0 or 1, whose shares of all runs are reported, each with the name of the body to which the
        event happens; NaN where a step had no solution; None: one body, with the event's name as the column
    """

    draw: Callable[[W, int], W]
    varies: Callable[[W], bool]
    runs: Callable[[W], int]
    columns: Callable[[Any], Mapping[str, str]]
    outcome: Callable[[W, Iterator[Block]], tuple[float, ...]]
    event: str
    outcomes: Callable[[Sequence[W], Scheme, Watch], Array] | None = None
    of_bodies: Callable[[Any], Mapping[str, str]] | None = None

    def events(self, scenario: Scenario) -> Mapping[str, str]:
        """Columns whose shares of all runs are reported, each with the name of its body, "" of one body."""
        return {self.event: ""} if self.of_bodies is None else self.of_bodies(scenario)


def unsettled(scheme: Scheme, time: float, unsolved: float, tried: float) -> Event:
    """The event of a run up to a time [s] of so many steps, a failed one counted, some of whose percussions fell back.

    unsolved: percussions that did not converge; of a step with several landings there may be several.
    """
    share = min(unsolved / tried, 1.0)
    note = f"{scheme.name}: percussions did not converge in {share:.2%} of the steps; friction kept the bounds reached"
    return Event("unsolved-contact", time, note)


@dataclass(frozen=True)
class System(Generic[S, W]):
    """The facts of a kind of scenario.

    Attributes
    ----------
    kind : as in scenario files
    scenario : its class, with the tables and the checks that it adds
    build : a scenario's world, before what every world gets (the digests of its files)
    end : the end of the scenario's duration in so many steps of a scheme; None: the motion depends on its start with
        jumps, and no order of convergence can be seen in it
    stream : blocks of at most so many stored states of a world under a scheme; the first holds the initial state alone
    rotation_alone : whether nothing but a rotation is integrated, by ``Scheme.march``
    torque_free : whether nothing turns the body, unless its scenario names what acts: then its exact motion is known,
        see physics.simulation.exact_motion
    torque : whether a torque acts on the body in all of its motion, so that its spin changes
    passive : whether nothing takes energy from the motion, so that a loss is the scheme's
    falling : whether nothing gives energy to the motion, and every scheme must know: its total energy never rises
    contacts : whether the body touches something: the column ``contact`` is stored
    ensembles : whether many bodies can be released, see physics.hazard
    starts : how starts of many runs are drawn, and their outcomes; None: it has no such ensemble
    derived : columns that files of its trajectories have besides, by name
    derive : their values, of the rows of a trajectory and the scenario that they move in
    facts : what their metadata say besides, of a scenario
    equations : of the motion of a world, by which its true motion is integrated, see physics.simulation.search
    reference : where there are none, the scheme whose solutions are taken for the true motion; None: no scheme's are
    effort : what a step or an evaluation in a world counts in that search
    compiling : [s] that the kernels of its first scheme take to be compiled, about; of a further one a third
    """

    kind: str
    scenario: type[S]
    build: Callable[[S], W]
    stream: Callable[[W, Scheme, int], Iterator[Block]]
    end: Callable[[W, Scheme, int], End] | None = None
    rotation_alone: bool = False
    torque_free: bool = False
    torque: bool = False
    passive: bool = False
    falling: bool = False
    contacts: bool = False
    ensembles: bool = False
    starts: StartSampling[W] | None = None
    derived: Mapping[str, Derived] = field(default_factory=dict)
    derive: Callable[[Trajectory, Scenario], Mapping[str, Array]] = lambda run, scenario: {}
    facts: Callable[[S], Mapping[str, Any]] = lambda scenario: {}
    equations: Callable[[W], Equations] | None = None
    reference: str | None = None
    effort: Callable[[W], float] = lambda world: 1.0
    compiling: float = 2.0

    @property
    def smooth(self) -> bool:
        """True if the motion depends smoothly on its start, so that an order of convergence can be seen."""
        return self.end is not None
