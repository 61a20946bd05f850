"""Ground of rockfall in scenarios: soils and their scars, terrains, forests and their trees."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Annotated, Any, Literal, Self

import numpy as np
from pydantic import Field, field_validator, model_validator

from physics.bodies.mesh_io import MESHES
from physics.core.rotation import Array, Symmetric
from physics.scenario.common_config import NotNegative, Number, Positive, Table
from physics.terrain.clouds import CLOUDS
from physics.terrain.projection import GRIDS
from physics.terrain.soil import SOILS, forest, fracture_ratio, soil

THINNEST, THICKEST = 1.0, 300.0  # [cm] of a stem
ROUGHEST = 100.0  # [m]
MOST_WOOD = 0.1  # share of the ground that stems cover; the densest forests known reach 0.04
STANDS = {"nrtrees": 9e3, "dbhmean": THICKEST, "dbhstd": THICKEST, "conif_percent": 100.0}  # grid -> largest value


class ScarConfig(Table):
    """``scar``: compactable soil (Lu et al. 2019; there 10 to 25 MN/m², 0.1 to 4, 1700 kg/m³)."""

    modulus: Annotated[Positive, Field(ge=1e5)] = Field(
        description="M_E [N/m²]; below 1e5 it would be mud, or a number in another unit"
    )
    coefficient: NotNegative = Field(description="C_s, added to the form drag of 1")
    density: Positive = Field(description="of the soil [kg/m³]")
    layer: Positive | None = Field(None, description="of soil on rigid ground [m], the deepest scar; None: any depth")


NEEDS = {  # laws -> what they act on: one of these has to be above 0
    "restitution_speed": ("restitution",),
    "drag_time": ("drag",),
    "scatter": ("ramp", "restitution"),
}
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
    scar: ScarConfig | None = Field(None, description="of compactable soil, in place of the preset's")
    laws: Literal["recommended"] | None = Field(
        None,
        description="restitution to scatter, and the scar, as recommended for the preset; keys given beside it win",
    )
    rolling: Annotated[NotNegative, Field(le=100)] = Field(
        0.0, description="rolling resistance: the tangent of a slope that a ball rolls down"
    )
    ramp: Annotated[NotNegative, Field(lt=60)] = Field(
        0.0, description="[deg] by which soil that is pressed turns the normal against the motion, at 10 m/s into it"
    )
    roughness: Annotated[NotNegative, Field(le=ROUGHEST)] = Field(
        0.0, description="[m] of the ground below the cells of the map, over a rock's radius"
    )
    restitution_speed: NotNegative = Field(
        0.0, description="[m/s] into the ground at which restitution is half; 0: the same at all speeds"
    )
    drag_time: Annotated[NotNegative, Field(le=10)] = Field(
        0.0, description="[s] after each touch-down in which the drag acts too, as on a rock that is still in the soil"
    )
    scatter: Annotated[NotNegative, Field(le=1)] = Field(
        0.0, description="standard deviation of the logarithm of ramp and restitution, from impact to impact"
    )

    @field_validator("preset")
    @classmethod
    def _known(cls, value: str | None) -> str | None:
        if value is not None:
            soil(value)
        return value

    def filled(self) -> dict[str, float]:
        """What preset and laws give where the table gives nothing."""
        if self.preset not in SOILS:
            return {}
        law = SOILS[self.preset]
        values = law.laws() | ({} if self.laws is None else law.impact.laws())
        return {key: value for key, value in values.items() if key not in self.model_fields_set}

    @model_validator(mode="after")
    def _filled(self) -> Self:
        # filled in without being marked as set: a changed preset must not find the values of the former one
        self.__dict__.update(self.filled())
        if self.preset is not None:
            return self
        if self.laws is not None:
            raise ValueError("laws: expected a preset beside it, for which they are recommended")
        if self.ground is not None and self.scar is None:
            raise ValueError("ground: expected a preset beside it, whose scar it is, or [soil.scar] in its place")
        return self

    def idle(self) -> Iterator[tuple[str, str]]:
        """A scar of the preset beside another, or where it has none."""
        if self.laws is not None:
            yield "ground", "expected none beside laws, which have a scar of their own"
        elif self.scar is not None:
            yield "ground", "expected none beside a scar, which wins"
        elif self.preset in SOILS and SOILS[self.preset].scar is None:
            yield "ground", f"the soil '{self.preset}' has no scar; expected the table scar in its place"

    @property
    def pressed(self) -> ScarConfig | None:
        """The scar that the ground has; None where it is rigid."""
        if self.scar is not None or self.preset is None or (self.ground is None and self.laws is None):
            return self.scar
        law = soil(self.preset)
        scar = law.scar if self.laws is None else law.impact.scar
        return None if scar is None else ScarConfig(**scar._asdict())


class SoilPlaceConfig(SoilLaws):
    """The soil of a zone or a piece; what neither it nor its preset gives is as in ``[soil]``."""

    rigid: bool = Field(False, description="whether the scar of [soil] stays out of it")

    def idle(self) -> Iterator[tuple[str, str]]:
        """Rigid ground has no scar."""
        yield from super().idle()
        if self.rigid:
            yield "scar", "expected none beside rigid"
            yield "ground", "expected none beside rigid"


class SoilZoneConfig(SoilPlaceConfig):
    """``[[soil.zone]]``: another soil in a polygon, see SoilPlaceConfig."""

    polygon: Ring = Field(description="corners x, y [m] in the terrain's coordinates")


class SoilConfig(SoilLaws):
    """``[soil]``: the ground, and zones of other ground; where zones overlap the later wins, files before tables."""

    zones: str | None = Field(None, description="polygons of soils (.geojson; .gpkg, .shp with the extra gis)")
    soil_key: str = Field("soil", description="the attribute that names the preset of a polygon of the file")
    types: str | None = Field(
        None, description="grid (.asc) of the soil types of Rockyfor3D, 0 to 7, such as soiltype.asc; zones lie on it"
    )
    rg70: str | None = Field(None, description="grid (.asc) of Rockyfor3D, 70 % of the roughness [m]; zones lie on it")
    rg20: str | None = Field(None, description="grid (.asc) of Rockyfor3D, 20 % of the roughness [m]; None: 0 m")
    rg10: str | None = Field(None, description="grid (.asc) of Rockyfor3D, 10 % of the roughness [m]; None: 0 m")
    zone: tuple[SoilZoneConfig, ...] = ()

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.mu_max < self.mu_min:
            raise ValueError(f"mu_max: expected at least mu_min = {self.mu_min:g}, got {self.mu_max:g}")
        return self

    def idle(self) -> Iterator[tuple[str, str]]:
        """Keys on reading a file without a file, and laws without what they act on."""
        yield from super().idle()
        if self.zones is None:
            yield "soil_key", "needs a file of zones; zones is missing"
        if self.zones is None and not self.zone and self.types is None:
            values = self.__dict__ | self.filled()
            for key, needed in NEEDS.items():
                if not any(values[one] for one in needed):
                    yield key, f"needs {' or '.join(needed)} above 0"


class PieceConfig(Table):
    """``[[terrain.piece]]``: a mesh that is a part of the ground, and the soil on it; the uppermost counts."""

    file: str = Field(description="mesh (.stl, .obj, .ply)")
    soil: SoilPlaceConfig | None = Field(
        None, description="preset, or a table as a zone's; what neither it nor its preset gives is as in [soil]"
    )

    @field_validator("soil", mode="before")
    @classmethod
    def _named(cls, value: Any) -> Any:
        return {"preset": value} if isinstance(value, str) else value


class TerrainConfig(Table):
    """``[terrain]``: a file, pieces of a surface, or a generated profile."""

    file: str | None = Field(
        None, description="grid (.tif, .asc), points (.xyz, .las, .laz) or mesh (.stl, .obj, .ply)"
    )
    piece: Annotated[tuple[PieceConfig, ...], Field(max_length=255)] = ()
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
    classes: Annotated[tuple[Annotated[int, Field(ge=0, le=255)], ...], Field(min_length=1)] | None = Field(
        None, description="of the points of a .las or .laz that count; the usual is 2, ground"
    )
    crs: str | None = Field(None, description="coordinate system of a file without one: EPSG:31287, an OGC URN, WKT")
    project: str | None = Field(
        None, description="project a map in degrees, or in another system, to 'utm', its zone, or to one as EPSG:2056"
    )

    @model_validator(mode="after")
    def _one(self) -> TerrainConfig:
        given = [key for key in ("file", "piece", "profile") if getattr(self, key)]
        if len(given) != 1:
            found = f"; {given[0]} is given too" if given else ""
            raise ValueError(f"{given[1] if given else 'file'}: expected one of file, piece, profile{found}")
        if self.window is not None and not (self.window[0] < self.window[2] and self.window[1] < self.window[3]):
            raise ValueError(f"window: expected xmin < xmax and ymin < ymax, got {list(self.window)}")
        return self

    def idle(self) -> Iterator[tuple[str, str]]:
        """The keys of a file beside a profile, those of the ramp beside another ground."""
        of_file = ("window", "resolution", "nodata", "classes", "crs", "project", "up")
        for key in of_file if self.profile is not None else ():
            yield key, "applies to a file, not to a profile"
        if self.file is not None and not self.file.lower().endswith((*MESHES, ".xyz")):
            yield "up", f"applies to {', '.join(MESHES)} and .xyz"
        if self.piece or (self.file is not None and not self.file.lower().endswith(GRIDS)):
            yield "project", f"applies to {', '.join(GRIDS)}"
        if self.piece or (self.file is not None and not self.file.lower().endswith(CLOUDS)):
            yield "classes", f"applies to {' and '.join(CLOUDS)}"
        for key in ("angle", "drop", "width") if self.profile != "ramp" else ():
            yield key, f"applies to the profile 'ramp', not to {repr(self.profile) if self.profile else 'a file'}"


def _matrix(drag: float | tuple[float, ...]) -> Array:
    """The matrix (3, 3) of 1, 3, 6 or 9 numbers, see ForestLaws."""
    if not isinstance(drag, tuple):
        return np.diag([drag] * 3)
    if len(drag) == 9:
        return np.reshape(drag, (3, 3))
    xx, yy, zz, xy, xz, yz = drag if len(drag) == 6 else (*drag, 0.0, 0.0, 0.0)
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


class ForestLaws(Table):
    """A layer above the ground that slows the rock (Leine et al. 2014, (10), (11); 2021, (78))."""

    preset: Annotated[str, Field(strict=True)] | None = Field(
        None,
        description="drag and height of a forest of physics.terrain.soil (approximate); keys given beside it win",
    )
    drag: NotNegative = Field(0.0, description="force over velocity of the centre of mass [kg/s]")
    height: Positive | None = Field(None, description="of the layer above the ground, plumb [m]; None: of stems 25")
    stems: NotNegative = Field(0.0, description="trees that are drawn, by the seed of [forest] [1/ha]")
    dbh: Annotated[Positive, Field(ge=THINNEST, le=THICKEST)] = Field(
        30.0, description="mean diameter of the stems at breast height [cm]"
    )
    dbh_deviation: Annotated[NotNegative, Field(le=THICKEST)] = Field(0.0, description="standard deviation [cm]")
    species: Annotated[str, Field(strict=True)] | None = Field(
        None, description="conifer, fir or broadleaved, see physics.terrain.soil (approximate)"
    )
    fracture_ratio: Positive | None = Field(
        None, description="of the energy that breaks a stem, to a silver fir; wins over species"
    )
    rotational_drag: Number | tuple[Number, ...] = Field(
        0.0,
        description="torque over angular velocity [N m s], a symmetric matrix in the principal axes of the rock: one "
        "number for all axes, 3 (xx, yy, zz), 6 (xx, yy, zz, xy, xz, yz), or 9, row by row; it must drive no rotation",
    )

    @field_validator("preset")
    @classmethod
    def _known(cls, value: str | None) -> str | None:
        if value is not None:
            forest(value)
        return value

    @field_validator("species")
    @classmethod
    def _grows(cls, value: str | None) -> str | None:
        if value is not None:
            fracture_ratio(value)
        return value

    @property
    def toughness(self) -> float:
        """Energy that breaks a stem over that of a silver fir; of a conifer where nothing is given."""
        return self.fracture_ratio or fracture_ratio(self.species or "conifer")

    @model_validator(mode="after")
    def _grown(self) -> Self:
        wood = 0.25e-8 * math.pi * self.stems * (self.dbh**2 + self.dbh_deviation**2)
        if wood > MOST_WOOD:
            raise ValueError(
                f"stems: {self.stems:g} a hectare with a dbh of {self.dbh:g} cm cover {100.0 * wood:.3g} % of the "
                f"ground; expected at most {MOST_WOOD:.0%}, so fewer or thinner ones"
            )
        return self

    @model_validator(mode="after")
    def _filled(self) -> Self:
        if self.preset is not None:  # without being marked as set, as in SoilLaws
            given = forest(self.preset)._asdict().items()
            self.__dict__.update({key: value for key, value in given if key not in self.model_fields_set})
        return self

    @field_validator("rotational_drag")
    @classmethod
    def _only_slows(cls, value: float | tuple[float, ...]) -> float | tuple[float, ...]:
        if isinstance(value, tuple) and len(value) not in (3, 6, 9):
            raise ValueError(f"expected 1, 3, 6 or 9 numbers, got {len(value) or 'none'}")
        matrix = _matrix(value)
        if not np.array_equal(matrix, matrix.T):
            raise ValueError(
                "expected a symmetric matrix; of 9 numbers, the 2nd and 4th, 3rd and 7th, 6th and 8th equal"
            )
        least, *_, most = np.linalg.eigvalsh(matrix).tolist()
        if least < -1e-12 * abs(most):
            raise ValueError(f"expected eigenvalues of at least 0, got {least:.4g}")
        return value

    @property
    def turning(self) -> Symmetric:
        """Rotational drag xx, yy, zz, xy, xz, yz in the principal axes of the rock [N m s]."""
        m = _matrix(self.rotational_drag).tolist()
        return m[0][0], m[1][1], m[2][2], m[0][1], m[0][2], m[1][2]


class ForestZoneConfig(ForestLaws):
    """``[[forest.zone]]``: another forest, or a clearing, in a polygon; what it does not give is as in ``[forest]``."""

    polygon: Ring = Field(description="corners x, y [m] in the terrain's coordinates")


class ForestConfig(ForestLaws):
    """``[forest]``: the forest, none where nothing drags, and zones; where they overlap the later wins."""

    zones: str | None = Field(None, description="polygons of forests (.geojson; .gpkg, .shp with the extra gis)")
    zone: tuple[ForestZoneConfig, ...] = ()
    seed: Annotated[int, Field(ge=0, strict=True)] = Field(0, description="of the stems that are drawn")
    trees: str | None = Field(
        None, description="table (.csv) of trees: x, y [m], dbh [cm]; height [m], else that of the forest; species"
    )
    nrtrees: str | None = Field(
        None, description="grid (.asc) of Rockyfor3D, trees [1/ha] that are drawn in a cell; zones lie on it"
    )
    dbhmean: str | None = Field(None, description="grid (.asc) of Rockyfor3D, their dbh [cm]")
    dbhstd: str | None = Field(None, description="grid (.asc) of Rockyfor3D, their dbh_deviation [cm]")
    conif_percent: str | None = Field(
        None, description="grid (.asc) of Rockyfor3D, conifers among them [%]; the others are broadleaved"
    )

    @property
    def drags(self) -> bool:
        """True if the layer slows a rock at all."""
        return self.drag > 0.0 or max(self.turning[:3]) > 0.0

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.drags and self.height is None:
            raise ValueError("height: missing; a forest with drag expects its height [m]")
        return self

    def idle(self) -> Iterator[tuple[str, str]]:
        """Trees that slow nothing."""
        bare = any(not zone.gives("height") for zone in self.zone)
        if not (self.gives("preset", "drag", "rotational_drag", "zones", "stems", "trees", "nrtrees") or bare):
            yield "height", "needs the drag of the forest [kg/s], 0 for none"
        for key in () if self.gives("nrtrees") else STANDS:
            yield key, "needs nrtrees, a grid of trees on a hectare [1/ha]"
        drawn = self.gives("zones", "nrtrees") or any(zone.gives("stems") for zone in self.zone)
        for key in () if drawn else ("dbh", "dbh_deviation", "seed", "species", "fracture_ratio"):
            if not self.gives("stems", *(("trees",) if key in ("species", "fracture_ratio") else ())):
                yield key, "needs stems, trees on a hectare [1/ha]"
