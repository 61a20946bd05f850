"""The values of a scenario that the panel lets one edit, kind by kind: names, units, ranges, sources."""

from __future__ import annotations

from app.window.field import Field
from app.window.ground_fields import FOREST, RELEASE, SCAR, SOIL, TERRAIN

_SHAPE = Field(
    "body.shape",
    "Shape",
    tip="Solid of constant density; a mesh is its own solid, a hull that of its points",
    choices=("cuboid", "ellipsoid", "cylinder", "eota", "random", "mesh", "hull", "inertia"),
)
_SIZE = Field(
    "body.size",
    "Size",
    "m",
    ("x", "y", "z"),
    "Extents along the axes of the body; above 0",
    optional=True,
    only=("body.shape", ("cuboid", "ellipsoid", "cylinder", "eota", "random")),
)
_MOMENTS = Field(
    "body.inertia",
    "Principal moments",
    "kg m²",
    ("A", "B", "C"),
    "About the centre of mass, in the order of the body's axes; given, they win over the shape's. "
    "None may exceed the sum of the others",
    optional=True,
)
_FROM_FILE = (
    Field(
        "body.file",
        "File",
        "",
        tip="Of a solid, or of the points of a hull (also .pts); in the body's own axes",
        endings=(".stl", ".obj", ".ply", ".pts"),
        only=("body.shape", ("mesh", "hull")),
    ),
    Field(
        "body.scale",
        "Scale",
        "",
        (),
        "Of the file's coordinates; above 0; 0.001 for millimetres",
        only=("body.shape", ("mesh", "hull")),
    ),
    Field(
        "body.seed",
        "Shape seed",
        "",
        (),
        "Another whole number, another random rock",
        whole=True,
        only=("body.shape", ("random",)),
    ),
)
_MASS = Field("body.mass", "Mass", "kg", tip="Above 0")
_DENSITY = Field("body.density", "Density", "kg/m³", tip="Above 0; rock has about 2700")
_BODY = (_SHAPE, *_FROM_FILE, _SIZE, _MOMENTS, _MASS, _DENSITY)
_OMEGA = Field(
    "initial.angular_velocity", "Angular velocity", "rad/s", ("x", "y", "z"), "At the start, in the body's axes"
)
_ATTITUDE = Field(
    "initial.orientation", "Orientation", "", ("w", "x", "y", "z"), "At the start: unit quaternion, body to space"
)
_VELOCITY = Field("initial.velocity", "Velocity", "m/s", ("x", "y", "z"), "Of the centre of mass at the start, z up")
STEP = (
    Field("step", "Step", "s", tip="Time step of every scheme; above 0, at most the duration"),
    Field("duration", "Duration", "s", tip="Simulated time at most; above 0"),
)
CARDS: dict[str, dict[str, tuple[Field, ...]]] = {
    "free": {
        "Body": _BODY,
        "Start": (_OMEGA, _ATTITUDE),
    },
    "top": {
        "Top": (
            Field("body.height", "Height", "m", tip="Above 0"),
            Field("body.radius", "Radius", "m", tip="Above 0"),
            _MASS,
            _DENSITY,
        ),
        "Start": (
            Field("initial.nutation", "Nutation", "rad", tip="Angle of the axis from the vertical"),
            Field("initial.precession", "Precession", "rad/s", tip="Rate of the axis about the vertical"),
        ),
    },
    "vessel": {
        "Ship": (
            Field(
                "vessel.metacentric_height.transverse",
                "GM transverse",
                "m",
                tip="Transverse metacentric height; 0 or more",
            ),
            Field(
                "vessel.metacentric_height.longitudinal",
                "GM longitudinal",
                "m",
                tip="Longitudinal metacentric height; 0 or more",
            ),
            Field("vessel.damping", "Damping", "N m s", ("roll", "pitch", "yaw"), "D4, D5, D6; 0 or more"),
        ),
        "Start": (_OMEGA, _ATTITUDE),
    },
    "rockfall": {
        "Rock": (
            *_BODY,
            Field(
                "ensemble.seed",
                "Orientation seed",
                "",
                (),
                "Another whole number, another orientation",
                whole=True,
            ),
            Field("ensemble.rock", "Rock of the ensemble", tip="Which rock falls alone; 0 or more", whole=True),
        ),
        "Release": (
            *RELEASE,
            Field("release.height", "Height", "m", (), "Of the centre of mass above the ground"),
            _VELOCITY,
            _OMEGA,
        ),
        "Terrain": TERRAIN,
        "Ground": SOIL,
        "Compactable soil": SCAR,
        "Forest": FOREST,
    },
}
