"""The tables of a scenario file, each with its keys, units, defaults and ranges."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import count
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from physics.bodies.mesh_io import ENDINGS
from physics.core.errors import ScenarioError
from physics.core.wording import N_
from physics.scenario.body_shapes import BODY_SHAPES, shapes_with
from physics.scenario.described import Only, described, only_of


def _infinite(value: Any) -> Any:
    """Infinity, as written in JSON."""
    return math.inf if value == "inf" else value


LONGEST_NAME = 80
_IN_NAMES = " -_.,:;()/'&+#°"  # beside letters and digits


def checked_name(value: str) -> str:
    """A name that tables, pages and reports can show as it is: no cell of a table takes it for a formula.

    ValueError for another.
    """
    plain = value[:1].isalnum() and all(char.isalnum() or char in _IN_NAMES for char in value)
    if value and (not plain or len(value) > LONGEST_NAME):
        marks = " ".join(_IN_NAMES.strip())
        raise ValueError(
            N_(
                "expected a name that begins with a letter or a digit, of at most {longest_name} "
                "letters, digits, spaces and {marks}, got {longest_name2!r}",
                LONGEST_NAME,
                marks,
                value[:LONGEST_NAME],
            )
        )
    return value


def distinct(names: Sequence[str]) -> tuple[str, ...]:
    """The names, each once: one that was there before gets a number, from 2 on."""
    found: list[str] = []
    for name in names:
        more = (f"{name} {number}" for number in count(2))
        found.append(name if name not in found else next(one for one in more if one not in {*found, *names}))
    return tuple(found)


PlainName = Annotated[str, AfterValidator(checked_name)]
Number = Annotated[float, Field(strict=True, allow_inf_nan=False)]
Positive = Annotated[Number, Field(gt=0)]
NotNegative = Annotated[Number, Field(ge=0)]
OR_INFINITE = BeforeValidator(_infinite)  # reader of a number that may be infinite, as a text too
Vector3 = tuple[Number, Number, Number]


class Table(BaseModel):
    """A table of the file: unknown keys are refused, and so are keys that would do nothing beside the others."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=True, ser_json_inf_nan="constants")

    def idle(self) -> Iterator[tuple[str, str]]:
        """The keys that do nothing beside what else the table gives, each with what it would serve."""
        for key, field in type(self).model_fields.items():
            if (only := only_of(field)) is not None and (why := self._against(*only)):
                yield key, why

    def _against(self, other: str, words: tuple[str | None, ...]) -> str:
        """Reason why a key means nothing that is only for some words of another, see ``described``; "": it does."""
        if None in words:
            return N_("expected none beside {other}", other) if self.gives(other) else ""
        if not words:
            return "" if self.gives(other) else N_("needs {other}, which is missing", other)
        word, those = self.chosen(other), ", ".join(filter(None, words))
        if word in words:
            return ""
        if word is None:
            return N_("applies to the {other} {those}; {other2} is missing", other, those, other)
        return N_("not a key of the {other} '{word}'; it applies to {those}", other, word, those)

    def chosen(self, key: str) -> str | None:
        """The word of a key, or that which it stands for where the table gives none."""
        word: str | None = getattr(self, key)
        return word

    def gives(self, *keys: str) -> bool:
        """True if any of the keys is given and not None."""
        return any(key in self.model_fields_set and getattr(self, key) is not None for key in keys)

    @model_validator(mode="after")
    def _all_act(self) -> Self:
        for key, serves in self.idle():
            if self.gives(key):
                raise ScenarioError(key, serves)
        return self


if TYPE_CHECKING:
    ShapeName = str
else:
    ShapeName = Literal[tuple(BODY_SHAPES)]


def _shaped(key: str) -> Only:
    return "shape", shapes_with(key)


class SolidConfig(Table):
    """Shape and mass properties of a body, or of a part of one."""

    shape: ShapeName | None = described(
        None, "Shape", about="Solid of constant density; a mesh is its own solid, a hull that of its points"
    )
    size: tuple[Positive, Positive, Positive] | None = described(
        None,
        "Size",
        "m",
        "Extents along the axes of the body; a file is stretched to them",
        empty="as it is",
        only=_shaped("size"),
    )
    mass: Positive | None = described(None, "Mass", "kg", empty="by the density")
    density: Positive | None = described(None, "Density", "kg/m³", "Rock has about 2700", empty="by the mass")
    shell: Positive | None = described(
        None,
        "Wall",
        "m",
        "Thickness of the wall of a hollow body, inwards from its surface",
        empty="solid",
        only=_shaped("shell"),
    )
    inertia: Annotated[tuple[Number, ...], Field(min_length=3, max_length=6)] | None = described(
        None,
        "Inertia",
        "kg m²",
        "About the centre of mass, in the body's axes, or as inertia_about and inertia_axes in the file say: three "
        "principal moments, or all six of the tensor with xy = −∫ x y dm; given, they win over the shape's. No "
        "principal moment may exceed the sum of the others",
        parts=("xx", "yy", "zz", "xy", "xz", "yz"),
        empty="",
    )
    inertia_about: Vector3 | Literal["centre"] = described(
        "centre",
        unit="m",
        about="of mass; or the point of the inertia, from the centre of mass, body axes",
        only=("inertia", ()),
    )
    inertia_axes: tuple[Number, Number, Number, Number] = described(
        (1.0, 0.0, 0.0, 0.0), about="unit quaternion, from the axes of the inertia to the body's", only=("inertia", ())
    )
    height: Positive | None = described(
        None, "Height", "m", "Of the cone, along the body's z axis", only=_shaped("height")
    )
    radius: Positive | None = described(
        None, "Radius", "m", "Of a cone's base, a sphere, a disk or a hoop", only=_shaped("radius")
    )
    thickness: NotNegative = described(0.0, "Thickness", "m", "Along the body's z axis", only=_shaped("thickness"))
    rim: NotNegative = described(
        0.0,
        "Rim",
        "m",
        "Radius with which the rim is rounded; 0: sharp; at most half the thickness",
        only=_shaped("rim"),
    )
    offset: Vector3 = described(
        (0.0, 0.0, 0.0),
        "Centre of mass",
        "m",
        "From the centre of the shape, along the body's axes",
        only=_shaped("offset"),
    )
    axes: tuple[Number, Number, Number, Number] = described(
        (1.0, 0.0, 0.0, 0.0),
        "Axes of the shape",
        about="Unit quaternion of the shape in the principal axes, which are those of the body",
        only=_shaped("axes"),
    )
    blocks: str | None = described(
        None,
        "Table of blocks",
        about="A row a rock (.csv): mass, L1, L2, L3, shape or file, x, y, z or height, velocity, orientation",
        empty="none",
        files=(".csv",),
    )
    file: str | None = described(
        None,
        "File",
        about="Of a solid, or of the points of a hull (also .pts, .xyz); in the body's own axes",
        files=ENDINGS,
        only=_shaped("file"),
    )
    scale: Positive = described(
        1.0, "Scale", about="Of the file's coordinates; 0.001 for millimetres", only=_shaped("scale")
    )
    up: Literal["x", "y", "z"] | None = described(
        None,
        "Up",
        about="The axis of the file that becomes the body's z",
        empty="As the format: z, of glTF y",
        only=_shaped("up"),
    )
    nodes: tuple[str, ...] = described(
        (),
        about="names of the parts of a .glb, .gltf or .obj that make the solid; without it all of them",
        only=_shaped("nodes"),
    )
    repair: bool = described(
        False, about="whether a mesh that encloses no solid is mended; what changes is noted", only=_shaped("repair")
    )
    seed: Annotated[int, Field(strict=True, ge=0)] = described(
        0, "Shape seed", about="Another whole number, another random rock", only=_shaped("seed")
    )
    points: Annotated[int, Field(strict=True, ge=8, le=500)] = described(
        24,
        "Corners",
        about="Of a random rock; of a hull the most that are kept",
        empty="24 of a random rock, all of a hull",
        only=_shaped("points"),
    )
    angularity: Literal["very-angular", "angular", "sub-angular", "sub-rounded", "rounded", "well-rounded"] | None = (
        described(
            None,
            "Angularity",
            about="Classes of Powers 1953, in place of corners",
            empty="By corners",
            only=_shaped("angularity"),
        )
    )

    @property
    def form(self) -> str:
        """The shape, chosen by what else is given when the file names none."""
        if self.shape is not None:
            return self.shape
        return "inertia" if self.inertia is not None and self.size is None else "cuboid"

    def chosen(self, key: str) -> str | None:
        """The word of a key; of the shape its form."""
        return self.form if key == "shape" else super().chosen(key)

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.mass is not None and self.density is not None:
            raise ValueError(N_("expected mass or density, got both"))
        self._check_inertia()
        if self.blocks is not None:  # each of its rows makes a whole table of this one
            if self.inertia is not None:
                raise ScenarioError("inertia", N_("expected none beside blocks, which have moments of their own"))
            return self
        if self.mass is None and self.density is None and self.form != "parts":
            raise ScenarioError("mass", N_("expected a mass [kg] or a density [kg/m³]"))
        for key in BODY_SHAPES[self.form].needs:
            if not getattr(self, key, None):
                raise ScenarioError(key, N_("missing; the shape '{form}' expects it", self.form))
        high = self.size[2] if self.form == "cylinder" and self.size is not None else self.thickness
        wide = min(self.size[:2]) / 2.0 if self.size is not None else self.radius
        if self.rim > 0.5 * high or (wide is not None and 0.0 < wide <= self.rim):
            raise ScenarioError(
                "rim", N_("expected at most half the thickness, and less than the radius, got {rim:g}", self.rim)
            )
        for key in ("axes", "inertia_axes"):
            check_unit(key, getattr(self, key))
        return self

    def _check_inertia(self) -> None:
        given = self.inertia or (1.0, 1.0, 1.0)
        if len(given) not in (3, 6):
            expected = N_("expected 3 principal moments, or the 6 numbers xx, yy, zz, xy, xz, yz of a tensor")
            raise ScenarioError("inertia", N_("{expected}, got {given}", expected, len(given)))
        for i, moment in enumerate(given[:3]):
            if moment <= 0.0:
                raise ScenarioError(f"inertia.{i}", N_("expected a number above 0, got {moment:g}", moment))

    def idle(self) -> Iterator[tuple[str, str]]:
        """The keys of other shapes, and a scale of what is stretched to a size."""
        if self.angularity is not None:
            yield "points", N_("expected none beside angularity, which sets the corners")
        if self.size is not None and self.scale != 1.0 and self.form in shapes_with("scale"):
            yield "scale", N_("expected none beside size, to which the file's coordinates are stretched")
        if self.form == "parts":
            for key in ("mass", "density"):
                yield key, N_("expected none beside parts, which have masses or densities of their own")
        yield from super().idle()
        if self.inertia is not None and self.mass is not None:
            yield "shell", N_("expected none beside mass and inertia, which follow from it")


def check_unit(key: str, quaternion: tuple[float, ...]) -> None:
    """ValueError, naming the key, for a quaternion that is not one of length 1."""
    norm = math.hypot(*quaternion)
    if not abs(norm - 1.0) < 1e-3:
        raise ScenarioError(key, N_("expected a unit quaternion, got one of length {norm:g}", norm))


class PartConfig(SolidConfig):
    """``[[body.part]]``: a solid, and where it is in the body."""

    name: str = described("", about="for people")
    position: Vector3 = described(
        (0.0, 0.0, 0.0), "Position", "m", "Of its centre, or of the origin of its file, in the body's axes", empty=""
    )
    orientation: tuple[Number, Number, Number, Number] = described(
        (1.0, 0.0, 0.0, 0.0), about="unit quaternion, from the axes of the part to the body's"
    )

    @model_validator(mode="after")
    def _unit(self) -> PartConfig:
        check_unit("orientation", self.orientation)
        return self


class BodyConfig(SolidConfig):
    """``[body]``: a solid, or the parts that a body is made of."""

    part: Annotated[tuple[PartConfig, ...], Field(max_length=100)] = described(
        (),
        "Parts",
        about="Tables [[body.part]] of the scenario file, which has their shapes, sizes and orientations",
        empty="",
        only=_shaped("part"),
    )

    @property
    def form(self) -> str:
        """The shape, chosen by what else is given when the file names none."""
        return "parts" if self.part and self.shape is None else super().form


class InitialConfig(Table):
    """``[initial]``: the state at t = 0."""

    orientation: tuple[Number, Number, Number, Number] | Literal["random"] = described(
        (1.0, 0.0, 0.0, 0.0), "Orientation", about="At the start: unit quaternion, body to space"
    )
    angular_velocity: Vector3 = described(
        (0.0, 0.0, 0.0), "Angular velocity", "rad/s", "At the start, in the body's axes"
    )
    position: Vector3 | None = described(None, "Position", "m", "Of the centre of mass in space")
    velocity: Vector3 = described((0.0, 0.0, 0.0), "Velocity", "m/s", "Of the centre of mass at the start, z up")
    nutation: Number | None = described(None, "Nutation", "rad", "Angle of the axis from the vertical")
    precession: Number | None = described(None, "Precession", "rad/s", "Rate of the axis about the vertical", empty="")
    spin: Number | Literal["steady"] | None = described(
        None, "Spin", "rad/s", "Rate about the top's own axis", empty="that at which it precesses without nutating"
    )

    @model_validator(mode="after")
    def _unit(self) -> InitialConfig:
        if self.orientation != "random":
            check_unit("orientation", self.orientation)
        return self

    def idle(self) -> Iterator[tuple[str, str]]:
        """A start is given by the motion of a top's axis, or by its state."""
        yield from super().idle()
        if self.nutation is not None:
            for key in ("orientation", "angular_velocity"):
                yield key, N_("expected none beside nutation, which gives the start with precession and spin")


class GravityConfig(Table):
    """``[gravity]``."""

    g: NotNegative = described(9.81, "Gravity", "m/s²", empty="")
