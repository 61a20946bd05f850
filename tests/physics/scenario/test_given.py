"""Nothing that a scenario gives is ignored without a word: each key acts, or is refused by its name."""

from __future__ import annotations

import functools
import itertools
import json

import numpy as np
import pytest
from pydantic import BaseModel

import physics
from physics.hazard.ensemble import Ensemble
from physics.scenario.scenario import Scenario
from tests.small import features, write_map

BOX = {"shape": "cuboid", "size": [0.9, 0.7, 0.5], "mass": 700.0}
POINTS = "".join(f"{x} {y} {z}\n" for x in (0, 1) for y in (0, 0.8) for z in (0, 0.6))
SOLID = (
    POINTS.replace("0 0 0\n", "v 0 0 0\n", 1).replace("\n", "\nv ").removesuffix("\nv ").replace("v v", "v")
    + "\nf 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n"
)
SMALL = (
    "".join(f"v {x} {y} {z}\n" for x in (2, 3) for y in (0, 0.8) for z in (0, 0.4))
    + "f 9 11 12 10\nf 13 14 16 15\nf 9 10 14 13\nf 11 15 16 12\nf 9 13 15 11\nf 10 12 16 14\n"
)
HERE = [[0.0, -30.0], [60.0, -30.0], [60.0, 30.0], [0.0, 30.0]]
SCAR = {"modulus": 5e6, "coefficient": 1.5, "density": 1700.0}
TOP = {"shape": "cone", "height": 0.1, "radius": 0.05, "mass": 0.5}
STEADY = {"nutation": 0.5, "precession": 10.0, "spin": "steady"}
SHIP = {"metacentric_height": {"transverse": 0.3, "longitudinal": 0.5}}
AFLOAT = {  # a box that floats at half its depth, heeled
    "mass": 328000.0, "centre_of_gravity": [0.0, 0.0, 2.5], "radii_of_gyration": [2.8, 5.5, 5.8],
}  # fmt: skip
BARGE = {"shape": "box", "size": [20.0, 8.0, 4.0]} | AFLOAT
SEA = {"spectrum": "jonswap", "significant_height": 1.0, "peak_period": 5.0, "components": 2}
MOVED = {"heel": 0.2, "velocity": [1.0, 0.5, 0.0], "angular_velocity": [0.1, 0.05, 0.02]}
TURNING = {"angular_velocity": [0.1, 2.0, 0.3]}
SOLIDS = {
    "cuboid": BOX,
    "ellipsoid": BOX | {"shape": "ellipsoid"},
    "cylinder": BOX | {"shape": "cylinder", "size": [0.7, 0.7, 0.5]},
    "eota": BOX | {"shape": "eota"},
    "random": BOX | {"shape": "random"},
    "cone": {"shape": "cone", "height": 0.7, "radius": 0.4, "mass": 700.0},
    "hull": {"shape": "hull", "file": "rock.pts", "mass": 700.0},
    "mesh": {"shape": "mesh", "file": "rock.obj", "mass": 700.0},
    "moments": {"inertia": [50.0, 60.0, 70.0], "mass": 700.0},
}
PARTS = [SOLIDS["mesh"] | {"name": "box", "position": [0.0, 0.0, 1.0]}, SOLIDS["cone"]]
FALL = {
    "kind": "rockfall",
    "duration": 1.2,
    "step": 0.005,
    "schemes": ["implicit"],
    "body": BOX,
    "initial": {"velocity": [2.0, 0.0, -1.0]},
    "terrain": {"profile": "ramp"},
    "release": {"position": [5.0, 0.0], "height": 0.5},
}
BARE = {key: value for key, value in FALL.items() if key != "initial"}
CHAINED = {"kind": "joints", "schemes": ["moser-veselov"]}
JOINTED = CHAINED | {
    "body": [BOX | {"name": "arm", "position": [0.5, 0.1, 0.0]}, BOX | {"name": "leg", "position": [1.5, 0.1, 0.2]}]
}


def hung(kind, **more):
    """Two bodies, of which a joint holds the first to the ground."""
    return JOINTED | {"joint": [{"type": kind, "between": ["ground", "arm"]} | more]}


FILED = FALL | {"terrain": {"file": "map.asc"}}
BASES = {
    **{f"free {name}": {"kind": "free", "body": body, "initial": TURNING} for name, body in SOLIDS.items()},
    "free parts": {"kind": "free", "body": {"part": PARTS}, "initial": TURNING},
    "nodes of a file": {
        "kind": "free",
        "body": {"shape": "mesh", "file": "two.obj", "mass": 700.0},
        "initial": TURNING,
    },
    "top cone": {"kind": "top", "body": TOP, "initial": STEADY},
    "top by state": {"kind": "top", "body": TOP, "initial": {"angular_velocity": [1.0, 0.0, 60.0]}},
    "top moments": {
        "kind": "top",
        "body": {"inertia": [2e-3, 2e-3, 1e-3], "mass": 0.5},
        "top": {"distance": 0.05},
        "initial": STEADY,
    },
    "top cuboid": {"kind": "top", "body": BOX | {"size": [0.2, 0.2, 0.1]}, "top": {"distance": 0.2}, "initial": STEADY},
    "vessel": {"kind": "vessel", "body": BOX, "vessel": SHIP, "initial": TURNING},
    "vessel steered": {
        "kind": "vessel",
        "body": BOX,
        "vessel": SHIP,
        "initial": TURNING,
        "steering": {"heading": 0.5, "proportional": 100.0},
        "wind": {"speed": 9.0, "area": 3.0},
        "current": {"speed": 0.5, "area": 2.0},
    },
    "ship made": {"kind": "ship", "hull": BARGE, "initial": MOVED},
    "ship of a file": {"kind": "ship", "hull": {"file": "rock.obj", "scale": 20.0, **AFLOAT}, "initial": MOVED},
    "ship of panels": {
        "kind": "ship",
        "hull": AFLOAT
        | {"shape": "wigley", "size": [20.0, 8.0, 4.0], "mass": 250000.0, "centre_of_gravity": [0.0, 0.0, -1.0]},
        "initial": MOVED,
    },
    "ship at rest": {"kind": "ship", "hull": BARGE | {"centre_of_gravity": [0.5, 0.2, 2.5]}},
    "ship with fins": {"kind": "ship", "hull": BARGE, "initial": MOVED, "control": {"kind": "fins", "derivative": 1e5}},
    "ship with a gyro": {
        "kind": "ship",
        "hull": BARGE,
        "initial": MOVED,
        "control": {"kind": "gyro", "spin": 4e5, "inertia": 2e4},
    },
    "ship in a wave": {"kind": "ship", "hull": BARGE, "initial": MOVED, "wave": {"height": 1.0, "period": 5.0}},
    "ship in a sea": {"kind": "ship", "hull": BARGE, "initial": MOVED, "wave": SEA},
    "ship in wind": {"kind": "ship", "hull": BARGE, "wind": {"moment": 1e6, "gust": 1.5}},
    **{f"rock {name}": FALL | {"body": body} for name, body in SOLIDS.items()},
    "alpine": BARE | {"terrain": {"profile": "alpine"}, "release": {}, "duration": 3.0},
    "chant-sura-like": BARE | {"terrain": {"profile": "chant-sura-like"}, "release": {}, "duration": 3.0},
    "map": FILED,
    "in space": BARE | {"release": {}, "initial": {"position": [5.0, 0.0, 151.0], "velocity": [2.0, 0.0, -1.0]}},
    "thrown": BARE | {"release": FALL["release"] | {"velocity": [2.0, 0.0, -1.0]}},
    "line": FALL | {"release": {"line": [[5.0, -5.0], [5.0, 5.0]], "height": 0.5}},
    "polygon": FALL | {"release": {"polygon": HERE, "height": 0.5}},
    "points": FALL | {"release": {"file": "points.csv", "height": 0.5}},
    "points with heights": FALL | {"release": {"file": "heights.csv"}},
    "geojson": FALL | {"release": {"file": "points.geojson", "height": 0.5}},
    "steep": FALL | {"release": {"slope_above": 30.0, "height": 0.5}},
    "preset": FALL | {"soil": {"preset": "soft"}},
    "zone of a preset": FALL | {"soil": {"zone": [{"polygon": HERE, "preset": "soft"}]}},
    "zone of values": FALL | {"soil": {"zone": [{"polygon": HERE, "mu_min": 0.3}]}},
    "zones of a file": FALL | {"soil": {"zones": "zones.geojson"}},
    "forest": FALL | {"forest": {"drag": 500.0, "height": 10.0}},
    "clearing": FALL | {"forest": {"zone": [{"polygon": HERE, "drag": 900.0, "height": 5.0}]}},
    "sizes": FALL | {"ensemble": {"volume": {"distribution": "uniform", "min": 0.1, "max": 0.5}}},
    "shapes": FALL | {"body": SOLIDS["random"], "ensemble": {"shapes": "each"}},
    "table disk": {
        "kind": "table",
        "step": 0.001,
        "body": {"shape": "disk", "radius": 0.05, "thickness": 0.01, "mass": 0.2, "inertia": [1.3e-4, 1.3e-4, 2.5e-4]},
        "initial": {"position": [0.0, 0.0, 0.08], "orientation": [0.8, 0.6, 0.0, 0.0], "velocity": [0.3, 0.0, 0.0]},
    },
    "table ball": {
        "kind": "table",
        "step": 0.001,
        "body": {"shape": "sphere", "radius": 0.05, "mass": 0.2, "inertia": [2e-4, 2.1e-4, 2.2e-4]},
        "initial": {"angular_velocity": [0.0, 3.0, 20.0], "velocity": [0.3, 0.0, 0.0]},
        "stop": {"energy": 30.0},
    },
    "stand": FALL | {"initial": {"velocity": [12.0, 0.0, 0.0]}, "forest": {"stems": 1e4, "dbh": 5.0}},
    "grown": FALL | {"initial": {"velocity": [12.0, 0.0, 0.0]}, "forest": {"nrtrees": "few.asc", "dbh": 5.0}},
    "barrier": FALL | {"barrier": [{"line": [[6.0, -50.0], [6.0, 50.0]], "height": 2.0}]},
    "pieces": FALL | {"terrain": {"piece": [{"file": "land.obj", "soil": "soft"}], "resolution": 2.0}},
    "blocks": FALL | {"body": {"blocks": "blocks.csv"}},
    "bumpy": FALL | {"soil": {"bumps": 0.5}},
    "bouncing": FALL | {"soil": {"restitution": 0.4, "ramp": 10.0, "drag": 0.5}},
    "jointed": JOINTED | {"joint": [{"type": "hinge", "between": ["arm", "leg"], "axis": [0.0, 1.0, 0.0]}]},
    "hinge": hung("hinge", axis=[0.0, 1.0, 0.0], stiffness=100.0),
    "hinge on a path": hung("hinge", axis=[0.0, 1.0, 0.0], motor={"path": [[0.0, 0.0], [0.1, 0.2], [0.2, 0.1]]}),
    "ball": hung("ball"),
    "righted": hung("ball", orientation=[0.9, 0.3, 0.3, 0.1])
    | {"body": [BOX | {"name": "arm", "restoring": SHIP["metacentric_height"]}]},
    "universal": hung("universal", axis=[1.0, 0.0, 0.0], axis2=[0.0, 1.0, 0.0], stiffness=[90.0, 80.0]),
    "slider": hung("slider", axis=[1.0, 0.0, 1.0], stiffness=100.0),
    "cylindrical": hung("cylindrical", axis=[1.0, 0.0, 1.0], stiffness=[100.0, 90.0]),
    "planar": hung("planar", axis=[0.0, 1.0, 0.0], rate=3.0),
    "chain": JOINTED | {"chain": [{"links": 2, "length": 0.9} | BOX]},
    "chain of hinges": CHAINED
    | {"chain": [{"links": 2, "length": 0.9, "type": "hinge", "axis": [0.0, 1.0, 0.0], "stiffness": 90.0} | BOX]},
}
VALUES = {  # a value other than the default of each key
    "torque": [{"value": [30.0, 0.0, 0.0]}],
    "rotor": [{"axis": [1, 0, 0], "inertia": 1.0, "speed": 9.0}],
    "spring": [{"axis": [0, 0, 1], "stiffness": 50.0}],
    "gravity_gradient": [{"rate": 1.0}],
    "damping.internal": [5.0],
    "body.shape": ["cuboid", "cone", "hull", "inertia"],
    "body.size": [[1.1, 0.6, 0.4]],
    "body.mass": [550.0],
    "body.density": [2100.0],
    "body.shell": [0.03],
    "body.inertia": [[55.0, 66.0, 77.0], [55.0, 66.0, 77.0, 2.0, -3.0, 4.0]],
    "body.inertia_about": [[0.05, 0.02, 0.01]],
    "body.inertia_axes": [[0.8, 0.6, 0.0, 0.0]],
    "body.part": [(SOLIDS["cone"], SOLIDS["hull"])],
    "body.height": [0.2],
    "body.radius": [0.07],
    "body.blocks": ["blocks.csv"],
    "body.file": ["other.pts", "rock.pts"],
    "body.scale": [1.5],
    "body.up": ["y"],
    "body.nodes": [["small"]],
    "body.seed": [5],
    "body.points": [30],
    "initial.orientation": [[0.6, 0.8, 0.0, 0.0], "random"],
    "initial.angular_velocity": [[1.0, 3.0, 2.0]],
    "initial.position": [[6.0, 1.0, 153.0]],
    "initial.velocity": [[1.0, 0.5, -2.0]],
    "initial.nutation": [0.3],
    "initial.precession": [7.0],
    "initial.spin": [80.0],
    "gravity.g": [1.62],
    "gravity.vector": [[1.0, 2.0, -9.0]],
    "top.distance": [0.07],
    "top.centre": [[0.01, 0.0, 0.0]],
    "vessel.metacentric_height.transverse": [0.8],
    "vessel.metacentric_height.longitudinal": [0.9],
    "vessel.damping": [[50.0, 60.0, 70.0]],
    "vessel.restoring": [False],
    "steering.heading": [0.9],
    "steering.proportional": [200.0],
    "steering.derivative": [50.0],
    "steering.limit": [3.0],
    **{f"{flow}.speed": [4.0] for flow in ("wind", "current")},
    **{f"{flow}.direction": [1.0] for flow in ("wind", "current")},
    **{f"{flow}.area": [5.0] for flow in ("wind", "current")},
    **{f"{flow}.length": [5.0] for flow in ("wind", "current")},
    **{f"{flow}.coefficient": [0.2] for flow in ("wind", "current")},
    **{f"{flow}.density": [1.1] for flow in ("wind", "current")},
    "hull.file": ["rock.obj"],
    "hull.nodes": [["small"]],
    "hull.shape": ["wigley"],
    "hull.size": [[21.0, 8.0, 4.0]],
    "hull.scale": [22.0],
    "hull.up": ["y"],
    "hull.panels": [40],
    "hull.mass": [300000.0],
    "hull.draught": [1.5],
    "hull.centre_of_gravity": [[0.1, 0.0, 2.4]],
    "hull.radii_of_gyration": [[3.0, 5.4, 5.9]],
    "hull.inertia": [[2e6, 1e7, 1.1e7, 1e5, 0.0, 0.0]],
    "hull.added_mass": [[0.0, 0.0, 3e5, 0.0, 0.0, 0.0]],
    "water.density": [1000.0],
    "water.depth": [9.0],
    "wave.height": [1.2],
    "wave.period": [6.0],
    "wave.phase": [0.5],
    "wave.spectrum": ["pierson-moskowitz"],
    "wave.significant_height": [1.3],
    "wave.peak_period": [6.0],
    "wave.gamma": [5.0],
    "wave.components": [3],
    "wave.seed": [8],
    "wave.direction": [1.0],
    "wave.stretching": ["linear"],
    "wind.lever": [0.2],
    "wind.moment": [2e6],
    "wind.gust": [1.4],
    "wind.gust_at": [0.1],
    "damping.linear": [[0.0, 0.0, 0.0, 1e5, 0.0, 0.0]],
    "damping.quadratic": [[1e2, 0.0, 50.0], [1e4, 0.0, 0.0, 1e5, 0.0, 0.0]],
    "damping.ratio": [[0.05, 0.1, 0.05]],
    "control.kind": ["gyro", "fins"],
    "control.proportional": [1e6],
    "control.derivative": [2e5],
    "control.limit": [1e3],
    "control.spin": [3e5],
    "control.inertia": [3e4],
    "control.damping": [1e4],
    "control.stiffness": [1e5],
    "initial.height": [0.5],
    "initial.heel": [0.3],
    "initial.trim": [0.05],
    "initial.yaw": [0.4],
    "initial.heave": [0.1],
    "terrain.file": ["map.asc"],
    "terrain.piece": [({"file": "land.obj", "soil": "soft"},)],
    "terrain.up": ["y"],
    "terrain.profile": ["ramp", "chant-sura-like", "alpine"],
    "terrain.angle": [35.0],
    "terrain.drop": [120.0],
    "terrain.width": [150.0],
    "terrain.window": [[-5.0, -20.0, 80.0, 20.0]],
    "terrain.resolution": [4.0],
    "terrain.nodata": ["cut"],
    "terrain.classes": [[2, 5]],
    "terrain.crs": ["EPSG:31287"],
    "terrain.project": ["utm"],
    "soil.preset": ["snow"],
    "soil.mu_min": [0.2],
    "soil.mu_max": [0.9],
    "soil.beta": [20.0],
    "soil.kappa": [0.5],
    "soil.restitution": [0.4],
    "soil.drag": [2.0],
    "soil.ground": ["compactable"],
    "soil.rolling": [0.3],
    "soil.ramp": [20.0],
    "soil.roughness": [0.2],
    "soil.bumps": [0.4],
    "soil.bump_length": [0.7],
    "soil.seed": [9],
    "soil.restitution_speed": [5.0],
    "soil.laws": ["recommended"],
    "soil.drag_time": [0.3],
    "soil.scatter": [0.5],
    "soil.scar": [SCAR],
    "soil.zones": ["zones.geojson"],
    "soil.soil_key": ["kind"],
    "soil.types": ["types.asc"],
    **{f"soil.{key}": ["rough.asc"] for key in ("rg70", "rg20", "rg10")},
    "soil.zone": [({"polygon": HERE, "preset": "snow"},)],
    "forest.preset": ["open"],
    "forest.drag": [900.0],
    "forest.height": [1.0],
    "forest.rotational_drag": [50.0],
    "forest.zones": ["trees.geojson"],
    "forest.stems": [20000.0],
    "forest.dbh": [9.0],
    "forest.dbh_deviation": [2.0],
    "forest.species": ["fir"],
    "forest.fracture_ratio": [0.3],
    "forest.seed": [9],
    "forest.trees": ["stand.csv"],
    **{f"forest.{key}": [f"{key}.asc"] for key in ("nrtrees", "dbhmean", "dbhstd", "conif_percent")},
    "forest.zone": [({"polygon": HERE, "drag": 800.0, "height": 20.0},)],
    "release.position": [[7.0, 1.0]],
    "release.line": [[[7.0, -5.0], [7.0, 5.0]]],
    "release.polygon": [[[7.0, -5.0], [17.0, -5.0], [17.0, 5.0]]],
    "release.file": ["other.csv"],
    "release.slope_above": [20.0],
    "release.height": [0.7],
    "release.velocity": [[1.0, 1.0, 0.0]],
    "ensemble.rocks": [3],
    "ensemble.seed": [8],
    "ensemble.rock": [1],
    "ensemble.volume": [{"distribution": "lognormal", "median": 0.2, "sigma": 0.5}],
    "ensemble.mass": [{"distribution": "uniform", "min": 100.0, "max": 400.0}],
    "ensemble.extent": [{"distribution": "uniform", "min": 0.3, "max": 1.4}],
    "ensemble.shapes": ["each"],
    "barrier": [({"line": [[7.0, -9.0], [7.0, 9.0]], "height": 3.0},)],
    "stop.energy": [40.0],
    "stop.for": [0.01],
    "body.thickness": [0.02],
    "body.angularity": ["rounded"],
    "body.rim": [0.003],
    "body.offset": [[0.0, 0.001, 0.002]],
    "body.axes": [[0.8, 0.0, 0.6, 0.0]],
    "table.tilt": [0.1],
    "table.mu": [0.1],
    "table.spin_radius": [0.001],
    "table.rolling_arm": [0.001],
    "table.contour": [0.01],
    "table.viscous": [0.5],
    "table.regularisation": [0.1],
    "table.restitution": [0.5],
    "table.lift_off": [True],
    "duration": [1.1],
    "step": [0.004],
    "record_every": [2],
    "schemes": [["exact"]],
    "edit": [({"time": 0.1, "step": 0.002},)],
    "measured": [({"file": "toss.csv"},)],
    "joint.type": ["planar", "cylindrical", "ball"],
    "joint.between": [["ground", "leg"]],
    "joint.at": [[0.1, 0.2, 0.3]],
    "joint.axis": [[0.0, 0.0, 1.0]],
    "joint.axis2": [[0.0, 0.0, 1.0]],
    "joint.angle": [0.3],
    "joint.rate": [2.0],
    "joint.travel": [0.2],
    "joint.speed": [1.5],
    "joint.angles": [[0.2, 0.3]],
    "joint.rates": [[1.0, 2.0]],
    "joint.orientation": [[0.8, 0.0, 0.6, 0.0]],
    "joint.angular_velocity": [[1.0, 2.0, 3.0]],
    "joint.velocity": [[1.0, 0.0, 2.0]],
    "joint.stiffness": [60.0, [50.0, 60.0]],
    "joint.rest": [0.4, [0.1, 0.2]],
    "joint.damping": [20.0, [20.0, 30.0]],
    "joint.torque": [30.0, [30.0, 40.0]],
    "joint.force": [50.0],
    "joint.motor.rate": [3.0],
    "joint.motor.path": [[[0.0, 0.0], [0.2, 0.3]]],
    "joint.motor.between": ["rest"],
    "joint.motor.sine": [[0.0, 0.2, 2.0, 0.5]],
    "chain.type": ["hinge"],
    "chain.links": [3],
    "chain.length": [0.8],
    "chain.at": [[0.1, 0.2, 0.3]],
    "chain.direction": [[1.0, 1.0, 0.0]],
    "chain.orientation": [[0.8, 0.0, 0.6, 0.0]],
    "chain.from": ["arm"],
    "chain.axis": [[1.0, 1.0, 0.0]],
    "chain.angle": [0.3],
    "chain.rate": [2.0],
    "chain.stiffness": [60.0],
    "chain.rest": [0.4],
    "chain.damping": [20.0],
}
VALUES |= {key.replace("body.", "chain."): values for key, values in VALUES.items() if key.startswith("body.")}
VALUES |= {
    "body.position": [[0.6, 0.2, 0.1]],
    "body.orientation": [[0.8, 0.0, 0.6, 0.0]],
    "body.velocity": [[1.0, 2.0, 3.0]],
    "body.angular_velocity": [[3.0, 2.0, 1.0]],
    "body.restoring.transverse": [0.8],
    "body.restoring.longitudinal": [0.9],
}
HARMLESS = {  # what does not act on a run: the contract says so
    "title", "note", "source", "view", "export", "film", "batch", "kind", "folder",
    "variants",  # of lanes that name one: test_variants
    # of an ensemble of starts, not of the run that is shown: test_start_ensemble
    "ensemble.runs", "ensemble.spread", "ensemble.sweep", "ensemble.over",
    "scenario_class", "hazard", "line",  # likewise: test_study
    "stability",  # of the hydrostatic sheet: test_stability_sheet
    "scheme_files",  # which lanes are of somebody's own files: never opened because a scenario says so
    "ensemble.posterior",  # a file of sets of laws: test_fit
    "observed.stops", "observed.tracks", "observed.screens", "observed.zones",  # drawn, and compared with
    "fitted",  # told beside what was measured
    "body.name", "joint.name", "chain.name",  # by which files name their columns: test_joint_scenarios
    "body.repair", "hull.repair", "chain.repair",  # change nothing in a sound mesh: test_hulls
}  # fmt: skip
TRIED = {  # which keys are tried beside which scenarios: those that are of one table with what makes them differ
    "free": ("body", "measured", "torque", "rotor", "spring", "gravity_gradient", "damping"),
    "nodes": ("body",),
    "top": ("body", "initial", "top"),
    "vessel": ("body", "vessel", "initial", "gravity", "torque", "steering", "wind", "current"),
    "ship": ("hull", "water", "wave", "wind", "damping", "control", "initial", "gravity"),
    "table": ("body", "table", "initial", "gravity", "stop"),
    "rock": ("ensemble",),
    "preset": ("soil",), "zone": ("soil",), "zones": ("soil",),
    "forest": ("forest",), "clearing": ("forest",), "trees": ("forest",), "stand": ("forest",),
    "grown": ("forest",),
    "sizes": ("body", "ensemble"), "shapes": ("body", "ensemble"), "barrier": ("barrier", "ensemble"),
    "blocks": ("body", "ensemble", "release", "initial"), "pieces": ("terrain", "soil"), "bouncing": ("soil",),
    "jointed": ("body", "joint", "gravity"), "righted": ("body",), "chain": ("chain",),
    **dict.fromkeys(("hinge", "ball", "universal", "slider", "cylindrical", "planar"), ("joint",)),
}  # fmt: skip
PLACES = ("in", "thrown", "line", "polygon", "points", "geojson", "steep")
TRIED |= dict.fromkeys(PLACES, ("release", "initial")) | dict.fromkeys(("alpine", "chant-sura-like"), ("terrain",))
GROUND = ("terrain", "release", "initial", "gravity", "stop", "soil", "forest", "step", "duration", "edit")
IDLE = {  # (scenario, key) that changes nothing, and why that is right
    ("free mesh", "body.shape"): "the hull of a box is the box",
    ("free moments", "body.shape"): "it is that",
    ("free moments", "body.size"): "it is drawn so, and moments win",
    ("free moments", "body.mass"): "it stays where it is",
    ("top moments", "body.shape"): "it is that",
    **dict.fromkeys([("map", "terrain.window"), ("map", "terrain.nodata")], "the rock does not get there"),
    **dict.fromkeys(
        [
            ("zone of a preset", "soil.preset"),
            ("zones of a file", "soil.preset"),
            ("zone of values", "soil.mu_min"),
            ("clearing", "forest.preset"),
        ],
        "the rock is in the zone, which has its own",
    ),
    **dict.fromkeys([(f"zone of {what}", "soil.zones") for what in ("a preset", "values")], "the later zone wins"),
    **{
        (what, f"soil.{key}"): "zones lie on it"
        for what in ("zone of a preset", "zone of values", "zones of a file")
        for key in ("types", "rg70", "rg20", "rg10")
    },
    **dict.fromkeys(
        [
            (f"ship {name}", "water.depth")
            for name in ("made", "of panels", "of a file", "at rest", "with fins", "with a gyro")
        ],
        "calm water has the same pressure at any depth",
    ),
    ("ship in wind", "water.depth"): "the same",
    **dict.fromkeys([("table disk", f"stop.{key}") for key in ("energy", "for")], "it has not come to rest"),
    ("table disk", "table.lift_off"): "events tell it",
    ("table ball", "table.lift_off"): "events tell it",
    ("table ball", "table.restitution"): "it stays on the table",
    ("table ball", "stop.energy"): "either is more than it has",
    ("steep", "release.slope_above"): "all steep cells are of one slope",
    ("pieces", "soil.preset"): "the piece has its own",
    ("pieces", "soil.zones"): "a zone of the same soil",
    ("pieces", "terrain.window"): "the rock does not get there",
    ("pieces", "terrain.nodata"): "the surface has no holes",
    ("preset", "soil.zones"): "a soil of the same preset",
    ("forest", "forest.height"): "the rock stays lower",
    ("forest", "forest.nrtrees"): "the rock meets none of them",
    ("clearing", "forest.zones"): "the later zone wins",
    **dict.fromkeys(
        [(name, "soil.drag_time") for name in ("preset", "zone of a preset", "zones of a file")],
        "the rock does not leave the ground",
    ),
    ("planar", "joint.at"): "all points of its plane are alike",
}  # fmt: skip
FILES = {
    "rock.pts": POINTS,
    "other.pts": POINTS.replace("0.8", "0.5"),
    "rock.obj": SOLID,
    "two.obj": f"o large\n{SOLID}o small\n{SMALL}",
    "land.obj": "v -10 -30 158\nv 90 -30 78\nv 90 30 76\nv -10 30 157\nf 1 2 3 4\n",
    "points.csv": "x,y\n5,0\n6,1\n",
    "other.csv": "x,y\n8,0\n9,1\n",
    "blocks.csv": "mass,L1,L2,L3,shape\n600,0.9,0.8,0.5,eota\n700,0.9,0.7,0.6,random\n",
    "toss.csv": "t,wx,wy,wz\n" + "".join(f"{0.01 * i},0.1,5.0,{0.01 * i}\n" for i in range(30)),
    "stand.csv": "x,y,dbh\n" + "".join(f"{5 + 0.5 * i},{k - 1},6\n" for i in range(12) for k in range(3)),
    "types.asc": (CELLS := "ncols 2\nnrows 2\nxllcorner -200\nyllcorner -600\ncellsize 600\n") + "0 0\n" * 2,
    "rough.asc": CELLS + "0.5 0.5\n" * 2,
    "few.asc": CELLS + "4000 4000\n" * 2,
    "nrtrees.asc": CELLS + "8000 8000\n" * 2,
    "dbhmean.asc": CELLS + "9 9\n" * 2,
    "dbhstd.asc": CELLS + "2 2\n" * 2,
    "conif_percent.asc": CELLS + "0 0\n" * 2,
    "heights.csv": "x,y,z\n5,0,151.5\n6,1,151.5\n",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The files that the scenarios name."""
    home = tmp_path_factory.mktemp("given")
    for name, text in FILES.items():
        (home / name).write_text(text)
    ring = {"type": "Polygon", "coordinates": [[*HERE, HERE[0]]]}
    (home / "zones.geojson").write_text(features(({"soil": "soft", "kind": "snow"}, ring)))
    (home / "trees.geojson").write_text(features(({"drag": 700.0, "height": 15.0}, ring)))
    points = [({}, {"type": "Point", "coordinates": [x, 0.0]}) for x in (5.0, 6.0)]
    (home / "points.geojson").write_text(features(*points))
    x, y = np.meshgrid(np.arange(-9.0, 90.0, 2.0), np.arange(29.0, -31.0, -2.0))
    heights = 150.0 - 0.8 * x + 0.3 * np.sin(x) * np.cos(0.7 * y)
    heights[:2, :2] = -9999.0
    write_map(home / "map.asc", heights, 2.0, (-10.0, -30.0))
    return home


def _table_in(annotation):
    """The table that a type holds, in a list or beside None; None where it holds none."""
    if isinstance(annotation, type):
        return annotation if issubclass(annotation, BaseModel) else None
    return next((found for inner in getattr(annotation, "__args__", ()) if (found := _table_in(inner))), None)


def keys(model, place=""):
    """The dotted names of all keys of a scenario of one class, tables of values as one."""
    whole = {
        "barrier",
        "scenario_class",
        "hazard",
        "stability",
        "line",
        "body.part",  # its own keys: tests/physics/bodies/test_compound.py
        "chain.part",
        "edit",
        "batch",
        "terrain.piece",
        "soil.zone",
        "forest.zone",
        "soil.scar",
        "view",
        "export",
        "film",
        "fitted",
        "measured",  # each of its keys: tests/physics/measured/test_measured.py
        "torque",
        "rotor",
        "spring",
        "gravity_gradient",  # likewise: tests/physics/schemes/test_driven_body.py
    }
    for name, field in model.model_fields.items():
        key = f"{place}{field.alias or name}"
        inner = _table_in(field.annotation)
        if inner is not None and issubclass(inner, BaseModel) and key not in whole and not key.startswith("ensemble."):
            yield from keys(inner, f"{key}.")
        else:
            yield key


def test_every_key_of_a_scenario_is_tried():
    known = set(VALUES) | HARMLESS
    assert {key for kind in Scenario.kinds.values() for key in keys(kind) if key not in known} == set()


def outcome(scenario):
    """All that comes of a scenario: the stored states, and of rocks what an ensemble counts, barrier by barrier."""
    runs = physics.simulate(scenario)
    found = {
        name: [
            run.time,
            run.position,
            run.orientation,
            run.velocity,
            run.angular_velocity,
            run.kinetic_energy,
            run.spin,
        ]
        for name, run in runs.items()
    }
    told = [[(name, *(values.tolist() for values in arrays)) for name, arrays in found.items()]]
    if scenario.kind == "rockfall" and not scenario.edit:
        ensemble = Ensemble(physics.World.of(scenario))
        list(ensemble.march(1))
        for results in ensemble.results.values():
            told.append([results.rows.read().tolist(), results.barriers.summary()])
        told.append([ensemble.world.terrain.crs])
    return json.dumps(told)


@functools.cache
def _plain(name, folder):
    base = {"duration": 0.2, "step": 0.01} | BASES[name]
    return base, outcome(Scenario(**base, folder=str(folder)))


def beside(base, key, value):
    """The tables of a scenario with a key more, in the first of several tables."""
    tables = place = json.loads(json.dumps(base))
    *outer, last = key.split(".")
    for table in outer:
        place = place.setdefault(table, {})
        place = place[0] if isinstance(place, list) else place
    place[last] = json.loads(json.dumps(value))
    return tables


def fate(name, key, value, folder):
    """What becomes of a key that is given beside a scenario: it acts, is refused, or nothing."""
    base, without = _plain(name, folder)
    tables = beside(base, key, value)
    if tables == json.loads(json.dumps(base)):
        return "the same"
    try:
        return "acts" if outcome(Scenario(**tables, folder=str(folder))) != without else "nothing"
    except physics.ScenarioError as error:
        return f"refused: {error}" if error.field or error.file else f"refused without a name: {error}"


def cases():
    """Each scenario with each key that is tried beside it."""
    for name, (key, values) in itertools.product(BASES, VALUES.items()):
        if key.split(".")[0] in TRIED.get(name.split()[0], GROUND):
            yield from ((name, key, value) for value in values)


@pytest.mark.parametrize("name", BASES)
def test_what_is_given_acts_or_is_refused_by_its_name(folder, name):
    for base, key, value in cases():
        if base == name:
            told = fate(name, key, value, folder)
            assert told != "nothing" or (name, key) in IDLE or told_in_notes(name, key, value, folder), (key, value)
            table, _, last = key.rpartition(".")
            named = [last, f"refused: {table}: unknown key", *FILES, "missing", "not a key of"]
            assert not told.startswith("refused without")
            assert not told.startswith("refused") or any(word in told for word in named), (key, told)


def told_in_notes(name, key, value, folder):
    """Whether a note says that a key changes nothing, or nothing where the rock is."""
    tables, last = beside({"duration": 0.2, "step": 0.01} | BASES[name], key, value), key.split(".")[-1]
    notes = physics.World.of(Scenario(**tables, folder=str(folder))).notes
    ended = [note.partition(" of [soil] not in zones")[0].split(", ") for note in notes if " of [soil] not in" in note]
    return any(note.startswith(f"{key} changes nothing") for note in notes) or any(last in keys for keys in ended)
