"""Models of several parts: what a .glb, a .gltf or an .obj holds as one solid, and damaged ones."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from physics import ScenarioError
from physics.bodies import shapes
from physics.bodies.closed_surface import closed, is_convex
from physics.bodies.compound import tensor
from physics.bodies.mesh_io import Mesh, MeshReading, read_mesh
from physics.core.rotation import Array
from tests import models

TETRAHEDRON = [(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)]


@pytest.mark.parametrize("name", ["a.glb", "a.gltf"])
def test_two_overlapping_parts_are_one_solid(name: str, tmp_path: Path) -> None:
    mesh = read_mesh(models.written(models.hammer(), tmp_path / name))
    assert [part for part, _ in mesh.parts] == ["head", "handle"]
    body = shapes.mesh(mesh, density=7000.0)
    volume, mass, inertia = models.union_inertia(7000.0)
    assert body.volume == pytest.approx(volume, rel=1e-6)  # the file has single precision
    assert body.mass == pytest.approx(mass, rel=1e-6)
    np.testing.assert_allclose(tensor(body), inertia, rtol=1e-6, atol=1e-9)
    assert body.extents == pytest.approx([0.1, 0.03, 0.305], rel=1e-6)
    (note,) = body.notes
    assert note == "2 parts made one solid of 0.0002 m³; on their own they have 0.00021 m³: head, handle"


def test_parts_are_chosen_by_name(tmp_path: Path) -> None:
    path = models.written(models.hammer(), tmp_path / "a.glb")
    body = shapes.mesh(read_mesh(path, reading=MeshReading(nodes=("head",))), mass=1.0)
    assert body.extents == pytest.approx([0.1, 0.03, 0.03], rel=1e-6)
    with pytest.raises(ScenarioError, match=r"a\.glb: nodes: there is no part 'hed'; expected some of head, handle"):
        read_mesh(path, reading=MeshReading(nodes=("head", "hed")))


def test_a_file_that_names_its_axes_wrongly_is_turned(tmp_path: Path) -> None:
    path = models.written(models.hammer(), tmp_path / "a.glb")
    as_said, otherwise = (read_mesh(path, reading=MeshReading(up=up)).points for up in ("", "z"))
    np.testing.assert_array_equal(as_said, np.column_stack([otherwise[:, 0], -otherwise[:, 2], otherwise[:, 1]]))


def boxes(*middles: float) -> Mesh:
    """Boxes of 2 m along x around places on x, each with points of its own."""
    points, _, _, triangles = models.box((2.0, 1.0, 1.0))
    count = len(points)
    return Mesh(
        np.concatenate([points + np.array([x, 0.0, 0.0]) for x in middles]),
        np.concatenate([triangles + count * i for i in range(len(middles))]),
    )


def as_obj(mesh: Mesh, path: Path, *names: str) -> Path:
    """The mesh as an .obj with an object for each box."""
    lines = [f"v {x} {y} {z}" for x, y, z in mesh.points]
    for i, (a, b, c) in enumerate(mesh.triangles + 1):
        lines += ([f"o {names[i // 12]}"] if i % 12 == 0 and names else []) + [f"f {a} {b} {c}"]
    path.write_text("\n".join(lines))
    return path


def test_objects_of_an_obj_are_parts(tmp_path: Path) -> None:
    body = shapes.mesh(read_mesh(as_obj(boxes(0.0, 1.0), tmp_path / "a.obj", "left", "right")), density=1.0)
    assert body.volume == pytest.approx(3.0)
    assert "2 parts made one solid of 3 m³; on their own they have 4 m³: left, right" in body.notes
    apart = shapes.mesh(read_mesh(as_obj(boxes(0.0, 5.0), tmp_path / "b.obj", "left", "right")), density=1.0)
    assert apart.volume == pytest.approx(4.0)
    assert "2 parts taken together, which do not overlap: left, right" in apart.notes


def test_surfaces_that_overlap_in_a_mesh_without_names_are_united_by_a_repair(tmp_path: Path) -> None:
    mesh = read_mesh(as_obj(boxes(0.0, 1.0), tmp_path / "a.obj"))
    with pytest.raises(ScenarioError, match="2 separate surfaces; expected one, or try a repair"):
        closed(mesh)
    found, notes = closed(mesh, repair=True)
    assert shapes.polyhedron(found.points, found.triangles)[0] == pytest.approx(3.0)
    assert notes == ("2 separate surfaces made one solid of 3 m³; on their own they have 4 m³",)


def test_parts_that_only_together_are_closed_are_one_surface(tmp_path: Path) -> None:
    mesh = read_mesh(as_obj(boxes(0.0), tmp_path / "a.obj"))
    divided = mesh._replace(parts=(("box", 8), ("lid", 4)))
    assert shapes.mesh(divided, density=1.0).volume == pytest.approx(2.0)
    gone = mesh._replace(triangles=mesh.triangles[:11], parts=(("box", 8), ("lid", 3)))
    with pytest.raises(ScenarioError, match=r"part 'box': the mesh is open.*; or choose the parts by nodes"):
        shapes.mesh(gone, density=1.0)


def area(mesh: Mesh) -> float:
    a, b, c = np.moveaxis(mesh.points[mesh.triangles], 1, 0)
    return float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum()) / 2.0


@pytest.mark.parametrize("repair", [False, True])
def test_parts_that_touch_keep_no_wall_between_them(repair: bool, tmp_path: Path) -> None:
    mesh = read_mesh(as_obj(boxes(0.0, 2.0), tmp_path / "a.obj", "left", "right"))
    found, _ = closed(mesh, repair=repair)
    assert area(found) == pytest.approx(18.0)  # of a box of 4 m x 1 m x 1 m
    assert is_convex(found)
    assert shapes.mesh(mesh, density=1.0, repair=repair).volume == pytest.approx(4.0)
    small, _, _, triangles = models.box((0.5, 0.5, 0.5))  # on a face that it does not fill
    one = boxes(0.0)
    points = np.concatenate([one.points, small + np.array([1.25, 0.0, 0.0])])
    foot = Mesh(points, np.concatenate([one.triangles, triangles + len(one.points)]), (), (("a", 12), ("b", 12)))
    assert area(closed(foot, repair=repair)[0]) == pytest.approx(10.0 + 6 * 0.25 - 2 * 0.25)


@pytest.mark.parametrize("repair", [False, True])
def test_a_part_inside_another_is_part_of_it_and_no_cavity_is_filled(repair: bool) -> None:
    outer = boxes(0.0)
    for inner in (outer.triangles, outer.triangles[:, ::-1]):
        points = np.concatenate([outer.points, 0.5 * outer.points])
        triangles = np.concatenate([outer.triangles, inner + len(outer.points)])
        mesh = Mesh(points, triangles, (), (("block", 12), ("inner", 12)))
        if inner is outer.triangles:
            assert shapes.mesh(mesh, density=1.0, repair=repair).volume == pytest.approx(2.0)
            inside_out = mesh._replace(triangles=triangles[:, ::-1])
            assert shapes.mesh(inside_out, density=1.0, repair=repair).volume == pytest.approx(2.0)
        else:
            with pytest.raises(ScenarioError, match="part 'inner' lies in others and is wound as a cavity;"):
                closed(mesh, repair=repair)
        with pytest.raises(ScenarioError, match=r"a surface around \(0, 0, 0\) lies in another"):
            closed(mesh._replace(parts=()), repair=True)


def test_a_repair_unites_a_pin_whose_box_lies_in_that_of_the_head() -> None:
    """A tetrahedron, and a box beyond its slanted face, which it touches."""
    head = Mesh(np.array([(0, 0, 0), (4, 0, 0), (0, 4, 0), (0, 0, 4)], float), np.array(TETRAHEDRON))
    points, _, _, triangles = models.box((1.0, 1.0, 1.0))
    pin = points + np.array([1.5, 1.5, 1.5])
    mesh = Mesh(np.concatenate([head.points, pin]), np.concatenate([head.triangles, triangles + 4]))
    body = shapes.mesh(mesh, density=1.0, repair=True)
    assert body.volume == pytest.approx(64 / 6 + 1.0 - 1 / 6)


# ---- nodes, modes and numbers --------------------------------------------------------------------------

CORNERS = np.array([(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 2.0, 0.0), (0.0, 0.0, 3.0)])  # no turn leaves them as is
QUARTER = 0.5**0.5


def _solid(**node: Any) -> models.Writer:
    made = models.solid(CORNERS, np.array(TETRAHEDRON))
    made.json["nodes"] = [{"mesh": 0} | node]
    return made


def _moded(mode: int, corners: list[int]) -> models.Writer:
    made = models.solid(CORNERS, np.array(corners))
    made.json["meshes"][0]["primitives"][0]["mode"] = mode
    return made


def _fans() -> models.Writer:
    """Three sides around a corner, and the fourth as a fan of its own."""
    made = _moded(6, [3, 0, 1, 2, 0])
    row = made.json["meshes"][0]["primitives"][0]
    made.json["meshes"][0]["primitives"].append(row | {"indices": made.accessor(np.array([0, 2, 1]), 5123)})
    return made


def _sparse() -> models.Writer:
    """The last corner is given beside the others."""
    made = models.solid(CORNERS * [(1.0,), (1.0,), (1.0,), (0.0,)], np.array(TETRAHEDRON))
    which, new = made.view(np.array([3], "<u2").tobytes()), made.view(CORNERS[3:].astype("<f4").tobytes())
    given = {"indices": {"bufferView": which, "componentType": 5123}, "values": {"bufferView": new}}
    made.json["accessors"][0]["sparse"] = {"count": 1} | given
    return made


def _shares() -> models.Writer:
    """Whole numbers of 16 bits with a sign, of which 32767 is 1, and a node that makes them metres."""
    made = _solid(scale=[3.0, 3.0, 3.0])
    made.json["accessors"][0] |= {"componentType": 5122, "normalized": True}
    made.json["accessors"][0]["bufferView"] = made.view(
        np.pad(np.rint(CORNERS / 3.0 * 32767), ((0, 0), (0, 1))).astype("<i2").tobytes()
    )
    made.json["bufferViews"][-1]["byteStride"] = 8
    return made


_PLACED: dict[str, tuple[Callable[[], models.Writer], Callable[[Array], Array]]] = {
    "as it is": (_solid, lambda p: p),
    "turned about x, y to z": (
        lambda: _solid(rotation=[QUARTER, 0, 0, QUARTER]),
        lambda p: p[:, [0, 2, 1]] * (1, -1, 1),
    ),
    "turned about y, z to x": (
        lambda: _solid(rotation=[0, QUARTER, 0, QUARTER]),
        lambda p: p[:, [2, 1, 0]] * (1, 1, -1),
    ),
    "scaled, then turned about z, then moved": (
        lambda: _solid(scale=[2, 1, 1], rotation=[0, 0, QUARTER, QUARTER], translation=[5, 6, 7]),
        lambda p: (p * (2, 1, 1))[:, [1, 0, 2]] * (-1, 1, 1) + (5, 6, 7),
    ),
    "a matrix by columns": (
        lambda: _solid(matrix=[0, 2, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1]),
        lambda p: (p * (2, 1, 1))[:, [1, 0, 2]] * (-1, 1, 1) + (5, 6, 7),
    ),
    "mirrored": (lambda: _solid(scale=[-1, 1, 1]), lambda p: p * (-1, 1, 1)),
    "a strip": (lambda: _moded(5, [0, 2, 1, 3, 0, 2]), lambda p: p),
    "fans": (_fans, lambda p: p),
    "sparse": (_sparse, lambda p: p),
    "shares": (_shares, lambda p: p),
}


@pytest.mark.parametrize("name", _PLACED)
def test_an_asymmetric_body_comes_to_its_place_the_right_way_round(name: str, tmp_path: Path) -> None:
    """Corners in the axes of the file, and triangles that face outwards without a repair of theirs."""
    make, place = _PLACED[name]
    mesh = read_mesh(models.written(make(), tmp_path / "a.glb"), reading=MeshReading(up="z"))
    np.testing.assert_allclose(mesh.points[:4], place(CORNERS), atol=1e-4 if name == "shares" else 1e-6)
    found, notes = closed(mesh)
    assert notes == ()
    assert len(found.triangles) == 4
    edges = place(CORNERS)[1:] - place(CORNERS)[0]
    volume, *_ = shapes.polyhedron(mesh.points, mesh.triangles)
    assert volume == pytest.approx(abs(np.linalg.det(edges)) / 6.0, rel=1e-3)  # above 0: it faces outwards


def test_one_mesh_under_two_nodes_is_two_parts(tmp_path: Path) -> None:
    made = _solid()
    made.json["nodes"] = [
        {"mesh": 0, "name": "a"},
        {"mesh": 0, "name": "b", "translation": [9, 0, 0], "scale": [2, 2, 2]},
    ]
    mesh = read_mesh(models.written(made, tmp_path / "a.glb"), reading=MeshReading(up="z"))
    assert mesh.parts == (("a", 4), ("b", 4))
    np.testing.assert_allclose(mesh.points, np.concatenate([CORNERS, 2.0 * CORNERS + (9.0, 0.0, 0.0)]))
    assert shapes.mesh(mesh, density=1.0).volume == pytest.approx(9.0)


# ---- damaged files ------------------------------------------------------------------------------------


def _with(*keys: Any) -> Callable[[models.Writer], object]:
    """A change of one value of the JSON: the path of its keys, then the value."""

    def change(made: models.Writer) -> None:
        *way, last, value = keys
        row: Any = made.json
        for key in way:
            row = row[key]
        row[last] = value

    return change


def _orphaned(children: list[Any], count: int = 3) -> Callable[[models.Writer], object]:
    """Nodes in no scene, the first of which has these children."""

    def change(made: models.Writer) -> None:
        del made.json["scenes"]
        made.json["nodes"] = (made.json["nodes"] * count)[:count]
        made.json["nodes"][0] = {"children": children}

    return change


def _instances(made: models.Writer) -> None:
    """A mesh of 9000 corners under 5000 nodes."""
    made.json["nodes"] = [{"mesh": 0} for _ in range(5000)]
    made.json["scenes"] = [{"nodes": list(range(5000))}]
    made.json["accessors"][3] = {"componentType": 5123, "type": "SCALAR", "count": 9000}


WRONG: dict[str, tuple[Callable[[models.Writer], object], str]] = {
    "draco": (
        _with("extensionsRequired", ["KHR_draco_mesh_compression"]),
        "extensionsRequired: the model is compressed with Draco; export it without compression",
    ),
    "unknown": (_with("extensionsRequired", ["MY_voxels"]), "extensionsRequired: 'MY_voxels' is not read"),
    "instances": (_with("extensionsUsed", ["EXT_mesh_gpu_instancing"]), "made of instances of one mesh"),
    "skinned": (_with("nodes", 1, "skin", 0), r"nodes\[1\]\.skin: a skinned mesh bends; expected a rigid one"),
    "old": (_with("asset", {"version": "1.0"}), r"asset\.version: expected glTF 2\.0, got '1\.0'"),
    "index": (
        _with("meshes", 0, "primitives", 0, "indices", 99),
        r"primitives\[0\]\.indices: expected one of the 8 acc",
    ),
    "type": (_with("accessors", 0, "type", "SCALAR"), r"accessors\[0\]: expected numbers for meshes\[0\]"),
    "count": (_with("accessors", 0, "count", 10**7), r"accessors\[0\]: 10000000 rows of 12 bytes do not fit"),
    "negative": (_with("accessors", 0, "count", -1), r"accessors\[0\]\.count: expected a whole number"),
    "view": (_with("bufferViews", 1, "byteLength", 10**9), r"bufferViews\[1\]: ends after the \d+ bytes of its buffer"),
    "corner": (_with("accessors", 3, "bufferView", 2), r"primitives\[0\]\.indices: expected numbers of the mesh's 24"),
    "loop": (_with("nodes", 2, "children", [0]), r"nodes\[0\]: expected below one other node, once"),
    "turn": (_with("nodes", 1, "rotation", [0, 0, 0, 9]), r"nodes\[1\]\.rotation: expected a unit quaternion"),
    "place": (_with("nodes", 1, "translation", [0, "x", 0]), r"nodes\[1\]\.translation: expected 3 finite numbers"),
    "empty": (_with("nodes", [{"name": "none"}]), "meshes: the scene has no triangles; expected a solid"),
    "list": (_with("nodes", {}), "nodes: expected a list"),
    "open": (_with("accessors", 3, "count", 33), "part 'head': the mesh is open"),
    "huge": (_with("nodes", 1, "translation", [10**400, 0, 0]), r"nodes\[1\]\.translation: expected 3 finite numbers"),
    "turned far": (_with("nodes", 1, "rotation", [10**400, 0, 0, 1]), r"nodes\[1\]\.rotation: expected 4 finite"),
    "child": (_orphaned([[1]]), r"nodes\[0\]\.children: expected one of the 3 nodes, got \[1\]"),
    "many nodes": (_orphaned([0] * 3, 10_001), "nodes: 10001 nodes are more than 10000"),
    "instances of a large mesh": (_instances, r"meshes\[0\]\.primitives\[0\]: the scene has more than 12000000 poi"),
    "nothing": (_with("accessors", 0, {"componentType": 5126, "type": "VEC3", "count": 2 * 10**7}), "more than 12000"),
    "outside": (_with("buffers", [{"uri": "../a.bin", "byteLength": 4}]), "'../a.bin' leads elsewhere"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_damaged_model_is_refused_by_file_and_field(name: str, tmp_path: Path) -> None:
    change, why = WRONG[name]
    made = models.hammer()
    path = models.written(made, tmp_path / "a.gltf")
    change(made)
    path.write_text(json.dumps(made.json))
    with pytest.raises(ScenarioError) as fault:
        shapes.mesh(read_mesh(path), mass=1.0)
    said = str(fault.value)
    assert re.search(why, said)
    assert "\n" not in said
    assert name == "open" or said.startswith(str(path))  # of a mesh that is no solid the scenario adds the name


def test_a_buffer_that_is_missing_and_a_file_cut_short_are_named(tmp_path: Path) -> None:
    path = models.written(models.hammer(), tmp_path / "a.gltf")
    (tmp_path / "hammer data.bin").unlink()
    with pytest.raises(ScenarioError, match=r"hammer data\.bin: buffers\[0\]\.uri: no such file; expected a buffer"):
        read_mesh(path)
    whole = models.hammer().glb()
    for size, why in (
        (8, "cut short"),
        (400, "cut short"),
        (len(whole) - 9, "cut short"),
        (3, "does not begin with 'glTF'"),
    ):
        (tmp_path / "b.glb").write_bytes(whole[:size])
        with pytest.raises(ScenarioError, match=rf"b\.glb: .*{why}"):
            read_mesh(tmp_path / "b.glb")
    (tmp_path / "c.gltf").write_text('{"asset": ')
    with pytest.raises(ScenarioError, match=r"c\.gltf: its JSON is damaged; expected a glTF 2\.0 file"):
        read_mesh(tmp_path / "c.gltf")
