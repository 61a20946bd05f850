"""A ship that gravity and buoyancy right, and the chain of rods that hangs from it.

What rights it is the law of the kind ``vessel`` (Gustafsson 2010, section 5.2). Motions are compared with a computation
of this file alone; shapes and frequencies of chains with closed forms.
"""

from __future__ import annotations

import math
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq
from scipy.spatial.transform import Rotation
from scipy.special import ellipk, eval_laguerre, j0, jn_zeros, roots_laguerre

from physics import Scenario, ScenarioError, reference, simulate
from physics.core.rotation import Array
from physics.joints.mechanism import motion_of
from physics.joints.motion import joint_loads
from physics.systems.joints.world import JointsWorld
from tests.physics.mechanisms import march

G = 9.81
INERTIA = (1.4e7, 2.0e8, 2.1e8)
SHIP = {"name": "ship", "size": [60.0, 12.0, 8.0], "mass": 9e5, "inertia": list(INERTIA)}
HEIGHTS = {"transverse": 1.5, "longitudinal": 40.0}
STERN = np.array([-28.0, 2.0, 1.0])
START = {"orientation": [0.98, 0.14, 0.1, 0.1], "angular_velocity": [0.1, -0.05, 0.02]}
ROD = {"shape": "cylinder", "size": [0.5, 0.5, 10.0], "mass": 6000.0}


def pipe(links: int = 2, **more: Any) -> Scenario:
    """A ship, held where its centre of mass is, with rods that hang from its stern."""
    chain = {
        "name": "pipe",
        "from": "ship",
        "links": links,
        "length": 10.0,
        "at": STERN.tolist(),
        "direction": [0, 0, -1],
    }
    tables = {
        "body": [SHIP | {"restoring": HEIGHTS}],
        "joint": [{"type": "ball", "between": ["ground", "ship"], **START}],
        "chain": [chain | ROD] if links else [],
    }
    usual = {"duration": 4.0, "step": 0.02, "schemes": ["cayley-em"]}
    return Scenario(kind="joints", **(usual | tables | more))


def hat(a: Array) -> Array:
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])


@cache
def by_hand(links: int, duration: float) -> Array:
    """Places (b, 3) of the centres of mass at the end, by all forces of the joints at once, in inertial axes."""
    w, x, y, z = np.array(START["orientation"]) / np.linalg.norm(START["orientation"])
    turn = Rotation.from_quat([x, y, z, w]).as_matrix()
    rod = np.diag([ROD["mass"] * (3.0 * 0.25**2 + 100.0) / 12.0] * 2 + [ROD["mass"] * 0.25**2 / 2.0])
    inertia = [np.diag(INERTIA), *[rod] * links]
    K = SHIP["mass"] * G * np.diag([HEIGHTS["longitudinal"], HEIGHTS["transverse"], 0.0])
    up, half, n = np.array([0.0, 0.0, 1.0]), np.array([0.0, 0.0, 5.0]), links + 1
    # joint i: its arms on bodies i and i + 1
    arms = [(STERN if i == 0 else -half, half) for i in range(links)]

    def rate(time: float, state: Array) -> Array:
        _, R, v, W = np.split(state, [3 * n, 12 * n, 15 * n])
        R, v, W = R.reshape(n, 3, 3), v.reshape(n, 3), W.reshape(n, 3)
        size = 6 * n + 3 * (links + 1)
        A, b = np.zeros((size, size)), np.zeros(size)
        for i in range(n):
            mass, I = SHIP["mass"] if i == 0 else ROD["mass"], R[i] @ inertia[i] @ R[i].T
            A[6 * i : 6 * i + 3, 6 * i : 6 * i + 3], A[6 * i + 3 : 6 * i + 6, 6 * i + 3 : 6 * i + 6] = (
                mass * np.eye(3),
                I,
            )
            b[6 * i : 6 * i + 3], b[6 * i + 3 : 6 * i + 6] = -mass * G * up, -np.cross(W[i], I @ W[i])
        b[3:6] += np.cross(up, R[0] @ K @ R[0].T @ up)
        pairs = [(None, 0, np.zeros(3), np.zeros(3)), *((i, i + 1, *arms[i]) for i in range(links))]
        for j, (one, other, l, m) in enumerate(pairs):
            row = slice(6 * n + 3 * j, 6 * n + 3 * j + 3)
            for body, arm, sign in ((one, l, -1.0), (other, m, 1.0)):
                if body is not None:
                    at, lever = 6 * body, R[body] @ arm
                    both = sign * np.hstack([np.eye(3), -hat(lever)])
                    A[row, at : at + 6] += both
                    A[at : at + 6, row] -= both.T
                    b[row] -= sign * np.cross(W[body], np.cross(W[body], lever))
        found = np.linalg.solve(A, b)[: 6 * n].reshape(n, 6)
        turning = np.array([hat(W[i]) @ R[i] for i in range(n)])
        return np.concatenate([v.ravel(), turning.ravel(), found[:, :3].ravel(), found[:, 3:].ravel()])

    places = np.array([np.zeros(3), *(STERN - (2 * i + 1) * half for i in range(links))]) @ turn.T
    W = turn @ START["angular_velocity"]
    start = [places, np.tile(turn, (n, 1, 1)), np.cross(W, places), np.tile(W, (n, 1))]
    whole = np.concatenate([one.ravel() for one in start])
    end = solve_ivp(rate, (0.0, duration), whole, "DOP853", rtol=1e-11, atol=1e-11).y[:, -1]
    return np.asarray(end[: 3 * n].reshape(n, 3))


def test_the_true_motion_of_a_ship_with_a_pipe_is_that_of_a_computation_apart() -> None:
    true = reference(pipe())
    assert true.valid_until == 4.0
    np.testing.assert_allclose(true.position[-1], by_hand(2, 4.0), atol=1e-7)


ORDERS = {
    "cayley-em": 2,
    "quat-em": 2,
    "dir-em": 2,
    "moser-veselov": 2,
    "yoshida-4": 4,
    "lie-alpha": 2,
    "mujoco-euler": 1,
}


@pytest.mark.parametrize("scheme", ORDERS)
def test_schemes_converge_with_their_order_to_the_motion_of_a_righted_ship(scheme: str) -> None:
    world, errors = JointsWorld.of(pipe()), []
    for step in (0.05, 0.025):
        end = motion_of(world.mechanism, march(scheme, world, 4.0, step)).r[-1]
        errors.append(float(np.abs(end - by_hand(2, 4.0)).max()))
    assert 0.85 * 2 ** ORDERS[scheme] < errors[0] / errors[1] < 1.2 * 2 ** ORDERS[scheme]


@pytest.mark.parametrize("scheme", ["cayley-em", "quat-em"])
def test_energy_momentum_schemes_keep_the_energy_of_what_rights_a_ship(scheme: str) -> None:
    scenario = pipe(4, schemes=[scheme], step=0.1, duration=60.0)
    run, world = simulate(scenario)[scheme], JointsWorld.of(scenario)
    assert np.ptp(run.total_energy) < 1e-11 * world.lift
    assert np.ptp(run.kinetic_energy) > 0.1 * world.lift  # it has moved
    if scheme == "cayley-em":  # the vertical is the axis of all that acts
        assert np.ptp(run.spin[:, 2]) < 1e-11 * np.abs(run.spin).max()


def test_a_ship_without_a_pipe_is_the_one_of_the_kind_vessel() -> None:
    usual = {"duration": 5.0, "step": 0.05, "schemes": [scheme := "verlet-exact"]}
    body = {key: value for key, value in SHIP.items() if key != "name"}
    alone = Scenario(kind="vessel", body=body, vessel={"metacentric_height": HEIGHTS}, initial=START, **usual)
    one, other = simulate(pipe(0, **usual))[scheme], simulate(alone)[scheme]
    np.testing.assert_allclose(one.orientation[:, 0], other.orientation, atol=1e-11)
    np.testing.assert_allclose(one.potential_energy, other.potential_energy, rtol=1e-10)


def test_errors_of_an_upright_ship_are_shares_of_an_energy_of_its_size() -> None:
    """One that heaves on a spring, upright: its energy at the start is that of the spring alone, and 0 with none."""
    slider = {"type": "slider", "between": ["ground", "ship"], "axis": [0, 0, 1], "stiffness": 1e6, "travel": 1.0}
    world = JointsWorld.of(pipe(0, joint=[slider]))
    assert 0.1 < world.lift / (SHIP["mass"] * G * HEIGHTS["transverse"]) < 10.0
    rolls = [
        JointsWorld.of(pipe(0, joint=[START | {"type": "ball", "between": ["ground", "ship"], "orientation": q}]))
        for q in ([1.0, 0.0, 0.0, 0.0], [math.cos(0.05), math.sin(0.05), 0.0, 0.0], [0.9, 0.0, 0.3, 0.0])
    ]
    level, heeled, trimmed = (one.lift for one in rolls)
    assert level == heeled < trimmed


def test_a_ship_that_is_let_go_rolls_with_the_period_of_a_pendulum_at_twice_its_heel() -> None:
    heel = math.radians(20.0)
    half = 2.0 * ellipk(math.sin(heel) ** 2) / math.sqrt(SHIP["mass"] * G * HEIGHTS["transverse"] / INERTIA[0])
    held = {
        "type": "ball",
        "between": ["ground", "ship"],
        "orientation": [math.cos(heel / 2), math.sin(heel / 2), 0, 0],
    }
    usual = {"duration": half, "step": half / 200, "schemes": ["kahan-li-6"]}
    found = simulate(pipe(0, joint=[held], **usual))["kahan-li-6"].orientation[-1, 0]
    np.testing.assert_allclose(found, [math.cos(heel / 2), -math.sin(heel / 2), 0, 0], atol=1e-8)


# ---- chains ----------------------------------------------------------------------------------------------


def test_point_masses_swing_by_laguerre_polynomials() -> None:
    """L_k(x) of mass k from below: its recurrence, (k + 1) L_k+1 = (2k + 1 - x) L_k - k L_k-1, is their equation."""
    n, length, time, small = 5, 0.7, 3.0, 1e-5
    x, _ = roots_laguerre(n)
    shapes = np.array([eval_laguerre(k, x) for k in range(n)])  # of mass k by mode
    shapes *= small * np.linspace(1.0, -0.5, n) / np.abs(shapes).max(axis=0)
    rates = np.sqrt(G / length * x)
    at, before, bodies, joints = np.zeros(3), "ground", [], []
    for i, aside in enumerate(shapes.sum(axis=1)[::-1]):
        name, place = f"mass-{i + 1}", np.array([aside, 0.0, at[2] - math.sqrt(length**2 - (aside - at[0]) ** 2)])
        bodies.append({"name": name, "shape": "sphere", "radius": 1e-3, "mass": 1.0, "position": place.tolist()})
        joints.append({"type": "ball", "between": [before, name], "at": at.tolist()})
        at, before = place, name
    usual = {"duration": time, "step": 0.01, "schemes": ["kahan-li-6"]}
    run = simulate(Scenario(kind="joints", body=bodies, joint=joints, **usual))["kahan-li-6"]
    np.testing.assert_allclose(run.position[-1, ::-1, 0], shapes @ np.cos(rates * time), atol=1e-4 * small)


def test_a_hanging_pipe_swings_with_the_first_zero_of_bessel() -> None:
    """sqrt(g / length) j / 2: O'Neil, Advanced Engineering Mathematics, section 15.3, of a chain without links."""
    links, length = 12, 1.0
    chain = {
        "links": links,
        "length": length / links,
        "direction": [1e-4, 0, -1],
        "mass": 0.1,
        "size": [0.004, 0.004, 0.08],
    }
    period = 4.0 * math.pi / (jn_zeros(0, 1)[0] * math.sqrt(G / length))
    usual = {"duration": 3.0 * period, "step": 0.005, "schemes": ["moser-veselov"]}
    run = simulate(Scenario(kind="joints", chain=[chain], **usual))["moser-veselov"]
    # the first mode, by its share of the motion: all links weighed by J0
    depth = length - (np.arange(links) + 0.5) * length / links
    mode = run.position[:, :, 0] @ j0(jn_zeros(0, 1)[0] * np.sqrt(depth / length))
    falls = np.flatnonzero((mode[:-1] > 0.0) & (mode[1:] <= 0.0))
    crossed = run.time[falls] + (run.time[1] - run.time[0]) * mode[falls] / (mode[falls] - mode[falls + 1])
    np.testing.assert_allclose(np.diff(crossed), period, rtol=0.01)


def in_balance(links: int, length: float, span: float) -> tuple[Array, float]:
    """Angles (links,) from the horizontal of equal rods between two points, and the horizontal force over a weight."""
    below = np.arange(links) - 0.5 * (links - 1)  # weights below the middle of each rod

    def reached(force: float) -> float:
        return length * float(np.cos(np.arctan(below / force)).sum()) - span

    force = float(brentq(reached, 1e-3, 1e3))
    return np.arctan(below / force), force


def test_damped_rods_come_to_rest_as_the_chain_in_balance_and_near_the_catenary() -> None:
    links, length, span = 10, 1.0, 8.0
    down = math.sqrt((links * length / 2) ** 2 - (span / 2) ** 2)
    rod = {
        "shape": "cuboid",
        "size": [0.02, 0.02, 0.02],
        "mass": 1.0,
        "length": length,
        "damping": 3.0,
        "links": links // 2,
    }
    rod |= {"inertia": [0.01, 1 / 12, 1 / 12]}
    halves = [
        rod | {"name": "left", "direction": [span / 2, 0, -down]},
        rod
        | {"name": "right", "direction": [span / 2, 0, down], "at": [span / 2, 0, -down], "from": f"left-{links // 2}"},
    ]
    end = {"type": "ball", "between": [f"right-{links // 2}", "ground"], "at": [span, 0, 0]}
    usual = {"duration": 60.0, "step": 0.02, "record_every": 3000, "schemes": ["lie-alpha"]}
    scenario = Scenario(kind="joints", chain=halves, joint=[end], **usual)
    run, world = simulate(scenario)["lie-alpha"], JointsWorld.of(scenario)
    angles, force = in_balance(links, length, span)
    corners = np.concatenate(
        [[[0.0, 0.0]], np.cumsum(length * np.stack([np.cos(angles), np.sin(angles)], axis=1), axis=0)]
    )
    middles = np.array([0.5 * (a + b) for a, b in pairwise(corners)])
    np.testing.assert_allclose(run.position[-1][:, [0, 2]], middles, atol=1e-6)
    loads = joint_loads(world.mechanism, run.time[-1:], world.stored(run.rows(slice(-1, None))))
    np.testing.assert_allclose(np.abs(loads.force[0, :, 0]), force * G, rtol=1e-6)
    # the catenary of the same length: a cosh((x - span/2)/a), 2 a sinh(span/2/a) = links length
    a = float(brentq(lambda a: 2 * a * math.sinh(span / 2 / a) - links * length, 1.0, 100.0))
    curve = a * np.cosh((corners[:, 0] - span / 2) / a) - a * math.cosh(span / 2 / a)
    np.testing.assert_allclose(corners[:, 1], curve, atol=0.01 * links * length)


# ---- files -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "field", "words"),
    [
        ({"gravity": {"g": 0.0}}, "body.0.restoring", "gravity"),
        ({"body": [SHIP | {"restoring": {"transverse": 1.0}}]}, "body.0.restoring.longitudinal", "missing"),
        ({"body": [SHIP | {"restoring": HEIGHTS | {"transverse": -1.0}}]}, "body.0.restoring.transverse", "at least 0"),
        ({"body": [SHIP | {"restoring": 2.0}]}, "body.0.restoring", "table"),
        ({"joint": []}, "body.0.restoring", "'ship' to the ground"),
    ],
)
def test_metacentric_heights_that_say_nothing_are_refused(change: dict[str, Any], field: str, words: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        pipe(**change)
    assert caught.value.field == field
    assert words in str(caught.value)
