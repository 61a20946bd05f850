"""The tables of a scenario file, each with its keys, units, defaults and ranges."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator


def _finite(value: float) -> float:
    if not math.isfinite(value):
        raise ValueError("expected a finite number")
    return value


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
            f"expected a name that begins with a letter or a digit, of at most {LONGEST_NAME} letters, digits, spaces "
            f"and {marks}, got {value[:LONGEST_NAME]!r}"
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
Number = Annotated[float, Field(strict=True), AfterValidator(_finite)]
Positive = Annotated[float, Field(strict=True, gt=0), AfterValidator(_finite)]
NotNegative = Annotated[float, Field(strict=True, ge=0), AfterValidator(_finite)]
Unbounded = Annotated[float, Field(strict=True), BeforeValidator(_infinite)]  # inf too, also as a text
Vector3 = tuple[Number, Number, Number]


class Table(BaseModel):
    """A table of the file: unknown keys are refused, and so are keys that would do nothing beside the others."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=True, ser_json_inf_nan="constants")

    def idle(self) -> Iterator[tuple[str, str]]:
        """The keys that do nothing beside what else the table gives, each with what it would serve."""
        return iter(())

    def gives(self, *keys: str) -> bool:
        """True if any of the keys is given and not None."""
        return any(key in self.model_fields_set and getattr(self, key) is not None for key in keys)

    @model_validator(mode="after")
    def _all_act(self) -> Self:
        for key, serves in self.idle():
            if self.gives(key):
                raise ValueError(f"{key}: {serves}")
        return self


SOLIDS = ("cuboid", "ellipsoid", "cylinder", "cone", "eota", "random", "hull", "mesh", "inertia")  # of constant density


class SolidConfig(Table):
    """Shape and mass properties of a body, or of a part of one."""

    shape: (
        Literal[
            "cuboid",
            "ellipsoid",
            "cylinder",
            "cone",
            "eota",
            "random",
            "hull",
            "mesh",
            "inertia",
            "parts",
            "sphere",
            "tippe-top",
            "egg",
            "disk",
            "hoop",
        ]
        | None
    ) = Field(None, description="without it: parts where there are some, inertia where moments and no size are given")
    size: tuple[Positive, Positive, Positive] | None = Field(
        None, description="extents along the body axes [m]; a file's coordinates are stretched to them"
    )
    mass: Positive | None = Field(None, description="[kg]")
    density: Positive | None = Field(None, description="[kg/m³]")
    shell: Positive | None = Field(None, description="thickness of the wall of a hollow body, inwards [m]")
    inertia: Annotated[tuple[Number, ...], Field(min_length=3, max_length=6)] | None = Field(
        None, description="principal moments, or a tensor xx, yy, zz, xy, xz, yz with xy = -∫ x y dm [kg m²]"
    )
    inertia_about: Vector3 | Literal["centre"] = Field(
        "centre", description="of mass; or the point of the inertia, from the centre of mass, body axes [m]"
    )
    inertia_axes: tuple[Number, Number, Number, Number] = Field(
        (1.0, 0.0, 0.0, 0.0), description="unit quaternion, from the axes of the inertia to the body's"
    )
    height: Positive | None = Field(None, description="of a cone along the body's z axis [m]")
    radius: Positive | None = Field(None, description="of a cone's base, a sphere, a disk or a hoop [m]")
    thickness: NotNegative = Field(0.0, description="of a disk or a hoop along the body's z axis [m]")
    rim: NotNegative = Field(0.0, description="radius with which the rim is rounded, at most half the thickness [m]")
    offset: Vector3 = Field((0.0, 0.0, 0.0), description="from the centre of the shape to that of mass, body axes [m]")
    axes: tuple[Number, Number, Number, Number] = Field(
        (1.0, 0.0, 0.0, 0.0), description="unit quaternion of the shape in the principal axes, which are the body's"
    )
    blocks: str | None = Field(
        None,
        description="table (.csv) of the rocks of an ensemble, a row each; this table gives values missing in rows",
    )
    file: str | None = Field(None, description="of a mesh (.stl, .obj, .ply), or the points of a hull (also .pts)")
    scale: Positive = Field(1.0, description="of the file's coordinates; 0.001 for millimetres")
    up: Literal["x", "y", "z"] = Field("z", description="the axis of the file that becomes the body's z")
    repair: bool = Field(False, description="whether a mesh that encloses no solid is mended; what changes is noted")
    seed: Annotated[int, Field(strict=True, ge=0)] = Field(0, description="of a random rock: a seed is one rock")
    points: Annotated[int, Field(strict=True, ge=8, le=500)] = Field(
        24, description="corners of a random rock; the most of a hull, which keeps all without it"
    )
    angularity: Literal["very-angular", "angular", "sub-angular", "sub-rounded", "rounded", "well-rounded"] | None = (
        Field(None, description="of a random rock, in place of points; see physics.bodies.angularity")
    )

    @property
    def form(self) -> str:
        """The shape, chosen by what else is given when the file names none."""
        if self.shape is not None:
            return self.shape
        return "inertia" if self.inertia is not None and self.size is None else "cuboid"

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.mass is not None and self.density is not None:
            raise ValueError("expected mass or density, got both")
        self._check_inertia()
        if self.blocks is not None:  # each of its rows makes a whole table of this one
            if self.inertia is not None:
                raise ValueError("inertia: expected none beside blocks, which have moments of their own")
            return self
        if self.mass is None and self.density is None and self.form != "parts":
            raise ValueError("mass: expected a mass [kg] or a density [kg/m³]")
        needs = {
            "parts": ("part",),
            "inertia": ("inertia", "mass"),
            "hull": ("file",),
            "mesh": ("file",),
            "cone": ("height", "radius"),
        }
        needs |= dict.fromkeys(("sphere", "tippe-top", "disk", "hoop"), ("radius",))
        for key in needs.get(self.form, ("size",)):
            if not getattr(self, key, None):
                raise ValueError(f"{key}: missing; the shape '{self.form}' expects it")
        high = self.size[2] if self.form == "cylinder" and self.size is not None else self.thickness
        wide = min(self.size[:2]) / 2.0 if self.size is not None else self.radius
        if self.rim > 0.5 * high or (wide is not None and 0.0 < wide <= self.rim):
            raise ValueError(f"rim: expected at most half the thickness, and less than the radius, got {self.rim:g}")
        for key in ("axes", "inertia_axes"):
            _check_unit(key, getattr(self, key))
        return self

    def _check_inertia(self) -> None:
        given = self.inertia or (1.0, 1.0, 1.0)
        if len(given) not in (3, 6):
            expected = "expected 3 principal moments, or the 6 numbers xx, yy, zz, xy, xz, yz of a tensor"
            raise ValueError(f"inertia: {expected}, got {len(given)}")
        for i, moment in enumerate(given[:3]):
            if moment <= 0.0:
                raise ValueError(f"inertia.{i}: expected a number above 0, got {moment:g}")

    def idle(self) -> Iterator[tuple[str, str]]:
        """The keys of other shapes, and a scale of what is stretched to a size."""
        if self.angularity is not None:
            yield "points", "expected none beside angularity, which sets the corners"
        if self.size is not None and self.scale != 1.0 and self.form in SERVES["scale"]:
            yield "scale", "expected none beside size, to which the file's coordinates are stretched"
        if self.inertia is None:
            for key in ("inertia_about", "inertia_axes"):
                yield key, "expected none without inertia"
        if self.form == "parts":
            for key in ("mass", "density"):
                yield key, "expected none beside parts, which have masses or densities of their own"
        for key, forms in SERVES.items():
            if self.form not in forms:
                yield key, f"not a key of the shape '{self.form}'; it applies to {', '.join(forms)}"
        if self.inertia is not None and self.mass is not None:
            yield "shell", "expected none beside mass and inertia, which follow from it"


SERVES = {  # keys of the body -> the shapes for which they mean something
    "part": ("parts",),
    "shell": (*SOLIDS[:-1], "sphere"),
    "size": ("cuboid", "ellipsoid", "cylinder", "eota", "random", "hull", "mesh", "egg"),
    "height": ("cone",),
    "radius": ("cone", "sphere", "tippe-top", "disk", "hoop"),
    "thickness": ("disk", "hoop"),
    "rim": ("disk", "hoop", "cylinder"),
    "offset": ("ellipsoid", "sphere", "tippe-top", "egg", "disk", "hoop", "cylinder"),
    "axes": ("ellipsoid", "egg", "disk", "hoop", "cylinder"),
    "file": ("hull", "mesh"),
    "scale": ("hull", "mesh"),
    "up": ("hull", "mesh"),
    "repair": ("mesh",),
    "seed": ("random",),
    "points": ("random", "hull"),
    "angularity": ("random",),
}


def _check_unit(key: str, quaternion: tuple[float, ...]) -> None:
    """ValueError, naming the key, for a quaternion that is not one of length 1."""
    norm = math.hypot(*quaternion)
    if not abs(norm - 1.0) < 1e-3:
        raise ValueError(f"{key}: expected a unit quaternion, got one of length {norm:g}")


class PartConfig(SolidConfig):
    """``[[body.part]]``: a solid, and where it is in the body."""

    name: str = Field("", description="for people")
    position: Vector3 = Field(
        (0.0, 0.0, 0.0), description="of the centre of its shape, or of the origin of its file, axes of the body [m]"
    )
    orientation: tuple[Number, Number, Number, Number] = Field(
        (1.0, 0.0, 0.0, 0.0), description="unit quaternion, from the axes of the part to the body's"
    )

    @model_validator(mode="after")
    def _unit(self) -> PartConfig:
        _check_unit("orientation", self.orientation)
        return self


class BodyConfig(SolidConfig):
    """``[body]``: a solid, or the parts that a body is made of."""

    part: Annotated[tuple[PartConfig, ...], Field(max_length=100)] = Field(
        (), description="each with a mass or density"
    )

    @property
    def form(self) -> str:
        """The shape, chosen by what else is given when the file names none."""
        return "parts" if self.part and self.shape is None else super().form


class InitialConfig(Table):
    """``[initial]``: the state at t = 0."""

    orientation: tuple[Number, Number, Number, Number] | Literal["random"] = (1.0, 0.0, 0.0, 0.0)
    angular_velocity: Vector3 = (0.0, 0.0, 0.0)
    position: Vector3 | None = None
    velocity: Vector3 = (0.0, 0.0, 0.0)
    nutation: Number | None = Field(None, description="of a top: angle of its axis from the vertical [rad]")
    precession: Number | None = Field(None, description="of a top: rate of its axis about the vertical [rad/s]")
    spin: Number | Literal["steady"] | None = Field(
        None, description="of a top: rate about its own axis [rad/s]; 'steady' where it precesses without nutating"
    )

    @model_validator(mode="after")
    def _unit(self) -> InitialConfig:
        if self.orientation != "random":
            _check_unit("orientation", self.orientation)
        return self

    def idle(self) -> Iterator[tuple[str, str]]:
        """A start is given by the motion of a top's axis, or by its state."""
        if self.nutation is not None:
            for key in ("orientation", "angular_velocity"):
                yield key, "expected none beside nutation, which gives the start with precession and spin"


class GravityConfig(Table):
    """``[gravity]``."""

    g: NotNegative = Field(9.81, description="[m/s²]")
