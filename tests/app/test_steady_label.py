"""A label whose text changes often keeps its place: layouts around it are asked for another height only."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot
from windowing import wait

from app.window.labels import Plain, Steady


class Requests(QObject):
    """Counts how often a widget is asked to lay out what is in it."""

    count = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.LayoutRequest
        return False


@pytest.fixture
def label(qtbot: QtBot) -> Plain:
    label = Plain("1.00")
    label.room = room = QWidget()
    column = QVBoxLayout(room)
    column.addWidget(Steady(label))
    column.addStretch()
    room.resize(200, 100)
    qtbot.addWidget(room)
    with qtbot.waitExposed(room, timeout=900_000):
        room.show()
    label.requests = Requests(room)
    room.installEventFilter(label.requests)
    return label


def test_other_words_ask_no_layout(qtbot: QtBot, label: Plain) -> None:
    for number in range(5):
        label.setText(f"{number}.25 and more")
        qtbot.wait(1)
    assert label.requests.count == 0
    assert label.width() == label.parentWidget().width()
    other = Plain()
    label.room.layout().addWidget(other)
    qtbot.wait(1)
    label.requests.count = 0
    other.setText("in the layout itself")
    qtbot.wait(1)
    assert label.requests.count == 1


def test_more_lines_get_their_room(qtbot: QtBot, label: Plain) -> None:
    one = label.height()
    label.setText("two\nlines")
    wait(qtbot, lambda: label.height() > one)
    assert label.height() == label.parentWidget().height() == label.sizeHint().height()
    label.setText("one")
    wait(qtbot, lambda: label.height() == one)


def test_a_wide_one_never_shrinks_and_is_seen_whole(qtbot: QtBot) -> None:
    label = Plain("9.99 s")
    steady = Steady(label, wide=True)
    qtbot.addWidget(steady)
    with qtbot.waitExposed(steady, timeout=900_000):
        steady.show()
    label.setText("12345.67 s")
    wait(qtbot, lambda: steady.minimumWidth() >= label.sizeHint().width())
    wide = steady.minimumWidth()
    label.setText("0.00 s")
    qtbot.wait(1)
    assert steady.minimumWidth() == wide


def test_what_it_missed_while_it_was_hidden_it_makes_up_for(qtbot: QtBot, label: Plain) -> None:
    one = label.height()
    label.room.hide()
    label.setText("a\nb\nc")
    label.room.show()
    wait(qtbot, lambda: label.parentWidget().height() == label.sizeHint().height() > one)


def test_larger_letters_get_their_room(qtbot: QtBot, label: Plain) -> None:
    one, letters = label.height(), label.font()
    letters.setPointSizeF(2.0 * letters.pointSizeF())
    label.setFont(letters)
    wait(qtbot, lambda: label.height() == label.sizeHint().height() > one)
