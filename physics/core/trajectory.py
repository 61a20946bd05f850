"""Trajectories: the columns of a run, what is derived from them, and a recording that grows while it is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from physics.core.errors import ScenarioError
from physics.core.rotation import Array, slerp
from physics.core.separation import Separation
from physics.core.wording import N_

DOUBT = "doubt"  # the kind of an event on numbers that cannot be right, see physics.simulation.audit


@dataclass(frozen=True)
class Event:
    """Something that a viewer should know: an impact, a failed solve, the end of a run.

    kind : ``"rest" | "left-map" | "end" | "failed-solve" | "unsolved-contact" | "impact" | "lift-off" | "barrier" |
        "tree" | "tree-broken"``, of a measured motion ``"saturation" | "gap" | "drift"``, or DOUBT
    time : [s]
    text : one sentence for people, with the remedy where there is one
    number : of the tree that was met, else -1
    """

    kind: str
    time: float
    text: str
    number: int = -1

    @property
    def failed(self) -> bool:
        """True if a step had no solution."""
        return self.kind == "failed-solve"

    @property
    def doubtful(self) -> bool:
        """True if it says that numbers cannot be right."""
        return self.kind == DOUBT


@dataclass(frozen=True)
class Block:
    """Consecutive stored states as a system yields them; arrays as in Trajectory, of several bodies (n, b, 3 or 4)."""

    time: Array
    position: Array
    orientation: Array
    velocity: Array
    angular_velocity: Array
    contact: Array
    events: tuple[Event, ...] = ()
    steps: int = 0  # steps taken since the block before


@dataclass(frozen=True)
class State:
    """One state: position (3,) [m], orientation (4,), velocity (3,) [m/s], angular velocity (3,) [rad/s].

    Of a mechanism of b bodies: (b, 3) and (b, 4).
    """

    time: float
    position: Array
    orientation: Array
    velocity: Array
    angular_velocity: Array

    def of_body(self, number: int) -> State:
        """The state of one body of a mechanism; a state of one body is its own."""
        if self.position.ndim == 1:
            return self
        return State(self.time, *(getattr(self, name)[number] for name in STATE))


@dataclass(frozen=True)
class Origin:
    """The state from which the errors of a motion count: its start, or the one from which it goes on after an edit.

    Attributes
    ----------
    state : there
    energy : total, by the laws that hold from there on [J]
    spin : (3,) inertial [kg m²/s], likewise
    energy_scale : what errors of the energy are shares of [J]: the kinetic energy there, and the potential energy
        above the least that the body can have
    spin_scale : what errors of the spin are shares of [kg m²/s]: its size there
        Either is 0 where there is nothing, of which no error is a share.
    """

    state: State
    energy: float
    spin: Array
    energy_scale: float
    spin_scale: float


@dataclass(frozen=True)
class Trajectory:
    """Stored states of one lane, with the column names and units of its files.

    Attributes
    ----------
    scheme : str
        Name of the lane.
    time : ndarray, (n,)
        Times of the stored states [s].
    position : ndarray, (n, 3)
        Centre of mass in the inertial frame [m].
    orientation : ndarray, (n, 4)
        Unit quaternions, scalar first, from the body frame to the inertial frame.
    velocity : ndarray, (n, 3)
        Velocity of the centre of mass in the inertial frame [m/s].
    angular_velocity : ndarray, (n, 3)
        Angular velocity in the body frame [rad/s].
    kinetic_energy, potential_energy : ndarray, (n,)
        Energies [J].
    spin : ndarray, (n, 3)
        Angular momentum in the inertial frame, about the centre of mass or the point that holds the body [kg m²/s].
    contact : ndarray, (n,)
        Points that touch, the most in a step since the row before; 0 where the body has touched nothing since.
    events : tuple of Event
        Impacts, failed solves and the end of the run.
    steps : int
        Number of steps taken.
    wall_time : float
        Time spent computing [s], without compiling.
    files : mapping
        Digests of the files that the scenario names, see ``physics.scenario.file_references``.
    crs : str or None
        Coordinate system of the map; None where unknown.
    origins : tuple of Origin
        States from which errors count, one for the start and one for each edit; (): the first row.
    off : Separation or None
        How far the rows are off the true motion, see ``physics.simulation.reference``; None: not compared with it.
    bodies : tuple of str
        Names of the b bodies of a mechanism, whose position, orientation, velocity and angular_velocity are (n, b, 3)
        or (n, b, 4), and whose energies and spin are those of all bodies together; (): one body, with columns as above.

    Examples
    --------
    >>> import physics
    >>> scenario = physics.Scenario(kind="free", duration=1.0, step=0.01, schemes=["implicit"],
    ...     body={"shape": "cuboid", "size": [3, 2, 1], "mass": 1}, initial={"angular_velocity": [0.1, 5, 0.1]})
    >>> run = physics.simulate(scenario)["implicit"]
    >>> len(run), run.orientation.shape
    (101, (101, 4))
    >>> bool(abs(run.total_energy - run.total_energy[0]).max() < 1e-10)
    True
    >>> run.at(0.505).angular_velocity.shape
    (3,)
    """

    scheme: str
    time: Array
    position: Array
    orientation: Array
    velocity: Array
    angular_velocity: Array
    kinetic_energy: Array
    potential_energy: Array
    spin: Array
    contact: Array
    events: tuple[Event, ...] = ()
    steps: int = 0
    wall_time: float = 0.0  # [s] spent computing, compiling not counted
    files: Mapping[str, str] = field(default_factory=dict)
    crs: str | None = None
    origins: tuple[Origin, ...] = ()
    off: Separation | None = None
    bodies: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.time)

    def of_body(self, number: int) -> Trajectory:
        """The motion of one body of a mechanism, as that of a single body; a run of one body is its own.

        Energies, spin and events stay those of the mechanism.
        """
        if not self.bodies:
            return self
        origins = tuple(replace(origin, state=origin.state.of_body(number)) for origin in self.origins)
        columns = {name: getattr(self, name)[:, number] for name in STATE}
        return replace(self, bodies=(), origins=origins, **columns)

    def rows(self, index: NDArray[Any] | slice) -> Trajectory:
        """Some of its rows, by their numbers; their errors count from where those of all rows do."""
        columns = {name: getattr(self, name)[index] for name in COLUMNS}
        off = None if self.off is None else self.off.rows(index)
        return replace(self, origins=self._origins, off=off, **columns)

    @property
    def start(self) -> State:
        """The state in which the motion began."""
        return self._origins[0].state

    def origin(self, row: int) -> Origin:
        """The state from which the errors of a row count."""
        return self._origins[int(self.stretch(self.time[row]))]

    @property
    def stretches(self) -> NDArray[np.intp]:
        """The number of the origin of each row (n,): 0 before the first edit."""
        return self.stretch(self.time)

    def stretch(self, times: ArrayLike) -> NDArray[np.intp]:
        """The number of the origin of states at times (n,) [s], as ``stretches`` has it."""
        begins = [origin.state.time for origin in self._origins]
        return np.asarray(np.maximum(np.searchsorted(begins, times) - 1, 0), np.intp)

    def of_stretch(self, number: int) -> Trajectory:
        """Its rows from one of its origins up to the next, with the state from which they go on."""
        origin, *after = self._origins[number:]
        until = self.index(after[0].state.time) + 1 if after else len(self)
        rows = self.rows(slice(self.index(origin.state.time), until))
        return replace(rows, origins=(origin,))

    def since(self, name: str) -> Array:
        """A value of the origin of each row, (n,) or (n, 3)."""
        return np.array([getattr(origin, name) for origin in self._origins])[self.stretches]

    @property
    def _origins(self) -> tuple[Origin, ...]:
        return self.origins or (self._first(),)

    def _first(self) -> Origin:
        """The first row; nothing is known of the least potential energy."""
        state = State(float(self.time[0]), *(getattr(self, name)[0] for name in STATE))
        kinetic, size = float(self.kinetic_energy[0]), float(np.linalg.norm(self.spin[0]))
        energy = kinetic + float(self.potential_energy[0])
        return Origin(state, energy, self.spin[0], kinetic or float(self.kinetic_energy.max()), size)

    @property
    def total_energy(self) -> Array:
        """Kinetic and potential energy (n,) [J]."""
        return self.kinetic_energy + self.potential_energy

    def index(self, time: float) -> int:
        """The last stored state at or before the time [s] (the first one for earlier times)."""
        return max(0, int(np.searchsorted(self.time, time * (1 + 1e-12), side="right")) - 1)

    def at(self, time: float) -> State:
        """The state at a time [s], interpolated between stored states, held at both ends."""
        i = self.index(time)
        j = min(i + 1, len(self) - 1)
        span = self.time[j] - self.time[i]
        f = float(min(max((time - self.time[i]) / span, 0.0), 1.0)) if span > 0 else 0.0

        def mix(column: Array) -> Array:
            return np.asarray(column[i] + f * (column[j] - column[i]), float)

        return State(
            time,
            mix(self.position),
            slerp(self.orientation[i], self.orientation[j], f),
            mix(self.velocity),
            mix(self.angular_velocity),
        )


COLUMNS = {  # name -> (width, unit): the stored columns of a trajectory, in the order of the files
    "time": (1, "s"),
    "position": (3, "m"),
    "orientation": (4, ""),
    "velocity": (3, "m/s"),
    "angular_velocity": (3, "rad/s"),
    "kinetic_energy": (1, "J"),
    "potential_energy": (1, "J"),
    "spin": (3, "kg m²/s"),
    "contact": (1, ""),
}

STATE = ("position", "orientation", "velocity", "angular_velocity")  # the columns of a State beside the time
# fields of recording and trajectory beside their columns
BESIDE = ("events", "steps", "wall_time", "files", "crs", "origins", "off", "bodies")


def row_shape(column: str, bodies: int = 0) -> tuple[int, ...]:
    """The shape of a row of a stored column: of one body () or (width,), of a mechanism's bodies (bodies, width)."""
    width, _ = COLUMNS[column]
    if column in STATE and bodies:
        return (bodies, width)
    return () if width == 1 else (width,)


def _finite_rows(columns: dict[str, Array]) -> int:
    """Number of rows, from the first on, with finite numbers only."""
    rows = len(columns["time"])
    if all(np.isfinite(values).all() for values in columns.values()):
        return rows
    good = np.ones(rows, bool)
    for values in columns.values():
        good &= np.isfinite(values).reshape(rows, -1).all(axis=1)
    return int(np.argmin(good))


class Recording:
    """Columns that one worker appends to and any thread reads without a lock.

    The worker writes rows first and publishes the length last, so a reader sees whole rows only. Memory is
    reserved in pieces that double; a reader that holds an older piece keeps valid rows. ``measures`` computes the
    energies and the spin of a block; a worker may change it between blocks. ``files``, ``crs``: as in Trajectory.
    ``off`` too: it is set when all rows are recorded and the truth is known. ``bodies``: as in Trajectory.
    """

    def __init__(
        self, scheme: str, measures: Callable[[Block], dict[str, Array]], bodies: tuple[str, ...] = ()
    ) -> None:
        self.scheme, self.measures, self.bodies = scheme, measures, bodies
        self.events: tuple[Event, ...] = ()
        self.steps, self.wall_time, self.finished = 0, 0.0, False
        self.files: Mapping[str, str] = {}
        self.crs: str | None = None
        self.origins: tuple[Origin, ...] = ()
        self.off: Separation | None = None
        self._columns = {name: np.empty((1024, *row_shape(name, len(bodies)))) for name in COLUMNS}
        self._view: tuple[dict[str, Array], int] = (self._columns, 0)

    @staticmethod
    def of(trajectory: Trajectory) -> Recording:
        """A recording that is finished and holds a trajectory, without copying."""
        made = Recording(trajectory.scheme, lambda block: {}, trajectory.bodies)
        for name in BESIDE:
            setattr(made, name, getattr(trajectory, name))
        made.finished = True
        made._view = ({name: getattr(trajectory, name) for name in COLUMNS}, len(trajectory))
        return made

    def __len__(self) -> int:
        return self._view[1]

    def append(self, block: Block, wall_time: float = 0.0) -> bool:
        """Add a block of states; energies and spin are computed here, once.

        No number that is not finite is stored: where one would be, the recording ends with an event, and the answer is
        False. Raises ScenarioError where the first state of all has one.
        """
        columns = {name: getattr(block, name) for name in COLUMNS if hasattr(block, name)} | self.measures(block)
        if (whole := _finite_rows(columns)) < len(block.time):
            block, columns = self._ended(block, whole), {name: values[:whole] for name, values in columns.items()}
        first, n, going = len(self), len(self) + whole, whole == len(block.time)
        self._write(columns, first, n)
        self.events += block.events
        self.steps += block.steps
        self.wall_time += wall_time
        self._view = (self._columns, n)
        return going

    def _write(self, columns: Mapping[str, Array], first: int, n: int) -> None:
        """Write rows ``first`` to ``n``, which no reader has."""
        if n > len(self._columns["time"]):
            size = max(n, 2 * len(self._columns["time"]))
            grown = {name: np.empty((size, *c.shape[1:])) for name, c in self._columns.items()}
            for name, column in self._columns.items():
                grown[name][: len(self)] = column[: len(self)]
            self._columns = grown
        for name, values in columns.items():
            self._columns[name][first:n] = values

    def _ended(self, block: Block, whole: int) -> Block:
        """A block whose states are finite up to row ``whole``, with an event that says so in place of its own."""
        if len(self) + whole == 0:
            raise ScenarioError("initial", N_("energy or angular momentum overflow; expected a slower or lighter body"))
        time = float(block.time[whole]) if np.isfinite(block.time[whole]) else float(block.time[max(whole - 1, 0)])
        text = N_(
            "{scheme}: numbers overflow at {time:g} s; take a smaller step, or a slower motion", self.scheme, time
        )
        return replace(block, events=(Event("failed-solve", time, text),))

    def trajectory(self) -> Trajectory:
        """Recorded states so far, without copying."""
        columns, n = self._view
        rows: dict[str, Any] = {name: column[:n] for name, column in columns.items()}
        return Trajectory(self.scheme, **rows, **{name: getattr(self, name) for name in BESIDE})
