"""Archives of columns: .npz files without pickle, and the library that reads .parquet."""

from __future__ import annotations

import warnings
import zipfile
from collections.abc import Container
from pathlib import Path
from typing import Any

import numpy as np

from physics.core.errors import ScenarioError
from physics.core.input_checks import check_archive


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
        raise ScenarioError("", ".parquet needs pyarrow; install it with: pip install 'polhode[parquet]'") from None
    return pyarrow, pyarrow.parquet
