"""Units of a map's plan and heights, however they are declared: PROJ says those of any system, also of a compound one.

Every reader asks here: of a text, of a .prj, of a raster, of the keys of a raster or a point cloud.
"""

from __future__ import annotations

import math
import struct
import warnings
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from physics.core.errors import NotInMetres, ScenarioError
from physics.core.wording import N_
from physics.terrain import crs as systems

_USER_DEFINED = 32767  # the code of what a file defines by itself, or not at all


class Unit(NamedTuple):
    """A unit by its name, and its length [m]; 0 of an angle, NaN where it is not known."""

    name: str
    metres: float

    def same(self, other: Unit) -> bool:
        """True for units of one length, whatever their names; rounded as in files."""
        return self.metres == other.metres or abs(self.metres - other.metres) < 1e-7 * self.metres


METRE = Unit("metre", 1.0)
DEGREE = Unit("degree", 0.0)
_KNOWN: dict[Unit, tuple[str | int, ...]] = {  # other names, and the code of EPSG
    METRE: ("m", "meter", "metres", "meters", 9001),
    Unit("foot", 0.3048): ("ft", "feet", "international foot", 9002),
    Unit("US survey foot", 1200 / 3937): ("us-ft", "us survey feet", "ftus", "us foot", 9003),
    Unit("millimetre", 0.001): ("mm", "millimeter", "millimetres", "millimeters", 1025),
    Unit("centimetre", 0.01): ("cm", "centimeter", "centimetres", "centimeters", 1033),
    Unit("decimetre", 0.1): ("dm", "decimeter", "decimetres", "decimeters"),
}
_NAMED = {name: unit for unit, names in _KNOWN.items() for name in (unit.name.lower(), *names)}


class DeclaredSystem(NamedTuple):
    """Declaration of a map's coordinates; None where nothing is declared.

    text : the system of the plan, a code where it has one; plan, height : units of x and y, and of z
    """

    text: str | None = None
    plan: Unit | None = None
    height: Unit | None = None

    def or_else(self, other: DeclaredSystem) -> DeclaredSystem:
        """Declarations of this one, and of another one where this one has none."""
        return DeclaredSystem(self.text or other.text, self.plan or other.plan, self.height or other.height)


# ---- declarations -------------------------------------------------------------------------------------


def of_text(text: str, field: str = "crs", path: Path | None = None) -> DeclaredSystem:
    """The system in a text; ScenarioError, naming the field, where it is none of a map."""
    return _of_crs(systems.known(text, field, path), field, path)


def _of_crs(crs: Any, field: str, path: Path | None) -> DeclaredSystem:
    """The system of a map that rasterio has; ScenarioError for one of heights alone, or around the Earth's centre."""
    from rasterio.crs import CRS

    described = crs.to_dict(projjson=True)
    parts = described.get("components", [described])
    axes = [axis for part in parts for axis in part.get("source_crs", part)["coordinate_system"]["axis"]]
    if len(axes) < 2 or axes[0]["direction"].startswith("geocentric"):
        raise ScenarioError(field, N_("expected the system of a map, in metres, got {crs:.60}", crs.to_string()), path)
    if len(axes) > 2 and axes[2]["direction"] == "down":
        name = crs.to_string()
        raise ScenarioError(field, N_("expected heights, got depths ({name:.60})", name), path)
    plan = crs if len(parts) == 1 else CRS.from_user_input(parts[0])
    code = plan.to_authority()
    text = str(plan.to_string()) if code is None else ":".join(code)
    return DeclaredSystem(text, _unit(axes[0]), _unit(axes[2]) if len(axes) > 2 else None)


def _unit(axis: Mapping[str, Any]) -> Unit:
    """The unit of an axis in PROJ's words."""
    unit = axis["unit"]
    if isinstance(unit, str):  # "metre" or "degree"; others are described
        return METRE if unit == METRE.name else Unit(unit, 0.0)
    return Unit(unit["name"], 0.0 if unit["type"] == "AngularUnit" else float(unit["conversion_factor"]))


def declared_beside(path: Path) -> DeclaredSystem:
    """The system that a .prj beside a map declares; ScenarioError for other contents."""
    if (file := systems.beside(path)) is None:
        return DeclaredSystem()
    text, heights = systems.text_beside(file)
    found = of_text(text, "", file)
    return found if heights is None else found._replace(height=_NAMED.get(heights, Unit(heights, math.nan)))


def check_alike(path: Path, crs: str | None) -> None:
    """ScenarioError for a grid that lies on a map and declares another system than the map's."""
    own = declared_beside(path)
    check_metres(own, "coordinate system", path)
    if None not in (own.text, crs) and systems.known(str(own.text)) != systems.known(str(crs)):
        raise ScenarioError(
            "coordinate system", N_("expected that of the map, {crs:.60}, got {text:.60}", crs, own.text), path
        )


# keys of GeoTIFF 1.1, which .las files have too
_MODEL, _PROJECTED, _PLAN_UNIT, _PLAN_SIZE, _VERTICAL, _VERTICAL_UNIT = 1024, 3072, 3076, 3077, 4096, 4099
_DIRECTORY, _DOUBLES = 34735, 34736  # tags of a TIFF, records of a .las
Keys = dict[int, float]


def keys_in(directory: Sequence[int], doubles: Sequence[float]) -> Keys:
    """The numbers of keys: four words each, the key, where its value is, how many, and the value or its place."""
    rows = [directory[i : i + 4] for i in range(0, len(directory) - 3, 4)]
    inside = {key: float(value) for key, place, _, value in rows if place == 0}
    return inside | {key: doubles[at] for key, place, _, at in rows if place == _DOUBLES and at < len(doubles)}


def of_keys(keys: Keys, path: Path) -> DeclaredSystem:
    """The units that keys declare; a unit counts before that of a system, which GDAL gives instead of it."""
    plan, height = (_of_code(keys.get(key)) for key in (_PLAN_UNIT, _VERTICAL_UNIT))
    if keys.get(_PLAN_UNIT) == _USER_DEFINED and keys.get(_PLAN_SIZE, 0.0) > 0.0:
        plan = Unit("user's own unit", keys[_PLAN_SIZE])
    return DeclaredSystem(
        plan=DEGREE if keys.get(_MODEL) == 2 else plan,
        height=_of_vertical(keys.get(_VERTICAL), path) if height is None else height,
    )


def of_records(texts: Iterable[str], directory: Sequence[int], doubles: Sequence[float], path: Path) -> DeclaredSystem:
    """The system of a point cloud: of its texts, WKT, the first; what that does not declare by its keys."""
    keys, where = keys_in(directory, doubles), "coordinate system"
    code = int(keys.get(_PROJECTED, 0))
    found = next((of_text(text, where, path) for text in texts if text), DeclaredSystem())
    coded = (
        of_text(f"EPSG:{code}", where, path) if 1024 <= code < _USER_DEFINED and not found.text else DeclaredSystem()
    )
    return found.or_else(of_keys(keys, path)).or_else(coded)


def _of_code(code: float | None) -> Unit | None:
    """The unit of a code of EPSG; None for none, or a user's own."""
    if not code or code == _USER_DEFINED:
        return None
    return _NAMED.get(int(code), Unit(N_("the unit EPSG:{code:g}", code), math.nan))


def _of_vertical(code: float | None, path: Path) -> Unit | None:
    """The unit of a code of a system of heights; None where it is none: older files have one of a datum there."""
    from rasterio import Env
    from rasterio.crs import CRS
    from rasterio.errors import CRSError

    if not code or code == _USER_DEFINED:
        return None
    try:
        with Env():
            axes = CRS.from_epsg(int(code)).to_dict(projjson=True)["coordinate_system"]["axis"]
    except (CRSError, KeyError):
        return None
    if axes[0]["direction"] == "down":
        name = f"EPSG:{code:g}"
        raise ScenarioError("coordinate system", N_("expected heights, got depths ({name:.60})", name), path)
    return _unit(axes[0]) if len(axes) == 1 else None


def of_raster(data: Any, path: Path) -> tuple[DeclaredSystem, tuple[str, ...]]:
    """The system of an open raster, and a note where the unit of its heights is not known.

    GDAL takes a system without a name to be in metres, whatever the keys say, and the unit of a vertical system for
    that of the keys.
    """
    found, keys = DeclaredSystem(), of_keys(_keys_of_tiff(path), path)
    if data.crs is not None:
        found = _of_crs(data.crs, "coordinate system", path)
        if not (data.crs.is_projected or data.crs.is_geographic) and '"unnamed"' in (found.text or ""):
            found = DeclaredSystem()
    name = data.units[0] or ""
    unit = _NAMED.get(name.lower())
    if unit not in (None, METRE):
        keys = keys._replace(height=unit)
    notes = (
        (N_("heights in '{name:.40}' were taken for metres in {name2}", name, path.name),)
        if name and unit is None
        else ()
    )
    return keys.or_else(found), () if keys.height is not None else notes


def _keys_of_tiff(path: Path) -> Keys:
    """The keys of a GeoTIFF; none where it has none that can be read."""
    from PIL.TiffImagePlugin import ImageFileDirectory_v2

    try:
        with path.open("rb") as file, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of Pillow, on tags that are of no matter here
            head = file.read(8)
            tags = ImageFileDirectory_v2(head + file.read(8) if 43 in head[2:4] else head)
            file.seek(tags.next)
            tags.load(file)
            words, doubles = (np.atleast_1d(tags.get(tag, ())).tolist() for tag in (_DIRECTORY, _DOUBLES))
            return keys_in(words[4:], doubles)
    except (OSError, ValueError, TypeError, SyntaxError, LookupError, struct.error):
        return {}


# ---- agreement ----------------------------------------------------------------------------------------


def check_metres(system: DeclaredSystem, field: str, path: Path | None = None) -> None:
    """ScenarioError for a plan in degrees or feet."""
    if system.plan is None or system.plan.same(METRE):
        return
    if system.plan.metres == 0.0:
        got = f"{system.plan.name}s" + ("" if system.text is None else f" ({system.text:.60})")
    else:
        got = system.plan.name
    raise NotInMetres(field, N_("expected metres, got {got}; project the map first", got), path)


def in_metres(text: str, field: str = "crs", path: Path | None = None) -> str:
    """The system of the plan in a text, a code where it has one; ScenarioError for one that is not in metres."""
    system = of_text(text, field, path)
    check_metres(system, field, path)
    return str(system.text)


def agreed(
    given: str | None, declared: Iterable[DeclaredSystem], path: Path, *, projected: bool = False
) -> DeclaredSystem:
    """The system of a map, given by the scenario or declared by its files, the first of these before the next.

    projected : whether it will be, so that its plan may be in another unit than metres

    Raises ScenarioError where these differ, and for another unit.
    """
    own = DeclaredSystem()
    for system in declared:
        if not projected:
            check_metres(system, "coordinate system", path)
        own = own.or_else(system)
    if given is None:
        return own
    mine = of_text(given, "terrain.crs")
    if not projected:
        check_metres(mine, "terrain.crs")
    if (of_file := own.text) is not None and systems.known(of_file) != systems.known(str(mine.text)):
        raise ScenarioError(
            "terrain.crs", N_("{name} itself has {of_file:.60}; expected that, or none", path.name, of_file)
        )
    for theirs, ours in zip(own[1:], mine[1:], strict=True):
        if isinstance(theirs, Unit) and isinstance(ours, Unit) and not theirs.same(ours):
            text = N_(
                "has {name} where {name2} itself has {name3}; expected that, or none", ours.name, path.name, theirs.name
            )
            raise ScenarioError("terrain.crs", text)
    return mine.or_else(own)


def height_unit(system: DeclaredSystem, field: str, path: Path) -> tuple[float, tuple[str, ...]]:
    """The unit of heights [m], and a note where it is another than metres.

    Raises ScenarioError where it is not declared while the plan is in another unit: heights may be in that too.
    """
    plan, unit = system.plan, system.height
    if unit is None and plan is not None and plan.metres > 0.0 and not plan.same(METRE):
        text = N_("declares no unit of heights beside a plan in {name}; expected one of plan and height", plan.name)
        raise ScenarioError(field, N_("{text}, such as EPSG:2229+6360 (feet) or EPSG:2229+5703 (metres)", text), path)
    if unit is None or unit.same(METRE):
        return 1.0, ()
    if not unit.metres > 0.0:
        raise ScenarioError(field, N_("heights in {name}; expected metres or feet", unit.name), path)
    return unit.metres, (N_("heights in '{name}' were converted to metres in {name2}", unit.name, path.name),)
