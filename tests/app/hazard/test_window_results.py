"""A folder of results in the window: opened, dropped, looked at, a rock replayed; a session remembers it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog

from app.document.session import load_session
from app.hazard.layers import check_layers
from app.hazard.window.tables import kaplan_meier, measures_table, reasons_table
from app.theme import DARK
from physics.core.wording import per_cent
from tests.app.slopes import ROCKS
from tests.app.windowing import cuboid, drop, edited, settle, show, wait

pytestmark = pytest.mark.picture


@pytest.fixture
def saved_ensemble(qtbot, window, folders):
    """A window that shows a folder of results."""
    window.appearance.set_calm(True)
    window.files.open(folders / "out")
    shown(qtbot, window)
    return window


def shown(qtbot, window) -> None:
    wait(qtbot, lambda: window.session.run is not None and window.session.run.scenario.kind == "rockfall")
    settle(qtbot, window)
    wait(qtbot, lambda: window.ensembles.seen is not None and window.ensembles.seen is window.ensembles.running.seen)


def test_all_of_the_folder_is_shown_and_a_rock_of_it_replayed(check, qtbot, saved_ensemble) -> None:
    check(the_share_of_rocks_that_did_not_rest_stands_beside_the_run_out, saved_ensemble)
    check(all_of_the_folder_is_shown, qtbot, saved_ensemble)
    check(a_rock_of_the_folder_is_replayed_bit_for_bit, qtbot, saved_ensemble)


def the_share_of_rocks_that_did_not_rest_stands_beside_the_run_out(saved_ensemble) -> None:
    panel = saved_ensemble.ensembles.panel
    told = saved_ensemble.ensembles.seen.summaries
    assert any(one.censored for one in told.values())
    assert "not all at rest" in panel.measures.text()
    for one in told.values():
        assert one.censored == 1.0 - one.reasons.get("rest", 0) / ROCKS
        assert per_cent(one.censored) in panel.reasons.text()
        assert kaplan_meier(one) in panel.reasons.text()
    some = next(iter(told.values()))
    assert kaplan_meier(replace(some, median=17.25)) == "17.2"
    assert kaplan_meier(replace(some, median=None)) == f"&gt; {some.measures['runout']['max']:.3g}"
    all_rest = {"explicit": replace(some, reasons={"rest": 7})}
    assert "not" not in reasons_table(all_rest, DARK) + measures_table(all_rest, DARK)
    assert [*map(per_cent, (1e-6, 0.0004, 0.01, 0.0, 1.0, 1.5))] == ["0.0001%", "0.04%", "1%", "0%", "100%", "150%"]


def all_of_the_folder_is_shown(qtbot, saved_ensemble) -> None:
    panel, land = saved_ensemble.ensembles.panel, saved_ensemble.view.stage.land
    assert panel.isVisible()
    assert [sorted(set(pane.rocks.rock)) for pane in land.panes] == [list(range(ROCKS))] * 2
    assert f"{ROCKS} rocks. Saved:" in panel.word.text()
    assert panel.barriers.isVisible()
    assert panel.run_button.text() == "Run again"
    panel.map.setCurrentIndex(panel.map.findData("jump_height"))
    panel.map.activated.emit(panel.map.currentIndex())
    wait(qtbot, lambda: [bar.title for bar in land.ground.bars] == ["jump height, 95 % quantile of 20 rocks or more"])
    panel.statistic.slider.setValue(panel.statistic.slider.maximum())
    wait(qtbot, lambda: [bar.title for bar in land.ground.bars] == ["jump height, largest"])
    assert [pane.whose.name for pane in land.panes] == ["explicit", "implicit"]
    panel.save_button.click()
    assert "saved already" in panel.error.text()
    scenario = saved_ensemble.session.run.scenario
    kinds = {"ensemble": {"rocks": ROCKS, "seed": 5}, "scenario_class": [{"volume": 0.3, "return_period": 30}]}
    for proposed, listed in ((scenario.changed(**kinds), True), (scenario, False)):
        panel.show_scenario(proposed)
        assert [panel.map.findData(name) > 0 for name in ("frequency", "intensity_300a")] == [listed, listed]


def a_rock_of_the_folder_is_replayed_bit_for_bit(qtbot, saved_ensemble) -> None:
    qtbot.keyClick(saved_ensemble, Qt.Key.Key_Period)
    qtbot.keyClick(saved_ensemble, Qt.Key.Key_Period)
    assert saved_ensemble.ensembles.rock == 1
    row = saved_ensemble.ensembles.running.row(1)["implicit"]
    edited(qtbot, saved_ensemble, lambda: qtbot.keyClick(saved_ensemble, Qt.Key.Key_R, Qt.KeyboardModifier.AltModifier))
    last = next(
        lane for lane in saved_ensemble.session.run.lanes if lane.scheme.name == "implicit"
    ).trajectory.position[-1]
    assert tuple(last) == (row["x"], row["y"], row["z"])
    assert saved_ensemble.ensembles.look.results is not None


def test_an_export_shows_what_the_window_shows(qtbot, saved_ensemble) -> None:
    panel, ensembles = saved_ensemble.ensembles.panel, saved_ensemble.ensembles
    assert ensembles.look.said == {"results": ensembles.look.results, "colour": "energy", "whose": "explicit"}
    check_layers(ensembles.look.put_into(saved_ensemble.session.run.scenario))
    before = saved_ensemble.session.run
    saved_ensemble.panel.schemes.checks["explicit"].toggle()
    wait(qtbot, lambda: saved_ensemble.session.run is not before)
    panel.scheme.setCurrentIndex(panel.scheme.findData("implicit"))
    scenario = saved_ensemble.session.run.scenario
    assert ensembles.look.said == {"results": ensembles.look.results, "colour": "energy"}
    check_layers(ensembles.look.put_into(scenario))
    panel.map.setCurrentIndex(panel.map.findData("velocity"))
    assert ensembles.look.map == "velocity_q95"
    check_layers(ensembles.look.put_into(scenario))


def test_a_session_remembers_the_folder(qtbot, saved_ensemble, folders, tmp_path) -> None:
    saved_ensemble.files.path = tmp_path / "mine.polhode.toml"
    saved_ensemble.files.save()
    assert load_session(saved_ensemble.files.path).look.results == str(folders / "out")
    seen = load_session(saved_ensemble.files.path).seen
    assert (seen.export.results, seen.export.map, seen.view.colour) == (str(folders / "out"), None, "energy")
    check_layers(seen)
    panel = saved_ensemble.ensembles.panel
    panel.map.setCurrentIndex(panel.map.findData("velocity"))
    panel.statistic.slider.setValue(panel.statistic.slider.maximum())
    panel.scheme.setCurrentIndex(panel.scheme.findData("implicit"))
    saved_ensemble.files.save()
    seen = load_session(saved_ensemble.files.path).seen
    assert (seen.export.map, seen.export.whose) == ("velocity_max", "implicit")
    check_layers(seen)
    show(qtbot, saved_ensemble, cuboid())
    assert saved_ensemble.ensembles.running is None
    panel.map.setCurrentIndex(0)
    panel.statistic.slider.setValue(0)
    saved_ensemble.files.open(tmp_path / "mine.polhode.toml")
    shown(qtbot, saved_ensemble)
    wait(qtbot, lambda: saved_ensemble.view.stage.land.ground.map_in(1) == "velocity, largest")
    assert (panel.shown.layer, panel.shown.scheme) == ("velocity_max", "implicit")
    text = (tmp_path / "mine.polhode.toml").read_text().replace(str(folders / "out"), str(tmp_path / "gone"))
    (tmp_path / "mine.polhode.toml").write_text(text)
    before = saved_ensemble.session.run
    saved_ensemble.files.open(tmp_path / "mine.polhode.toml")
    wait(qtbot, lambda: saved_ensemble.session.run is not before)
    assert "not a folder of results" in saved_ensemble.message.text.text()
    assert saved_ensemble.ensembles.running is None


def test_a_folder_is_dropped_or_chosen_and_one_without_paths_shows_deposits(
    qtbot, window, folders, monkeypatch
) -> None:
    window.appearance.set_calm(True)
    drop(window, folders / "bare")
    shown(qtbot, window)
    for pane in window.view.stage.land.panes:
        assert np.unique(pane.rocks.rock).tolist() == list(range(ROCKS))
        assert pane.rocks.bar is None
        assert pane.rocks.summary.endswith(" places of rest")
    assert window.settings.recent[0] == str(folders / "bare")
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(folders))
    window.actions_by_id["open-results"].trigger()
    assert "not a folder of results" in window.message.text.text()
