"""The rock: contact laws against closed forms, energy, rest, the map's edge, wheel motion, same bytes."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import physics
from physics.schemes import serving
from physics.systems.rockfall import system as rockfall
from physics.systems.world import World
from physics.terrain.terrain import Terrain
from tests import small
from tests.physics.falling import lowest_vertex
from tests.small import of_each_family

SCHEMES = serving("rockfall")
FEW = of_each_family("rockfall")  # where the rotation does not matter
EOTA = {"shape": "eota", "size": [0.93, 0.93, 0.47], "mass": 780.0}
BLOCK = {"shape": "cuboid", "size": [2.0, 2.0, 0.5], "mass": 1000.0}


@pytest.fixture
def plane(tmp_path):
    """A function that writes a plane falling towards +x at an angle [deg] and returns its file."""

    def write(angle, size=201, cell=1.0):
        slope = math.tan(math.radians(angle))
        x = np.arange(size) * cell
        rows = "\n".join(" ".join(f"{1000 - slope * value:.12f}" for value in x) for _ in range(size))
        header = f"ncols {size}\nnrows {size}\nxllcenter 0\nyllcenter 0\ncellsize {cell}\nNODATA_value -9999\n"
        path = tmp_path / f"plane{angle}.asc"
        path.write_text(header + rows + "\n")
        return str(path)

    return write


def roll(scheme, terrain, body=EOTA, duration=20.0, step=0.002, **tables):
    scenario = physics.Scenario(
        kind="rockfall", duration=duration, step=step, schemes=[scheme], body=body, terrain={"file": terrain}, **tables
    )
    return physics.simulate(scenario)[scheme]


@pytest.mark.parametrize("kind", ["rockfall", "table"])
def test_a_stored_state_has_the_contacts_of_all_steps_before_it(kind: str) -> None:
    """The most in a step since the row before: of a body that touches the ground between two rows it is told."""
    ball = {"body": {"shape": "sphere", "radius": 0.1, "mass": 1.0}, "table": {"restitution": 0.8}}
    dropped = physics.Scenario(
        kind="table", duration=3.0, step=0.002, schemes=["implicit"], initial={"position": (0.0, 0.0, 0.5)}, **ball
    )
    scenario = small.rock(duration=3.0, schemes=("implicit",)) if kind == "rockfall" else dropped
    fine, coarse = (physics.simulate(scenario.changed(record_every=every))["implicit"] for every in (1, 20))
    rows = np.searchsorted(fine.time, coarse.time - 1e-9)
    most = [fine.contact[a + 1 : b + 1].max() for a, b in pairwise(rows)]
    np.testing.assert_array_equal(coarse.contact[1:], most)
    assert len({*most}) > 1


def tilted(angle):
    """Attitude of a body whose z axis is the normal of the plane."""
    half = math.radians(angle) / 2
    return [math.cos(half), 0.0, math.sin(half), 0.0]


def constant_friction(mu):
    return {"mu_min": mu, "mu_max": mu, "beta": 1.0, "kappa": 1.0}


def laid(scheme, plane, angle, mu):
    """A block that is laid flat on a plane for 3 s."""
    high = 0.25 / math.cos(math.radians(angle))
    tables = {"initial": {"orientation": tilted(angle)}, "release": {"position": [50, 100], "height": high}}
    return roll(scheme, plane(angle), BLOCK, duration=3.0, soil=constant_friction(mu), **tables)


@pytest.mark.parametrize("scheme", FEW)
def test_a_block_sticks_below_the_friction_angle(scheme, plane):
    found = laid(scheme, plane, 20.0, 1.01 * math.tan(math.radians(20.0)))
    assert found.events[-1].kind == "rest"
    assert np.linalg.norm(found.position[-1] - found.position[0]) < 0.01


@pytest.mark.parametrize("scheme", FEW)
def test_a_block_slides_as_coulomb_says(scheme, plane):
    """Uniform acceleration g (sin α - μ cos α) along the plane."""
    angle, mu, g = 30.0, 0.3, 9.81
    a = math.radians(angle)
    found = laid(scheme, plane, angle, mu)
    acceleration = g * (math.sin(a) - mu * math.cos(a))
    distance = np.linalg.norm(found.position[-1] - found.position[0])
    assert distance == pytest.approx(0.5 * acceleration * 3.0**2, rel=1e-5)
    assert np.abs(found.angular_velocity).max() < 0.02  # it slides, it does not topple
    # what friction takes is what the energy loses
    assert found.total_energy[0] - found.total_energy[-1] == pytest.approx(
        mu * 1000.0 * g * math.cos(a) * distance, rel=1e-4
    )


@pytest.mark.parametrize("scheme", FEW)
def test_free_flight_is_the_parabola_until_the_ground_is_met(scheme, plane):
    found = roll(
        scheme,
        plane(0.0),
        duration=1.0,
        initial={"velocity": [5, 1, 0], "angular_velocity": [1, 2, 3]},
        release={"position": [50, 100], "height": 100.0},
    )
    t = found.time[:, None]
    expected = found.position[0] + t * [5, 1, 0] + 0.5 * t**2 * np.array([0, 0, -9.81])
    np.testing.assert_allclose(found.position, expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize("restitution", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("scheme", FEW)
def test_a_flat_impact_bounces_with_the_restitution(scheme, restitution, plane):
    found = roll(
        scheme,
        plane(0.0),
        BLOCK,
        duration=1.7,
        step=0.008,
        soil=constant_friction(0.5) | {"restitution": restitution},
        release={"position": [50, 100], "height": 3.25},
    )
    fall = math.sqrt(2 * 3.0 / 9.81)
    after = found.time > fall
    since = (found.time[after][0] - fall) * (restitution > 0.0)  # in flight again
    # an impact in the middle of a step leaves no trace of the step in speed and height of the bounce
    assert found.velocity[after][0, 2] == pytest.approx(9.81 * (restitution * fall - since), abs=2e-3)
    assert found.position[after, 2].max() - 1000.25 == pytest.approx(3.0 * restitution**2, abs=5e-4)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_rod_hit_at_its_end_spins_as_the_impact_law_says(scheme, plane):
    """Plastic impact without friction at distance l from the centre: v+ = v m l²/(Θ + m l²), ω+ = v m l/(Θ + m l²)."""
    length, mass, tilt, v = 4.0, 10.0, math.radians(30), -8.0
    half = tilt / 2
    found = roll(
        scheme,
        plane(0.0),
        {"shape": "cuboid", "size": [length, 0.02, 0.02], "mass": mass},
        duration=0.06,
        step=0.008,
        soil=constant_friction(0.0),
        gravity={"g": 0.0},
        initial={"orientation": [math.cos(half), 0.0, math.sin(half), 0.0], "velocity": [0, 0, v]},
        release={"position": [50, 100], "height": 0.5 * length * math.sin(tilt) + 0.25},
    )
    lever = 0.5 * length * math.cos(tilt)
    inertia = mass * length**2 / 12
    whole = inertia + mass * lever**2
    speed = found.velocity[-1]
    assert abs(found.angular_velocity[-1, 1]) == pytest.approx(abs(v) * mass * lever / whole, rel=2e-3)
    assert speed[2] == pytest.approx(v * mass * lever**2 / whole, rel=2e-3)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("scheme", SCHEMES)
def test_energy_never_rises_and_the_rock_comes_to_rest_on_the_ground(scheme, seed):
    tables = {"terrain": {"profile": "ramp"}, "initial": {"orientation": "random"}, "ensemble": {"seed": seed}}
    scenario = small.rock(duration=120.0, step=0.002, schemes=[scheme], **tables)
    world = World.of(scenario)
    found = physics.simulate(scenario)[scheme]
    assert np.diff(found.total_energy).max() <= 1e-9 * found.kinetic_energy.max()
    assert found.events[-1].kind in ("rest", "left-map")
    clearance = lowest_vertex(world, found)
    assert clearance.min() > -0.025  # a vertex is stopped where it lands, and may graze a fold of the ground
    if found.events[-1].kind == "rest":
        assert found.contact[-1] >= 1
        assert abs(clearance[-1]) < 1e-3
        assert np.linalg.norm(found.velocity[-1]) < math.sqrt(2 * scenario.stop.energy)


@pytest.mark.parametrize("share_of_inertia", [0.5, 0.4], ids=["cylinder", "sphere"])
@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_rolling_polygon_gains_speed_as_a_wheel_but_for_its_impacts(scheme, share_of_inertia, plane, tmp_path):
    """c m R²: acceleration g sin α / (1 + c), so 2/3 of g sin α for a cylinder and 5/7 with the moments of a sphere.

    Each side of the polygon of N sides that comes down takes a share 1 - ρ² of the energy, with ρ = (c + cos 2π/N) /
    (c + 1), the spin about the new corner being kept: dE/ds = m g sin α - (1 - ρ²)/(2 R sin π/N) E.
    """
    sides, R, mass, angle, v = 36, 0.5, 500.0, math.radians(8.0), 1.5
    corners = 2 * math.pi * (np.arange(sides) + 0.5) / sides
    rim = [np.stack([R * np.sin(corners), 0 * corners + y, -R * np.cos(corners)], axis=1) for y in (-0.4, 0.4)]
    np.savetxt(tmp_path / "wheel.pts", np.concatenate(rim), fmt="%.17g")
    moment = share_of_inertia * mass * R**2
    found = roll(
        scheme,
        plane(8.0),
        {"shape": "hull", "file": str(tmp_path / "wheel.pts"), "mass": mass, "inertia": [moment] * 3},
        duration=1.0,  # slow enough not to lift off its corners
        step=5e-4,
        soil=constant_friction(0.8),
        initial={
            "orientation": tilted(8.0),
            "velocity": [v * math.cos(angle), 0, -v * math.sin(angle)],
            "angular_velocity": [0, v / R, 0],
        },
        release={"position": [50, 100], "height": R * math.cos(math.pi / sides) / math.cos(angle)},
    )
    ratio = (share_of_inertia + math.cos(2 * math.pi / sides)) / (share_of_inertia + 1.0)
    decay = (1.0 - ratio**2) / (2 * R * math.sin(math.pi / sides))
    distance = np.linalg.norm(found.position[-1] - found.position[0])
    pull = mass * 9.81 * math.sin(angle)
    expected = found.kinetic_energy[0] * math.exp(-decay * distance) + pull / decay * -math.expm1(-decay * distance)
    assert found.kinetic_energy[-1] == pytest.approx(expected, rel=0.02)
    assert found.kinetic_energy[-1] < found.kinetic_energy[0] + pull * distance
    # it rolls: the centre is as fast as the rim turns, and nothing else turns
    spin, speed = found.angular_velocity[-1], np.linalg.norm(found.velocity[-1])
    assert spin[1] * R == pytest.approx(speed, rel=0.02)
    assert np.abs(spin[[0, 2]]).max() < 1e-3 * spin[1]


def test_implicit_rolls_like_a_wheel_on_the_flat_and_explicit_does_not():
    """Leine et al. (2021), section 6.1: share of the moving time with more than 90 % of |w| on the major axis."""
    world = World.of(ramp_of_rocks(50, soil={}))
    around = rockfall.surroundings(world)

    def share(name, rock):
        run = rockfall.marching(world.with_rock(rock), physics.SCHEMES[name], 4096, 5, around)
        rows = np.concatenate([rows for rows, _, _, _ in run])
        flat = (rows[:, 1] + world.terrain.origin[0] > 186.0) & (np.linalg.norm(rows[:, 8:11], axis=1) > 1.0)
        w = rows[flat, 11:14]
        return np.abs(w[:, 2]) > 0.9 * np.linalg.norm(w, axis=1)

    with ThreadPoolExecutor() as pool:
        means = {name: np.concatenate([*pool.map(partial(share, name), range(50))]).mean() for name in SCHEMES}
    assert means.pop("explicit") < 0.2
    assert means.pop("physx") < 0.5  # without a gyroscopic torque nothing brings a rock onto an axis
    assert min(means.values()) > 0.9


def ramp_of_rocks(rocks, **tables):
    """The paper's rocks on its ramp, with the soil of the scenario that comes with the program."""
    scenario = physics.load_scenario(Path(physics.__file__).parents[1] / "assets" / "scenarios" / "rock-ramp.toml")
    return scenario.changed(**{"schemes": list(SCHEMES), "ensemble.rocks": rocks} | tables)


def test_the_end_of_a_run_is_said(plane) -> None:
    found = roll("implicit", plane(45.0, size=21), duration=60.0, release={"position": [10, 10]})
    assert found.events[-1].kind == "left-map"
    assert "left the map" in found.events[-1].text
    found = roll("implicit", plane(45.0), duration=0.5, release={"position": [20, 100]})
    assert found.events[-1].kind == "end"
    assert "still moves" in found.events[-1].text
    assert found.time[-1] == pytest.approx(0.5)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_states_do_not_depend_on_how_many_are_asked_for_at_once(scheme):
    """What a scheme remembers from step to step goes on over the ends of blocks."""
    world = World.of(ramp_of_rocks(1, duration=5.0))
    few, many = (
        np.concatenate([rows for rows, _, _, _ in rockfall.marching(world, physics.SCHEMES[scheme], n, 1)])
        for n in (7, 4096)
    )
    assert few.tobytes() == many.tobytes()


@pytest.mark.parametrize("scheme", [name for name in SCHEMES if name != "explicit"])
def test_without_contact_moreau_is_the_free_scheme(scheme, plane):
    turning = {"duration": 1.0, "step": 0.005, "initial": {"angular_velocity": [3, -4, 5]}}
    found = roll(scheme, plane(0.0), release={"position": [50, 100], "height": 500.0}, **turning)
    free = physics.simulate(small.cuboid(schemes=[scheme], body=EOTA, **turning))[scheme]
    np.testing.assert_allclose(found.orientation, free.orientation, rtol=0, atol=1e-13)
    np.testing.assert_allclose(found.angular_velocity, free.angular_velocity, rtol=0, atol=1e-12)


def test_a_release_off_the_map_is_refused(plane):
    with pytest.raises(physics.ScenarioError, match=r"release\.position"):
        roll("implicit", plane(30.0), release={"position": [-5, 100]})


def test_terrain_normal_and_height_are_those_of_the_bilinear_patch():
    terrain = Terrain(np.array([[0.0, 1.0], [2.0, 5.0]]), origin=(10.0, 20.0), cell=(2.0, 4.0))
    assert terrain.height(11.0, 22.0) == pytest.approx(2.0)
    normal = terrain.normal(11.0, 22.0)
    slope = np.array([(1 + 3) / 2 / 2.0, (2 + 4) / 2 / 4.0])
    np.testing.assert_allclose(normal, np.array([-slope[0], -slope[1], 1]) / np.sqrt(1 + slope @ slope))
