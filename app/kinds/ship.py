"""A ship that floats by its own mesh: beside its heel, trim and heave, and the energy that calm water keeps."""

# ruff: noqa: E501 - a table is read by rows

from __future__ import annotations

from typing import TYPE_CHECKING

from app.kinds.field import Field
from app.kinds.kind import Kind
from app.kinds.quantities import (
    ENERGIES,
    OMEGA,
    ORTHOGONALITY,
    PLACE,
    QUATERNION,
    SPIN,
    Quantity,
    energy_error,
    turned,
)
from app.kinds.shared_fields import ANGULAR_VELOCITY, GRAVITY, XYZ

if TYPE_CHECKING:
    from app.stage.scene_kind import SceneKind

SIX = ("surge", "sway", "heave", "roll", "pitch", "yaw")
CARDS = {
    "Hull": (
        Field("hull.file", "File", tip="Of a closed mesh: x forward, y port, z up", endings=(".stl", ".obj", ".ply")),
        Field("hull.shape", "Shape", tip="A hull that is made", choices=("box", "wigley", "prism", "cylinder")),
        Field("hull.size", "Size", "m", ("length", "breadth", "depth"), "Of the hull that is made; above 0"),
        Field("hull.mass", "Mass", "kg", tip="Of hull and cargo; above 0, below that of its own volume of water"),
        Field("hull.draught", "Draught", "m", tip="Upright, from the lowest point; it tells the mass"),
        Field("hull.centre_of_gravity", "Centre of gravity", "m", XYZ, "Of hull and cargo, in the axes of the file"),
        Field("hull.radii_of_gyration", "Radii of gyration", "m", XYZ, "About the axes through the centre of gravity; above 0"),
        Field("hull.added_mass", "Added mass", "kg, kg m²", SIX, "Constant in the hull: a model for small angles; at large ones it gives a Munk moment"),
    ),
    "Water": (
        Field("water.density", "Density", "kg/m³", tip="Above 0; 1025 of the sea"),
        Field("damping.linear", "Linear damping", "N s/m, N m s", SIX, "Of surge to yaw, in the hull's axes; 0 or more"),
        Field("damping.quadratic", "Quadratic damping", "N s²/m², N m s²", SIX, "Of surge to yaw, in the hull's axes; 0 or more"),
        GRAVITY,
    ),
    "Start": (
        Field("initial.heel", "Heel", "rad", tip="Positive to starboard; empty: as it floats", optional=True),
        Field("initial.trim", "Trim", "rad", tip="Positive bow down; empty: as it floats", optional=True),
        Field("initial.heave", "Heave", "m", tip="Of the centre of gravity above where it floats; empty: 0", optional=True),
        Field("initial.velocity", "Velocity", "m/s", XYZ, "Of the centre of gravity at the start, z up"),
        ANGULAR_VELOCITY,
    ),
}  # fmt: skip
CHARTS = (
    Quantity("Heel", "°", turned(2)),
    Quantity("Trim", "°", turned(1)),
    Quantity("Height of the centre of gravity", "m", lambda run, _: run.position[:, 2]),
    Quantity("Energy error", "|E − E₀| / T₀", energy_error, log=True),
)
MORE = (Quantity("Yaw", "°", turned(0)), *PLACE, *OMEGA, *QUATERNION, *SPIN, *ENERGIES, ORTHOGONALITY)


def _scene() -> SceneKind:
    from app.stage.reference_frames import InertialAxes
    from app.stage.scene_kind import SceneKind
    from app.stage.vessel import Vessel, framing

    return SceneKind(
        lane=Vessel,
        framing=framing,
        overlays={"inertial": lambda tracks, look: InertialAxes(tracks, look, 0.8 * tracks[0].body.radius)},
    )


ROW = Kind(kind="ship", cards=CARDS, charts=CHARTS, more=MORE, scene=_scene)
