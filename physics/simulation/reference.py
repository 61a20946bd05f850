"""The true motion of a scenario, as far as it can be known, and how far a lane is off it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from physics.core.cancellation import check_wanted
from physics.core.errors import PhysicsError
from physics.core.rotation import Array, angle_between, multiply
from physics.core.separation import Separation, separation
from physics.core.trajectory import STATE, Block, Event, State, Trajectory, row_shape
from physics.scenario.scenario import Scenario
from physics.schemes import SCHEMES
from physics.schemes.lane import lane_of
from physics.simulation.exact_motion import exact_motion
from physics.simulation.schedule import Schedule, measures
from physics.systems import system_of, torque_free
from physics.systems.free.rotating_world import FreeWorld
from physics.systems.free.rotation_stream import flight
from physics.systems.world import World

ANGLE = math.radians(0.01)  # two solutions, one with half the step of the other, agree up to here
LENGTH = 1e-4  # the same for places, in radii of the body
TOUCHING = 0.5  # of both where the body touches something: errors may fall with the root of the step alone
KINKED, CURVED = 2.0, 8.0  # of both, between every second state: with contact and without, see _known_until
ROWS = 100_000  # states of a solution that are kept
COARSER = 4.0, 32.0  # the first step, of the scenario's: with contact and without
TURN = 0.05, 0.5  # [rad] of the first step at most, likewise
AHEAD = 2.0  # times the time for which two solutions agree: how far the next ones go, where all of it is too much
HALVINGS = 40
ROUNDING = 1e-6  # of a run's duration, by which its last step may pass it, see physics.core.step_count
MEASURES = ("kinetic_energy", "potential_energy", "spin")


@dataclass(frozen=True)
class Solution:
    """Stored states of a solution: columns as in Trajectory."""

    time: Array
    position: Array
    orientation: Array
    velocity: Array
    angular_velocity: Array

    def at(self, times: Array) -> tuple[Array, Array, Array, Array]:
        """Position, orientation, velocity and angular velocity at times (n,) [s], by cubics between stored states.

        Each cubic has the states and their rates of change at both ends; the last one goes on a little.
        """
        i = np.clip(np.searchsorted(self.time, times, side="right") - 1, 0, max(len(self.time) - 2, 0))
        j = np.minimum(i + 1, len(self.time) - 1)
        span = self.time[j] - self.time[i]
        f = np.clip((times - self.time[i]) / np.where(span > 0.0, span, 1.0), 0.0, 1.5)
        span, f = (x.reshape(-1, *[1] * (self.position.ndim - 1)) for x in (span, f))
        (p, q), (v, w) = ([column[k] for k in (i, j)] for column in (self.orientation, self.angular_velocity))
        near = np.where(np.sum(p * q, axis=-1, keepdims=True) < 0.0, -1.0, 1.0)
        turned = _cubic(p, _rate(p, v), near * q, near * _rate(q, w), span, f)
        return (
            _cubic(self.position[i], self.velocity[i], self.position[j], self.velocity[j], span, f),
            turned / np.linalg.norm(turned, axis=-1, keepdims=True),
            self.velocity[i] + f * (self.velocity[j] - self.velocity[i]),
            v + f * (w - v),
        )


def _rate(q: Array, w: Array) -> Array:
    """Rates of change (..., 4) of attitudes (..., 4) with angular velocities (..., 3) [rad/s]."""
    return 0.5 * multiply(q, np.concatenate([np.zeros_like(w[..., :1]), w], axis=-1))


def _cubic(a: Array, da: Array, b: Array, db: Array, span: Array, f: Array) -> Array:
    """Values at shares f (n, 1, ...) between a and b, with rates of change da and db there."""
    g = 1.0 - f
    return np.asarray(g * g * ((1.0 + 2.0 * f) * a + f * span * da) + f * f * ((1.0 + 2.0 * g) * b - g * span * db))


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
    """The true motion of a lane's world, whose states are arrays (n, 3) and (n, 4), of b bodies (n, b, 3 or 4).

    What of several bodies is compared, see physics.core.separation.

    Attributes
    ----------
    stretches : one for the start and one for each edit, each from the state with which the lane began it
    valid_until : time [s] up to which it is known to 0.01 degrees and 1e-4 of the body's radius; 0: no truth is known
    source : "exact", or the scheme of the solution
    step : of the solution [s]; None for the exact one
    reason : why it ends before the scenario does, one sentence; "" where it does not
    """

    stretches: tuple[Stretch, ...]
    valid_until: float
    source: str
    step: float | None
    reason: str

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
        """Of the columns of a state."""
        bodies = self.stretches[0].world.position.shape[:-1] if self.stretches else ()
        return [row_shape(name, sum(bodies)) for name in STATE]

    def at(self, time: float) -> State | None:
        """The state at a time [s]; None after ``valid_until``."""
        found = [column[0] for column in self.states(np.array([time]))]
        return None if np.isnan(found[0]).any() else State(time, *found)

    def separation(self, run: Trajectory) -> Separation:
        """How far the rows of a run are off the truth; NaN without a truth.

        Of a mechanism that edits changed, the phase about an axle leads where it does in any of its stretches.
        """
        true, worlds = self._of(run), [stretch.world for stretch in self.stretches]
        if not worlds:
            return separation((run.position, run.orientation), (true.position, true.orientation), math.inf)
        axles = [
            each[-1] if all(axle is not None for axle in each) else None
            for each in zip(*(world.axles for world in worlds), strict=True)
        ]
        states = (run.position, run.orientation), (true.position, true.orientation)
        return separation(*states, worlds[0].length, axles, worlds[-1].symmetry_axis)

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
    """The true motion at the times (n,) [s] at which a lane stores its states, as far as it is known.

    valid_until : time [s] up to which it is known, see Reference
    reference : the same motion at any time, with its source, its accuracy, and how far a run is off it
    """

    valid_until: float = 0.0
    reference: Reference = Reference((), 0.0, "", None, "")


def reference(scenario: Scenario, lane: str | None = None) -> ReferenceTrajectory:
    """The true motion of a scenario: of a lane with a variant or a start of its own, or of the first one.

    Free bodies on which nothing acts have the exact solution. All others are solved by the most accurate scheme that
    serves them, with its step halved until two solutions agree to 0.01 degrees and 1e-4 of the body's radius, or the
    work becomes too large: then ``valid_until`` [s] is the time at which the last two part. Contact makes a motion so
    sensitive that this is soon. Its states are arrays (n, 3) and (n, 4), its errors (n,).

    Through edits, the true motion goes on from its own state. Raises ScenarioError where a file that the scenario names
    is wrong.

    >>> import physics
    >>> scenario = physics.Scenario(kind="free", duration=1.0, step=0.01, schemes=["explicit"],
    ...     body={"shape": "cuboid", "size": [3, 2, 1], "mass": 1}, initial={"angular_velocity": [0, 0, 10]})
    >>> truth = physics.reference(scenario)
    >>> truth.valid_until, truth.orientation.shape
    (1.0, (101, 4))
    >>> off = truth.reference.degrees_off(physics.simulate(scenario)["explicit"])
    >>> bool(off[0] < 1e-9)
    True
    """
    world = Schedule.of(scenario).worlds()[-1].of_lane(lane or scenario.shown[0])
    found = reference_of(world)
    stored = world.scenario.step * world.scenario.record_every
    last = min(found.valid_until, world.scenario.duration)
    times = np.minimum(stored * np.arange(math.floor(last / stored * (1.0 + ROUNDING)) + 1), last)
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


def _rows(block: Block, where: NDArray[np.bool_]) -> Block:
    """Some states of a block."""
    return replace(block, **{name: getattr(block, name)[where] for name in ("time", *STATE, "contact")})


def references(worlds: Sequence[World], runs: Mapping[str, Trajectory]) -> Iterator[tuple[str, Reference]]:
    """The truth of each lane of runs, by its name: lanes that began alike in the same world share one.

    That of a lane with edits goes on from the states that the lane had then; of what was measured, from its own.

    worlds : of the stretches, see Schedule. Where none can be had, its ``reason`` says why.
    """
    known: dict[tuple[str, int], Reference] = {}
    for name, run in runs.items():
        world = worlds[-1].of_lane(name)
        computed = bool(lane_of(name).scheme.kinds)  # what was measured has errors from its start on
        starts = [origin.state for origin in run.origins] if computed else []
        key = world.scenario.variant, id(run) if len(starts) > 1 else 0
        if key not in known:
            try:
                known[key] = reference_of(world, starts)
            except PhysicsError as error:
                known[key] = Reference((), -math.inf, "", None, str(error))
        yield name, known[key]


def reference_of(world: World, starts: Sequence[State] = ()) -> Reference:
    """The true motion of a lane's world (see ``World.of_lane``) and of those before its edits.

    starts : states with which the lane began each stretch, from which errors count; without them the truth goes on
        from its own state
    """
    found: list[Stretch] = []
    source, step, reason = "", None, ""
    worlds = (*world.earlier, world)
    for number, one in enumerate(worlds):
        last = number + 1 == len(worlds)
        end = math.inf if last else one.scenario.duration
        if starts and number >= len(starts):
            break  # the lane ended before this edit
        if number:
            begin = (
                starts[number]
                if starts
                else State(found[-1].end, *(column[0] for column in found[-1].states(np.array([found[-1].end]))))
            )
            one = one.starting(begin)
        stretch, source, step, reason = _stretch(replace(one, earlier=()), end)
        found.append(stretch)
        if reason:
            break
    return Reference(tuple(found), found[-1].valid_until, source, step, reason)


def _stretch(world: World, end: float) -> tuple[Stretch, str, float | None, str]:
    """The truth from a world's start to an end [s], its source and step, and why it ends before."""
    row = system_of(world.scenario)
    begin, until = world.time, min(end, world.scenario.duration)
    if torque_free(world.scenario):
        return Stretch(world, end, None, until), "exact", None, ""
    name, most = row.reference[0], row.reference[1] / row.effort(world)
    if not row.reference[1]:
        raise PhysicsError(f"no scheme gives the true motion of kind '{world.scenario.kind}'")
    if not begin < until:  # the first sample of what was measured may be late
        return Stretch(world, end, _solved(world, name, world.scenario.step, 0)[0], begin), name, None, ""
    first = COARSER[row.smooth] * world.scenario.step
    fastest = float(np.linalg.norm(world.angular_velocity)) / TURN[row.smooth]
    n = whole = math.ceil(min(max((until - begin) / first, (until - begin) * fastest), most / 8.0))
    step = (until - begin) / n
    coarse, _ = _solved(world, name, step, n)
    spent = n
    for _ in range(HALVINGS):
        fine, fault = _solved(world, name, 0.5 * step, 2 * n)
        spent += 2 * n
        valid, agreed = _known_until(coarse, fine, world.body.radius, row.smooth)
        if agreed and n == whole and (fault is None or not fault.failed):
            break
        known, onward = (valid - begin) / step, n
        if spent + 6 * n > most:  # half a step for all of it is too much: see what is near
            onward = min(whole, max(1, math.ceil(AHEAD * known)), int((most - spent) / 6.0))
            if onward < max(known, 1.0):
                break
        if onward != n:
            n = onward
            fine, _ = _solved(world, name, 0.5 * step, 2 * n)
            spent += 2 * n
        coarse, step, n, whole = fine, 0.5 * step, 2 * n, 2 * whole
    if agreed and n == whole and fault is None:
        return Stretch(world, end, fine, until), name, 0.5 * step, ""
    why = f"solutions with steps of {step:.2g} and {0.5 * step:.2g} s part at {valid:.3g} s"
    if agreed:
        why = f"solutions agree up to {valid:.3g} s; the rest takes too many steps of {0.5 * step:.2g} s"
        why = why if fault is None else fault.text
    return Stretch(world, end, fine, valid), name, 0.5 * step, why


def _solved(world: World, name: str, step: float, count: int) -> tuple[Solution, Event | None]:
    """States of a scheme after up to so many steps [s], and the event that ended it before.

    A body that rests stays where it is.
    """
    until, every = world.time + count * step, 1
    while count > ROWS * every:
        every *= 2
    scenario = world.scenario.model_copy(update={"step": step, "record_every": every, "duration": until})
    blocks, events = [], dict[str, Event]()
    for block in system_of(scenario).stream(replace(world, scenario=scenario), SCHEMES[name], 4096):
        check_wanted()
        blocks.append(block)
        events |= {event.kind: event for event in block.events}
        if count == 0:
            break
    columns = {column: np.concatenate([getattr(block, column) for block in blocks]) for column in ("time", *STATE)}
    if "rest" in events and columns["time"][-1] < until:
        for column, values in columns.items():
            still = 0.0 if "velocity" in column else 1.0
            columns[column] = np.concatenate([values[:-1], still * values[-1:], still * values[-1:]])
        columns["time"][-1] = until
    return Solution(**columns), events.get("failed-solve", events.get("left-map"))


def _known_until(coarse: Solution, fine: Solution, radius: float, smooth: bool) -> tuple[float, bool]:
    """Time [s] up to which two solutions agree and cubics are right, and whether that is where the first one ends."""
    share = 1.0 if smooth else TOUCHING
    end = min(coarse.time[-1], fine.time[-1])
    valid = min(_apart_at(coarse, fine, share * ANGLE, share * LENGTH * radius, end), end)
    # cubics over twice the distance err at least twice as much, and 16 times as much where the motion is smooth
    wide = Solution(*(getattr(fine, column)[::2] for column in ("time", *STATE)))
    between = Solution(*(getattr(fine, column)[1:-1:2] for column in ("time", *STATE)))
    share = CURVED if smooth else KINKED
    valid = min(_apart_at(between, wide, share * ANGLE, share * LENGTH * radius, end), valid)
    return float(valid), bool(valid == end)


def _farthest(values: Array) -> Array:
    """The largest value (n,) of all bodies (n, b), or of the only one (n,)."""
    return values if values.ndim == 1 else np.asarray(values.max(axis=1))


def _apart_at(one: Solution, other: Solution, angle: float, length: float, end: float) -> float:
    """The last time [s] of stored states of one at which another is as near, or infinite where all up to an end are."""
    time = one.time[one.time <= end]
    position, orientation, _, _ = other.at(time)
    turned = _farthest(angle_between(one.orientation[: len(time)], orientation))
    moved = _farthest(np.linalg.norm(one.position[: len(time)] - position, axis=-1))
    parted = np.flatnonzero(~((turned <= angle) & (moved <= length)))
    if not len(parted):
        return math.inf
    return float(one.time[parted[0] - 1] if parted[0] else other.time[0])
