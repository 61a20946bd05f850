"""Pictures of terrains, painted in a thread of the caller's and kept as long as a terrain lives."""

from __future__ import annotations

import os
import weakref
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from app.stage.ground import layers as terrain_layers
from app.stage.ground.layers import TerrainLayer
from app.stage.ground.shaded_relief import LONGEST, ROUGH, ShadedRelief, paint
from physics.core.errors import ScenarioError
from physics.systems.rockfall.world import RockfallWorld
from physics.systems.world import World
from physics.terrain.terrain import Terrain


def prepare(world: World, *, rough: bool = False) -> None:
    """Paint the world's terrain in a thread of the caller's: its stage is then built at once.

    rough : for a first picture, if there is none yet; a stage that stands on it takes the fine one by ``refine``
    """
    if isinstance(world, RockfallWorld):
        relief_of(world.terrain, ROUGH if rough else LONGEST).picture((), contours=True)  # made here, and kept
        base_of(world)


def relief_of(terrain: Terrain, longest: int = 0) -> ShadedRelief:
    """The painted pictures, kept as long as the terrain lives: another stage on the same terrain starts at once.

    longest : least length of their longer side [pixels]; 0: as they are, or fine where there are none
    """
    known = painted(terrain)
    if known is None or max(known.light.shape) < longest:
        known = paint(terrain, longest or LONGEST)
        _PAINTED[id(terrain.heights)] = (weakref.ref(terrain.heights), known)
        for other in set(_PAINTED) - {id(terrain.heights)}:
            _PAINTED.pop(other, None)
    return known


def painted(terrain: Terrain) -> ShadedRelief | None:
    """The pictures of a terrain, if they were painted."""
    heights, known = _PAINTED.get(id(terrain.heights), (None, None))
    return known if heights is not None and heights() is terrain.heights else None


_PAINTED: dict[int, tuple[weakref.ref[np.ndarray], ShadedRelief]] = {}


def base_of(world: RockfallWorld) -> tuple[TerrainLayer, ...] | ScenarioError:
    """What the scenario wants to see of the terrain: its look, and what is draped over it."""
    view, terrain = world.scenario.view, world.terrain
    path = None if view.drape is None else world.scenario.path(view.drape)
    changed = path.stat().st_mtime_ns if path is not None and os.path.isfile(path) else 0
    key = (id(terrain.heights), view.ground, path, changed)
    known = _BASES.get(key)
    if known is None or known[0]() is not terrain.heights:
        known = (weakref.ref(terrain.heights), _covered(view.ground, path, terrain))
        _BASES.clear()
        _BASES[key] = known
    return known[1]


_BASES: dict[
    tuple[int, str, Path | None, int], tuple[weakref.ref[np.ndarray], tuple[TerrainLayer, ...] | ScenarioError]
] = {}


def _covered(look: str, path: Path | None, terrain: Terrain) -> tuple[TerrainLayer, ...] | ScenarioError:
    try:
        layers: Iterable[TerrainLayer | None] = (
            terrain_layers.ground(look, terrain),
            None if path is None else terrain_layers.draped(path, terrain),
        )
        return tuple(layer for layer in layers if layer is not None)
    except ScenarioError as error:
        return ScenarioError(error.field, error.message, error.file)  # without all that its traceback keeps alive
