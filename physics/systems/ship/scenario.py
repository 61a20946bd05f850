"""Scenarios of kind ``ship``: a hull that floats by its own mesh."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, model_validator

from physics.bodies.mesh_io import MeshReading
from physics.core.errors import ScenarioError
from physics.hydrostatics.hull import WATER
from physics.scenario.common_config import (
    BodyConfig,
    InitialConfig,
    NotNegative,
    Number,
    Positive,
    Table,
    Unbounded,
    Vector3,
)
from physics.scenario.scenario import Scenario
from physics.schemes.lane import lane_of

Depth = Annotated[Unbounded, Field(gt=0)]
Six = tuple[NotNegative, NotNegative, NotNegative, NotNegative, NotNegative, NotNegative]
NONE: Six = (0.0,) * 6
Three = tuple[NotNegative, NotNegative, NotNegative]


class HullConfig(Table):
    """``[hull]``: a closed surface and what is loaded into it; axes x forward, y port, z up."""

    file: str | None = Field(None, description="of a closed mesh (.stl, .obj, .ply)")
    shape: Literal["box", "wigley", "prism", "cylinder"] | None = Field(None, description="a hull that is made")
    size: tuple[Positive, Positive, Positive] | None = Field(None, description="of a shape: length, breadth, depth [m]")
    scale: Positive = Field(1.0, description="of the file's coordinates; 0.001 for millimetres")
    up: Literal["x", "y", "z"] = Field("z", description="the axis of the file that becomes the ship's z")
    repair: bool = Field(False, description="whether a mesh that is no hull is mended; what changes is noted")
    panels: Annotated[int, Field(strict=True, ge=4, le=320, multiple_of=2)] = Field(
        64, description="of a Wigley hull along each side, half as many down; 64: volume within 5e-4"
    )
    mass: Positive | None = Field(None, description="of hull and cargo [kg]")
    draught: Positive | None = Field(None, description="[m] upright, from the lowest point; it determines the mass")
    centre_of_gravity: Vector3 = Field(
        description="of hull and cargo, in axes x forward, y port, z up of the file as it is taken [m]"
    )
    radii_of_gyration: tuple[Positive, Positive, Positive] | None = Field(
        None, description="about the axes through the centre of gravity [m]"
    )
    inertia: Annotated[tuple[Number, ...], Field(min_length=3, max_length=6)] | None = Field(
        None, description="about the centre of gravity [kg m²]: Ixx, Iyy, Izz; or with Ixy, Ixz, Iyz of the tensor"
    )
    added_mass: Six = Field(
        NONE, description="constant in the hull, about the centre of gravity: surge, sway, heave [kg], then [kg m²]"
    )

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if (self.file is None) == (self.shape is None):
            raise ValueError("file: expected a file, or a shape of box, wigley, prism, cylinder")
        if self.shape is not None and self.size is None:
            raise ValueError(f"size: missing; the shape '{self.shape}' expects length, breadth and depth [m]")
        if (self.mass is None) == (self.draught is None):
            raise ValueError("mass: expected a mass [kg] or a draught [m]")
        if (self.radii_of_gyration is None) == (self.inertia is None):
            raise ValueError("radii_of_gyration: expected radii [m] or inertia [kg m²]")
        if self.inertia is not None and len(self.inertia) not in (3, 6):
            raise ValueError(f"inertia: expected 3 or 6 numbers, got {len(self.inertia)}")
        return self

    def idle(self) -> Iterator[tuple[str, str]]:
        """A shape has a size, a file a scale, a Wigley hull panels."""
        if self.shape != "wigley":
            yield "panels", "applies to the shape 'wigley' only"
        if self.shape is None:
            yield "size", "not a key of a file"
        else:
            for key in ("scale", "up", "repair"):
                yield key, "not a key of a shape, it has a size"


class WaterConfig(Table):
    """``[water]``."""

    density: Positive = Field(WATER, description="[kg/m³]")
    depth: Depth = Field(math.inf, description="[m]; inf where it is deep")


class WaveConfig(Table):
    """``[wave]``: one regular wave, or an irregular sea by its spectrum and a seed."""

    height: Positive | None = Field(None, description="of a regular wave, from trough to crest [m]")
    period: Positive | None = Field(None, description="of a regular wave [s]")
    phase: Number = Field(0.0, description="of a regular wave [rad]; 0: a crest at the origin at t = 0")
    spectrum: Literal["jonswap", "pierson-moskowitz"] | None = Field(None, description="of an irregular sea")
    significant_height: Positive | None = Field(None, description="of a sea [m]")
    peak_period: Positive | None = Field(None, description="of a sea [s]")
    gamma: Annotated[float, Field(strict=True, ge=1, le=10)] = Field(3.3, description="of jonswap: height of its peak")
    components: Annotated[int, Field(strict=True, ge=1, le=300)] = Field(30, description="waves that make a sea")
    seed: Annotated[int, Field(strict=True, ge=0)] = Field(1, description="of a sea: a seed is one sea")
    direction: Number = Field(0.0, description="of travel, from the x axis towards the y axis [rad]")
    stretching: Literal["wheeler", "linear"] = Field("wheeler", description="how the pressure goes on to the surface")

    @model_validator(mode="after")
    def _complete(self) -> Self:
        for key in ("height", "period") if self.spectrum is None else ("significant_height", "peak_period"):
            if getattr(self, key) is None:
                of = "a regular wave" if self.spectrum is None else f"the spectrum '{self.spectrum}'"
                raise ValueError(f"{key}: missing; {of} expects it")
        return self

    def idle(self) -> Iterator[tuple[str, str]]:
        """The keys of the other kind of sea."""
        regular, sea = ("height", "period", "phase"), ("significant_height", "peak_period", "components", "seed")
        for key in (*sea, "gamma") if self.spectrum is None else regular:
            yield key, "not a key of a regular wave" if self.spectrum is None else f"not a key of '{self.spectrum}'"
        if self.spectrum == "pierson-moskowitz":
            yield "gamma", "not a key of 'pierson-moskowitz', which is jonswap with gamma = 1"


class WindConfig(Table):
    """``[wind]``: a heeling moment to starboard, cos² of the heel of what acts upright."""

    lever: Number | None = Field(None, description="moment over weight [m]; below 0 to port")
    moment: Number | None = Field(None, description="[N m]; below 0 to port")
    gust: Positive = Field(1.0, description="factor of the moment in the gust; 1.5 in the weather criterion")
    gust_at: NotNegative = Field(0.0, description="[s] when the gust begins")

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.lever is None and self.moment is None:
            raise ValueError("lever: missing; expected a lever [m] or a moment [N m]")
        if self.lever is not None and self.moment is not None:
            raise ValueError("lever: expected a lever [m] or a moment [N m], got both")
        return self

    def idle(self) -> Iterator[tuple[str, str]]:
        """When a gust begins means nothing where there is none."""
        if self.gust == 1.0:
            yield "gust_at", "expected none without a gust"


class DampingConfig(Table):
    """``[damping]``: in the axes of the hull: surge, sway, heave, roll, pitch, yaw."""

    linear: Six = Field(NONE, description="force over velocity [N s/m], moment over rate [N m s]")
    quadratic: Six = Field(NONE, description="force over velocity squared [N s²/m²], moment over rate squared [N m s²]")
    ratio: Three = Field(
        (0.0, 0.0, 0.0),
        description="of heave, roll and pitch: share of critical damping at rest; adds to linear",
    )


class ControlConfig(Table):
    """``[control]``: fins that roll the ship back, or a gyro-stabiliser."""

    kind: Literal["fins", "gyro"]
    proportional: NotNegative = Field(0.0, description="of fins: moment over heel [N m]")
    derivative: NotNegative = Field(0.0, description="of fins: moment over roll rate [N m s]")
    limit: Positive | None = Field(None, description="of fins: largest moment [N m]")
    spin: NotNegative | None = Field(None, description="of a gyro: its angular momentum [N m s]")
    inertia: Positive | None = Field(None, description="of a gyro about the axis of its gimbal [kg m²]")
    damping: NotNegative = Field(0.0, description="of the gimbal [N m s]")
    stiffness: NotNegative = Field(0.0, description="of the gimbal [N m]")

    @model_validator(mode="after")
    def _complete(self) -> Self:
        for key in ("spin", "inertia") if self.kind == "gyro" else ():
            if getattr(self, key) is None:
                raise ValueError(f"{key}: missing; a gyro expects it")
        if self.kind == "fins" and self.proportional == self.derivative == 0.0:
            raise ValueError("proportional: missing; fins expect it, or derivative")
        return self

    def idle(self) -> Iterator[tuple[str, str]]:
        """The keys of the other kind."""
        fins, gyro = ("proportional", "derivative", "limit"), ("spin", "inertia", "damping", "stiffness")
        for key in gyro if self.kind == "fins" else fins:
            yield key, f"not a key of the control '{self.kind}'"


class ShipInitialConfig(InitialConfig):
    """``[initial]`` of a ship: without keys it floats at rest."""

    heel: Number | None = Field(None, description="[rad], positive to starboard; without it as it floats")
    trim: Number | None = Field(None, description="[rad], positive bow down; without it as it floats")
    yaw: Number | None = Field(None, description="[rad], positive to port")
    heave: Number | None = Field(None, description="of the centre of gravity above where it floats [m]")

    def idle(self) -> Iterator[tuple[str, str]]:
        """An orientation gives the angles, a position the heave."""
        yield from super().idle()
        if self.gives("orientation"):
            for key in ("heel", "trim", "yaw"):
                yield key, "expected none beside orientation"
        if self.position is not None:
            yield "heave", "expected none beside position"


class ShipScenario(Scenario):
    """A scenario of kind ``ship``."""

    usual_schemes: ClassVar[tuple[str, ...]] = ("verlet-exact", "rkn-4")
    later: ClassVar[frozenset[str]] = Scenario.later | {"hull", "water", "wave", "wind", "damping", "control"}
    varied: ClassVar[frozenset[str]] = frozenset({"initial", "damping", "wind", "control"})  # waves depend on gravity

    kind: Literal["ship"]
    body: BodyConfig | None = None
    hull: HullConfig | None = None
    water: WaterConfig = WaterConfig()
    wave: WaveConfig | None = None
    wind: WindConfig | None = None
    damping: DampingConfig = DampingConfig()
    control: ControlConfig | None = None
    initial: ShipInitialConfig = ShipInitialConfig()

    def check_kind(self) -> None:
        """There is a hull, and what starts is a ship."""
        if self.hull is None:
            raise ScenarioError("hull", "missing; expected a table with file or shape, mass and centre_of_gravity")
        if self.body is not None:
            raise ScenarioError("body", "not a table of kind 'ship'; expected [hull]")
        self.refuse_random_orientation()
        self.refuse_initial("nutation", "precession", "spin")
        if self.g == 0.0:
            raise ScenarioError("gravity.g", "expected a gravity above 0 [m/s²]: nothing floats without")

        for lane in self.schemes:
            if why := self.unfit(lane):
                expected = "expected none, or a splitting or Runge-Kutta"
                raise ScenarioError("hull.added_mass", f"{lane} {why}; {expected}")

    def unfit(self, lane: str) -> str:
        """Rotations alone do not move the water that moves with a hull."""
        if self.hull is None or not any(self.hull.added_mass) or lane_of(lane).scheme.added_mass:
            return ""
        return "integrates the rotation alone, without added mass"

    @property
    def seed(self) -> int:
        """Of what is drawn for an irregular sea."""
        return 0 if self.wave is None or self.wave.spectrum is None else self.wave.seed

    @property
    def body_file(self) -> tuple[str, MeshReading] | None:
        """The file of the hull, and how it is taken."""
        table = self.hull
        return None if table is None or table.file is None else (table.file, reading_of(table))


def reading_of(table: HullConfig) -> MeshReading:
    """Options for reading the file of a hull."""
    return MeshReading(table.scale, table.up, table.repair)


def of_a_ship(scenario: Scenario) -> ShipScenario:
    """The same scenario where it is one of a ship; else ScenarioError."""
    if not isinstance(scenario, ShipScenario):
        raise ScenarioError("kind", f"expected 'ship', got '{scenario.kind}'")
    return scenario
