"""Processed splittings: order, what a weak torque leaves of the error, and what the processor costs."""

from __future__ import annotations

import math

import numpy as np
import pytest

from physics import SCHEMES
from physics.schemes.processed import PROCESSED_84

J = np.array([1.0, 1.4, 1.9])
Q, W = np.array([math.cos(0.4), 0.6 * math.sin(0.4), 0.0, 0.8 * math.sin(0.4)]), np.array([1.0, 0.7, 2.5])


def end(name: str, strength: float, steps: int, rows: int = 1) -> tuple[np.ndarray, float]:
    """The end (7,) after 10 s under a potential of this strength, and the torques it took."""
    row, out = SCHEMES[name], np.empty((rows, 7))
    field = strength * np.array([0.0, 0.0, 1.0, 0.5, 0.2, *np.zeros(7)])
    state = row.start(J, Q, W)
    assert row.march(J, field, 10.0 / steps, steps // rows, state, out)[0] == rows
    return out[-1], row.torques(state) if callable(row.torques) else steps * row.torques


def error(name: str, strength: float, steps: int) -> float:
    return float(np.linalg.norm(end(name, strength, steps)[0] - end("kahan-li-8", strength, 4000)[0]))


def test_processor_undoes_the_error_of_the_kernel_to_the_seventh_power():
    """sum 2 b sinh(2 a x) = (1 - x / sinh x) / 2x up to x^5; 1 - x / sinh x = x²/6 - 7 x⁴/360 + 31 x⁶/15120."""
    stages = PROCESSED_84.processor
    place = np.cumsum(stages.turns)  # of the kicks, in turns of the step; the first and the last kick are none
    assert place[-1] == pytest.approx(0.0, abs=1e-15)
    for power, wanted in ((1, 1 / 12), (3, -7 / 720), (5, 31 / 30240)):
        found = np.sum(stages.kicks[1:-1] * (2.0 * place[:-1]) ** power) / math.factorial(power)
        assert found == pytest.approx(wanted, rel=1e-12)


def test_order_is_4_and_the_error_falls_with_the_square_of_the_torque():
    errors = [error("processed-84", 1.0, steps) for steps in (50, 100, 200)]
    assert np.log2(np.divide(errors[:-1], errors[1:])) == pytest.approx(4.0, abs=0.15)
    weak = error("processed-84", 0.1, 50) / error("processed-84", 0.01, 50)
    assert weak > 80  # 10 for verlet-exact and chin-4, which err by the torque itself
    assert error("chin-4", 0.1, 50) / error("chin-4", 0.01, 50) < 15


def test_weak_torques_cost_fewer_evaluations_than_by_other_schemes():
    best = error("processed-84", 0.03, 100)
    taken = end("processed-84", 0.03, 100)[1]
    assert taken == 124  # one a step, twelve at the start and twelve for what is stored
    for name in ("verlet-exact", "chin-4", "rkn-4", "aba-1064", "yoshida-4"):
        assert error(name, 0.03, round(taken / SCHEMES[name].torques)) > 2 * best


def test_what_is_stored_on_the_way_does_not_change_the_end():
    once, often = end("processed-84", 1.0, 60)[0], end("processed-84", 1.0, 60, rows=60)[0]
    np.testing.assert_array_equal(once, often)
