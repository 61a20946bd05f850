"""Contacts: where a rock touches the ground, the ground's normals there, the slip, the gap, and the mean force."""

from __future__ import annotations

import numpy as np
import pyvista as pv

from app.stage.labels import Sign, sign
from app.stage.look import Look
from app.stage.part import Part, draw_nearer, move, placed, polyline
from app.stage.track import Pose, Track
from app.stage.vectors import Arrow
from physics.rotation import Array
from physics.touch import mean_force, touch

MOST = 4  # contacts that get arrows; the deepest ones
SLIP = 5.0  # [m/s] drawn as long as the rock's radius
WEIGHTS = 4.0  # times its weight: the force that is drawn as long as the rock's radius
LONGEST = 3.0  # arrows, in radii


class Contacts(Part):
    """Of a rock: dots at the vertices that touch, the normals and slips there, the mean force of the ground on the rock.

    In flight a plumb line from the lowest vertex shows the gap. All as of the stored state before the time shown.
    """

    overlay = "contacts"

    def __init__(self, track: Track, look: Look) -> None:
        super().__init__()
        r = track.body.radius
        self._radius, self._weight = r, track.body.mass * max(track.world.scenario.g, 1e-9)
        ball = pv.Sphere(radius=0.055 * r, theta_resolution=16, phi_resolution=12)
        self._dots = [self.add(ball, look.ink, ambient=0.4) for _ in range(MOST)]
        self._normals = [Arrow(self, look.axes[1], 0.014 * r) for _ in range(MOST)]
        self._slips = [Arrow(self, look.axes[2], 0.018 * r) for _ in range(MOST)]
        self._force = Arrow(self, look.alarm, 0.032 * r)
        self._plumb = polyline(2)
        draw_nearer(self.add(self._plumb, look.ink, lit=False, width=1.6), 6.0)
        self._shown = True

    def set_visible(self, on: bool) -> None:
        """Show or hide all; what does not touch stays hidden."""
        self._shown = on
        super().set_visible(on)

    def show(self, track: Track, pose: Pose) -> None:
        """Move to a pose."""
        if not self._shown:
            return
        now = track.stored(pose.time)
        found = touch(track.world, now)
        place = pose.place + pose.scale * (found.points - now.position)  # where a rock drawn larger has its vertices
        deepest = np.argsort(found.gaps)[:MOST]
        for k, vertex in enumerate(deepest):
            touches = bool(found.gaps[vertex] <= 0.0)
            foot = place[vertex]
            self._dots[k].user_matrix = placed(np.eye(3), foot, pose.scale)
            self._normals[k].show(foot, 0.9 * self._radius * pose.scale * found.normals[vertex], pose.scale)
            self._slips[k].show(foot, self._drawn(found.slips[vertex] / SLIP) * pose.scale, pose.scale)
            for actor in (self._dots[k], self._normals[k].actor, self._slips[k].actor):
                actor.SetVisibility(touches)
        in_touch = bool(found.touching.any())
        force = mean_force(track.world, track.run, pose.time) / (WEIGHTS * self._weight)
        felt = in_touch and float(np.linalg.norm(force)) > 0.02
        self._force.show(place[deepest[0]], self._drawn(force) * pose.scale, pose.scale)
        self._force.actor.SetVisibility(felt)
        lowest = found.points[deepest[0]]
        foot = place[deepest[0]] - (0.0, 0.0, max(0.0, float(found.gaps[deepest[0]])))
        move(self._plumb, np.array([place[deepest[0]], foot if not in_touch else place[deepest[0]]]))
        self.props[-1].SetVisibility(not in_touch and bool(np.isfinite(lowest).all()))

    def _drawn(self, vector: Array) -> Array:
        """A vector in radii of the rock as one in metres, not too long."""
        length = float(np.linalg.norm(vector))
        return vector * (self._radius * min(1.0, LONGEST / max(length, 1e-12)))


def signs(look: Look) -> tuple[Sign, ...]:
    """What the arrows mean."""
    return (
        ("contacts", sign("normal", look.axes[1])),
        ("contacts", sign(f"slip ({SLIP:g} m/s a radius)", look.axes[2])),
        ("contacts", sign(f"mean force from the change of velocity ({WEIGHTS:g} weights a radius)", look.alarm)),
    )
