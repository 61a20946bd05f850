"""The level set of the Lyapunov function: where the theorem lets d and α go, and where the run goes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import pyvista as pv

from app.stage.actor_group import fading, move, placed, polyline, put
from app.stage.lane_track import LaneTrack, Pose
from app.stage.overlays.inset import Inset
from app.stage.recent_samples import POINTS, lately
from app.stage.text.caption_text import Sign, sign
from app.stage.text.cards import TextRun
from app.stage.theme_colours import StageColours
from app.system.language import tr
from physics.analysis.invariants import axis_difference, rate_difference
from physics.analysis.stability import SteadyRotation, since, steady
from physics.core.rotation import Array

SIZE = 0.72  # of the longer half axis of an ellipse
BEYOND = 0.38  # width of the band, in half axes, into which all that lies outside is pressed
PLACES = np.array([[-1.2, -0.06, 0.0], [1.2, -0.06, 0.0]])  # of the ellipses of d and of α


class LevelSet(Inset):
    """Two discs: d and α across the axis of the steady rotation, with the ellipses that V does not let them leave."""

    overlay = "level"
    shape = (0.45, 0.27)
    least = (210.0, 126.0)
    raised = True
    half = 1.5
    turns = False

    def __init__(self, tracks: Sequence[LaneTrack], look: StageColours) -> None:
        super().__init__(tracks, look)
        self.outside: list[bool] = [False] * len(self.tracks)
        body = self.tracks[0].body
        start = body.to_principal(self.tracks[0].run.orientation[0], self.tracks[0].run.angular_velocity[0])
        self._start, self.steady = start[0], steady(body.inertia, start[1])
        if self.steady is None or self.steady.value <= 0.0:
            self.steady = None
            return
        self._bounds = self.steady.bounds()
        for name, unit, bound, place in zip("dα", ("", " rad/s"), self._bounds, PLACES, strict=True):
            self._frame(bound, place)
            text = f"{name} ≤ {bound.max():.1e}{unit}".replace("e-0", "e−")
            self.props.append(self.letters.add(text, place - (0.0, 1.22, 0.0), look.dim, 11.0))
        self.curves = [[polyline(POINTS, fading(t.scheme.colour, POINTS, power=0.3)) for _ in "dα"] for t in tracks]
        ball = pv.Sphere(radius=0.07, theta_resolution=20, phi_resolution=14)
        self._beads = []
        for track, pair in zip(self.tracks, self.curves, strict=True):
            for curve in pair:
                self.add(curve, lit=False, width=2.2)
            self._beads.append([self.add(ball.copy(), track.scheme.colour, specular=0.3) for _ in pair])
        self._recent = [lately(track, partial(differences, track, self._start, self.steady)) for track in self.tracks]

    def _frame(self, bound: Array, place: Array) -> None:
        """The ellipse that must not be left, a cross in its middle, and the rim of all that is drawn."""
        turn = np.linspace(0, 2 * np.pi, 121)
        around = np.stack([np.cos(turn), np.sin(turn)], axis=1) * (SIZE * bound / bound.max())
        inner = place + np.column_stack([around, np.full(121, -0.1)])
        rim = place + np.column_stack([(1 + BEYOND) * around, np.full(121, -0.2)])
        for ring, colour, opacity in ((rim, self.look.alarm, 0.22), (inner, self.look.panel, 1.0)):
            disc = pv.PolyData(ring.astype(np.float32), faces=np.r_[120, np.arange(120)])
            self.add(disc, colour, lit=False, opacity=opacity)
        edge = polyline(121)
        move(edge, inner)
        self.add(edge, self.look.ink, lit=False, width=1.6)
        for axis in range(2):
            bar = polyline(2)
            move(bar, place + np.outer([-0.08, 0.08], np.eye(3)[axis]))
            self.add(bar, self.look.faint, lit=False, width=1.2)

    def show(self, poses: Sequence[Pose]) -> None:
        """Move to the poses of the lanes."""
        here = self.steady
        if here is None:
            return
        for number, (pose, recent) in enumerate(zip(poses, self._recent, strict=True)):
            states = recent.at(pose.time)
            self.outside[number] = False
            pair = np.moveaxis(states, 1, 0)
            for values, bound, place, curve, bead in zip(
                pair, self._bounds, PLACES, self.curves[number], self._beads[number], strict=True
            ):
                filled = np.linalg.norm(values / bound, axis=1, keepdims=True)
                self.outside[number] |= bool(filled[-1, 0] > 1.001)
                far = np.maximum(filled, 1.0)  # outside, distances are pressed together, so that all of it is seen
                flat = values * ((1.0 + BEYOND * (1.0 - 1.0 / far)) / far) * (SIZE / bound.max())
                points = place + np.column_stack([flat, np.zeros(len(flat))])
                move(curve, points)
                put(bead, placed(np.eye(3), points[-1]))
        self.entitle(*self._words(here))

    def _words(self, here: SteadyRotation) -> tuple[TextRun, ...]:
        title = TextRun(f"V = {here.value:.1e}   ".replace("e-", "e−"), self.look.ink, 12.5, "SemiBold")
        gone = [track.scheme.letter for track, out in zip(self.tracks, self.outside, strict=True) if out]
        if not gone:
            return title, TextRun(tr("inside"), self.look.dim, 12.0, "Medium")
        return title, TextRun(tr("{axes} outside").format(axes=", ".join(gone)), self.look.alarm, 12.0, "Medium")

    def set_visible(self, on: bool) -> None:
        """Show or hide; nothing about the intermediate axis."""
        super().set_visible(on and self.steady is not None)

    @property
    def beside(self) -> int:
        """How much of the viewport's width it takes from the heading [pixels]."""
        return 0 if self.steady is None else super().beside

    @property
    def above(self) -> int:
        """How much of the viewport's height it takes in the upper right corner [pixels]."""
        return 0 if self.steady is None else super().above

    def signs(self) -> tuple[Sign, ...]:
        """What is missing, where no level set bounds the motion."""
        none = sign(tr("no level set bounds this rotation"), self.look.dim)
        return (("level", none),) if self.steady is None else ()


def differences(track: LaneTrack, start: Array, here: SteadyRotation, times: Array) -> Array:
    """d and α [rad/s], (n, 2, 2), across the axis of a steady rotation, at times (n,) [s].

    start : attitude (4,) of the principal axes at the start
    """
    orientation, rate = track.body.to_principal(track.attitudes(times), track.rates(times))
    pair = list(here.across)
    d = axis_difference(since(start, orientation), here.axis)
    return np.stack([d[:, pair], rate_difference(rate, here.rate, here.axis)[:, pair]], axis=1)
