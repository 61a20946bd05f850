"""The schemes of Betsch & Siebert (2009) and Moser-Veselov: their equations, the paper's cases, their limits.

The tables were measured for the project with independent programs, against solutions of 20 digits.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import physics
from physics.core.rotation import apply, conjugate, matrix, multiply
from physics.schemes import dir_em, quat_em

CASES = json.loads((Path(__file__).parents[1] / "reference.json").read_text())["cases"]
TOP, FREE = CASES["betsch_top"], CASES["betsch_free"]
NAMES = ("quat-em", "quat-vi", "dir-em", "algo-c1")
CONE = {"shape": "cone", "height": 0.1, "radius": 0.05, "density": 2700}
STEADY = {"nutation": np.pi / 3, "precession": 10, "spin": "steady"}
WEIGHT = TOP["problem"]["MgL"]
J_TOP = np.array(TOP["problem"]["J"])


def run(kind, name, step, duration, body, initial, **more):
    scenario = physics.Scenario(
        kind=kind, duration=duration, step=step, schemes=[name], body=body, initial=initial, **more
    )
    return physics.simulate(scenario)[name]


def free(name, step, duration=1.0, inertia=(6, 8, 3), w=(10, 20, 20), **more):
    body = {"shape": "inertia", "inertia": inertia, "mass": 1}
    return run("free", name, step, duration, body, {"angular_velocity": w, **more})


def top(name, step, duration=1.0, initial=STEADY, body=CONE, **more):
    return run("top", name, step, duration, body, initial, **more)


def distance(one, other):
    """Frobenius norm of R1 R2^T - I: the paper's error of the attitude."""
    return np.linalg.norm(matrix(one) @ matrix(other).T - np.eye(3))


def random_walk(error):
    assert np.abs(error).max() < 1e-12
    assert np.abs(error[-len(error) // 10 :]).max() < 20 * np.sqrt(len(error)) * 2.2e-16


def slope(steps, errors):
    """Order of convergence from the points between the plateau of rounding and the first signs of it."""
    points = [(h, e) for h, e in zip(steps, errors, strict=True) if 1e-10 < e < 0.2]
    assert len(points) >= 3
    return np.polyfit(*np.log(np.array(points).T), 1)[0]


# ---- the steps solve the paper's equations ------------------------------------------------------------


def left(q):
    """Q_l(q) of (10): its columns are q o 1, q o i, q o j, q o k."""
    return multiply(q, np.eye(4)).T


def gradient(q, pull):
    """Gradient of V = pull d3.e3 as a quadratic function of four numbers: -2 pull k o q o k."""
    k = np.array([0.0, 0.0, 0.0, 1.0])
    return -2.0 * pull * multiply(multiply(k, q), k)


@pytest.mark.parametrize("h", [0.002, 0.01])
def test_quat_em_solves_52_and_53(h):
    found, J4 = top("quat-em", h), np.diag([J_TOP.sum() / 2, *J_TOP])
    q = found.orientation
    p = 2 * multiply(q, np.pad(J_TOP * found.angular_velocity, ((0, 0), (1, 0))))
    for n in range(20):
        middle, momentum = (q[n] + q[n + 1]) / 2, (p[n] + p[n + 1]) / 2
        invariant = left(q[n]).T @ p[n] + left(q[n + 1]).T @ p[n + 1]
        first = q[n + 1] - q[n] - h / 8 * left(middle) @ np.linalg.solve(J4, invariant)
        mirrored = left(p[n]).T @ q[n] + left(p[n + 1]).T @ q[n + 1]
        second = p[n + 1] - p[n] + h / 8 * left(momentum) @ np.linalg.solve(J4, mirrored) + h * gradient(middle, WEIGHT)
        assert np.abs(first).max() < 1e-15
        assert np.abs(left(middle).T[1:] @ second).max() < 1e-15 * np.linalg.norm(p[n])  # G(q) = last rows of Q_l^T


def test_quat_vi_solves_e1():
    h = 0.005
    q = top("quat-vi", h).orientation

    def mass(at):
        return 4 * left(at)[:, 1:] @ np.diag(J_TOP) @ left(at)[:, 1:].T

    for n in range(1, 20):
        forces = gradient((q[n - 1] + q[n]) / 2, WEIGHT) + gradient((q[n] + q[n + 1]) / 2, WEIGHT)
        whole = (mass(q[n - 1]) + mass(q[n + 1])) @ q[n] / h - h / 2 * forces
        assert np.abs(whole - q[n] * (q[n] @ whole)).max() < 2e-13 * np.abs(mass(q[n])).max() / h


def test_dir_em_keeps_the_midpoint_rule_and_the_null_space():
    h, field = 0.01, np.array([0, 0, WEIGHT, 0, 0, 0, 0, 0, 0.0])
    E = J_TOP.sum() / 2 - J_TOP
    state, out = dir_em.start(J_TOP, np.array(TOP["problem"]["q0"]), np.array(TOP["problem"]["w0"])), np.empty((1, 7))

    def seen():
        R = matrix(state[:4])
        return R, R @ state[4:].reshape(3, 3).T  # directors and their velocities, in columns

    for _ in range(50):
        d, v = seen()
        dir_em.march(J_TOP, field, h, 1, state, out)
        d1, v1 = seen()
        assert np.abs(d1 - d - h / 2 * (v + v1)).max() < 3e-15
        force = E * (v1 - v)
        force[2] += h * np.array([0, 0, WEIGHT])  # along e_z, on the third director
        assert np.abs(np.cross((d + d1).T / 2, force.T).sum(axis=0)).max() < 1e-15


def test_algo_c1_balances_the_momentum_in_space():
    h = 0.01
    found = top("algo-c1", h)
    for n in range(20):
        theta = h / 2 * (found.angular_velocity[n] + found.angular_velocity[n + 1])
        half = np.array([np.cos(np.linalg.norm(theta) / 4), *(theta * np.sinc(np.linalg.norm(theta) / 4 / np.pi) / 4)])
        middle = multiply(found.orientation[n], half)
        assert distance(multiply(middle, half), found.orientation[n + 1]) < 1e-14
        up = np.array([0.0, 0.0, 1.0])
        torque = np.cross(up, WEIGHT * apply(middle, up))
        np.testing.assert_allclose(found.spin[n + 1] - found.spin[n], h * torque, atol=1e-15)


def test_quat_vi_and_moser_veselov_are_the_same_for_a_free_body():
    one, other = free("quat-vi", 0.01), free("moser-veselov", 0.01)
    assert one.orientation.tobytes() == other.orientation.tobytes()
    assert one.angular_velocity.tobytes() == other.angular_velocity.tobytes()


# ---- free motion, section 5.1 -------------------------------------------------------------------------

COUNTS = (20, 50, 100, 200, 400, 800, 1600)
ATTITUDE = {
    "quat-em": (2.545, 5.676e-1, 1.448e-1, 3.632e-2, 9.086e-3, 2.272e-3, 5.680e-4),
    "quat-vi": (None, 2.089, 5.831e-1, 1.459e-1, 3.640e-2, 9.094e-3, 2.273e-3),
    "moser-veselov": (None, 2.089, 5.831e-1, 1.459e-1, 3.640e-2, 9.094e-3, 2.273e-3),
    "dir-em": (2.809, 1.118, 2.910e-1, 7.278e-2, 1.819e-2, 4.546e-3, 1.136e-3),
    "algo-c1": (1.917, 4.254e-1, 1.108e-1, 2.790e-2, 6.989e-3, 1.748e-3, 4.370e-4),
    "implicit": (1.407, 2.549e-1, 6.444e-2, 1.615e-2, 4.040e-3, 1.010e-3, 2.525e-4),
}
VELOCITY = {"quat-em": 7.61e-4, "quat-vi": 3.74e-3, "dir-em": 1.87e-3, "algo-c1": 1.09e-3, "implicit": 2.31e-4}


@pytest.mark.parametrize("name", ATTITUDE)
def test_errors_of_the_free_motion(name):
    """Figure 1, right: the attitude at 1 s; and the angular velocity, relative, at 800 steps."""
    q, w = (np.array(FREE["reference"][key], float) for key in "qw")
    errors = {}
    for n, expected in zip(COUNTS, ATTITUDE[name], strict=True):
        found = free(name, 1 / n)
        if expected is None:
            assert found.events[-1].kind == "failed-solve"
            continue
        errors[1 / n] = distance(q, found.orientation[-1])
        assert errors[1 / n] == pytest.approx(expected, rel=0.002)
        if n == 800 and name in VELOCITY:
            assert np.linalg.norm(found.angular_velocity[-1] - w) / np.linalg.norm(w) == pytest.approx(
                VELOCITY[name], rel=0.01
            )
    assert slope(errors.keys(), errors.values()) == pytest.approx(2.0, abs=0.02)


@pytest.mark.parametrize("name", ["quat-em", "algo-c1", "dir-em"])
def test_what_is_kept_at_the_large_step_of_figure_1(name):
    found = free(name, 0.05, duration=100.0)
    assert len(found) == 2001
    random_walk(np.linalg.norm(found.spin - [60, 160, 60], axis=1) / np.linalg.norm([60, 160, 60]))
    if name != "dir-em":
        random_walk(found.total_energy / 2500 - 1)


@pytest.mark.parametrize(("step", "at_the_end", "ever"), [(0.05, 1.8e-2, 5.3e-2), (0.01, 3.7e-5, 6.7e-5)])
def test_dir_em_keeps_the_energy_of_its_nine_velocities_only(step, at_the_end, ever):
    J, free_of_forces, out = np.array([6.0, 8.0, 3.0]), np.zeros(9), np.empty((1, 7))
    state = dir_em.start(J, np.array([1.0, 0, 0, 0]), np.array([10.0, 20.0, 20.0]))
    kept = []
    for _ in range(round(1 / step)):
        dir_em.march(J, free_of_forces, step, 1, state, out)
        kept.append(dir_em.energy(J, free_of_forces, state) / 2500 - 1)
    random_walk(np.array(kept))
    shown = free("dir-em", step).total_energy / 2500 - 1
    assert abs(shown[-1]) == pytest.approx(at_the_end, rel=0.02)
    assert np.abs(shown).max() == pytest.approx(ever, rel=0.02)


@pytest.mark.parametrize("name", ["quat-vi", "moser-veselov"])
@pytest.mark.parametrize(
    ("inertia", "w", "limit"), [((6, 8, 3), (10, 20, 20), 0.037143), ((5 / 12, 10 / 12, 13 / 12), (0, 0, 10), 0.1)]
)
def test_moser_veselov_has_no_solution_beyond_step_times_spin_one(name, inertia, w, limit):
    within = free(name, 0.999 * limit, duration=300 * limit, inertia=inertia, w=w)
    assert within.events[-1].kind == "end"
    beyond = free(name, 1.005 * limit, duration=300 * limit, inertia=inertia, w=w)
    assert beyond.events[-1].kind == "failed-solve"
    assert "take a smaller step" in beyond.events[-1].text
    assert np.isfinite(beyond.angular_velocity).all()


# ---- the heavy top, section 5.2 -----------------------------------------------------------------------

TOP_COUNTS = (100, 143, 200, 400, 800, 1600, 3200)
CENTRE = {
    "quat-em": (1.519, 0.8068, 0.4154, 1.028e-1, 2.558e-2, 6.386e-3, 1.596e-3),
    "quat-vi": (None, 0.6408, 0.2007, 4.079e-2, 9.763e-3, 2.415e-3, 6.022e-4),
    "dir-em": (7.962e-2, 4.040e-2, 2.085e-2, 5.278e-3, 1.322e-3, 3.307e-4, 8.270e-5),
    "algo-c1": (1.093, 0.4919, 0.2311, 5.293e-2, 1.292e-2, 3.210e-3, 8.012e-4),
}
SPIN_PHASE = {"quat-em": 0.0918, "quat-vi": 0.975, "dir-em": 0.505, "algo-c1": 0.0613}  # attitude, 800 steps


@pytest.mark.parametrize("name", NAMES)
def test_errors_of_the_heavy_top(name):
    """Figure 3, right: the centre of mass after one second; and the attitude, which tells another story."""
    truth = np.array(TOP["reference"]["q"], float)
    centre = apply(truth, np.array([0, 0, 0.075]))
    errors = {}
    for n, expected in zip(TOP_COUNTS, CENTRE[name], strict=True):
        found = top(name, 1 / n)
        if expected is None:
            assert found.events[-1].kind == "failed-solve"
            continue
        errors[1 / n] = np.linalg.norm(found.position[-1] - centre) / 0.075
        assert errors[1 / n] == pytest.approx(expected, rel=0.01)
        if n == 800:
            assert distance(truth, found.orientation[-1]) == pytest.approx(SPIN_PHASE[name], rel=0.01)
    assert slope(errors.keys(), errors.values()) == pytest.approx(2.0, abs=0.03)


# ---- scales and degenerate cases ----------------------------------------------------------------------


BODIES = {"sphere": (2, 2, 2), "disk": (2, 2, 3), "rod": (3, 0.01, 3), "lamina": (3, 1, 2), "unsorted": (3, 1, 2.5)}


@pytest.mark.parametrize("name", [*NAMES, "moser-veselov"])
@pytest.mark.parametrize("w", [(0, 0, 0), (0, 3, 0), (1, -2, 3)])
@pytest.mark.parametrize("inertia", BODIES.values(), ids=BODIES)
def test_special_bodies_and_half_turns(name, inertia, w):
    found = free(name, 0.01, inertia=inertia, w=w, orientation=[0, 0.6, 0, -0.8])  # half a turn to begin with
    assert found.events[-1].kind == "end"
    truth = free("exact", 0.01, inertia=inertia, w=w, orientation=[0, 0.6, 0, -0.8])
    assert distance(truth.orientation[-1], found.orientation[-1]) < 2e-2
    assert np.linalg.norm(found.spin - found.spin[0], axis=1).max() < 1e-13 * 15


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("attitude", [[1, 0, 0, 0], [0, 1, 0, 0]])
def test_a_top_at_rest_on_the_vertical_rests(name, attitude):
    found = top(name, 0.01, initial={"orientation": attitude, "angular_velocity": [0, 0, 0]})
    assert found.events[-1].kind == "end"
    assert np.abs(found.angular_velocity).max() == 0.0


def test_formulas_run_as_plain_python_too():
    J, w = (6.0, 8.0, 3.0), (10.0, 20.0, 20.0)
    q1, w1, residual = quat_em.step(J, (0.0,) * 12, 0.01, (1.0, 0.0, 0.0, 0.0), w)
    found = free("quat-em", 0.01, duration=0.01)
    np.testing.assert_allclose(q1, found.orientation[-1], atol=1e-15)
    np.testing.assert_allclose(w1, found.angular_velocity[-1], rtol=1e-14)
    assert 0 <= residual < 1e-10
    turned = apply(conjugate(q1), np.array(J) * w)  # the spin in space, seen from the body
    np.testing.assert_allclose(np.array(J) * w1, turned, rtol=1e-14)
