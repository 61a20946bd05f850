"""Parts of archives: arrays under names such as ``explicit/maps/sums``, where one archive holds several things."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

Arrays = Mapping[str, Any]


def joined(parts: Mapping[str, Arrays]) -> dict[str, Any]:
    """The arrays of all parts, each under the name of its part and its own."""
    return {f"{name}/{key}": array for name, arrays in parts.items() for key, array in arrays.items()}


def part_of(arrays: Arrays, name: str) -> dict[str, Any]:
    """The arrays of one part, under their own names; of a file no others are read."""
    return {key.removeprefix(f"{name}/"): arrays[key] for key in arrays if key.startswith(f"{name}/")}


def like(array: Any, other: np.ndarray, *, longer: bool = False, empty: bool = False) -> Any:
    """The array; ValueError where it is not of the type and shape of another one, or its numbers are not finite.

    longer : whether it may have more or fewer rows; empty : whether -inf may stand for the maximum of nothing
    """
    shape = array.shape[1:] if longer else array.shape
    if array.dtype != other.dtype or shape != (other.shape[1:] if longer else other.shape) or array.ndim != other.ndim:
        raise ValueError(f"{array.dtype} {array.shape} in place of {other.dtype} {other.shape}")
    if array.dtype.kind == "f" and not (np.isfinite(array) | (empty & (array == -np.inf))).all():
        raise ValueError("numbers that are not finite")
    return array


def counted(array: Any, other: np.ndarray, *, longer: bool = False) -> Any:
    """``like``, of what was counted: ValueError too where a number is below 0, or their sum is none."""
    array = like(array, other, longer=longer)
    if (array < 0).any() or not np.isfinite(array.sum(dtype=float)):
        raise ValueError("counts that are none")
    return array
