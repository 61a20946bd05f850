"""No text of the window, its panels, dialogs and sheets is wider than its place, in any language."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

import assets
from app.document.export_kinds import KINDS
from app.kinds import kind_of
from app.kinds.quantities import Quantity
from app.system import language
from app.theme import DARK
from app.window.charts.chart import Chart
from app.window.charts.order_panel import OrderPanel
from app.window.charts.report_card_panel import ReportCardPanel
from app.window.exports.dialog import ExportDialog
from app.window.guides.help_window import HelpWindow
from app.window.guides.key_sheet import KeySheet
from app.window.guides.problem_report import ProblemReport
from app.window.live_dialog import LiveDialog
from app.window.main_window import MainWindow
from app.window.motion_dialog import MotionDialog
from physics import SCHEMES, Scenario, World, load_scenario
from physics.analysis.report_card import ReportCard, check
from tests.app.text_room import cut, texts

# scenarios with all fields of their kinds: a free body, a top, a ship of a paper, a hull, a rock, a toy
SHOWN = ("cuboid-major", "top-steady", "vessel-damped", "ship-fins", "rock-quarry", "table-disk")
TOSS = Path(assets.__file__).parent / "measured" / "synthetic-toss.csv"


@pytest.fixture(scope="module")
def scenarios() -> list[Scenario]:
    """A scenario of each kind."""
    return [load_scenario(assets.examples()[name]) for name in SHOWN]


@pytest.fixture(scope="module")
def charted(scenarios: list[Scenario]) -> list[tuple[Quantity, World]]:
    """Each chart that a scenario of these may have, once on each scale, and a world of it."""
    worlds = [(scenario, World.of(scenario)) for scenario in scenarios]
    choices = [(one, world) for scenario, world in worlds for one in kind_of(scenario).choices]
    scaled = [(one.scaled(log), world) for one, world in choices for log in (False, True)]
    return [*{(one.title, one.log): (one, world) for one, world in scaled}.values()]


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


def test_names_and_numbers_of_axes_have_room(
    speaking: str, charted: list[tuple[Quantity, World]], qtbot: QtBot, no_collector: None
) -> None:
    found = []
    for quantity, world in charted:
        chart = narrow(quantity, world)
        qtbot.addWidget(chart)
        chart.show()
        QApplication.processEvents()
        rooms = list(texts(chart.plot))
        found += [room for room in rooms if room[1] > room[2]]
        unit = chart.plot.getAxis("bottom").unit
        assert any(text.endswith(f" {unit}") for text, *_ in rooms), quantity.title
        chart.close()
    assert found == []


def narrow(quantity: Quantity, world: World) -> Chart:
    """A chart as narrow as the six that fit beside the panel at 1280 pixels, with numbers as long as they come."""
    chart = Chart(quantity, (), world, DARK)
    chart.resize(150, 180)
    chart.plot.setXRange(0.0, 120.0 if quantity.over is None else 5000.0, padding=0.01)
    usual = (-16.0, 0.0) if quantity.log else (-5.75e9, 5.75e9)
    chart.set_range(*(usual if quantity.decades is None else quantity.decades.limits(np.zeros(1))))
    return chart


def dialogs(window: MainWindow, scenarios: list[Scenario], card: ReportCard) -> Iterator[QWidget]:
    """The window's dialogs and sheets, one after the other."""
    yield from (KeySheet(DARK, window), HelpWindow(DARK, window), ProblemReport("a\nb\nc\nd", window))
    yield MotionDialog(TOSS, DARK, window)
    yield LiveDialog(window.workspace, window)
    export = ExportDialog(scenarios[4], window.exports, window)
    for kind in KINDS:
        export.choose_kind(kind)
        yield export
    order = OrderPanel(scenarios[0], DARK, window)
    order.give_up()  # names of axes stand there before the first point
    yield order
    order.close()
    order.worker.join()
    panel = ReportCardPanel(card.scheme, DARK, window)
    panel.give_up()  # it is measured already
    panel._take(card)
    yield panel
    panel.close()
    panel.worker.join()
