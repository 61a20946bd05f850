"""The dialog of a live sensor: a phone that is tossed, its tosses as lanes, and what is no sensor."""

from __future__ import annotations

import socket
import threading
from contextlib import closing

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QLineEdit

from app.window.live_dialog import LiveDialog
from tests.app.windowing import answer, cuboid, edited, question, settle, show, wait
from tests.phone import Phone, reachable, tosses


@pytest.fixture
def phone():
    with reachable(Phone(*tosses(3))) as found:
        found.advances = [0.5] * 7 + [0.0]  # one toss has landed then
        yield found


def dialog_of(window, phone, folder) -> LiveDialog:
    """The dialog of a window, reading a phone."""
    window.actions_by_id["live"].trigger()
    dialog = window.findChild(LiveDialog)
    dialog.address.setText(phone.address)
    dialog.folder.setText(str(folder))
    dialog.start_button.click()
    return dialog


def reading() -> list[str]:
    """The threads that read a sensor or fit its tosses."""
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("live ")]


@pytest.mark.picture
def test_a_toss_that_lands_stands_as_a_lane_and_is_listed(qtbot, window, phone, tmp_path):
    show(qtbot, window, cuboid())
    dialog, said = dialog_of(window, phone, tmp_path / "tosses"), []
    dialog.landed.connect(lambda _: said.append(dialog.state.text()))  # before anything else is said
    wait(qtbot, lambda: window.session.run.scenario.title == "toss-001")
    settle(qtbot, window)
    assert window.session.run.scenario.shown[-2:] == ("measured", "identified")
    assert dialog.tosses.item(0).text().startswith("Toss 1: It flipped")
    assert window.settings.sensor == phone.address

    modal, toss = QDialog(window), dialog.tosses.item(0).data(Qt.ItemDataRole.UserRole)
    modal.open()
    dialog.landed.emit(toss)
    assert dialog.state.text() == "Toss 1 waits in the list: another dialog is open."
    modal.reject()

    def type_half() -> None:
        field = window.panel.entries["duration"].findChild(QLineEdit)
        field.selectAll()
        QTest.keyClicks(field, "0.4")
        dialog.landed.emit(toss)  # before the panel has taken what is typed

    changed = edited(qtbot, window, type_half)
    assert changed.duration == 0.4
    said.clear()
    phone.advances = [0.5] * 7 + [0.0]
    wait(qtbot, lambda: dialog.tosses.count() == 2)
    assert said[0] == "Toss 2 waits in the list: the session has unsaved changes."
    assert window.session.run.scenario is changed, "edits stay"
    dialog.tosses.setCurrentRow(0)
    dialog.open_button.click()
    assert question(window) is not None
    answer(window, "Don't save")
    wait(qtbot, lambda: window.session.run.scenario.title == "toss-002")
    settle(qtbot, window)
    edited(qtbot, window, window.session.undo)
    assert window.session.run.scenario.duration == 0.4

    dialog.close()
    wait(qtbot, lambda: not reading())
    assert sorted(path.name for path in (tmp_path / "tosses").iterdir()) == ["toss-001.csv", "toss-002.csv"]


@pytest.mark.picture
def test_a_window_that_is_closed_lets_the_sensor_go(qtbot, window, phone, tmp_path):
    show(qtbot, window, cuboid())
    dialog = dialog_of(window, phone, tmp_path)
    dialog.open_each.setChecked(False)
    wait(qtbot, lambda: dialog.tosses.count() == 1)
    window.close()
    wait(qtbot, lambda: not reading())


@pytest.mark.picture
def test_what_is_no_sensor_is_told_and_another_address_can_be_given(qtbot, window, phone, tmp_path):
    window.actions_by_id["live"].trigger()
    dialog = window.findChild(LiveDialog)
    dialog.folder.setText(str(tmp_path))
    dialog.address.setText("gopher://phone")
    dialog.start_button.click()
    assert (
        "xpected http://HOST:PORT, ws://HOST:PORT/PATH or udp://HOST:PORT, got 'gopher://phone'" in dialog.wrong.text()
    )
    with closing(socket.socket()) as held:  # bound and not listening
        held.bind(("127.0.0.1", 0))
        dialog.address.setText(f"127.0.0.1:{held.getsockname()[1]}")
        dialog.start_button.click()
        wait(qtbot, lambda: not dialog.reading)
    assert "expected the address that phyphox shows with 'Allow remote access'" in dialog.wrong.text()
    dialog.folder.setText(str(tmp_path / "none" / "there"))
    dialog.start_button.click()
    assert "annot be made" in dialog.wrong.text()
    dialog.folder.setText("~nobody-of-this-name/tosses")
    dialog.start_button.click()
    assert "annot be made" in dialog.wrong.text()
    dialog.folder.setText(str(tmp_path))
    dialog.address.setText(phone.address)
    dialog.start_button.click()
    wait(qtbot, lambda: dialog.tosses.count() == 1)
    assert not dialog.wrong.isVisible()
    assert dialog.address.isEnabled() is False
    dialog.start_button.click()
    assert dialog.state.text() == "Stopped."
    wait(qtbot, lambda: not reading())
    dialog.close()
