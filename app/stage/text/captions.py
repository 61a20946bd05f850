"""Captions: the heading, what the signs mean, and the lanes with their numbers, flat over the picture."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import pyvista as pv

from app.stage.ground.scene import TerrainScene
from app.stage.lane_scene import LaneScene
from app.stage.lane_track import LaneTrack, Pose
from app.stage.overlays.overlays import Overlays
from app.stage.plotter import Box
from app.stage.text import caption_text
from app.stage.text.cards import Card, FlatPicture, TextRun
from app.stage.theme_colours import StageColours
from app.system.language import tr
from app.system.own_words import title_of
from physics.systems.world import World

MOST = 0.3  # share of a viewport's height for the card of its lanes
HEADED = 0.3  # share of the first viewport's height for a heading with a legend
LEVELS = 3  # of a legend: all signs, those of the true motion, none
SOURCED = 0.12  # share of a viewport's height for a lane with its source
BRIEFEST = 3  # card of lanes: 1: without sources; 2: of the numbers, that of the true motion alone; 3: without names
_Lane = tuple[LaneScene, Pose, str]  # the last: what is drawn of many rocks


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
        self._headed: tuple[object, int] = None, 0  # what the length of the heading depends on, and its legend's level
        self._lanes: tuple[object, int, int] = None, 0, 0  # what those of lanes depend on, how brief they are, how high

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
        lanes: list[list[_Lane]] = [[] for _ in self.sheets]
        for (view, scene), pose in zip(self._scenes, poses, strict=True):
            lanes[view].append((scene, pose, self._many(view, scene)))
        self._show_lanes(lanes, unit)
        for view, (_, bottom) in enumerate(self.sheets):
            self._extras.keep_clear(view, bottom.top, bottom.right, headed)

    def _show_heading(
        self, time: float, unit: float, overlays: Mapping[str, bool], legend: Callable[[bool], caption_text.Line]
    ) -> None:
        """Show the card with the title, in a low viewport with few of the meanings of signs, or none."""
        wide, high = self._renderers[0].GetSize()
        room = wide - self._extras.beside(0), high
        key = unit, room, tuple(overlays.values())
        known, level = self._headed
        for brief in range(level if known == key else 0, LEVELS):
            signs = () if brief == LEVELS - 1 else legend(brief > 0)
            card = caption_text.heading(self._title, self.clock(time), self._look, signs)
            self.heading.show(card, unit, room, "top-left")
            self._headed = key, brief
            if high - self.heading.bottom <= HEADED * high:
                break

    def _many(self, view: int, scene: LaneScene) -> str:
        """Summary of the ensemble as drawn for a lane's scheme."""
        return "" if self._land is None else self._land.summary(view, scene.track.scheme)

    def _show_lanes(self, lanes: Sequence[Sequence[_Lane]], unit: float) -> None:
        """Show the cards of the lanes of each viewport, alike, and so brief that they leave room for the bodies."""
        sizes = [renderer.GetSize() for renderer in self._renderers]
        briefest = BRIEFEST - any(len(one) > 2 for one in lanes)  # too high for MOST in any case, and names help
        key = unit, sizes, [bool(many) for one in lanes for *_, many in one]
        known, brief, high = self._lanes
        if known != key:  # never longer or lower again at a size: they would flicker with the numbers
            brief = high = 0
        while True:
            cards = [self._card(one, brief) for one in lanes]
            for card, (_, bottom), size in zip(cards, self.sheets, sizes, strict=True):
                bottom.show(card, unit, size, "bottom-left", least=high)
            room = [
                (MOST if brief else min(MOST, SOURCED * len(one))) * y for one, (_, y) in zip(lanes, sizes, strict=True)
            ]
            tops = [bottom.top for _, bottom in self.sheets]
            if brief < briefest and any(top > most for top, most in zip(tops, room, strict=True)):
                brief, high = brief + 1, 0
            elif (highest := max(bottom.top - bottom.bottom for _, bottom in self.sheets)) > high and len(tops) > 1:
                high = highest
            else:
                break
        self._lanes = key, brief, high

    def _card(self, lanes: Sequence[_Lane], brief: int) -> Card:
        look = self._look
        numbers = [scene.numbers(pose, look, brief=brief > 1) for scene, pose, _ in lanes]
        return caption_text.stacked(
            [
                caption_text.caption(scene.track.scheme, line, look, many, brief)
                for (scene, _, many), line in zip(lanes, numbers, strict=True)
            ],
            look,
        )

    @property
    def _title(self) -> str:
        return title_of(self._world.scenario) or tr("Untitled")

    def clock(self, time: float) -> caption_text.Line:
        """The time; beside whole paths or a map of many rocks, the time of a single rock."""
        land, look = self._land, self._look
        if land is None or not land.many:
            text, colour = partial("t = {time:.2f} s".format), look.ink
        else:
            text, colour = partial(tr("rock {rock} at t = {time:.2f} s").format, rock=land.world.rock), look.dim
        room = text(time=self._world.scenario.duration)
        return (TextRun(text(time=time), colour, 15.0, "Medium", room=room), *caption_text.pace_sign(self._pace, look))

    def legend(
        self, poses: Sequence[Pose], overlays: Mapping[str, bool], distance: float, brief: bool = False
    ) -> caption_text.Line:
        """Meanings of the signs on the stage; brief: of those of the true motion alone."""
        scenes = [scene for _, scene in self._scenes]
        line: caption_text.Line = ()
        drawn = any(any(scene.truth.seen) for scene in scenes)
        signs = truth_signs([scene.track for scene in scenes], self._look, drawn=drawn)
        if not brief:
            extras = self._extras.signs()
            if self._land is None:
                own = [one for scene in scenes for one in scene.signs(self._look)] + extras
            else:
                own = extras + self._land.signs()
                line = self._land.legend(distance, poses[0].scale, contours=overlays["grid"])
            signs = own + signs
        return (*line, *caption_text.legend(piece for overlay, piece in signs if overlays[overlay]))


def truth_signs(tracks: Sequence[LaneTrack], look: StageColours, *, drawn: bool) -> list[caption_text.Sign]:
    """Meanings of the signs of the true motion: of captions, and of the outline while it is drawn."""
    known = [track.truth for track in tracks if track.truth is not None and track.truth.stretches]
    if not known:
        return []
    marks = (
        tr("✓ <1° ≈ <10° ✗ >10° off")
        if all(truth is known[0] for truth in known)
        else tr("✓ <1° ≈ <10° ✗ >10° off its own truth")
    )
    signs = [("labels", caption_text.sign(marks, look.dim))]
    if drawn or any((found := track.departure()) and found.verdict != "right" for track in tracks):
        signs.append(("truth", caption_text.passing_sign(tr("outline: true motion"), look.ink, on=drawn)))
    return signs
