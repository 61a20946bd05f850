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
from app.stage.vessel import Foam
from physics import Scenario, ScenarioError
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


@pytest.mark.parametrize(("role", "kind"), [(None, "free"), ("body", "free"), ("rock", "rockfall"), ("ship", "vessel")])
def test_a_body_is_taken_for_what_is_asked(barge: Path, role: str | None, kind: str) -> None:
    scenario = scenario_for(barge, role)
    assert scenario.kind == saved_for(barge, role).schedule.scenario.kind == kind
    assert role_of(scenario) == (role or "body")
    body = World.of(scenario).body
    assert body.extents == pytest.approx([12.0, 4.0, 2.0], rel=1e-6)


def test_a_ship_floats_up_to_its_centre_of_mass_and_sways_whole_steps(barge: Path) -> None:
    world = World.of(taken(barge, "ship"))
    assert world.body.mass == pytest.approx(1025.0 * world.body.volume / 2, rel=1e-3)
    height = world.scenario.vessel.metacentric_height
    assert 0.0 < height.transverse < height.longitudinal
    ratio = world.scenario.duration / world.scenario.step
    assert ratio == pytest.approx(round(ratio))
    run = finished(world.scenario)
    roll = np.degrees(2 * np.arcsin(run.lanes[0].trajectory.orientation[:, 1]))
    assert roll[0] == pytest.approx(12.0)
    assert roll.min() == pytest.approx(-12.0, abs=0.5)


def test_a_hull_that_would_fall_over_is_held_up_and_the_note_says_so(tmp_path: Path) -> None:
    pv.Box(bounds=(0, 1, 0, 1, 0, 9)).triangulate().save(tmp_path / "tower.stl")
    scenario = taken(tmp_path / "tower.stl", "ship")
    assert "fall over" in scenario.note
    assert scenario.vessel.metacentric_height.transverse == pytest.approx(0.02)


def test_a_rock_falls_on_the_slope_that_was_shown_clear_of_the_ground(barge: Path) -> None:
    world = World.of(taken(barge, "rock", rock(note="", title="Mine")))
    assert world.terrain is World.of(rock()).terrain
    assert not any("in the ground" in note for note in world.notes)
    assert "ramp" in world.scenario.note


@pytest.mark.parametrize("shape", ["mesh", "hull"])
def test_a_ship_of_a_users_hull_is_drawn_by_that_hull(barge: Path, plotter: pv.Plotter, shape: str) -> None:
    scenario = taken(barge, "ship").changed(duration=0.5, **{"body.shape": shape})
    run = finished(scenario)
    stage = stage_of(run, plotter)
    stage.show(0.2)
    body = run.world.body
    for _, scene in stage._scenes:
        drawn = scene.body.actor.mapper.GetInput()
        low, high = body.vertices.min(axis=0), body.vertices.max(axis=0)
        assert np.array(drawn.points).min(axis=0) == pytest.approx(low, abs=1e-5)
        assert np.array(drawn.points).max(axis=0) == pytest.approx(high, abs=1e-5)
        closest = np.linalg.norm(body.vertices[:, None] - np.array(drawn.points)[None], axis=2).min(axis=1)
        assert closest.max() < 1e-5  # each corner is one of the picture's
        bow, top = (trace.arms(np.zeros(1)) for trace in scene.traces)
        turn = scene.track.pose(0.0).rotation.T
        assert turn @ bow[0] == pytest.approx([high[0], 0.0, high[2]], abs=1e-6)
        assert (turn @ top[0])[2] == pytest.approx(high[2])
    (foam, *_) = [part for _, part in stage._parts if isinstance(part, Foam)]
    assert np.ptp(np.array(foam.line.points), axis=0)[:2] == pytest.approx([12.0, 4.0], rel=0.1)
    stage.close()
    exported = model_of(run.world, run.lanes).actors[0].mesh.points
    assert np.linalg.norm(body.vertices[:, None] - exported[None], axis=2).min(axis=1).max() < 1e-5


def test_a_role_on_the_command_line_serves_bodies_only(barge: Path, tmp_path: Path) -> None:
    done = polhode("run", barge, "--role", "ship", "-o", tmp_path / "out.csv", "--duration", "1", "--quiet")
    assert done.status == 0
    assert "verlet-exact" in (tmp_path / "out.csv").read_text()
    (tmp_path / "one.toml").write_text("kind = 'free'")
    wrong = polhode("run", tmp_path / "one.toml", "--role", "ship", "-o", tmp_path / "out.csv")
    assert (wrong.status, wrong.is_told_in_one_line) == (2, True)
    assert "--role" in wrong.err
    with pytest.raises(ScenarioError, match="serves a body"):
        scenario_for(tmp_path / "one.toml", "rock")


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
    for role, kind in (("ship", "vessel"), ("rock", "rockfall"), ("body", "free")):
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
    pv.Icosphere(nsub=3).save(tmp_path / "ball.stl")  # of 642 corners
    window.files.open(tmp_path / "ball.stl")
    wait(qtbot, lambda: window.session.run is not None)
    settle(qtbot, window)
    window.panel.roles.buttons["rock"].click()
    wait(qtbot, lambda: window.session.pending is None and window.panel.roles.buttons["body"].isChecked())
    said = window.message.text.text() + window.panel.entries["body.file"].error.text()
    assert "500" in said
    assert isinstance(window.session.run.scenario, Scenario)
    assert window.session.run.scenario.kind == "free"
