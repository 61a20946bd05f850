"""Vessels that are steered: closed forms, other equations, orders, the bound of the controller, energy and work."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import physics
from physics.analysis.steering import balance, controller_torque, off_course, work
from physics.core.rotation import angle_between, yaw_pitch_roll
from physics.schemes.steered import Steered, impulse

J = [1.0, 4.0, 5.0]
WEIGHT = 2.0 * 9.81
HEIGHTS = {"transverse": 0.03, "longitudinal": 0.3}
START = {"angular_velocity": [0.5, 0.3, 0.1]}
HELM = {"heading": 0.6, "proportional": 3.0, "derivative": 2.5}
WIND = {"speed": 3.0, "direction": 2.0, "area": 2.0, "length": 3.0}  # n = 3.3075 N m
CURRENT = {"speed": 0.1, "direction": -0.5, "area": 1.0, "length": 1.0}  # n = 0.5125 N m
ALL = {"steering": HELM, "wind": WIND, "current": CURRENT, "vessel": {"damping": [0.1, 0.2, 0.3]}}


def moved(scheme="kahan-li-8", vessel=None, **more):
    tables = {"duration": 8.0, "step": 0.02, "initial": START} | more
    body = {"shape": "inertia", "inertia": J, "mass": 2.0}
    table = {"metacentric_height": HEIGHTS} | (vessel or {})
    return physics.Scenario(kind="vessel", body=body, vessel=table, schemes=[scheme], **tables)


def run(scheme="kahan-li-8", **more):
    return physics.simulate(moved(scheme, **more))[scheme]


def heading(one):
    return np.radians(yaw_pitch_roll(one.orientation)[:, 0])


# ---- closed forms ----------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", ["kahan-li-8", "dop853"])
def test_a_heading_swings_to_its_course_as_a_damped_oscillator(scheme):
    """J3 ψ'' = -Kp (ψ - ψd) - Kd ψ' about the vertical: its period and its decay, through five zeros."""
    helm = HELM | {"derivative": 0.5}
    found = run(scheme, steering=helm, initial={}, duration=20.0)
    decay, rate = 0.5 / (2 * J[2]), math.sqrt(3.0 / J[2] - (0.5 / (2 * J[2])) ** 2)
    t = found.time
    exact = 0.6 - 0.6 * np.exp(-decay * t) * (np.cos(rate * t) + decay / rate * np.sin(rate * t))
    np.testing.assert_allclose(heading(found), exact, atol=1e-9)
    k = np.flatnonzero(np.diff(np.sign(heading(found) - 0.6)))
    off = heading(found) - 0.6
    zeros = t[k] - off[k] * (t[k + 1] - t[k]) / (off[k + 1] - off[k])
    np.testing.assert_allclose(np.diff(zeros), math.pi / rate, rtol=1e-4)


def test_a_rate_alone_is_damped_evenly_at_the_bound_and_decays_below_it():
    """J3 r' = -L until Kd r = L, then r decays by Kd / J3; no course is held."""
    helm = {"heading": 2.0, "derivative": 2.5, "limit": 1.0}
    found = run("verlet-exact", steering=helm, initial={"angular_velocity": [0, 0, 1.0]})
    met, rate = J[2] * (1.0 - 1.0 / 2.5), 2.5 / J[2]
    exact = np.where(found.time < met, 1.0 - found.time / J[2], 0.4 * np.exp(-rate * (found.time - met)))
    np.testing.assert_allclose(found.angular_velocity[:, 2], exact, atol=1e-12)


def test_wind_turns_a_vessel_broadside_and_the_controller_holds_against_it():
    """It rests where Kp (ψ - ψd) = n sin 2 (ψ - β); without a controller across the wind."""
    n = 0.5 * 1.225 * 9.0 * 0.1 * 2.0 * 3.0
    across = run("verlet-exact", wind=WIND, vessel={"damping": [2.0, 2.0, 2.0]}, initial={}, duration=60.0)
    assert heading(across)[-1] == pytest.approx(2.0 - math.pi / 2, abs=1e-6)
    held = heading(run("verlet-exact", wind=WIND, steering=HELM, initial={}, duration=60.0))[-1]
    assert 3.0 * (held - 0.6) == pytest.approx(n * math.sin(2 * (held - 2.0)), abs=1e-6)


def test_a_course_may_count_turns_and_a_flow_acts_over_the_hull_ahead():
    near, far = (run(steering=HELM | {"heading": one}, initial={}) for one in (math.remainder(1e12, 2 * math.pi), 1e12))
    np.testing.assert_array_equal(near.orientation, far.orientation)
    body = {"shape": "cuboid", "size": [2.0, 6.0, 1.0], "mass": 2.0}
    short = WIND | {"length": None}
    flows = physics.World.of(moved(wind=short).changed(body=body)).acting.vessel.flows
    assert flows[0, 0] == pytest.approx(3.3075 * 2.0 / 3.0)


def test_a_torque_of_nothing_leaves_the_vessel_as_gustafsson_has_it():
    plain, steered = (
        run("verlet-exact", vessel={"damping": [0.1, 0.2, 0.3]}, **more)
        for more in ({}, {"torque": {"value": [0, 0, 0]}})
    )
    np.testing.assert_allclose(steered.orientation, plain.orientation, atol=1e-13)
    np.testing.assert_allclose(steered.angular_velocity, plain.angular_velocity, atol=1e-13)


@pytest.mark.parametrize("wanted", [0.3, -0.9, 4.0, -7.0])
@pytest.mark.parametrize("t", [0.2, 3.0, -0.2, -3.0])
@pytest.mark.parametrize(("derivative", "limit"), [(2.5, 1.0), (0.0, 1.0), (2.5, math.inf)])
def test_the_controller_kicks_exactly_and_the_way_back_is_the_same(wanted, t, derivative, limit):
    vessel = Steered(True, gains=np.array([3.0, derivative, limit, 0.6]))
    found = impulse(vessel, t, wanted, 0.2)

    def rate(_, y):
        torque = np.clip(y[1], -limit, limit)
        return [torque, -0.2 * derivative * torque]

    exact = solve_ivp(rate, (0, t), [0.0, wanted], "DOP853", rtol=1e-10, atol=1e-12, max_step=0.01).y
    assert found == pytest.approx(exact[0, -1], rel=1e-6)
    assert impulse(vessel, -t, wanted - 0.2 * derivative * found, 0.2) == pytest.approx(-found, rel=1e-9)


# ---- all of it, beside other equations -------------------------------------------------------------


def hat(v):
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])


def other_rates(limit, course):
    """Rotation matrix and angular momentum in space: the same laws, from the words of the help."""

    def rate(time, y):
        turn, spin = y[:9].reshape(3, 3), y[9:]
        w = (turn.T @ spin) / J
        up, bow = turn.T[:, 2], turn[:, 0]
        psi = math.atan2(bow[1], bow[0])
        wanted = -3.0 * math.remainder(psi - course, 2 * math.pi) - 2.5 * w[2]
        n = np.clip(wanted, -limit, limit)
        for strength, direction in ((3.3075, 2.0), (0.5125, -0.5)):
            n += strength * math.sin(2 * (psi - direction))
        righting = WEIGHT * np.cross(up, [0.3 * up[0], 0.03 * up[1], 0.0])
        inside = righting - np.array([0.1, 0.2, 0.3]) * w + [0, 0, n]
        outside = np.array([0.0, 0.0, np.interp(time, [1.0, 2.0, 3.0], [0.0, 2.0, 0.0])])
        return np.r_[(turn @ hat(w)).ravel(), turn @ inside + outside]

    return rate


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    path = tmp_path_factory.mktemp("steered") / "tug.csv"
    path.write_text("time,x,y,z\n1,0,0,0\n2,0,0,2\n3,0,0,0\n", encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("limit", "course", "rate"),
    [(math.inf, 0.6, 0.1), (0.8, 0.6, 0.1), (math.inf, 3.0, -2.0), (math.inf, 3.0 - 20 * math.pi, -2.0)],
)
def test_the_true_motion_is_that_of_other_equations_at_the_bound_and_across_half_a_turn(limit, course, rate, table):
    helm = HELM | {"heading": course} | ({} if limit == math.inf else {"limit": limit})
    initial = {"angular_velocity": [0.5, 0.3, rate]}
    torque = {"file": table, "axes": "space"}
    scenario = moved(**ALL | {"steering": helm, "torque": torque, "initial": initial})
    truth = physics.reference(scenario)
    assert truth.valid_until == 8.0
    y = np.r_[np.eye(3).ravel(), J * np.array(initial["angular_velocity"])]
    exact = solve_ivp(other_rates(limit, course), (0, 8), y, "DOP853", rtol=1e-10, atol=1e-12, max_step=0.01).y[:, -1]
    turn = Rotation.from_matrix(exact[:9].reshape(3, 3)).as_quat(scalar_first=True)
    assert float(angle_between(truth.orientation[-1], turn)) < 1e-5
    world = physics.World.of(scenario)
    assert (np.abs(controller_torque(truth, world)).max() == limit) == (limit == 0.8)
    across = np.diff(off_course(truth, world)) > 5.0  # from half a turn short of the course to half a turn beyond
    assert across.any() == (rate == -2.0)


# ---- orders ----------------------------------------------------------------------------------------

ORDERS = {"explicit": 1, "implicit": 2, "verlet-exact": 2, "suzuki-4": 4, "rkmk-4": 4, "rk4": 4}
ORDERS |= {"kahan-li-6": 6, "kahan-li-8": 8}
STEPS = {1: 1 / 256, 2: 1 / 32, 4: 1 / 16, 6: 1 / 8, 8: 1 / 4}


def errors_of(scheme, truth, steps, **more):
    """Errors at the end [rad], of angular velocities [rad/s]."""
    for step in steps:
        one = run(scheme, step=step, **more)
        turned = float(angle_between(one.orientation[-1], truth.orientation[-1]))
        yield max(turned, float(np.abs(one.angular_velocity[-1] - truth.angular_velocity[-1]).max()))


@pytest.fixture(scope="module")
def slope(tmp_path_factory):
    """A torque that grows evenly through the whole run."""
    path = tmp_path_factory.mktemp("slope") / "tug.csv"
    path.write_text("time,x,y,z\n-9,-1,0,-1\n9,1,0,1\n", encoding="utf-8")
    return {"torque": {"file": str(path), "axes": "space"}}


@pytest.mark.parametrize("scheme", ORDERS)
def test_schemes_keep_their_order_under_all_that_steers(scheme, slope):
    truth = run("dop853", step=1 / 16, **ALL | slope)
    first = STEPS[ORDERS[scheme]]
    coarse, fine = errors_of(scheme, truth, (first, first / 2), **ALL | slope)
    assert math.log2(coarse / fine) > ORDERS[scheme] - (0.2 if ORDERS[scheme] <= 4 else 0.6)


def test_no_scheme_is_of_an_order_above_2_where_the_bound_is_met():
    """Over three halvings: single ones scatter, as the bound is met at another share of a step."""
    more = ALL | {"steering": HELM | {"limit": 0.8}}
    truth = run("dop853", step=1 / 64, **more)
    for scheme, order in ORDERS.items():
        coarse, *_, fine = errors_of(scheme, truth, (1 / 16, 1 / 128), **more)
        assert min(order, 2) - 0.5 < math.log2(coarse / fine) / 3 < min(order, 2) + 1.0, scheme


# ---- energy and work -------------------------------------------------------------------------------


@pytest.mark.parametrize("more", [{"steering": HELM}, {"torque": {"value": [0, 0, 1.0]}, "gravity": {"g": 0.0}}])
def test_the_balance_of_a_vessel_that_starts_upright_at_rest_is_a_share_of_what_drives_it(more):
    sizes = []
    for step in (0.04, 0.02):
        scenario = moved("verlet-exact", step=step, initial={}, **more)
        one, world = physics.simulate(scenario)["verlet-exact"], physics.World.of(scenario)
        assert work(one, world).max() > 0.1
        sizes.append(np.abs(balance(one, world)[1:]).max())
    assert sizes[1] < max(1e-12, sizes[0] / 3.0) < 1e-3


def test_energy_minus_work_swings_as_the_energy_does_where_nothing_steers(slope):
    more = {"steering": HELM | {"limit": 0.8}, "wind": WIND, "duration": 200.0}
    sizes = []
    for step in (0.1, 0.05):
        scenario = moved("verlet-exact", step=step, **more)
        one, world = physics.simulate(scenario)["verlet-exact"], physics.World.of(scenario)
        off = np.abs(balance(one, world))
        sizes.append(off.max())
        assert off[-len(off) // 10 :].max() < 1.2 * off[: len(off) // 10].max()
        assert np.abs(work(one, world)).max() > 100 * off.max() * one.origins[0].energy_scale
    assert sizes[0] / sizes[1] == pytest.approx(4.0, rel=0.2)
    plain = run("verlet-exact", step=0.05, duration=200.0)
    alone = np.abs(plain.total_energy - plain.total_energy[0]).max() / plain.origins[0].energy_scale
    assert sizes[1] < 3.0 * alone


# ---- wrong input -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tables", "words"),
    [
        ({"steering": {"heading": 0.5}}, "steering.proportional: missing"),
        ({"steering": {"proportional": 1.0}}, "steering.heading: missing"),
        ({"steering": HELM | {"limit": 0.0}}, "steering.limit: "),
        ({"wind": {"speed": 3.0}}, "wind.area: missing"),
        ({"wind": WIND | {"gust": 2.0}}, "wind.gust: unknown key"),
        ({"current": CURRENT | {"speed": -1.0}}, "current.speed: "),
        ({"wind": WIND | {"speed": 1e200}}, "wind.speed: the torque overflows"),
        ({"torque": {"file": "none.csv"}}, "none.csv"),
    ],
)
def test_wrong_tables_are_refused_by_their_names(tables, words):
    with pytest.raises(physics.ScenarioError) as error:
        physics.World.of(moved("verlet-exact", **tables))
    assert words in str(error.value)


def test_a_scheme_without_torque_of_its_own_time_is_refused():
    with pytest.raises(physics.ScenarioError, match=r"'quat-em' cannot serve a driven body; .*suzuki-4"):
        moved("quat-em", steering=HELM)
