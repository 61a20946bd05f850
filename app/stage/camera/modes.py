"""Camera modes: they put the rig's cameras where a mode of the camera wants them."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pyvista as pv

from app.stage.bodies.arrows import FASTEST
from app.stage.camera import fit as camera_fit
from app.stage.camera import moving as moving_camera
from app.stage.camera.caption_room import rooms
from app.stage.camera.rig import UP, CameraRig, Viewpoint
from app.stage.camera.subject import Subject, middle
from app.stage.ground.ground import Ground
from app.stage.lane_track import LaneTrack
from app.stage.scene_kind import SceneKind
from app.stage.viewport_layout import Box
from physics.core.rotation import Array

CAMERAS = ("fit", "follow", "ride", *camera_fit.STANDARD)
MOVING = ("follow", "ride")  # those that go with the body


class CameraModes:
    """Knows how a kind of motion is framed, and in which viewport which body is."""

    def __init__(
        self,
        rig: CameraRig,
        renderers: Sequence[pv.Renderer],
        kind: SceneKind,
        tracks: Sequence[LaneTrack],
        shown: Sequence[Sequence[LaneTrack]],
        ground: Ground | None,
    ) -> None:
        self.rig, self._renderers, self._kind = rig, renderers, kind
        self._tracks, self._shown, self._ground = tracks, shown, ground
        self._firsts = [bodies[0] for bodies in shown]
        self._known: tuple[object, Subject] | None = None  # what was shown last, by what it follows from
        self._found: tuple[object, tuple[Subject, list[Array], float]] | None = None  # what _rooms told last, likewise
        self._boxes: Sequence[Sequence[Box]] = [()] * len(renderers)

    def make_room(self, mode: str, boxes: Sequence[Sequence[Box]]) -> None:
        """Show what moves beside the boxes that lie over each viewport; ``fit`` also makes it as large as fits."""
        self._boxes = boxes
        self.rig.stand(self._rooms(mode)[1])

    def _rooms(self, mode: str) -> tuple[Subject, list[Array], float]:
        """What a mode shows, where its focus stands in the viewports, and how far [m] the cameras are from there."""
        sizes = [(float(wide), float(high)) for wide, high in (renderer.GetSize() for renderer in self._renderers)]
        key = mode, self._ends, sizes, self._boxes
        if self._found is None or self._found[0] != key:
            subject = self._subject(mode)
            if self._ground is not None and mode in camera_fit.STANDARD:  # a map stays where it is
                self._found = key, (subject, [np.zeros(2)] * len(sizes), subject.distance(self._aspect))
            else:
                self._found = key, (subject, *rooms(subject, sizes, self._boxes))
        return self._found[1]

    def fit(self, mode: str, time: float, boxes: Sequence[Sequence[Box]]) -> None:
        """Look from where the mode wants to look from, clear of the boxes that lie over each viewport."""
        self.make_room(mode, boxes)
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
        subject, _, distance = self._rooms(mode)
        eye, focus = subject.eye(distance), subject.focus
        if mode == "ride":
            return moving_camera.aboard(self._firsts[0], eye, focus)
        return Viewpoint(eye, focus, UP, camera_fit.flat(mode))

    def _subject(self, mode: str) -> Subject:
        """What a mode shows, relative to what it goes with."""
        # a view of a slope is searched, in 40 ms: not at each step of an edge that is pulled
        shape = round(2.0 * math.log2(self._aspect))
        key = mode, shape, self._ends
        if self._known is None or self._known[0] != key:
            self._known = key, self._seen(mode, 2.0 ** (shape / 2.0)).reduced()
        return self._known[1].centred(self._aspect)

    def _seen(self, mode: str, aspect: float) -> Subject:
        """The same from where a viewport of that width over height sees most of it."""
        framing, scene = self._kind.framing, (self._tracks, self._ground)
        if mode in camera_fit.STANDARD:
            return camera_fit.standard(mode, framing, *scene, aspect)
        return framing(*scene, aspect) if mode == "fit" else camera_fit.near(framing, self._kind.vicinity, *scene)

    @property
    def _ends(self) -> list[float]:
        """How long the motions are that have been recorded so far [s]."""
        return [track.end for track in self._tracks]

    @property
    def _aspect(self) -> float:
        """The width over the height of the first viewport."""
        wide, high = self._renderers[0].GetSize()
        return float(wide / max(high, 1))

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
        if self._ground is None and mode == "follow":
            return self._amid(time)
        places = np.array([moving_camera.steady(track, time) for track in self._firsts])
        if self._ground is not None:
            places[:, 2] *= self._ground.exaggeration
        return places, frames

    def _amid(self, time: float) -> tuple[Array, Array]:
        """The same amid all bodies of each view, as many times farther as they go apart."""
        places = [np.array([moving_camera.steady(track, time) for track in bodies]) for bodies in self._shown]
        amid = np.array([middle(each) for each in places])
        apart = max(float(np.linalg.norm(each - at, axis=1).max()) for each, at in zip(places, amid, strict=True))
        farther = max(1.0, (1.0 + apart / self._tracks[0].body.radius) / FASTEST)
        return amid, np.tile(farther * np.eye(3), (len(amid), 1, 1))
