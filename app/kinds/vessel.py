"""Kind "vessel": a ship in calm water by its metacentric heights, with roll, pitch and yaw."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from app.kinds import quantities
from app.kinds.field import ANGULAR_VELOCITY, ATTITUDE, COMPOUND, GRAVITY, field_of
from app.kinds.kind import Kind
from app.kinds.quantities import Quantity, Reading, caption
from app.system.language import tr
from physics.systems.attached.vessel import VesselScenario

if TYPE_CHECKING:
    from app.stage.lane_scene import SceneKind
    from app.stage.scenes.lane_numbers import CaptionNumber

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
}  # fmt: skip
ANGLES = (
    Quantity("Roll", "°", quantities.turned(2), cyclic=True, form="{:.1f}°"),
    Quantity("Pitch", "°", quantities.turned(1), form="{:.1f}°"),
    Quantity("Yaw", "°", quantities.turned(0), cyclic=True, form="{:.1f}°"),
)
CHARTS = (quantities.ATTITUDE_ERROR, *ANGLES, Quantity("Energy", "J", lambda run, _: run.total_energy))
MORE = (
    *quantities.OMEGA,
    *quantities.QUATERNION,
    *quantities.SPIN,
    *quantities.ENERGIES[:2],
    quantities.ENERGY_ERROR,
    quantities.ORTHOGONALITY,
)


@caption
def _numbers(now: Reading) -> tuple[CaptionNumber, ...]:
    """Roll, pitch and yaw, see euler_angles.yaw_pitch_roll; the energy error where nothing damps."""
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


ROW = Kind(kind="vessel", cards=CARDS, charts=CHARTS, more=MORE, scene=_scene)
