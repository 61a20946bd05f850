"""What the stage shows of results, made in the thread that looks at them: the event loop would wait for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from app.looking import Seen

if TYPE_CHECKING:
    from app.stage.ensemble import Strung
    from app.stage.ground import Laid
    from app.stage.land import Land


class Painted(NamedTuple):
    """A map and paths; None: there is none to be shown."""

    laid: Laid | None
    strung: Strung | None


def painted(land: Land, seen: Seen) -> Painted:
    """What is seen, for the stage of a land."""
    wanted, laid, strung = seen.wanted, None, None
    if seen.values is not None:
        laid = land.painted(wanted.title, seen.unit, seen.values)
    if seen.paths is not None and wanted.colour:
        strung = land.strung(seen.paths, wanted.colour, seen.rested)
    return Painted(laid, strung)
