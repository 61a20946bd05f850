"""The tables of a scenario file that say what lies under rocks and around them: terrain, soils, forests, barriers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal, Self

from pydantic import Field, field_validator, model_validator

from physics.bodies.mesh_io import MESHES
from physics.scenario.common_config import NotNegative, Number, Positive, Table
from physics.terrain.soil import SOILS, soil


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
        None, description="values of a soil of physics.terrain.soil (literature, approximate); keys given beside it win"
    )
    mu_min: NotNegative = Field(0.55, description="friction coefficient of a fresh contact")
    mu_max: NotNegative = Field(2.0, description="friction coefficient after long slip")
    beta: NotNegative = Field(185.0, description="decay of slip in flight [1/s]")
    kappa: NotNegative = Field(3.0, description="growth of friction with slip [1/m]")
    restitution: Annotated[NotNegative, Field(le=1)] = Field(0.0, description="normal coefficient of restitution")
    drag: NotNegative = Field(0.0, description="viscous drag over mass while in contact [1/s]")
    ground: Literal["compactable"] | None = Field(
        None, description="the scar of the preset; without it, and without a scar, the ground is rigid"
    )
    scar: ScarTable | None = Field(None, description="of compactable soil, in place of the preset's")
    rolling: Annotated[NotNegative, Field(le=100)] = Field(
        0.0, description="rolling resistance: the tangent of a slope that a ball rolls down"
    )
    ramp: Annotated[NotNegative, Field(lt=60)] = Field(
        0.0, description="[deg] by which soil that is pressed turns the normal against the motion, at 10 m/s into it"
    )
    roughness: Annotated[NotNegative, Field(le=100)] = Field(
        0.0, description="[m] of the ground below the cells of the map, over a rock's radius"
    )
    restitution_speed: NotNegative = Field(
        0.0, description="[m/s] into the ground at which restitution is half; 0: the same at all speeds"
    )

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
        elif self.ground is not None and self.scar is None:
            raise ValueError("ground: expected a preset beside it, whose scar it is, or [soil.scar] in its place")
        return self

    def idle(self) -> Iterator[tuple[str, str]]:
        """A scar of the preset beside another, or where it has none."""
        if self.scar is not None:
            yield "ground", "expected none beside a scar, which wins"
        elif self.preset in SOILS and SOILS[self.preset].scar is None:
            yield "ground", f"the soil '{self.preset}' has no scar; expected the table scar in its place"

    @property
    def pressed(self) -> ScarTable | None:
        """The scar that the ground has; None where it is rigid."""
        if self.scar is not None or self.ground is None or self.preset is None:
            return self.scar
        told = soil(self.preset).scar
        return None if told is None else ScarTable(**told._asdict())


class SoilPlaceTable(SoilLaws):
    """The soil of a zone or a piece; what neither it nor its preset gives is as in ``[soil]``."""

    rigid: bool = Field(False, description="whether the scar of [soil] stays out of it")

    def idle(self) -> Iterator[tuple[str, str]]:
        """Rigid ground has no scar."""
        yield from super().idle()
        if self.rigid:
            yield "scar", "expected none beside rigid"
            yield "ground", "expected none beside rigid"


class SoilZoneTable(SoilPlaceTable):
    """``[[soil.zone]]``: another soil in a polygon, see SoilPlaceTable."""

    polygon: Ring = Field(description="corners x, y [m] in the terrain's coordinates")


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
        """What tells how a file is read, without a file; how a restitution fades, without one."""
        yield from super().idle()
        if self.zones is None:
            yield "soil_key", "serves a file of zones; expected zones too"
        if self.restitution == 0.0 and self.zones is None and not self.zone:
            yield "restitution_speed", "serves a restitution; expected one above 0 too"


class PieceTable(Table):
    """``[[terrain.piece]]``: a mesh that is a part of the ground, and the soil on it; the uppermost counts."""

    file: str = Field(description="mesh (.stl, .obj, .ply)")
    soil: SoilPlaceTable | None = Field(
        None, description="preset, or a table as a zone's; what neither it nor its preset gives is as in [soil]"
    )

    @field_validator("soil", mode="before")
    @classmethod
    def _named(cls, value: Any) -> Any:
        return {"preset": value} if isinstance(value, str) else value


class TerrainTable(Table):
    """``[terrain]``: a file, pieces of a surface, or a generated profile."""

    file: str | None = Field(None, description="grid (.tif, .asc), points (.xyz) or mesh (.stl, .obj, .ply)")
    piece: Annotated[tuple[PieceTable, ...], Field(max_length=255)] = ()
    up: Literal["x", "y", "z"] = Field("z", description="the axis of a mesh or of points that points up")
    profile: Literal["ramp", "chant-sura-like", "alpine"] | None = None
    angle: Annotated[Positive, Field(lt=85)] = Field(40.0, description="[deg] of the ramp")
    drop: Positive = Field(155.0, description="[m] of the ramp")
    width: Positive = Field(200.0, description="[m] of the ramp")
    window: tuple[Number, Number, Number, Number] | None = Field(
        None, description="xmin, ymin, xmax, ymax [m]: the part of the file that is read"
    )
    resolution: Positive | None = Field(
        None, description="[m] cells are averaged to about this size; of a mesh, they have it"
    )
    nodata: Literal["fill", "cut"] | None = Field(
        None, description="fill cells without height, the usual, or end the map there, as it does beside a mesh"
    )
    crs: str | None = Field(
        None, description="coordinate system of a file that tells none: EPSG:31287, an OGC URN, WKT"
    )

    @model_validator(mode="after")
    def _one(self) -> TerrainTable:
        given = [key for key in ("file", "piece", "profile") if getattr(self, key)]
        if len(given) != 1:
            found = f"; {given[0]} is given too" if given else ""
            raise ValueError(f"{given[1] if given else 'file'}: expected one of file, piece, profile{found}")
        if self.window is not None and not (self.window[0] < self.window[2] and self.window[1] < self.window[3]):
            raise ValueError(f"window: expected xmin < xmax and ymin < ymax, got {list(self.window)}")
        return self

    def idle(self) -> Iterator[tuple[str, str]]:
        """The keys of a file beside a profile, those of the ramp beside another ground."""
        for key in ("window", "resolution", "nodata", "crs", "up") if self.profile is not None else ():
            yield key, "serves a file, not a profile"
        if self.file is not None and not self.file.lower().endswith((*MESHES, ".xyz")):
            yield "up", f"serves {', '.join(MESHES)} and .xyz"
        for key in ("angle", "drop", "width") if self.profile != "ramp" else ():
            yield key, f"serves the profile 'ramp', not {repr(self.profile) if self.profile else 'a file'}"


class ForestLaws(Table):
    """A layer above the ground that slows the rock (Leine et al. 2014, (10), (11); 2021, (78))."""

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
