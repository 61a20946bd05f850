"""Schemes beyond the papers: Lie group, variational, splitting, Runge-Kutta; against numbers found independently.

museum.json: end states and errors on a cuboid, from a program of other authors' formulas. The table below: a body of
moments 0.6, 0.8, 1 kg m² with momentum (1.8, 0.4, -0.9).
"""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from physics import SCHEMES
from physics.core.potential import FREE
from physics.core.rotation import angle_between, apply

CUBOID = json.loads((Path(__file__).parents[1] / "museum.json").read_text())["cuboid"]
NAMES = {name: "lie-alpha" if name == "lie-alpha-0.9" else name for name in CUBOID["major"]["schemes"]}
J_CUBOID = np.array([5 / 12, 10 / 12, 13 / 12])
J, M = np.array([0.6, 0.8, 1.0]), np.array([1.8, 0.4, -0.9])
IDENTITY = np.array([1.0, 0.0, 0.0, 0.0])


def states(name, moments, w, h, steps, rows=1, field=FREE, q=IDENTITY):
    """``rows`` states (rows, 7), each ``steps`` steps after the one before."""
    scheme, out = SCHEMES[name], np.empty((rows, 7))
    good, _ = scheme.march(moments, field, h, steps, scheme.start(moments, q, np.asarray(w, float)), out)
    assert good == rows
    return out


def apart(a, b):
    """The distance of two attitudes as unit quaternions."""
    a, b = (np.asarray(x) / np.linalg.norm(x) for x in (a, b))
    return float(min(np.linalg.norm(a - b), np.linalg.norm(a + b)))


@pytest.mark.parametrize("motion", CUBOID)
@pytest.mark.parametrize("known", NAMES)
def test_end_states_on_the_cuboid_are_those_of_an_independent_program(known, motion):
    case = CUBOID[motion]
    want = case["schemes"][known]
    found = states(NAMES[known], J_CUBOID, case["w0"], 0.01, 2000)[0]
    close = 1e-4 if motion == "intermediate" else 1e-9  # where the motion itself magnifies an error 1e8 times
    assert apart(found[:4], want["q"]) < close
    assert np.abs(found[4:] - want["w"]).max() < 10.0 * close
    w0, w = np.array(case["w0"]), found[4:]
    energy = (J_CUBOID @ w**2) / (J_CUBOID @ w0**2)
    spin = apply(found[:4] / (found[:4] @ found[:4]) ** 0.5, J_CUBOID * w)
    start = J_CUBOID * w0
    assert energy - 1.0 == pytest.approx(want["energy_ratio"] - 1.0, rel=1e-3, abs=2e-12)
    if NAMES[known] != "rk4":  # its quaternion has lost its length, and the spin with it
        size = np.linalg.norm(spin) / np.linalg.norm(start)
        assert size - 1.0 == pytest.approx(want["spin_ratio"] - 1.0, rel=1e-3, abs=2e-12)
    tilt = math.degrees(math.atan2(np.linalg.norm(np.cross(spin, start)), spin @ start))
    assert tilt == pytest.approx(want["spin_direction_deg"], rel=1e-3, abs=2e-6)  # by arccos: below 2e-6 rounding
    if motion != "intermediate":
        error = math.degrees(float(angle_between(found[:4] / np.linalg.norm(found[:4]), case["q"])))
        assert error == pytest.approx(want["attitude_deg"], rel=1e-3, abs=1e-7)


# error of the attitude at 10 s with steps of 0.05 s; greatest change of energy and spin over 500 s at 0.025 s
TABLE = {
    "lgvi": (6.7e-2, 4e-13, 2e-13),
    "dlm": (1.8e-3, 1.1e-4, 5e-13),
    "no-squish": (4.1e-3, 2.4e-4, 1e-12),
    "rkmk-4": (1.3e-6, 6e-8, 2e-12),
    "cf-4": (2.1e-6, 5e-7, 2e-12),
    "cg-3": (2.0e-3, 2e-3, 1e-12),
    "cg-4": (4.0e-5, 3e-7, 1e-12),
    "lie-newmark": (1.1e-3, 2.1e-5, 2.5e-4),
    "lie-alpha": (1.1e-3, 2e-5, None),
    "lie-midpoint": (2.1e-3, 1.1e-5, 2e-13),
    "spherical-midpoint": (3.1e-2, 4e-13, 4e-13),
    "rk4": (5.4e-6, 1e-8, None),
}


@pytest.mark.parametrize("name", TABLE)
def test_errors_of_the_measured_table(name):
    error, energy, spin = TABLE[name]
    w = M / J
    truth = states("exact", J, w, 10.0, 1)[0]
    found = states(name, J, w, 0.05, 200)[0]
    assert apart(found[:4], truth[:4]) == pytest.approx(error, rel=0.05)
    long = states(name, J, w, 0.025, 1, rows=20_000)
    change = np.abs((long[:, 4:] ** 2 @ J) / (w**2 @ J) - 1.0).max()
    assert change < 1e-12 if energy < 1e-12 else change == pytest.approx(energy, rel=0.25)  # one digit is known
    if spin is not None:
        lost = np.abs(apply(long[:, :4], J * long[:, 4:]) - M).max() / np.linalg.norm(M)
        assert lost < 5e-12 if spin < 1e-11 else lost == pytest.approx(spin, rel=0.3)


def test_the_first_corrections_are_those_of_two_terms():
    """s1 and d1 by hand for moments 0.6, 0.8, 1: H = 3.305, C = 4.21, e = 2.4, 1.88, 0.48."""
    from physics.schemes.pdmv import series

    H, C = 0.5 * float(M @ (M / J)), float(M @ M)
    e1, e2, e3 = 2.4, 0.6 * 0.8 + 0.8 + 0.6, 0.48
    s, d = series(H / e3, C / e3, e1, e2, e3, 1)
    assert s == pytest.approx((-H * e2 / 3 + C * e1 / 6) / e3, rel=1e-14)
    assert d == pytest.approx((H * e1 / 6 - C / 3) / e3, rel=1e-14)


TOP = json.loads((Path(__file__).parents[1] / "compositions.json").read_text())["tops"]["steady"]


# error of the attitude after 0.25 s with steps of 2.5 ms on Betsch's top
@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("rk4-unit", 1.6e-3),
        ("rkmk-4", 4.8e-5),
        ("cf-4", 9.5e-5),
        ("dlm", 9.9e-4),
        ("lie-midpoint", 5.5e-3),
        ("lie-newmark", 0.16),
        ("spherical-midpoint", 0.073),
        ("lgvi", 0.38),
        ("pdmv-6", 7.6e-5),
    ],
)
def test_errors_on_the_top_are_those_of_an_independent_program(name, error):
    moments, field = np.array(TOP["J"]), np.array([0.0, 0.0, TOP["MgL"], *np.zeros(9)])
    truth = states("rkn-6", moments, TOP["w0"], 0.25 / 2000, 2000, field=field, q=np.array(TOP["q0"]))[0]
    found = states(name, moments, TOP["w0"], 0.0025, 100, field=field, q=np.array(TOP["q0"]))[0]
    assert apart(found[:4], truth[:4]) == pytest.approx(error, rel=0.05)


SHIP = np.array([3.2164e8, 5.4782e9, 5.7426e9])


def vessel(damping=(0.0, 0.0, 0.0)):
    """Restoring moments of Gustafsson's ship, about axes that are not the principal ones, and damping."""
    return np.array([0.0, 0.0, 0.0, 6.4678e9, 1.338e8, 0.0, *damping, 1e8, -3e7, 2e7])


def energy_of(found, field):
    from physics.core.potential import potential

    return 0.5 * found[:, 4:] ** 2 @ SHIP + potential(field, found[:, :4])


def test_quat_em_keeps_the_energy_of_a_vessel_to_rounding():
    field = vessel()
    found = states("quat-em", SHIP, (1.0, 1.0, 1.0), 0.05, 1, rows=20_000, field=field)
    energy = energy_of(found, field)
    assert np.abs(energy / energy[0] - 1.0).max() < 1e-12
    spin = apply(found[:, :4], SHIP * found[:, 4:])
    assert np.ptp(spin[:, 2]) < 1e-12 * np.linalg.norm(spin[0])


@pytest.mark.parametrize(
    "name",
    [
        "quat-em",
        "algo-c1",
        "lgvi",
        "dlm",
        "no-squish",
        "lie-newmark",
        "lie-alpha",
        "lie-midpoint",
        "rk4",
        "cf-4",
        "cg-3",
    ],
)
def test_damped_vessels_are_met_with_the_order_of_the_scheme(name):
    field = vessel((1e8, 1e9, 2e9))
    truth = states("dop853", SHIP, (1.0, 1.0, 1.0), 0.1, 10, field=field)[0]
    errors = [apart(states(name, SHIP, (1.0, 1.0, 1.0), 1 / n, n, field=field)[0, :4], truth[:4]) for n in (80, 160)]
    row = SCHEMES[name]
    assert math.log2(errors[0] / errors[1]) == pytest.approx(row.order_under_torque or row.order, abs=0.1)


def test_dop853_agrees_with_others_and_ends_where_it_would_take_for_ever() -> None:
    w = M / J
    truth = states("exact", J, w, 10.0, 1)[0]
    assert apart(states("dop853", J, w, 0.1, 100)[0, :4], truth[:4]) < 1e-11
    assert apart(states("dop853", J, w, 2.0, 5)[0, :4], truth[:4]) < 1e-11  # a step longer than its own
    end = states("rkn-6-14", SHIP, (1.0, 1.0, 1.0), 1e-3, 1000, field=vessel())[0]
    assert apart(states("dop853", SHIP, (1.0, 1.0, 1.0), 0.1, 10, field=vessel())[0, :4], end[:4]) < 1e-11
    scheme, out = SCHEMES["dop853"], np.empty((1, 7))
    good, residual = scheme.march(J, FREE, 1e6, 1, scheme.start(J, IDENTITY, M / J), out)
    assert (good, residual) == (0, math.inf)
