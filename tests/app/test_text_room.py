"""No text of the window, its panels, dialogs and sheets is wider than its place, in any language."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from text_room import cut

import assets
from app.system import language
from app.theme import DARK
from app.window.charts.report_card_panel import ReportCardPanel
from app.window.exports.dialog import ExportDialog
from app.window.exports.export_kinds import KINDS
from app.window.guides.help_window import HelpWindow
from app.window.guides.key_sheet import KeySheet
from app.window.guides.problem_report import ProblemReport
from app.window.main_window import MainWindow
from app.window.motion_dialog import MotionDialog
from physics import SCHEMES, Scenario, load_scenario
from physics.analysis.report_card import ReportCard, check

# scenarios with all fields of their kinds: a free body, a top, a ship of a paper, a hull, a rock, a toy
SHOWN = ("cuboid-major", "top-steady", "vessel-damped", "ship-fins", "rock-quarry", "table-disk")
TOSS = Path(assets.__file__).parent / "measured" / "synthetic-toss.csv"


@pytest.fixture(scope="module")
def scenarios() -> list[Scenario]:
    """A scenario of each kind."""
    return [load_scenario(assets.examples()[name]) for name in SHOWN]


@pytest.fixture(scope="module")
def card() -> ReportCard:
    """What a scheme keeps, measured."""
    return check(SCHEMES["explicit"])


@pytest.fixture(params=language.LANGUAGES)
def speaking(request: pytest.FixtureRequest) -> Iterator[str]:
    """Each language, and English again after it."""
    with language.speaking(request.param):
        yield request.param


def settled(widget: QWidget) -> list[str]:
    """What is cut off when all layouts have come to rest: lines that break change heights around them."""
    widget.show()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)  # rows of the kind before
    for _ in range(4):
        QApplication.processEvents()
    return cut(widget)


def test_every_text_has_room(
    speaking: str, scenarios: list[Scenario], card: ReportCard, qtbot: QtBot, no_collector: None
) -> None:
    window = MainWindow()
    qtbot.addWidget(window)
    window.resize(1280, 720)
    window.ensembles.panel.show_scenario(scenarios[4])
    window.ensembles.panel.setVisible(True)
    for box in window.ensembles.panel.results:
        box.setVisible(True)
    found = settled(window)
    for scenario in scenarios:
        window.panel.show_scenario(scenario)
        for entry in window.panel.entries.values():
            entry.setVisible(True)  # those of other choices too
        found += settled(window.panel)
    for dialog in dialogs(window, scenarios, card):
        found += settled(dialog)
    window.close()
    assert found == []


def dialogs(window: MainWindow, scenarios: list[Scenario], card: ReportCard) -> Iterator[QWidget]:
    """The window's dialogs and sheets, one after the other."""
    yield from (KeySheet(DARK, window), HelpWindow(DARK, window), ProblemReport("a\nb\nc\nd", window))
    yield MotionDialog(TOSS, DARK, window)
    export = ExportDialog(scenarios[4], window.exports, window)
    for kind in KINDS:
        export.choose_kind(kind)
        yield export
    panel = ReportCardPanel(card.scheme, DARK, window)
    panel.give_up()  # it is measured already
    panel._take(card)
    yield panel
    panel.close()
    panel.worker.join()
