"""The view: cameras move smoothly, viewpoints are saved, the start is dragged, what is not saved is marked."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication

from app.document.open import scenario_for
from app.document.session import from_toml, save_session, to_toml
from app.export.offscreen_stage import write_image
from app.window.actions import MENUS
from app.window.exports.dialog import ExportDialog
from physics.core.rotation import yaw_pitch_roll
from tests.app.slopes import write_slope
from tests.app.staging import example, finished
from tests.app.windowing import cuboid, edited, quiet, rock, settle, show, wait
from tests.small import top

pytestmark = pytest.mark.picture

LEFT = Qt.MouseButton.LeftButton


def eye(window) -> np.ndarray:
    return window.view.stage.viewpoint.position


def way(window) -> np.ndarray:
    """Direction from the camera's focus."""
    seen = window.view.stage.viewpoint
    away = np.subtract(seen.position, seen.focus)
    return away / np.linalg.norm(away)


def test_the_camera_goes_where_it_is_told_and_comes_back(qtbot, window) -> None:
    show(qtbot, window, cuboid())
    before = eye(window)
    window.actions_by_id["top"].trigger()
    assert np.linalg.norm(eye(window) - before) < 0.3 * np.linalg.norm(before)
    wait(qtbot, lambda: eye(window)[2] > 0.99 * np.linalg.norm(eye(window)))
    assert window.view.look.camera == "top"
    # Escape leaves the body
    for mode in ("follow", "ride"):
        window.actions_by_id[mode].trigger()
        assert window.view.stage.camera == mode
        qtbot.keyClick(window, Qt.Key.Key_Escape)
        assert window.view.stage.camera == "fit"
        assert not window.actions_by_id["follow"].isChecked()
    # with reduced motion it is there at once
    window.actions_by_id["calm"].setChecked(True)
    window.actions_by_id["front"].trigger()
    assert abs(eye(window)[2]) < 0.5 * np.linalg.norm(eye(window))
    window.actions_by_id["top"].trigger()
    assert eye(window)[2] > 0.99 * np.linalg.norm(eye(window))
    # a viewpoint is saved, taken again and forgotten
    window.actions_by_id["side"].trigger()
    there = eye(window)
    window.actions_by_id["save-view"].trigger()
    (place,) = from_toml(to_toml(window.shown_session.saved())).look.viewpoints
    window.actions_by_id["top"].trigger()
    assert place.name in [
        entry.text() for entry in window.window_layout.menus.actions()[list(MENUS).index("View")].menu().actions()
    ]
    by_name = {(entry.kind, entry.text): entry.call for entry in window.guides.entries()}
    by_name["Look from", place.name]()
    assert eye(window) == pytest.approx(there)
    by_name["Forget", place.name]()
    assert window.shown_session.saved().look.viewpoints == []
    # the usual layout comes back
    for name in ("plots", "overlay", "trails", "poinsot"):
        window.actions_by_id[name].toggle()
    window.plots.titles = {"free": ["Attitude error"]}
    qtbot.keyClick(window, Qt.Key.Key_0, Qt.KeyboardModifier.AltModifier)
    wait(qtbot, lambda: window.staged)
    assert window.plots.isVisible()
    assert len(window.plots.charts) > 1
    assert window.view.look.layout == "side-by-side"
    assert window.view.stage.overlays["trails"]
    assert not window.view.stage.overlays["poinsot"]


def test_a_scenario_is_seen_as_it_asks_and_the_next_one_as_the_user_chose(qtbot, window) -> None:
    viewpoint = {"position": (0.0, -9.0, 4.0), "focus": (0.0, 0.0, 0.0)}
    asks = cuboid(view={"camera": "follow", "viewpoint": viewpoint})
    show(qtbot, window, asks)
    assert window.view.stage.camera == "follow"
    assert window.actions_by_id["follow"].isChecked()
    assert eye(window) == pytest.approx(viewpoint["position"])
    show(qtbot, window, cuboid())
    assert window.view.stage.camera == "fit"
    show(qtbot, window, asks)
    window.actions_by_id["top"].trigger()
    show(qtbot, window, cuboid())
    assert window.view.stage.camera == "top"  # which the user chose since
    # cameras that are not linked stay so with another run
    window.actions_by_id["link"].setChecked(False)
    show(qtbot, window, rock())
    assert not window.view.stage.describe().rig.linked
    assert not window.shown_session.saved().look.linked


def test_a_session_is_seen_and_exported_with_its_overlays_and_what_follows_with_the_usual_ones(qtbot, window) -> None:
    off = ("vectors", "trails", "truth")
    show(qtbot, window, cuboid())
    for name in off:
        window.actions_by_id[name].trigger()
    saved = window.shown_session.saved()
    window.actions_by_id["trails"].trigger()
    edited(qtbot, window, lambda: window.open_saved(saved))
    assert not any(window.view.stage.overlays[name] for name in off)
    assert not any(window.actions_by_id[name].isChecked() for name in off)
    assert not {*off} & {*window.shown_session.scenario().view.overlays}
    window.actions_by_id["vectors"].trigger()
    edited(qtbot, window, lambda: window.session.edit(cuboid(step=0.02)))
    assert [window.view.stage.overlays[name] for name in off] == [True, False, False]
    show(qtbot, window, rock())
    assert all(window.view.stage.overlays[name] for name in off)


def test_undo_and_redo_of_opening_bring_back_speed_camera_and_playhead(qtbot, window) -> None:
    window.actions_by_id["calm"].setChecked(True)
    clock = window.session.clock
    show(qtbot, window, cuboid())
    usual = way(window)
    clock.speed = 0.05
    window.session.seek(1.25)
    show(qtbot, window, cuboid(step=0.02))  # of one kind, so that it keeps the camera
    window.actions_by_id["top"].trigger()
    clock.speed = 0.5
    show(qtbot, window, rock())
    window.actions_by_id["follow"].setChecked(True)
    clock.speed = 2.0
    for go, camera, speed in (("undo", "top", 0.5), ("undo", "fit", 0.05)):
        edited(qtbot, window, window.actions_by_id[go].trigger)
        assert (window.view.stage.camera, clock.speed) == (camera, speed)
    assert clock.time == pytest.approx(1.25)
    assert way(window) == pytest.approx(usual, abs=0.01)  # the distance makes room for the captions
    edited(qtbot, window, lambda: window.session.edit(cuboid(step=0.005)))
    assert (window.view.stage.camera, clock.speed) == ("fit", 0.05)
    edited(qtbot, window, window.actions_by_id["undo"].trigger)  # an edit leaves the view as it is
    assert (window.view.stage.camera, clock.speed) == ("fit", 0.05)


def test_cameras_of_a_rock(check, qtbot, window) -> None:
    window.actions_by_id["calm"].setChecked(True)
    show(qtbot, window, rock())
    window.session.clock.playing = False
    wait(qtbot, lambda: all(lane.truth is not None for lane in window.session.run.lanes))
    window.actions_by_id["fit"].trigger()  # between the captions with all their numbers
    check(all_is_shown_also_from_aboard, window)
    check(a_move_that_is_under_way_ends_where_another_camera_is_chosen, qtbot, window)
    window.actions_by_id["calm"].setChecked(True)
    window.actions_by_id["fit"].trigger()
    check(an_edit_leaves_the_camera_where_one_sees_all_from_there, qtbot, window)
    check(from_above_lines_of_sight_are_parallel_and_wheel_and_mouse_zoom_and_turn, qtbot, window)


def all_is_shown_also_from_aboard(window) -> None:
    whole = window.view.stage.viewpoint
    for mode in ("follow", "ride"):
        window.actions_by_id[mode].trigger()
        assert window.view.stage.viewpoint.distance < 0.5 * whole.distance
        window.actions_by_id["fit"].trigger()
        assert window.view.look.camera == window.view.stage.camera == "fit"
        assert not window.actions_by_id["follow"].isChecked()
        np.testing.assert_allclose(eye(window), whole.position)


def a_move_that_is_under_way_ends_where_another_camera_is_chosen(qtbot, window) -> None:
    window.actions_by_id["follow"].trigger()
    beside = eye(window)
    window.actions_by_id["follow"].trigger()
    window.actions_by_id["calm"].setChecked(False)
    for name in ("slope", "fit", "follow"):  # Ctrl+6, 0, F, each before the move of the one before has ended
        window.actions_by_id[name].trigger()
    assert window.view.look.camera == "follow"
    wait(qtbot, lambda: np.allclose(eye(window), beside, rtol=1e-7, atol=0.0))


def an_edit_leaves_the_camera_where_one_sees_all_from_there(qtbot, window) -> None:
    before, soil = window.view.stage.viewpoint, window.session.run.scenario.soil
    edited(qtbot, window, lambda: window.panel.put({"soil.mu_max": soil.mu_max + 0.01}))
    assert not window.view.viewport.touched
    for name in ("position", "focus"):
        np.testing.assert_array_equal(getattr(window.view.stage.viewpoint, name), getattr(before, name))
    edited(qtbot, window, lambda: window.panel.put({"release.position": (30.0, 0.0)}))  # near the end of the ramp
    assert not np.array_equal(window.view.stage.viewpoint.position, before.position)


def from_above_lines_of_sight_are_parallel_and_wheel_and_mouse_zoom_and_turn(qtbot, window) -> None:
    window.actions_by_id["top"].trigger()
    stage, viewport = window.view.stage, window.view.viewport
    camera = viewport.plotter.renderers[0].camera
    assert camera.GetParallelProjection()
    far, scale = stage.viewpoint.distance, camera.GetParallelScale()
    there = QPointF(viewport.width() / 4, viewport.height() / 2)
    none, calm = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier
    for _ in range(3):
        wheel = QWheelEvent(there, there, QPoint(), QPoint(0, 120), none, calm, Qt.ScrollPhase.NoScrollPhase, False)
        QApplication.sendEvent(viewport, wheel)
    assert camera.GetParallelScale() == pytest.approx(scale / 1.1**3)
    assert stage.viewpoint.distance == pytest.approx(far / 1.1**3)
    assert [c.GetParallelScale() for c in (r.camera for r in viewport.plotter.renderers[:2])] == pytest.approx(
        [scale / 1.1**3] * 2
    )
    drag_camera(qtbot, window, QPoint(0, -60))
    low = stage.viewpoint
    assert 0.5 < (low.position - low.focus)[2] / low.distance < 0.99
    window.actions_by_id["fit"].trigger()
    assert (stage.viewpoint.position - stage.viewpoint.focus)[2] == pytest.approx(far)
    window.actions_by_id["slope"].trigger()
    assert not camera.GetParallelProjection()


def test_the_camera_keeps_its_place_on_the_map(qtbot, window, tmp_path) -> None:
    show_map(qtbot, window, tmp_path)
    there = on_map(window)
    for change in (PART, HIGHER):
        edit(qtbot, window, **change)
        np.testing.assert_allclose(on_map(window), there, atol=1e-9)
        window.session.undo()
        wait(qtbot, lambda: not window.session.pending)
        settle(qtbot, window)
        np.testing.assert_allclose(on_map(window), there, atol=1e-9)
    # a saved viewpoint is a place on the map
    window.actions_by_id["save-view"].trigger()
    edit(qtbot, window, **PART, **HIGHER)
    window.actions_by_id["top"].trigger()
    (place,) = from_toml(to_toml(window.shown_session.saved())).look.viewpoints
    window.cameras.take(place)
    np.testing.assert_allclose(on_map(window), there, atol=1e-9)
    # a camera that goes with the body keeps its place beside it
    window.session.undo()
    wait(qtbot, lambda: not window.session.pending)
    settle(qtbot, window)
    window.actions_by_id["follow"].trigger()
    turn(window)
    beside = eye(window)
    edit(qtbot, window, **PART, **HIGHER)
    np.testing.assert_allclose(eye(window), beside)
    # of another part of the map all is shown
    window.actions_by_id["fit"].trigger()
    show_map(qtbot, window, tmp_path, terrain={"file": "slope.asc", "window": (0.0, 0.0, 12.0, 20.0)})
    edit(qtbot, window, **{"terrain.window": (18.0, 0.0, 30.0, 20.0), "release.position": (20.0, 10.0)})
    assert not window.view.viewport.touched
    assert window.view.stage.viewpoint.focus[0] > -6.0  # of 12 m, about their middle


def test_another_scenario_of_a_kind_is_seen_whole(qtbot, window) -> None:
    show(qtbot, window, cuboid())
    turn(window)
    turned = eye(window)
    edit(qtbot, window, duration=1.0)
    np.testing.assert_allclose(eye(window), turned)
    show(qtbot, window, cuboid(title="Ten times larger", body={"shape": "cuboid", "size": [30, 20, 10], "mass": 1.0}))
    assert not window.view.viewport.touched
    assert np.linalg.norm(eye(window)) > 5.0 * np.linalg.norm(turned)


def drag_camera(qtbot, window, by: QPoint) -> None:
    viewport, start = window.view.viewport, QPoint(200, 300)
    qtbot.mousePress(viewport, LEFT, pos=start)
    for k in range(1, 11):
        qtbot.mouseMove(viewport, start + by * k / 10)
    qtbot.mouseRelease(viewport, LEFT, pos=start + by)


MAP = {"terrain": {"file": "slope.asc"}, "release": {"position": (2.0, 10.0)}, "duration": 1.0}
PART = {"terrain.window": (0.0, 0.0, 20.0, 20.0)}  # its middle lies 5 m west of the middle of the map
HIGHER = {"view.exaggeration": 2.0}


def show_map(qtbot, window, folder, **changes) -> None:
    """A rock on a map of 30 m by 20 m, which a file tells; the camera is as the user has turned it."""
    write_slope(folder)
    window.actions_by_id["calm"].setChecked(True)
    show(qtbot, window, rock(**MAP | {"folder": str(folder)} | changes))
    window.session.clock.playing = False
    turn(window)


def turn(window) -> None:
    viewport = window.view.viewport
    viewport.plotter.camera.Azimuth(40.0)
    viewport.touched = True


def edit(qtbot, window, **changes) -> None:
    edited(qtbot, window, lambda: window.session.edit(window.session.run.scenario.changed(**changes)))


def on_map(window) -> np.ndarray:
    """Places of the camera and of what it looks at, in the metres of the map."""
    seen = window.view.look.viewpoint
    return np.array([seen.position, seen.focus])


def test_the_angular_velocity_is_dragged_and_the_body_is_turned(qtbot, window) -> None:
    show(qtbot, window, cuboid())
    window.session.clock.playing = False
    window.session.seek(1.0)
    qtbot.keyClick(window, Qt.Key.Key_I)
    assert window.session.clock.time == 0.0
    start = window.start_handles.shown()
    foot, tip = (point.toPoint() for point in window.start_handles.pixels(np.array([start.foot, start.tip])))
    camera = eye(window)
    drag(qtbot, window, tip, tip - foot)  # to twice its length
    omega = np.array(window.session.run.scenario.initial.angular_velocity)
    assert np.linalg.norm(omega) == pytest.approx(20.0, rel=0.15)
    assert window.panel.entries["initial.angular_velocity"].value() == tuple(omega)
    assert eye(window) == pytest.approx(camera)
    window.session.undo()
    settle(qtbot, window)
    assert window.session.run.scenario.initial.angular_velocity == (1e-3, 10.0, 1e-3)
    # the body is turned, and its angular velocity with it
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert not window.start_handles.on
    window.actions_by_id["grips"].setChecked(True)
    (foot,) = window.start_handles.pixels(window.start_handles.shown().foot[None])
    drag(qtbot, window, foot.toPoint() - QPoint(8, 0), QPoint(60, 20))
    world = window.session.run.world
    assert abs(world.orientation[0]) < 0.999
    assert np.linalg.norm(world.orientation) == pytest.approx(1.0, abs=1e-5)
    assert tuple(world.angular_velocity) == pytest.approx((1e-3, 10.0, 1e-3))
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert not window.start_handles.on


def test_a_save_that_failed_is_told_until_one_succeeds(qtbot, window, tmp_path) -> None:
    show(qtbot, window, cuboid())
    window.files.path = tmp_path / "no" / "such.polhode.toml"
    window.files.save()
    assert window.message.isVisible()
    window.files.path = tmp_path / "one.polhode.toml"
    window.files.save()
    assert not window.message.isVisible()
    assert "one.polhode.toml" in window.status.text()


def drag(qtbot, window, start: QPoint, by: QPoint) -> None:
    before, viewport = window.session.run, window.view.viewport
    qtbot.mousePress(viewport, LEFT, pos=start)
    qtbot.mouseMove(viewport, start + by)
    qtbot.mouseRelease(viewport, LEFT, pos=start + by)
    wait(qtbot, lambda: window.session.run is not before)
    settle(qtbot, window)


def test_a_ship_is_heeled_by_hand_and_let_go(qtbot, window) -> None:
    """Its top goes where the pointer goes; trim and heading stay, and the panel says the heel."""
    show(qtbot, window, example("ship-barge", duration=0.5, schemes=("verlet-exact",), initial={"yaw": 0.3}))
    window.actions_by_id["grips"].setChecked(True)
    start = window.start_handles.shown()
    assert start.about == pytest.approx([np.cos(0.3), np.sin(0.3), 0.0])
    (foot,) = window.start_handles.pixels(start.foot[None])
    drag(qtbot, window, foot.toPoint() + QPoint(30, 10), QPoint(-40, 0))
    initial = window.session.run.scenario.initial
    assert initial.heel > 0.2  # seen from ahead, starboard is at the left
    assert window.panel.entries["initial.heel"].value() == initial.heel
    yaw, trim, heel = np.radians(yaw_pitch_roll(window.session.run.world.orientation))
    assert (yaw, trim) == pytest.approx((0.3, 0.0), abs=1e-6)
    assert heel == pytest.approx(initial.heel)
    assert abs(window.session.run.lanes[0].trajectory.angular_velocity[-1, 0]) > 0.05
    window.session.undo()
    settle(qtbot, window)
    assert window.session.run.scenario.initial.heel is None


def test_an_export_has_the_edits_the_comparison_and_the_camera_of_the_view(qtbot, window) -> None:
    show(qtbot, window, rock())
    window.actions_by_id["branch"].setChecked(True)
    window.session.clock.playing = False
    window.session.seek(1.0)
    window.panel.put({"soil.mu_min": 0.3})
    settle(qtbot, window)
    window.actions_by_id["compare"].setChecked(True)
    settle(qtbot, window)
    window.view.viewport.touched = True
    window.files.export()
    (dialog,) = window.findChildren(ExportDialog)
    asked = dialog.asked()
    assert [edit["time"] for edit in asked.edit] == [1.0]
    assert asked.view.compare
    assert asked.view.viewpoint is not None
    dialog.form.camera.setCurrentIndex(dialog.form.camera.findData("follow"))
    assert (dialog.asked().view.camera, dialog.asked().view.viewpoint) == ("follow", None)
    dialog.close()


def test_a_picture_of_a_session_shows_what_the_window_shows(check, qtbot, window, tmp_path) -> None:
    window.actions_by_id["calm"].setChecked(True)
    for scenario, mode in ((cuboid, "fit"), (rock, "fit"), (rock, "follow")):
        check(picture_of_session, qtbot, window, tmp_path, scenario(), mode)


def picture_of_session(qtbot, window, tmp_path, scenario, mode) -> None:
    show(qtbot, window, scenario)
    wait(qtbot, lambda: all(lane.truth is not None for lane in window.session.run.lanes))
    settle(qtbot, window)
    quiet(window)  # the headline follows
    window.session.seek(1.0)
    window.actions_by_id[mode].trigger()
    window.actions_by_id["axes"].trigger()
    viewport, stage = window.view.viewport, window.view.stage
    viewport.plotter.camera.Azimuth(40.0)
    viewport.touched = True
    window.view.show_time(1.0)
    save_session(tmp_path / "one.polhode.toml", window.shown_session.saved())
    viewport.render_window.Render()  # a second picture of a plotter is else the first one
    with viewport.posing(1.0) as shoot:
        shot = shoot().astype(float)
    size, theme = (shot.shape[1], shot.shape[0]), window.workspace.theme.name
    told = scenario_for(tmp_path / "one.polhode.toml").changed(**{"export.size": size, "export.theme": theme})
    run = finished(told)
    write_image(run.world, run.lanes, tmp_path / "one.png")
    with Image.open(tmp_path / "one.png") as picture:
        apart = np.abs(np.asarray(picture, float) - shot)
    assert np.mean(apart > 30.0) < 0.005
    window.files.open(tmp_path / "one.polhode.toml")
    wait(qtbot, lambda: window.view.stage is not stage)
    settle(qtbot, window)
    again = window.shown_session.saved().look.viewpoint
    assert again.position == pytest.approx(told.view.viewpoint.position)


def test_a_rock_of_random_attitude_is_turned_and_set_spinning(qtbot, window) -> None:
    show(qtbot, window, rock(schemes=("implicit",), initial={"orientation": "random"}))
    first = window.session.run.world.orientation
    window.actions_by_id["grips"].setChecked(True)
    foot, tip = (point.toPoint() for point in window.start_handles.pixels(np.array(ends(window))))
    drag(qtbot, window, foot, QPoint(30, 15))
    initial = window.session.run.scenario.initial
    assert np.abs(np.dot(initial.orientation, first)) < 0.999
    assert initial.angular_velocity == (0.0, 0.0, 0.0)
    drag(qtbot, window, tip, QPoint(40, -10))
    assert np.linalg.norm(window.session.run.scenario.initial.angular_velocity) > 1.0
    assert window.session.run.scenario.initial.orientation == initial.orientation


def test_a_top_is_told_by_attitude_and_rate_once_it_is_dragged(qtbot, window) -> None:
    show(qtbot, window, top(duration=0.5))
    before = window.session.run.world
    window.actions_by_id["grips"].setChecked(True)
    _, tip = (point.toPoint() for point in window.start_handles.pixels(np.array(ends(window))))
    drag(qtbot, window, tip, QPoint(25, 0))
    world = window.session.run.world
    assert world.scenario.initial.nutation is None
    assert world.orientation == pytest.approx(before.orientation, abs=1e-6)
    assert np.linalg.norm(world.angular_velocity - before.angular_velocity) > 5.0
    window.session.undo()
    settle(qtbot, window)
    assert window.panel.entries["initial.given"].value() == "precession"


def ends(window):
    """Foot and tip of the handle."""
    start = window.start_handles.shown()
    return start.foot, start.tip


def test_a_body_that_is_too_large_to_be_drawn_is_told_and_the_window_goes_on(qtbot, window) -> None:
    show(qtbot, window, example("table-tippe-top", duration=0.5))
    before = window.session.run.scenario
    window.panel.put({"body.offset": (-1e60, 0.0, 0.0)})
    wait(qtbot, lambda: "cannot be drawn" in window.message.text.text())
    assert "radius of" in window.message.text.text()
    edited(qtbot, window, lambda: window.actions_by_id["undo"].trigger())
    assert window.session.run.scenario == before
    assert window.view.stage is not None
    assert not window.message.isVisible()
