"""Widgets with properties: Qt takes any property as an argument, but PySide's own types know only a few of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypedDict, TypeVar, Unpack

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QComboBox, QFrame, QWidget

W = TypeVar("W", bound=QWidget)


class Properties(TypedDict, total=False):
    """Properties of widgets, by the names that Qt gives them."""

    accessibleName: str
    autoDefault: bool
    autoRaise: bool
    checkable: bool
    checked: bool
    enabled: bool
    focusPolicy: Qt.FocusPolicy
    frameShape: QFrame.Shape
    iconSize: QSize
    maximum: int
    textVisible: bool
    toolTip: str
    visible: bool
    widgetResizable: bool


def make(kind: Callable[..., W], *arguments: str | Qt.Orientation, **properties: Unpack[Properties]) -> W:
    """A widget of a class, with its text or its orientation, and with properties."""
    return kind(*arguments, **properties)


def eliding(widget: W) -> W:
    """A widget whose texts may end in an ellipsis: names that somebody has given, for which no place is made."""
    widget.setProperty("elides", True)
    if isinstance(widget, QComboBox):
        widget.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    return widget
