"""A lane on the stage: the body under one scheme with its arrows and trails."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.stage.body import Axes, BodyActor
from app.stage.floor import FloorShadow, Globe
from app.stage.ground import Ground, GroundShadow
from app.stage.look import Look
from app.stage.part import Part
from app.stage.track import Pose, Track
from app.stage.trails import Ghosts, Path, Trace, memory
from app.stage.vectors import Vectors

GLOBE = 1.2  # radius of the globe that free bodies draw on, in radii of the body
FLOOR = -1.75  # height of the floor below a free body, in radii of the body


class Flight:
    """A body in free flight, in the middle of a globe on which its axes draw."""

    def __init__(self, track: Track, look: Look, duration: float, *, first: bool, shared: bool) -> None:
        self.track = track
        body, start = track.body, track.pose(0.0)
        reach = GLOBE * body.radius
        tips = np.eye(3)
        local = start.rotation.T @ start.omega
        main = int(np.argmax(np.abs(local)))
        seconds = memory(float(np.linalg.norm(local)), duration)
        sign = -1.0 if local[main] < 0 else 1.0
        self.body = BodyActor(track, look, rock=False, shared=shared, ghostly=not first)
        self._posed = [self.body, Axes(body, look, reach)]
        if first:
            self._posed += [Globe(reach, start.spin, look), FloorShadow(body, FLOOR * body.radius, look)]
        self.traces = [
            Trace(reach * sign * tips[main], track.scheme.colour, seconds, free=True, width=4.0),
            Trace(
                reach * tips[(main + 1) % 3],
                track.scheme.colour,
                0.25 * seconds,
                free=True,
                width=1.6,
                opacity=0.6,
            ),
        ]
        self.vectors = Vectors(track, look, rock=False)
        self._tracked = [self.vectors, *self.traces, Path(track, look)]
        self.parts: list[Part] = [*self._posed, *self._tracked]

    def show(self, time: float, end: float, scale: float) -> Pose:
        """Move everything to a time [s]."""
        pose = self.track.pose(time)
        for part in self._posed:
            part.show(pose)
        for part in self._tracked:
            part.show(self.track, pose)
        return pose


class Fall:
    """A rock on a slope with its path, its ghosts and its shadow."""

    def __init__(self, track: Track, look: Look, ground: Ground) -> None:
        self.track = track
        body = track.body
        self.body = BodyActor(track, look, rock=True)
        self._posed = [
            self.body,
            Axes(body, look, 1.45 * body.radius),
            GroundShadow(ground, body.radius, look),
        ]
        rim = body.vertices[int(np.argmax(np.linalg.norm(body.vertices, axis=1)))]
        self._rim = Trace(rim, track.scheme.colour, 1.6, free=False, width=2.0, opacity=0.8)
        self.vectors = Vectors(track, look, rock=True)
        self._tracked = [self.vectors, Path(track, look), self._rim]
        self._ghosts = Ghosts(track)
        self.parts: list[Part] = [*self._posed, *self._tracked, self._ghosts]

    def show(self, time: float, end: float, scale: float) -> Pose:
        """Move everything to a time [s] of a motion that ends at ``end``; the rock so many times larger than it is."""
        lift = (scale - 1.0) * 0.6 * self.track.body.radius
        pose = self.track.pose(time)
        pose = replace(pose, scale=scale, place=pose.position + np.array([0.0, 0.0, lift]))
        for part in self._posed:
            part.show(pose)
        for part in self._tracked:
            part.show(self.track, pose)
        self._ghosts.show(self.track, pose, lift, end)
        return pose
