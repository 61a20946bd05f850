"""Scenarios of kind ``joints``: the start of mechanisms, what is found by loops, what is refused.

Cases and their states: joints.json, from a computation apart from this program.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import physics
from physics.analysis import comparison
from physics.core.rotation import Array, apply, conjugate
from physics.core.trajectory import STATE, Block
from physics.io import trajectory_readers, trajectory_writers
from physics.scenario.scenario_file import parse_scenario
from physics.simulation import audit
from physics.systems import system_of
from physics.systems.joints.world import JointsWorld
from tests.physics.mechanisms import CASES, HEAD
from tests.small import pendulum


def world_of(text: str) -> JointsWorld:
    return JointsWorld.of(parse_scenario(HEAD + text, "mechanism.toml"))


def states_of(world: JointsWorld, state: dict[str, Any]) -> dict[str, Array]:
    """The columns of a state of a case, in the order of a world's bodies."""
    rows = np.array([state["bodies"][name] for name in world.body_names], float)
    return dict(zip(STATE, np.split(rows, [3, 7, 10], axis=1), strict=True))


def start_of(world: JointsWorld) -> Block:
    states = world.position[None], world.orientation[None], world.velocity[None], world.angular_velocity[None]
    return Block(np.zeros(1), *states, np.zeros(1))


@pytest.mark.parametrize("case", CASES)
def test_start_is_that_of_the_reference(case: str) -> None:
    first, world = CASES[case]["states"][0], world_of(CASES[case]["scenario"])
    assert set(world.body_names) == set(first["bodies"])
    for name, expected in states_of(world, first).items():
        found = getattr(world, name)
        if name == "orientation":
            expected = expected * np.where(np.sum(found * expected, axis=1) < 0.0, -1.0, 1.0)[:, None]
        np.testing.assert_allclose(found, expected, rtol=1e-13, atol=1e-13, err_msg=name)
    measured = world.measures(start_of(world))
    assert measured["kinetic_energy"][0] == pytest.approx(first["kinetic"], rel=1e-13, abs=1e-13)
    assert measured["potential_energy"][0] == pytest.approx(first["potential"], rel=1e-13, abs=1e-13)
    spin = np.array(first["spin"], float)
    if world.keeps_spin:  # which is about the common centre of mass
        mass = world.mechanism.bodies.mass
        spin = spin - np.cross(mass @ world.position / mass.sum(), mass @ world.velocity)
    np.testing.assert_allclose(measured["spin"][0], spin, rtol=1e-13, atol=1e-13)


RANKS = {  # constraints, independent ones; joints.md: three of a plane loop of hinges are redundant, one of Bricard's
    "four-bar": (20, 17),
    "bricard": (30, 29),
    "double-four-bar": (35, 29),
    "governor": (52, 46),
    "hooke": (14, 11),
    "flyball-iftomm": (20, 20),
}


@pytest.mark.parametrize("case", RANKS)
def test_redundant_constraints_are_reported(case: str) -> None:
    world, (whole, rank) = world_of(CASES[case]["scenario"]), RANKS[case]
    assert world.rank == rank
    told = [note for note in world.notes if note.startswith(f"{whole} constraints, {rank} independent")]
    assert bool(told) == (rank < whole) == (not world.unique.all())
    if case == "governor":  # its shaft and its balls hang on single joints
        assert next(iter(world.scenario.joints)) not in told[0].split(": ")[-1].split(", ")


def test_singular_start_is_reported() -> None:
    """A parallelogram with all bars in one line: it may fold into a cross."""
    bars = {"a": (0.5, 1.0), "b": (1.5, 1.0), "c": (1.5, 1.0)}
    text = 'kind = "joints"\n'
    for name, (x, length) in bars.items():
        text += f'[[body]]\nname = "{name}"\nsize = [{length}, 0.1, 0.1]\nmass = 1.0\nposition = [{x}, 0, 0]\n'
    for pair, x in ((("ground", "a"), 0.0), (("a", "b"), 1.0), (("b", "c"), 2.0), (("ground", "c"), 1.0)):
        text += f"[[joint]]\ntype = 'hinge'\nbetween = {list(pair)}\nat = [{x}, 0, 0]\naxis = [0, 1, 0]\n"
    assert any("singular" in note for note in world_of(text).notes)
    assert not any("singular" in note for note in world_of(CASES["four-bar"]["scenario"]).notes)


TRUSS = """kind = "joints"
[[body]]
name = "a"
size = [1.0, 0.1, 0.1]
mass = 1.0
position = [0.5, 0, 0]
[[body]]
name = "b"
size = [1.0, 0.1, 0.1]
mass = 1.0
position = [1.5, 0, 0]
"""


def test_a_mechanism_that_cannot_move_is_reported_and_no_share_of_nothing() -> None:
    text = TRUSS
    for pair, at in ((("ground", "a"), [0, 0, 0]), (("a", "b"), [1, 0.3, 0]), (("b", "ground"), [2, 0, 0.2])):
        text += f"[[joint]]\ntype = 'hinge'\nbetween = {list(pair)}\nat = {at}\naxis = [0, 1, 0]\n"
    scenario = parse_scenario(HEAD.replace("moser-veselov", "cayley-em") + text, "truss.toml")
    world = JointsWorld.of(scenario)
    assert "no freedom is left, it cannot move: 15 constraints of 12" in world.notes
    run = physics.simulate(scenario)["cayley-em"]
    assert run.kinetic_energy.max() < 1e-20
    assert audit.doubts(run, (world,)) == ()
    assert audit.audit(run)["relative_energy_drift"] is None


def test_errors_of_energy_are_shares_of_what_springs_have_at_the_start_too() -> None:
    shoulder, elbow = pendulum().to_plain()["joint"]
    turned, between = shoulder | {"angle": 1.0}, {"between": ("ground", "upper"), "from": (0.0, 0.0, 1.0)}
    still = JointsWorld.of(pendulum(joint=(turned, elbow))).lift
    stiff = JointsWorld.of(pendulum(joint=(turned | {"stiffness": 1e4}, elbow)))
    assert stiff.lift == pytest.approx(still + 5e3)
    long = between | {"to": (0.0, 0.0, 0.0), "rest": 0.4, "stiffness": 50.0}  # 1 m long: it holds the upper end
    assert JointsWorld.of(pendulum(joint=(turned, elbow), spring=(long,))).lift == pytest.approx(still + 9.0)


def test_a_bob_is_a_sphere() -> None:
    text = TRUSS.replace("size = [1.0, 0.1, 0.1]", 'shape = "sphere"\nradius = 0.2', 1)
    np.testing.assert_allclose(world_of(text).mechanism.bodies.inertia[0], 0.4 * 0.04, rtol=1e-12)


@pytest.mark.parametrize(("joint", "angle"), [("O", 0.7), ("O", 3.0), ("O", -9.0), ("B", 0.4)])
def test_loop_is_closed_for_a_given_angle(joint: str, angle: float) -> None:
    """A crank that can turn round; the points of its bodies that lie at a joint in the drawing stay together."""
    text = CASES["four-bar"]["scenario"]
    named = f'name = "{joint}"\n'
    drawn, world = world_of(text), world_of(text.replace(named, f"{named}angle = {angle}\n"))
    assert world.coordinates[[*world.scenario.joints].index(joint), 0] == pytest.approx(angle, abs=1e-13)

    def at(body: int, point: tuple[float, float, float]) -> tuple[Array, Array]:
        """Place and velocity of a point of the drawing."""
        arm = apply(conjugate(drawn.orientation[body]), np.array(point) - drawn.position[body])
        turned, q = apply(world.orientation[body], arm), world.orientation[body]
        return world.position[body] + turned, world.velocity[body] + np.cross(
            apply(q, world.angular_velocity[body]), turned
        )

    for one, other, point in ((0, 1, (0.0, 0.0, 0.3)), (1, 2, (0.8, 0.0, 0.6))):
        for found, expected in zip(at(one, point), at(other, point), strict=True):
            np.testing.assert_allclose(found, expected, atol=1e-12)
    np.testing.assert_allclose(at(2, (0.8, 0.0, 0.0)), [(0.8, 0.0, 0.0), (0.0, 0.0, 0.0)], atol=1e-12)
    assert any(note.startswith("found by closing loops: ") and "A " in note for note in world.notes)


@pytest.mark.parametrize("number", [2, 3])
def test_rate_of_a_ball_joint_counts_in_its_body_where_the_loop_turned_it(number: int) -> None:
    """A rod that spins on its own between two balls, one of the tree and one that closes the loop, on a crank."""
    places = {"crank": ([0.1, 0, 0], [0.2, 0.02, 0.02]), "rod": ([0.2, 0, 0.25], [0.02, 0.02, 0.5])}
    places["rocker"] = ([0.45, 0, 0.5], [0.5, 0.02, 0.02])
    bodies = [{"name": name, "size": size, "mass": 1.0, "position": at} for name, (at, size) in places.items()]
    hinge, ball = {"type": "hinge", "axis": [0, 1, 0]}, {"type": "ball"}
    joints: list[dict[str, Any]] = [
        hinge | {"between": ["ground", "crank"], "at": [0, 0, 0], "angle": 0.6},
        hinge | {"between": ["ground", "rocker"], "at": [0.7, 0, 0.5]},
        ball | {"between": ["crank", "rod"], "at": [0.2, 0, 0]},
        ball | {"between": ["rocker", "rod"], "at": [0.2, 0, 0.5]},
    ]
    joints[number]["angular_velocity"] = [0, 0, 3.0]
    scenario = physics.Scenario(
        kind="joints", duration=1.0, step=0.01, schemes=["cayley-em"], body=bodies, joint=joints
    )
    np.testing.assert_allclose(JointsWorld.of(scenario).angular_velocity, [[0, 0, 0], [0, 0, 3], [0, 0, 0]], atol=1e-12)


PAIR = """kind = "joints"
[[body]]
name = "upper"
size = [0.1, 0.1, 1.0]
mass = 1.0
position = [0, 0, -0.5]
[[body]]
name = "lower"
size = [0.1, 0.1, 1.0]
mass = 1.0
position = [0, 0, -1.5]
[[joint]]
type = "hinge"
between = ["ground", "upper"]
axis = [0, 1, 0]
[[joint]]
type = "universal"
between = ["upper", "lower"]
at = [0, 0, -1]
axis = [1, 0, 0]
axis2 = [0, 1, 0]
"""
FOUR_BAR = CASES["four-bar"]["scenario"]
CHAIN = 'kind = "joints"\n[[chain]]\nname = "x"\nlinks = 12\nlength = 1.0\nsize = [1, 1, 1]\nmass = 1.0\n'
AT_B = 'between = ["coupler", "rocker"]\n'
SKEW = "at = [0.8, 0, 0.6]\naxis = [0, 1, 0]", "at = [0.8, 0, 0.6]\naxis = [1, 0, 1]"
WRONG = [  # text, what takes the place of what, the field, words of the sentence
    (PAIR, "axis = [0, 1, 0]", "axis = [0, 0, 0]", "joint.0.axis", "expected a direction"),
    (PAIR, "axis = [0, 1, 0]", "", "joint.0.axis", "missing"),
    (PAIR, "axis2 = [0, 1, 0]", "axis2 = [0.1, 1, 0]", "joint.1.axis2", "perpendicular to axis"),
    (PAIR, '["upper", "lower"]', '["upper", "upper"]', "joint.1.between", "joins 'upper' to itself"),
    (PAIR, '["upper", "lower"]', '["upper", "lover"]', "joint.1.between", "did you mean 'lower'?"),
    (PAIR, 'name = "lower"', 'name = "upper"', "body.1.name", "two with the name 'upper'"),
    (PAIR, 'name = "lower"', 'name = "a.b"', "body.1.name", "letters, digits"),
    (PAIR, 'name = "lower"', 'name = "ground"', "body.1.name", "the ground has this one"),
    (PAIR, "mass = 1.0", "mass = 0.0", "body.0.mass", "above 0"),
    (
        PAIR,
        "mass = 1.0",
        "mass = 1.0\ninertia = [1.0, 1.0, 2.5]",
        "body.0.inertia",
        "larger than the sum of the other two",
    ),
    (PAIR, "mass = 1.0", "mass = 1.0\nangular_velocity = [0, 0, 1]", "body.0.angular_velocity", "a joint holds it"),
    (PAIR, "mass = 1.0", "mass = 1.0\naxes = [1, 0, 0, 0]", "body.0.axes", "not a key of"),
    (PAIR, "axis = [0, 1, 0]", "axis = [0, 1, 0]\ntravel = 1.0", "joint.0.travel", "it applies to slider"),
    (PAIR, "axis = [0, 1, 0]", "axis = [0, 1, 0]\nrate = 1.0\nmotor = {rate = 1.0}", "joint.0.rate", "beside motor"),
    (PAIR, "axis = [0, 1, 0]", "axis = [0, 1, 0]\nmotor = {}", "joint.0.motor.0", "one of rate, path and sine"),
    (PAIR, "axis2 = [0, 1, 0]", "axis2 = [0, 1, 0]\nstiffness = 2.0", "joint.1.stiffness", "expected a pair"),
    (PAIR, 'kind = "joints"', 'kind = "joints"\ngravity = {g = 1.0, vector = [0, 0, 1]}', "gravity.g", "beside vector"),
    (PAIR, 'kind = "joints"', 'kind = "joints"\ninitial = {}', "initial", "not a table of kind 'joints'"),
    (PAIR, 'kind = "joints"', 'kind = "joints"\nforest = {}', "forest", "not a table of kind 'joints'"),
    ('kind = "joints"', "", "", "body", "missing"),
    (
        'kind = "joints"\n[[chain]]\ntype = "hinge"',
        "",
        "\nlinks = 2\nlength = 1.0\nsize = [1, 1, 1]\nmass = 1.0",
        "chain.0.axis",
        "missing",
    ),
    (CHAIN, 'name = "x"', f'name = "{38 * "x"}"', "chain.0.name", "at most 37 letters before the numbers"),
    (CHAIN, "length = 1.0", "length = 1e308", "chain.0.length", "a shorter one"),
    (FOUR_BAR.replace("rate = 2.0", "angle = 1.0"), AT_B, AT_B + "angle = 2.5\n", "joint.3", "the gap is"),
    (
        FOUR_BAR,
        AT_B,
        AT_B + "angle = 2.9\n",
        "joint.3",
        "2.3 rad of its angle; from the drawing on, it closes up to B 0.6",
    ),
    (
        FOUR_BAR,
        *SKEW,
        "joint.0",
        "no freedom is left, it cannot move: 20 constraints of 18; the axis of 'B' is 90 degrees",
    ),
    (FOUR_BAR, "at = [0.8, 0, 0.6]", "at = [0.8, 0, 1e308]", "joint.3.at", "too far"),
    (FOUR_BAR, 'kind = "joints"', 'kind = "joints"\nedit = [{time = 0.5, step = 0.1}]', "edit", "from its start"),
    (
        FOUR_BAR,
        "rate = 2.0",
        "rate = 2.0\nangle = 0.5\n[[joint]]\ntype = 'fixed'\nbetween = ['ground', 'crank']",
        "joint.1",
        "loop",
    ),
    (FOUR_BAR, AT_B, AT_B + "rate = 5.0\n", "joint.3", "contradict"),
    (FOUR_BAR, AT_B, AT_B + "motor = {rate = 3.0}\n", "joint.3", "contradict"),
    (
        FOUR_BAR.replace("rate = 2.0", "motor = {rate = 2.0}"),
        AT_B,
        AT_B + "motor = {rate = 1.0}\n",
        "joint.3.motor",
        "another motor",
    ),
]


@pytest.mark.parametrize(("text", "old", "new", "field", "words"), WRONG, ids=[f"{f}-{w}" for *_, f, w in WRONG])
def test_wrong_mechanisms_are_refused(text: str, old: str, new: str, field: str, words: str) -> None:
    assert old in text
    with pytest.raises(physics.ScenarioError) as caught:
        world_of(text.replace(old, new, 1) if old else text + new)
    assert caught.value.field == field
    assert words in caught.value.message
    assert "\n" not in str(caught.value)


def test_runs_have_the_loads_of_their_joints(tmp_path: Path) -> None:
    """A double pendulum on ball joints after 1 s: forces by reduced coordinates in 113 bits (joints.md, section 4)."""
    case = CASES["double-pendulum-spatial"]
    scenario = parse_scenario(HEAD.replace("moser-veselov", "dop853") + case["scenario"], "mechanism.toml")
    runs = physics.simulate(scenario)
    run, last = runs["dop853"], case["states"][1]
    assert run.bodies == ("upper", "lower")
    for i, name in enumerate(run.bodies):
        found = np.concatenate([getattr(run.of_body(i), column)[-1] for column in STATE])
        expected = np.array(last["bodies"][name])
        expected[3:7] *= np.sign(found[3:7] @ expected[3:7])
        np.testing.assert_allclose(found, expected, atol=1e-11)
    np.testing.assert_allclose(run.spin[:, 2], run.spin[0, 2], atol=1e-13)  # gravity turns it about no vertical axis
    trajectory_writers.save(tmp_path / "run.npz", runs, scenario)
    with np.load(tmp_path / "run.npz") as data:
        forces, torques, gap = (data[f"dop853/joint_{name}"] for name in ("force", "torque", "gap"))
        meta = json.loads(str(data["meta"]))
    upper, lower = (-11.12775749395, -0.82202804226, 20.90980124420), (-5.33581273093, 0.18967984384, 3.64904809106)
    np.testing.assert_allclose(forces[-1], [upper, lower], atol=1e-9)
    np.testing.assert_array_equal(torques, np.zeros((101, 2, 3)))
    assert gap.shape == (101,)
    assert gap.max() < 1e-12
    assert meta["bodies"] == ["upper", "lower"]
    assert meta["joints"] == ["joint-1", "joint-2"]
    assert meta["rank"] == 6
    (lane,) = comparison.compare(runs)
    assert lane.valid_until == 1.0
    assert (lane.degrees_off or 0.0) < 1e-6  # another integration than the lane's
    assert (lane.metres_off or 0.0) < 1e-9


def test_a_table_names_the_unit_of_each_joint_coordinate(tmp_path: Path) -> None:
    text = f'kind = "joints"\n{HEAD}[[body]]\nname = "rod"\nshape = "cuboid"\nsize = [1, 1, 1]\nmass = 1.0\n'
    text += '[[joint]]\nname = "tube"\ntype = "cylindrical"\nbetween = ["ground", "rod"]\naxis = [0, 0, 1]\n'
    scenario = parse_scenario(text, "mechanism.toml").changed(duration=0.1, step=0.05)
    trajectory_writers.save(tmp_path / "run.csv", runs := physics.simulate(scenario), scenario)
    header = (tmp_path / "run.csv").read_text(encoding="utf-8").partition("\n")[0].split(",")
    assert header[-2:] == ["tube.travel.joint_coordinates [m]", "tube.angle.joint_coordinates [rad]"]
    (again,) = trajectory_readers.load(tmp_path / "run.csv").values()
    np.testing.assert_array_equal(again.position, runs["moser-veselov"].position)


def test_angles_are_counted_beyond_half_a_turn() -> None:
    """A wheel of 25 rad/s against a weak spring, in energy too; its lane stores every 0.1 s: 2.5 rad."""
    text = 'kind = "joints"\nrecord_every = 10\n[[body]]\nname = "wheel"\nshape = "cylinder"\n'
    text += "size = [1, 1, 0.1]\nmass = 8.0\n"
    text += '[[joint]]\ntype = "hinge"\nbetween = ["ground", "wheel"]\naxis = [0, 0, 1]\nrate = 25.0\nstiffness = 4.0\n'
    scenario = parse_scenario(HEAD.replace("moser-veselov", "dop853") + text, "mechanism.toml")
    run = physics.simulate(scenario)["dop853"]
    angle = 12.5 * np.sin(2.0 * run.time)  # of a moment of 1 kg m²
    np.testing.assert_allclose(JointsWorld.of(scenario).counted(run)[0][:, 0, 0], angle, atol=1e-9)
    np.testing.assert_allclose(run.potential_energy, 2.0 * angle**2, atol=1e-7)


def test_what_a_motor_drives_is_counted_by_the_motor_however_few_states_are_stored() -> None:
    """Between two of them it turns there and back by up to 40 rad."""
    text = 'kind = "joints"\nrecord_every = 37\n[[body]]\nname = "wheel"\nshape = "cylinder"\nsize = [1, 1, 0.1]\n'
    text += 'mass = 8.0\n[[joint]]\ntype = "hinge"\nbetween = ["ground", "wheel"]\naxis = [0, 0, 1]\n'
    text = HEAD.replace("moser-veselov", "cayley-em") + text + "motor = {sine = [0.0, 20.0, 1.0, 0.0]}\n"
    scenario = parse_scenario(text, "mechanism.toml").changed(duration=3.0)
    run = physics.simulate(scenario)["cayley-em"]
    assert len(run) == 10
    told = system_of(scenario).derive(run, scenario)
    assert np.abs(told["joint_gap"]).max() < 1e-12
    angle = 20.0 * np.sin(2.0 * np.pi * run.time)
    np.testing.assert_allclose(told["joint_coordinates"][:, 0], angle, atol=1e-12)
