"""Lanes of a slope by distribution in the window: reached from the strip, said and saved as the command does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from app.document.toml_writer import toml_text
from app.hazard.window.distributions import DistributionPanel
from tests.app.commanding import polhode
from tests.app.windowing import show, wait
from tests.small import rock, top

pytestmark = pytest.mark.picture


def test_the_strip_of_a_slope_leads_to_what_the_command_says(qtbot, window, tmp_path: Path, monkeypatch) -> None:
    slope = rock(title="Ramp", step=0.01, duration=6.0, initial={"orientation": "random"}, ensemble={"seed": 3})
    show(qtbot, window, slope)
    strip = window.verdicts
    window.actions_by_id["verdicts"].trigger()
    assert strip.distribution_button.isVisible()
    qtbot.mouseClick(strip.distribution_button, Qt.MouseButton.LeftButton)
    panel = window.findChild(DistributionPanel)
    panel.rocks.setValue(25)
    panel.run_button.click()
    wait(qtbot, lambda: not panel.measuring)
    file, table = tmp_path / "ramp.toml", tmp_path / "table.csv"
    file.write_text(toml_text(slope.portable()))
    done = polhode("compare", file, "--rocks", "25", "--json", "-o", table)
    told = [lane["sentence"] for lane in json.loads(done.out)["lanes"].values()]
    assert panel.sentences.text().splitlines()[: len(told)] == told
    assert panel.picture.pixmap().width() > 400
    kept = tmp_path / "kept.csv"
    monkeypatch.setattr("app.window.widgets.QFileDialog.getSaveFileName", lambda *_: (str(kept), ""))
    panel.save_button.click()
    assert kept.read_text(encoding="utf-8") == table.read_text(encoding="utf-8")
    panel.close()
    show(qtbot, window, top())
    assert not strip.distribution_button.isVisible()
    assert not window.actions_by_id["distributions"].isEnabled()


def test_a_slope_whose_rocks_are_all_the_same_is_refused_in_a_sentence(qtbot, window) -> None:
    show(qtbot, window, rock(step=0.01, duration=2.0))
    window.actions_by_id["distributions"].trigger()
    panel = window.findChild(DistributionPanel)
    wait(qtbot, lambda: not panel.measuring)
    assert "all rocks would be the same; expected 'random'" in panel.word.text()
    assert not panel.save_button.isEnabled()
    panel.close()
