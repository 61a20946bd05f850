"""Schemes of implicit steps and of engines on mechanisms: what they keep, their orders, and the free body.

Cases and their states: joints.json, from a computation apart from this program.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from physics import SCHEMES, Scenario, simulate
from physics.core.rotation import Array
from physics.joints.joint_types import NAMES
from physics.joints.mechanism import (
    BALL,
    HINGE,
    UNIVERSAL,
    Joint,
    MechanismMotion,
    from_drawing,
    motion_of,
    row_size,
    start_state,
)
from physics.joints.rows import gaps, new_pose, unpack
from physics.schemes import serving
from physics.schemes.cayley_em import kinetic_energy
from physics.schemes.joint_march import JOINTS
from physics.systems import system_of
from physics.systems.joints.world import JointsBlock, JointsWorld
from tests.physics.mechanisms import march, place_error, potential, start_of, world_of


def rows_of(world: JointsWorld, scheme: str, step: float, duration: float, rows: int = 1) -> Array:
    """Stored rows, the start before them."""
    return np.vstack([start_of(world)[: row_size(world.mechanism)], march(scheme, world, duration, step, rows)])


def measured(world: JointsWorld, rows: Array) -> dict[str, Array]:
    """Total energy and angular momentum."""
    motion = motion_of(world.mechanism, rows)
    q, w = world.from_principal(motion.q, motion.w)
    block = JointsBlock(
        np.zeros(len(rows)), motion.r, q, motion.v, w, np.zeros(len(rows)), coordinates=motion.coordinates
    )
    found = world.measures(block)
    return {"energy": found["kinetic_energy"] + found["potential_energy"], "spin": found["spin"]}


def largest_gap(world: JointsWorld, rows: Array) -> float:
    pose, u = new_pose(world.mechanism), np.zeros((len(world.parts) + 1, 6))
    out = np.zeros((len(world.mechanism.joints), 6))
    unpack(world.mechanism, rows[-1], pose, u)
    gaps(world.mechanism, 0.0, pose, out)
    return float(np.abs(out).max())


# ---- energy and momentum ---------------------------------------------------------------------------------

UNDAMPED = ("damping = 0.05", "")
SCLERONOMIC = {  # step, duration; joints.md: no damper, no motor
    "compound-pendulum": (0.01, 5.0),
    "heavy-top": (0.002, 1.0),
    "double-pendulum-planar": (0.005, 5.0),
    "double-pendulum-spatial": (0.01, 5.0),
    "chain-5": (0.005, 1.5),
    "chain-20": (0.01, 1.0),
    "gimbals": (0.001, 1.0),
    "explorer": (0.01, 10.0),
    "gyrostat": (0.01, 10.0),
    "four-bar": (0.01, 5.0),
    "slider-crank": (0.005, 3.0),
    "bricard": (0.01, 5.0),
    "governor": (0.01, 3.0),
    "puck": (0.01, 5.0),
}


@pytest.mark.parametrize("case", SCLERONOMIC)
@pytest.mark.parametrize(("scheme", "momentum"), [("cayley-em", 1e-12), ("quat-em", 1e-4)])
def test_energy_momentum_schemes_keep_energy_and_joints_and_the_momentum_of_what_floats(
    scheme: str, momentum: float, case: str
) -> None:
    world = world_of(case, UNDAMPED)
    rows = rows_of(world, scheme, *SCLERONOMIC[case], rows=10)
    found = measured(world, rows)
    energy, spin = found["energy"], found["spin"]
    size = max(abs(energy[0]), world.lift)
    assert np.abs(energy - energy[0]).max() < 1e-12 * size
    assert largest_gap(world, rows) < 1e-12
    if world.keeps_spin:
        assert np.abs(spin - spin[0]).max() < momentum * np.linalg.norm(spin[0])


@pytest.mark.parametrize("case", SCLERONOMIC)
def test_directors_keep_the_energy_of_their_velocities_which_no_rigid_body_exceeds(case: str) -> None:
    world, (step, duration) = world_of(case, UNDAMPED), SCLERONOMIC[case]
    m, state, march = world.mechanism, start_of(world), SCHEMES["dir-em"].solver(JOINTS)
    pose, u, kept, rows = new_pose(m), np.zeros((len(world.parts) + 1, 6)), [], [state[: row_size(m)].copy()]
    assert march is not None
    for _ in range(5):
        unpack(m, state, pose, u)
        kept.append(kinetic_energy(m, state) + potential(m, pose))
        rows.append(np.empty(row_size(m)))
        assert march(m, step, round(duration / step) // 5, state, rows[-1][None]) == (1, 0.0)
    found = measured(world, np.array(rows))
    size = max(abs(kept[0]), world.lift)
    assert np.ptp(kept) < 1e-12 * size
    assert -1e-2 * size < (found["energy"] - found["energy"][0]).min() < -1e-13 * size
    assert (found["energy"] - found["energy"][0]).max() < 1e-12 * size
    assert largest_gap(world, np.array(rows)) < 1e-12
    if world.keeps_spin:
        assert np.abs(found["spin"] - found["spin"][0]).max() < 1e-12 * np.linalg.norm(found["spin"][0])


@pytest.mark.parametrize(("scheme", "error"), [("cayley-em", 1e-13), ("quat-em", 1e-13), ("dir-em", 1e-7)])
def test_energy_is_kept_where_one_angle_of_a_sprung_universal_joint_turns_back(scheme: str, error: float) -> None:
    """Each angle does so at another time, at which its way in a step vanishes and its change does not."""
    box = {"shape": "cuboid", "size": (0.2, 0.3, 0.5), "mass": 1.0}
    joint = {"type": "universal", "between": ("a", "b"), "at": (0.25, 0, 0), "axis": (0, 0, 1), "axis2": (1, 0, 0)}
    scenario = Scenario(
        kind="joints",
        duration=1.0,
        step=0.01,
        schemes=[scheme],
        gravity={"g": 0.0},
        body=[{"name": "a", **box, "angular_velocity": (1, 2, -1)}, {"name": "b", **box, "position": (0.5, 0, 0)}],
        joint=[{**joint, "rates": (0.2, -0.9), "stiffness": (2, 3)}],
    )
    run = simulate(scenario)[scheme]
    assert run.time[-1] == pytest.approx(1.0)
    assert np.abs(run.total_energy / run.total_energy[0] - 1.0).max() < error


def test_a_damped_hinge_brings_explorer_towards_a_flat_spin() -> None:
    """The major-axis rule: angular momentum stays, energy falls, for 2000 s."""
    world = world_of("explorer", ("[0.02, 0.0, 5.0]", "[0.3, 0.0, 5.0]"), ("stiffness = 2.0", "stiffness = 0.2"))
    rows = rows_of(world, "cayley-em", 0.02, 2000.0, rows=20)
    found, spin = measured(world, rows), motion_of(world.mechanism, rows).w[:, 0]
    assert np.abs(found["spin"] - found["spin"][0]).max() < 1e-11 * np.linalg.norm(found["spin"][0])
    assert (np.diff(found["energy"]) < 0.0).all()
    assert np.linalg.norm(spin[-1]) == pytest.approx(0.40, abs=0.01)  # joints.md


# ---- order -----------------------------------------------------------------------------------------------

ORDERS = [  # case, scheme, step, duration, order
    ("double-pendulum-spatial", "cayley-em", 0.005, 1.0, 2.0),
    ("tilted-cylindrical", "cayley-em", 0.01, 1.0, 2.0),
    ("flyball-iftomm", "cayley-em", 0.001, 0.1, 2.0),
    ("wheels", "cayley-em", 0.01, 2.0, 2.0),
    ("cat", "cayley-em", 0.01, 2.0, 2.0),
    ("slider-crank", "cayley-em", 0.0025, 1.0, 2.0),
    ("double-pendulum-spatial", "quat-em", 0.005, 1.0, 2.0),
    ("flyball-iftomm", "quat-em", 0.001, 0.1, 2.0),
    ("wheels", "quat-em", 0.01, 2.0, 2.0),
    ("double-pendulum-spatial", "dir-em", 0.005, 1.0, 2.0),
    ("flyball-iftomm", "dir-em", 0.001, 0.1, 2.0),
    ("wheels", "dir-em", 0.01, 2.0, 2.0),
    ("double-pendulum-spatial", "lie-alpha", 0.005, 1.0, 2.0),
    ("four-bar", "lie-alpha", 0.005, 1.0, 2.0),
    ("tilted-cylindrical", "lie-alpha", 0.005, 1.0, 2.0),
    ("wheels", "lie-alpha", 0.01, 2.0, 2.0),
    ("double-pendulum-spatial", "mujoco-euler", 0.0025, 1.0, 1.0),
    ("tilted-cylindrical", "mujoco-euler", 0.0025, 1.0, 1.0),
    ("explorer", "mujoco-euler", 0.0025, 1.0, 1.0),
    ("double-pendulum-spatial", "xpbd", 0.005, 1.0, 1.0),
]


@pytest.mark.parametrize(("case", "scheme", "step", "duration", "order"), ORDERS)
def test_halving_the_step_shows_the_order(case: str, scheme: str, step: float, duration: float, order: float) -> None:
    errors = [place_error(case, scheme, step / n, duration) for n in (1, 2)]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.12)


@pytest.mark.parametrize("scheme", ["bullet", "ode"])
def test_bodies_apart_come_closer_to_the_motion_with_smaller_steps(scheme: str) -> None:
    errors = [place_error("double-pendulum-spatial", scheme, step, 1.0) for step in (0.01, 0.00125)]
    assert errors[1] < 0.25 * errors[0] < 0.05


@pytest.mark.parametrize(
    ("scheme", "case", "step", "duration", "place"),
    [
        # MuJoCo 4.0 Euler and pybullet's articulations, as they ran (joints.md, section 3)
        ("mujoco-euler", "double-pendulum-spatial", 0.01, 5.0, 1.32),
        ("mujoco-euler", "double-pendulum-spatial", 0.002, 5.0, 0.324),
        ("mujoco-euler", "chain-20", 0.002, 1.0, 0.158),
        ("mujoco-euler", "four-bar", 0.01, 5.0, 0.40),
        ("mujoco-euler", "four-bar", 0.002, 5.0, 0.50),
        # prototypes of the same laws, written apart (joints.md, section 3)
        ("mujoco-euler", "double-pendulum-spatial", 0.01, 1.0, 0.180),
        ("xpbd", "double-pendulum-spatial", 0.01, 1.0, 0.0180),
        ("lie-alpha", "double-pendulum-spatial", 0.01, 1.0, 2.69e-3),
        ("lie-alpha", "four-bar", 0.01, 5.0, 2.3e-2),
        ("cayley-em", "double-pendulum-spatial", 0.01, 1.0, 1.66e-3),
        ("cayley-em", "double-pendulum-spatial", 0.01, 5.0, 5.1e-2),
        ("cayley-em", "four-bar", 0.002, 5.0, 2.7e-4),
        ("cayley-em", "chain-20", 0.002, 1.0, 8.7e-4),
        ("moser-veselov", "double-pendulum-spatial", 0.0025, 1.0, 9.89e-5),
        ("verlet-exact", "double-pendulum-spatial", 0.0025, 1.0, 6.76e-5),
    ],
)
def test_errors_are_those_of_neighbours_and_prototypes(
    scheme: str, case: str, step: float, duration: float, place: float
) -> None:
    digits = len(f"{place:.3g}".split("e")[0].replace(".", "").lstrip("0"))
    assert place_error(case, scheme, step, duration) == pytest.approx(place, rel=0.6 * 10.0 ** (1 - digits))


def test_dampers_of_joints_act_at_the_end_of_a_step_as_those_of_mujoco() -> None:
    """A nut on a damped slide and a bob on a damped universal joint: places by MuJoCo 4.0.0 Euler, as it ran."""
    world = world_of("tilted-cylindrical")
    found = motion_of(world.mechanism, march("mujoco-euler", world, 0.2, 0.002)).r[-1]
    places = [
        [0.05501802626883, -0.02004315927382, 0.26524776615510],
        [0.28617990697995, 0.12895638889937, 0.21255238408626],
    ]
    np.testing.assert_allclose(found, places, rtol=0.0, atol=1e-12)


def test_joint_coordinates_do_not_depend_on_which_body_of_a_joint_comes_first() -> None:
    """A ball, a universal joint, a hinge, a slider and a cylindrical joint in a row, written outwards and inwards."""
    run = SCHEMES["mujoco-euler"].solver(JOINTS)
    assert run is not None
    places, still = np.arange(5.0)[:, None] * [0.6, 0.3, 0.2] + [0.3, 0.1, 0.1], np.tile([1.0, 0.0, 0.0, 0.0], (5, 1))
    found = []
    for outwards in (True, False):
        joints = []
        for i, kind in enumerate((BALL, UNIVERSAL, HINGE, *map(NAMES.index, ("slider", "cylindrical")))):
            ends, axes = (i - 1, i), ((0.0, 1.0, 0.3), (3.0, 0.0, 0.0))
            if not outwards:
                ends, axes = ends[::-1], axes[::-1] if kind == UNIVERSAL else axes
            joints.append(Joint(kind, *ends, (0.6 * i, 0.3 * i, 0.2 * i), *axes))
        mechanism = from_drawing(np.ones(5), np.full((5, 3), (0.1, 0.15, 0.2)), places, still, joints)
        state = start_state(mechanism, places, still, np.zeros((5, 3)), np.zeros((5, 3)))
        out = np.empty((1, row_size(mechanism)))
        assert run(mechanism, 0.005, 100, state, out) == (1, 0.0)
        found.append(motion_of(mechanism, out))
    assert np.linalg.norm(found[0].r[0] - places, axis=1).min() > 0.01
    for one, other in zip(found[0][:4], found[1][:4], strict=True):
        np.testing.assert_allclose(one, other, rtol=0.0, atol=1e-11)


# ---- springs between points ------------------------------------------------------------------------------

OFF = {1: 0.02, 2: 2e-3}  # [rad], [m]: by the order of a scheme; of higher ones, 1e-5


@pytest.mark.parametrize("scheme", serving("joints"))
@pytest.mark.parametrize("damping", [0.0, 0.5])
def test_a_pendulum_on_a_point_spring_moves_as_its_one_equation(scheme: str, damping: float) -> None:
    """I a = -m g l sin(angle) + torque of the spring, by scipy; damped or not, a spring is a row of its own."""
    mass, length, rest, stiffness, foot = 1.0, 0.5, 0.8, 20.0, np.array([1.0, -1.0])
    inertia = mass * (0.1**2 + 1.0) / 12.0 + mass * length**2

    def rates(_: float, y: Array) -> list[float]:
        sine, cosine = np.sin(y[0]), np.cos(y[0])
        tip, slope = np.array([-sine, -cosine]), np.array([-cosine, sine])  # x, z at the end of the rod
        apart = tip - foot
        size = float(np.linalg.norm(apart))
        pull = stiffness * (size - rest) + damping * float(apart @ slope) / size * y[1]
        return [y[1], (-9.81 * mass * length * sine - pull * float(apart @ slope) / size) / inertia]

    truth = solve_ivp(rates, (0.0, 1.0), [0.5, 0.0], "DOP853", rtol=1e-12, atol=1e-12)
    body = {"name": "arm", "size": [0.1, 0.1, 1.0], "mass": mass, "position": [0, 0, -length]}
    hinge = {"type": "hinge", "between": ["ground", "arm"], "axis": [0, 1, 0], "angle": 0.5}
    spring = {"between": ["ground", "arm"], "from": [1, 0, -1], "to": [0, 0, -1], "rest": rest}
    acts = {"stiffness": stiffness, "damping": damping}
    scenario = Scenario(
        kind="joints", duration=1.0, step=0.005, schemes=[scheme], body=[body], joint=[hinge], spring=[spring | acts]
    )
    world = JointsWorld.of(scenario)
    rows = rows_of(world, scheme, 0.005, 1.0, rows=10)
    assert abs(motion_of(world.mechanism, rows).coordinates[-1, 0, 0] - truth.y[0, -1]) < OFF.get(
        SCHEMES[scheme].order or 8, 1e-5
    )
    if scheme in ("cayley-em", "quat-em") and not damping:
        energy = measured(world, rows)["energy"]
        assert np.abs(energy - energy[0]).max() < 1e-12 * world.lift


@pytest.mark.parametrize("scheme", ["cayley-em", "lie-alpha"])
def test_a_strut_that_closes_a_loop_acts_as_a_point_spring_between_its_ends(scheme: str) -> None:
    """A damped slider within a loop, as of a shock absorber: its travel is how much its ends come apart."""
    names, places = ("arm", "sleeve", "rod"), ([0.5, 0, 0], [0.25, 0, -0.25], [0.75, 0, -0.25])
    bodies = [
        {"name": name, "size": [0.3, 0.1, 0.1], "mass": 1.0, "position": at}
        for name, at in zip(names, places, strict=True)
    ]
    pairs = (("ground", "arm", [0, 0, 0]), ("ground", "sleeve", [0, 0, -0.5]), ("arm", "rod", [1, 0, 0]))
    hinges = [{"type": "hinge", "between": [a, b], "at": at, "axis": [0, 1, 0]} for a, b, at in pairs]
    hinges[0]["angle"] = -0.3
    slider = {"type": "slider", "between": ["sleeve", "rod"], "at": [0.5, 0, -0.25], "axis": [1, 0, 0.5]}
    acts, length = {"stiffness": 40.0, "damping": 3.0}, float(np.hypot(1.0, 0.5))
    spring = {"between": ["ground", "arm"], "from": [0, 0, -0.5], "to": [1, 0, 0], "rest": length} | acts
    ends = []
    for acting, springs in ((acts, []), ({}, [spring])):
        made = {"body": bodies, "joint": [*hinges, slider | acting], "spring": springs}
        run = simulate(Scenario(kind="joints", duration=0.5, step=0.01, schemes=[scheme], **made))[scheme]
        ends.append(run.position[-1])
    np.testing.assert_allclose(*ends, atol=1e-4)


@pytest.mark.parametrize("scheme", serving("joints"))
def test_a_body_that_is_fixed_beside_its_centre_rests(scheme: str) -> None:
    """An askew body on a lever whose axes and weight are none of the joint's: rows closed one by one drive it away."""
    body = {
        "name": "stone",
        "mass": 2.73,
        "inertia": [0.1345, 0.1168, 0.1038, -0.0075, -0.0117, -0.059],
        "position": [-0.407, 0.174, 0.124],
        "orientation": [3.3, -3.85, -1.98, -2.51],
    }
    joint = {"type": "fixed", "between": ["stone", "ground"], "at": [-0.37, 0.693, 0.411]}
    made = {"body": [body], "joint": [joint], "gravity": {"vector": [3.1, 2.0, 4.8]}}
    run = simulate(Scenario(kind="joints", duration=0.02, step=0.0005, schemes=[scheme], **made))[scheme]
    assert np.abs(run.position - run.position[0]).max() < 1e-4


@pytest.mark.parametrize("scheme", serving("joints"))
def test_bodies_that_a_spring_alone_joins_oscillate(scheme: str) -> None:
    """Without any joint: their distance by hand, and files and loads of no joint."""
    bodies = [
        {"name": name, "size": [0.1, 0.2, 0.3], "mass": 1.0, "position": [x, 0, 0], "velocity": [v, 0, 0]}
        for name, x, v in (("a", 0.0, 0.5), ("b", 1.0, 0.0))
    ]
    spring = {"between": ["a", "b"], "from": [0, 0, 0], "to": [1, 0, 0], "stiffness": 20.0, "rest": 0.8}
    scenario = Scenario(
        kind="joints", duration=1.0, step=0.005, schemes=[scheme], gravity={"g": 0}, body=bodies, spring=[spring]
    )
    run = simulate(scenario)[scheme]
    w = np.sqrt(20.0 / 0.5)
    apart = 0.8 + 0.2 * np.cos(w * run.time) - 0.5 / w * np.sin(w * run.time)
    found = run.position[:, 1, 0] - run.position[:, 0, 0]
    np.testing.assert_allclose(found, apart, atol=OFF.get(SCHEMES[scheme].order or 8, 1e-5))
    told = system_of(scenario).derive(run, scenario)
    assert told["joint_gap"].tolist() == [0.0] * len(run.time)
    assert [told[name].shape[1] for name in ("joint_force", "joint_torque", "joint_coordinates")] == [0, 0, 0]


@pytest.mark.parametrize("scheme", ["cayley-em", "lie-alpha", "rk4-unit", "mujoco-euler", "dop853", "moser-veselov"])
@pytest.mark.parametrize("moment", [1e-6, 1e-12])
def test_a_point_mass_swings_or_its_lane_ends_with_a_sentence(scheme: str, moment: float) -> None:
    """A bob on a massless rod (IFToMM's first benchmark): the cosine of its angle follows from the energy."""
    bob = {"name": "bob", "shape": "inertia", "mass": 1.0, "inertia": [moment] * 3, "position": [-1, 0, 0]}
    hinge = {"type": "hinge", "between": ["ground", "bob"], "axis": [0, 1, 0]}
    scenario = Scenario(kind="joints", duration=1.0, step=0.01, schemes=[scheme], body=[bob], joint=[hinge])
    run = simulate(scenario)[scheme]
    if scheme == "moser-veselov" or run.events[-1].failed:  # its angle by the small moment alone has no solution
        assert "no solution" in run.events[-1].text
        assert scheme in ("moser-veselov", "dop853")
        return
    truth = solve_ivp(
        lambda _, y: [y[1], -9.81 * np.cos(y[0])], (0.0, 1.0), [0.0, 0.0], "DOP853", rtol=1e-12, atol=1e-12
    )
    angle = truth.y[0, -1]
    np.testing.assert_allclose(run.position[-1, 0, [0, 2]], [-np.cos(angle), np.sin(angle)], atol=0.02)


# ---- one free body ---------------------------------------------------------------------------------------

J, Q, W = np.array([0.2, 0.5, 0.6]), np.array([0.6, 0.0, 0.8, 0.0]), np.array([0.3, 2.0, 0.1])


def free_motion(scheme: str) -> MechanismMotion:
    mechanism = from_drawing([1.5], [J], [[0.0, 0.0, 0.0]], [Q], [], gravity=(0.0, 0.0, 0.0))
    state = start_state(mechanism, [[0.0, 0.0, 0.0]], [Q], [[1.0, -2.0, 0.5]], [W])
    out = np.empty((100, row_size(mechanism)))
    march = SCHEMES[scheme].solver(JOINTS)
    assert march is not None
    assert march(mechanism, 0.02, 1, state, out) == (100, 0.0)
    return motion_of(mechanism, out)


OF_BOTH = ("moser-veselov", "rk4-unit", "quat-em", "dir-em", "lie-alpha", "mujoco-euler", "bullet", "ode", "xpbd")


@pytest.mark.parametrize("scheme", ["cayley-em", *OF_BOTH])
def test_one_free_body_moves_as_by_the_scheme_of_the_free_body(scheme: str) -> None:
    """That of ``implicit`` for cayley-em, whose angle about the spin is another one."""
    found, free = free_motion(scheme), SCHEMES["implicit" if scheme == "cayley-em" else scheme]
    out = np.empty((100, 7))
    free.march(J, np.zeros(12), 0.02, 1, free.start(J, Q, W), out)
    np.testing.assert_allclose(found.w[:, 0], out[:, 4:], atol=1e-11 if scheme == "lie-alpha" else 1e-12)
    if scheme != "cayley-em":
        assert np.abs((found.q[:, 0] * out[:, :4]).sum(axis=1)).min() > 1.0 - 1e-13
    np.testing.assert_allclose(found.r[-1, 0], [2.0, -4.0, 1.0], atol=1e-12)
    if scheme == "cayley-em":
        turned = Rotation.from_quat(found.q[:, 0], scalar_first=True).apply(J * found.w[:, 0])
        np.testing.assert_allclose(turned, [turned[0]] * 100, atol=1e-12)
