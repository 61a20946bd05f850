"""Insets: small pictures with their own camera in a corner of a viewport."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkRenderer

from app.stage.actor_group import circle, fading, move, placed, polyline, polylines, put
from app.stage.bodies.arrows import Arrow
from app.stage.bodies.body_mesh import stone
from app.stage.lane_track import POINTS, LaneTrack, Pose, lately
from app.stage.lighting import studio
from app.stage.overlays.overlay import Overlay, axes_of_picture
from app.stage.plotter import Box
from app.stage.text.caption_text import Sign, sign
from app.stage.text.cards import MARGIN, Card, FlatPicture, TextRun, blank, drawn
from app.stage.theme_colours import StageColours
from app.system.language import tr
from app.theme import mixed
from physics.analysis.invariants import axis_difference, family, rate_difference, separatrix
from physics.analysis.stability import SteadyRotation, since, steady
from physics.core.rotation import Array, apply, matrix
from physics.systems import torque_free


class Inset(Overlay):
    """An overlay in its own renderer over a part of the viewport; the camera looks at the origin.

    shape, least : width and height in the viewport's shorter side, and at least [pixels of a picture 720 high]
    raised : in the upper right corner, else in the lower right one
    under_heading : if raised, at the left below the heading in viewports beside others
    half : visible half height of the scene
    turns : the camera has the direction of that of the viewport, else looks from +z
    """

    shape = (0.4, 0.36)
    least = (190.0, 165.0)
    raised = False
    under_heading = False
    half = 1.5
    turns = True

    def __init__(self, tracks: Sequence[LaneTrack], look: StageColours) -> None:
        super().__init__(tracks, look)
        self.renderer = vtkRenderer()
        self.renderer.SetLayer(1)
        self.renderer.SetInteractive(False)
        for light in studio():
            self.renderer.AddLight(light)
        self._camera = self.renderer.GetActiveCamera()
        self._camera.SetParallelProjection(True)
        self._camera.SetPosition(0.0, 0.0, 10.0)
        self._camera.SetClippingRange(1.0, 19.0)  # of one that is reset before bodies move, the near plane cuts them
        self._back, self._title = FlatPicture(), FlatPicture()
        self.renderer.AddViewProp(self._title.actor)
        self.empty = False  # nothing to show: hidden, and takes no room
        self._parent: pv.Renderer | None = None
        self._tag = 0
        self._captions = 0, 0

    @property
    def box(self) -> Box | None:
        return self._back.box

    @property
    def above(self) -> int:
        """Height [pixels] that it and the headline take in the upper right corner."""
        high = int(self.renderer.GetSize()[1] + 0.5 * MARGIN * self.unit) if self._upper_right else 0
        return high + self._captions[1] if high else 0

    @property
    def _upper_right(self) -> bool:
        """True if it is in the upper right corner."""
        return self.raised and not self.empty and not (self.under_heading and self._among_others)

    @property
    def _among_others(self) -> bool:
        """True if there are other viewports."""
        x0, _, x1, _ = (0.0, 0.0, 1.0, 1.0) if self._parent is None else self._parent.GetViewport()
        return bool(x1 - x0 < 1)

    def enter(self, renderer: pv.Renderer) -> None:
        self._parent = renderer
        for prop in self.props:
            self.renderer.AddViewProp(prop)
        renderer.AddViewProp(self._back.actor)
        window = renderer.GetRenderWindow()
        window.SetNumberOfLayers(2)
        window.AddRenderer(self.renderer)
        self._tag = renderer.AddObserver("StartEvent", lambda *_: self._turn())

    def leave(self, renderer: pv.Renderer) -> None:
        """Leave the viewport for good."""
        renderer.RemoveObserver(self._tag)
        renderer.RemoveViewProp(self._back.actor)
        renderer.GetRenderWindow().RemoveRenderer(self.renderer)
        self.renderer.RemoveAllViewProps()
        self.renderer.RemoveAllLights()
        self._parent = None

    def set_visible(self, on: bool) -> None:
        self.renderer.SetDraw(on and not self.empty)
        self._back.actor.SetVisibility(on and not self.empty)

    def set_unit(self, unit: float) -> None:
        super().set_unit(unit)
        self._place()

    def keep_clear(self, top: int, headed: int) -> None:
        """Keep clear of captions up to ``top``, and of a headline down to ``headed`` [pixels]: it is between them."""
        if (top, headed) != self._captions:
            self._captions = top, headed
            self._place()

    def _place(self) -> None:
        if self._parent is None:
            return
        x0, y0, x1, y1 = self._parent.GetViewport()
        wide, high = self._parent.GetSize()
        margin, gap = MARGIN * self.unit, round(0.5 * MARGIN * self.unit)
        w, h = (
            max(1, round(min(max(share * min(wide, high), least * self.unit), side - 2 * margin)))
            for share, least, side in zip(self.shape, self.least, (wide, high), strict=True)
        )
        top, headed = self._captions
        aside = self._among_others and (self.under_heading if self.raised else wide > high)  # away from what moves
        if 0 < (room := high - headed - top - 2 * gap) < h:
            w, h = max(1, round(w * room / h)), room
        left = round(margin) if aside else round(wide - margin - w)
        if self.raised:
            low = high - max(headed + gap, round(margin)) - h
        else:
            low = min(max(top + gap, round(margin)), round(high - margin - h))
        across, up = (x1 - x0) / max(wide, 1), (y1 - y0) / max(high, 1)
        self.renderer.SetViewport(x0 + left * across, y0 + low * up, x0 + (left + w) * across, y0 + (low + h) * up)
        self._stand(left, low, (w, h))

    def _stand(self, left: int, low: int, size: tuple[int, int]) -> None:
        """Lay the panel with its lower left corner at a pixel behind the viewport, and fill that with what is shown."""
        opacity = 0.75 * self.look.panel_opacity
        self._back.place(blank(size, 7 * self.unit, self.look.panel, opacity), left, low)
        self._camera.SetParallelScale(self.half)

    def entitle(self, *pieces: TextRun) -> None:
        """Set the title in a left corner."""
        size = self.renderer.GetSize()
        title = drawn(Card((pieces,), self.look.panel, 0.0), self.unit, *(max(side, 1) for side in size))
        self._title.place(title, 0, size[1] - title.shape[0] if self.raised else 0)

    def _turn(self) -> None:
        """Turn the camera to the direction of that of the viewport."""
        if self._parent is None or not self.turns or not self.on:
            return
        camera = self._parent.GetActiveCamera()
        towards = np.array(camera.GetPosition()) - np.array(camera.GetFocalPoint())
        self._camera.SetPosition(*(10.0 * towards / np.linalg.norm(towards)))
        self._camera.SetViewUp(*camera.GetViewUp())


APART = 2.7  # distance between rocks [radii]
ARROW = 1.55  # length of the arrow [radii]
TRIANGLES = 1000  # least number of triangles of a rock: enough for a small picture
STILL = 1e-6  # [rad/s]: slower rocks have no arrow


class CloseUp(Inset):
    """The rocks from near, all in one size, each with an arrow of constant length along its angular velocity."""

    overlay = "close-up"
    shape = (0.27, 0.27)
    least = (130.0, 130.0)
    raised = True
    aboard = False  # the main camera is near the rock then
    under_heading = True  # paths begin in the upper corners, and below the heading is sky

    def __init__(self, tracks: Sequence[LaneTrack], look: StageColours) -> None:
        super().__init__(tracks, look)
        self.half = 1.45 + 0.5 * APART * (len(tracks) - 1)  # all rocks fit
        stones = [stone(track.body, track.scheme.colour, TRIANGLES) for track in tracks]
        self.rocks = [self.add(mesh, specular=0.04, ambient=0.34, culling="back") for mesh in stones]
        self.arrows = [Arrow(self, look.omega, 0.05) for _ in tracks]
        self._poses: Sequence[Pose] = ()

    def show(self, poses: Sequence[Pose]) -> None:
        self._poses = poses

    def signs(self) -> tuple[Sign, ...]:
        return (("close-up", sign(tr("close-up: axis of rotation"), self.look.omega)),)

    def _turn(self) -> None:
        """Turn the camera with that of the viewport, and place the rocks side by side."""
        super()._turn()
        right, _ = axes_of_picture(self._camera)
        middle = 0.5 * (len(self._poses) - 1)
        for number, (pose, rock, arrow) in enumerate(zip(self._poses, self.rocks, self.arrows, strict=False)):
            place = (number - middle) * APART * right
            put(rock, placed(pose.rotation, place, 1.0 / self.tracks[number].body.radius))
            rate = float(np.linalg.norm(pose.omega))
            arrow.set_visible(rate > STILL)
            if rate > STILL:
                arrow.show(place, ARROW / rate * pose.omega)


CLEAR = 1.01  # radius on which the curve of a run is drawn
OUT = 1.3  # least distance of the names of the axes from the centre in the picture, off the curves
WIDE = 0.54  # width of a letter over its height
LETTER = 12.0  # size of the names [pixels of a picture 720 high]
EQUAL = 1e-9  # relative difference of equal moments


class MomentumSphere(Inset):
    """The sphere |L| = const in body axes with polhodes, separatrix and the curves of the lanes.

    each : polhodes about the major and about the minor axis
    widths : of the separatrix and of the curves of lanes [pixels of a picture 720 high]
    closed : one sees only what is on the near side, else lost angular momentum too, which is inside
    """

    overlay = "momentum"
    shape = (0.35, 0.325)
    half = 1.52
    each = 4
    widths = 1.9, 3.0
    closed = False

    def __init__(self, tracks: Sequence[LaneTrack], look: StageColours) -> None:
        super().__init__(tracks, look)
        body = self.tracks[0].body
        self._first = max(float(np.linalg.norm(self.tracks[0].run.origin(0).spin)), 1e-300)
        curves = family(body.inertia, self.each)
        if curves:
            self.add(self._lines(curves), look.faint, lit=False, width=1.0, opacity=0.75)
        divide = separatrix(body.inertia)
        if divide is not None:
            self.add(self._lines([divide]), look.ink, lit=False, width=self.widths[0])
        self.curves = [polyline(POINTS, fading(track.scheme.colour, POINTS, power=0.3)) for track in self.tracks]
        ball = pv.Sphere(radius=0.065, theta_resolution=20, phi_resolution=14)
        self._beads = []
        for track, curve in zip(self.tracks, self.curves, strict=True):
            self.add(curve, lit=False, width=self.widths[1])
            self._beads.append(self.add(ball.copy(), track.scheme.colour, specular=0.3))
        skin = pv.Sphere(radius=0.993, theta_resolution=64, phi_resolution=48)
        colour, opacity, hidden = (
            (mixed(look.panel, look.faint, 0.5), 1.0, "back") if self.closed else (look.panel, 0.75, "front")
        )
        self.add(skin, colour, specular=0.2, ambient=0.3, opacity=opacity, culling=hidden)
        self._name_axes()
        self._tips = [lately(track, partial(self.tips, track)) for track in self.tracks]

    def tips(self, track: LaneTrack, times: Array) -> Array:
        """The angular momentum (n, 3) in the body at times (n,) [s], in radii of the sphere."""
        return np.asarray(CLEAR / self._first * track.spins_in_body(times))

    def _lines(self, curves: Sequence[Array]) -> pv.PolyData:
        """One mesh in body axes of closed curves (2, n, 3) of unit vectors in principal axes."""
        return polylines([branch for curve in curves for branch in apply(self.tracks[0].body.axes, curve)])

    def _name_axes(self) -> None:
        """Add pins along the principal axes with the rank of their moments."""
        body = self.tracks[0].body
        self._axes, self.names = matrix(body.axes).T, []
        for axis, (name, direction) in enumerate(zip(roles(body.inertia), self._axes, strict=True)):
            pin = pv.Cylinder(center=1.12 * direction, direction=direction, radius=0.022, height=0.24, resolution=16)
            self.add(pin.triangulate(), self.look.axes[axis], specular=0.2)
            letters = self.letter(name, OUT * direction, self.look.axes[axis], LETTER, self.look.panel)
            self.names.append((letters, name))

    def _turn(self) -> None:
        """Turn the camera with that of the viewport, and place the names beside the sphere."""
        super()._turn()
        wide, high = self.renderer.GetSize()
        right, above = axes_of_picture(self._camera)
        ahead = np.array(self._camera.GetDirectionOfProjection())
        pixel = 2 * self.half / max(high, 1)  # size of a pixel [radii of the sphere]
        for (letters, name), axis in zip(self.names, self._axes, strict=True):
            flat = np.array([axis @ right, axis @ above])
            length = max(float(np.linalg.norm(flat)), 1e-6)
            x, y = flat / length * max(OUT, 1.35 * length)
            word = pixel * self.unit * 0.5 * WIDE * LETTER * len(name)
            side = max(pixel * (0.5 * wide - 6.0 * self.unit) - word, 0.0)
            x = float(np.clip(x, -side, side))
            y = np.copysign(max(abs(y), np.sqrt(max(1.1 - max(abs(x) - word, 0.0) ** 2, 0.0))), y)  # off the sphere
            place = x * right + y * above - 2.0 * ahead  # in front of everything
            letters.GetPositionCoordinate().SetValue(*place)

    def show(self, poses: Sequence[Pose]) -> None:
        for pose, curve, bead, recent in zip(poses, self.curves, self._beads, self._tips, strict=True):
            tips = recent.at(pose.time)
            move(curve, tips)
            put(bead, placed(np.eye(3), tips[-1]))
        self.entitle(TextRun(tr("L in the body"), self.look.ink, 12.5, "SemiBold"))


def roles(inertia: Array) -> tuple[str, ...]:
    """Rank of each of three moments: "minor", "intermediate", "major", or "equal"."""
    J = np.asarray(inertia, float)
    same = [np.sum(np.abs(J - moment) <= EQUAL * J.max()) > 1 for moment in J]
    names = np.array(["minor", "intermediate", "major"])[np.argsort(np.argsort(J, kind="stable"))]
    return tuple("equal" if both else str(name) for both, name in zip(same, names, strict=True))


SIZE = 0.72  # longer half axis of an ellipse
BEYOND = 0.38  # width of the band for all outside points, in half axes
PLACES = np.array([[-1.2, -0.06, 0.0], [1.2, -0.06, 0.0]])  # centres of the ellipses of d and α


class LevelSet(Inset):
    """Level set of the Lyapunov function V: d and α across the axis of steady rotation, in their bounding ellipses."""

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
        if self.steady is None or self.steady.value <= 0.0 or not torque_free(self.tracks[0].world.scenario):
            self.steady, self.empty = None, True  # about the intermediate axis, or V does not stay
            return
        self._bounds = self.steady.bounds()
        for name, unit, bound, place in zip("dα", ("", " rad/s"), self._bounds, PLACES, strict=True):
            self._frame(bound, place)
            text = f"{name} ≤ {bound.max():.1e}{unit}".replace("e-0", "e−")
            self.letter(text, place - (0.0, 1.22, 0.0), look.dim, 11.0)
        self.curves = [[polyline(POINTS, fading(t.scheme.colour, POINTS, power=0.3)) for _ in "dα"] for t in tracks]
        ball = pv.Sphere(radius=0.07, theta_resolution=20, phi_resolution=14)
        self._beads = []
        for track, pair in zip(self.tracks, self.curves, strict=True):
            for curve in pair:
                self.add(curve, lit=False, width=2.2)
            self._beads.append([self.add(ball.copy(), track.scheme.colour, specular=0.3) for _ in pair])
        self._recent = [lately(track, partial(differences, track, self._start, self.steady)) for track in self.tracks]

    def _frame(self, bound: Array, place: Array) -> None:
        """Add the bounding ellipse, a cross in its centre, and the outer band."""
        around = circle(121)[:, :2] * (SIZE * bound / bound.max())
        inner = place + np.column_stack([around, np.full(121, -0.1)])
        rim = place + np.column_stack([(1 + BEYOND) * around, np.full(121, -0.2)])
        for ring, colour, opacity in ((rim, self.look.alarm, 0.22), (inner, self.look.panel, 1.0)):
            disc = pv.PolyData(ring.astype(np.float32), faces=np.r_[120, np.arange(120)])
            self.add(disc, colour, lit=False, opacity=opacity)
        self.add(polylines([inner]), self.look.ink, lit=False, width=1.6)
        for axis in range(2):
            bar = polylines([place + np.outer([-0.08, 0.08], np.eye(3)[axis])])
            self.add(bar, self.look.faint, lit=False, width=1.2)

    def show(self, poses: Sequence[Pose]) -> None:
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
                far = np.maximum(filled, 1.0)  # distances outside are compressed into the band
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

    def signs(self) -> tuple[Sign, ...]:
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
