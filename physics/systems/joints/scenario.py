"""Scenarios of kind ``joints``: bodies in a drawing, joints between them, chains, springs, gravity, many starts.

Tables of the parts: physics.systems.joints.parts_config.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, ClassVar, Literal, NamedTuple, Self

from pydantic import ConfigDict, Field, PrivateAttr, model_validator

from physics.core.errors import ScenarioError
from physics.core.wording import N_, joined
from physics.joints.joint_types import types_with
from physics.scenario.common_config import BodyConfig, GravityConfig, NotNegative, Number, Table, Vector3
from physics.scenario.described import described
from physics.scenario.scenario import MOST_STATES, Scenario
from physics.systems.joints.parts_config import (
    GROUND,
    MOST_BODIES,
    ChainConfig,
    JointConfig,
    JointedBodyConfig,
    PointSpringConfig,
)
from physics.systems.metacentric import MetacentricConfig
from physics.systems.scenario_body import check_body
from physics.systems.start_spread import MAX_ENSEMBLE_RUNS, RunsConfig

SCATTERED = {  # keys of an ensemble's spread -> those of joints, which they scatter
    "angle": ("angle", "angles", "orientation"),
    "rate": ("rate", "rates", "angular_velocity"),
    "travel": ("travel",),
    "speed": ("speed",),
}


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
