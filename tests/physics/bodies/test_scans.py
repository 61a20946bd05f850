"""Scanned blocks: hulls of any number of corners are reduced, small gaps closed, points read; each is told."""

from __future__ import annotations

import re

import numpy as np
import pytest
from scipy.spatial import ConvexHull

import physics
from physics.bodies import shapes
from physics.bodies.convex_hull import fewer_corners, hull_faces
from physics.bodies.mesh_io import Mesh, read_mesh
from physics.systems.world import World


def scan(n=3000):
    """Points on a rounded block of 1.2 x 0.9 x 0.6 m: all of them are corners of its hull."""
    d = np.random.default_rng(1).normal(size=(n, 3))
    return d / (np.abs(d) ** 4).sum(axis=1, keepdims=True) ** 0.25 * [0.6, 0.45, 0.3]


def test_a_hull_of_fewer_corners_comes_near_to_all_and_tells_how_far(tmp_path) -> None:
    points = scan()
    chosen, far = fewer_corners(points, 200)
    assert len(chosen) == 200
    np.testing.assert_array_equal(np.ptp(points[chosen], axis=0), np.ptp(points, axis=0))
    planes = ConvexHull(points[chosen]).equations
    assert far == pytest.approx((points @ planes[:, :3].T + planes[:, 3]).max(), rel=1e-9)
    assert far < 0.015
    finer = fewer_corners(points, 400)[1]
    assert finer < 0.6 * far  # of n corners the distance falls as 1/n
    body = shapes.hull(points, density=2700.0, most=100)
    (note,) = body.notes
    found = re.fullmatch(
        r"3000 corners of the hull were reduced to 100: the others lie at most (.*) m outside, and it has (.*) of its "
        "volume less",
        note,
    )
    assert float(found[1]) == pytest.approx(fewer_corners(points, 100)[1], rel=0.1)
    assert float(found[2]) == pytest.approx(1.0 - body.volume / ConvexHull(points).volume, rel=0.1)
    assert body.mass == pytest.approx(2700.0 * body.volume)


def test_all_corners_of_a_few_stay():
    points = scan(60)
    chosen, far = fewer_corners(points, 500)
    np.testing.assert_array_equal(np.sort(ConvexHull(points).vertices), chosen)
    assert far == pytest.approx(0.0, abs=1e-12)


def world(kind, body, folder):
    more = {"terrain": {"profile": "ramp"}} if kind == "rockfall" else {}
    return World.of(physics.Scenario(kind=kind, duration=1.0, step=0.01, body=body, folder=str(folder), **more))


def test_a_falling_scan_has_as_many_corners_as_contact_takes(tmp_path):
    np.savetxt(tmp_path / "scan.pts", scan())
    table = {"shape": "hull", "file": "scan.pts", "density": 2700.0}
    rock = world("rockfall", table, tmp_path)
    assert len(rock.body.vertices) == 500
    assert rock.notes[0].startswith("scan.pts: 3000 corners of the hull were reduced to 500: ")
    assert len(world("free", table, tmp_path).body.vertices) == 3000
    assert len(world("free", table | {"points": 60}, tmp_path).body.vertices) == 60
    stretched = world("rockfall", table | {"points": 60, "size": [2.0, 1.0, 0.5]}, tmp_path).body
    np.testing.assert_allclose(stretched.extents, [2.0, 1.0, 0.5])
    _, idle = world("free", table | {"points": 60, "file": _few(tmp_path)}, tmp_path).notes
    assert idle == "body.points changes nothing: the hull of few.xyz has 8 corners"


CORNERS = np.array([[x, y, z] for x in (0.0, 1.0) for y in (0.0, 2.0) for z in (0.0, 3.0)])
CLOUDS = {
    "bare": "\n".join("{} {} {}".format(*p) for p in CORNERS),
    "counted": "8\n" + "\n".join("{} {} {} 200 10 20 30".format(*p) for p in CORNERS),
    "named": "x;y;z;intensity\n" + "\n".join("{};{};{};7".format(*p) for p in CORNERS),
    "remarks": "# a scan\n// of a block\n" + "\n".join("{}, {}, {}".format(*p) for p in CORNERS),
}


def _few(folder):
    (folder / "few.xyz").write_text(CLOUDS["named"])
    return "few.xyz"


@pytest.mark.parametrize("ending", [".pts", ".xyz"])
@pytest.mark.parametrize("name", CLOUDS)
def test_a_cloud_of_points_is_read(tmp_path, name, ending):
    path = tmp_path / f"a{ending}"
    path.write_text(CLOUDS[name])
    np.testing.assert_array_equal(read_mesh(path).points, CORNERS)


def test_a_column_that_counts_is_no_coordinate(tmp_path):
    (tmp_path / "a.xyz").write_text("\n".join(f"{i} {x} {y} {z}" for i, (x, y, z) in enumerate(CORNERS, 1)))
    with pytest.raises(
        physics.ScenarioError, match="the first column counts the points; expected x, y, z in the first"
    ):
        read_mesh(tmp_path / "a.xyz")


def ball(n=500):
    d = np.random.default_rng(2).normal(size=(n, 3))
    points = d / np.linalg.norm(d, axis=1, keepdims=True)
    return Mesh(points, hull_faces(points))


def test_small_gaps_are_closed_and_told():
    points, triangles = ball(20_000)[:2]
    whole = shapes.mesh(Mesh(points, triangles), 1.0)
    assert whole.notes == ()
    around = (triangles == 7).any(axis=1)  # the triangles around a point, and one elsewhere
    mended = shapes.mesh(Mesh(points, np.delete(triangles[~around], 9, axis=0)), 1.0)
    (note,) = mended.notes
    assert re.fullmatch(r"2 gaps were closed, the widest 0\.\d+ m across", note)
    assert mended.volume == pytest.approx(whole.volume, rel=1e-3)
    assert mended.convex or mended.volume < whole.volume


def test_edges_that_nearly_meet_are_joined():
    """Each triangle brings its own points, rounded otherwise along the equator, as exports of two patches do."""
    points, triangles = ball()[:2]
    corners = points[triangles]
    south = corners[..., 2].mean(axis=1) < 0.0
    corners[south] += 1e-5
    joined = shapes.mesh(Mesh(corners.reshape(-1, 3), np.arange(corners.size // 3).reshape(-1, 3)), 1.0)
    (note,) = joined.notes
    assert re.fullmatch(r"\d+ points on open edges were joined to others within 0.0002 m", note)
    assert joined.volume == pytest.approx(shapes.mesh(Mesh(points, triangles), 1.0).volume, rel=1e-4)


def test_a_wide_gap_is_refused():
    points, triangles = ball()[:2]
    lid = (points[triangles][..., 2] > 0.9).any(axis=1)
    with pytest.raises(
        physics.ScenarioError,
        match=r"the mesh is open: \d+ edges border one triangle only, the longest from .* to .*; close it",
    ):
        shapes.mesh(Mesh(points, triangles[~lid]), 1.0)


def test_a_strip_that_is_narrower_than_points_are_joined_over_is_open():
    strip = Mesh(np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1e-5, 0.0]]), np.array([[0, 1, 2]]))
    with pytest.raises(physics.ScenarioError, match="the mesh is open: 3 edges border one triangle only"):
        shapes.mesh(strip)
