"""A ship on the stage: its waterline, what is wet, G, B, M and the lever, and the sea around it."""

from __future__ import annotations

import math

import numpy as np
import pytest
import pyvista as pv

from app.playback.run import Run
from app.stage.bodies.sea import FINE, Foam, LongCrested, Sea, calm
from app.stage.bodies.ship_hull import WettedHull, hull_mesh
from app.stage.bodies.true_motion import shell_of
from app.stage.lane_track import Pose
from app.stage.scenes.ship import RightingLever, StabilityMarks, levers, metacentre
from app.stage.stage import Stage
from app.stage.theme_colours import look_of
from app.theme import THEMES
from physics.core.rotation import Array, matrix
from physics.hydrostatics.flotation import attitude
from physics.seakeeping.waves import elevation, irregular, regular
from physics.systems.ship.world import ShipWorld
from tests.app.staging import example, finished, picture, stage_of

pytestmark = pytest.mark.picture

LOOK = look_of(THEMES["dark"])


@pytest.fixture(scope="module")
def barge() -> Run:
    return finished(example("ship-barge", duration=4.0))


@pytest.fixture(scope="module")
def world(barge: Run) -> ShipWorld:
    assert isinstance(barge.world, ShipWorld)
    return barge.world


def held(heel: float, trim: float = 0.0, height: float = 0.5, yaw: float = 0.0, time: float = 0.0) -> Pose:
    """A ship that is held at angles [rad], its centre of gravity at a height [m] over (3, -2)."""
    c, s = math.cos(yaw), math.sin(yaw)
    turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]) @ attitude(heel, trim)
    place = np.array([3.0, -2.0, height])
    return Pose(time, place, turn, np.zeros(3), np.zeros(3), np.zeros(3), place)


def parts(stage: Stage, kind: type) -> list:
    return [part for _, part in stage.describe().parts if isinstance(part, kind)]


def waterline(mesh: pv.PolyData, height, pose: Pose) -> tuple[Array, Array]:
    """The segments (n, 2, 3) in which a mesh cuts the water, and the outer edge of the foam along them."""
    foam = Foam(mesh, 1.0, height)
    foam.show(pose)
    strips = np.array(foam.foam.points, float).reshape(-1, 4, 3)
    strips = strips[np.any(strips != 0.0, axis=(1, 2))]
    return strips[:, :2], strips[:, :1:-1]


def area(segments: Array, outer: Array) -> float:
    """Area within closed lines of segments (n, 2, 3), whatever their order; what is outside is known by the foam."""
    (x, y), (u, v) = segments[:, 0, :2].T, (segments[:, 1] - segments[:, 0])[:, :2].T
    (p, q) = (outer[:, 0] - segments[:, 0])[:, :2].T
    return 0.5 * float(np.sum((x * v - y * u) * np.sign(p * v - q * u)))


# ---- what the water cuts -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("heel", "trim", "yaw"), [(0.0, 0.0, 0.0), (0.3, 0.05, 0.7), (1.2, 0.1, -2.0), (2.8, 0.0, 0.0)]
)
def test_the_foam_runs_around_the_waterplane(world: ShipWorld, heel: float, trim: float, yaw: float) -> None:
    pose = held(heel, trim, yaw=yaw)
    segments, outer = waterline(shell_of(world.body), calm, pose)
    assert np.abs(segments[..., 2]).max() < 1e-6
    found = levers(world, pose)
    assert found is not None
    from physics.hydrostatics.flotation import placed

    assert area(segments, outer) == pytest.approx(placed(world.load, heel, trim, 0.5).integrals.area, rel=1e-5)


# ---- what rights it ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("heel", "lever"), [(15.0, 0.3267320478), (40.0, 0.7740144309), (80.0, -0.2038900689)])
def test_the_lever_reaches_from_g_to_the_plumb_line_through_b(world: ShipWorld, heel: float, lever: float) -> None:
    from physics.hydrostatics.flotation import floating

    height = floating(world.load, math.radians(heel), 0.0).height
    for yaw in (0.0, 2.0):
        pose = held(math.radians(heel), height=height, yaw=yaw)
        found = levers(world, pose)
        assert found is not None
        assert found.lever == pytest.approx(lever, abs=1e-9)
        assert np.linalg.norm(found.foot - pose.place) == pytest.approx(abs(lever), abs=1e-9)
        assert found.foot[:2] == pytest.approx(found.buoyancy[:2], abs=1e-9)
        assert found.foot[2] == pose.place[2]
        assert found.rights == (lever > 0.0)
        bar = RightingLever(world, LOOK)
        bar.show(pose)
        assert bar.actors[0].prop.color == pv.Color(LOOK.rights if lever > 0.0 else LOOK.heels)


def test_to_port_a_lever_rights_that_points_the_other_way(world: ShipWorld) -> None:
    found = levers(world, held(-0.2))
    assert found is not None
    assert found.lever < 0.0
    assert found.rights


def test_m_is_the_metacentre_and_for_small_heels_above_b(world: ShipWorld) -> None:
    assert metacentre(world) == pytest.approx([0.0, 0.0, 7.0 / 6.0], abs=1e-6)
    pose = held(1e-4, height=world.rest.height)
    found = levers(world, pose)
    assert found is not None
    above = pose.place + pose.rotation @ metacentre(world)
    assert above[:2] == pytest.approx(found.buoyancy[:2], abs=1e-9)


def test_a_ship_in_the_air_has_no_lever(world: ShipWorld) -> None:
    pose = held(0.3, height=30.0)
    assert levers(world, pose) is None
    bar, marks = RightingLever(world, LOOK), StabilityMarks(world, LOOK)
    for part in (bar, marks):
        part.show(pose)
    assert not bar.actors[0].GetVisibility()
    assert len(waterline(shell_of(world.body), calm, pose)[0]) == 0


# ---- the sea -------------------------------------------------------------------------------------------


def swell(x: Array, y: Array, time: float) -> Array:
    return np.asarray(0.8 * np.sin(0.3 * x - time))


def test_the_sea_is_as_high_as_the_wave_and_shaded_by_its_slope(world: ShipWorld) -> None:
    sea = Sea(world.body, swell, LOOK)
    pose = held(0.0, time=1.3)
    sea.show(pose)
    points = np.array(sea.mesh.points) + np.array([3.0, -2.0, 0.0])
    assert points[:, 2] == pytest.approx(swell(points[:, 0], points[:, 1], 1.3), abs=1e-4)
    slope = 0.8 * 0.3 * np.cos(0.3 * points[:, 0] - 1.3)
    brightness = np.array(sea.mesh.point_data["rgba"])[:, :3].sum(axis=1)
    trough = (np.abs(np.array(sea.mesh.points)[:, 0]) < 20.0) & (points[:, 2] < 0.0)  # crests are white
    assert np.corrcoef(slope[trough], brightness[trough])[0, 1] > 0.99  # the light comes from where x is below 0


def test_waterline_and_wetness_follow_the_wave(world: ShipWorld) -> None:
    pose = held(0.1, time=0.4)
    assert np.ptp(waterline(shell_of(world.body), swell, pose)[0][..., 2]) > 0.1
    hull = WettedHull(hull_mesh(world, "#00ff00", LOOK.faces), world.body.radius, swell)
    hull.show(pose)
    x, y, z = (np.array(hull.mesh.points) @ pose.rotation.T + pose.place).T
    over = z - swell(x, y, 0.4)
    clear = np.abs(over) > 1e-3
    shade = np.array(hull.mesh.active_texture_coordinates)[:, 0]
    np.testing.assert_array_equal(shade[clear] < 0.5, over[clear] < 0.0)


# ---- the stage -----------------------------------------------------------------------------------------


def test_the_whole_ship_is_seen_with_water_around(barge: Run, plotter: pv.Plotter) -> None:
    stage = stage_of(barge, plotter)
    empty = picture(stage, plotter, 0.0)
    stage.set_overlay("grid", on=False)
    assert (np.abs(picture(stage, plotter, 0.0) - empty).max(axis=2) > 12).mean() > 0.15
    renderer = stage.describe().renderers[0]
    corners = np.array(stage.describe().scenes[0][1].body.mesh.points)
    from app.stage.text.labels import projected

    wide, high = renderer.GetSize()
    pose = stage.describe().scenes[0][1].track.pose(0.0)
    pixels, _ = projected(renderer, corners @ pose.rotation.T + pose.place)
    assert pixels.min() > 0.0
    assert (pixels < (wide, high)).all()
    assert np.ptp(pixels[:, 0]) > 0.5 * wide


def test_a_ship_that_sails_stays_in_the_picture(barge: Run, plotter: pv.Plotter) -> None:
    run = finished(barge.scenario.changed(**{"initial.velocity": (4.0, 2.0, 0.0)}, schemes=("verlet-exact",)))
    stage = stage_of(run, plotter)
    from app.stage.text.labels import projected

    for time in (0.0, 4.0):
        stage.show(time)
        place = stage.describe().scenes[0][1].track.pose(time).place
        pixels, _ = projected(stage.describe().renderers[0], place[None])
        assert (pixels[0] > 0.0).all()
        assert (pixels[0] < stage.describe().renderers[0].GetSize()).all()
    assert matrix(run.world.orientation)[2, 2] < 1.0


def test_the_drawn_sea_is_the_one_that_acts() -> None:
    sea = irregular("jonswap", 2.0, 8.0, seed=3, direction=0.7, components=30)
    drawn = LongCrested(sea, 200.0)
    x, y = np.random.default_rng(1).uniform(-150.0, 150.0, (2, 5000))
    for time in (0.0, 3.0):
        for part in (slice(2000), slice(None)):  # the hull, then all around it
            error = np.abs(drawn(x[part], y[part], time) - elevation(sea, x[part], y[part], time)).max()
            assert error < 2e-3
    assert error > 0.0  # told from the profile
    np.testing.assert_array_equal(drawn(x[:3], y[:3], 3.0), elevation(sea, x[:3], y[:3], 3.0))  # few places as they are
    swell = regular(1.0, 6.0, direction=-2.0)
    assert np.abs(LongCrested(swell, 10.0)(x, y, 1.0) - elevation(swell, x, y, 1.0)).max() < 0.5 * FINE**2 / 8.0 + 1e-12
