"""Scenarios of kind ``ship``: a hull that floats by its own mesh."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, model_validator

from physics.bodies.mesh_io import SOLIDS, MeshReading
from physics.core.errors import ScenarioError
from physics.core.wording import N_
from physics.hydrostatics.hull import WATER
from physics.scenario.common_config import (
    OR_INFINITE,
    BodyConfig,
    InitialConfig,
    NotNegative,
    Number,
    Positive,
    Table,
    Vector3,
)
from physics.scenario.described import described
from physics.scenario.scenario import Scenario
from physics.schemes.lane import lane_of

Depth = Annotated[float, Field(strict=True, gt=0), OR_INFINITE]
Six = tuple[NotNegative, NotNegative, NotNegative, NotNegative, NotNegative, NotNegative]
NONE: Six = (0.0,) * 6
Three = tuple[NotNegative, NotNegative, NotNegative]


UNSHAPED = ("shape", (None,))


class HullConfig(Table):
    """``[hull]``: a closed surface and what is loaded into it; axes x forward, y port, z up."""

    file: str | None = described(
        None, "File", about="Of a closed mesh: x forward, y port, z up", files=SOLIDS, only=UNSHAPED
    )
    shape: Literal["box", "wigley", "prism", "cylinder"] | None = described(
        None, "Shape", about="A hull that is made, or the closed mesh of a file", empty="From a file"
    )
    size: tuple[Positive, Positive, Positive] | None = described(
        None, "Size", "m", "Of the hull that is made", parts=("length", "breadth", "depth"), only=("shape", ())
    )
    scale: Positive = described(1.0, "Scale", about="Of the file's coordinates; 0.001 for millimetres", only=UNSHAPED)
    up: Literal["x", "y", "z"] | None = described(
        None,
        "Up",
        about="The axis of the file that becomes the ship's z",
        empty="As the format: z, of glTF y",
        only=UNSHAPED,
    )
    nodes: tuple[str, ...] = described(
        (),
        about="names of the parts of a .glb, .gltf or .obj that make the hull; without it all of them",
        only=UNSHAPED,
    )
    repair: bool = described(
        False, about="whether a mesh that is no hull is mended; what changes is noted", only=UNSHAPED
    )
    panels: Annotated[int, Field(strict=True, ge=4, le=320, multiple_of=2)] = described(
        64,
        "Panels",
        about="Along each side, half as many down; even: the error falls as their square",
        empty="",
        only=("shape", ("wigley",)),
    )
    mass: Positive | None = described(None, "Mass", "kg", "Of hull and cargo; below that of its own volume of water")
    draught: Positive | None = described(None, "Draught", "m", "Upright, from the lowest point; it determines the mass")
    centre_of_gravity: Vector3 = described(
        ...,
        "Centre of gravity",
        "m",
        "Of hull and cargo, in the axes of the file; z = 0 is the bottom of a box or a prism, the axis of a "
        "cylinder, the waterline of a Wigley hull",
    )
    radii_of_gyration: tuple[Positive, Positive, Positive] | None = described(
        None, "Radii of gyration", "m", "About the axes through the centre of gravity"
    )
    inertia: Annotated[tuple[Number, ...], Field(min_length=3, max_length=6)] | None = described(
        None, "Inertia", "kg m²", "Tensor about the centre of gravity", parts=("xx", "yy", "zz", "xy", "xz", "yz")
    )
    added_mass: Six = described(
        NONE,
        "Added mass",
        "kg, kg m²",
        "Constant in the hull: a model for small angles; at large ones it gives a Munk moment. Where it is 0, the "
        "hydrostatics sheet estimates it",
        parts=("surge", "sway", "heave", "roll", "pitch", "yaw"),
    )

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.file is None and self.shape is None:
            raise ScenarioError("file", N_("expected a file, or a shape of box, wigley, prism, cylinder"))
        if self.shape is not None and self.size is None:
            raise ScenarioError(
                "size", N_("missing; the shape '{shape}' expects length, breadth and depth [m]", self.shape)
            )
        if (self.mass is None) == (self.draught is None):
            raise ScenarioError("mass", N_("expected a mass [kg] or a draught [m]"))
        if (self.radii_of_gyration is None) == (self.inertia is None):
            raise ScenarioError("radii_of_gyration", N_("expected radii [m] or inertia [kg m²]"))
        if self.inertia is not None and len(self.inertia) not in (3, 6):
            raise ScenarioError("inertia", N_("expected 3 or 6 numbers, got {inertia}", len(self.inertia)))
        return self


class WaterConfig(Table):
    """``[water]``."""

    density: Positive = described(WATER, "Density", "kg/m³", "1025 of the sea, 1000 of a lake")
    depth: Depth = described(
        math.inf,
        "Depth",
        "m",
        "Of calm water; more than the ship's draught",
        empty="so deep that waves do not feel the ground",
    )


REGULAR, SEA = ("spectrum", (None,)), ("spectrum", ())


class WaveConfig(Table):
    """``[wave]``: one regular wave, or an irregular sea by its spectrum and a seed."""

    height: Positive | None = described(
        None, "Height", "m", "From trough to crest, twice the amplitude; below that of a breaking wave", only=REGULAR
    )
    period: Positive | None = described(
        None, "Period", "s", "In deep water the length is 1.56 m times its square", only=REGULAR
    )
    phase: Number = described(0.0, "Phase", "rad", "At the origin at t = 0", empty="0, a crest", only=REGULAR)
    spectrum: Literal["jonswap", "pierson-moskowitz"] | None = described(
        None, "Spectrum", about="Long-crested, of a wind sea"
    )
    significant_height: Positive | None = described(
        None, "Significant height", "m", "Four times the root of the surface's variance", only=SEA
    )
    peak_period: Positive | None = described(None, "Peak period", "s", "Of the most energetic waves", only=SEA)
    gamma: Annotated[float, Field(strict=True, ge=1, le=10)] = described(
        3.3,
        "Peak factor γ",
        about="How much the peak is raised; 1: Pierson-Moskowitz",
        empty="",
        only=("spectrum", ("jonswap",)),
    )
    components: Annotated[int, Field(strict=True, ge=1, le=300)] = described(
        30, "Components", about="Waves that make the sea, one of them with the peak period", empty="", only=SEA
    )
    seed: Annotated[int, Field(strict=True, ge=0)] = described(
        1, "Seed", about="Another whole number, another sea", empty="", only=SEA
    )
    direction: Number = described(
        0.0,
        "Heading",
        "rad",
        "Of travel, from the x axis towards the y axis; 0: from astern; 90°: from starboard",
        empty="",
    )
    stretching: Literal["wheeler", "linear"] = described(
        "wheeler",
        "Stretching",
        about="Pressure up to the surface: Wheeler moves its law with the surface; linear keeps that of calm water",
    )

    @model_validator(mode="after")
    def _complete(self) -> Self:
        for key in ("height", "period") if self.spectrum is None else ("significant_height", "peak_period"):
            if getattr(self, key) is None:
                of = N_("a regular wave") if self.spectrum is None else N_("the spectrum '{spectrum}'", self.spectrum)
                raise ScenarioError(key, N_("missing; {of} expects it", of))
        return self


class WindConfig(Table):
    """``[wind]``: a heeling moment to starboard, cos² of the heel of what acts upright."""

    lever: Number | None = described(None, "Lever", "m", "Moment over weight; below 0 to port")
    moment: Number | None = described(None, "Moment", "N m", "Below 0 to port")
    gust: Positive = described(
        1.0, "Gust", about="Factor of the moment in the gust; 1.5 in the weather criterion", empty=""
    )
    gust_at: NotNegative = described(0.0, "Gust at", "s", "When a gust begins", empty="")

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.lever is None and self.moment is None:
            raise ScenarioError("lever", N_("missing; expected a lever [m] or a moment [N m]"))
        if self.lever is not None and self.moment is not None:
            raise ScenarioError("lever", N_("expected a lever [m] or a moment [N m], got both"))
        return self

    def idle(self) -> Iterator[tuple[str, str]]:
        """Keys without effect: the time at which a gust begins, if there is none."""
        yield from super().idle()
        if self.gust == 1.0:
            yield "gust_at", N_("expected none without a gust")


class DampingConfig(Table):
    """``[damping]``: in the axes of the hull: surge, sway, heave, roll, pitch, yaw."""

    linear: Six = described(
        NONE,
        "Linear",
        "N s/m, N m s",
        "Of surge to yaw, in the hull's axes",
        parts=("surge", "sway", "heave", "roll", "pitch", "yaw"),
    )
    quadratic: Six = described(
        NONE,
        "Quadratic",
        "N s²/m², N m s²",
        "Of surge to yaw, in the hull's axes",
        parts=("surge", "sway", "heave", "roll", "pitch", "yaw"),
    )
    ratio: Three = described(
        (0.0, 0.0, 0.0),
        "Share of critical",
        about="Damping as a share of the critical one where it floats, 2 √(stiffness × inertia): it follows mass, "
        "centre "
        "of gravity and added mass; adds to linear damping",
        parts=("heave", "roll", "pitch"),
    )


FINS, GYRO = ("kind", ("fins",)), ("kind", ("gyro",))


class ControlConfig(Table):
    """``[control]``: fins that roll the ship back, or a gyro-stabiliser."""

    kind: Literal["fins", "gyro"] = described(
        ..., "Roll control", about="Fins that roll the ship back, or the gimbal of a spinning rotor", empty=""
    )
    proportional: NotNegative = described(0.0, "Proportional", "N m", "Moment over heel [rad]", empty="", only=FINS)
    derivative: NotNegative = described(0.0, "Derivative", "N m s", "Moment over roll rate", empty="", only=FINS)
    limit: Positive | None = described(None, "Limit", "N m", "Largest moment of the fins", empty="none", only=FINS)
    spin: NotNegative | None = described(None, "Angular momentum", "N m s", "Of the rotor", only=GYRO)
    inertia: Positive | None = described(None, "Gimbal inertia", "kg m²", "About the axis of the gimbal", only=GYRO)
    damping: NotNegative = described(0.0, "Gimbal damping", "N m s", empty="", only=GYRO)
    stiffness: NotNegative = described(0.0, "Gimbal stiffness", "N m", empty="", only=GYRO)

    @model_validator(mode="after")
    def _complete(self) -> Self:
        for key in ("spin", "inertia") if self.kind == "gyro" else ():
            if getattr(self, key) is None:
                raise ScenarioError(key, N_("missing; a gyro expects it"))
        if self.kind == "fins" and self.proportional == self.derivative == 0.0:
            raise ScenarioError("proportional", N_("missing; fins expect it, or derivative"))
        return self


Rows = tuple[Positive, ...]
WINDY = ("windage_area", ())


class StabilityConfig(Table):
    """``[stability]``: inputs of the hydrostatic sheet; they do not act on the motion."""

    draughts: Annotated[Rows, Field(min_length=1, max_length=100)] | None = described(
        None, "Draughts", "m", "Of the curves of form; below the depth of the hull", empty="round ones"
    )
    displacements: Annotated[Rows, Field(min_length=1, max_length=20)] | None = described(
        None, "Displacements", "kg", "Of the cross curves KN; below that of the whole hull", empty="round ones"
    )
    openings: Annotated[tuple[Vector3, ...], Field(min_length=1, max_length=50)] | None = described(
        None,
        "Openings",
        "m",
        "Downflooding points in the axes of the hull, each as if there were one to both sides; what is beyond the "
        "first that comes to the water does not count in criteria",
        parts=("x", "y", "z"),
        empty="none",
    )
    tanks: Annotated[tuple[tuple[Positive, Positive, Positive], ...], Field(min_length=1, max_length=100)] | None = (
        described(
            None,
            "Tanks with free surfaces",
            "m, m, kg/m³",
            "Length and breadth of each free surface, density of the liquid; they raise G for heel by Σ ρ l b³/12 over "
            "the mass",
            parts=("length", "breadth", "density"),
            empty="none",
        )
    )

    windage_area: Positive | None = described(
        None,
        "Area in the wind",
        "m²",
        "Of ship and cargo above the water, from the side, for the weather criterion of ships of one hull",
        empty="no weather criterion",
    )
    windage_lever: Positive | None = described(
        None,
        "Its lever",
        "m",
        "From its centre down to that of the area under water, or to half the draught",
        only=WINDY,
    )
    deck_edge: Vector3 | None = described(
        None, "Edge of the deck", "m", "The place that comes to the water first, in the axes of the hull", only=WINDY
    )
    bilge_keels: NotNegative = described(0.0, "Bilge keels", "m²", "Area of all, with a bar keel", empty="", only=WINDY)
    bilges: Literal["round", "sharp"] = described("round", "Bilges", about="Sharp ones damp the roll", only=WINDY)

    @model_validator(mode="after")
    def _complete(self) -> Self:
        for key in ("windage_lever", "deck_edge") if self.windage_area is not None else ():
            if getattr(self, key) is None:
                raise ScenarioError(key, N_("missing; the weather criterion expects it"))
        return self


ANGLES = ("orientation", (None,))


class ShipInitialConfig(InitialConfig):
    """``[initial]`` of a ship: without keys it floats at rest."""

    heel: Number | None = described(None, "Heel", "rad", "Positive to starboard", empty="as it floats", only=ANGLES)
    trim: Number | None = described(None, "Trim", "rad", "Positive bow down", empty="as it floats", only=ANGLES)
    yaw: Number | None = described(None, "Yaw", "rad", "Positive to port", empty="0", only=ANGLES)
    heave: Number | None = described(
        None, "Heave", "m", "Of the centre of gravity above where it floats", empty="0", only=("position", (None,))
    )


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
    stability: StabilityConfig = StabilityConfig()
    initial: ShipInitialConfig = ShipInitialConfig()

    def check_kind(self) -> None:
        """Check that there is a hull, and that a ship starts."""
        if self.hull is None:
            raise ScenarioError("hull", N_("missing; expected a table with file or shape, mass and centre_of_gravity"))
        if self.body is not None:
            raise ScenarioError("body", N_("not a table of kind 'ship'; expected [hull]"))
        self.refuse_random_orientation()
        self.refuse_initial("nutation", "precession", "spin")
        if self.g == 0.0:
            raise ScenarioError("gravity.g", N_("expected a gravity above 0 [m/s²]: nothing floats without"))

        for lane in self.schemes:
            if why := self.unfit(lane):
                expected = N_("expected none, or a splitting or Runge-Kutta")
                raise ScenarioError("hull.added_mass", N_("{lane} {why}; {expected}", lane, why, expected))

    def unfit(self, lane: str) -> str:
        """Rotations alone do not move the water that moves with a hull."""
        if self.hull is None or not any(self.hull.added_mass) or lane_of(lane).scheme.added_mass:
            return ""
        return N_("integrates the rotation alone, without added mass")

    @property
    def seed(self) -> int:
        """Seed of what is drawn for an irregular sea."""
        return 0 if self.wave is None or self.wave.spectrum is None else self.wave.seed

    @property
    def body_file(self) -> tuple[str, MeshReading] | None:
        """The file of the hull, and how it is taken."""
        table = self.hull
        return None if table is None or table.file is None else (table.file, reading_of(table))


def reading_of(table: HullConfig) -> MeshReading:
    """Options for reading the file of a hull."""
    return MeshReading(table.scale, table.up or "", table.repair, table.nodes)


def of_a_ship(scenario: Scenario) -> ShipScenario:
    """The same scenario where it is one of a ship; else ScenarioError."""
    if not isinstance(scenario, ShipScenario):
        raise ScenarioError("kind", N_("expected 'ship', got '{kind}'", scenario.kind))
    return scenario
