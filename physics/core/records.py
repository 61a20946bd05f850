"""Records: rows of numbers that have names, in one array that kernels take and read by these names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

Records = Any  # numpy's arrays of records: x[i].name of one, x.name of all


def record_type(fields: Sequence[tuple[Any, ...]]) -> np.dtype[Any]:
    """The type of plain arrays of records; fields : names, types and shapes."""
    return np.dtype((np.record, np.dtype([*fields], align=True)))


def records(count: int | tuple[int, ...], fields: Sequence[tuple[Any, ...]]) -> Records:
    """Records of zeros, of a number or shape; fields : names, types and shapes.

    Compiled code takes each array as seven numbers or more: functions that take few arrays of records are compiled and
    called faster than those that take an array for each field.
    """
    return np.zeros(count, record_type(fields)).view(np.recarray)
