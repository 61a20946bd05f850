"""Camera modes: they put the rig's cameras where a mode of the camera wants them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pyvista as pv

from app.stage import camera_fit, moving_camera
from app.stage.camera_rig import UP, CameraRig, Viewpoint
from app.stage.caption_room import Size, rooms
from app.stage.ground import Ground
from app.stage.lane_track import LaneTrack
from physics.core.rotation import Array

CAMERAS = ("fit", "follow", "ride", *camera_fit.STANDARD)
MOVING = ("follow", "ride")  # those that go with the body


class CameraModes:
    """Knows how the whole motion is framed, and in which viewport which body is."""

    def __init__(
        self,
        rig: CameraRig,
        renderers: Sequence[pv.Renderer],
        framing: camera_fit.Framing,
        tracks: Sequence[LaneTrack],
        firsts: Sequence[LaneTrack],
        ground: Ground | None,
    ) -> None:
        self.rig, self._renderers, self._framing = rig, renderers, framing
        self._tracks, self._firsts, self._ground = tracks, firsts, ground
        self._scale = 1.0  # how large what moves may be so that captions are not over it

    def make_room(self, mode: str, cards: Sequence[tuple[Size, Size]]) -> None:
        """Show what moves beside the cards of the viewports, see Captions.cards; ``fit`` makes it as large as fits."""
        aside = len(self._renderers) > 1 or len(self._tracks) > 2
        sizes = [renderer.GetSize() for renderer in self._renderers]
        middles, self._scale = rooms(sizes, cards, aside=aside)
        if self._ground is not None and mode in camera_fit.STANDARD:  # a map stays where it is
            middles, self._scale = [np.zeros(2)] * len(sizes), 1.0
        self.rig.stand(middles)

    def fit(self, mode: str, time: float) -> None:
        """Look from where the mode wants to look from."""
        self.go(mode, time)
        self.rig.look(self.start(mode))

    def go(self, mode: str, time: float) -> None:
        """Go with the bodies to a time [s]; the user's own turn of the camera stays."""
        if mode in MOVING:
            self.rig.follow(*self._places(mode, time))
        else:
            self.rig.follow(np.zeros((len(self._firsts), 3)))

    def start(self, mode: str) -> Viewpoint:
        """Where a mode begins to look from, relative to what it goes with."""
        near = self._start(mode)
        return replace(near, position=near.focus + (near.position - near.focus) / self._scale)

    def _start(self, mode: str) -> Viewpoint:
        """The same where no captions are."""
        wide, high = self._renderers[0].GetSize()
        scene = self._framing, self._tracks, self._ground
        if mode in camera_fit.STANDARD:
            return camera_fit.standard(mode, *scene, wide / max(high, 1))
        if mode == "fit":
            return Viewpoint(*self._framing(self._tracks, self._ground, wide / max(high, 1)), UP)
        near = camera_fit.near(*scene)
        return Viewpoint(*near, UP) if mode == "follow" else moving_camera.aboard(self._firsts[0], *near)

    def seen(self, mode: str, time: float) -> Viewpoint:
        """The viewpoint that the first camera would have in a mode at a time [s]."""
        if mode not in MOVING:
            return self.start(mode)
        anchors, frames = self._places(mode, time)
        return self.start(mode).moved(frames[0], anchors[0])

    def _places(self, mode: str, time: float) -> tuple[Array, Array]:
        """What each camera goes with: places (views, 3) [m] and frames (views, 3, 3)."""
        frames = np.tile(np.eye(3), (len(self._firsts), 1, 1))
        if mode == "ride":
            frames = np.array([moving_camera.riding(track, time) for track in self._firsts])
        if self._tracks[0].world.arm is not None:
            return np.zeros((len(self._firsts), 3)), frames
        places = np.array([moving_camera.steady(track, time) for track in self._firsts])
        if self._ground is not None:
            places[:, 2] *= self._ground.exaggeration
        return places, frames
