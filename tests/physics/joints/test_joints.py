"""Mechanisms: their equations against dense ones, motion by each scheme against states computed apart from this.

Cases and their states: joints.json.
"""

from __future__ import annotations

import numpy as np
import pytest

from physics.core.rotation import Array, apply
from physics.joints import elimination, motion, rows
from physics.joints.mechanism import Mechanism, MechanismMotion, motion_of, row_size
from physics.schemes import SCHEMES
from physics.schemes.joint_march import JOINTS
from physics.systems.joints.world import JointsWorld
from tests.physics.mechanisms import expected_of, march, place_error, potential, start_of, world_of

SERVING = [name for name, scheme in SCHEMES.items() if JOINTS in scheme.marches]


def error(world: JointsWorld, case: str, time: float, row: Array) -> float:
    """Largest difference of a number of the end state from that of the case, attitudes with their own sign."""
    expected, found = expected_of(case, world, time), motion_of(world.mechanism, row)
    q, w = world.from_principal(found.q, found.w)
    q = q * np.sign(np.sum(q[-1] * expected[:, 3:7], axis=-1))[:, None]
    return float(np.abs(np.column_stack([found.r[-1], q[-1], found.v[-1], w[-1]]) - expected).max())


def energies(mechanism: Mechanism, stored: Array) -> Array:
    """Kinetic and potential energy together, of each row."""
    m, found = mechanism, motion_of(mechanism, stored)
    kinetic = 0.5 * (m.bodies.mass[:, None] * found.v**2).sum((1, 2)) + 0.5 * (m.bodies.inertia * found.w**2).sum(
        (1, 2)
    )
    pose, u, lifted = rows.new_pose(m), np.zeros((len(m.bodies) + 1, 6)), []
    for row in stored:
        rows.unpack(m, row, pose, u)
        lifted.append(potential(m, pose))
    return np.asarray(kinetic + np.array(lifted))


def spins(mechanism: Mechanism, found: MechanismMotion) -> Array:
    """Angular momentum about the origin, of each row."""
    total = mechanism.bodies.mass[:, None] * np.cross(found.r, found.v)
    total += apply(found.q, mechanism.bodies.inertia * found.w)
    return np.asarray(total.sum(axis=1))


# ---- equations -------------------------------------------------------------------------------------------


def dense(m: Mechanism, e: elimination.JointEquations, soft: bool) -> tuple[Array, Array, list[tuple[int, int]]]:
    """Jacobian (n, b, 6) and compliance (n,) of all rows; joint and row of those of joints, which are the first."""
    b, used = len(m.bodies), []
    for j, joint in enumerate(m.joints):
        used += [(j, row) for row in joint.rows[: joint.hard + soft * joint.soft]]
    springs = range(len(m.springs)) if soft else range(0)
    G = np.zeros((len(used) + len(springs), b + 1, 6))
    for row, (j, k) in zip(G, used, strict=False):
        row[m.joints[j].first] += e.rows[j, k, 0]
        row[m.joints[j].second] += e.rows[j, k, 1]
    for s in springs:
        for side in range(2):
            G[len(used) + s, m.springs[s].bodies[side]] += e.springs[s, side]
    compliance = [e.joints[j].compliance[k] for j, k in used] + [e.dampers[s].compliance for s in springs]
    return G[:, :b], np.array(compliance), used


@pytest.mark.parametrize("soft", [False, True])
@pytest.mark.parametrize("case", ["chain-5", "puck", "tilted-cylindrical", "cat", "explorer", "bricard", "governor"])
def test_elimination_solves_the_equations_of_motion(case: str, soft: bool) -> None:
    """Trees and loops, with redundant rows, with dampers: M x - G^T l = f and G x + compliance l = g."""
    world = world_of(case)
    m, rng = world.mechanism, np.random.default_rng(3)
    room = motion.enter(m, start_of(world))
    b, j = len(m.bodies), len(m.joints)
    elimination.linearise(m, room.p, room.e)
    if soft:
        elimination.soften(m, room.e, 0.01)
    assert elimination.factor(m, room.e)
    f, g, x, multipliers = rng.normal(size=(b + 1, 6)), np.zeros((j, 6)), np.zeros((b + 1, 6)), np.zeros((j, 6))
    wanted = rng.normal(size=(b + 1, 6)) * (np.arange(b + 1) < b)[:, None]  # so that redundant rows agree
    rows.row_rates(m, room.e.rows, wanted, g)
    elimination.solve_constrained(m, room.e, f.copy(), g, x, multipliers)
    G, compliance, used = dense(m, room.e, soft)
    assert G.shape[0] == len(used)  # no spring has damping here
    found = np.array([multipliers[at] for at in used])
    inertia = np.column_stack([np.repeat(m.bodies.mass[:, None], 3, axis=1), m.bodies.inertia])
    scale = np.abs(inertia * x[:b]).max() + np.abs(G).max() * np.abs(found).max()
    assert np.abs(inertia * x[:b] - np.einsum("n,nbk->bk", found, G) - f[:b]).max() < 1e-12 * scale
    rates = np.einsum("nbk,bk->n", G, x[:b]) + compliance * found
    np.testing.assert_allclose(rates, [g[at] for at in used], atol=1e-10 * np.abs(x).max())


def test_dampers_of_springs_are_soft_rows() -> None:
    world = world_of("flyball-iftomm")
    m, room = world.mechanism, motion.enter(world.mechanism, start_of(world))
    elimination.linearise(m, room.p, room.e)
    elimination.soften(m, room.e, 0.01)
    assert elimination.factor(m, room.e)
    room.u[:4] = np.random.default_rng(5).normal(size=(4, 6))
    before = room.u.copy()
    motion.match(m, 0.0, room)
    G, _, used = dense(m, room.e, True)
    impulse = 0.01 * m.springs.damping * np.einsum("nbk,bk->n", G[len(used) :], room.u[:4])
    np.testing.assert_allclose(np.einsum("nbk,bk->n", G[: len(used)], room.u[:4]), 0.0, atol=1e-10)
    inertia = np.column_stack([np.repeat(m.bodies.mass[:, None], 3, axis=1), m.bodies.inertia])
    change = inertia * (room.u - before)[:4] + np.einsum("n,nbk->bk", impulse, G[len(used) :])
    forces = np.linalg.lstsq(G[: len(used)].reshape(len(used), -1).T, change.ravel(), rcond=None)[0]
    np.testing.assert_allclose(np.einsum("n,nbk->bk", forces, G[: len(used)]), change, atol=1e-8 * np.abs(change).max())


# ---- motion ----------------------------------------------------------------------------------------------

ENDS = {  # time and bound: chaos loses a digit a second of the planar double pendulum
    "compound-pendulum": (5.0, 1e-9),
    "heavy-top": (1.0, 1e-9),
    "double-pendulum-planar": (5.0, 1e-9),
    "double-pendulum-spatial": (10.0, 1e-9),
    "chain-5": (1.5, 1e-9),
    "chain-20": (1.0, 1e-9),
    "gimbals": (1.0, 1e-9),
    "explorer": (10.0, 1e-9),
    "gyrostat": (50.0, 1e-9),
    "cat": (2.0, 1e-9),
    "four-bar": (5.0, 1e-9),
    "slider-crank": (3.0, 1e-9),
    "bricard": (10.0, 1e-9),
    "double-four-bar": (0.5, 1e-9),
    "flyball-iftomm": (0.1, 1e-9),
    "governor": (3.0, 1e-9),
    "wheels": (10.0, 1e-9),
    "hooke": (4.0, 1e-9),
    "tilted-cylindrical": (5.0, 1e-9),
    "puck": (5.0, 1e-9),
}


@pytest.mark.parametrize("case", ENDS)
def test_dop853_ends_where_the_reference_does(case: str) -> None:
    duration, bound = ENDS[case]
    world = world_of(case)
    assert error(world, case, duration, march("dop853", world, duration, 0.05)) < bound


ORDERS = {
    "moser-veselov": 2,
    "lgvi": 2,
    "verlet-exact": 2,
    "yoshida-4": 4,
    "suzuki-4": 4,
    "kahan-li-6": 6,
    "rk4-unit": 4,
}


@pytest.mark.parametrize("name", ORDERS)
def test_order_is_that_of_the_row(name: str) -> None:
    coarse, fine = (place_error("double-pendulum-spatial", name, h, 1.0) for h in (0.01, 0.005))
    assert np.log2(coarse / fine) == pytest.approx(ORDERS[name], abs=0.35)


@pytest.mark.parametrize("name", [name for name in SERVING if SCHEMES[name].family != "engines"])
@pytest.mark.parametrize("case", ["double-pendulum-spatial", "bricard", "cat"])
def test_joints_stay_closed(name: str, case: str) -> None:
    world = world_of(case)
    gaps = motion.joint_gaps(world.mechanism, 0.01 * np.arange(1.0, 51.0), march(name, world, 0.5, 0.01, 50))
    assert np.abs(gaps).max() < 1e-12


FLOATING = ("stiffness = 2.0\ndamping = 0.05", "stiffness = 2.0")


@pytest.mark.parametrize("name", [name for name in SERVING if SCHEMES[name].symplectic])
def test_splittings_keep_spin_and_energy_of_a_floating_mechanism(name: str) -> None:
    world = world_of("explorer", FLOATING)
    stored = march(name, world, 20.0, 0.01, 20)
    found, energy = motion_of(world.mechanism, stored), energies(world.mechanism, stored)
    first = start_of(world)[None, : row_size(world.mechanism)]
    drift = spins(world.mechanism, found) - spins(world.mechanism, motion_of(world.mechanism, first))
    assert np.abs(drift).max() < 1e-12
    assert np.abs(energy - energies(world.mechanism, first)).max() < 1e-5


@pytest.mark.parametrize("name", ["verlet-exact", "yoshida-4"])
def test_damping_leaves_the_order(name: str) -> None:
    """Half of it acts by the rates before, half by those after."""
    errors = [place_error("tilted-cylindrical", name, h, 1.0) for h in (0.01, 0.005)]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(SCHEMES[name].order, abs=0.3)


@pytest.mark.parametrize("name", ["kahan-li-6", "rk4-unit", "dir-em", "mujoco-euler"])
@pytest.mark.parametrize("case", ["explorer", "bricard"])
def test_run_in_parts_is_the_same_run(name: str, case: str) -> None:
    world, run = world_of(case), SCHEMES[name].solver(JOINTS)
    whole, state = march(name, world, 0.4, 0.01, 4), start_of(world)
    parts = np.empty_like(whole)
    assert run is not None
    for i in (0, 2):
        assert run(world.mechanism, 0.01, 10, state, parts[i : i + 2]) == (2, 0.0)
    np.testing.assert_array_equal(parts, whole)


@pytest.mark.parametrize("name", ["moser-veselov", "rk4-unit", "dop853"])
def test_angles_are_counted_beyond_half_a_turn(name: str) -> None:
    """A motor of 3 rad/s for 4 s, through a universal joint: 12 rad at its end."""
    world = world_of("hooke")
    found = motion_of(world.mechanism, march(name, world, 4.0, 0.02, 4))
    np.testing.assert_allclose(found.coordinates[:, 0, 0], [3.0, 6.0, 9.0, 12.0], atol=1e-12)


@pytest.mark.parametrize(
    ("case", "h", "bound"), [("gimbals", 0.01, 3e-3), ("double-four-bar", 0.01, 2e-3), ("double-four-bar", 0.002, 1e-4)]
)
def test_rattle_turns_fast_rotors_and_passes_a_pose_where_the_rank_drops(case: str, h: float, bound: float) -> None:
    """A rotor that turns by 3 rad in a step; both four-bars lie flat within the first second."""
    world = world_of(case)
    stored = march("verlet-exact", world, 1.0, h, 10)
    energy, size = energies(world.mechanism, stored), energies(world.mechanism, start_of(world)[None])[0]
    assert np.abs(energy / size - 1.0).max() < bound
    assert np.abs(motion.joint_gaps(world.mechanism, 0.1 * np.arange(1.0, 11.0), stored)).max() < 1e-12


def test_step_without_solution_ends_the_run() -> None:
    """A rotor of 300 rad/s in gimbals turns by 3 rad in a step."""
    world, run = world_of("gimbals"), SCHEMES["moser-veselov"].solver(JOINTS)
    state, found = start_of(world), np.empty((5, row_size(world.mechanism)))
    before = state.copy()
    assert run is not None
    assert run(world.mechanism, 0.01, 1, state, found) == (0, np.inf)
    np.testing.assert_array_equal(state, before)


# ---- forces in joints ------------------------------------------------------------------------------------


def test_forces_in_joints_are_those_of_the_reference() -> None:
    world = world_of("double-pendulum-spatial")
    loads = motion.joint_loads(world.mechanism, np.ones(1), march("dop853", world, 1.0, 0.05))
    expected = [[-11.12775749395, -0.82202804226, 20.90980124420], [-5.33581273093, 0.18967984384, 3.64904809106]]
    np.testing.assert_allclose(loads.force[0], expected, atol=1e-6)
    np.testing.assert_allclose(loads.torque, 0.0, atol=1e-12)  # ball joints
    assert loads.rank.tolist() == [6]


@pytest.mark.parametrize(
    ("case", "rank"), {"four-bar": 17, "bricard": 29, "governor": 46, "double-four-bar": 29}.items()
)
def test_forces_that_are_not_unique_are_the_least(case: str, rank: int) -> None:
    """No other forces with the same effect are smaller: they have no part among those without effect."""
    world = world_of(case)
    m, room = world.mechanism, motion.enter(world.mechanism, start_of(world))
    loads = motion.joint_loads(m, np.zeros(1), start_of(world)[None, : row_size(m)])
    assert loads.rank.tolist() == [rank]
    elimination.linearise(m, room.p, room.e)
    G, _, used = dense(m, room.e, False)
    found = []
    for j, row in used:
        force, _, couple = rows.row_of(m, room.p, j, row)
        about_joint = np.subtract(couple, np.cross(room.p.joints[j].levers[1], force))
        found.append(loads.force[0, j] @ np.array(force) + loads.torque[0, j] @ about_joint)
    without_effect = np.linalg.svd(G.reshape(len(used), -1))[0][:, rank:]
    assert np.abs(np.array(found) @ without_effect).max() < 1e-9 * np.abs(found).max()
