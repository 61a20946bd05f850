"""The panel of report cards: what it shows, the keyboard, saving, and ending what it computes."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt

from app.theme import DARK, LIGHT
from app.window.actions import MENUS
from app.window.charts import report_card_panel
from app.window.charts.report_card_panel import ReportCardPanel
from app.window.guides.help_window import HelpWindow
from physics import SCHEMES, PhysicsError
from physics.analysis.card_items import card_items
from tests.app.windowing import cuboid, show, wait

SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def panel(qtbot) -> ReportCardPanel:
    made = ReportCardPanel("explicit", DARK)
    qtbot.addWidget(made)
    made.show()
    yield made
    made.close()
    made.worker.join()
    assert not made.worker.is_alive()


def known(qtbot, panel: ReportCardPanel) -> None:
    wait(qtbot, lambda: panel.card is not None and not panel.busy.isVisible())


def lines(panel: ReportCardPanel) -> list[list[str]]:
    table = panel.table
    return [[table.item(i, k).text() for k in range(table.columnCount())] for i in range(table.rowCount())]


def test_it_shows_the_items_of_the_card_with_a_sign_for_each_class_and_saves_them(
    qtbot, panel, tmp_path, monkeypatch
) -> None:
    known(qtbot, panel)
    items = card_items(panel.card, SCHEMES["explicit"])
    shown = lines(panel)
    assert [line[0].lower() for line in shown] == [item.name for item in items]
    found = {line[0]: line[1] for line in shown}
    assert found["Energy, free body"] == "●  kept"
    assert found["Size of angular momentum, free body"] == "▼  dissipates"
    assert found["Angular momentum, free body"] == "▲  drifts"
    assert found["Reversible"] == "○  no"
    assert panel.verdict.text().startswith("Order 1; energy kept; angular momentum drifts; ")
    assert panel.agreement.text() == "The card agrees with what is claimed."
    assert panel.agreement.property("role") == "dim"

    def save(name: str) -> None:
        place = (str(tmp_path / name), "")
        monkeypatch.setattr("app.window.widgets.QFileDialog.getSaveFileName", lambda *_: place)
        panel.save_button.click()

    save("card.txt")
    assert "card.txt" in panel.note.text()
    text = (tmp_path / "card.txt").read_text(encoding="utf-8")
    assert "explicit: order 1; energy kept" in text
    assert text.endswith("The card agrees with what is claimed.\n")
    save("card.json")
    assert json.loads((tmp_path / "card.json").read_text(encoding="utf-8"))["spin"]["class"] == "drifts"
    save("card.docx")
    assert "card.docx" in panel.word.text()
    assert len(list(tmp_path.iterdir())) == 2


def test_what_is_claimed_wrongly_is_marked(qtbot, monkeypatch) -> None:
    wrong = SCHEMES | {"explicit": replace(SCHEMES["explicit"], keeps_spin=True)}
    monkeypatch.setattr(report_card_panel, "SCHEMES", wrong)
    panel = ReportCardPanel("explicit", LIGHT)
    qtbot.addWidget(panel)
    panel.show()
    known(qtbot, panel)
    claimed = {line[0]: line[3] for line in lines(panel)}
    assert claimed["Angular momentum, free body"] == "✕  kept"
    assert [name for name, text in claimed.items() if "✕" in text] == ["Angular momentum, free body"]
    assert "does not agree" in panel.agreement.text()
    assert panel.agreement.property("role") == "error"
    panel.close()


def test_what_goes_wrong_is_told(qtbot, panel, monkeypatch) -> None:
    def failing(scheme, progress):
        raise PhysicsError("this one is out of order")

    known(qtbot, panel)
    monkeypatch.setattr(report_card_panel, "check", failing)
    panel.choice.setCurrentIndex(panel.choice.findData("implicit"))
    wait(qtbot, lambda: panel.word.isVisible())
    assert panel.word.text() == "This one is out of order"
    assert not panel.busy.isVisible()
    panel.choice.setCurrentIndex(panel.choice.findData("explicit"))
    assert not panel.word.isVisible()


@pytest.mark.picture
def test_the_menu_opens_it_for_the_first_lane_and_its_help(qtbot, window) -> None:
    assert "report-card" in [action.id for action in MENUS["Schemes"]]
    show(qtbot, window, cuboid(schemes=("implicit", "explicit")))
    qtbot.keyClick(window, Qt.Key.Key_H, SHIFT)
    (panel,) = window.findChildren(ReportCardPanel)
    assert panel.scheme == "implicit"
    panel.help_button.click()
    assert window.findChild(HelpWindow).page == "report-card"
    worker = panel.worker
    qtbot.keyClick(panel, Qt.Key.Key_Escape)
    window.close()
    assert not worker.is_alive()
