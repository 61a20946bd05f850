"""Runs of scenarios: their edits at later times, the states of a lane as a stream, the energies of its states."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise

import numpy as np

from physics.core.errors import ScenarioError
from physics.core.jit import seconds_loading
from physics.core.rotation import Array
from physics.core.trajectory import STATE, Block, Event, Origin, Recording, State, Trajectory
from physics.core.wording import N_
from physics.scenario.scenario import Scenario, difference, stretches
from physics.schemes.lane import lane_of
from physics.simulation.audit import doubts
from physics.systems import system_of
from physics.systems.world import World


class Runs(dict[str, Trajectory]):
    """Trajectories by the names of their lanes, in the order of the scenario's schemes.

    Parameters
    ----------
    scenario : Scenario
        What was computed, with its edits.
    found : iterable of (str, Trajectory), optional
        Names and trajectories, as for ``dict``.
    world : World, optional
        World in which it ended, with the body and the terrain as they were read; None if a caller has put the runs
        together.

    Examples
    --------
    >>> import physics
    >>> scenario = physics.Scenario(kind="free", duration=1.0, step=0.01, schemes=["explicit", "implicit"],
    ...     body={"shape": "cuboid", "size": [3, 2, 1], "mass": 1}, initial={"angular_velocity": [0.1, 5, 0.1]})
    >>> runs = physics.simulate(scenario)
    >>> list(runs), runs.scenario is scenario, runs.world.moments.shape
    (['explicit', 'implicit'], True, (3,))
    """

    def __init__(
        self, scenario: Scenario, found: Iterable[tuple[str, Trajectory]] = (), world: World | None = None
    ) -> None:
        super().__init__(found)
        self.scenario, self.world = scenario, world


ROUNDING = 1e-9  # share of the energy that lifts a body by its radius: what is left of the energy of one that rests


@np.errstate(over="ignore", invalid="ignore")  # the recording says where a number is too large
def measures(world: World, block: Block) -> dict[str, Array]:
    """Measures of a block, see ``World.measures``."""
    return world.measures(block)


@np.errstate(over="ignore", invalid="ignore")
def origin(world: World, block: Block) -> Origin:
    """The first state of a block as that from which errors count.

    The energy's are shares of the kinetic energy there and of the potential energy above the world's least, or above
    the body's radius lower where it can fall without end. The spin's are shares of its size; that of a body that turns
    about a fixed point is at least a hundredth of the largest that its energy allows, as gravity turns it up from 0.
    Where spins of bodies cancel but for rounding, there is none.
    """
    found = measures(world, block)
    state = State(float(block.time[0]), *(np.array(getattr(block, name)[0]) for name in STATE))
    kinetic, potential, spin = (found[name][0] for name in ("kinetic_energy", "potential_energy", "spin"))
    least = world.least_potential_energy
    lift = world.lift
    scale = float(max(kinetic + (lift if least is None else potential - least), ROUNDING * lift))
    size = float(np.linalg.norm(spin))
    if world.swinging_moment is not None:
        size = max(size, 0.01 * float(np.sqrt(2.0 * world.swinging_moment * scale)))
    elif len(world.bodies) > 1 and size <= ROUNDING * _passed_on(world, state):
        size = 0.0
    return Origin(state, float(kinetic + potential), spin, scale, size)


def _passed_on(world: World, state: State) -> float:
    """The sum of the sizes of the spins of all bodies about their common centre of mass [kg m²/s]."""
    mass = np.array([body.mass for body in world.bodies])
    r, v, w = (np.reshape(of, (-1, 3)) for of in (state.position, state.velocity, state.angular_velocity))
    away, moving = (x - mass @ x / mass.sum() for x in (r, v))
    turning = [np.linalg.norm(body.spin(rate)) for body, rate in zip(world.bodies, w, strict=True)]
    return float(mass @ np.linalg.norm(np.cross(away, moving), axis=1) + np.sum(turning))


_AT_ONCE = 2_000_000  # steps between two moments at which a run can be cancelled: some tenths of a second


def stream(world: World, lane: str, rows: int = 256) -> Iterator[Block]:
    """Stored states of one lane, in blocks of at most ``rows``; the caller owns pace, storage and cancelling."""
    rows = max(1, min(rows, _AT_ONCE // world.scenario.record_every))
    return system_of(world.scenario).stream(world.of_lane(lane), lane_of(lane).row, rows)


def recording(world: World, lane: str) -> Recording:
    """An empty recording for one lane in a world."""
    made = Recording(lane, partial(measures, world.of_lane(lane)), world.body_names)
    made.files, made.crs = world.files, world.crs
    return made


# what holds for the whole schedule
THROUGHOUT = frozenset({"schemes", "scheme_files", "duration", "record_every", "title", "note", "source"})
THROUGHOUT |= {"view", "export", "film", "batch"}


def changed_keys(before: Scenario, after: Scenario) -> set[str]:
    """The keys and tables of a file in which two scenarios differ."""
    old, new = before.to_plain(), after.to_plain()
    return {key for key in old.keys() | new.keys() if old.get(key) != new.get(key)}


@dataclass(frozen=True)
class Schedule:
    """Scenarios to compute: scenario 0 from time 0, scenario k from ``times[k]`` [s] with the state reached by then.

    The schemes, the duration and the like are the same in all scenarios (``THROUGHOUT``). Each scheme continues from
    its own state. An edit takes effect at the last full step at or before its time.
    """

    scenarios: tuple[Scenario, ...]
    times: tuple[float, ...] = (0.0,)

    @staticmethod
    def of(scenario: Scenario) -> Schedule:
        """The schedule that a scenario with edits stands for; ScenarioError for anything else."""
        _check(scenario)
        return Schedule(*stretches(scenario))

    @property
    def whole(self) -> Scenario:
        """The schedule as one scenario with its edits, as a file holds it."""
        first, later = self.scenarios[0], zip(self.times[1:], pairwise(self.scenarios), strict=True)
        edits = tuple({"time": time} | difference(*pair) for time, pair in later)
        return first.changed(edit=edits) if edits else first

    @property
    def scenario(self) -> Scenario:
        """The last one: what further edits change."""
        return self.scenarios[-1]

    @property
    def before(self) -> Schedule | None:
        """The schedule without its last edit; None where it has none."""
        return Schedule(self.scenarios[:-1], self.times[:-1]) if len(self.times) > 1 else None

    def edited(self, scenario: Scenario, at: float = 0.0) -> Schedule:
        """The schedule that becomes the given scenario at a time [s], without what was edited later.

        From the start where the edit is one of the start (initial state, release, terrain), or comes before the first
        step. Raises ScenarioError where the edit leaves an earlier stretch without sense.
        """
        changed = changed_keys(self.scenario, scenario)
        if not changed <= scenario.later | THROUGHOUT or scenario.folder != self.scenario.folder:
            return Schedule((scenario,))
        whole = {key: getattr(scenario, key) for key in THROUGHOUT & changed}
        before = [one.changed(**whole) for one in self.scenarios] if whole else self.scenarios
        if changed <= THROUGHOUT:
            schedule = Schedule((*before[:-1], scenario), self.times)
            if scenario.duration < schedule.times[-1] + max(scenario.steps):
                raise ScenarioError(
                    "duration", N_("expected more than {times:g} s, the time of the last edit", schedule.times[-1])
                )
            return schedule
        at = min(at, scenario.duration - max(scenario.steps))
        kept = [k for k, begin in enumerate(self.times) if at - begin >= max(before[k].steps)]
        if not kept:
            return Schedule((scenario,))
        return Schedule((*(before[k] for k in kept), scenario), (*(self.times[k] for k in kept), at))

    def worlds(self) -> list[World]:
        """The world of each stretch; the last one lasts to the scenario's duration, and knows those before it."""
        worlds = [World.of(scenario) for scenario in self.scenarios]
        ends = [end for _, end in pairwise(self.times)]
        for k, end in enumerate(ends):
            until = worlds[k].scenario.model_copy(update={"duration": end})
            worlds[k] = replace(worlds[k], scenario=until)
        worlds[-1] = replace(worlds[-1], earlier=tuple(worlds[:-1])) if ends else worlds[-1]
        return worlds


def _computing() -> float:
    """A clock [s] that stands still while this thread loads kernels."""
    return time.perf_counter() - seconds_loading()


def record_schedule(worlds: list[World], lane: str, into: Recording, rows: int = 256) -> Iterator[float]:
    """Fill a recording with the stretches of a schedule, one after another; yields the time [s] reached by each block.

    Of each stretch that of the lane. A motion that ended before an edit (a rock that rests) is not woken by it.
    """
    worlds = [world.of_lane(lane) for world in worlds]
    once = system_of(worlds[0].scenario).once
    for number, world in enumerate(worlds):
        if number:
            seen = into.trajectory()
            into.measures = partial(measures, world)
            into.files = {**into.files, **world.files}
            world = world.starting(seen.at(float(seen.time[-1])))
        over: tuple[Event, ...] = ()
        started = _computing()
        for i, block in enumerate(stream(world, lane, rows)):
            if i == 0:
                into.origins += (origin(world, block),)
                if number:  # the state that the stretch before ended with
                    continue
            told = {event.kind for event in into.events} & once
            told |= {"end"} if number + 1 < len(worlds) else set()
            block = replace(block, events=tuple(event for event in block.events if event.kind not in told))
            over = tuple(event for event in block.events if event.kind in ("rest", "left-map", "failed-solve"))
            goes_on = into.append(block, _computing() - started)
            if len(block.time):
                yield float(block.time[-1])
            if not goes_on:
                over = into.events[-1:]
                break
            started = _computing()
        if over:
            break
    into.events = (*into.events[:-1], *doubts(into.trajectory(), worlds), *into.events[-1:])
    into.finished = True


def _check(scenario: object) -> None:
    """ScenarioError for what is no scenario, such as the path of one in a script."""
    if not isinstance(scenario, Scenario):
        expected = N_("a Scenario, as physics.load_scenario returns it")
        raise ScenarioError("scenario", N_("expected {expected}, got {name}", expected, type(scenario).__name__))


def simulate(scenario: Scenario) -> Runs:
    """Run every lane of a scenario, with its edits, to its end.

    Parameters
    ----------
    scenario : Scenario
        What moves, and under which schemes.

    Returns
    -------
    Runs
        Mapping from the name of each lane to its ``Trajectory``, whose columns are arrays (n,), (n, 3) or (n, 4) of its
        n stored states, in SI units; of the bodies of a mechanism (n, bodies, 3) or (n, bodies, 4).

    Raises
    ------
    ScenarioError
        If it is no scenario, or a file that it names is wrong.
    PhysicsError
        If a run cannot be done.

    Examples
    --------
    >>> import physics
    >>> scenario = physics.Scenario(kind="free", duration=1.0, step=0.01, schemes=["implicit"],
    ...     body={"shape": "cuboid", "size": [3, 2, 1], "mass": 1}, initial={"angular_velocity": [0.1, 5, 0.1]})
    >>> run = physics.simulate(scenario)["implicit"]
    >>> run.time.shape, run.position.shape, run.orientation.shape
    ((101,), (101, 3), (101, 4))
    """
    worlds = Schedule.of(scenario).worlds()
    runs = Runs(scenario, world=worlds[-1])
    for name in scenario.shown:
        into = recording(worlds[0], name)
        for _ in record_schedule(worlds, name, into, rows=8192):
            pass
        runs[name] = into.trajectory()
    return runs
