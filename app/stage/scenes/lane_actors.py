"""Scenes of a free body and of a rock on a slope, with their arrows and trails."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.stage.bodies.arrows import Loss, OrbitArrows, VectorArrows, rate_scale
from app.stage.bodies.body_mesh import Axes, BodyActor, machined, stone
from app.stage.bodies.floor import Equator
from app.stage.bodies.model_skin import skin_of
from app.stage.bodies.trails import Ghosts, Path, Trace, fine, late_trace, memory
from app.stage.ground.marks import StemMarks
from app.stage.lane_scene import LanePlace, LaneScene
from app.stage.lane_track import LaneTrack, Pose
from app.stage.scenes.soft_shadow import SUN, SoftShadow
from app.stage.text.caption_text import Sign, arrows, passing_sign, sign
from app.stage.theme_colours import StageColours
from app.system.language import tr
from physics.systems.free.rotating_world import RotatingWorld
from physics.systems.rockfall.world import RockfallWorld

REACH = 1.1  # distance at which the axes of free bodies draw, in radii of the body
SLENDER = 0.12  # width, in radii, of a rod that would hide the edge of an arrow along it


class Flight(LaneScene):
    """A body in free flight, around which its axes draw."""

    def __init__(self, track: LaneTrack, look: StageColours, place: LanePlace) -> None:
        super().__init__(track)
        body, start = track.body, track.pose(0.0)
        reach = REACH * body.radius
        tips = np.eye(3)
        local = start.rotation.T @ start.omega
        main = int(np.argmax(np.abs(local)))
        rate = float(np.linalg.norm(local))
        seconds = memory(rate, track.world.scenario.duration)
        ahead = -1.0 if local[main] < 0 else 1.0
        mesh = machined(body, look.faces, track.scheme.colour, 0.5 if place.shared else 0.0)
        self.body = BodyActor(mesh, specular=0.4, closed=True, skin=skin_of(body))
        self.posed = [self.body, Axes(body, look, reach)]
        self.circled = place.first and track.world.keeps_spin
        if self.circled:
            self.posed.append(Equator(reach, start.spin, look))  # no shadow: there is no ground below it
        turn, short = rate * seconds, 0.25  # part of the memory of the second curve
        along, across = reach * ahead * tips[main], reach * tips[(main + 1) % 3]
        self.traces = [
            late_trace(track, tip, rate, seconds, width, points=fine(turn))
            for tip, width in ((along, 2.6), (across, 1.6))
        ]
        whole = [
            Trace(track, along, seconds, free=True, width=4.0, points=fine(turn)),
            Trace(track, across, short * seconds, free=True, width=2.6, rate=rate, points=fine(short * turn)),
        ]
        for trace in self.traces:
            trace.unless += ("poinsot",)
        for trace in whole:
            trace.overlay, trace.unless = "whole", ("poinsot",)
        self.traces += whole
        near = 250.0 if np.sort(body.extents)[1] < SLENDER * body.radius else 5.0
        vectors = VectorArrows(track, look, body.radius, omega_scale=rate_scale(track), near=near)
        self.loss = Loss(track, look, body.radius, vectors.spin_scale)
        world = track.world
        in_orbit = isinstance(world, RotatingWorld) and world.acting is not None and world.acting.rate > 0.0
        self.orbit = [OrbitArrows(look, body.radius)] if in_orbit else []
        self.tracked = [vectors, self.loss, *self.orbit, *self.traces, Path(track)]
        self.parts += [*self.posed, *self.tracked]

    def signs(self, look: StageColours) -> tuple[Sign, ...]:
        lost = "vectors", passing_sign(tr("lost angular momentum"), look.alarm, on=self.loss.lost)
        circle = [("numbers", sign(tr("circle across L at the start"), look.dim))] if self.circled else []
        ways = (tr("direction of flight"), look.measured), (tr("down to the planet"), look.gap)
        orbit = [("vectors", sign(*way)) for way in ways] if self.orbit else []
        return (*arrows(look), *orbit, *circle, lost)


class Fall(LaneScene):
    """A rock on a slope with its path, its ghosts and its shadow."""

    apart = True

    def __init__(self, track: LaneTrack, look: StageColours, place: LanePlace) -> None:
        super().__init__(track)
        assert place.ground is not None
        body = track.body
        mesh = stone(body, track.scheme.colour)
        self.body = BodyActor(mesh, specular=0.04, closed=True, sunlit=True, skin=skin_of(body))
        self.posed = [
            self.body,
            Axes(body, look, 1.45 * body.radius),
            SoftShadow(body.vertices, SUN, 0.6, place.ground),
        ]
        self.tracked = [VectorArrows(track, look, body.radius, rock=True), Path(track)]
        if isinstance(track.world, RockfallWorld) and len(track.world.cover.stems[0]):
            self.tracked.append(StemMarks(track, place.ground))
        self._ghosts = Ghosts(track)
        self.parts = [*self.posed, *self.tracked, self._ghosts]

    def signs(self, look: StageColours) -> tuple[Sign, ...]:
        return arrows(look)

    def show(self, time: float, scale: float) -> Pose:
        """Move everything to a time [s], with the rock enlarged by ``scale``."""
        pose = super().show(time, scale)
        self._ghosts.show(self.track, self._raised(pose, round(scale, 2)))  # steady while a camera hardly moves
        return pose

    def pose(self, time: float, scale: float) -> Pose:
        return self._raised(self.track.pose(time), scale)

    def _raised(self, pose: Pose, scale: float) -> Pose:
        """Pose of an enlarged rock, lifted to stay above the ground."""
        lift = (scale - 1.0) * 0.6 * self.track.body.radius
        return replace(pose, scale=scale, place=pose.position + np.array([0.0, 0.0, lift]))
