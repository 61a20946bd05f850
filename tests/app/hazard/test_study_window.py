"""A study in the window, from a terrain to its report: every action of a user's, counted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pypdf import PdfReader
from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QLineEdit
from test_window_ensemble import Opened, run

from tests.app.windowing import drop, edited, settle, wait
from tests.small import write_slope

pytestmark = pytest.mark.picture

MOST = 12  # actions


def test_a_terrain_becomes_a_report_in_twelve_actions(qtbot, window, tmp_path, monkeypatch) -> None:
    write_slope(tmp_path / "slope.tif", 2.0, 60, 2_700_000.0, 1_200_000.0)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, **__: (str(tmp_path / "study"), ""))
    opened, panel = Opened(), window.ensembles.panel
    QDesktopServices.setUrlHandler("file", opened, "take")
    done = []

    def act(what: str, deed: Callable[[], object]) -> None:
        done.append(what)
        deed()

    def type_into(line: QLineEdit, text: str) -> None:
        line.setFocus()
        line.clear()
        qtbot.keyClicks(line, text)

    act("drop the terrain", lambda: drop(window, tmp_path / "slope.tif"))
    wait(qtbot, lambda: window.session.run is not None and window.session.run.scenario.title == "slope")
    settle(qtbot, window)
    classes = window.panel.entries["scenario_class"]
    act("add a class", classes.add_button.click)
    (one,) = classes.items
    act("type its volume", lambda: type_into(one.line, "0.5"))
    edited(qtbot, window, lambda: act("type how often it starts", lambda: type_into(one.often, "0.02")))
    act("open the panel of ensembles", window.actions_by_id["ensemble"].trigger)
    act("type how many rocks", lambda: type_into(panel.entries["ensemble.rocks"].numbers[0], "8"))
    act("run", lambda: run(qtbot, window))
    assert panel.map.findData("intensity_300a") > 0  # its class is younger than the terrain's panel
    act("save", panel.save_button.click)
    done.append("name the folder")
    wait(qtbot, panel.saved.report_button.isVisible)
    act("open the report", panel.saved.report_button.click)
    assert len(done) <= MOST
    (report,) = opened.urls
    QDesktopServices.unsetUrlHandler("file")
    assert report == QUrl.fromLocalFile(str(tmp_path / "study" / "report.pdf"))
    first = PdfReader(Path(report.toLocalFile())).pages[0].extract_text()
    for word in ("slope", "medium, recommended laws", "0.02", "0.5"):
        assert word in first.lower()
