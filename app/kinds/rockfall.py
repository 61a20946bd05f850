"""Rockfall: a rock on its terrain, beside its altitude, speed, rotation and height above the ground."""

# ruff: noqa: E501 - a table is read by rows

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import assets
from app.kinds.body_role import ROCK, BodyRole, measures, points
from app.kinds.field import Field
from app.kinds.ground_fields import FOREST, OBSERVED, RELEASE, ROCKS, SCAR, SOIL, STOP, TERRAIN
from app.kinds.kind import Kind
from app.kinds.quantities import (
    DISTANCE,
    ENERGIES,
    OMEGA,
    ORTHOGONALITY,
    PLACE,
    QUATERNION,
    SPIN,
    Quantity,
    Reading,
    caption,
    distance,
    height_above_ground,
    norm,
)
from app.kinds.shared_fields import ANGULAR_VELOCITY, ATTITUDE, BODY, GRAVITY, SHAPES, XYZ
from app.system.language import tr
from physics import Scenario, load_scenario
from physics.bodies.mesh_io import MeshReading
from physics.systems.rockfall.scenario import RockfallScenario, of_rocks
from physics.systems.scenario_body import make_body

if TYPE_CHECKING:
    from app.stage.lane_scene import SceneKind
    from app.stage.scenes.lane_numbers import Number

_SHOWN = ("view", "export", "batch", "edit", "source", "initial")  # what another rock does not take over
RIMS = "Touches the ground with its rims; nothing between them touches, nor on its faces."
NOTES = (("cylinder", RIMS), ("disk", RIMS))  # help: round-rocks.md
ROUND = ("cone", "sphere", "disk")
RIM = 45.0  # [m/s] at the rim of a rock: 44 is the fastest of the examples


def _attitude(scenario: Scenario) -> tuple[float, ...] | None:
    attitude = scenario.initial.orientation
    return None if attitude == "random" else attitude


CARDS = {
    "Rock": (
        replace(BODY[0], choices=(*SHAPES, "sphere", "disk"), notes=NOTES),
        *(replace(field, only=("body.shape", ROUND), tip="Above 0") if field.key == "body.radius" else field for field in BODY[1:]),
        Field("body.thickness", "Thickness", "m", tip="Along the body's z axis; above 0", only=("body.shape", ("disk",))),
        Field("body.rim", "Rim", "m", tip="Radius with which the rim is rounded; 0: sharp; at most half the thickness", only=("body.shape", ("cylinder", "disk"))),
        Field("body.blocks", "Table of blocks", tip="A row a rock (.csv): mass, L1, L2, L3, shape or file, x, y, z or height, velocity, orientation; empty: none", optional=True, endings=(".csv",)),
        Field("initial.orientation", "Orientation", "", ATTITUDE.parts, f"{ATTITUDE.tip}; empty: random, drawn from the seed", optional=True, empty="random", reads=_attitude),
        Field("ensemble.seed", "Seed", tip="Of all that is drawn: another whole number, other orientations, places and sizes; 0 or more", whole=True),
        Field("ensemble.rock", "Rock of the ensemble", tip="Which rock falls alone; 0 or more", whole=True),
    ),
    "Release": (
        *RELEASE,
        Field("initial.velocity", "Velocity", "m/s", XYZ, "Of the centre of mass at the start, z up", fits=lambda scenario: of_rocks(scenario).release.velocity is None),
        Field("release.velocity", "Velocity", "m/s", XYZ, "Of the centre of mass at the start, z up"),
        ANGULAR_VELOCITY,
    ),
    "Rocks of an ensemble": ROCKS,
    "Barriers": (Field("barrier", "Lines at which an ensemble is measured", tip="They measure and do not stop: rocks go on behind them", form="barriers", optional=True),),
    "Terrain": TERRAIN,
    "Ground": SOIL,
    "Compactable soil": SCAR,
    "Forest": FOREST,
    "Measured": OBSERVED,
    "End": (*STOP, GRAVITY),
}  # fmt: skip
SPEED = Quantity("Speed", "m/s", norm("velocity"), form="{:.1f} m/s")
RATE = Quantity("Rotation", "rad/s", norm("angular_velocity"), form="{:.1f} rad/s")
HEIGHT = Quantity("Height above ground", "m", height_above_ground, form="{:.1f} m")
CHARTS = (
    Quantity("Altitude", "m", lambda run, _: run.position[:, 2], over=DISTANCE),
    SPEED,
    RATE,
    HEIGHT,
)
MORE = (
    *ENERGIES,
    *OMEGA,
    *PLACE,
    *QUATERNION,
    *SPIN,
    Quantity("Contacts", "1", lambda run, _: run.contact),
    Quantity("Distance", "m", distance),
    ORTHOGONALITY,
)


@caption
def _numbers(now: Reading) -> tuple[Number, ...]:
    """Speed, rotation, and height above the ground, or whether it has stopped."""
    ended = {event.kind for event in now.run.events if event.time <= now.time}
    rest, left = tr("at rest"), tr("left the map")
    height = now.number(tr("height"), HEIGHT, max("88.8 m", rest, left, key=len))
    if state := rest if "rest" in ended else left if "left-map" in ended else "":
        height = height._replace(text=state, named=False)  # one that is no longer on its way has no height to tell
    fastest = max(10.0, RIM / now.world.body.radius)
    return (
        now.number(tr("speed"), SPEED, "88.8 m/s"),
        now.number(tr("spin rate"), RATE, RATE.told(fastest)),
        height,
    )


def _scene() -> SceneKind:
    from app.stage.camera.fit import fall
    from app.stage.lane_scene import SceneKind
    from app.stage.overlays.close_up import CloseUp
    from app.stage.overlays.contact_marks import ContactMarks
    from app.stage.scenes.lane_actors import Fall

    return SceneKind(
        lane=Fall, framing=fall, numbers=_numbers, overlays={"contacts": ContactMarks, "close-up": CloseUp}
    )


def _falling(file: Path, reading: MeshReading, ground: Scenario | None) -> Scenario:
    """The hull of its points, released on a slope, clear of the ground."""
    on = of_rocks(ground or load_scenario(assets.SCENARIOS / "rock-alpine.toml"))
    table = points(file, reading) | {"density": ROCK}
    body = make_body(Scenario(kind="free", duration=1.0, step=1.0, body=table))
    plain = {key: value for key, value in on.without_edits().to_plain().items() if key not in _SHOWN}
    release = plain.get("release", {})
    if on.initial.position is not None:
        release["position"] = on.initial.position[:2]
    release["height"] = max(on.release.height, round(2.0 * body.radius, 2))  # also on a wall of 60 degrees
    plain |= {
        "title": file.stem,
        "note": "The convex hull of the file's points, with the density of rock; "
        f"{measures(reading, body.extents, body.mass)}. It falls on {_slope(on)}.",
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
        note="A platy rock of 780 kg, released on a steep, high cell of this map, or where you say below.",
        duration=120.0,
        step=0.002,
        record_every=5,
        schemes=("explicit", "implicit"),
        body={"shape": "eota", "size": (0.93, 0.93, 0.47), "mass": 780.0},
        initial={"orientation": "random"},
        terrain={"file": str(terrain)} | ({} if up == "z" else {"up": up}),
        release={"height": 2.0},  # on a wall of 60 degrees a metre would be inside it
        soil={"mu_min": 0.55, "mu_max": 2.0, "beta": 185.0, "kappa": 3.0, "drag": 0.4},
        ensemble={"seed": 1},
    )


ROW = Kind(
    kind="rockfall",
    cards=CARDS,
    charts=CHARTS,
    more=MORE,
    scene=_scene,
    role=BodyRole("rock", "Rock", "Its hull falls on the slope that was shown before, or on the alpine one", _falling),
)
