"""Ensembles in the window: they run, pause, fill in, are saved; a rock is picked and replayed."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading

import numpy as np
import pytest
from PySide6.QtCore import QObject, QPoint, Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog

from app.hazard import process as recovery
from app.hazard.layers import edited_fields
from app.window.main_window import MainWindow
from physics import Scenario, World
from physics.hazard.ensemble import Ensemble, Results, doubts
from physics.hazard.results_folder import save_results
from tests.app.windowing import cuboid, edited, rock, settle, show, wait

pytestmark = pytest.mark.picture


def many(**changes):
    """Rocks that differ, of one scheme, on a short ramp."""
    values = {"schemes": ("implicit",), "initial": {"orientation": "random"}, "ensemble": {"rocks": 6, "seed": 3}}
    return rock(**(values | changes))


def workers() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name in ("ensemble", "results", "orders")]


def fallen_here(scenario) -> Ensemble:
    """An ensemble that has run in this process."""
    ensemble = Ensemble(World.of(scenario))
    list(ensemble.march(1))
    return ensemble


@pytest.fixture(scope="module")
def known() -> Results:
    """What the same rocks leave behind when they are run here."""
    return fallen_here(many()).results["implicit"]


@pytest.fixture
def keeping(window, place):
    """A window that keeps what is not saved, in nobody's own folder."""
    window.files.last()
    return window


class Opened(QObject):
    """What the desktop is asked to show."""

    def __init__(self) -> None:
        super().__init__()
        self.urls: list[QUrl] = []

    @Slot(QUrl)
    def take(self, url: QUrl) -> None:
        self.urls.append(url)


def run(qtbot, window) -> None:
    """Run the ensemble to its end, and wait until it is shown."""
    window.actions_by_id["run-ensemble"].trigger()
    running = window.ensembles.running
    wait(qtbot, lambda: running.complete and running.seen is not None and running.seen.done == running.done)
    wait(qtbot, lambda: window.ensembles.seen is running.seen and not running.marching)


def test_an_ensemble_is_looked_at_saved_picked_run_again_and_given_up(
    check, qtbot, keeping, known, tmp_path, monkeypatch
) -> None:
    window = keeping
    show(qtbot, window, many())
    window.session.clock.playing = False
    run(qtbot, window)
    check(replay_without_a_rock_is_told, qtbot, window)
    check(what_rocks_left_is_shown_and_saved, qtbot, window, known, tmp_path, monkeypatch)
    check(maps_and_their_legends, qtbot, window, known)
    check(a_rock_that_is_clicked_falls_alone_bit_for_bit, qtbot, window)
    check(it_pauses_goes_on_and_ends_with_the_same_numbers, qtbot, window, known)
    window.actions_by_id["cancel-ensemble"].trigger()
    assert window.ensembles.running is None
    assert len(window.view.stage.land.panes[0].rocks.points) == 0
    assert not window.ensembles.panel.measures.isVisible()
    window.close()
    assert list((tmp_path / "unfinished").iterdir()) == []
    again = MainWindow()
    qtbot.addWidget(again)
    again.show()
    again.begin(again.files.last())
    assert again.ensembles.running is None
    again.close()
    assert list((tmp_path / "unfinished").iterdir()) == []


def replay_without_a_rock_is_told(qtbot, fallen) -> None:
    before = fallen.session.run
    qtbot.keyClick(fallen, Qt.Key.Key_R, Qt.KeyboardModifier.AltModifier)
    assert "No rock is chosen" in fallen.status.text()
    assert fallen.session.pending is None
    assert fallen.session.run is before


def what_rocks_left_is_shown_and_saved(qtbot, fallen, known, tmp_path, monkeypatch) -> None:
    panel, land = fallen.ensembles.panel, fallen.view.stage.land
    assert panel.isVisible()
    assert panel.bar.value() == panel.bar.maximum() == 6
    assert [sorted(set(pane.rocks.rock)) for pane in land.panes] == [list(range(6))]
    assert f"{known.rows.column('runout').max():.3g}" in panel.measures.text()
    assert f"{known.reasons['rest']} ({known.reasons['rest'] / 6:.0%})" in panel.reasons.text()
    assert not panel.barriers.isVisible()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "out"), ""))
    panel.save_button.click()
    wait(qtbot, lambda: "Saved" in panel.word.text())
    summary = json.loads((tmp_path / "out" / "summary.json").read_text())
    assert summary["rocks"] == 6
    assert "conditional on release" in summary["note"]
    assert (tmp_path / "out" / "maps" / "implicit" / "kinetic_energy_q95.tif").is_file()
    wait(qtbot, panel.saved.button.isVisible)
    assert panel.saved.word.text().replace("\u200b", "") == f"Saved in {tmp_path / 'out'}"
    for told in (panel.saved.word, panel.saved.button):  # where one has pressed
        wait(qtbot, lambda told=told: told.visibleRegion().boundingRect().height() == told.height())
    opened = Opened()
    QDesktopServices.setUrlHandler("file", opened, "take")
    panel.saved.button.click()
    QDesktopServices.unsetUrlHandler("file")
    assert opened.urls == [QUrl.fromLocalFile(str(tmp_path / "out"))]
    panel.save_button.click()  # the folder is there now
    wait(qtbot, lambda: "not empty" in panel.error.text())
    wait(qtbot, lambda: not panel.error.visibleRegion().isEmpty())


def maps_and_their_legends(qtbot, fallen, known) -> None:
    ground, panel = fallen.view.stage.land.ground, fallen.ensembles.panel
    qtbot.keyClick(fallen, Qt.Key.Key_M)
    wait(qtbot, lambda: [bar.title for bar in ground.bars] == ["reach probability"])
    assert fallen.ensembles.running.seen.left["implicit"].values.max() == 1.0  # all pass by the release
    assert not panel.statistic.isEnabled()
    assert panel.colour.currentData() == ""  # the paths would cover it
    panel.map.setCurrentIndex(panel.map.findData("kinetic_energy"))
    panel.map.activated.emit(panel.map.currentIndex())
    wait(qtbot, lambda: [bar.title for bar in ground.bars] == ["kinetic energy, 95 % quantile of 20 rocks or more"])
    time = fallen.session.clock.time
    panel.statistic.slider.setFocus()
    qtbot.keyClick(panel.statistic.slider, Qt.Key.Key_Right)
    wait(qtbot, lambda: [bar.title for bar in ground.bars] == ["kinetic energy, 99 % quantile of 100 rocks or more"])
    qtbot.keyClick(panel.statistic.slider, Qt.Key.Key_Left)
    wait(qtbot, lambda: [bar.title for bar in ground.bars] == ["kinetic energy, 95 % quantile of 20 rocks or more"])
    assert fallen.session.clock.time == time  # the arrows moved the slider and not the playhead
    assert panel.statistic.word.text() == "95 %"
    assert np.isnan(fallen.ensembles.running.seen.left["implicit"].values).all()  # of six rocks
    assert panel.fewest.text() == "Cells that at least 20 rocks crossed"
    qtbot.keyClick(panel.statistic.slider, Qt.Key.Key_End)
    wait(qtbot, lambda: [bar.title for bar in ground.bars] == ["kinetic energy, largest"])
    assert not panel.fewest.isVisible()
    energies = fallen.ensembles.running.seen.left["implicit"].values
    largest = known.rows.column("max_kinetic_energy").max()
    assert 0.5 * largest < np.nanmax(energies) <= 1.03 * largest
    panel.statistic.slider.setValue(3)
    panel.map.setCurrentIndex(0)
    panel.map.activated.emit(0)
    wait(qtbot, lambda: ground.bars == [])
    assert panel.colour.currentData() == "energy"


def a_rock_that_is_clicked_falls_alone_bit_for_bit(qtbot, fallen) -> None:
    ensembles, stage = fallen.ensembles, fallen.view.stage
    for known in range(1, 6):  # of a path that no other one covers
        points = stage.land.panes[0].rocks.points[stage.land.panes[0].rocks._owner == known]
        from app.stage.text.labels import projected

        pixels, _ = projected(fallen.view.viewport.plotter.renderers[0], points)
        u, v = pixels[len(pixels) // 2]
        high = fallen.view.viewport.plotter.render_window.GetSize()[1]
        at = QPoint(round(u), round(high - 1 - v)) / fallen.devicePixelRatioF()
        qtbot.mouseClick(fallen.view.viewport, Qt.MouseButton.LeftButton, pos=at)
        if ensembles.rock == known:
            break
    assert ensembles.rock == known
    row = ensembles.running.row(known)["implicit"]
    assert ensembles.panel.rock.number.text() == str(known)
    for text in ("9" * 5000, "99999999999", "\N{SUPERSCRIPT TWO}", "-1", " "):
        ensembles.panel.rock.number.setText(text)
        ensembles.panel.rock.number.textEdited.emit(text)
        assert ensembles.rock is None
    ensembles.choose(known)
    wait(qtbot, lambda: f"{row['duration']:.3g}" in ensembles.panel.rock.facts.text())
    before, clock = fallen.session.run, fallen.session.clock
    clock.playing = False
    fallen.session.to_end()
    begun: list[tuple[bool, float]] = []
    fallen.session.shown.connect(lambda _: begun.append((clock.playing, clock.time)))
    ensembles.panel.rock.replay_button.click()
    wait(qtbot, lambda: fallen.session.run is not before)
    assert begun == [(True, 0.0)]
    clock.playing = False
    settle(qtbot, fallen)
    assert fallen.session.run.scenario.ensemble.rock == known
    last = fallen.session.run.lanes[0].trajectory.position[-1]
    assert tuple(last) == (row["x"], row["y"], row["z"])
    assert ensembles.running is not None  # the ensemble stays, and the new stage shows it
    wait(qtbot, lambda: len(fallen.view.stage.land.panes[0].rocks.rock) == 6)
    fallen.actions_by_id["undo"].trigger()
    wait(qtbot, lambda: fallen.session.run.scenario.ensemble.rock == 0)


def it_pauses_goes_on_and_ends_with_the_same_numbers(qtbot, fallen, known) -> None:
    ensembles = fallen.ensembles
    qtbot.keyClick(fallen, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)  # again
    wait(qtbot, lambda: ensembles.running.done > 0)
    qtbot.keyClick(fallen, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    wait(qtbot, lambda: not ensembles.running.marching)
    if not ensembles.running.complete:
        wait(qtbot, lambda: ensembles.panel.run_button.text() == "Continue")
        ensembles.run()
    wait(qtbot, lambda: ensembles.running.complete)
    assert [ensembles.running.row(rock)["implicit"].tobytes() for rock in range(6)] == [
        row.tobytes() for row in known.rows.read()
    ]


def test_steps_that_are_too_coarse_are_told_while_rocks_fall_and_when_their_folder_opens_in_the_same_words(
    check, qtbot, window, tmp_path
) -> None:
    show(qtbot, window, many(step=0.5, record_every=1))
    window.session.clock.playing = False
    run(qtbot, window)
    panel = window.ensembles.panel
    save_results(tmp_path / "out", fallen_here(window.ensembles.running.scenario))
    coarse = json.loads((tmp_path / "out" / "summary.json").read_text())["coarse_steps"]
    (told,) = doubts(coarse, 0.5)
    assert "moved farther than their radius" in told
    assert panel.doubt.text() == told[:1].upper() + told[1:]
    assert panel.doubt.isVisible()
    window.files.open(tmp_path / "out")
    wait(qtbot, lambda: window.ensembles.look.results == str(tmp_path / "out") and window.ensembles.seen is not None)
    assert panel.doubt.text() == told[:1].upper() + told[1:]
    settle(qtbot, window)
    show(qtbot, window, many(barrier=({"line": ((8.0, -10.0), (8.0, 10.0)), "height": 3.0, "name": "fence"},)))
    run(qtbot, window)
    assert not panel.doubt.isVisible()
    check(barriers_are_told, panel.barriers)


def barriers_are_told(card) -> None:
    assert card.isVisible()
    assert card.choice.currentText() == "fence"
    assert all(f">{text}<" in card.table.text() for text in ("6", "100%"))
    assert sum(card.plot.getPlotItem().curves[0].getData()[1]) >= 6


def test_each_pane_shows_the_rocks_of_the_scheme_that_it_is_labelled_with(qtbot, window) -> None:
    both = many(schemes=("explicit", "implicit"))
    ensemble = fallen_here(both)
    show(qtbot, window, both)
    window.session.clock.playing = False
    run(qtbot, window)
    stage, panel = window.view.stage, window.ensembles.panel
    origin = np.array([*stage.land.ground.terrain.origin, 0.0])
    for pane, name in zip(stage.land.panes, both.schemes, strict=True):
        assert pane.whose.name == name
        known = ensemble.results[name].paths.points
        np.testing.assert_allclose(pane.rocks.points, known + origin, atol=1e-3)
    assert not np.array_equal(*(pane.rocks.ends.points for pane in stage.land.panes))
    assert stage.land.panes[0].rocks.bar == stage.land.panes[1].rocks.bar
    assert not panel.scheme.isVisible()  # nothing to choose
    window.actions_by_id["overlay"].setChecked(True)
    assert panel.scheme.isVisible()
    (pane,) = stage.land.panes
    for name in ("implicit", "explicit"):
        panel.scheme.setCurrentIndex(panel.scheme.findData(name))
        panel.scheme.activated.emit(panel.scheme.currentIndex())
        wait(qtbot, lambda name=name: pane.whose.name == name)
        np.testing.assert_allclose(pane.rocks.points, ensemble.results[name].paths.points + origin, atol=1e-3)
    window.actions_by_id["overlay"].setChecked(False)
    edited(qtbot, window, window.panel.schemes.checks["exact"].toggle)
    wait(qtbot, lambda: window.ensembles.seen is not None and window.view.stage.land.panes[0].whose is not None)
    panes = window.view.stage.land.panes
    assert [pane.whose and pane.whose.name for pane in panes] == ["explicit", "implicit", None]
    assert window.view.stage.land.summary(2, panes[2].schemes[0]) == "no results of many rocks"
    show(qtbot, window, cuboid())  # another terrain takes the ensemble away
    assert window.ensembles.running is None
    assert not window.ensembles.panel.isVisible()
    window.ensembles.run()
    assert window.ensembles.running is None


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_a_process_that_is_killed_is_told_the_window_runs_another_one_and_closing_ends_that(qtbot, window) -> None:
    show(qtbot, window, many(ensemble={"rocks": 100_000}))
    window.session.clock.playing = False
    ensembles, panel = window.ensembles, window.ensembles.panel
    ensembles.run()
    wait(qtbot, lambda: ensembles.running.done > 2 and panel.measures.isVisible())
    os.kill(ensembles.running.child.number, signal.SIGKILL)
    wait(qtbot, lambda: "was killed, perhaps for lack of memory; its rocks are lost" in panel.error.text())
    assert panel.word.text().startswith("Lost after")
    assert panel.run_button.text() == "Run again"
    assert panel.measures.isVisible()  # what was seen stays
    panel.save_button.click()
    assert panel.error.text() == "Nothing to save: the rocks of this ensemble are lost"
    panel.next_map()
    wait(qtbot, lambda: "was killed" in panel.error.text())  # it cannot be shown any more
    ensembles.run()
    wait(qtbot, lambda: ensembles.running.done > 2 and not ensembles.running.lost)
    assert panel.error.text() == ""
    child = ensembles.running.child
    window.close()  # amid the march
    assert workers() == []
    assert not child.alive


def test_a_window_that_is_closed_leaves_rocks_that_are_not_saved_to_the_next_one(qtbot, keeping, tmp_path) -> None:
    window = keeping
    show(qtbot, window, many())
    window.session.clock.playing = False
    run(qtbot, window)
    wait(qtbot, lambda: window.ensembles.unsaved)
    rows = [window.ensembles.running.row(rock)["implicit"].tobytes() for rock in range(6)]
    window.close()
    assert list((tmp_path / "unfinished").iterdir()) != []
    again = MainWindow()
    qtbot.addWidget(again)
    again.show()
    again.begin(again.files.last())
    wait(qtbot, lambda: again.ensembles.running is not None and again.ensembles.running.seen is not None)
    wait(qtbot, lambda: not again.ensembles.running.marching)
    assert again.ensembles.running.complete
    assert [again.ensembles.running.row(rock)["implicit"].tobytes() for rock in range(6)] == rows
    again.ensembles.cancel()
    assert again.ensembles.running is None
    again.close()
    assert [path.name for path in (tmp_path / "unfinished").iterdir()] == ["recovered.polhode.toml"]


def unfinished(window, kind: str):
    """What is listed of unfinished ensembles: to go on with, or to discard."""
    return [one for one in window.guides.entries() if one.kind == kind]


def test_rocks_that_gave_way_to_another_scenario_come_back_when_that_is_undone(qtbot, keeping, known) -> None:
    show(qtbot, keeping, many(ensemble={"rocks": 100_000, "seed": 3}))
    keeping.session.clock.playing = False
    ensembles = keeping.ensembles
    ensembles.run()
    wait(qtbot, lambda: ensembles.running.done > 2)  # long before the first checkpoint
    name, done = ensembles.unfinished, ensembles.running.done
    show(qtbot, keeping, cuboid())  # amid the march
    assert ensembles.running is None
    keeping.session.undo()
    wait(qtbot, lambda: ensembles.unfinished == name and not ensembles.running.marching)
    assert ensembles.running.done >= done
    assert [ensembles.running.row(rock)["implicit"].tobytes() for rock in range(3)] == [
        row.tobytes() for row in known.rows.read(0, 3)
    ]
    wait(qtbot, lambda: ensembles.panel.run_button.text() == "Continue")


def test_ensembles_that_are_not_saved_are_listed_until_they_are_discarded(qtbot, keeping, tmp_path) -> None:
    show(qtbot, keeping, many())
    keeping.session.clock.playing = False
    run(qtbot, keeping)
    name = keeping.ensembles.unfinished
    assert unfinished(keeping, "Continue") == []  # it is shown
    show(qtbot, keeping, cuboid())
    wait(qtbot, lambda: [one.name for one in recovery.left()] == [name])
    (one,) = unfinished(keeping, "Continue")
    assert (one.text, one.hint.split(",")[0]) == ("Test rock", "6 of 6 rocks")
    one.call()
    wait(qtbot, lambda: keeping.ensembles.unfinished == name and keeping.ensembles.running.complete)
    wait(qtbot, lambda: not keeping.ensembles.running.marching)  # until then the button pauses
    # another one of the same scenario does not take its place
    keeping.ensembles.panel.entries["ensemble.seed"].fill(4)
    keeping.ensembles.run()
    wait(qtbot, lambda: [one.name for one in recovery.left()] == [name])
    keeping.ensembles.cancel()
    (discard,) = unfinished(keeping, "Discard")
    discard.call()
    assert recovery.left() == []
    assert list((tmp_path / "unfinished").glob(f"{name}*")) == []
    keeping.actions_by_id["unfinished"].trigger()
    assert keeping.status.text() == "No other ensemble is unfinished"


def test_what_cannot_be_run_is_told_where_one_looks(check, qtbot, window) -> None:
    show(qtbot, window, cuboid())
    window.actions_by_id["save-results"].trigger()
    assert window.status.text().startswith("Nothing to save yet")
    show(qtbot, window, many())
    window.actions_by_id["save-results"].trigger()
    wait(qtbot, lambda: not window.ensembles.panel.error.visibleRegion().isEmpty())
    check(wrong_values_are_explained_beside_their_fields, window)
    check(a_seed_that_is_edited_in_the_scenario_is_that_of_the_ensemble, qtbot, window)
    check(rocks_that_are_all_the_same_are_refused, qtbot, window)


def wrong_values_are_explained_beside_their_fields(window) -> None:
    ensembles = window.ensembles
    for key, text, words in (
        ("ensemble.rocks", "0", "at least 1"),
        ("ensemble.rocks", "many", "whole number"),
        ("ensemble.seed", "-1", "at least 0"),
        ("workers", "0", "xpected 1 to"),
    ):
        entry = ensembles.panel.entries[key]
        good = entry.numbers[0].text()
        entry.numbers[0].setText(text)
        ensembles.run()
        assert words in entry.error.text(), key
        assert ensembles.running is None
        entry.numbers[0].setText(good)


def a_seed_that_is_edited_in_the_scenario_is_that_of_the_ensemble(qtbot, window) -> None:
    before = window.session.run
    window.panel.put({"ensemble.seed": 8})
    wait(qtbot, lambda: window.session.run is not before)
    assert window.ensembles.panel.asked(window.session.run.scenario)[0].ensemble.seed == 8


def rocks_that_are_all_the_same_are_refused(qtbot, window) -> None:
    show(qtbot, window, many(initial={"orientation": (1.0, 0.0, 0.0, 0.0)}))
    window.ensembles.run()
    wait(qtbot, lambda: "all rocks would be the same" in window.ensembles.panel.error.text())


def test_closing_before_the_first_rock_ends_all_threads(qtbot, window) -> None:
    show(qtbot, window, many(ensemble={"rocks": 100_000}))
    window.ensembles.run()
    window.close()
    assert workers() == []


def test_results_know_whether_they_are_of_what_is_shown() -> None:
    one = many()
    moved = Scenario(**one.portable() | {"soil": {"restitution": 0.0}})  # a file elsewhere; values that are usual
    same = one.changed(**{"ensemble.rocks": 9, "ensemble.rock": 2, "ensemble.seed": 5, "title": "Another"})
    assert edited_fields(one, same) == edited_fields(one, moved) == ()
    on_file = Scenario(**one.portable() | {"terrain": {"file": "slope.tif"}}, folder=".")  # opened from its folder
    assert edited_fields(on_file, Scenario(**on_file.portable())) == ()
    drawn = {"distribution": "uniform", "min": 500.0, "max": 900.0}
    for other in ({"ensemble.mass": drawn}, {"soil.mu_min": 0.3}, {"release.position": (2.0, 0.0)}):
        assert edited_fields(one, one.changed(**other))
