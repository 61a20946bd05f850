"""The momentum sphere: the spin as the body sees it, among all polhodes of the body."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyvista as pv

from app.stage.actor_group import fading, move, placed, polyline, polylines, put
from app.stage.lane_track import LaneTrack, Pose
from app.stage.overlays.inset import Inset
from app.stage.recent_samples import POINTS, lately
from app.stage.text.cards import TextRun
from app.stage.theme_colours import StageColours
from app.system.language import tr
from physics.analysis.invariants import family, separatrix
from physics.core.rotation import Array, apply, matrix

CLEAR = 1.01  # how much larger than the sphere the run's own curve is drawn
OUT = 1.3  # how far from the middle the names of the axes stand, at least, as one sees it: they hide no curve
WIDE = 0.54  # of a letter, in its height
LETTER = 12.0  # of the names [pixels of a picture 720 high]
EQUAL = 1e-9  # relative difference of moments below which they are one


class MomentumSphere(Inset):
    """The sphere |L| = const in body axes with polhodes, separatrix and the curves of the lanes."""

    overlay = "momentum"
    shape = (0.35, 0.325)
    half = 1.52

    def __init__(self, tracks: Sequence[LaneTrack], look: StageColours) -> None:
        super().__init__(tracks, look)
        body = self.tracks[0].body
        self._first = max(float(np.linalg.norm(self.tracks[0].run.spin[0])), 1e-300)
        curves = family(body.inertia)
        if curves:
            self.add(self._lines(curves), look.faint, lit=False, width=1.0, opacity=0.75)
        divide = separatrix(body.inertia)
        if divide is not None:
            self.add(self._lines([divide]), look.ink, lit=False, width=1.9)
        self.curves = [polyline(POINTS, fading(track.scheme.colour, POINTS, power=0.3)) for track in self.tracks]
        ball = pv.Sphere(radius=0.065, theta_resolution=20, phi_resolution=14)
        self._beads = []
        for track, curve in zip(self.tracks, self.curves, strict=True):
            self.add(curve, lit=False, width=3.0)
            self._beads.append(self.add(ball.copy(), track.scheme.colour, specular=0.3))
        skin = pv.Sphere(radius=0.993, theta_resolution=64, phi_resolution=48)
        bowl = self.add(skin, look.panel, specular=0.2, ambient=0.3, opacity=0.75)
        bowl.prop.culling = "front"  # one sees into the sphere, where the spin goes that a scheme has lost
        self._name_axes()
        self._rates = [lately(track, track.rates) for track in self.tracks]

    def _lines(self, curves: Sequence[Array]) -> pv.PolyData:
        """Closed curves of unit spins in principal axes, (2, n, 3) each, in body axes as one mesh."""
        return polylines([branch for curve in curves for branch in apply(self.tracks[0].body.axes, curve)])

    def _name_axes(self) -> None:
        """Pins along the principal axes, with what their moments are."""
        body = self.tracks[0].body
        self._axes, self._names = matrix(body.axes).T, []
        for axis, (name, direction) in enumerate(zip(roles(body.inertia), self._axes, strict=True)):
            pin = pv.Cylinder(center=1.12 * direction, direction=direction, radius=0.022, height=0.24, resolution=16)
            self.add(pin.triangulate(), self.look.axes[axis], specular=0.2)
            letters = self.letters.add(name, OUT * direction, self.look.axes[axis], LETTER, self.look.panel)
            self._names.append((letters, name))
            self.props.append(letters)

    def _turn(self) -> None:
        """Look from where the viewport's camera looks; the names stand beside the sphere."""
        super()._turn()
        camera, (wide, high) = self._camera, self.renderer.GetSize()
        ahead, up = (np.array(v) for v in (camera.GetDirectionOfProjection(), camera.GetViewUp()))
        right = np.cross(ahead, up)
        right /= max(float(np.linalg.norm(right)), 1e-12)
        above = np.cross(right, ahead)
        pixel = 2 * self.half / max(high, 1)  # one pixel [radii of the sphere]
        for (letters, name), axis in zip(self._names, self._axes, strict=True):
            flat = np.array([axis @ right, axis @ above])
            length = max(float(np.linalg.norm(flat)), 1e-6)
            x, y = flat / length * max(OUT, 1.35 * length)
            side = max(pixel * (0.5 * wide - self.unit * (6.0 + 0.5 * WIDE * LETTER * len(name))), 0.0)
            place = np.clip(x, -side, side) * right + y * above - 2.0 * ahead  # before all else
            letters.GetPositionCoordinate().SetValue(*place)

    def show(self, poses: Sequence[Pose]) -> None:
        """Move to the poses of the lanes."""
        for track, pose, curve, bead, rates in zip(
            self.tracks, poses, self.curves, self._beads, self._rates, strict=True
        ):
            spins = track.body.spin(rates.at(pose.time)) * (CLEAR / self._first)
            move(curve, spins)
            put(bead, placed(np.eye(3), spins[-1]))
        self.entitle(TextRun(tr("Spin in the body"), self.look.ink, 12.5, "SemiBold"))


def roles(inertia: Array) -> tuple[str, ...]:
    """What each of three moments is among them: "minor", "intermediate" or "major"; equal ones "equal"."""
    J = np.asarray(inertia, float)
    same = [np.sum(np.abs(J - moment) <= EQUAL * J.max()) > 1 for moment in J]
    names = np.array(["minor", "intermediate", "major"])[np.argsort(np.argsort(J, kind="stable"))]
    return tuple("equal" if both else str(name) for both, name in zip(same, names, strict=True))
