"""Layers of a map: where rocks start, the soils, forests and barriers of a world as shapes with attributes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import shapely

from physics.systems.rockfall.ground_cover import attributes
from physics.systems.rockfall.map_lines import Barrier
from physics.systems.rockfall.world import RockfallWorld
from physics.terrain.zones import Shape

LAYERS = ("release", "soil", "forest", "barriers", "lines")


def layers_of(world: RockfallWorld) -> dict[str, list[Shape]]:
    """Shapes in the map's coordinates [m] with their attributes, by LAYERS; those without a shape are left out.

    A file of such a layer can be named where the scenario names files: a release, zones of soils or forests, barriers,
    lines. Soils and forests are in their order, by which the later counts. A release on steep cells has no shape.
    """
    starts = [shapely.Point(world.scenario.initial.position)] if world.source is None else world.source.shapes
    found: list[list[Shape]] = [
        [(shape, {}) for shape in starts],
        [(zone.polygon, attributes(zone)) for zone in world.cover.soil_zones],
        [(zone.polygon, attributes(zone)) for zone in world.cover.forest_zones],
        [(shapely.LineString(one.line), _of_barrier(one)) for one in world.fences],
        [(shapely.LineString(one.line), {"name": one.name}) for one in world.lines],
    ]
    return {name: shapes for name, shapes in zip(LAYERS, found, strict=True) if shapes}


def _of_barrier(one: Barrier) -> dict[str, Any]:
    """Attributes of a barrier, its capacity [kJ] where it has one."""
    found: dict[str, Any] = {"name": one.name, "height": one.height}
    return found if one.capacity is None else found | {"capacity": 1e-3 * one.capacity}


def uncovered(layer: Sequence[Shape]) -> list[Shape]:
    """The shapes of a layer without what later ones cover, in their order; some may be empty."""
    found: list[Shape] = []
    later = shapely.Polygon()
    for shape, given in reversed(layer):
        found.append((shapely.difference(shape, later), given))
        later = shapely.union(later, shape)
    return found[::-1]
