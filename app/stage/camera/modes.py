"""Camera modes: viewpoints that stand still or go with a body, placed so that captions leave the subject free."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pyvista as pv

from app.stage.bodies.arrows import FASTEST
from app.stage.camera import fit as camera_fit
from app.stage.camera.rig import HALF, UP, CameraRig, Viewpoint
from app.stage.camera.subject import Subject, middle
from app.stage.ground.ground import Ground
from app.stage.lane_scene import SceneKind
from app.stage.lane_track import LaneTrack
from app.stage.plotter import Box, Size
from physics.core.rotation import Array
from physics.scenario.camera_modes import CAMERA_MODES

MIN_FREE_SHARE = 0.35  # share of a viewport's sides below which a free part is too small to be kept to


def free_part(size: Size, boxes: Sequence[Box]) -> Box:
    """The part of a viewport that boxes leave free: beside each of them the larger one."""
    found: Box = (0.0, 0.0, *size)
    for left, low, right, high in boxes:
        x0, y0, x1, y1 = found
        if left >= x1 or right <= x0 or low >= y1 or high <= y0:
            continue
        parts = (right, y0, x1, y1), (x0, y0, left, y1), (x0, high, x1, y1), (x0, y0, x1, low)
        found = max(parts, key=lambda one: (min(one[2] - one[0], one[3] - one[1]), one[2] - one[0] + one[3] - one[1]))
    if min((found[2] - found[0]) / size[0], (found[3] - found[1]) / size[1]) < MIN_FREE_SHARE:
        return (0.0, 0.0, *size)
    return found


def rooms(subject: Subject, sizes: Sequence[Size], boxes: Sequence[Sequence[Box]]) -> tuple[list[Array], float]:
    """Positions of the focus from the middles of all viewports, in halves of their sides, and all cameras' distance.

    From that distance [m] the subject fills the part of each viewport that boxes leave free, and is in its middle.
    """
    parts = [free_part(size, here) for size, here in zip(sizes, boxes, strict=True)]
    distance = max(
        subject.distance(size[0] / max(size[1], 1), ((x1 - x0) / size[0], (y1 - y0) / size[1]))
        for size, (x0, y0, x1, y1) in zip(sizes, parts, strict=True)
    )
    places = []
    for size, (x0, y0, x1, y1) in zip(sizes, parts, strict=True):
        aside = middle(subject.seen(distance)) * (min(size) / 2 / HALF)
        places.append((np.array([x0 + x1, y0 + y1]) - 2.0 * aside) / size - 1.0)
    return places, distance


LAG = 1.0  # largest distance of a rock from the smoothed place of its camera, in radii of the body
ROLLS = 0.15  # the same for a body that does not bounce


def steady(track: LaneTrack, time: float) -> Array:
    """The body's place (3,) [m], smoothed over about a second so that bounces do not shake the follow camera.

    Never farther than LAG or ROLLS radii from the body, which a hard bounce or a bend would take out of the picture.
    """
    offsets = np.linspace(-0.7, 0.7, 29)
    weights = np.cos(np.pi * offsets / 1.4) ** 2
    place = track.positions(np.array([time]))[0]
    lag = np.asarray(weights @ track.positions(time + offsets) / weights.sum()) - place
    most = (ROLLS if track.world.terrain is None else LAG) * track.body.radius
    length = float(np.linalg.norm(lag))
    return np.asarray(place + lag * (most * math.tanh(length / most) / max(length, 1e-30)))


def riding(track: LaneTrack, time: float) -> Array:
    """A frame (3, 3) that goes with a body: its own; of a rock, which turns too fast: ahead, to the left, and up."""
    if track.world.terrain is None:
        return track.pose(time).rotation
    spans = np.array([0.7, 1.4, 2.8, 5.6, 11.2, 22.4])  # the shortest one counts most, unless the rock rests
    ways = track.positions(time + spans) - track.positions(time - spans)
    ahead = (ways / (spans[:, None] ** 3)).sum(axis=0) + np.array([1e-9, 0.0, 0.0])
    ahead[2] = np.clip(ahead[2], -np.hypot(*ahead[:2]), np.hypot(*ahead[:2]))
    x = ahead / np.linalg.norm(ahead)
    y = np.cross(UP, x)
    y /= np.linalg.norm(y)
    return np.column_stack([x, y, np.cross(x, y)])


def aboard(track: LaneTrack, position: Array, focus: Array) -> Viewpoint:
    """Viewpoint of the riding camera in the frame of ``riding``; a rock's looks ahead over it.

    position, focus (3,) [m], relative to the body: where it begins on all others
    """
    if track.world.terrain is not None:
        r = track.body.radius
        return Viewpoint(np.array([-9.5 * r, 0.0, 3.2 * r]), np.array([1.5 * r, 0.0, 0.4 * r]), UP)
    turn = track.pose(0.0).rotation.T
    return Viewpoint(turn @ position, turn @ focus, turn @ UP)


class CameraModes:
    """Viewpoints of a kind of motion by mode, for the bodies in each viewport."""

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
        self._known: tuple[object, Subject] | None = None  # last subject, by what it depends on
        self._found: tuple[object, tuple[Subject, list[Array], float]] | None = None  # last result of _rooms, likewise
        self.boxes: Sequence[Sequence[Box]] = [()] * len(renderers)

    def make_room(self, mode: str, boxes: Sequence[Sequence[Box]]) -> None:
        """Show what moves beside the boxes that lie over each viewport; ``fit`` also makes it as large as fits."""
        self.boxes = boxes
        self.rig.stand(self._rooms(mode)[1])

    def _rooms(self, mode: str) -> tuple[Subject, list[Array], float]:
        """Subject of a mode, positions of its focus in the viewports, and distance [m] of the cameras from there."""
        sizes = [(float(wide), float(high)) for wide, high in (renderer.GetSize() for renderer in self._renderers)]
        key = mode, self._ends, sizes, self.boxes
        if self._found is None or self._found[0] != key:
            subject = self._subject(mode)
            if self._ground is not None and CAMERA_MODES[mode].stands:  # a map stays where it is
                self._found = key, (subject, [np.zeros(2)] * len(sizes), subject.distance(self._aspect))
            else:
                self._found = key, (subject, *rooms(subject, sizes, self.boxes))
        return self._found[1]

    def fit(self, mode: str, time: float, boxes: Sequence[Sequence[Box]]) -> None:
        """Move to the start of a mode, clear of the boxes that lie over each viewport."""
        self.make_room(mode, boxes)
        self.go(mode, time)
        self.rig.look(self.start(mode))

    def go(self, mode: str, time: float) -> None:
        """Go with the bodies to a time [s]; the user's own turn of the camera stays."""
        if CAMERA_MODES[mode].moves:
            self.rig.follow(*self._places(mode, time))
        else:
            self.rig.follow(np.zeros((len(self._firsts), 3)))

    def start(self, mode: str) -> Viewpoint:
        """Viewpoint at which a mode begins, relative to the body that it follows."""
        subject, _, distance = self._rooms(mode)
        eye, focus = subject.eye(distance), subject.focus
        if mode == "ride":
            return aboard(self._firsts[0].followed, eye, focus)
        return Viewpoint(eye, focus, UP, CAMERA_MODES[mode].parallel)

    def _subject(self, mode: str) -> Subject:
        """Subject of a mode, relative to the body that it follows."""
        # a view of a slope is searched, in 40 ms: not at each step of an edge that is pulled
        shape = round(2.0 * math.log2(self._aspect))
        key = mode, shape, self._ends
        if self._known is None or self._known[0] != key:
            self._known = key, self._seen(mode, 2.0 ** (shape / 2.0)).reduced()
        return self._known[1].centred(self._aspect)

    def _seen(self, mode: str, aspect: float) -> Subject:
        """The same, before it is reduced and centred, for a viewport of that width over height."""
        framing, scene = self._kind.framing, (self._tracks, self._ground)
        if CAMERA_MODES[mode].stands:
            return camera_fit.standard(CAMERA_MODES[mode], framing, *scene, aspect)
        return framing(*scene, aspect) if mode == "fit" else camera_fit.near(framing, self._kind.vicinity, *scene)

    @property
    def _ends(self) -> list[float]:
        """Last recorded times of the motions [s]."""
        return [track.end for track in self._tracks]

    @property
    def _aspect(self) -> float:
        """The width over the height of the first viewport."""
        wide, high = self._renderers[0].GetSize()
        return float(wide / max(high, 1))

    def seen(self, mode: str, time: float) -> Viewpoint:
        """The viewpoint that the first camera would have in a mode at a time [s]."""
        if not CAMERA_MODES[mode].moves:
            return self.start(mode)
        anchors, frames = self._places(mode, time)
        return self.start(mode).moved(frames[0], anchors[0])

    def _places(self, mode: str, time: float) -> tuple[Array, Array]:
        """Places (views, 3) [m] and frames (views, 3, 3) that the cameras follow."""
        frames = np.tile(np.eye(3), (len(self._firsts), 1, 1))
        if mode == "ride":
            frames = np.array([riding(track.followed, time) for track in self._firsts])
        if self._tracks[0].world.arm is not None:
            return np.zeros((len(self._firsts), 3)), frames
        if self._ground is None and mode == "follow":
            return self._amid(time)
        places = np.array([steady(track.followed, time) for track in self._firsts])
        if self._ground is not None:
            places[:, 2] *= self._ground.exaggeration
        return places, frames

    def _amid(self, time: float) -> tuple[Array, Array]:
        """The same in the middle of all bodies of each view, and farther away as they drift apart."""
        places = [np.array([steady(track.followed, time) for track in bodies]) for bodies in self._shown]
        amid = np.array([middle(each) for each in places])
        apart = max(float(np.linalg.norm(each - at, axis=1).max()) for each, at in zip(places, amid, strict=True))
        farther = max(1.0, (1.0 + apart / self._tracks[0].body.radius) / FASTEST)
        return amid, np.tile(farther * np.eye(3), (len(amid), 1, 1))
