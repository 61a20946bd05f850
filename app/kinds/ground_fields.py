"""The fields of the panel that tell the ground of a rockfall, where on it rocks start, and how they differ."""

# ruff: noqa: E501 - a table is read by rows

from __future__ import annotations

from app.kinds.field import Field
from physics import Scenario
from physics.bodies.mesh_io import MESHES
from physics.systems.rockfall.scenario import of_rocks
from physics.terrain.dem import SUFFIXES as TERRAINS
from physics.terrain.soil import SOILS

ZONES = (".geojson", ".json", ".gpkg", ".shp")


def _placed(scenario: Scenario) -> bool:
    """Whether the release says where: not so where the start is given in space."""
    return scenario.initial.position is None


def _drawn(scenario: Scenario) -> str | None:
    """What is drawn for the size of each rock."""
    size = of_rocks(scenario).ensemble.size
    return None if size is None else size[0]


def _in_pieces(scenario: Scenario) -> bool:
    """Whether the terrain is a surface in pieces."""
    terrain = of_rocks(scenario).terrain
    return terrain is not None and bool(terrain.piece)


def _whole(scenario: Scenario) -> bool:
    """Whether the terrain is in one file, or made."""
    return not _in_pieces(scenario)


def _even(scenario: Scenario) -> bool:
    return not isinstance(of_rocks(scenario).forest.rotational_drag, tuple)


SOIL = (
    Field("soil.preset", "Soil", tip="Values from the literature, fitted to no slope: mean run-outs by them were off by up to 53 m; numbers given below win over them", optional=True, choices=("", *SOILS)),
    Field("soil.mu_min", "Friction μ min", tip="Of a fresh contact; 0 or more; 0.55 in Lu et al. 2019", optional=True),
    Field("soil.mu_max", "Friction μ max", tip="After long slip; at least μ min; 2 in Lu et al. 2019", optional=True),
    Field("soil.kappa", "Growth κ", "1/m", tip="How fast friction grows with slip; 0 or more; 3 in Lu et al. 2019", optional=True),
    Field("soil.beta", "Decay β", "1/s", tip="How fast slip is forgotten in flight; 0 or more; 185 in Lu et al. 2019", optional=True),
    Field("soil.restitution", "Restitution", tip="Of the normal velocity; 0 to 1; 0: impacts do not bounce", optional=True),
    Field("soil.restitution_speed", "Restitution halves at", "m/s", tip="Normal speed at which restitution is half; 0: the same at all speeds; 9.144 in Pfeiffer & Bowen 1989", optional=True),
    Field("soil.drag", "Ground drag", "1/s", tip="Viscous drag over mass while in contact; 0 or more", optional=True),
    Field("soil.rolling", "Rolling resistance", tip="Tangent of the slope below which a ball does not roll; 0 or more", optional=True),
    Field("soil.roughness", "Roughness", "m", tip="Of the ground below the cells of the map: bumps over the radius of a rock, drawn at each touch-down; Pfeiffer & Bowen 1989", optional=True),
    Field("soil.zones", "Zones of other soils", tip="Polygons, each with a preset; where they overlap the later wins; empty: none", optional=True, endings=ZONES),
    Field("soil.soil_key", "Attribute of the soil", tip="That names the preset of a polygon of the file; empty: soil", optional=True, form="text", only=("soil.zones", ())),
)  # fmt: skip
SCAR = (
    Field("soil.ground", "Scar", tip="Compactable: with the scar of the soil above; that of hard is from Lu et al. 2019, the others are ours", optional=True, choices=("", "compactable"), nothing="None, or by the numbers below"),
    Field("soil.ramp", "Ramp", "°", tip="By which pressed soil turns an impact at 10 m/s against the motion; 0 to 60; scars at Chant Sura: 12 to 23", optional=True),
    Field("soil.scar.modulus", "Modulus", "N/m²", tip="Of compactable soil, at least 1e5; 1e7 to 2.5e7 in Lu et al. 2019", optional=True),
    Field("soil.scar.coefficient", "Scar drag", tip="Added to the form drag of 1; 0.1 to 4 in Lu et al. 2019", optional=True),
    Field("soil.scar.density", "Soil density", "kg/m³", tip="Above 0; 1700 in Lu et al. 2019", optional=True),
)  # fmt: skip
FOREST = (
    Field("forest.drag", "Drag", "kg/s", tip="Force over velocity below the tree tops; 0 or more; 0: no forest; Leine et al. 2014, (10)", optional=True),
    Field("forest.rotational_drag", "Rotational drag", "N m s", tip="Torque over angular velocity; 0 or more; Leine et al. 2021, (78)", optional=True, fits=_even),
    Field("forest.height", "Height", "m", tip="Of the tree tops above the ground; above 0", optional=True),
    Field("forest.zones", "Zones of other forests", tip="Polygons with their drag and height; where they overlap the later wins; empty: none", optional=True, endings=ZONES),
)  # fmt: skip
STOP = (
    Field("stop.energy", "Rest below", "J/kg", tip="A rock rests when its kinetic energy over its mass stays below this, in contact; 0 or more; empty: 0.05", optional=True),
    Field("stop.for", "For", "s", tip="How long; above 0; empty: 1", optional=True),
)  # fmt: skip
RELEASE = (
    Field("initial.position", "Position", "m", ("x", "y", "z"), "Of the centre of mass in space"),
    Field("release.place", "From", tip="A point, or where the rocks of an ensemble start; a single run shows one of them", choices=("position", "line", "polygon", "file", "slope_above"), reads=lambda scenario: of_rocks(scenario).release.place or "position", told=True, fits=_placed),
    Field("release.position", "Position", "m", ("x", "y"), "On the map; empty: a steep, high cell", optional=True, only=("release.place", ("position",)), fits=_placed),
    Field("release.line", "Corners of the line", "m", tip="x, y; x, y; … Rocks start anywhere on it, evenly by length", corners=2, only=("release.place", ("line",)), fits=_placed),
    Field("release.polygon", "Corners of the polygon", "m", tip="x, y; x, y; x, y; … Rocks start anywhere in it, evenly by area of the map", corners=3, only=("release.place", ("polygon",)), fits=_placed),
    Field("release.file", "Places", tip="Points in turn, lines or polygons (.geojson), or columns x, y (.csv)", endings=(".geojson", ".json", ".csv", ".gpkg", ".shp"), only=("release.place", ("file",)), fits=_placed),
    Field("release.slope_above", "Cells steeper than", "°", tip="Rocks start anywhere in such cells; above 0, below 90", only=("release.place", ("slope_above",)), fits=_placed),
    Field("release.height", "Height", "m", tip="Of the centre of mass above the ground", fits=_placed),
)  # fmt: skip
ROCKS = (
    Field("ensemble.drawn", "Sizes differ by", tip="What is drawn for each rock; the body above gives the shape and the density, which stay", optional=True, choices=("", "mass", "volume", "extent"), nothing="Nothing", reads=_drawn, told=True),
    Field("ensemble.mass", "Mass", "kg", tip="Of the rocks", form="distribution", only=("ensemble.drawn", ("mass",))),
    Field("ensemble.volume", "Volume", "m³", tip="Of the rocks", form="distribution", only=("ensemble.drawn", ("volume",))),
    Field("ensemble.extent", "Longest side", "m", tip="Of the rocks", form="distribution", only=("ensemble.drawn", ("extent",))),
    Field("ensemble.shapes", "Shapes", tip="One random shape for all rocks, or another one for each; of the shape Random rock", choices=("one", "each"), only=("body.shape", ("random",))),
)  # fmt: skip
TERRAIN = (
    Field("terrain.profile", "From", tip="A file of heights, or a slope that is generated", choices=("", "ramp", "chant-sura-like", "alpine"), nothing="File", optional=True),
    Field("terrain.piece", "Pieces of a surface", tip="Meshes (.stl, .obj, .ply), each with the preset of its soil: slope.stl: hard; bench.stl: medium; the uppermost counts", form="pieces", endings=MESHES, only=("terrain.profile", (None,)), fits=_in_pieces),
    Field("terrain.angle", "Angle", "°", tip="Of the ramp; above 0, below 85", only=("terrain.profile", ("ramp",))),
    Field("terrain.drop", "Drop", "m", tip="Height of the ramp; above 0", only=("terrain.profile", ("ramp",))),
    Field("terrain.width", "Width", "m", tip="Of the ramp; above 0", only=("terrain.profile", ("ramp",))),
    Field("terrain.file", "File", tip="Heights in metres on a grid, points, or a mesh", endings=TERRAINS, only=("terrain.profile", (None,)), fits=_whole),
    Field("terrain.up", "Up", tip="The axis of a mesh, or of points, that points up", choices=("x", "y", "z"), only=("terrain.profile", (None,))),
    Field("terrain.crs", "Coordinate system", tip="Of a file that tells none: EPSG:31287, an OGC URN or WKT; a .prj beside the file tells it too; empty: what the file tells", optional=True, form="text", only=("terrain.profile", (None,))),
    Field("terrain.window", "Part", "m", ("x min", "y min", "x max", "y max"), "Of the file that is read; empty: all of it", optional=True, only=("terrain.profile", (None,))),
    Field("terrain.resolution", "Cells of about", "m", tip="Cells of the file are averaged to this size, empty: as they are; those of a mesh have it, empty: chosen and told", optional=True, only=("terrain.profile", (None,))),
    Field("terrain.nodata", "Without height", tip="Fill cells that have no height from those around, or end the map there; usual: filled, but beside a mesh the map ends", choices=("", "fill", "cut"), nothing="Usual", optional=True, only=("terrain.profile", (None,))),
)  # fmt: skip
OBSERVED = (
    Field("observed.stops", "Stops", tip="Where rocks were measured to stop: columns x, y, and runout or release_x, release_y (.csv); empty: none", optional=True, endings=(".csv",)),
    Field("observed.tracks", "Tracks", tip="Paths that were measured: columns track, x, y, perhaps z (.csv); empty: none", optional=True, endings=(".csv",)),
    Field("observed.screens", "Passages", tip="Through screens: columns screen, x, y, and velocity or height (.csv); empty: none", optional=True, endings=(".csv",)),
    Field("observed.zones", "Count stops in", tip="Polygons in which measured and computed stops are counted; empty: none", optional=True, endings=ZONES),
)  # fmt: skip
