"""Kind "joints": a mechanism, whose joints should stay closed and whose energy should be conserved."""

# ruff: noqa: E501 - one field a line

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from app.kinds import quantities
from app.kinds.decades import Decades
from app.kinds.field import GRAVITY, Field, field_of
from app.kinds.free import SPIN_ERROR
from app.kinds.joint_tables import part_fields
from app.kinds.kind import Kind
from app.kinds.quantities import Quantity, Reading, by_stretches, caption
from app.system.language import tr
from physics import Scenario, Trajectory, World
from physics.bodies.body import IDENTITY
from physics.core.rotation import Array, apply, conjugate
from physics.core.trajectory import Block
from physics.joints.joint_types import JOINT_TYPES, NAMES
from physics.joints.mechanism import CONSTRAINTS, GROUND, NO_MOTOR, TYPES
from physics.joints.motion import joint_gaps, joint_loads
from physics.systems.joints.scenario import JointsScenario
from physics.systems.joints.world import JointsWorld

if TYPE_CHECKING:
    from app.stage.lane_scene import SceneKind
    from app.stage.scenes.lane_numbers import CaptionNumber

CHARTED = 6  # joints with charts of their own
HEAVY = 1e4  # [N] weight of a chain from which on its tension is in kN
# title, unit, factor and the number of the coordinate by type
ANGLES = [{kind: one.turns[n] for kind, one in enumerate(TYPES) if len(one.turns) > n} for n in range(2)]
TRAVELS = {kind: one.travels[0] for kind, one in enumerate(TYPES) if one.travels}
ADDED = ("cuboid", "ellipsoid", "cylinder", "sphere", "cone")  # shapes that a length or three make
PAIRED = [name for name, one in JOINT_TYPES.items() if one.values[0] > 1]  # a column has no pairs


def _of(world: World) -> JointsWorld:
    assert isinstance(world, JointsWorld)
    return world


def _scenario(scenario: Scenario) -> JointsScenario:
    assert isinstance(scenario, JointsScenario)
    return scenario


def _coordinate(
    title: str, unit: str, joint: int, numbers: dict[int, int], rates: bool = False, factor: float = 1.0
) -> Quantity:
    """A coordinate of a joint, or its rate, where the mechanism has such a joint. numbers : of it by type"""

    def values(run: Trajectory, world: World) -> Array:
        one = _of(world)
        return factor * one.counted(run)[rates][:, joint, numbers[int(one.mechanism.joints[joint].kind)]]

    def fits(world: World) -> bool:
        kinds = _of(world).mechanism.joints.kind
        return joint < len(kinds) and int(kinds[joint]) in numbers

    return Quantity(title.format(joint=joint + 1), unit, by_stretches(values), counted=not rates, fits=fits)


def _coordinates() -> tuple[Quantity, ...]:
    """Coordinates and rates of the first joints."""
    degrees = float(np.degrees(1.0))
    return tuple(
        made
        for joint in range(CHARTED)
        for made in (
            _coordinate("Angle of joint {joint}", "°", joint, ANGLES[0], factor=degrees),
            _coordinate("Second angle of joint {joint}", "°", joint, ANGLES[1], factor=degrees),
            _coordinate("Travel of joint {joint}", "m", joint, TRAVELS),
            _coordinate("Rate of joint {joint}", "rad/s", joint, ANGLES[0], rates=True),
        )
    )


def _load(title: str, unit: str, joint: int, column: str) -> Quantity:
    """The size of a force or torque of a joint, where the mechanism has so many."""

    def values(run: Trajectory, world: World) -> Array:
        one = _of(world)
        loads = joint_loads(one.mechanism, run.time, one.stored(run))
        return np.asarray(np.linalg.norm(getattr(loads, column)[:, joint], axis=1))

    def fits(world: World) -> bool:
        return joint < len(_of(world).mechanism.joints)

    # counted, as springs of hinges act by angles that are
    return Quantity(title.format(joint=joint + 1), unit, by_stretches(values), counted=True, fits=fits)


def _power(joint: int) -> Quantity:
    """Power that a joint gives to its bodies: of its motor, spring, damper and constant load; its constraints do no work."""

    def values(run: Trajectory, world: World) -> Array:
        one = _of(world)
        held = one.mechanism.joints[joint]
        x, rates = (each[:, joint] for each in one.counted(run))
        pull = held.load - held.stiffness * (x - held.rest) - held.damping * rates
        power = np.sum(pull * rates, axis=1)
        if (held.motor != NO_MOTOR).any():
            loads = joint_loads(one.mechanism, run.time, one.stored(run))
            tip, _, _ = _seen_at(run, one, int(held.second), held.arms[1])
            (_, va, wa), (_, vb, wb) = (
                _seen_at(run, one, int(body), held.arms[1], tip) for body in (held.first, held.second)
            )
            work = loads.force[:, joint] * (vb - va) + loads.torque[:, joint] * (wb - wa)
            power = power + np.sum(work, axis=1)
        return np.asarray(power)

    def fits(world: World) -> bool:
        joints = _of(world).mechanism.joints
        acting = ("stiffness", "damping", "load")
        return joint < len(joints) and bool(
            (joints[joint].motor != NO_MOTOR).any() or any(joints[joint][key].any() for key in acting)
        )

    return Quantity(f"Power of joint {joint + 1}", "W", by_stretches(values), counted=True, fits=fits)


def _seen_at(
    run: Trajectory, world: JointsWorld, body: int, arm: Array, at: Array | None = None
) -> tuple[Array, Array, Array]:
    """Place, velocity and angular velocity (n, 3) of a body, or the ground, at a point, in inertial axes.

    The point (n, 3) [m] is given, or by the arm to it from the body's centre of mass, in principal axes.
    """
    still = np.zeros((len(run.time), 3))
    if body == GROUND:
        return (still + arm if at is None else at), still, still
    made, place, turn = world.parts[body], run.position[:, body], run.orientation[:, body]
    at = place + apply(turn, apply(made.axes, arm)) if at is None else at
    spin = apply(turn, run.angular_velocity[:, body])
    return at, run.velocity[:, body] + np.cross(spin, at - place), spin


def _loads() -> tuple[Quantity, ...]:
    """Forces, torques and power of the first joints."""
    return tuple(
        made
        for joint in range(CHARTED)
        for made in (
            _load("Force of joint {joint}", "N", joint, "force"),
            _load("Torque of joint {joint}", "N m", joint, "torque"),
            _power(joint),
        )
    )


class _Top(NamedTuple):
    """Beginning of the first chain of a mechanism: its joint, its body, and the one that it hangs on, or the ground.

    link, carrier : directions (3,) in which the chain was drawn, in the axes of both
    """

    joint: int
    body: int
    on: int
    link: Array
    carrier: Array


def _top(world: World) -> _Top | None:
    """The beginning of the first chain; None without a chain."""
    one = _of(world)
    if not one.scenario.chain:
        return None
    joint, body = len(one.scenario.joint), len(one.scenario.body)
    on, direction = int(one.mechanism.joints[joint].first), np.array(one.scenario.chain[0].direction)
    drawn = [
        IDENTITY if number == GROUND else np.array(one.scenario.bodies[number].orientation) for number in (body, on)
    ]
    along = [apply(conjugate(turn), direction) for turn in drawn]
    link, carrier = (way / np.sqrt(np.sum(way * way)) for way in along)
    return _Top(joint, body, on, link, carrier)


def _tension(run: Trajectory, world: World) -> Array:
    """Force (n,) [N] with which what a chain hangs on pulls at it, along its first link."""
    one, top = _of(world), _top(world)
    assert top is not None
    force = joint_loads(one.mechanism, run.time, one.stored(run)).force[:, top.joint]
    return np.asarray(-np.sum(force * apply(run.orientation[:, top.body], top.link), axis=1))


def _bend(run: Trajectory, world: World) -> Array:
    """Angle (n,) [deg] of the first link of a chain from the direction in which it was drawn on what it hangs on."""
    top = _top(world)
    assert top is not None
    held = top.carrier if top.on == GROUND else apply(run.orientation[:, top.on], top.carrier)
    return quantities.angle(held, apply(run.orientation[:, top.body], top.link))


def _chained_weight(world: World) -> float | None:
    """Weight of the first chain [N]; None without a chain."""
    top = _top(world)
    if top is None:
        return None
    links = _of(world).scenario.chain[0].links
    return links * _of(world).parts[top.body].mass * world.scenario.g


def _tensions() -> tuple[Quantity, ...]:
    """The tension of a chain, in kN where that is the size of its weight."""

    def heavy(world: World) -> bool | None:
        weight = _chained_weight(world)
        return None if weight is None else weight >= HEAVY

    title, kilo = "Tension where the chain begins", by_stretches(lambda run, world: _tension(run, world) / 1000.0)
    return (
        Quantity(title, "N", by_stretches(_tension), fits=lambda world: heavy(world) is False, form="{:.3g} N"),
        Quantity(title, "kN", kilo, fits=lambda world: heavy(world) is True, form="{:.0f} kN"),
    )


def _gap(run: Trajectory, world: World) -> Array:
    """Largest gap of a constraint in the rows (n,); motors, whose angles are counted from the start on, are left out."""
    one = _of(world)
    gaps = np.abs(joint_gaps(one.mechanism, run.time, one.stored(run)))
    constraints = np.arange(6) < CONSTRAINTS[one.mechanism.joints.kind][:, None]
    return np.asarray(np.where(constraints, gaps, 0.0).max(axis=(1, 2), initial=0.0))


def _column(table: str, key: str, parts: tuple[str, ...]) -> Callable[[Scenario], tuple[Any, ...] | None]:
    """Values of a key in all tables of a list; None where it serves none of them, or one of them has a pair."""

    def values(scenario: Scenario) -> tuple[Any, ...] | None:
        tables = getattr(_scenario(scenario), table)
        serving = [one for one in tables if key not in dict(one.idle())]
        found = tuple(getattr(one, key) for one in tables)
        if parts:
            return found if serving else None
        plain = tuple(one[0] if isinstance(one, tuple) and len(one) == 1 else one for one in found)
        serves = any(getattr(one, "type", "") not in PAIRED for one in serving)
        return plain if serves and not any(isinstance(one, tuple) for one in plain) else None

    return values


_row = partial(field_of, JointsScenario)


def _several(table: str, key: str, label: str, about: str) -> Field:
    """The row of a key of all tables of a list, in their order."""
    made = _row(f"{table}.{key}", label=label, about=about, empty=None, form="column", least=0)
    reads = _column(table, key, made.parts)
    return replace(made, reads=reads, fits=lambda scenario: reads(scenario) is not None)


def _height(key: str) -> Field:
    """The row of a metacentric height of the bodies in their order, where one of them floats."""

    def reads(scenario: Scenario) -> tuple[Any, ...] | None:
        tables = [one.restoring for one in _scenario(scenario).body]
        found = tuple(None if one is None else getattr(one, key) for one in tables)
        return found if any(one is not None for one in found) else None

    return _row(
        f"body.restoring.{key}",
        form="column",
        empty=None,
        reads=reads,
        fits=lambda scenario: reads(scenario) is not None,
    )


def _chained(key: str, **more: Any) -> Field:
    """The row of a key of the one chain of a scenario, where it serves that."""

    def fits(scenario: Scenario) -> bool:
        chains = _scenario(scenario).chain
        return len(chains) == 1 and key not in dict(chains[0].idle())

    return _row(f"chain.{key}", fits=fits, **more)


def _list(table: str, choices: Sequence[str] = (), empty: str | None = "") -> Field:
    """The row of a list of tables, where there are some, or no chain: there the panel adds the first one too."""

    def fits(scenario: Scenario) -> bool:
        return bool(getattr(scenario, table)) or not _scenario(scenario).chain

    return _row(table, choices=tuple(choices), form="list", empty=empty, fits=fits)


CARDS = {
    "Mechanism": (
        _list("body", ADDED, empty=None),
        _list("joint", NAMES),
        _list("spring"),
        _several("body", "mass", "Masses", "Of the bodies in their order"),
        *map(_height, ("transverse", "longitudinal")),
        _several("joint", "at", "Points", "Of the joints in their order, in the drawing: x, y, z"),
        _several("joint", "axis", "Axes", "Of the joints in their order, in the drawing: x, y, z; of any length"),
        _several("joint", "axis2", "Second axes", "Of universal joints, at right angles to their axes: x, y, z"),
        _several("joint", "angle", "Angles", "Of the joints in their order, at the start"),
        _several("joint", "rate", "Rates", "Of the joints in their order, at the start"),
        _several("joint", "stiffness", "Stiffness", "Of the joints in their order; of a slider N/m"),
        _several("joint", "damping", "Damping", "Of the joints in their order; of a slider N s/m"),
        GRAVITY,
    ),
    "Chain": (
        _chained("links"),
        _chained("length"),
        _chained("mass", about="Of a link", empty=None),
        *map(_chained, ("angle", "rate", "stiffness", "damping")),
    ),
}  # fmt: skip
TOTAL = quantities.ENERGIES[2]
GAP = Quantity("Joint gap", "m, rad", by_stretches(_gap), log=True, error=Decades(1e-15), form="{:.1e}")
CHARTS = (
    quantities.ATTITUDE_ERROR,
    quantities.PLACE_ERROR,
    quantities.ENERGY_ERROR,
    SPIN_ERROR,
    GAP,
    replace(TOTAL, fits=lambda world: not world.lossless),  # the others have its error
)
TENSIONS = _tensions()
BEND = Quantity(
    "Bending where the chain begins",
    "°",
    by_stretches(_bend),
    fits=lambda world: _top(world) is not None,
    form="{:.1f}",
)
MORE = (
    *TENSIONS,
    BEND,
    *_coordinates(),
    *_loads(),
    *quantities.ENERGIES[:2],
    replace(TOTAL, fits=lambda world: world.lossless),
    *quantities.SPIN,
)


@caption
def _numbers(now: Reading) -> tuple[CaptionNumber, ...]:
    """The errors of energy and angular momentum, where these should be conserved, and the largest gap of a joint.

    Of a chain that hangs from a ship its tension too.
    """
    spin = (now.number(tr("L error"), SPIN_ERROR),) if now.world.keeps_spin else ()
    top, righting = _top(now.world), _of(now.world).mechanism.bodies.restoring
    piped = top is not None and top.on != GROUND and bool(righting[top.on].any())
    hung = [one for one in TENSIONS if piped and one.fits is not None and one.fits(now.world)]
    tension = (now.number(tr("tension"), one, one.text(-8888.0)) for one in hung)
    return (*tension, *now.energy(), *spin, now.number(tr("gap"), GAP, "<1e-15"))


def _facts(world: World) -> str:
    """Bodies, joints and freedoms of a mechanism, and which of its constraints are redundant."""
    one = _of(world)
    rows, freedoms = int(CONSTRAINTS[one.mechanism.joints.kind].sum()), 6 * len(one.parts) - one.rank
    words = tr("Bodies: {bodies}, joints: {joints}, freedoms: {freedoms}, redundant constraints: {redundant}.").format(
        bodies=len(one.parts), joints=len(one.mechanism.joints), freedoms=freedoms, redundant=rows - one.rank
    )
    if rows > one.rank:
        words += " " + tr("Forces of some joints are not unique.")
    return words


def _prepare(world: World) -> Callable[[], object] | None:
    """Gaps of joints at the start, and later what they carry: captions, charts and arrows call the same kernels."""
    one = _of(world)
    state = one.position, one.orientation, one.velocity, one.angular_velocity
    r, q, v, w = (value[None] for value in state)
    start = Block(np.array([one.time]), r, q, v, w, contact=np.zeros(1))
    stored = one.stored(start)
    joint_gaps(one.mechanism, start.time, stored)
    loads = partial(joint_loads, one.mechanism, start.time, stored)
    if "contacts" not in (one.scenario.view.overlays or ()):  # without any given, they are off
        return loads
    loads()
    return None


def _scene() -> SceneKind:
    from app.stage.lane_scene import SceneKind
    from app.stage.scenes.joints import Linkage, Loads, Polhodes, framing, vicinity

    return SceneKind(
        lane=Linkage,
        framing=framing,
        numbers=_numbers,
        vicinity=vicinity,
        outside=lambda world: _of(world).mechanism.grounded,
        overlays={"contacts": Loads, "poinsot": Polhodes},
    )


ROW = Kind(
    kind="joints",
    cards=CARDS,
    charts=CHARTS,
    more=MORE,
    scene=_scene,
    facts=_facts,
    prepare=_prepare,
    part_fields=part_fields,
)
