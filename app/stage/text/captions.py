"""Captions: the heading, what the signs mean, and the lanes with their numbers, flat over the picture."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import pyvista as pv

from app.stage.ground.scene import TerrainScene
from app.stage.lane_scene import LaneScene
from app.stage.lane_track import Pose
from app.stage.overlays.overlays import Overlays
from app.stage.plotter import Box
from app.stage.text import caption_text
from app.stage.text.cards import Card, FlatPicture, TextRun
from app.stage.theme_colours import StageColours
from app.system.language import tr
from app.system.sentences import translated
from physics.schemes.scheme import Scheme
from physics.systems.world import World

MOST = 0.3  # share of a viewport's height for the card of its lanes
HEADED = 0.25  # share of the first viewport's height for a heading with a legend
SOURCED = 0.12  # share of a viewport's height for a lane with its source


class Captions:
    """Two cards a viewport; scenes with the number of the viewport that each is in."""

    def __init__(
        self,
        renderers: Sequence[pv.Renderer],
        world: World,
        scenes: Sequence[tuple[int, LaneScene]],
        extras: Overlays,
        land: TerrainScene | None,
        look: StageColours,
        pace: float,
    ) -> None:
        self._pace = pace
        self._renderers, self._world, self._scenes, self._look = list(renderers), world, scenes, look
        self._extras, self._land = extras, land
        self.sheets = [(FlatPicture(), FlatPicture()) for _ in renderers]
        # what the length of the heading depends on, and whether it is without its legend
        self._headed: tuple[object, bool] = None, False
        self._briefs: dict[int, tuple[object, int]] = {}  # how brief the lanes of a viewport are, at a size

    @property
    def heading(self) -> FlatPicture:
        """The card with the title."""
        return self.sheets[0][0]

    def boxes(self, last: Sequence[Box]) -> list[list[Box]]:
        """Boxes of cards and insets over each viewport; ``last`` : further ones over the last viewport."""
        boxes = [self._extras.boxes(view) for view in range(len(self.sheets))]
        for here, sheets in zip(boxes, self.sheets, strict=True):
            here += [box for sheet in sheets if (box := sheet.box) is not None]
        boxes[-1] += [*last, *(() if self._land is None else self._land.boxes)]
        return boxes

    def come_before(self, *, on: bool) -> None:
        """Lie over all that is flat in the viewports so far, and be shown or hidden."""
        for renderer, sheets in zip(self._renderers, self.sheets, strict=True):
            for sheet in sheets:
                sheet.come_before(renderer, on=on)

    def leave(self) -> None:
        """Go out of the viewports."""
        for renderer, sheets in zip(self._renderers, self.sheets, strict=True):
            for sheet in sheets:
                renderer.RemoveViewProp(sheet.actor)

    def show(
        self, time: float, poses: Sequence[Pose], overlays: Mapping[str, bool], distance: float, unit: float
    ) -> None:
        """Show a time [s]; ``distance`` of the camera to its focus [m], ``unit`` see ActorGroup.set_unit."""
        self._show_heading(time, unit, overlays, partial(self.legend, poses, overlays, distance))
        headed = self._renderers[0].GetSize()[1] - self.heading.bottom
        for view, (_, bottom) in enumerate(self.sheets):
            here = [
                (scene.track.scheme, scene.numbers(pose, self._look), self._many(view, scene))
                for (where, scene), pose in zip(self._scenes, poses, strict=True)
                if where == view
            ]
            self._show_lanes(view, here, unit, self._renderers[view].GetSize())
            self._extras.keep_clear(view, bottom.top, bottom.right, headed)

    def _show_heading(
        self, time: float, unit: float, overlays: Mapping[str, bool], legend: Callable[[], caption_text.Line]
    ) -> None:
        """Show the card with the title, in a low viewport without what the signs mean."""
        wide, high = self._renderers[0].GetSize()
        room = wide - self._extras.beside(0), high
        key = unit, room, tuple(overlays.values())
        known, brief = self._headed
        for short in (brief and known == key, True):
            signs = () if short else legend()
            card = caption_text.heading(self._title, self.clock(time), self._look, signs)
            self.heading.show(card, unit, room, "top-left")
            self._headed = key, short
            if high - self.heading.bottom <= HEADED * high:
                break

    def _many(self, view: int, scene: LaneScene) -> str:
        """Summary of the ensemble as drawn for a lane's scheme."""
        return "" if self._land is None else self._land.summary(view, scene.track.scheme)

    def _show_lanes(
        self, view: int, lanes: Sequence[tuple[Scheme, caption_text.Line, str]], unit: float, size: tuple[int, int]
    ) -> None:
        """Show the card of a viewport's lanes, so brief that it leaves room for the bodies."""

        def card(brief: int) -> Card:
            return caption_text.stacked(
                [caption_text.caption(scheme, numbers, self._look, many, brief) for scheme, numbers, many in lanes],
                self._look,
            )

        key, (_, bottom) = (unit, size), self.sheets[view]
        known, brief = self._briefs.get(view, (None, 0))
        brief = brief if known == key else 0  # never longer again at a size: it would flicker with the numbers
        bottom.show(card(brief), unit, size, "bottom-left")
        limits = min(MOST, SOURCED * len(lanes)), MOST
        while brief < 2 and bottom.top > limits[brief] * size[1]:
            brief += 1
            bottom.show(card(brief), unit, size, "bottom-left")
        self._briefs[view] = key, brief

    @property
    def _title(self) -> str:
        return translated(self._world.scenario.title) or tr("Untitled")

    def clock(self, time: float) -> caption_text.Line:
        """The time; beside whole paths or a map of many rocks, the time of a single rock."""
        land, look = self._land, self._look
        if land is None or not land.many:
            text, colour = partial("t = {time:.2f} s".format), look.ink
        else:
            text, colour = partial(tr("rock {rock} at t = {time:.2f} s").format, rock=land.world.rock), look.dim
        room = text(time=self._world.scenario.duration)
        return (TextRun(text(time=time), colour, 15.0, "Medium", room=room), *caption_text.pace_sign(self._pace, look))

    def legend(self, poses: Sequence[Pose], overlays: Mapping[str, bool], distance: float) -> caption_text.Line:
        """Meanings of the signs on the stage."""
        signs = self._extras.signs()
        if self._land is None:
            signs = [one for _, scene in self._scenes for one in scene.signs(self._look)] + signs
        else:
            signs += self._land.signs()
        signs.append(("truth", caption_text.sign(tr("outline: true motion"), self._look.ink)))
        line = () if self._land is None else self._land.legend(distance, poses[0].scale, contours=overlays["grid"])
        return (*line, *caption_text.legend(piece for overlay, piece in signs if overlays[overlay]))
