"""The tables of a scenario file, each with its keys, units, defaults and ranges."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, field_validator, model_validator

from physics.ground.soil import soil


def _finite(value: float) -> float:
    if not math.isfinite(value):
        raise ValueError("expected a finite number")
    return value


Number = Annotated[float, Field(strict=True), AfterValidator(_finite)]
Positive = Annotated[float, Field(strict=True, gt=0), AfterValidator(_finite)]
NotNegative = Annotated[float, Field(strict=True, ge=0), AfterValidator(_finite)]
Vector3 = tuple[Number, Number, Number]


class Table(BaseModel):
    """A table of the file: unknown keys are refused, and so are keys that would do nothing beside the others."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=True)

    def idle(self) -> Iterator[tuple[str, str]]:
        """The keys that do nothing beside what else the table gives, each with what it would serve."""
        return iter(())

    def gives(self, *keys: str) -> bool:
        """Whether any of the keys is given; one that is nothing (None) is not."""
        return any(key in self.model_fields_set and getattr(self, key) is not None for key in keys)

    @model_validator(mode="after")
    def _all_act(self) -> Self:
        for key, serves in self.idle():
            if self.gives(key):
                raise ValueError(f"{key}: {serves}")
        return self


class BodyTable(Table):
    """``[body]``: shape and mass properties."""

    shape: Literal["cuboid", "ellipsoid", "cylinder", "cone", "eota", "random", "hull", "mesh", "inertia"] | None = (
        Field(None, description="without it: inertia where moments and no size are given, else cuboid")
    )
    size: tuple[Positive, Positive, Positive] | None = Field(
        None, description="extents along the body axes [m]; a file's coordinates are stretched to them"
    )
    mass: Positive | None = Field(None, description="[kg]")
    density: Positive | None = Field(None, description="[kg/m³]")
    inertia: tuple[Positive, Positive, Positive] | None = Field(None, description="principal moments [kg m²]")
    height: Positive | None = Field(None, description="of a cone along the body's z axis [m]")
    radius: Positive | None = Field(None, description="of a cone's base [m]")
    file: str | None = Field(None, description="of a mesh (.stl, .obj, .ply), or the points of a hull (also .pts)")
    scale: Positive = Field(1.0, description="of the file's coordinates; 0.001 for millimetres")
    seed: Annotated[int, Field(strict=True, ge=0)] = Field(0, description="of a random rock: a seed is one rock")
    points: Annotated[int, Field(strict=True, ge=8, le=500)] = Field(24, description="corners of a random rock")

    @property
    def form(self) -> str:
        """The shape, chosen by what else is given when the file names none."""
        if self.shape is not None:
            return self.shape
        return "inertia" if self.inertia is not None and self.size is None else "cuboid"

    @model_validator(mode="after")
    def _complete(self) -> BodyTable:
        if self.mass is not None and self.density is not None:
            raise ValueError("expected mass or density, got both")
        if self.mass is None and self.density is None:
            raise ValueError("mass: expected a mass [kg] or a density [kg/m³]")
        needs = {"inertia": ("inertia", "mass"), "hull": ("file",), "mesh": ("file",), "cone": ("height", "radius")}
        for key in needs.get(self.form, ("size",)):
            if getattr(self, key) is None:
                raise ValueError(f"{key}: missing; the shape '{self.form}' expects it")
        return self

    def idle(self) -> Iterator[tuple[str, str]]:
        """The keys of other shapes, and a scale of what is stretched to a size."""
        if self.size is not None and self.scale != 1.0 and self.form in _SERVES["scale"]:
            yield "scale", "expected none beside size, to which the file's coordinates are stretched"
        for key, forms in _SERVES.items():
            if self.form not in forms:
                yield key, f"not a key of the shape '{self.form}'; it serves {', '.join(forms)}"


_SERVES = {  # keys of the body -> the shapes for which they mean something
    "size": ("cuboid", "ellipsoid", "cylinder", "eota", "random", "hull", "mesh"),
    "height": ("cone",),
    "radius": ("cone",),
    "file": ("hull", "mesh"),
    "scale": ("hull", "mesh"),
    "seed": ("random",),
    "points": ("random",),
}


class InitialTable(Table):
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
    def _unit(self) -> InitialTable:
        if self.orientation != "random":
            norm = math.hypot(*self.orientation)
            if not abs(norm - 1.0) < 1e-3:
                raise ValueError(f"orientation: expected a unit quaternion, got one of length {norm:g}")
        return self

    def idle(self) -> Iterator[tuple[str, str]]:
        """A start is told by the motion of a top's axis, or by its state."""
        if self.nutation is not None:
            for key in ("orientation", "angular_velocity"):
                yield key, "expected none beside nutation, which tells the start with precession and spin"


class GravityTable(Table):
    """``[gravity]``."""

    g: NotNegative = Field(9.81, description="[m/s²]")


class TopTable(Table):
    """``[top]``: a body whose moments are given about the fixed point."""

    distance: Positive | None = Field(None, description="from the fixed point to the centre of mass, along z [m]")


class MetacentricTable(Table):
    """``metacentric_height``."""

    transverse: NotNegative = Field(description="GM_T [m]")
    longitudinal: NotNegative = Field(description="GM_L [m]")


class VesselTable(Table):
    """``[vessel]``: restoring moments and damping (Gustafsson 2010, section 5.2)."""

    metacentric_height: MetacentricTable
    damping: tuple[NotNegative, NotNegative, NotNegative] = Field((0.0, 0.0, 0.0), description="D4, D5, D6 [N m s]")
    restoring: bool = True


class TerrainTable(Table):
    """``[terrain]``: a file, or a generated profile."""

    file: str | None = None
    profile: Literal["ramp", "chant-sura-like", "alpine"] | None = None
    angle: Annotated[Positive, Field(lt=85)] = Field(40.0, description="[deg] of the ramp")
    drop: Positive = Field(155.0, description="[m] of the ramp")
    width: Positive = Field(200.0, description="[m] of the ramp")
    window: tuple[Number, Number, Number, Number] | None = Field(
        None, description="xmin, ymin, xmax, ymax [m]: the part of the file that is read"
    )
    resolution: Positive | None = Field(None, description="[m] cells of the file are averaged to about this size")
    nodata: Literal["fill", "cut"] = Field("fill", description="fill cells without height, or end the map there")
    crs: str | None = Field(
        None, description="coordinate system of a file that tells none: EPSG:31287, an OGC URN, WKT"
    )

    @model_validator(mode="after")
    def _one(self) -> TerrainTable:
        if (self.file is None) == (self.profile is None):
            raise ValueError("expected either file or profile")
        if self.window is not None and not (self.window[0] < self.window[2] and self.window[1] < self.window[3]):
            raise ValueError(f"window: expected xmin < xmax and ymin < ymax, got {list(self.window)}")
        return self

    def idle(self) -> Iterator[tuple[str, str]]:
        """The keys of a file beside a profile, those of the ramp beside another ground."""
        for key in ("window", "resolution", "nodata", "crs") if self.profile is not None else ():
            yield key, "serves a file, not a profile"
        for key in ("angle", "drop", "width") if self.profile != "ramp" else ():
            yield key, f"serves the profile 'ramp', not {'a file' if self.profile is None else repr(self.profile)}"


class ScarTable(Table):
    """``scar``: compactable soil (Lu et al. 2019; there 10 to 25 MN/m², 0.1 to 4, 1700 kg/m³)."""

    modulus: Annotated[Positive, Field(ge=1e5)] = Field(
        description="M_E [N/m²]; below 1e5 it would be mud, or a number in another unit"
    )
    coefficient: NotNegative = Field(description="C_s, added to the form drag of 1")
    density: Positive = Field(description="of the soil [kg/m³]")


Ring = Annotated[tuple[tuple[Number, Number], ...], Field(min_length=3)]


class SoilLaws(Table):
    """Slip-dependent friction (Leine et al. 2014, (46), (47)), by default that of Lu et al. (2019), and more."""

    preset: Annotated[str, Field(strict=True)] | None = Field(
        None, description="values of a soil of physics.ground.soil (literature, approximate); keys given beside it win"
    )
    mu_min: NotNegative = Field(0.55, description="friction coefficient of a fresh contact")
    mu_max: NotNegative = Field(2.0, description="friction coefficient after long slip")
    beta: NotNegative = Field(185.0, description="decay of slip in flight [1/s]")
    kappa: NotNegative = Field(3.0, description="growth of friction with slip [1/m]")
    restitution: Annotated[NotNegative, Field(le=1)] = Field(0.0, description="normal coefficient of restitution")
    drag: NotNegative = Field(0.0, description="viscous drag over mass while in contact [1/s]")
    scar: ScarTable | None = Field(None, description="of compactable soil; without it the ground is rigid")

    @field_validator("preset")
    @classmethod
    def _known(cls, value: str | None) -> str | None:
        if value is not None:
            soil(value)
        return value

    @model_validator(mode="after")
    def _filled(self) -> Self:
        if self.preset is not None:
            # filled in without being marked as set: a changed preset must not find the values of the former one
            given = {key: value for key, value in soil(self.preset).laws().items() if key not in self.model_fields_set}
            self.__dict__.update(given)
        return self


class SoilZoneTable(SoilLaws):
    """``[[soil.zone]]``: another soil in a polygon; what neither it nor its preset gives is as in ``[soil]``."""

    polygon: Ring = Field(description="corners x, y [m] in the terrain's coordinates")
    rigid: bool = Field(False, description="whether the scar of the soil table stays out of it")

    def idle(self) -> Iterator[tuple[str, str]]:
        """Rigid ground has no scar."""
        if self.rigid:
            yield "scar", "expected none in a zone that is rigid"


class SoilTable(SoilLaws):
    """``[soil]``: the ground, and zones of other ground; where zones overlap the later wins, files before tables."""

    zones: str | None = Field(None, description="polygons of soils (.geojson; .gpkg, .shp with the extra gis)")
    soil_key: str = Field("soil", description="the attribute that names the preset of a polygon of the file")
    zone: tuple[SoilZoneTable, ...] = ()

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.mu_max < self.mu_min:
            raise ValueError(f"mu_max: expected at least mu_min = {self.mu_min:g}, got {self.mu_max:g}")
        return self

    def idle(self) -> Iterator[tuple[str, str]]:
        """What tells how a file is read, without a file."""
        if self.zones is None:
            yield "soil_key", "serves a file of zones; expected zones too"


class ForestLaws(Table):
    """A layer above the ground that slows the rock (Leine et al. 2014, (10), (11); 2022, (78))."""

    drag: NotNegative = Field(0.0, description="force over velocity of the centre of mass [kg/s]")
    height: Positive | None = Field(None, description="of the layer above the ground, plumb [m]")
    rotational_drag: NotNegative | tuple[NotNegative, NotNegative, NotNegative] = Field(
        0.0, description="torque over angular velocity, one number or one for each principal axis of the rock [N m s]"
    )

    @property
    def turning(self) -> tuple[float, float, float]:
        """Rotational drag about each principal axis of the rock [N m s]."""
        drag = self.rotational_drag
        return drag if isinstance(drag, tuple) else (drag, drag, drag)


class ForestZoneTable(ForestLaws):
    """``[[forest.zone]]``: another forest, or a clearing, in a polygon; what it does not give is as in ``[forest]``."""

    polygon: Ring = Field(description="corners x, y [m] in the terrain's coordinates")


class ForestTable(ForestLaws):
    """``[forest]``: the forest, none where nothing drags, and zones; where they overlap the later wins."""

    zones: str | None = Field(None, description="polygons of forests (.geojson; .gpkg, .shp with the extra gis)")
    zone: tuple[ForestZoneTable, ...] = ()

    @property
    def drags(self) -> bool:
        """Whether the layer slows a rock at all."""
        return self.drag > 0.0 or max(self.turning) > 0.0

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.drags and self.height is None:
            raise ValueError("height: missing; a forest with drag expects its height [m]")
        return self

    def idle(self) -> Iterator[tuple[str, str]]:
        """Trees that slow nothing."""
        bare = any(not zone.gives("height") for zone in self.zone)
        if not (self.gives("drag", "rotational_drag", "zones") or bare):
            yield "height", "serves a forest with drag; expected drag [kg/s] too, 0 for none"


class BarrierTable(Table):
    """``[[barrier]]``: a line at which an ensemble is measured; it does not stop the rocks."""

    line: Annotated[tuple[tuple[Number, Number], ...], Field(min_length=2, max_length=1000)] | None = Field(
        None, description="x, y of its points [m]"
    )
    file: str | None = Field(None, description="lines (.geojson; .gpkg, .shp with the extra gis), a barrier each")
    height: Positive | None = Field(
        None,
        description="[m] plumb above the ground; lower rocks count as stopped; of a file's lines without their own",
    )
    name: str = ""

    @model_validator(mode="after")
    def _one(self) -> BarrierTable:
        if self.line is None and self.file is None:
            raise ValueError("line: missing; expected the points of a line, or a file")
        if self.line is not None and self.file is not None:
            raise ValueError("file: expected either line or file")
        if self.line is not None and self.height is None:
            raise ValueError("height: missing")
        return self


class StopTable(Table):
    """``[stop]``: a rock rests when its kinetic energy stays below ``energy`` for ``for`` seconds, in contact."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)
    energy: NotNegative = Field(0.05, description="[J/kg]")
    for_: Positive = Field(1.0, alias="for", description="[s]")
