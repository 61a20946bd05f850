"""The budget of a spacecraft's angular momentum, beside Euler's equations of body and wheel outside the program."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import quad_vec, solve_ivp

import physics
from physics.analysis import momentum_budget

J, WHEEL, MOTOR, SPEED, RATE = np.array([100.0, 120.0, 80.0]), 0.05, 0.02, 100.0, 0.01
START = [0.01, 0.02, -0.01]
ROWS = np.array([[10, 0, 0], [11, 0.5, 0.1], [19, 0.5, 0.1], [20, 0, 0], [60, 0, 0], [61, -0.5, -0.1], [70, 0, 0]])


def manoeuvre(scheme: str, folder, axes: str, **more):
    lines = ["time,x,y,z", *(f"{time},{x},0,{z}" for time, x, z in ROWS.tolist())]
    (folder / "pulses.csv").write_text("\n".join(lines), encoding="utf-8")
    table = {"file": str(folder / "pulses.csv"), "axes": axes}
    scenario = physics.Scenario(
        kind="free",
        duration=100.0,
        step=0.5,
        schemes=[scheme],
        body={"shape": "inertia", "inertia": J.tolist(), "mass": 500.0},
        initial={"angular_velocity": START},
        rotor={"axis": [0, 0, 1], "inertia": WHEEL, "speed": SPEED, "torque": MOTOR},
        torque=table,
        **more,
    )
    return physics.World.of(scenario)


def run_of(world):
    return physics.simulate(world.scenario)[world.scenario.schemes[0]]


def turn_of(q):
    w, x, y, z = q / np.linalg.norm(q)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def outside(time, q):
    """Torque in space [N m]: pulses in axes of the body, and a planet along x at the start, about z."""
    turn = turn_of(q)
    pulse = [np.interp(time, ROWS[:, 0], ROWS[:, 1]), 0.0, np.interp(time, ROWS[:, 0], ROWS[:, 2])]
    down = turn.T @ [np.cos(RATE * time), np.sin(RATE * time), 0.0]
    return turn @ (pulse + 3.0 * RATE**2 * np.cross(down, J * down))


def rates(time, y):
    """Attitude, and the angular momentum of body and wheel in space; the wheel's own is I (w3 + s) = known."""
    q, whole = y[:4], y[4:]
    free = J - [0.0, 0.0, WHEEL]
    w = (turn_of(q).T @ whole - [0.0, 0.0, WHEEL * (START[2] + SPEED) + MOTOR * time]) / free
    matrix = np.array(
        [[0, -w[0], -w[1], -w[2]], [w[0], 0, w[2], -w[1]], [w[1], -w[2], 0, w[0]], [w[2], w[1], -w[0], 0]]
    )
    return np.r_[0.5 * matrix @ q, outside(time, q)]


def test_what_pulses_and_planet_gave_and_wheels_took_is_that_of_eulers_equations(tmp_path):
    world = manoeuvre("dop853", tmp_path, "body", gravity_gradient={"rate": RATE})
    run = run_of(world)
    start = np.r_[1.0, 0.0, 0.0, 0.0, J * START + [0.0, 0.0, WHEEL * SPEED]]
    exact = solve_ivp(rates, (0, 100), start, "DOP853", rtol=1e-11, atol=1e-12, max_step=0.25, dense_output=True)
    knots = ROWS[:, 0].tolist()
    gift = quad_vec(lambda time: outside(time, exact.sol(time)[:4]), 0.0, 100.0, epsabs=1e-9, points=knots)[0]
    end = exact.y[:, -1]
    speed = (turn_of(end[:4]).T @ end[4:] - [0.0, 0.0, WHEEL * (START[2] + SPEED) + MOTOR * 100.0])[2] / (J[2] - WHEEL)
    wheel = WHEEL * (START[2] + SPEED) + MOTOR * 100.0 - WHEEL * speed
    np.testing.assert_allclose(momentum_budget.given(run, world)[-1], gift, atol=1e-6)
    assert np.linalg.norm(momentum_budget.wheels(run, world)[-1]) == pytest.approx(wheel, abs=1e-7)
    np.testing.assert_allclose(
        momentum_budget.body(run, world)[-1], end[4:] - wheel * turn_of(end[:4])[:, 2], atol=1e-6
    )
    assert 1e-12 < np.nanmax(momentum_budget.closure(run, world)) < 1e-8


def test_the_budget_closes_to_rounding_where_torques_are_those_of_space_and_to_the_schemes_error_elsewhere(tmp_path):
    for axes, least, most in ("space", 0.0, 1e-14), ("body", 1e-5, 1e-3):
        world = manoeuvre("verlet-exact", tmp_path, axes)
        assert least <= np.nanmax(momentum_budget.closure(run_of(world), world)) < most


def test_springs_and_air_are_in_no_budget(tmp_path):
    for more, known in ({}, True), ({"damping": {"quadratic": [0.1, 0.1, 0.1]}}, False):
        assert momentum_budget.budgeted(manoeuvre("rkmk-4", tmp_path, "body", **more)) == known


def test_rows_between_which_the_body_turns_by_more_than_half_a_turn_tell_no_budget():
    for every, known in (3, True), (4, False):
        scenario = physics.Scenario(
            kind="free",
            duration=2.4,
            step=0.1,
            record_every=every,
            schemes=["dop853"],
            body={"shape": "inertia", "inertia": J.tolist(), "mass": 500.0},
            initial={"angular_velocity": [0.0, 0.0, 10.0]},
            torque={"value": [5.0, 0.0, 0.0], "axes": "body"},
        )
        missed = momentum_budget.closure(run_of(world := physics.World.of(scenario)), world)
        assert np.isfinite(missed[1:]).all() if known else np.isnan(missed[1:]).all()
