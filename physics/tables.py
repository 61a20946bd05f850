"""The tables of a scenario file, each with its keys, units, defaults and ranges."""

from __future__ import annotations

import math
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, field_validator, model_validator

from physics.soil import soil


def _finite(value: float) -> float:
    if not math.isfinite(value):
        raise ValueError("expected a finite number")
    return value


Number = Annotated[float, Field(strict=True), AfterValidator(_finite)]
Positive = Annotated[float, Field(strict=True, gt=0), AfterValidator(_finite)]
NotNegative = Annotated[float, Field(strict=True, ge=0), AfterValidator(_finite)]
Vector3 = tuple[Number, Number, Number]


class Table(BaseModel):
    """A table of the file: unknown keys are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=True)


class BodyTable(Table):
    """``[body]``: shape and mass properties."""

    shape: Literal["cuboid", "ellipsoid", "cylinder", "cone", "eota", "hull", "inertia"] | None = Field(
        None, description="without it: inertia where moments and no size are given, else cuboid"
    )
    size: tuple[Positive, Positive, Positive] | None = Field(None, description="extents along the body axes [m]")
    mass: Positive | None = Field(None, description="[kg]")
    density: Positive | None = Field(None, description="[kg/m³]")
    inertia: tuple[Positive, Positive, Positive] | None = Field(None, description="principal moments [kg m²]")
    height: Positive | None = Field(None, description="of a cone along the body's z axis [m]")
    radius: Positive | None = Field(None, description="of a cone's base [m]")
    file: str | None = Field(None, description="points of a hull (.pts)")

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
        needs = {"inertia": ("inertia", "mass"), "hull": ("file",), "cone": ("height", "radius")}
        for key in needs.get(self.form, ("size",)):
            if getattr(self, key) is None:
                raise ValueError(f"{key}: missing; the shape '{self.form}' expects it")
        return self


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
    profile: Literal["ramp", "alpine"] | None = None
    angle: Annotated[Positive, Field(lt=85)] = Field(40.0, description="[deg] of the ramp")
    drop: Positive = Field(155.0, description="[m] of the ramp")
    width: Positive = Field(200.0, description="[m] of the ramp")

    @model_validator(mode="after")
    def _one(self) -> TerrainTable:
        if (self.file is None) == (self.profile is None):
            raise ValueError("expected either file or profile")
        return self


class ScarTable(Table):
    """``scar``: compactable soil (Lu et al. 2019; there 10 to 25 MN/m², 0.1 to 4, 1700 kg/m³)."""

    modulus: Annotated[Positive, Field(ge=1e5)] = Field(
        description="M_E [N/m²]; below 1e5 it would be mud, or a number in another unit"
    )
    coefficient: NotNegative = Field(description="C_s, added to the form drag of 1")
    density: Positive = Field(description="of the soil [kg/m³]")


class SoilTable(Table):
    """``[soil]``: slip-dependent friction (Leine et al. 2014, (46), (47)), by default that of Lu et al. (2019)."""

    preset: Annotated[str, Field(strict=True)] | None = Field(
        None, description="values of a soil of physics.soil (literature, approximate); keys given beside it win"
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
    def _ordered(self) -> SoilTable:
        if self.preset is not None:
            # filled in without being marked as set: a changed preset must not find the values of the former one
            given = {key: value for key, value in soil(self.preset).laws().items() if key not in self.model_fields_set}
            self.__dict__.update(given)
        if self.mu_max < self.mu_min:
            raise ValueError(f"mu_max: expected at least mu_min = {self.mu_min:g}, got {self.mu_max:g}")
        return self


class ForestTable(Table):
    """``[forest]``: a layer above the ground that slows the rock (Leine et al. 2014, (10), (11); 2022, (78))."""

    drag: NotNegative = Field(0.0, description="force over velocity of the centre of mass [kg/s]; 0: no forest")
    height: Positive | None = Field(None, description="of the layer above the ground, plumb [m]")

    @model_validator(mode="after")
    def _complete(self) -> ForestTable:
        if self.drag > 0.0 and self.height is None:
            raise ValueError("height: missing; a forest with drag expects its height [m]")
        return self


class ReleaseTable(Table):
    """``[release]``: where the rock starts."""

    position: tuple[Number, Number] | None = Field(None, description="x, y [m]; without it a steep, high cell")
    height: Number = Field(1.0, description="of the centre of mass above the terrain [m]")
    velocity: Vector3 | None = Field(None, description="[m/s] inertial; the initial table's without it")


class EnsembleTable(Table):
    """``[ensemble]``: the seed of random orientations."""

    rocks: Annotated[int, Field(strict=True, ge=1)] = 1
    seed: Annotated[int, Field(strict=True, ge=0)] = 0


class StopTable(Table):
    """``[stop]``: a rock rests when its kinetic energy stays below ``energy`` for ``for`` seconds, in contact."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)
    energy: NotNegative = Field(0.05, description="[J/kg]")
    for_: Positive = Field(1.0, alias="for", description="[s]")


class ViewTable(Table):
    """``[view]``: camera, layout and overlays; ignored by runs."""

    layout: Literal["side-by-side", "overlay"] | None = None
    camera: Literal["fit", "follow"] | None = None
    overlays: tuple[str, ...] | None = None


Pixels = Annotated[int, Field(strict=True, ge=16, le=8192)]  # 8K, and what every OpenGL can draw


class ExportTable(Table):
    """``[export]``: how pictures and films are made, beside ``[view]``; ignored by runs. A recipe holds all of it."""

    size: tuple[Pixels, Pixels] = Field((1920, 1080), description="width and height [pixels]")
    fps: Annotated[Number, Field(ge=1, le=240)] = Field(30.0, description="frames a second of a film")
    speed: Positive = Field(1.0, description="simulated seconds per second of a film; 0.1 is slow motion")
    theme: str = Field("dark", description="colours: dark, light")
    plots: Literal["none", "under", "beside"] = Field("none", description="the charts, in step with the view")
    captions: bool = Field(True, description="title, clock, legend, and each scheme with its source and numbers")
    orbit: Annotated[Number, Field(ge=-360, le=360)] = Field(
        0.0, description="how fast the camera goes around what it looks at [deg per second of a film]"
    )
    time: NotNegative | None = Field(None, description="of a picture [s]; the end without it")
    transparent: bool = Field(False, description="pictures without sky")
