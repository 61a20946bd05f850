"""The schemes of Gustafsson (2010): his tables, orders, what is kept, bodies and starts of every kind."""

from __future__ import annotations

import json
import math
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import test_exact

import physics
from physics.core.potential import SIZE
from physics.core.rotation import angle_between, apply, conjugate
from physics.schemes import SCHEMES, factorization_e3, magnus

CASES = json.loads((Path(__file__).parents[1] / "reference.json").read_text())["cases"]
ORDERS = (2, 4, 6, 8)
MAGNUS = [f"magnus-{order}" for order in ORDERS]
MATRIX = [f"magnus-{order}-matrix" for order in ORDERS]
FACTORIZATION = [f"factorization-{order}" for order in ORDERS]
ABOUT_E3 = [f"factorization-e3-{order}" for order in ORDERS]
FREE = [*MAGNUS, *MATRIX, *FACTORIZATION, *ABOUT_E3]
VERLET = [f"verlet-{name}" for name in (*MAGNUS, *FACTORIZATION, "exact")]
J = np.array([1.0, 1.648785782711929, 1.972012709664193])  # section 4.5, where |m| = 1 and T = 10
NOTHING = np.zeros(SIZE)


def states(name, J, q, w, h, n, every=1, field=NOTHING):
    """Every stored state (n / every, 7) of a scheme, attitude and angular velocity in principal axes."""
    scheme, out = SCHEMES[name], np.empty((n // every, 7))
    J, q, w = (np.asarray(x, float) for x in (J, q, w))
    good, _ = scheme.march(J, field, h, every, scheme.start(J, q, w), out)
    assert good == len(out)
    return out


def end(name, J, q, w, h, n, field=NOTHING):
    return states(name, J, q, w, h, n, n, field)[0]


def references():
    """The ten starts of section 4.5 for which a 20-digit solution is kept: q0, w0, q at T = 10."""
    for i in range(10):
        case = CASES[f"gustafsson_free_{i}"]
        q = np.array(case["problem"]["q0"])
        yield q / np.linalg.norm(q), np.array(case["problem"]["m0"]) / J, np.array(case["reference"]["q"], float)


def problem(name):
    """J, q0, w0, field and the reference end state (q, w) of a kept case."""
    case = CASES[name]
    p, there = case["problem"], case["reference"]
    field = np.zeros(SIZE)
    field[2] = p.get("MgL", 0.0)
    if "mg" in p:
        field[3:5] = p["mg"] * p["GM_L"], p["mg"] * p["GM_T"]
    field[6:9] = p.get("damping", (0.0, 0.0, 0.0))
    values = [np.array(x, float) for x in (p["J"], p["q0"], p["w0"])]
    return *values, field, np.array(there["q"], float), np.array(there["w"], float)


# ---- the free body ------------------------------------------------------------------------------------


def positive_starts(number, seed=2010):
    """Attitudes and angular velocities of section 4.5 with components as MATLAB's rand gives them, |m| = |q| = 1."""
    generator = np.random.default_rng(seed)
    q, m = generator.random((number, 4)), generator.random((number, 3))
    q, m = (x / np.linalg.norm(x, axis=1, keepdims=True) for x in (q, m))
    return list(zip(q, m / J, strict=True))


def with_constants(q, w, h, n, c0, c3):
    """The attitude at the end by factorization-e3-8 with c0 and c3."""
    scheme, out = SCHEMES["factorization-e3-8"], np.empty((1, 7))
    state = scheme.start(J, q, w)
    state[[factorization_e3.C0, factorization_e3.C3]] = c0, c3
    assert scheme.march(J, NOTHING, h, n, state, out)[0] == 1
    return out[0, :4]


def test_c0_and_c3_change_nothing_but_rounding():
    root = math.sqrt(0.5)
    for q, w in positive_starts(5):
        one = with_constants(q, w, 1.0, 10, 0.5, 0.5)
        for c0, c3 in ((0.0, root), (root, 0.0), (-0.6 * root, 0.8 * root)):
            assert angle_between(with_constants(q, w, 1.0, 10, c0, c3), one) < 2e-14


@pytest.mark.parametrize("order", ORDERS)
def test_about_e3_there_is_no_step_where_1_and_m3_vanish(order):
    """And every start near that one is solved, as true as the others."""
    name = f"factorization-e3-{order}"
    for inertia, axis in (((1, 2, 2.5), 2), ((2.5, 1, 2), 0), ((2, 2.5, 1), 1), ((1, 2.5, 2.5), 2)):
        w = np.zeros(3)
        w[axis] = -4.0
        scenario = physics.Scenario(
            kind="free",
            duration=1.0,
            step=0.01,
            schemes=[name],
            body={"shape": "inertia", "inertia": list(inertia), "mass": 1},
            initial={"angular_velocity": w.tolist()},
        )
        found = physics.simulate(scenario)[name]
        assert len(found) == 1  # the start
        assert found.events[-1].kind == "failed-solve"
        assert f"take factorization-{order}" in found.events[-1].text
        for near in (1e-2, 1e-8, 1e-12, 1e-100):
            beside = w + near * np.roll((1.0, 1.0, 0.0), axis - 2)
            there = end("exact", inertia, (1, 0, 0, 0), beside, 1.0, 1)
            error = angle_between(end(name, inertia, (1, 0, 0, 0), beside, 0.01, 100)[:4], there[:4])
            assert error < {2: 1e-4, 4: 1e-8, 6: 1e-12, 8: 2e-14}[order]
        assert end(name, inertia, (1, 0, 0, 0), -w, 0.01, 100).shape == (7,)


@pytest.mark.parametrize("order", ORDERS)
def test_matrices_and_quaternions_have_the_same_error(order):
    for q, w, _ in references():
        one, other = (states(name, J, q, w, 0.5, 20) for name in (f"magnus-{order}", f"magnus-{order}-matrix"))
        assert angle_between(one[:, :4], other[:, :4]).max() < 1e-14
        assert np.array_equal(one[:, 4:], other[:, 4:])


def test_spin_in_space_by_factorization_at_any_step_and_by_magnus_to_its_order():
    J, q, w, *_ = problem("betsch_free")
    spin = J * w

    def worst(name, n):
        found = states(name, J, q, w, 1 / n, n)
        return np.linalg.norm(apply(found[:, :4], J * found[:, 4:]) - spin, axis=1).max() / np.linalg.norm(spin)

    for name in (*FACTORIZATION, *ABOUT_E3):
        for n in (1, 2, 3, 10, 100):  # up to 30 rad a step
            assert worst(name, n) < 4e-15
    for name, expected in zip(MAGNUS, (5.8e-3, 1.3e-5, 6.6e-9, 5.5e-11), strict=True):
        assert worst(name, 100) == pytest.approx(expected, rel=0.05)


def test_rounding_after_ten_thousand_steps():
    for name, bound in (("magnus-8", 4e-14), ("magnus-8-matrix", 4e-14), ("factorization-8", 3e-15)):
        for q, w, there in references():
            assert angle_between(end(name, J, q, w, 1e-3, 10_000)[:4], there) < 2 * bound


def test_matrices_stay_orthogonal_for_a_million_steps():
    scheme, out = SCHEMES["magnus-4-matrix"], np.empty((1, 7))
    state = scheme.start(J, np.array([1.0, 0, 0, 0]), np.array([0.9, -0.1, 0.35]) / J)
    scheme.march(J, NOTHING, 0.1, 1_000_000, state, out)
    rows = state[magnus.ROWS : magnus.ROWS + 9].reshape(3, 3)
    assert np.abs(rows @ rows.T - np.eye(3)).max() < 1e-15


def test_quaternions_from_matrices_do_not_jump():
    q = states("magnus-6-matrix", J, (1, 0, 0, 0), (0.9, -0.1, 0.35), 0.05, 2000)[:, :4]
    assert np.linalg.norm(np.diff(q, axis=0), axis=1).max() < 0.05


DEGENERATE = {name: case for name, case in test_exact.DEGENERATE.items() if not name.endswith("body")} | {
    "symmetric, m3 = 0": ((2, 2, 3), (1, 2, 0)),
    "about the major axis, the other way": ((1, 2, 2.5), (0, 0, -4)),
    "near m = -e3": ((1, 2, 2.5), (1e-3, 1e-3, -4)),
    "separatrix, the other way": ((2, 3, 6), (-0.5, 1.0, 0.5 / 3)),
}


@pytest.mark.parametrize("case", DEGENERATE)
def test_degenerate_bodies_converge_to_the_exact_solution(case):
    """The exact solution itself is held against 40-digit series in test_exact. |m| = 1, T = 10, as in the thesis."""
    J, w = (np.array(x, float) for x in DEGENERATE[case])
    w = w / (np.linalg.norm(J * w) or 1.0)
    q = np.array([0.5, -0.5, 0.1, 0.7])
    q /= np.linalg.norm(q)
    exact = states("exact", J, q, w, 0.25, 40)
    scale = np.abs(exact[:, 4:]).max() or 1.0
    for name in FREE:
        if name in ABOUT_E3 and case == "about the major axis, the other way":
            continue  # towards -e3, where it has no step
        order = SCHEMES[name].order
        found = states(name, J, q, w, 0.25, 40)
        assert np.abs(found[:, 4:] - exact[:, 4:]).max() <= 1e-15 * scale
        coarse = angle_between(found[:, :4], exact[:, :4]).max()
        fine = angle_between(states(name, J, q, w, 0.125, 80, 2)[:, :4], exact[:, :4]).max()
        # where the momentum stands still, every step about e3 rounds the same way
        assert fine < max(1.3 * coarse / 2**order, 4e-14 if name in ABOUT_E3 else 1e-14)
        assert coarse < (5e-15 if name == "factorization-8" else {2: 0.2, 4: 1e-3, 6: 1e-5, 8: 1e-7}[order])


# ---- bodies under torque ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", VERLET)
def test_splitting_converges_to_the_reference_with_order_2_under_damping(name):
    """And without it: see test_schemes.test_converges_under_torque_with_its_order."""
    J, q0, w0, field, q, w = problem("vessel_damped")
    T, first = CASES["vessel_damped"]["T"], 600
    found = [end(name, J, q0, w0, T / n, n, field) for n in (first, 2 * first, 4 * first)]
    found = [np.concatenate([x[:4] * np.sign(x[:4] @ q), x[4:]]) for x in found]
    there = np.concatenate([q, w])
    scale = np.concatenate([np.ones(4), np.full(3, np.linalg.norm(w))])
    errors = [np.linalg.norm((x - there) / scale) for x in found]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2, abs=0.1)
    assert np.log2(errors[1] / errors[2]) == pytest.approx(2, abs=0.05)
    # the error of a symmetric scheme has even powers of h only: two extrapolations leave that of h^6
    once = [(4 * b - a) / 3 for a, b in pairwise(found)]
    twice = (16 * once[1] - once[0]) / 15
    assert np.linalg.norm((twice - there) / scale) < 1e-3 * errors[2]


@pytest.mark.parametrize("name", VERLET)
def test_damping_alone_is_solved_exactly(name):
    """Steady rotation about a principal axis decays as exp(-t D/J); an axis without damping (45) keeps its rate."""
    J, t = np.array([3.0, 1.0, 2.0]), 0.1 * np.arange(1, 101)
    for axis in range(3):
        for D in (0.0, 1e-12, 0.5, 40.0):
            field = np.zeros(SIZE)
            field[6 + axis] = D
            found = states(name, J, (1, 0, 0, 0), 2.0 * np.eye(3)[axis], 0.1, 100, 1, field)
            np.testing.assert_allclose(found[:, 4 + axis], 2.0 * np.exp(-t * D / J[axis]), rtol=1e-12)


@pytest.mark.parametrize("name", VERLET)
def test_without_torque_and_damping_it_is_the_free_scheme(name):
    free = name.removeprefix("verlet-")
    J, q, w = np.array([1.0, 2.0, 2.5]), np.array([0.6, 0.0, 0.8, 0.0]), np.array([1.0, -2.0, 0.5])
    one, other = states(name, J, q, w, 0.05, 400), states(free, J, q, w, 0.05, 400)
    assert np.abs(one[:, 4:] - other[:, 4:]).max() < 1e-12
    assert angle_between(one[:, :4], other[:, :4]).max() < 1e-12


@pytest.mark.parametrize("name", ["verlet-magnus-2", "verlet-factorization-8", "verlet-exact"])
def test_a_million_steps_of_a_top_and_of_a_vessel(name):
    for case, h in (("betsch_top", 1 / 400), ("vessel_restoring", 0.05)):
        J, q0, w0, field, *_ = problem(case)
        found = states(name, J, q0, w0, h, 1_000_000, 1000, field)
        u = apply(conjugate(found[:, :4]), np.array([0.0, 0.0, 1.0]))
        energy = 0.5 * np.sum(J * found[:, 4:] ** 2, axis=1) + u @ field[:3] + 0.5 * (u * u) @ field[3:6]
        first, second = (np.abs(half / energy[0] - 1).max() for half in (energy[:500], energy[500:]))
        assert second < 1.5 * first + 1e-9
        assert np.abs(np.linalg.norm(found[:, :4], axis=1) - 1).max() < 4e-16
        vertical = np.sum(u * J * found[:, 4:], axis=1)
        if SCHEMES[name].keeps_vertical_spin:
            assert np.abs(vertical / vertical[0] - 1).max() < 1e-11


@pytest.mark.parametrize("name", VERLET)  # of free bodies: see test_schemes
def test_too_fast_for_numbers_ends_in_an_event(name):
    scheme, out = SCHEMES[name], np.empty((5, 7))
    w = np.array([1e200, -1e200, 1e200])
    field = np.array([1.0, 1, 1, 1, 1, 1, 0, 0, 0])
    good, residual = scheme.march(J, field, 1e200, 1, scheme.start(J, np.array([1.0, 0, 0, 0]), w), out)
    assert good < 5
    assert residual == math.inf
    assert np.isfinite(out[:good]).all()
