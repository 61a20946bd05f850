"""Smooth rocks: where they touch against brute force, rolling and bouncing against closed forms, order, energy."""

from __future__ import annotations

import math

import numpy as np
import pytest

import physics
from physics.analysis.contact_points import touch
from physics.bodies import shapes, surface
from physics.contact.places import ARM, DEPTH, MAX_PLACES, NORMAL, POINT, WIDTH
from physics.contact.smooth import find_places
from physics.contact.vertices import axes_of
from physics.core.rotation import apply, random_attitudes
from physics.core.trajectory import State
from physics.systems.rockfall import system as rockfall
from physics.systems.rockfall.world import RockfallWorld
from physics.systems.toys.world import ToyWorld
from physics.systems.world import World

G = 9.81
BALL = {"shape": "sphere", "radius": 0.5}
EGG = {"shape": "ellipsoid", "size": [1.2, 1.0, 0.8]}
WHEEL = {"shape": "disk", "radius": 0.5, "thickness": 0.2}
DRUM = {"shape": "cylinder", "size": [1.0, 1.0, 1.5]}
SCAR = {"scar": {"modulus": 15e6, "coefficient": 1.5, "density": 1700.0}}
ON_EDGE = [math.sqrt(0.5), math.sqrt(0.5), 0.0, 0.0]
NO_SLIP = 1000.0
FLAT = {"profile": "ramp"}, [250.0, 0.0]  # the run-out at z = 0


def friction(mu, **more):
    return {"mu_min": mu, "mu_max": mu, "beta": 1.0, "kappa": 1.0} | more


def rolled(body, mu, *, angle=None, height=0.5, scheme="implicit", duration=3.0, step=0.002, soil=None, **initial):
    """A body on a plane, the ramp where it has an angle [deg] or its run-out, and the world."""
    ground, place = FLAT if angle is None else ({"profile": "ramp", "angle": angle}, [2.0, 0.7])
    high = height / math.cos(math.radians(angle or 0.0))
    scenario = physics.Scenario(
        kind="rockfall",
        duration=duration,
        step=step,
        schemes=[scheme],
        body=body | {"density": 2700.0},
        terrain=ground,
        soil=friction(mu) | (soil or {}),
        initial=initial,
        release={"position": place, "height": high},
    )
    return physics.simulate(scenario)[scheme], World.of(scenario)


def way(run):
    return float(np.linalg.norm(run.position[-1] - run.position[0]))


# ---- where it touches ---------------------------------------------------------------------------------


def rough(seed, size=0.3):
    return np.random.default_rng(seed).normal(0.0, size, (9, 9))


def bilinear(heights, x, y):
    i, j = np.clip(x.astype(int), 0, 7), np.clip(y.astype(int), 0, 7)
    s, t = x - i, y - j
    south = heights[j, i] * (1 - s) + heights[j, i + 1] * s
    return south * (1 - t) + (heights[j + 1, i] * (1 - s) + heights[j + 1, i + 1] * s) * t


def places_of(shape, heights, r, q):
    found = np.zeros((MAX_PLACES, WIDTH))
    n = find_places((heights, 1.0, 1.0), surface.shape_of(shape.numbers), r, axes_of(tuple(q)), -np.inf, found)
    return found[:n]


@pytest.mark.parametrize("seed", range(8))
def test_an_ellipsoid_is_deepest_where_brute_force_says(seed):
    """The cells have the size of the ellipsoid, with creases, tips and pits."""
    rng = np.random.default_rng(seed)
    shape, q, heights = surface.ellipsoid(rng.uniform(0.4, 1.2, 3)), random_attitudes(rng, 1)[0], rough(seed)
    r = (*rng.uniform(3.0, 5.0, 2).tolist(), 1.0)
    directions = rng.normal(size=(200_000, 3))
    directions[:, 2] = -np.abs(directions[:, 2])  # of the underside
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    points = np.array(r) + apply(q, shape.support(-apply(q * (1, -1, -1, -1), directions)))
    depths = bilinear(heights, points[:, 0], points[:, 1]) - points[:, 2]
    found = places_of(shape, heights, r, q)
    assert found[:, DEPTH].max() == pytest.approx(depths.max(), abs=2e-3)
    assert found[:, DEPTH].max() > depths.max() - 1e-9
    for place in found:
        x, y, z = np.array(r) + apply(q, place[ARM : ARM + 3])
        assert (x, y, z + place[DEPTH]) == pytest.approx(place[POINT : POINT + 3], abs=1e-9)
        assert bilinear(heights, *place[POINT : POINT + 2, None]) == pytest.approx(place[POINT + 2], abs=1e-9)
        outward = apply(q, np.linalg.solve(shape.form, place[ARM : ARM + 3]))
        assert -outward / np.linalg.norm(outward) == pytest.approx(place[NORMAL : NORMAL + 3], abs=1e-9)
        near = np.linalg.norm(points[:, :2] - place[POINT : POINT + 2], axis=1) < 0.02
        assert depths[near].max(initial=-np.inf) < place[DEPTH] + 1e-9  # the deepest of its neighbourhood


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("rim", [0.0, 0.1])
def test_a_disk_is_deepest_where_brute_force_says(seed, rim):
    rng = np.random.default_rng(seed)
    shape, q, heights = surface.disk([0.9, 0.7], 0.2, rim), random_attitudes(rng, 1)[0], rough(seed, 0.05)
    r = (*rng.uniform(3.0, 5.0, 2).tolist(), 0.5)
    angle = np.linspace(0.0, 2.0 * math.pi, 20_000)
    core = [
        np.column_stack(
            [(0.9 - rim) * np.cos(angle), (0.7 - rim) * np.sin(angle), np.full(len(angle), s * (0.2 - rim))]
        )
        for s in (-1.0, 1.0)
    ]
    at = np.array(r) + apply(q, np.concatenate(core))
    step = 1e-6
    ground = bilinear(heights, at[:, 0], at[:, 1])
    east = (bilinear(heights, at[:, 0] + step, at[:, 1]) - ground) / step
    north = (bilinear(heights, at[:, 0], at[:, 1] + step) - ground) / step
    depths = ground - at[:, 2] + rim * np.sqrt(1.0 + east**2 + north**2)
    # folds of the ground are found to the points from which the search begins
    assert places_of(shape, heights, r, q)[:, DEPTH].max() == pytest.approx(depths.max(), abs=0.01)


def test_a_ball_touches_both_walls_of_a_gully_and_the_crest_of_a_ridge():
    slope = 0.5
    gully = slope * np.abs(np.arange(9.0) - 4.0) * np.ones((9, 1))
    ball, q = surface.sphere(0.5), (1.0, 0.0, 0.0, 0.0)
    walls = places_of(ball, gully, (4.0, 3.3, 0.5 * math.hypot(1.0, slope)), q)
    assert len(walls) == 2
    assert np.abs(walls[:, DEPTH]).max() < 1e-12
    assert np.sort(walls[:, NORMAL]) == pytest.approx([-slope / math.hypot(1.0, slope), slope / math.hypot(1.0, slope)])
    (crest,) = places_of(ball, -gully, (4.1, 3.3, 0.5), q)
    assert crest[POINT] == pytest.approx(4.0)
    assert crest[NORMAL : NORMAL + 3] == pytest.approx([0.2, 0.0, math.sqrt(0.96)])  # along the radius to the crest
    tip = np.zeros((9, 9))
    tip[4, 4] = 1.0
    (top,) = places_of(ball, tip, (4.1, 4.05, 1.5), q)
    assert top[POINT : POINT + 3] == pytest.approx([4.0, 4.0, 1.0])


def test_contacts_shown_are_those_of_the_time_stepping():
    run, world = rolled(EGG, 0.5, angle=30.0, height=0.8, duration=2.0, angular_velocity=[1.0, 2.0, 3.0])
    assert isinstance(world, RockfallWorld)
    for i in range(1, len(run), 10):
        state = State(run.time[i], run.position[i], run.orientation[i], run.velocity[i], run.angular_velocity[i])
        found = touch(world, state)
        assert found.touching.sum() >= run.contact[i]
        assert np.abs(np.sum(found.slips * found.normals, axis=1)).max() < 1e-9


# ---- rolling ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", ["implicit", "exact"])
@pytest.mark.parametrize("angle", [5.0, 35.0])
def test_a_ball_rolls_at_five_sevenths(scheme, angle, monkeypatch):
    """a = 5/7 g sin(angle) where it does not slip.

    ``exact`` runs in Python: its loop would compile for 15 s for this test alone. That it compiles is told by its loop
    with polyhedra, and that smooth bodies do by that of ``implicit``: see tests.physics.kernel_digests.
    """
    if scheme == "exact":
        march_of = rockfall.march_of
        monkeypatch.setattr(rockfall, "march_of", lambda rotation, **of: march_of(rotation, **of).py_func)
    run, _ = rolled(BALL, 0.8, angle=angle, scheme=scheme)
    a = 5.0 / 7.0 * G * math.sin(math.radians(angle))
    assert np.linalg.norm(run.velocity[-1]) == pytest.approx(3.0 * a, rel=1e-9)
    assert way(run) == pytest.approx(0.5 * a * 9.0, rel=1e-5)
    assert np.ptp(run.total_energy[5:]) < 1e-9 * run.kinetic_energy[-1]  # it comes to the ground in the first steps


def test_a_ball_slips_where_friction_is_too_weak():
    """tan(angle) > 7/2 μ: a = g (sin - μ cos), and the spin grows at 5/2 μ g cos / R."""
    run, _ = rolled(BALL, 0.1, angle=35.0, duration=1.0)
    a = math.radians(35.0)
    assert np.linalg.norm(run.velocity[-1]) == pytest.approx(G * (math.sin(a) - 0.1 * math.cos(a)), rel=1e-9)
    assert run.angular_velocity[-1, 1] == pytest.approx(2.5 * 0.1 * G * math.cos(a) / 0.5, rel=1e-9)


@pytest.mark.parametrize("body", [WHEEL, WHEEL | {"rim": 0.1}, DRUM], ids=["sharp", "round", "long"])
def test_disk_and_cylinder_roll_at_two_thirds(body):
    run, _ = rolled(body, 0.8, angle=20.0, orientation=ON_EDGE)
    a = 2.0 / 3.0 * G * math.sin(math.radians(20.0))
    assert np.linalg.norm(run.velocity[-1]) == pytest.approx(3.0 * a, rel=1e-6)
    assert np.abs(run.angular_velocity[-1, :2]).max() < 1e-6


def test_a_ball_that_slides_on_the_flat_keeps_five_sevenths_of_its_speed():
    run, _ = rolled(BALL, 0.3, velocity=[4.0, 0.0, 0.0])
    assert run.velocity[-1] == pytest.approx([5.0 / 7.0 * 4.0, 0.0, 0.0], abs=1e-6)


def test_an_ellipsoid_rocks_with_its_period():
    """T = 2π sqrt((J + m c²) / (m g (a²/c - c))) of one with semi-axes a, b, c that lies on its end of c."""
    a, c, m = 0.6, 0.4, 1.0
    run, _ = rolled(
        EGG, NO_SLIP, height=0.4 + 1e-5, duration=4.0, orientation=[math.cos(0.01), 0.0, math.sin(0.01), 0.0]
    )
    period = 2.0 * math.pi * math.sqrt((m * (a * a + c * c) / 5.0 + m * c * c) / (m * G * (a * a / c - c)))
    x = run.position[:, 0] - run.position[:, 0].mean()
    i = np.flatnonzero((x[:-1] < 0.0) & (x[1:] >= 0.0))
    crossings = run.time[i] - x[i] * (run.time[i + 1] - run.time[i]) / (x[i + 1] - x[i])
    assert np.diff(crossings) == pytest.approx(period, rel=2e-3)


@pytest.mark.parametrize(("body", "close"), [(EGG, 2e-5), (WHEEL, 4e-3)], ids=["ellipsoid", "disk"])
def test_without_slip_it_moves_as_on_the_table_to_second_order(body, close):
    """The table's own time stepping has energy exact, and is tested against published motions."""
    start = {"orientation": [math.cos(0.6), math.sin(0.6), 0.0, 0.0], "angular_velocity": [0.5, 2.0, 3.0]}
    table = physics.Scenario(
        kind="table",
        duration=1.0,
        step=5e-4,
        schemes=["implicit"],
        body=body | {"density": 2700.0},
        initial=start,
        table={"mu": NO_SLIP},
    )
    world, exact = World.of(table), physics.simulate(table)["implicit"]
    assert isinstance(world, ToyWorld)
    moved, errors = exact.position[-1] - exact.position[0], []
    for step in (0.004, 0.002):
        at = {"height": float(world.position[2]), "velocity": world.velocity.tolist()}
        run, _ = rolled(body, NO_SLIP, duration=1.0, step=step, **at, **start)
        gaps = run.position[:, 2] - world.surface.height(world.normal(run.orientation))
        assert np.abs(gaps).max() < 50.0 * step**2
        assert abs(run.total_energy[-1] / run.total_energy[0] - 1.0) < 400.0 * step**2
        errors.append(np.linalg.norm(run.position[-1] - run.position[0] - moved))
    assert errors[1] < close
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.15)


def test_a_coin_that_circles_does_not_sink():
    """The law on the velocity at the end of a step alone took it 20 cm into the ground in 4 s."""
    coin = {"shape": "cylinder", "size": [1.0, 1.0, 0.2]}
    start = {"orientation": [math.cos(0.5), math.sin(0.5), 0.0, 0.0], "angular_velocity": [0.0, 2.0, 8.0]}
    run, world = rolled(coin, 0.8, height=0.8, duration=6.0, **start)
    up = apply(run.orientation * (1.0, -1.0, -1.0, -1.0), np.array([0.0, 0.0, 1.0]))
    assert (run.position[:, 2] - world.body.surface.height(up)).min() > -0.01
    assert np.diff(run.total_energy).max() <= 1e-9 * run.kinetic_energy.max()


# ---- lying and bouncing -------------------------------------------------------------------------------


def test_a_disk_lies_below_the_friction_angle_and_slides_above_it():
    a = math.radians(20.0)
    lying = {"orientation": [math.cos(a / 2), 0.0, math.sin(a / 2), 0.0], "height": 0.1, "angle": 20.0}
    run, _ = rolled(WHEEL, 1.01 * math.tan(a), **lying)
    assert run.events[-1].kind == "rest"
    assert way(run) < 1e-6
    run, _ = rolled(WHEEL, 0.2, **lying)
    assert way(run) == pytest.approx(0.5 * G * (math.sin(a) - 0.2 * math.cos(a)) * 9.0, rel=1e-6)
    assert np.abs(run.angular_velocity).max() < 1e-6


@pytest.mark.parametrize("body", [DRUM, WHEEL, DRUM | {"size": [1.0, 0.8, 0.2]}])
def test_what_comes_down_level_on_a_plain_lies_on_its_face(body):
    """All points of the rim are as deep then: none was the deepest, and it fell through the ground."""
    run, world = rolled(body, 0.5, height=1.5)
    assert run.position[-1, 2] == pytest.approx(np.ptp(world.body.vertices[:, 2]) / 2.0, abs=1e-3)
    assert run.contact[-1] == 3
    assert np.diff(run.total_energy).max() <= 1e-9 * run.kinetic_energy.max()


def test_a_ball_bounces_with_its_restitution_and_keeps_what_it_must():
    run, _ = rolled(
        BALL, 0.0, height=2.5, soil={"restitution": 1.0}, velocity=[1.0, 0.5, 0.0], angular_velocity=[3.0, 2.0, 1.0]
    )
    assert np.abs(run.velocity[:, :2] - (1.0, 0.5)).max() < 1e-12
    assert np.abs(run.angular_velocity - (3.0, 2.0, 1.0)).max() < 1e-12
    assert np.ptp(run.total_energy) < 1e-3 * run.total_energy[0]
    after = run.time > 1.0  # the first impact is at 0.64 s
    assert run.position[after, 2].max() == pytest.approx(2.5, abs=5e-3)
    half, _ = rolled(BALL, 0.0, height=2.5, soil={"restitution": 0.5}, duration=1.2)
    assert half.position[half.time > 0.7, 2].max() - 0.5 == pytest.approx(0.25 * 2.0, abs=5e-3)


@pytest.mark.parametrize("soil", [{}, {"restitution": 0.5}, SCAR])
@pytest.mark.parametrize("body", [EGG, {"shape": "cylinder", "size": [1.2, 1.1, 0.5]}], ids=["ellipsoid", "cylinder"])
def test_energy_never_rises_on_rough_ground(body, soil):
    scenario = physics.Scenario(
        kind="rockfall",
        duration=40.0,
        step=0.002,
        schemes=["implicit"],
        body=body | {"density": 2700.0},
        terrain={"profile": "alpine"},
        soil={"preset": "hard"} | soil,
        initial={"orientation": "random"},
        ensemble={"rocks": 3, "volume": {"distribution": "uniform", "min": 0.1, "max": 1.0}},
    )
    world = World.of(scenario)
    assert isinstance(world, RockfallWorld)
    for rock in range(3):
        own = physics.simulate(scenario.changed(**{"ensemble.rock": rock}))["implicit"]
        assert np.diff(own.total_energy).max() <= 1e-9 * own.kinetic_energy.max()
        assert own.contact.max() >= 1
        assert way(own) > 50.0


# ---- how it is asked for ------------------------------------------------------------------------------


def test_a_drawn_size_scales_the_surface():
    for body in (shapes.ellipsoid((3.0, 2.0, 1.0), 1.0), shapes.cylinder((3.0, 2.0, 1.0), 1.0, rim=0.2)):
        u = random_attitudes(np.random.default_rng(1), 1)[0, 1:]
        assert shapes.scaled(body, 2.0).surface.support(u) == pytest.approx(2.0 * body.surface.support(u))


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ({"shape": "disk", "radius": 1.0}, r"body\.thickness: expected more than 0 m of a disk that falls"),
        (WHEEL | {"rim": 0.11}, r"rim: expected at most half the thickness"),
        (EGG | {"offset": [0.0, 0.0, 0.1]}, r"body\.offset: not a key of kind 'rockfall'"),
        ({"shape": "hoop", "radius": 1.0}, r"'hoop' is not available for kind 'rockfall'"),
    ],
)
def test_what_no_rock_can_be_is_refused(body, sentence):
    with pytest.raises(physics.ScenarioError, match=sentence):
        rolled(body, 0.5)
