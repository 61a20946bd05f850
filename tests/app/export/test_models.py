"""Models with materials: a hammer goes through the program, from its .glb to pictures and to a .glb that moves."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import pyvista as pv
from PIL import Image
from vtkmodules.vtkIOImport import vtkGLTFImporter
from vtkmodules.vtkRenderingCore import vtkRenderer, vtkRenderWindow

from app.document.open import scenario_for
from app.export.scene_files import write_scene
from app.export.scene_model import model_of
from app.export.video import write_video
from app.stage.bodies.model_look import Material, look_of_body
from app.stage.bodies.model_skin import skin_of
from app.system.opengl import prepare
from physics import Scenario, ScenarioError, World
from physics.core.rotation import matrix
from physics.hazard.cluster import packed, unpacked
from physics.scenario.fingerprints import check_unchanged, digests, named_files
from physics.systems.scenario_body import make_body
from tests import models
from tests.app.staging import finished


def tumbling(file: Path, **body: Any) -> Scenario:
    return Scenario(
        kind="free",
        duration=0.5,
        step=0.01,
        schemes=("implicit",),
        body={"shape": "mesh", "file": str(file), "density": 7000.0} | body,
        initial={"angular_velocity": (0.3, 6.0, 0.2)},
    )


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return finished(tumbling(models.written(models.hammer(), tmp_path_factory.mktemp("models") / "hammer.glb")))


def test_another_reader_finds_motion_materials_and_names_in_the_model_that_leaves(run: Any, tmp_path: Path) -> None:
    """VTK's importer of glTF, which knows nothing of the program."""
    shown = run.world.scenario.changed(**{"export.content": "bodies"})
    write_scene(World.of(shown), run.lanes, tmp_path / "moving.glb")
    assert scenario_for(tmp_path / "moving.glb").kind == "free"  # by its recipe, not as a body
    prepare()
    window, renderer, reader = vtkRenderWindow(), vtkRenderer(), vtkGLTFImporter()
    window.SetOffScreenRendering(1)
    window.AddRenderer(renderer)
    reader.SetFileName(str(tmp_path / "moving.glb"))
    reader.SetRenderWindow(window)
    reader.Update()
    reader.EnableAnimation(0)
    actors = {}
    found = renderer.GetActors()
    for number in range(found.GetNumberOfItems()):
        actor = found.GetItemAsObject(number)
        actors["wood" if actor.GetProperty().GetTexture("albedoTex") else "steel"] = actor
    assert found.GetNumberOfItems() == len(actors) == 2
    steel = actors["steel"].GetProperty()
    assert (steel.GetMetallic(), steel.GetRoughness()) == pytest.approx((0.9, 0.3))
    picture = actors["wood"].GetProperty().GetTexture("albedoTex").GetInput()
    assert picture.GetDimensions()[:2] == (16, 16)
    names = reader.GetSceneHierarchy()
    labels = {names.GetAttributeOrDefault(node, "label", "") for node in names.GetChildNodes(0, True)}
    assert {"head", "handle", "world"} <= labels
    assert sum(label.endswith(", body") for label in labels) == 1
    assert not any("angular" in label or "curve" in label for label in labels)
    upright = np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]], float)  # glTF's y is up
    lane = run.lanes[0].trajectory
    times = model_of(run.world, run.lanes).actors[0].times
    assert len(times) > 20
    for time in times:
        reader.UpdateAtTimeValue(float(time))
        seen = pv.array_from_vtkmatrix(actors["wood"].GetUserMatrix())
        known = upright @ matrix(lane.at(float(time)).orientation)
        np.testing.assert_allclose(seen[:3, 3], upright @ lane.at(float(time)).position, atol=1e-7)
        chord = np.linalg.norm(seen[:3, :3] - known) / np.sqrt(8.0)
        assert np.degrees(2.0 * np.arcsin(chord)) < 1e-3


def test_nodes_of_what_is_drawn_are_named(run: Any) -> None:
    (actor,) = model_of(run.world, run.lanes).actors
    assert [piece.part for piece in actor.skin] == ["head", "handle"]
    assert [tracer.name for tracer in actor.tracers] == ["tracer 1", "tracer 2"]
    for tracer, curve in zip(actor.tracers, actor.curves, strict=True):
        np.testing.assert_allclose(tracer.feet, curve.points + actor.positions)


def test_the_axle_of_a_top_leaves_beside_its_parts(tmp_path: Path) -> None:
    """The rod from the fixed point to the centre of mass, on which the stage shows the hammer."""
    hammer = tumbling(models.written(models.hammer(), tmp_path / "hammer.glb"))
    given = {"duration": 0.1, "step": 0.01, "schemes": ("dir-em",), "initial": {"nutation": 0.5}}
    top = finished(Scenario(kind="top", body=hammer.to_plain()["body"], top={"distance": 0.1}, **given))
    write_scene(top.world, top.lanes, tmp_path / "top.glb")
    data = (tmp_path / "top.glb").read_bytes()
    made = json.loads(data[20 : 20 + int.from_bytes(data[12:16], "little")])
    (body,) = (node for node in made["nodes"] if node["name"].endswith(", body"))
    parts = {made["nodes"][number]["name"]: made["nodes"][number]["mesh"] for number in body["children"]}
    letter = body["name"].removesuffix(", body")
    assert [*parts] == ["head", "handle", f"{letter}, axle"]
    (drawn,) = made["meshes"][parts[f"{letter}, axle"]]["primitives"]
    rod = made["accessors"][drawn["attributes"]["POSITION"]]
    ends = np.sort([np.zeros(3), -top.world.arm], axis=0)
    np.testing.assert_allclose([rod["min"], rod["max"]], ends, atol=0.05 * np.linalg.norm(top.world.arm))


def test_a_transparent_film_of_bodies_alone_shows_the_wood_and_nothing_else(run: Any, tmp_path: Path) -> None:
    look = {"transparent": True, "content": "bodies", "size": (160, 120), "fps": 4.0, "last": 0.5}
    shown = run.world.scenario.changed(**{f"export.{key}": value for key, value in look.items()})
    write_video(World.of(shown), run.lanes, tmp_path / "frames")
    first, *_, last = (np.asarray(Image.open(path)).astype(int) for path in sorted((tmp_path / "frames").iterdir()))
    for picture in (first, last):
        red, green, blue, opacity = np.moveaxis(picture, 2, 0)
        solid = opacity > 250
        assert (opacity == 0).sum() > 0.8 * opacity.size
        assert 0.005 < solid.mean() < 0.2
        assert (opacity[0] == 0).all()  # no words
        assert ((red > green) & (green > blue) & solid).sum() > 0.4 * solid.sum()  # wood
        assert ((blue >= red) & solid).sum() > 0.05 * solid.sum()  # steel
    assert (first != last).any()


def test_an_obj_brings_the_materials_of_its_mtl(tmp_path: Path) -> None:
    points, normals, places, triangles = models.box((1.0, 2.0, 3.0))
    rows = [f"v {x} {y} {z}" for x, y, z in points]
    rows += [f"vt {u} {1 - v}" for u, v in places]
    faces = [f"f {a}/{a} {b}/{b} {c}/{c}" for a, b, c in (triangles + 1).tolist()]
    text = "\n".join(["mtllib a.mtl", *rows, "usemtl red", *faces[:4], "usemtl wood", *faces[4:]])
    (tmp_path / "a.obj").write_text(text)
    (tmp_path / "a.mtl").write_text(
        "newmtl red\nKd 1 0 0\nd 0.5\nnewmtl wood\nKd 1 1 1\nNs 100\nmap_Kd -s 1 1 1 wood.png\n"
    )
    (tmp_path / "wood.png").write_bytes(models.wood())
    body = make_body(tumbling(tmp_path / "a.obj", up="z"))
    look = look_of_body(body)
    assert look.notes == ()
    red, wood = look.pieces
    assert red.material is not None
    assert wood.material is not None
    assert (red.material.colour, red.material.row["alphaMode"]) == ((1.0, 0.0, 0.0, 0.5), "BLEND")
    assert wood.material.pictures[0].data == models.wood()
    assert wood.material.base["roughnessFactor"] == pytest.approx(np.sqrt(2.0 / 102.0))
    for piece, corners in ((red, triangles[:4]), (wood, triangles[4:])):
        drawn = {
            tuple(np.round([*p, *n, *t], 5))
            for p, n, t in zip(piece.points, piece.normals, piece.places["TEXCOORD_0"], strict=True)
        }
        given = {tuple(np.round([*points[k], *normals[k], *places[k]], 5)) for k in corners.ravel()}
        assert {tuple(np.array(row) + 0.0) for row in drawn} == {tuple(np.array(row) + 0.0) for row in given}
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "a.obj").write_text(text)
    (tmp_path / "b" / "a.mtl").write_text("newmtl red\nKd 1 0 0\nnewmtl wood\nmap_Kd ../wood.png\n")
    (note,) = look_of_body(make_body(tumbling(tmp_path / "b" / "a.obj"))).notes
    assert note.startswith("a.obj: a.mtl: wood: map_Kd: drawn without this picture: '../wood.png' leads elsewhere")


def test_a_damaged_picture_is_left_out_and_said(tmp_path: Path) -> None:
    made = models.hammer()
    path = models.written(made, tmp_path / "hammer.gltf")
    (tmp_path / "wood.png").write_bytes(models.wood()[:60])
    look = look_of_body(make_body(tumbling(path)))
    assert len(look.pieces) == 2
    assert look.notes == (
        "hammer.gltf: images[0]: drawn without this picture: a picture is damaged, or is no PNG or JPEG",
    )
    (tmp_path / "wood.png").unlink()
    (note,) = look_of_body(make_body(tumbling(path))).notes
    assert (
        "images[0].uri: drawn without this picture: no such file; expected a buffer or a picture of hammer.gltf" in note
    )


def test_what_changes_beside_a_model_is_read_again(tmp_path: Path) -> None:
    """Its buffer decides the motion and belongs to what a run is known by; its picture only to the look."""
    path = models.written(models.hammer(), tmp_path / "hammer.gltf")
    scenario = tumbling(path)
    first, known = make_body(scenario), digests(scenario)
    assert [one.name for one in named_files(scenario)[str(path)]] == ["hammer.gltf", "hammer data.bin"]
    (tmp_path / "wood.png").write_bytes(models.wood()[:60])
    assert digests(scenario) == known
    assert len(look_of_body(make_body(scenario)).notes) == 1
    larger = models.hammer()
    points = np.frombuffer(larger.data, "<f4", 72, larger.json["bufferViews"][1]["byteOffset"]) * 1.25
    at = larger.json["bufferViews"][1]["byteOffset"]
    larger.data[at : at + points.nbytes] = points.astype("<f4").tobytes()
    (tmp_path / "hammer data.bin").write_bytes(larger.data)
    os.utime(tmp_path / "hammer data.bin", ns=(1, 1))
    assert make_body(scenario).mass > 1.2 * first.mass
    assert digests(scenario) != known
    with pytest.raises(ScenarioError, match="has changed since it was read"):
        check_unchanged(scenario, known)


def test_a_model_and_its_buffer_travel_to_a_worker(tmp_path: Path) -> None:
    path = models.written(models.hammer(), tmp_path / "hammer.gltf")
    table = tmp_path / "blocks.csv"
    table.write_text("id,file,density\n1,hammer.gltf,7000\n")
    given = {"duration": 5.0, "step": 0.01, "schemes": ("implicit",), "terrain": {"profile": "ramp"}}
    rocks = Scenario(kind="rockfall", body={"blocks": str(table)}, **given)
    assert [one.name for one in named_files(rocks)[str(table)]] == ["blocks.csv", "hammer data.bin", "hammer.gltf"]
    (tmp_path / "there").mkdir()
    there = unpacked(packed(tumbling(path)), tmp_path / "there")
    assert make_body(there).mass == make_body(tumbling(path)).mass


def test_an_obj_with_two_libraries_has_both_and_no_pipe_is_opened(tmp_path: Path) -> None:
    points, _, _, triangles = models.box((1.0, 2.0, 3.0))
    rows = [f"v {x} {y} {z}" for x, y, z in points]
    faces = [f"f {a} {b} {c}" for a, b, c in (triangles + 1).tolist()]
    (tmp_path / "a.obj").write_text(
        "\n".join(["mtllib one.mtl two.mtl", *rows, "usemtl red", *faces[:4], "usemtl blue", *faces[4:]])
    )
    (tmp_path / "one.mtl").write_text("newmtl red\nKd 1 0 0\n")
    (tmp_path / "two.mtl").write_text("newmtl blue\nKd 0 0 1\nmap_Kd pipe.png\n")
    os.mkfifo(tmp_path / "pipe.png")
    look = look_of_body(make_body(tumbling(tmp_path / "a.obj", up="z")))
    colours = [piece.material.colour[:3] for piece in look.pieces if piece.material is not None]
    assert colours == [(1.0, 0.0, 0.0), (0.0, 0.0, 1.0)]
    assert len(look.notes) == 1
    assert "drawn without this picture: a pipe, not a file; expected a picture" in look.notes[0]
    (tmp_path / "two.mtl").unlink()
    os.mkfifo(tmp_path / "two.mtl")
    assert "two.mtl: a pipe, not a file" in look_of_body(make_body(tumbling(tmp_path / "a.obj", up="z"))).notes[0]


def test_numbers_of_hundreds_of_digits_are_passed_over_in_a_look(tmp_path: Path) -> None:
    huge = 10**400
    made = models.hammer()
    steel, wood = made.json["materials"]
    steel["pbrMetallicRoughness"] |= {"baseColorFactor": [huge, 0, 0, 1], "metallicFactor": huge}
    moved = {"offset": [huge, 0], "scale": [1, huge], "rotation": huge}
    wood["pbrMetallicRoughness"]["baseColorTexture"]["extensions"] = {"KHR_texture_transform": moved}
    body = make_body(tumbling(models.written(made, tmp_path / "hammer.glb")))
    assert look_of_body(body).pieces[0].material == Material(steel)
    assert [skin.mesh.n_points for skin in skin_of(body)] == [24, 24]
