"""The values of a scenario that the panel lets one edit, kind by kind: names, units, ranges, sources."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from physics import Scenario
from physics.soil import SOILS


@dataclass(frozen=True)
class Field:
    """A value of a scenario that the panel lets one edit.

    Attributes
    ----------
    key : dotted name in the scenario (``"body.mass"``), also the field that errors name
    label, unit : for people
    parts : names of the components of a vector, () for a single value
    tip : what it is, its range, where a usual value is from
    whole : whether only whole numbers are meant
    optional : whether it may be left empty
    choices : words to choose from, () for numbers; "" stands for nothing
    endings : of the file that it names, () where it names none
    corners : whether it is a list of places x, y
    only : another field and its words with which alone this one means something; within tables of panel.WHOLE
    """

    key: str
    label: str
    unit: str = ""
    parts: tuple[str, ...] = ()
    tip: str = ""
    whole: bool = False
    optional: bool = False
    choices: tuple[str, ...] = ()
    endings: tuple[str, ...] = ()
    corners: bool = False
    only: tuple[str, tuple[str, ...]] | None = None

    def of(self, scenario: Scenario) -> Any:
        """The value that a scenario holds: a number, a tuple, a word, or None."""
        value: Any = scenario
        for name in self.key.split("."):
            value = getattr(value, name, None)
        return value

    def given(self, scenario: Scenario) -> Any:
        """The value that a scenario names itself; None where it is left to a preset or a default."""
        value: Any = scenario.to_plain()
        for name in self.key.split("."):
            value = value.get(name) if isinstance(value, dict) else None
        return tuple(value) if isinstance(value, list) else value

    @property
    def angular(self) -> bool:
        """Whether the value may be shown in degrees."""
        return self.unit in ("rad", "rad/s")


_SHAPE = Field(
    "body.shape",
    "Shape",
    tip="Solid of constant density; a mesh is its own solid, a hull that of its points",
    choices=("cuboid", "ellipsoid", "cylinder", "eota", "random", "mesh", "hull", "inertia"),
)
_SIZE = Field(
    "body.size",
    "Size",
    "m",
    ("x", "y", "z"),
    "Extents along the axes of the body; above 0",
    optional=True,
    only=("body.shape", ("cuboid", "ellipsoid", "cylinder", "eota", "random")),
)
_MOMENTS = Field(
    "body.inertia",
    "Principal moments",
    "kg m²",
    ("A", "B", "C"),
    "About the centre of mass, in the order of the body's axes; given, they win over the shape's. "
    "None may exceed the sum of the others",
    optional=True,
)
_FROM_FILE = (
    Field(
        "body.file",
        "File",
        "",
        tip="Of a solid, or of the points of a hull (also .pts); in the body's own axes",
        endings=(".stl", ".obj", ".ply", ".pts"),
        only=("body.shape", ("mesh", "hull")),
    ),
    Field(
        "body.scale",
        "Scale",
        "",
        (),
        "Of the file's coordinates; above 0; 0.001 for millimetres",
        only=("body.shape", ("mesh", "hull")),
    ),
    Field(
        "body.seed",
        "Shape seed",
        "",
        (),
        "Another whole number, another random rock",
        whole=True,
        only=("body.shape", ("random",)),
    ),
)
_MASS = Field("body.mass", "Mass", "kg", tip="Above 0")
_DENSITY = Field("body.density", "Density", "kg/m³", tip="Above 0; rock has about 2700")
_BODY = (_SHAPE, *_FROM_FILE, _SIZE, _MOMENTS, _MASS, _DENSITY)
_OMEGA = Field(
    "initial.angular_velocity", "Angular velocity", "rad/s", ("x", "y", "z"), "At the start, in the body's axes"
)
_ATTITUDE = Field(
    "initial.orientation", "Orientation", "", ("w", "x", "y", "z"), "At the start: unit quaternion, body to space"
)
_VELOCITY = Field("initial.velocity", "Velocity", "m/s", ("x", "y", "z"), "Of the centre of mass at the start, z up")
STEP = (
    Field("step", "Step", "s", tip="Time step of every scheme; above 0, at most the duration"),
    Field("duration", "Duration", "s", tip="Simulated time at most; above 0"),
)
_SOIL = (
    Field(
        "soil.preset",
        "Soil",
        tip="Values from the literature, approximate; numbers given below win over them",
        optional=True,
        choices=("", *SOILS),
    ),
    Field(
        "soil.mu_min", "Friction μ min", "", (), "Of a fresh contact; 0 or more; 0.55 in Lu et al. 2019", optional=True
    ),
    Field(
        "soil.mu_max", "Friction μ max", "", (), "After long slip; at least μ min; 2 in Lu et al. 2019", optional=True
    ),
    Field(
        "soil.kappa",
        "Growth κ",
        "1/m",
        (),
        "How fast friction grows with slip; 0 or more; 3 in Lu et al. 2019",
        optional=True,
    ),
    Field(
        "soil.beta",
        "Decay β",
        "1/s",
        (),
        "How fast slip is forgotten in flight; 0 or more; 185 in Lu et al. 2019",
        optional=True,
    ),
    Field(
        "soil.restitution",
        "Restitution",
        "",
        (),
        "Of the normal velocity; 0 to 1; 0: impacts do not bounce",
        optional=True,
    ),
    Field("soil.drag", "Ground drag", "1/s", (), "Viscous drag over mass while in contact; 0 or more", optional=True),
)
_SCAR = (
    Field(
        "soil.scar.modulus",
        "Modulus",
        "N/m²",
        (),
        "Of compactable soil, at least 1e5; 1e7 to 2.5e7 in Lu et al. 2019",
        optional=True,
    ),
    Field(
        "soil.scar.coefficient",
        "Scar drag",
        "",
        (),
        "Added to the form drag of 1; 0.1 to 4 in Lu et al. 2019",
        optional=True,
    ),
    Field("soil.scar.density", "Soil density", "kg/m³", (), "Above 0; 1700 in Lu et al. 2019", optional=True),
)
_FOREST = (
    Field(
        "forest.drag",
        "Drag",
        "kg/s",
        (),
        "Force over velocity below the tree tops; 0 or more; 0: no forest",
        optional=True,
    ),
    Field("forest.height", "Height", "m", (), "Of the tree tops above the ground; above 0", optional=True),
)
_RELEASE = (
    Field(
        "release.place",
        "From",
        tip="A point, or where the rocks of an ensemble start; a single run shows one of them",
        choices=("position", "line", "polygon", "file", "slope_above"),
    ),
    Field(
        "release.position",
        "Position",
        "m",
        ("x", "y"),
        "On the map; empty: a steep, high cell",
        optional=True,
        only=("release.place", ("position",)),
    ),
    Field(
        "release.line",
        "Corners of the line",
        "m",
        (),
        "x, y; x, y; … Rocks start anywhere on it, evenly by length",
        corners=True,
        only=("release.place", ("line",)),
    ),
    Field(
        "release.polygon",
        "Corners of the polygon",
        "m",
        (),
        "x, y; x, y; x, y; … Rocks start anywhere in it, evenly by area of the map",
        corners=True,
        only=("release.place", ("polygon",)),
    ),
    Field(
        "release.file",
        "Places",
        "",
        (),
        "Points in turn, lines or polygons (.geojson), or columns x, y (.csv)",
        endings=(".geojson", ".json", ".csv", ".gpkg", ".shp"),
        only=("release.place", ("file",)),
    ),
    Field(
        "release.slope_above",
        "Cells steeper than",
        "°",
        (),
        "Rocks start anywhere in such cells; above 0, below 90",
        only=("release.place", ("slope_above",)),
    ),
)
_TERRAIN = (
    Field("terrain.angle", "Angle", "°", (), "Of the ramp; above 0, below 85"),
    Field("terrain.drop", "Drop", "m", (), "Height of the ramp; above 0"),
    Field("terrain.width", "Width", "m", (), "Of the ramp; above 0"),
    Field("terrain.file", "File", "", (), "Heights in metres on a grid", endings=(".asc", ".tif", ".tiff", ".xyz")),
    Field(
        "terrain.window",
        "Part",
        "m",
        ("x min", "y min", "x max", "y max"),
        "Of the file that is read; empty: all of it",
        optional=True,
    ),
    Field(
        "terrain.resolution",
        "Cells of about",
        "m",
        (),
        "Cells of the file are averaged to this size; empty: as they are",
        optional=True,
    ),
    Field(
        "terrain.nodata",
        "Without height",
        tip="Fill cells that have no height from those around, or end the map there",
        choices=("fill", "cut"),
    ),
)
CARDS: dict[str, dict[str, tuple[Field, ...]]] = {
    "free": {
        "Body": _BODY,
        "Start": (_OMEGA, _ATTITUDE),
    },
    "top": {
        "Top": (
            Field("body.height", "Height", "m", tip="Above 0"),
            Field("body.radius", "Radius", "m", tip="Above 0"),
            _MASS,
            _DENSITY,
        ),
        "Start": (
            Field("initial.nutation", "Nutation", "rad", tip="Angle of the axis from the vertical"),
            Field("initial.precession", "Precession", "rad/s", tip="Rate of the axis about the vertical"),
        ),
    },
    "vessel": {
        "Ship": (
            Field(
                "vessel.metacentric_height.transverse",
                "GM transverse",
                "m",
                tip="Transverse metacentric height; 0 or more",
            ),
            Field(
                "vessel.metacentric_height.longitudinal",
                "GM longitudinal",
                "m",
                tip="Longitudinal metacentric height; 0 or more",
            ),
            Field("vessel.damping", "Damping", "N m s", ("roll", "pitch", "yaw"), "D4, D5, D6; 0 or more"),
        ),
        "Start": (_OMEGA, _ATTITUDE),
    },
    "rockfall": {
        "Rock": (
            *_BODY,
            Field(
                "ensemble.seed",
                "Orientation seed",
                "",
                (),
                "Another whole number, another orientation",
                whole=True,
            ),
            Field("ensemble.rock", "Rock of the ensemble", tip="Which rock falls alone; 0 or more", whole=True),
        ),
        "Release": (
            *_RELEASE,
            Field("release.height", "Height", "m", (), "Of the centre of mass above the ground"),
            _VELOCITY,
            _OMEGA,
        ),
        "Terrain": _TERRAIN,
        "Ground": _SOIL,
        "Compactable soil": _SCAR,
        "Forest": _FOREST,
    },
}
