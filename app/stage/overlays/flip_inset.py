"""Flip inset: why a body flips, over the corner between viewports while the first flip of a film happens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pyvista as pv

from app.stage.lane_track import LaneTrack, Pose
from app.stage.overlays.insets import CLEAR, MomentumSphere
from app.stage.plotter import Box, sheet_over
from app.stage.text.cards import MARGIN, TextRun
from app.stage.theme_colours import StageColours
from app.system.language import tr
from physics.core.rotation import Array, matrix

SIDES = 0.32, 0.23  # of the shorter side of the picture, at most and at least
FINE = 135.0  # letters and lines are those of an inset so high [pixels of a picture 720 high]
ASIDE = 0.4  # of the eye from the middle of the path, over its distance
LOWER = 0.2  # [radii of the sphere] of the picture's middle below that of the sphere
ROWS = 200  # among which the middle of the path is found


class FlipInset(MomentumSphere):
    """The angular momenta of all lanes in the body: from one end of the intermediate axis to the other.

    They follow a polhode beside the separatrix, and are seen from where they cross between these ends.
    between : times [s] from and to which it is shown
    """

    turns = False
    each = 2
    widths = 2.4, 5.0
    closed = True
    half = 1.3

    def __init__(
        self, window: Any, tracks: Sequence[LaneTrack], look: StageColours, between: tuple[float, float]
    ) -> None:
        super().__init__(tracks, look)
        self._window = window
        self._sheet = sheet_over(window)
        self.enter(self._sheet)
        self._look_at_the_middle(np.linspace(*between, ROWS))
        self._settled: object = None

    def _look_at_the_middle(self, times: Array) -> None:
        """Look at where a path crosses between the ends of the intermediate axis, from which it comes to the right."""
        middle = self._axes[np.argsort(self.tracks[0].body.inertia, kind="stable")[1]]
        spins = np.concatenate([track.spins_in_body(times) for track in self.tracks])
        crossing = spins[np.argmin(np.abs(spins @ middle) / np.linalg.norm(spins, axis=1))]
        right = np.copysign(1.0, spins[0] @ middle) * middle
        ahead = crossing - (crossing @ middle) * middle
        ahead /= np.linalg.norm(ahead)
        up = np.cross(ahead, right)
        below = LOWER * up  # room for the title
        self._camera.SetPosition(*(10.0 * (ahead + ASIDE * up) / np.hypot(1.0, ASIDE) - below))
        self._camera.SetFocalPoint(*-below)
        self._camera.SetViewUp(*up)

    def _name_axes(self) -> None:
        """Leave out the names: the picture is small, and soon gone."""
        self._axes, self.names = matrix(self.tracks[0].body.axes).T, []

    def tips(self, track: LaneTrack, times: Array) -> Array:
        spins = track.spins_in_body(times)
        return np.asarray(CLEAR * spins / np.linalg.norm(spins, axis=1, keepdims=True))

    def _turn(self) -> None:
        """Stay as it is."""

    def close(self) -> None:
        """Leave the picture for good."""
        self.leave(self._sheet)
        self._sheet.RemoveAllViewProps()
        self._window.RemoveRenderer(self._sheet)

    def settle(self, first: pv.Renderer, lines: Iterable[Box]) -> None:
        """Stand about the lower right corner of the first viewport, clear of lines [pixels of the picture]."""
        wide, high = self._window.GetSize()
        most, least = (round(share * min(wide, high)) for share in SIDES)
        margin = round(0.25 * MARGIN * most / FINE)
        (x0, y0), (w, _) = first.GetOrigin(), first.GetSize()
        corner = x0 + w, max(y0, margin + most // 2)
        beside = [box for box in lines if box[1] < corner[1] + most // 2 and corner[1] - most // 2 < box[3]]
        begin = max([margin, *(right for _, _, right, _ in beside if right <= corner[0])])
        end = min([wide - margin, *(left for left, *_ in beside if left >= corner[0])])
        side = int(min(most, max(end - begin, least)))
        above = [top for left, _, right, top in beside if end - begin < least and left < corner[0] + side]
        left = int(min(max(corner[0] - side // 2, begin), wide - margin - side))
        low = max([max(y0 - side // 2, margin), *above])
        if self._settled != (key := (left, low, side, wide, high)):
            self._settled = key
            self.set_unit(side / FINE)
            self.renderer.SetViewport(left / wide, low / high, (left + side) / wide, (low + side) / high)
            self._stand(left, low, (side, side))

    def _place(self) -> None:
        """Its place is given by ``settle``."""

    def show(self, poses: Sequence[Pose]) -> None:
        super().show(poses)
        self.entitle(TextRun(tr("Why it flips"), self.look.ink, 15.0, "SemiBold"))
