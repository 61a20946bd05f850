"""What the stage shows of results, made in the thread that looks at them: the event loop would wait for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from app.ensemble.source import Snapshot

if TYPE_CHECKING:
    from app.stage.ground.ground import MapLayer
    from app.stage.ground.marks import PathGeometry
    from app.stage.ground.scene import TerrainScene


class ResultPictures(NamedTuple):
    """Maps and paths by scheme; None: none are wanted."""

    laid: dict[str, MapLayer] | None
    path_geometry: dict[str, PathGeometry] | None


def painted(land: TerrainScene, seen: Snapshot) -> ResultPictures:
    """What is seen, for the stage of a land."""
    wanted, laid, path_geometry = seen.wanted, None, None
    if wanted.map:
        maps = {name: left.values for name, left in seen.left.items() if left.values is not None}
        laid = land.painted(wanted.title, seen.unit, maps)
    if wanted.colour:
        paths = {name: left.paths for name, left in seen.left.items()}
        path_geometry = land.path_geometry(
            paths, wanted.colour, {name: left.rested for name, left in seen.left.items()}
        )
    return ResultPictures(laid, path_geometry)
