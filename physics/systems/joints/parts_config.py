"""Tables of the parts of a mechanism: bodies in a drawing, joints between them, motors, chains and springs.

All lengths and directions are those of the drawing, in inertial axes; angles and travels are 0 there. A joint lies
between a first body and a second one, or the ground.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Literal

import numpy as np
from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, model_validator

from physics.core.errors import ScenarioError
from physics.core.rotation import Array
from physics.core.wording import N_
from physics.joints.joint_types import JOINT_TYPES, NAMES, types_with
from physics.scenario.common_config import BodyConfig, NotNegative, Number, Positive, Table, Vector3
from physics.scenario.described import Only, described
from physics.systems.free.actions import SQUARE, one_or_more
from physics.systems.metacentric import MetacentricConfig

GROUND = "ground"
MOST_BODIES = 2000
LONGEST_NAME = 40  # letters of a body or a joint
MAX_PATH_ROWS = 1000
STIFF = N_("needs stiffness above 0")
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
