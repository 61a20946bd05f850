"""Cover: which soil and which forest lies where on a terrain, and their laws below a rock.

Kinds of ground belong to the terrain's nodes; between nodes every parameter is interpolated bilinearly, as heights are
(Leine et al. 2014, section 3.5). All laws of a step are those below its centre of mass at the midpoint: friction has
one slip for the whole rock, and drags act at the centre of mass.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import shapely
from pydantic import ValidationError

from physics import scar
from physics.compiled import formula
from physics.errors import ScenarioError
from physics.rotation import Array, Vector
from physics.scenario import Scenario
from physics.tables import ForestTable, ForestZoneTable, SoilTable, SoilZoneTable
from physics.terrain import Kinds, Terrain, patch, spot
from physics.wording import explained
from physics.zones import Zone, Zones, on_map, rasterised, read_zones, sound

EVERYWHERE: Kinds = np.zeros((1, 1), np.uint8)  # one kind: its map is never looked at
MOST = 256  # kinds that a map tells apart

_NUMBERS = {  # attributes of a feature
    "soil": ("mu_min", "mu_max", "beta", "kappa", "restitution", "drag"),
    "forest": ("drag", "height", "rotational_drag"),
}

T = TypeVar("T", SoilTable, ForestTable)


@dataclass(frozen=True)
class Cover:
    """Soils and forests on the nodes of a terrain.

    Attributes
    ----------
    soils, forests : the kinds; the first is that of the scenario's own table
    soil_map, forest_map : (ny, nx) the kind at each node; (1, 1) where there is one kind only
    notes : what was repaired or decided, one sentence each
    """

    soils: tuple[SoilTable, ...]
    forests: tuple[ForestTable, ...]
    soil_map: Kinds
    forest_map: Kinds
    notes: tuple[str, ...]

    def soil_laws(self, mass: float) -> tuple[Kinds, Array]:
        """What the loop knows of soils for a rock of this mass [kg]: the map, and a row of laws (k, 8) for each kind.

        Columns: mu_min, mu_max, beta, kappa, restitution, drag, and the two of physics.scar.
        """
        rows = [
            (
                *(soil.mu_min, soil.mu_max, soil.beta, soil.kappa, soil.restitution, soil.drag),
                *((0.0, 0.0) if soil.scar is None else scar.laws(**soil.scar.model_dump(), mass=mass)),
            )
            for soil in self.soils
        ]
        return self.soil_map, np.array(rows, float)

    def forest_laws(self, mass: float, heights: Array) -> tuple[Kinds, Array, float]:
        """What the loop knows of forests: the map, a row (k, 5) for each kind, and the highest tree top [m].

        Columns: drag over mass [1/s], height [m], rotational drag about each principal axis [N m s].
        """
        rows = [(forest.drag / mass, forest.height or 0.0, *forest.turning) for forest in self.forests]
        tallest = max((forest.height or 0.0) if forest.drags else -math.inf for forest in self.forests)
        top = float(heights.max()) + tallest if tallest > 0.0 else -math.inf
        return self.forest_map, np.array(rows, float), top


# ---- below a rock -------------------------------------------------------------------------------------


@formula
def blend(kinds: Kinds, table: Array, column: int, j: int, i: int, s: float, t: float) -> float:
    """A column of the table between the four nodes of a cell."""
    south = table[kinds[j, i], column] * (1 - s) + table[kinds[j, i + 1], column] * s
    north = table[kinds[j + 1, i], column] * (1 - s) + table[kinds[j + 1, i + 1], column] * s
    return float(south * (1 - t) + north * t)


@formula
def soil_below(soil: tuple[Kinds, Array], dx: float, dy: float, r: Vector) -> tuple[Any, ...]:
    """The laws of the soil below r, see Cover.soil_laws; the last is the pair of physics.scar."""
    kinds, table = soil
    if table.shape[0] == 1:
        a = table[0]
        return a[0], a[1], a[2], a[3], a[4], a[5], (a[6], a[7])
    j, i, s, t = spot(kinds.shape[0], kinds.shape[1], dx, dy, r[0], r[1])
    k = kinds[j, i]
    if k == kinds[j, i + 1] and k == kinds[j + 1, i] and k == kinds[j + 1, i + 1]:
        a = table[k]
        return a[0], a[1], a[2], a[3], a[4], a[5], (a[6], a[7])
    return (
        blend(kinds, table, 0, j, i, s, t),
        blend(kinds, table, 1, j, i, s, t),
        blend(kinds, table, 2, j, i, s, t),
        blend(kinds, table, 3, j, i, s, t),
        blend(kinds, table, 4, j, i, s, t),
        blend(kinds, table, 5, j, i, s, t),
        (blend(kinds, table, 6, j, i, s, t), blend(kinds, table, 7, j, i, s, t)),
    )


@formula
def trees_around(
    forest: tuple[Kinds, Array, float], heights: Array, dx: float, dy: float, r: Vector
) -> tuple[float, float, float, float]:
    """Drag over mass [1/s] and rotational drags [N m s] at r: zero above the tree tops (Leine et al. 2014, (10), (11)).

    Heights are measured plumb below the centre of mass.
    """
    kinds, table, top = forest
    if r[2] >= top:
        return 0.0, 0.0, 0.0, 0.0
    over = r[2] - patch(heights, dx, dy, r[0], r[1])[0]
    if table.shape[0] == 1:
        a = table[0]
        return (a[0], a[2], a[3], a[4]) if over < a[1] else (0.0, 0.0, 0.0, 0.0)
    j, i, s, t = spot(kinds.shape[0], kinds.shape[1], dx, dy, r[0], r[1])
    if over >= blend(kinds, table, 1, j, i, s, t):
        return 0.0, 0.0, 0.0, 0.0
    return (
        blend(kinds, table, 0, j, i, s, t),
        blend(kinds, table, 2, j, i, s, t),
        blend(kinds, table, 3, j, i, s, t),
        blend(kinds, table, 4, j, i, s, t),
    )


# ---- from a scenario ----------------------------------------------------------------------------------


def lay(scenario: Scenario, terrain: Terrain) -> Cover:
    """Soils and forests of a scenario on its terrain; ScenarioError names the zone, or the file and the feature."""
    soil, forest = scenario.soil, scenario.forest
    path = None if soil.zones is None else scenario.path(soil.zones)
    soils, soil_map, of_soils = _laid("soil", soil, read_zones(path, terrain), terrain)
    path = None if forest.zones is None else scenario.path(forest.zones)
    forests, forest_map, of_forests = _laid("forest", forest, read_zones(path, terrain), terrain)
    return Cover(soils, forests, soil_map, forest_map, (*of_soils, *of_forests))


def _laid(table: str, base: T, read: Zones, terrain: Terrain) -> tuple[tuple[T, ...], Kinds, tuple[str, ...]]:
    """The kinds of a table, their map and notes: polygons of the file first, then those of the scenario."""
    zones = [(z.where, z.polygon, _kind(base, _told(base, z, read.path), z.where, read.path)) for z in read.zones]
    notes: list[str] = list(read.notes)
    for n, zone in enumerate(base.zone):
        where = f"{table}.zone.{n}"
        polygon, repaired = sound(shapely.Polygon(zone.polygon), f"{where}.polygon")
        if not on_map(polygon, terrain):
            raise ScenarioError(f"{where}.polygon", f"lies off the map; expected {terrain.reach}")
        notes += repaired
        zones.append((where, polygon, _kind(base, _given(zone), where, None)))
    kinds = [base.model_copy(update={"zones": None, "zone": ()})]
    if not zones:
        return tuple(kinds), EVERYWHERE, tuple(notes)
    numbers = []
    for _, _, kind in zones:
        if kind not in kinds:
            kinds.append(kind)
        numbers.append(kinds.index(kind))
    if len(kinds) > MOST:
        raise ScenarioError(f"{table}.zones", f"{len(kinds)} kinds differ; expected at most {MOST}")
    kind_map, told = rasterised([polygon for _, polygon, _ in zones], numbers, terrain)
    notes += [f"{table}: {sentence}" for sentence in told]
    return tuple(kinds), kind_map, tuple(notes)


def _told(base: T, zone: Zone, path: Path | None) -> dict[str, Any]:
    """The values that the attributes of a feature give."""
    known = _NUMBERS["soil" if isinstance(base, SoilTable) else "forest"]
    given = {key: zone.attributes[key] for key in known if zone.attributes.get(key) is not None}
    names = ", ".join(known)
    if isinstance(base, SoilTable):
        names = f"'{base.soil_key}' (a preset), or one of {names}"
        if zone.attributes.get(base.soil_key) is not None:
            given["preset"] = str(zone.attributes[base.soil_key])
    if not given:
        raise ScenarioError(zone.where, f"missing attribute; expected {names}", path)
    return given


def _given(zone: SoilZoneTable | ForestZoneTable) -> dict[str, Any]:
    """The values that a zone gives itself."""
    return zone.model_dump(exclude_unset=True, exclude={"polygon"})


def _kind(base: T, given: dict[str, Any], where: str, path: Path | None) -> T:
    """The ground of a zone: with a preset a soil of its own, else what it does not give is as in the base table."""
    values = {} if "preset" in given else base.model_dump(exclude_unset=True, exclude={"zones", "soil_key", "zone"})
    try:
        return type(base)(**(values | given))
    except ValidationError as error:
        fault = explained(error, type(base))
        raise ScenarioError(f"{where}.{fault.field.strip('.')}", fault.message, path) from None
