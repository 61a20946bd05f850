"""Soft shadows: beside what rays of the light itself tell, and where a body touches, lies or is sunk."""

from __future__ import annotations

import numpy as np

from app.stage.camera.subject import outermost
from app.stage.lane_track import Pose
from app.stage.scenes.soft_shadow import LAMP, OUTERMOST, ShadowLight, SoftShadow, shadow
from physics.core.rotation import Array

OVERHEAD = ShadowLight(np.array([0.0, 0.0, 1.0]), 0.5)
LEVEL = np.zeros(2)


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
