"""Widgets that several parts of the window share: cards, questions, boxes for numbers, event filters, overlays."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypedDict, TypeVar, Unpack

from PySide6.QtCore import QEvent, QLocale, QObject, QRectF, QSize, Qt, Signal, SignalInstance
from PySide6.QtGui import QColor, QDropEvent, QKeyEvent, QKeySequence, QPainter, QPaintEvent, QPen, QValidator
from PySide6.QtWidgets import (
    QBoxLayout,
    QComboBox,
    QDialog,
    QDoubleSpinBox,
    QFileDialog,
    QFrame,
    QGroupBox,
    QHBoxLayout,
    QLayout,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.system.language import tr, translated
from app.theme import Theme
from app.window.labels import Plain, Rich, sentence

W = TypeVar("W", bound=QWidget)
L = TypeVar("L", bound=QBoxLayout)


class Properties(TypedDict, total=False):
    """Properties of widgets, by Qt's names."""

    accessibleName: str
    autoDefault: bool
    autoRaise: bool
    checkable: bool
    checked: bool
    default: bool
    enabled: bool
    focusPolicy: Qt.FocusPolicy
    frameShape: QFrame.Shape
    iconSize: QSize
    maxVisibleItems: int
    maximum: int
    placeholderText: str
    textVisible: bool
    toolTip: str
    visible: bool
    widgetResizable: bool


def make(kind: Callable[..., W], *arguments: str | Qt.Orientation, **properties: Unpack[Properties]) -> W:
    """A widget with its text or orientation, and properties that PySide's types do not know."""
    return kind(*arguments, **properties)


def push(
    text: str, call: Callable[..., object] | SignalInstance, role: str = "", **properties: Unpack[Properties]
) -> QPushButton:
    """A button with the function that it calls; role: of its style, see app.window.style."""
    button = make(QPushButton, text, **properties)
    button.setProperty("role", role)
    button.clicked.connect(call)
    return button


def set_role(widget: QWidget, role: str) -> None:
    """Give a widget another role of the style sheet, see app.window.style."""
    widget.setProperty("role", role)
    widget.style().unpolish(widget)
    widget.style().polish(widget)


def eliding(widget: W) -> W:
    """A widget whose texts may be elided: names given by users must not widen it."""
    widget.setProperty("elides", True)
    if isinstance(widget, QComboBox):
        widget.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    return widget


class DecimalBox(QDoubleSpinBox):
    """A box for numbers with a decimal point or comma, shown with a point.

    In locales with decimal commas Qt would take the point of 0.5 for a thousands separator, and read 5.
    """

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        locale = QLocale.c()
        locale.setNumberOptions(QLocale.NumberOption.RejectGroupSeparator | QLocale.NumberOption.OmitGroupSeparator)
        self.setLocale(locale)

    def validate(self, text: str, at: int) -> tuple[QValidator.State, str, int]:
        """Validate with commas as points."""
        return super().validate(text.replace(",", "."), at)


class KeyFilter(QObject):
    """A filter that gives the space bar, which else plays and pauses, to a focused button or drop-down.

    The wheel scrolls the panel, and must not change controls under the pointer.
    """

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Claim the key before the shortcut does; leave the wheel to the parent of a control."""
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.key() == Qt.Key.Key_Space
        ):
            event.accept()
            return True
        if event.type() == QEvent.Type.Wheel and isinstance(watched, QWidget) and not watched.hasFocus():
            event.ignore()
            return True
        return False


RETURN = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
CLIPBOARD = (
    QKeySequence.StandardKey.Copy,
    QKeySequence.StandardKey.Cut,
    QKeySequence.StandardKey.Paste,
    QKeySequence.StandardKey.SelectAll,
)


class FieldFilter(QObject):
    """A filter for the lines of the panels, in which Return keeps the focus, as in spin boxes.

    Letters with Ctrl are keys of the window, but for those of the clipboard: a line edit would use Ctrl+E, Ctrl+K and
    Ctrl+D as Emacs does, and Ctrl+Z for its text, where each typed value is an edit of the scenario.
    """

    finished = Signal()  # what is typed counts: before the window gets a key, and at Return

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep a line edit from claiming keys of the window, and from passing Return on to it."""
        if not isinstance(event, QKeyEvent) or not isinstance(watched, QLineEdit):
            return False
        if event.type() == QEvent.Type.ShortcutOverride:
            letter = event.key() < Qt.Key.Key_Escape  # others, as the arrows, move in the text
            control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
            if letter and control and not any(map(event.matches, CLIPBOARD)):
                self.finished.emit()
                event.ignore()
                return True
        elif event.type() == QEvent.Type.KeyPress and event.key() in RETURN:
            watched.editingFinished.emit()
            watched.selectAll()
            self.finished.emit()
            return True
        return False


def accept_copy(event: QDropEvent) -> None:
    """Accept a drop as a copy, so that the source file is kept."""
    event.setDropAction(Qt.DropAction.CopyAction)
    event.accept()


class WaitingPage(QWidget):
    """A page that names what is being prepared."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._label = Plain(text, "dim", alignment=Qt.AlignmentFlag.AlignCenter, wordWrap=True)
        self._busy = make(QProgressBar, textVisible=False, maximum=0, accessibleName=tr("Preparing"))
        self._busy.setFixedWidth(220)
        column = QVBoxLayout(self)
        column.addStretch(1)
        column.addWidget(self._label)
        column.addWidget(self._busy, alignment=Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(1)

    def fail(self, text: str) -> None:
        """Show why the preparation failed."""
        self._busy.hide()
        self._label.setText(text)


def ends(name: str) -> bool:
    """True for a name with an ending."""
    return bool(Path(name).suffix)


def save_dialog(
    parent: QWidget, title: str, proposed: str, kinds: str, whole: Callable[[str], bool] = ends
) -> Path | None:
    """Ask for a file to save; None if cancelled. A name that is not whole gets the ending of the chosen kind.

    The system asks whether a file of the typed name is replaced: if there is one of the whole name, that is proposed.

    kinds : in Qt's form, "Picture (*.png);;Table (*.csv)"; the first one if the system does not return a choice
    """
    name, kind = QFileDialog.getSaveFileName(parent, title, proposed, kinds)
    if not name or whole(name):
        return Path(name) if name else None
    ending = (kind or kinds.split(";;")[0]).partition("*")[2].removesuffix(")")  # of folders there is none
    name += ending
    return save_dialog(parent, title, name, kinds, whole) if ending and os.path.exists(name) else Path(name)


GAP = 10.0  # [pixels] above a prompt
IN_BOX = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap


class DrawingOverlay(QWidget):
    """A transparent widget over a view, drawn by ``paint``; it lets the mouse through."""

    def __init__(self, view: QWidget, paint: Callable[[QPainter], None]) -> None:
        super().__init__(view)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._paint = paint
        self.setGeometry(view.rect())
        view.resized.connect(lambda: self.setGeometry(view.rect()))  # type: ignore[attr-defined]

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw."""
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint(painter)


def boxed(painter: QPainter, text: str, box: QRectF, theme: Theme, edge: str) -> None:
    """Draw a text in a box with round corners; edge: the colour around it."""
    painter.setPen(QPen(QColor(edge), 1.0))
    painter.setBrush(QColor(theme.panel))
    painter.drawRoundedRect(box, 5.0, 5.0)
    painter.setPen(QColor(theme.text))
    painter.drawText(box, IN_BOX, text)
    painter.setBrush(Qt.BrushStyle.NoBrush)


def prompt(painter: QPainter, text: str, theme: Theme, below: float) -> None:
    """Draw a prompt at the top of the view, below its title."""
    wide = painter.viewport().width() / painter.device().devicePixelRatioF()
    size = painter.boundingRect(QRectF(0.0, 0.0, wide - 60.0, 200.0), IN_BOX, text)
    box = QRectF((wide - size.width()) / 2 - 12.0, below + GAP, size.width() + 24.0, size.height() + 14.0)
    boxed(painter, text, box, theme, theme.accent)


class Question(QDialog):
    """A question with a button for each answer, and Cancel; it is deleted once it is answered.

    answers : functions by the texts of their buttons; refused : function of Cancel and Esc
    safe : Return cancels, in place of choosing the first answer
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
        row = filled(QHBoxLayout(), 1)
        for name, call in {**answers, tr("Cancel"): None}.items():
            chosen = self.reject if call is None else lambda _, call=call: self._answer(call)
            first = name == (tr("Cancel") if safe else next(iter(answers)))
            row.addWidget(push(name, chosen, autoDefault=False, default=first))
        self.rejected.connect(refused)
        filled(QVBoxLayout(self), words, row, margins=(18, 16, 18, 14), spacing=14)

    def _answer(self, call: Callable[[], object]) -> None:
        self.accept()
        call()


def take_out(layout: QLayout, *parts: QWidget) -> None:
    """Remove widgets from a layout for good; hidden, as they are deleted only later."""
    for part in parts:
        layout.removeWidget(part)
        part.hide()
        part.deleteLater()


def card(title: str) -> tuple[QGroupBox, QVBoxLayout]:
    """A box with a title, and the column in it."""
    box = QGroupBox(title)
    return box, column_in(box)


def column_in(box: QGroupBox) -> QVBoxLayout:
    """The column in a box."""
    return filled(QVBoxLayout(box), margins=(10, 4, 10, 10), spacing=6)


def across(first: QWidget | QLayout, *others: QWidget | QLayout) -> QHBoxLayout:
    """A row of widgets, the first one stretched."""
    return filled(QHBoxLayout(), (first, 1), *others)


def filled(
    layout: L,
    *parts: QWidget | QLayout | tuple[QWidget | QLayout, int] | int,
    margins: tuple[int, int, int, int] | None = None,
    spacing: int | None = None,
) -> L:
    """A layout with parts in their order: a pair is a part with its stretch, a number empty room with its own.

    margins : left, top, right, bottom [pixels]; spacing : between parts [pixels]; without them: those of the style
    """
    if margins is not None:
        layout.setContentsMargins(*margins)
    if spacing is not None:
        layout.setSpacing(spacing)
    for part in parts:
        one, stretch = part if isinstance(part, tuple) else (part, 0)
        if isinstance(one, int):
            layout.addStretch(one)
        elif isinstance(one, QLayout):
            layout.addLayout(one, stretch)
        else:
            layout.addWidget(one, stretch)
    return layout


def dim(text: str = "", name: str = "") -> Plain:
    """A dimmed text; name: for screen readers."""
    return Plain(text, "dim", wordWrap=True, accessibleName=name)


def table(name: str) -> Rich:
    """A table that does not widen its card; name: for screen readers."""
    label = Rich(accessibleName=name)
    label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
    return label


def drop_down(name: str, space: QObject) -> QComboBox:
    """A drop-down with focus by Tab, but not by a click; name: for screen readers; space: see KeyFilter."""
    box = make(QComboBox, accessibleName=name, focusPolicy=Qt.FocusPolicy.TabFocus)
    box.installEventFilter(space)
    return box


class Explanation(Plain):
    """Error messages; hidden while there are none."""

    def __init__(self) -> None:
        super().__init__("", "error", wordWrap=True, visible=False)
        self.setMinimumWidth(60)  # long words must not widen its card

    def say(self, *messages: Exception | str) -> None:
        """Show errors, or sentences in the current language, one a line; hide it without any."""
        self.setText("\n".join(sentence(translated(message)) for message in messages))
        self.setVisible(bool(self.text()))
