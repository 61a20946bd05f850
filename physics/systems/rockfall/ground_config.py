"""Ground of rockfall in scenarios: soils and their scars, terrains, forests and their trees."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, Self

import numpy as np
from pydantic import Field, field_validator, model_validator

from physics.bodies.mesh_io import MESHES
from physics.core.errors import ScenarioError
from physics.core.rotation import Array, Symmetric
from physics.core.wording import N_, joined
from physics.scenario.common_config import NotNegative, Number, Positive, Table
from physics.scenario.described import described
from physics.terrain.clouds import CLOUDS
from physics.terrain.dem import SUFFIXES
from physics.terrain.projection import GRIDS
from physics.terrain.soil import SOILS, forest, fracture_ratio, soil

THINNEST, THICKEST = 1.0, 300.0  # [cm] of a stem
ZONES = (".geojson", ".json", ".gpkg", ".shp")  # files of polygons
BY_PRESET = "by the preset, if any"
ROUGHEST = 100.0  # [m]
BUMPIEST, EVENEST = 10.0, 1.0  # [m] of bumps: their height; their length where none is given
MOST_WOOD = 0.1  # share of the ground that stems cover; the densest forests known reach 0.04
STANDS = {"nrtrees": 8999.0, "dbhmean": THICKEST, "dbhstd": THICKEST, "conif_percent": 100.0}  # grid -> largest value


class ScarConfig(Table):
    """``scar``: compactable soil (Lu et al. 2019; there 10 to 25 MN/m², 0.1 to 4, 1700 kg/m³)."""

    modulus: Annotated[Positive, Field(ge=1e5)] = described(
        ..., "Modulus", "N/m²", "Of compactable soil; 1e7 to 2.5e7 in Lu et al. 2019", empty=""
    )
    coefficient: NotNegative = described(
        ..., "Scar drag", about="Added to the form drag of 1; 0.1 to 4 in Lu et al. 2019", empty=""
    )
    density: Positive = described(..., "Soil density", "kg/m³", "1700 in Lu et al. 2019", empty="")
    layer: Positive | None = described(
        None, "Layer", "m", "Of soil on rigid ground, the deepest scar", empty="any depth"
    )


NEEDS = {  # laws -> what they act on: one of these has to be above 0
    "restitution_speed": ("restitution",),
    "drag_time": ("drag",),
    "scatter": ("ramp", "restitution"),
}
OF_BUMPS = dict.fromkeys(("bump_length", "seed"), ("bumps",))  # the same for the whole map, where any soil has bumps
Ring = Annotated[tuple[tuple[Number, Number], ...], Field(min_length=3)]


class SoilLaws(Table):
    """Slip-dependent friction (Leine et al. 2014, (46), (47)), by default that of Lu et al. (2019), and more."""

    preset: Annotated[str, Field(strict=True)] | None = described(
        None,
        "Soil",
        about="Values from the literature, fitted to no slope: mean run-outs by them were off by up to 53 m; numbers "
        "given below win over them",
        empty="",
    )
    mu_min: NotNegative = described(
        0.55, "Friction μ min", about="Of a fresh contact; 0.55 in Lu et al. 2019", empty=BY_PRESET
    )
    mu_max: NotNegative = described(
        2.0,
        "Friction μ max",
        about="After long slip; at least μ min; 2 in Lu et al. 2019",
        empty=BY_PRESET,
    )
    beta: NotNegative = described(
        185.0,
        "Decay β",
        "1/s",
        "How fast slip is forgotten in flight; 185 in Lu et al. 2019",
        empty=BY_PRESET,
    )
    kappa: NotNegative = described(
        3.0, "Growth κ", "1/m", "How fast friction grows with slip; 3 in Lu et al. 2019", empty=BY_PRESET
    )
    restitution: Annotated[NotNegative, Field(le=1)] = described(
        0.0, "Restitution", about="Of the normal velocity; 0: impacts do not bounce", empty=BY_PRESET
    )
    drag: NotNegative = described(0.0, "Ground drag", "1/s", "Viscous drag over mass while in contact", empty=BY_PRESET)
    ground: Literal["compactable"] | None = described(
        None,
        "Scar",
        about="Compactable: with the scar of the soil above; that of hard is from Lu et al. 2019, the others are ours",
        empty="None, or by the numbers below",
    )
    scar: ScarConfig | None = described(None, about="of compactable soil, in place of the preset's")
    laws: Literal["recommended"] | None = described(
        None,
        "Impact laws",
        about="Recommended: restitution, ramp, roughness, scatter and scar of the soil above, ours, chosen on 18 runs "
        "of one slope; numbers given below win over them",
        empty="None, or by the numbers below",
    )
    rolling: Annotated[NotNegative, Field(le=100)] = described(
        0.0,
        "Rolling resistance",
        about="Tangent of the slope below which a ball does not roll",
        empty=BY_PRESET,
    )
    ramp: Annotated[NotNegative, Field(lt=60)] = described(
        0.0,
        "Ramp",
        "°",
        "By which pressed soil turns an impact at 10 m/s against the motion; scars at Chant Sura: 12 to 23",
        empty=BY_PRESET,
    )
    roughness: Annotated[NotNegative, Field(le=ROUGHEST)] = described(
        0.0,
        "Roughness",
        "m",
        "Of the ground below the cells of the map: bumps over the radius of a rock, drawn at each touch-down; "
        "Pfeiffer & Bowen 1989",
        empty=BY_PRESET,
    )
    bumps: Annotated[NotNegative, Field(le=BUMPIEST)] = described(
        0.0,
        "Bumps",
        "m",
        "Of the ground below the cells of the map, from the deepest hollow to the highest bump: at one place the same "
        "for every rock, less for large ones",
        empty=BY_PRESET,
    )
    restitution_speed: NotNegative = described(
        0.0,
        "Restitution halves at",
        "m/s",
        "Normal speed at which restitution is half; 0: the same at all speeds; 9.144 in Pfeiffer & Bowen 1989",
        empty=BY_PRESET,
    )
    drag_time: Annotated[NotNegative, Field(le=10)] = described(
        0.0,
        "Drag after a touch-down",
        "s",
        "In which the ground drag acts on a rock that bounces too; impacts last about 0.2 s in Lu et al. 2019",
        empty=BY_PRESET,
    )
    scatter: Annotated[NotNegative, Field(le=1)] = described(
        0.0,
        "Scatter of impacts",
        about="Standard deviation of the logarithm of ramp and restitution, drawn at each touch-down",
        empty=BY_PRESET,
    )

    @field_validator("preset")
    @classmethod
    def _known(cls, value: str | None) -> str | None:
        if value is not None:
            soil(value)
        return value

    def filled(self) -> dict[str, float]:
        """Values of preset and laws where the table gives none."""
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
            raise ScenarioError("laws", N_("expected a preset beside it, for which they are recommended"))
        if self.ground is not None and self.scar is None:
            raise ScenarioError(
                "ground", N_("expected a preset beside it, whose scar it is, or [soil.scar] in its place")
            )
        return self

    def idle(self) -> Iterator[tuple[str, str]]:
        """A scar of the preset beside another, or where it has none."""
        yield from super().idle()
        if self.laws is not None:
            yield "ground", N_("expected none beside laws, which have a scar of their own")
        elif self.scar is not None:
            yield "ground", N_("expected none beside a scar, which wins")
        elif self.preset in SOILS and SOILS[self.preset].scar is None:
            yield "ground", N_("the soil '{preset}' has no scar; expected the table scar in its place", self.preset)

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

    rigid: bool = described(False, about="whether the scar of [soil] stays out of it")

    def idle(self) -> Iterator[tuple[str, str]]:
        """Rigid ground has no scar."""
        yield from super().idle()
        if self.rigid:
            yield "scar", N_("expected none beside rigid")
            yield "ground", N_("expected none beside rigid")


class SoilZoneConfig(SoilPlaceConfig):
    """``[[soil.zone]]``: another soil in a polygon, see SoilPlaceConfig."""

    polygon: Ring = described(..., unit="m", about="corners x, y in the terrain's coordinates")


class SoilConfig(SoilLaws):
    """``[soil]``: the ground, and zones of other ground; where zones overlap the later wins, files before tables."""

    zones: str | None = described(
        None,
        "Zones of other soils",
        about="Polygons, each with a preset; where they overlap the later wins",
        empty="none",
        files=ZONES,
    )
    soil_key: str = described(
        "soil",
        "Attribute of the soil",
        about="That names the preset of a polygon of the file",
        empty="",
        only=("zones", ()),
    )
    types: str | None = described(
        None,
        "Soil types",
        about="Grid (.asc) of the soil types of Rockyfor3D, 0 to 7, such as soiltype.asc; zones lie on it",
        empty="none",
        files=(".asc",),
    )
    rg70: str | None = described(
        None,
        "Roughness, 70 %",
        about="Grid (.asc) rg70 of Rockyfor3D [m], 70 % of the roughness of a cell; zones lie on it",
        empty="none",
        files=(".asc",),
    )
    rg20: str | None = described(
        None,
        "Roughness, 20 %",
        about="Grid (.asc) rg20 of Rockyfor3D [m], 20 % of the roughness of a cell",
        empty="0 m",
        files=(".asc",),
    )
    rg10: str | None = described(
        None,
        "Roughness, 10 %",
        about="Grid (.asc) rg10 of Rockyfor3D [m], 10 % of the roughness of a cell",
        empty="0 m",
        files=(".asc",),
    )
    bump_length: Annotated[Positive, Field(ge=0.05, le=100)] | None = described(
        None,
        "Length of bumps",
        "m",
        "From a bump to a hollow; given, the grids rg70, rg20, rg10 are bumps, not roughness",
        empty="1 m",
    )
    seed: Annotated[int, Field(ge=0, strict=True)] = described(0, about="of the bumps")
    zone: tuple[SoilZoneConfig, ...] = described(
        (),
        "Other soils",
        about="Polygons on the ground, each with its soil; where they overlap the lower in this list counts",
        empty="",
    )

    @property
    def length_of_bumps(self) -> float:
        """Distance from a bump to a hollow [m]."""
        return self.bump_length or EVENEST

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.mu_max < self.mu_min:
            raise ScenarioError(
                "mu_max", N_("expected at least mu_min = {mu_min:g}, got {mu_max:g}", self.mu_min, self.mu_max)
            )
        return self

    def idle(self) -> Iterator[tuple[str, str]]:
        """Laws without what they act on."""
        yield from super().idle()
        if self.zones is None and not self.zone and self.types is None:
            values = self.__dict__ | self.filled()
            for key, needed in NEEDS.items():
                if not any(values[one] for one in needed):
                    yield key, N_("needs {needed} above 0", joined(" or ", needed))


class PieceConfig(Table):
    """``[[terrain.piece]]``: a mesh that is a part of the ground, and the soil on it; the uppermost counts."""

    file: str = described(..., about="mesh (.stl, .obj, .ply)")
    soil: SoilPlaceConfig | None = described(
        None, about="preset, or a table as a zone's; what neither it nor its preset gives is as in [soil]"
    )

    @field_validator("soil", mode="before", json_schema_input_type=SoilPlaceConfig | str | None)
    @classmethod
    def _named(cls, value: Any) -> Any:
        return {"preset": value} if isinstance(value, str) else value


OF_FILE, RAMP = ("profile", (None,)), ("profile", ("ramp",))


class TerrainConfig(Table):
    """``[terrain]``: a file, pieces of a surface, or a generated profile."""

    file: str | None = described(
        None,
        "File",
        about="Heights in metres on a grid, points, or a mesh",
        files=SUFFIXES,
    )
    piece: Annotated[tuple[PieceConfig, ...], Field(max_length=255)] = described(
        (),
        "Pieces of a surface",
        about="Meshes (.stl, .obj, .ply), each with the preset of its soil: slope.stl: hard; bench.stl: medium; the "
        "uppermost counts",
        files=MESHES,
    )
    up: Literal["x", "y", "z"] = described(
        "z", "Up", about="The axis of a mesh, or of points, that points up", only=OF_FILE
    )
    profile: Literal["ramp", "chant-sura-like", "alpine"] | None = described(
        None, "From", about="A file of heights, or a slope that is generated", empty="File"
    )
    angle: Annotated[Positive, Field(lt=85)] = described(40.0, "Angle", "°", "Of the ramp", only=RAMP)
    drop: Positive = described(155.0, "Drop", "m", "Height of the ramp", only=RAMP)
    width: Positive = described(200.0, "Width", "m", "Of the ramp", only=RAMP)
    window: tuple[Number, Number, Number, Number] | None = described(
        None,
        "Part",
        "m",
        "Of the file that is read",
        parts=("x min", "y min", "x max", "y max"),
        empty="all of it",
        only=OF_FILE,
    )
    resolution: Positive | None = described(
        None,
        "Cells of about",
        "m",
        "Cells of the file are averaged to this size, empty: as they are; cells of a mesh have this size, empty: "
        "chosen, with a note",
        empty="",
        only=OF_FILE,
    )
    nodata: Literal["fill", "cut"] | None = described(
        None,
        "Without height",
        about="Fill cells that have no height from those around, or end the map there; usual: filled, but beside a "
        "mesh "
        "the map ends",
        empty="Usual",
        only=OF_FILE,
    )
    classes: Annotated[tuple[Annotated[int, Field(ge=0, le=255)], ...], Field(min_length=1)] | None = described(
        None, about="of the points of a .las or .laz that count; the usual is 2, ground", only=OF_FILE
    )
    crs: str | None = described(
        None,
        "Coordinate system",
        about="Of a file without one: EPSG:31287, an OGC URN or WKT; or a .prj beside the file",
        empty="that of the file",
        only=OF_FILE,
    )
    project: str | None = described(
        None,
        "Project to",
        about="Of a map in degrees, or in another system: utm, the zone that fits, or a code such as EPSG:2056",
        empty="as it is",
        only=OF_FILE,
    )

    @model_validator(mode="after")
    def _one(self) -> TerrainConfig:
        given = [key for key in ("file", "piece", "profile") if getattr(self, key)]
        if len(given) != 1:
            found = N_("; {given} is given too", given[0]) if given else ""
            field = given[1] if given else "file"
            raise ScenarioError(field, N_("expected one of file, piece, profile{found}", found))
        if self.window is not None and not (self.window[0] < self.window[2] and self.window[1] < self.window[3]):
            raise ScenarioError("window", N_("expected xmin < xmax and ymin < ymax, got {window}", list(self.window)))
        return self

    def idle(self) -> Iterator[tuple[str, str]]:
        """Keys on reading a file of another form."""
        yield from super().idle()
        if self.file is not None and not self.file.lower().endswith((*MESHES, ".xyz")):
            yield "up", N_("applies to {meshes} and .xyz", ", ".join(MESHES))
        if self.piece or (self.file is not None and not self.file.lower().endswith(GRIDS)):
            yield "project", N_("applies to {grids}", ", ".join(GRIDS))
        if self.piece or (self.file is not None and not self.file.lower().endswith(CLOUDS)):
            yield "classes", N_("applies to {clouds}", joined(" and ", CLOUDS))


def _matrix(drag: float | tuple[float, ...]) -> Array:
    """The matrix (3, 3) of 1, 3, 6 or 9 numbers, see ForestLaws."""
    if not isinstance(drag, tuple):
        return np.diag([drag] * 3)
    if len(drag) == 9:
        return np.reshape(drag, (3, 3))
    xx, yy, zz, xy, xz, yz = drag if len(drag) == 6 else (*drag, 0.0, 0.0, 0.0)
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def check_wood(stems: float, dbh: float, deviation: float, field: str, path: Path | None) -> None:
    """ScenarioError for stems [1/ha], with mean and deviation of their diameters [cm], between which none can stand."""
    share = 0.25e-8 * math.pi * stems * (dbh**2 + deviation**2)
    if share > MOST_WOOD:
        wood = f"{share:.1%}" if share < 1e6 else f"{100.0 * share:.3g}%"
        raise ScenarioError(
            field,
            N_(
                "{stems:g} a hectare with a dbh of {dbh:g} cm cover {wood} of the ground; expected "
                "at most {most_wood:.0%}, so fewer or thinner ones",
                stems,
                dbh,
                wood,
                MOST_WOOD,
            ),
            path,
        )


class ForestLaws(Table):
    """A layer above the ground that slows the rock (Leine et al. 2014, (10), (11); 2021, (78))."""

    preset: Annotated[str, Field(strict=True)] | None = described(
        None,
        "Forest",
        about="Drag and height from the literature, approximate; numbers given below win over them",
        empty="",
    )
    drag: NotNegative = described(
        0.0,
        "Drag",
        "kg/s",
        "Force over velocity below the tree tops; 0: no forest; Leine et al. 2014, (10)",
        empty=BY_PRESET,
    )
    height: Positive | None = described(None, "Height", "m", "Of the tree tops above the ground", empty="")
    stems: NotNegative = described(
        0.0,
        "Trees",
        "1/ha",
        "Drawn in each forest; a rock that hits a stem loses energy, or breaks it",
        empty=BY_PRESET,
    )
    dbh: Annotated[Positive, Field(ge=THINNEST, le=THICKEST)] = described(
        30.0, "Diameter", "cm", "Mean of the stems at breast height", empty=BY_PRESET
    )
    dbh_deviation: Annotated[NotNegative, Field(le=THICKEST)] = described(
        0.0, "Deviation", "cm", "Standard deviation of the diameters", empty=BY_PRESET
    )
    species: Annotated[str, Field(strict=True)] | None = described(
        None, "Species", about="How tough the stems are, approximate (Dorren & Berger 2006)", empty=""
    )
    fracture_ratio: Positive | None = described(
        None, about="of the energy that breaks a stem, to a silver fir; wins over species"
    )
    rotational_drag: Number | tuple[Number, ...] = described(
        0.0,
        "Rotational drag",
        "N m s",
        "Torque over angular velocity; 0 or more; Leine et al. 2021, (78)",
        empty=BY_PRESET,
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
        check_wood(self.stems, self.dbh, self.dbh_deviation, "stems", None)
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
            raise ValueError(N_("expected 1, 3, 6 or 9 numbers, got {value}", len(value) or "none"))
        matrix = _matrix(value)
        if not np.array_equal(matrix, matrix.T):
            raise ValueError(
                N_("expected a symmetric matrix; of 9 numbers, the 2nd and 4th, 3rd and 7th, 6th and 8th equal")
            )
        least, *_, most = np.linalg.eigvalsh(matrix).tolist()
        if least < -1e-12 * abs(most):
            raise ValueError(N_("expected eigenvalues of at least 0, got {least:.4g}", least))
        return value

    @property
    def turning(self) -> Symmetric:
        """Rotational drag xx, yy, zz, xy, xz, yz in the principal axes of the rock [N m s]."""
        m = _matrix(self.rotational_drag).tolist()
        return m[0][0], m[1][1], m[2][2], m[0][1], m[0][2], m[1][2]


class ForestZoneConfig(ForestLaws):
    """``[[forest.zone]]``: another forest, or a clearing, in a polygon; what it does not give is as in ``[forest]``."""

    polygon: Ring = described(..., unit="m", about="corners x, y in the terrain's coordinates")


STANDING = ("nrtrees", ())


class ForestConfig(ForestLaws):
    """``[forest]``: the forest, none where nothing drags, and zones; where they overlap the later wins."""

    zones: str | None = described(
        None,
        "Zones of other forests",
        about="Polygons with their drag and height; where they overlap the later wins",
        empty="none",
        files=ZONES,
    )
    zone: tuple[ForestZoneConfig, ...] = described(
        (),
        "Other forests",
        about="Polygons on the ground, each with its forest; where they overlap the lower in this list counts",
        empty="",
    )
    seed: Annotated[int, Field(ge=0, strict=True)] = described(0, about="of the stems that are drawn")
    trees: str | None = described(
        None,
        "Table of trees",
        about="x, y in metres, dbh in cm, and, if given, height in metres and species",
        empty="none",
        files=(".csv",),
    )
    nrtrees: str | None = described(
        None,
        "Grid of trees",
        "1/ha",
        "Grid (.asc) nrtrees of Rockyfor3D: trees on a hectare in each cell; zones lie on it",
        empty="none",
        files=(".asc",),
    )
    dbhmean: str | None = described(
        None,
        "Grid of diameters",
        "cm",
        "Grid (.asc) dbhmean of Rockyfor3D: mean of a cell's stems",
        empty="as above",
        only=STANDING,
        files=(".asc",),
    )
    dbhstd: str | None = described(
        None,
        "Grid of deviations",
        "cm",
        "Grid (.asc) dbhstd of Rockyfor3D: deviation of a cell's diameters",
        empty="as above",
        only=STANDING,
        files=(".asc",),
    )
    conif_percent: str | None = described(
        None,
        "Grid of conifers",
        "%",
        "Grid (.asc) conif_percent of Rockyfor3D; the other stems are broadleaved",
        empty="the species above",
        only=STANDING,
        files=(".asc",),
    )

    @property
    def drags(self) -> bool:
        """True if the layer slows a rock at all."""
        return self.drag > 0.0 or max(self.turning[:3]) > 0.0

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.drags and self.height is None:
            raise ScenarioError("height", N_("missing; a forest with drag expects its height [m]"))
        return self

    def idle(self) -> Iterator[tuple[str, str]]:
        """Trees that slow nothing."""
        yield from super().idle()
        bare = any(not zone.gives("height") for zone in self.zone)
        if not (self.gives("preset", "drag", "rotational_drag", "zones", "stems", "trees", "nrtrees") or bare):
            yield "height", N_("needs the drag of the forest [kg/s], 0 for none")
        drawn = self.gives("zones", "nrtrees") or any(zone.gives("stems") for zone in self.zone)
        for key in () if drawn else ("dbh", "dbh_deviation", "seed", "species", "fracture_ratio"):
            if not self.gives("stems", *(("trees",) if key in ("species", "fracture_ratio") else ())):
                yield key, N_("needs stems, trees on a hectare [1/ha]")
