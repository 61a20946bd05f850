"""The fields of the panel that several kinds of scenario have."""

# ruff: noqa: E501 - a table is read by rows

from __future__ import annotations

from app.kinds.field import Field
from physics.bodies.angularity import ANGULARITIES
from physics.bodies.mesh_io import ENDINGS
from physics.systems.scenario_body import of_body

XYZ = ("x", "y", "z")
SIZED = ("cuboid", "ellipsoid", "cylinder", "eota", "random")
SHAPES = (*SIZED, "cone", "mesh", "hull", "inertia")


MASS = (
    Field("body.mass", "Mass", "kg", tip="Above 0"),
    Field("body.density", "Density", "kg/m³", tip="Above 0; rock has about 2700"),
)  # fmt: skip
BODY = (
    Field("body.shape", "Shape", tip="Solid of constant density; a mesh is its own solid, a hull that of its points", choices=SHAPES, reads=lambda scenario: of_body(scenario).body.form),
    Field("body.file", "File", tip="Of a solid, or of the points of a hull (also .pts, .xyz); in the body's own axes", endings=ENDINGS, only=("body.shape", ("mesh", "hull"))),
    Field("body.scale", "Scale", tip="Of the file's coordinates; above 0; 0.001 for millimetres", only=("body.shape", ("mesh", "hull"))),
    Field("body.up", "Up", tip="The axis of the file that becomes the body's z", choices=("x", "y", "z"), only=("body.shape", ("mesh", "hull"))),
    Field("body.seed", "Shape seed", tip="Another whole number, another random rock; 0 or more", whole=True, only=("body.shape", ("random",))),
    Field("body.points", "Corners", tip="Of a random rock, empty: 24; of a hull the most that are kept; 8 to 500", optional=True, whole=True, only=("body.shape", ("random", "hull"))),
    Field("body.angularity", "Angularity", tip="Classes of Powers 1953, in place of corners", optional=True, choices=("", *ANGULARITIES), nothing="By corners", only=("body.shape", ("random",))),
    Field("body.size", "Size", "m", XYZ, "Extents along the axes of the body; above 0; a file is stretched to them, empty: as it is", optional=True, only=("body.shape", (*SIZED, "mesh", "hull"))),
    Field("body.height", "Height", "m", tip="Of the cone, along the body's z axis; above 0", only=("body.shape", ("cone",))),
    Field("body.radius", "Radius", "m", tip="Of the cone's base; above 0", only=("body.shape", ("cone",))),
    Field("body.inertia", "Principal moments", "kg m²", ("A", "B", "C"), "About the centre of mass, in the order of the body's axes; given, they win over the shape's. None may exceed the sum of the others", optional=True),
    *MASS,
)  # fmt: skip
ANGULAR_VELOCITY = Field(
    "initial.angular_velocity", "Angular velocity", "rad/s", XYZ, "At the start, in the body's axes"
)
ATTITUDE = Field(
    "initial.orientation", "Orientation", "", ("w", "x", "y", "z"), "At the start: unit quaternion, body to space"
)
GRAVITY = Field("gravity.g", "Gravity", "m/s²", tip="0 or more; empty: 9.81", optional=True)
STEP = (
    Field("step", "Step", "s", tip="Time step of every scheme; above 0, at most the duration"),
    Field("duration", "Duration", "s", tip="Simulated time at most; above 0"),
    Field("record_every", "Store every", "steps", tip="Of so many steps one is stored, and the last; 1 or more", whole=True),
)  # fmt: skip
