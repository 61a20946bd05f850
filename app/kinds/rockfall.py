"""Kind "rockfall": a rock on a terrain, with its altitude, speed, rotation and height above the ground."""

# ruff: noqa: E501 - one field a line

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import assets
from app.kinds import quantities
from app.kinds.field import ANGULAR_VELOCITY, ATTITUDE, BODY, GRAVITY, SHAPES, XYZ, Field
from app.kinds.kind import ROCK, BodyRole, Kind, measures, of_rock, points
from app.kinds.quantities import Quantity, Reading, caption
from app.system.language import tr
from app.system.sentences import translated
from physics import Scenario, load_scenario
from physics.bodies.mesh_io import MESHES, MeshReading
from physics.systems.rockfall.scenario import RockfallScenario, of_rocks
from physics.systems.rockfall.world import RockfallWorld
from physics.systems.scenario_body import make_body
from physics.terrain.dem import SUFFIXES as TERRAINS
from physics.terrain.soil import FORESTS, FRACTURE_RATIOS, SOILS

if TYPE_CHECKING:
    from app.stage.lane_scene import SceneKind
    from app.stage.scenes.lane_numbers import Number

ZONES = (".geojson", ".json", ".gpkg", ".shp")


def _placed(scenario: Scenario) -> bool:
    """True if the release gives the place, not a position in space."""
    return scenario.initial.position is None


def _drawn(scenario: Scenario) -> str | None:
    """The quantity that is drawn at random for the size of each rock."""
    size = of_rocks(scenario).ensemble.size
    return None if size is None else size[0]


def _in_pieces(scenario: Scenario) -> bool:
    """True if the terrain is a surface in pieces."""
    terrain = of_rocks(scenario).terrain
    return terrain is not None and bool(terrain.piece)


def _few_periods(scenario: Scenario) -> bool:
    """True if a study has as many return periods as the panel has room for."""
    return len(of_rocks(scenario).hazard.return_periods) <= 3


def _even(scenario: Scenario) -> bool:
    """True if the rotational drag of the forest is one number for all axes."""
    return not isinstance(of_rocks(scenario).forest.rotational_drag, tuple)


_SHOWN = ("view", "export", "film", "batch", "edit", "source", "initial")  # sections that another rock does not keep
RIMS = "Touches the ground with its rims; nothing between them touches, nor on its faces."
NOTES = (("cylinder", RIMS), ("disk", RIMS))  # help: round-rocks.md
ROUND = ("cone", "sphere", "disk")
CREEP = 0.5  # [m/s] at which a rock may end that one still sees move
RIM = 45.0  # [m/s] at the rim of a rock: 44 is the fastest of the examples


def _attitude(scenario: Scenario) -> tuple[float, ...] | None:
    attitude = scenario.initial.orientation
    return None if attitude == "random" else attitude


def _lift(scenario: Scenario) -> float | None:
    height = of_rocks(scenario).release.height
    return None if height == "clear" else height


CARDS = {
    "Rock": (
        replace(BODY[0], choices=(*SHAPES, "disk"), notes=NOTES),
        *(replace(field, only=("body.shape", ROUND)) if field.key == "body.radius" else field for field in BODY[1:]),
        Field("body.thickness", "Thickness", "m", tip="Along the body's z axis; above 0", only=("body.shape", ("disk",))),
        Field("body.rim", "Rim", "m", tip="Radius with which the rim is rounded; 0: sharp; at most half the thickness", only=("body.shape", ("cylinder", "disk"))),
        Field("body.blocks", "Table of blocks", tip="A row a rock (.csv): mass, L1, L2, L3, shape or file, x, y, z or height, velocity, orientation; empty: none", optional=True, endings=(".csv",)),
        Field("initial.orientation", "Orientation", "", ATTITUDE.parts, f"{ATTITUDE.tip}; empty: random, drawn from the seed", optional=True, empty="random", reads=_attitude),
        Field("ensemble.seed", "Seed", tip="Of the random numbers: another whole number gives other orientations, places and sizes; 0 or more", whole=True),
        Field("ensemble.rock", "Rock of the ensemble", tip="Which rock falls alone; 0 or more", whole=True),
    ),
    "Release": (
        Field("initial.position", "Position", "m", ("x", "y", "z"), "Of the centre of mass in space"),
        Field("release.place", "From", tip="A point, or where the rocks of an ensemble start; a single run shows one of them", choices=("position", "line", "polygon", "file", "slope_above"), reads=lambda scenario: of_rocks(scenario).release.place or "position", implied=True, fits=_placed),
        Field("release.position", "Position", "m", ("x", "y"), "On the map; empty: a steep, high cell", optional=True, only=("release.place", ("position",)), fits=_placed),
        Field("release.line", "Corners of the line", "m", tip="x, y; x, y; … Rocks start anywhere on it, evenly by length", corners=2, only=("release.place", ("line",)), fits=_placed),
        Field("release.polygon", "Corners of the polygon", "m", tip="x, y; x, y; x, y; … Rocks start anywhere in it, evenly by area of the map", corners=3, only=("release.place", ("polygon",)), fits=_placed),
        Field("release.file", "Places", tip="Points in turn, lines or polygons (.geojson), or columns x, y (.csv)", endings=(".geojson", ".json", ".csv", ".gpkg", ".shp"), only=("release.place", ("file",)), fits=_placed),
        Field("release.slope_above", "Cells steeper than", "°", tip="Rocks start anywhere in such cells; above 0, below 90", only=("release.place", ("slope_above",)), fits=_placed),
        Field("release.height", "Height", "m", tip="Of the centre of mass above the ground; empty: each rock just clear of its own ground", optional=True, empty="clear", reads=_lift, fits=_placed),
        Field("initial.velocity", "Velocity", "m/s", XYZ, "Of the centre of mass at the start, z up", fits=lambda scenario: of_rocks(scenario).release.velocity is None),
        Field("release.velocity", "Velocity", "m/s", XYZ, "Of the centre of mass at the start, z up"),
        ANGULAR_VELOCITY,
    ),
    "Rocks of an ensemble": (
        Field("ensemble.drawn", "Sizes differ by", tip="What is drawn for each rock; the body above gives the shape and the density, which stay", optional=True, choices=("", "mass", "volume", "extent"), nothing="Nothing", reads=_drawn, implied=True),
        Field("ensemble.mass", "Mass", "kg", tip="Of the rocks", form="distribution", only=("ensemble.drawn", ("mass",))),
        Field("ensemble.volume", "Volume", "m³", tip="Of the rocks", form="distribution", only=("ensemble.drawn", ("volume",))),
        Field("ensemble.extent", "Longest side", "m", tip="Of the rocks", form="distribution", only=("ensemble.drawn", ("extent",))),
        Field("ensemble.shapes", "Shapes", tip="One random shape for all rocks, or another one for each; of the shape Random rock", choices=("one", "each"), only=("body.shape", ("random",))),
    ),
    "Study": (
        Field("scenario_class", "Classes of rocks", tip="Of one size each, with how often they start: maps of frequency and of intensity by return period, and a report", form="classes", optional=True),
        Field("hazard.return_periods", "Return periods", "a", ("first", "second", "third"), "Of the maps of intensity; empty: 30, 100, 300", least=1, optional=True, only=("scenario_class", ()), fits=_few_periods),
        Field("hazard.intensity", "Intensity", tip="Where its classes meet", optional=True, choices=("", "foen", "oerok"), nothing="Usual: Swiss", only=("scenario_class", ())),
        Field("hazard.height", "Count heights above", "m", tip="Of the centre of mass above the ground; above 0; empty: no such map", optional=True, only=("scenario_class", ())),
        Field("hazard.energy_factor", "Partial factor on energy", tip="On the energy that a barrier is designed for; 1 or more; empty: 1", optional=True),
        Field("hazard.height_factor", "Partial factor on height", tip="On the height that a barrier is designed for; 1 or more; empty: 1", optional=True),
        Field("hazard.design", "Barriers are designed for", tip="q90, q95 or q99: so much of each class's rocks; 100a: what is exceeded once in 100 years, of the return periods; empty: q95", optional=True, form="text"),
        Field("hazard.cell", "Maps count rocks per square of", "m", tip="Side of the square around the middle of each cell; a rock counts that touches it with its path and half its width on both sides; 0.5 to 1000; empty: 10", optional=True),
    ),
    "Barriers": (Field("barrier", "Lines at which an ensemble is measured", tip="Without a capacity they measure only: rocks go on behind them", form="barriers", optional=True),),
    "Lines of interest": (Field("line", "Roads, railways, rows of houses", tip="What reaches them, how often and with how much, by class of rocks; nothing is stopped", form="lines", optional=True),),
    "Terrain": (
        Field("terrain.profile", "From", tip="A file of heights, or a slope that is generated", choices=("", "ramp", "chant-sura-like", "alpine"), nothing="File", optional=True),
        Field("terrain.piece", "Pieces of a surface", tip="Meshes (.stl, .obj, .ply), each with the preset of its soil: slope.stl: hard; bench.stl: medium; the uppermost counts", form="pieces", endings=MESHES, only=("terrain.profile", (None,)), fits=_in_pieces),
        Field("terrain.angle", "Angle", "°", tip="Of the ramp; above 0, below 85", only=("terrain.profile", ("ramp",))),
        Field("terrain.drop", "Drop", "m", tip="Height of the ramp; above 0", only=("terrain.profile", ("ramp",))),
        Field("terrain.width", "Width", "m", tip="Of the ramp; above 0", only=("terrain.profile", ("ramp",))),
        Field("terrain.file", "File", tip="Heights in metres on a grid, points, or a mesh", endings=TERRAINS, only=("terrain.profile", (None,)), fits=lambda scenario: not _in_pieces(scenario)),
        Field("terrain.up", "Up", tip="The axis of a mesh, or of points, that points up", choices=("x", "y", "z"), only=("terrain.profile", (None,))),
        Field("terrain.crs", "Coordinate system", tip="Of a file without one: EPSG:31287, an OGC URN or WKT; or a .prj beside the file; empty: that of the file", optional=True, form="text", only=("terrain.profile", (None,))),
        Field("terrain.project", "Project to", tip="Of a map in degrees, or in another system: utm, the zone that fits, or a code such as EPSG:2056; empty: as it is", optional=True, form="text", only=("terrain.profile", (None,))),
        Field("terrain.window", "Part", "m", ("x min", "y min", "x max", "y max"), "Of the file that is read; empty: all of it", optional=True, only=("terrain.profile", (None,))),
        Field("terrain.resolution", "Cells of about", "m", tip="Cells of the file are averaged to this size, empty: as they are; cells of a mesh have this size, empty: chosen, with a note", optional=True, only=("terrain.profile", (None,))),
        Field("terrain.nodata", "Without height", tip="Fill cells that have no height from those around, or end the map there; usual: filled, but beside a mesh the map ends", choices=("", "fill", "cut"), nothing="Usual", optional=True, only=("terrain.profile", (None,))),
    ),
    "Ground": (
        Field("soil.preset", "Soil", tip="Values from the literature, fitted to no slope: mean run-outs by them were off by up to 53 m; numbers given below win over them", optional=True, choices=("", *SOILS)),
        Field("soil.laws", "Impact laws", tip="Recommended: restitution, ramp, roughness, scatter and scar of the soil above, ours, chosen on 18 runs of one slope; numbers given below win over them", optional=True, choices=("", "recommended"), nothing="None, or by the numbers below"),
        Field("soil.mu_min", "Friction μ min", tip="Of a fresh contact; 0 or more; 0.55 in Lu et al. 2019", optional=True),
        Field("soil.mu_max", "Friction μ max", tip="After long slip; at least μ min; 2 in Lu et al. 2019", optional=True),
        Field("soil.kappa", "Growth κ", "1/m", tip="How fast friction grows with slip; 0 or more; 3 in Lu et al. 2019", optional=True),
        Field("soil.beta", "Decay β", "1/s", tip="How fast slip is forgotten in flight; 0 or more; 185 in Lu et al. 2019", optional=True),
        Field("soil.restitution", "Restitution", tip="Of the normal velocity; 0 to 1; 0: impacts do not bounce", optional=True),
        Field("soil.restitution_speed", "Restitution halves at", "m/s", tip="Normal speed at which restitution is half; 0: the same at all speeds; 9.144 in Pfeiffer & Bowen 1989", optional=True),
        Field("soil.drag", "Ground drag", "1/s", tip="Viscous drag over mass while in contact; 0 or more", optional=True),
        Field("soil.drag_time", "Drag after a touch-down", "s", tip="In which the ground drag acts on a rock that bounces too; 0 to 10; impacts last about 0.2 s in Lu et al. 2019", optional=True),
        Field("soil.rolling", "Rolling resistance", tip="Tangent of the slope below which a ball does not roll; 0 or more", optional=True),
        Field("soil.roughness", "Roughness", "m", tip="Of the ground below the cells of the map: bumps over the radius of a rock, drawn at each touch-down; Pfeiffer & Bowen 1989", optional=True),
        Field("soil.scatter", "Scatter of impacts", tip="Standard deviation of the logarithm of ramp and restitution, drawn at each touch-down; 0 to 1", optional=True),
        Field("soil.zone", "Other soils", tip="Polygons on the ground, each with its soil; where they overlap the lower in this list counts", optional=True, form="zones", choices=("", *SOILS), nothing="Own values"),
        Field("soil.zones", "Zones of other soils", tip="Polygons, each with a preset; where they overlap the later wins; empty: none", optional=True, endings=ZONES),
        Field("soil.types", "Soil types", tip="Grid (.asc) of the soil types of Rockyfor3D, 0 to 7, such as soiltype.asc; zones lie on it; empty: none", optional=True, endings=(".asc",)),
        Field("soil.rg70", "Roughness, 70 %", tip="Grid (.asc) rg70 of Rockyfor3D [m], 70 % of the roughness of a cell; zones lie on it; empty: none", optional=True, endings=(".asc",)),
        Field("soil.rg20", "Roughness, 20 %", tip="Grid (.asc) rg20 of Rockyfor3D [m], 20 % of the roughness of a cell; empty: 0 m", optional=True, endings=(".asc",)),
        Field("soil.rg10", "Roughness, 10 %", tip="Grid (.asc) rg10 of Rockyfor3D [m], 10 % of the roughness of a cell; empty: 0 m", optional=True, endings=(".asc",)),
        Field("soil.soil_key", "Attribute of the soil", tip="That names the preset of a polygon of the file; empty: soil", optional=True, form="text", only=("soil.zones", ())),
    ),
    "Compactable soil": (
        Field("soil.ground", "Scar", tip="Compactable: with the scar of the soil above; that of hard is from Lu et al. 2019, the others are ours", optional=True, choices=("", "compactable"), nothing="None, or by the numbers below"),
        Field("soil.ramp", "Ramp", "°", tip="By which pressed soil turns an impact at 10 m/s against the motion; 0 to 60; scars at Chant Sura: 12 to 23", optional=True),
        Field("soil.scar.modulus", "Modulus", "N/m²", tip="Of compactable soil, at least 1e5; 1e7 to 2.5e7 in Lu et al. 2019", optional=True),
        Field("soil.scar.coefficient", "Scar drag", tip="Added to the form drag of 1; 0.1 to 4 in Lu et al. 2019", optional=True),
        Field("soil.scar.density", "Soil density", "kg/m³", tip="Above 0; 1700 in Lu et al. 2019", optional=True),
        Field("soil.scar.layer", "Layer", "m", tip="Of soil on rigid ground, the deepest scar; above 0; empty: any depth", optional=True),
    ),
    "Forest": (
        Field("forest.preset", "Forest", tip="Drag and height from the literature, approximate; numbers given below win over them", optional=True, choices=("", *FORESTS)),
        Field("forest.drag", "Drag", "kg/s", tip="Force over velocity below the tree tops; 0 or more; 0: no forest; Leine et al. 2014, (10)", optional=True),
        Field("forest.rotational_drag", "Rotational drag", "N m s", tip="Torque over angular velocity; 0 or more; Leine et al. 2021, (78)", optional=True, fits=_even),
        Field("forest.height", "Height", "m", tip="Of the tree tops above the ground; above 0", optional=True),
        Field("forest.stems", "Trees", "1/ha", tip="Drawn in each forest; a rock that hits a stem loses energy, or breaks it", optional=True),
        Field("forest.dbh", "Diameter", "cm", tip="Mean of the stems at breast height; 1 to 300", optional=True),
        Field("forest.dbh_deviation", "Deviation", "cm", tip="Standard deviation of the diameters; 0 or more", optional=True),
        Field("forest.species", "Species", tip="How tough the stems are, approximate (Dorren & Berger 2006)", optional=True, choices=("", *FRACTURE_RATIOS)),
        Field("forest.trees", "Table of trees", tip="x, y in metres, dbh in cm, and, if given, height in metres and species; empty: none", optional=True, endings=(".csv",)),
        Field("forest.nrtrees", "Grid of trees", "1/ha", tip="Grid (.asc) nrtrees of Rockyfor3D: trees on a hectare in each cell; zones lie on it; empty: none", optional=True, endings=(".asc",)),
        Field("forest.dbhmean", "Grid of diameters", "cm", tip="Grid (.asc) dbhmean of Rockyfor3D: mean of a cell's stems; empty: as above", optional=True, endings=(".asc",), only=("forest.nrtrees", ())),
        Field("forest.dbhstd", "Grid of deviations", "cm", tip="Grid (.asc) dbhstd of Rockyfor3D: deviation of a cell's diameters; empty: as above", optional=True, endings=(".asc",), only=("forest.nrtrees", ())),
        Field("forest.conif_percent", "Grid of conifers", "%", tip="Grid (.asc) conif_percent of Rockyfor3D; the other stems are broadleaved; empty: the species above", optional=True, endings=(".asc",), only=("forest.nrtrees", ())),
        Field("forest.zone", "Other forests", tip="Polygons on the ground, each with its forest; where they overlap the lower in this list counts", optional=True, form="zones", choices=("", *FORESTS), nothing="Own values"),
        Field("forest.zones", "Zones of other forests", tip="Polygons with their drag and height; where they overlap the later wins; empty: none", optional=True, endings=ZONES),
    ),
    "Measured": (
        Field("observed.stops", "Stops", tip="Where rocks were measured to stop: columns x, y, and runout or release_x, release_y (.csv); empty: none", optional=True, endings=(".csv",)),
        Field("observed.tracks", "Tracks", tip="Paths that were measured: columns track, x, y, perhaps z (.csv); empty: none", optional=True, endings=(".csv",)),
        Field("observed.screens", "Passages", tip="Through screens: columns screen, x, y, and velocity or height (.csv); empty: none", optional=True, endings=(".csv",)),
        Field("observed.zones", "Count stops in", tip="Polygons in which measured and computed stops are counted; empty: none", optional=True, endings=ZONES),
    ),
    "End": (
        Field("stop.energy", "Rest below", "J/kg", tip="A rock rests when its kinetic energy over its mass stays below this, in contact; 0 or more; empty: 0.05", optional=True),
        Field("stop.for", "For", "s", tip="How long; above 0; empty: 1", optional=True),
        GRAVITY,
    ),
}  # fmt: skip
SPEED = Quantity("Speed", "m/s", quantities.norm("velocity"), form="{:.1f} m/s")
RATE = Quantity("Rotation", "rad/s", quantities.norm("angular_velocity"), form="{:.1f} rad/s")
HEIGHT = Quantity("Height above ground", "m", quantities.height_above_ground, form="{:.1f} m")
CHARTS = (
    Quantity("Altitude", "m", lambda run, _: run.position[:, 2], over=quantities.DISTANCE),
    SPEED,
    RATE,
    HEIGHT,
)
MORE = (
    quantities.ATTITUDE_ERROR,
    *quantities.ENERGIES,
    *quantities.OMEGA,
    *quantities.PLACE,
    *quantities.QUATERNION,
    *quantities.SPIN,
    Quantity("Contacts", "1", lambda run, _: run.contact),
    Quantity("Distance", "m", quantities.distance),
    quantities.ORTHOGONALITY,
)


@caption
def _numbers(now: Reading) -> tuple[Number, ...]:
    """Speed, rotation, and height above the ground or how the run ended."""
    ended = {event.kind for event in now.run.events if event.time <= now.time}
    assert isinstance(now.world, RockfallWorld)
    slowest = math.sqrt(2.0 * now.world.scenario.stop.energy)  # [m/s] without rotation; below it a run may end
    creeps = SPEED.text(slowest) if slowest > CREEP else ""
    rest, left = tr("stopped below {speed}").format(speed=creeps) if creeps else tr("at rest"), tr("left the map")
    height = now.number(tr("height"), HEIGHT, max("88.8 m", rest, left, key=len))
    if state := rest if "rest" in ended else left if "left-map" in ended else "":
        height = height._replace(text=state, named=False)  # no height of a rock that has ended
    fastest = max(10.0, RIM / now.world.body.radius)
    return (
        now.number(tr("speed"), SPEED, "88.8 m/s"),
        now.number(tr("spin rate"), RATE, RATE.text(fastest)),
        height,
    )


def _scene() -> SceneKind:
    from app.stage.camera.fit import fall
    from app.stage.lane_scene import SceneKind
    from app.stage.overlays.contact_marks import ContactMarks
    from app.stage.overlays.insets import CloseUp
    from app.stage.scenes.lane_actors import Fall

    return SceneKind(
        lane=Fall, framing=fall, numbers=_numbers, overlays={"contacts": ContactMarks, "close-up": CloseUp}
    )


def _falling(file: Path, reading: MeshReading, ground: Scenario | None) -> Scenario:
    """The hull of the points in a file, released on a slope, clear of the ground."""
    on = of_rocks(ground or load_scenario(assets.SCENARIOS / "rock-alpine.toml"))
    table = points(file, reading) | {"density": ROCK}
    body = make_body(Scenario(kind="free", duration=1.0, step=1.0, body=table))
    plain = {key: value for key, value in on.without_edits().to_plain().items() if key not in _SHOWN}
    release = plain.get("release", {})
    if on.initial.position is not None:
        release["position"] = on.initial.position[:2]
    if on.release.height != "clear":
        release["height"] = max(on.release.height, round(2.0 * body.radius, 2))  # also on a wall of 60 degrees
    plain |= {
        "title": file.stem,
        "note": translated(
            "The convex hull of the file's points, with the density of rock; "
            f"{measures(reading, body.extents, body.mass)}. It falls on {_slope(on)}."
        ),
        "body": table,
        "initial": {"orientation": "random", "velocity": on.initial.velocity},
        "release": release,
        "ensemble": {"seed": on.ensemble.seed},
    }
    return Scenario(**plain, folder=on.folder)


def _slope(on: RockfallScenario) -> str:
    assert on.terrain is not None
    if on.terrain.file is not None:
        return f"the map {Path(on.terrain.file).name}"
    return f"the ramp of {on.terrain.angle:g}°" if on.terrain.profile == "ramp" else f"the {on.terrain.profile} slope"


def rock_on(terrain: Path, up: str = "z") -> Scenario:
    """The platy rock EOTA221 of 780 kg, released on a steep cell of a terrain."""
    return Scenario(
        kind="rockfall",
        title=terrain.stem,
        note=tr(
            "A platy rock of 780 kg, released on a steep, high cell of this map, or where you say below. The soil is taken "
            "as medium, with the laws recommended for it: choose yours."
        ),
        duration=120.0,
        step=0.002,
        record_every=5,
        schemes=("explicit", "implicit"),
        body={"shape": "eota", "size": (0.93, 0.93, 0.47), "mass": 780.0},
        initial={"orientation": "random"},
        terrain={"file": str(terrain)} | ({} if up == "z" else {"up": up}),
        release={"height": 2.0},  # on a wall of 60 degrees a metre would be inside it
        soil={"preset": "medium", "laws": "recommended"},
        ensemble={"seed": 1},
    )


ROW = Kind(
    kind="rockfall",
    cards=CARDS,
    charts=CHARTS,
    more=MORE,
    scene=_scene,
    role=BodyRole(
        "rock",
        "Rock",
        "Its hull falls on the slope that was shown before, or on the alpine one",
        _falling,
        (0.2, 20.0),
        of_rock,
    ),
)
