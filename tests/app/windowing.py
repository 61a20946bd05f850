"""What the window's tests share: small scenarios, and waiting for a window that shows one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.window.main_window import MainWindow
from app.window.mesh_dialog import MeshDialog
from app.window.widgets import Question
from physics import Scenario
from tests import small


def cuboid(**changes) -> Scenario:
    """A free cuboid: two seconds under two schemes."""
    return small.cuboid(**({"title": "Test cuboid", "note": "Look at it."} | changes))


def rock(**changes) -> Scenario:
    """A rock on a short ramp."""
    return small.rock(**({"title": "Test rock"} | changes))


def wait(qtbot: QtBot, condition: Callable[[], bool]) -> None:
    """Until a condition holds; kernels may compile meanwhile, which takes minutes. What hangs fails, by name."""
    qtbot.waitUntil(condition, timeout=900_000)


def show(qtbot: QtBot, window: MainWindow, scenario: Scenario) -> None:
    """Open a scenario and wait until its stage stands and its run is complete."""
    window.open(scenario)
    wait(qtbot, lambda: window.session.run is not None and window.session.run.scenario is scenario)
    settle(qtbot, window)


def settle(qtbot: QtBot, window: MainWindow) -> None:
    """Wait until the shown run is complete and staged, and nothing else is computed."""
    session = window.session
    wait(qtbot, lambda: session.pending is None and session.clock.complete and window.staged)


def edited(qtbot: QtBot, window: MainWindow, action: Callable[[], object]) -> Scenario:
    """The scenario after an action that makes another run."""
    before = window.session.run
    action()
    wait(qtbot, lambda: window.session.run is not before)
    settle(qtbot, window)
    return window.session.run.scenario


def question(window: QWidget) -> Question | None:
    """What the window asks, if it asks anything."""
    return next((one for one in window.findChildren(Question) if one.isVisible()), None)


def answer(window: QWidget, word: str) -> None:
    """Press the button of an answer to what the window asks."""
    asked = question(window)
    assert asked is not None, "nothing is asked"
    (button,) = [one for one in asked.findChildren(QPushButton) if one.text() == word]
    button.click()


def choose(box: QComboBox, word: str) -> None:
    """Choose a word in a drop-down by the keyboard, as its list does on Return."""
    box.setFocus()
    index = box.findText(word)
    assert index >= 0, [box.itemText(i) for i in range(box.count())]
    while box.currentIndex() != index:
        QTest.keyClick(box, Qt.Key.Key_Down if box.currentIndex() < index else Qt.Key.Key_Up)


def asked_of_mesh(qtbot: QtBot, window: QWidget) -> MeshDialog:
    """The dialog of a mesh that is being opened, once it shows what comes of it."""
    wait(qtbot, lambda: any(one.isVisible() for one in window.findChildren(MeshDialog)))
    (dialog,) = [one for one in window.findChildren(MeshDialog) if one.isVisible()]
    known(qtbot, dialog)
    return dialog


def known(qtbot: QtBot, dialog: MeshDialog) -> None:
    """Wait until a dialog shows what comes of a mesh."""
    wait(qtbot, lambda: dialog.open_button.isEnabled() or not dialog.wrong.isHidden())


def open_mesh(qtbot: QtBot, window: MainWindow, file: Path, unit: str = "metres") -> None:
    """Open a mesh in a window in a unit, as a free body."""
    before = window.session.run
    window.files.open(file)
    dialog = asked_of_mesh(qtbot, window)
    choose(dialog.unit, unit)
    known(qtbot, dialog)
    dialog.open_button.click()
    wait(qtbot, lambda: window.session.run is not before)
    settle(qtbot, window)


def close(window: QWidget) -> None:
    """Close a window; edits that are not saved and exports that are not finished are given up."""
    if not window.close():
        for word in ("Don't save", "Close"):
            if (asked := question(window)) and word in [one.text() for one in asked.findChildren(QPushButton)]:
                answer(window, word)


def drop(window: MainWindow, file: Path) -> None:
    """Drop a file or a folder on the window."""
    data, copy = QMimeData(), Qt.DropAction.CopyAction
    data.setUrls([QUrl.fromLocalFile(str(file))])
    button, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    window.dropEvent(QDropEvent(QPointF(300.0, 300.0), copy, data, button, keys))


def quiet(window: MainWindow) -> None:
    """Pause, and let a window draw all that there is to draw: plots once more, and ten ticks without a picture.

    For tests that count pictures, or look at what a resize changes: no length of a wait is right on every machine.
    """
    window.session.clock.playing = False
    view, plotted, still = window.view, [], 0
    window.workspace.tasks.add(window._show_charts)
    window.workspace.tasks.add(lambda: plotted.append(True))
    while still < 10 or not plotted:
        before = view.viewport.pictures
        window.tick()
        QApplication.processEvents()
        still = still + 1 if view.viewport.pictures == before and not view.painting else 0
