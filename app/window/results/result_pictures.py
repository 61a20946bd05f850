"""What the stage shows of results, made in the thread that looks at them: the event loop would wait for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from app.ensemble.source import Seen

if TYPE_CHECKING:
    from app.stage.ensemble_actors import Strung
    from app.stage.ground import Laid
    from app.stage.terrain_scene import Land


class Painted(NamedTuple):
    """Maps and paths by scheme; None: none are wanted."""

    laid: dict[str, Laid] | None
    strung: dict[str, Strung] | None


def painted(land: Land, seen: Seen) -> Painted:
    """What is seen, for the stage of a land."""
    wanted, laid, strung = seen.wanted, None, None
    if wanted.map:
        maps = {name: left.values for name, left in seen.left.items() if left.values is not None}
        laid = land.painted(wanted.title, seen.unit, maps)
    if wanted.colour:
        paths = {name: left.paths for name, left in seen.left.items()}
        strung = land.strung(paths, wanted.colour, {name: left.rested for name, left in seen.left.items()})
    return Painted(laid, strung)
