"""Contact marks of rocks: contact points with normals and slips, the gap in flight, and the mean force."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyvista as pv

from app.stage.actor_group import ActorGroup, draw_nearer, move, placed, polyline, put
from app.stage.bodies.arrows import Arrow
from app.stage.lane_track import LaneTrack, Pose
from app.stage.overlays.overlay import Overlay
from app.stage.text.caption_text import Sign, sign
from app.stage.theme_colours import StageColours
from app.system.language import tr
from physics.analysis.contact_points import mean_force, touch
from physics.core.rotation import Array
from physics.systems.rockfall.world import RockfallWorld

MAX_ARROWS = 4  # contacts with arrows, the deepest ones
SLIP = 5.0  # [m/s] drawn as long as the rock's radius
WEIGHTS = 4.0  # weights: the force that is drawn as long as the radius of the rock
LONGEST_ARROW = 1.9  # length of arrows, in radii: they stay below the title


class ContactMarks(Overlay):
    """Dots at the contact points of rocks, normals and slips there, and the mean force of the ground.

    In flight a vertical line from the lowest point shows the gap. All is of the stored state before the shown time.
    """

    overlay = "contacts"

    def __init__(self, tracks: Sequence[LaneTrack], look: StageColours) -> None:
        super().__init__(tracks, look)
        self.rocks = [RockContacts(self, track, look) for track in tracks]

    def show(self, poses: Sequence[Pose]) -> None:
        for rock, pose in zip(self.rocks, poses, strict=True):
            rock.show(pose, on=self.on)

    def switch(self, on: bool) -> None:
        """Switch on or off; contacts appear with the next pose."""
        super().switch(on)
        for rock in self.rocks:
            rock.hide()

    def signs(self) -> tuple[Sign, ...]:
        force = tr("mean force, from the velocities ({weights:g} weights a radius)")
        return (
            ("contacts", sign(tr("normal"), self.look.axes[1])),
            ("contacts", sign(tr("slip ({slip:g} m/s a radius)").format(slip=SLIP), self.look.axes[2])),
            ("contacts", sign(force.format(weights=WEIGHTS), self.look.alarm)),
        )


class RockContacts:
    """The contacts of one rock."""

    def __init__(self, part: ActorGroup, track: LaneTrack, look: StageColours) -> None:
        assert isinstance(track.world, RockfallWorld)
        self._world, r, first = track.world, track.body.radius, len(part.props)
        self._track, self._radius, self._weight = track, r, track.body.mass * max(track.world.scenario.g, 1e-9)
        ball = pv.Sphere(radius=0.055 * r, theta_resolution=16, phi_resolution=12)
        self.dots = [part.add(ball, look.ink, ambient=0.4) for _ in range(MAX_ARROWS)]
        self._normals = [Arrow(part, look.axes[1], 0.014 * r) for _ in range(MAX_ARROWS)]
        self._slips = [Arrow(part, look.axes[2], 0.018 * r) for _ in range(MAX_ARROWS)]
        self._force = Arrow(part, look.alarm, 0.032 * r)
        self._plumb = polyline(2)
        self._line = part.add(self._plumb, look.ink, lit=False, width=1.6)
        draw_nearer(self._line, 6.0)
        self._props = part.props[first:]

    def hide(self) -> None:
        """Show nothing until the next pose."""
        for prop in self._props:
            prop.SetVisibility(False)

    def show(self, pose: Pose, *, on: bool) -> None:
        """Move to a pose."""
        self.hide()
        if not on:
            return
        track, world = self._track, self._world
        now = track.stored(pose.time)
        found = touch(world, now)
        place = pose.place + pose.scale * (found.points - now.position)  # on the enlarged rock
        deepest = np.argsort(found.gaps)[:MAX_ARROWS]
        first = place[deepest[0]]
        if not found.touching.any():
            move(self._plumb, np.array([first, first - (0.0, 0.0, float(found.gaps[deepest[0]]))]))
            self._line.SetVisibility(True)
            return
        for k, vertex in enumerate(deepest[found.touching[deepest]]):
            put(self.dots[k], placed(np.eye(3), place[vertex], pose.scale))
            self.dots[k].SetVisibility(True)
            point(self._normals[k], place[vertex], found.normals[vertex], self._radius, pose.scale)
            point(self._slips[k], place[vertex], found.slips[vertex] / SLIP, self._radius, pose.scale)
        force = mean_force(world, track.run, pose.time) / (WEIGHTS * self._weight)
        point(self._force, first, force, self._radius, pose.scale)


def point(arrow: Arrow, foot: Array, vector: Array, radius: float, scale: float = 1.0) -> None:
    """Draw a vector in radii [m] of the body, limited in length; hide it if it is too short to see."""
    length = float(np.linalg.norm(vector))
    arrow.set_visible(length > 0.02)
    if length > 0.02:
        arrow.show(foot, vector * (scale * radius * min(1.0, LONGEST_ARROW / length)), scale)
