"""Tables of what acts on a free body: torques, a rotor, a spring, gravity gradient, internal damping, air."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

import numpy as np
from pydantic import BeforeValidator, Field, field_validator, model_validator

from physics.bodies.body import Body
from physics.bodies.shapes import principal
from physics.core.errors import ScenarioError
from physics.core.rotation import Array, apply, conjugate, matrix
from physics.core.text_tables import read_columns
from physics.core.wording import N_
from physics.scenario.common_config import NotNegative, Number, Positive, Table, Vector3
from physics.scenario.described import described
from physics.schemes.driven_body import DrivenBody

SQUARE = 1e-6  # cosine of two directions that count as perpendicular
EARTH_GM = 3.986004418e14  # [m³/s²], of the Earth with its atmosphere (IERS Conventions 2010, table 1.1; WGS 84)
EARTH_RADIUS = 6378137.0  # [m], at the equator (WGS 84)


def _direction(value: tuple[float, float, float]) -> tuple[float, float, float]:
    if not 1e-150 < math.hypot(*value) < 1e150:
        raise ValueError(N_("expected a direction, got {value}", list(value)))
    return value


def _rising(key: str, rows: Sequence[tuple[float, ...]]) -> None:
    """Refuse rows whose times do not rise from 0 s or later."""
    times = [row[0] for row in rows]
    if any(not before < after for before, after in pairwise([-math.ulp(0.0), *times])):
        raise ScenarioError(key, N_("expected times [s] of 0 or more that rise"))


class TorqueConfig(Table):
    """``[[torque]]``: one that acts from outside, constant or from a table; all of them add up."""

    axes: Literal["body", "space"] = described("body", "In axes of", about="In which the components are given")
    value: Vector3 | None = described(None, "Components", "N m")
    file: str | None = described(
        None, "File", about="Table with time [s], x, y, z [N m]: linear between rows, constant beyond", files=(".csv",)
    )
    rows: Annotated[tuple[tuple[Number, Number, Number, Number], ...], Field(min_length=1, max_length=1000)] | None = (
        described(
            None,
            "Rows",
            about="Rows of time [s], x, y, z [N m], as in a file",
            parts=("time", "x", "y", "z"),
        )
    )

    @model_validator(mode="after")
    def _one(self) -> TorqueConfig:
        if [self.value, self.file, self.rows].count(None) != 2:
            raise ScenarioError("value", N_("expected a torque of three numbers [N m], or file in its place, or rows"))
        _rising("rows", self.rows or ())
        return self


RotorRows = Annotated[tuple[tuple[Number, Number], ...], Field(min_length=1, max_length=1000)]


class RotorConfig(Table):
    """``[[rotor]]``: a wheel in the body that turns about an axis of symmetry of its own."""

    axis: Vector3 = described(..., "Axis", about="Direction in the body; of any length")
    inertia: Positive = described(..., "Axial moment", "kg m²", "The body's moments contain it")
    speed: Number = described(0.0, "Speed", "rad/s", "Relative to the body; that at the start where a motor drives it")
    torque: Number | None = described(None, "Motor", "N m", "Torque from the body on the rotor; 0: it turns freely")
    speeds: RotorRows | None = described(
        None,
        "Speeds",
        about="Rows of time [s] and speed [rad/s] that a motor holds: linear between rows, constant beyond",
        parts=("time", "speed"),
    )
    torques: RotorRows | None = described(
        None,
        "Motor torques",
        about="Rows of time [s] and torque of the motor [N m], each from its time on; 0 before the first",
        parts=("time", "torque"),
    )

    _axis = field_validator("axis")(_direction)

    @property
    def held(self) -> bool:
        """True if a motor holds the speed, whatever torque that takes."""
        return self.torque is None and self.torques is None

    @model_validator(mode="after")
    def _one(self) -> RotorConfig:
        given = [key for key in ("torque", "speeds", "torques") if getattr(self, key) is not None]
        if len(given) > 1:
            raise ScenarioError(given[1], N_("expected one of torque, speeds and torques at most"))
        if self.speeds is not None and self.speed:
            raise ScenarioError("speed", N_("expected none beside speeds"))
        for key in ("speeds", "torques"):
            _rising(key, getattr(self, key) or ())
        return self

    def course(self, times: Array, along: float) -> tuple[Array, Array]:
        """Angular momentum that its motor governs (k,) [kg m²/s] at times (k,) [s], and its rate after each [N m].

        Of one that is held that beside the body, else the whole about its axis. Times hold 0 and those of its rows.
        along : the rate of the body about its axis at the start [rad/s]
        """
        if self.held:
            rows = np.array(self.speeds or [(0.0, self.speed)])
            momenta = self.inertia * np.interp(times, rows[:, 0], rows[:, 1])
            return momenta, np.append(np.diff(momenta) / np.diff(times), 0.0)
        rows = np.array(self.torques or [(0.0, self.torque or 0.0)])
        last = np.searchsorted(rows[:, 0], times, side="right") - 1
        torques = np.where(last < 0, 0.0, rows[last, 1])
        gained = np.cumsum(np.append(0.0, torques[:-1] * np.diff(times)))
        return self.inertia * (self.speed + along) + gained, torques


class SpringConfig(Table):
    """``[spring]``: pulls the body back to where the body's axis and the same axis of space, and all else, agree."""

    axis: Vector3 = described(
        (0.0, 0.0, 1.0), "Spring axis", about="Direction, the same in the body and in space; of any length"
    )
    stiffness: NotNegative = described(
        0.0, "Spring", "N m/rad", "Of the twist about an axis, at most half a turn", empty="none"
    )
    damping: NotNegative = described(0.0, "Friction", "N m s/rad", "Of the rate of the twist", empty="none")

    _axis = field_validator("axis")(_direction)

    @model_validator(mode="after")
    def _acts(self) -> SpringConfig:
        if not self.stiffness + self.damping:
            raise ScenarioError("stiffness", N_("expected a number above 0, or damping"))
        return self


class GravityGradientConfig(Table):
    """``[gravity_gradient]``: of a planet about which the body moves on a circle."""

    rate: Positive | None = described(
        None, "Rate of the orbit", "rad/s", "Of a circular orbit, whose gravity gradient acts"
    )
    altitude: NotNegative | None = described(
        None, "Altitude", "m", "Of a circular orbit about the Earth, above the radius of its equator"
    )
    period: Annotated[Number, Field(ge=1e-3)] | None = described(
        None, "Period of the orbit", "s", "Time of a turn on a circular orbit"
    )
    direction: Vector3 = described(
        (1.0, 0.0, 0.0), "To the planet", about="Direction in space at the start; of any length"
    )
    normal: Vector3 = described(
        (0.0, 0.0, 1.0), "Normal of the orbit", about="Direction in space, perpendicular to that to the planet"
    )

    _axes = field_validator("direction", "normal")(_direction)

    @property
    def mean_motion(self) -> float:
        """The rate of the orbit [rad/s]: as given, or by the altitude or the period."""
        if self.altitude is not None:
            radius = EARTH_RADIUS + self.altitude
            return math.sqrt(EARTH_GM / radius) / radius
        if self.period is not None:
            return 2.0 * math.pi / self.period
        assert self.rate is not None
        return self.rate

    @model_validator(mode="after")
    def _check(self) -> GravityGradientConfig:
        if [self.rate, self.altitude, self.period].count(None) != 2:
            raise ScenarioError("rate", N_("expected exactly one of rate, altitude and period"))
        if abs(float(_unit(self.direction) @ _unit(self.normal))) > SQUARE:
            raise ScenarioError("direction", N_("expected one perpendicular to normal"))
        return self


class BodyDampingConfig(Table):
    """``[damping]``: takes energy inside the body, and no angular momentum; or both by the air around it."""

    internal: NotNegative = described(
        0.0,
        "Internal damping",
        "kg m² s",
        "Energy falls by this times the square of the angular acceleration, and no angular momentum is lost",
        empty="none",
    )
    quadratic: tuple[NotNegative, NotNegative, NotNegative] = described(
        (0.0, 0.0, 0.0),
        "Air drag",
        "kg m²",
        "Torque −k |ω| ω about each principal axis, ω the rate about that axis; in the order of the moments",
    )

    @property
    def air(self) -> bool:
        """True if the air turns with a torque."""
        return any(self.quadratic)


class Actions(NamedTuple):
    """The tables of a scenario that say what acts."""

    torque: tuple[TorqueConfig, ...]
    rotor: tuple[RotorConfig, ...]
    spring: SpringConfig | None
    gravity_gradient: GravityGradientConfig | None
    damping: BodyDampingConfig

    @property
    def act(self) -> bool:
        """True if any of them does."""
        return bool(self.external or self.rotor or self.damping.internal)

    @property
    def external(self) -> bool:
        """True if something changes the angular momentum in space."""
        return bool(self.torque or self.spring or self.gravity_gradient or self.damping.air)

    @property
    def driven(self) -> bool:
        """True if something may give energy that no potential counts."""
        return bool(
            self.torque
            or self.gravity_gradient
            or any(rotor.torque or rotor.speeds or rotor.torques for rotor in self.rotor)
        )

    @property
    def damped(self) -> bool:
        """True if something takes energy."""
        return bool(self.damping.internal or self.damping.air or (self.spring and self.spring.damping))


def _unit(direction: tuple[float, float, float]) -> Array:
    return np.array(direction) / math.hypot(*direction)


class Rotors(NamedTuple):
    """Rotors of a body: axes (n, 3) unit vectors in the body's axes, axial moments (n,) [kg m²].

    held (n,): whether a motor holds the speed
    times (k,) [s]: 0, and those of the rows of their tables; momenta, torques (k, n): there, of those held I s, of the
    others their axial angular momentum [kg m²/s], and the rate of this from there on [N m]
    """

    axes: Array
    inertia: Array
    held: np.ndarray
    times: Array
    momenta: Array
    torques: Array

    def governed(self, time: Array) -> Array:
        """``momenta`` (m, n) [kg m²/s] at times (m,) [s]."""
        row = np.maximum(np.searchsorted(self.times, time, side="right") - 1, 0)
        return np.asarray(self.momenta[row] + (time - self.times[row])[:, None] * self.torques[row])

    def speeds(self, time: Array, w: Array) -> Array:
        """Relative speeds (m, n) [rad/s] at times (m,) [s] and angular velocities of the body (m, 3) in its axes."""
        found = self.governed(time) / self.inertia
        return np.where(self.held, found, found - w @ self.axes.T)


def rotors_of(tables: tuple[RotorConfig, ...], w: Array) -> Rotors:
    """Rotors of a body that starts with an angular velocity (3,) [rad/s] in its axes."""
    axes = np.array([_unit(table.axis) for table in tables]).reshape(-1, 3)
    inertia, held = np.array([table.inertia for table in tables]), np.array([table.held for table in tables], bool)
    rows = [row[0] for table in tables for row in (table.speeds or table.torques or ())]
    times = np.unique([0.0, *rows])
    courses = [table.course(times, float(axis @ w)) for table, axis in zip(tables, axes, strict=True)]
    momenta, torques = np.array(courses).reshape(-1, 2, len(times)).transpose(1, 2, 0)
    return Rotors(axes, inertia, held, times, momenta, torques)


def driven_body(actions: Actions, body: Body, rotors: Rotors, folder: Path) -> DrivenBody:
    """The body as compiled code takes it; ScenarioError for a file that is no table, or rotors that are too large."""
    turn = matrix(body.axes)
    whole = turn @ np.diag(body.inertia) @ turn.T
    free = rotors.axes[~rotors.held]
    rest = whole - (free.T * rotors.inertia[~rotors.held]) @ free
    moments, axes = body.inertia, body.axes
    if len(free):
        moments, axes = principal(rest)
    if not moments.min() > 1e-9 * body.inertia.max():
        raise ScenarioError(
            "rotor.inertia", N_("expected less than the body's own moment about that axis, which has it")
        )
    back = conjugate(axes)
    inside = matrix(back)
    G = inside @ whole @ inside.T
    field = actions.gravity_gradient
    rate, orbit = 0.0, np.zeros((2, 3))
    if field is not None:
        rate, first = field.mean_motion, _unit(field.direction)
        orbit = np.array([first, np.cross(_unit(field.normal), first)])
    spring = actions.spring
    times, torques = _torques(actions.torque, back, folder)
    return DrivenBody(
        moments=np.ascontiguousarray(moments),
        axes=np.ascontiguousarray(axes),
        rotor_times=rotors.times,
        rotors=wheels(rotors, axes),
        times=times,
        torques=torques,
        gradient=3.0 * rate * rate * np.array([G[0, 0], G[1, 1], G[2, 2], G[0, 1], G[0, 2], G[1, 2]]),
        orbit=orbit,
        rate=rate,
        spring_axis=np.zeros(3) if spring is None else _unit(spring.axis),
        stiffness=0.0 if spring is None else spring.stiffness,
        friction=0.0 if spring is None else spring.damping,
        internal=actions.damping.internal,
        drag=np.array(actions.damping.quadratic),
        drag_axes=(inside @ turn).T.copy(),
    )


def wheels(rotors: Rotors, axes: Array) -> Array:
    """Angular momentum of rotors at their times and its rate from there on (k, 2, 3), in principal axes."""
    found = (apply(conjugate(axes), size @ rotors.axes) for size in (rotors.momenta, rotors.torques))
    return np.ascontiguousarray(np.stack([*found], axis=1))


def _torques(tables: tuple[TorqueConfig, ...], back: Array, folder: Path) -> tuple[Array, Array]:
    """Times (n,) [s] of all rows of all tables, and the sums there (n, 6) [N m], in space and in principal axes."""
    read = [_read(table, folder) for table in tables]
    times = np.unique(np.concatenate([np.zeros(1), *(time for time, _ in read)]))
    found = np.zeros((len(times), 6))
    for table, (time, values) in zip(tables, read, strict=True):
        there = np.stack([np.interp(times, time, values[:, k]) for k in range(3)], axis=1)
        found[:, :3] += there if table.axes == "space" else 0.0
        found[:, 3:] += apply(back, there) if table.axes == "body" else 0.0
    return times, found


def _read(table: TorqueConfig, folder: Path) -> tuple[Array, Array]:
    """Times (n,) [s] and torques (n, 3) [N m] of one table."""
    if table.rows is not None:
        rows = np.array(table.rows)
        return rows[:, 0], rows[:, 1:]
    if table.file is None:
        return np.zeros(1), np.array([table.value])
    found = read_columns(folder / table.file, "torques", needed=("time", "x", "y", "z"))
    columns = found.numbers
    late = np.flatnonzero(~(np.diff(columns["time"]) > 0.0))
    if len(late):
        raise ScenarioError(
            N_("line {number}, {name}", found.lines[late[0] + 1], "time"),
            N_("expected a time after that of the line before"),
            found.path,
        )
    return columns["time"], np.stack([columns[name] for name in "xyz"], axis=1)


def one_or_more(table: type[Table]) -> BeforeValidator:
    """A list of tables, of which a file may give one alone: ``[rotor]`` for ``[[rotor]]``."""

    def listed(value: object) -> object:
        return [value] if isinstance(value, dict) else value

    return BeforeValidator(listed, json_schema_input_type=table | tuple[table, ...])  # type: ignore[valid-type]


Torques = Annotated[tuple[TorqueConfig, ...], one_or_more(TorqueConfig), Field(max_length=20)]
