"""Surfaces as terrain: meshes in pieces and points at irregular places lie on a grid, with what is decided told."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.interpolate import LinearNDInterpolator

import physics
from physics.systems.world import World
from physics.terrain import surface as grid
from physics.terrain.dem import read_terrain
from tests import small
from tests.small import refused


def obj(path, points, faces, up="z"):
    """A mesh in a file, its points turned from z up to another axis."""
    x, y, z = np.asarray(points, float).T
    turned = {"z": (x, y, z), "y": (x, z, -y), "x": (z, x, y)}[up]
    lines = ["v {:.9g} {:.9g} {:.9g}".format(*p) for p in zip(*turned, strict=True)]
    path.write_text("\n".join([*lines, *("f " + " ".join(str(i + 1) for i in face) for face in faces)]) + "\n")
    return path


def stl(path, points, faces):
    record = np.zeros(len(faces), np.dtype([("n", "<f4", 3), ("c", "<f4", (3, 3)), ("a", "<u2")]))
    record["c"] = np.asarray(points)[np.asarray(faces)]
    path.write_bytes(bytes(80) + np.uint32(len(faces)).tobytes() + record.tobytes())
    return path


def height(x, y):
    return 50.0 - 0.6 * x + 0.2 * y


SQUARE = [(x, y, height(x, y)) for x, y in ((0, 0), (20, 0), (20, 10), (0, 10))]
TWO = [(0, 1, 2), (0, 2, 3)]


@pytest.mark.parametrize("up", ["x", "y", "z"])
def test_a_plane_is_itself_whichever_axis_points_up(tmp_path, up):
    found = read_terrain(obj(tmp_path / "a.obj", SQUARE, [(0, 1, 2, 3)], up), resolution=0.5, up=up)
    assert found.extent == (0.0, 20.0, 0.0, 10.0)
    x, y = np.meshgrid(np.linspace(0, 20, 41), np.linspace(0, 10, 21))
    np.testing.assert_allclose(found.heights, height(x, y), rtol=0, atol=1e-6)
    assert found.holes.size == 0
    assert found.notes == ()


def test_random_triangles_have_the_heights_that_interpolation_gives(monkeypatch):
    """Against scipy's own interpolation between the same points; in many small parts as in one."""
    rng = np.random.default_rng(3)
    points = rng.random((200, 3)) * [30.0, 20.0, 5.0]
    from scipy.spatial import Delaunay

    triangles = Delaunay(points[:, :2]).simplices
    x, y = np.meshgrid(1.0 + 0.25 * np.arange(110), 1.0 + 0.25 * np.arange(70))
    exact = LinearNDInterpolator(points[:, :2], points[:, 2])(x, y)
    for size in (grid.AT_ONCE, 50):
        monkeypatch.setattr(grid, "AT_ONCE", size)
        top, low = np.full(x.shape, -np.inf), np.full(x.shape, np.inf)
        grid.lay(top, low, points, triangles, (1.0, 1.0), 0.25)
        known = np.isfinite(exact)
        assert known.sum() > 6000
        np.testing.assert_allclose(top[known], exact[known], atol=1e-9)
        np.testing.assert_allclose(low[known], exact[known], atol=1e-9)
        assert (top[~known] == -np.inf).all()


def test_points_at_irregular_places_are_a_terrain(tmp_path):
    rng = np.random.default_rng(5)
    x, y = rng.random((2, 4000)) * [[60.0], [40.0]]
    np.savetxt(tmp_path / "a.xyz", np.column_stack([x, y, height(x, y)]), fmt="%.4f")
    found = read_terrain(tmp_path / "a.xyz")
    assert found.cell == (0.2, 0.2)  # a hundredth of the map; the points have a mean distance of 0.8 m
    x0, x1, y0, y1 = found.extent
    gx, gy = np.meshgrid(np.linspace(x0, x1, found.heights.shape[1]), np.linspace(y0, y1, found.heights.shape[0]))
    inner = found.heights[5:-5, 5:-5]
    np.testing.assert_allclose(inner, height(gx, gy)[5:-5, 5:-5], atol=1e-3)
    irregular, chosen, cut = found.notes
    assert irregular == "a.xyz: 4000 points at irregular places; heights are those of triangles between them"
    assert chosen == "a.xyz: cells of 0.2 m were chosen; [terrain] resolution gives others"
    assert cut.endswith("were NODATA in a.xyz; the map ends there")
    part = read_terrain(tmp_path / "a.xyz", window=(10.0, 10.0, 20.0, 15.0), resolution=1.0, nodata="fill")
    assert part.heights.shape[0] >= 4
    assert part.holes.size == 0


def test_points_of_one_place_are_the_highest_of_them(tmp_path):
    (tmp_path / "a.xyz").write_text("0 0 1\n9.7 0.3 1\n0.4 8.9 1\n9.1 9.3 1\n4.2 5.1 3\n4.2 5.1 7\n")
    found = read_terrain(tmp_path / "a.xyz", resolution=0.1)
    assert found.height(4.2, 5.1) == pytest.approx(7.0, abs=1e-6)
    assert found.notes[1] == "a.xyz: 1 points share a place with others; the highest counts"


def test_nodata_among_irregular_points_is_left_out_with_its_number(tmp_path):
    x, y = np.random.default_rng(5).random((2, 400)) * [[60.0], [40.0]]
    z = height(x, y)
    z[::40] = -9999.0
    np.savetxt(tmp_path / "a.xyz", np.column_stack([x, y, z]), fmt="%.4f")
    found = read_terrain(tmp_path / "a.xyz")
    assert found.heights.min() > height(60.0, 0.0) - 1.0
    assert "a.xyz: 10 points without height were left out (the number -9999, not declared but no height)" in found.notes


def test_a_corner_of_a_mesh_that_stands_for_nodata_is_left_out(tmp_path):
    x, y = (side.ravel() for side in np.meshgrid(np.arange(21.0), np.arange(11.0)))
    z = height(x, y)
    z[5 * 21 + 10] = -9999.0
    quads = [(k, k + 1, k + 22, k + 21) for j in range(10) for k in range(21 * j, 21 * j + 20)]
    found = read_terrain(obj(tmp_path / "a.obj", np.column_stack([x, y, z]), quads), resolution=0.5)
    assert found.heights.min() > height(20.0, 0.0) - 1.0
    assert found.height(10.0, 5.0) == pytest.approx(height(10.0, 5.0), abs=0.5)
    assert (
        found.notes[0] == "a.obj: 1 points without height were left out (the number -9999, not declared but no height)"
    )
    with pytest.raises(
        physics.ScenarioError, match=r"numbers from 38000 to 52000 are no heights; expected heights in m"
    ):
        read_terrain(obj(tmp_path / "mm.obj", 1000.0 * np.array(SQUARE), TWO))


def test_an_overhang_is_told_and_its_top_counts(tmp_path):
    roof = [(8, 2, 90), (12, 2, 90), (12, 6, 90), (8, 6, 90)]
    faces = [*TWO, (4, 5, 6), (4, 6, 7)]
    found = read_terrain(stl(tmp_path / "a.stl", SQUARE + roof, faces), resolution=1.0)
    assert found.height(10.0, 4.0) == 90.0
    assert found.height(2.0, 4.0) == pytest.approx(height(2, 4), abs=1e-4)
    (note,) = found.notes
    assert note.startswith("a.stl: the surface lies above itself over 25 of 231 nodes, by up to 46.8 m; the uppermost")


def test_an_upright_wall_changes_nothing(tmp_path):
    wall = [(5.3, 2, 0), (5.3, 8, 0), (5.3, 8, 99)]
    found = read_terrain(obj(tmp_path / "a.obj", SQUARE + wall, [*TWO, (4, 5, 6)]), resolution=1.0)
    np.testing.assert_allclose(found.heights[4], height(np.arange(21.0), 4.0), atol=1e-6)


def test_holes_and_joints_are_closed_and_the_map_ends_where_the_surface_does(tmp_path):
    x, y = np.meshgrid(np.arange(21.0), np.arange(11.0))
    points = np.column_stack([x.ravel(), y.ravel(), height(x, y).ravel()])
    cells = [(i, j) for j in range(10) for i in range(20) if i < 10 or j < 5]  # an L
    cells = [c for c in cells if c not in ((4, 4), (5, 4), (4, 5))]  # with a hole
    faces = [(j * 21 + i, j * 21 + i + 1, (j + 1) * 21 + i + 1, (j + 1) * 21 + i) for i, j in cells]
    path = obj(tmp_path / "a.obj", points, faces)
    found = read_terrain(path, resolution=0.5)
    assert found.height(5.0, 4.5) == pytest.approx(height(5.0, 4.5), abs=0.2)
    assert found.contains(5.0, 4.5)
    assert not found.contains(15.0, 8.0)
    gaps, cut = found.notes
    assert gaps.endswith("nodes lie in gaps of a.obj; their heights were interpolated")
    assert cut.endswith("the map ends there")
    assert read_terrain(path, resolution=0.5, nodata="fill").contains(15.0, 8.0)
    assert not read_terrain(path, resolution=0.5, nodata="cut").contains(4.7, 4.7)


REFUSED = {
    "points.ply": (
        "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nend_header\n"
        "0 0 0\n1 0 0\n0 1 0\n1 1 1\n",
        "no triangles; expected a surface",
    ),
    "upright.obj": ("v 0 0 0\nv 0 1 0\nv 0 0 1\nv 0 1 1\nf 1 2 3\n", "upright, or a point, as seen from above"),
    "torn.obj": ("v 0 0 0\nv 0 1 0\nv 0 0 1\nv 0 1 1\nf 1 2 9\n", "line 5: expected numbers of the 4 points above"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_surface_is_one_sentence(tmp_path, name):
    text, sentence = REFUSED[name]
    (tmp_path / name).write_text(text)
    with refused(sentence, file=tmp_path / name):
        read_terrain(tmp_path / name)


def test_a_surface_above_the_limit_says_how_large_it_would_be(tmp_path):
    with pytest.raises(
        physics.ScenarioError, match=r"200001 x 100001 cells of a map from x 0 to 20, y 0 to 10 are more"
    ):
        read_terrain(obj(tmp_path / "a.obj", SQUARE, TWO), resolution=1e-4)


# ---- in a scenario ------------------------------------------------------------------------------------


def rockfall(folder, terrain, **more):
    return small.rock(**({"duration": 1.0, "terrain": terrain, "release": {}, "folder": str(folder)} | more))


def pieces(folder):
    """An upper and a lower half of a slope, which overlap between y = 4 and 6; y up in the files."""
    obj(folder / "upper.obj", [(x, y, height(x, y)) for x, y in ((0, 4), (20, 4), (20, 10), (0, 10))], TWO, "y")
    obj(folder / "lower.obj", [(x, y, height(x, y) - 0.5) for x, y in ((0, 0), (20, 0), (20, 6), (0, 6))], TWO, "y")
    soils = {"preset": "soft", "scar": {"modulus": 5e6, "coefficient": 1.5, "density": 1700.0}}
    piece = ({"file": "upper.obj", "soil": "extra-hard"}, {"file": "lower.obj", "soil": soils})
    return {"piece": piece, "up": "y", "resolution": 0.5}


def test_each_piece_has_its_soil_and_zones_lie_on_them(tmp_path):
    zone = {"polygon": [[5.0, 1.0], [9.0, 1.0], [9.0, 9.0], [5.0, 9.0]], "preset": "snow"}
    asked = rockfall(tmp_path, pieces(tmp_path), soil={"preset": "medium", "zone": (zone,)})
    world = World.of(asked)
    kinds, soils = world.cover.soil_map, [soil.preset for soil in world.cover.soils]

    def at(x, y):
        return soils[kinds[round(y / 0.5), round(x / 0.5)]]

    assert [at(12, 8), at(12, 5), at(12, 2), at(7, 2), at(7, 8)] == ["extra-hard", "extra-hard", "soft", "snow", "snow"]
    (lower,) = (soil for soil in world.cover.soils if soil.preset == "soft")
    assert lower.scar.modulus == 5e6
    assert world.terrain.height(12.0, 5.0) == pytest.approx(height(12.0, 5.0), abs=1e-6)
    assert world.notes[0].startswith("upper.obj and 1 more: the surface lies above itself over 205 of 861 nodes, by up")
    assert set(world.files) == {"upper.obj", "lower.obj"}
    assert physics.Scenario(**asked.to_plain(), folder=str(tmp_path)) == asked


def test_places_of_blocks_are_turned_with_the_terrain(tmp_path):
    head = "mass,L1,L2,L3,shape,x,y,z,vx,vy,vz,qw,qx,qy,qz\n"
    (tmp_path / "blocks.csv").write_text(head + "700,1,0.8,0.5,eota,6,60,-7,1,-2,-3,1,0,0,0\n")
    world = World.of(rockfall(tmp_path, pieces(tmp_path), body={"blocks": "blocks.csv"}))
    np.testing.assert_allclose(world.position, [6.0, 7.0, 60.0])
    np.testing.assert_allclose(world.velocity, [1.0, 3.0, -2.0])
    np.testing.assert_allclose(world.orientation, [np.sqrt(0.5), np.sqrt(0.5), 0.0, 0.0])  # its z axis lies down now
    assert "blocks.csv: places, velocities and orientations have y up, as the terrain has" in world.notes
    (tmp_path / "blocks.csv").write_text(head + "700,1,0.8,0.5,eota,6,60,,,,,,,,\n")
    with pytest.raises(physics.ScenarioError, match="line 2, z: missing beside x, y, z"):
        World.of(rockfall(tmp_path, pieces(tmp_path), body={"blocks": "blocks.csv"}))


WRONG = {
    "terrain.piece: expected one of file, piece, profile": {"piece": ({"file": "a.obj"},), "file": "b.obj"},
    r"terrain\.up: expected none beside profile": {"profile": "ramp", "up": "y"},
    r"terrain\.up: applies to \.stl, \.obj, \.ply and \.xyz": {"file": "a.tif", "up": "y"},
    r"terrain\.piece\.0\.soil\.preset: 'lava' is not a soil": {"piece": ({"file": "a.obj", "soil": "lava"},)},
    r"terrain\.piece\.0\.file: missing": {"piece": ({"soil": "hard"},)},
}


@pytest.mark.parametrize("sentence", WRONG)
def test_a_wrong_table_of_pieces_is_told(tmp_path, sentence):
    with pytest.raises(physics.ScenarioError, match=sentence):
        rockfall(tmp_path, WRONG[sentence])


def test_a_piece_that_is_no_mesh_is_refused_by_its_name(tmp_path):
    (tmp_path / "a.tif").write_bytes(b"II*\0")
    with pytest.raises(
        physics.ScenarioError, match=r"a\.tif: cannot read a terrain from '\.tif'; expected one of \.stl"
    ):
        World.of(rockfall(tmp_path, {"piece": ({"file": "a.tif"},)}))
