"""Sessions in the window: saved and opened, copied and pasted, kept against a crash; settings last."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path

import numpy as np
import pytest
import pyvista as pv
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog

from app.document import autosave
from app.document.export_kinds import VIDEO
from app.document.session import SavedSession, SessionView, load_session, save_session, to_text, to_toml
from app.document.settings import Settings, load_settings
from app.window.exports.queue import ExportState
from app.window.main import begin
from physics import ScenarioError
from physics.schemes import serving
from physics.simulation.schedule import Schedule
from tests.app.windowing import answer, cuboid, drop, edited, question, rock, settle, show, wait
from tests.small import write_map

pytestmark = pytest.mark.picture


def branched(qtbot, window) -> None:
    show(qtbot, window, cuboid())
    window.actions_by_id["branch"].setChecked(True)
    window.session.clock.playing = False
    window.session.seek(1.0)
    edited(qtbot, window, lambda: window.session.edit(window.session.run.scenario.changed(step=0.02)))
    window.session.seek(1.5)


def opened_again(qtbot, window, action) -> None:
    """Open something else, then do what opens the session again."""
    show(qtbot, window, rock())
    action()
    wait(qtbot, lambda: window.session.run.scenario.kind == "free")
    settle(qtbot, window)


def test_a_session_is_saved_and_opened_again_and_goes_through_the_clipboard(qtbot, window, tmp_path) -> None:
    branched(qtbot, window)
    before = window.session.run.lanes[0].trajectory
    window.session.set_speed(3.0)  # as none of the menu
    window.actions_by_id["overlay"].setChecked(True)
    window.files.path = tmp_path / "mine.polhode.toml"
    window.files.save()
    window.actions_by_id["overlay"].setChecked(False)
    opened_again(qtbot, window, lambda: window.files.open(tmp_path / "mine.polhode.toml"))
    after = window.session.run.lanes[0].trajectory
    np.testing.assert_array_equal(after.orientation, before.orientation)
    assert window.session.clock.time == pytest.approx(1.5)
    assert window.session.clock.speed == 3.0
    assert (window.transport.speed.currentIndex(), window.transport.speed.placeholderText()) == (-1, "3×")
    assert not window.session.clock.playing
    assert window.view.look.layout == "overlay"
    assert window.panel.entries["step"].numbers[0].text() == "0.02"
    assert window.settings.recent[0].endswith("mine.polhode.toml")
    window.files.copy()
    assert 'kind = "free"' in QApplication.clipboard().text()
    opened_again(qtbot, window, window.files.paste)
    assert window.session.run.schedule.times == (0.0, 1.0)
    # a wrong text is told, and the window stays
    run = window.session.run
    QApplication.clipboard().setText("polhode1:nothing")
    window.files.paste()
    assert "damaged" in window.message.text.text()
    assert window.session.run is run


def test_of_more_than_eight_schemes_the_first_eight_are_shown_and_one_sentence_says_so(qtbot, window, tmp_path) -> None:
    able = serving("free")
    path = tmp_path / "many.toml"
    path.write_text(to_toml(SavedSession(Schedule.of(cuboid(schemes=able, duration=0.2)))))
    edited(qtbot, window, lambda: window.files.open(path))
    assert [lane.scheme.name for lane in window.session.run.lanes] == list(able[:8])
    assert window.message.isVisible()
    assert window.message.text.text() == (
        f"schemes: {len(able)} are named; a window shows, and saves, the first 8 of them"
    )
    # what is shown can be edited as it stands; a ninth scheme is refused
    assert window.panel.scenario().schemes == able[:8]
    window.panel.schemes.toggle(able[8])
    with pytest.raises(ScenarioError, match="at most 8 schemes"):
        window.panel.scenario()
    # it is of that scenario alone
    show(qtbot, window, cuboid(duration=0.2))
    assert not window.message.isVisible()


def test_a_scheme_that_a_window_leaves_out_is_not_lost_from_its_file_unasked(qtbot, window, tmp_path) -> None:
    path, named = tmp_path / "own.polhode.toml", 'schemes = ["explicit", "mine"]\nscheme_files = {mine = "mine.py"}'
    text = to_toml(SavedSession(Schedule.of(cuboid(duration=0.2)))).replace('schemes = ["explicit", "implicit"]', named)
    path.write_text(text)
    edited(qtbot, window, lambda: window.files.open(path))
    assert "Mine is left out" in window.message.text.text()
    edited(qtbot, window, lambda: window.panel.put({"step": 0.02}))
    window.files.save()
    answer(window, "Cancel")
    assert path.read_text() == text
    window.files.save()
    answer(window, "Replace")
    assert load_session(path).schedule.scenario.step == 0.02
    edited(qtbot, window, lambda: window.panel.put({"step": 0.01}))
    window.files.save()
    assert (question(window), load_session(path).schedule.scenario.step) == (None, 0.01)


def test_what_a_crash_leaves_is_found(qtbot, window, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(autosave, "folder", lambda: tmp_path)
    assert window.files.last() is None
    branched(qtbot, window)
    window.files.keep()
    assert load_session(tmp_path / f"{os.getpid()}.polhode.toml").schedule.times == (0.0, 1.0)
    window.files.close()
    assert list(tmp_path.iterdir()) == []


def test_edits_and_settings_that_cannot_be_kept_are_told_once_until_they_are_kept_again(
    qtbot, window, tmp_path, monkeypatch
) -> None:
    (tmp_path / "full").write_text("where a folder should be")
    monkeypatch.setattr(autosave, "folder", lambda: tmp_path / "full" / "unfinished")
    monkeypatch.setattr("app.document.settings.place", lambda: tmp_path / "settings.toml")
    window.files.last()
    branched(qtbot, window)
    wait(qtbot, lambda: window.message.text.text().startswith("Edits are not kept: a crash would lose"))
    assert str(tmp_path / "full") in window.message.text.text()
    assert window.files.unkept.isVisible()  # also when the next run has taken the message away
    assert str(tmp_path / "full") in window.files.unkept.toolTip()
    window.message.hide()
    window.files.keep()
    assert not window.message.isVisible()
    monkeypatch.setattr(autosave, "folder", lambda: tmp_path / "room")
    window.files.keep()
    assert (tmp_path / "room" / f"{os.getpid()}.polhode.toml").is_file()
    assert not window.files.unkept.isVisible()
    monkeypatch.setattr("app.document.settings.place", lambda: tmp_path / "full" / "settings.toml")
    window.files.remember(tmp_path / "some.toml")
    assert window.message.text.text().startswith("Settings and recent files are not saved: ")
    assert window.message.isVisible()


def test_what_a_crash_leaves_is_among_the_recent_files_where_a_file_is_asked_for(
    qtbot, window, tmp_path, monkeypatch
) -> None:
    monkeypatch.setattr(autosave, "folder", lambda: tmp_path)
    autosave.keep(SavedSession(Schedule((cuboid(),))), tmp_path / "crashed")
    (tmp_path / "crashed" / f"{os.getpid()}.polhode.toml").rename(tmp_path / "999999999.polhode.toml")
    begin(window, SavedSession(Schedule((cuboid(step=0.02),))), None)
    wait(qtbot, lambda: "among the recent files" in window.message.text.text())
    assert window.session.run.scenario.step == 0.02
    assert window.settings.recent[0] == str(autosave.aside())
    assert load_session(autosave.aside()).schedule.scenarios[0].step == cuboid().step
    edited(qtbot, window, lambda: window.files.open(autosave.aside()))
    assert window.files.path is None  # what is saved there would be lost with the next crash


def test_what_a_crash_leaves_and_cannot_be_shown_is_told_and_no_other_scenario_is_taken_for_it(
    qtbot, window, tmp_path, monkeypatch
) -> None:
    monkeypatch.setattr(autosave, "folder", lambda: tmp_path)
    gone = cuboid(body={"shape": "mesh", "file": str(tmp_path / "gone.obj"), "mass": 1.0})
    autosave.keep(SavedSession(Schedule((gone,))), tmp_path / "crashed")
    (tmp_path / "crashed" / f"{os.getpid()}.polhode.toml").rename(tmp_path / "999999999.polhode.toml")
    begin(window, None, None)
    wait(qtbot, lambda: "among the recent files" in window.message.text.text())
    assert "gone.obj: no such file" in window.message.text.text()
    assert window.status.text() == ""
    show(qtbot, window, cuboid())
    assert (window.message.isVisible(), window.isWindowModified()) == (False, False)


def test_a_crash_that_leaves_only_damage_is_told(qtbot, window, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(autosave, "folder", lambda: tmp_path)
    (tmp_path / "999999999.polhode.toml").write_text("kind = 'free'")
    begin(window, None, None)
    wait(qtbot, lambda: "is damaged" in window.message.text.text())
    assert "damaged-999999999.polhode.toml" in window.message.text.text()


def test_settings_last_from_window_to_window(qtbot, window, place) -> None:
    window.files.last()
    show(qtbot, window, cuboid())
    window.view.set_overlay("trails", False)
    window.appearance.switch()
    window.actions_by_id["calm"].setChecked(True)
    window.plots.titles["free"] = ["Attitude error"]
    window.close()
    found = load_settings()
    assert (found.theme, found.reduced_motion) == ("light", True)
    assert found.charts == {"free": ["Attitude error"]}

    from app.window.main_window import MainWindow

    again = MainWindow(settings=found)
    qtbot.addWidget(again)
    again.show()
    show(qtbot, again, cuboid())
    assert again.view.stage.overlays["trails"]  # switched off for what was shown, not for every later start
    assert not again.session.clock.playing
    assert [chart.quantity.title for chart in again.plots.charts] == ["Attitude error"]
    again.close()


def test_without_being_asked_nothing_is_written(qtbot, window, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("app.document.settings.place", lambda: tmp_path / "settings.toml")
    show(qtbot, window, cuboid())
    window.files.remember(tmp_path / "x.toml")
    window.close()
    assert list(tmp_path.iterdir()) == []
    assert Settings().recent == []


def test_a_large_file_is_read_beside_the_window_and_given_up(qtbot, window, tmp_path) -> None:
    """A trajectory is compared with the map that it was made with, whose 90 GB are read for minutes."""
    with (tmp_path / "map.tif").open("wb") as file:
        file.truncate(90 * 10**9)
    plain = rock().changed(terrain={"file": str(tmp_path / "map.tif")}).portable()
    told = {"scenario": plain, "files": {str(tmp_path / "map.tif"): "0"}, "schemes": {}}
    np.savez(tmp_path / "run.npz", meta=np.array(json.dumps(told)))
    show(qtbot, window, rock())
    window.files.open(tmp_path / "run.npz")
    assert window.status.text() == "Reading run.npz…"
    qtbot.wait(200)  # it goes on, and the window too
    (reader,) = [thread for thread in threading.enumerate() if thread.name == "reading"]
    show(qtbot, window, cuboid())
    wait(qtbot, lambda: not reader.is_alive())
    assert window.session.run.scenario.kind == "free"


# ---- edits that are not saved --------------------------------------------------------------------------


def with_edit(qtbot, window) -> None:
    """A scenario with an edit that is not saved."""
    show(qtbot, window, cuboid())
    edited(qtbot, window, lambda: window.panel.put({"step": 0.02}))


def press_quit(window) -> None:
    QTest.keyClick(window, Qt.Key.Key_Q, Qt.KeyboardModifier.ControlModifier)


def test_a_scenario_that_nobody_touched_closes_and_gives_way_without_a_question(qtbot, window, place) -> None:
    window.files.last()
    show(qtbot, window, cuboid())
    window.session.seek(1.0)
    window.actions_by_id["overlay"].setChecked(True)
    window.guides.chosen.emit(rock())
    wait(qtbot, lambda: window.session.run.scenario.kind == "rockfall")
    assert question(window) is None
    press_quit(window)
    assert not window.isVisible()
    assert autosave.recover() is None


def test_before_edits_are_lost_the_window_asks_whether_to_save_them(
    qtbot, window, place, tmp_path, monkeypatch
) -> None:
    window.files.last()
    with_edit(qtbot, window)
    for leave in (press_quit, type(window).close):
        leave(window)
        assert question(window).isModal()
        answer(window, "Cancel")
        wait(qtbot, lambda: question(window) is None)
        assert window.isVisible()
    # no place is chosen: it is not saved, and stays
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: ("", ""))
    press_quit(window)
    answer(window, "Save")
    assert window.isVisible()
    wait(qtbot, lambda: question(window) is None)
    (tmp_path / "mine.polhode.toml").write_text("another")
    asked: list[str] = []

    def answered(*words: object) -> tuple[str, str]:
        asked.append(str(words[2]))
        return (str(tmp_path / "mine") if len(asked) == 1 else asked[-1], "")

    monkeypatch.setattr(QFileDialog, "getSaveFileName", answered)
    press_quit(window)
    answer(window, "Save")
    assert asked[1:] == [str(tmp_path / "mine.polhode.toml")]  # the system asks whether it is replaced
    assert not window.isVisible()
    assert load_session(tmp_path / "mine.polhode.toml").schedule.scenario.step == 0.02
    assert autosave.recover() is None


@pytest.mark.parametrize("outside", [False, True])
def test_before_exports_are_cancelled_the_window_asks_where_there_is_somebody(qtbot, window, tmp_path, outside) -> None:
    show(qtbot, window, cuboid(duration=0.2))
    export = window.exports.add(window.shown_session.scenario(), tmp_path / "film.mp4", VIDEO)
    if outside:
        window.files.leave()
    else:
        edited(qtbot, window, lambda: window.panel.put({"step": 0.02}))
        window.close()
        answer(window, "Don't save")
        answer(window, "Cancel")
        assert (window.isVisible(), export in window.exports.unwritten) == (True, True)
        window.close()
        answer(window, "Don't save")
        answer(window, "Close")
    window.close()
    assert (window.isVisible(), export.state) == (False, ExportState.STOPPED)


def test_why_an_edit_is_refused_stays_when_the_session_is_saved_without_it(qtbot, window, tmp_path) -> None:
    pv.Cube().save(tmp_path / "cube.stl")
    scenario = cuboid(duration=0.2, body={"shape": "mesh", "file": str(tmp_path / "cube.stl"), "mass": 1.0})
    show(qtbot, window, scenario)
    window.files.path = tmp_path / "one.polhode.toml"
    (tmp_path / "cube.stl").rename(tmp_path / "gone.stl")
    window.panel.put({"step": 0.02})
    wait(qtbot, lambda: window.session.pending is None)
    window.files.save()
    assert load_session(window.files.path).schedule.scenario.step == 0.01
    assert (window.message.isVisible(), "cube.stl: no such file" in window.message.text.text()) == (True, True)
    (tmp_path / "gone.stl").rename(tmp_path / "cube.stl")
    edited(qtbot, window, lambda: window.panel.put({"body.mass": 2.0}))
    window.files.save()
    assert not window.message.isVisible()
    assert load_session(window.files.path).schedule.scenario.step == 0.02


def test_what_was_typed_just_before_is_an_edit_too(qtbot, window) -> None:
    show(qtbot, window, cuboid())
    number = window.panel.entries["step"].numbers[0]
    number.selectAll()
    qtbot.keyClicks(number, "0.02")
    press_quit(window)
    assert question(window) is not None


def opened_by_file(window, file) -> None:
    window.files.open(file)


def opened_by_text(window, file) -> None:
    QApplication.clipboard().setText(to_text(SavedSession(Schedule.of(rock()))))
    window.files.paste()


def opened_by_gallery(window, file) -> None:
    window.guides.chosen.emit(rock())


def opened_by_list(window, file) -> None:
    choice = window.panel.choice
    choice.load_all()
    row = next(row for row, one in enumerate(choice.scenarios) if one.kind == "rockfall")
    choice.box.setCurrentIndex(row)
    choice.box.activated.emit(row)


@pytest.mark.parametrize("open_another", [drop, opened_by_file, opened_by_text, opened_by_gallery, opened_by_list])
def test_before_another_scenario_takes_the_place_of_edits_the_window_asks(
    qtbot, window, tmp_path, open_another
) -> None:
    with_edit(qtbot, window)
    (tmp_path / "rock.toml").write_text(to_toml(SavedSession(Schedule.of(rock()))))
    open_another(window, tmp_path / "rock.toml")
    wait(qtbot, lambda: question(window) is not None)
    answer(window, "Cancel")
    wait(qtbot, lambda: question(window) is None)
    assert window.session.pending is None
    assert window.panel.choice.box.currentText() == "Test cuboid"
    open_another(window, tmp_path / "rock.toml")
    wait(qtbot, lambda: question(window) is not None)
    answer(window, "Don't save")
    wait(qtbot, lambda: window.session.run.scenario.kind == "rockfall")
    settle(qtbot, window)
    assert not window.isWindowModified()
    window.session.undo()  # the edits are there, and still not saved
    settle(qtbot, window)
    assert window.session.run.scenario.step == 0.02
    assert window.isWindowModified()


def test_the_title_names_the_file_and_each_step_of_the_history_knows_its_own(qtbot, window, tmp_path) -> None:
    for name, scenario in (("one", cuboid()), ("two", rock())):
        (tmp_path / f"{name}.polhode.toml").write_text(to_toml(SavedSession(Schedule.of(scenario))))
    edited(qtbot, window, lambda: window.files.open(tmp_path / "one.polhode.toml"))
    assert window.windowTitle() == "one.polhode.toml[*] – Test cuboid – Polhode"
    edited(qtbot, window, lambda: window.panel.put({"step": 0.02}))
    assert window.isWindowModified()
    window.files.save()
    assert not window.isWindowModified()
    window.files.open(tmp_path / "two.polhode.toml")
    wait(qtbot, lambda: window.session.run.scenario.kind == "rockfall")
    settle(qtbot, window)
    assert window.windowTitle() == "two.polhode.toml[*] – Test rock – Polhode"
    window.session.undo()
    assert window.windowTitle().startswith("one.polhode.toml")
    assert not window.isWindowModified()
    window.session.undo()
    settle(qtbot, window)
    assert window.isWindowModified()  # the file holds the edit
    window.files.save()
    assert load_session(tmp_path / "one.polhode.toml").schedule.scenario.step == 0.01
    assert load_session(tmp_path / "two.polhode.toml").schedule.scenario.kind == "rockfall"


def test_a_session_that_is_saved_before_it_is_shown_keeps_its_own_look(qtbot, window, tmp_path) -> None:
    one, two = tmp_path / "one.polhode.toml", tmp_path / "two.polhode.toml"
    save_session(one, SavedSession(Schedule.of(cuboid()), SessionView(time=1.5, speed=3.0, layout="overlay")))
    save_session(two, SavedSession(Schedule.of(cuboid(step=0.04)), SessionView(time=0.1, loop="loop")))
    show(qtbot, window, cuboid(step=0.02))
    window.files.open(one)
    assert window.session.opening
    window.files.save()
    seen = load_session(one).look
    assert (seen.time, seen.speed, seen.layout) == (1.5, 3.0, "overlay")
    wait(qtbot, lambda: not window.session.opening)
    settle(qtbot, window)
    edited(qtbot, window, lambda: window.files.open(two))
    window.session.undo()  # the second is still shown
    window.files.save()
    seen = load_session(one).look
    assert (seen.time, seen.speed, seen.loop, seen.layout) == (1.5, 3.0, "off", "overlay")


def test_a_file_that_another_window_has_saved_is_not_replaced_unasked(qtbot, window, tmp_path, monkeypatch) -> None:
    file, aside = tmp_path / "one.polhode.toml", tmp_path / "aside.polhode.toml"
    save_session(file, SavedSession(Schedule.of(cuboid())))
    edited(qtbot, window, lambda: window.files.open(file))

    def step(path: Path) -> float:
        return load_session(path).schedule.scenario.step

    def other(value: float) -> None:
        save_session(file, SavedSession(Schedule.of(cuboid(step=value, duration=2.0 + value))))

    other(0.04)
    edited(qtbot, window, lambda: window.panel.put({"step": 0.02}))
    window.files.save()
    answer(window, "Cancel")
    assert (step(file), window.isWindowModified()) == (0.04, True)
    window.files.save()
    monkeypatch.setattr("app.window.controllers.session_files.QFileDialog.getSaveFileName", lambda *_: (str(aside), ""))
    answer(window, "Save session as…")
    assert (step(file), step(aside), window.isWindowModified()) == (0.04, 0.02, False)
    window.files.open(file)
    wait(qtbot, lambda: window.session.run.scenario.step == 0.04)
    settle(qtbot, window)
    other(0.05)
    edited(qtbot, window, lambda: window.panel.put({"step": 0.01}))
    done = []
    assert not window.files.settled(lambda: done.append(True))  # as before another file is opened
    answer(window, "Save")
    assert (step(file), done) == (0.05, [])
    answer(window, "Replace")
    assert (step(file), done) == (0.01, [True])
    edited(qtbot, window, lambda: window.panel.put({"step": 0.02}))
    window.files.save()  # what it wrote itself is no change
    assert (step(file), question(window)) == (0.02, None)


def test_a_file_that_was_saved_elsewhere_while_the_window_came_up_is_not_replaced_unasked(
    qtbot, window, tmp_path, place
) -> None:
    file = tmp_path / "one.polhode.toml"
    save_session(file, SavedSession(Schedule.of(cuboid())))
    read = load_session(file)
    save_session(file, SavedSession(Schedule.of(cuboid(step=0.0125))))
    begin(window, read, file)
    wait(qtbot, lambda: window.session.run is not None)
    settle(qtbot, window)
    window.files.save()
    answer(window, "Cancel")
    assert load_session(file).schedule.scenario.step == 0.0125


def test_a_map_in_degrees_is_projected_when_the_user_says_yes(qtbot, window, tmp_path) -> None:
    heights = 900.0 + 12.0 * np.arange(40)[:, None] + np.zeros((40, 40))
    write_map(tmp_path / "tile.asc", heights, 0.000277777778, (7.5, 46.0))
    window.files.open(tmp_path / "tile.asc")
    wait(qtbot, window.message.button.isVisible)
    assert window.message.text.text() == "The map tile.asc is not in metres, which rocks need."
    qtbot.mouseClick(window.message.button, Qt.MouseButton.LeftButton)
    wait(qtbot, lambda: window.session.run is not None and window.session.run.scenario.kind == "rockfall")
    world = window.session.run.world
    assert world.crs == "EPSG:32632"
    assert any("a guess: tile.asc declares no system" in note for note in world.notes)
    assert window.session.run.scenario.terrain.project == "utm"
