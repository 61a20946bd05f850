"""Schemes on arrays: the same numbers as from a scenario, functions of the caller's, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

import physics
from physics.core.rotation import product
from physics.schemes import implicit, serving
from tests.small import cuboid

MOMENTS, TURN, OMEGA = (6.0, 8.0, 3.0), (0.6, 0.0, 0.8, 0.0), (0.3, 5.0, 0.1)


@pytest.mark.parametrize("name", serving("free"))
def test_a_scheme_on_arrays_gives_the_bytes_of_the_scenario(name):
    scenario = cuboid(duration=2.0, schemes=(name,))
    world = physics.World.of(scenario)
    run = physics.simulate(scenario)[name]
    q, w = world.body.to_principal(world.orientation, world.angular_velocity)
    motion = physics.integrate(name, world.moments, q, w, scenario.step, scenario.duration)
    orientation, angular_velocity = world.body.from_principal(motion.orientation, motion.angular_velocity)
    np.testing.assert_array_equal(motion.time, run.time)
    np.testing.assert_array_equal(orientation, run.orientation)
    np.testing.assert_array_equal(angular_velocity, run.angular_velocity)
    np.testing.assert_allclose(motion.spin, run.spin, rtol=1e-12, atol=1e-12)


def test_more_steps_than_one_block_holds_are_one_motion():
    whole = physics.integrate("implicit", MOMENTS, TURN, OMEGA, 0.001, 150.0)
    assert len(whole.time) == 150_001
    halfway = whole.orientation[75_000], whole.angular_velocity[75_000]
    rest = physics.integrate("implicit", MOMENTS, *halfway, 0.001, 75.0)
    np.testing.assert_allclose(rest.orientation[-1], whole.orientation[-1], atol=1e-9)


def test_a_scheme_of_this_package_handed_over_as_a_function_gives_its_own_numbers():
    by_name = physics.integrate("implicit", MOMENTS, TURN, OMEGA, 0.01, 3.0)
    by_function = physics.integrate(implicit.step, MOMENTS, TURN, OMEGA, 0.01, 3.0)
    np.testing.assert_allclose(by_function.orientation, by_name.orientation, atol=1e-12)
    np.testing.assert_allclose(by_function.angular_velocity, by_name.angular_velocity, atol=1e-12)


def midpoint(J, field, h, q, w):
    """Runge's rule of 1895 on (q, w), without normalisation: a scheme as a user writes it."""
    assert field == (0.0,) * 12

    def rates(q, w):
        rate = tuple((J[i - 2] - J[i - 1]) * w[i - 2] * w[i - 1] / J[i] for i in range(3))
        return tuple(0.5 * a for a in product(q, (0.0, *w))), rate

    dq, dw = rates(q, w)
    dq, dw = rates(*(tuple(a + 0.5 * h * b for a, b in zip(x, y, strict=True)) for x, y in ((q, dq), (w, dw))))
    return *(tuple(a + h * b for a, b in zip(x, y, strict=True)) for x, y in ((q, dq), (w, dw))), 0.0


def test_a_scheme_of_a_user_converges_with_its_own_order():
    exact = physics.integrate("exact", MOMENTS, TURN, OMEGA, 0.1, 1.0)
    errors = [
        np.abs(physics.integrate(midpoint, MOMENTS, TURN, OMEGA, h, 1.0).orientation[-1] - exact.orientation[-1]).max()
        for h in (0.01, 0.005, 0.0025, 0.00125)
    ]
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    np.testing.assert_allclose(orders, 2.0, atol=0.15)


def test_a_step_without_a_solution_ends_the_motion_and_is_told():
    def gives_up(J, field, h, q, w):
        gives_up.calls += 1
        return q, w, np.inf if gives_up.calls > 7 else 0.0

    gives_up.calls = 0
    motion = physics.integrate(gives_up, MOMENTS, TURN, OMEGA, 0.1, 5.0)
    assert len(motion.time) == len(motion.orientation) == len(motion.angular_velocity) == 8
    (event,) = motion.events
    assert event.kind == "failed-solve"
    assert event.time == pytest.approx(0.8)
    assert event.text.startswith("gives_up: no solution of the step before 0.8 s")


FALLING = {
    "rockfall": {
        "body": {"shape": "cuboid", "size": (0.8, 0.7, 0.5), "mass": 1e-12},
        "terrain": {"profile": "ramp", "drop": 12.0, "width": 30.0},
        "release": {"position": (1.0, 0.0), "height": 1e160},
    },
    "table": {
        "body": {"shape": "sphere", "radius": 0.05, "mass": 1e-12},
        "initial": {"position": (0.0, 0.0, 1e160)},
    },
}


@pytest.mark.parametrize("kind", FALLING)
def test_a_step_whose_energy_overflows_fails_after_the_last_state(kind):
    falls = physics.Scenario(
        kind=kind, step=0.01, duration=1.0, schemes=("implicit",), gravity={"g": 1e155}, **FALLING[kind]
    )
    run = physics.simulate(falls)["implicit"]
    last = 0.13  # g t squares to less than the largest number up to 0.134 s
    assert run.time[-1] == pytest.approx(last)
    assert [(event.kind, event.time) for event in run.events] == [("failed-solve", pytest.approx(last))]


def test_the_orientation_is_normalised_and_the_inputs_stay_as_they_are():
    q, w = np.array([3.0, 0.0, 4.0, 0.0]), np.array(OMEGA)
    motion = physics.integrate("explicit", np.array(MOMENTS), q, w, 0.01, 0.1)
    np.testing.assert_allclose(motion.orientation[0], [0.6, 0.0, 0.8, 0.0], rtol=1e-15)
    np.testing.assert_array_equal(q, [3.0, 0.0, 4.0, 0.0])
    np.testing.assert_array_equal(w, OMEGA)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"scheme": "implizit"}, "scheme: 'implizit' is not a scheme for kind 'free'; did you mean implicit?"),
        ({"scheme": "verlet-exact"}, "scheme: 'verlet-exact' cannot serve kind 'free'"),
        ({"moments": (1.0, 2.0, 30.0)}, "moments: no body has these moments"),
        ({"moments": (1.0, 2.0)}, "moments: expected three moments"),
        ({"moments": "heavy"}, "moments: expected three moments above 0 kg m², got heavy"),
        ({"orientation": (0.0, 0.0, 0.0, 0.0)}, "orientation: expected a quaternion that can be normalised"),
        ({"orientation": "up"}, "orientation: expected 4 numbers, got 'up'"),
        ({"angular_velocity": (1.0, float("nan"), 0.0)}, "angular_velocity: expected 3 finite numbers"),
        ({"step": 0.0}, "step: expected a time above 0 s, got 0.0"),
        ({"step": True}, "step: expected a time above 0 s, got True"),
        ({"step": 2.0}, "step: expected at most the duration of 1 s, got 2"),
        ({"duration": float("inf")}, "duration: expected a time above 0 s, got inf"),
        ({"step": 1e-9}, "step: expected at most 20000000 steps, got 1e+09"),
        ({"scheme": lambda J, field, h, q, w: (q, w)}, "scheme: expected (q, w, residual) of a step"),
        ({"scheme": lambda J, field, h, q, w: (w, w, 0.0)}, "scheme: expected 4 and 3 numbers of a step, got 3 and 3"),
        ({"scheme": lambda J, field, h, q, w: (w, q, 0.0)}, "scheme: expected 4 and 3 numbers of a step, got 3 and 4"),
        ({"scheme": lambda J, field, h, q, w: (q, w, None)}, "scheme: expected (q, w, residual) of a step"),
    ],
)
def test_wrong_arguments_are_told_in_one_sentence_that_names_them(given, sentence):
    arguments = {
        "scheme": "implicit",
        "moments": MOMENTS,
        "orientation": TURN,
        "angular_velocity": OMEGA,
        "step": 0.1,
        "duration": 1.0,
    }
    with pytest.raises(physics.ScenarioError) as caught:
        physics.integrate(**{**arguments, **given})
    assert str(caught.value).startswith(sentence)
