"""Trails: where the body went, and the curves that points of it draw in space."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np
import pyvista as pv

from app.stage.actor_group import ActorGroup, draw_nearer, fading, move, paint, placed, polygons, polyline, put, tinted
from app.stage.lane_track import LaneTrack, Pose
from app.stage.moving_groups import TrackedGroup
from app.stage.recent_samples import RecentSamples
from app.stage.text.colour_map import Bar, nice
from physics.core.rotation import Array, apply

TURNS = 80.0  # [rad] of rotation that the curve of a body point remembers
HEAD, WIDER = 2.5, 3.5  # [rad] at its end on which a curve grows wider by so many pixels, so that one sees which way
SHORT = 0.2  # share of a curve that grows wider at most


class DrawnCurve(TrackedGroup):
    """A curve of the last ``seconds``, which pages that draw the scene themselves draw too."""

    seconds: float
    around = True  # whether ``arms`` are told from where the body is; else from the stage's origin

    @abstractmethod
    def arms(self, times: Array) -> Array:
        """The points (n, 3) [m] at times (n,) [s]."""


class Trace(DrawnCurve):
    """The curve that a point of the body drew lately, in the lane's colour, fading with age, with a bead at its end.

    point (3,) [m] in the body frame; seconds of memory; ``free``: drawn around the body where it is now, as on a
    globe that travels with it, instead of where it was; rate [rad/s] at which it goes round, 0: its end grows no wider.
    """

    overlay = "trails"

    def __init__(
        self,
        track: LaneTrack,
        point: Array,
        seconds: float,
        *,
        free: bool,
        width: float,
        opacity: float = 1.0,
        rate: float = 0.0,
    ) -> None:
        super().__init__()
        n, colour = 1200, track.scheme.colour
        self._track, self.point, self._free, self.seconds = track, point, free, seconds
        self._recent = RecentSamples(track, seconds, n, self.arms if free else self._places)
        self._bar: Bar | None = None
        self._bead: pv.Actor | None = None
        self.lines: list[tuple[pv.PolyData, np.ndarray]] = []  # parts that end where the curve does, and their colours
        self._draw_last(fading(colour, n, opacity), width)
        if rate:  # 1 ms of a film's frame on two cores without a graphics card
            last = max(2, round(n * min(HEAD / (rate * seconds), SHORT)))
            self._draw_last(fading(colour, last, power=1.0), width + WIDER)
        if free:
            ball = pv.Sphere(radius=0.035 * float(np.linalg.norm(point)), theta_resolution=20, phi_resolution=14)
            self._bead = self.add(ball, colour, specular=0.3, opacity=max(opacity, 0.6))
            draw_nearer(self._bead, 24.0)  # than the curve, of which lines are drawn nearer than solids

    def _draw_last(self, colours: np.ndarray, width: float) -> None:
        """Draw the last points of the curve in colours (n, 4) of their own."""
        line = polyline(len(colours), colours.copy())  # VTK keeps what it is given
        self.add(line, lit=False, width=width)
        self.lines.append((line, colours))

    @property
    def points(self) -> Array:
        """The curve as it is drawn (n, 3) [m]."""
        return np.array(self.lines[0][0].points)

    def colour(self, bar: Bar | None, quantity: str) -> None:
        """Colour by a quantity, or in the lane's colour (None)."""
        self._bar = bar
        self._values = RecentSamples(
            self._track,
            self.seconds,
            len(self.lines[0][1]),
            lambda times: self._track.measured(times, quantity, self.point),
        )
        for line, colours in self.lines:
            paint(line, colours)

    def show(self, track: LaneTrack, pose: Pose) -> None:
        self.draw(pose.time, pose.place)

    def draw(self, time: float, place: Array) -> None:
        """Draw up to a time [s], around a place (3,) [m] if it is ``free``."""
        points = self._recent.at(time)
        if self._bar is not None:
            rgba = self._bar.rgba(self._values.at(time))
            for line, colours in self.lines:
                paint(line, np.column_stack([rgba[-len(colours) :, :3], colours[:, 3]]))
        seen = points + place if self._free else points
        for line, colours in self.lines:
            move(line, seen[-len(colours) :])
        if self._bead is not None:
            put(self._bead, placed(np.eye(3), place + points[-1]))

    def arms(self, times: Array) -> Array:
        """Where the point was (n, 3) [m] at times (n,) [s], relative to what it is drawn around: the centre of mass."""
        return self._track.points(times, self.point)

    def _places(self, times: Array) -> Array:
        return self.arms(times) + self._track.positions(times)


def memory(rate: float, duration: float) -> float:
    """How many seconds a trace remembers for a body that turns at a rate [rad/s]."""
    return min(max(TURNS / max(rate, 1e-9), 0.5), max(duration / 2.5, 0.5))


class Path(TrackedGroup):
    """The path of the centre of mass: all of it faint, what has been travelled in the lane's colour, or in a bar's."""

    overlay = "trails"
    SIZE = 1500
    point = None  # it is the centre of mass that goes along it

    def __init__(self, track: LaneTrack) -> None:
        super().__init__()
        n, colour = self.SIZE, track.scheme.colour
        self._colour, self._unit, self._on_map = colour, 1.0, False
        self._whole, self._edge, self._done = polyline(n), polyline(n), polyline(n, np.zeros((n, 4)))
        self._edge.SetPoints(self._done.GetPoints())
        self.add(self._whole, colour, lit=False, width=2.0, opacity=0.6)
        self.add(self._edge, colour, lit=False)
        self.add(self._done, colour, lit=False)
        self.colour(None, "")
        self._times, self._points = np.zeros(n), np.zeros((n, 3))
        self._higher, self._still = np.full(3, np.nan), False

    @property
    def colours(self) -> np.ndarray:
        """Colours (n, 4) of 0 to 255 along the path, while it is coloured by a bar."""
        return np.array(self._done.point_data["rgba"])

    def colour(self, bar: Bar | None, quantity: str) -> None:
        """Colour by a quantity, with the lane's colour at the edges, or in the lane's colour alone (None)."""
        self._bar, self._quantity, self._known = bar, quantity, 0
        _, edge, done = self.actors
        edge.prop.color, edge.prop.opacity = ("#0b0f14", 0.45) if bar is None else (self._colour, 1.0)
        self._widths = [*self._widths[:1], (edge, 6.0 if bar is None else 9.5), (done, 3.8 if bar is None else 5.5)]
        self.set_unit(self._unit)
        done.mapper.SetScalarVisibility(bar is not None)

    def lie_on_map(self, on: bool) -> None:
        """Draw what is to come in white, as the lane's colour might be taken for one of a map under it."""
        if on != self._on_map:
            self._on_map = on
            self.actors[0].prop.color = "white" if on else self._colour

    def set_unit(self, unit: float) -> None:
        self._unit = unit
        super().set_unit(unit)

    def show(self, track: LaneTrack, pose: Pose) -> None:
        if self._known != len(track.run):
            self._known = len(track.run)
            self._times = np.linspace(0.0, track.end, self.SIZE)
            self._points = track.positions(self._times)
            self._still = not np.ptp(self._points, axis=0).any()  # a body that only turns has no path to draw
            self._higher = np.full(3, np.nan)
            if self._bar is not None:
                paint(self._done, self._bar.rgba(track.measured(self._times, self._quantity)))
        self.set_visible(self.on)
        if self._still:
            return
        nearer = round(min(24.0, 4.0 * pose.scale))  # so that coarse ground does not hide the lines from afar
        for actor, times in zip(self.actors, (1.0, 1.0, 1.5), strict=True):
            draw_nearer(actor, times * nearer)
        higher = pose.place - pose.position  # through the middle of a rock that is drawn larger
        if not np.array_equal(higher, self._higher):
            self._higher = higher
            move(self._whole, self._points + higher)
        points = self._points + higher
        points[np.searchsorted(self._times, pose.time, side="right") :] = pose.place
        move(self._done, points)

    def set_visible(self, on: bool) -> None:
        """Show or hide; nothing while nothing has moved: 4500 points in one place take time too."""
        super().set_visible(on and not self._still)


class Ghosts(ActorGroup):
    """The body as it was at equal time intervals."""

    overlay = "ghosts"
    MOST = 24

    def __init__(self, track: LaneTrack) -> None:
        super().__init__()
        body = track.body
        self._corners, self._radius = body.vertices, body.radius
        n = len(body.vertices)
        faces = np.concatenate([body.faces + k * n for k in range(self.MOST)])
        self._mesh = polygons(np.zeros((self.MOST * n, 3), np.float32), faces)
        self._mesh.point_data["rgba"] = tinted(track.scheme.colour, np.full(self.MOST * n, 95))
        self.add(self._mesh).prop.interpolation = "Flat"
        self._shown: tuple[float, bytes, float] | None = None

    def show(self, track: LaneTrack, pose: Pose, end: float) -> None:
        """Draw those before a pose, as large and as much higher as it is drawn; ``end`` [s] of the longest lane."""
        step = nice(end / self.MOST)
        times: Array = step * np.arange(self.MOST, dtype=float)
        times = times[: int(np.searchsorted(times, min(pose.time, track.end) - 0.3 * step))]
        centres = track.positions(times)
        apart = np.linalg.norm(centres - pose.position, axis=1) > self._radius * pose.scale  # none in the body itself
        key = (step, apart.tobytes(), pose.scale)
        if key == self._shown:
            return
        self._shown = key
        points = np.tile(pose.position, (self.MOST, len(self._corners), 1))
        if n := int(apart.sum()):
            corners = apply(track.attitudes(times[apart])[:, None], self._corners)
            points[:n] = centres[apart, None] + (pose.place - pose.position) + pose.scale * corners
        move(self._mesh, points.reshape(-1, 3))
