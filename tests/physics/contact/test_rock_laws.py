"""Laws that are off unless asked: rolling resistance, ramps, roughness, fading restitution, scars of presets."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest

import physics
from physics.contact.places import chances, draw, lean, varied_by
from physics.core.errors import ScenarioError
from physics.core.rotation import apply
from physics.hazard.ensemble import Ensemble
from physics.systems.rockfall.ground_cover import lay
from physics.systems.rockfall.sampling import key_of
from physics.systems.rockfall.world import RockfallWorld, make_terrain
from physics.terrain.soil import SOILS, SoilLaw, deepest, scar_laws
from tests import small
from tests.small import refused

G = 9.81
EOTA = {"shape": "eota", "size": [0.93, 0.93, 0.47], "mass": 780.0}
BALL = {"shape": "sphere", "radius": 0.5, "mass": 1000.0}
SCAR = {"modulus": 3e6, "coefficient": 0.2, "density": 1500.0}
FADING = {"restitution": 0.35, "restitution_speed": 9.144}
LAWS = {
    "rolling": {"rolling": 0.2},
    "ramp": {"ramp": 23.0},
    "roughness": {"roughness": 0.1},
    "bumps": {"bumps": 0.5, "bump_length": 0.4},
    "restitution": FADING,
    "scar": {"ground": "compactable"},
    "drag": {"drag_time": 0.3},
    "scatter": {"ramp": 20.0, "scatter": 0.5} | FADING,
    "recommended": {"laws": "recommended"},
}
LAWS["all"] = {key: value for law in LAWS.values() for key, value in law.items() if key != "laws"}


def rock(body=EOTA, *, soil, rock=0, duration=4.0, angle=40.0, place=(5.0, 0.0), **initial):
    """A rock that is thrown onto a slope, and its run."""
    scenario = physics.Scenario(
        kind="rockfall",
        duration=duration,
        step=0.002,
        schemes=["implicit"],
        body=body,
        terrain={"profile": "ramp", "angle": angle, "drop": 40.0, "width": 40.0},
        soil={"preset": "medium"} | soil,
        initial={"velocity": [3.0, 0.5, -1.0], "angular_velocity": [1.0, 5.0, 2.0], "orientation": "random"} | initial,
        ensemble={"rock": rock},
        release={"position": list(place)},
    )
    return physics.simulate(scenario)["implicit"]


@pytest.mark.parametrize("body", [EOTA, {"shape": "ellipsoid", "size": [0.9, 0.8, 0.5], "mass": 500.0}])
@pytest.mark.parametrize("law", LAWS)
def test_energy_never_rises(law, body):
    for number in range(15):
        found = rock(body, soil=LAWS[law], rock=number, duration=3.0)
        assert np.diff(found.total_energy).max() <= 1e-9 * found.kinetic_energy.max()
    plain = rock(body, soil={}, rock=14, duration=3.0)
    assert not np.array_equal(found.position[:1000], plain.position[:1000])


def rolled(duration, step, **tables):
    """The run of a ball."""
    ball = small.rock(duration=duration, step=step, schemes=["implicit"], body=BALL, **tables)
    return physics.simulate(ball)["implicit"]


@pytest.mark.parametrize("slope", [0.0, 20.0, 40.0])
def test_a_ball_rolls_against_its_resistance(slope):
    """m a = m g sin - F and 2/5 m r a = F r - μ_r r N: a = 5/7 g (sin - μ_r cos); below atan μ_r it stops."""
    a = math.radians(slope)
    resisting, speed = 0.5, 3.0
    v = [speed * math.cos(a), 0.0, -speed * math.sin(a)]
    place = [250.0, 0.0] if slope == 0.0 else [2.0, 0.0]
    found = rolled(
        0.8,
        0.002,
        terrain={"profile": "ramp", "angle": slope or 40.0},
        soil={"mu_min": 5.0, "mu_max": 5.0, "rolling": resisting},
        initial={"velocity": v, "angular_velocity": [0.0, speed / 0.5, 0.0]},
        release={"position": place, "height": 0.5 / math.cos(a)},
    )
    speeds = np.linalg.norm(found.velocity, axis=1)
    rate = 5.0 / 7.0 * G * (math.sin(a) - resisting * math.cos(a))
    expected = np.maximum(speed + rate * found.time, 0.0)
    np.testing.assert_allclose(speeds, expected, atol=0.05)


def test_draws_are_those_of_splitmix():
    """The first numbers of the seed 1234567, as others print them (Steele, Lea & Flood 2014; Rosetta Code)."""
    published = [6457827717110365317, 3203168211198807973, 9817491932198370423]
    with np.errstate(over="ignore"):
        found = [draw(np.uint64(1234567), count) for count in (1, 2, 3)]
    assert found == [(number >> 11) / 2**53 for number in published]


def test_the_lean_is_against_the_motion():
    up, v, key, even = (0.0, 0.0, 1.0), (6.0, 8.0, -10.0), np.uint64(3), (0.0, 0.0, 0.0)
    none = SoilLaw(**dict.fromkeys(SoilLaw._fields, 0.0))
    ramp = math.radians(23.0)
    leaning, bumpy = none._replace(ramp=ramp), none._replace(roughness=0.2)
    np.testing.assert_allclose(lean(leaning, up, v, key, 0, even), np.array([-0.6, -0.8, 0.0]) * math.tan(ramp))
    slow = lean(leaning, up, (6.0, 8.0, -10.0 / 32.0), key, 0, even)  # 32^-0.4 = 1/4
    assert math.atan(math.hypot(*slow)) == pytest.approx(ramp / 4.0)
    assert lean(leaning, up, (0.0, 0.0, -10.0), key, 0, even) == (0.0, 0.0, 0.0)
    with np.errstate(over="ignore"):
        bumps = np.array([lean(bumpy, up, (1.0, 0.0, -1.0), key, count, even) for count in range(2000)])
    assert -0.2 <= bumps[:, 0].min() < bumps[:, 0].max() <= 0.0
    assert np.abs(bumps[:, 1]).max() <= 0.2
    np.testing.assert_allclose(bumps.mean(axis=0), [-0.1, 0.0, 0.0], atol=0.01)
    assert abs(np.corrcoef(bumps[:, 0], bumps[:, 1])[0, 1]) < 0.06


def test_a_ball_let_go_just_clear_of_the_ground_bounces_off_the_ramp():
    """Without friction v' = v - 3/2 (v.n) n, n leaning against the motion by 20° (6/10)^0.4."""
    table = {"kind": "rockfall", "duration": 0.01, "step": 0.002, "schemes": ["implicit"], "body": BALL}
    table |= {"terrain": {"profile": "ramp"}, "gravity": {"g": 1e-9}, "initial": {"velocity": [8.0, 0.0, -6.0]}}
    table |= {"soil": {"mu_min": 1e-9, "mu_max": 1e-9, "restitution": 0.5, "ramp": 20.0}}
    found = physics.simulate(physics.Scenario(**table, release={"position": [300.0, 0.0], "height": "clear"}))
    v, leans = np.array([8.0, 0.0, -6.0]), math.radians(20.0) * 0.6**0.4
    n = np.array([-math.sin(leans), 0.0, math.cos(leans)])
    np.testing.assert_allclose(found["implicit"].velocity[-1], v - 1.5 * (v @ n) * n, atol=1e-6)


@pytest.mark.parametrize("law", [{"ramp": 59.0}, {"roughness": 0.5}])
def test_no_rock_slides_back_down_a_leaning_plane_into_the_ground(law):
    """Contact outlasts the impact on a plain: rocks were metres deep where each contact kept its normal."""
    for number in range(4):
        smooth = {"mu_min": 0.0, "mu_max": 0.0} | law
        block = {"shape": "cuboid", "size": [1.0, 1.0, 0.5], "mass": 800.0}
        start = {"velocity": [10.0, 0.0, -10.0], "angular_velocity": [0.0, 0.0, 0.0]}
        found = rock(block, soil=smooth, rock=number, duration=3.0, place=(90.0, 0.0), **start)
        corners = world(body=block).body.vertices
        lowest = [
            float((p + apply(q, corners))[:, 2].min()) for p, q in zip(found.position, found.orientation, strict=True)
        ]
        assert min(lowest) > -0.04


def test_roughness_is_drawn_for_each_rock_alone_and_felt_more_by_small_ones():
    soil = {"roughness": 0.1}
    first, again, other = rock(soil=soil, rock=3), rock(soil=soil, rock=3), rock(soil=soil, rock=4)
    np.testing.assert_array_equal(first.position, again.position)
    scenario = world(**soil).scenario
    assert key_of(scenario, 3) != key_of(scenario, 4)
    assert len(other.position) != len(first.position) or not np.array_equal(other.position, first.position)
    cover = lay(scenario, make_terrain(scenario))
    small, large = (cover.soil_laws(mass, volume).laws[0].roughness for mass, volume in ((1.0, 1e-3), (1000.0, 1.0)))
    assert small == pytest.approx(10.0 * large)
    assert large == pytest.approx(0.1 / (0.75 / math.pi) ** (1 / 3))


def test_restitution_fades_with_the_speed_of_the_impact():
    """ε / (1 + (v/K)²): half of it at K."""
    for v in (1.0, 9.144):
        high = 0.6
        found = rolled(
            0.3,
            0.0005,
            terrain={"profile": "ramp"},
            soil=FADING,
            initial={"velocity": [0.0, 0.0, -math.sqrt(v * v - 2.0 * G * (high - 0.5)) if v > 2.0 else 0.0]},
            release={"position": [250.0, 0.0], "height": high if v > 2.0 else 0.5 + v * v / (2.0 * G)},
        )
        assert found.velocity[:, 2].max() == pytest.approx(0.35 * v / (1.0 + (v / 9.144) ** 2), rel=0.02)


def test_drag_goes_on_for_a_time_after_a_touch_down():
    """dv/dt = -g - ν v for τ after the rebound at ε v: (ε v + g/ν) exp(-ν τ) - g/ν at its end."""
    bounce, drag, time, v, gap = 0.5, 0.9, 0.2, 6.0, 0.05
    low = math.sqrt(v * v + 2.0 * G * gap)
    end = (low - v) / G + time
    found = rolled(
        1.0,
        0.0005,
        terrain={"profile": "ramp"},
        soil={"restitution": bounce, "drag": drag, "drag_time": time},
        initial={"velocity": [0.0, 0.0, -v]},
        release={"position": [250.0, 0.0], "height": 0.5 + gap},
    )
    after = found.velocity[np.searchsorted(found.time, [end, end + 0.05]), 2]
    expected = (bounce * low + G / drag) * math.exp(-drag * time) - G / drag
    np.testing.assert_allclose(after, [expected, expected - 0.05 * G], atol=0.01)


def test_impacts_scatter_as_independent_normal_numbers():
    with np.errstate(over="ignore"):
        found = np.array([chances(np.uint64(5), count) for count in range(4000)])
    np.testing.assert_allclose(found.mean(axis=0), 0.0, atol=0.05)
    np.testing.assert_allclose(np.cov(found.T), np.eye(3), atol=0.07)
    logs = np.log([varied_by(0.3, chance) for chance in found[:, 0]])
    assert (logs.mean(), logs.std()) == pytest.approx((-0.045, 0.3), abs=0.02)


def test_restitution_scatters_from_rock_to_rock():
    """Mean and standard deviation of the logarithm of the rebound over the restitution: -s²/2 and s."""
    bounce, scatter, v = 0.2, 0.3, 5.0
    drop = {"velocity": [0.0, 0.0, -v], "angular_velocity": [0.0, 0.0, 0.0], "orientation": [1, 0, 0, 0]}
    soil = {"restitution": bounce, "scatter": scatter}
    speeds = [
        rock(BALL, soil=soil, rock=number, duration=0.12, place=(90.0, 0.0), **drop).velocity[:, 2].max()
        for number in range(200)
    ]
    high = math.sqrt(v * v + 2.0 * G * 0.5)
    logs = np.log(np.array(speeds) / (bounce * high))
    assert (logs.mean(), logs.std()) == pytest.approx((-(scatter**2) / 2.0, scatter), abs=0.05)


@pytest.mark.parametrize(("law", "most"), [({}, 2e-3), ({"ramp": 20.0} | FADING, 1e-2)])
def test_rolling_resistance_leaves_few_steps_unsolved(law, most):
    """The moments of all contacts are against one angular velocity on an edge and at rest."""
    found = fallen(40.0, 12, preset="medium", rolling=0.1, **law)
    assert found.reasons["rest"] == 12
    assert found.unsolved < most * found.steps


def test_a_layer_bounds_the_scar_of_a_large_rock():
    """0.1 M^(1/3) Me^-0.4 v^0.8 (Gerber 2019), down to the rigid ground below the layer."""
    thin, small, large = SCAR | {"layer": 0.1}, 10.0, 10_000.0
    free = [scar_laws(**SCAR, mass=mass) for mass in (small, large)]
    assert deepest(free[1], -8.0) / deepest(free[0], -8.0) == pytest.approx(10.0)
    found = [deepest(scar_laws(**thin, mass=mass), -8.0) for mass in (small, large)]
    assert found == [pytest.approx(deepest(free[0], -8.0)), 0.1]


def test_recommended_laws_are_those_of_each_preset():
    own = {"ramp": 7.0, "restitution_speed": 5.0, "scatter": 0.3}  # which win
    for name, soil in SOILS.items():
        found = world(preset=name, laws="recommended", **own).scenario.soil
        assert {key: getattr(found, key) for key in soil.impact.laws()} == soil.impact.laws() | own
        assert (found.pressed is None) == (soil.impact.scar is None)
    zone = {"polygon": [[20, -50], [90, -50], [90, 50], [20, 50]], "preset": "soft"}
    for rigid in ({}, {"rigid": True}):
        kinds = world(preset="hard", laws="recommended", zone=[zone | rigid]).cover.soils
        assert kinds[1].restitution == SOILS["soft"].impact.restitution
        assert (kinds[1].pressed is None) == bool(rigid)


@pytest.mark.parametrize("volume", [0.05, 5.0])
def test_softer_soils_stop_recommended_rocks_sooner(volume):
    means = [runout(name, volume) for name in ("extra-soft", "soft", "medium", "hard", "extra-hard")]
    assert means == sorted(means)


def test_larger_rocks_run_farther_with_recommended_laws():
    assert runout("medium", 0.02) < runout("medium", 0.5) < runout("medium", 10.0)


@cache
def runout(preset, volume):
    """Mean run-out [m] of rocks of about a volume [m³]."""
    about = {"distribution": "uniform", "min": volume, "max": 1.01 * volume}
    found = fallen(120.0, 60, about, preset=preset, laws="recommended")
    return found.rows.column("runout").mean()


def fallen(drop, rocks, volume=None, **soil):
    """What random rocks leave behind on a ramp of 35 degrees."""
    scenario = physics.Scenario(
        kind="rockfall",
        duration=120.0,
        step=0.004,
        schemes=["implicit"],
        body={"shape": "random", "size": [1.0, 0.9, 0.8], "density": 2650.0, "angularity": "sub-rounded"},
        terrain={"profile": "ramp", "angle": 35.0, "drop": drop, "width": 200.0},
        soil=soil,
        initial={"orientation": "random", "velocity": [2.0, 0.0, 0.0]},
        release={"position": [10.0, 0.0], "height": "clear"},
        ensemble={"rocks": rocks, "shapes": "each"} | ({"volume": volume} if volume else {}),
    )
    ensemble = Ensemble(RockfallWorld.of(scenario))
    list(ensemble.march(2))
    return ensemble.results["implicit"]


def world(body=EOTA, **soil):
    return RockfallWorld.of(
        physics.Scenario(kind="rockfall", duration=1.0, step=0.01, body=body, terrain={"profile": "ramp"}, soil=soil)
    )


@pytest.mark.parametrize("name", SOILS)
def test_a_preset_has_the_scar_that_is_asked_for(name):
    told = SOILS[name].scar
    assert world(preset=name).scenario.soil.pressed is None
    assert (told is None) == (name in ("extra-hard", "snow"))
    if told is None:
        with pytest.raises(ScenarioError, match=rf"soil\.ground: the soil '{name}' has no scar"):
            world(preset=name, ground="compactable")
    else:
        scar = world(preset=name, ground="compactable").scenario.soil.pressed
        assert scar.model_dump() == told._asdict()


def test_zones_have_the_scars_of_their_own_presets_and_the_laws_of_the_soil():
    zone = {"polygon": [[20, -50], [90, -50], [90, 50], [20, 50]], "preset": "soft"}
    more = {"preset": "hard", "ground": "compactable", "roughness": 0.1, "rolling": 0.2, "ramp": 9.0}
    for rigid in ({}, {"rigid": True}):
        kinds = world(**more, zone=[zone | rigid]).cover.soils
        assert kinds[0].pressed.modulus == SOILS["hard"].scar.modulus
        assert (kinds[1].pressed is None) == bool(rigid)
        assert (kinds[1].roughness, kinds[1].rolling, kinds[1].ramp, kinds[1].mu_min) == (0.1, 0.2, 9.0, 0.25)
    with pytest.raises(ScenarioError, match=r"soil\.ground: expected a preset beside it"):
        world(ground="compactable")


def test_what_the_soil_gives_and_a_zone_cannot_use_is_left_out_of_it():
    """Bedrock has no scar; a scar wins over a preset's, but not over its asking; without restitution none fades."""
    zone = {"polygon": [[20, -50], [90, -50], [90, 50], [20, 50]]}
    base = {"preset": "hard", "ground": "compactable"} | FADING
    dead, bedrock, own = {"restitution": 0.0}, {"preset": "extra-hard"}, {"scar": SCAR}
    assert world(**base, zone=[zone | dead]).cover.soils[1].restitution_speed == 0.0
    told = world(**base, zone=[zone | bedrock, zone | own]).cover
    kinds = told.soils
    assert kinds[1].pressed is None
    assert any(note.startswith("ground of [soil] not in zones") for note in told.notes)
    assert (kinds[2].pressed.modulus, kinds[2].restitution_speed) == (SCAR["modulus"], 9.144)
    asked = world(preset="hard", scar=SCAR, zone=[zone | {"preset": "soft", "ground": "compactable"}])
    assert asked.cover.soils[1].pressed.modulus == SOILS["soft"].scar.modulus
    assert not any("scar" in note for note in asked.notes)
    with pytest.raises(ScenarioError, match=r"soil\.restitution_speed: needs restitution above 0, here or in a zone"):
        world(preset="hard", restitution_speed=9.0, zone=[zone | {"preset": "soft"}])
    with pytest.raises(ScenarioError, match=r"soil\.zone\.0\.ground: the soil 'snow' has no scar"):
        world(**base, zone=[zone | {"preset": "snow", "ground": "compactable"}])


@pytest.mark.parametrize(
    ("law", "sentence"),
    [
        ({"ramp": 60.0}, "soil.ramp: expected"),
        ({"rolling": -0.1}, "soil.rolling: expected a number of at least 0"),
        ({"roughness": "high"}, "soil.roughness: expected a number"),
        ({"ground": "soft"}, "soil.ground: expected"),
        ({"ground": "compactable", "preset": "hard", "scar": SCAR}, "soil.ground: expected none beside a scar"),
        ({"restitution_speed": 9.0}, "soil.restitution_speed: needs restitution"),
        ({"drag_time": 0.2}, "soil.drag_time: needs drag above 0"),
        ({"scatter": 0.2}, "soil.scatter: needs ramp or restitution above 0"),
        ({"laws": "recommended"}, "soil.laws: expected a preset beside it"),
        ({"laws": "all", "preset": "hard"}, "soil.laws: expected"),
        ({"laws": "recommended", "preset": "hard", "ground": "compactable"}, "soil.ground: expected none beside laws"),
        ({"scatter": 2.0, "ramp": 10.0}, "soil.scatter: expected"),
        ({"drag_time": -1.0, "preset": "hard"}, "soil.drag_time: expected"),
    ],
)
def test_wrong_laws_are_refused(law, sentence):
    with refused(sentence):
        world(**law)


def test_rolling_resistance_stops_what_turns_on_the_spot():
    """2/5 m r² dω/dt = -μ_r r m g, about any axis."""
    for axis in ((0.0, 8.0, 0.0), (0.0, 0.0, 8.0)):
        found = rolled(
            0.5,
            0.002,
            terrain={"profile": "ramp"},
            soil={"mu_min": 0.0, "mu_max": 0.0, "rolling": 0.1},
            initial={"angular_velocity": list(axis)},
            release={"position": [250.0, 0.0], "height": 0.5},
            stop={"energy": 0.0},
        )
        expected = np.maximum(8.0 - 0.1 * G / (0.4 * 0.5) * found.time, 0.0)
        np.testing.assert_allclose(np.linalg.norm(found.angular_velocity, axis=1), expected, atol=0.02)
