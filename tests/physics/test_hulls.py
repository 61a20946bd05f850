"""Hulls from files: which are taken, and what is told of those that are not."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from physics import ScenarioError
from physics.bodies.mesh_io import Mesh
from physics.hydrostatics.hull import Hull, hull_of, loaded, read_hull
from physics.hydrostatics.hull_shapes import MAKERS, box, make_hull, wigley

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


def test_a_hull_that_is_inside_out_is_turned_and_told(tmp_path: Path) -> None:
    hull = read_hull(written(tmp_path, BOX.points, BOX.triangles[:, ::-1]))
    assert hull.notes == ("the mesh was inside out: all triangles turned to face outwards",)
    assert hull.volume == pytest.approx(8.0)


def test_an_open_hull_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, BOX.points, BOX.triangles[1:])
    refused(path, r"the mesh is open: 3 edges border one triangle only; close it")


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
            refused(path, r"the surface cuts itself near \(.*\) m; expected one that bounds a solid")


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
