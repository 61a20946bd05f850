"""Opening rasters with GDAL, which would take a file for what its contents say and follow it to wherever that leads."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from physics.core.errors import ScenarioError
from physics.core.input_checks import check_no_pipes

_BESIDE = (".ovr", ".OVR", ".msk", ".MSK", ".msk.ovr", ".msk.OVR")  # what GDAL reads with a raster: less of it, masks


@contextmanager
def open_raster(path: Path) -> Iterator[Any]:
    """An open GeoTIFF, as rasterio has it; rasterio's errors where it is none.

    A virtual raster or the description of a service, under the name of a map or beside it, would be read from other
    folders and machines: ScenarioError.
    """
    os.environ.setdefault("GDAL_PAM_ENABLED", "NO")  # reading must not write .aux.xml files beside the map
    os.environ.setdefault("CPL_VSIL_CURL_ALLOWED_FILENAME", "none")  # no file is one of a network
    check_no_pipes(path)
    for ending in _BESIDE:
        beside = path.with_name(path.name + ending)
        if beside.is_file():
            with _opened(beside):
                pass
    with _opened(path) as data:
        yield data


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    import rasterio
    from rasterio.errors import NotGeoreferencedWarning

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NotGeoreferencedWarning)  # who needs to know where it lies finds out
        data = rasterio.open(path, driver="GTiff")
    with data:
        if "OVERVIEW_FILE" in data.tags(ns="OVERVIEWS"):
            raise ScenarioError("", "leads to another file; expected one that holds all of its map", path)
        yield data
