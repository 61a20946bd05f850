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
from physics.bodies.closed_surface import closed
from physics.bodies.compound import tensor
from physics.bodies.mesh_io import Mesh, MeshReading, read_mesh
from tests import models


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
    "count": (_with("accessors", 0, "count", 10**12), r"accessors\[0\]: 1000000000000 rows of 12 bytes do not fit"),
    "negative": (_with("accessors", 0, "count", -1), r"accessors\[0\]\.count: expected a whole number"),
    "view": (_with("bufferViews", 1, "byteLength", 10**9), r"bufferViews\[1\]: ends after the \d+ bytes of its buffer"),
    "corner": (_with("accessors", 3, "bufferView", 2), r"primitives\[0\]\.indices: expected numbers of the mesh's 24"),
    "loop": (_with("nodes", 2, "children", [0]), r"nodes\[0\]: expected below one other node, once"),
    "turn": (_with("nodes", 1, "rotation", [0, 0, 0, 9]), r"nodes\[1\]\.rotation: expected a unit quaternion"),
    "place": (_with("nodes", 1, "translation", [0, "x", 0]), r"nodes\[1\]\.translation: expected 3 finite numbers"),
    "empty": (_with("nodes", [{"name": "none"}]), "meshes: the scene has no triangles; expected a solid"),
    "list": (_with("nodes", {}), "nodes: expected a list"),
    "open": (_with("accessors", 3, "count", 33), "part 'head': the mesh is open"),
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
