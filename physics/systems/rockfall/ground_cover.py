"""Ground cover: which soil and which forest lies where on a terrain, and their laws below a rock.

Kinds of ground belong to the terrain's nodes; between nodes every parameter is interpolated bilinearly, as heights are
(Leine et al. 2014, section 3.5). All laws of a step are those below its centre of mass at the midpoint: friction has
one slip for the whole rock, and drags act at the centre of mass.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
import shapely
from pydantic import ValidationError
from shapely.geometry.base import BaseGeometry

from physics.bodies.body import Body
from physics.contact.bumps import Bumps, bumps_at
from physics.contact.obstacles import Stems
from physics.core.errors import ScenarioError
from physics.core.input_checks import input_file
from physics.core.rotation import Array
from physics.core.wording import N_, joined
from physics.scenario.scenario import explained
from physics.systems.rockfall.ground_config import (
    BUMPIEST,
    NEEDS,
    OF_BUMPS,
    ROUGHEST,
    STANDS,
    ForestConfig,
    ForestZoneConfig,
    SoilConfig,
    SoilLaws,
    SoilZoneConfig,
)
from physics.systems.rockfall.scenario import RockfallScenario
from physics.systems.rockfall.trees import planted
from physics.terrain.dem import read_grid
from physics.terrain.soil import (
    PRESET_LAWS,
    SOIL_TYPES,
    SOILS,
    ForestLaw,
    LawMap,
    ScarLaws,
    SoilLaw,
    hyphened,
    law_map,
    scar_laws,
    soil_below,
)
from physics.terrain.terrain import Kinds, Terrain
from physics.terrain.units import check_alike
from physics.terrain.zones import Zone, Zones, on_map, rasterised, read_zones, sound

EVERYWHERE: Kinds = np.zeros((1, 1), np.uint8)  # one kind: its map is never looked at
MAX_KINDS = 256  # kinds that a map distinguishes

_SCAR = ("scar_modulus", "scar_coefficient", "scar_density", "scar_layer")
_RIGID = "rigid"
_SHARES = {"rg70": 0.7, "rg20": 0.2, "rg10": 0.1}  # grid -> its share in the roughness
_GRIDS = ("types", *_SHARES)
_MAP_KEYS = {"zones", "soil_key", "zone", *_GRIDS, "trees", "seed", "bump_length"}  # keys of the map, not of a soil
_NUMBERS = {  # attributes of a feature
    "soil": tuple(name for name, field in SoilLaws.model_fields.items() if isinstance(field.default, float)),
    "forest": ("drag", "height", "rotational_drag"),
}
# laws that are keys of [soil], as they are
_SOIL_LAW = tuple(name for name in SoilLaw._fields if name in SoilLaws.model_fields)
_STEMS = ("stems", "dbh", "dbh_deviation", "species", "fracture_ratio")  # attributes of a forest with trees
_OF_PRESETS = {*PRESET_LAWS, "height", "stems"}  # keys that a preset of a soil or a forest gives

T = TypeVar("T", SoilConfig, ForestConfig)


class CoverZone(NamedTuple):
    """A polygon (or several in one) of another ground, and its place in the order, by which the later counts."""

    polygon: BaseGeometry
    ground: SoilConfig | ForestConfig
    order: int


@dataclass(frozen=True)
class Cover:
    """Soils and forests on the nodes of a terrain.

    Attributes
    ----------
    soils, forests : the kinds; the first is that of the scenario's own table
    soil_map, forest_map : (ny, nx) the kind at each node; (1, 1) where there is one kind only
    soil_zones, forest_zones : polygons of other soils and forests, in their order
    stems : of trees, see physics.systems.rockfall.trees
    notes : what was repaired or decided, one sentence each
    """

    soils: tuple[SoilConfig, ...]
    forests: tuple[ForestConfig, ...]
    soil_map: Kinds
    forest_map: Kinds
    soil_zones: tuple[CoverZone, ...]
    forest_zones: tuple[CoverZone, ...]
    stems: Stems
    notes: tuple[str, ...]

    def soil_laws(self, mass: float, volume: float) -> LawMap:
        """Soils for the loop, of records of SoilLaw.

        mass [kg], volume [m³]: of the rock.
        """
        radius, laws = (0.75 * volume / math.pi) ** (1.0 / 3.0), list[SoilLaw]()
        length = self.soils[0].length_of_bumps
        for soil in self.soils:
            speed, pressed = soil.restitution_speed, soil.pressed
            scar = ScarLaws() if pressed is None else scar_laws(**pressed.model_dump(), mass=mass)
            law: dict[str, float] = {name: getattr(soil, name) for name in _SOIL_LAW} | scar._asdict()
            law |= {"ramp": math.radians(soil.ramp), "roughness": soil.roughness / radius}
            if soil.bumps > 0.0:
                law["bumps"] = soil.bumps / (1.0 + (0.5 * radius / length) ** 2)
            laws.append(SoilLaw(**law, fading=(1.0 / max(speed, 1e-6)) ** 2 if speed > 0.0 else 0.0))
        return law_map(self.soil_map, laws)

    def bumps(self, terrain: Terrain) -> Bumps:
        """Bumps of the ground for the loop, their height left to the laws of the soil."""
        base = self.soils[0]
        key = np.random.SeedSequence(base.seed).generate_state(1, np.uint64)[0]
        return Bumps(0.0, 1.0 / base.length_of_bumps, *terrain.origin, np.uint64(key))

    def bumps_below(self, terrain: Terrain, body: Body, x: Array, y: Array) -> Array:
        """Heights [m] that bumps add for a rock at x, y (n,) [m], and -dz/dx, -dz/dy (n, 3).

        By the soil in the middle of these places.
        """
        if not any(soil.bumps > 0.0 for soil in self.soils):
            return np.zeros((len(x), 3))
        east, north = x - terrain.origin[0], y - terrain.origin[1]
        laws = self.soil_laws(body.mass, body.volume)
        felt = soil_below(laws, *terrain.cell, (float(east.mean()), float(north.mean()), 0.0)).bumps
        return bumps_at(self.bumps(terrain)._replace(height=felt), east, north)

    def forest_laws(self, mass: float, highest: float) -> tuple[LawMap, float]:
        """Forests for the loop, of records of ForestLaw, and the highest tree top [m].

        mass: of the rock [kg]; highest: ground of the map [m].

        Between kinds too it takes energy: a mean of positive semidefinite matrices is one.
        """
        laws = [ForestLaw(forest.drag / mass, forest.height or 0.0, forest.turning) for forest in self.forests]
        tallest = max((forest.height or 0.0) if forest.drags else -math.inf for forest in self.forests)
        return law_map(self.forest_map, laws), highest + tallest if tallest > 0.0 else -math.inf


def lay(scenario: RockfallScenario, terrain: Terrain) -> Cover:
    """Soils and forests of a scenario on its terrain; ScenarioError names the zone, or the file and the feature."""
    soil, forest = scenario.soil, scenario.forest
    path = None if soil.zones is None else scenario.path(soil.zones)
    pieces, numbers = _pieces(scenario), terrain.pieces
    if grids := [key for key in _GRIDS if soil.gives(key)]:
        if any(pieces):
            raise ScenarioError(f"soil.{grids[0]}", N_("expected none beside the soil of a [[terrain.piece]]"))
        pieces, numbers = _gridded(scenario, terrain)
    soils, soil_map, soil_zones, of_soils = _laid("soil", soil, read_zones(path, terrain), terrain, pieces, numbers)
    path = None if forest.zones is None else scenario.path(forest.zones)
    forests, forest_map, forest_zones, of_forests = _laid("forest", forest, read_zones(path, terrain), terrain)
    stems, of_trees = planted(
        scenario, terrain, [(z.polygon, z.ground) for z in forest_zones if isinstance(z.ground, ForestConfig)]
    )
    notes = (*of_soils, *of_forests, *of_trees)
    if forest.gives("preset") and forest.gives("drag") and forest.gives("height"):
        notes = (*notes, N_("forest.preset changes nothing: drag and height beside it win"))
    return Cover(soils, forests, soil_map, forest_map, soil_zones, forest_zones, stems, notes)


def _pieces(scenario: RockfallScenario) -> list[dict[str, Any]]:
    """The soil that each piece of the terrain gives."""
    assert scenario.terrain is not None
    return [{} if p.soil is None else p.soil.model_dump(exclude_unset=True) for p in scenario.terrain.piece]


def _gridded(scenario: RockfallScenario, terrain: Terrain) -> tuple[list[dict[str, Any]], Kinds]:
    """The soils that grids of Rockyfor3D give, and the number (ny, nx) of each node's, from 1.

    Roughness, or the height of bumps where the scenario gives their length, is the mean of the three grids by
    ``_SHARES``, to a millimetre. ScenarioError where a value is wrong, or
    a grid has none on the map.
    """
    soil, base = scenario.soil, len(SOIL_TYPES) + 1
    codes = np.zeros(terrain.heights.shape, np.int64)  # type + 1 + base (roughness [mm] + 1); 0: not given
    if soil.types is not None:
        path = input_file(scenario.path(soil.types), (".asc",), N_("soil types"))
        types, known = _of_cells(path, terrain)
        if not known.size:
            raise ScenarioError("", N_("no soil type on the map; expected {reach}", terrain.reach), path)
        wrong = known[~np.isin(known, range(len(SOIL_TYPES)))]
        if wrong.size:
            raise ScenarioError(
                "", N_("expected soil types 0 to {soil_types}, got {wrong:g}", len(SOIL_TYPES) - 1, wrong[0]), path
            )
        codes += np.nan_to_num(types + 1.0).astype(np.int64)
    rough, most = ("roughness", ROUGHEST) if soil.bump_length is None else ("bumps", BUMPIEST)
    if named := [key for key in _SHARES if soil.gives(key)]:
        roughness = np.zeros(codes.shape)
        for key in named:
            path = input_file(scenario.path(getattr(soil, key)), (".asc",), "roughness")
            heights, known = _of_cells(path, terrain)
            if not known.size:
                raise ScenarioError("", N_("no roughness on the map; expected {reach}", terrain.reach), path)
            wrong = known[(known < 0.0) | (known > most)]
            if wrong.size:
                raise ScenarioError(
                    "", N_("expected roughness of 0 to {roughest:g} m, got {wrong:g}", most, wrong[0]), path
                )
            roughness += _SHARES[key] * heights
        codes += base * np.nan_to_num(np.round(1e3 * roughness) + 1.0).astype(np.int64)
    found = np.flatnonzero(np.bincount(codes.ravel()))
    if len(found) >= MAX_KINDS:
        raise ScenarioError(f"soil.{named[0]}", N_("more than {most} kinds that differ; expected fewer", MAX_KINDS))
    soils: list[dict[str, Any]] = []
    for millimetres, number in zip(*(part.tolist() for part in np.divmod(found, base)), strict=True):
        soils.append({"preset": SOIL_TYPES[number - 1]} if number else {})
        soils[-1] |= {rough: 1e-3 * (millimetres - 1)} if millimetres else {}
    numbers = np.zeros(found[-1] + 1, np.uint8)
    numbers[found] = np.arange(1, len(found) + 1)
    return soils, numbers[codes]


def _of_cells(path: Path, terrain: Terrain) -> tuple[Array, Array]:
    """The number of a grid at each node (ny, nx), that of the cell around it, NaN where none is; and those found."""
    check_alike(path, terrain.crs)
    grid, _ = read_grid(path, None, None, False)
    values, shape = np.full(terrain.heights.shape, np.nan), grid.heights.shape
    i, j = (
        grid.cells_around(k, terrain.origin[k] + terrain.cell[k] * np.arange(values.shape[1 - k], dtype=float))
        for k in (0, 1)
    )
    columns, rows = (i >= 0) & (i < shape[1]), (j >= 0) & (j < shape[0])
    values[np.ix_(rows, columns)] = grid.heights[np.ix_(j[rows], i[columns])]
    return values, values[~np.isnan(values)]


def _laid(
    table: str,
    base: T,
    read: Zones,
    terrain: Terrain,
    pieces: Sequence[dict[str, Any]] = (),
    numbers: Kinds = EVERYWHERE,
) -> tuple[tuple[T, ...], Kinds, tuple[CoverZone, ...], tuple[str, ...]]:
    """Kinds of a table, their map, zones and notes: of pieces first, then polygons of the file, then the scenario's.

    numbers: of the piece at each node (ny, nx), from 1, 0 where none is.
    """
    given: list[dict[str, Any]] = [_attributes(base, zone, read.path) for zone in read.zones]
    zones = [(z.where, z.polygon, _kind(base, g, z.where, read.path)) for z, g in zip(read.zones, given, strict=True)]
    notes: list[str] = list(read.notes)
    for n, zone in enumerate(base.zone):
        where = f"{table}.zone.{n}"
        polygon, repaired = sound(shapely.Polygon(zone.polygon), f"{where}.polygon")
        if not on_map(polygon, terrain):
            raise ScenarioError(f"{where}.polygon", N_("lies off the map; expected {reach}", terrain.reach))
        notes += repaired
        given.append(_given(zone))
        zones.append((where, polygon, _kind(base, given[-1], where, None)))
    kinds = [base.model_copy(update={"zones": None, "zone": ()})]
    soils: list[T] = [
        _kind(base, values, f"terrain.piece.{n}.soil", None) if values else kinds[0] for n, values in enumerate(pieces)
    ]
    notes += _under_presets(table, base, [*pieces, *given], soils + [zone[2] for zone in zones])
    of_pieces: list[int] = [_numbered(kinds, kind, "terrain.piece") for kind in soils]
    of_zones = [_numbered(kinds, kind, where) for where, _, kind in zones]
    for key, needed in (NEEDS | (OF_BUMPS if table == "soil" else {})).items():
        if base.gives(key) and not any(getattr(kind, one) for kind in kinds for one in needed):
            raise ScenarioError(
                f"{table}.{key}", N_("needs {needed} above 0, here or in a zone", joined(" or ", needed))
            )
    below = np.array([0, *of_pieces], np.uint8)[numbers] if any(of_pieces) else None
    if not zones:
        return tuple(kinds), EVERYWHERE if below is None else below, (), tuple(notes)
    kind_map, sentences = rasterised([polygon for _, polygon, _ in zones], of_zones, terrain, below)
    notes += [N_("{table} {sentence}", table, sentence) for sentence in sentences]
    order = [*(zone.number for zone in read.zones), *(read.features + n for n in range(1, len(base.zone) + 1))]
    laid = tuple(CoverZone(polygon, kind, n) for (_, polygon, kind), n in zip(zones, order, strict=True))
    return tuple(kinds), kind_map, laid, tuple(notes)


def _numbered(kinds: list[T], kind: T, where: str) -> int:
    """The number of a kind of ground, which is added to the others where it is none of them."""
    if kind not in kinds:
        kinds.append(kind)
    if len(kinds) > MAX_KINDS:
        raise ScenarioError(where, N_("more than {most} kinds that differ; expected fewer", MAX_KINDS), None)
    return kinds.index(kind)


def _attributes(base: T, zone: Zone, path: Path | None) -> dict[str, Any]:
    """The values that the attributes of a feature give; names in any case, shapefiles cut them to ten letters."""
    found = {name.lower(): value for name, value in zone.attributes.items() if value is not None}

    def values(keys: Iterable[str]) -> dict[str, Any]:
        here = {key: found.get(key, found.get(key[:10])) for key in keys}
        return {key: value for key, value in here.items() if value is not None}

    table = "soil" if isinstance(base, SoilConfig) else "forest"
    key = base.soil_key if isinstance(base, SoilConfig) else table
    numbers = _NUMBERS["soil"] if isinstance(base, SoilConfig) else (*_NUMBERS["forest"], *_STEMS)
    given, names = values(numbers), N_("'{key}' (a preset), or one of {numbers}", key, ", ".join(numbers))
    if isinstance(base, SoilConfig):
        names = N_("{names}, {scar}, {rigid}", names, ", ".join(_SCAR), _RIGID)
        scars = {key.removeprefix("scar_"): value for key, value in values(_SCAR).items()}
        given |= {"scar": scars} if scars else {}
        given |= values([_RIGID])
        if given.get(_RIGID) not in (None, True, False):
            raise ScenarioError(
                f"{zone.where}.{_RIGID}", N_("expected true or false, got {rigid!r:.40}", given[_RIGID]), path
            )
        if scars and given.get(_RIGID):
            raise ScenarioError(f"{zone.where}.{_RIGID}", N_("expected none in a zone that has a scar"), path)
    for name in values([key.lower()]).values():
        given["preset"] = hyphened(str(name))
    if not given:
        raise ScenarioError(zone.where, N_("missing attribute; expected {names}", names), path)
    return given


def attributes(zone: CoverZone) -> dict[str, Any]:
    """Attributes of a feature for a file of zones, from which the same ground is read; and its ``order``."""
    ground = zone.ground
    table = "soil" if isinstance(ground, SoilConfig) else "forest"
    idle = {key for key, _ in ground.idle()}
    found = {"order": zone.order, table: ground.preset}
    found |= {key: None if key in idle else getattr(ground, key) for key in _NUMBERS[table]}
    if isinstance(ground, ForestConfig) and ground.stems > 0.0:
        found |= {key: getattr(ground, key) for key in _STEMS}
    if isinstance(ground, SoilConfig):
        scar = ground.pressed
        found |= {key: None if scar is None else getattr(scar, key.removeprefix("scar_")) for key in _SCAR}
        found[_RIGID] = scar is None
    return found


def _given(zone: SoilZoneConfig | ForestZoneConfig) -> dict[str, Any]:
    """The values that a zone gives itself."""
    return zone.model_dump(exclude_unset=True, exclude={"polygon"})


def _under_presets(table: str, base: T, given: Sequence[dict[str, Any]], laid: Sequence[T]) -> Iterator[str]:
    """Notes on what becomes of the keys of a table in zones and pieces with a preset.

    given, laid: what each zone or piece gives itself, and its ground.
    """
    acting: set[str] = set()
    ending: set[str] = set()
    for own, kind in zip(given, laid, strict=True):
        if "preset" in own:
            decided = set(own)
            if decided & {"ground", "scar"} or own.get(_RIGID):
                decided |= {"ground", "scar"}
            keys = {key for key in base.model_fields_set - _MAP_KEYS - decided if base.gives(key)}
            acting |= keys & kind.model_fields_set
            ending |= keys - kind.model_fields_set
    if acting:
        listed = _listed(base, acting)
        alone = N_("friction and drag") if table == "soil" else N_("drag and height")
        yield N_(
            "{listed} of [{table}] also in zones and pieces with a preset, which gives {alone} alone",
            listed,
            table,
            alone,
        )
    if acting & {"ground", "scar"}:
        yield N_("rigid = true keeps the scar of [soil] out of a zone or a piece")
    if ending:
        listed = _listed(base, ending)
        yield N_(
            "{listed} of [{table}] not in zones and pieces with a preset that has its own, or cannot use it",
            listed,
            table,
        )


def _listed(base: SoilConfig | ForestConfig, keys: set[str]) -> str:
    """Keys in the order of their table."""
    return ", ".join(key for key in type(base).model_fields if key in keys)


def _kind(base: T, given: dict[str, Any], where: str, path: Path | None) -> T:
    """The ground of a zone or a piece: what neither it nor its preset gives is as in the base table.

    A preset gives _OF_PRESETS, and rigid ground takes no scar. What would do nothing there, such as a speed of the
    base table's restitution beside none, is left out.
    """
    values = base.model_dump(exclude_unset=True, exclude=_MAP_KEYS)
    own = {key: value for key, value in given.items() if key != _RIGID}
    if "preset" in given:
        values = {key: value for key, value in values.items() if key not in _OF_PRESETS}
    out = {"ground", "scar"} if given.get(_RIGID) else {"scar"} if "ground" in given else set[str]()
    if "stems" in given:
        out |= STANDS.keys()
    whole = values | own
    if given.get(_RIGID) and "laws" in whole and whole.get("preset") in SOILS:  # those without the scar
        out |= {"laws"}
        own.pop("laws", None)
        values = SOILS[whole["preset"]].impact.laws() | values
    out |= {key for key, _ in type(base).model_construct(**(values | own)).idle()}
    try:
        return type(base)(**({key: value for key, value in values.items() if key not in out} | own))
    except ValidationError as error:
        fault = explained(error, type(base))
        raise ScenarioError(f"{where}.{fault.field.strip('.')}", fault.message, path) from None
