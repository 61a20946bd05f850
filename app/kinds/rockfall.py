"""Kind "rockfall": a rock on a terrain, with its altitude, speed, rotation and height above the ground."""

# ruff: noqa: E501 - one field a line

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import assets
from app.kinds import quantities
from app.kinds.field import ANGULAR_VELOCITY, BODY, GRAVITY, either, field_of
from app.kinds.kind import ROCK, BodyRole, Kind, Layers, measures, of_rock, points
from app.kinds.quantities import Quantity, Reading, caption
from app.system.language import tr, translated
from physics import Scenario, load_scenario
from physics.bodies.mesh_io import MeshReading
from physics.core.wording import N_
from physics.scenario.body_shapes import ROCKS
from physics.scenario.described import Limits
from physics.systems.rockfall.scenario import PLACES, RockfallScenario, of_rocks
from physics.systems.rockfall.world import RockfallWorld
from physics.systems.scenario_body import make_body
from physics.terrain.soil import FORESTS, FRACTURE_RATIOS, SOILS

if TYPE_CHECKING:
    from app.stage.lane_scene import SceneKind
    from app.stage.scenes.lane_numbers import CaptionNumber


def _placed(scenario: Scenario) -> bool:
    """True if the release gives the place, not a position in space."""
    return scenario.initial.position is None


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
RIMS = N_("Touches the ground with its rims; nothing between them touches, nor on its faces.")
NOTES = (("cylinder", RIMS), ("disk", RIMS))  # help: round-rocks.md
CREEP = 0.5  # [m/s] at which a rock may end that one still sees move
RIM = 45.0  # [m/s] at the rim of a rock: 44 is the fastest of the examples


def _attitude(scenario: Scenario) -> tuple[float, ...] | None:
    attitude = scenario.initial.orientation
    return None if attitude == "random" else attitude


def _lift(scenario: Scenario) -> float | None:
    height = of_rocks(scenario).release.height
    return None if height == "clear" else height


_row = partial(field_of, RockfallScenario)
CARDS = {
    "Rock": (
        replace(BODY[0], choices=ROCKS, notes=NOTES),
        *BODY[1:],
        _row("body.thickness", limits=Limits(above=0.0)),
        _row("body.rim"),
        _row("body.blocks"),
        _row("initial.orientation", empty="random, drawn from the seed", stands="random", reads=_attitude),
        _row("ensemble.seed"),
        _row("ensemble.rock"),
    ),
    "Release": (
        _row("initial.position"),
        *either("release.place", "From", "A point, or where the rocks of an ensemble start; a single run shows one of them", {key: (_row(f"release.{key}"),) for key in PLACES}, fits=_placed),
        _row("release.height", reads=_lift, fits=_placed),
        _row("initial.velocity", fits=lambda scenario: of_rocks(scenario).release.velocity is None),
        _row("release.velocity"),
        ANGULAR_VELOCITY,
    ),
    "Rocks of an ensemble": (
        *either("ensemble.drawn", "Sizes differ by", "What is drawn for each rock; the body above gives the shape and the density, which stay", {key: (_row(f"ensemble.{key}", form="distribution"),) for key in ("mass", "volume", "extent")}, empty="Nothing"),
        _row("ensemble.shapes", only=("body.shape", ("random",))),
    ),
    "Study": (
        _row("scenario_class", form="classes"),
        _row("hazard.return_periods", only=("scenario_class", ()), fits=_few_periods),
        _row("hazard.intensity", only=("scenario_class", ())),
        _row("hazard.height", only=("scenario_class", ())),
        _row("hazard.energy_factor"),
        _row("hazard.height_factor"),
        _row("hazard.design"),
        _row("hazard.cell"),
    ),
    "Barriers": (_row("barrier", form="barriers"),),
    "Lines of interest": (_row("line", form="lines"),),
    "Terrain": (
        _row("terrain.profile"),
        _row("terrain.piece", form="pieces", only=("terrain.profile", (None,)), fits=_in_pieces),
        _row("terrain.angle"),
        _row("terrain.drop"),
        _row("terrain.width"),
        _row("terrain.file", only=("terrain.profile", (None,)), fits=lambda scenario: not _in_pieces(scenario)),
        _row("terrain.up"),
        _row("terrain.crs"),
        _row("terrain.project"),
        _row("terrain.window"),
        _row("terrain.resolution"),
        _row("terrain.nodata"),
    ),
    "Ground": (
        _row("soil.preset", choices=("", *SOILS)),
        _row("soil.laws"),
        _row("soil.mu_min"),
        _row("soil.mu_max"),
        _row("soil.kappa"),
        _row("soil.beta"),
        _row("soil.restitution"),
        _row("soil.restitution_speed"),
        _row("soil.drag"),
        _row("soil.drag_time"),
        _row("soil.rolling"),
        _row("soil.roughness"),
        _row("soil.bumps"),
        _row("soil.bump_length"),
        _row("soil.scatter"),
        _row("soil.zone", empty="Own values", choices=("", *SOILS), form="zones"),
        _row("soil.zones"),
        _row("soil.types"),
        _row("soil.rg70"),
        _row("soil.rg20"),
        _row("soil.rg10"),
        _row("soil.soil_key"),
    ),
    "Compactable soil": (
        _row("soil.ground"),
        _row("soil.ramp"),
        _row("soil.scar.modulus"),
        _row("soil.scar.coefficient"),
        _row("soil.scar.density"),
        _row("soil.scar.layer"),
    ),
    "Forest": (
        _row("forest.preset", choices=("", *FORESTS)),
        _row("forest.drag"),
        _row("forest.rotational_drag", fits=_even),
        _row("forest.height"),
        _row("forest.stems"),
        _row("forest.dbh"),
        _row("forest.dbh_deviation"),
        _row("forest.species", choices=("", *FRACTURE_RATIOS)),
        _row("forest.trees"),
        _row("forest.nrtrees"),
        _row("forest.dbhmean"),
        _row("forest.dbhstd"),
        _row("forest.conif_percent"),
        _row("forest.zone", empty="Own values", choices=("", *FORESTS), form="zones"),
        _row("forest.zones"),
    ),
    "Measured": (
        _row("observed.stops"),
        _row("observed.tracks"),
        _row("observed.screens"),
        _row("observed.zones"),
    ),
    "End": (
        _row("stop.energy"),
        _row("stop.for"),
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
def _numbers(now: Reading) -> tuple[CaptionNumber, ...]:
    """Speed, rotation, and height above the ground or how the run ended."""
    ended = {event.kind for event in now.run.events if event.time <= now.time}
    assert isinstance(now.world, RockfallWorld)
    slowest = math.sqrt(2.0 * now.world.scenario.stop.energy)  # [m/s] without rotation; below it a run may end
    creeps = SPEED.text(slowest) if slowest > CREEP else ""
    rest, left = tr("stopped below {speed}").format(speed=creeps) if creeps else tr("at rest"), tr("left the map")
    height = now.number(tr("height"), HEIGHT, max("88.8 m", rest, left, key=len))
    if state := rest if "rest" in ended else left if "left-map" in ended else "":
        room = f"{height.name} {height.widest}"  # what stands beside it must not move
        height = height._replace(name="", text=state, widest=room)  # no height of a rock that has ended
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
            N_(
                "The convex hull of the file's points, with the density of rock; {mass}. It falls on {on}.",
                measures(reading, body.extents, body.mass),
                _slope(on),
            )
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
        return N_("the map {name}", Path(on.terrain.file).name)
    return (
        N_("the ramp of {angle:g}°", on.terrain.angle)
        if on.terrain.profile == "ramp"
        else N_("the {profile} slope", on.terrain.profile)
    )


def rock_on(terrain: Path, up: str = "z") -> Scenario:
    """The platy rock EOTA221 of 780 kg, released on a steep cell of a terrain."""
    return Scenario(
        kind="rockfall",
        title=terrain.stem,
        note=tr(
            "A platy rock of 780 kg, released on a steep, high cell of this map, or where you say below. The soil "
            "is taken "
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


def _layers() -> Layers:
    from app.hazard import layers

    return layers.LAYERS


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
    layers=_layers,
)
