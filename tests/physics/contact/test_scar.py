"""Compactable soil: depth of the scar, area of the overlap, drag against closed forms, energy, one depth an impact."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.spatial import ConvexHull

import physics
from physics.bodies import shapes
from physics.core.rotation import apply, random_attitudes
from physics.systems.world import World
from physics.terrain import soil
from physics.terrain.soil import deepest, double_areas, scar_laws
from tests.physics.falling import lowest_vertex
from tests.small import of_each_family, rock

FEW = of_each_family("rockfall")  # each scheme: see test_rockfall

BLOCK = {"shape": "cuboid", "size": [2.0, 2.0, 0.5], "mass": 1000.0}
LU = {"modulus": 15e6, "coefficient": 1.5, "density": 1700.0}
THIN = {"coefficient": 0.0, "density": 1e-9}  # soil that gives way and takes nothing


def drop(scheme, soil, velocity, step=2e-4, duration=0.3, gap=0.1, body=BLOCK, **law):
    """A body that falls flat onto level ground at z = 0."""
    tables = {"soil": {"mu_min": 0.5, "mu_max": 0.5, "scar": soil} | law, "initial": {"velocity": velocity}}
    tables |= {"terrain": {"profile": "ramp"}, "release": {"position": [250, 0], "height": 0.25 + gap}}
    scenario = rock(duration=duration, step=step, schemes=[scheme], body=body, **tables)
    world = World.of(scenario)
    found = physics.simulate(scenario)[scheme]
    ground = world.terrain.height(250.0, 0.0)
    return found, ground - (found.position[:, 2] - 0.25)  # the depth of its lower face


def test_the_depth_is_gerbers():
    """0.1 M^(1/3) M_E[kN/m²]^-0.4 |v_z|^0.8: 1 t on 10 MN/m² at 10 m/s: 0.1 10 10^-1.6 10^0.8."""
    law = scar_laws(10e6, 1.5, 1700.0, 1000.0)
    assert deepest(law, -10.0) == pytest.approx(10**-0.8)
    assert law.scar_drag == pytest.approx(0.5 * 2.5 * 1700.0 / 1000.0)


@pytest.mark.parametrize("angle", [0.0, 20.0, 90.0])
def test_the_overlap_of_a_block_is_width_times_height_of_its_shadow(angle):
    """Moving down at an angle: width times (depth cos + length sin)."""
    body = shapes.cuboid((3.0, 2.0, 1.0), mass=1.0)
    a, depth = math.radians(angle), 0.3
    v = 7.0 * np.array([math.cos(a), 0.0, -math.sin(a)])
    area = 2.0 * (depth * math.cos(a) + 3.0 * math.sin(a))
    for sign in (1.0, -1.0):  # on its way out it casts the same shadow
        assert swept(body, (1.0, 0.0, 0.0, 0.0), depth - 0.5, sign * v) == pytest.approx(7.0 * area)


def swept(body, q, height, v):
    """A |v| of a body whose centre lies ``-height`` above flat ground."""
    corners = apply(np.array(q), body.vertices)
    return soil.swept(body.faces, double_areas(body.vertices, body.faces), height - corners[:, 2], tuple(q), tuple(v))


@pytest.mark.parametrize("seed", range(20))
def test_the_overlap_of_any_rock_is_the_hull_of_its_shadow(seed):
    rng = np.random.default_rng(seed)
    body = shapes.eota((0.93, 0.93, 0.47), mass=780.0)
    q = random_attitudes(rng, 1)[0]
    v, height = rng.normal(size=3) * 10.0, rng.uniform(-0.3, 0.6)
    corners = apply(q, body.vertices)
    below = corners[:, 2] < height
    # the overlap is the hull of what lies below and of where chords cross the ground
    low, high = corners[below][:, None], corners[~below][None]
    share = (height - low[..., 2]) / (high[..., 2] - low[..., 2])
    crossing = low + share[..., None] * (high - low)
    points = np.concatenate([corners[below], crossing.reshape(-1, 3)])
    plane = np.linalg.svd(v[None])[2][1:]
    area = ConvexHull(points @ plane.T).volume if below.any() else 0.0
    assert swept(body, q, height, v) == pytest.approx(area * np.linalg.norm(v), rel=1e-9)


@pytest.mark.parametrize("scheme", FEW)
def test_a_block_stops_at_the_depth_of_its_impact_and_stays_there(scheme):
    v = 8.0
    found, depth = drop(scheme, THIN | {"modulus": 2e6}, [0, 0, -v])
    touched = math.hypot(v, math.sqrt(2 * 9.81 * 0.1))
    expected = 0.1 * 1000.0 ** (1 / 3) * 2000.0**-0.4 * touched**0.8
    assert expected < depth.max() < expected + 2e-4 * 1.1 * touched
    assert depth[-1] == pytest.approx(depth.max(), abs=1e-3)
    assert found.contact[-1] == 4


@pytest.mark.parametrize("scheme", FEW)
def test_the_drag_of_the_soil_is_the_closed_form(scheme):
    """dv/dt = g - k v², k = 1/2 C_d ρ A / m: v² = g/k + (v0² - g/k) exp(-2 k z) at depth z."""
    soil = {"modulus": 1e5, "coefficient": 0.5, "density": 400.0}
    found, depth = drop(scheme, soil, [0, 0, -10.0], step=1e-4, duration=0.06)
    k = 0.5 * 1.5 * 400.0 * 4.0 / 1000.0
    inside = (depth > 0.01) & (depth < 0.4)
    assert inside.sum() > 50
    v0 = 10.0**2 + 2 * 9.81 * 0.1
    expected = np.sqrt(9.81 / k + (v0 - 9.81 / k) * np.exp(-2 * k * depth[inside]))
    np.testing.assert_allclose(-found.velocity[inside, 2], expected, rtol=2e-3)


@pytest.mark.parametrize("scheme", FEW)
def test_each_impact_has_its_own_depth(scheme):
    """A block that bounces with half its speed is stopped less deep the second time, and rests there."""
    _, depth = drop(scheme, THIN | {"modulus": 1e6}, [0, 0, -6.0], duration=3.0, restitution=0.5)
    out = np.flatnonzero(depth < 0.0)
    landed = np.flatnonzero(depth >= 0.0)
    first = depth[landed[0] : out[out > landed[0]][0]].max()
    second = depth[out[out > landed[0]][-1] :].max()
    assert 0.0 < second < 0.8 * first


@pytest.mark.parametrize("terrain", ["ramp", "alpine"])
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("scheme", FEW)
def test_energy_never_rises_in_scars_and_nothing_sinks_deeper_than_its_impact(scheme, seed, terrain):
    tables = {"terrain": {"profile": terrain}, "initial": {"orientation": "random"}, "ensemble": {"seed": seed}}
    tables |= {"soil": {"preset": "hard", "scar": LU}} | ({"release": {}} if terrain == "alpine" else {})
    scenario = rock(duration=200.0, step=0.002, schemes=[scheme], **tables)
    world, found = World.of(scenario), physics.simulate(scenario)[scheme]
    assert np.diff(found.total_energy).max() <= 1e-9 * found.kinetic_energy.max()
    assert found.events[-1].kind in ("rest", "left-map")
    fastest = np.linalg.norm(found.velocity, axis=1).max()
    most = deepest(scar_laws(**LU, mass=780.0), np.abs(found.velocity[:, 2]).max())
    assert -lowest_vertex(world, found).min() < most + 0.002 * (fastest + 1.0) + 0.01


@pytest.mark.parametrize("mass", [1e-3, 1.0, 1e5])
@pytest.mark.parametrize("scheme", FEW)
def test_energy_never_rises_with_every_drag_at_once(scheme, mass):
    scenario = rock(
        duration=60.0,
        step=0.002,
        schemes=[scheme],
        body={"shape": "eota", "size": [0.93 * (mass / 780.0) ** (1 / 3)] * 3, "mass": mass},
        terrain={"profile": "ramp"},
        soil={"preset": "soft", "restitution": 0.3, "scar": LU | {"modulus": 1e6}},
        forest={"drag": 500.0, "height": 2.0},
        initial={"orientation": "random"},
        release={"position": [1, 0], "height": 8.0},
    )
    found = physics.simulate(scenario)[scheme]
    assert np.diff(found.total_energy).max() <= 1e-9 * found.kinetic_energy.max()
    assert found.events[-1].kind != "failed-solve"


@pytest.mark.parametrize("scheme", FEW)
def test_before_the_touch_down_nothing_changes(scheme):
    runs = [drop(scheme, soil, [3.0, 0, 0], gap=1.0, duration=1.0) for soil in (None, LU)]
    before = runs[0][1] < -1e-3
    before &= np.cumprod(before).astype(bool)
    assert before.sum() > 1000
    for column in ("position", "velocity", "orientation"):
        assert getattr(runs[0][0], column)[before].tobytes() == getattr(runs[1][0], column)[before].tobytes()
    # soil slows a block that ploughs through it, 4 ms after the touch-down
    assert runs[1][0].velocity[before.sum() + 20, 0] < 0.99 * 3.0


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"modulus": 15.0}, r"soil\.scar\.modulus: expected a number of at least 100000"),
        ({"modulus": None}, r"soil\.scar\.modulus: expected a number"),
        ({"coefficient": -1.0}, r"soil\.scar\.coefficient: expected a number of at least 0"),
        ({"density": 0.0}, r"soil\.scar\.density: expected a number above 0"),
        ({"moduls": 1e6}, r"soil\.scar\.moduls: unknown key; did you mean 'modulus'"),
    ],
)
def test_a_wrong_scar_is_refused(change, sentence):
    with pytest.raises(physics.ScenarioError, match=sentence):
        drop("implicit", LU | change, [0, 0, 0])


def test_a_scar_without_its_values_is_refused():
    with pytest.raises(physics.ScenarioError, match=r"soil\.scar\.density: missing"):
        drop("implicit", {"modulus": 1e6, "coefficient": 1.0}, [0, 0, 0])
