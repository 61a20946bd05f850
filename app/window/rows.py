"""Which row of the panel a field gets."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QObject

from app.window.barrier_rows import Barriers
from app.window.distributions import Distribution
from app.window.entries import Choice, Entry
from app.window.field import Field
from app.window.row import Row
from app.window.texts import Corners, FileRow

_FORMS = {"distribution": Distribution, "barriers": Barriers}


def row_for(field: Field, value: Any, degrees: bool, space: QObject) -> Row:
    """The row of a field: words to choose from, a file, places on the map, numbers; space: see KeepSpace."""
    if field.form:
        return _FORMS[field.form](field, value, space)
    if field.endings or field.corners:
        return (FileRow if field.endings else Corners)(field, value)
    return Choice(field, value, space) if field.choices else Entry(field, value, degrees)
