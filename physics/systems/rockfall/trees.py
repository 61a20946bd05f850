"""Trees: stems that stand on a terrain, from a file or drawn, each with the energy that it can take."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from physics.contact.obstacles import GROWTH, STEM, Stems
from physics.core.errors import ScenarioError
from physics.core.input_checks import input_file
from physics.core.rotation import Array
from physics.core.text_tables import read_columns
from physics.core.wording import N_
from physics.systems.rockfall.ground_config import STANDS, THICKEST, THINNEST, ForestConfig, ForestLaws, check_wood
from physics.systems.rockfall.scenario import RockfallScenario
from physics.terrain.dem import read_grid
from physics.terrain.soil import fracture_ratio
from physics.terrain.terrain import Terrain, off_map
from physics.terrain.units import check_alike

MAX_STEMS = 1_000_000  # stems that are drawn
SIDE = 5.0  # [m] of the cells in which stems are looked for
HEIGHT = 25.0  # [m] where none is given
BROKEN_BY = 38.7  # [J] that break a stem of 1 cm at breast height, with a fracture energy ratio of 1
BARE: Stems = (np.zeros((0, STEM)), np.zeros(2, np.int64), 1, 1.0, 0.0)


def capacity(dbh: Array, ratio: Array | float) -> Array:
    """Energy [J] that breaks stems of diameters dbh (n,) [cm] at breast height, hit centrally there.

    ratio: of the fracture energy of the species. E = ratio 38.7 dbh^2.31, for sources see
    physics.contact.obstacles; approximate.
    """
    return np.asarray(ratio * BROKEN_BY * dbh**GROWTH)


def planted(
    scenario: RockfallScenario, terrain: Terrain, zones: Sequence[tuple[BaseGeometry, ForestConfig]]
) -> tuple[Stems, tuple[str, ...]]:
    """Stems of a scenario for the loop, and notes; zones: polygons of other forests, of which the later count.

    Stems are rows (n, STEM), sorted by square cells of ``side`` [m]; those of cell c are ``first[c] : first[c + 1]``;
    then the cells of a line, the side and the largest radius [m]. Raises ScenarioError for a wrong file, or too many.
    """
    base, notes = scenario.forest, list[str]()
    found = [_drawn(scenario, terrain, zones)]
    if base.trees is not None:
        read, notes = read_trees(scenario.path(base.trees), base, terrain)
        found.append(read)
    rows = np.concatenate(found)
    if not len(rows):
        return BARE, tuple(notes)
    x0, x1, y0, y1 = terrain.extent
    columns, lines = (max(1, math.ceil(length / SIDE)) for length in (x1 - x0, y1 - y0))
    i, j = (np.minimum((rows[:, k] / SIDE).astype(np.int64), n - 1) for k, n in ((0, columns), (1, lines)))
    cell = j * columns + i
    first = np.concatenate([[0], np.cumsum(np.bincount(cell, minlength=columns * lines))])
    rows = np.ascontiguousarray(rows[np.argsort(cell, kind="stable")])
    return (rows, first.astype(np.int64), columns, SIDE, float(rows[:, 2].max())), tuple(notes)


def _rows(terrain: Terrain, x: Array, y: Array, dbh: Array, tall: Array, ratio: Array | float) -> Array:
    """Stems (n, STEM) at x, y (n,) of the map [m]."""
    foot = terrain.heights_at(x, y)
    west, south = terrain.origin
    return np.stack([x - west, y - south, 0.005 * dbh, foot, tall, capacity(dbh, ratio)], axis=1)


def _on_map(terrain: Terrain, x: Array, y: Array) -> Array:
    """Mask (n,) of the points x, y (n,) [m] that lie on the map."""
    (west, south), here = terrain.origin, zip(x.tolist(), y.tolist(), strict=True)
    return np.array([not off_map(terrain.heights, terrain.holes, *terrain.cell, a - west, b - south) for a, b in here])


def _stands(scenario: RockfallScenario, terrain: Terrain) -> dict[str, Terrain]:
    """The grids of Rockyfor3D that the forest names; ScenarioError where one has a wrong value or lies off the map."""
    x0, x1, y0, y1 = terrain.extent
    found = {}
    for key, most in STANDS.items():
        if scenario.forest.gives(key):
            path = input_file(scenario.path(getattr(scenario.forest, key)), (".asc",), "trees")
            check_alike(path, terrain.crs)
            grid, numbers = read_grid(path, None, None, False)
            west, east, south, north = grid.extent
            if west > x1 or east < x0 or south > y1 or north < y0:
                raise ScenarioError("", N_("the grid lies off the map; expected {reach}", terrain.reach), path)
            low, high, above = *numbers.known, numbers.beyond[1]  # the last is no height, and so left out
            if wrong := [value for value in (low, high, above) if not 0.0 <= value <= most and value < math.inf]:
                raise ScenarioError("", N_("expected values of 0 to {most:g}, got {wrong:g}", most, wrong[0]), path)
            found[key] = grid
    return found


def _around(grid: Terrain | None, x: Array, y: Array, instead: float) -> Array:
    """The number (n,) of the cell of a grid around each point; ``instead`` where there is none."""
    found = np.full(len(x), np.nan)
    if grid is not None:
        rows, columns = grid.heights.shape
        i, j = grid.cells_around(0, x), grid.cells_around(1, y)
        there = (i >= 0) & (i < columns) & (j >= 0) & (j < rows)
        found[there] = grid.heights[j[there], i[there]]
    return np.where(np.isnan(found), instead, found)


def _drawn(scenario: RockfallScenario, terrain: Terrain, zones: Sequence[tuple[BaseGeometry, ForestConfig]]) -> Array:
    """Stems at places drawn evenly in each forest, by the seed of [forest]; diameters by a gamma distribution.

    Where grids of Rockyfor3D have numbers, these replace those of [forest]; more places are drawn than kept there.
    """
    x0, x1, y0, y1 = terrain.extent
    everywhere = shapely.box(x0, y0, x1, y1)
    forests: list[tuple[BaseGeometry, ForestConfig]] = [(everywhere, scenario.forest), *zones]
    found, grids = [np.zeros((0, STEM))], _stands(scenario, terrain)
    for n, (polygon, forest) in enumerate(forests):
        stands = grids if forest.gives("nrtrees") else {}  # else a zone has its own stems
        stems = max(forest.stems, float(np.nan_to_num(stands["nrtrees"].heights).max()) if stands else 0.0)
        if stems == 0.0:
            continue
        random = np.random.default_rng(np.random.SeedSequence([scenario.forest.seed, n]))
        left, low, right, high = shapely.intersection(polygon, everywhere).bounds
        count = round(1e-4 * stems * (right - left) * (high - low))
        if count > MAX_STEMS:
            where = "forest.nrtrees" if stands else N_("zone {n} of [forest]: stems", n) if n else "forest.stems"
            raise ScenarioError(
                where, N_("{count} trees; expected at most {most}, so fewer stems or a smaller map", count, MAX_STEMS)
            )
        x, y = left + (right - left) * random.random(count), low + (high - low) * random.random(count)
        dbh = _around(stands.get("dbhmean"), x, y, forest.dbh)
        deviation = _around(stands.get("dbhstd"), x, y, forest.dbh_deviation)
        density = _around(stands.get("nrtrees"), x, y, forest.stems)
        if stands and count:
            worst = int(np.argmax(density * (dbh**2 + deviation**2)))
            path = scenario.path(scenario.forest.nrtrees or "")
            check_wood(float(density[worst]), float(dbh[worst]), float(deviation[worst]), "", path)
        uneven = (dbh > 0.0) & (deviation > 0.0)
        spread = deviation[uneven] ** 2 / dbh[uneven]
        dbh[uneven] = np.round(random.gamma(dbh[uneven] / spread, spread), 1)
        here = shapely.contains_xy(polygon, x, y) & (dbh >= THINNEST) & (dbh <= THICKEST)
        ratio = np.full(count, forest.toughness)
        if stands:
            here &= stems * random.random(count) < density
            conifers = _around(stands.get("conif_percent"), x, y, -1.0)
            mixed = np.where(100.0 * random.random(count) < conifers, *map(fracture_ratio, ("conifer", "broadleaved")))
            ratio = np.where(conifers < 0.0, ratio, mixed)
        for later, _ in forests[n + 1 :]:
            here &= ~shapely.contains_xy(later, x, y)
        if terrain.holes.size:
            here[here] = _on_map(terrain, x[here], y[here])
        x, y, dbh = x[here], y[here], dbh[here]
        found.append(_rows(terrain, x, y, dbh, np.full(len(x), forest.height or HEIGHT), ratio[here]))
    return np.concatenate(found)


def read_trees(path: Path, forest: ForestLaws, terrain: Terrain) -> tuple[Array, list[str]]:
    """Stems of a table x, y [m], dbh [cm] and, if given, height [m] and species; and a note on those off the map."""
    labels = ("species", "id", "fid", "name", "comment")
    table = read_columns(path, "trees", needed=("x", "y", "dbh"), optional=("height",), labels=labels)
    x, y, dbh = (table.numbers[name] for name in ("x", "y", "dbh"))
    given = table.numbers.get("height", np.full(len(x), np.nan))
    tall = np.where(np.isnan(given), forest.height or HEIGHT, given)
    ratio = np.full(len(x), forest.toughness)
    for n, species in enumerate(table.words.get("species", ())):
        if species:
            try:
                ratio[n] = fracture_ratio(species)
            except ValueError as error:
                raise ScenarioError(N_("line {number}, {name}", table.lines[n], "species"), str(error), path) from None
    for name, values, sound, text in (
        (
            "dbh",
            dbh,
            (dbh >= THINNEST) & (dbh <= THICKEST),
            N_("a diameter of {thinnest:g} to {thickest:g} cm", THINNEST, THICKEST),
        ),
        ("height", given, np.isnan(given) | (given > 0.0), N_("a height above 0 [m]")),
    ):
        if not sound.all():
            n = int(np.argmin(sound))
            raise ScenarioError(
                N_("line {number}, {name}", table.lines[n], name),
                N_("expected {text}, got {n:g}", text, values[n]),
                path,
            )
    _check_apart(x, y, dbh, path)
    here = _on_map(terrain, x, y)
    if not here.any():
        raise ScenarioError("", N_("all {x} trees lie off the map; expected {reach}", len(x), terrain.reach), path)
    off = len(x) - int(here.sum())
    notes: list[str] = [N_("{off} of {count} trees lie off the map in {file}", off, len(x), path.name)] if off else []
    return _rows(terrain, x[here], y[here], dbh[here], tall[here], ratio[here]), notes


PLOT = 20.0  # [m] of a square on which no more stems stand than a forest can have


def _check_apart(x: Array, y: Array, dbh: Array, path: Path) -> None:
    """ScenarioError where stems at x, y (n,) [m], dbh (n,) [cm], are too dense on a square, as if in millimetres."""
    square, which = np.unique(np.floor(np.stack([x, y], axis=1) / PLOT), axis=0, return_inverse=True)
    counts, squares = (np.bincount(which.ravel(), many) for many in (None, dbh**2))
    n = int(np.argmax(squares))
    mean = math.sqrt(squares[n] / counts[n])
    check_wood(
        float(counts[n]) * 1e4 / PLOT**2, mean, 0.0, N_("around ({x:g}, {y:g})", *(PLOT * (square[n] + 0.5))), path
    )
