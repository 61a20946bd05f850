"""The exact solution: against 20-digit references, at the degenerate bodies, and over very long times."""

from __future__ import annotations

import math
import operator
from decimal import Decimal, localcontext

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from physics.core.rotation import angle_between, apply, random_attitudes
from physics.schemes import exact, free_rotation


def motion(J, q, w, times):
    state = exact.start(np.asarray(J, float), np.asarray(q, float), np.asarray(w, float))
    found = [exact.evaluate(state, float(t)) for t in times]
    return np.array([q for q, _ in found]), np.array([w for _, w in found])


def test_meets_the_reference_solutions(free_case):
    times, ws, qs = zip(*free_case["states"], strict=True)
    q, w = motion(free_case["J"], free_case["q0"], free_case["w0"], times)
    bound = 1e-12
    assert np.abs(w - ws).max() / np.abs(ws).max() < bound
    assert angle_between(q, np.array(qs)).max() < bound


IDENTITY = (1.0, 0.0, 0.0, 0.0)
DEGENERATE = {
    "symmetric, axis last": ((2, 2, 3), (1, 2, 3)),
    "symmetric, axis first": ((3, 2, 2), (1, 2, 3)),
    "symmetric, axis in the middle": ((2, 3, 2), (1, -2, 3)),
    "almost symmetric": ((2, 2 * (1 + 1e-13), 3), (1, 2, 3)),
    "sphere": ((2, 2, 2), (1, 2, 3)),
    "lamina": ((1, 2, 3), (1, 2, 3)),
    "unsorted": ((3, 1, 2), (0.3, -2, 1)),
    "no momentum": ((1, 2, 3), (0, 0, 0)),
    "about the minor axis": ((1, 2, 2.5), (-4, 0, 0)),
    "about the intermediate axis": ((1, 2, 2.5), (0, 4, 0)),
    "about the major axis": ((1, 2, 2.5), (0, 0, 4)),
    "m3 = -|m| almost": ((1, 2, 2.5), (1e-9, 1e-9, -4)),
    "one zero component": ((1, 2, 2.5), (0, 1, 2)),
    "another zero component": ((1, 2, 2.5), (2, 1, 0)),
    "separatrix": ((2, 3, 6), (0.5, 1.0, 0.5 / 3)),  # m1 = m3: k = 1 exactly
    "separatrix, m2 = 0": ((2, 3, 6), (0.5, 0.0, 0.5 / 3)),
    "just inside the separatrix": ((2, 3, 6), (0.5 * (1 + 1e-15), 1.0, 0.5 / 3)),
    "just outside the separatrix": ((2, 3, 6), (0.5 * (1 - 1e-12), 1.0, 0.5 / 3)),
    "tiny perturbation of the intermediate axis": ((1, 2, 2.5), (1e-9, 4, 1e-9)),
    "tiny body": ((1e-9, 2e-9, 2.5e-9), (1, 2, 3)),
    "huge body": ((1e10, 2e10, 2.5e10), (1, 2, 3)),
}


@pytest.mark.parametrize("name", DEGENERATE)
def test_degenerate_bodies_follow_a_taylor_series_in_40_digits(name):
    J, w0 = DEGENERATE[name]
    times = [0.3, 1.0, 2.5]
    q, w = motion(J, IDENTITY, w0, times)
    for t, found_q, found_w in zip(times, q, w, strict=True):
        true_q, true_w = taylor(J, w0, t)
        assert np.abs(found_w - true_w).max() <= 2e-14 * max(1.0, np.abs(true_w).max())
        assert angle_between(found_q, true_q) < 3e-14


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1)])
def test_next_to_the_separatrix_it_flips_when_the_body_does(order):
    # sqrt(3) is no number of the machine: by its rounding alone the body is next to the separatrix, and flips in time
    J, w0 = np.array([1.0, 2.0, 3.0])[list(order)], np.array([math.sqrt(3.0), 0.3, 1.0])[list(order)]
    q, w = motion(J, IDENTITY, w0, [40.0])
    true_q, true_w = taylor(J, w0, 40.0, order=40, step=0.3)
    assert np.abs(w[0] - true_w).max() < 1e-13
    assert angle_between(q[0], true_q) < 1e-13


def taylor(J, w0, t, order=32, step=0.06):
    """Attitude and angular velocity at t by a Taylor series of the equations of motion in 40 digits.

    By decimal, which is compiled: mpmath takes eight times as long.
    """
    with localcontext(prec=40):
        J = [Decimal(float(x)) for x in J]
        a = [(J[(i + 1) % 3] - J[(i + 2) % 3]) / J[i] for i in range(3)]
        w, q = [Decimal(float(x)) for x in w0], [Decimal(x) for x in IDENTITY]
        n = max(1, math.ceil(t / step))
        h = Decimal(float(t)) / n
        for _ in range(n):
            W, Q = [[x] for x in w], [[x] for x in q]
            for k in range(order):

                def mul(x, y):
                    return sum(map(operator.mul, x, reversed(y)))

                dw = [a[i] * mul(W[(i + 1) % 3], W[(i + 2) % 3]) for i in range(3)]
                dq = [
                    -mul(Q[1], W[0]) - mul(Q[2], W[1]) - mul(Q[3], W[2]),
                    mul(Q[0], W[0]) + mul(Q[2], W[2]) - mul(Q[3], W[1]),
                    mul(Q[0], W[1]) + mul(Q[3], W[0]) - mul(Q[1], W[2]),
                    mul(Q[0], W[2]) + mul(Q[1], W[1]) - mul(Q[2], W[0]),
                ]
                for series, change in zip(W + Q, dw + [x / 2 for x in dq], strict=True):
                    series.append(change / (k + 1))
            w, q = ([sum(c * h**k for k, c in enumerate(s)) for s in S] for S in (W, Q))
        return np.array([float(x) for x in q]), np.array([float(x) for x in w])


@settings(max_examples=200)
@given(
    moments=st.tuples(*[st.floats(0.05, 1.0)] * 3),
    w=st.tuples(*[st.floats(-20, 20)] * 3),
    t=st.floats(0, 1e4),
    seed=st.integers(0, 2**32 - 1),
)
def test_energy_spin_and_unit_length_are_kept_for_any_body(moments, w, t, seed):
    # three non-negative numbers s give a possible body: A = s2 + s3, and so on
    J = np.array([moments[1] + moments[2], moments[2] + moments[0], moments[0] + moments[1]])
    q0 = random_attitudes(np.random.default_rng(seed), 1)[0]
    q, ws = motion(J, q0, w, [0.0, t])
    assert angle_between(q[0], q0) < 1e-14
    assert abs(np.linalg.norm(q[1]) - 1) < 1e-15
    energy, spin = 0.5 * np.sum(J * ws**2, axis=1), apply(q, J * ws)
    assert abs(energy[1] - energy[0]) <= 1e-14 * energy[0]
    assert np.linalg.norm(spin[1] - spin[0]) <= 1e-14 * np.linalg.norm(spin[0])


def test_error_after_a_million_periods_is_rounding_of_the_phase():
    J, w0 = np.array([5 / 12, 10 / 12, 13 / 12]), np.array([1.0, 0.5, 10.0])
    state = exact.start(J, np.array(IDENTITY), w0)
    period = 4 * state[free_rotation.PERIOD] / state[free_rotation.RATE]
    phase = 1e6 * 10.0 * period  # turns of the attitude about its spin, in radians
    q, w = exact.evaluate(state, 1e6 * period)
    assert np.linalg.norm(np.array(w) - w0) < 10 * phase * 2.2e-16
    # the attitude on the way: a quarter of the time, started afresh there, then the rest
    q_quarter, w_quarter = exact.evaluate(state, 0.25e6 * period)
    again = exact.start(J, np.array(q_quarter), np.array(w_quarter))
    assert angle_between(np.array(q), np.array(exact.evaluate(again, 0.75e6 * period)[0])) < 10 * phase * 2.2e-16


def test_evaluation_does_not_depend_on_the_way_there():
    J, w0 = np.array([1.0, 2.0, 2.5]), np.array([1.0, 2.0, 3.0])
    rows = np.empty((10, 7))
    exact.march(J, np.zeros(12), 0.01, 10, exact.start(J, np.array(IDENTITY), w0), rows)
    q, w = exact.evaluate(exact.start(J, np.array(IDENTITY), w0), 1.0)
    np.testing.assert_allclose(rows[-1], [*q, *w], rtol=0, atol=2e-15)
