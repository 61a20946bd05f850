"""What is compared: the axle of a free wheel leads before its phase, the farthest body is named, lengths count."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import physics
from assets import SCENARIOS
from physics.analysis.comparison import compare, departure
from physics.core.rotation import multiply, unit_of
from physics.core.separation import separation, verdict_of
from physics.simulation.reference import references
from physics.systems.world import World

X, Y, Z = np.eye(3)
PLATFORM = {"name": "platform", "shape": "cuboid", "size": [1.0, 0.8, 0.1], "mass": 10.0}
WHEEL = {"name": "wheel", "shape": "cylinder", "size": [0.4, 0.4, 0.1], "mass": 5.0}
AXLE = {"type": "hinge", "name": "axle", "between": ["platform", "wheel"], "axis": [0, 0, 1], "rate": 20.0}
OTHER = {"name": "other", "shape": "cuboid", "size": [0.2, 0.1, 0.1], "mass": 1.0, "position": [0.1, 0, 0.5]}


def axles(**changes: Any) -> tuple[Any, ...]:
    """Axles of a platform with a wheel, both changed; ``more`` bodies, joints, a ``base`` joint of the platform."""
    platform, wheel, axle = (
        one | changes.pop(name, {}) for name, one in (("platform", PLATFORM), ("wheel", WHEEL), ("axle", AXLE))
    )
    tables = {
        "body": [platform, wheel, *changes.pop("bodies", ())],
        "joint": [axle, *changes.pop("joints", ())],
        "spring": changes.pop("springs", []),
    }
    assert not changes
    return World.of(physics.Scenario(kind="joints", duration=1.0, step=0.01, gravity={"g": 0.0}, **tables)).axles


BASE = {"type": "hinge", "name": "base", "between": ["ground", "platform"]}
FREE = {
    "on a free platform": {},
    "a ball": {"wheel": {"shape": "ellipsoid", "size": [0.2, 0.2, 0.2]}},
    "a flat ellipsoid": {"wheel": {"shape": "ellipsoid", "size": [0.4, 0.4, 0.1]}},
    "a disk with a shaft": {
        "wheel": {
            "shape": "parts",
            "size": None,
            "mass": None,
            "part": [
                {"shape": "cylinder", "size": [0.4, 0.4, 0.1], "mass": 4.0},
                {"shape": "cylinder", "size": [0.05, 0.05, 0.4], "mass": 1.0},
            ],
        }
    },
    "that leaves the plane of the platform's hinge": {"joints": [BASE | {"axis": [1, 0, 0]}]},
    "moved along its axle": {"wheel": {"position": [0, 0, 0.3]}},
    "held at both ends": {"joints": [AXLE | {"name": "end", "at": [0, 0, 0.2], "rate": None}]},
    "pulled at its axle": {
        "springs": [{"between": ["ground", "wheel"], "from": [0, 0, 1], "to": [0, 0, 0.05], "stiffness": 3.0}]
    },
    "on a platform that a motor turns": {"joints": [BASE | {"axis": [1, 0, 0], "motor": {"rate": 1.0}}]},
}
BOUND = {
    "on a fixed axle": {"axle": {"between": ["ground", "wheel"]}},
    "on a platform that turns about the same axle": {"joints": [BASE | {"axis": [0, 0, 1]}]},
    "on a sledge": {"joints": [BASE | {"type": "slider", "axis": [1, 0, 0]}]},
    "off its centre": {"axle": {"at": [0.1, 0, 0]}},
    "across its axle": {"axle": {"axis": [1, 0, 0]}},
    "with a spring about its axle": {"axle": {"stiffness": 1.0}},
    "with a brake": {"axle": {"damping": 0.1}},
    "with a torque": {"axle": {"torque": 0.1}},
    "with a path": {"axle": {"rate": None, "motor": {"path": [[0.0, 0.0], [1.0, 2.0]]}}},
    "with a motor": {"axle": {"rate": None, "motor": {"rate": 3.0}}},
    "with a spring at its rim": {
        "springs": [{"between": ["platform", "wheel"], "from": [0.4, 0, 0], "to": [0.2, 0, 0], "stiffness": 3.0}]
    },
    "a crank disk": {
        "bodies": [OTHER],
        "joints": [
            {"type": "hinge", "name": "pin", "between": ["wheel", "other"], "at": [0.1, 0, 0], "axis": [0, 0, 1]}
        ],
    },
    "round in its moments alone": {"wheel": {"shape": "cuboid", "size": [0.4, 0.4, 0.1]}},
    "round in its shape alone": {"wheel": {"inertia": [0.06, 0.07, 0.1]}},
    "round about another axis": {"wheel": {"orientation": [math.sqrt(0.5), math.sqrt(0.5), 0, 0]}},
    "a six-sided nut": {"wheel": {"shape": "hull", "size": None, "file": "nut"}},
    "with spokes": {
        "wheel": {
            "shape": "parts",
            "size": None,
            "mass": None,
            "part": [
                {"shape": "cylinder", "size": [0.2, 0.2, 0.1], "mass": 4.0},
                {"shape": "cuboid", "size": [0.4, 0.04, 0.04], "mass": 1.0},
                {"shape": "cuboid", "size": [0.04, 0.4, 0.04], "mass": 1.0},
            ],
        }
    },
    "on a ball joint": {"axle": {"type": "ball", "axis": None, "rate": None}},
}


def filled(changes: dict[str, Any], folder: Any) -> dict[str, Any]:
    """Changes with the file of the nut in place."""
    found = {name: dict(one) if isinstance(one, dict) else one for name, one in changes.items()}
    if found.get("wheel", {}).get("file") == "nut":
        angle = np.arange(6) * math.pi / 3
        points = [[0.2 * math.cos(a), 0.2 * math.sin(a), z] for a in angle for z in (-0.05, 0.05)]
        path = folder / "nut.pts"
        np.savetxt(path, points)
        found["wheel"]["file"] = str(path)
    return found


@pytest.mark.parametrize("changes", FREE.values(), ids=FREE)
def test_the_axle_of_a_free_wheel_leads(changes: dict[str, Any]) -> None:
    platform, axle, *_ = axles(**changes)
    assert platform is None
    assert abs(axle) == pytest.approx(Z)


@pytest.mark.parametrize("changes", BOUND.values(), ids=BOUND)
def test_the_phase_of_a_wheel_that_is_bound_leads(changes: dict[str, Any], tmp_path: Any) -> None:
    assert all(axle is None for axle in axles(**filled(changes, tmp_path)))


def test_the_axle_of_a_wheel_leads_though_its_linkage_starts_at_a_dead_centre() -> None:
    """Crank and coupler in one line: there the rocker stands still, and the wheel's axle with it."""
    bar = {"shape": "cuboid", "size": [1.0, 0.1, 0.1], "mass": 1.0}
    bodies = {"crank": (0.5, 0, 0), "coupler": (2, 0, 0), "rocker": (3, 0, 1)}
    joints = [("ground", "crank", (0, 0, 0)), ("crank", "coupler", (1, 0, 0)), ("coupler", "rocker", (3, 0, 0))]
    found = axles(
        bodies=[bar | {"name": name, "position": place} for name, place in bodies.items()],
        joints=[
            {"type": "hinge", "between": (first, second), "at": place, "axis": (0, 1, 0)}
            for first, second, place in [*joints, ("ground", "rocker", (3, 0, 2))]
        ],
        wheel={"position": (3, 0, 1)},
        axle={"between": ("rocker", "wheel"), "at": (3, 0, 1)},
    )
    assert [axle is not None for axle in found] == [False, True, False, False, False]


def test_of_several_bodies_the_farthest_is_named_and_the_phase_stands_beside() -> None:
    true = np.zeros((4, 3, 3)), np.tile([1.0, 0, 0, 0], (4, 3, 1))
    place, turn = true[0].copy(), true[1].copy()
    turn[1, 0] = unit_of(np.radians(4.0) * X)
    turn[1, 1] = multiply(unit_of(np.radians(3.0) * Y), unit_of(np.radians(97.0) * Z))  # axle 3, phase 97 degrees off
    turn[2, 1] = unit_of(np.radians(-120.0) * Z)
    place[3, 2] = [0.0, 0.03, 0.0]
    found = separation((place, turn), true, 2.0, (None, Z, None))
    assert found.degrees == pytest.approx([0.0, 4.0, 0.0, 0.0])
    assert found.body[1] == 0
    assert found.phase == pytest.approx([0.0, 97.0, 120.0, 0.0])
    assert found.turned.tolist()[1:3] == [1, 1]
    assert found.metres == pytest.approx([0.0, 0.0, 0.0, 0.03])
    assert found.place[3] == 2
    assert [verdict_of(x) for x in found.departure] == ["right", "near", "right", "near"]  # 1.5 % of the length
    led = separation((place, turn), true, 2.0, (None, None, None))
    assert led.degrees[1] == pytest.approx(97.0, abs=0.1)
    assert (led.body[1], led.phase) == (1, None)
    unknown = separation((place, turn), (np.full_like(place, np.nan), np.full_like(turn, np.nan)), 2.0, (None, Z, None))
    assert np.isnan([unknown.degrees, unknown.metres, unknown.phase]).all()


def test_a_gyrostat_is_right_where_only_its_wheel_lags() -> None:
    """The phase of a wheel on a platform that turns does not count; the attitude of the platform does."""
    lanes = "cayley-em:slow@0.05", "mujoco-euler:slow@0.05"
    scenario = physics.load_scenario(SCENARIOS / "joints-gyrostat.toml").changed(schemes=lanes, duration=5.0)
    lags, leads = (one.facts() for one in compare(physics.simulate(scenario)))
    assert (lags["verdict"], lags["error_of"], lags["phase_error_of"]) == ("right", "platform", "rotor")
    assert lags["error_end"] < 0.1
    assert lags["phase_error_end"] > 100.0
    assert lags["time_to"] == {"1": None, "10": None, "90": None}
    assert leads["phase_error_end"] < 1.0


def test_length_and_axis_are_those_of_the_body_between_edits() -> None:
    """A ball that becomes a pin: a distance is more of its length, and it has an axis, which the ball has not."""
    pin = {"shape": "cylinder", "size": (0.02, 0.02, 0.03), "mass": 0.01}
    scenario = physics.Scenario(
        kind="table",
        duration=0.4,
        step=0.004,
        schemes=("explicit",),
        body={"shape": "sphere", "radius": 0.5, "mass": 1.0},
        table={"mu": 0.2},
        initial={"angular_velocity": (3.0, 20.0, 5.0), "velocity": (0.5, 0.3, 0.0)},
        edit=[{"time": 0.3, "body": pin}],
    )
    runs = physics.simulate(scenario)
    (lane,) = compare(runs)
    assert lane.departure is not None
    assert lane.departure.begun == pytest.approx(0.3)
    assert lane.departure.share == pytest.approx(100.0 * lane.departure.metres / 0.03, abs=0.0)
    assert lane.departure.axis is not None
    truth = dict(references([runs.world], runs))["explicit"] if runs.world else None
    assert truth is not None
    before = departure(runs["explicit"], truth.separation(runs["explicit"]), 0.2)
    assert before is not None
    assert before.share == pytest.approx(100.0 * before.metres / 1.0, abs=0.0)
    assert before.axis is None
