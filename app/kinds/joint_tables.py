"""Fields of one body, joint or spring of a mechanism, as the panel edits the one that is chosen."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from app.kinds.field import INERTIA, LENGTHS, MASS, SHAPE, SHAPES, Field, either, field_of, frozen
from physics import Scenario, ScenarioError
from physics.core.wording import N_
from physics.joints.joint_types import types_with
from physics.scenario.common_config import PartConfig
from physics.systems.joints.parts_config import GROUND, JointedBodyConfig
from physics.systems.joints.scenario import JointsScenario, joint_names

Plain = dict[str, Any]  # a scenario as plain values

_row = partial(field_of, JointsScenario)
_given = partial(_row, empty="")  # a key that may be left out
BODY = (
    _row("body.name", label="Name"),
    replace(SHAPE, choices=(*SHAPES, "parts")),
    _row("body.part", form="parts"),
    *LENGTHS,
    _row("body.shell"),
    INERTIA,
    *MASS,
    _row("body.position", label="Position"),
    _row("body.orientation", label="Orientation"),
    _given("body.velocity", label="Velocity"),
    _given("body.angular_velocity", label="Angular velocity"),
)
OF_BODY = ("name", "position", "orientation", "inertia")  # keys of a body that no part takes from it
FLOATING = ("velocity", "angular_velocity")  # keys of a body that no joint moves
MOTOR = either(
    "joint.motor.given",
    "Motor",
    "Drives the angle or the travel, whatever that takes",
    {
        "rate": (_row("joint.motor.rate", label="Motor rate", begins=lambda _: 1.0),),
        "sine": (
            _row(
                "joint.motor.sine",
                label="Sine",
                parts=("mean", "amplitude", "Hz", "phase"),
                begins=lambda _: (0.0, 1.0, 1.0, 0.0),
            ),
        ),
        "path": (
            _row(
                "joint.motor.path",
                label="Path",
                form="rows",
                parts=("time", "value", "rate"),
                least=2,
                begins=lambda _: ((0.0, 0.0), (1.0, 1.0)),
            ),
            _row("joint.motor.between", label="Between rows"),
        ),
    },
    empty="",
)
JOINT = (
    _given("joint.name", label="Name"),
    _row("joint.type", label="Type"),
    _row("joint.at", label="Point"),
    _row("joint.axis", label="Axis", begins=lambda _: (0.0, 1.0, 0.0)),
    _row("joint.axis2", label="Second axis", begins=lambda _: (1.0, 0.0, 0.0)),
    _given("joint.angle", label="Angle"),
    _given("joint.rate", label="Rate"),
    _given("joint.travel", label="Travel"),
    _given("joint.speed", label="Sliding speed"),
    _given("joint.angles", label="Angles", parts=("1", "2")),
    _given("joint.rates", label="Rates", parts=("1", "2")),
    _given("joint.orientation", label="Turn"),
    _given("joint.angular_velocity", label="Angular velocity"),
    _given("joint.velocity", label="Velocity"),
    _given("joint.stiffness", label="Stiffness", form="rows"),
    _given("joint.rest", label="Slack at", form="rows"),
    _given("joint.damping", label="Damping", form="rows"),
    _given("joint.torque", label="Torque", form="rows"),
    _given("joint.force", label="Force"),
    replace(MOTOR[0], only=("joint.type", types_with("motor"))),
    *MOTOR[1:],
)
SPRING = (
    _row("spring.from", label="First end"),
    _row("spring.to", label="Second end"),
    _row("spring.stiffness", label="Stiffness"),
    _row("spring.damping", label="Damping"),
    _row("spring.rest", label="Length without force"),
)
ENDS = tuple(Field("", label) for label in ("First body", "Second body"))
FIELDS = (*BODY, *JOINT, *SPRING, *ENDS)


def part_fields(scenario: Scenario, table: str, number: int) -> tuple[Field, ...]:
    """Fields of a body, joint or spring, a table of the lists "body", "joint" and "spring"; none if it is not there.

    Their keys have its number: ``joint.2.axis``.
    """
    assert isinstance(scenario, JointsScenario)
    if number >= len(getattr(scenario, table)):
        return ()
    at = partial(_numbered, number=number)
    if table == "body":
        name = scenario.body[number].name
        held = all(name != group[0] or GROUND in group for group in scenario.groups())
        rows = [one for one in BODY if not (held and one.key.rpartition(".")[2] in FLOATING)]
        fields = [at(one) for one in rows]
        fields[0] = replace(fields[0], writes=partial(_rename, number))
        fields[1] = replace(fields[1], reads=lambda given: _body(given, number).form)
        fields[2] = replace(fields[2], begins=lambda given: _as_part(_body(given, number)))
        return tuple(fields)
    ends = tuple(_end(scenario, table, number, side) for side in (0, 1))
    if table == "spring":
        return (*ends, *map(at, SPRING))
    rows = [one for one in JOINT if len(scenario.joint[number].motor) < 2 or ".motor." not in one.key]
    named, kind, *others = map(at, rows)
    return (replace(named, writes=partial(_rename_joint, number)), kind, *ends, *others)


def _numbered(field: Field, number: int) -> Field:
    """The field of a table with a number."""

    def placed(key: str) -> str:
        table, _, name = key.partition(".")
        return f"{table}.{number}.{name}"

    only = field.only and (placed(field.only[0]), field.only[1])
    made = replace(field, key=placed(field.key), only=only, fits=None)
    if not field.implied:
        return made
    words = {word: placed(f"joint.motor.{word}") for word in field.choices if word}

    def reads(scenario: Scenario) -> str | None:
        given = (word for word, key in words.items() if Field(key, "").given(scenario) is not None)
        return next(given, None)

    return replace(made, reads=reads)


def _body(scenario: Scenario, number: int) -> JointedBodyConfig:
    assert isinstance(scenario, JointsScenario)
    return scenario.body[number]


def _as_part(body: JointedBodyConfig) -> tuple[Plain, ...]:
    """The solid of a body as its first part."""
    given = body.model_dump(exclude_unset=True, exclude_none=True, include=set(PartConfig.model_fields))
    return ({key: frozen(value) for key, value in given.items() if key not in OF_BODY},)


def _end(scenario: JointsScenario, table: str, number: int, side: int) -> Field:
    """The choice of a body, or the ground, that a joint or a spring is fixed to."""

    def reads(given: Scenario) -> str:
        end: str = getattr(given, table)[number].between[side]
        return end

    def writes(plain: Plain, value: Any) -> None:
        ends = list(plain[table][number]["between"])
        ends[side] = value
        plain[table][number]["between"] = tuple(ends)

    return replace(
        ENDS[side],
        key=f"{table}.{number}.between.{side}",
        choices=(GROUND, *(one.name for one in scenario.bodies)),
        named=True,
        reads=reads,
        writes=writes,
    )


def _rename(number: int, plain: Plain, value: Any) -> None:
    """Give a body another name, wherever it is named."""
    before = plain["body"][number]["name"]
    plain["body"][number]["name"] = value

    def new(name: str) -> Any:
        return value if name == before else name

    for tables in (plain, *plain.get("variants", {}).values()):
        for key in ("joint", "spring"):
            for one in tables[key] if isinstance(tables.get(key), tuple) else ():
                one["between"] = tuple(map(new, one["between"]))
    for one in plain.get("chain", ()):
        if "from" in one:
            one["from"] = new(one["from"])
    if "over" in (ensemble := plain.get("ensemble", {})):
        ensemble["over"] = tuple(map(new, ensemble["over"]))


def _rename_joint(number: int, plain: Plain, value: Any) -> None:
    """Give a joint another name, or that of its number, wherever it is named."""
    joint = plain["joint"][number]
    before = _joint_names(plain)[number]
    joint |= {"name": value}
    _follow(plain, {before: _joint_names(plain)[number]})
    if value is None:
        del joint["name"]


def _joint_names(plain: Plain) -> list[str]:
    return joint_names(one.get("name") for one in plain.get("joint", ()))


def _follow(plain: Plain, names: dict[str, str]) -> None:
    """Let the sweeps of an ensemble have the new names of joints, by those before."""
    for one in plain.get("ensemble", {}).get("sweep", ()):
        one["joint"] = names.get(one["joint"], one["joint"])


def without(scenario: JointsScenario, table: str, number: int) -> Scenario:
    """The mechanism without a body, joint or spring; joints and springs of a body go with it.

    Raises ScenarioError where nothing would be left, or something else names it.
    """
    plain = scenario.to_plain()
    name = plain["body"][number]["name"] if table == "body" else None
    kept = {
        key: [
            i
            for i, one in enumerate(plain[key])
            if (key, i) != (table, number) and (name is None or name not in one.get("between", ()))
        ]
        for key in ("body", "joint", "spring")
        if key in plain
    }
    before = _joint_names(plain)
    after = plain | {key: tuple(plain[key][i] for i in numbers) for key, numbers in kept.items()}
    names = dict(zip((before[i] for i in kept.get("joint", ())), _joint_names(after), strict=True))
    for i, one in enumerate(scenario.ensemble.sweep):
        if one.joint in before and one.joint not in names:
            raise ScenarioError(f"ensemble.sweep.{i}.joint", N_("sweeps '{name}', which would go", one.joint))
    _follow(after, names)
    return scenario.changed(**{key: after[key] for key in (*kept, "ensemble") if key in after})
