"""Whole tasks, each by keys alone and by mouse alone: what a lecturer does, from the example to the film."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import pyvista as pv
from pypdf import PdfReader
from PySide6.QtCore import QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit, QPushButton, QToolButton

from app.window.charts.hydrostatics_panel import HydrostaticsPanel
from app.window.charts.order_panel import OrderPanel
from app.window.exports.dialog import ExportDialog
from app.window.guides.command_palette import CommandPalette
from app.window.guides.gallery import Gallery
from app.window.motion_dialog import MotionDialog
from assets.make import synthetic_toss
from physics import SCHEMES
from physics.analysis.convergence import slope
from tests.app.slopes import write_slope
from tests.app.windowing import asked_of_mesh, choose, cuboid, drop, edited, known, rock, settle, show, wait

pytestmark = pytest.mark.picture
CONTROL, LEFT = Qt.KeyboardModifier.ControlModifier, Qt.MouseButton.LeftButton
EXAMPLE = "Cuboid flips about its intermediate axis"
FOUR = ("explicit", "implicit", "quat-em", "exact")


def type_in_palette(qtbot, window, text: str) -> None:
    """Find a command by its letters, and choose it."""
    qtbot.keyClick(window, Qt.Key.Key_K, CONTROL)
    qtbot.keyClicks(QApplication.focusWidget(), text)
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)


def type_in_field(qtbot, window, palette: str, text: str) -> None:
    """Go to a field of the panels, and type."""
    type_in_palette(qtbot, window, palette)
    wait(qtbot, lambda: isinstance(QApplication.focusWidget(), QLineEdit))
    qtbot.keyClicks(QApplication.focusWidget(), text)
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)


def press(qtbot, window, name: str) -> None:
    """Click the button of an action in the bars."""
    action = window.actions_by_id[name]
    (button,) = [button for button in window.findChildren(QToolButton) if button.defaultAction() is action]
    qtbot.mouseClick(button, LEFT)


def pick(qtbot, box: QComboBox, row: int) -> None:
    """Open a drop-down, and click a row of it."""
    qtbot.mouseClick(box, LEFT)
    view = box.view()
    wait(qtbot, view.isVisible)
    qtbot.wait(QApplication.doubleClickInterval() + 50)  # until then the click counts as the one that opened it
    at = view.visualRect(view.model().index(row, 0)).center()
    qtbot.mouseMove(view.viewport(), at)
    qtbot.mouseClick(view.viewport(), LEFT, pos=at)


def said(listed: CommandPalette, row: int) -> str:
    """What a screen reader says of a row of a palette."""
    return listed.list.item(row).data(Qt.ItemDataRole.AccessibleTextRole) or ""


def check_orders(qtbot, window) -> None:
    """The order panel is open and shows what the papers promise."""
    panel = window.findChild(OrderPanel)
    wait(qtbot, lambda: not panel.measuring)
    for name in FOUR[:3]:
        assert slope([p for p in panel.points if p.scheme == name]) == pytest.approx(SCHEMES[name].order, abs=0.1)
    qtbot.keyClick(panel.close_button, Qt.Key.Key_Return)
    wait(qtbot, lambda: window.findChild(OrderPanel) is None)


def check_film(window, file) -> None:
    """The film of four schemes is being made, and is given up."""
    (export,) = window.exports.exports
    assert (export.output, export._scenario.schemes, export.over) == (file, FOUR, False)
    window.exports.stop()


def test_four_schemes_their_orders_and_a_film_by_keys(qtbot, window, tmp_path) -> None:
    show(qtbot, window, cuboid(duration=0.1))
    window.session.clock.playing = False
    window.panel.choice.load_all()
    edited(qtbot, window, lambda: type_in_palette(qtbot, window, "dzhan"))
    assert window.session.run.scenario.title == EXAMPLE
    edited(qtbot, window, lambda: type_in_palette(qtbot, window, "add quat-em"))
    assert window.session.run.scenario.schemes == FOUR
    qtbot.keyClick(window, Qt.Key.Key_H)
    check_orders(qtbot, window)
    qtbot.keyClick(window, Qt.Key.Key_E, CONTROL)
    dialog = window.findChild(ExportDialog)
    qtbot.keyClick(dialog.file, Qt.Key.Key_A, CONTROL)
    qtbot.keyClicks(dialog.file, str(tmp_path / "film.mp4"))
    qtbot.keyClick(dialog.file, Qt.Key.Key_Return)
    check_film(window, tmp_path / "film.mp4")


def test_four_schemes_their_orders_and_a_film_by_mouse(qtbot, window, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("app.window.exports.dialog._home", lambda: tmp_path)
    show(qtbot, window, cuboid(duration=0.1))
    press(qtbot, window, "papers")
    gallery = window.findChild(Gallery)
    item = next(item for item in gallery.list.findItems(EXAMPLE, Qt.MatchFlag.MatchExactly))
    qtbot.mouseClick(gallery.list.viewport(), LEFT, pos=gallery.list.visualItemRect(item).center())
    assert "Dzhanibekov" in gallery.note.text()
    edited(qtbot, window, lambda: qtbot.mouseClick(gallery.open_button, LEFT))
    schemes = window.panel.schemes
    for kept in (("explicit", "implicit"), ("explicit", "implicit", "exact")):
        check = schemes.checks["exact"]
        edited(qtbot, window, lambda check=check: qtbot.mouseClick(check, LEFT, pos=QPoint(10, check.height() // 2)))
        assert window.session.run.scenario.schemes == kept
    qtbot.mouseClick(schemes.more, LEFT)
    (listed,) = window.findChildren(CommandPalette)
    row = next(i for i in range(listed.list.count()) if "quat-em" in said(listed, i))
    at = listed.list.visualItemRect(listed.list.item(row)).center()
    edited(qtbot, window, lambda: qtbot.mouseClick(listed.list.viewport(), LEFT, pos=at))
    assert window.session.run.scenario.schemes == FOUR
    (order,) = [button for button in window.panel.findChildren(QPushButton) if button.text().startswith("Halve")]
    qtbot.mouseClick(order, LEFT)
    check_orders(qtbot, window)
    press(qtbot, window, "export-video")
    qtbot.mouseClick(window.findChild(ExportDialog).start_button, LEFT)
    check_film(window, tmp_path / "cuboid-flips-about-its-intermediate-axis.mp4")


def wait_for_map(qtbot, window) -> None:
    """Until the map is laid, and its legend says whose it is."""
    land = window.view.stage.land
    wait(
        qtbot, lambda: [bar.title for bar in land.ground.bars] == ["kinetic energy, 95 % quantile of 20 rocks or more"]
    )
    assert [pane.whose.name for pane in land.panes] == ["explicit", "implicit"]


def check_fork(qtbot, window, at: float, mu: float) -> None:
    """The friction is another one since an impact, and both ways on are drawn."""
    schedule = window.session.run.schedule
    assert schedule.times[1:] == pytest.approx((at,), abs=0.01)
    assert schedule.scenarios[-1].soil.mu_min == pytest.approx(mu)
    wait(qtbot, lambda: window.staged)
    assert [lane.scheme.letter for lane in window.lanes] == ["E", "I", "E′", "I′"]


def impact(window) -> float:
    return next(mark.time for mark in window.session.markers if mark.kind == "impact")


def test_from_a_terrain_to_its_energies_and_a_fork_by_keys(qtbot, window, tmp_path) -> None:
    write_slope(tmp_path)
    show(qtbot, window, cuboid(duration=0.1))
    window.settings.remember(tmp_path / "slope.asc")
    edited(qtbot, window, lambda: type_in_palette(qtbot, window, "slope.asc"))
    window.session.clock.playing = False
    qtbot.keyClick(window, Qt.Key.Key_W)
    qtbot.keyClick(window.view.viewport, Qt.Key.Key_Down)
    edited(qtbot, window, lambda: qtbot.keyClick(window.view.viewport, Qt.Key.Key_Return))
    assert window.session.run.scenario.release.position is not None
    type_in_field(qtbot, window, "go to rocks of the ensemble", "6")
    qtbot.keyClick(window, Qt.Key.Key_R, CONTROL)
    wait(qtbot, lambda: window.ensembles.running is not None and window.ensembles.running.complete)
    assert window.ensembles.running.scenario.ensemble.rocks == 6
    for _ in range(4):
        qtbot.keyClick(window, Qt.Key.Key_M)
    wait_for_map(qtbot, window)
    at = impact(window)
    qtbot.keyClick(window, Qt.Key.Key_Home)  # it may have played while kernels compiled
    for _ in {mark.time for mark in window.session.markers if mark.time <= at}:
        qtbot.keyClick(window, Qt.Key.Key_Right, CONTROL)
    assert window.session.clock.time == pytest.approx(at)
    qtbot.keyClick(window, Qt.Key.Key_B, Qt.KeyboardModifier.AltModifier)
    edited(qtbot, window, lambda: type_in_field(qtbot, window, "friction", "0.3"))
    qtbot.keyClick(window, Qt.Key.Key_J)
    check_fork(qtbot, window, at, 0.3)


def test_from_a_release_to_the_energies_and_a_fork_by_mouse(qtbot, window) -> None:
    several = {"schemes": ("explicit", "implicit"), "initial": {"orientation": "random"}, "ensemble": {"rocks": 6}}
    show(qtbot, window, rock(**several, soil={"mu_min": 0.5, "mu_max": 2.0, "beta": 185.0, "kappa": 3.0}))
    window.session.clock.playing = False
    press(qtbot, window, "place-release")
    viewport = window.view.viewport
    aim = viewport.aim.toPoint() + QPoint(0, 10)
    edited(qtbot, window, lambda: qtbot.mouseClick(viewport, LEFT, pos=aim))
    assert window.session.run.scenario.release.position != (1.0, 0.0)
    assert not viewport.touched  # the click has not moved the camera
    press(qtbot, window, "ensemble")
    panel = window.ensembles.panel
    qtbot.mouseClick(panel.run_button, LEFT)
    wait(qtbot, lambda: window.ensembles.running is not None and window.ensembles.running.complete)
    pick(qtbot, panel.map, panel.map.findData("kinetic_energy"))
    wait_for_map(qtbot, window)
    at, timeline = impact(window), window.transport.timeline
    x = round(timeline._place(at)) + 2
    qtbot.mouseClick(timeline, LEFT, pos=QPoint(x, timeline.height() // 2))
    assert window.session.clock.time == pytest.approx(at, abs=1e-3)
    number = window.panel.entries["soil.mu_min"].numbers[0]
    window.panel.ensureWidgetVisible(number)
    qtbot.mouseClick(number, LEFT)
    middle = QPointF(number.rect().center())
    no_button, phase = Qt.MouseButton.NoButton, Qt.ScrollPhase.NoScrollPhase
    turn = QWheelEvent(
        middle, number.mapToGlobal(middle), QPoint(), QPoint(0, 120), no_button, Qt.KeyboardModifier(0), phase, False
    )
    edited(qtbot, window, lambda: QApplication.sendEvent(number, turn))
    edited(qtbot, window, lambda: qtbot.mouseClick(window.message.button, LEFT))  # from the impact on
    press(qtbot, window, "compare")
    check_fork(qtbot, window, at, 0.51)


class Hand:
    """A user whose actions are counted: a key, a click."""

    def __init__(self, qtbot) -> None:
        self.qtbot, self.actions = qtbot, 0

    def press(self, widget, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        self.actions += 1
        self.qtbot.keyClick(widget, key, modifier)

    def click(self, button: QPushButton) -> None:
        self.actions += 1
        self.qtbot.mouseClick(button, LEFT)

    def choose(self, box: QComboBox, text: str) -> None:
        self.actions += 2  # the list is opened, and a row of it chosen
        choose(box, text)

    def type(self, line: QLineEdit, text: str) -> None:
        self.actions += 1  # the line is entered, and text typed
        line.setFocus()
        line.clear()
        self.qtbot.keyClicks(line, text)

    def drop(self, window, file: Path) -> None:
        self.actions += 1
        drop(window, file)

    def open(self, window, file: Path) -> None:
        """Ctrl+O, the file's name from the clipboard, Return."""
        self.name(window, file, lambda: self.press(window, Qt.Key.Key_O, CONTROL))

    def name(self, window, file: Path, asked: Callable[[], None]) -> None:
        """Paste the name of a file into the dialog that then asks for it, in a loop of its own, and press Return."""

        def answer() -> None:
            dialog = QApplication.activeModalWidget()
            if dialog is None or not dialog.isVisible():
                return
            looking.stop()
            line = dialog.findChild(QLineEdit, "fileNameEdit")
            QApplication.clipboard().setText(str(file))
            line.setFocus()
            line.selectAll()
            self.press(line, Qt.Key.Key_V, CONTROL)  # typed, a list of likely names would take Return
            self.press(line, Qt.Key.Key_Return)

        looking = QTimer(window, interval=50)
        looking.timeout.connect(answer)
        looking.start()
        asked()


def test_from_a_mesh_in_millimetres_to_the_sheet_that_is_signed_in_twelve_actions(qtbot, window, tmp_path) -> None:
    """A barge of 60 x 14 x 8 m, y up, of 2583 t: GM = KB + BM - KG, by its own load; C33 with the water that moves."""
    file, hand = tmp_path / "barge.stl", Hand(qtbot)
    pv.Box(bounds=(0, 60_000, 0, 8_000, 0, 14_000)).triangulate().save(file)
    hand.drop(window, file)
    dialog = asked_of_mesh(qtbot, window)
    hand.choose(dialog.role, "Ship")
    hand.choose(dialog.up, "y")
    known(qtbot, dialog)
    edited(qtbot, window, lambda: hand.press(dialog, Qt.Key.Key_Return))
    window.activateWindow()  # as window managers do when a dialog closes
    wait(qtbot, window.isActiveWindow)
    hand.press(window, Qt.Key.Key_H, CONTROL)
    (panel,) = window.findChildren(HydrostaticsPanel)
    wait(qtbot, lambda: not panel.measuring)
    field = window.panel.entries
    edited(qtbot, window, lambda: hand.type(field["hull.mass"].numbers[0], "2583000"))
    edited(qtbot, window, lambda: hand.type(field["hull.centre_of_gravity"].numbers[2], "5"))
    wait(qtbot, lambda: not panel.measuring)
    shown = {panel.numbers.item(i, 0).text(): panel.numbers.item(i, 1).text() for i in range(panel.numbers.rowCount())}
    assert float(shown["GM transverse"]) == pytest.approx(1.5 + 14.0**2 / 36.0 - 5.0, abs=1e-3)
    assert panel.criteria.rowCount() == 6
    assert panel.levers.isVisible()
    sheet = tmp_path / "signed.pdf"
    wait(qtbot, panel.save_button.isEnabled)
    hand.name(panel, sheet, lambda: hand.click(panel.save_button))
    wait(qtbot, lambda: panel.note.text().startswith("Saved: "))
    assert hand.actions == 12
    words = PdfReader(sheet).pages[0].extract_text()
    for word in ("Hydrostatics: barge.stl", "2583", "added mass in heave, by strip theory", "signature"):
        assert word in words


def test_from_a_raw_file_of_a_phone_to_its_ratios_in_six_actions(qtbot, window, tmp_path) -> None:
    file, hand = tmp_path / "toss.csv", Hand(qtbot)
    synthetic_toss.write(file)
    hand.open(window, file)
    wait(qtbot, lambda: bool(window.findChildren(MotionDialog)))
    (dialog,) = window.findChildren(MotionDialog)
    wait(qtbot, lambda: "Looking" not in dialog.body.text())
    assert "moments over the largest" in dialog.body.text()
    hand.press(dialog, Qt.Key.Key_Return)
    wait(qtbot, lambda: window.session.run is not None and "measured" in window.session.run.scenario.shown)
    settle(qtbot, window)
    inertia = np.sort(window.session.run.world.body.inertia)
    assert inertia / inertia[-1] == pytest.approx(np.sort(synthetic_toss.MOMENTS), abs=0.01)
    assert hand.actions == 4


def test_from_an_example_to_a_table_of_the_nutation_angle_in_six_actions(qtbot, window, tmp_path, monkeypatch) -> None:
    """Ctrl+K, letters and Return for the example, and again for the chart; Ctrl+Shift+P and a name for its curve."""
    file, hand = tmp_path / "nutation.csv", Hand(qtbot)
    monkeypatch.setattr("app.window.widgets.QFileDialog.getSaveFileName", lambda *_: (str(file), ""))
    show(qtbot, window, cuboid(duration=0.1))
    window.panel.choice.load_all()

    def find(letters: str) -> None:
        hand.press(window, Qt.Key.Key_K, CONTROL)
        qtbot.keyClicks(QApplication.focusWidget(), letters)
        hand.press(QApplication.focusWidget(), Qt.Key.Key_Return)

    edited(qtbot, window, lambda: find("gravity boom"))
    window.session.clock.playing = False
    find("nutation angle")
    (chart,) = [chart for chart in window.plots.charts if chart.isVisible()]
    assert chart.quantity.title == "Nutation angle"
    hand.press(window, Qt.Key.Key_P, CONTROL | Qt.KeyboardModifier.ShiftModifier)
    hand.actions += 1  # the name of the file
    heading, *_ = file.read_text(encoding="utf-8").splitlines()
    assert "Nutation angle [°]" in heading
    assert hand.actions == 6
