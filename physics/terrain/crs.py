"""Coordinate systems by their code, by their OGC name or as WKT, never by a name that leads to a file or a service.

GDAL takes any text for one of these and opens what it names; here each text must have the form of one first.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

from physics.core.errors import ScenarioError
from physics.core.wording import N_

MAX_CRS_LETTERS = 20_000  # letters of a description
EXPECTED = N_("expected a code such as EPSG:31287, a name such as urn:ogc:def:crs:EPSG::31287, or WKT")
ENDINGS = (".prj", ".PRJ")  # endings of the file beside a map that describes its system
WORLDS = (".tfw", ".TFW", ".tifw", ".tiffw", ".wld", ".WLD")  # of one that places a raster, in the order of GDAL

_CODE = re.compile(r"([A-Z][A-Z_0-9]{1,15}):([0-9A-Z]{1,12})", re.IGNORECASE | re.ASCII)
_COMPOUND = re.compile(r"EPSG:(\d{4,6})\+(?:EPSG:)?(\d{4,6})", re.IGNORECASE | re.ASCII)  # codes of plan and height
_URN = re.compile(r"urn:ogc:def:crs:([A-Z][A-Z_0-9]{1,15}):[0-9.]{0,12}:([0-9A-Z]{1,12})", re.IGNORECASE | re.ASCII)
_WKT = re.compile(r"(PROJ|GEOG|GEOD|COMPOUND|BOUND|ENG|LOCAL_|COMPD_|GEOGRAPHIC|PROJECTED)?(CS|CRS)\s*[\[(]", re.ASCII)
_WORDS = re.compile(r"\s*Projection\s", re.IGNORECASE)
_HEIGHTS = re.compile(r"^\s*Zunits\s+(?!no\b|none\b)(\S{1,40})", re.IGNORECASE | re.MULTILINE)
# a description may name grids in files, which PROJ would open; @null, as of the maps of the web, is none
_LEADS = re.compile(r"PROJ4_GRIDS|PARAMETERFILE|grids\s*=\s*(?!@null\b)|\+init|\+file", re.IGNORECASE)


def known(text: str, field: str = "crs", path: Path | None = None) -> Any:
    """The coordinate system (of rasterio) in a text; ScenarioError, naming the field, where it is none."""
    from rasterio import Env
    from rasterio.errors import CRSError

    try:
        with Env():  # in which PROJ and GDAL print nothing themselves
            found = _found(text, field, path)
    except (CRSError, ValueError, OverflowError) as error:  # of Python, for a code of EPSG that is no number
        if isinstance(error, ScenarioError):
            raise
        raise ScenarioError(
            field, N_("unknown coordinate system '{text:.60}'; {expected}", _short(text), EXPECTED), path
        ) from None
    if found is None:
        raise ScenarioError(field, N_("no coordinate system '{text:.60}'; {expected}", _short(text), EXPECTED), path)
    return found


def _found(text: str, field: str, path: Path | None) -> Any:
    """The coordinate system in a text; None where it does not have the form of one."""
    from rasterio.crs import CRS

    if named := _CODE.fullmatch(_short(text)) or _URN.fullmatch(_short(text)):
        return CRS.from_authority(named[1].upper(), named[2].upper())
    if parts := _COMPOUND.fullmatch(_short(text)):
        return CRS.from_user_input(f"EPSG:{parts[1]}+{parts[2]}")
    if len(text) > MAX_CRS_LETTERS or not _WKT.match(text.strip()):
        return None
    _check_closed(text, field, path)
    described = CRS.from_wkt(text.strip())
    described.to_wkt()  # what can be read may not be writable
    code = described.to_authority()
    return described if code is None else CRS.from_authority(*code)


def _short(text: str) -> str:
    return " ".join(text.split())


def _check_closed(text: str, field: str, path: Path | None) -> None:
    """ScenarioError for a description that leads to other files."""
    if _LEADS.search(text):
        raise ScenarioError(field, N_("a description that leads to other files; {expected}", EXPECTED), path)


def beside(path: Path, endings: tuple[str, ...] = ENDINGS) -> Path | None:
    """The file that describes the system of a map, or another one of its name; None where there is none."""
    names = (os.path.splitext(path)[0] + ending for ending in endings)
    return next((Path(name) for name in names if os.path.isfile(name)), None)  # unlike Path's these take any text


def files_beside(path: Path) -> list[Path]:
    """Files that belong to a map: that of its system, and that of a raster's place."""
    place = beside(path, WORLDS) if path.suffix.lower() in (".tif", ".tiff") else None
    return [*filter(None, [beside(path), place])]


def text_beside(file: Path) -> tuple[str, str | None]:
    """The description in a .prj, and the unit of heights, in small letters, where it does not stand in that.

    The words of older ESRI programs become WKT. Raises ScenarioError for a file that cannot be read.
    """
    text = _text(file)
    if not _WORDS.match(text):
        return text, None
    heights = _HEIGHTS.search(text)
    return _described(text, file), heights[1].lower() if heights else None


def _described(text: str, path: Path) -> str:
    """The system in the words of older ESRI programs, which GDAL reads beside a grid only; else the text."""
    from rasterio import MemoryFile
    from rasterio.errors import RasterioError

    _check_closed(text, "", path)
    grid = b"ncols 1\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 1\n0\n"
    folder = str(uuid4())
    with (
        suppress(RasterioError),
        MemoryFile(text.encode(), dirname=folder, filename="map.prj"),
        MemoryFile(grid, dirname=folder, filename="map.asc") as file,
        file.open(driver="AAIGrid") as data,
    ):
        return text if data.crs is None else str(data.crs.to_wkt())
    return text


def _text(file: Path) -> str:
    try:
        with file.open(encoding="utf-8-sig", errors="replace") as opened:
            text = opened.read(MAX_CRS_LETTERS + 1)
    except OSError as error:
        raise ScenarioError("", N_("cannot be read: {error}", error.strerror or error), file) from None
    if len(text) > MAX_CRS_LETTERS:
        raise ScenarioError("", N_("more than {longest} letters; {expected}", MAX_CRS_LETTERS, EXPECTED), file)
    return text


def name(text: str) -> str:
    """A system as GeoJSON names it: the OGC name of its code, or WKT where it has none."""
    crs = known(text)
    code = crs.to_authority()
    return f"urn:ogc:def:crs:{code[0]}::{code[1]}" if code is not None else str(crs.to_wkt())
