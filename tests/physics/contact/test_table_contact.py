"""Bodies on a table: impacts, faces and lines, rest, events, every scheme and scenario, and what is refused."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import assets
import physics
from physics import Scenario, ScenarioError, World, simulate
from physics.analysis import toy_motion as table_motion
from physics.analysis.comparison import compare
from physics.core.rotation import matrix
from physics.simulation.audit import doubts
from physics.systems.toys import system as table_system
from tests.physics import on_table as given
from tests.small import refused

BALL = {"shape": "sphere", "radius": 0.05, "mass": 0.2}
PUCK = {"shape": "disk", "radius": 0.05, "thickness": 0.01, "mass": 0.2}
ROLL = {"shape": "cylinder", "size": (0.06, 0.06, 0.12), "mass": 0.2}
EXAMPLES = sorted((Path(assets.__file__).parent / "scenarios").glob("table-*.toml"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_in_no_scenario_energy_rises_or_the_body_sinks(path):
    scenario = physics.load_scenario(path)
    world = World.of(scenario)
    for run in simulate(scenario).values():
        assert given.rise(run) < 2e-15
        assert given.lowest(world, run) > -2e-6
        assert run.events[-1].kind in ("end", "rest")
        assert doubts(run, [world]) == ()


@pytest.mark.parametrize("restitution", [0.0, 0.6])
def test_a_ball_that_falls_bounces_by_newtons_law(restitution):
    high = 0.45
    table = {"mu": 0.4, "restitution": restitution}
    world, run = given.run(BALL, table, {"position": (0, 0, high), "angular_velocity": (0, 3.0, 0)}, 3.0)
    hits = [event for event in run.events if event.kind == "impact"]
    fall = math.sqrt(2.0 * (high - 0.05) / given.G)
    assert hits[0].time == pytest.approx(fall, abs=1e-9)
    if restitution:
        assert hits[1].time - hits[0].time == pytest.approx(2.0 * restitution * fall, abs=1e-8)
        assert hits[2].time - hits[1].time == pytest.approx(2.0 * restitution**2 * fall, abs=1e-8)
    else:
        assert len(hits) == 1
        assert run.position[-1, 2] == pytest.approx(0.05, abs=1e-10)
    assert given.rise(run) < 2e-15
    assert given.lowest(world, run) > -1e-9


FALLS = {
    "flat": (PUCK, {"position": (0, 0, 0.3), "angular_velocity": (0, 0, 3.0)}),
    "tilted": (PUCK, {"position": (0, 0, 0.3), "orientation": given.about((1, 2, 0), 0.7), "velocity": (0.5, 0, 0)}),
    "thin": (PUCK | {"thickness": 0.0}, {"position": (0, 0, 0.3), "orientation": given.about((1, 2, 0), 0.7)}),
    "round rim": (PUCK | {"rim": 0.005}, {"orientation": given.about((1, 0, 0), 1.2)}),
    "slides": (PUCK, {"velocity": (1.0, 0, 0), "angular_velocity": (0, 0, 20.0)}),
}


@pytest.mark.parametrize("name", FALLS)
def test_a_disk_comes_to_rest_flat(name):
    body, initial = FALLS[name]
    world, run = given.run(body, {"mu": 0.4, "rolling_arm": 1e-3}, initial, 6.0)
    assert run.events[-1].kind == "rest"
    lies = given.tilt(world, run)[-1]
    assert min(lies, math.pi - lies) < 1e-6
    assert run.contact[-1] >= 3
    assert run.kinetic_energy[-1] < 1e-10 * 0.2
    assert given.rise(run) < 2e-15
    assert given.lowest(world, run) > -2e-6


def test_a_cylinder_rolls_on_its_line_without_loss():
    initial = {"orientation": given.about((1, 0, 0), math.pi / 2), "angular_velocity": (0, 0, 10.0)}
    world, run = given.run(ROLL, {"mu": 0.4}, initial, 2.0)
    assert run.velocity[-1, 0] == pytest.approx(-0.3, abs=1e-9)
    assert np.ptp(run.total_energy) < 1e-12 * run.total_energy[0]
    assert set(run.contact[1:]) == {2.0}
    assert np.abs(world.gap(run.position, run.orientation)).max() < 1e-12


@pytest.mark.parametrize(
    ("table", "initial"),
    [
        ({"mu": 0.4, "rolling_arm": 1e-3}, {"velocity": (1.0, 0.5, 0)}),
        ({"mu": 0.4, "contour": 0.05}, {"velocity": (1.0, 0.5, 0)}),
        ({"mu": 0.4, "rolling_arm": 1e-3, "contour": 0.02}, {"angular_velocity": (0, 20.0, 0)}),
        (
            {"mu": 0.4, "rolling_arm": 1e-3, "spin_radius": 1e-3},
            {"velocity": (1.0, 0, 0), "angular_velocity": (0, 0, 50.0)},
        ),
    ],
)
def test_rolling_and_drilling_friction_bring_a_ball_to_rest(table, initial):
    world, run = given.run(BALL, table, initial, 30.0, 2e-3)
    assert run.events[-1].kind == "rest"
    assert np.abs(run.velocity[-1]).max() < 1e-5
    assert given.rise(run) < 1e-15
    rolls = np.abs(table_motion.slip(run, world)[:, :2]).max(axis=1) < 1e-9
    if "spin_radius" not in table:  # a rolling ball slows down by arm N over its moment about the contact
        arm = table.get("rolling_arm", 0.0) + table.get("contour", 0.0) * 0.05
        speed, t = np.hypot(*run.velocity[:, :2].T), run.time
        i, j = np.flatnonzero(rolls)[[5, len(rolls) // 4]]
        assert (speed[i] - speed[j]) / (t[j] - t[i]) == pytest.approx(arm * given.G / (1.4 * 0.05), rel=1e-6)


def test_a_body_on_a_slope_stays_where_friction_holds_it():
    world, run = given.run(PUCK, {"mu": 0.4, "tilt": 0.3}, {"velocity": (0, 0, 0)}, 1.0)
    assert run.events[-1].kind == "rest"
    assert np.abs(run.position[-1] - run.position[0]).max() < 1e-9
    _, slides = given.run(PUCK, {"mu": 0.2, "tilt": 0.3}, {"velocity": (0, 0, 0)}, 1.0)
    a = given.G * (math.sin(0.3) - 0.2 * math.cos(0.3))
    assert slides.velocity[-1, 0] == pytest.approx(a, rel=1e-6)
    assert given.lowest(world, run) > -1e-9


def test_friction_of_a_ball_that_rolls_down_or_slips_is_that_of_the_page():
    world, run = given.run(BALL, {"mu": 0.3, "tilt": 0.3}, {}, 0.5)
    needed = 2.0 / 7.0 * math.tan(0.3)
    assert table_motion.friction_needed(run, world) == pytest.approx(needed, rel=1e-9)
    assert table_motion.friction_used(run, world) == pytest.approx(needed / 0.3, rel=1e-9)
    assert table_motion.force(run, world)[:, 2] == pytest.approx(0.2 * given.G * math.cos(0.3), rel=1e-9)
    assert table_motion.sticks(run, world).all()
    world, slides = given.run(BALL, {"mu": 0.3, "tilt": 1.0}, {}, 0.5)
    assert table_motion.friction_used(slides, world) == pytest.approx(1.0, rel=1e-9)
    assert not table_motion.sticks(slides, world)[5:].any()
    world, flies = given.run(BALL, {"mu": 0.3}, {"position": (0, 0, 2.0)}, 0.2)
    assert not table_motion.friction_needed(flies, world).any()


def test_lift_off_is_told_where_it_is_asked_for():
    egg = {"shape": "egg", "size": (0.042, 0.042, 0.06), "mass": 0.06}
    initial = {"orientation": given.about((1, 0, 0), 1.2), "angular_velocity": (0, 250.0, 30.0), "velocity": (0, 0, 0)}
    for asked in (False, True):
        _, run = given.run(egg, {"mu": 0.3, "spin_radius": 5e-4, "lift_off": asked}, initial, 0.5, 5e-4)
        kinds = {event.kind for event in run.events}
        assert ("lift-off" in kinds) == asked
        assert "impact" in kinds  # it jumps, and comes down


def test_a_tippe_top_hops_and_stands_at_the_same_times_at_any_step():
    (path,) = (path for path in EXAMPLES if path.stem == "table-tippe-top")
    scenario = physics.load_scenario(path).changed(schemes=("implicit",), duration=2.0)
    for h in (1e-3, 2.5e-4):  # at 2e-5 s: 61.74, 112.52 and 167.18 degrees, 1.09406 s
        changes = {"step": h, "record_every": round(1e-3 / h), "table.lift_off": True}
        run = simulate(scenario.changed(**changes))["implicit"]
        tilts = [np.degrees(np.arccos(matrix(run.at(time).orientation)[2, 2])) for time in (1.0, 1.5, 2.0)]
        assert tilts == pytest.approx([61.74, 112.52, 167.18], abs=2e5 * h * h)
        lifts = [event.time for event in run.events if event.kind == "lift-off"]
        assert lifts[0] == pytest.approx(1.0941, abs=1.5 * h)


@pytest.mark.parametrize("name", ["exact", "quat-em"])
def test_other_schemes_keep_energy_and_table_too(name):
    world, run = given.published("disk-thin-rolling", 1.0, 2e-3, name)
    assert given.errors("disk-thin-rolling", world, run)[0] < 1e-4
    assert np.abs(run.total_energy / run.total_energy[0] - 1.0).max() < 1e-12
    assert given.lowest(world, run) > -1e-9


def test_a_run_goes_on_from_any_state():
    scenario = given.scenario(BALL, {"mu": 0.2}, {"velocity": (2.0, 0, 0)}, 1.0)
    whole = simulate(scenario)["implicit"]
    world = World.of(scenario).starting(whole.at(0.5))
    assert isinstance(world, table_system.ToyWorld)
    edited = scenario.changed(edit=[{"time": 0.5, "table": {"mu": 0.2, "tilt": 0.1}}])
    run = simulate(edited)["implicit"]
    speed = whole.velocity[-1, 0] + 5.0 / 7.0 * given.G * math.sin(0.1) * 0.5
    assert run.velocity[-1, 0] == pytest.approx(speed, rel=2e-3)


def test_an_edit_of_nothing_that_acts_leaves_a_body_on_the_table():
    """A rattleback's stored states rise or sink by 1e-4 m/s; the edit alone is told, as no impact."""
    scenario = physics.load_scenario(EXAMPLES[0].with_name("table-rattleback.toml"))
    scenario = scenario.changed(duration=0.6, schemes=("implicit",))
    whole, table = simulate(scenario)["implicit"], scenario.to_plain()["table"]
    for time in (0.2, 0.25, 0.3):
        edited = scenario.changed(edit=[{"time": time, "table": table | {"lift_off": True}}])
        run = simulate(edited)["implicit"]
        assert not [event for event in run.events if event.kind == "impact"]
        assert run.total_energy[-1] == pytest.approx(whole.total_energy[-1], rel=1e-8)


def test_a_body_that_becomes_larger_stands_on_the_table():
    scenario = given.scenario(BALL, {"mu": 0.3}, {"angular_velocity": (1.0, 2.0, 3.0)}, 0.2)
    run = simulate(scenario.changed(edit=[{"time": 0.1, "body": BALL | {"radius": 0.1}}]))["implicit"]
    later = run.time > 0.1
    np.testing.assert_allclose(run.position[later, 2], 0.1, rtol=1e-9)
    assert np.diff(run.total_energy[later]).max() < 1e-12


GOOD = {"kind": "table", "duration": 1.0, "step": 1e-3, "body": BALL}
WRONG = [
    ({"body": BALL | {"shape": "cuboid", "size": (1, 1, 1), "radius": None}}, "body.shape: 'cuboid' is not available"),
    ({"body": {"shape": "sphere", "mass": 1.0}}, "body.radius: missing"),
    ({"body": BALL | {"offset": (0, 0, 0.01)}}, "body.inertia: missing"),
    ({"body": BALL | {"rim": 0.01}}, "body.rim"),
    ({"body": PUCK | {"rim": 0.02}}, "body.rim: expected at most half the thickness"),
    ({"body": PUCK | {"axes": (1, 1, 0, 0)}}, "body.axes: expected a unit quaternion"),
    ({"body": PUCK | {"thickness": -0.01}}, "body.thickness: expected a number of at least 0"),
    ({"body": {"shape": "disk", "radius": 0.1, "density": 1000.0}}, "body.mass: missing"),
    ({"body": {"shape": "hoop", "radius": 0.1, "thickness": 0.02, "density": 1000.0}}, "body.mass: missing; a hoop"),
    ({"body": BALL | {"inertia": (1.0, 1.0, 3.0)}}, "body.inertia"),
    ({"table": {"mu": -0.1}}, "table.mu: expected a number of at least 0"),
    ({"table": {"tilt": 1.6}}, "table.tilt"),
    ({"table": {"restitution": 1.5}}, "table.restitution"),
    ({"table": {"viscous": 0.3, "mu": 0.2}}, "table.mu: expected none beside viscous"),
    ({"table": {"friction": 0.2}}, "table.friction: unknown key"),
    ({"initial": {"position": (0, 0, 0.01)}}, "initial.position: the body starts 0.04 m below the table"),
    ({"initial": {"orientation": "random"}}, "initial.orientation"),
    ({"initial": {"nutation": 0.1}}, "initial.nutation: not a key of kind 'table'"),
    ({"initial": {"velocity": "sliding"}}, "initial.velocity"),
    ({"schemes": ("rk4",)}, "schemes: 'rk4' cannot serve kind 'table'"),
    ({"terrain": {"profile": "ramp"}}, "terrain: not a table of kind 'table'"),
]


@pytest.mark.parametrize(("changes", "message"), WRONG)
def test_wrong_input_is_told_in_one_sentence(changes, message):
    with refused(message):
        World.of(Scenario(**(GOOD | changes)))


def test_a_hoop_with_a_thickness_is_a_band():
    body = {"shape": "hoop", "radius": 0.1, "thickness": 0.2, "mass": 3.0}
    angle, z = np.meshgrid(2.0 * np.pi * np.arange(8) / 8, np.polynomial.legendre.leggauss(2)[0] * 0.1)
    x, y = 0.1 * np.cos(angle), 0.1 * np.sin(angle)
    squares = [np.mean(one) for one in (y**2 + z**2, z**2 + x**2, x**2 + y**2)]
    assert World.of(Scenario(**(GOOD | {"body": body}))).moments == pytest.approx(3.0 * np.array(squares))


def test_a_body_that_is_let_go_beside_its_balance_does_not_rest():
    egg, high = {"shape": "egg", "size": (0.042, 0.042, 0.06), "mass": 0.06}, 0.03
    world, run = given.run(egg, {"mu": math.inf}, {"orientation": given.about((1, 0, 0), 1e-5)}, 0.3)
    curved = 0.021**2 / high  # it tips with the arm by which it is higher than round, about the point of contact
    rate = math.sqrt(0.06 * given.G * (high - curved) / (world.moments[0] + 0.06 * high**2))
    assert given.tilt(world, run)[-1] == pytest.approx(1e-5 * math.cosh(rate * 0.3), rel=1e-3)
    _, still = given.run(egg, {"mu": math.inf}, {}, 0.3)
    assert still.events[-1].kind == "rest"


@pytest.mark.parametrize(
    ("table", "initial"),
    [({"mu": 0.0}, {"height": 0.5}), ({"mu": math.inf}, {"velocity": (0.3, 0.0, 0.0)})],
    ids=["falls", "slips"],
)
def test_what_an_impact_takes_is_no_error_of_a_scheme(table, initial):
    runs = simulate(given.scenario(BALL, table, initial, 0.5))
    (lane,) = compare(runs)
    assert lane.energy is not None
    assert lane.energy.end < -0.2
    assert not lane.lossless


def test_shapes_of_a_table_serve_no_other_kind():
    with pytest.raises(ScenarioError, match=r"body.shape: 'disk' is not available for kind 'free'"):
        Scenario(kind="free", duration=1.0, step=0.1, body=PUCK)
    body = {"shape": "ellipsoid", "size": (1, 1, 1), "mass": 1.0, "offset": (0, 0, 1)}
    with pytest.raises(ScenarioError, match=r"body.offset: not a key of kind 'free'"):
        Scenario(kind="free", duration=1.0, step=0.1, body=body)


def test_rolling_is_a_word_for_a_velocity_that_is_not_given():
    start = {"angular_velocity": (0, 20.0, 0)}
    worlds = [World.of(Scenario(**GOOD, initial=start | more)) for more in ({}, {"velocity": "rolling"})]
    assert worlds[0].velocity == pytest.approx([1.0, 0.0, 0.0])
    assert np.array_equal(worlds[0].velocity, worlds[1].velocity)


def test_friction_without_bound_keeps_a_body_from_slipping():
    start = {"angular_velocity": (0.0, 20.0, 1.0), "velocity": (0.1, 0.0, 0.0)}
    (_, free), (_, high) = (given.run(PUCK, {"mu": mu}, start, 0.05) for mu in (math.inf, 1000.0))
    assert free.orientation.tobytes() == high.orientation.tobytes()
    assert free.position.tobytes() == high.position.tobytes()
    again = Scenario(**given.scenario(PUCK, {"mu": math.inf}).to_plain())
    assert again.table.mu == math.inf


def test_a_body_may_start_above_the_table():
    """A body at rest 0.1 m up falls for sqrt(2 h / g)."""
    low = World.of(given.scenario(BALL)).position[2]
    _, run = given.run(BALL, {}, {"height": low + 0.1}, 0.3)
    (fall,) = [event for event in run.events if event.kind == "impact"]
    assert fall.time == pytest.approx(math.sqrt(2.0 * 0.1 / given.G), rel=1e-6)
    with pytest.raises(ScenarioError, match=r"initial.height: the body starts .* below the table"):
        World.of(given.scenario(BALL, {}, {"height": 0.5 * low}))
    with pytest.raises(ScenarioError, match=r"initial.height: expected none beside position"):
        given.scenario(BALL, {}, {"height": 1.0, "position": (0, 0, 1.0)})
