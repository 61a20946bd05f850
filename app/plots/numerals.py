"""Numerals: numbers as plots tell them, in little room."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from app.kinds.quantities import MINUS, Quantity


def short(value: float, digits: int) -> str:
    """A number in little room; very small ones, which are errors, with fewer digits."""
    if 10.0**digits <= abs(value) < 1e5:
        return f"{value:.0f}".replace("-", MINUS)
    if value == 0 or 1e-3 <= abs(value) < 1e5:
        return f"{value:.{digits}g}".replace("-", MINUS)
    mantissa, exponent = f"{value:.{digits - 1 if abs(value) > 1 else max(digits - 3, 0)}e}".split("e")
    mantissa = mantissa.rstrip("0").rstrip(".") if abs(value) > 1 and "." in mantissa else mantissa
    return f"{mantissa}e{int(exponent)}".replace("-", MINUS)


def read_out(quantity: Quantity, value: float, digits: int) -> str:
    """A value beside a chart: an error as captions tell it, anything else in little room."""
    return quantity.text(value) if quantity.share else short(value, digits)


def ticks(values: Sequence[float]) -> list[str]:
    """The numbers along an axis, with just as many digits as tell each from the next one."""
    if not len(values):
        return []
    largest = max(map(abs, values))
    apart = min((abs(b - a) for a, b in pairwise(values) if b != a), default=largest)
    if largest == 0 or apart < 1e-14 * largest:
        return [short(value, 4) for value in values]
    power = math.floor(math.log10(largest) + 1e-9)
    power = 0 if -3 <= power < 5 else power
    told = [value / 10.0**power for value in values]
    close = 1e-3 * apart / 10.0**power
    decimals = next((n for n in range(12) if all(abs(round(one, n) - one) < close for one in told)), 12)
    ending = f"e{power}" if power else ""
    return ["0" if abs(one) < close else f"{one:.{decimals}f}{ending}".replace("-", MINUS) for one in told]
