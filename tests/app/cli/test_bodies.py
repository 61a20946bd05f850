"""Bodies from files: opened, run, drawn by their own triangles; what was repaired is told on standard error."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import pyvista as pv

from app.document.open import BODY, scenario_for
from app.stage.bodies.body_mesh import machined, stone
from physics.bodies import shapes
from physics.bodies.body import Body
from physics.bodies.gltf import GLTF
from physics.bodies.mesh_io import Mesh
from physics.core.rotation import apply, conjugate
from physics.io import trajectory_readers
from physics.systems.world import World
from tests import models
from tests.app.commanding import complaint, polhode

CORNERS = [(0, 0), (3, 0), (3, 1), (1, 1), (1, 2), (0, 2)]  # of an L
SHADES = ("#111111", "#888888", "#eeeeee")


def bracket(inside_out: bool = False) -> pv.PolyData:
    """An L, 1 m thick, of 4 m³: not convex."""
    n = len(CORNERS)
    points = np.array([(x, y, z) for z in (0.0, 1.0) for x, y in CORNERS], float)
    cap = np.array([(0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 5)])
    sides = [t for i in range(n) for j in [(i + 1) % n] for t in ((i, j, n + j), (i, n + j, n + i))]
    triangles = np.concatenate([cap[:, ::-1], cap + n, sides])
    return pv.PolyData.from_regular_faces(points, triangles[:, ::-1] if inside_out else triangles)


def bumpy() -> pv.PolyData:
    """A ball with waves: curved, with many triangles."""
    ball = pv.Icosphere(nsub=4)
    ball.points = ball.points * (1.0 + 0.15 * np.sin(5.0 * ball.points[:, :1])) * [1.5, 1.0, 0.8]
    return ball


def body_of(mesh: pv.PolyData) -> Body:
    return shapes.mesh(Mesh(np.asarray(mesh.points, float), mesh.regular_faces), density=1.0)


@pytest.mark.parametrize("suffix", BODY)
def test_a_file_of_a_body_opens_as_a_free_body_about_its_intermediate_axis(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"bracket{suffix}"
    cloud = suffix in (".pts", ".xyz")
    if cloud:
        np.savetxt(path, bracket().points)
    elif suffix in GLTF:
        models.written(models.solid(np.asarray(bracket().points), bracket().regular_faces), path)
    else:
        bracket().save(path)
    scenario = scenario_for(path, "body")  # points of an .xyz are a terrain without a word
    assert (scenario.kind, scenario.title, scenario.schemes) == ("free", "bracket", ("explicit", "implicit"))
    world = World.of(scenario)
    assert world.body.mass == pytest.approx(2700.0 * (5.0 if cloud else 4.0), rel=1e-6)
    spin = np.abs(apply(conjugate(world.body.axes), world.angular_velocity))
    assert np.argmax(spin) == np.argsort(world.body.inertia)[1]
    assert np.sort(spin) == pytest.approx([1e-3, 1e-3, 10.0])


def test_a_body_runs_from_its_file_and_what_was_repaired_is_told(tmp_path: Path) -> None:
    bracket(inside_out=True).save(tmp_path / "bracket.stl")
    done = polhode("run", tmp_path / "bracket.stl", "-o", tmp_path / "out.npz", "--duration", "1")
    assert done.status == 0
    assumed, repaired = done.err.splitlines()
    assert "with the density of rock; taken to be given in metres: 3 x 2 x 1 m" in assumed
    assert repaired == "polhode: note: bracket.stl: the mesh was inside out: all triangles turned to face outwards"
    assert set(trajectory_readers.load(tmp_path / "out.npz")) == {"explicit", "implicit"}
    quiet = polhode("run", tmp_path / "bracket.stl", "-o", tmp_path / "out.npz", "--duration", "1", "--quiet")
    assert quiet == (0, "", "")


@pytest.mark.parametrize(
    ("name", "content", "word"),
    [
        ("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n", "open: 3 edges"),
        ("cut.stl", "solid a\nfacet normal", "cut short"),
        ("flat.pts", "0 0 0\n1 0 0\n0 1 0\n1 1 0\n", "one plane"),
        ("huge.ply", "ply\nformat ascii 1.0\nelement vertex 9999999\nproperty float x\nproperty float y\n"
         "property float z\nend_header\n", "9999999 rows"),
    ],
)  # fmt: skip
def test_a_broken_body_is_told_in_one_line(tmp_path: Path, name: str, content: str, word: str) -> None:
    (tmp_path / name).write_text(content)
    readable = name in ("open.obj", "flat.pts")  # which the window shows in its dialog: test_body_role
    for words in (["run", tmp_path / name, "-o", tmp_path / "out.npz"], *([] if readable else [[tmp_path / name]])):
        said = complaint(*words)
        assert name in said
        assert word in said


def test_a_rock_of_an_ensemble_is_chosen_on_the_command_line(tmp_path: Path) -> None:
    text = (
        'kind = "rockfall"\nduration = 0.5\nstep = 0.01\nschemes = ["implicit"]\n[body]\nshape = "random"\n'
        'size = [0.9, 0.9, 0.5]\nmass = 700.0\n[initial]\norientation = "random"\n[terrain]\nprofile = "ramp"\n'
        "[release]\nslope_above = 30.0\n[ensemble]\nrocks = 5\n"
    )
    (tmp_path / "rocks.toml").write_text(text)
    starts = []
    for words in ([], ["--rock", "0"], ["--rock", "3"]):
        assert polhode("run", tmp_path / "rocks.toml", "-o", tmp_path / "out.npz", *words).status == 0
        starts.append(trajectory_readers.load(tmp_path / "out.npz")["implicit"].position[0])
    np.testing.assert_array_equal(starts[0], starts[1])
    assert not np.allclose(starts[0], starts[2])
    complaint("run", tmp_path / "rocks.toml", "-o", tmp_path / "out.npz", "--rock", "-1")


@pytest.mark.parametrize("make", [bracket, bumpy])
def test_a_body_that_is_not_convex_is_drawn_by_its_own_triangles(make) -> None:
    body = body_of(make())
    assert not body.convex
    for mesh in (machined(body, SHADES, "#ffaa00"), stone(body, "#ffaa00")):
        assert shapes.polyhedron(mesh.points, mesh.regular_faces)[0] == pytest.approx(body.volume, rel=1e-4)
        assert np.ptp(mesh.points, axis=0) == pytest.approx(body.extents, rel=1e-4)
        triangles = mesh.points[mesh.regular_faces]
        wound = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
        normals = mesh.point_data.active_normals[mesh.regular_faces].mean(axis=1)
        area = np.linalg.norm(wound, axis=1)
        large = area > 1e-6 * area.max()
        assert (np.einsum("ij,ij->i", wound, normals)[large] > 0).all()
