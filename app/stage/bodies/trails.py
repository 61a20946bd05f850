"""Trails: the path of the body, and the curves that its points draw in space."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np
import pyvista as pv

from app.stage.actor_group import ActorGroup, draw_nearer, fading, move, paint, placed, polygons, polyline, put, tinted
from app.stage.lane_track import LaneTrack, Pose, RecentSamples, TrackedGroup
from app.stage.text.colour_map import Bar, nice
from physics.core.rotation import Array, apply

LATE = 3.0 * np.pi  # rotation [rad] of the curve of a body point that is usually drawn: one turn and a half
SOME = 320  # points along such a curve at most
TURNS = 55.0  # rotation [rad] in the memory of the curve of a body point
HEAD, WIDER = 2.5, 3.5  # a curve widens over its last radians by so many pixels, to show its direction
COARSE = 16  # of so many points of a curve one tells its extent
POINTED = 0.04  # extent of the smallest curve that has a bead at its end, in distances of its point
SHORT = 0.2  # largest share of a curve that widens
AGED = 1.8  # pixels by which the newer half of an ageing curve is wider
THIN = 0.5  # width of the line that stays where a curve fades with age, in its widths


class DrawnCurve(TrackedGroup):
    """A curve of the last ``seconds``, also drawn by exported pages; ``ball``: what is at its end, in ``ink``."""

    seconds: float
    ball: pv.PolyData | None = None
    ink: str = ""
    around = True  # ``arms`` are relative to the body, else to the origin of the stage

    @abstractmethod
    def arms(self, times: Array) -> Array:
        """Points (n, 3) [m] at times (n,) [s]."""


class Trace(DrawnCurve):
    """Recent curve of a point of the body in the lane's colour, fading to a thin line, with a bead at its end.

    point : (3,) [m] in the body frame
    free : drawn around the present place of the body, as on a globe that travels with it
    rate : of revolution [rad/s], by which the end widens; 0: it does not
    points : along the curve; lines finer than pixels are drawn with gaps
    ages : its older half is thinner and fades, to nothing
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
        rate: float = 0.0,
        points: int = 1200,
        ages: bool = False,
    ) -> None:
        super().__init__()
        n, colour = points, track.scheme.colour
        self._track, self.point, self._free, self.seconds = track, point, free, seconds
        self._recent = RecentSamples(track, seconds, n, self.arms if free else self._places)
        self._bar: Bar | None = None
        self._bead: pv.Actor | None = None
        self.lines: list[tuple[pv.PolyData, np.ndarray, slice]] = []  # parts of the curve with their colours
        self._draw_part(slice(n), fading(colour, n, power=1.0, old=0.5) if ages else fading(colour, n), width)
        if rate:  # takes 1 ms a frame of a film on two cores
            last = max(2, round(n * min(HEAD / (rate * seconds), SHORT)))
            self._draw_part(slice(n - last, n), fading(colour, last, power=1.0), width + WIDER)
        if ages:
            newer = slice(n // 2, n)
            self._draw_part(newer, fading(colour, n - n // 2, power=1.0, old=1.0), width + AGED)
        else:
            old = n // 4 + 1  # those that fade
            self._draw_part(slice(old), tinted(colour, np.full(old, 255)), THIN * width)
        if free:
            ball = pv.Sphere(radius=0.035 * float(np.linalg.norm(point)), theta_resolution=20, phi_resolution=14)
            self.ball, self.ink = ball, colour
            self._bead = self.add(ball, colour, specular=0.3, ambient=0.35)
            draw_nearer(self._bead, 24.0)  # nearer than the curve: lines are drawn nearer than solids
            self.edge(self._bead, 14.0)

    def _draw_part(self, part: slice, colours: np.ndarray, width: float) -> None:
        """Add a line of a part of the curve's points in colours (n, 4)."""
        line = polyline(len(colours), colours.copy())  # VTK keeps a reference
        self.edge(self.add(line, lit=False, width=width), -20.0)
        self.lines.append((line, colours, part))

    @property
    def points(self) -> Array:
        """Points (n, 3) [m] of the drawn curve."""
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
        for line, colours, _ in self.lines:
            paint(line, colours)

    def show(self, track: LaneTrack, pose: Pose) -> None:
        self.draw(pose.time, pose.place)

    def draw(self, time: float, place: Array) -> None:
        """Draw up to a time [s], around a place (3,) [m] if it is ``free``."""
        points = self._recent.at(time)
        if self._bar is not None:
            rgba = self._bar.rgba(self._values.at(time))
            for line, colours, part in self.lines:
                paint(line, np.column_stack([rgba[part, :3], colours[:, 3]]))
        seen = points + place if self._free else points
        for line, _, part in self.lines:
            move(line, seen[part])
        if self._bead is not None:
            put(self._bead, placed(np.eye(3), place + points[-1]))
            drawn = float(np.ptp(points[::COARSE], axis=0).max()) > POINTED * float(np.linalg.norm(self.point))
            for actor in (*self.actors, *self.edges):  # no dot in the void at the end of an axis that stands
                actor.SetVisibility(self.on and drawn)

    def arms(self, times: Array) -> Array:
        """Places of the point (n, 3) [m] at times (n,) [s], from the centre of mass."""
        return self._track.points(times, self.point)

    def _places(self, times: Array) -> Array:
        return self.arms(times) + self._track.positions(times)


class PlacedTrace(Trace):
    """The curve that a point of any body of a mechanism draws in space."""

    around = False

    def arms(self, times: Array) -> Array:
        return super().arms(times) + self._track.positions(times)

    def _places(self, times: Array) -> Array:
        return self.arms(times)


def memory(rate: float, duration: float) -> float:
    """Memory [s] of the trace of a body that turns at a rate [rad/s]."""
    return min(max(TURNS / max(rate, 1e-9), 0.5), max(duration / 2.5, 0.5))


def late_trace(track: LaneTrack, point: Array, rate: float, seconds: float, width: float, *, points: int) -> Trace:
    """The trace of the last turn and a half of a body that turns at a rate [rad/s], in place of that of ``seconds``."""
    seconds = min(seconds, LATE / max(rate, 1e-9))
    late = Trace(track, point, seconds, free=True, width=width, points=min(points, SOME), ages=True)
    late.unless = ("whole",)
    return late


def fine(turn: float) -> int:
    """Points along the trace of a body that turns by an angle [rad]."""
    return round(min(max(turn / TURNS, 0.15), 1.0) * 1200)


class Path(TrackedGroup):
    """Path of the centre of mass up to now, in the lane's colour or coloured by a quantity."""

    overlay = "trails"
    SIZE = 1500
    point = None  # of the body; None: the centre of mass

    def __init__(self, track: LaneTrack) -> None:
        super().__init__()
        n, colour = self.SIZE, track.scheme.colour
        self._colour, self._unit = colour, 1.0
        self._edge, self._done = polyline(n), polyline(n, np.zeros((n, 4)))
        self._edge.SetPoints(self._done.GetPoints())
        self.add(self._edge, colour, lit=False)
        self.add(self._done, colour, lit=False)
        self.colour(None, "")
        self._times, self._points = np.zeros(n), np.zeros((n, 3))
        self._still = False

    @property
    def colours(self) -> np.ndarray:
        """Colours (n, 4) of 0 to 255 along the path, while it is coloured by a quantity."""
        return np.array(self._done.point_data["rgba"])

    def colour(self, bar: Bar | None, quantity: str) -> None:
        """Colour by a quantity with edges in the lane's colour, or only in the lane's colour (None)."""
        self._bar, self._quantity, self._known = bar, quantity, 0
        edge, done = self.actors
        edge.prop.color, edge.prop.opacity = ("#0b0f14", 1.0) if bar is None else (self._colour, 1.0)
        self._widths = [(edge, 7.0 if bar is None else 9.5), (done, 3.8 if bar is None else 5.5)]
        self.set_unit(self._unit)
        done.mapper.SetScalarVisibility(bar is not None)

    def set_unit(self, unit: float) -> None:
        self._unit = unit
        super().set_unit(unit)

    def show(self, track: LaneTrack, pose: Pose) -> None:
        if self._known != len(track.run):
            self._known = len(track.run)
            self._times = np.linspace(0.0, track.end, self.SIZE)
            self._points = track.positions(self._times)
            self._still = not np.ptp(self._points, axis=0).any()  # a body that only turns has no path
            if self._bar is not None:
                paint(self._done, self._bar.rgba(track.measured(self._times, self._quantity)))
        self.set_visible(self.on)
        if self._still:
            return
        nearer = round(min(24.0, 4.0 * pose.scale))  # keeps coarse ground from hiding distant lines
        for actor, times in zip(self.actors, (1.0, 1.5), strict=True):
            draw_nearer(actor, times * nearer)
        points = self._points + (pose.place - pose.position)  # through the centre of an enlarged rock
        points[np.searchsorted(self._times, pose.time, side="right") :] = pose.place
        move(self._done, points)

    def set_visible(self, on: bool) -> None:
        """Show or hide; hidden while the body has not moved, which saves time."""
        super().set_visible(on and not self._still)


class Ghosts(ActorGroup):
    """The body as it was at equal distances along its path."""

    overlay = "ghosts"
    MOST = 24
    CLEAR = 4.0  # least distance, in radii of the body as it is drawn

    def __init__(self, track: LaneTrack) -> None:
        super().__init__()
        body = track.body
        self._corners, self._radius = body.vertices, body.radius
        n = len(body.vertices)
        faces = np.concatenate([body.faces + k * n for k in range(self.MOST)])
        self._mesh = polygons(np.zeros((self.MOST * n, 3), np.float32), faces)
        self._mesh.point_data["rgba"] = tinted(track.scheme.colour, np.full(self.MOST * n, 95))
        self.add(self._mesh).prop.interpolation = "Flat"
        self._shown: tuple[bytes, float] | None = None
        self._known, self._far = 0, np.zeros(0)

    def show(self, track: LaneTrack, pose: Pose) -> None:
        """Draw the bodies before a pose in its scale."""
        if self._known != len(track.run):
            self._known = len(track.run)
            steps = np.linalg.norm(np.diff(track.run.position, axis=0), axis=1)
            self._far = np.concatenate([[0.0], np.cumsum(steps)])
        clear = self.CLEAR * self._radius * pose.scale
        apart = nice(max(float(self._far[-1]) / self.MOST, clear))
        here = float(np.interp(pose.time, track.run.time, self._far))
        far = apart * np.arange(self.MOST)
        times = np.interp(far[far < here - 0.5 * clear], self._far, track.run.time)
        key = (times.tobytes(), pose.scale)
        if key == self._shown:
            return
        self._shown = key
        points = np.tile(pose.position, (self.MOST, len(self._corners), 1))
        if n := len(times):
            corners = apply(track.attitudes(times)[:, None], self._corners)
            points[:n] = track.positions(times)[:, None] + (pose.place - pose.position) + pose.scale * corners
        move(self._mesh, points.reshape(-1, 3))
