"""Overlays: those that are built when first asked for."""

from __future__ import annotations

from collections.abc import Sequence

import pyvista as pv

from app.stage.caption_text import Sign
from app.stage.ground import Ground
from app.stage.lane_scene import LaneScene
from app.stage.lane_track import Pose
from app.stage.overlay import Overlay
from app.stage.scene_kind import SceneKind
from app.stage.terrain_scene import LAID
from app.stage.theme_colours import StageColours

EXTRAS = ("poinsot", "momentum", "level", "inertial", "in-body", "points", "reference", "contacts")


def served(kind: SceneKind, ground: Ground | None, name: str) -> bool:
    """Whether an overlay has something to show of a kind of motion, and of its ground."""
    if name in LAID:
        return ground is not None
    return name not in EXTRAS or name in kind.overlays


class Overlays:
    """The overlays of a stage that have been asked for, in all its viewports."""

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

    def build(self, name: str, unit: float) -> None:
        """Build an overlay, if that has not been done."""
        if name in self._built:
            return
        self._built.add(name)
        for view, renderer in enumerate(self._renderers):
            tracks = [scene.track for where, scene in self._scenes if where == view]
            extra = self._kind.overlays[name](tracks, self._look)
            extra.enter(renderer)
            extra.set_unit(unit)
            self.parts.append((view, extra))

    def show(self, poses: Sequence[Pose]) -> None:
        """Move those that are switched on to the poses of all lanes."""
        for view, extra in self.parts:
            if extra.on:
                extra.show([pose for (where, _), pose in zip(self._scenes, poses, strict=True) if where == view])

    def signs(self) -> list[Sign]:
        """What their signs mean."""
        return [sign for _, extra in self.parts for sign in extra.signs()]

    def beside(self, view: int) -> int:
        """How much of a viewport's width an inset takes from the heading [pixels]."""
        return max((extra.beside for where, extra in self.parts if where == view and extra.on), default=0)

    def above(self, view: int) -> int:
        """How much of a viewport's height an inset takes in the upper right corner [pixels]."""
        return max((extra.above for where, extra in self.parts if where == view and extra.on), default=0)

    def stand_on(self, view: int, top: int, right: int) -> None:
        """Tell up to where [pixels] the captions of a viewport reach."""
        for where, extra in self.parts:
            if where == view:
                extra.stand_on(top, right)

    def wait(self) -> None:
        """Wait for what they compute in the background."""
        for _, extra in self.parts:
            extra.wait()
