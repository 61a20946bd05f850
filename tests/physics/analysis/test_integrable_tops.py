"""Tops that can be solved: which bodies are, and that their integrals stay."""

from __future__ import annotations

import numpy as np
import pytest

import physics
from physics.analysis.integrable_tops import case_of, integral_error
from physics.analysis.invariants import constraint_multiplier
from physics.core.errors import ScenarioError

TILTED = (0.6, 0.8, 0.0, 0.0)


def top(inertia, centre, rate=(1.0, 2.0, 5.0), orientation=TILTED, schemes=("rkn-6-14",), **more) -> physics.Scenario:
    return physics.Scenario(
        kind="top",
        duration=8.0,
        step=0.01,
        schemes=schemes,
        body={"inertia": inertia, "mass": 1.0},
        top={"centre": centre},
        initial={"angular_velocity": rate, "orientation": orientation},
        **more,
    )


LAGRANGE = top((0.02, 0.02, 0.01), (0.0, 0.0, 0.06))
KOVALEVSKAYA = top((0.02, 0.02, 0.01), (0.05, 0.03, 0.0))
AXES_RENAMED = top((0.01, 0.02, 0.02), (0.0, 0.0, -0.06))
LEVEL = {"rate": (2.0, 9.0, 0.0), "orientation": (1.0, 0.0, 0.0, 0.0)}  # no angular momentum about the vertical
GORYACHEV_CHAPLYGIN = top((0.02, 0.02, 0.005), (0.03, 0.02, 0.0), **LEVEL)


@pytest.mark.parametrize(
    ("scenario", "case"),
    [
        (LAGRANGE, "Lagrange"),
        (KOVALEVSKAYA, "Kovalevskaya"),
        (AXES_RENAMED, "Kovalevskaya"),
        (GORYACHEV_CHAPLYGIN, "Goryachev-Chaplygin"),
    ],
)
def test_the_integral_of_a_top_stays_to_rounding_and_by_order_four(scenario, case) -> None:
    world = physics.World.of(scenario)
    assert case_of(world) == case
    run = physics.simulate(scenario)["rkn-6-14"]
    assert np.ptp(run.position[:, 2]) > 0.01  # it swings
    assert np.abs(integral_error(run, world)).max() < 1e-13
    if case != "Lagrange":  # whose integral rk4 keeps too, to rounding
        errors = [
            np.abs(integral_error(physics.simulate(scenario.changed(schemes=("rk4",), step=h))["rk4"], world)).max()
            for h in (0.02, 0.01)
        ]
        assert 12.0 < errors[0] / errors[1] < 40.0


@pytest.mark.parametrize(
    "scenario",
    [
        top((0.02, 0.021, 0.0105), (0.05, 0.0, 0.0)),  # A is not B
        top((0.02, 0.02, 0.011), (0.05, 0.0, 0.0)),  # A is not 2 C
        top((0.02, 0.02, 0.01), (0.05, 0.0, 0.01)),  # out of the plane
        top((0.02, 0.02, 0.005), (0.03, 0.0, 0.0)),  # angular momentum about the vertical
    ],
)
def test_another_body_has_no_such_integral(scenario) -> None:
    world = physics.World.of(scenario)
    assert case_of(world) == ""
    assert np.isnan(integral_error(physics.simulate(scenario)["rkn-6-14"], world)).all()


def test_a_quantity_that_does_not_stay_grows_where_the_case_is_missed() -> None:
    """The formula of one body along the motion of a nearly equal one: the error is that of the body."""
    world = physics.World.of(KOVALEVSKAYA)
    near = physics.simulate(top((0.02, 0.02, 0.0105), (0.05, 0.03, 0.0)))["rkn-6-14"]
    assert np.abs(integral_error(near, world)).max() > 1e-3


def test_a_solid_on_one_of_its_axes_moves_as_its_moments_do() -> None:
    size, mass, arm = np.array([0.3, 0.2, 0.1]), 2.0, 0.2
    moments = mass / 12 * (size @ size - size**2) + mass * arm**2 * np.array([0.0, 1.0, 1.0])
    solid = top((1, 1, 1), (arm, 0.0, 0.0)).changed(body={"size": tuple(size), "mass": mass})
    given = top(tuple(moments), (arm, 0.0, 0.0)).changed(**{"body.mass": mass})
    a, b = (physics.simulate(one)["rkn-6-14"] for one in (solid, given))
    np.testing.assert_allclose(a.orientation, b.orientation, atol=1e-11)


@pytest.mark.parametrize(
    ("change", "field", "words"),
    [
        ({"top.distance": 0.1}, "top.centre", "given beside top.distance"),
        ({"top.centre": (0.0, 0.0, 0.0)}, "top.centre", "away from the tip"),
        (
            {"body": {"size": (0.3, 0.2, 0.1), "mass": 1.0}, "top.centre": (0.1, 0.1, 0.0)},
            "top.centre",
            "one of the body's axes",
        ),
        ({"body.inertia": (0.02, 0.02, 0.001)}, "body.inertia", "about the centre of mass"),
        (
            {"initial": {"nutation": 1.0, "precession": 5.0, "spin": "steady"}},
            "top.centre",
            "on the top's axis",
        ),
    ],
)
def test_bad_input_is_answered(change, field, words) -> None:
    with pytest.raises(ScenarioError, match=words) as error:
        physics.World.of(KOVALEVSKAYA.changed(**change))
    assert error.value.field == field


def test_a_steady_precession_needs_equal_moments() -> None:
    start = {"nutation": 1.0, "precession": 5.0, "spin": "steady"}
    uneven = physics.Scenario(
        kind="top",
        duration=1.0,
        step=0.01,
        schemes=("rk4",),
        body={"size": (0.3, 0.2, 0.1), "mass": 1.0},
        top={"distance": 0.2},
        initial=start,
    )
    with pytest.raises(ScenarioError, match="equal moments A and B"):
        physics.World.of(uneven)
    assert physics.World.of(uneven.changed(**{"body.size": (0.2, 0.2, 0.3)})).angular_velocity[2] > 0.0


def test_the_multiplier_of_unit_length_is_that_of_the_quaternion_equations() -> None:
    """Betsch & Siebert (2009), (39): q.p' + p.q' = 0 with λ of their remark 4.2, by differences of V about q."""
    scenario = KOVALEVSKAYA
    run = physics.simulate(scenario)["rkn-6-14"]
    pull = 1.0 * scenario.g * np.array([0.05, 0.03, 0.0])

    def potential(q: np.ndarray) -> float:  # of quaternions of any length
        w, x, y, z = q
        return float(pull @ [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z])

    for row in (0, 100, 500):
        q, slight = run.orientation[row], 1e-6
        slope = [(potential(q + slight * e) - potential(q - slight * e)) / (2 * slight) for e in np.eye(4)]
        assert constraint_multiplier(run)[row] == pytest.approx(-q @ slope, abs=1e-8)
    assert np.ptp(constraint_multiplier(run)) > 0.1
