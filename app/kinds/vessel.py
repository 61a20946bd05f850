"""Kind "vessel": a ship in calm water by its metacentric heights, with roll, pitch and yaw, and what steers it."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

from app.kinds import quantities
from app.kinds.decades import Decades
from app.kinds.field import ANGULAR_VELOCITY, ATTITUDE, COMPOUND, GRAVITY, either, field_of, torque_of
from app.kinds.kind import Kind, rounded
from app.kinds.quantities import Quantity, Reading, by_stretches, caption
from app.kinds.step_words import step_words
from app.system.language import tr
from physics import Scenario, World
from physics.analysis import steering
from physics.core.rotation import matrix
from physics.systems.attached.vessel import VesselScenario, length_of
from physics.systems.free.rotating_world import AttachedWorld
from physics.systems.scenario_body import make_body

if TYPE_CHECKING:
    from app.stage.lane_scene import SceneKind
    from app.stage.scenes.lane_numbers import CaptionNumber

PERIOD, RATIO = 20.0, 0.7  # undamped [s], and damping ratio, of a heading under a controller as the panel begins it


def _stiffness(scenario: Scenario) -> float:
    """Proportional gain [N m] that gives a heading the period."""
    return rounded(_yaw_moment(scenario) * (2.0 * math.pi / PERIOD) ** 2)


def _easing(scenario: Scenario) -> float:
    """Derivative gain [N m s] that gives it the damping ratio."""
    return rounded(2.0 * RATIO * _yaw_moment(scenario) * 2.0 * math.pi / PERIOD)


def _yaw_moment(scenario: Scenario) -> float:
    """Moment of inertia [kg m²] about the vessel's z axis."""
    body = make_body(scenario)
    return float(matrix(body.axes)[2] ** 2 @ body.inertia)


def _yaw_damping(world: World) -> float:
    """The vessel's own damping about its z axis [N m s]."""
    assert isinstance(world, AttachedWorld)
    return float(matrix(world.body.axes)[2] ** 2 @ world.field[6:9])


def _lateral_area(scenario: Scenario) -> float:
    """Half of the rectangle around the body from the side [m²]: the part in the air, or in the water."""
    body = make_body(scenario)
    return rounded(0.5 * length_of(body) * float(body.extents[2]))


def _torques(scenario: Scenario) -> int:
    return len(scenario.torque) if isinstance(scenario, VesselScenario) else 0


_row = partial(field_of, VesselScenario)
CARDS = {
    "Ship": (
        *COMPOUND,
        _row("vessel.metacentric_height.transverse"),
        _row("vessel.metacentric_height.longitudinal"),
        _row("vessel.damping"),
        GRAVITY,
    ),
    "Start": (ANGULAR_VELOCITY, ATTITUDE),
    "Steering": (
        *either(
            "steering.given",
            "Controller",
            "Holds a heading by a torque about the vessel's z axis",
            {
                "course": (
                    _row("steering.heading", begins=lambda _: 0.0),
                    _row("steering.proportional", begins=_stiffness),
                    _row("steering.derivative", begins=_easing),
                    _row("steering.limit"),
                )
            },
            empty="",
        ),
        *torque_of(VesselScenario, _torques),
    ),
    **{
        name: either(
            f"{table}.given",
            name,
            "Turns the vessel broadside, by a torque about its z axis",
            {
                "steady": (
                    _row(f"{table}.speed", begins=lambda _, speed=speed: speed),
                    _row(f"{table}.direction", begins=lambda _: 0.0),
                    _row(f"{table}.area", begins=_lateral_area),
                    _row(f"{table}.length"),
                    _row(f"{table}.coefficient"),
                    _row(f"{table}.density"),
                )
            },
            empty="",
        )
        for name, table, speed in (("Wind", "wind", 10.0), ("Current", "current", 1.0))
    },
}  # fmt: skip
ANGLES = (
    Quantity("Roll", "°", quantities.turned(2), cyclic=True, form="{:.1f}°"),
    Quantity("Pitch", "°", quantities.turned(1), form="{:.1f}°"),
    Quantity("Yaw", "°", quantities.turned(0), cyclic=True, form="{:.1f}°"),
)


def _works(world: World) -> bool:
    """True if something does work beside damping, before the edits of a run or after."""
    return any(one.driven for one in (*world.earlier, world))


BALANCE = quantities.relative_error(
    "Energy balance",
    "energy − work, of the largest so far",
    by_stretches(steering.balance),
    error=Decades(signed=True),
    fits=_works,
    counted=True,
)
CONTROL = Quantity("Controller torque", "N m", steering.controller_torque, fits=steering.controlled, form="{:.3g} N m")
CHARTS = (
    quantities.ATTITUDE_ERROR,
    *ANGLES,
    Quantity("Energy", "J", lambda run, _: run.total_energy),
    BALANCE,
    CONTROL,
)
MORE = (
    Quantity("Work", "J", by_stretches(steering.work), fits=_works, counted=True),
    *quantities.OMEGA,
    *quantities.QUATERNION,
    *quantities.SPIN,
    *quantities.ENERGIES[:2],
    quantities.ENERGY_ERROR,
    quantities.ORTHOGONALITY,
)


def _facts(world: World) -> str:
    """Steps in a turn, the swing of the heading by linear theory, and what the bound takes from a scheme."""
    scenario, words = world.scenario, [step_words(world)]
    helm = scenario.steering if isinstance(scenario, VesselScenario) else None
    if helm is not None and helm.proportional:
        words += _heading_words(world, helm.derivative)
    if helm is not None and helm.limit is not None:
        words.append(tr("Where the controller meets its limit, no scheme is of an order above 2."))
    return " ".join(filter(None, words))


def _heading_words(world: World, derivative: float) -> list[str]:
    """Sentences on the rest of a heading under a controller, and its swing there; derivative: its gain [N m s]."""
    found = steering.rest_off_course(world)
    if found is None:
        return [tr("Wind, current and torques turn it on and on: the controller holds it nowhere.")]
    words, off = [], abs(math.remainder(found.off, 2.0 * math.pi))
    if found.stiffness > 0.0:
        rate = math.sqrt(found.stiffness / _yaw_moment(world.scenario))
        ratio = 0.5 * (_yaw_damping(world) + derivative * (not found.bounded)) * rate / found.stiffness
        if ratio < 1.0:
            text = tr(
                "By linear theory the heading swings once in {period:.3g} s, with a damping ratio of {ratio:.2g}."
            )
            period = 2.0 * math.pi / (rate * math.sqrt(1.0 - ratio * ratio))
            words.append(text.format(period=period, ratio=ratio))
        else:
            text = tr("By linear theory the heading comes to rest without a swing: the damping ratio is {ratio:.2g}.")
            words.append(text.format(ratio=ratio))
    if off >= steering.NEAR:
        text = tr("Wind, current and torques hold it {angle:g}° off its course.")
        words.append(text.format(angle=rounded(math.degrees(off), 2)))
    if found.bounded:
        words.append(tr("There the controller is at its limit."))
    return words


@caption
def _numbers(now: Reading) -> tuple[CaptionNumber, ...]:
    """Roll, pitch and yaw, see euler_angles.yaw_pitch_roll; the energy error where nothing damps or steers."""
    names = tr("roll"), tr("pitch"), tr("yaw")
    angles = (now.number(name, one, "−188.8°") for name, one in zip(names, ANGLES, strict=True))
    return (*angles, *now.energy())


def _scene() -> SceneKind:
    from app.stage.bodies.sea import REACH
    from app.stage.lane_scene import SceneKind
    from app.stage.overlays.reference_frames import inertial_axes
    from app.stage.scenes.vessel import Vessel, framing, has_water

    return SceneKind(
        Vessel,
        framing,
        {"inertial": inertial_axes(0.8)},
        numbers=_numbers,
        reach=1.5 * REACH,
        outside=has_water,
        late=True,
    )


ROW = Kind(kind="vessel", cards=CARDS, charts=CHARTS, more=MORE, scene=_scene, facts=_facts)
