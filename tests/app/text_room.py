"""Whether the texts of widgets have room: by the letters' widths as they are drawn, beside the widgets' own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from pyqtgraph import PlotWidget
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QPainter, QPicture
from PySide6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QGroupBox,
    QLabel,
    QLineEdit,
    QListWidget,
    QMenuBar,
    QScrollArea,
    QStyle,
    QStyleOptionComboBox,
    QStyleOptionFrame,
    QTableWidget,
    QToolButton,
    QWidget,
)

CURSOR = 4  # pixels that a line keeps free beside its text
Room = tuple[str, int, int]  # a text, how wide it is or ends, and how wide its place is [pixels]


def cut(window: QWidget) -> list[str]:
    """The texts of a window's visible widgets that are wider than their places.

    A widget with the property ``elides`` ends its text in an ellipsis on purpose.
    """
    seen = (one for one in (window, *window.findChildren(QWidget)) if one.isVisibleTo(window))
    return [
        f"{type(one).__name__} {text:.60}: {wide} of {room}"
        for one in seen
        if not one.property("elides")
        for text, wide, room in (*texts(one), *place(one, window))
        if wide > room
    ]


def texts(widget: QWidget) -> Iterable[Room]:
    """The texts that a widget shows."""
    match widget:
        case QLabel():
            return _label(widget)
        case QComboBox():
            return _rows(widget)
        case QLineEdit():
            return _line(widget)
        case QGroupBox():
            return [(widget.title(), widget.fontMetrics().horizontalAdvance(widget.title()) + 24, widget.width())]
        case QToolButton() if widget.toolButtonStyle() == Qt.ToolButtonStyle.ToolButtonIconOnly:
            return []
        case QAbstractButton():
            return [(widget.text(), widget.sizeHint().width(), widget.width())]
        case QMenuBar():
            ends = [*(widget.actionGeometry(action).left() for action in widget.actions()), widget.width()]
            return [
                (action.text(), widget.actionGeometry(action).right(), end - 1)
                for action, (_, end) in zip(widget.actions(), pairwise(ends), strict=True)
            ]
        case QTableWidget():
            return _columns(widget)
        case QListWidget():
            items = [widget.item(row) for row in range(widget.count())]
            room = widget.viewport().width() - 12
            wide = widget.fontMetrics().horizontalAdvance
            return [(item.text(), wide(item.text()), room) for item in items if widget.itemWidget(item) is None]
        case PlotWidget():
            return _beside(widget)
    return []


def place(widget: QWidget, window: QWidget) -> Iterator[Room]:
    """Ends of a widget that shows a text, in each widget around it that does not scroll sideways."""
    here = widget if isinstance(widget, QLabel | QAbstractButton | QLineEdit | QComboBox) else window
    while here is not window and (around := here.parentWidget()) is not None:
        area = around.parentWidget()
        shut = Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        scrolls = isinstance(area, QScrollArea) and area.viewport() is around
        if not (scrolls and area.horizontalScrollBarPolicy() != shut):
            yield f"in {type(around).__name__}", widget.mapTo(around, QPoint(widget.width(), 0)).x(), around.width()
        here = around


def _label(label: QLabel) -> Iterator[Room]:
    """A line as it is; of lines that break the widest word, and their height."""
    if label.text() and not label.wordWrap():
        yield label.text(), label.sizeHint().width(), label.width()
    elif label.text():
        words = re.sub("<[^>]*>", " ", label.text()).split()
        wide = max(map(label.fontMetrics().horizontalAdvance, words), default=0)
        yield label.text(), wide, label.contentsRect().width()
        yield f"height of {label.text()}", label.heightForWidth(label.width()), label.height()


def _rows(box: QComboBox) -> Iterator[Room]:
    """Every row of a drop-down, in its field."""
    option, part = QStyleOptionComboBox(), QStyle.SubControl.SC_ComboBoxEditField
    box.initStyleOption(option)
    room = box.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, box).width()
    for row in range(box.count()):
        icon = 0 if box.itemIcon(row).isNull() else box.iconSize().width() + 4
        yield box.itemText(row), box.fontMetrics().horizontalAdvance(box.itemText(row)) + icon, room


def _line(line: QLineEdit) -> Iterator[Room]:
    """What an empty line says; what somebody types may be longer."""
    option = QStyleOptionFrame()
    line.initStyleOption(option)
    room = line.style().subElementRect(QStyle.SubElement.SE_LineEditContents, option, line).width()
    if not line.text():
        yield line.placeholderText(), line.fontMetrics().horizontalAdvance(line.placeholderText()), room - CURSOR


def _columns(table: QTableWidget) -> Iterator[Room]:
    """The heading and the cells of each column; the table may scroll."""
    heads = table.horizontalHeader()
    for column in range(table.columnCount()):
        wide = max(heads.sectionSizeHint(column), table.sizeHintForColumn(column))
        yield str(table.model().headerData(column, Qt.Orientation.Horizontal)), wide, table.columnWidth(column)


def _beside(plot: PlotWidget) -> Iterator[Room]:
    """Ends of the names and numbers of a plot's axes, each of the four ways; also that two numbers are there.

    pyqtgraph leaves out a number that would be cut off.
    """
    for name in ("left", "bottom"):
        axis = plot.getAxis(name)
        picture = QPicture()  # to be painted on, and thrown away
        painter = QPainter(picture)
        if (font := axis.style["tickFont"]) is not None:
            painter.setFont(font)
        drawn = axis.generateDrawSpecs(painter)
        painter.end()
        found = [(text, axis.mapRectToScene(QRectF(place))) for place, _, text in ([] if drawn is None else drawn[2])]
        yield f"numbers at the {name}", 2, len(found)
        if axis.label.isVisible():
            edge = axis.label.document().documentMargin()  # empty, and partly outside
            letters = axis.label.boundingRect().adjusted(edge, edge, -edge, -edge)
            found.append((axis.label.toPlainText(), axis.label.mapRectToScene(letters)))
        for text, place in found:
            yield f"left of {text}", round(-place.left()), 0
            yield f"right of {text}", round(place.right()), plot.width()
            yield f"above {text}", round(-place.top()), 0
            yield f"below {text}", round(place.bottom()), plot.height()
