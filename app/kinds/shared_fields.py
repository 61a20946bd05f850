"""The values of a scenario that the panel lets one edit, kind by kind: names, units, ranges, sources."""

# ruff: noqa: E501 - a table is read by rows

from __future__ import annotations

from dataclasses import replace

from app.kinds.field import Field
from app.kinds.ground_fields import FOREST, RELEASE, ROCKS, SCAR, SOIL, STOP, TERRAIN
from physics import Scenario
from physics.systems.rockfall_scenario import of_rocks

XYZ = ("x", "y", "z")
SIZED = ("cuboid", "ellipsoid", "cylinder", "eota", "random")
SHAPES = (*SIZED, "cone", "mesh", "hull", "inertia")


def _precesses(scenario: Scenario) -> str:
    return "state" if scenario.initial.nutation is None else "precession"


def _spin(scenario: Scenario) -> float | None:
    spin = scenario.initial.spin
    return None if spin == "steady" else spin or 0.0


def _attitude(scenario: Scenario) -> tuple[float, ...] | None:
    attitude = scenario.initial.orientation
    return None if attitude == "random" else attitude


_MASS = (
    Field("body.mass", "Mass", "kg", tip="Above 0"),
    Field("body.density", "Density", "kg/m³", tip="Above 0; rock has about 2700"),
)  # fmt: skip
_BODY = (
    Field("body.shape", "Shape", tip="Solid of constant density; a mesh is its own solid, a hull that of its points", choices=SHAPES, reads=lambda scenario: scenario.body.form),
    Field("body.file", "File", tip="Of a solid, or of the points of a hull (also .pts); in the body's own axes", endings=(".stl", ".obj", ".ply", ".pts"), only=("body.shape", ("mesh", "hull"))),
    Field("body.scale", "Scale", tip="Of the file's coordinates; above 0; 0.001 for millimetres", only=("body.shape", ("mesh", "hull"))),
    Field("body.seed", "Shape seed", tip="Another whole number, another random rock; 0 or more", whole=True, only=("body.shape", ("random",))),
    Field("body.points", "Corners", tip="Of a random rock; 8 to 500", whole=True, only=("body.shape", ("random",))),
    Field("body.size", "Size", "m", XYZ, "Extents along the axes of the body; above 0; a file is stretched to them, empty: as it is", optional=True, only=("body.shape", (*SIZED, "mesh", "hull"))),
    Field("body.height", "Height", "m", tip="Of the cone, along the body's z axis; above 0", only=("body.shape", ("cone",))),
    Field("body.radius", "Radius", "m", tip="Of the cone's base; above 0", only=("body.shape", ("cone",))),
    Field("body.inertia", "Principal moments", "kg m²", ("A", "B", "C"), "About the centre of mass, in the order of the body's axes; given, they win over the shape's. None may exceed the sum of the others", optional=True),
    *_MASS,
)  # fmt: skip
_CORNERS = (  # of physics.bodies.shapes; help: rocks.md
    ("ellipsoid", "Touches the ground with 162 corners: it may rest on 10°, and rolls more slowly than a smooth one."),
    (
        "cylinder",
        "Touches the ground with 48 corners at each end: it rests on 3°, and rolls more slowly than a smooth one.",
    ),
)
_OMEGA = Field("initial.angular_velocity", "Angular velocity", "rad/s", XYZ, "At the start, in the body's axes")
_ATTITUDE = Field(
    "initial.orientation", "Orientation", "", ("w", "x", "y", "z"), "At the start: unit quaternion, body to space"
)
_GRAVITY = Field("gravity.g", "Gravity", "m/s²", tip="0 or more; empty: 9.81", optional=True)
_STATE, _PRECESSION = ("initial.given", ("state",)), ("initial.given", ("precession",))
STEP = (
    Field("step", "Step", "s", tip="Time step of every scheme; above 0, at most the duration"),
    Field("duration", "Duration", "s", tip="Simulated time at most; above 0"),
    Field("record_every", "Store every", "steps", tip="Of so many steps one is stored, and the last; 1 or more", whole=True),
)  # fmt: skip
CARDS: dict[str, dict[str, tuple[Field, ...]]] = {
    "free": {
        "Body": _BODY,
        "Start": (_OMEGA, _ATTITUDE),
    },
    "top": {
        "Top": (
            Field("body.height", "Height", "m", tip="Of the cone; above 0"),
            Field("body.radius", "Radius", "m", tip="Of the cone's base; above 0"),
            Field("body.inertia", "Principal moments", "kg m²", ("A", "B", "C"), "About the tip; C about the top's own axis. None may exceed the sum of the others"),
            Field("top.distance", "Centre of mass", "m", tip="Its distance from the tip, along the top's axis; above 0"),
            *_MASS,
            _GRAVITY,
        ),
        "Start": (
            Field("initial.given", "Given by", tip="How the start is told: by the motion of the axis, or by attitude and angular velocity", choices=("precession", "state"), reads=_precesses, told=True),
            Field("initial.nutation", "Nutation", "rad", tip="Angle of the axis from the vertical", only=_PRECESSION),
            Field("initial.precession", "Precession", "rad/s", tip="Rate of the axis about the vertical", optional=True, only=_PRECESSION),
            Field("initial.spin", "Spin", "rad/s", tip="Rate about the top's own axis; empty: that at which it precesses without nutating", optional=True, empty="steady", only=_PRECESSION, reads=_spin),
            Field("initial.angular_velocity", "Angular velocity", "rad/s", XYZ, _OMEGA.tip, only=_STATE),
            Field("initial.orientation", "Orientation", "", _ATTITUDE.parts, _ATTITUDE.tip, only=_STATE),
        ),
    },
    "vessel": {
        "Ship": (
            *_BODY,
            Field("vessel.metacentric_height.transverse", "GM transverse", "m", tip="Transverse metacentric height; 0 or more"),
            Field("vessel.metacentric_height.longitudinal", "GM longitudinal", "m", tip="Longitudinal metacentric height; 0 or more"),
            Field("vessel.damping", "Damping", "N m s", ("roll", "pitch", "yaw"), "D4, D5, D6; 0 or more"),
            _GRAVITY,
        ),
        "Start": (_OMEGA, _ATTITUDE),
    },
    "rockfall": {
        "Rock": (
            replace(_BODY[0], notes=_CORNERS),
            *_BODY[1:],
            Field("initial.orientation", "Orientation", "", _ATTITUDE.parts, f"{_ATTITUDE.tip}; empty: random, drawn from the seed", optional=True, empty="random", reads=_attitude),
            Field("ensemble.seed", "Seed", tip="Of all that is drawn: another whole number, other orientations, places and sizes; 0 or more", whole=True),
            Field("ensemble.rock", "Rock of the ensemble", tip="Which rock falls alone; 0 or more", whole=True),
        ),
        "Release": (
            *RELEASE,
            Field("initial.velocity", "Velocity", "m/s", XYZ, "Of the centre of mass at the start, z up", fits=lambda scenario: of_rocks(scenario).release.velocity is None),
            Field("release.velocity", "Velocity", "m/s", XYZ, "Of the centre of mass at the start, z up"),
            _OMEGA,
        ),
        "Rocks of an ensemble": ROCKS,
        "Barriers": (Field("barrier", "Lines at which an ensemble is measured", tip="They measure and do not stop: rocks go on behind them", form="barriers", optional=True),),
        "Terrain": TERRAIN,
        "Ground": SOIL,
        "Compactable soil": SCAR,
        "Forest": FOREST,
        "End": (*STOP, _GRAVITY),
    },
}  # fmt: skip
