"""Bumps: ground below the cells of the map that is the same at a place for every rock."""

from __future__ import annotations

import math

import numpy as np
import pytest

import physics
from physics.contact.bumps import bumps_at
from physics.core.errors import ScenarioError
from physics.core.rotation import apply
from physics.hazard.ensemble import Ensemble
from physics.systems.rockfall.world import RockfallWorld

BLOCK = {"shape": "cuboid", "size": [0.5, 0.4, 0.3], "mass": 150.0}
BALL = {"shape": "sphere", "radius": 0.25, "mass": 150.0}
BUMPS = {"bumps": 0.4, "bump_length": 0.5}


def scenario(body=BLOCK, soil=BUMPS, place=(5.0, 0.0), rock=0, schemes=("implicit",), **tables):
    return physics.Scenario(
        kind="rockfall",
        duration=tables.pop("duration", 3.0),
        step=0.002,
        schemes=list(schemes),
        body=body,
        terrain={"profile": "ramp", "drop": 40.0, "width": 40.0},
        soil={"preset": "medium"} | soil,
        initial={"orientation": "random", "velocity": [3.0, 0.5, -1.0]},
        release={"position": list(place), "height": "clear"},
        ensemble={"rock": rock},
        **tables,
    )


def felt(world, x, y):
    """Heights that bumps add for the rock of a world."""
    return world.cover.bumps_below(world.terrain, world.body, np.asarray(x), np.asarray(y))


def test_a_place_is_the_same_ground_for_every_rock_and_scheme():
    x, y = np.random.default_rng(1).uniform(-3.0, 30.0, (2, 50))
    one, other = (RockfallWorld.of(scenario(rock=rock, schemes=[name])) for rock, name in ((0, "implicit"), (7, "ode")))
    np.testing.assert_array_equal(felt(one, x, y), felt(other, x, y))
    again = RockfallWorld.of(scenario(soil=BUMPS | {"seed": 1}))
    assert abs(np.corrcoef(felt(one, x, y)[:, 0], felt(again, x, y)[:, 0])[0, 1]) < 0.5, "another seed, another ground"


def test_a_part_of_a_map_has_the_bumps_of_the_whole():
    bumps = RockfallWorld.of(scenario()).cover.bumps(RockfallWorld.of(scenario()).terrain)._replace(height=1.0)
    x, y = np.random.default_rng(2).uniform(0.0, 20.0, (2, 50))
    moved = bumps._replace(x=bumps.x + 12.25, y=bumps.y - 3.5)
    np.testing.assert_allclose(bumps_at(moved, x - 12.25, y + 3.5), bumps_at(bumps, x, y), atol=1e-9)


def test_heights_lie_in_their_range_and_slopes_are_theirs():
    bumps = RockfallWorld.of(scenario()).cover.bumps(RockfallWorld.of(scenario()).terrain)._replace(height=0.4)
    x, y = np.random.default_rng(3).uniform(0.0, 200.0, (2, 20000))
    z, along, across = bumps_at(bumps, x, y).T
    assert -0.2 <= z.min() < -0.15 < 0.15 < z.max() <= 0.2
    # of independent nodes, even over their range: bilinear between four, the variance is (2/3)^2 of theirs
    assert z.std() == pytest.approx(0.4 / math.sqrt(12.0) * 2.0 / 3.0, rel=0.05)
    assert abs(z.mean()) < 0.01
    d = 1e-6
    inside = np.abs((x + bumps.x) / 0.5 % 1.0 - 0.5) < 0.49
    slope = (bumps_at(bumps, x + d, y)[:, 0] - bumps_at(bumps, x - d, y)[:, 0]) / (2.0 * d)
    np.testing.assert_allclose(slope[inside], -along[inside], atol=1e-6)
    assert along.std() == pytest.approx(across.std(), rel=0.05)


def test_large_rocks_feel_less_of_them():
    """Half of their height where the radius of the ball of its volume is as long as a bump and a hollow."""
    cover = RockfallWorld.of(scenario()).cover
    small, even, large = (
        cover.soil_laws(1.0, 4.0 / 3.0 * math.pi * radius**3).laws[0].bumps for radius in (1e-3, 1.0, 10.0)
    )
    assert small == pytest.approx(0.4, rel=1e-5)
    assert even == pytest.approx(0.2)
    assert large == pytest.approx(0.4 / 101.0)


def test_zones_have_bumps_of_their_own_height_and_the_length_of_the_map():
    zone = {"polygon": [[0, -20], [20, -20], [20, 20], [0, 20]], "preset": "hard", "bumps": 0.8}
    world = RockfallWorld.of(scenario(soil=BUMPS | {"zone": [zone]}))
    here, away = (felt(world, [x, x + 0.1], [0.0, 0.1]) for x in (5.0, 40.0))
    bare = RockfallWorld.of(scenario())
    np.testing.assert_allclose(here, 2.0 * felt(bare, [5.0, 5.1], [0.0, 0.1]), rtol=1e-12)
    np.testing.assert_array_equal(away, felt(bare, [40.0, 40.1], [0.0, 0.1]))
    assert not any("bump_length" in note for note in world.notes)


@pytest.mark.parametrize("body", [BLOCK, BALL], ids=["block", "ball"])
def test_a_rock_comes_to_rest_on_the_bumps(body):
    """Rest on a plain, with no corner deeper than contact sinks, and not on the level of the map."""
    soil = {"mu_min": 0.6, "mu_max": 2.0, "rolling": 0.5} | BUMPS
    found = physics.simulate(scenario(body, soil, place=(80.0, 0.0), duration=20.0))["implicit"]
    assert found.events[-1].kind == "rest"
    world = RockfallWorld.of(scenario(body, soil, place=(80.0, 0.0)))
    corners = found.position[-1] + apply(found.orientation[-1], world.body.vertices)
    ground = world.terrain.heights_at(corners[:, 0], corners[:, 1]) + felt(world, corners[:, 0], corners[:, 1])[:, 0]
    gaps = corners[:, 2] - ground
    if body is BLOCK:
        assert -0.06 < gaps.min() < 0.005
    level = float(np.min(corners[:, 2] - world.terrain.heights_at(corners[:, 0], corners[:, 1])))
    assert abs(level) < 0.2


def test_a_clear_start_is_clear_of_the_bumps():
    for place in (80.0, 81.3, 82.6):
        world = RockfallWorld.of(scenario(place=(place, 0.3)))
        corners = world.position + apply(world.orientation, world.body.vertices)
        x, y = corners[:, 0], corners[:, 1]
        gaps = corners[:, 2] - world.terrain.heights_at(x, y) - felt(world, x, y)[:, 0]
        assert 0.0 <= gaps.min() < 0.01


def test_bumps_slow_what_rolls_and_draw_nothing():
    held = [fallen({}), fallen(BUMPS)]
    assert held[1].mean() < 0.93 * held[0].mean()
    notes = RockfallWorld.of(
        scenario().changed(**{"ensemble.seed": 3, "initial.orientation": [1.0, 0.0, 0.0, 0.0]})
    ).notes
    assert any("ensemble.seed changes nothing" in note for note in notes)


def fallen(soil):
    """Run-outs of rounded rocks under a soil, all of one shape."""
    rounded = {"shape": "random", "size": [0.5, 0.45, 0.4], "points": 60, "mass": 150.0}
    ensemble = Ensemble(RockfallWorld.of(scenario(rounded, soil, duration=20.0).changed(**{"ensemble.rocks": 60})))
    for _ in ensemble.march():
        pass
    return next(iter(ensemble.results.values())).rows.read()["runout"]


@pytest.mark.parametrize(
    ("soil", "why"),
    [
        ({"bumps": -0.1}, r"soil\.bumps: expected a number of at least 0"),
        ({"bumps": 11.0}, r"soil\.bumps: expected a number of at most 10"),
        ({"bumps": 0.1, "bump_length": 0.0}, r"soil\.bump_length: expected a number of at least 0.05"),
        ({"bump_length": 0.5}, r"soil\.bump_length: needs bumps above 0"),
        ({"seed": 2}, r"soil\.seed: needs bumps above 0"),
    ],
)
def test_a_wrong_value_is_one_sentence(soil, why):
    with pytest.raises(ScenarioError, match=why):
        RockfallWorld.of(scenario(soil=soil))
