"""One row of the table of systems: what a kind of scenario is, how its model is built and how it moves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from physics.core.rotation import Array
from physics.core.trajectory import Block, Event, Trajectory
from physics.core.wording import N_, per_cent
from physics.scenario.scenario import Scenario
from physics.schemes.dormand_prince import Equations
from physics.schemes.scheme import Scheme
from physics.systems import driver
from physics.systems.driver import Course, End
from physics.systems.world import World

Chunk = TypeVar("Chunk")
S = TypeVar("S", bound=Scenario)
W = TypeVar("W", bound=World)


class Derived(NamedTuple):
    """A column that files of trajectories have besides.

    Its values (n,) or (n, width) have a unit. names: of what has a value each in a scenario, as its joints have: values
    (n, names) or (n, names, width), whose unit may depend on the name; None: no such.
    """

    unit: str | Callable[[str], str]
    width: int = 1
    names: Callable[[Scenario], tuple[str, ...]] | None = None


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
    note = N_(
        "{name}: percussions did not converge in {share} of the steps; friction kept the bounds reached",
        scheme.name,
        per_cent(share, 2),
    )
    return Event("unsolved-contact", time, note)


@dataclass(frozen=True)
class System(Generic[S, W]):
    """The facts of a kind of scenario.

    Attributes
    ----------
    kind : as in scenario files
    scenario : its class, with the tables and the checks that it adds
    build : a scenario's world, before what every world gets (the digests of its files)
    course : what the driver marches of a world under a scheme, see physics.systems.driver; None: the motion depends on
        its start with jumps, and no order of convergence can be seen in it
    blocks : where not the driver makes them: blocks of at most so many stored states of a world under a scheme; the
        first holds the initial state alone
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
    once : kinds of events that are told once in a motion, also where it is edited after them
    compiling : [s] that the kernels of its first scheme take to be compiled, about; of a further one a third
    """

    kind: str
    scenario: type[S]
    build: Callable[[S], W]
    course: Callable[[W, Scheme], Course] | None = None
    blocks: Callable[[W, Scheme, int], Iterator[Block]] | None = None
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
    once: frozenset[str] = frozenset()
    compiling: float = 2.0

    @property
    def smooth(self) -> bool:
        """True if the motion depends smoothly on its start, so that an order of convergence can be seen."""
        return self.course is not None

    def stream(self, world: W, scheme: Scheme, rows: int) -> Iterator[Block]:
        """Blocks of at most so many stored states of a world; the first holds the initial state alone."""
        if self.blocks is not None:
            return self.blocks(world, scheme, rows)
        assert self.course is not None, f"{self.kind} has neither a course nor blocks"
        return driver.stream(self.course(world, scheme), world, scheme, rows)

    def end(self, world: W, scheme: Scheme, count: int) -> End:
        """The end of the scenario's duration in ``count`` steps, of a smooth motion."""
        assert self.course is not None, f"{self.kind} has no course"
        return driver.end(self.course(world, scheme), world, scheme, count)
