"""A ship that moves: the public motions of a barge, what calm water keeps, damping, control, capsizing.

The numbers of motions A and B and of the capsizing threshold were computed by others with DOP853 at a tolerance of
3e-14; a box of 20 x 8 x 4 m floats at half its depth, without damping and added mass, in water of 1025 kg/m³.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from physics import Scenario, ScenarioError, Trajectory, World, simulate
from physics.analysis.convergence import order_on, run_in_steps
from physics.analysis.ranking import ranked
from physics.core.rotation import apply, conjugate
from physics.hydrostatics.stability_sheet import sheet_of
from physics.schemes import SCHEMES, serving
from physics.systems.ship.scenario import of_a_ship
from physics.systems.ship.world import ShipWorld, attitude_of, load_of, sheet_inputs

BARGE: dict[str, Any] = {
    "shape": "box",
    "size": (20.0, 8.0, 4.0),
    "mass": 328000.0,
    "centre_of_gravity": (0.0, 0.0, 2.5),
    "radii_of_gyration": (2.8, 5.5, 5.8),
}
HEELED = {"heel": math.radians(15.0)}
BEYOND = {  # the deck edge, in three dimensions
    "orientation": tuple(attitude_of(0.0, math.radians(6.0), math.radians(50.0)).tolist()),
    "position": (0.0, 0.0, 0.7),
    "angular_velocity": (0.1, 0.05, 0.2),
}
GM, I4, WEIGHT = 7.0 / 6.0, 328000.0 * 2.8**2, 328000.0 * 9.81


def ship(duration: float = 1.0, step: float = 0.01, scheme: str = "verlet-exact", **more: Any) -> Scenario:
    """A scenario of the barge; ``hull`` adds to its table."""
    tables = {"hull": BARGE | more.pop("hull", {})} | more
    return Scenario(kind="ship", duration=duration, step=step, schemes=(scheme,), **tables)


def sail(*args: Any, **more: Any) -> Trajectory:
    """The run of its scheme."""
    (run,) = simulate(ship(*args, **more)).values()
    return run


def state(run: Trajectory) -> tuple[float, np.ndarray, np.ndarray]:
    """Height, attitude, and velocities in the body's axes, at the end."""
    q = run.orientation[-1]
    along = apply(conjugate(q), run.velocity[-1])
    return run.position[-1, 2], q, np.concatenate([along, run.angular_velocity[-1]])


A = {
    1.0: (
        0.4797332127,
        (0.99911132848, 0.04214917903, 0.0, 0.0),
        (0.0, -0.000530229, -0.006273135, -0.305036730, 0, 0),
    ),
    10.0: (0.5511238454, (0.99186296418, 0.12731009503, 0, 0), (0, 0.002184805, 0.008370606, 0.049762493, 0, 0)),
    60.0: (0.4886965369, (0.99684669857, 0.07935149368, 0, 0), (0, 0.022870233, 0.142742458, 0.252384183, 0, 0)),
}
B = {
    1.0: (
        0.2512889816,
        (0.95423969143, 0.28525451316, -0.01503903346, 0.08848899082),
        (-0.045362497, -0.310343803, -0.479376844, -0.740288055, -0.024810828, 0.221579286),
    ),
    5.0: (
        0.5350559016,
        (0.89667540337, 0.19538288891, 0.05588426562, 0.39328831227),
        (0.057779270, 0.426180319, 0.991460869, 0.860117737, 0.256021550, 0.063403402),
    ),
    20.0: (
        0.9285285934,
        (-0.04816096455, 0.08627234046, -0.38819976962, 0.91626335932),
        (0.034022312, -0.202857319, 0.192715720, 0.163733910, -0.113911036, 0.118974916),
    ),
}


@pytest.mark.parametrize("time", A)
def test_a_barge_let_go_at_15_degrees_moves_as_published(time: float) -> None:
    z, q, u = state(sail(time, 1e-3 if time < 60.0 else 2e-3, "rkn-6-14", initial=HEELED, record_every=1000))
    assert z == pytest.approx(A[time][0], abs=2e-10)
    assert q == pytest.approx(A[time][1], abs=2e-10)
    assert u == pytest.approx(A[time][2], abs=2e-9)


@pytest.mark.parametrize("time", B)
def test_a_barge_beyond_its_deck_edge_moves_as_published(time: float) -> None:
    z, q, u = state(sail(time, 5e-4, "rkn-4", initial=BEYOND, record_every=1000))
    assert z == pytest.approx(B[time][0], abs=2e-8)
    assert q == pytest.approx(np.multiply(B[time][1], np.sign(B[time][1][0] * q[0])), abs=2e-8)
    assert u == pytest.approx(B[time][2], abs=1e-7)


def test_the_centre_of_gravity_stays_on_its_plumb_line_and_turns_nothing_about_it() -> None:
    run = sail(20.0, 0.01, initial=BEYOND)
    assert np.abs(run.position[:, :2]).max() < 1e-11
    assert np.ptp(run.spin[:, 2]) < 1e-11 * np.linalg.norm(run.spin[0])


@pytest.mark.parametrize(
    ("start", "period", "quantity"),
    [
        ({"heave": 1e-4}, 2.837006707, "position"),
        ({"heel": 1e-4}, 5.200319193, "spin"),
        ({"trim": 1e-4}, 2.833107039, ""),
    ],
    ids=["heave", "roll", "pitch"],
)
def test_small_motions_have_the_periods_of_theory(start: dict[str, float], period: float, quantity: str) -> None:
    angles = {"heel": 0.0, "trim": 0.0} | {key: value for key, value in start.items() if key != "heave"}
    run = sail(10.0 * period, period / 200.0, "rkn-6-14", initial=angles | {"heave": start.get("heave", 0.0)})
    signal = {"position": run.velocity[:, 2], "spin": run.angular_velocity[:, 0]}.get(
        quantity, run.angular_velocity[:, 1]
    )
    assert crossings_period(run.time, signal) == pytest.approx(period, rel=1e-6)


def crossings_period(time: np.ndarray, signal: np.ndarray) -> float:
    """The period of a swing, from its crossings of zero, each by a cubic through the four states around it."""
    found = []
    for i in np.flatnonzero(signal[1:-2] * signal[2:-1] < 0.0) + 1:
        cubic = np.polynomial.Polynomial.fit(time[i - 1 : i + 3] - time[i], signal[i - 1 : i + 3], 3)
        roots = cubic.roots()
        real = roots[np.abs(roots.imag) < 1e-9].real
        found.append(time[i] + float(real[np.argmin(np.abs(real - 0.5 * (time[i + 1] - time[i])))]))
    return 2.0 * (found[-1] - found[0]) / (len(found) - 1)


# ---- what calm water keeps -------------------------------------------------------------------------------

SPLITTINGS = {  # of the energy between start and rest, over 1000 s at h, as the table of prototypes says
    0.1: 3.77e-3,
    0.05: 9.43e-4,
}


@pytest.mark.parametrize("h", SPLITTINGS)
def test_a_splitting_keeps_the_energy_within_bounds_without_drift(h: float) -> None:
    scenario = ship(1e4, h, initial=HEELED, record_every=2)
    world = ShipWorld.of(scenario)
    (run,) = simulate(scenario).values()
    lowest = WEIGHT * world.rest.height - 1025 * 9.81 * world.rest.integrals.z
    error = (run.total_energy - run.total_energy[0]) / (run.total_energy[0] - lowest)
    assert np.abs(error).max() < 1.02 * SPLITTINGS[h]
    tenth = len(error) // 10
    assert np.mean(error[-tenth:]) == pytest.approx(np.mean(error[:tenth]), rel=5e-3)


def slope(steps: tuple[float, ...], errors: list[float]) -> float:
    """Order of convergence from the errors that are above rounding."""
    points = [(math.log(h), math.log(e)) for h, e in zip(steps, errors, strict=True) if e > 3e-11]
    assert len(points) >= 2
    return float(np.polyfit(*np.transpose(points), 1)[0])


SERVING = [name for name in serving("ship") if SCHEMES[name].order and name not in ("dop853",)]


@pytest.mark.parametrize("name", SERVING)
def test_converges_with_its_order(name: str) -> None:
    scheme = SCHEMES[name]
    order = min(scheme.order or 9, scheme.order_under_torque or 9)
    steps = {1: (0.02, 0.01, 0.005), 2: (0.05, 0.025, 0.0125), 4: (0.2, 0.1, 0.05)}.get(order, (0.8, 0.4, 0.2))
    start = {"heel": 0.3, "trim": 0.02, "angular_velocity": (0.1, 0.05, 0.2)}
    reference = state(sail(4.0, 0.002, "rkn-6-14", initial=start))[2]
    errors = [float(np.abs(state(sail(4.0, h, name, initial=start))[2] - reference).max()) for h in steps]
    assert slope(steps, errors) == pytest.approx(order, abs=0.3 if order < 6 else 1.2)


def test_a_ship_turned_and_moved_sails_alike() -> None:
    """Heading and place change nothing in calm water."""
    plain = sail(5.0, 0.01, initial={"heel": 0.6, "trim": 0.05, "angular_velocity": (0.1, 0.0, 0.1)})
    turned = sail(5.0, 0.01, initial={"heel": 0.6, "trim": 0.05, "yaw": 1.1, "angular_velocity": (0.1, 0.0, 0.1)})
    assert turned.position[:, 2] == pytest.approx(plain.position[:, 2], abs=1e-11)
    assert turned.angular_velocity == pytest.approx(plain.angular_velocity, abs=1e-11)


def test_axes_of_inertia_that_lie_askew_are_those_of_the_same_ship() -> None:
    """Six numbers of a diagonal tensor are three; a tensor turned with the ship's cargo moves it otherwise."""
    three = tuple(328000.0 * np.array([2.8, 5.5, 5.8]) ** 2)
    a = sail(3.0, 0.01, hull={"radii_of_gyration": None, "inertia": three}, initial=HEELED)
    b = sail(3.0, 0.01, hull={"radii_of_gyration": None, "inertia": (*three, 0.0, 0.0, 0.0)}, initial=HEELED)
    assert np.array_equal(a.position, b.position)
    askew = sail(3.0, 0.001, hull={"radii_of_gyration": None, "inertia": (*three, 0.0, 4e5, 0.0)}, initial=HEELED)
    assert np.abs(askew.angular_velocity[:, 2]).max() > 1e-3  # roll is coupled with yaw
    assert np.ptp(askew.total_energy) < 1e-6 * askew.kinetic_energy.max()
    assert np.ptp(askew.spin[:, 2]) < 1e-9 * np.linalg.norm(askew.spin, axis=1).max()


# ---- added mass ------------------------------------------------------------------------------------------

WATER = (2e4, 1.5e5, 3e5, 5e5, 4e6, 3e6)


def test_with_added_mass_the_splitting_goes_where_dop853_goes() -> None:
    start = BEYOND | {"velocity": (2.0, 0.5, 0.0)}
    a = sail(2.0, 0.0005, hull={"added_mass": WATER}, initial=start, record_every=100)
    b = sail(2.0, 0.05, "dop853", hull={"added_mass": WATER}, initial=start)
    assert a.position[-1] == pytest.approx(b.position[-1], abs=2e-7)
    assert a.orientation[-1] == pytest.approx(b.orientation[-1], abs=2e-7)
    assert np.ptp(b.total_energy) < 1e-6 * 328000.0


@pytest.mark.parametrize(("name", "order"), [("rkn-4", 2), ("rkn-6", 2), ("suzuki-4", 4), ("kahan-li-6", 6)])
def test_with_added_mass_compositions_of_verlet_steps_alone_keep_their_order(name: str, order: int) -> None:
    more: dict[str, Any] = {
        "hull": {"added_mass": WATER},
        "initial": {"heel": 0.3, "trim": 0.02, "velocity": (2.0, 0.5, 0.0)},
    }
    truth = state(sail(4.0, 0.05, "kahan-li-8", **more))[2]
    errors = [float(np.abs(state(sail(4.0, step, name, **more))[2] - truth).max()) for step in (0.2, 0.1)]
    assert math.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.3)
    assert order_on(ShipWorld.of(ship(scheme=name, **more)), name) == order


def test_added_mass_lengthens_the_periods_as_theory_says() -> None:
    found = sail(
        30.0, 0.01, hull={"added_mass": (0, 0, 3e5, 0, 0, 0)}, initial={"heave": 1e-4, "heel": 0.0, "trim": 0.0}
    )
    period = 2.0 * math.pi * math.sqrt((328000.0 + 3e5) / (1025.0 * 9.81 * 160.0))
    assert crossings_period(found.time, found.velocity[:, 2]) == pytest.approx(period, rel=2e-5)


def test_radii_of_gyration_that_no_body_has_are_taken_with_a_note() -> None:
    """A published tanker has 17.02, 63.96 and 66.42 m: the third is 0.2 m too large."""
    world = ShipWorld.of(ship(hull={"radii_of_gyration": (2.8, 5.5, 6.2)}))
    (note,) = world.notes
    assert "one moment exceeds the sum of the others" in note
    run = sail(20.0, 0.02, hull={"radii_of_gyration": (2.8, 5.5, 6.2)}, initial=BEYOND)
    assert np.ptp(run.spin[:, 2]) < 1e-10 * np.linalg.norm(run.spin[0])


def test_the_sheet_names_the_periods_of_the_motion() -> None:
    """Added mass of the hull, about axes of the hull: heave and roll of the box, by its stiffness."""
    made = of_a_ship(ship(hull={"added_mass": (0.0, 0.0, 3e5, 1e6, 2e6, 0.0)}))
    load = load_of(made)
    found = sheet_of(load, made.g, inputs=sheet_inputs(made.stability, load, made.hull)).periods
    inertia = load.mass * np.square(made.hull.radii_of_gyration)
    assert found.heave == pytest.approx(2.0 * math.pi * math.sqrt((load.mass + 3e5) / (1025.0 * made.g * 160.0)))
    assert found.roll == pytest.approx(2.0 * math.pi * math.sqrt((inertia[0] + 1e6) / (load.mass * made.g * 7 / 6)))
    assert found.pitch == pytest.approx(2.0 * math.pi * math.sqrt((inertia[1] + 2e6) / (load.mass * made.g * 91 / 6)))


def test_bodies_that_only_turn_do_not_know_added_mass() -> None:
    with pytest.raises(ScenarioError, match=r"hull\.added_mass: implicit integrates the rotation alone"):
        simulate(ship(1.0, 0.01, "implicit", hull={"added_mass": WATER}))
    laden = ship(0.5, 0.05, hull={"added_mass": WATER}, initial=HEELED)
    ranks = {rank.scheme: rank for rank in ranked(laden, ["implicit", "verlet-exact"])}
    assert ranks["implicit"].fault == "it integrates the rotation alone, without added mass"
    assert math.isinf(ranks["implicit"].time)
    assert math.isfinite(ranks["verlet-exact"].time)
    assert np.isnan(run_in_steps(ShipWorld.of(laden), "implicit", 5).attitude).all()
    assert np.isfinite(run_in_steps(ShipWorld.of(laden), "rk4", 5).attitude).all()


# ---- damping, wind and control ---------------------------------------------------------------------------


def test_fins_damp_the_roll_as_theory_says() -> None:
    """Damping ratio 0.0323193255, damped period 4.7497014852 s, of a linear roll."""
    fins = {"kind": "fins", "proportional": 0.2 * WEIGHT * GM, "derivative": 1.2e5}
    run = sail(
        60.0,
        0.005,
        "rkn-4",
        damping={"linear": (0.0, 0.0, 0.0, 1e5, 0.0, 0.0)},
        control=fins,
        initial={"heel": 1e-5, "trim": 0.0},
    )
    signal = run.angular_velocity[:, 0]
    assert crossings_period(run.time, signal) == pytest.approx(4.7497014852, rel=3e-7)
    zeta = 2.2e5 / (2.0 * math.sqrt(1.2 * WEIGHT * GM * I4))
    assert zeta == pytest.approx(0.0323193255, rel=1e-8)
    tops = np.abs(signal[1:-1])[
        (np.abs(signal[1:-1]) > np.abs(signal[:-2])) & (np.abs(signal[1:-1]) > np.abs(signal[2:]))
    ]
    decrement = math.log(tops[0] / tops[-1]) / (len(tops) - 1)
    assert decrement == pytest.approx(math.pi * zeta / math.sqrt(1 - zeta * zeta), rel=1e-4)


def test_fins_push_no_harder_than_their_limit() -> None:
    weak = {"kind": "fins", "proportional": 1e9, "limit": 1e4}
    strong = sail(5.0, 0.01, initial=HEELED)
    limited = sail(5.0, 0.01, control=weak, initial=HEELED)
    shift = np.abs(limited.angular_velocity[:, 0] - strong.angular_velocity[:, 0]).max()
    assert 0.0 < shift < 1e4 / I4 * 5.0


def test_a_gyro_does_no_work_and_takes_the_roll_away() -> None:
    gyro = {"kind": "gyro", "spin": 4e5, "inertia": 2e4, "damping": 6e4, "stiffness": 1e4}
    free = sail(60.0, 0.01, initial=HEELED)
    held = sail(60.0, 0.01, control=gyro, initial=HEELED)
    last = slice(-len(free) // 5, None)
    assert np.abs(held.angular_velocity[last, 0]).max() < 0.2 * np.abs(free.angular_velocity[last, 0]).max()
    undamped = gyro | {"damping": 0.0, "stiffness": 0.0}
    errors = []
    for h in (0.02, 0.01):  # with the energy of the gimbal: what the ship loses the gimbal has
        a, b = (sail(2.0, h, name, control=undamped, initial=HEELED) for name in ("verlet-exact", "rkn-4"))
        errors.append(float(np.abs(a.total_energy - b.total_energy).max()))
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.2)


@pytest.mark.parametrize(("table", "power"), [("linear", 1), ("quadratic", 2)])
def test_damping_takes_what_its_law_says(table: str, power: int) -> None:
    """A barge that drifts ahead slows down by the law alone: v' = -D v/m, or v' = -Dq v²/m."""
    run = sail(20.0, 0.1, damping={table: (5e4, 0, 0, 0, 0, 0)}, initial={"velocity": (3.0, 0.0, 0.0)})
    rate = 5e4 / 328000.0 * run.time
    expected = 3.0 * np.exp(-rate) if power == 1 else 3.0 / (1.0 + 3.0 * rate)
    assert run.velocity[:, 0] == pytest.approx(expected, rel=1e-7)


@pytest.mark.parametrize(
    ("start", "row", "period"), [({"heel": 1e-4}, 1, 5.200319193), ({"trim": 1e-4}, 2, 2.833107039)]
)
def test_damping_by_its_ratio_is_a_share_of_the_critical_one(start: dict[str, float], row: int, period: float) -> None:
    """A small roll or pitch falls by exp(-zeta w t) where half a damped period has passed; also with added mass."""
    zeta = 0.2
    ratio = [zeta if number == row else 0.0 for number in range(3)]
    half = 0.5 * period / math.sqrt(1.0 - zeta**2)
    run = sail(half, half / 1000, "rkn-4", damping={"ratio": ratio}, initial=start)
    angle = 2.0 * run.orientation[-1, row] / 1e-4
    assert angle == pytest.approx(-math.exp(-zeta * math.pi / math.sqrt(1.0 - zeta**2)), abs=1e-5)


def test_a_ratio_of_damping_adds_to_what_is_given_and_counts_added_mass() -> None:
    """Critical damping is 2 sqrt(C (I + A))."""
    damping = {"linear": (1.0, 2.0, 3.0, 4.0, 5.0, 6.0), "ratio": (0.1, 0.05, 1.0)}
    world = World.of(ship(scheme="rkn-4", damping=damping, hull={"added_mass": (0.0, 0.0, 3e5, 1e6, 2e6, 0.0)}))
    assert isinstance(world, ShipWorld)
    stiffness = np.array([1025.0 * 9.81 * 160.0, WEIGHT * GM, WEIGHT * 91.0 / 6.0])
    inertia = np.array([328000.0 + 3e5, I4 + 1e6, 328000.0 * 5.5**2 + 2e6])
    expected = np.array([0.2, 0.1, 2.0]) * np.sqrt(stiffness * inertia) + (3.0, 4.0, 5.0)
    assert world.model.linear[2:5] == pytest.approx(expected)
    assert world.model.linear[[0, 1, 5]].tolist() == [1.0, 2.0, 6.0]


def test_a_gust_leaves_order_1_even_where_it_begins_with_a_step() -> None:
    more = {"wind": {"lever": 0.1, "gust": 3.0, "gust_at": 0.5}, "initial": HEELED}
    ends = [state(sail(1.0, step, **more))[2] for step in (0.05, 0.025, 0.0125)]
    first, second = np.abs(np.diff(ends, axis=0)).max(axis=1)
    assert math.log2(first / second) == pytest.approx(1.0, abs=0.2)
    assert order_on(ShipWorld.of(ship(step=0.05, **more)), "verlet-exact") == 1


def test_wind_heels_a_ship_to_where_its_lever_meets_the_righting_one() -> None:
    """GZ of a wall-sided hull: sin phi (GM + BM tan² phi / 2) = l cos² phi."""
    damping = {"linear": (0.0, 1e5, 3e5, 2e6, 2e6, 1e6)}
    run = sail(80.0, 0.05, wind={"lever": 0.15}, damping=damping, initial={"velocity": (0.0, 0.0, 0.0)})
    phi = float(2.0 * np.arctan2(run.orientation[-1, 1], run.orientation[-1, 0]))
    assert math.sin(phi) * (GM + 0.5 * 8.0 / 3.0 * math.tan(phi) ** 2) == pytest.approx(
        0.15 * math.cos(phi) ** 2, rel=1e-5
    )
    gust = sail(80.0, 0.05, wind={"lever": 0.1, "gust": 1.5, "gust_at": 20.0}, damping=damping)
    assert gust.orientation[-1] == pytest.approx(run.orientation[-1], abs=1e-6)
    assert gust.orientation[399, 1] < 0.8 * run.orientation[-1, 1]


# ---- waves -----------------------------------------------------------------------------------------------

BEAM = {"height": 1.0, "period": 2.0 * math.pi / math.sqrt(9.81 * 2.0 * math.pi / 30.0), "direction": math.pi / 2}
ROLLING = {"linear": (0.0, 0.0, 1.5e5, 0.05 * 2.0 * math.sqrt(WEIGHT * GM * I4), 0.0, 0.0)}
C = {  # y, z, heel in degrees, v, w, p in the body's axes; by finer faces, with DOP853
    5.0: (-1.51849465, 0.80865259, -5.0457407, 0.0352547585, -1.079986780, 0.102036465),
    20.0: (-1.24491325, 0.09684907, 12.0278784, -0.0443526032, 0.260329812, 0.120622681),
    40.0: (12.2885364, 0.17566038, 5.9879993, 0.802853154, 0.319272158, -0.545155884),
}


def test_a_barge_in_a_beam_wave_moves_as_published() -> None:
    run = sail(40.0, 0.02, "rkn-4", wave=BEAM, damping=ROLLING, initial={"heel": 0.0, "trim": 0.0}, record_every=250)
    for time, expected in C.items():
        i = run.index(time)
        q, w = run.orientation[i], run.angular_velocity[i]
        along = apply(conjugate(q), run.velocity[i])
        heel = math.degrees(2.0 * math.atan2(q[1], q[0]))
        assert (*run.position[i, 1:], heel, *along[1:], w[0]) == pytest.approx(expected, rel=3e-6, abs=3e-6)
        assert np.abs(q[2:]).max() < 1e-6  # faces that are alike to both sides: no yaw, no trim


SEA = {"spectrum": "jonswap", "significant_height": 1.5, "peak_period": 6.0, "direction": 1.0}


def test_waves_run_on_where_a_motion_is_taken_up_later() -> None:
    """An edit begins a stretch of its own: the sea is that of its time."""
    whole = sail(4.0, 0.02, wave=BEAM, initial={"heel": 0.1})
    parted = sail(
        4.0, 0.02, wave=BEAM, initial={"heel": 0.1}, edit=({"time": 2.0, "damping": {"linear": (1e-9,) * 6}},)
    )
    assert parted.position[-1] == pytest.approx(whole.position[-1], abs=1e-9)


# ---- capsizing -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("share", "passes"), [(0.999, None), (1.001, None), (1.005, 5.945), (1.05, 3.039), (1.1, 2.519)]
)
def test_the_barge_capsizes_where_its_roll_is_fast_enough(share: float, passes: float | None) -> None:
    """1.1982119995 rad/s is the rate whose energy is that below the curve of levers; heave keeps some of it."""
    p = share * 1.1982119995
    run = sail(200.0 if passes is None else 10.0, 0.01, "rkn-4", initial={"angular_velocity": (p, 0.0, 0.0)})
    heel = np.degrees(2.0 * np.arctan2(run.orientation[:, 1], run.orientation[:, 0]))
    if passes is None:
        assert np.abs(heel).max() == pytest.approx(68.62 if share < 1.0 else 70.22, abs=0.01)
        assert not [event for event in run.events if event.kind == "capsize"]
    else:
        assert np.interp(120.0, heel[: np.argmax(heel > 120.0) + 1], run.time[: np.argmax(heel > 120.0) + 1]) == (
            pytest.approx(passes, abs=2e-3)
        )
        (told,) = [event for event in run.events if event.kind == "capsize"]
        assert "capsizes" in told.text


def test_a_ship_that_rolls_over_and_over_capsizes_once_also_when_it_is_edited_between() -> None:
    """Upright again at 0.9 s, and past 90° for the second time at 1.1 s."""
    edit = ({"time": 0.9, "damping": {"linear": (1e-9,) * 6}},)
    for edited in ({}, {"edit": edit}):
        run = sail(1.5, 0.01, "rkn-4", initial={"angular_velocity": (8.0, 0.0, 0.0)}, **edited)
        assert [event.kind for event in run.events] == ["capsize", "end"]
        assert (
            np.diff(np.sign(np.cos(2.0 * np.arctan2(run.orientation[:, 1], run.orientation[:, 0])))).nonzero()[0].size
            > 2
        )


def test_a_ship_dropped_from_above_goes_under_and_says_so() -> None:
    run = sail(3.0, 0.005, hull={"mass": 640000.0, "centre_of_gravity": (0.0, 0.0, 1.9)}, initial={"heave": 6.0})
    assert [event.kind for event in run.events] == ["sunk", "end"]


def test_a_ship_is_under_water_where_the_waves_are_above_it_and_capsizes_where_it_was_not_over() -> None:
    """Long waves of 14 m: afloat in a trough no point of it is above calm water, below a crest it is under water."""
    sea = {"height": 14.0, "period": 12.0}
    afloat = sail(0.1, 0.05, wave=sea | {"phase": math.pi}, initial={"heave": -7.0})
    assert [event.kind for event in afloat.events] == ["end"]
    below = sail(0.1, 0.05, wave=sea, initial={"heave": 2.0})
    assert [event.kind for event in below.events] == ["sunk", "end"]
    upside_down = sail(0.1, 0.05, initial={"heel": math.pi})
    assert [event.kind for event in upside_down.events] == ["end"]


# ---- bad input -------------------------------------------------------------------------------------------

WRONG = [
    ({"hull": {"mass": 700000.0}}, "hull.mass: 700000 kg sink it"),
    ({"hull": {"mass": None, "draught": 5.0}}, "hull.mass: a draught of 5 m sinks it"),
    ({"hull": {"centre_of_gravity": (0.0, 0.0, 9.0)}}, "hull.centre_of_gravity: z = 9 m lies outside the hull"),
    ({"hull": {"shape": None, "size": None}}, "hull.file: expected a file, or a shape"),
    ({"hull": {"size": None}}, "hull.size: missing"),
    ({"hull": {"draught": 2.0}}, "hull.mass: expected a mass"),
    ({"hull": {"scale": 2.0}}, "hull.scale: expected none beside shape"),
    ({"hull": {"file": "a.stl"}}, "hull.file: expected none beside shape"),
    (
        {"hull": {"radii_of_gyration": None, "inertia": (1e6, 1e7, 1e7, 9e6, 0, 0.0)}},
        "hull.inertia: expected three moments",
    ),
    ({"hull": {"radii_of_gyration": None, "inertia": (1e6, 1e7, 1e7, 0.0)}}, "hull.inertia: expected 3 or 6 numbers"),
    ({"wind": {"gust": 1.5}}, "wind.lever: missing; expected a lever"),
    ({"control": {"kind": "gyro", "spin": 1.0}}, "control.inertia: missing"),
    ({"control": {"kind": "fins", "spin": 1.0}}, "control.spin: not a key of the kind 'fins'; it applies to gyro"),
    ({"initial": {"heel": 0.1, "orientation": (1.0, 0.0, 0.0, 0.0)}}, "initial.heel: expected none beside orientation"),
    ({"initial": {"heave": 0.1, "position": (0.0, 0.0, 1.0)}}, "initial.heave: expected none beside position"),
    ({"water": {"depth": 1.5}}, "water.depth: the ship would lie on the ground"),
    ({"wave": {"height": 9.0, "period": 3.0}}, "wave.height: a wave 14.05 m long breaks"),
    ({"wave": {"height": 1.0}}, "wave.period: missing; a regular wave expects it"),
    ({"wave": {"height": 1.0, "period": 5.0, "seed": 2}}, "wave.seed: needs spectrum, which is missing"),
    ({"wave": SEA | {"gamma": 20.0}}, "wave.gamma: expected a number of at most 10"),
    ({"gravity": {"g": 0.0}}, "gravity.g: expected a gravity above 0"),
    ({"body": {"size": (1.0, 1.0, 1.0), "mass": 1.0}}, "body: not a table of kind 'ship'"),
]


@pytest.mark.parametrize(
    ("more", "sentence"), WRONG, ids=[text.split(":")[0] + str(i) for i, (_, text) in enumerate(WRONG)]
)
def test_what_no_ship_can_have_is_refused_in_a_sentence(more: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ScenarioError) as told:
        World.of(ship(**more))
    assert str(told.value).startswith(sentence)
