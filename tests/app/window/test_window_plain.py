"""Texts from files are shown letter by letter: Qt takes what holds a tag for HTML, and loads the pictures it names."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint
from PySide6.QtGui import QAction, QHelpEvent, Qt
from PySide6.QtWidgets import (
    QApplication,
    QGraphicsTextItem,
    QGraphicsView,
    QLabel,
    QListWidget,
    QTextEdit,
    QToolTip,
    QWidget,
)

from app.document.export_kinds import VIDEO
from app.document.look import CameraPlace
from app.playback.markers import Marker
from app.window.guides.command_palette import CommandPalette
from physics import Scenario, ScenarioError
from tests.app.windowing import rock, show, wait

pytestmark = pytest.mark.picture
TAG = "<img src='/lure.png'>"  # opened by Qt where it is rendered
LOADED = "\ufffc"  # a picture in the plain text of a document


def rendered() -> Iterator[str]:
    """What would load the picture, of all widgets of all windows."""
    for widget in QApplication.allWidgets():
        place = f"{type(widget).__name__} {widget.accessibleName()}"
        if isinstance(widget, QLabel) and is_rendered(widget.text(), widget.textFormat()):
            yield f"{place}: {widget.text()}"
        if isinstance(widget, QTextEdit) and LOADED in widget.toPlainText():
            yield f"{place}: page"
        if isinstance(widget, QListWidget):
            tips = (widget.item(i).toolTip() for i in range(widget.count()))
            yield from (f"{place}: {told}" for told in tips if is_rendered(told))
        if isinstance(widget, QGraphicsView):
            texts = (item for item in widget.items() if isinstance(item, QGraphicsTextItem))
            yield from (f"{place}: drawn" for item in texts if LOADED in item.toPlainText())
        if is_rendered(widget.toolTip()):
            yield f"{place}, tip: {widget.toolTip()}"
        for action in widget.findChildren(QAction):
            if is_rendered(action.toolTip()):
                yield f"{place}, action: {action.toolTip()}"


def is_rendered(text: str, form: Qt.TextFormat = Qt.TextFormat.AutoText) -> bool:
    rich = form == Qt.TextFormat.RichText or (form == Qt.TextFormat.AutoText and Qt.mightBeRichText(text))
    return (rich and "<img" in text) or form == Qt.TextFormat.MarkdownText


def shown(parent: QWidget) -> str:
    """All that labels show."""
    return "\n".join(label.text() for label in parent.window().findChildren(QLabel))


def hostile() -> Scenario:
    """Rocks with a fence, whose title, note and source are a tag."""
    fence = {"name": "net", "line": [[3.0, -8.0], [3.0, 8.0]], "height": 2.0}
    many = {"initial": {"orientation": "random"}, "ensemble": {"rocks": 2, "seed": 3}, "schemes": ("implicit",)}
    return rock(title=TAG, note=f"{TAG}: a note", source=TAG, barrier=[fence], duration=2.0, **many)


def test_nothing_of_a_hostile_scenario_is_rendered(qtbot, window, tmp_path: Path) -> None:
    show(qtbot, window, hostile())
    window.session.clock.playing = False
    window.actions_by_id["run-ensemble"].trigger()
    wait(qtbot, lambda: window.ensembles.running.complete and window.ensembles.panel.barriers.choice.count() == 1)
    beside = {"position": (9.0, 0.0, 0.0), "focus": (0.0, 0.0, 0.0)}
    window.cameras.set_places([CameraPlace(name=TAG, camera="fit", viewpoint=beside)])
    window.settings.recent = [str(tmp_path / f"{TAG.replace('/', '')}.toml")]
    window.workspace.complain(ScenarioError("kind", f"expected free, got '{TAG}'", f"{TAG}.toml"))
    window.workspace.tell(f"Saved: {TAG}")
    window.ensembles.panel.explain(f"{TAG}: no such folder")
    window.ensembles.panel.saved.tell("", f"/{TAG}")
    window.panel.explain(ScenarioError("step", f"got '{TAG}'"))
    window.files.export()
    window.exports.add(window.session.run.scenario, tmp_path / "<img src=lure.png>.mp4", VIDEO)
    window.guides.show_gallery()
    window.guides.show_palette("img")
    (palette,) = window.findChildren(CommandPalette)
    assert palette.list.count() > 2  # scenario, viewpoint and recent file
    assert TAG in shown(window)  # as it is written
    assert not list(rendered())
    window.exports.stop()


def test_what_happened_is_told_as_it_is_written(qtbot, window) -> None:
    show(qtbot, window, rock(schemes=("implicit",), duration=1.0))
    line = window.transport.timeline
    line.mark((Marker(0.0, "impact", "", f"{TAG}: impact"),), None, None)
    place = QPoint(round(line._place(0.0)), line.height() // 2)
    QApplication.sendEvent(line, QHelpEvent(QEvent.Type.ToolTip, place, line.mapToGlobal(place)))
    assert QToolTip.isVisible()
    assert not is_rendered(QToolTip.text())
    QToolTip.hideText()
