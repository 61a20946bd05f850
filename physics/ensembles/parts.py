"""Parts: arrays under names such as ``explicit/maps/sums``, for an archive that holds those of several things."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Arrays = Mapping[str, Any]


def joined(parts: Mapping[str, Arrays]) -> dict[str, Any]:
    """The arrays of all parts, each under the name of its part and its own."""
    return {f"{name}/{key}": array for name, arrays in parts.items() for key, array in arrays.items()}


def part_of(arrays: Arrays, name: str) -> dict[str, Any]:
    """The arrays of one part, under their own names; of a file no others are read."""
    return {key.removeprefix(f"{name}/"): arrays[key] for key in arrays if key.startswith(f"{name}/")}
