"""The true motion of a scenario, as far as it can be known, and how far a lane is off it."""

from __future__ import annotations

import math
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from physics.core.errors import PhysicsError
from physics.core.rotation import Array, angle_between
from physics.core.separation import Separation, separation
from physics.core.step_count import whole_steps
from physics.core.trajectory import STATE, Block, State, Trajectory, row_shape
from physics.scenario.scenario import Scenario
from physics.schemes.lane import lane_of
from physics.simulation.exact_motion import exact_motion
from physics.simulation.schedule import Schedule, measures
from physics.simulation.search import ANGLE, LENGTH, SOURCE, search
from physics.simulation.solution import Solution
from physics.simulation.witnesses import doubted
from physics.systems import driver, torque_free
from physics.systems.free.rotating_world import FreeWorld
from physics.systems.free.rotation_stream import flight
from physics.systems.world import World

ROUNDING = 1e-6  # share of a run's duration, by which its last step may pass it, see physics.core.step_count
MEASURES = ("kinetic_energy", "potential_energy", "spin")


@dataclass(frozen=True)
class Stretch:
    """The truth from a start to the next edit.

    Attributes
    ----------
    world : with the start
    end : [s] where the next edit takes effect; infinite where none does
    solution : the finest one; None: the exact one is evaluated where it is wanted
    valid_until : [s] up to which the motion is the truth
    """

    world: World
    end: float
    solution: Solution | None
    valid_until: float

    def states(self, times: Array) -> tuple[Array, Array, Array, Array]:
        """Positions, orientations, velocities and angular velocities at times (n,) [s]."""
        if self.solution is None:
            assert isinstance(self.world, FreeWorld)
            q, w = exact_motion(self.world, times)
            position, velocity = flight(self.world, times)
            return position, q, velocity, w
        return self.solution.at(times)


@dataclass(frozen=True, eq=False)  # compared by identity: states are kept by it
class Reference:
    """True motion of a lane's world, at any time at which it is known.

    Attributes
    ----------
    stretches : tuple of Stretch
        One for the start and one for each edit, each from the state with which the lane began it.
    valid_until : float
        Time up to which it is known to 0.01 degrees and 1e-4 of the body's radius [s]; 0: no truth is known.
    source : str
        ``"exact"``, or the scheme of the solution.
    step : float or None
        Step of the solution [s]; None for the exact one.
    reason : str
        Why it ends before the scenario does, one sentence; ``""`` where it does not.
    anew : bool
        Whether it begins after each edit with the state that a lane had there, and not with its own.

    Notes
    -----
    Its states are arrays (n, 3) and (n, 4), of b bodies (n, b, 3) and (n, b, 4). How several bodies are compared:
    ``physics.core.separation``.

    Examples
    --------
    >>> import physics
    >>> scenario = physics.Scenario(kind="free", duration=1.0, step=0.01, schemes=["implicit"],
    ...     body={"shape": "cuboid", "size": [3, 2, 1], "mass": 1}, initial={"angular_velocity": [0.1, 5, 0.1]})
    >>> truth = physics.reference(scenario).reference
    >>> truth.source, truth.at(0.505).orientation.shape
    ('exact', (4,))
    >>> off = truth.degrees_off(physics.simulate(scenario)["implicit"])
    >>> off.shape, bool(off.max() < 1.0)
    ((101,), True)

    References
    ----------
    Gustafsson (2010), sections 4.1 and 4.3.2, for free bodies on which nothing acts; see ``physics.schemes.exact``.
    """

    stretches: tuple[Stretch, ...]
    valid_until: float
    source: str
    step: float | None
    reason: str
    anew: bool = False

    def states(self, times: Array) -> tuple[Array, Array, Array, Array]:
        """Positions (n, 3) [m], orientations (n, 4), velocities (n, 3) [m/s] and angular velocities (n, 3) [rad/s].

        At times (n,) [s]; NaN after ``valid_until``. A body that came to rest stays there.
        """
        times = np.asarray(times, float)
        columns = [np.full((len(times), *shape), np.nan) for shape in self._shapes]
        begin = -math.inf
        for stretch in self.stretches:
            end = (1.0 + ROUNDING) * stretch.end
            here = (times > begin) & (times <= min(end, (1.0 + ROUNDING) * self.valid_until))
            if here.any():
                for column, values in zip(columns, stretch.states(times[here]), strict=True):
                    column[here] = values
            begin = end
        position, orientation, velocity, rate = columns
        return position, orientation, velocity, rate

    @property
    def _shapes(self) -> list[tuple[int, ...]]:
        """Shapes of the columns of a state."""
        bodies = self.stretches[0].world.position.shape[:-1] if self.stretches else ()
        return [row_shape(name, sum(bodies)) for name in STATE]

    def at(self, time: float) -> State | None:
        """The state at a time [s]; None after ``valid_until``."""
        found = [column[0] for column in self.states(np.array([time]))]
        return None if np.isnan(found[0]).any() else State(time, *found)

    def separation(self, run: Trajectory, true: Solution | None = None) -> Separation:
        """Separation of the rows of a run from the truth, or from other states at their times; NaN without a truth.

        Length and axis of symmetry are those of the body in the stretch of each row; a mechanism has one stretch.
        """
        true, worlds = true or self._of(run), [stretch.world for stretch in self.stretches]
        states = (run.position, run.orientation), (true.position, true.orientation)
        if not worlds:
            return separation(*states, math.inf)
        if len(worlds) == 1:
            return separation(*states, worlds[0].length, worlds[0].axles, worlds[0].symmetry_axis)
        axes, none = [world.symmetry_axis for world in worlds], np.full(3, np.nan)
        rows = np.minimum(run.stretches, len(worlds) - 1)
        symmetric = np.array([none if axis is None else axis for axis in axes])[rows]
        lengths = np.array([world.length for world in worlds])[rows]
        found = separation(*states, lengths, (), symmetric if any(axis is not None for axis in axes) else None)
        return replace(found, stretch=run.stretches) if self.anew else found

    def degrees_off(self, run: Trajectory) -> Array:
        """The leading angle (n,) [deg] of the rows of a run off the truth, 0 to 180; NaN without a truth."""
        return self.separation(run).degrees

    def metres_off(self, run: Trajectory) -> Array:
        """The largest distance (n,) [m] of a centre of mass of the rows of a run off the truth; NaN without a truth."""
        return self.separation(run).metres

    def _of(self, run: Trajectory) -> Solution:
        """The truth at the times of a run; NaN where none is known."""
        if not self.stretches:
            return Solution(run.time, *(np.full_like(getattr(run, name), np.nan) for name in STATE))
        return Solution(run.time, *self.states(run.time))


@dataclass(frozen=True)
class ReferenceTrajectory(Trajectory):
    """True motion at the times at which a lane stores its states, as far as it is known.

    Attributes
    ----------
    valid_until : float
        Time up to which it is known [s], see ``Reference``.
    reference : Reference
        The same motion at any time, with its source, its accuracy, and how far a run is off it.

    Notes
    -----
    All attributes of ``Trajectory`` too: ``time`` (n,) [s], ``orientation`` (n, 4), ``angular_velocity`` (n, 3)
    [rad/s], ...

    Examples
    --------
    >>> import physics
    >>> scenario = physics.Scenario(kind="free", duration=1.0, step=0.01, schemes=["implicit"],
    ...     body={"shape": "cuboid", "size": [3, 2, 1], "mass": 1}, initial={"angular_velocity": [0.1, 5, 0.1]})
    >>> truth = physics.reference(scenario)
    >>> truth.time.shape, truth.spin.shape, truth.valid_until
    ((101,), (101, 3), 1.0)
    """

    valid_until: float = 0.0
    reference: Reference = Reference((), 0.0, "", None, "")


def reference(scenario: Scenario, lane: str | None = None) -> ReferenceTrajectory:
    """Compute the true motion of a scenario.

    Free bodies on which nothing acts have the exact solution. All others are integrated twice, on grids of steps that
    have nothing in common but the times at which something that acts jumps or has a corner, more and more finely until
    both agree to 0.01 degrees and 1e-4 of the body's radius, or the work becomes too large. Contact makes a motion so
    sensitive that this is soon. Through edits, the true motion goes on from its own state.

    Parameters
    ----------
    scenario : Scenario
        What moves.
    lane : str, optional
        Lane with a variant or a start of its own; the first one if none is given.

    Returns
    -------
    ReferenceTrajectory
        The n states at the times at which the lane stores its own, up to ``valid_until`` [s], where the last two
        integrations part; arrays (n,), (n, 3) and (n, 4), of the bodies of a mechanism (n, bodies, 3) and
        (n, bodies, 4).

    Raises
    ------
    ScenarioError
        If it is no scenario, or a file that it names is wrong.
    PhysicsError
        If no scheme gives the true motion of its kind.

    Examples
    --------
    >>> import physics
    >>> scenario = physics.Scenario(kind="free", duration=1.0, step=0.01, schemes=["explicit"],
    ...     body={"shape": "cuboid", "size": [3, 2, 1], "mass": 1}, initial={"angular_velocity": [0, 0, 10]})
    >>> truth = physics.reference(scenario)
    >>> truth.valid_until, truth.orientation.shape
    (1.0, (101, 4))
    >>> off = truth.reference.degrees_off(physics.simulate(scenario)["explicit"])
    >>> bool(off[0] < 1e-9)
    True

    References
    ----------
    Gustafsson (2010), sections 4.1 and 4.3.2, for free bodies on which nothing acts; see ``physics.schemes.exact``.
    """
    world = Schedule.of(scenario).worlds()[-1].of_lane(lane or scenario.shown[0])
    found = reference_of(world)
    last = min(found.valid_until, world.scenario.duration)
    times = np.concatenate([[found.stretches[0].world.time], *(_stored(stretch.world) for stretch in found.stretches)])
    times = np.minimum(times[times <= last * (1.0 + ROUNDING)], last)
    states, none = found.states(times), np.zeros(len(times))
    block = Block(times, *states, none)
    number = np.searchsorted([stretch.end for stretch in found.stretches], times)
    parts = [measures(one.world, _rows(block, number == k)) for k, one in enumerate(found.stretches)]
    kinetic, potential, spin = (np.concatenate([part[name] for part in parts]) for name in MEASURES)
    return ReferenceTrajectory(
        found.source,
        times,
        *states,
        kinetic,
        potential,
        spin,
        none,
        bodies=world.body_names,
        valid_until=last,
        reference=found,
    )


def _stored(world: World) -> Array:
    """Times (n,) [s] after its start at which a lane stores its states in a world."""
    counts = [done + every * np.arange(1, rows + 1) for done, every, rows, _ in driver.stretches(world, sys.maxsize)]
    return np.asarray(world.time + world.scenario.step * np.concatenate([np.empty(0), *counts]))


def _rows(block: Block, where: NDArray[np.bool_]) -> Block:
    """Some states of a block."""
    return replace(block, **{name: getattr(block, name)[where] for name in ("time", *STATE, "contact")})


def references(worlds: Sequence[World], runs: Mapping[str, Trajectory]) -> Iterator[tuple[str, Reference]]:
    """The truth of each lane of runs, by its name: lanes that began alike in the same world share one.

    That of a lane with edits goes on from the states that the lane had then; of what was measured, from its own. Lanes
    that share one are its witnesses, see physics.simulation.witnesses.

    worlds : of the stretches, see Schedule. Where none can be had, its ``reason`` says why.
    """
    known: dict[tuple[str, int], Reference] = {}
    keys = {name: _key(worlds[-1].of_lane(name), name, run) for name, run in runs.items()}
    for name, key in keys.items():
        if key not in known:
            sharing = {other: runs[other] for other, its in keys.items() if its == key}
            try:
                known[key] = _witnessed(worlds[-1].of_lane(name), sharing)
            except PhysicsError as error:
                known[key] = Reference((), -math.inf, "", None, str(error))
        yield name, known[key]


def _starts(name: str, run: Trajectory) -> list[State]:
    """The states from which the errors of a lane count."""
    computed = bool(lane_of(name).scheme.kinds)  # what was measured has errors from its start on
    return [origin.state for origin in run.origins] if computed else []


def _key(world: World, name: str, run: Trajectory) -> tuple[str, int]:
    """The same for lanes with one truth."""
    return world.scenario.variant, id(run) if len(_starts(name, run)) > 1 else 0


def _witnessed(world: World, runs: Mapping[str, Trajectory]) -> Reference:
    """The truth of lanes that share one, as far as they bear it out."""
    (name, run), *_ = runs.items()
    starts, steps = _starts(name, run), frozenset(world.of_lane(lane).scenario.step for lane in runs)
    found = reference_of(world, starts, taken=steps)
    if found.source == "exact":
        return found
    doubt = doubted(found, runs, {lane: world.of_lane(lane).scenario.step for lane in runs})
    if doubt is None or (found.step is not None and found.source != SOURCE and found.step <= doubt.step):
        return _kept(found, min(steps))
    again = reference_of(world, starts, doubt.step, steps)
    if again.valid_until < doubt.since:
        return _kept(replace(found, valid_until=min(doubt.sure, found.valid_until), reason=doubt.reason), min(steps))
    return max(found, again, key=lambda one: one.valid_until) if _alike(found, again, run.time) else again


def _alike(one: Reference, other: Reference, times: Array) -> bool:
    """True if two truths are one as far as both are known, at times (n,) [s]."""
    known = times[times <= min(one.valid_until, other.valid_until)]
    (place, attitude, *_), (place2, attitude2, *_) = one.states(known), other.states(known)
    length = LENGTH * one.stretches[0].world.body.radius
    turned, moved = angle_between(attitude, attitude2), np.linalg.norm(place - place2, axis=-1)
    return bool((turned <= 2.0 * ANGLE).all() and (moved <= 2.0 * length).all())


def _kept(found: Reference, step: float) -> Reference:
    """A truth; none where it ends before the first step of any lane [s]."""
    begin = found.stretches[0].world.time
    if found.valid_until - begin >= min(step, found.stretches[-1].world.scenario.duration - begin) * (1.0 - ROUNDING):
        return found
    return Reference((), -math.inf, found.source, found.step, found.reason)


def reference_of(
    world: World, starts: Sequence[State] = (), longest: float = math.inf, taken: Collection[float] = ()
) -> Reference:
    """The true motion of a lane's world (see ``World.of_lane``) and of those before its edits.

    starts : states with which the lane began each stretch, from which errors count; without them the truth goes on
        from its own state
    longest, taken : see ``search``
    """
    found: list[Stretch] = []
    source, step, reason = "", None, ""
    worlds = (*world.earlier, world)
    for number, one in enumerate(worlds):
        if starts and number >= len(starts):
            break  # the lane ended before this edit
        if number:
            begin = (
                starts[number]
                if starts
                else State(found[-1].end, *(column[0] for column in found[-1].states(np.array([found[-1].end]))))
            )
            one = one.starting(begin)
        one, until, end = replace(one, earlier=()), one.scenario.duration, math.inf
        if number + 1 < len(worlds):  # an edit takes effect at the last full step
            until = end = one.time + one.scenario.step * whole_steps(until - one.time, one.scenario.step)
        if torque_free(one.scenario):
            found.append(Stretch(one, end, None, until))
            source, step = "exact", None
            continue
        truth = search(one, until, longest, taken)
        found.append(Stretch(one, end, truth.solution, truth.valid_until))
        source, step, reason = truth.source, truth.step, truth.reason
        if reason:
            break
    return Reference(tuple(found), found[-1].valid_until, source, step, reason, anew=len(starts) > 1)
