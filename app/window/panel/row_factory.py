"""Which row of the panel a field gets."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QObject

from app.kinds.field import Field
from app.window.panel.barrier_rows import Barriers
from app.window.panel.distribution_row import Distribution
from app.window.panel.number_rows import Choice, Entry
from app.window.panel.row import Row
from app.window.panel.text_rows import Corners, FileRow, LineRow, Pieces

_FORMS = {"distribution": Distribution, "barriers": Barriers}


def row_for(field: Field, value: Any, degrees: bool, space: QObject) -> Row:
    """The row of a field: words to choose from, a file, places on the map, numbers; space: see KeepSpace."""
    if field.form == "text":
        return LineRow(field, value)
    if field.form == "pieces":
        return Pieces(field, value)
    if field.form:
        return _FORMS[field.form](field, value, space)
    if field.endings or field.corners:
        return (FileRow if field.endings else Corners)(field, value)
    return Choice(field, value, space) if field.choices else Entry(field, value, degrees)
