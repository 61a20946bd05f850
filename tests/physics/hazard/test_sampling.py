"""Sampling: what is drawn for a rock, from which distribution, and that any rock can be replayed alone, bit for bit."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import pyvista as pv
from scipy import stats

import physics
from physics.bodies import shapes
from physics.hazard.ensemble import Ensemble
from physics.systems.rockfall import sampling as rock_sampling
from physics.systems.rockfall import system as rockfall
from physics.systems.rockfall.scenario import DistributionConfig
from physics.systems.world import World
from tests.physics.falling import scenario
from tests.small import refused, write_slope

DRAWN = {
    "body": {"shape": "random", "size": [1.2, 0.9, 0.6], "density": 2700.0},
    "ensemble": {
        "rocks": 12,
        "seed": 4,
        "shapes": "each",
        "volume": {"distribution": "lognormal", "median": 0.3, "sigma": 0.5, "max": 2.0},
    },
    "release": {"line": [[1.0, -30.0], [1.0, 30.0]], "height": 2.0},
}


def same(one, other):
    """Whether two worlds start alike, bit for bit."""
    return one.rock == other.rock and all(
        np.array_equal(getattr(a, name), getattr(b, name))
        for a, b, names in (
            (one, other, ("position", "orientation", "velocity", "angular_velocity", "moments")),
            (one.body, other.body, ("mass", "inertia", "vertices", "faces", "volume", "axes")),
        )
        for name in names
    )


# ---- rocks --------------------------------------------------------------------------------------------


def test_the_advice_on_cells_is_for_rocks_as_large_as_they_fall(tmp_path):
    write_slope(tmp_path / "slope.tif", 2.0, 60, 2_700_000.0, 1_200_000.0)
    tables = {"terrain": {"file": str(tmp_path / "slope.tif")}, "release": {"height": "clear"}}
    tables |= {"body": {"shape": "cuboid", "size": [1.0, 1.0, 1.0], "density": 2700.0}}
    for volume, told in ((1.0, []), (1e-3, ["cells of 2 m are more than ten times the rock of 0.1 m"])):
        world = World.of(scenario(**tables, scenario_class=[{"volume": volume, "frequency": 1.0}]))
        assert [note.partition(":")[0] for note in world.notes if note.startswith("cells")] == told


def test_a_rock_is_the_same_from_whichever_world_it_is_drawn():
    world = World.of(scenario(**DRAWN))
    third = World.of(world.scenario.changed(**{"ensemble.rock": 3}))
    for rock in (0, 3, 11):
        assert same(world.with_rock(rock), third.with_rock(rock))
    assert same(world, third.with_rock(0))
    assert same(third, world.with_rock(3))
    more = World.of(world.scenario.changed(**{"ensemble.rocks": 1000}))
    assert same(more.with_rock(11), world.with_rock(11))


def test_another_seed_draws_other_rocks_and_other_draws_leave_the_rest_alone():
    world = World.of(scenario(**DRAWN))
    other = World.of(scenario(**DRAWN).changed(**{"ensemble.seed": 5}))
    plain = World.of(scenario(release=DRAWN["release"]))
    for rock in range(3):
        a, b, c = world.with_rock(rock), other.with_rock(rock), plain.with_rock(rock)
        assert not np.array_equal(a.orientation, b.orientation)
        assert a.position[1] != b.position[1]
        assert a.body.volume != b.body.volume
        np.testing.assert_array_equal(a.orientation, c.orientation)
        np.testing.assert_array_equal(a.position, c.position)


def test_orientations_are_uniform_on_rotations():
    world = World.of(scenario())
    turned = np.array([world.with_rock(rock).orientation for rock in range(4000)])
    # each component of a uniform unit quaternion has a density in proportion to sqrt(1 - x²)
    for component in turned.T:
        assert stats.kstest((1.0 + component) / 2.0, stats.beta(1.5, 1.5).cdf).pvalue > 0.01
    angles = 2 * np.arccos(np.abs(turned[:, 0]))
    assert stats.kstest(angles, lambda a: (a - np.sin(a)) / math.pi).pvalue > 0.01


def test_an_orientation_that_is_given_is_that_of_all_rocks():
    world = World.of(scenario(**DRAWN, initial={"orientation": [0.6, 0.8, 0.0, 0.0], "angular_velocity": [0, 0, 2]}))
    for rock in range(3):
        np.testing.assert_allclose(world.with_rock(rock).orientation, [0.6, 0.8, 0, 0])
        np.testing.assert_array_equal(world.with_rock(rock).angular_velocity, [0, 0, 2])
    assert rock_sampling.varies(world.scenario)
    assert not rock_sampling.varies(scenario(initial={}))


def test_energy_never_rises_for_rocks_of_all_shapes_and_sizes():
    ensemble = Ensemble(World.of(scenario(**DRAWN)))
    list(ensemble.march(2))
    for found in ensemble.results.values():
        assert set(found.reasons) <= {"rest", "left-map"}
        assert found.largest_relative_gain <= 1e-9


# ---- shapes and sizes ---------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(1.0, 1.0, 1.0), (2.0, 1.0, 0.5), (0.3, 3.0, 0.9)])
def test_a_random_rock_has_the_extents_asked_for_and_a_seed_is_one_rock(size):
    for seed in range(20):
        rock = shapes.random_rock(size, density=2700.0, seed=seed)
        np.testing.assert_allclose(rock.extents, size, rtol=1e-14)
        np.testing.assert_array_equal(rock.vertices, shapes.random_rock(size, density=2700.0, seed=seed).vertices)
        assert len(rock.vertices) == 24
        assert rock.convex
        assert 0.3 < rock.volume / np.prod(size) < 0.8
    other = shapes.random_rock(size, density=2700.0, seed=21)
    assert not np.allclose(other.vertices, rock.vertices)


def test_a_seed_is_the_same_rock_on_every_platform():
    rock = shapes.random_rock([1.0, 1.0, 1.0], mass=1.0, seed=1, points=8)
    about = rock.vertices - rock.vertices[0]  # free of the centre of mass
    np.testing.assert_allclose(about[[1, 4]], ROCK_1, rtol=0, atol=1e-15)


ROCK_1 = [
    [0.003100670647653958, 0.07233812732990047, 0.20302416055995381],
    [-0.9215646203679626, -0.1372574230539697, 0.5614184151735632],
]


def test_a_scaled_rock_is_of_the_same_shape_and_density():
    one, other = (
        shapes.random_rock([2, 1, 1], density=2700.0),
        shapes.scaled(shapes.random_rock([1, 0.5, 0.5], density=2700.0), 2),
    )
    assert other.mass == pytest.approx(one.mass, rel=1e-13)
    np.testing.assert_allclose(other.inertia, one.inertia, rtol=1e-12)
    np.testing.assert_allclose(other.vertices, one.vertices, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("key", ["volume", "mass", "extent"])
def test_the_quantity_that_is_drawn_is_that_of_the_rocks(key):
    table = {"distribution": "uniform", "min": 0.2, "max": 0.4}
    world = World.of(scenario(ensemble={"rocks": 50, key: table}))
    rocks = [world.with_rock(rock).body for rock in range(50)]
    drawn = np.array([getattr(r, key) if key != "extent" else r.extents.max() for r in rocks])
    assert (drawn >= 0.2).all()
    assert (drawn < 0.4).all()
    assert len(np.unique(drawn)) == 50
    for rock in rocks:
        assert rock.mass / rock.volume == pytest.approx(world.pattern.mass / world.pattern.volume, rel=1e-12)
        np.testing.assert_allclose(rock.extents / rock.extents[2], [93 / 47, 93 / 47, 1], rtol=1e-12)


LAWS = {
    "lognormal": ({"median": 0.3, "sigma": 0.5}, stats.lognorm(0.5, scale=0.3)),
    "uniform": ({"min": 0.2, "max": 3.0}, stats.uniform(0.2, 2.8)),
    "power": ({"min": 0.1, "max": 1e6, "exponent": 6.0}, stats.pareto(6.0, scale=0.1)),
}


@pytest.mark.parametrize("law", LAWS)
def test_values_follow_their_distribution(law):
    keys, expected = LAWS[law]
    table = DistributionConfig(distribution=law, **keys)
    values = np.array([table.at(u) for u in np.random.default_rng(1).random(20_000)])
    assert stats.kstest(values, expected.cdf).pvalue > 0.01
    assert values.mean() == pytest.approx(expected.mean(), rel=0.02)
    assert values.std() == pytest.approx(expected.std(), rel=0.06)
    assert np.all(np.diff([table.at(u) for u in np.linspace(0, 1, 100, endpoint=False)]) > 0)


@pytest.mark.parametrize("law", LAWS)
def test_a_distribution_that_is_cut_stays_within_and_keeps_its_shape(law):
    keys, whole = LAWS[law]
    table = DistributionConfig(distribution=law, **keys | {"min": 0.25, "max": 0.8})
    values = np.array([table.at(u) for u in (0.0, *np.random.default_rng(2).random(20_000), np.nextafter(1.0, 0.0))])
    assert values.min() >= 0.25
    assert values.max() <= 0.8
    low, high = whole.cdf(0.25), whole.cdf(0.8)
    if law == "power":  # a power law starts at its least value
        low, high, whole = 0.0, stats.pareto(6.0, scale=0.25).cdf(0.8), stats.pareto(6.0, scale=0.25)
    assert stats.kstest(values, lambda v: (whole.cdf(v) - low) / (high - low)).pvalue > 0.01


@pytest.mark.parametrize(
    ("ensemble", "words"),
    [
        ({"volume": {"distribution": "normal"}}, "ensemble.volume.distribution: expected 'lognormal', 'uniform' or"),
        ({"volume": {"distribution": "lognormal", "median": 1.0}}, "ensemble.volume.sigma: missing"),
        ({"mass": {"distribution": "uniform", "min": 2.0, "max": 1.0}}, "ensemble.mass.max: expected more than min"),
        ({"mass": {"distribution": "uniform", "min": -2.0, "max": 1.0}}, "mass.min: expected a number of at least"),
        ({"mass": {"distribution": "power", "min": 2.0, "max": 9.0, "exponent": 1, "sigma": 1}}, "sigma: not a key"),
        ({"mass": {"distribution": "uniform", "min": 1.0, "max": 2.0}, "volume": LAWS["lognormal"][0] | {"distribution":
         "lognormal"}}, "ensemble.mass: expected one of volume, mass, extent"),
        ({"volume": {"distribution": "lognormal", "median": 1.0, "sigma": 0.1, "min": 5.0}}, "next to nothing"),
        ({"mass": {"distribution": "power", "min": 2.0, "exponent": 1}}, "ensemble.mass.max: missing"),
        ({"shapes": "each"}, "ensemble.shapes: 'each' expects the shape 'random', got 'eota'"),
        ({"rock": -1}, "ensemble.rock: expected a number of at least 0"),
        ({"volume": {"distribution": "uniform", "least": 1.0}}, "ensemble.volume.least: unknown key"),
    ],
)  # fmt: skip
def test_wrong_tables_are_told_in_one_sentence(ensemble, words):
    with refused(words):
        scenario(ensemble=ensemble)


# ---- rocks in the world -------------------------------------------------------------------------------


def test_a_rock_larger_than_the_map_is_refused():
    with pytest.raises(physics.ScenarioError, match=r"body: rock 0 measures 6\d\d m and the map .* smaller rock"):
        World.of(scenario(body={"shape": "cuboid", "size": [400, 400, 200], "mass": 1e9}))
    drawn = {"rocks": 3, "extent": {"distribution": "uniform", "min": 300.0, "max": 301.0}}
    with pytest.raises(physics.ScenarioError, match="rock 0 measures"):
        World.of(scenario(ensemble=drawn))


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_a_rock_that_is_not_convex_falls_by_its_own_corners_and_rests():
    """A ring: each corner of the mesh, also those of the hole, may touch."""
    pv.ParametricTorus(ringradius=0.5, crosssectionradius=0.2, u_res=21, v_res=13, w_res=3).triangulate().clean().save(
        "ring.stl"
    )
    body = {"shape": "mesh", "file": "ring.stl", "density": 2700.0}
    soil = {"scar": {"modulus": 25e6, "coefficient": 0.5, "density": 1700.0}}
    ring = scenario(body=body, soil=soil, ensemble={"rocks": 6, "seed": 1})
    world = World.of(ring)
    assert len(world.body.vertices) == 20 * 12
    (note,) = world.notes
    assert note.startswith("ring.stl: not convex: all its corners touch the ground")
    ensemble = Ensemble(world)
    list(ensemble.march(2))
    for found in ensemble.results.values():
        assert set(found.reasons) == {"rest"}
        assert found.largest_relative_gain <= 1e-9
    fine = pv.Icosphere(nsub=3)
    fine.save("fine.ply")
    with pytest.raises(
        physics.ScenarioError, match=r"642 corners are more than the 500 .*; take its hull \(shape = 'hull'\)"
    ):
        World.of(scenario(body={"shape": "mesh", "file": "fine.ply", "density": 2700.0}))


def test_a_rock_that_starts_in_the_ground_is_told():
    notes = World.of(scenario(release={"position": [-10.0, 0.0], "height": 0.2})).notes
    assert any("starts" in note and "in the ground" in note for note in notes)
    assert World.of(scenario(release={"position": [-10.0, 0.0], "height": 2.0})).notes == ()


def test_a_scar_takes_the_hull_of_a_rock_that_is_not_convex():
    world = World.of(scenario())
    hollow = replace(world, body=replace(world.body, convex=False, faces=world.body.faces[:3]))
    around = rockfall.surroundings(world)
    own, hull = (rockfall._rock_and_ground(w, around)[0].body[1] for w in (world, hollow))
    for faces in (own, hull):
        assert shapes.polyhedron(world.body.vertices, faces)[0] == pytest.approx(world.body.volume, rel=1e-12)
