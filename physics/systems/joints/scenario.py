"""Scenarios of kind ``joints``: bodies in a drawing, joints between them, chains, springs, gravity.

All lengths and directions are those of the drawing, in inertial axes; angles and travels are 0 there. A joint lies
between a first body and a second one, or the ground.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, NamedTuple, Self

import numpy as np
from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, PrivateAttr, model_validator

from physics.core.errors import ScenarioError
from physics.core.rotation import Array
from physics.core.wording import N_, joined
from physics.joints.joint_types import JOINT_TYPES, NAMES, types_with
from physics.scenario.common_config import BodyConfig, GravityConfig, NotNegative, Number, Positive, Table, Vector3
from physics.scenario.described import Only, described
from physics.scenario.scenario import MOST_STATES, Scenario
from physics.systems.free.actions import SQUARE, one_or_more
from physics.systems.metacentric import MetacentricConfig
from physics.systems.scenario_body import check_body
from physics.systems.start_spread import MAX_ENSEMBLE_RUNS, RunsConfig

GROUND = "ground"
MOST_BODIES = 2000
LONGEST_NAME = 40  # letters of a body or a joint
MAX_PATH_ROWS = 1000
STIFF = N_("needs stiffness above 0")
SCATTERED = {  # keys of an ensemble's spread -> those of joints, which they scatter
    "angle": ("angle", "angles", "orientation"),
    "rate": ("rate", "rates", "angular_velocity"),
    "travel": ("travel",),
    "speed": ("speed",),
}
if TYPE_CHECKING:
    JointName = str
else:
    JointName = Literal[NAMES]


def _name(value: str) -> str:
    """A name that files can use in those of their columns."""
    if not 0 < len(value) <= LONGEST_NAME or not value.replace("-", "").replace("_", "").isalnum():
        raise ValueError(
            N_(
                "expected a name of at most {longest_name} letters, digits, - and _, got '{value:.60}'",
                LONGEST_NAME,
                value,
            )
        )
    if value == GROUND:
        raise ValueError(N_("expected another name: the ground has this one"))
    return value


def _quaternion(value: tuple[float, ...]) -> tuple[float, ...]:
    if not 1e-100 < math.hypot(*value) < 1e100:
        raise ValueError(N_("expected a quaternion that can be normalised, got {value}", list(value)))
    return value


def _direction(value: tuple[float, ...]) -> tuple[float, ...]:
    if not 1e-100 < math.hypot(*value) < 1e100:
        raise ValueError(N_("expected a direction, got {value}", list(value)))
    return value


def _path_row(value: tuple[float, ...]) -> tuple[float, ...]:
    if not 2 <= len(value) <= 3:
        raise ValueError(N_("expected [time, value] or [time, value, rate], got {value} values", len(value)))
    return value


def _listed(value: object) -> object:
    return [value] if isinstance(value, int | float) else value


BodyName = Annotated[str, Field(strict=True), AfterValidator(_name)]
UnitQuaternion = Annotated[tuple[Number, Number, Number, Number], AfterValidator(_quaternion)]
Direction = Annotated[Vector3, AfterValidator(_direction)]
Pair = tuple[Number, Number]
PathRow = Annotated[tuple[Number, ...], AfterValidator(_path_row)]
ListedNumbers = BeforeValidator(_listed, json_schema_input_type=Number | tuple[Number, ...])
Values = Annotated[tuple[Number, ...], ListedNumbers, Field(min_length=1, max_length=2)]
Sizes = Annotated[
    tuple[NotNegative, ...],
    ListedNumbers,
    Field(min_length=1, max_length=2),
]
Between = Annotated[tuple[str, str], Field(description="names of the first and the second body, or 'ground'")]


class JointedBodyConfig(BodyConfig):
    """``[[body]]``: a body, and where it lies in the drawing; it is normalised where it is no unit quaternion."""

    name: BodyName = described(..., about="by which joints and columns of files name it")
    position: Vector3 = described((0.0, 0.0, 0.0), unit="m", about="of its centre of mass")
    orientation: UnitQuaternion = described((1.0, 0.0, 0.0, 0.0), about="quaternion, body -> inertial")
    velocity: Vector3 | None = described(
        None, unit="m/s", about="inertial, of the first body of those that float; joints give that of all others"
    )
    angular_velocity: Vector3 | None = described(None, unit="rad/s", about="in body axes, likewise")
    restoring: MetacentricConfig | None = described(
        None, about="metacentric heights of a floating ship, which gravity and buoyancy right, as of the kind vessel"
    )


class MotorConfig(Table):
    """``motor``: a coordinate that is driven as a function of time, whatever it takes."""

    rate: Number | None = described(None, about="constant [rad/s], [m/s], from the joint's angle or travel on")
    path: Annotated[tuple[PathRow, ...], Field(min_length=1, max_length=MAX_PATH_ROWS)] | None = described(
        None,
        about="rows [time, value] or [time, value, rate], times rising: a smooth curve through them, which goes on "
        "at the rate of the outermost row before and after",
    )
    between: Literal["smooth", "rest"] = described(
        "smooth",
        about="smooth: rows have the rates given, else those of the monotone cubic through them; rest: from rest "
        "to rest between two rows of the path, held before and after",
        only=("path", ()),
    )
    sine: tuple[Number, Number, Number, Number] | None = described(
        None, about="mean, amplitude, frequency [Hz], phase [rad]"
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

    @model_validator(mode="after")
    def _one(self) -> MotorConfig:
        if sum(value is not None for value in (self.rate, self.path, self.sine)) != 1:
            raise ValueError(N_("expected one of rate, path and sine"))
        rows = self.path or ()
        for before, after in pairwise(rows):
            if not before[0] < after[0]:
                raise ScenarioError(
                    "path", N_("expected times that rise, got {after:g} after {before:g}", after[0], before[0])
                )
        if self.between == "rest" and any(len(row) > 2 for row in rows):
            raise ScenarioError("path", N_("expected rows [time, value] without a rate beside between = 'rest'"))
        with np.errstate(all="ignore"):
            times, values, rates = self.knots.T
            span = np.diff(times)
            steepest = [rates, np.diff(values) / span**2, rates[1:] / span, rates[:-1] / span]
            if not all(np.isfinite(one).all() for one in steepest):
                raise ScenarioError(
                    "path", N_("the values change too fast to be computed; expected times farther apart")
                )
        return self


def _typed(key: str) -> Only:
    return "type", types_with(key)


class JointConfig(Table):
    """``[[joint]]``: how two bodies are coupled, and in which state of their drawing's coordinates they start."""

    type: JointName = described(..., about="which motions it leaves free")
    name: BodyName | None = described(None, about="joint- and its number without one")
    between: Between
    at: Vector3 = described((0.0, 0.0, 0.0), unit="m", about="its point")
    axis: Direction | None = described(
        None, about="fixed in the first body; of a universal joint the first axis", only=_typed("axis")
    )
    axis2: Direction | None = described(None, about="fixed in the second body", only=_typed("axis2"))
    angle: Number | None = described(
        None, unit="rad", about="of the second body against the first at the start", only=_typed("angle")
    )
    rate: Number | None = described(None, unit="rad/s", about="of the angle", only=_typed("rate"))
    travel: Number | None = described(None, unit="m", about="along the axis", only=_typed("travel"))
    speed: Number | None = described(None, unit="m/s", about="of the travel", only=_typed("speed"))
    angles: Pair | None = described(None, unit="rad", about="about axis and about axis2", only=_typed("angles"))
    rates: Pair | None = described(None, unit="rad/s", about="of these", only=_typed("rates"))
    orientation: UnitQuaternion | None = described(
        None, about="the second body's turn, drawing axes", only=_typed("orientation")
    )
    angular_velocity: Vector3 | None = described(
        None, unit="rad/s", about="relative, in the axes of the second body", only=_typed("angular_velocity")
    )
    velocity: Vector3 | None = described(None, unit="m/s", about="in the plane, drawing axes", only=_typed("velocity"))
    stiffness: Sizes | None = described(
        None,
        unit="N m/rad",
        about="of a slider N/m; of a universal joint one for each angle, of a cylindrical one travel, angle",
        only=_typed("stiffness"),
    )
    rest: Values | None = described(
        None, about="angle or travel at which the spring is slack, likewise", only=_typed("rest")
    )
    damping: Sizes | None = described(
        None, unit="N m s/rad", about="of a slider N s/m; likewise", only=_typed("damping")
    )
    torque: Values | None = described(
        None, unit="N m", about="constant, on the second body about the axis", only=_typed("torque")
    )
    force: Number | None = described(
        None, unit="N", about="constant, on the second body along the axis", only=_typed("force")
    )
    motor: Annotated[tuple[MotorConfig, ...], one_or_more(MotorConfig), Field(max_length=2)] = described(
        (), about="of a universal joint one for each angle, of a cylindrical one travel, angle", only=_typed("motor")
    )

    def idle(self) -> Iterator[tuple[str, str]]:
        """The rest of no spring, and keys that say what a motor does."""
        yield from super().idle()
        if not any(self.stiffness or ()):
            yield "rest", STIFF
        for motor, coordinate in zip(self.motor, JOINT_TYPES[self.type].coordinates, strict=False):
            yield coordinate.rate, N_("expected none beside motor, which gives it")
            if motor.rate is None:
                yield coordinate.value, N_("expected none beside motor, which gives it")

    @model_validator(mode="after")
    def _complete(self) -> JointConfig:
        for key in ("axis", "axis2"):
            if self.type in types_with(key) and getattr(self, key) is None:
                raise ScenarioError(key, N_("missing; the type '{type}' expects it", self.type))
        if self.axis2 is not None and abs(_cosine(self.axis or (), self.axis2)) > SQUARE:
            raise ScenarioError("axis2", N_("expected one perpendicular to axis"))
        if self.velocity is not None and abs(_cosine(self.axis or (), self.velocity)) > SQUARE:
            raise ScenarioError("velocity", N_("expected one in the plane, perpendicular to axis"))
        fewest, most = JOINT_TYPES[self.type].values
        for key in ("stiffness", "rest", "damping", "torque", "motor"):
            least = 1 if key == "motor" else fewest
            highest = len(JOINT_TYPES[self.type].turns) if key == "torque" else most
            if (given := getattr(self, key)) and not least <= len(given) <= highest:
                expected = N_("a pair") if least == 2 else N_("one value or two") if highest == 2 else N_("one value")
                raise ScenarioError(
                    key, N_("expected {expected} for the type '{type}', got {given}", expected, self.type, len(given))
                )
        return self


def _cosine(a: Sequence[float], b: Sequence[float]) -> float:
    size = math.hypot(*a) * math.hypot(*b)
    return sum(x * y for x, y in zip(a, b, strict=True)) / size if size > 0.0 else 0.0


HINGED = ("type", ("hinge",))


class ChainConfig(BodyConfig):
    """``[[chain]]``: equal bodies in a row, each on a joint at its beginning; ``NAME-1`` is the first."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    type: Literal["ball", "hinge"] = described("ball", about="of its joints")
    name: BodyName = described("link", about="of its bodies and joints, before - and their number")
    links: Annotated[int, Field(strict=True, ge=1, le=MOST_BODIES)] = described(
        ..., "Links", about="Equal bodies in a row"
    )
    length: Positive = described(..., "Length", "m", "Of a link, from joint to joint")
    at: Vector3 = described((0.0, 0.0, 0.0), unit="m", about="where it begins")
    direction: Direction = described((1.0, 0.0, 0.0), about="in which it goes on")
    orientation: UnitQuaternion = described((1.0, 0.0, 0.0, 0.0), about="of each body in the drawing")
    from_: str = described(GROUND, about="the body that it hangs on", alias="from")
    axis: Direction | None = described(None, about="of each hinge", only=HINGED)
    angle: Number | None = described(None, "Angle", "rad", "Of each hinge at the start", empty="", only=HINGED)
    rate: Number | None = described(None, "Rate", "rad/s", "Of each hinge at the start", empty="", only=HINGED)
    stiffness: NotNegative | None = described(None, "Stiffness", "N m/rad", "Of each hinge", empty="", only=HINGED)
    rest: Number | None = described(None, unit="rad", about="of each hinge", only=HINGED)
    damping: NotNegative | None = described(None, "Damping", "N m s/rad", "Of each joint", empty="")

    def idle(self) -> Iterator[tuple[str, str]]:
        """The rest of no spring."""
        yield from super().idle()
        if not self.stiffness:
            yield "rest", STIFF

    @model_validator(mode="after")
    def _hinged(self) -> ChainConfig:
        if self.type == "hinge" and self.axis is None:
            raise ScenarioError("axis", N_("missing; the type 'hinge' expects it"))
        if len(self.name) > (most := LONGEST_NAME - len(f"-{self.links}")):
            raise ScenarioError(
                "name",
                N_("expected at most {most} letters before the numbers of links, got {name}", most, len(self.name)),
            )
        if not all(map(math.isfinite, self._point(float(self.links)))):
            raise ScenarioError("length", N_("the chain ends beyond what numbers reach; expected a shorter one"))
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
    from_: Vector3 = described(..., unit="m", about="its point on the first body", alias="from")
    to: Vector3 = described(..., unit="m", about="its point on the second body")
    stiffness: NotNegative = described(0.0, unit="N/m", about="force over extension")
    damping: NotNegative = described(0.0, unit="N s/m", about="force over rate of extension")
    rest: NotNegative = described(0.0, unit="m", about="length at which it is slack")

    def idle(self) -> Iterator[tuple[str, str]]:
        """The rest of a damper."""
        yield from super().idle()
        if not self.stiffness:
            yield "rest", STIFF

    @model_validator(mode="after")
    def _acts(self) -> PointSpringConfig:
        if not self.stiffness + self.damping:
            raise ScenarioError("stiffness", N_("expected a number above 0, or damping"))
        return self


class DirectedGravityConfig(GravityConfig):
    """``[gravity]``: g downwards along z, or a vector."""

    vector: Vector3 | None = described(None, unit="m/s²", about="inertial")

    def idle(self) -> Iterator[tuple[str, str]]:
        """A vector has its size."""
        yield from super().idle()
        if self.vector is not None:
            yield "g", N_("expected none beside vector")


class JointSpreadConfig(Table):
    """``[ensemble.spread]``: how far what joints give of their start scatters, each value for itself.

    Standard deviations, or half widths where they are uniform.
    """

    distribution: Literal["normal", "uniform"] = described("normal", about="of what scatters")
    angle: NotNegative = described(0.0, unit="rad", about="of angles; of a ball joint about each axis of the drawing")
    rate: NotNegative = described(
        0.0, unit="rad/s", about="of rates; of a ball joint about each axis of the second body"
    )
    travel: NotNegative = described(0.0, unit="m", about="of travels")
    speed: NotNegative = described(0.0, unit="m/s", about="of speeds")

    def idle(self) -> Iterator[tuple[str, str]]:
        """A distribution of nothing."""
        yield from super().idle()
        if not any(getattr(self, key) for key in SCATTERED):
            yield "distribution", N_("expected one of {scattered} beside it", ", ".join(SCATTERED))


class SweepConfig(Table):
    """``[[ensemble.sweep]]``: evenly spaced values of what one joint gives of its start."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    joint: str = described(..., about="its name")
    key: Literal["angle", "rate", "travel", "speed"] = described("angle", about="what is swept")
    from_: Number = described(..., about="the first value [rad], [rad/s], [m], [m/s]", alias="from")
    to: Number = described(..., about="the last one")
    points: Annotated[int, Field(strict=True, ge=2, le=MAX_ENSEMBLE_RUNS)] = described(..., about="how many")

    def value(self, number: int) -> float:
        """One of the values."""
        return self.from_ + (self.to - self.from_) * number / (self.points - 1)


class JointStartsConfig(RunsConfig):
    """``[ensemble]``: how many runs, how the starts of joints scatter or are swept, and whose going over counts."""

    spread: JointSpreadConfig = JointSpreadConfig()
    sweep: Annotated[tuple[SweepConfig, ...], Field(max_length=2)] = described(
        (), about="two of them: a run for each pair of values, in place of runs and spread"
    )
    over: tuple[str, ...] = described((), about="bodies that may go over first; empty: all")

    def idle(self) -> Iterator[tuple[str, str]]:
        """Values that a sweep replaces."""
        yield from super().idle()
        if self.sweep:
            yield "spread", N_("expected none beside sweep")
            yield "runs", N_("expected none beside sweep, whose points say how many")

    @model_validator(mode="after")
    def _plane(self) -> JointStartsConfig:
        if len(self.sweep) == 1:
            raise ScenarioError("sweep", N_("expected two tables, each with a joint, got 1"))
        if self.number > MAX_ENSEMBLE_RUNS:
            raise ScenarioError(
                "sweep", N_("expected at most {most_runs} points in all, got {number}", MAX_ENSEMBLE_RUNS, self.number)
            )
        return self

    @property
    def number(self) -> int:
        """Number of runs."""
        return math.prod(one.points for one in self.sweep) if self.sweep else self.runs


class Drawn(NamedTuple):
    """A body of the drawing: the table of its shape, the field that this is, its place and unit quaternion."""

    name: str
    field: str
    table: BodyConfig
    position: Vector3
    orientation: tuple[float, ...]
    velocity: Vector3 | None = None
    angular_velocity: Vector3 | None = None
    restoring: MetacentricConfig | None = None


class JointsScenario(Scenario):
    """A scenario of kind ``joints``. Its bodies are those of ``[[body]]``, then those of each ``[[chain]]``."""

    usual_schemes: ClassVar[tuple[str, ...]] = ("cayley-em", "moser-veselov", "mujoco-euler")
    ensemble_size: ClassVar[str] = "ensemble.runs"
    later: ClassVar[frozenset[str]] = frozenset()
    varied: ClassVar[frozenset[str]] = frozenset({"gravity", "joint", "spring"})

    kind: Literal["joints"]
    body: Annotated[tuple[JointedBodyConfig, ...], Field(max_length=MOST_BODIES)] = described(
        (),
        "Bodies",
        about="Tables [[body]] of the scenario file, each with a name, a shape, a mass or density, a place and an "
        "orientation in the drawing",
    )
    joint: Annotated[tuple[JointConfig, ...], Field(max_length=2 * MOST_BODIES)] = described(
        (),
        "Joints",
        about="Tables [[joint]] of the scenario file, each with a type, the two bodies that it lies between, a "
        "place and "
        "an axis in the drawing",
    )
    chain: Annotated[tuple[ChainConfig, ...], Field(max_length=100)] = ()
    spring: Annotated[tuple[PointSpringConfig, ...], Field(max_length=MOST_BODIES)] = described(
        (), "Springs", about="Tables [[spring]] of the scenario file, each from a point of a body to one of another"
    )
    gravity: DirectedGravityConfig | None = None
    ensemble: JointStartsConfig = JointStartsConfig()
    _started: Mapping[str, JointConfig] = PrivateAttr(default_factory=dict)

    @property
    def bodies(self) -> tuple[Drawn, ...]:
        """All bodies, in their order in trajectories."""
        single = (
            Drawn(
                one.name,
                f"body.{i}",
                one,
                one.position,
                _unit(one.orientation),
                one.velocity,
                one.angular_velocity,
                one.restoring,
            )
            for i, one in enumerate(self.body)
        )
        links = (
            Drawn(f"{one.name}-{n}", f"chain.{i}", one, one.position(n), _unit(one.orientation))
            for i, one in enumerate(self.chain)
            for n in range(1, one.links + 1)
        )
        return (*single, *links)

    @property
    def joints(self) -> dict[str, tuple[str, JointConfig]]:
        """All joints in their order in trajectories, by name, each with the field that it is from."""
        names = joint_names(one.name for one in self.joint)
        found = {name: (f"joint.{i}", one) for i, (name, one) in enumerate(zip(names, self.joint, strict=True))}
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
        """Seed of the starts of its ensemble."""
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
                "initial", N_("not a table of kind 'joints', whose joints and floating bodies have a start")
            )
        if self.edit:
            raise ScenarioError("edit", N_("expected none for kind 'joints': a mechanism is computed from its start"))
        bodies = self.bodies
        if not bodies:
            raise ScenarioError("body", N_("missing; expected tables [[body]] or [[chain]]"))
        if len(bodies) > MOST_BODIES:
            raise ScenarioError(
                "chain", N_("expected at most {most_bodies} bodies in all, got {bodies}", MOST_BODIES, len(bodies))
            )
        for body in {one.field: one for one in bodies}.values():
            check_body(body.field, body.table, self.kind)
        if (floating := next((one for one in bodies if one.restoring is not None), None)) and not self.g:
            raise ScenarioError(f"{floating.field}.restoring", N_("needs gravity, which is 0 here"))
        _check_apart("body", [(f"{one.field}.name", one.name) for one in bodies])
        names = joint_names(one.name for one in self.joint)
        _check_apart("joint", [(f"joint.{i}.name", name) for i, name in enumerate(names)])
        if len(self.joints) < len(self.joint) + sum(one.links for one in self.chain):
            raise ScenarioError("joint", N_("expected names of joints that differ from those of chains"))
        names = [one.name for one in bodies]
        pairs = {f"{field}.between": one.between for field, one in self.joints.values()}
        pairs |= {f"spring.{i}.between": one.between for i, one in enumerate(self.spring)}
        for i, one in enumerate(self.chain):
            _check_known(f"chain.{i}.from", one.from_, names)
        for field, pair in pairs.items():
            for name in pair:
                _check_known(field, name, names)
            if pair[0] == pair[1]:
                raise ScenarioError(field, N_("joins '{pair}' to itself; expected two bodies", pair[0]))
        self._check_roots()
        held = next(group for group in self.groups(springs=True) if GROUND in group)
        if adrift := next((one for one in bodies if one.restoring is not None and one.name not in held), None):
            text = N_(
                "expected a joint or a spring that holds '{adrift}' to the ground, without which it falls", adrift.name
            )
            raise ScenarioError(f"{adrift.field}.restoring", text)
        self._check_ensemble(names)
        stored = max(self.duration / step / self.record_every for step in self.steps) * len(bodies)
        if stored > MOST_STATES:
            text = N_(
                "expected at most {most_states} stored states of bodies, got {stored:.3g}; store every n-th step",
                MOST_STATES,
                stored,
            )
            raise ScenarioError("record_every", text)

    def _check_ensemble(self, names: Iterable[str]) -> None:
        """ScenarioError where what scatters or is swept is given by no joint, or goes over and is no body."""
        for i, name in enumerate(self.ensemble.over):
            _check_known(f"ensemble.over.{i}", name, names, ground=False)
        joints = {name: joint for name, (_, joint) in self.joints.items()}
        for i, one in enumerate(self.ensemble.sweep):
            _check_known(f"ensemble.sweep.{i}.joint", one.joint, joints, "joint", ground=False)
            if joints[one.joint].type not in (types := types_with(one.key)):
                text = N_("not a key of '{joint}'; it applies to {types}", one.joint, ", ".join(types))
                raise ScenarioError(f"ensemble.sweep.{i}.key", text)
        for key, of_joint in SCATTERED.items():
            given = any(getattr(joint, name) is not None for joint in joints.values() for name in of_joint)
            if getattr(self.ensemble.spread, key) and not given:
                expected = N_("expected none where no joint gives {of_joint}", joined(" or ", of_joint))
                raise ScenarioError(f"ensemble.spread.{key}", expected)

    def _check_roots(self) -> None:
        """ScenarioError where a body has a velocity that its joints give it."""
        given = {one.name: one for one in self.bodies if one.velocity is not None or one.angular_velocity is not None}
        for group in self.groups():
            allowed = None if GROUND in group else group[0]
            for name in group:
                if name in given and name != allowed:
                    key = "velocity" if given[name].velocity is not None else "angular_velocity"
                    holds = (
                        N_("a joint holds it to the ground")
                        if allowed is None
                        else N_("it follows that of '{allowed}'", allowed)
                    )
                    raise ScenarioError(
                        f"{given[name].field}.{key}", N_("expected none of '{name}': {holds}", name, holds)
                    )

    def groups(self, *, springs: bool = False) -> list[list[str]]:
        """The names of bodies that joints hold together, each in the order of the bodies; the ground's with GROUND.

        springs : whether these hold too
        """
        root = {name: name for name in (GROUND, *(one.name for one in self.bodies))}

        def top(name: str) -> str:
            while root[name] != name:
                root[name] = name = root[root[name]]
            return name

        pairs = [one.between for _, one in self.joints.values()]
        for first, second in (*pairs, *(one.between for one in self.spring if springs)):
            root[top(second)] = top(first)
        found: dict[str, list[str]] = {}
        for name in root:
            found.setdefault(top(name), []).append(name)
        return list(found.values())


def _unit(quaternion: tuple[float, ...]) -> tuple[float, ...]:
    """A quaternion that can be normalised, normalised."""
    norm = math.sqrt(sum(x * x for x in quaternion))
    return tuple(x / norm for x in quaternion)


def joint_names(given: Iterable[str | None]) -> list[str]:
    """Names of the tables ``[[joint]]`` in their order: those that they give, or by their numbers."""
    return [name or f"joint-{i}" for i, name in enumerate(given, 1)]


def _check_apart(what: str, names: list[tuple[str, str]]) -> None:
    """ScenarioError for two names that are alike."""
    seen: dict[str, str] = {}
    for field, name in names:
        if name in seen:
            raise ScenarioError(field, N_("expected another name: there are two with the name '{name}'", name))
        seen[name] = field


def _check_known(field: str, name: str, names: Iterable[str], what: str = "body", ground: bool = True) -> None:
    """ScenarioError for a body or a joint that is not there."""
    known = [*names, *[GROUND] * ground]
    if name not in known:
        near = difflib.get_close_matches(name, known, n=1, cutoff=0.0)
        raise ScenarioError(field, N_("there is no {what} '{name:.40}'; did you mean '{near}'?", what, name, near[0]))
