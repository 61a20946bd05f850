"""Meshes: every format read alike, exact mass properties, repairs that are told, damage in one sentence."""

from __future__ import annotations

import struct

import numpy as np
import pytest
import pyvista as pv
from vtkmodules.vtkIOPLY import vtkPLYWriter

import physics
from physics.bodies import shapes
from physics.bodies.closed_surface import closed
from physics.bodies.mesh_io import MAX_MESH_BYTES, Mesh, read_mesh
from physics.bodies.polygons import Polygons, cut
from physics.core.rotation import apply, random_attitudes
from physics.hazard.ensemble import Ensemble
from physics.hydrostatics.hull import read_hull
from physics.systems.world import World
from tests import small
from tests.small import refused

CORNERS = np.array([(0, 0), (3, 0), (3, 1), (1, 1), (1, 2), (0, 2)], float)  # of an L
TETRAHEDRON = Mesh(np.vstack([np.zeros(3), np.eye(3)]), np.array([(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]))


def box(size=(3.0, 2.0, 1.0), at=(0.0, 0.0, 0.0)):
    body = shapes.cuboid(size, mass=1.0)
    return Mesh(body.vertices + at, body.faces)


def bracket(at=(0.0, 0.0, 0.0)):
    """An L of three unit squares and one, extruded by 1: not convex."""
    n = len(CORNERS)
    points = np.concatenate([np.column_stack([CORNERS, np.full(n, z)]) for z in (0.0, 1.0)])
    cap = np.array([(0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 5)])
    sides = [t for i in range(n) for j in [(i + 1) % n] for t in ((i, j, n + j), (i, n + j, n + i))]
    return Mesh(points + at, np.concatenate([cap[:, ::-1], cap + n, sides]))


def written(mesh, path, **how):
    """The mesh in a file as VTK writes it."""
    data = pv.PolyData.from_regular_faces(mesh.points, mesh.triangles)
    if how.pop("big_endian", False):
        writer = vtkPLYWriter()
        writer.SetInputData(data)
        writer.SetFileName(str(path))
        writer.SetDataByteOrderToBigEndian()
        writer.Write()
    else:
        data.save(path, **how)
    return path


def said(mesh):
    with pytest.raises(physics.ScenarioError) as error:
        closed(mesh)
    return str(error.value)


# ---- formats ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "how"),
    [
        ("text.stl", {"binary": False}),
        ("binary.stl", {"binary": True}),
        ("text.ply", {"binary": False}),
        ("little.ply", {"binary": True}),
        ("big.ply", {"big_endian": True}),
        ("text.obj", {}),
    ],
)
@pytest.mark.parametrize("mesh", [box(), bracket()], ids=["box", "bracket"])
def test_every_format_holds_the_same_solid(tmp_path, mesh, name, how):
    given, found = shapes.mesh(mesh, mass=2.0), shapes.mesh(read_mesh(written(mesh, tmp_path / name, **how)), mass=2.0)
    assert found.notes == ()
    assert len(found.vertices) == len(mesh.points)
    assert len(found.faces) == len(mesh.triangles)
    assert found.volume == pytest.approx(given.volume, rel=1e-6)
    np.testing.assert_allclose(found.inertia, given.inertia, rtol=1e-6)
    np.testing.assert_allclose(found.extents, given.extents, rtol=1e-6)


@pytest.mark.parametrize(("name", "how"), [("a.stl", {"binary": False}), ("a.ply", {"binary": False}), ("a.obj", {})])
def test_a_byte_order_mark_is_passed_over(tmp_path, name, how):
    path = written(box(), tmp_path / name, **how)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert shapes.mesh(read_mesh(path), mass=2.0).volume == pytest.approx(6.0)


def test_polygons_and_numbers_from_the_end_are_read(tmp_path):
    quads = "f 1/1/1 2//1 3 4\nf -1 -2 -3 -4\n"
    (tmp_path / "a.obj").write_text(
        "# made by hand\nv 0 0 0 1.0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvn 0 0 1\no thing\n" + quads
    )
    np.testing.assert_array_equal(read_mesh(tmp_path / "a.obj").triangles, [(0, 1, 2), (0, 2, 3), (3, 2, 1), (3, 1, 0)])


@pytest.mark.parametrize("order", ["ascii", "binary_little_endian", "binary_big_endian"])
def test_a_ply_with_mixed_polygons_and_other_columns_is_read(tmp_path, order):
    header = (
        f"ply\nformat {order} 1.0\ncomment of a scanner\nelement vertex 5\nproperty float nx\nproperty double x\n"
        "property float y\nproperty float z\nproperty uchar red\nelement tag 2\nproperty list uchar short names\n"
        "element face 3\nproperty uchar flag\nproperty list uchar int vertex_indices\nend_header\n"
    )
    rows = [("<fdffB", (0.5, i, 2.0 * i, -1.0, 7)) for i in range(5)]
    rows += [("<B2h", (2, -3, 4)), ("<B", (0,))]
    rows += [("<BB3i", (1, 3, 0, 1, 2)), ("<BB4i", (1, 4, 0, 2, 3, 4)), ("<BB3i", (0, 3, 4, 3, 0))]
    if order == "ascii":
        body = "\n".join(" ".join(map(str, row)) for _, row in rows).encode()
    else:
        body = b"".join(struct.pack(form.replace("<", ">" if "big" in order else "<"), *row) for form, row in rows)
    (tmp_path / "a.ply").write_bytes(header.encode() + body)
    mesh = read_mesh(tmp_path / "a.ply")
    np.testing.assert_array_equal(mesh.points, [(i, 2 * i, -1) for i in range(5)])
    np.testing.assert_array_equal(mesh.triangles, [(0, 1, 2), (0, 2, 3), (0, 3, 4), (4, 3, 0)])


PLAN = np.array([(6, -3), (6, -1), (-1, -1), (-1, 1), (6, 1), (6, 3), (-6, 3), (-6, -3)], float)  # open at the bow


def pontoon(path, plan=PLAN):
    """A prism over a plan whose deck and bottom are one polygon each, as .obj, or .ply in text or binary."""
    n = len(plan)
    points = np.concatenate([np.column_stack([plan, np.full(n, z)]) for z in (0.0, 2.0)])
    faces = [list(range(n))[::-1], list(range(n, 2 * n))]
    faces += [[i, (i + 1) % n, n + (i + 1) % n, n + i] for i in range(n)]
    if path.suffix == ".obj":
        lines = ["v {} {} {}".format(*p) for p in points]
        lines += ["f " + " ".join(str(i + 1) for i in face) for face in faces]
        path.write_text("\n".join(lines))
        return path
    text = "text" in path.name
    head = (
        f"ply\nformat {'ascii' if text else 'binary_little_endian'} 1.0\nelement vertex {2 * n}\nproperty double x\n"
        f"property double y\nproperty double z\nelement face {len(faces)}\n"
        "property list uchar int vertex_indices\nend_header\n"
    ).encode()
    if text:
        rows = [" ".join(map(str, p)) for p in points] + [" ".join(map(str, (len(f), *f))) for f in faces]
        path.write_bytes(head + "\n".join(rows).encode())
    else:
        packed = [struct.pack(f"<B{len(f)}i", len(f), *f) for f in faces]
        path.write_bytes(head + points.astype("<f8").tobytes() + b"".join(packed))
    return path


def area(ring):
    """The area of a polygon (n, 2), counter-clockwise above 0."""
    x, y = np.asarray(ring, float).T
    return 0.5 * float(x @ np.roll(y, -1) - y @ np.roll(x, -1))


@pytest.mark.parametrize("name", ["a.obj", "text.ply", "binary.ply"])
def test_a_concave_polygon_is_covered_and_nothing_beside_it(tmp_path, name):
    mesh = read_mesh(pontoon(tmp_path / name))
    deck = mesh.triangles[(mesh.points[mesh.triangles][..., 2] == 2.0).all(axis=1)]
    areas = [area(mesh.points[one][:, :2]) for one in deck]
    assert len(deck) == 6
    assert min(areas) > 0.0
    assert sum(areas) == pytest.approx(58.0)  # 12 x 6 less the slot of 7 x 2
    for one in deck:  # none has its middle in the slot
        x, y = mesh.points[one][:, :2].mean(axis=0)
        assert not (x > -1.0 and abs(y) < 1.0)
    assert shapes.mesh(mesh, density=1.0).volume == pytest.approx(116.0)
    assert read_hull(tmp_path / name).volume == pytest.approx(116.0)  # the surface does not cut itself


def comb(teeth):
    return np.array([(0, 0), (teeth, 0), *((teeth - 0.5 * k, 1 + 2 * (k % 2)) for k in range(2 * teeth + 1))], float)


def spiral(n):
    turn = np.linspace(0.5, 5.0 * np.pi, n)
    arm = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    return np.concatenate([arm * (1.0 + turn)[:, None], (arm * (0.2 + turn)[:, None])[::-1]])


HOLE = [(0, 0), (4, 0), (4, 4), (0, 4), (0, 0), (1, 1), (1, 3), (3, 3), (3, 1), (1, 1)]  # bridged from a corner
BARBED = [(0, 0), (2, 0), (4, 0), (4, 4), (2, 4), (0, 4), (0, 2)]  # corners in a line: no triangle of a fan is empty


@pytest.mark.parametrize("start", [0, 3])
@pytest.mark.parametrize(
    "ring", [comb(12), spiral(60), HOLE, BARBED, PLAN], ids=["comb", "spiral", "hole", "in a line", "slot"]
)
@pytest.mark.parametrize("clockwise", [False, True])
def test_triangles_of_a_polygon_have_its_area_and_its_winding(ring, start, clockwise):
    ring = np.roll(np.asarray(ring, float), -start, axis=0)[:: -1 if clockwise else 1]
    turn = random_attitudes(np.random.default_rng(3), 1)[0]
    points = apply(turn, np.column_stack([ring, np.zeros(len(ring))])) + 100.0
    found = cut(points, Polygons(np.arange(len(ring)), np.array([len(ring)])))
    assert len(found) == len(ring) - 2
    areas = np.array([area(ring[one]) for one in found]) * (-1.0 if clockwise else 1.0)
    assert areas.min() > -1e-9
    assert areas.sum() == pytest.approx(abs(area(ring)))


def test_a_concave_polygon_of_thousands_of_corners_is_refused(tmp_path):
    path = pontoon(tmp_path / "a.obj", comb(1200))
    with pytest.raises(
        physics.ScenarioError, match=r"a\.obj: face \d is concave and has 2403 corners; expected at most"
    ):
        read_mesh(path)


def test_lines_of_an_obj_go_on_after_a_backslash(tmp_path):
    path = written(box(), tmp_path / "a.obj")
    lines = path.read_text().splitlines()
    broken = ["# saved in C:\\models\\", *(line.replace(" ", " \\\n ", 2) for line in lines)]
    for end in ("\n", "\r\n", " \n"):
        path.write_bytes(end.join(broken).replace("\\ \n", "\\\n").encode())
        assert shapes.mesh(read_mesh(path), mass=1.0).volume == pytest.approx(6.0)
    path.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 \\\n3\nf 1 2 \\\n9\n")
    with pytest.raises(physics.ScenarioError, match="line 7: expected numbers of the 4 points above, got '1 2 9'"):
        read_mesh(path)


@pytest.mark.parametrize(
    ("tail", "some"),
    [
        *((tail, "1 byte after them is") for tail in (b"\n", b"\0", b" ")),
        *((tail, f"{len(tail)} bytes after them are") for tail in (bytes(92), b"\r\n", bytes(50), b"endsolid rock\n")),
    ],
)
def test_what_follows_the_triangles_of_a_binary_stl_is_left_out_and_noted(tmp_path, tail, some):
    path = written(box(), tmp_path / "a.stl", binary=True)
    path.write_bytes(path.read_bytes() + tail)
    mesh = read_mesh(path)
    assert shapes.mesh(mesh, mass=1.0).volume == pytest.approx(6.0)
    assert mesh.notes == (f"the header counts 12 triangles; {some} left out",)
    world = World.of(free(path, shape="mesh"))
    assert world.notes == (f"a.stl: the header counts 12 triangles; {some} left out",)


# ---- precision ----------------------------------------------------------------------------------------

FAR = (2683141.0, 1247832.0, 463.0)


def block(at=FAR):
    """A block of 1.438 x 0.948 x 0.6 m that is no box."""
    return box((1.438, 0.948, 0.6), at)


@pytest.mark.parametrize(("name", "how"), [("a.stl", {"binary": True}), ("a.ply", {"binary": True}), ("a.obj", {})])
def test_a_block_in_map_coordinates_in_single_precision_is_noted(tmp_path, name, how):
    mesh = block()
    mesh = Mesh(mesh.points.astype(np.float32).astype(float), mesh.triangles)
    path = tmp_path / name
    if name == "a.obj":  # as numbers of nine digits
        lines = ["v " + " ".join(f"{x:.9g}" for x in p) for p in mesh.points]
        path.write_text("\n".join([*lines, *("f {} {} {}".format(*(t + 1)) for t in mesh.triangles)]))
    else:
        written(Mesh(mesh.points.astype(np.float32), mesh.triangles), path, **how)
    (note,) = read_mesh(path).notes
    assert note.startswith("coordinates x, y of 2683142 are rounded to steps of 0.25 in an extent of 1.5: the shape is")
    assert World.of(free(path, shape="mesh")).notes == (f"{name}: {note}",)
    assert f"{name}: {note}" in World.of(free(path, shape="hull")).notes


def as_text(mesh, path, form):
    lines = ["v " + " ".join(format(x, form) for x in p) for p in mesh.points]
    path.write_text("\n".join([*lines, *("f {} {} {}".format(*(t + 1)) for t in mesh.triangles)]))
    return path


def test_few_digits_are_noted(tmp_path):
    wide = box((143.8, 94.8, 60.0), FAR)
    (note,) = read_mesh(as_text(wide, tmp_path / "a.obj", "g")).notes
    assert "coordinates x, y of" in note
    assert "rounded to steps of 10 in an extent of" in note


# ---- mass properties ----------------------------------------------------------------------------------


def test_a_box_and_a_tetrahedron_have_their_exact_moments():
    body = shapes.mesh(box(at=(100.0, -50.0, 7.0)), density=2.0)
    assert body.mass == pytest.approx(12.0, rel=1e-13)
    np.testing.assert_allclose(body.inertia, [5.0, 10.0, 13.0], rtol=1e-12)
    np.testing.assert_array_equal(body.axes, [1, 0, 0, 0])
    corner = shapes.mesh(TETRAHEDRON, mass=1.0)
    assert corner.volume == pytest.approx(1 / 6, rel=1e-15)
    np.testing.assert_allclose(corner.vertices[0], [-0.25] * 3, rtol=1e-15)  # the centroid moved to the origin
    # second moments of the right-angled corner about its centroid: x² 3/80, xy -1/80
    np.testing.assert_allclose(np.sort(corner.inertia), [1 / 16, 1 / 16, 1 / 10], rtol=1e-12)


def test_a_prism_of_many_sides_has_the_moments_of_its_polygon():
    n, radius, height = 90, 0.7, 2.0
    prism = shapes.cylinder([2 * radius, 2 * radius, height], mass=1.0, sides=n)
    body = shapes.mesh(Mesh(prism.vertices, prism.faces), mass=3.0)
    area = n / 2 * radius**2 * np.sin(2 * np.pi / n)
    assert body.volume == pytest.approx(area * height, rel=1e-13)
    spin = 3.0 * radius**2 / 6 * (2 + np.cos(2 * np.pi / n))  # of a regular polygon about its axis
    np.testing.assert_allclose(body.inertia, [spin / 2 + 3 * height**2 / 12] * 2 + [spin], rtol=1e-12)


def test_a_body_that_is_not_convex_keeps_its_hollow():
    body = shapes.mesh(bracket(at=(10.0, 0.0, 0.0)), density=1.0)
    assert body.volume == pytest.approx(4.0, rel=1e-13)
    assert not body.convex
    assert shapes.mesh(box(), mass=1.0).convex
    # two boxes, 3 x 1 and 1 x 1: moment about z by Steiner
    centre = (3 * np.array([1.5, 0.5]) + np.array([0.5, 1.5])) / 4
    parts = [(3.0, 3.0, 1.0, (1.5, 0.5)), (1.0, 1.0, 1.0, (0.5, 1.5))]
    about_z = sum(m * ((a * a + b * b) / 12 + ((np.array(c) - centre) ** 2).sum()) for m, a, b, c in parts)
    turn = shapes.polyhedron(body.vertices, body.faces)[2]
    assert turn[2, 2] == pytest.approx(about_z, rel=1e-13)
    assert np.isclose(body.inertia, about_z).any()


@pytest.mark.parametrize("single", [False, True], ids=["double", "single"])
def test_convex_bodies_are_told_from_others(single):
    kind = np.float32 if single else float
    for seed in range(5):
        hull = shapes.random_rock([2.0, 1.0, 0.7], mass=1.0, seed=seed, points=60)
        mesh = Mesh(hull.vertices.astype(kind).astype(float), hull.faces)
        assert shapes.mesh(mesh, mass=1.0).convex
        dented = mesh.points.copy()
        dented[seed] *= 0.7
        assert not shapes.mesh(Mesh(dented, mesh.triangles), mass=1.0).convex


def test_a_turned_mesh_keeps_the_axes_it_was_given_in():
    turn = random_attitudes(np.random.default_rng(5), 1)[0]
    straight, turned = box(), Mesh(apply(turn, box().points) + np.array([4.0, 5.0, 6.0]), box().triangles)
    body = shapes.mesh(turned, mass=1.0)
    np.testing.assert_allclose(np.sort(body.inertia), shapes.mesh(straight, mass=1.0).inertia, rtol=1e-12)
    found = {tuple(p) for p in np.round(body.vertices, 9)}
    assert found == {tuple(p) for p in np.round(apply(turn, straight.points), 9)}


# ---- repairs and refusals -----------------------------------------------------------------------------


def test_a_mesh_that_is_inside_out_is_turned():
    mesh, notes = closed(Mesh(box().points, box().triangles[:, ::-1]))
    assert notes == ("the mesh was inside out: all triangles turned to face outwards",)
    assert shapes.polyhedron(mesh.points, mesh.triangles)[0] == pytest.approx(6.0)


@pytest.mark.parametrize("wrong", [[3], [0, 5, 7], [0, 1, 2, 3, 4, 6, 8, 9, 10, 11]])
def test_triangles_that_face_inwards_are_turned(wrong):
    triangles = box().triangles.copy()
    triangles[wrong] = triangles[wrong][:, ::-1]
    mesh, notes = closed(Mesh(box().points, triangles))
    assert notes == (f"{len(wrong)} triangle{'s' if len(wrong) > 1 else ''} turned to face outwards",)
    assert shapes.polyhedron(mesh.points, mesh.triangles)[0] == pytest.approx(6.0)


def test_triangles_without_area_are_dropped():
    points = np.vstack(
        [box().points, box().points[[0]], box().points[:2].mean(axis=0)]
    )  # a double, a middle of an edge
    mesh, notes = closed(Mesh(points, np.vstack([box().triangles, [(0, 8, 3), (0, 1, 9)]])))
    assert notes == ("2 triangles without area dropped",)
    assert len(mesh.triangles) == 12
    assert len(mesh.points) == 8


def test_a_sliver_that_closes_the_surface_stays():
    a, b = box().triangles[0][:2]
    across = next(i for i, t in enumerate(box().triangles) if i and {a, b} <= set(t))
    middle = len(box().points)
    points = np.vstack([box().points, box().points[[a, b]].mean(axis=0)])
    # one neighbour of the edge a-b is cut at its middle, the other is not: the sliver a, b, middle is between them
    c = next(k for k in box().triangles[across] if k not in (a, b))
    kept = np.delete(box().triangles, across, axis=0)
    mesh, notes = closed(Mesh(points, np.vstack([kept, [(b, middle, c), (middle, a, c), (b, a, middle)]])))
    assert notes == ()
    assert len(mesh.triangles) == 14
    assert shapes.polyhedron(mesh.points, mesh.triangles)[0] == pytest.approx(6.0)


def without_a_side():
    """The box without the two triangles of its top."""
    return np.array([t for t in box().triangles if not (box().points[t, 2] > 0).all()])


def test_an_open_mesh_is_refused_with_the_number_of_its_open_edges():
    assert "open: 3 edges border one triangle only" in said(Mesh(box().points, box().triangles[1:]))
    assert "open: 4 edges" in said(Mesh(box().points, without_a_side()))


def test_what_is_no_surface_of_a_solid_is_refused():
    twice = np.vstack([box().triangles, box().triangles])
    assert "18 edges of more than two triangles" in said(Mesh(box().points, twice))
    two = Mesh(np.vstack([box().points, box(at=(9, 0, 0)).points]), np.vstack([box().triangles, box().triangles + 8]))
    assert "2 separate surfaces" in said(two)
    assert "points without triangles" in said(Mesh(box().points, np.empty((0, 3), int)))
    assert "all triangles are without area" in said(Mesh(box().points, np.array([(0, 0, 1)])))
    pillow = Mesh(np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0)], float), np.array([(0, 1, 2), (0, 2, 1)]))
    assert "no volume" in said(pillow)
    assert "more than 200000" in said(Mesh(box().points, np.tile(box().triangles, (20_000, 1))))


def test_a_surface_with_one_side_is_refused():
    """A Klein bottle: a torus of n x m squares that is mirrored where it closes."""
    n, m = 6, 6

    def number(i, j):
        return (i % n) * m + (j if i < n else -j) % m

    squares = [
        (number(i, j), number(i + 1, j), number(i + 1, j + 1), number(i, j + 1)) for i in range(n) for j in range(m)
    ]
    triangles = np.array([t for a, b, c, d in squares for t in ((a, b, c), (a, c, d))])
    points = np.random.default_rng(1).standard_normal((n * m, 3))
    assert "one side only" in said(Mesh(points, triangles))


# ---- damaged files ------------------------------------------------------------------------------------

STL = (
    "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid a\n"
)
PLY = (
    "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
    "element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 1 2\n"
)
HEAD = bytes(80)
FILES = {  # name -> (content, words of the answer)
    "empty.stl": (b"", "the file is empty"),
    "a.step": (b"x", "expected one of .stl, .obj, .ply, .glb, .gltf, .pts"),
    "huge.stl": (HEAD + struct.pack("<I", 2**32 - 1) + bytes(50), "4294967295 triangles claimed, 1 found"),
    "none.stl": (HEAD + bytes(4) + bytes(600), "0 triangles claimed, 12 found"),
    "cut.stl": (HEAD + struct.pack("<I", 2) + bytes(99), "2 triangles claimed, 1 found"),
    "nan.stl": (HEAD + struct.pack("<I12fH", 1, *[np.nan] * 12, 0), "point 1: expected finite coordinates"),
    "cut-text.stl": (STL.encode()[:-20], "cut short; expected 'endsolid'"),
    "word.stl": (STL.replace("1 0 0", "1 zero 0").encode(), "line 5: expected three coordinates after 'vertex'"),
    "corner.stl": (STL.replace("vertex 0 1 0\n", "").encode(), "line 6: expected 3 corners of a triangle, got 2"),
    "word.obj": (b"v 0 0 0\nv 0 x 1\n", "line 2: expected three coordinates after 'v', got '0 x 1'"),
    "two.obj": (b"v 0 0\n", "line 1: expected three coordinates"),
    "number.obj": (b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n", "line 4: expected numbers of the 3 points above"),
    "zero.obj": (b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 0 1 2\n", "line 4: expected numbers of the 3 points above"),
    "face.obj": (b"v 0 0 0\nf one two three\n", "line 2: expected numbers of points"),
    "few.obj": (b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2\n", "line 4: expected at least 3 corners"),
    "points.obj": (b"v 0 0 0\n", "expected at least 4 points, found 1"),
    "text.ply": (b"hello", "not a PLY file"),
    "format.ply": (PLY.replace("ascii", "rot13").encode(), "line 2: expected a line of a PLY header"),
    "no-x.ply": (PLY.replace("float x", "float u").encode(), "expected an element 'vertex'"),
    "huge.ply": (PLY.replace("vertex 4", "vertex 99999999999").encode(), "99999999999 rows of 'vertex' claimed"),
    "negative.ply": (PLY.replace("face 1", "face -1").encode(), "-1 rows of 'face' claimed"),
    "cut.ply": (PLY.encode()[:-3], "cut short or damaged in row 1 of 1 of 'face'"),
    "list.ply": (PLY.replace("3 0 1 2", "4000000000 0 1 2").encode(), "damaged in row 1 of 1 of 'face'"),
    "word.ply": (PLY.replace("1 0 0", "one 0 0").encode(), "line 11: expected numbers"),
    "nan.ply": (PLY.replace("1 0 0", "nan 0 0").encode(), "point 2: expected finite coordinates"),
    "number.ply": (PLY.replace("3 0 1 2", "3 0 1 9").encode(), "face 1: expected numbers of the file's 4 points"),
    "twice.ply": (PLY.replace("float z", "float z\nproperty int z").encode(), "each property of 'vertex' once"),
    "quiet.stl": (HEAD + struct.pack("<I", 1) + bytes.fromhex("0100a07f") * 12 + bytes(2), "point 1: expected finite"),
    "nan-corner.ply": (PLY.replace("3 0 1 2", "3 0 1 nan").encode(), "face 1: expected numbers of points"),
    "large-corner.ply": (PLY.replace("3 0 1 2", "3 0 1 1e300").encode(), "face 1: expected numbers of points"),
    "word.pts": (b"0 0 0\n1 0 0\n0 1 nought\n0 0 1\n", "line 3: expected three numbers x, y, z, got 'nought'"),
    "two.pts": (b"0 0 0\n1 0\n", "expected three numbers x, y, z a line, got 2"),
    "few.pts": (b"0 0 0\n1 0 0\n", "expected at least 4 points"),
}


@pytest.mark.parametrize("name", FILES)
def test_a_damaged_file_is_told_in_one_sentence(tmp_path, name):
    content, words = FILES[name]
    (tmp_path / name).write_bytes(content)
    with refused(words, file=tmp_path / name):
        read_mesh(tmp_path / name)


def test_a_file_that_is_too_large_is_not_read(tmp_path):
    with (tmp_path / "a.stl").open("wb") as file:
        file.truncate(MAX_MESH_BYTES + 1)
    with pytest.raises(physics.ScenarioError, match="64 MB are more than"):
        read_mesh(tmp_path / "a.stl")
    with pytest.raises(physics.ScenarioError, match="no such file"):
        read_mesh(tmp_path / "b.stl")


# ---- in scenarios -------------------------------------------------------------------------------------


def free(path, **body):
    return physics.Scenario(
        kind="free", duration=1.0, step=0.01, schemes=["implicit"], body={"file": str(path), "density": 2.0, **body}
    )


def test_a_scenario_takes_the_solid_or_the_hull_of_a_mesh(tmp_path):
    path = written(bracket(), tmp_path / "bracket.stl", binary=False)
    solid, hull = World.of(free(path, shape="mesh")).body, World.of(free(path, shape="hull")).body
    assert solid.mass == pytest.approx(8.0)
    assert hull.mass == pytest.approx(10.0)  # with half a square of 2 x 1 more
    tiny = World.of(free(path, shape="mesh", scale=0.001)).body
    assert tiny.volume == pytest.approx(4e-9)
    assert tiny.extents == pytest.approx([0.003, 0.002, 0.001])


@pytest.mark.parametrize("shape", ["mesh", "hull"])
def test_the_solid_of_a_file_is_stretched_to_a_size(tmp_path, shape):
    path = written(box((3000.0, 2000.0, 1000.0), at=(7.0, 8.0, 9.0)), tmp_path / "box.stl")
    body = World.of(free(path, shape=shape, size=[0.4, 0.9, 1.5])).body
    np.testing.assert_allclose(body.extents, [0.4, 0.9, 1.5], rtol=1e-12)
    plain = shapes.cuboid([0.4, 0.9, 1.5], body.mass)
    np.testing.assert_allclose(body.inertia, plain.inertia, rtol=1e-12)
    with pytest.raises(physics.ScenarioError, match=r"body\.scale: expected none beside size"):
        free(path, shape=shape, size=[0.4, 0.9, 1.5], scale=0.001)


def test_the_world_tells_repairs_and_names_the_file_of_a_broken_mesh(tmp_path):
    inverted = Mesh(bracket().points, bracket().triangles[:, ::-1])
    world = World.of(free(written(inverted, tmp_path / "inverted.ply"), shape="mesh"))
    assert world.notes == ("inverted.ply: the mesh was inside out: all triangles turned to face outwards",)
    opened = Mesh(bracket().points, bracket().triangles[2:])
    with pytest.raises(physics.ScenarioError, match=r"open\.ply: the mesh is open: \d edges .* shape = 'hull'"):
        World.of(free(written(opened, tmp_path / "open.ply"), shape="mesh"))


@pytest.mark.parametrize("shape", ["mesh", "hull"])
@pytest.mark.parametrize("binary", [True, False])
def test_the_rock_of_a_file_falls_in_an_ensemble(tmp_path, binary, shape):
    solid = shapes.eota((0.93, 0.93, 0.47), mass=780.0)
    path = written(Mesh(solid.vertices, solid.faces), tmp_path / "rock.stl", binary=binary)
    body = {"shape": shape, "file": str(path), "mass": 780.0}
    scenario = small.rock(schemes=["implicit"], body=body, initial={"orientation": "random"}, ensemble={"rocks": 3})
    ensemble = Ensemble(World.of(scenario))
    assert ensemble.world.body.inertia == pytest.approx(solid.inertia, rel=1e-4)
    assert [*ensemble.march()] == [1, 2, 3]
    found = ensemble.results["implicit"]
    assert found.rows.column("runout").min() > 2.0
    assert found.largest_relative_gain <= 1e-9


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"shape": "mesh", "mass": 1.0}, "body.file: missing; the shape 'mesh' expects it"),
        ({"shape": "cuboid", "size": [1, 1, 1], "mass": 1.0, "scale": 2.0}, "body.scale: not a key of the shape"),
        ({"shape": "random", "mass": 1.0}, "body.size: missing"),
        ({"shape": "random", "size": [1, 1, 1], "mass": 1.0, "points": 4}, "body.points"),
        ({"shape": "eota", "size": [1, 1, 1], "mass": 1.0, "seed": 1}, "body.seed: not a key of the shape 'eota'"),
    ],
)
def test_keys_of_another_shape_are_refused(body, words):
    with refused(words):
        physics.Scenario(kind="free", duration=1.0, step=0.01, schemes=["implicit"], body=body)


@pytest.mark.parametrize(
    ("mark", "comma", "head"),
    [
        (" ", True, ""),
        (";", True, "x;y;z\n"),
        ("\t", True, "# of a scanner, at 3,5 m\n"),
        (", ", False, "8\n"),
        (",", False, ""),
        (";", False, ""),
    ],
)
@pytest.mark.parametrize("ending", [".xyz", ".pts"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_points_of_a_body_may_have_decimal_commas(tmp_path, mark, comma, head, ending, end):
    corners = np.array([(x, y, z) for x in (0.5, 2.25) for y in (-1.5, 3.75) for z in (0.0, 2.5)])
    text = "\n".join(mark.join(f"{value:.3f}" for value in row) for row in corners)
    text = head + (text.replace(".", ",") if comma else text)
    (tmp_path / f"a{ending}").write_bytes(text.replace("\n", end).encode())
    np.testing.assert_array_equal(read_mesh(tmp_path / f"a{ending}").points, corners)
