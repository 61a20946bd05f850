"""Librations and nutation of runs beside linear theory, closed forms and the swing of a pendulum."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import ellipk

import physics
from physics.analysis.spacecraft import libration_periods, nutation_time, orbit_angles
from physics.core.rotation import apply, conjugate, multiply
from physics.systems.free.actions import GravityGradientConfig

RATE = 1.1e-3  # of the orbit [rad/s]


def orbiting(moments, orientation, rate, orbits: float):
    scenario = physics.Scenario(
        kind="free",
        duration=2.0 * math.pi / RATE * orbits,
        step=10.0,
        schemes=["suzuki-4"],
        body={"shape": "inertia", "inertia": moments, "mass": 100.0},
        gravity_gradient={"rate": RATE, "direction": [0, 0, -1], "normal": [0, 1, 0]},
        initial={"orientation": orientation, "angular_velocity": rate},
    )
    run = physics.simulate(scenario)["suzuki-4"]
    half = 0.5 * RATE * run.time
    frame = np.stack([np.cos(half), 0 * half, np.sin(half), 0 * half], axis=1)  # of the orbit, which turns about y
    seen = multiply(conjugate(frame), run.orientation)
    if np.abs(seen[:, 1:]).max() < 1e-3:  # flight is x, the normal y, down -z
        angles = 2.0 * seen[:, [2, 1, 3]] * [-1.0, 1.0, -1.0]
        np.testing.assert_allclose(orbit_angles(run, physics.World.of(scenario)), angles, atol=1e-6)
    return run.time * RATE / (2.0 * math.pi), seen


def left_by(time, signal, periods) -> float:
    """Share of a signal that swings of these periods leave."""
    waves = [wave(2.0 * math.pi * time / period) for period in periods for wave in (np.cos, np.sin)]
    columns = np.stack(waves, axis=1)
    fitted = columns @ np.linalg.lstsq(columns, signal, rcond=None)[0]
    return float(np.linalg.norm(signal - fitted) / np.linalg.norm(signal))


def test_small_librations_have_the_periods_of_linear_theory():
    """Roll about x, pitch about y, yaw about z, with the least moment upright and the largest about the normal."""
    moments, small = [900.0, 1000.0, 300.0], 1e-4
    pitch, others = libration_periods(moments)
    start = [1.0, 0.5 * small, 0.5 * small, 0.3 * small]
    start = (np.array(start) / np.linalg.norm(start)).tolist()
    time, seen = orbiting(moments, start, [0.0, RATE, 0.0], 4.0)
    assert left_by(time, seen[:, 2], [pitch]) < 1e-3
    assert left_by(time, seen[:, 1], others) < 1e-3
    assert left_by(time, seen[:, 3], others) < 1e-3
    assert left_by(time, seen[:, 1], [1.01 * one for one in others]) > 0.03


def test_a_wide_libration_takes_as_long_as_a_pendulum():
    """theta'' = -(w²/2) sin 2 theta, so that the period is 2 K(sin² A)/pi times that of small librations."""
    moments, width = [2530.0, 2530.0, 85.0], math.radians(40.0)
    pitch, others = libration_periods(moments)
    assert len(others) == 1  # nothing turns it about the vertical
    period = pitch * 2.0 / math.pi * float(ellipk(math.sin(width) ** 2))
    start = [math.cos(0.5 * width), 0.0, math.sin(0.5 * width), 0.0]
    time, seen = orbiting(moments, start, [0.0, RATE, 0.0], 1.5 * period)
    angle = 2.0 * np.arctan2(seen[:, 2], seen[:, 0])
    down = np.flatnonzero((angle[:-1] > 0) & (angle[1:] <= 0))
    crossed = [time[i] + (time[i + 1] - time[i]) * angle[i] / (angle[i] - angle[i + 1]) for i in down]
    assert crossed[1] - crossed[0] == pytest.approx(period, rel=1e-5)


def nutating(moments, axis: int, angle: float, internal: float, duration: float):
    spin = np.zeros(3)
    spin[axis], spin[(axis + 1) % 3] = math.cos(angle), math.sin(angle)
    scenario = physics.Scenario(
        kind="free",
        duration=duration,
        step=0.02,
        schemes=["kahan-li-6"],
        body={"shape": "inertia", "inertia": moments, "mass": 1.0},
        damping={"internal": internal},
        initial={"angular_velocity": (20.0 * spin / moments).tolist()},
    )
    run = physics.simulate(scenario)["kahan-li-6"]
    seen = apply(conjugate(run.orientation), run.spin)
    return run.time, np.hypot(seen[:, (axis + 1) % 3], seen[:, (axis + 2) % 3]) / np.abs(seen[:, axis])


def test_the_tangent_of_a_nutation_falls_exponentially_in_a_symmetric_body():
    moments = np.array([1.0, 1.0, 1.6])
    decay = nutation_time(moments.tolist(), 2, 20.0, 0.01)
    assert decay == pytest.approx(1.6 / (0.01 * 0.6 * 400.0), rel=1e-14)
    time, tangent = nutating(moments, 2, 1.2, 0.01, 2.0)
    np.testing.assert_allclose(tangent, math.tan(1.2) * np.exp(-time / decay), rtol=1e-6)


@pytest.mark.parametrize(("axis", "sign"), [(2, 1.0), (0, -1.0)])
def test_small_nutation_falls_about_the_major_axis_and_grows_about_the_minor(axis, sign):
    moments = np.array([1.0, 1.4, 2.0])
    lasting = nutation_time(moments.tolist(), axis, 20.0, 0.01)
    assert lasting is not None
    assert math.copysign(1.0, lasting) == sign
    time, tangent = nutating(moments, axis, 1e-5, 0.01, 8.0 * abs(lasting))
    slope = np.polyfit(time, np.log(tangent), 1)[0]
    assert slope == pytest.approx(-1.0 / lasting, rel=0.02)


def test_nothing_is_said_about_the_intermediate_axis_or_without_damping():
    assert nutation_time([1.0, 1.4, 2.0], 1, 20.0, 0.01) is None
    assert nutation_time([1.0, 1.4, 2.0], 2, 20.0, 0.0) is None


def test_an_orbit_may_be_given_by_its_altitude_or_its_period():
    """A geostationary orbit, 35 786 km high, takes a sidereal day of 86 164.1 s."""
    day = 2.0 * math.pi / GravityGradientConfig(altitude=35_786e3).mean_motion
    assert day == pytest.approx(86_164.1, abs=0.5)
    assert GravityGradientConfig(period=100.0).mean_motion == pytest.approx(0.02 * math.pi)
