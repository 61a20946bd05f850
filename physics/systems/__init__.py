"""THE TABLE of systems: every kind of scenario, one module and one row each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from physics.core.wording import N_
from physics.scenario.scenario import Scenario
from physics.systems.attached import top, vessel
from physics.systems.free import system as free
from physics.systems.joints import system as joints
from physics.systems.rockfall import system as rockfall
from physics.systems.ship import system as ship
from physics.systems.system import System
from physics.systems.toys import system as toys
from physics.systems.world import World

SYSTEMS: dict[str, System[Any, Any]] = {
    row.kind: row for row in (free.ROW, top.ROW, vessel.ROW, ship.ROW, rockfall.ROW, toys.ROW, joints.ROW)
}

Scenario.kinds.update((kind, row.scenario) for kind, row in SYSTEMS.items())
World.builders.update((kind, row.build) for kind, row in SYSTEMS.items())


def system_of(scenario: Scenario) -> System[Any, Any]:
    """The row of a scenario's kind."""
    return SYSTEMS[scenario.kind]


def torque_free(scenario: Scenario) -> bool:
    """True if nothing turns the body, so that its exact motion is known."""
    return system_of(scenario).torque_free and not scenario.acted


def under_torque(scenario: Scenario) -> bool:
    """True if torques act on the body in all of its motion, which schemes evaluate."""
    return system_of(scenario).torque or scenario.acted


def kinds_of(holds: Callable[[System[Any, Any]], bool]) -> str:
    """The kinds whose row holds something, for people: ``free, top or vessel``."""
    *others, last = [kind for kind, row in SYSTEMS.items() if holds(row)]
    return N_("{others} or {last}", ", ".join(others), last) if others else last
