"""Keyframes: a scenario's list of cameras as one viewpoint for every time, the same on every machine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from app.stage.camera import Move, Viewpoint
from app.stage.land import middle
from physics.rotation import Array
from physics.scenarios.view_tables import KeyframeTable
from physics.world import World

Seen = Callable[[str, float], Viewpoint]  # mode, time [s] -> the viewpoint there


def keyframe_of(viewpoint: Viewpoint, world: World) -> dict[str, Any]:
    """A viewpoint of a world's stage as the only row of the ``cameras`` of a scenario's view."""
    shift = np.zeros(3) if world.terrain is None else middle(world.terrain)
    heights = np.array([1.0, 1.0, world.scenario.view.exaggeration])
    places = {"position": viewpoint.position / heights + shift, "focus": viewpoint.focus / heights + shift}
    return {"time": 0.0, "up": tuple(viewpoint.up.tolist())} | {key: tuple(at.tolist()) for key, at in places.items()}


class Keyframes:
    """Plays the ``cameras`` of a scenario's view.

    keyframes : in the order of their times, at least one
    seen : gives the viewpoint of a mode at a time
    shift : (3,) [m] from the stage's coordinates to those of the map; heights: how many times larger they are drawn
    """

    def __init__(self, keyframes: Sequence[KeyframeTable], seen: Seen, shift: Array, heights: float = 1.0) -> None:
        self._keyframes, self._seen = tuple(keyframes), seen
        self._shift, self._heights = np.asarray(shift, float), np.array([1.0, 1.0, heights])

    def at(self, time: float) -> Viewpoint:
        """The viewpoint at a time [s]: the last keyframe's, or one on the way to the next when that move has begun."""
        number = sum(keyframe.time <= time for keyframe in self._keyframes) - 1
        if number < 0:
            return self._view(self._keyframes[0], time)
        here = self._view(self._keyframes[number], time)
        if number + 1 == len(self._keyframes):
            return here
        coming, gone = self._keyframes[number + 1], self._keyframes[number].time
        seconds = min(coming.seconds, coming.time - gone)
        if time <= coming.time - seconds:
            return here
        return Move(here, self._view(coming, time), seconds).at(time - (coming.time - seconds))

    def _view(self, keyframe: KeyframeTable, time: float) -> Viewpoint:
        if keyframe.mode is not None:
            return self._seen(keyframe.mode, time)
        position, focus = ((np.array(p) - self._shift) * self._heights for p in (keyframe.position, keyframe.focus))
        return Viewpoint(position, focus, np.array(keyframe.up) / np.linalg.norm(keyframe.up))
