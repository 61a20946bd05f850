"""Many starts in the window: found by its name, shown, saved as the command does, refused in a sentence, cancelled."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from test_window_guides import palette

from app.document.toml_writer import toml_text
from app.theme import DARK
from app.window.charts.starts_panel import StartsPanel
from physics import Scenario
from tests.app.commanding import polhode
from tests.app.windowing import show, wait
from tests.small import pendulum, top

pytestmark = pytest.mark.picture
SWEEP = [{"joint": joint, "from": -2.9, "to": 2.9, "points": 2} for joint in ("shoulder", "elbow")]


def opened(qtbot, window, scenario: Scenario) -> StartsPanel:
    """The dialog of a scenario, opened by the search of commands."""
    show(qtbot, window, scenario)
    qtbot.keyClick(palette(qtbot, window, "many starts").line, Qt.Key.Key_Return)
    return window.findChildren(StartsPanel)[-1]


def pictures(panel: StartsPanel) -> list[QLabel]:
    return [label for label in panel.findChildren(QLabel) if not label.pixmap().isNull()]


def test_a_sweep_is_shown_and_saved_as_the_command_writes_it(qtbot, window, tmp_path: Path, monkeypatch) -> None:
    scenario = pendulum(ensemble={"over": ["lower"], "sweep": SWEEP})
    panel = opened(qtbot, window, scenario)
    assert panel.close_button.text() == "Cancel"
    wait(qtbot, lambda: not panel.measuring)
    assert panel.close_button.text() == "Close"
    file = tmp_path / "pendulum.toml"
    file.write_text(toml_text(scenario.to_plain()))
    done = polhode("ensemble", file, "-o", tmp_path / "command")
    assert panel.shares.text() + "\n" == done.out
    assert done.out.startswith("moser-veselov: lower goes over first ")
    (picture,) = pictures(panel)
    assert picture.height() > 400
    kept = tmp_path / "window"
    monkeypatch.setattr("app.window.widgets.QFileDialog.getSaveFileName", lambda *_: (str(kept), ""))
    panel.save_button.click()
    assert str(kept) in panel.note.text()
    names = {one.name for one in (tmp_path / "command").iterdir()}
    assert names == {one.name for one in kept.iterdir()} == {"basin.pdf", "basin.png", "runs.csv", "summary.json"}
    assert (kept / "runs.csv").read_bytes() == (tmp_path / "command" / "runs.csv").read_bytes()
    panel.save_button.click()
    assert "the folder is not empty" in panel.word.text()
    show(qtbot, window, top())
    assert not window.actions_by_id["many-starts"].isEnabled()


@pytest.mark.parametrize(
    ("ensemble", "why"),
    [
        ({}, "Ensemble.runs: expected more than 1 in the file, and a spread of the starts, got 1"),
        ({"runs": 4}, "Ensemble.spread: all runs would be the same; expected a number above 0 in it"),
    ],
)
def test_starts_that_do_not_differ_are_refused_in_a_sentence(qtbot, window, ensemble, why) -> None:
    panel = opened(qtbot, window, pendulum(ensemble=ensemble, duration=0.1))
    wait(qtbot, lambda: not panel.measuring)
    assert panel.word.text() == why
    assert panel.shares.text() == ""
    assert not panel.save_button.isEnabled()


def test_cancelling_ends_runs_within_the_first(qtbot) -> None:
    """The runs have 10⁷ steps each: both rods hang, and none goes over."""
    starts = {"runs": 4, "spread": {"angle": 0.1}}
    panel = StartsPanel(pendulum(ensemble=starts, duration=1e5, record_every=5), DARK)
    qtbot.addWidget(panel)
    panel.show()
    wait(qtbot, lambda: not panel.measuring or (panel.ensemble is not None and panel.ensemble.workers > 0))
    assert panel.measuring
    panel.close_button.click()
    panel.worker.join()
    assert np.isnan(panel.ensemble.series[0].rows).all()
    assert not panel.save_button.isEnabled()
