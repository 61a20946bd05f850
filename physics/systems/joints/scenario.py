"""Scenarios of kind ``joints``: bodies in a drawing, joints between them, chains, springs, gravity.

All lengths and directions are those of the drawing, in inertial axes; angles and travels are 0 there. A joint lies
between a first body and a second one, or the ground.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Annotated, ClassVar, Literal, NamedTuple, Self

import numpy as np
from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, PrivateAttr, model_validator

from physics.core.errors import ScenarioError
from physics.core.rotation import Array
from physics.scenario.common_config import BodyConfig, GravityConfig, NotNegative, Number, Positive, Table, Vector3
from physics.scenario.scenario import MOST_STATES, Scenario
from physics.systems.free.actions import SQUARE, one_or_more
from physics.systems.scenario_body import check_body
from physics.systems.start_spread import MOST_RUNS, RunsConfig

GROUND = "ground"
MOST_BODIES = 2000
LONGEST_NAME = 40  # letters of a body or a joint
MOST_ROWS = 1000  # of a motor's path
COORDINATES = {  # type -> the keys of value and rate of its coordinates, in the order of physics.joints
    "hinge": (("angle", "rate"),),
    "universal": (("angles", "rates"), ("angles", "rates")),
    "slider": (("travel", "speed"),),
    "cylindrical": (("travel", "speed"), ("angle", "rate")),
    "planar": (("", ""), ("", ""), ("angle", "rate")),  # those in the plane have none
}
COORDINATE_NAMES = {  # of these, in files; a ball joint has none
    "ball": (),
    "hinge": ("angle",),
    "universal": ("angle-1", "angle-2"),
    "slider": ("travel",),
    "cylindrical": ("travel", "angle"),
    "planar": ("travel-1", "travel-2", "angle"),
    "fixed": (),
}
STIFF = "needs stiffness above 0"
SCATTERED = {  # keys of an ensemble's spread -> those of joints, which they scatter
    "angle": ("angle", "angles", "orientation"),
    "rate": ("rate", "rates", "angular_velocity"),
    "travel": ("travel",),
    "speed": ("speed",),
}
SERVES = {  # keys of a joint -> the types for which they mean something
    "axis": ("hinge", "universal", "slider", "cylindrical", "planar"),
    "axis2": ("universal",),
    "angle": ("hinge", "cylindrical", "planar"),
    "rate": ("hinge", "cylindrical", "planar"),
    "travel": ("slider", "cylindrical"),
    "speed": ("slider", "cylindrical"),
    "angles": ("universal",),
    "rates": ("universal",),
    "orientation": ("ball",),
    "angular_velocity": ("ball",),
    "velocity": ("planar",),
    "stiffness": ("hinge", "universal", "slider", "cylindrical"),
    "rest": ("hinge", "universal", "slider", "cylindrical"),
    "damping": ("ball", "hinge", "universal", "slider", "cylindrical"),
    "torque": ("hinge", "universal", "cylindrical"),
    "force": ("slider", "cylindrical"),
    "motor": ("hinge", "universal", "slider", "cylindrical"),
}


def _name(value: str) -> str:
    """A name that files can use in those of their columns."""
    if not 0 < len(value) <= LONGEST_NAME or not value.replace("-", "").replace("_", "").isalnum():
        raise ValueError(f"expected a name of at most {LONGEST_NAME} letters, digits, - and _, got '{value:.60}'")
    if value == GROUND:
        raise ValueError("expected another name: the ground has this one")
    return value


def _quaternion(value: tuple[float, ...]) -> tuple[float, ...]:
    if not 1e-100 < math.hypot(*value) < 1e100:
        raise ValueError(f"expected a quaternion that can be normalised, got {list(value)}")
    return value


def _direction(value: tuple[float, ...]) -> tuple[float, ...]:
    if not 1e-100 < math.hypot(*value) < 1e100:
        raise ValueError(f"expected a direction, got {list(value)}")
    return value


def _path_row(value: tuple[float, ...]) -> tuple[float, ...]:
    if not 2 <= len(value) <= 3:
        raise ValueError(f"expected [time, value] or [time, value, rate], got {len(value)} values")
    return value


def _listed(value: object) -> object:
    return [value] if isinstance(value, int | float) else value


Name = Annotated[str, Field(strict=True), AfterValidator(_name)]
Quaternion = Annotated[tuple[Number, Number, Number, Number], AfterValidator(_quaternion)]
Direction = Annotated[Vector3, AfterValidator(_direction)]
Pair = tuple[Number, Number]
PathRow = Annotated[tuple[Number, ...], AfterValidator(_path_row)]
Values = Annotated[tuple[Number, ...], BeforeValidator(_listed), Field(min_length=1, max_length=2)]
Sizes = Annotated[tuple[NotNegative, ...], BeforeValidator(_listed), Field(min_length=1, max_length=2)]
Between = Annotated[tuple[str, str], Field(description="names of the first and the second body, or 'ground'")]


class JointedBodyConfig(BodyConfig):
    """``[[body]]``: a body, and where it lies in the drawing; it is normalised where it is no unit quaternion."""

    name: Name = Field(description="by which joints and columns of files name it")
    position: Vector3 = Field((0.0, 0.0, 0.0), description="of its centre of mass [m]")
    orientation: Quaternion = Field((1.0, 0.0, 0.0, 0.0), description="quaternion, body -> inertial")
    velocity: Vector3 | None = Field(
        None, description="inertial [m/s], of the first body of those that float; joints give that of all others"
    )
    angular_velocity: Vector3 | None = Field(None, description="in body axes [rad/s], likewise")


class MotorConfig(Table):
    """``motor``: a coordinate that is driven as a function of time, whatever it takes."""

    rate: Number | None = Field(None, description="constant [rad/s], [m/s], from the joint's angle or travel on")
    path: Annotated[tuple[PathRow, ...], Field(min_length=1, max_length=MOST_ROWS)] | None = Field(
        None,
        description="rows [time, value] or [time, value, rate], times rising: a smooth curve through them, which goes "
        "on at the rate of the outermost row before and after",
    )
    between: Literal["smooth", "rest"] = Field(
        "smooth",
        description="smooth: rows have the rates given, else those of the monotone cubic through them; rest: from rest "
        "to rest between two rows of the path, held before and after",
    )
    sine: tuple[Number, Number, Number, Number] | None = Field(
        None, description="mean, amplitude, frequency [Hz], phase [rad]"
    )

    @property
    def knots(self) -> Array:
        """Rows (n, 3) of the path: time [s], value and rate.

        A rate that is not given is that of the monotone piecewise cubic through all rows: Fritsch & Carlson 1980, SIAM
        J. Numer. Anal. 17, 238-246, with the harmonic mean of Fritsch & Butland 1984, SIAM J. Sci. Stat. Comput. 5,
        300-304.
        """
        rows = self.path or ()
        times, values = np.array([row[:2] for row in rows], float).reshape(-1, 2).T
        rates = np.zeros(len(rows))
        if self.between == "smooth":
            if len(rows) > 1:
                from scipy.interpolate import (
                    PchipInterpolator,
                )  # here: it takes long to load, and a window waits for it

                rates = PchipInterpolator(times, values)(times, 1)
            rates = np.array([row[2] if len(row) > 2 else rate for row, rate in zip(rows, rates, strict=True)])
        return np.column_stack([times, values, rates])

    def idle(self) -> Iterator[tuple[str, str]]:
        """What lies between rows, without a path."""
        if self.path is None:
            yield "between", "expected none without path"

    @model_validator(mode="after")
    def _one(self) -> MotorConfig:
        if sum(value is not None for value in (self.rate, self.path, self.sine)) != 1:
            raise ValueError("expected one of rate, path and sine")
        rows = self.path or ()
        for before, after in pairwise(rows):
            if not before[0] < after[0]:
                raise ValueError(f"path: expected times that rise, got {after[0]:g} after {before[0]:g}")
        if self.between == "rest" and any(len(row) > 2 for row in rows):
            raise ValueError("path: expected rows [time, value] without a rate beside between = 'rest'")
        with np.errstate(all="ignore"):
            times, values, rates = self.knots.T
            span = np.diff(times)
            steepest = [rates, np.diff(values) / span**2, rates[1:] / span, rates[:-1] / span]
            if not all(np.isfinite(one).all() for one in steepest):
                raise ValueError("path: the values change too fast to be computed; expected times farther apart")
        return self


class JointConfig(Table):
    """``[[joint]]``: how two bodies are coupled, and in which state of their drawing's coordinates they start."""

    type: Literal["ball", "hinge", "universal", "slider", "cylindrical", "planar", "fixed"]
    name: Name | None = Field(None, description="joint- and its number without one")
    between: Between
    at: Vector3 = Field((0.0, 0.0, 0.0), description="its point [m]")
    axis: Direction | None = Field(None, description="fixed in the first body; of a universal joint the first axis")
    axis2: Direction | None = Field(None, description="of a universal joint, fixed in the second body")
    angle: Number | None = Field(None, description="of the second body against the first at the start [rad]")
    rate: Number | None = Field(None, description="of the angle [rad/s]")
    travel: Number | None = Field(None, description="along the axis [m]")
    speed: Number | None = Field(None, description="of the travel [m/s]")
    angles: Pair | None = Field(None, description="of a universal joint, about axis and about axis2 [rad]")
    rates: Pair | None = Field(None, description="of these [rad/s]")
    orientation: Quaternion | None = Field(None, description="of a ball joint: the second body's turn, drawing axes")
    angular_velocity: Vector3 | None = Field(
        None, description="of a ball joint: relative, in the axes of the second body [rad/s]"
    )
    velocity: Vector3 | None = Field(None, description="of a planar joint: in the plane, drawing axes [m/s]")
    stiffness: Sizes | None = Field(
        None,
        description="[N m/rad], [N/m]; of a universal joint one for each angle, of a cylindrical one travel, angle",
    )
    rest: Values | None = Field(None, description="angle or travel at which the spring is slack, likewise")
    damping: Sizes | None = Field(None, description="[N m s/rad], [N s/m], likewise")
    torque: Values | None = Field(None, description="constant, on the second body about the axis [N m]")
    force: Number | None = Field(None, description="constant, on the second body along the axis [N]")
    motor: Annotated[tuple[MotorConfig, ...], BeforeValidator(one_or_more), Field(max_length=2)] = Field(
        (), description="of a universal joint one for each angle, of a cylindrical one travel, angle"
    )

    def idle(self) -> Iterator[tuple[str, str]]:
        """The keys of other types, the rest of no spring, and keys that say what a motor does."""
        for key, types in SERVES.items():
            if self.type not in types:
                yield key, f"not a key of the type '{self.type}'; it applies to {', '.join(types)}"
        if not any(self.stiffness or ()):
            yield "rest", STIFF
        for motor, (value, rate) in zip(self.motor, COORDINATES.get(self.type, ()), strict=False):
            yield rate, "expected none beside motor, which gives it"
            if motor.rate is None:
                yield value, "expected none beside motor, which gives it"

    @model_validator(mode="after")
    def _complete(self) -> JointConfig:
        for key in ("axis", "axis2"):
            if self.type in SERVES[key] and getattr(self, key) is None:
                raise ValueError(f"{key}: missing; the type '{self.type}' expects it")
        if self.axis2 is not None and abs(_cosine(self.axis or (), self.axis2)) > SQUARE:
            raise ValueError("axis2: expected one perpendicular to axis")
        if self.velocity is not None and abs(_cosine(self.axis or (), self.velocity)) > SQUARE:
            raise ValueError("velocity: expected one in the plane, perpendicular to axis")
        fewest, most = {"universal": (2, 2), "cylindrical": (1, 2)}.get(self.type, (1, 1))
        for key in ("stiffness", "rest", "damping", "torque", "motor"):
            least = 1 if key == "motor" else fewest
            highest = 1 if key == "torque" and self.type == "cylindrical" else most
            if (given := getattr(self, key)) and not least <= len(given) <= highest:
                expected = "a pair" if least == 2 else "one value or two" if highest == 2 else "one value"
                raise ValueError(f"{key}: expected {expected} for the type '{self.type}', got {len(given)}")
        return self


def _cosine(a: Sequence[float], b: Sequence[float]) -> float:
    size = math.hypot(*a) * math.hypot(*b)
    return sum(x * y for x, y in zip(a, b, strict=True)) / size if size > 0.0 else 0.0


class ChainConfig(BodyConfig):
    """``[[chain]]``: equal bodies in a row, each on a joint at its beginning; ``NAME-1`` is the first."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    type: Literal["ball", "hinge"] = Field("ball", description="of its joints")
    name: Name = Field("link", description="of its bodies and joints, before - and their number")
    links: Annotated[int, Field(strict=True, ge=1, le=MOST_BODIES)]
    length: Positive = Field(description="of a link, from joint to joint [m]; the centre of mass is in the middle")
    at: Vector3 = Field((0.0, 0.0, 0.0), description="where it begins [m]")
    direction: Direction = Field((1.0, 0.0, 0.0), description="in which it goes on")
    orientation: Quaternion = Field((1.0, 0.0, 0.0, 0.0), description="of each body in the drawing")
    from_: str = Field(GROUND, alias="from", description="the body that it hangs on")
    axis: Direction | None = Field(None, description="of hinges")
    angle: Number | None = Field(None, description="of each hinge at the start [rad]")
    rate: Number | None = Field(None, description="of each hinge [rad/s]")
    stiffness: NotNegative | None = Field(None, description="of each hinge [N m/rad]")
    rest: Number | None = Field(None, description="of each hinge [rad]")
    damping: NotNegative | None = Field(None, description="of each joint [N m s/rad]")

    def idle(self) -> Iterator[tuple[str, str]]:
        """The keys of a body, and those of hinges and their springs."""
        yield from super().idle()
        if self.type == "ball":
            for key in ("axis", "angle", "rate", "stiffness", "rest"):
                yield key, "not a key of the type 'ball'; it applies to hinge"
        if not self.stiffness:
            yield "rest", STIFF

    @model_validator(mode="after")
    def _hinged(self) -> ChainConfig:
        if self.type == "hinge" and self.axis is None:
            raise ValueError("axis: missing; the type 'hinge' expects it")
        if len(self.name) > (most := LONGEST_NAME - len(f"-{self.links}")):
            raise ValueError(f"name: expected at most {most} letters before the numbers of links, got {len(self.name)}")
        if not all(map(math.isfinite, self._point(float(self.links)))):
            raise ValueError("length: the chain ends beyond what numbers reach; expected a shorter one")
        return self

    def joint(self, number: int) -> JointConfig:
        """The joint at the beginning of a link; 1: the first."""
        given = {key: getattr(self, key) for key in ("axis", "angle", "rate", "stiffness", "rest", "damping")}
        before = self.from_ if number == 1 else f"{self.name}-{number - 1}"
        return JointConfig(
            type=self.type,
            name=f"{self.name}-{number}",
            between=(before, f"{self.name}-{number}"),
            at=self._point(number - 1.0),
            **{key: value for key, value in given.items() if value is not None},
        )

    def position(self, number: int) -> Vector3:
        """The centre of mass of a link in the drawing [m]."""
        return self._point(number - 0.5)

    def _point(self, links: float) -> Vector3:
        share = links * self.length / math.hypot(*self.direction)
        x, y, z = (a + share * d for a, d in zip(self.at, self.direction, strict=True))
        return (x, y, z)


class PointSpringConfig(Table):
    """``[[spring]]``: between a point of one body and a point of another."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    between: Between
    from_: Vector3 = Field(alias="from", description="its point on the first body [m]")
    to: Vector3 = Field(description="its point on the second body [m]")
    stiffness: NotNegative = Field(0.0, description="[N/m]")
    damping: NotNegative = Field(0.0, description="[N s/m]")
    rest: NotNegative = Field(0.0, description="length at which it is slack [m]")

    def idle(self) -> Iterator[tuple[str, str]]:
        """The rest of a damper."""
        if not self.stiffness:
            yield "rest", STIFF

    @model_validator(mode="after")
    def _acts(self) -> PointSpringConfig:
        if not self.stiffness + self.damping:
            raise ValueError("stiffness: expected a number above 0, or damping")
        return self


class DirectedGravityConfig(GravityConfig):
    """``[gravity]``: g downwards along z, or a vector."""

    vector: Vector3 | None = Field(None, description="[m/s²], inertial")

    def idle(self) -> Iterator[tuple[str, str]]:
        """A vector has its size."""
        if self.vector is not None:
            yield "g", "expected none beside vector"


class JointSpreadConfig(Table):
    """``[ensemble.spread]``: how far what joints give of their start scatters, each value for itself.

    Standard deviations, or half widths where they are uniform.
    """

    distribution: Literal["normal", "uniform"] = "normal"
    angle: NotNegative = Field(0.0, description="[rad] of angles; of a ball joint about each axis of the drawing")
    rate: NotNegative = Field(0.0, description="[rad/s] of rates; of a ball joint about each axis of the second body")
    travel: NotNegative = Field(0.0, description="[m]")
    speed: NotNegative = Field(0.0, description="[m/s]")

    def idle(self) -> Iterator[tuple[str, str]]:
        """A distribution of nothing."""
        if not any(getattr(self, key) for key in SCATTERED):
            yield "distribution", f"expected one of {', '.join(SCATTERED)} beside it"


class SweepConfig(Table):
    """``[[ensemble.sweep]]``: evenly spaced values of what one joint gives of its start."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    joint: str
    key: Literal["angle", "rate", "travel", "speed"] = "angle"
    from_: Number = Field(alias="from", description="the first value [rad], [rad/s], [m], [m/s]")
    to: Number = Field(description="the last one")
    points: Annotated[int, Field(strict=True, ge=2, le=MOST_RUNS)] = Field(description="how many")

    def value(self, number: int) -> float:
        """One of the values."""
        return self.from_ + (self.to - self.from_) * number / (self.points - 1)


class JointStartsConfig(RunsConfig):
    """``[ensemble]``: how many runs, how the starts of joints scatter or are swept, and whose going over counts."""

    spread: JointSpreadConfig = JointSpreadConfig()
    sweep: Annotated[tuple[SweepConfig, ...], Field(max_length=2)] = Field(
        (), description="two of them: a run for each pair of values, in place of runs and spread"
    )
    over: tuple[str, ...] = Field((), description="bodies that may go over first; empty: all")

    def idle(self) -> Iterator[tuple[str, str]]:
        """What a sweep takes the place of."""
        if self.sweep:
            yield "spread", "expected none beside sweep"
            yield "runs", "expected none beside sweep, whose points say how many"

    @model_validator(mode="after")
    def _plane(self) -> JointStartsConfig:
        if len(self.sweep) == 1:
            raise ValueError("sweep: expected two tables, each with a joint, got 1")
        if self.number > MOST_RUNS:
            raise ValueError(f"sweep: expected at most {MOST_RUNS} points in all, got {self.number}")
        return self

    @property
    def number(self) -> int:
        """Number of runs."""
        return math.prod(one.points for one in self.sweep) if self.sweep else self.runs


class Drawn(NamedTuple):
    """A body of the drawing: the table of its shape, the field that this is, and its place."""

    name: str
    field: str
    table: BodyConfig
    position: Vector3
    orientation: tuple[float, ...]
    velocity: Vector3 | None = None
    angular_velocity: Vector3 | None = None


class JointsScenario(Scenario):
    """A scenario of kind ``joints``. Its bodies are those of ``[[body]]``, then those of each ``[[chain]]``."""

    usual_schemes: ClassVar[tuple[str, ...]] = ("cayley-em", "moser-veselov", "mujoco-euler")
    ensemble_size: ClassVar[str] = "ensemble.runs"
    later: ClassVar[frozenset[str]] = frozenset()
    varied: ClassVar[frozenset[str]] = frozenset({"gravity", "joint", "spring"})

    kind: Literal["joints"]
    body: Annotated[tuple[JointedBodyConfig, ...], Field(max_length=MOST_BODIES)] = ()
    joint: Annotated[tuple[JointConfig, ...], Field(max_length=2 * MOST_BODIES)] = ()
    chain: Annotated[tuple[ChainConfig, ...], Field(max_length=100)] = ()
    spring: Annotated[tuple[PointSpringConfig, ...], Field(max_length=MOST_BODIES)] = ()
    gravity: DirectedGravityConfig | None = None
    ensemble: JointStartsConfig = JointStartsConfig()
    _started: Mapping[str, JointConfig] = PrivateAttr(default_factory=dict)

    @property
    def bodies(self) -> tuple[Drawn, ...]:
        """All bodies, in their order in trajectories."""
        single = (
            Drawn(one.name, f"body.{i}", one, one.position, one.orientation, one.velocity, one.angular_velocity)
            for i, one in enumerate(self.body)
        )
        links = (
            Drawn(f"{one.name}-{n}", f"chain.{i}", one, one.position(n), one.orientation)
            for i, one in enumerate(self.chain)
            for n in range(1, one.links + 1)
        )
        return (*single, *links)

    @property
    def joints(self) -> dict[str, tuple[str, JointConfig]]:
        """All joints in their order in trajectories, by name, each with the field that it is from."""
        found = {one.name or f"joint-{i}": (f"joint.{i - 1}", one) for i, one in enumerate(self.joint, 1)}
        for i, one in enumerate(self.chain):
            joints = map(one.joint, range(1, one.links + 1))
            found |= {joint.name or "": (f"chain.{i}", joint) for joint in joints}
        return found | {name: (found[name][0], joint) for name, joint in self._started.items()}

    def starting(self, joints: Mapping[str, JointConfig]) -> Self:
        """The scenario of one run of its ensemble, with these joints in place of those of the same names."""
        made = self.model_copy()
        made._started = joints
        return made

    @property
    def seed(self) -> int:
        """Of the starts of its ensemble."""
        return self.ensemble.seed

    @property
    def pull(self) -> Vector3:
        """Gravity (3,) [m/s²]."""
        if self.gravity is not None and self.gravity.vector is not None:
            return self.gravity.vector
        return (0.0, 0.0, -self.g)

    @property
    def g(self) -> float:
        """Size of gravity [m/s²]."""
        vector = None if self.gravity is None else self.gravity.vector
        return super().g if vector is None else math.hypot(*vector)

    def check_kind(self) -> None:
        """Bodies and joints have names of their own, and joints lie between two of them."""
        if "initial" in self.model_fields_set:
            raise ScenarioError(
                "initial", "not a table of kind 'joints', whose joints and floating bodies have a start"
            )
        if self.edit:
            raise ScenarioError("edit", "expected none for kind 'joints': a mechanism is computed from its start")
        bodies = self.bodies
        if not bodies:
            raise ScenarioError("body", "missing; expected tables [[body]] or [[chain]]")
        if len(bodies) > MOST_BODIES:
            raise ScenarioError("chain", f"expected at most {MOST_BODIES} bodies in all, got {len(bodies)}")
        for body in {one.field: one for one in bodies}.values():
            check_body(body.field, body.table, self.kind)
        _check_apart("body", [(f"{one.field}.name", one.name) for one in bodies])
        _check_apart("joint", [(f"joint.{i}.name", one.name or f"joint-{i + 1}") for i, one in enumerate(self.joint)])
        if len(self.joints) < len(self.joint) + sum(one.links for one in self.chain):
            raise ScenarioError("joint", "expected names of joints that differ from those of chains")
        names = [one.name for one in bodies]
        pairs = {f"{field}.between": one.between for field, one in self.joints.values()}
        pairs |= {f"spring.{i}.between": one.between for i, one in enumerate(self.spring)}
        for i, one in enumerate(self.chain):
            _check_known(f"chain.{i}.from", one.from_, names)
        for field, pair in pairs.items():
            for name in pair:
                _check_known(field, name, names)
            if pair[0] == pair[1]:
                raise ScenarioError(field, f"joins '{pair[0]}' to itself; expected two bodies")
        self._check_roots()
        self._check_ensemble(names)
        stored = max(self.duration / step / self.record_every for step in self.steps) * len(bodies)
        if stored > MOST_STATES:
            text = f"expected at most {MOST_STATES} stored states of bodies, got {stored:.3g}; store every n-th step"
            raise ScenarioError("record_every", text)

    def _check_ensemble(self, names: Iterable[str]) -> None:
        """ScenarioError where what scatters or is swept is given by no joint, or goes over and is no body."""
        for i, name in enumerate(self.ensemble.over):
            _check_known(f"ensemble.over.{i}", name, names, ground=False)
        joints = {name: joint for name, (_, joint) in self.joints.items()}
        for i, one in enumerate(self.ensemble.sweep):
            _check_known(f"ensemble.sweep.{i}.joint", one.joint, joints, "joint", ground=False)
            if joints[one.joint].type not in SERVES[one.key]:
                text = f"not a key of '{one.joint}'; it applies to {', '.join(SERVES[one.key])}"
                raise ScenarioError(f"ensemble.sweep.{i}.key", text)
        for key, of_joint in SCATTERED.items():
            given = any(getattr(joint, name) is not None for joint in joints.values() for name in of_joint)
            if getattr(self.ensemble.spread, key) and not given:
                expected = f"expected none where no joint gives {' or '.join(of_joint)}"
                raise ScenarioError(f"ensemble.spread.{key}", expected)

    def _check_roots(self) -> None:
        """ScenarioError where a body has a velocity that its joints give it."""
        given = {one.name: one for one in self.bodies if one.velocity is not None or one.angular_velocity is not None}
        for group in self.groups():
            allowed = None if GROUND in group else group[0]
            for name in group:
                if name in given and name != allowed:
                    key = "velocity" if given[name].velocity is not None else "angular_velocity"
                    holds = "a joint holds it to the ground" if allowed is None else f"it follows that of '{allowed}'"
                    raise ScenarioError(f"{given[name].field}.{key}", f"expected none of '{name}': {holds}")

    def groups(self) -> list[list[str]]:
        """The names of bodies that joints hold together, each in the order of the bodies; the ground's with GROUND."""
        root = {name: name for name in (GROUND, *(one.name for one in self.bodies))}

        def top(name: str) -> str:
            while root[name] != name:
                root[name] = name = root[root[name]]
            return name

        for _, joint in self.joints.values():
            root[top(joint.between[1])] = top(joint.between[0])
        found: dict[str, list[str]] = {}
        for name in root:
            found.setdefault(top(name), []).append(name)
        return list(found.values())


def _check_apart(what: str, names: list[tuple[str, str]]) -> None:
    """ScenarioError for two names that are alike."""
    seen: dict[str, str] = {}
    for field, name in names:
        if name in seen:
            raise ScenarioError(field, f"expected another name: there are two with the name '{name}'")
        seen[name] = field


def _check_known(field: str, name: str, names: Iterable[str], what: str = "body", ground: bool = True) -> None:
    """ScenarioError for a body or a joint that is not there."""
    known = [*names, *[GROUND] * ground]
    if name not in known:
        near = difflib.get_close_matches(name, known, n=1, cutoff=0.0)
        raise ScenarioError(field, f"there is no {what} '{name:.40}'; did you mean '{near[0]}'?")
