"""Kind "free": a body in free flight, whose energy and angular momentum should be conserved unless something acts."""

# ruff: noqa: E501 - one field a line

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from app.kinds import quantities
from app.kinds.field import ANGULAR_VELOCITY, ATTITUDE, COMPOUND, Field, either, field_of, torque_of
from app.kinds.kind import ROCK, BodyRole, Kind, measures, of_rock, rounded, solid
from app.kinds.quantities import Quantity, Reading, caption
from app.kinds.step_words import step_words
from app.system.language import tr, translated
from physics import Scenario, Trajectory, World
from physics.analysis import invariants, momentum_budget
from physics.analysis.spacecraft import libration_periods, nutation_time, orbit_angles
from physics.bodies.mesh_io import MeshReading
from physics.core.rotation import Array, apply, matrix
from physics.core.wording import N_
from physics.systems.free.actions import EARTH_GM, EARTH_RADIUS, Actions, GravityGradientConfig
from physics.systems.free.scenario import FreeScenario
from physics.systems.scenario_body import make_body

if TYPE_CHECKING:
    from app.stage.lane_scene import SceneKind
    from app.stage.scenes.lane_numbers import CaptionNumber


def _actions(scenario: Scenario) -> Actions:
    """Actions on the body."""
    assert isinstance(scenario, FreeScenario)
    return scenario.actions


def _rotor(scenario: Scenario) -> str | None:
    """Given quantity of the one rotor of a scenario."""
    tables = _actions(scenario).rotor
    if not tables:
        return None
    return next((key for key in ("torque", "speeds", "torques") if getattr(tables[0], key) is not None), "speed")


def _one_rotor(scenario: Scenario) -> bool:
    return len(_actions(scenario).rotor) < 2


def _around(scenario: Scenario) -> float:
    """Rate [rad/s] with which the orbit of a scenario begins in another form: its own, else that at 500 km."""
    field = _actions(scenario).gravity_gradient or GravityGradientConfig(altitude=500e3)
    return field.mean_motion


def _altitude(scenario: Scenario) -> float:
    """Altitude [m] of the same orbit about the Earth, 0 of one that were inside."""
    return max(rounded((EARTH_GM / _around(scenario) ** 2) ** (1.0 / 3.0) - EARTH_RADIUS, 7), 0.0)


_row = partial(field_of, FreeScenario)
WHEEL = ("rotor.given", ())
CARDS = {
    "Body": COMPOUND,
    "Start": (ANGULAR_VELOCITY, ATTITUDE),
    "What acts": (
        *torque_of(FreeScenario, lambda scenario: len(_actions(scenario).torque)),
        Field("rotor.given", "Rotor", about="A wheel in the body: its speed is held, or a motor drives it", choices=("", "speed", "torque", "speeds", "torques"), empty="", reads=_rotor, implied=True, fits=_one_rotor),
        _row("rotor.axis", only=WHEEL, fits=_one_rotor, begins=lambda _: (0.0, 0.0, 1.0)),
        _row("rotor.inertia", only=WHEEL, fits=_one_rotor, begins=lambda scenario: rounded(0.1 * float(make_body(scenario).inertia.min()))),
        _row("rotor.speed", only=("rotor.given", ("speed", "torque", "torques")), fits=_one_rotor, begins=lambda _: 0.0),
        _row("rotor.torque", only=("rotor.given", ("torque",)), fits=_one_rotor, begins=lambda _: 0.0),
        _row("rotor.speeds", only=("rotor.given", ("speeds",)), fits=_one_rotor, form="rows", least=2, begins=lambda _: ((0.0, 0.0), (10.0, 1.0))),
        _row("rotor.torques", only=("rotor.given", ("torques",)), fits=_one_rotor, form="rows", least=2, begins=lambda _: ((0.0, 0.1), (10.0, 0.0))),
        _row("spring.stiffness"),
        _row("spring.damping", only=("spring.stiffness", ())),
        _row("spring.axis", only=("spring.stiffness", ()), begins=lambda _: (0.0, 0.0, 1.0)),
        *either("gravity_gradient.given", "Orbit by", "How the circular orbit is given whose gravity gradient acts", {"altitude": (_row("gravity_gradient.altitude", begins=_altitude),), "period": (_row("gravity_gradient.period", begins=lambda scenario: rounded(2.0 * np.pi / _around(scenario), 7)),), "rate": (_row("gravity_gradient.rate", begins=lambda scenario: rounded(_around(scenario), 7)),)}, empty="none"),
        _row("gravity_gradient.direction", only=("gravity_gradient.given", ()), begins=lambda _: (1.0, 0.0, 0.0)),
        _row("gravity_gradient.normal", only=("gravity_gradient.given", ()), begins=lambda _: (0.0, 0.0, 1.0)),
        _row("damping.internal"),
        _row("damping.quadratic"),
    ),
}  # fmt: skip
SLOW = 0.1  # [rad/s], below which rates are told in degrees


def _orbit(world: World) -> float:
    """The rate of the orbit [rad/s], 0 without one."""
    field = _actions(world.scenario).gravity_gradient
    return 0.0 if field is None else field.mean_motion


@quantities.by_stretches
def _nutation(run: Trajectory, world: World) -> Array:
    """Angle (n,) [deg] of the principal axis about which the body turns at the start off the angular momentum."""
    axis, part = _turning(world)
    seen = apply(run.orientation, np.copysign(1.0, part) * matrix(world.body.axes)[:, axis])
    return quantities.angle(seen, run.spin)


def _turning(world: World) -> tuple[int, float]:
    """The principal axis about which the body turns most at the start, and its angular momentum about it [kg m²/s]."""
    spin = world.body.inertia * world.body.to_principal(world.orientation, world.angular_velocity)[1]
    axis = int(np.argmax(np.abs(spin)))
    return axis, float(spin[axis])


def _in_orbit(world: World) -> bool:
    return _orbit(world) > 0.0


def _beside_orbit(title: str, i: int) -> Quantity:
    """One of the angles of the principal axes beside the orbit [deg]."""

    def found(run: Trajectory, world: World) -> Array:
        return np.degrees(orbit_angles(run, world)[:, i])

    return Quantity(title, "°", found, form="{:.2f}°", fits=_in_orbit, cyclic=i != 1, group="orbit")


def _wheeled(world: World) -> bool:
    return bool(_actions(world.scenario).rotor)


def _sized(part: Callable[[Trajectory, World], Array]) -> Callable[[Trajectory, World], Array]:
    """Size (n,) of a part of the budget of angular momentum (n, 3)."""
    return quantities.by_stretches(lambda run, world: np.asarray(np.linalg.norm(part(run, world), axis=1)))


_rate = quantities.norm("angular_velocity")
RATE = Quantity("Rotation", "rad/s", _rate, form="{:.2f} rad/s")
SLOW_RATE = Quantity("Rotation", "°/s", lambda run, world: np.degrees(_rate(run, world)), form="{:.4f}°/s")
ORBITAL_RATE = Quantity(
    "Rotation",
    "turns an orbit",
    lambda run, world: _rate(run, world) / _orbit(world),
    form="{:.2f}",
    fits=_in_orbit,
)
ORBIT = tuple(map(_beside_orbit, ("Pitch in the orbit", "Roll out of the orbit", "Yaw about the vertical"), range(3)))
SPIN_ERROR = quantities.relative_error(
    "Angular momentum error",
    "|L − L₀| / L₀",
    quantities.size(invariants.spin_error),
    fits=lambda world: world.keeps_spin,
)
BUDGET = (
    Quantity("Wheels' angular momentum", "kg m²/s", _sized(momentum_budget.wheels), fits=_wheeled, group="budget"),
    Quantity("Body's angular momentum", "kg m²/s", _sized(momentum_budget.body), fits=momentum_budget.budgeted, group="budget"),
    Quantity("Angular momentum given", "kg m²/s", _sized(momentum_budget.given), fits=momentum_budget.budgeted, group="budget", counted=True),
    quantities.relative_error(
        "Momentum budget",
        "|L − L₀ − given|, of the largest part",
        quantities.by_stretches(momentum_budget.closure),
        fits=momentum_budget.budgeted,
        counted=True,
    ),
)  # fmt: skip
CHARTS = (
    replace(quantities.EXACT_ATTITUDE_ERROR, fits=lambda world: not world.scenario.acted),
    replace(quantities.ATTITUDE_ERROR, fits=lambda world: world.scenario.acted),
    *quantities.OMEGA,
    quantities.ENERGY_ERROR,
    SPIN_ERROR,
)
MORE = (
    Quantity("Departure |d|", "1", quantities.departure),
    Quantity("Departure |α|", "rad/s", quantities.rate_departure),
    Quantity("Lyapunov function", "|V|, kg² m⁴/s²", quantities.lyapunov, log=True),
    quantities.ORTHOGONALITY,
    RATE,
    ORBITAL_RATE,
    *ORBIT,
    Quantity("Nutation angle", "°", _nutation, form="{:.2f}°"),
    *BUDGET,
    *quantities.QUATERNION,
    *quantities.SPIN,
    *quantities.ENERGIES,
)


@caption
def _numbers(now: Reading) -> tuple[CaptionNumber, ...]:
    """Rate of rotation, and the errors of energy and angular momentum, where these should be conserved."""
    fastest = float(np.linalg.norm(now.run.since("spin"), axis=1).max()) / now.world.moments.min()
    spin = (now.number(tr("L error"), SPIN_ERROR),) if now.world.keeps_spin else ()
    if orbit := _orbit(now.world):
        return (
            now.number(tr("turns an orbit"), ORBITAL_RATE, ORBITAL_RATE.text(fastest / orbit)),
            *now.energy(),
            *spin,
        )
    rate, widest = (SLOW_RATE, np.degrees(fastest)) if fastest < SLOW else (RATE, fastest)
    return (now.number("|ω|", rate, rate.text(widest)), *now.energy(), *spin)


def _facts(world: World) -> str:
    """Steps in a turn, and the times of librations and nutation by linear theory."""
    words, actions = [step_words(world)], _actions(world.scenario)
    if orbit := _orbit(world):
        pitch, others = libration_periods(world.body.inertia.tolist())
        swings = ", ".join(f"{one:.3g}" for one in others)
        if pitch < np.inf and swings:
            text = tr("By theory small librations take {pitch:.3g} orbits in pitch, {others} in roll and yaw.")
            words.append(text.format(pitch=pitch, others=swings))
        period = 2.0 * np.pi / orbit
        text = tr("An orbit takes {period}, and the run {orbits:.3g} orbits.")
        words.append(text.format(period=_lasting(period), orbits=world.scenario.duration / period))
    elif actions.damping.internal and not actions.rotor and world.keeps_spin:
        axis, spin = _turning(world)
        time = nutation_time(world.body.inertia.tolist(), axis, spin, actions.damping.internal)
        if time is not None:
            grows = tr("By theory a small nutation grows by a factor of e in {time}, and ends in a flat spin.")
            falls = tr("By theory a small nutation falls by a factor of e in {time}.")
            words.append((falls if time > 0.0 else grows).format(time=_lasting(abs(time))))
    return " ".join(filter(None, words))


def _lasting(time: float) -> str:
    """A time [s] in a unit that one reads."""
    for unit, seconds in (("d", 86400.0), ("h", 3600.0), ("min", 60.0)):
        if time >= 3.0 * seconds:
            return f"{time / seconds:.3g} {unit}"
    return f"{time:.3g} s"


def _scene() -> SceneKind:
    from app.stage.camera.fit import flight
    from app.stage.lane_scene import SceneKind
    from app.stage.overlays.insets import LevelSet, MomentumSphere
    from app.stage.overlays.poinsot import Poinsot
    from app.stage.overlays.reference_frames import InBody, Points, inertial_axes
    from app.stage.scenes.lane_actors import Flight

    return SceneKind(
        lane=Flight,
        framing=flight,
        floor=False,
        late=True,
        numbers=_numbers,
        overlays={
            "poinsot": Poinsot,
            "momentum": MomentumSphere,
            "level": LevelSet,
            "inertial": inertial_axes(1.35),
            "in-body": InBody,
            "points": Points,
        },
    )


def _tumbling(file: Path, reading: MeshReading, _: Scenario | None) -> Scenario:
    """A solid with the density of rock that rotates about its intermediate axis."""
    table = solid(file, reading) | {"density": ROCK}
    schemes = ("explicit", "implicit")
    still = Scenario(kind="free", title=file.stem, duration=20.0, step=0.01, schemes=schemes, body=table)
    made = make_body(still)
    about = np.full(3, 1e-3)
    about[np.argsort(made.inertia)[1]] = 10.0
    taken = measures(reading, made.extents, made.mass)
    what = N_("The hull of the points") if table["shape"] == "hull" else N_("The solid")
    note = N_("{what} about its intermediate axis, with the density of rock; {taken}.", what, taken)
    rates = quantities.without_rounding(apply(made.axes, about), 10.0)
    return still.changed(note=translated(note), **{"initial.angular_velocity": rates})


ROW = Kind(
    kind="free",
    cards=CARDS,
    charts=CHARTS,
    more=MORE,
    scene=_scene,
    facts=_facts,
    role=BodyRole(
        "body", "Free body", "It tumbles in free space, about its intermediate axis", _tumbling, (0.02, 20.0), of_rock
    ),
)
