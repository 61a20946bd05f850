"""Fields of the panel: name, unit, range and source of each editable value, and the fields shared by several kinds."""

# ruff: noqa: E501 - one field a line

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from physics import Scenario
from physics.bodies.angularity import ANGULARITIES
from physics.bodies.mesh_io import ENDINGS
from physics.systems.scenario_body import of_body


@dataclass(frozen=True)
class Field:
    """A value of a scenario that can be edited in the panel.

    Attributes
    ----------
    key : dotted name in the scenario (``"body.mass"``), also the field that errors name
    label, unit : as the panel shows them
    parts : names of the components of a vector, () for a single value
    tip : explanation with the range and the source of a usual value
    least : number of components that are needed, the others may be empty; 0: all
    whole : integers only
    optional : may be left empty
    empty : value of an empty field; None: the scenario leaves it out
    choices : words to choose from, () for numbers; "" means none and is labelled ``nothing``
    endings : suffixes of a file name, () if it is not a file
    corners : least number of places x, y in a list of places; 0: not a list of places
    form : other forms: "distribution", "barriers", "lines", "zones", "classes", "pieces", "parts", "list", "text", "column" (of a list of tables)
    only : another field, and the values of it that this one applies to; (): any value
    reads : reads the value from a scenario, where it differs from the plain attribute
    notes : sentences shown below some choices: (word, sentence)
    implied : not stored in the scenario, but implied by the fields there that have this one as their ``only``
    fits : decides if a scenario can have this field; None: if it has a value, or the field may be empty
    begins : value for a scenario with which the field begins where a choice shows it empty; None: it stays empty
    """

    key: str
    label: str
    unit: str = ""
    parts: tuple[str, ...] = ()
    tip: str = ""
    least: int = 0
    whole: bool = False
    optional: bool = False
    empty: Any = None
    choices: tuple[str, ...] = ()
    nothing: str = "None"
    endings: tuple[str, ...] = ()
    corners: int = 0
    form: str = ""
    only: tuple[str, tuple[str | None, ...]] | None = None
    reads: Callable[[Scenario], Any] | None = None
    notes: tuple[tuple[str, str], ...] = ()
    implied: bool = False
    fits: Callable[[Scenario], bool] | None = None
    begins: Callable[[Scenario], Any] | None = None

    def of(self, scenario: Scenario) -> Any:
        """The value in a scenario: a number, a tuple, a word, or None."""
        value: Any = scenario
        for name in self.key.split("."):
            value = getattr(alone(value), name, None)
        return value

    def given(self, scenario: Scenario) -> Any:
        """The value that a scenario gives itself, lists as tuples; None if it comes from a preset or a default."""
        value: Any = scenario.to_plain()
        for name in self.key.split("."):
            value = alone(value)
            value = value.get(name) if isinstance(value, dict) else None
        return frozen(value)

    def shown(self, scenario: Scenario) -> Any:
        """The value that the panel shows; of an optional field only what the scenario gives itself."""
        if self.reads is not None:
            return self.reads(scenario)
        return self.given(scenario) if self.optional or self.corners or self.form else self.of(scenario)

    def serves(self, scenario: Scenario) -> bool:
        """True if the panel has this field for a scenario."""
        if self.fits is not None:
            return self.fits(scenario)
        return self.optional or self.only is not None or self.shown(scenario) is not None

    @property
    def angular(self) -> bool:
        """True if the value is an angle, which may be shown in degrees; rates are those of charts and files."""
        return self.unit == "rad"


def alone(value: Any) -> Any:
    """The table of a list that has no other, which fields reach by its name; else the value itself."""
    return value[0] if isinstance(value, list | tuple) and len(value) == 1 else value


def frozen(value: Any) -> Any:
    """Plain values with tuples in place of lists."""
    if isinstance(value, dict):
        return {key: frozen(item) for key, item in value.items()}
    return tuple(map(frozen, value)) if isinstance(value, list | tuple) else value


XYZ = ("x", "y", "z")
SIZED = ("cuboid", "ellipsoid", "cylinder", "eota", "random")
SHAPES = (*SIZED, "cone", "sphere", "mesh", "hull", "inertia")


MASS = (
    Field("body.mass", "Mass", "kg", tip="Above 0; empty: by the density", optional=True, fits=lambda scenario: scenario.body is not None),
    Field("body.density", "Density", "kg/m³", tip="Above 0; rock has about 2700; empty: by the mass", optional=True, fits=lambda scenario: scenario.body is not None),
)  # fmt: skip
SHAPE = Field("body.shape", "Shape", tip="Solid of constant density; a mesh is its own solid, a hull that of its points", choices=SHAPES, reads=lambda scenario: of_body(scenario).body.form)  # fmt: skip
LENGTHS = (
    Field("body.file", "File", tip="Of a solid, or of the points of a hull (also .pts, .xyz); in the body's own axes", endings=ENDINGS, only=("body.shape", ("mesh", "hull"))),
    Field("body.scale", "Scale", tip="Of the file's coordinates; above 0; 0.001 for millimetres", only=("body.shape", ("mesh", "hull"))),
    Field("body.up", "Up", tip="The axis of the file that becomes the body's z", choices=("x", "y", "z"), only=("body.shape", ("mesh", "hull"))),
    Field("body.seed", "Shape seed", tip="Another whole number, another random rock; 0 or more", whole=True, only=("body.shape", ("random",))),
    Field("body.points", "Corners", tip="Of a random rock, empty: 24; of a hull the most that are kept; 8 to 500", optional=True, whole=True, only=("body.shape", ("random", "hull"))),
    Field("body.angularity", "Angularity", tip="Classes of Powers 1953, in place of corners", optional=True, choices=("", *ANGULARITIES), nothing="By corners", only=("body.shape", ("random",))),
    Field("body.size", "Size", "m", XYZ, "Extents along the axes of the body; above 0; a file is stretched to them, empty: as it is", optional=True, only=("body.shape", (*SIZED, "mesh", "hull"))),
    Field("body.height", "Height", "m", tip="Of the cone, along the body's z axis; above 0", only=("body.shape", ("cone",))),
    Field("body.radius", "Radius", "m", tip="Above 0", only=("body.shape", ("cone", "sphere"))),
)  # fmt: skip
MOMENTS = Field("body.inertia", "Principal moments", "kg m²", ("A", "B", "C"), "About the centre of mass, in the order of the body's axes; given, they win over the shape's. None may exceed the sum of the others", optional=True)  # fmt: skip
BODY = (SHAPE, *LENGTHS, MOMENTS, *MASS)  # one solid
COMPOUND = (  # or a hollow one, or several parts, with a full inertia tensor
    replace(SHAPE, fits=lambda scenario: not of_body(scenario).body.part),
    replace(SHAPE, choices=(*SHAPES, "parts"), fits=lambda scenario: bool(of_body(scenario).body.part)),
    Field("body.part", "Parts", tip="Tables [[body.part]] of the scenario file, which has their shapes, sizes and orientations", optional=True, form="parts", only=("body.shape", ("parts",))),
    *LENGTHS,
    Field("body.shell", "Wall", "m", tip="Thickness of the wall of a hollow body, inwards from its surface; above 0; empty: solid", optional=True, only=("body.shape", SHAPES[:-1])),
    replace(MOMENTS, label="Inertia", parts=("xx", "yy", "zz", "xy", "xz", "yz"), least=3, tip="About the centre of mass, in the body's axes, or as inertia_about and inertia_axes in the file say: three principal moments, or all six of the tensor with xy = −∫ x y dm; given, they win over the shape's. No principal moment may exceed the sum of the others"),
    *MASS,
)  # fmt: skip
ANGULAR_VELOCITY = Field(
    "initial.angular_velocity", "Angular velocity", "rad/s", XYZ, "At the start, in the body's axes"
)
ATTITUDE = Field(
    "initial.orientation", "Orientation", "", ("w", "x", "y", "z"), "At the start: unit quaternion, body to space"
)
ATTITUDE_FORMS = (  # of the same, beside the quaternion
    Field(
        "initial.orientation",
        "Euler angles",
        "rad",
        ("yaw", "pitch", "roll"),
        "First about the vertical z, then about the new y axis, then about the newest x axis",
    ),
    Field("initial.orientation", "Axis", "", XYZ, "About which it is turned from the axes of space; of any length"),
    Field("initial.orientation", "Angle", "rad", tip="By which it is turned about the axis"),
)
GRAVITY = Field("gravity.g", "Gravity", "m/s²", tip="0 or more; empty: 9.81", optional=True)
STEP = (
    Field("step", "Step", "s", tip="Time step of every scheme; above 0, at most the duration"),
    Field("duration", "Duration", "s", tip="Simulated time at most; above 0"),
    Field("record_every", "Store every", "steps", tip="One of this many steps is stored, and the last; 1 or more", whole=True),
)  # fmt: skip
