"""The levers and the separatrix of a ship: those of the barge, by published numbers and by its motion."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from test_ship import BARGE, GM, I4, WEIGHT, sail, ship

from app.kinds import kind_of
from physics.analysis import ship_stability
from physics.analysis.invariants import energy_error
from physics.core.trajectory import Origin, State, Trajectory
from physics.simulation.schedule import Schedule
from physics.systems.ship.world import ShipWorld

LEVERS = {  # [m] at a heel [degrees], and where they vanish: as published for this barge
    10.0: 0.2097881152,
    20.0: 0.4594353536,
    30.0: 0.7603629711,
    40.0: 0.7740144309,
    60.0: 0.3725428537,
    80.0: -0.2038900689,
    150.0: -1.2603629711,
}
VANISHING, AREA, THRESHOLD = 73.1549662370, 0.573699390726, 1.1982119995


@pytest.fixture(scope="module")
def barge() -> ShipWorld:
    return ShipWorld.of(ship())


def test_the_curve_has_the_published_levers_to_both_sides(barge: ShipWorld) -> None:
    found = ship_stability.lever_curve(barge)
    heels = np.degrees(found.heels)
    for heel, lever in LEVERS.items():
        assert found.levers[np.argmin(np.abs(heels - heel))] == pytest.approx(lever, abs=1e-9)
        assert found.levers[np.argmin(np.abs(heels + heel))] == pytest.approx(-lever, abs=1e-9)
    port, starboard = found.vanishing
    assert math.degrees(starboard or 0.0) == pytest.approx(VANISHING, abs=1e-8)
    assert math.degrees(port or 0.0) == pytest.approx(-VANISHING, abs=1e-8)
    assert (found.barrier or 0.0) - found.energies[found.rest] == pytest.approx(AREA, rel=1e-9)


def test_the_separatrix_passes_through_the_capsizing_roll_rate(barge: ShipWorld) -> None:
    heels, rates = ship_stability.separatrix(barge) or (np.zeros(1), np.zeros(1))
    assert np.interp(0.0, heels, rates) == pytest.approx(THRESHOLD, rel=1e-8)
    assert rates[[0, -1]] == pytest.approx(0.0, abs=0.02)


def test_a_hull_that_always_comes_back_has_none() -> None:
    round_hull = {"shape": "cylinder", "size": (20.0, 4.0, 4.0), "mass": 1e5, "centre_of_gravity": (0.0, 0.0, -0.5)}
    ballasted = ShipWorld.of(ship(hull=round_hull))
    assert ship_stability.lever_curve(ballasted).vanishing == (None, None)
    assert ship_stability.separatrix(ballasted) is None


def test_a_hull_that_no_trim_balances_upright_has_no_curve() -> None:
    """Broader than it is long and loaded high, it rears up."""
    broad = {"shape": "box", "size": (4.0, 10.0, 5.0), "mass": 1e5, "centre_of_gravity": (0.0, 0.0, 4.5)}
    rearing = ShipWorld.of(ship(hull=broad))
    assert ship_stability.lever_curve(rearing) is None
    assert ship_stability.separatrix(rearing) is None
    row = kind_of(rearing.scenario)
    assert row.facts is not None
    assert row.facts(rearing).endswith("No trim balances it upright.")
    assert all(not quantity.behind(rearing).curves for quantity in row.choices)


def test_levers_before_an_edit_of_the_load_lie_on_the_curve_before_it() -> None:
    """A centre of gravity 0.5 m higher takes 0.5 m times the sine of the heel from the lever."""
    higher = {"hull": BARGE | {"centre_of_gravity": (0.0, 0.0, 3.0)}}
    world = Schedule.of(ship(edit=({"time": 0.5} | higher,))).worlds()[-1]
    levers = next(one for one in kind_of(world.scenario).choices if one.title == "Righting lever")
    behind = levers.behind(world)
    later, earlier = behind.curves
    lower = 0.5 * np.sin(np.radians(earlier[:, 0]))
    np.testing.assert_allclose(np.interp(earlier[:, 0], *later.T), earlier[:, 1] - lower, atol=2e-3)
    for time, curve in ((0.4, earlier), (0.6, later)):
        area = behind.filled(20.0, time)
        assert area[-1] == pytest.approx([20.0, np.interp(20.0, *curve.T)])
    assert len(behind.beyond) == 4


LOLLING = {"shape": "wigley", "size": (100.0, 10.0, 6.25), "panels": 8, "mass": 2.847e6}
BRICK, PLANK = (
    {"shape": "box", "size": size, "mass": mass} for size, mass in (((10, 10, 12), 5e5), ((40, 10, 6), 1e6))
)


@pytest.mark.parametrize(
    ("hull", "height", "said"),
    [
        (LOLLING, -0.7, "It is righted from any heel."),  # upright its lever is rounding, of either sign
        (BRICK, 3.0, "Up to 96° of heel it is righted; beyond that no trim balances it."),
        (PLANK, 5.9, "it comes to rest at a heel of 180°."),
    ],
)
def test_the_panel_tells_from_which_heel_a_ship_comes_back(hull: dict[str, object], height: float, said: str) -> None:
    world = ShipWorld.of(ship(hull=hull | {"centre_of_gravity": (0.0, 0.0, height)}))
    assert ship_stability.lever_curve(world).vanishing == (None, None)
    assert kind_of(world.scenario).facts(world).endswith(said)


def test_the_levers_of_a_motion_are_its_roll_moment_over_the_weight() -> None:
    """I4 p' = -m g GZ of a ship that rolls alone."""
    run = sail(3.0, 0.001, "rkn-4", initial={"heel": 0.3, "trim": 0.0})
    world = ShipWorld.of(ship(initial={"heel": 0.3, "trim": 0.0}))
    turned = np.gradient(run.angular_velocity[:, 0], run.time, edge_order=2)
    assert ship_stability.levers(run, world) == pytest.approx(-I4 * turned / WEIGHT, abs=2e-6)


def test_a_long_run_in_waves_has_nearly_the_levers_of_each_of_its_states() -> None:
    """Between states whose lever is computed it is a spline: of ten minutes as of one."""
    world = ShipWorld.of(ship(wave={"height": 0.5, "period": 6.0, "direction": 1.2}))
    time = np.linspace(0.0, 600.0, 6001)
    heel = 0.1 * np.sin(2.0 * math.pi / 5.2 * time)
    attitude = np.column_stack([np.cos(heel / 2.0), np.sin(heel / 2.0), 0.0 * heel, 0.0 * heel])
    none, vectors = np.zeros(len(time)), np.zeros((len(time), 3))
    place = np.column_stack([none, none, none + world.rest.height])
    run = Trajectory("rkn-4", time, place, attitude, vectors, vectors, none, none, vectors, none.astype(int))
    rows = np.arange(1000, 1050)
    near, each = ship_stability.levers(run, world)[rows], ship_stability.levers(run.rows(rows), world)
    assert near == pytest.approx(each, abs=0.01 * np.abs(each).max())


def test_a_small_roll_takes_what_theory_says(barge: ShipWorld) -> None:
    assert ship_stability.metacentric_height(barge) == pytest.approx(GM, rel=1e-12)
    assert ship_stability.roll_period(barge) == pytest.approx(5.200319193, rel=1e-9)
    askew = ship(hull={"radii_of_gyration": None, "inertia": (I4, 1e7, 1.1e7, 0.0, 4e5, 0.0)})
    assert ship_stability.roll_inertia(ShipWorld.of(askew)) == pytest.approx(I4, rel=1e-12)


def test_the_energy_error_is_counted_from_rest(barge: ShipWorld) -> None:
    """The barge has m g times the area under its levers more at 15 degrees than at rest."""
    run = sail(1.0, 0.05, initial={"heel": math.radians(15.0)})
    found = energy_error(run)
    area = GM * (1 - math.cos(0.2618)) + 8.0 / 6.0 * (1 / math.cos(0.2618) + math.cos(0.2618) - 2.0)
    change = (run.total_energy - run.total_energy[0]) / WEIGHT
    assert found[1:] == pytest.approx(change[1:] / area, rel=0.02)  # the start is not quite at the height it floats at
    turned_over = energy_error(
        sail(5.0, 0.02, initial={"heel": math.radians(150.0)})
    )  # there it lies lower than upright
    assert np.abs(turned_over).max() < 1e-3


def test_a_hull_that_its_deck_just_carries_has_facts() -> None:
    """All under water, with its weight above the middle: it rears up at once, and there is no curve."""
    full = ShipWorld.of(ship(hull={"mass": 1025.0 * math.prod(BARGE["size"])}))
    assert ship_stability.lever_curve(full) is None
    assert kind_of(full.scenario).facts(full)  # what the panel says: this divided by a waterplane that is gone


def test_it_is_told_that_free_surfaces_do_not_act_on_the_motion(barge: ShipWorld) -> None:
    told = "Free surfaces of tanks are left out here"
    slack = ShipWorld.of(ship(stability={"tanks": [[5.0, 4.0, 1000.0]]}))
    assert told in kind_of(slack.scenario).facts(slack)
    assert told not in kind_of(barge.scenario).facts(barge)


@pytest.mark.parametrize(
    ("waves", "growth", "found"),
    [(2.0, 0.03, True), (2.0, 0.0, False), (2.0, -0.03, False), (1.0, 0.03, False), (2.6, 0.03, False)],
)
def test_roll_is_parametric_where_it_grows_at_half_the_frequency_of_the_waves(
    waves: float, growth: float, found: bool
) -> None:
    """waves : that meet the ship in a cycle of its roll; it drifts, so that this is not the frequency of the waves."""
    world = ShipWorld.of(ship(wave={"height": 1.0, "period": 7.4, "direction": math.pi}))
    time = np.arange(0.0, 120.0, 0.1)
    drift = 0.5 * time
    (wave,), (number,) = world.waves.frequency, world.waves.wavenumber
    heel = 0.05 * np.exp(growth * (time - 60.0)) * np.sin((wave + number * 0.5) * time / waves)
    attitude = np.column_stack([np.cos(heel / 2.0), np.sin(heel / 2.0), 0.0 * heel, 0.0 * heel])
    place = np.column_stack([drift, 0.0 * drift, 0.0 * drift])  # towards the waves, which run against x
    none, vectors = np.zeros(len(time)), np.zeros((len(time), 3))
    run = Trajectory("rkn-4", time, place, attitude, vectors, vectors, none, none, vectors, none.astype(int))
    times = ship_stability.parametric_roll(run, world)
    assert len(times) == found
    begins = [State(at, place[0], attitude[0], vectors[0], vectors[0]) for at in (0.0, 118.0)]
    edited = replace(run, origins=tuple(Origin(state, 0.0, np.zeros(3), 0.0, 0.0) for state in begins))
    calm = replace(ShipWorld.of(ship()), earlier=(world,))
    assert np.array_equal(ship_stability.parametric_roll(edited, calm), times)
