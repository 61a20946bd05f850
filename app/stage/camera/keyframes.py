"""Keyframes: a scenario's list of cameras as one viewpoint for every time, the same on every machine.

Files give places of a camera in the metres of the map, at true height. The stage has its origin in the middle of the
terrain that is read, and draws heights larger. So a place is shifted there, and the heights of the camera and of what
it looks at are multiplied as those of the ground are; the upward direction of the picture stays as it is given. A
camera that goes with the body is relative to it: it is not shifted, nor are its heights multiplied.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from app.stage.camera.rig import Move, Viewpoint
from app.stage.ground.scene import middle
from physics.core.rotation import Array
from physics.scenario.camera_modes import CAMERA_MODES
from physics.scenario.view_config import KeyframeConfig, ViewpointConfig
from physics.systems.world import World

ViewAt = Callable[[str, float], Viewpoint]  # mode, time [s] -> the viewpoint there


def table_of(viewpoint: Viewpoint, world: World, mode: str) -> ViewpointConfig:
    """A viewpoint of a world's stage, in a mode of the camera, as a scenario's view holds it."""
    shift, heights = _from_map(world, mode)
    position, focus = (tuple((at / heights + shift).tolist()) for at in (viewpoint.position, viewpoint.focus))
    return ViewpointConfig(position=position, focus=focus, up=tuple(viewpoint.up.tolist()))


def viewpoint_of(table: ViewpointConfig | KeyframeConfig, world: World, mode: str) -> Viewpoint:
    """The viewpoint of a world's stage given by ``table_of`` or by a keyframe with a position."""
    shift, heights = _from_map(world, mode)
    position, focus = ((np.array(at) - shift) * heights for at in (table.position, table.focus))
    return Viewpoint(position, focus, np.array(table.up) / np.linalg.norm(table.up), CAMERA_MODES[mode].parallel)


def carried(viewpoint: Viewpoint, old: World, new: World, mode: str) -> Viewpoint:
    """A viewpoint of an old world's stage, moved to the same place on the map in the stage of a new world."""
    (shift, heights), (to, higher) = _from_map(old, mode), _from_map(new, mode)
    position, focus = (at * (higher / heights) + (shift - to) * higher for at in (viewpoint.position, viewpoint.focus))
    return replace(viewpoint, position=position, focus=focus)


def over(viewpoint: Viewpoint, world: World, mode: str) -> bool:
    """True if a viewpoint of a world's stage looks at its terrain, or goes with the body."""
    if world.terrain is None or CAMERA_MODES[mode].moves:
        return True
    x0, x1, y0, y1 = world.terrain.extent
    x, y, _ = viewpoint.focus + middle(world.terrain)
    return bool(x0 <= x <= x1 and y0 <= y <= y1)


def _from_map(world: World, mode: str) -> tuple[Array, Array]:
    """Shift (3,) [m] of a camera that stands still, and the factors (3,) by which its place is drawn larger."""
    if world.terrain is None or CAMERA_MODES[mode].moves:
        return np.zeros(3), np.ones(3)
    return middle(world.terrain), np.array([1.0, 1.0, world.scenario.view.exaggeration])


class Keyframes:
    """Plays the ``cameras`` of the view of a world's scenario, of which there is at least one.

    seen : gives the viewpoint of a mode at a time
    """

    def __init__(self, world: World, seen: ViewAt) -> None:
        self._keyframes, self._world, self._seen = world.scenario.view.cameras, world, seen

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

    def _view(self, keyframe: KeyframeConfig, time: float) -> Viewpoint:
        if keyframe.mode is not None:
            return self._seen(keyframe.mode, time)
        return viewpoint_of(keyframe, self._world, "fit")
