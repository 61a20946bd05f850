"""Soft shadows: beside what rays of the light itself tell, and where a body touches, lies or is sunk."""

from __future__ import annotations

import numpy as np

from app.stage.camera.subject import outermost
from app.stage.lane_track import Pose
from app.stage.scenes.soft_shadow import LAMP, OUTERMOST, RINGS, ShadowLight, SoftShadow, shadow
from physics.core.rotation import Array

OVERHEAD = ShadowLight(np.array([0.0, 0.0, 1.0]), 0.5)
LEVEL = np.zeros(2)
FLAT = np.array([(x, y, 0.0) for x in (-2.0, 2.0) for y in (-1.0, 1.0)])


def ball(radius: float) -> Array:
    """Points all over a sphere."""
    points = np.random.default_rng(1).standard_normal((20_000, 3))
    return np.asarray(radius * points / np.linalg.norm(points, axis=1, keepdims=True))


def pose(height: float) -> Pose:
    place = np.array([0.0, 0.0, height])
    return Pose(0.0, place, np.eye(3), np.zeros(3), np.zeros(3), np.zeros(3), place)


def test_where_a_ball_stands_on_a_table_as_much_light_is_missing_as_its_rays_tell() -> None:
    """Rays to the points of the bright disc, at a distance of 1 above, are met by the ball or they are not."""
    rng = np.random.default_rng(2)
    turn, far = rng.uniform(0.0, 2.0 * np.pi, 4000), np.sqrt(rng.uniform(0.0, 1.0, 4000))
    tilted = LAMP.towards[:2] / LAMP.towards[2] + LAMP.spread * (far * np.array([np.cos(turn), np.sin(turn)])).T
    rays = np.column_stack([tilted, np.ones(4000)])
    rays /= np.linalg.norm(rays, axis=1, keepdims=True)
    middle, rings, share = shadow(np.add(outermost(ball(1.0), OUTERMOST), (0.0, 0.0, 1.0)), LAMP, LEVEL)
    for side in range(0, 36, 4):
        way = np.array([np.cos(side * np.pi / 18), np.sin(side * np.pi / 18)])
        for r in (0.0, 0.3, 0.6, 1.0, 1.4):
            arm = np.array([0.0, 0.0, 1.0]) - (*(middle + r * way), 0.0)
            ahead = rays @ arm
            hidden = float(np.mean((ahead > 0.0) & (arm @ arm - ahead**2 < 1.0)))
            assert abs(np.interp(r, rings[:, side], share, right=0.0) - hidden) < 0.1, (side, r)


def test_the_edge_is_sharp_where_a_body_lies_and_grows_softer_with_its_height() -> None:
    _, rings, share = shadow(FLAT, OVERHEAD, LEVEL)
    np.testing.assert_allclose(rings, np.tile(rings[0], (RINGS, 1)), atol=1e-12)
    np.testing.assert_allclose(rings[0, [0, 9, 18, 27]], [2.0, 1.0, 2.0, 1.0])
    assert share[0] == 1.0
    assert abs(share[-1]) < 1e-12
    for height in (0.4, 1.0):
        _, rings, _ = shadow(np.add(FLAT, (0.0, 0.0, height)), OVERHEAD, LEVEL)
        np.testing.assert_allclose(rings[-1, [0, 9]] - rings[0, [0, 9]], 2 * 0.5 * height)


def test_on_a_slope_a_shadow_is_that_of_the_level_seen_from_above() -> None:
    """Heights are told from the plane, so that what lies on it throws no more than its outline, however it leans."""
    for slope in ((0.8, 0.0), (-0.5, 0.9)):
        _, rings, _ = shadow(FLAT, LAMP, np.array(slope))
        np.testing.assert_allclose(rings, np.tile(shadow(FLAT, OVERHEAD, LEVEL)[1][0], (RINGS, 1)), atol=1e-12)


def test_high_above_a_floor_little_of_the_light_is_missing_and_nothing_where_the_body_is_sunk() -> None:
    drawn = SoftShadow(ball(1.0), OVERHEAD, 0.6)
    dark = []
    for height in (1.0, 3.0, 9.0, 0.5):
        drawn.show(pose(height))
        dark.append(int(drawn.mesh.point_data["rgba"][:, 3].max()))
    assert dark[0] == 153
    assert dark[0] > dark[1] > dark[2] > 0
    assert abs(dark[2] - 153 * (1.0 / (9.0 * 0.5)) ** 2) < 6  # the share of the disc that a far ball covers
    assert dark[3] == 0


def test_through_the_hole_of_a_ring_light_comes_as_its_rays_tell() -> None:
    """A flat ring that leans on the plane; rays to the bright disc pass inside of it, outside of it, or are met."""
    light, within = LAMP._replace(spread=0.1), 0.8
    rng = np.random.default_rng(3)
    turn, far = rng.uniform(0.0, 2.0 * np.pi, 4000), np.sqrt(rng.uniform(0.0, 1.0, 4000))
    rays = light.towards[:2] / light.towards[2] + light.spread * (far * np.array([np.cos(turn), np.sin(turn)])).T
    around = np.linspace(0.0, 2.0 * np.pi, 72, endpoint=False)
    lean, up = np.array([1.0, 0.0, 0.0]), np.array([0.0, np.cos(1.1), np.sin(1.1)])
    circle = np.cos(around)[:, None] * lean + np.sin(around)[:, None] * up
    foot = np.array([0.0, 0.0, up[2]])
    rim = foot + within * circle
    middle, rings, share = shadow(foot + circle, light, LEVEL, np.array([rim, rim]))
    dark = []
    for side in range(0, 36, 3):
        for r in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0, 1.2):
            at = np.array([*(middle + r * np.array([np.cos(side * np.pi / 18), np.sin(side * np.pi / 18)])), 0.0])
            normal = np.cross(lean, up)
            ways = np.column_stack([rays, np.ones(4000)])
            met = at + ((foot - at) @ normal / (ways @ normal))[:, None] * ways - foot
            away = np.hypot(met @ lean, met @ up)
            hidden = float(np.mean((away < 1.0) & (away > within)))
            dark.append((np.interp(r, rings[:, side], share[:, side], right=0.0), hidden))
    told, found = np.array(dark).T
    assert found.max() > 0.5
    assert np.abs(told - found).max() < 0.15
    assert (told[found == 0.0] < 0.1).all()
    assert told[0] == found[0] == 0.0  # in the middle of the hole


def test_a_hole_that_is_closed_lets_no_light_through() -> None:
    """A tube that stands: its rims are seen one far aside of the other, so that no ray passes through both."""
    outline = np.concatenate([FLAT, np.add(FLAT, (0.0, 0.0, 9.0))])
    tube = np.array([0.1 * FLAT, np.add(0.1 * FLAT, (0.0, 0.0, 9.0))])
    slanting = LAMP._replace(spread=0.01)
    rings, share = shadow(outline, slanting, LEVEL)[1:]
    both, left = shadow(outline, slanting, LEVEL, tube)[1:]
    for side in range(36):
        np.testing.assert_allclose(left[:, side], np.interp(both[:, side], rings[:, side], share, right=0.0), atol=1e-9)
