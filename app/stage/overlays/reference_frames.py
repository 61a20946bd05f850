"""Reference frames: inertial axes, and curves of vectors and points of the body in space and in the body."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import pyvista as pv

from app.stage.actor_group import fading, move, placed, polyline, polylines, put
from app.stage.bodies.arrows import rate_scale, spin_scale
from app.stage.lane_track import POINTS, LaneTrack, Pose, lately
from app.stage.overlays.overlay import Overlay
from app.stage.text.caption_text import Sign, sign
from app.stage.theme_colours import StageColours
from app.system.language import tr
from physics.bodies.body import Body
from physics.core.rotation import Array, apply

PATH, RECENT = 500, 32.0  # points of the path of a body point, and its memory [rad]
MAX_PATHS = 8  # largest number of paths


class InertialAxes(Overlay):
    """The inertial axes X, Y, Z, ``size`` [m] long, through the centre of mass or the fixed point."""

    overlay = "inertial"

    def __init__(self, tracks: Sequence[LaneTrack], look: StageColours, size: float) -> None:
        super().__init__(tracks, look)
        lines = polylines([np.array([np.zeros(3), tip]) for tip in size * np.eye(3)])
        self._lines = self.add(lines, look.ink, lit=False, width=1.6, opacity=0.8)
        self._tips = 1.08 * size * np.eye(3)
        self.names = [self.letter(name, tip, look.ink) for name, tip in zip("XYZ", self._tips, strict=True)]

    def show(self, poses: Sequence[Pose]) -> None:
        """Move with the first body."""
        foot = self.tracks[0].foot(poses[0])
        put(self._lines, placed(np.eye(3), foot))
        for name, tip in zip(self.names, self._tips, strict=True):
            name.GetPositionCoordinate().SetValue(*(foot + tip))


def inertial_axes(share: float) -> Callable[[Sequence[LaneTrack], StageColours], InertialAxes]:
    """Constructor of axes as long as a share of the radius of the body."""
    return lambda tracks, look: InertialAxes(tracks, look, share * tracks[0].body.radius)


class InBody(Overlay):
    """Curves of the tips of ω and L in the body, which turn with it."""

    overlay = "in-body"

    def __init__(self, tracks: Sequence[LaneTrack], look: StageColours) -> None:
        super().__init__(tracks, look)
        self._rates = [lately(track, track.rates) for track in self.tracks]
        self._spins = [lately(track, track.spins_in_body) for track in self.tracks]
        self._scales = [(rate_scale(track), spin_scale(track)) for track in self.tracks]
        self.curves = [
            [polyline(POINTS, fading(ink, POINTS, power=0.35)) for ink in (look.omega, look.ink)] for _ in tracks
        ]
        self._actors = [[self.add(curve, lit=False, width=2.4) for curve in pair] for pair in self.curves]

    def show(self, poses: Sequence[Pose]) -> None:
        for pose, *recent, scales, curves, actors in zip(
            poses, self._rates, self._spins, self._scales, self.curves, self._actors, strict=True
        ):
            for curve, actor, samples, scale in zip(curves, actors, recent, scales, strict=True):
                move(curve, samples.at(pose.time) * scale)
                put(actor, placed(pose.rotation, pose.place))

    def signs(self) -> tuple[Sign, ...]:
        return (("in-body", sign(tr("curves of ω and L in the body"), self.look.dim)),)


class Points(Overlay):
    """Paths of points of the body around it: those given by the scenario, else its corners."""

    overlay = "points"

    def __init__(self, tracks: Sequence[LaneTrack], look: StageColours) -> None:
        super().__init__(tracks, look)
        first = self.tracks[0]
        given = first.world.scenario.view.points
        self.points = corners(first.body) if given is None else np.array(given)
        self._arms = [lately(track, partial(self._corners, track), RECENT, PATH) for track in self.tracks]
        self.paths = [[self._path(track) for _ in self.points] for track in self.tracks]

    def _path(self, track: LaneTrack) -> pv.PolyData:
        line = polyline(PATH, fading(track.scheme.colour, PATH, 0.85))
        self.add(line, lit=False, width=1.8)
        return line

    def show(self, poses: Sequence[Pose]) -> None:
        for pose, recent, paths in zip(poses, self._arms, self.paths, strict=True):
            arms = recent.at(pose.time)
            for number, path in enumerate(paths):
                move(path, pose.place + arms[:, number])

    def _corners(self, track: LaneTrack, times: Array) -> Array:
        """Places of the points (n, k, 3) [m] at times (n,) [s], from the centre of mass."""
        return apply(track.attitudes(times)[:, None], self.points)


def corners(body: Body) -> Array:
    """Corners of a body (k, 3) [m], at most eight, each as far as possible from the previous ones."""
    left = body.vertices
    chosen = [left[int(np.argmax(np.linalg.norm(left, axis=1)))]]
    while len(chosen) < min(MAX_PATHS, len(left)):
        apart = np.min([np.linalg.norm(left - one, axis=1) for one in chosen], axis=0)
        chosen.append(left[int(np.argmax(apart))])
    return np.array(chosen)
