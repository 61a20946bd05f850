"""What a body's file is taken for: a free body, a rock, a ship that is drawn by its own hull."""

from __future__ import annotations

import threading
from argparse import Namespace
from pathlib import Path

import numpy as np
import pytest
import pyvista as pv
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

import app.cli.window
import app.window.main
from app.document.open import saved_for, scenario_for
from app.export.scene_model import model_of
from app.kinds import kind_of, read_anew, role_of, roles, taken
from app.system.language import speaking
from app.window.labels import sentence
from app.window.mesh_dialog import MeshDialog
from app.window.panel import edits
from physics import Scenario, ScenarioError
from physics.bodies.mesh_io import MeshReading
from physics.core.rotation import yaw_pitch_roll
from physics.hydrostatics.flotation import hydrostatics
from physics.io.trajectory_readers import load_scenario_of
from physics.systems.rockfall.world import RockfallWorld
from physics.systems.ship.world import ShipWorld
from physics.systems.world import World
from tests.app.commanding import complaint, polhode
from tests.app.staging import example, finished, stage_of
from tests.app.windowing import asked_of_mesh, choose, cuboid, edited, known, open_mesh, rock, settle, show, wait


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
    exported = model_of(run.world, run.lanes).actors[0].mesh.points
    assert np.linalg.norm(vertices[:, None] - exported[None], axis=2).min(axis=1).max() < 1e-5


def test_a_role_on_the_command_line_serves_bodies_only(barge: Path, tmp_path: Path) -> None:
    done = polhode("run", barge, "--role", "ship", "-o", tmp_path / "out.csv", "--duration", "1", "--quiet")
    assert done.status == 0
    assert "verlet-exact" in (tmp_path / "out.csv").read_text()
    (tmp_path / "one.toml").write_text("kind = 'free'")
    assert "--role" in complaint("run", tmp_path / "one.toml", "--role", "ship", "-o", tmp_path / "out.csv")
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
    said = complaint("run", tmp_path / "one.toml", "--scale", "0.001", "-o", tmp_path / "out.csv")
    assert "--scale: applies to a body, rock or ship in a mesh; a scenario has scale, up and repair" in said


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


@pytest.mark.picture
def test_a_mesh_that_is_opened_is_offered_as_body_rock_and_ship(qtbot, window, barge: Path) -> None:
    show(qtbot, window, rock())
    row = window.panel.roles
    assert row.isHidden()
    open_mesh(qtbot, window, barge)
    assert window.session.run.scenario.kind == "free"
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
    open_mesh(qtbot, window, tmp_path / "ball.stl")
    window.panel.roles.buttons["rock"].click()
    wait(qtbot, lambda: window.session.pending is None and window.panel.roles.buttons["body"].isChecked())
    said = window.message.text.text() + window.panel.entries["body.file"].error.text()
    assert "expected a smaller rock" in said
    assert isinstance(window.session.run.scenario, Scenario)
    assert window.session.run.scenario.kind == "free"


# ---- the window asks --------------------------------------------------------------------------------------


@pytest.fixture
def shipyard(tmp_path: Path) -> Path:
    """A barge of 60 x 14 x 8 m as a yard draws it: in millimetres, y up."""
    pv.Box(bounds=(-3e4, 3e4, 0, 8e3, -7e3, 7e3)).triangulate().save(tmp_path / "barge.stl")
    return tmp_path / "barge.stl"


def test_the_unit_of_a_mesh_is_guessed_by_what_it_is_taken_for() -> None:
    ship, boulder, body = (roles()[name].guessed_scale for name in ("ship", "rock", "body"))
    assert [ship(extent) for extent in (60.0, 333.0, 6e4, 2e3)] == [1.0, 1.0, 0.001, 0.001]
    assert [boulder(extent) for extent in (1.4, 140.0, 1400.0)] == [1.0, 0.01, 0.001]
    assert [body(extent) for extent in (0.15, 3.0, 150.0, 6e4, 1e-3)] == [1.0, 1.0, 0.001, 0.001, 1.0]


def test_a_ship_in_millimetres_is_one_of_its_true_size_in_the_window(qtbot, window, shipyard: Path) -> None:
    """Four actions lead from the file to a floating ship, and nothing counts before."""
    window.files.open(shipyard)
    dialog = asked_of_mesh(qtbot, window)
    assert window.session.run is None
    choose(dialog.role, "Ship")
    known(qtbot, dialog)
    assert dialog.unit.currentText() == "millimetres"
    assert "Guessed from its size of 60000 units" in dialog.guess.text()
    assert dialog.extents.text() == "60 × 8 × 14 m along x, y and z"
    choose(dialog.up, "y")
    known(qtbot, dialog)
    assert dialog.extents.text() == "60 × 14 × 8 m along x, y and z"
    assert dialog.volume.text() == "6720 m³"
    # GM = KB + BM - KG = 2 + 14² / (12 · 4) - 4 m
    assert dialog.mass.text() == "3 440 t, loaded to half its depth: draught 4 m, GM 2.08 m"
    edited(qtbot, window, lambda: QTest.keyClick(dialog, Qt.Key.Key_Return))
    world = window.session.run.world
    assert world.body.mass == pytest.approx(1025.0 * 60 * 14 * 4, rel=1e-4)
    assert world.rest.draught == pytest.approx(4.0, rel=1e-4)
    assert window.settings.recent[0] == str(shipyard)


def test_an_open_deck_is_repaired_where_the_user_wants_it(qtbot, window, tmp_path: Path) -> None:
    faces = pv.Box(bounds=(-10, 10, -4, 4, 0, 4)).triangulate()
    faces.extract_cells(faces.cell_centers().points[:, 2] < 3.9).extract_surface(algorithm="dataset_surface").save(
        tmp_path / "open.stl"
    )
    window.files.open(tmp_path / "open.stl", "ship")
    dialog = asked_of_mesh(qtbot, window)
    assert "The mesh is open: 4 edges border one triangle only" in dialog.wrong.text()
    assert "--repair" not in dialog.wrong.text()
    assert not dialog.open_button.isEnabled()
    change = "an opening was closed by a lid of 160 m² around (0, 0, 4)"
    assert dialog.notes.text() == f"A repair would help: {change}."
    dialog.repair.click()
    known(qtbot, dialog)
    assert dialog.wrong.isHidden()
    assert dialog.notes.text() == sentence(change)
    assert dialog.volume.text() == "640 m³"
    edited(qtbot, window, dialog.open_button.click)
    assert window.session.run.scenario.hull.repair
    assert change in " ".join(window.session.run.world.notes)


def test_a_body_that_is_no_ship_as_it_is_may_be_one_in_the_dialog(qtbot, window, tmp_path: Path) -> None:
    """A beam whose section crosses itself is closed, which is enough for a body, but its surface cuts itself."""
    section = [(0.0, 0.0), (6.0, 0.0), (6.0, 4.0), (3.0, -0.5), (0.0, 4.0)]
    points = [(x, y, z) for x in (0.0, 10.0) for y, z in section]
    after = [(k, (k + 1) % 5) for k in range(5)]
    sides = [face for a, b in after for face in ((a, b, 5 + a), (b, 5 + b, 5 + a))]
    faces = [(0, 2, 1), (0, 3, 2), (0, 4, 3), (5, 6, 7), (5, 7, 8), (5, 8, 9), *sides]
    pv.PolyData.from_regular_faces(np.array(points), faces).save(tmp_path / "crossed.stl")
    window.files.open(tmp_path / "crossed.stl")
    dialog = asked_of_mesh(qtbot, window)
    edited(qtbot, window, dialog.open_button.click)
    window.panel.roles.buttons["ship"].click()
    dialog = asked_of_mesh(qtbot, window)
    assert dialog.role.currentText() == "Ship"
    assert dialog.guess.isHidden()
    assert "cuts itself" in dialog.wrong.text()
    assert window.panel.roles.buttons["body"].isChecked()
    dialog.reject()
    assert window.session.run.scenario.kind == "free"


def test_a_mesh_on_the_command_line_is_asked_about_unless_its_unit_is_given(
    qtbot, window, shipyard: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = []
    monkeypatch.setattr(app.cli.window, "obstacle", lambda: None)
    monkeypatch.setattr(app.cli.window.gc, "disable", lambda: None)
    monkeypatch.setattr(app.window.main, "open_window", lambda *given: opened.append(given) or 0)
    given = {
        "file": str(shipyard),
        "role": "ship",
        "view": None,
        "language": None,
        "up": None,
        "repair": False,
        "nodes": None,
    }
    assert app.cli.window.window(Namespace(**given, unit=None)) == 0
    *named, mesh = opened[0]
    assert named == [str(shipyard), None, None, None, "ship"]
    monkeypatch.setattr("app.window.controllers.session_files.read_mesh", None)  # it is read once
    app.window.main.begin(window, None, str(shipyard), "ship", mesh)
    dialog = asked_of_mesh(qtbot, window)
    assert (dialog.role.currentText(), dialog.unit.currentText()) == ("Ship", "millimetres")
    dialog.reject()
    assert app.cli.window.window(Namespace(**given, unit=0.001)) == 0
    assert opened[1][1].schedule.scenario.hull.scale == 0.001
    shipyard.write_text("solid")
    with pytest.raises(ScenarioError, match="cut short"):
        app.cli.window.window(Namespace(**given, unit=None))


@pytest.mark.parametrize(
    ("name", "table", "mass"),
    [
        ("ship-barge", "hull", "3 440 t, loaded to half its depth: draught 4 m, GM 2.08 m"),
        ("cuboid-intermediate", "body", "1 kg"),
    ],
)
def test_a_mesh_named_in_the_panel_is_asked_about_as_one_that_is_opened(
    qtbot, window, shipyard: Path, name: str, table: str, mass: str
) -> None:
    show(qtbot, window, example(name, duration=1.0))
    before, panel = window.session.run.scenario, window.panel
    for answer in (MeshDialog.reject, MeshDialog.accept):
        choose(panel.entries[f"{table}.shape"].box, "Mesh" if table == "body" else "From a file")
        panel.entries[f"{table}.file"].fill(str(shipyard))
        panel.entries[f"{table}.file"].edited.emit()
        dialog = asked_of_mesh(qtbot, window)
        choose(dialog.up, "y")
        known(qtbot, dialog)
        assert (dialog.unit.currentText(), dialog.role.isVisible()) == ("millimetres", False)
        assert (dialog.extents.text()[:11], dialog.volume.text()) == ("60 × 14 × 8", "6720 m³")
        assert dialog.mass.text() == mass
        if answer is MeshDialog.reject:
            dialog.reject()
            assert window.session.run.scenario == panel.scenario() == before
    scenario = edited(qtbot, window, dialog.open_button.click)
    assert scenario.body_file == (str(shipyard), MeshReading(0.001, "y"))
    assert scenario.schemes == before.schemes
    assert panel.entries[f"{table}.scale"].value() == 0.001


def test_a_later_hull_that_the_load_would_sink_is_opened_with_a_load_that_floats(
    qtbot, window, shipyard: Path, tmp_path: Path
) -> None:
    show(qtbot, window, taken(shipyard, "ship", reading=MeshReading(0.001, "y")).changed(duration=4.0, step=0.04))
    assert window.session.run.scenario.hull.mass == 3444000.0
    pv.Box(bounds=(-10, 10, -4, 4, 0, 4)).triangulate().save(tmp_path / "small.stl")
    named = window.panel.entries["hull.file"]
    named.fill(str(tmp_path / "small.stl"))
    named.edited.emit()
    dialog = asked_of_mesh(qtbot, window)
    choose(dialog.unit, "metres")
    choose(dialog.up, "z")
    known(qtbot, dialog)
    # half of 20 x 8 x 4 m; GM = KB + BM - KG = 1 + 8² / (12 · 2) - 2 m
    assert dialog.mass.text() == "328 t, loaded to half its depth: draught 2 m, GM 1.67 m"
    assert "guessed" in dialog.notes.text()
    assert "3.444e+06 kg sink it" in dialog.notes.text()
    scenario = edited(qtbot, window, dialog.open_button.click)
    assert scenario.hull.mass == 328000.0
    assert window.session.run.world.rest.draught == pytest.approx(2.0, rel=1e-4)
    window.actions_by_id["undo"].trigger()
    wait(qtbot, lambda: window.session.run.scenario.hull.mass == 3444000.0)


def test_what_follows_from_the_unit_is_scaled_when_it_is_changed_later(qtbot, window, shipyard: Path) -> None:
    show(qtbot, window, taken(shipyard, "ship", reading=MeshReading(0.01, "y")).changed(duration=4.0, step=0.04))
    before, metres = window.session.run.scenario, window.panel.entries["hull.scale"].numbers[0]
    assert window.panel.note.isVisible()

    def typed(text: str) -> Scenario:
        metres.setFocus()
        metres.selectAll()
        return edited(qtbot, window, lambda: QTest.keyClicks(metres, text))

    scenario = typed("0.001")
    hull, world = scenario.hull, window.session.run.world
    assert (hull.scale, hull.mass) == (0.001, pytest.approx(before.hull.mass / 1000.0))
    assert hull.centre_of_gravity == pytest.approx([one / 10.0 for one in before.hull.centre_of_gravity])
    assert hull.radii_of_gyration == pytest.approx([one / 10.0 for one in before.hull.radii_of_gyration])
    assert world.rest.draught == pytest.approx(4.0, rel=1e-4)
    assert (scenario.step, scenario.duration) == (0.01265, 1.265)
    assert window.panel.entries["hull.mass"].value() == hull.mass
    assert window.panel.note.isHidden()  # it names the former size
    window.actions_by_id["undo"].trigger()
    wait(qtbot, lambda: window.session.run.scenario == before)
    settle(qtbot, window)
    assert window.panel.note.isVisible()
    assert typed("0.001").hull == hull


def test_the_note_of_an_opened_hull_goes_with_the_load_that_it_tells_of(shipyard: Path) -> None:
    """Also one of another language."""
    with speaking("de"):
        german = taken(shipyard, "ship", reading=MeshReading(0.01, "y"))
    for scenario in (german, taken(shipyard, "ship", reading=MeshReading(0.01, "y"))):
        field = next(one for one in kind_of(scenario).cards["Hull"] if one.key == "hull.mass")
        assert edits.edited(scenario, {field: field.shown(scenario)}, (), scenario.schemes).note == scenario.note
        assert edits.edited(scenario, {field: 3e6}, (), scenario.schemes).note == ""


def test_the_load_is_taken_anew_with_the_axis_that_points_up(qtbot, window, shipyard: Path) -> None:
    """The load is as if the file had been opened so; what was typed stays, and is named."""
    right = taken(shipyard, "ship", reading=MeshReading(0.001, "y"))
    before = taken(shipyard, "ship", reading=MeshReading(0.001, "z")).changed(duration=4.0, step=0.04)
    show(qtbot, window, before)
    axis = window.panel.entries["hull.up"]
    scenario = edited(qtbot, window, lambda: choose(axis.box, "Y"))
    assert scenario.hull == right.hull
    assert scenario.initial == right.initial
    assert (scenario.duration, scenario.step) == (4.0, 0.04)  # of somebody's own
    assert abs(window.session.run.world.rest.heel) < 0.01
    gravity = window.panel.entries["hull.centre_of_gravity"]
    assert gravity.value() == right.hull.centre_of_gravity
    assert gravity.error.isHidden()
    window.actions_by_id["undo"].trigger()
    wait(qtbot, lambda: window.session.run.scenario == before)
    settle(qtbot, window)
    typed = (0.0, 4.0, 2.0)
    edited(qtbot, window, lambda: window.panel.put({"hull.centre_of_gravity": typed}))
    scenario = edited(qtbot, window, lambda: choose(axis.box, "Y"))
    assert scenario.hull.centre_of_gravity == typed
    assert scenario.hull.radii_of_gyration == right.hull.radii_of_gyration
    assert "Typed, and kept: it stands as for the axis z up" in gravity.error.text()


def test_a_hull_is_turned_in_the_background_and_a_newer_change_supersedes(
    qtbot, window, shipyard: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The fields follow when the hull is read; what is edited or undone meanwhile counts."""
    meanwhile = threading.Event()  # set: what is edited while the hull is read has been

    def read_late(scenario: Scenario, reading: MeshReading) -> tuple[Scenario, tuple[str, ...]]:
        assert meanwhile.wait(900.0)
        return read_anew(scenario, reading)

    monkeypatch.setattr("app.window.controllers.session_files.read_anew", read_late)
    monkeypatch.setattr("app.window.controllers.session_files.GRACE", 0.0)
    before = taken(shipyard, "ship", reading=MeshReading(0.001, "z")).changed(duration=4.0, step=0.04)
    show(qtbot, window, before)
    axis = window.panel.entries["hull.up"]

    def turned(up: str) -> None:
        choose(axis.box, up)
        window.panel.finish()

    turned("Y")
    assert window.status.text().startswith("Reading")
    assert window.session.run.scenario == before
    turned("X")
    meanwhile.set()
    right = taken(shipyard, "ship", reading=MeshReading(0.001, "x"))
    wait(qtbot, lambda: window.session.run.scenario.hull == right.hull)
    settle(qtbot, window)
    assert window.panel.entries["hull.centre_of_gravity"].value() == right.hull.centre_of_gravity
    assert window.panel.scenario() == window.session.run.scenario
    meanwhile.clear()
    turned("Y")
    window.panel.put({"hull.mass": 5e6})
    meanwhile.set()
    right = taken(shipyard, "ship", reading=MeshReading(0.001, "y"))
    wait(qtbot, lambda: window.session.run.scenario.hull.up == "y")
    settle(qtbot, window)
    hull = window.session.run.scenario.hull
    assert (hull.mass, hull.centre_of_gravity) == (5e6, right.hull.centre_of_gravity)
    meanwhile.clear()
    turned("Z")
    window.actions_by_id["undo"].trigger()
    meanwhile.set()
    settle(qtbot, window)
    qtbot.wait(300)
    assert window.session.run.scenario.hull == window.panel.scenario().hull
    assert window.session.run.scenario.hull.up != "z"


def test_a_repair_that_would_not_help_says_why_as_the_command_does(qtbot, window, tmp_path: Path) -> None:
    faces = pv.Box(bounds=(-10, 10, -4, 4, 0, 4)).triangulate()
    faces.extract_cells([0, 1, 2, 3, 4]).extract_surface(algorithm="dataset_surface").save(tmp_path / "open.stl")
    window.files.open(tmp_path / "open.stl", "ship")
    dialog = asked_of_mesh(qtbot, window)
    with pytest.raises(ScenarioError) as error:
        taken(tmp_path / "open.stl", "ship", reading=dialog.reading._replace(repair=True))
    assert dialog.notes.text() == f"A repair would not help: {error.value.message}."


def test_a_unit_that_is_chosen_is_no_guess_and_stays_with_another_role(qtbot, window, shipyard: Path) -> None:
    window.files.open(shipyard)
    dialog = asked_of_mesh(qtbot, window)
    choose(dialog.unit, "centimetres")
    known(qtbot, dialog)
    assert dialog.guess.isHidden()
    assert dialog.extents.text().startswith("600 × 80 × 140 m")
    choose(dialog.role, "Ship")
    known(qtbot, dialog)
    assert dialog.unit.currentText() == "centimetres"
    dialog.reject()
    assert window.session.run is None
