"""Archives of columns: .npz files without pickle, and the library that reads .parquet."""

from __future__ import annotations

import warnings
import zipfile
from collections.abc import Container, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from physics.core.errors import ScenarioError
from physics.core.input_checks import check_archive
from physics.core.wording import N_

Arrays = Mapping[str, Any]


def merged_arrays(parts: Mapping[str, Arrays]) -> dict[str, Any]:
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
        raise ValueError(
            N_("{dtype} {shape} in place of {dtype2} {shape2}", array.dtype, array.shape, other.dtype, other.shape)
        )
    if array.dtype.kind == "f" and not (np.isfinite(array) | (empty & (array == -np.inf))).all():
        raise ValueError(N_("numbers that are not finite"))
    return array


def counted(array: Any, other: np.ndarray, *, longer: bool = False) -> Any:
    """``like``, of what was counted: ValueError too where a number is below 0, or their sum is none."""
    array = like(array, other, longer=longer)
    if (array < 0).any() or not np.isfinite(array.sum(dtype=float)):
        raise ValueError(N_("counts that are none"))
    return array


def npz_arrays(path: Path, names: Container[str] | None = None) -> dict[str, np.ndarray]:
    """The arrays of an archive that takes no more memory than its size allows, or only those of some names.

    Raises one of physics.core.input_checks.DAMAGED where it is no archive.
    """
    check_archive(path)
    with zipfile.ZipFile(path) as archive, warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)  # of headers that numpy did not write
        found = {}
        for name in archive.namelist():
            if names is None or name.removesuffix(".npy") in names:
                with archive.open(name) as file:
                    found[name.removesuffix(".npy")] = np.lib.format.read_array(file, allow_pickle=False)
    return found


def pyarrow_or_sentence() -> tuple[Any, Any]:
    """pyarrow and pyarrow.parquet; ScenarioError where they are not installed."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise ScenarioError("", N_(".parquet needs pyarrow; install it with: pip install 'polhode[parquet]'")) from None
    return pyarrow, pyarrow.parquet
