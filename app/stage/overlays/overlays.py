"""Overlays of a stage that are built when they are first switched on."""

from __future__ import annotations

from collections.abc import Sequence

import pyvista as pv

from app.stage.ground.ground import Ground
from app.stage.ground.scene import LAID
from app.stage.lane_scene import LaneScene, SceneKind
from app.stage.lane_track import Pose
from app.stage.overlays.overlay import Overlay
from app.stage.plotter import Box
from app.stage.text.caption_text import Sign, sign
from app.stage.theme_colours import StageColours
from app.system.language import tr

ANEW = ("poinsot", "momentum", "level")  # drawn for the motion since its start or an edit
OF_ONE_START = (*ANEW, "reference")  # drawn for one start of the motion only
EXTRAS = ("poinsot", "momentum", "level", "inertial", "in-body", "points", "reference", "contacts", "close-up")


def served(kind: SceneKind, ground: Ground | None, name: str) -> bool:
    """True if an overlay applies to a kind of motion and its ground."""
    if name in LAID:
        return ground is not None
    if name == "whole":
        return kind.late
    if name == "grid":
        return kind.floor
    return name not in EXTRAS or name in kind.overlays


class Overlays:
    """The overlays of a stage that have been switched on, in all its viewports."""

    def __init__(
        self,
        kind: SceneKind,
        renderers: Sequence[pv.Renderer],
        scenes: Sequence[tuple[int, LaneScene]],
        look: StageColours,
    ) -> None:
        self._kind, self._renderers, self._scenes, self._look = kind, renderers, scenes, look
        self._built: set[str] = set()
        self.parts: list[tuple[int, Overlay]] = []
        self._lanes: list[list[int]] = []  # indices of the lanes of each part
        self._signs: list[Sign] = []

    def build(self, name: str, unit: float) -> None:
        """Build an overlay, unless it exists."""
        if name in self._built:
            return
        self._built.add(name)
        for view in range(len(self._renderers)):
            lanes = [number for number, (where, _) in enumerate(self._scenes) if where == view]
            shown = self._served(name, lanes)
            tracks = [self._scenes[number][1].track for number in shown]
            tracks = [track.since for track in tracks] if name in ANEW else tracks
            extra = self._kind.overlays[name](tracks, self._look)
            extra.enter(self._renderers[view])
            extra.set_unit(unit)
            self.parts.append((view, extra))
            self._lanes.append(shown)

    def _served(self, name: str, lanes: list[int]) -> list[int]:
        """Lanes of a viewport that an overlay shows: all, or those with the start of the first, noted by a sign."""
        tracks = [self._scenes[number][1].track for number in lanes]
        own = tracks[0].world.scenario.variant
        alike = [number for number, track in zip(lanes, tracks, strict=True) if track.world.scenario.variant == own]
        if name not in OF_ONE_START or len(alike) == len(lanes):
            return lanes
        text = tr("{overlay}: {lane} alone").format(overlay=name, lane=own or tracks[0].scheme.title)
        self._signs.append((name, sign(text, self._look.dim)))
        return alike

    def show(self, poses: Sequence[Pose]) -> None:
        """Move the visible ones to the poses of all lanes."""
        for place, lanes in enumerate(self._lanes):
            if self.parts[place][1].on:
                here = [poses[number] for number in lanes]
                self.parts[place][1].show(here)

    def signs(self) -> list[Sign]:
        """Signs for the legend."""
        return [entry for _, extra in self.parts if extra.on for entry in extra.signs()] + self._signs

    def boxes(self, view: int) -> list[Box]:
        """Parts of a viewport that insets cover."""
        return [box for where, extra in self.parts if where == view and (box := extra.box) is not None]

    def above(self, view: int) -> int:
        """Height [pixels] of a viewport that an inset takes in the upper right corner."""
        return max((extra.above for where, extra in self.parts if where == view and extra.on), default=0)

    def keep_clear(self, view: int, top: int, headed: int) -> None:
        """Keep clear of captions and of a headline, see Overlay."""
        for where, extra in self.parts:
            if where == view:
                extra.keep_clear(top, headed)
