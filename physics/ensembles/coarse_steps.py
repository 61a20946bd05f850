"""Doubts about an ensemble: steps too coarse for its rocks, see physics.simulation.audit, and starts in the ground.

A step is too coarse for a rock that moved farther in it than its radius.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from physics.core.input_checks import finite
from physics.core.rotation import Array
from physics.ensembles.rock_rows import RockTable
from physics.schemes.lane import lane_of
from physics.simulation.audit import sound_step
from physics.systems.rockfall.world import RockfallWorld

MOST = 1000  # rocks of different sizes that are built once more to know their radius; a tenth of a second

Coarse = dict[str, float]  # rocks: how many; looked_at: of how many; largest_sound_step [s]: for the fastest of them


class Radii:
    """The radii [m] of rocks that differ in size or shape, each built once: a window asks for them again and again."""

    def __init__(self, world: RockfallWorld) -> None:
        self._world = world
        self._known: dict[int, float] = {}

    def of(self, rocks: Iterable[int]) -> Array:
        """Those of rocks with these numbers (n,)."""
        numbers = [int(rock) for rock in rocks]
        self._known |= {rock: self._world.with_rock(rock).body.radius for rock in numbers if rock not in self._known}
        return np.array([self._known[rock] for rock in numbers])


def coarse_of(world: RockfallWorld, rows: RockTable, radii: Radii | None = None) -> Coarse:
    """What the rows of a lane tell; of rocks that differ in size or shape the first MOST are looked at.

    world : with the step of the lane
    radii : those that are known from before; None: none are
    """
    scenario = world.scenario
    alike = scenario.ensemble.size is None and scenario.ensemble.shapes == "one"
    if alike:
        passages = rows.column("max_velocity") / world.body.radius  # radii that a rock moves by [1/s]
    else:
        found = rows.read(0, MOST)
        passages = found.max_velocity / (radii or Radii(world)).of(found.rock)
    fastest = float(passages.max(initial=0.0))
    coarse: Coarse = {"rocks": int((scenario.step * passages > 1.0).sum()), "looked_at": len(passages)}
    return coarse | ({"largest_sound_step": sound_step(1.0, fastest)} if coarse["rocks"] else {})


def checked(found: Any) -> Coarse:
    """What a file tells of a scheme; an error of physics.core.input_checks.DAMAGED where it is nothing of the kind."""
    known: Coarse = {key: int(found[key]) for key in ("rocks", "looked_at")}
    return known | ({"largest_sound_step": finite(found["largest_sound_step"])} if known["rocks"] else {})


def together(parts: Sequence[Mapping[str, Coarse]]) -> dict[str, Coarse]:
    """Of several ensembles."""
    whole: dict[str, Coarse] = {}
    for name, found in (item for part in parts for item in part.items()):
        own = whole.setdefault(name, {"rocks": 0, "looked_at": 0})
        for key in ("rocks", "looked_at"):
            own[key] += found[key]
        if (step := found.get("largest_sound_step")) is not None:
            own["largest_sound_step"] = min(step, own.get("largest_sound_step", step))
    return whole


def doubts(coarse: Mapping[str, Coarse], step: float) -> list[str]:
    """One sentence for each lane some of whose rocks were too fast for its step.

    step : of the scenario [s]
    """
    return [
        f"{name}: in a step of {lane_of(name).step or step:g} s {_number(found)} moved farther than their "
        f"radius: they meet little of the ground; take a step of at most {found['largest_sound_step']:.2g} s"
        for name, found in coarse.items()
        if found["rocks"]
    ]


def buried(rocks: int, deepest: float, of: int) -> list[str]:
    """A sentence if rocks of an ensemble start in the ground, the deepest so deep [m]."""
    return [f"{rocks} of {of} rocks start in the ground, up to {deepest:.2g} m deep; lift release.height"] * bool(rocks)


def _number(found: Any) -> str:
    return f"{found['rocks']} of {found['looked_at']} rocks"
