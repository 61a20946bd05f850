"""Free bodies that something acts on: closed forms, an integration of other equations, what is kept, wrong input."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import physics
from assets import SCENARIOS
from physics.analysis.comparison import compare
from physics.analysis.convergence import order_on
from physics.analysis.invariants import energy_error
from physics.core.rotation import angle_between, apply
from physics.ensembles.start_ensemble import StartEnsemble
from physics.schemes import SCHEMES, serving
from physics.schemes.driven_march import UNDER_TORQUE

SERVING = serving(UNDER_TORQUE)
J = [1.0, 1.6, 2.1]
START = {"angular_velocity": [0.4, 2.0, -0.7], "orientation": [0.8, 0.36, -0.48, 0.0]}
TABLE = "time,x,y,z\n0,0.5,0,0\n1,-0.5,0.8,0.3\n2,0.1,0.1,-0.6\n3,0,0,0.2\n"
WHEELS = [
    {"axis": [1, 1, 0], "inertia": 0.2, "speed": 3.0, "torque": 0.1},
    {"axis": [0, 0, 1], "inertia": 0.1, "speed": 5.0},
]
SPRING = {"axis": [1, 2, 2], "stiffness": 0.5, "damping": 0.2}
AIR = [0.03, 0.08, 0.2]
PLANET = {"rate": 0.5, "direction": [1, 0, 0], "normal": [0, 0.6, 0.8]}


def moved(scheme="kahan-li-8", inertia=J, **more):
    tables = {"duration": 3.0, "step": 0.01, "initial": START} | more
    body = {"shape": "inertia", "inertia": inertia, "mass": 1.0}
    return physics.Scenario(kind="free", body=body, schemes=[scheme], **tables)


def run(scheme="kahan-li-8", inertia=J, **more):
    return physics.simulate(moved(scheme, inertia, **more))[scheme]


def momentum_change(one):
    return float(np.linalg.norm(one.spin - one.spin[0], axis=1).max() / np.linalg.norm(one.spin[0]))


# ---- closed forms ----------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", SERVING)
@pytest.mark.parametrize("axes", ["space", "body"])
def test_a_constant_torque_about_a_principal_axis_speeds_up_evenly(scheme, axes):
    found = run(scheme, torque=[{"axes": axes, "value": [0.0, 0.4, 0.0]}], initial={})
    np.testing.assert_allclose(found.angular_velocity[:, 1], 0.4 * found.time / 1.6, atol=1e-12)


def test_a_transverse_torque_fixed_in_a_spinning_symmetric_body():
    """w1 + i w2 = T/(J i k) (1 - exp(-i k t)), k = (J - C) W/J: Euler's equations for J1 = J2 = J, J3 = C."""
    T, A, C, W = 0.3, 2.0, 1.2, 5.0
    found = run(inertia=[A, A, C], torque={"value": [T, 0, 0]}, initial={"angular_velocity": [0, 0, W]})
    k = (A - C) * W / A
    across = T / (A * 1j * k) * (1.0 - np.exp(-1j * k * found.time))
    np.testing.assert_allclose(found.angular_velocity, np.c_[across.real, across.imag, 0 * across.real + W], atol=1e-12)


@pytest.mark.parametrize("damping", [0.0, 0.3])
def test_a_spring_swings_as_a_damped_oscillator(damping):
    k, size, first = 2.5, 0.8, 1.2
    axis = np.array([1, 2, 2]) / 3.0
    found = run(
        inertia=[size] * 3,
        spring={"axis": [1, 2, 2], "stiffness": k, "damping": damping},
        initial={"orientation": [math.cos(first / 2), *(math.sin(first / 2) * axis)]},
    )
    decay = damping / (2 * size)
    rate = math.sqrt(k / size - decay**2)
    angle = first * np.exp(-decay * found.time) * (np.cos(rate * found.time) + decay / rate * np.sin(rate * found.time))
    np.testing.assert_allclose(
        2 * np.arctan2(found.orientation[:, 1:] @ axis, found.orientation[:, 0]), angle, atol=1e-11
    )


def test_a_boom_swings_under_the_gravity_gradient_as_linear_theory_says():
    """Pitch of frequency sqrt(3 n² (J1 - J3)/J2), J3 along the boom (Hughes 1986, Spacecraft Attitude Dynamics)."""
    n, inertia, small = 1e-3, [2530.0, 2500.0, 85.0], 1e-3
    swing = n * math.sqrt(3 * (inertia[0] - inertia[2]) / inertia[1])
    found = run(
        inertia=inertia,
        gravity_gradient={"rate": n, "direction": [0, 0, -1], "normal": [0, 1, 0]},
        initial={"angular_velocity": [0, n, 0], "orientation": [math.cos(small / 2), 0, math.sin(small / 2), 0]},
        duration=2 * math.pi / n,
        step=10.0,
    )
    pitch = 2 * np.arctan2(found.orientation[:, 2], found.orientation[:, 0]) - n * found.time
    pitch = (pitch + np.pi) % (2 * np.pi) - np.pi
    np.testing.assert_allclose(pitch, small * np.cos(swing * found.time), atol=5e-6 * small)


def test_internal_damping_is_that_of_a_small_ball_in_a_viscous_fluid():
    """A ball of moment I, which a film of fluid couples to the body by a torque c times the difference of their rates.

    For c large beside I|w| it lags quasi-statically, and energy falls by kappa w'.w' with kappa = I²/c.
    """
    size, c, moments = 0.02, 4.0, np.array(J)
    w = np.array([0.4, 2.0, -0.7])

    def rate(_, y):
        w, ball = y[:3], y[3:]
        torque = c * (w - ball)
        inner = moments - size
        return np.r_[(-torque - np.cross(w, inner * w)) / inner, torque / size - np.cross(w, ball)]

    exact = solve_ivp(rate, (0, 60), np.r_[w, w], "DOP853", rtol=1e-11, atol=1e-13).y[:, -1]
    energy = 0.5 * (moments - size) @ exact[:3] ** 2 + 0.5 * size * exact[3:] @ exact[3:]
    found = run(duration=60.0, damping={"internal": size**2 / c}, initial={"angular_velocity": w.tolist()})
    lost, expected = found.kinetic_energy[0] - found.kinetic_energy[-1], found.kinetic_energy[0] - energy
    assert expected > 5e-3
    assert lost == pytest.approx(expected, rel=0.01)


@pytest.mark.parametrize("scheme", SERVING)
def test_the_air_slows_a_turn_about_a_principal_axis(scheme):
    """J w' = -k |w| w has w = w0 / (1 + k w0 t / J)."""
    found = run(scheme, damping={"quadratic": AIR}, initial={"angular_velocity": [0.0, -3.0, 0.0]})
    exact = -3.0 / (1.0 + AIR[1] * 3.0 * found.time / J[1])
    np.testing.assert_allclose(found.angular_velocity[:, 1], exact, atol=1e-8)


@pytest.mark.parametrize("scheme", ["verlet-exact", "kahan-li-8", "rkmk-4", "dop853"])
def test_the_air_takes_energy_in_every_step_and_the_true_motion_is_known(scheme):
    """Rates change their signs on the way, where the torque has corners: beside Euler's equations."""
    scenario = moved(scheme, damping={"quadratic": AIR}, duration=20.0)
    found, world = physics.simulate(scenario)[scheme], physics.World.of(scenario)
    assert (world.lossless, world.driven, world.keeps_spin) == (False, False, False)
    assert np.diff(found.total_energy).max() < 0.0
    assert "doubt" not in {event.kind for event in found.events}
    truth = physics.reference(scenario)
    assert truth.valid_until == 20.0

    def rate(_, w):
        return (np.cross(J * w, w) - AIR * np.abs(w) * w) / J

    exact = solve_ivp(rate, (0, 20), START["angular_velocity"], "DOP853", rtol=1e-12, atol=1e-13, max_step=0.1).y[:, -1]
    np.testing.assert_allclose(truth.angular_velocity[-1], exact, atol=1e-8)
    np.testing.assert_allclose(found.angular_velocity[-1], exact, atol=2e-4 if scheme == "verlet-exact" else 1e-6)


# ---- the gyrostat ----------------------------------------------------------------------------------

GYROSTAT = [3.0 + 5 * (3 * 0.2**2 + 0.1**2) / 12, 4.1, 6.0 + 5 * (3 * 0.2**2 + 0.1**2) / 12]
WHEEL = {"axis": [0, 1, 0], "inertia": 0.1, "speed": 25.0, "torque": 0.0}


def test_a_gyrostat_ends_as_two_bodies_on_a_hinge_do():
    """A platform and a free rotor, integrated as two bodies in quadruple precision, by two programs: to 1e-19."""
    found = run(inertia=GYROSTAT, rotor=WHEEL, initial={"angular_velocity": [0.01, 1.0, 0.0]}, duration=50.0, step=0.02)
    attitude = [0.99112827478335168, -0.0037835076082570457, -0.13276683454002349, -0.0048369041108154596]
    rate = [-0.0089014458512897725, 0.99995643428549341, 0.0082487377777497825]
    np.testing.assert_allclose(found.angular_velocity[-1], rate, atol=1e-11)
    np.testing.assert_allclose(found.orientation[-1], attitude, atol=1e-11)
    np.testing.assert_allclose(found.total_energy[[0, -1]], 35.80015270833334, rtol=1e-12)
    np.testing.assert_allclose(found.spin[-1], [0.030541666666666667, 6.6, 0.0], atol=1e-11)


@pytest.mark.parametrize("torque", [None, 0.0])
@pytest.mark.parametrize("threshold", [(GYROSTAT[2] - 4.0) / 0.1 - 1.0, (GYROSTAT[0] - 4.0) / 0.1 - 1.0])
def test_a_rotor_steadies_the_intermediate_axis_from_kelvins_threshold_on(threshold, torque):
    """Steady about axis 2 at 1 rad/s iff (L2 - J1)(L2 - J3) > 0, L2 = 4 + 0.1 (1 + s): s beyond 19.5417 or -10.4583."""

    def leaves(speed):
        across = [0.0, 1.0, 1e-6] if threshold > 0.0 else [1e-6, 1.0, 0.0]
        wheel = {key: value for key, value in (WHEEL | {"speed": speed, "torque": torque}).items() if value is not None}
        one = run("kahan-li-6", GYROSTAT, rotor=wheel, initial={"angular_velocity": across}, duration=4000.0, step=0.2)
        return np.abs(one.angular_velocity[:, [0, 2]]).max() > 1e-5

    steady, unsteady = threshold * 1.05, threshold * 0.95
    assert (leaves(steady), leaves(unsteady)) == (False, True)
    while abs(steady - unsteady) > 5e-4:
        middle = 0.5 * (steady + unsteady)
        steady, unsteady = (steady, middle) if leaves(middle) else (middle, unsteady)
    assert 0.5 * (steady + unsteady) == pytest.approx(threshold, abs=1e-3)


# ---- all of it, beside other equations -------------------------------------------------------------


def potential(turn, time):
    """Potential of spring and gravity gradient [J], by the rotation matrix from the body to space."""
    axis = np.array(SPRING["axis"]) / 3.0
    q = Rotation.from_matrix(turn).as_quat(scalar_first=True)
    angle = 2 * math.atan2(q[1:] @ axis, q[0])
    angle = (angle + math.pi) % (2 * math.pi) - math.pi
    n, first, normal = PLANET["rate"], np.array(PLANET["direction"]), np.array(PLANET["normal"])
    down = turn.T @ (math.cos(n * time) * first + math.sin(n * time) * np.cross(normal, first))
    return 0.5 * SPRING["stiffness"] * angle**2 + 1.5 * n**2 * (down * J) @ down, angle


def hat(v):
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])


def derivative(turn, time, of):
    """Derivative of the energy or of the twist, by small turns of the body about its axes."""
    e, found = 1e-5, []
    for axis in np.eye(3):
        ahead, back = (turn @ Rotation.from_rotvec(sign * e * axis).as_matrix() for sign in (1, -1))
        found.append((potential(ahead, time)[of] - potential(back, time)[of]) / (2 * e))
    return np.array(found)


def other_rates(time, y):
    """Rotation matrix, angular velocity, and the speed of the driven wheel: Euler's equations for body and wheels."""
    turn, w, speed = y[:9].reshape(3, 3), y[9:12], y[12]
    driven, held = (np.array(wheel["axis"]) / np.linalg.norm(wheel["axis"]) for wheel in WHEELS)
    rows = np.array([line.split(",") for line in TABLE.split()[1:]], float)
    outside = turn.T @ [np.interp(time, rows[:, 0], rows[:, k]) for k in (1, 2, 3)] + np.array([0.1, -0.05, 0.2])
    along = derivative(turn, time, 1)
    outside = (
        outside - np.array(AIR) * np.abs(w) * w - derivative(turn, time, 0) - SPRING["damping"] * (along @ w) * along
    )
    spin = np.array(J) * w + 0.2 * speed * driven + 0.1 * 5.0 * held
    # J w' + 0.2 s' a = tau - w x spin, and 0.2 (a.w' + s') = n
    matrix = np.diag(J) - 0.2 * np.outer(driven, driven)
    rate = np.linalg.solve(matrix, outside - np.cross(w, spin) - 0.1 * driven)
    return np.r_[(turn @ hat(w)).ravel(), rate, 0.1 / 0.2 - driven @ rate]


@pytest.fixture
def table(tmp_path):
    (tmp_path / "table.csv").write_text(TABLE, encoding="utf-8")
    return str(tmp_path / "table.csv")


def everything(table):
    torques = [{"file": table, "axes": "space"}, {"value": [0.1, -0.05, 0.2]}]
    air = {"damping": {"quadratic": AIR}}
    return {"torque": torques, "rotor": WHEELS, "spring": SPRING, "gravity_gradient": PLANET} | air


@pytest.mark.parametrize("scheme", ["kahan-li-8", "dop853"])
def test_all_that_acts_together_moves_the_body_as_other_equations_say(scheme, table):
    turn = Rotation.from_quat(START["orientation"], scalar_first=True).as_matrix()
    y = np.r_[turn.ravel(), START["angular_velocity"], 3.0]
    exact = solve_ivp(other_rates, (0, 1), y, "DOP853", rtol=1e-10, atol=1e-11, max_step=0.1).y[:, -1]
    found = run(scheme, duration=1.0, **everything(table))
    np.testing.assert_allclose(found.angular_velocity[-1], exact[9:12], atol=1e-7)
    np.testing.assert_allclose(apply(found.orientation[-1], np.eye(3)).T, exact[:9].reshape(3, 3), atol=1e-7)


ORDERS = {"explicit": 1} | {name: SCHEMES[name].order for name in SERVING if name not in ("explicit", "dop853")}
BEYOND = {"yoshida-4", "yoshida-6", "suzuki-umeno-8"}  # stages before or after the step: past a kink of the table


@pytest.mark.parametrize("scheme", ORDERS)
def test_orders_under_torques_that_change_with_the_time(scheme, table):
    torque = {"torque": [{"file": table, "axes": "space"}]} if scheme not in BEYOND else {"gravity_gradient": PLANET}
    more = torque | {"rotor": WHEELS, "damping": {"internal": 0.05 if ORDERS[scheme] <= 4 else 0.0}}
    first = {1: 256, 2: 32, 4: 32, 6: 8, 8: 4}[ORDERS[scheme]]
    truth = run("dop853", step=1 / 64, **more)
    errors = []
    for step in (1 / first, 1 / (2 * first)):
        one = run(scheme, step=step, **more)
        turned = float(angle_between(one.orientation[-1], truth.orientation[-1]))
        errors.append(max(turned, float(np.abs(one.angular_velocity[-1] - truth.angular_velocity[-1]).max())))
    assert math.log2(errors[0] / errors[1]) > ORDERS[scheme] - (0.15 if ORDERS[scheme] <= 4 else 0.6)


def test_internal_damping_leaves_splittings_order_4_though_its_error_is_tiny():
    more = {"damping": {"internal": 0.05}, "duration": 2.0}
    truth = run("dop853", step=1 / 64, **more).orientation[-1]
    coarse, fine = (angle_between(run("kahan-li-8", step=h, **more).orientation[-1], truth) for h in (1 / 4, 1 / 8))
    assert math.log2(coarse / fine) < 5.5
    orders = {name: order_on(physics.World.of(moved(name, **more)), name) for name in ("kahan-li-8", "implicit", "rk4")}
    assert orders == {"kahan-li-8": 4, "implicit": 2, "rk4": 4}


@pytest.mark.parametrize(
    ("scheme", "step", "air", "order"),
    [
        ("rk4", 0.01, 0.0, 4),
        ("rk4", 0.03, 0.0, 2),
        ("yoshida-4", 0.01, 0.0, 2),
        ("kahan-li-8", 0.01, 0.1, 3),
        ("dop853", 0.03, 0.0, 8),
    ],
)
def test_no_order_is_promised_beyond_what_corners_on_the_way_leave(scheme, step, air, order, table):
    """Rows between two steps, or where stages lie outside a step, and rates in air that change their signs."""
    acts = {"damping": {"quadratic": [air] * 3}} if air else {"torque": [{"file": table, "axes": "space"}]}
    assert order_on(physics.World.of(moved(scheme, step=step, **acts)), scheme) == order


PUSH = {"torque": {"value": [0.3, 0.4, 0.2]}}
TURNING = {"rotor": {"axis": [1, 1, 0], "inertia": 0.8, "torque": 0.0}, "duration": 1.0}  # turns the axes beside it


@pytest.mark.parametrize(
    ("scheme", "order", "acts"),
    [
        ("yoshida-4", 4, PUSH),
        ("yoshida-4", 2, {"torque": {"rows": [[0, 0.5, 0, 0], [3, -0.5, 0.8, 0.3]]}}),
        ("kahan-li-8", 8, PUSH | {"damping": {"quadratic": AIR}, "initial": {}, "duration": 0.5}),
        ("rk4", 4, TURNING | {"damping": {"quadratic": [0.1, 0, 0]}, "initial": {"angular_velocity": [0.5, 0.9, 0.5]}}),
        ("rk4", 1, {"spring": SPRING | {"axis": [0, 0, 1]}, "initial": {"angular_velocity": [0, 0, 3]}}),
    ],
)
def test_all_corners_that_a_motion_passes_and_no_others_take_an_order_away(scheme, order, acts):
    """The ends of a table, where stages lie outside; rates that rise from rest, or keep their signs; half a turn."""
    assert order_on(physics.World.of(moved(scheme, **acts)), scheme) == order


def test_no_order_is_promised_beyond_what_a_controller_leaves_at_its_bound_and_half_a_turn_off_the_course():
    steered = physics.load_scenario(SCENARIOS / "vessel-steered.toml").changed(schemes=("rk4",), step=0.1)
    free = steered.changed(**{"steering.limit": None})
    turning = free.changed(**{"initial.angular_velocity": (0.0, 0.0, 2.5)})
    assert [order_on(physics.World.of(scenario), "rk4") for scenario in (steered, free, turning)] == [2, 4, 1]


def test_compositions_keep_their_order_in_air_beside_a_torque_while_no_rate_changes_its_sign():
    """Kicks of air and torque do not add up: two that follow each other are not one of both lengths."""
    more = {"damping": {"quadratic": AIR}, "torque": {"value": [0.3, 0.4, 0.2]}, "duration": 1.0}
    more |= {"initial": {"angular_velocity": [1.0, 1.2, 1.4]}}
    truth = run("dop853", step=1 / 64, **more)
    assert truth.angular_velocity.min() > 0.3
    coarse, fine = (
        np.abs(run("suzuki-4", step=step, **more).angular_velocity[-1] - truth.angular_velocity[-1]).max()
        for step in (1 / 8, 1 / 16)
    )
    assert math.log2(coarse / fine) > 3.8


HOLD, DRIVE = [[0.5, 2.0], [1.0, -3.0], [2.0, -3.0]], [[0.25, 0.6], [1.5, -0.2], [2.0, 0.0]]
PULSE = [[0.0, 0, 0, 0], [0.25, 0.4, -0.2, 0.1], [0.75, 0.4, -0.2, 0.1], [1.0, 0, 0, 0]]


def wheeled_rates(time, y):
    """Euler's equations for a body with two wheels: one at a speed by rows, one with a motor's torque by rows."""
    turn, w, speed = y[:9].reshape(3, 3), y[9:12], y[12]
    held, driven = np.array([1, 2, 2]) / 3.0, np.array([0.0, 0.0, 1.0])
    (times, speeds), torques = np.array(HOLD).T, np.array(DRIVE)
    row = np.searchsorted(times, time, side="right")
    change = (speeds[row] - speeds[row - 1]) / (times[row] - times[row - 1]) if 0 < row < len(times) else 0.0
    row = np.searchsorted(torques[:, 0], time, side="right")
    motor = torques[row - 1, 1] if row else 0.0
    pulse = np.array([np.interp(time, *np.array(PULSE)[:, [0, k]].T) for k in (1, 2, 3)])
    spin = np.array(J) * w + 0.1 * np.interp(time, times, speeds) * held + 0.2 * speed * driven
    matrix = np.diag(J) - 0.2 * np.outer(driven, driven)
    rate = np.linalg.solve(matrix, pulse - np.cross(w, spin) - 0.1 * change * held - motor * driven)
    return np.r_[(turn @ hat(w)).ravel(), rate, motor / 0.2 - driven @ rate]


@pytest.mark.parametrize("scheme", ["kahan-li-8", "dop853"])
def test_wheels_by_tables_and_pulses_move_the_body_as_other_equations_say(scheme):
    turn = Rotation.from_quat(START["orientation"], scalar_first=True).as_matrix()
    y, knots = np.r_[turn.ravel(), START["angular_velocity"], 3.0], [0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0]
    for first, last in itertools.pairwise(knots):
        y = solve_ivp(wheeled_rates, (first, last - 1e-12), y, "DOP853", rtol=1e-11, atol=1e-12).y[:, -1]
    wheels = [
        {"axis": [1, 2, 2], "inertia": 0.1, "speeds": HOLD},
        {"axis": [0, 0, 1], "inertia": 0.2, "speed": 3.0, "torques": DRIVE},
    ]
    scenario = moved(scheme, rotor=wheels, torque={"rows": PULSE}, duration=3.0, step=1 / 64)
    found, world = physics.simulate(scenario)[scheme], physics.FreeWorld.of(scenario)
    np.testing.assert_allclose(found.angular_velocity[-1], y[9:12], atol=1e-8)
    np.testing.assert_allclose(apply(found.orientation[-1], np.eye(3)).T, y[:9].reshape(3, 3), atol=1e-8)
    speeds = world.rotors.speeds(found.time[-1:], found.angular_velocity[-1:])
    np.testing.assert_allclose(speeds, [[-3.0, y[12]]], atol=1e-7)
    assert (world.lossless, world.driven, world.knots.tolist()) == (False, True, knots[:-1])


# ---- what is kept ----------------------------------------------------------------------------------

INNER = {"rotor": WHEELS, "damping": {"internal": 0.05}}


@pytest.mark.parametrize("scheme", SERVING)
def test_rotors_and_internal_damping_leave_the_angular_momentum_where_the_row_says_so(scheme):
    change = momentum_change(run(scheme, duration=20.0, step=0.25, **INNER))
    assert (change < 1e-12) == (SCHEMES[scheme].keeps_spin or scheme in ("dop853",)), change


@pytest.mark.parametrize("scheme", [name for name in SERVING if SCHEMES[name].keeps_spin])
def test_internal_damping_takes_energy_in_every_step_down_to_the_major_axis(scheme):
    found = run(scheme, duration=400.0, step=0.05, damping={"internal": 0.05})
    energy = found.total_energy
    assert np.diff(energy).max() < 1e-14 * energy[0]
    assert energy[-1] == pytest.approx(0.5 * found.spin[0] @ found.spin[0] / max(J), rel=1e-6)
    assert momentum_change(found) < 1e-11


@pytest.mark.parametrize("scheme", SERVING)
def test_the_energy_of_a_gyrostat_swings_or_drifts_as_the_help_says(scheme):
    wheels = [WHEELS[0] | {"torque": 0.0}, WHEELS[1]]
    found = run(scheme, duration=400.0, step=0.05, rotor=wheels)
    error = np.abs(found.total_energy / found.total_energy[0] - 1.0)
    first, second = (part.max() for part in np.array_split(error, 2))
    drifts = second > 1.3 * max(first, 1e-11) or second > 0.1
    assert drifts == (scheme in ("explicit", "implicit", "rk4", "rk4-unit", "rkmk-4")), (first, second)


def test_the_energy_of_held_and_free_wheels_and_of_a_spring_is_kept():
    wheels = [WHEELS[0] | {"torque": 0.0}, WHEELS[1]]
    found = run("kahan-li-8", rotor=wheels, spring={"axis": [1, 2, 2], "stiffness": 0.5}, duration=1.0)
    assert np.ptp(found.total_energy) < 1e-9
    assert np.ptp(found.kinetic_energy) > 0.01
    assert compare(physics.simulate(moved(rotor=wheels)))[0].conserved == "spin"


def test_errors_of_energy_are_shares_of_what_a_spring_has_at_the_start_too():
    """It starts at rest, with a twist of 1 rad."""
    turned = {"orientation": [math.cos(0.5), 0.0, 0.0, math.sin(0.5)]}
    found = run("verlet-exact", spring={"axis": [0, 0, 1], "stiffness": 3.0}, initial=turned, step=0.05)
    assert found.origins[0].energy_scale == pytest.approx(1.5)
    assert 1e-5 < np.abs(energy_error(found)).max() < 1e-2


def test_a_motor_gives_a_wheel_what_it_takes_from_the_body():
    found = run(rotor={"axis": [0, 0, 1], "inertia": 0.3, "torque": 0.2}, initial={})
    np.testing.assert_allclose(found.angular_velocity[:, 2], -0.2 / (J[2] - 0.3) * found.time, atol=1e-13)
    assert momentum_change(run(rotor=WHEELS)) < 1e-12


# ---- beside the rest of the program ----------------------------------------------------------------


def test_the_true_motion_is_known_and_nothing_is_called_an_error_that_is_none(table):
    scenario = moved("verlet-exact", **everything(table) | {"damping": {"internal": 0.01, "quadratic": AIR}})
    truth = physics.reference(scenario)
    assert truth.valid_until == 3.0
    off = truth.reference.degrees_off(physics.simulate(scenario)["verlet-exact"])
    assert off.max() < 0.1
    world = physics.World.of(scenario)
    assert (world.lossless, world.driven) == (False, True)
    assert "doubt" not in {event.kind for event in physics.simulate(scenario)["verlet-exact"].events}


def test_ensembles_of_starts_count_the_wheels():
    more = {"ensemble": {"runs": 3, "spread": {"spin": 0.2, "direction": 0.1}}, "rotor": [WHEELS[0] | {"torque": 0.0}]}
    ensemble = StartEnsemble(moved("verlet-exact", **more))
    list(ensemble.march(1))
    rows = ensemble.series[0].rows
    assert len(np.unique(rows[:, 4])) == 3
    assert rows[:, -2].max() < 1e-12  # the change of the angular momentum
    assert rows[:, -3].max() < 1e-3  # and of the energy


def test_one_table_of_a_list_may_stand_alone_and_variants_change_it():
    scenario = moved(rotor=WHEEL, inertia=GYROSTAT, variants={"slow": {"rotor": {"speed": 1.0}}})
    assert scenario.rotor[0].speed == 25.0
    slow = scenario.of_variant("slow").rotor[0]
    assert (slow.speed, slow.inertia) == (1.0, 0.1)


WRONG = {
    "no torque": ({"torque": {"axes": "body"}}, r"torque\.0\.value: expected a torque of three numbers"),
    "two torques": ({"torque": {"value": [1, 0, 0], "file": "x.csv"}}, "or file in its place"),
    "no file": ({"torque": {"file": "none.csv"}}, "none.csv"),
    "no axis": ({"rotor": WHEEL | {"axis": [0, 0, 0]}}, r"rotor\.0\.axis: expected a direction"),
    "two motors": (
        {"rotor": {"axis": [0, 1, 0], "inertia": 0.1, "torque": 1.0, "speeds": HOLD}},
        r"rotor\.0\.speeds: expected one of torque, speeds and torques at most",
    ),
    "two speeds": (
        {"rotor": {"axis": [0, 1, 0], "inertia": 0.1, "speed": 1.0, "speeds": HOLD}},
        r"rotor\.0\.speed: expected none beside speeds",
    ),
    "rows back in time": (
        {"rotor": {"axis": [0, 1, 0], "inertia": 0.1, "torques": DRIVE[::-1]}},
        r"rotor\.0\.torques: expected times \[s\] of 0 or more that rise",
    ),
    "rows before the start": ({"torque": {"rows": [[-1, 0, 0, 0]]}}, r"torque\.0\.rows: expected times \[s\] of 0"),
    "no inertia": ({"rotor": {"axis": [0, 1, 0]}}, r"rotor\.0\.inertia: missing"),
    "large rotor": ({"rotor": WHEEL | {"inertia": 1.7}}, r"rotor\.inertia: expected less than the body's own moment"),
    "idle spring": ({"spring": {"axis": [0, 0, 1]}}, r"spring\.stiffness: expected a number above 0, or damping"),
    "skew orbit": ({"gravity_gradient": PLANET | {"normal": [1, 1, 0]}}, "direction: expected one perpendicular"),
    "no rate": ({"gravity_gradient": PLANET | {"rate": 0.0}}, r"gravity_gradient\.rate: expected a number above 0"),
    "no orbit": ({"gravity_gradient": {"normal": [0, 0, 1]}}, r"gravity_gradient\.rate: expected exactly one of rate"),
    "two orbits": (
        {"gravity_gradient": PLANET | {"altitude": 5e5}},
        "expected exactly one of rate, altitude and period",
    ),
    "negative": ({"damping": {"internal": -1.0}}, r"damping\.internal: expected a number of at least 0"),
    "negative air": ({"damping": {"quadratic": [0, -1, 0]}}, r"damping\.quadratic\.1: expected a number of at least 0"),
    "air about one axis": ({"damping": {"quadratic": 0.1}}, r"damping\.quadratic: expected .*list"),
    "unknown": ({"damping": {"inner": 1.0}}, r"damping\.inner: unknown key"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_tables_are_refused_by_name(name):
    more, message = WRONG[name]
    with pytest.raises(physics.ScenarioError, match=message):
        physics.World.of(moved(**more))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("time,x,y,z\n0,1,0,0\n0,1,0,0\n", r"line 3, time: expected a time after"),
        ("time,x,y\n0,1,0\n", "no column 'z'"),
        ("time,x,y,z\n0,1,nothing,0\n", r"line 2, y: expected a number"),
    ],
)
def test_wrong_tables_of_torques_are_refused_by_line(text, message, tmp_path):
    (tmp_path / "torque.csv").write_text(text, encoding="utf-8")
    with pytest.raises(physics.ScenarioError, match=message):
        physics.World.of(moved(torque={"file": str(tmp_path / "torque.csv")}))


def test_schemes_without_torque_are_refused_with_those_that_can():
    with pytest.raises(physics.ScenarioError, match=r"'magnus-4' cannot serve a driven body; .*kahan-li-6"):
        moved("magnus-4", rotor=WHEEL)
    assert "exact" in serving("free")
    assert "rkn-4" not in SERVING
