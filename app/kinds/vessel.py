"""A vessel: a ship in calm water, beside its roll, pitch and yaw."""

# ruff: noqa: E501 - a table is read by rows

from __future__ import annotations

from typing import TYPE_CHECKING

from app.kinds.field import Field
from app.kinds.kind import Kind
from app.kinds.quantities import ENERGIES, OMEGA, ORTHOGONALITY, QUATERNION, SPIN, Quantity, energy_error, turned
from app.kinds.shared_fields import ANGULAR_VELOCITY, ATTITUDE, BODY, GRAVITY

if TYPE_CHECKING:
    from app.stage.scene_kind import SceneKind

CARDS = {
    "Ship": (
        *BODY,
        Field("vessel.metacentric_height.transverse", "GM transverse", "m", tip="Transverse metacentric height; 0 or more"),
        Field("vessel.metacentric_height.longitudinal", "GM longitudinal", "m", tip="Longitudinal metacentric height; 0 or more"),
        Field("vessel.damping", "Damping", "N m s", ("roll", "pitch", "yaw"), "D4, D5, D6; 0 or more"),
        GRAVITY,
    ),
    "Start": (ANGULAR_VELOCITY, ATTITUDE),
}  # fmt: skip
CHARTS = (
    Quantity("Roll", "°", turned(2)),
    Quantity("Pitch", "°", turned(1)),
    Quantity("Yaw", "°", turned(0)),
    Quantity("Energy", "J", lambda run, _: run.total_energy),
)
MORE = (
    *OMEGA,
    *QUATERNION,
    *SPIN,
    ENERGIES[0],
    ENERGIES[1],
    Quantity("Energy error", "|E − E₀| / T₀", energy_error, log=True),
    ORTHOGONALITY,
)


def _scene() -> SceneKind:
    from app.stage.overlays.reference_frames import inertial_axes
    from app.stage.scene_kind import SceneKind
    from app.stage.scenes.vessel import Vessel, framing

    return SceneKind(Vessel, framing, {"inertial": inertial_axes(0.8)})


ROW = Kind(kind="vessel", cards=CARDS, charts=CHARTS, more=MORE, scene=_scene)
