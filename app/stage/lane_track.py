"""The track of a lane, in coordinates near the origin, the actors that move with it, and samples of its recent past."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from app.playback.run import Lane
from app.playback.verdicts import departure
from app.stage.actor_group import ActorGroup
from app.theme import Theme, contrast, legible
from physics.analysis.comparison import Departure
from physics.core.rotation import Array, apply, matrix
from physics.core.separation import Separation
from physics.core.trajectory import State, Trajectory
from physics.simulation.reference import Reference
from physics.systems.world import World

KEPT = 4  # departures of a lane: a picture says those at its time, at the last one that is shown, and at the end
LEAST_CONTRAST = 3.3  # contrast of a lane's colour with the sky; thin lines, mixed with it, have 3


@dataclass(frozen=True)
class Pose:
    """Position, attitude and motion of a body as it is drawn at one time.

    position (3,) [m] of its centre of mass and ``place`` (3,) where it is drawn (a rock that would be too small to see
    is drawn larger, by ``scale``, and higher so that it stays above the ground); rotation (3, 3); velocity (3,) [m/s],
    omega (3,) [rad/s] and spin (3,) [kg m²/s] in the inertial frame, the spin about the point that stays if one does.
    """

    time: float
    position: Array
    rotation: Array
    velocity: Array
    omega: Array
    spin: Array
    place: Array
    scale: float = 1.0


class LaneTrack:
    """States of one body of a lane, shifted to the stage's origin: VTK counts in float32, maps in millions of metres.

    number : of the body; -1: the last one, whose track has those of all bodies; head : that track, for the others
    stretch : number of the edit after which the body is as it is drawn, 0 before the first; -1: the last
    alone : only the states from that edit to the next

    Attributes
    ----------
    bodies : the tracks of all bodies of a mechanism in their order; of a single body its own
    world : of the body as it is drawn, to the end of the motion
    whole, motion : the last world of all bodies, and their states
    """

    def __init__(
        self,
        lane: Lane,
        shift: Array,
        number: int = -1,
        head: LaneTrack | None = None,
        *,
        stretch: int = -1,
        alone: bool = False,
    ) -> None:
        count = len(lane.world.bodies)
        self.number = number % count
        last = lane.world.of_body(self.number)
        self._worlds = (*last.earlier, last)
        self.stretch, self._alone = stretch % len(self._worlds), alone
        self.scheme, self.whole, self.world = lane.scheme, lane.world, _lasting(self._worlds[stretch], lane.world)
        self.body = self.world.body
        self._lane, self._shift, self._head = lane, shift, head or self
        self.motion: Trajectory = lane.trajectory if head is None else head.motion
        self.run = self._of_motion()
        self.truth = lane.truth
        self.chosen = self.number  # of a mechanism: the body that cameras and Poinsot's curves follow
        self._posed: tuple[object, list[Pose]] | None = None  # the last ones, by time and rows known
        self._true: tuple[object, list[Pose]] | None = None  # likewise
        self._departed: dict[tuple[int, float | None], Departure | None] = {}  # by rows known, and time
        self._off: Separation | None = None  # of which they are
        self._since: LaneTrack | None = None
        turned = [(matrix(one.body.axes), one.moments) for one in self._worlds]
        # about the point that stays, in body axes, before and after each edit
        self._inertias = [axes @ (moments[:, None] * axes.T) for axes, moments in turned]
        others = [LaneTrack(lane, shift, other, self) for other in range(count - 1)] if head is None else []
        self.bodies: tuple[LaneTrack, ...] = (*others, self)

    def stand_out(self, theme: Theme) -> None:
        """Take the lane's colour, darkened or lightened to stand out from the sky of a theme."""
        self.scheme = row = self._lane.scheme
        if contrast(row.colour, theme.stage_top) < LEAST_CONTRAST:
            ink = legible(row.colour, replace(theme, panel=theme.stage_top), LEAST_CONTRAST)
            self.scheme = replace(row, colour=ink)

    def refresh(self) -> None:
        """Take over the states recorded since the last call, and the true motion once it is known."""
        motion, truth, old = self._lane.trajectory, self._lane.truth, self.motion
        if len(motion) == len(old) and motion.events is old.events and truth is self.truth:
            return  # for many bodies it takes a while
        for track in self.bodies:
            track.motion, track.truth = motion, truth
            track.run = track._of_motion()
        if self._since is not None:
            self._since.refresh()

    def _of_motion(self) -> Trajectory:
        """The states of the body in the motion."""
        run = self.motion.of_body(self.number)
        return run.of_stretch(self.stretch) if self._alone else run

    @property
    def since(self) -> LaneTrack:
        """The track of the motion from the edit after which the body is as it is drawn, or the start, to the next."""
        if len(self._worlds) == 1:
            return self
        if self._since is None:
            self._since = LaneTrack(self._lane, self._shift, stretch=self.stretch, alone=True)
            self._since.scheme = self.scheme
        return self._since

    @classmethod
    def at(cls, lane: Lane, shift: Array, time: float) -> LaneTrack:
        """The track with the body that it has at a time [s]."""
        return cls(lane, shift, stretch=int(lane.trajectory.stretch(time)))

    @property
    def begins(self) -> float:
        """The time [s] since which the body has had the shape that is drawn."""
        number = self.stretch
        while number > 0 and _of_one_shape(*self._worlds[number - 1 : number + 1]):
            number -= 1
        return self._worlds[number - 1].scenario.duration if number > 0 else 0.0

    @property
    def first(self) -> LaneTrack:
        """The track with the body at the start: one scale of arrows holds for all."""
        return self if self.stretch == 0 else LaneTrack(self._lane, self._shift, stretch=0)

    @property
    def largest(self) -> LaneTrack:
        """The track with the body where it is largest, for which cameras have room."""
        sizes = [one.body.radius for one in self._worlds]
        number = int(np.argmax(sizes))
        return self if sizes[number] == self.body.radius else LaneTrack(self._lane, self._shift, stretch=number)

    def behind(self, time: float) -> bool:
        """True if the state at a time [s], or the true motion, has become known since the last ``refresh``."""
        later = self.end < time and len(self._lane.trajectory) > len(self.motion)
        return later or self._lane.truth is not self.truth

    @property
    def finished(self) -> bool:
        """True once nothing more will be recorded."""
        return self._lane.recording.finished

    @property
    def end(self) -> float:
        """The last recorded time [s]."""
        return float(self.run.time[-1])

    def pose(self, time: float) -> Pose:
        """Pose of the body at a time [s]."""
        return self._head.poses(time)[self.number]

    @property
    def followed(self) -> LaneTrack:
        """The track of the chosen body; of a single body its own."""
        return self.bodies[self.chosen]

    def poses(self, time: float) -> list[Pose]:
        """Poses of all bodies of a mechanism at a time [s], kept for all that is drawn of them."""
        key = time, len(self.motion)
        if self._posed is None or self._posed[0] != key:
            self._posed = key, self._poses_in(self.motion.at(time))
        return self._posed[1]

    def true_poses(self, pose: Pose) -> list[Pose]:
        """The true poses of all bodies at the time of another pose, drawn as that one is; none where not known.

        Where the lane has ended, those at its end. Kept as ``poses`` keeps its own.
        """
        key = pose.time, self.truth, self.end
        if self._true is None or self._true[0] != key:
            states = self._true_states(pose.time)
            known = states is not None and not np.isnan(states[0][0]).any()
            found = self._poses_in(State(pose.time, *(column[0] for column in states))) if states and known else []
            self._true = key, found
        poses = self._true[1]
        if pose.place is pose.position:
            return poses
        aside = pose.place - pose.position
        return [replace(one, place=one.position + aside, scale=pose.scale) for one in poses]

    def departure(self, time: float | None = None) -> Departure | None:
        """The departure of the lane up to a time [s], or up to the scenario's end; None where none is known.

        The last few are kept, for all that says them in a picture.
        """
        if self._off is not (off := self._lane.off):
            self._off, self._departed = off, {}
        kept, key = self._departed, (len(self.motion), time)
        if key not in kept:
            if len(kept) == KEPT:
                del kept[next(iter(kept))]
            kept[key] = departure(self._lane, time)
        return kept[key]

    def _true_states(self, time: float) -> tuple[Array, ...] | None:
        """True states at a time [s] and at that of the last state stored before, columns of two rows; None: unknown."""
        if self.truth is None:
            return None
        return _states(self.truth, (min(time, self.end), float(self.motion.time[self.motion.index(time)])))

    def _poses_in(self, state: State) -> list[Pose]:
        """Poses of all bodies in a state in the coordinates of the map."""
        if state.position.ndim == 1:
            return [self._pose(state)]
        turns, places = matrix(state.orientation), state.position - self._shift
        rates = np.einsum("bij,bj->bi", turns, state.angular_velocity)
        inertias = np.array([one._inertias[0] for one in self.bodies])  # a mechanism has no edits
        spins = np.einsum("bij,bjk,bk->bi", turns, inertias, state.angular_velocity)
        columns = zip(places, turns, state.velocity, rates, spins, strict=True)
        return [Pose(state.time, place, turn, v, w, spin, place) for place, turn, v, w, spin in columns]

    def _pose(self, state: State) -> Pose:
        """The pose of a single body."""
        rotation = matrix(state.orientation)
        position = state.position - self._shift
        number = int(self.motion.stretch(state.time))
        world = self._worlds[number]
        if world.arm is not None:  # it must not leave its point between stored states
            position = rotation @ world.arm
        rotors = world.rotor_spin(np.array([state.time]), state.angular_velocity[None])[0]
        spin = rotation @ (self._inertias[number] @ state.angular_velocity + rotors)
        return Pose(state.time, position, rotation, state.velocity, rotation @ state.angular_velocity, spin, position)

    def foot(self, pose: Pose) -> Array:
        """Foot (3,) [m] of arrows at a pose: the fixed point, or else the body as it is drawn."""
        return np.zeros(3) if self.world.arm is not None else pose.place

    def stored(self, time: float) -> State:
        """The last stored state at or before a time [s], in the coordinates of the map."""
        i, run = self.run.index(time), self.run
        return State(float(run.time[i]), run.position[i], run.orientation[i], run.velocity[i], run.angular_velocity[i])

    def positions(self, times: Array) -> Array:
        """Centres of mass (n, 3) [m] at times (n,) [s], held at both ends."""
        return self._mixed(self.run.position, times) - self._shift

    def measured(self, times: Array, quantity: str, point: Array | None = None) -> Array:
        """Quantity at times (n,) [s]: "energy" [J] of motion, "speed" [m/s], "rotation" [rad/s], "height" [m].

        point : (3,) of the body, from where it is drawn around, whose speed and height are meant; None: its centre of
            mass, whose height is that above the ground
        """
        run, i = self.run, self._bracket(times)[0]
        if quantity == "energy":
            return run.kinetic_energy[i]
        if quantity == "rotation":
            return np.asarray(np.linalg.norm(run.angular_velocity[i], axis=1))
        stays = self.world.arm is not None  # the origin is the fixed point that the body turns about
        if quantity == "speed":
            velocity = 0.0 if stays else run.velocity[i]
            swing = 0.0 if point is None else apply(run.orientation[i], np.cross(run.angular_velocity[i], point))
            return np.asarray(np.linalg.norm(velocity + swing, axis=1))
        x, y, z = run.position[i].T
        if point is not None:
            return np.asarray((0.0 if stays else z) + apply(run.orientation[i], point)[:, 2])
        return np.asarray(z - self.world.terrain.heights_at(x, y) if self.world.terrain is not None else z)

    def spins(self, times: Array) -> Array:
        """Angular momenta (n, 3) [kg m²/s] at times (n,) [s]."""
        return self._mixed(self.run.spin, times)

    def rates(self, times: Array) -> Array:
        """Angular velocities in the body frame (n, 3) [rad/s] at times (n,) [s]."""
        return self._mixed(self.run.angular_velocity, times)

    def spins_in_body(self, times: Array) -> Array:
        """Angular momenta in the body frame (n, 3) [kg m²/s] at times (n,) [s], those of rotors included."""
        rates = self.rates(times)
        spins, numbers = np.empty_like(rates), self.motion.stretch(times)
        numbers[:] = self.stretch if self._alone else numbers
        for number in np.unique(numbers):
            rows, world = numbers == number, self._worlds[number]
            spins[rows] = world.body.spin(rates[rows]) + world.rotor_spin(times[rows], rates[rows])
        return spins

    def points(self, times: Array, point: Array) -> Array:
        """A point of the body, (3,) or one for each time (n, 3), in inertial axes from its centre of mass, (n, 3)."""
        return apply(self.attitudes(times), point)

    def attitudes(self, times: Array) -> Array:
        """Unit quaternions (n, 4), body -> inertial, at times (n,) [s]."""
        i, j, f = self._bracket(times)
        p, q = self.run.orientation[i], self.run.orientation[j]
        q = np.where(np.sum(p * q, axis=1, keepdims=True) < 0, -q, q)
        mixed = p + f[:, None] * (q - p)
        return np.asarray(mixed / np.linalg.norm(mixed, axis=1, keepdims=True))

    def _mixed(self, column: Array, times: Array) -> Array:
        i, j, f = self._bracket(times)
        return np.asarray(column[i] + f[:, None] * (column[j] - column[i]))

    def _bracket(self, times: Array) -> tuple[NDArray[np.intp], NDArray[np.intp], Array]:
        """The rows before and after times (n,) [s], and the shares of the way from one to the other."""
        known = self.run.time
        i = np.maximum(np.searchsorted(known, times, side="right") - 1, 0)  # np.clip would take half as long as all
        j = np.minimum(i + 1, len(known) - 1)
        before = known[i]
        f = (times - before) / np.maximum(known[j] - before, 1e-200)  # at the end, where i is j, f is no matter
        return i, j, np.minimum(np.maximum(f, 0.0), 1.0)


def _lasting(world: World, whole: World) -> World:
    """A world that ends with an edit, to the end of the whole motion."""
    if (duration := whole.scenario.duration) == world.scenario.duration:
        return world
    return replace(world, scenario=world.scenario.model_copy(update={"duration": duration}))


def _of_one_shape(one: World, other: World) -> bool:
    """True if bodies look alike, and stay at the same point if at any."""
    a, b = (np.zeros(3) if world.arm is None else world.arm for world in (one, other))
    return np.array_equal(one.body.vertices, other.body.vertices) and np.array_equal(a, b)


@lru_cache(maxsize=4)
def _states(truth: Reference, times: tuple[float, ...]) -> tuple[Array, ...]:
    """States of a truth at times [s], kept for lanes that share it: of a free body they take 0.3 ms."""
    return truth.states(np.array(times))


class PosedGroup(ActorGroup, ABC):
    """Actors that follow the present pose of the body."""

    @abstractmethod
    def show(self, pose: Pose) -> None:
        """Move to a pose."""


class TrackedGroup(ActorGroup, ABC):
    """Actors that depend on the past of the body too."""

    @abstractmethod
    def show(self, track: LaneTrack, pose: Pose) -> None:
        """Move to a pose."""


MEMORY = 320.0  # [rad] of rotation that the curves remember
POINTS = 3000  # along a curve

Sample = Callable[[Array], Array]  # values (m, ...) at times (m,) [s]


class RecentSamples:
    """Values of a track over the last ``seconds``, (points, ...): at a time and at fixed times before it.

    The fixed times are kept from picture to picture: while a run plays on, few values are new. Before the body began to
    have the shape that is drawn, the first value holds.
    """

    def __init__(self, track: LaneTrack, seconds: float, points: int, sample: Sample) -> None:
        self._track, self._sample, self._n = track, sample, points
        self.seconds, self._step, self._begins = seconds, seconds / (points - 1), track.begins
        self._last: int | None = None  # number of the last fixed time whose value is kept
        self._values = np.zeros((points, 0))

    def at(self, time: float) -> Array:
        """The values up to a time [s], oldest first; not to be changed."""
        last = int(np.floor(time / self._step)) if self._step > 0.0 else 0
        new = self._n - 1 if self._last is None else last - self._last
        if not 0 <= new < self._n - 1:
            new = self._n - 1
        times = self._step * np.arange(last - new + 1, last + 2)
        times[-1] = time
        fresh = self._sample(np.maximum(times, self._begins))
        if new == self._n - 1:
            self._values = fresh
        else:
            self._values[: -1 - new] = self._values[new:-1].copy()
            self._values[-1 - new :] = fresh
        # what was not yet recorded is held at the last state: not to be kept
        kept = self._track.finished or last * self._step <= self._track.end
        self._last = last if kept else None
        return self._values


def lately(track: LaneTrack, sample: Sample, angle: float = MEMORY, points: int = POINTS) -> RecentSamples:
    """Samples of a free body over its last rotation by an angle [rad]."""
    rate = float(np.linalg.norm(track.run.angular_velocity[0]))
    return RecentSamples(track, min(angle / max(rate, 1e-9), track.world.scenario.duration), points, sample)
