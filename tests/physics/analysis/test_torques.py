"""How many torques a step evaluates: what rows claim, beside the attitudes at which their loops ask for one."""

from __future__ import annotations

import math

import numpy as np
import pytest

from physics.analysis.convergence import AXES, axes_of, drawn, run_in_steps, span, study, uncounted
from physics.core import potential
from physics.core.jit import Kernel
from physics.schemes import SCHEMES
from physics.systems.free.rotating_world import RotatingWorld
from tests.small import cuboid, top

COUNTED = [name for name, row in SCHEMES.items() if isinstance(row.torques, int)]
SOLVING = ["quat-em", "quat-vi", "dir-em", "algo-c1", "lie-newmark", "lie-alpha"]
J, FIELD = np.array([2.0, 2.5, 1.0]), np.array([0.3, 0.1, 9.0, *[0.0] * 9])


@pytest.fixture
def asked(monkeypatch) -> list:
    """The verticals at which a torque was evaluated, in loops that nothing compiles."""
    told = []
    real = potential.gradient
    monkeypatch.setattr(potential, "gradient", lambda field, u: told.append(u) or real(field, u))
    monkeypatch.setattr(Kernel, "__call__", lambda kernel, *given: kernel.py_func(*given))
    return told


def evaluations(scheme, asked: list, steps: int) -> int:
    asked.clear()
    state = scheme.start(J, np.array([0.8, 0.6, 0.0, 0.0]), np.array([1.0, 2.0, 8.0]))
    scheme.march(J, FIELD, 0.01, steps, state, np.empty((1, 7)))
    return len(set(asked))


@pytest.mark.parametrize("name", COUNTED)
def test_a_step_asks_at_as_many_attitudes_as_its_row_tells(name, asked):
    scheme = SCHEMES[name]
    assert evaluations(scheme, asked, 5) - evaluations(scheme, asked, 2) == 3 * scheme.torques


def test_every_other_scheme_that_serves_a_top_solves_for_the_torque_or_counts():
    assert [n for n, row in SCHEMES.items() if "top" in row.kinds and row.torques is None] == SOLVING
    assert all(SCHEMES[name].implicit for name in SOLVING)
    assert all(row.torques is None for row in SCHEMES.values() if not {"top", "vessel"} & set(row.kinds))


def test_errors_are_drawn_over_torques_where_one_acts():
    heavy = top(schemes=("quat-em", "rkn-4"))
    points = list(study(heavy))
    over = axes_of(heavy)
    assert over == AXES
    steps, torques = drawn(points[7:], over[0])[0], drawn(points[7:], over[2])[0]
    assert torques == pytest.approx(6 * span(RotatingWorld.of(heavy)) / steps)
    assert drawn(points[:7], over[2]).shape == (2, 0)
    assert math.isnan(points[0].torques)
    assert uncounted(["quat-em", "rkn-4"]) == "No curve over torques: quat-em (evaluated in iterations, of any number)."
    assert axes_of(heavy.changed(schemes=["quat-em", "dir-em"])) == AXES[:2]


def test_a_free_body_has_no_torque():
    body = cuboid(duration=0.1, schemes=("rk4",))
    assert axes_of(body) == AXES[:2]
    assert math.isnan(run_in_steps(RotatingWorld.of(body), "rk4", 4).torques)
