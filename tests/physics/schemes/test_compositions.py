"""Compositions of kicks and exact free rotations: orders 4 to 8 under torque."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from physics import SCHEMES
from physics.schemes import composition, exact, free_rotation
from physics.schemes.rows import splittings

TOPS = json.loads((Path(__file__).parents[1] / "compositions.json").read_text())["tops"]
NAMES = [row.name for row in splittings.COMPOSITIONS]


def stages(name: str):
    return getattr(composition, name.upper().replace("-", "_"))


def end(name: str, top: dict, steps: int) -> np.ndarray:
    row, out = SCHEMES[name], np.empty((1, 7))
    field = np.array([0.0, 0.0, top["MgL"], *np.zeros(9)])
    J, state = np.array(top["J"]), row.start(np.array(top["J"]), np.array(top["q0"]), np.array(top["w0"]))
    assert row.march(J, field, top["T"] / steps, steps, state, out)[0] == 1
    return out[0]


def distance(a, b) -> float:
    a, b = np.asarray(a), np.asarray(b)
    return float(min(np.linalg.norm(a - b), np.linalg.norm(a + b)))


def marched(row, J, field, h: float, steps: int) -> np.ndarray:
    out = np.empty((1, 7))
    state = row.start(J, np.array([1.0, 0.0, 0.0, 0.0]), np.array([0.9, 0.4, 1.6]))
    row.march(J, field, h, steps, state, out)
    return out[0]


@pytest.mark.parametrize("name", ["verlet-exact", *NAMES])
@pytest.mark.parametrize("top", TOPS)
def test_errors_of_the_three_tops_are_those_of_an_independent_program(top, name):
    case, known = TOPS[top], "verlet" if name == "verlet-exact" else name
    torques = 1 if name == "verlet-exact" else stages(name).torques
    for evaluations, error in zip(case["evaluations"], case["errors"][known], strict=True):
        found = distance(end(name, case, round(evaluations / torques))[:4], case["q"])
        assert found == pytest.approx(error, rel=0.01, abs=1e-12)  # below 1e-12 rounding alone
    known_end = case["end_2000"][known]
    found = end(name, case, known_end["steps"])
    assert distance(found[:4], known_end["q"]) < 1e-12
    np.testing.assert_allclose(found[4:], known_end["w"], atol=2e-9 * abs(case["w0"][2]))


def test_errors_are_the_shares_of_those_of_yoshida_4_that_advice_promises():
    """Errors of as many torques, 1000 a second, on a fast top."""
    case = TOPS["steady"]
    worst, suzuki, rkn = (
        distance(end(name, case, round(1000 / stages(name).torques))[:4], case["q"])
        for name in ("yoshida-4", "suzuki-4", "rkn-4")
    )
    assert worst / suzuki == pytest.approx(8, rel=0.2)
    assert worst / rkn == pytest.approx(300, rel=0.4)


@pytest.mark.parametrize("name", NAMES)
def test_order_with_damping(name):
    """Damping is no potential: the Nyström sets of order 6 have order 4 with it, chin-4 has 2, all others keep theirs.

    chin-4's gradient cancels an error of the torque alone, not one of torque and damping.
    """
    row, J = SCHEMES[name], np.array([1.0, 1.4, 2.0])
    field = np.array([0.3, 0.1, 2.0, 0.4, 0.9, 0.0, 0.3, 0.2, 0.25, 0.0, 0.0, 0.0])
    truth = marched(SCHEMES["kahan-li-8"], J, field, 2.0 / 640, 640)
    least = {4: 16, 6: 8, 8: 4}[row.order]
    errors = np.array(
        [np.linalg.norm(marched(row, J, field, 2.0 / n, n) - truth) for n in (least, 2 * least, 4 * least)]
    )
    orders = np.log2(errors[:-1] / errors[1:])[errors[1:] > 1e-12]
    assert orders[-1] == pytest.approx(row.order_for(torque=True, damped=True), abs=0.4)


@pytest.mark.parametrize("moments", [(2.0, 2.0, 0.7), (0.7, 2.0, 2.0), (2.0, 0.7, 2.0), (1.3, 1.3, 1.3)])
def test_two_equal_moments_need_no_elliptic_function(moments):
    q, w = (0.5, 0.5, -0.5, 0.5), (0.3, -1.1, 0.8)
    axis = free_rotation.odd_axis(moments)
    assert axis >= 0
    for h in (0.01, 3.0, -0.4):
        s = np.zeros(exact.SIZE)
        exact.set_up(moments, q, w, s)
        known = exact.evaluate(s, h)
        found = free_rotation.rotated_symmetric(moments, axis, h, q, w)
        assert distance(found[0], known[0]) < 1e-14
        np.testing.assert_allclose(found[1], known[1], atol=1e-14)
    assert free_rotation.odd_axis((1.0, 2.0, 3.0)) == -1
