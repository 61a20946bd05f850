"""A vessel: a ship in calm water, beside its roll, pitch and yaw."""

# ruff: noqa: E501 - a table is read by rows

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from app.kinds.body_role import BodyRole, named, rounded, simple, solid, tonnes
from app.kinds.field import Field
from app.kinds.kind import Kind
from app.kinds.quantities import ENERGIES, OMEGA, ORTHOGONALITY, QUATERNION, SPIN, Quantity, energy_error, turned
from app.kinds.shared_fields import ANGULAR_VELOCITY, ATTITUDE, BODY, GRAVITY
from physics import Scenario
from physics.bodies.buoyancy import WATER, afloat
from physics.systems.scenario_body import make_body

if TYPE_CHECKING:
    from app.stage.scene_kind import SceneKind

HEEL = math.radians(12.0)  # from which a ship is let go
ROLLS, STEPS = 10.0, 100.0  # shown at most of a ship's rolling, and steps of its shortest sway
UPRIGHT = 0.02  # metacentric height of a hull that would fall over, as a share of its breadth or length

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
    from app.stage.reference_frames import InertialAxes
    from app.stage.scene_kind import SceneKind
    from app.stage.vessel import Vessel, framing

    return SceneKind(
        lane=Vessel,
        framing=framing,
        overlays={"inertial": lambda tracks, look: InertialAxes(tracks, look, 0.8 * tracks[0].body.radius)},
    )


def _swaying(file: Path, scale: float, _: Scenario | None) -> Scenario:
    """A ship that floats up to its centre of mass, is righted by its form, and is let go heeled."""
    table = solid(file, scale)
    body = make_body(Scenario(kind="free", duration=1.0, step=1.0, body=table | {"density": WATER}))
    floats, (length, breadth, _) = afloat(body), body.extents
    across, along = (
        rounded(max(height, UPRIGHT * size))
        for height, size in ((floats.transverse, breadth), (floats.longitudinal, length))
    )
    stiff = 9.81 * floats.mass * np.array([across, along])
    rolls, pitches = 2.0 * math.pi * np.sqrt(body.inertia[:2] * (floats.mass / body.mass) / stiff)
    step = simple(min(rolls, pitches) / STEPS)
    return Scenario(
        kind="vessel",
        title=file.stem,
        note=f"{named(table)}, bow along x and z up, taken to be given in metres. It floats up to its centre of mass, "
        f"and so displaces {tonnes(floats.mass)}; {_righted(floats.transverse, floats.longitudinal)}. No damping.",
        duration=simple(ROLLS * max(rolls, pitches)),
        step=step,
        body=table | {"mass": rounded(floats.mass, 4)},
        vessel={"metacentric_height": {"transverse": across, "longitudinal": along}},
        initial={"orientation": (math.cos(HEEL / 2), math.sin(HEEL / 2), 0.0, 0.0)},
    )


def _righted(transverse: float, longitudinal: float) -> str:
    if min(transverse, longitudinal) > 0.0:
        return f"GM is that of its form, {transverse:.3g} m, lengthwise {longitudinal:.3g} m"
    return (
        f"its form would let it fall over (GM {transverse:.2g} m, lengthwise {longitudinal:.2g} m): 2 % of its size is "
        "taken"
    )


ROW = Kind(
    kind="vessel",
    cards=CARDS,
    charts=CHARTS,
    more=MORE,
    scene=_scene,
    role=BodyRole("ship", "Ship", "It floats in calm water, righted by its form: bow along x, z up", _swaying),
)
