"""A box for a number with a decimal point or comma, whatever the language of the system."""

from __future__ import annotations

from PySide6.QtCore import QLocale
from PySide6.QtGui import QValidator
from PySide6.QtWidgets import QDoubleSpinBox


class DecimalBox(QDoubleSpinBox):
    """Shows a point, as all numbers of the window; 0.5 and 0,5 are a half.

    Where commas are decimal, Qt takes the point of 0.5 for one between thousands, and reads 5.
    """

    def __init__(self) -> None:
        super().__init__()
        locale = QLocale.c()
        locale.setNumberOptions(QLocale.NumberOption.RejectGroupSeparator | QLocale.NumberOption.OmitGroupSeparator)
        self.setLocale(locale)

    def validate(self, text: str, at: int) -> tuple[QValidator.State, str, int]:
        """Take a comma for a point; what Qt says of that."""
        return super().validate(text.replace(",", "."), at)
