"""The exact motion at any time, the order that a run shows, and what a step means."""

from __future__ import annotations

import numpy as np
import pytest

from physics import PhysicsError, Scenario, simulate
from physics.analysis.comparison import compare
from physics.analysis.convergence import slope, study
from physics.analysis.stability import advice
from tests import small


def cuboid(**changes) -> Scenario:
    return small.cuboid(**({"schemes": ("exact",)} | changes))


@pytest.mark.parametrize(("scheme", "order"), [("explicit", 1), ("implicit", 2), ("quat-em", 2), ("magnus-4", 4)])
def test_halving_the_step_shows_the_order(scheme, order):
    points = list(study(cuboid(schemes=(scheme,))))
    assert [point.step for point in points][:2] == [0.01, 0.005]
    assert slope(points) == pytest.approx(order, abs=0.25)


def test_exact_schemes_show_no_slope_and_rocks_no_order():
    assert slope(list(study(cuboid()))) is None
    rock = cuboid(kind="rockfall", terrain={"profile": "ramp"}, schemes=("implicit",))
    with pytest.raises(PhysicsError, match="chaotic"):
        next(study(rock))


def test_errors_are_those_of_the_verdict_though_a_quaternion_is_no_unit():
    coarse = cuboid(schemes=("rk4",), step=0.3, duration=1.2, initial={"angular_velocity": (0.1, 5.0, 0.1)})
    (lane,) = compare(simulate(coarse))
    assert next(study(coarse)).error == pytest.approx(lane.degrees_off, rel=1e-9)


def test_a_variant_with_a_torque_is_compared_with_its_own_motion():
    torque = {"pushed": {"torque": [{"value": (0.0, 0.0, 2.0)}]}}
    points = list(study(cuboid(schemes=("rk4", "rk4:pushed"), variants=torque, step=0.02)))
    assert slope([point for point in points if point.scheme == "rk4:pushed"]) == pytest.approx(4, abs=0.25)


def test_step_advice_tells_growth_about_the_major_axis_only_from_the_scheme():
    moments = np.array([5.0, 10.0, 13.0]) / 12
    found = advice(moments, (1e-3, 1e-3, 10.0), 0.01)
    assert found.steps == pytest.approx(62.8, abs=0.1)
    assert found.axis == 2
    assert found.growth > 1.0
    assert found.true_growth == pytest.approx(1.0)
    assert advice(moments, (0.0, 10.0, 0.0), 0.01).true_growth > 10.0
    assert advice(moments, (10.0, 0.0, 0.0), 0.01).growth < 1.0
    assert advice(moments, (0.0, 0.0, 0.0), 0.01) is None
