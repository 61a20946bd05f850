"""Hulls from files: which are taken, and what is told of those that are not."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import assets
from physics import ScenarioError
from physics.bodies.convex_hull import hull_faces
from physics.bodies.mesh_io import Mesh, MeshReading
from physics.hydrostatics.flotation import placed
from physics.hydrostatics.hull import MAKERS, Hull, box, hull_of, loaded, make_hull, read_hull, wigley

BOX = box((4.0, 2.0, 1.0))


def written(folder: Path, points: np.ndarray, triangles: np.ndarray, name: str = "hull.obj") -> Path:
    lines = [f"v {x:.17g} {y:.17g} {z:.17g}" for x, y, z in points]
    lines += [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in triangles]
    path = folder / name
    path.write_text("\n".join(lines))
    return path


def refused(path: Path, what: str) -> None:
    with pytest.raises(ScenarioError, match=rf"^{re.escape(str(path))}: {what}$"):
        read_hull(path)


def test_a_closed_hull_is_taken_as_it_is(tmp_path: Path) -> None:
    hull = read_hull(written(tmp_path, BOX.points, BOX.triangles))
    assert (hull.name, hull.notes, hull.keel) == ("hull.obj", (), 0.0)
    assert hull.volume == pytest.approx(8.0)


def test_a_hull_without_volume_is_refused(tmp_path: Path) -> None:
    flat = BOX.points * (1.0, 1.0, 0.0)
    flat[:, 2] = 1e-14 * BOX.points[:, 2]
    refused(
        written(tmp_path, flat, BOX.triangles), r"(the surface encloses no volume|all triangles .*); expected a solid"
    )


def test_a_hull_that_cuts_itself_is_refused(tmp_path: Path) -> None:
    hull = wigley((100.0, 10.0, 6.0), (12, 6))
    points = hull.points.copy()
    for aside in (7.0, -7.0, -6.123):  # a corner of the side drawn through the hull and out at the other side
        points[np.argmax(hull.points[:, 1])] = (0.0, aside, 0.0)
        path = written(tmp_path, points, hull.triangles)
        if aside > 0.0:
            assert read_hull(path).volume > hull.volume
        else:
            refused(path, r"the surface cuts itself by .* m near \(.*\) m; expected one that bounds a solid.*")


def test_a_side_that_only_touches_is_no_cut() -> None:
    """A triangle's corner on an edge that is not split there, closed by a triangle without area."""
    points = np.array([(0, 0, 0), (2, 0, 0), (0, 2, 0), (0, 0, 2), (1, 0, 0)], float)
    triangles = np.array([(0, 2, 4), (4, 2, 1), (0, 1, 3), (0, 4, 1), (1, 2, 3), (0, 3, 2)])
    assert hull_of(Mesh(points, triangles), "sliver").volume == pytest.approx(8.0 / 6.0)


def test_points_and_other_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "hull.pts"
    path.write_text("0 0 0\n1 0 0\n0 1 0\n0 0 1\n")
    refused(path, r"points without triangles have no surface; expected triangles")
    path = tmp_path / "hull.toml"
    path.write_text("")
    with pytest.raises(ScenarioError, match=r"hull\.toml.*\.stl"):
        read_hull(path)


@pytest.mark.parametrize(
    ("mass", "centre", "density", "told"),
    [
        (9000.0, (0, 0, 0.5), 1025.0, r"mass: 9000 kg sink it: the whole hull displaces 8200 kg of water of 1025 .*"),
        (0.0, (0, 0, 0.5), 1025.0, r"mass: expected a mass above 0 kg, got 0"),
        (100.0, (0, 0, 0.5), -1.0, r"density: expected the density of the water above 0 kg/m³, got -1"),
        (100.0, (0, 3.0, 0.5), 1025.0, r"centre of gravity: y = 3 m lies outside the hull; expected -1 to 1 m, .*"),
        (100.0, (0, np.nan, 0.5), 1025.0, r"centre of gravity: expected three finite coordinates x, y, z \[m\]"),
    ],
)
def test_a_load_that_cannot_float_so_is_told(mass: float, centre: tuple[float, ...], density: float, told: str) -> None:
    with pytest.raises(ScenarioError, match=rf"^box: {told}$"):
        loaded(BOX, mass, centre, density)


@pytest.mark.parametrize("name", MAKERS)
def test_the_shapes_of_the_program_are_closed_and_do_not_cut_themselves(name: str) -> None:
    made = make_hull(name, (10.0, 3.0, 2.0))
    again = hull_of(Mesh(made.points, made.triangles), name)
    assert isinstance(made, Hull)
    assert again.notes == ()
    low, high = made.points.min(axis=0), made.points.max(axis=0)
    assert low[:2] == pytest.approx((-5.0, -1.5), abs=1e-3)
    assert high[:2] == pytest.approx((5.0, 1.5), abs=1e-3)


@pytest.mark.parametrize("size", [(1.0, 2.0), (1.0, 0.0, 1.0), (1.0, np.inf, 1.0), (1e10, 1.0, 1.0)])
def test_a_shape_without_size_is_refused(size: tuple[float, ...]) -> None:
    with pytest.raises(ScenarioError, match=r"^box: size: expected "):
        make_hull("box", size)


# ---- size and repairs ---------------------------------------------------------------------------------


def together(*parts: tuple[np.ndarray, np.ndarray]) -> Mesh:
    starts = np.cumsum([0, *(len(points) for points, _ in parts)])
    return Mesh(
        np.concatenate([points for points, _ in parts]),
        np.concatenate([triangles + start for (_, triangles), start in zip(parts, starts, strict=False)]),
    )


def repaired(mesh: Mesh, refused_with: str) -> Hull:
    """The hull of a mesh that only a repair makes one."""
    with pytest.raises(ScenarioError, match=refused_with):
        hull_of(mesh, "mesh")
    return hull_of(mesh, "mesh", repair=True)


def test_panels_that_do_not_meet_their_neighbours_are_made_to_by_a_repair() -> None:
    side = np.isclose(BOX.points[BOX.triangles][..., 0], 2.0).all(axis=1)
    grid = np.array([(2.0, y, z) for y in (-1.0, 0.1, 1.0) for z in (0.0, 0.4, 1.0)])
    quads = [(a, a + 3, a + 4, a + 1) for a in (0, 1, 3, 4)]
    panels = np.array([t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))])
    hull = repaired(together((BOX.points, BOX.triangles[~side]), (grid, panels)), r"open: \d+ edges .*--repair")
    assert hull.volume == pytest.approx(8.0)
    assert hull.repairs == ("4 edges were split at corners of neighbours within 0.0004 m",)


def test_a_wall_inside_is_dropped_by_a_repair() -> None:
    other = BOX.points * (-1.0, 1.0, 1.0) + (4.0, 0.0, 0.0)  # mirrored: the wall has the same triangles
    hull = repaired(together((BOX.points, BOX.triangles), (other, BOX.triangles[:, ::-1])), r"5 edges of more than two")
    assert hull.volume == pytest.approx(16.0)
    assert hull.repairs == ("4 triangles that lie on others dropped",)


def panelled(*faces: list[tuple[float, float, float]]) -> Mesh:
    """A mesh of faces, each with corners of its own."""
    corners = np.array([[face[0], face[k], face[k + 1]] for face in faces for k in range(1, len(face) - 1)], float)
    return Mesh(corners.reshape(-1, 3), np.arange(3 * len(corners)).reshape(-1, 3))


def crate(low: tuple[float, ...], high: tuple[float, ...], without: str = "") -> list[list[tuple[float, ...]]]:
    """Faces of a box between two corners; without: ends of axes that stay open, as in "+z -x"."""
    faces = []
    for axis, name in enumerate("xyz"):
        for side, place in (("-", low), ("+", high)):
            u, v = [(axis + 1) % 3, (axis + 2) % 3][:: 1 if side == "+" else -1]
            ring = []
            for at_u, at_v in ((low, low), (high, low), (high, high), (low, high)):
                corner = [0.0] * 3
                corner[axis], corner[u], corner[v] = place[axis], at_u[u], at_v[v]
                ring.append(tuple(corner))
            faces += [] if side + name in without else [ring]
    return faces


def test_an_open_deck_gets_a_lid_by_a_repair() -> None:
    barge = repaired(panelled(*crate((-10, -4, 0), (10, 4, 4), "+z")), r"open: 4 edges .*--repair")
    assert barge.volume == pytest.approx(640.0)
    assert barge.repairs == ("an opening was closed by a lid of 160 m² around (0, 0, 4)",)
    ship = wigley((100.0, 10.0, 6.0), (40, 20))
    skin = ship.points[ship.triangles]
    skin = skin[skin[..., 2].min(axis=1) < 6.0 - 1e-9]
    skin[..., 2] += np.where(skin[..., 2] > 5.9, 3.0 * (skin[..., 0] / 50.0) ** 2, 0.0)  # sheer
    found = repaired(Mesh(skin.reshape(-1, 3), np.arange(3 * len(skin)).reshape(-1, 3)), "open: 80 edges")
    # 2 b(x) times 3 (2x/L)² more than the hull with a level deck, b = 5 (1 - (2x/L)²) m; between 40 stations
    assert found.volume == pytest.approx(ship.volume + 1000.0 * 3.0 * (1 / 3 - 1 / 5), rel=2e-3)


def test_walls_between_compartments_are_dropped_by_a_repair() -> None:
    """Edges of three triangles: two tanks with one wall between them, and an open barge with a bulkhead."""
    halves = (*crate((-10, -4, 0), (0, 4, 4)), *crate((0, -4, 0), (10, 4, 4), "-x"))
    hull = repaired(panelled(*halves), r"4 edges of more than two triangles, .*--repair")
    assert hull.volume == pytest.approx(640.0)
    assert hull.repairs == ("2 triangles of walls inside dropped, 32 m², near (0, 1.333, 1.333)",)
    halves = (*crate((-10, -4, 0), (0, 4, 4), "+z"), *crate((0, -4, 0), (10, 4, 4), "-x +z"))
    hull = repaired(panelled(*halves), r"open: \d+ edges .*--repair")
    assert hull.volume == pytest.approx(640.0)
    assert hull.repairs[0].startswith("2 openings were closed by lids, the largest of 80 m² around (")


def test_a_semi_submersible_of_panels_is_a_hull_after_a_repair() -> None:
    """Columns without bottoms stand on panels of a pontoon that go through below them: edges of three triangles."""
    foot = [(x, y, 3.0) for x, y in ((-2, -2), (2, -2), (2, 2), (-2, 2))]
    rim = [(x, y, 3.0) for x, y in ((-10, -5), (10, -5), (10, 5), (-10, 5))]
    around = [[rim[i - 1], rim[i], foot[i], foot[i - 1]] for i in range(4)]
    pontoon = (*crate((-10, -5, 0), (10, 5, 3), "+z"), *around, foot)
    column = crate((-2, -2, 3), (2, 2, 12), "-z")
    hull = repaired(panelled(*pontoon, *column), r"4 edges of more than two triangles, .*--repair")
    assert hull.volume == pytest.approx(20 * 10 * 3 + 4 * 4 * 9)
    (told,) = hull.repairs
    assert told.startswith("2 triangles of walls inside dropped, 16 m², near (")
    load = loaded(hull, 1025.0 * (600.0 + 16.0 * 4.0), (0.0, 0.0, 2.0))
    assert placed(load, 0.0, 0.0, -5.0).integrals.volume == pytest.approx(664.0)


def test_columns_that_stand_on_a_face_do_not_cut_it() -> None:
    """The pontoon is one face below columns with and without bottoms; one that reaches into it is united with it."""
    pontoon = crate((-10, -5, 0), (10, 5, 3))
    columns = [*crate((-8, -2, 3), (-4, 2, 12), "-z"), *crate((4, -2, 3), (8, 2, 12))]
    hull = repaired(panelled(*pontoon, *columns), "open: 4 edges")
    assert hull.volume == pytest.approx(600.0 + 2 * 4 * 4 * 9)
    load = loaded(hull, 1025.0 * (600.0 + 2 * 16.0 * 4.0), (0.0, 0.0, 2.0))
    at = placed(load, 0.0, 0.0, -5.0).integrals
    assert (at.volume, at.area) == pytest.approx((728.0, 32.0))
    inside = hull_of(panelled(*pontoon, *crate((-8, -2, 1), (-4, 2, 12))), "cut", repair=True)
    assert inside.volume == pytest.approx(600.0 + 4 * 4 * 9)
    assert inside.repairs == ("2 separate surfaces made one solid of 744 m³; on their own they have 776 m³",)


def test_a_plate_that_hangs_loose_is_dropped_by_a_repair_and_faces_are_turned() -> None:
    keel = [(-10, -4, 0), (10, -4, 0), (10, -5, -1), (-10, -5, -1)]
    inwards = [face[::-1] for face in crate((-10, -4, 0), (10, 4, 4))]
    hull = repaired(panelled(*inwards, keel), "open: 3 edges")
    assert hull.volume == pytest.approx(640.0)
    assert hull.keel == 0.0
    first, second = hull.repairs
    assert first.startswith("2 triangles that hang loose dropped, 28.3 m², near (")
    assert second == "12 triangles turned to face outwards"


def test_a_skeg_that_touches_along_an_edge_is_kept_by_a_repair() -> None:
    """Two boxes with one edge in common, at which four triangles meet, and two with a whole side in common."""
    beside = BOX.points + np.array([4.0, 0.0, 1.0])
    edges = "1 edge of more than two triangles, the longest from \\(2, .*\\) to \\(2, .*\\); expected the surface"
    hull = repaired(together((BOX.points, BOX.triangles), (beside, BOX.triangles)), edges)
    assert hull.volume == pytest.approx(16.0)
    first, second = hull.repairs
    assert first.startswith("the surface was cut apart along 1 edge of more than two triangles, near (2, ")
    assert second.startswith("2 separate surfaces taken together")
    load = loaded(hull, 1025.0 * 8.0, (0.5, 0.0, 0.5))
    assert placed(load, 0.0, 0.0, 0.0).integrals.volume == pytest.approx(4.0)  # half of the lower box


def test_a_bottom_that_sticks_out_is_put_back_by_a_repair() -> None:
    """A corner of one side of a narrow hull lies 15 mm outside of the other side."""
    hull = wigley((20.0, 4.0, 2.0), (20, 10))
    points = hull.points.copy()
    out = int(np.argmin(((points - (0.0, 1.0, -1.4)) ** 2).sum(axis=1)))
    points[out, 1] = -points[out, 1] - 0.015  # through the other side
    mesh = Mesh(points, hull.triangles)
    found = repaired(mesh, r"the surface cuts itself by 0\.00\d+ m near \(.*\) m; expected .*--repair")
    (told,) = found.repairs
    assert re.match(r"\d points moved by up to 0\.0\d+ m, as the surface cut itself near \(.*\) m", told)
    again = hull_of(Mesh(found.points, found.triangles), "again")
    assert again.volume == pytest.approx(found.volume)


def test_what_a_repair_cannot_mend_is_told_in_the_terms_of_the_mesh() -> None:
    outward = BOX.points[BOX.triangles].mean(axis=1)
    mesh = Mesh(BOX.points, BOX.triangles[(outward[:, 0] < 1.9) & (outward[:, 2] < 0.9)])  # no deck, and no bow
    with pytest.raises(ScenarioError, match=r"open: 6 edges .* the longest from .* to .*; close it: no flat lid does$"):
        hull_of(mesh, "open", repair=True)
    ship = wigley((100.0, 30.0, 4.0), (40, 20))  # half of it, without its deck: a lid would go from keel to gunwale
    corners = ship.points[ship.triangles]
    half = corners[(corners[..., 1] > -1e-9).all(axis=1) & (corners[..., 2].min(axis=1) < 4.0 - 1e-9)]
    with pytest.raises(ScenarioError, match=r"open: 12\d edges .*; close it: no flat lid does$"):
        hull_of(Mesh(half.reshape(-1, 3), np.arange(3 * len(half)).reshape(-1, 3)), "half", repair=True)
    inner = BOX.points * 0.5 + (0.0, 0.0, 0.25)
    with pytest.raises(ScenarioError, match=r"a surface around \(0, 0, 0\.5\) lies in another"):
        hull_of(together((BOX.points, BOX.triangles), (inner, BOX.triangles)), "tank", repair=True)
    hull = wigley((100.0, 10.0, 6.0), (12, 6))
    points = hull.points.copy()
    points[np.argmax(points[:, 1])] = (0.0, -7.0, 0.0)
    with pytest.raises(ScenarioError, match=r"cuts itself by .* m near .*; points are moved by 0\.5 m at most"):
        hull_of(Mesh(points, hull.triangles), "cut", repair=True)


# ---- a deck that is not up, and near duplicates ----------------------------------------------------------


def barge(folder: Path, turn: tuple[int, int, int], signs: tuple[int, int, int] = (1, 1, 1)) -> Path:
    """A pontoon with raked ends, its corners with axes exchanged and turned."""
    side = [(-20.0, 2.5), (-15.0, 0.0), (15.0, 0.0), (20.0, 2.5), (20.0, 4.0), (-20.0, 4.0)]
    points = np.array([(x, y, z) for y in (-6.0, 6.0) for x, z in side])
    triangles = hull_faces(points)
    made = points[:, turn] * signs
    return written(folder, made, triangles)


@pytest.mark.parametrize(
    ("turn", "signs", "why"),
    [
        ((0, 2, 1), (1, -1, 1), "it is alike to top and bottom, and not to both sides"),
        ((1, 2, 0), (1, 1, 1), "it is deeper than long"),
        ((0, 1, 2), (1, -1, -1), "its waterplane is larger at the keel than at the deck"),
    ],
)
def test_a_hull_whose_deck_is_not_up_says_so(
    tmp_path: Path, turn: tuple[int, int, int], signs: tuple[int, int, int], why: str
) -> None:
    assert read_hull(barge(tmp_path, (0, 1, 2))).notes == ()
    (note,) = read_hull(barge(tmp_path, turn, signs)).notes
    assert note.startswith(f"the deck of the hull may not be up: {why}; ")
    assert "up = 'y'" in note
    assert "--up" in note


@pytest.mark.parametrize("up", ["y", "z", "x"])
def test_hulls_of_the_program_have_their_decks_up(up: str) -> None:
    folder = Path(assets.__file__).parent / "hulls"
    for name in ("feeder", "tanker"):
        notes = read_hull(folder / f"{name}.ply", MeshReading(up=up)).notes
        assert any("deck" in note for note in notes) == (up != "z")


def test_near_duplicates_are_merged_by_a_repair() -> None:
    faces = crate((0.0, 0.0, 0.0), (40.0, 12.0, 4.0), without="+z")
    mesh = panelled(*faces)
    corners = mesh.points[mesh.triangles]
    corners[0] = corners[0][::-1]
    moved = corners[[2, 5]] + 2e-6
    mesh = Mesh(np.concatenate([corners, moved]).reshape(-1, 3), np.arange(3 * len(corners) + 6).reshape(-1, 3))
    hull = repaired(mesh, "the mesh is open")
    assert hull.volume == pytest.approx(40.0 * 12.0 * 4.0, rel=1e-6)
    assert any(re.fullmatch(r"\d+ points merged with others within 4e-05 m", note) for note in hull.repairs)
    assert "2 triangles that lie on others dropped" in hull.repairs
