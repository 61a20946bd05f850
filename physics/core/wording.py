"""Wording of errors, events and notes: a template with named values, English as it stands and translated by look-up."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from string import Formatter
from typing import Any, Self


class Wording(str):
    """An English text that keeps the template and the values that it was made from.

    A translation looks the template up and fills it with the same values. Values that are Wording are translated with
    it; all others, numbers and the words of a user, stay as they are.

    Parameters
    ----------
    template : text with named places, as ``str.format`` takes them
    values : what fills the places, in their order; of an error what it says

    Examples
    --------
    >>> text = Wording("expected a number above {least:g}, got {got:g}", 0.0, -1.5)
    >>> text
    'expected a number above 0, got -1.5'
    >>> text.values
    {'least': 0.0, 'got': -1.5}
    """

    template: str
    values: dict[str, Any]

    def __new__(cls, template: str, *values: Any) -> Self:
        places = [name for _, name, _, _ in Formatter().parse(template) if name]
        plain = [str(value) if isinstance(value, BaseException) else value for value in values]
        named = dict(zip(places, plain, strict=True))
        text = super().__new__(cls, template.format(**named))
        text.template, text.values = template, named
        return text

    def __add__(self, other: str) -> Wording:
        return Wording("{one}{other}", self, other)

    def __str__(self) -> str:
        return self  # so that str(error) has the template too

    def __reduce__(self) -> tuple[type[Self], tuple[Any, ...]]:
        return type(self), (self.template, *self.values.values())  # pickle would pass the English alone


N_ = Wording  # gettext's usual mark of texts that are translated where they are shown
JOINED = ("{one}; {other}", "{one} and {other}", "{one} or {other}")


def joined(sign: str, parts: Sequence[str]) -> str:
    """Parts as one text with a sign between any two of them, which is translated if it is one of ``JOINED``.

    sign : such as ``" or "``; "" without parts
    """
    return reduce(lambda one, other: Wording(f"{{one}}{sign}{{other}}", one, other), parts) if parts else ""


def per_cent(value: float, digits: int = 0) -> str:
    """A share in per cent; one that is neither none nor all has so many digits that it is not rounded to that.

    More than all, such as a rise of what it is a share of, has those that are asked for.
    """
    least = 10.0 ** -(digits + 2)
    if least <= value <= 1.0 - least or not 0.0 < value < 1.0 or digits > 10:
        return f"{value:.{digits}%}"
    return per_cent(value, digits + 2)


def in_digits(value: float, digits: int) -> str:
    """A number with so many digits, or whole where it has more before its point and is below a million."""
    return f"{value:.0f}" if 10.0 ** (digits - 1) <= abs(value) < 1e6 else f"{value:.{digits}g}"
