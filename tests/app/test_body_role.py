"""What a body's file is taken for: a free body, a rock, a ship that is drawn by its own hull."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import pyvista as pv
from commanding import polhode
from staging import finished, stage_of
from windowing import cuboid, rock, settle, show, wait

from app.document.open import saved_for, scenario_for
from app.export.scene_model import model_of
from app.kinds import role_of, roles, taken
from physics import Scenario, ScenarioError
from physics.bodies.mesh_io import MeshReading
from physics.core.rotation import yaw_pitch_roll
from physics.hydrostatics.flotation import hydrostatics
from physics.io.trajectory_readers import load_scenario_of
from physics.systems.rockfall.world import RockfallWorld
from physics.systems.ship.world import ShipWorld
from physics.systems.world import World


@pytest.fixture
def barge(tmp_path: Path) -> Path:
    """A barge with a blunt bow, 12 m long, 4 m broad and 2 m deep: no ellipsoid, and no stock ship."""
    plan = [(-6, -2), (4, -2), (6, -1), (6, 1), (4, 2), (-6, 2)]
    points = np.array([(x, y, z) for z in (0.0, 2.0) for x, y in plan])
    pv.PolyData(points).delaunay_3d().extract_surface(algorithm="dataset_surface").triangulate().save(
        tmp_path / "barge.stl"
    )
    return tmp_path / "barge.stl"


@pytest.mark.parametrize(("role", "kind"), [(None, "free"), ("body", "free"), ("rock", "rockfall"), ("ship", "ship")])
def test_a_body_is_taken_for_what_is_asked(barge: Path, role: str | None, kind: str) -> None:
    scenario = scenario_for(barge, role)
    assert scenario.kind == saved_for(barge, role).schedule.scenario.kind == kind
    assert role_of(scenario) == (role or "body")
    body = World.of(scenario).body
    assert body.extents == pytest.approx([12.0, 4.0, 2.0], rel=1e-6)


def test_a_ship_floats_upright_at_half_its_depth_and_is_let_go_heeled(barge: Path) -> None:
    world = ShipWorld.of(taken(barge, "ship"))
    assert world.body.mass == pytest.approx(1025.0 * world.load.hull.volume / 2, rel=1e-4)
    assert world.rest.draught == pytest.approx(1.0, rel=1e-3)
    assert abs(world.rest.heel) < 1e-4
    assert abs(world.rest.trim) < 1e-4
    ratio = world.scenario.duration / world.scenario.step
    assert ratio == pytest.approx(round(ratio))
    run = finished(world.scenario)
    heel = yaw_pitch_roll(run.lanes[0].trajectory.orientation)[:, 2]
    assert heel[0] == pytest.approx(12.0)
    assert heel.min() == pytest.approx(-12.0, abs=0.5)


def test_a_hull_that_would_fall_over_is_loaded_lower_and_the_note_says_so(tmp_path: Path) -> None:
    pv.Box(bounds=(0, 1, 0, 1, 0, 9)).triangulate().save(tmp_path / "tower.stl")
    scenario = taken(tmp_path / "tower.stl", "ship")
    assert "so low that it stays upright" in scenario.note
    world = ShipWorld.of(scenario)
    assert world.rest.heel == pytest.approx(0.0, abs=1e-4)
    assert hydrostatics(world.rest).gm_transverse == pytest.approx(0.05, rel=1e-3)


def test_a_mesh_that_is_not_closed_is_no_ship(tmp_path: Path) -> None:
    pv.Plane().triangulate().save(tmp_path / "sheet.stl")
    with pytest.raises(ScenarioError, match=r"sheet\.stl: the mesh is open: 40 edges"):
        taken(tmp_path / "sheet.stl", "ship")


def test_a_rock_falls_on_the_slope_that_was_shown_clear_of_the_ground(barge: Path) -> None:
    world = World.of(taken(barge, "rock", rock(note="", title="Mine")))
    assert world.terrain is World.of(rock()).terrain
    assert not any("in the ground" in note for note in world.notes)
    assert "ramp" in world.scenario.note


def test_a_ship_of_a_users_hull_is_drawn_by_that_hull(barge: Path, plotter: pv.Plotter) -> None:
    run = finished(taken(barge, "ship").changed(duration=0.5))
    stage = stage_of(run, plotter)
    stage.show(0.2)
    vertices = run.world.body.vertices
    for _, scene in stage.describe().scenes:
        drawn = np.array(scene.body.actor.mapper.GetInput().points)
        assert drawn.min(axis=0) == pytest.approx(vertices.min(axis=0), abs=1e-5)
        assert drawn.max(axis=0) == pytest.approx(vertices.max(axis=0), abs=1e-5)
        closest = np.linalg.norm(vertices[:, None] - drawn[None], axis=2).min(axis=1)
        assert closest.max() < 1e-5  # each corner is one of the picture's
    stage.close()
    exported = model_of(run.world, run.lanes).actors[0].mesh.points
    assert np.linalg.norm(vertices[:, None] - exported[None], axis=2).min(axis=1).max() < 1e-5


def test_a_role_on_the_command_line_serves_bodies_only(barge: Path, tmp_path: Path) -> None:
    done = polhode("run", barge, "--role", "ship", "-o", tmp_path / "out.csv", "--duration", "1", "--quiet")
    assert done.status == 0
    assert "verlet-exact" in (tmp_path / "out.csv").read_text()
    (tmp_path / "one.toml").write_text("kind = 'free'")
    wrong = polhode("run", tmp_path / "one.toml", "--role", "ship", "-o", tmp_path / "out.csv")
    assert (wrong.status, wrong.is_told_in_one_line) == (2, True)
    assert "--role" in wrong.err
    with pytest.raises(ScenarioError, match="applies to a body"):
        scenario_for(tmp_path / "one.toml", "rock")
    with pytest.raises(ScenarioError, match="'slope' applies to a terrain"):
        scenario_for(tmp_path / "one.pts", "slope")


@pytest.fixture
def millimetres(tmp_path: Path) -> Path:
    """A box of 2 x 1 x 0.5 m with y up, in millimetres."""
    pv.Box(bounds=(0, 2000, 0, 500, 0, 1000)).triangulate().save(tmp_path / "mm.stl")
    return tmp_path / "mm.stl"


@pytest.mark.parametrize("role", ["body", "rock", "ship"])
def test_a_mesh_is_taken_in_its_unit_and_with_its_axis_up(millimetres: Path, role: str) -> None:
    scenario = scenario_for(millimetres, role, MeshReading(scale=0.001, up="y"))
    world = World.of(scenario)
    assert world.body.extents == pytest.approx([2.0, 1.0, 0.5])
    assert "taken to be given in units of 0.001 m: 2 x 1 x 0.5 m" in scenario.note
    assert not any("millimetres" in note for note in world.notes)
    assert saved_for(millimetres, role, MeshReading(scale=0.001, up="y")).schedule.scenario == scenario
    assert scenario.body_file == (str(millimetres), MeshReading(scale=0.001, up="y"))


@pytest.mark.parametrize(("role", "table", "usual"), [("ship", "hull", "ships are"), ("rock", "body", "falling rocks")])
def test_a_ship_or_rock_in_millimetres_is_noted(millimetres: Path, role: str, table: str, usual: str) -> None:
    world = World.of(scenario_for(millimetres, role, MeshReading(scale=0.2 if role == "rock" else 1.0)))
    (note,) = (note for note in world.notes if "millimetres" in note)
    assert usual in note
    assert f"give scale = 0.001 in [{table}], or --scale 0.001" in note


def test_options_of_a_mesh_on_the_command_line(millimetres: Path, tmp_path: Path) -> None:
    options = ("--scale", "0.001", "--up", "y", "--duration", "1", "--quiet", "-o", tmp_path / "out.npz")
    assert polhode("run", millimetres, *options).status == 0
    assert load_scenario_of(tmp_path / "out.npz").body_file == (str(millimetres), MeshReading(0.001, "y"))
    (tmp_path / "one.toml").write_text("kind = 'free'")
    wrong = polhode("run", tmp_path / "one.toml", "--scale", "0.001", "-o", tmp_path / "out.csv")
    assert (wrong.status, wrong.is_told_in_one_line) == (2, True)
    assert "--scale: applies to a body, rock or ship in a mesh; a scenario has scale, up and repair" in wrong.err


def test_a_mesh_that_is_no_solid_is_one_after_a_repair(tmp_path: Path) -> None:
    first = pv.Box(bounds=(0, 1, 0, 1, 0, 1)).triangulate()
    both = first.merge(pv.Box(bounds=(1, 2, 1, 2, 0, 1)).triangulate(), merge_points=False).extract_surface(
        algorithm="dataset_surface"
    )
    both.save(tmp_path / "two.stl")
    with pytest.raises(ScenarioError, match=r"1 edge of more than two triangles, the longest from .*--repair"):
        scenario_for(tmp_path / "two.stl")
    world = World.of(scenario_for(tmp_path / "two.stl", "body", MeshReading(repair=True)))
    assert world.body.volume == pytest.approx(2.0)
    assert not world.body.convex
    assert any("cut apart along 1 edge" in note for note in world.notes)


def test_a_mesh_is_a_slope_where_the_role_says_so(tmp_path: Path) -> None:
    x, y = np.meshgrid(np.arange(0.0, 61.0, 5.0), np.arange(0.0, 41.0, 5.0))
    pv.StructuredGrid(x, y, 60.0 - 0.8 * x).extract_surface(algorithm="dataset_surface").triangulate().save(
        tmp_path / "slope.stl"
    )
    scenario = scenario_for(tmp_path / "slope.stl", "slope")
    assert (scenario.kind, scenario.title) == ("rockfall", "slope")
    world = World.of(scenario)
    assert isinstance(world, RockfallWorld)
    assert world.terrain.height(20.0, 20.0) == pytest.approx(44.0, abs=1e-4)
    with pytest.raises(ScenarioError, match="the mesh is open"):
        scenario_for(tmp_path / "slope.stl")


def test_a_scenario_of_other_bodies_offers_no_role() -> None:
    assert role_of(cuboid()) is None
    assert role_of(rock()) is None
    assert set(roles()) == {"body", "rock", "ship"}


@pytest.mark.picture
def test_a_mesh_that_is_opened_is_offered_as_body_rock_and_ship(qtbot, window, barge: Path) -> None:
    show(qtbot, window, rock())
    row = window.panel.roles
    assert row.isHidden()
    window.files.open(barge)
    wait(qtbot, lambda: window.session.run.scenario.kind == "free")
    settle(qtbot, window)
    assert row.isVisible()
    assert row.buttons["body"].isChecked()
    for role, kind in (("ship", "ship"), ("rock", "rockfall"), ("body", "free")):
        row.buttons[role].click()
        wait(qtbot, lambda kind=kind: window.session.run.scenario.kind == kind)
        settle(qtbot, window)
        assert row.buttons[role].isChecked()
        if role == "rock":
            assert window.session.run.scenario.terrain == rock().terrain
    show(qtbot, window, cuboid())
    assert row.isHidden()


@pytest.mark.picture
def test_a_body_that_cannot_be_a_rock_stays_what_it_was(qtbot, window, tmp_path: Path) -> None:
    pv.Icosphere(radius=2000.0).save(tmp_path / "ball.stl")  # which no slope has room for
    window.files.open(tmp_path / "ball.stl")
    wait(qtbot, lambda: window.session.run is not None)
    settle(qtbot, window)
    window.panel.roles.buttons["rock"].click()
    wait(qtbot, lambda: window.session.pending is None and window.panel.roles.buttons["body"].isChecked())
    said = window.message.text.text() + window.panel.entries["body.file"].error.text()
    assert "expected a smaller rock" in said
    assert isinstance(window.session.run.scenario, Scenario)
    assert window.session.run.scenario.kind == "free"
