"""Soft shadows: beside what rays of the light itself tell, and where a body touches, lies or is sunk."""

from __future__ import annotations

import numpy as np

from app.stage.camera.subject import outermost
from app.stage.lane_track import Pose
from app.stage.scenes.soft_shadow import LAMP, OUTERMOST, SPOT, CastShadows, shadow
from physics.core.rotation import Array, matrix

LEVEL = np.zeros(2)


def ball(radius: float) -> Array:
    """Points all over a sphere."""
    points = np.random.default_rng(1).standard_normal((20_000, 3))
    return np.asarray(radius * points / np.linalg.norm(points, axis=1, keepdims=True))


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


def test_shadows_of_many_bodies_end_where_the_bodies_do_and_fade_with_height() -> None:
    """Half of the light is missing at the edge of a body along the light; the higher ball has the fainter shadow."""
    rod = np.array([(x, y, z) for x in (-3.0, 3.0) for y in (-0.1, 0.1) for z in (-0.1, 0.1)])
    cast = CastShadows([ball(1.0), ball(1.0), rod], SPOT, 0.5, -2.0)
    none, tilted = np.zeros(3), matrix(np.array([np.cos(0.4), 0.0, -np.sin(0.4), 0.0]))
    places, way = [np.array([10.0 * k, 1.0, high]) for k, high in enumerate((-1.0, 18.0, 1.0))], SPOT.towards
    for turn in (np.eye(3), tilted):
        cast.show([Pose(0.0, place, turn, none, none, none, place) for place in places])
        points = np.asarray(cast.mesh.points).reshape(3, -1, 3)
        dark = np.asarray(cast.mesh.point_data["rgba"])[:, 3].reshape(3, -1)
        np.testing.assert_allclose(points[..., 2], -2.0, atol=0.02)
        ends = (turn @ rod.T).T + places[2]
        ends = ends[:, :2] - (ends[:, 2:] + 2.0) * way[:2] / way[2]
        soft = SPOT.spread * 3.0
        np.testing.assert_allclose(points[2, :, :2].max(axis=0), ends.max(axis=0) + soft, atol=0.4 * soft)
        np.testing.assert_allclose(points[2, :, :2].min(axis=0), ends.min(axis=0) - soft, atol=0.4 * soft)
        near, far, _ = dark.max(axis=1)
        assert near > far > 0
        assert (dark[:, -36:] == 0).all()  # at the edge
