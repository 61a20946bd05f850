"""Cards: the boxes that panels are made of, and what stands in them everywhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QGroupBox,
    QHBoxLayout,
    QLayout,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.system.language import tr
from app.system.sentences import told
from app.window.labels import Plain, Rich, sentence
from app.window.make_widget import make


class Question(QDialog):
    """A question with a button for each answer, and Cancel; it is deleted once it is answered.

    answers : text of a button -> what it calls; refused : what Cancel, Esc and the frame call
    safe : whether Return cancels, and does not choose the first answer
    """

    def __init__(
        self,
        parent: QWidget,
        title: str,
        text: str,
        answers: Mapping[str, Callable[[], object]],
        refused: Callable[[], object] = lambda: None,
        safe: bool = False,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        words = Plain(text, wordWrap=True)
        words.setMinimumWidth(420)
        row = QHBoxLayout()
        row.addStretch(1)
        for name, call in {**answers, tr("Cancel"): None}.items():
            button = make(QPushButton, name, autoDefault=False)
            button.setDefault(name == (tr("Cancel") if safe else next(iter(answers))))
            button.clicked.connect(self.reject if call is None else lambda _, call=call: self._answer(call))
            row.addWidget(button)
        self.rejected.connect(refused)
        column = QVBoxLayout(self)
        column.setContentsMargins(18, 16, 18, 14)
        column.setSpacing(14)
        column.addWidget(words)
        column.addLayout(row)

    def _answer(self, call: Callable[[], object]) -> None:
        self.accept()
        call()


def card(title: str) -> tuple[QGroupBox, QVBoxLayout]:
    """A box with a title, and the column in it."""
    box = QGroupBox(title)
    return box, column_in(box)


def column_in(box: QGroupBox) -> QVBoxLayout:
    """The column in a box."""
    column = QVBoxLayout(box)
    column.setContentsMargins(10, 4, 10, 10)
    column.setSpacing(6)
    return column


def across(*parts: QWidget | QLayout) -> QHBoxLayout:
    """Widgets beside each other, the first as wide as there is room."""
    row = QHBoxLayout()
    for i, part in enumerate(parts):
        if isinstance(part, QLayout):
            row.addLayout(part, int(i == 0))
        else:
            row.addWidget(part, int(i == 0))
    return row


def dim(text: str = "", name: str = "") -> Plain:
    """A text that stands back; name: for screen readers."""
    label = Plain(text, wordWrap=True, accessibleName=name)
    label.setProperty("role", "dim")
    return label


def table(name: str) -> Rich:
    """A table that is as wide as its card, and not the other way round; name: for screen readers."""
    label = Rich(accessibleName=name)
    label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
    return label


def drop_down(name: str, space: QObject) -> QComboBox:
    """A drop-down that Tab reaches, and a click does not; name: for screen readers; space: see KeepSpace."""
    box = make(QComboBox, accessibleName=name, focusPolicy=Qt.FocusPolicy.TabFocus)
    box.installEventFilter(space)
    return box


class Explanation(Plain):
    """Room for what is wrong; hidden while nothing is."""

    def __init__(self) -> None:
        super().__init__(wordWrap=True, visible=False)
        self.setMinimumWidth(60)  # a word that cannot be broken must not widen what it stands in
        self.setProperty("role", "error")

    def say(self, *messages: str) -> None:
        """Say what is wrong, a sentence on each line; none, or "", when nothing is."""
        self.setText("\n".join(sentence(told(message)) for message in messages))
        self.setVisible(bool(self.text()))
