"""What the share of rocks that stopped in a zone is called."""

from __future__ import annotations

from app.system.language import tr
from physics.systems.rockfall.observations import ELSEWHERE


def in_zone(name: str) -> str:
    """Where a share of the rocks stopped, by the zone's name."""
    return tr("elsewhere") if name == ELSEWHERE else tr("in {zone}").format(zone=name)
