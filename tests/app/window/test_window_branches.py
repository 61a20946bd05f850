"""Edits: each is a branch from the playhead, can be compared with the run before, undone and redone."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt

from assets import SCENARIOS
from physics import load_scenario
from tests.app.windowing import cuboid, edited, rock, settle, show, wait

pytestmark = pytest.mark.picture

CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
ALT = Qt.KeyboardModifier.AltModifier


def edit(qtbot, window, key: str, text: str) -> None:
    number = window.panel.entries[key].numbers[0]
    number.selectAll()
    edited(qtbot, window, lambda: qtbot.keyClicks(number, text))


def paused(qtbot, window, scenario, at: float) -> None:
    show(qtbot, window, scenario)
    window.actions_by_id["branch"].setChecked(True)
    window.session.clock.playing = False
    window.session.seek(at)


def test_an_edit_begins_at_the_playhead_and_the_part_before_stays(qtbot, window) -> None:
    paused(qtbot, window, cuboid(), 1.0)
    before = window.session.run.lanes[0].trajectory
    edit(qtbot, window, "step", "0.02")
    after = window.session.run.lanes[0].trajectory
    np.testing.assert_array_equal(after.orientation[:101], before.orientation[:101])
    assert np.diff(after.time[100:]) == pytest.approx(0.02)
    assert window.session.clock.time == 1.0
    assert "edit" in [marker.kind for marker in window.session.markers]


def test_by_default_it_begins_at_the_start_and_one_click_takes_it_from_the_playhead(qtbot, window) -> None:
    paused(qtbot, window, cuboid(), 1.0)
    qtbot.keyClick(window, Qt.Key.Key_B, ALT)
    assert not window.panel.branching.isChecked()
    edit(qtbot, window, "body.mass", "2")
    assert window.session.run.schedule.times == (0.0,)
    assert "from the start" in window.message.text.text()
    for times in ((0.0, 1.0), (0.0,)):  # and back
        before = window.session.run
        qtbot.mouseClick(window.message.button, Qt.MouseButton.LeftButton)
        wait(qtbot, lambda run=before: window.session.run is not run)
        assert window.session.run.schedule.times == times
        assert window.session.run.scenario.body.mass == 2.0
    qtbot.keyClick(window, Qt.Key.Key_Z, CONTROL)
    wait(qtbot, lambda: window.session.run.scenario.body.mass == 1.0)


def test_what_acts_begins_at_the_playhead_by_default(qtbot, window) -> None:
    paused(qtbot, window, load_scenario(SCENARIOS / "top-steady.toml"), 1.0)
    qtbot.keyClick(window, Qt.Key.Key_B, ALT)
    edit(qtbot, window, "gravity.g", "2")
    assert window.session.run.schedule.times == (0.0, 1.0)
    assert "acts from 1 s on" in window.message.text.text()


def test_another_start_counts_from_the_start_and_a_reset_leaves_no_branch(qtbot, window) -> None:
    paused(qtbot, window, cuboid(), 1.0)
    edit(qtbot, window, "initial.angular_velocity", "2")
    assert window.session.run.schedule.times == (0.0,)
    scenario = cuboid()
    paused(qtbot, window, scenario, 1.0)
    edit(qtbot, window, "step", "0.02")
    assert edited(qtbot, window, lambda: qtbot.keyClick(window, Qt.Key.Key_R, SHIFT)) == scenario
    assert window.session.run.schedule.times == (0.0,)


def test_opening_can_be_undone_too(qtbot, window) -> None:
    show(qtbot, window, cuboid())
    show(qtbot, window, rock())
    window.session.undo()
    wait(qtbot, lambda: window.session.run.scenario.kind == "free")
    settle(qtbot, window)
    assert window.windowTitle().startswith("Test cuboid")
    assert "initial.angular_velocity" in window.panel.entries


def test_the_run_before_is_drawn_beside_the_new_one(qtbot, window) -> None:
    paused(qtbot, window, cuboid(schemes=("implicit",)), 0.5)
    assert not window.actions_by_id["compare"].isEnabled()
    edit(qtbot, window, "step", "0.05")
    qtbot.keyClick(window, Qt.Key.Key_J)
    settle(qtbot, window)
    assert [lane.scheme.letter for lane in window.lanes] == ["I", "I′"]
    assert len(window.plots.charts[0].curves) == 2
    drawn = window.plots.charts[0].curves[1]
    wait(qtbot, lambda: drawn.xData is not None and len(drawn.xData) == 201)
    kept = window.shown_session.saved()
    edited(qtbot, window, lambda: window.open_saved(kept))  # it opens with the comparison that it was closed with
    assert [lane.scheme.letter for lane in window.lanes] == ["I", "I′"]
    assert window.session.before.schedule.times == (0.0,)
    qtbot.keyClick(window, Qt.Key.Key_J)
    settle(qtbot, window)
    assert len(window.lanes) == 1


def test_an_edit_that_contradicts_an_earlier_one_is_explained(qtbot, window) -> None:
    paused(qtbot, window, cuboid(), 1.0)
    edit(qtbot, window, "step", "0.02")
    run, number = window.session.run, window.panel.entries["duration"].numbers[0]
    number.selectAll()
    qtbot.keyClicks(number, "0.8")
    wait(qtbot, lambda: "last edit" in window.panel.entries["duration"].error.text())
    assert window.session.run is run


def edit_steps(qtbot, window, steps) -> None:
    """One edit after another, each shown before the next."""
    for step in steps:
        window.panel.put({"step": step})
        wait(qtbot, lambda: window.session.pending is None)


def press(qtbot, window, *keys: Qt.Key) -> None:
    """Keys as fast as they come, with Ctrl."""
    for key in keys:
        qtbot.keyClick(window, key, CONTROL)


def test_each_undo_and_each_redo_counts_however_fast_the_keys_come(qtbot, window) -> None:
    steps = [0.011, 0.012, 0.013, 0.014, 0.015, 0.016]
    paused(qtbot, window, cuboid(), 0.0)
    edit_steps(qtbot, window, steps)
    window.setFocus()
    undo, redo = Qt.Key.Key_Z, Qt.Key.Key_Y
    for keys, step in (
        ([undo] * 4, steps[1]),
        ([redo] * 3, steps[4]),
        ([undo, undo, redo, undo, undo, redo], steps[2]),
        ([undo] * 9, 0.01),  # there are no more
        ([redo] * 9, steps[-1]),
    ):
        press(qtbot, window, *keys)
        settle(qtbot, window)
        assert window.session.run.scenario.step == step
        assert window.panel.entries["step"].numbers[0].text() == f"{step:g}"
    press(qtbot, window, undo, undo)
    window.panel.put({"step": 0.02})  # before what is undone is shown
    settle(qtbot, window)
    assert not window.actions_by_id["redo"].isEnabled()
    press(qtbot, window, undo)
    settle(qtbot, window)
    assert window.session.run.scenario.step == steps[3]


def test_undo_in_a_field_undoes_edits_with_what_was_typed_last(qtbot, window) -> None:
    paused(qtbot, window, cuboid(), 0.0)
    edit(qtbot, window, "step", "0.02")
    number = window.panel.entries["step"].numbers[0]
    number.setFocus()
    number.selectAll()
    qtbot.keyClicks(number, "0.05")
    press(qtbot, number, Qt.Key.Key_Z)  # before what is typed is applied
    settle(qtbot, window)
    assert (number.text(), window.session.run.scenario.step) == ("0.02", 0.02)
    press(qtbot, number, Qt.Key.Key_Z)
    settle(qtbot, window)
    assert (number.text(), window.session.run.scenario.step) == ("0.01", 0.01)
    press(qtbot, number, Qt.Key.Key_Y, Qt.Key.Key_Y)
    settle(qtbot, window)
    assert (number.text(), window.session.run.scenario.step) == ("0.05", 0.05)


def test_what_fails_leaves_undo_redo_and_the_mark_as_they_are(qtbot, window, tmp_path) -> None:
    show(qtbot, window, rock(folder=str(tmp_path)))
    window.panel.put({"body.mass": 2000.0})
    settle(qtbot, window)
    press(qtbot, window, Qt.Key.Key_Z)
    settle(qtbot, window)
    run = window.session.run
    window.session.edit(run.scenario.changed(terrain={"file": "none.asc"}))
    assert window.isWindowModified()
    wait(qtbot, lambda: window.session.pending is None)
    assert window.session.run is run
    assert not window.isWindowModified()
    assert not window.actions_by_id["undo"].isEnabled()
    press(qtbot, window, Qt.Key.Key_Y)
    settle(qtbot, window)
    assert window.session.run.scenario.body.mass == 2000.0
