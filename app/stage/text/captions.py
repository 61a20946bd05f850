"""Captions: one headline over the picture, one line a lane below its body, and, where wanted, all numbers and signs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, partial
from itertools import product
from typing import Any

import numpy as np
import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkRenderer

from app.playback.clock import decimals
from app.playback.headline import Headline
from app.playback.run import BEFORE
from app.playback.verdicts import marks_in_words, name_of
from app.stage.ground.scene import TerrainScene
from app.stage.lane_scene import LaneScene
from app.stage.lane_track import LaneTrack, Pose
from app.stage.overlays.flip_inset import FlipInset
from app.stage.overlays.overlays import Overlays
from app.stage.plotter import Box, PlotterLike, sheet_over
from app.stage.scenes.lane_numbers import in_detail, standing
from app.stage.text import caption_text
from app.stage.text.cards import MARGIN, PADDING, Card, FlatPicture, TextRun, drawn, length, rows
from app.stage.theme_colours import StageColours
from app.system.language import tr
from app.theme import OFF_FILL, rgb

HEAD, LANE, SMALL = 30.0, 25.7, 12.5  # letters: 1/24 and 1/28 of the height, and numbers [pixels of one 720 high]
NAMES = 16.0  # letters of the names of arrows, likewise
ARROWS = ("vectors", "trails", "contacts")  # overlays with arrows
TITLE, CLOCK = 0.8, 0.8  # letters of title and clock, in those of the headline
PACE = 0.7  # letters of a film's pace, in those of the clock
BROAD = 1.2  # width over height of pictures whose headline has one line or two; that of others has two or three
SHRUNK = 0.85  # share of its usual size to which the letters of a headline shrink before it has one line more
SHARES = 1.0, 0.95, 0.9, 0.85, 0.8, 0.7, 0.6, 0.5  # of their usual size to which they shrink
SMALLER = 0.9  # share of the size that they need to which they shrink to leave room for the title beside their end
LANES = 0.3  # share of a viewport's height for the lines of its lanes
APART = 1.4  # distance between two lines of lanes [letters]
SLACK = 0.95  # letters are of whole pixels
LOW = 0.012  # share of a viewport's shorter side below the lines of lanes
VEIL = 0.5  # opacity over a pane of a lane that has no solution any more
GLOW, RIM = 0.26, 0.45  # opacity of the vignette in the corners, and where it begins, in halves of the sides


class Captions:
    """The headline, in a layer over all viewports, and in each one the lines of its lanes.

    scenes : with the number of the viewport that each is in; headline : None: only lines of lanes
    """

    def __init__(
        self,
        plotter: PlotterLike,
        renderers: Sequence[pv.Renderer],
        scenes: Sequence[tuple[int, LaneScene]],
        extras: Overlays,
        land: TerrainScene | None,
        look: StageColours,
    ) -> None:
        self._window, self._renderers, self._look = plotter.render_window, list(renderers), look
        self._extras, self._land = extras, land
        self._views = [[scene for where, scene in scenes if where == view] for view in range(len(renderers))]
        self._scenes = [scene for _, scene in scenes]
        self.headline: Headline | None = None
        self._said, self._clock, self._title, self._signs = (FlatPicture() for _ in range(4))
        self.lines = [FlatPicture() for _ in renderers]
        self._glows = [FlatPicture() for _ in renderers]
        self._flip: FlipInset | None = None
        self._strip = vtkRenderer()  # behind the headline where no viewport is
        self._strip.SetInteractive(False)
        self._strip.SetBackground(*pv.Color(look.sky).float_rgb)
        self._strip.SetBackgroundAlpha(1.0)
        self._window.SetNumberOfLayers(2)
        self._above = sheet_over(self._window)
        for picture in (self._said, self._clock, self._title, self._signs):
            self._above.AddViewProp(picture.actor)
        self._window.AddRenderer(self._strip)
        self._sized: object = None
        self._laid: Any = (None,)  # the headline in a room, and the lines of each of its sentences
        self._letters, self._below = 0.0, False  # size of those of the lines of lanes, and if marks are below names
        self._names = caption_text.short_names([scene.track.scheme for scene in self._scenes])
        self.head = 0  # depth of the headline from the upper edge [pixels]

    @property
    def letters(self) -> tuple[float, float]:
        """Sizes of the letters of the headline and of the lines of lanes [pixels of a picture 720 high]."""
        return HEAD * (1.0 if self.headline is None else self.headline.larger), self._letters

    def boxes(self, last: Sequence[Box]) -> list[list[Box]]:
        """Boxes of headline, lines and insets over each viewport; ``last`` : further ones over the last viewport."""
        boxes = [self._extras.boxes(view) for view in range(len(self.lines))]
        top = max(line.top for line in self.lines)  # one for all: panes have one horizon
        for view, (here, renderer) in enumerate(zip(boxes, self._renderers, strict=True)):
            wide, high = renderer.GetSize()
            if self.lines[view].actor.GetVisibility():
                here += [(0, 0, wide, top)] if top else []
                here += [(0, high - depth, wide, high)] if (depth := self.headed(view)) else []
        boxes[-1] += [*last, *(() if self._land is None else self._land.boxes)]
        return boxes

    def headed(self, view: int) -> int:
        """Depth [pixels] of the headline in a viewport."""
        top = self._window.GetSize()[1] - self._renderers[view].GetOrigin()[1] - self._renderers[view].GetSize()[1]
        return max(0, self.depth - int(top))

    @property
    def depth(self) -> int:
        """Depth of the headline from the upper edge [pixels]; 0 while it is hidden."""
        return self.head if self._above.GetDraw() else 0

    def fill(self) -> None:
        """Fill what the viewports leave free at the upper edge with sky."""
        top = max(renderer.GetViewport()[3] for renderer in self._renderers)
        self._strip.SetDraw(top < 0.999)
        self._strip.SetViewport(0.0, top, 1.0, 1.0)

    def come_before(self, *, on: bool) -> None:
        """Lie over all that is flat in the viewports so far, and be shown or hidden."""
        for renderer, line, glow in zip(self._renderers, self.lines, self._glows, strict=True):
            glow.come_before(renderer, on=False)
            line.come_before(renderer, on=on)
        self._above.SetDraw(on)
        self._window.RemoveRenderer(self._above)  # insets that are built later are in the same layer
        self._window.AddRenderer(self._above)

    def leave(self) -> None:
        """Go out of the viewports."""
        for renderer, line, glow in zip(self._renderers, self.lines, self._glows, strict=True):
            renderer.RemoveViewProp(line.actor)
            renderer.RemoveViewProp(glow.actor)
        if self._flip is not None:
            self._flip.close()
        self._above.RemoveAllViewProps()
        self._window.RemoveRenderer(self._above)
        self._window.RemoveRenderer(self._strip)

    def show(
        self,
        time: float,
        poses: Sequence[Pose],
        overlays: Mapping[str, bool],
        distance: float,
        whole: float,
        unit: float,
        named: bool,
    ) -> None:
        """Show a time [s].

        distance : of the camera to its focus [m]
        whole, unit : pixels for one pixel of a picture 720 high, of the picture and of a viewport
        named : whether arrows have their names, also without all numbers
        """
        numbers = overlays["numbers"]
        signs: caption_text.Line = ()
        if numbers:
            signs = self.legend(poses, overlays, distance)
        elif named:
            found = (one for one in (*self._own(), *self._extras.signs()) if one[0] in ARROWS and overlays[one[0]])
            signs = caption_text.legend(piece._replace(size=NAMES) for _, piece in found)
        self._show_head(time, signs, whole)
        self._show_lanes(time, poses, whole, unit, numbers=numbers)
        self._show_flip(time, poses)
        for view in range(len(self.lines)):
            self._extras.keep_clear(view, self.lines[view].top, self.headed(view))

    def _show_flip(self, time: float, poses: Sequence[Pose]) -> None:
        """Show why the body flips, while the headline wants that."""
        when = None if self.headline is None else self.headline.flip
        on = when is not None and when[0] <= time <= when[1]
        if self._flip is not None:
            self._flip.switch(on)
        if when is None or not on:
            return
        own = self._scenes[0].track.world.scenario.variant
        alike = [number for number, scene in enumerate(self._scenes) if scene.track.world.scenario.variant == own]
        if self._flip is None:
            tracks = [self._scenes[number].track.since for number in alike]
            self._flip = FlipInset(self._window, tracks, self._look, when)
        places = [
            (box[0] + x, box[1] + y, box[2] + x, box[3] + y)
            for (x, y), line in zip((renderer.GetOrigin() for renderer in self._renderers), self.lines, strict=True)
            if (box := line.box) is not None
        ]
        self._flip.settle(self._renderers[0], places)
        self._flip.show([poses[number] for number in alike])

    def _show_head(self, time: float, signs: caption_text.Line, whole: float) -> None:
        """Show the headline with clock and title on its first line, and below it what the signs mean."""
        said, size = self.headline, self._window.GetSize()
        self._above.SetDraw(said is not None)
        if said is None:
            self.head = 0
            return
        wide, margin, letters = size[0], round(MARGIN * whole), HEAD * said.larger
        first = TextRun("", self._look.ink, letters)  # gives lines side by side one base line
        clock = self._written([(first, *self.clock(time, CLOCK * letters))], whole, wide)
        key = said, wide - clock.shape[1] - margin, whole, size
        if key != self._laid[0]:
            self._laid = key, self._lay_out(said, first, key[1], wide - margin, whole)
        sentence, beside, alone = self._laid[1][said.at(time)]
        left, right = self._written(sentence, whole, wide), self._written(beside, whole, wide)
        top, end = size[1] - margin // 2, wide - margin // 2
        self._said.place(left, margin // 2, top - left.shape[0])
        self._clock.place(clock, end - clock.shape[1], top - clock.shape[0])
        self._title.place(right, end - right.shape[1] - (0 if alone else clock.shape[1]), top - right.shape[0])
        told, titled = (max(len(laid[k]) for laid in self._laid[1].values()) for k in (0, 1))
        titled = max(told, titled)  # of a title below, what moves keeps off half: it has a margin of its own
        most = titled if signs else (told + titled) / 2
        head = margin // 2 + round((most * 1.22 * letters + 1.5 * PADDING + 5.0 * (most - 1)) * whole) + 1
        self._signs.actor.SetVisibility(bool(signs))
        if signs:
            legend, pad = self._written([signs], max(whole, 0.75), wide - margin), round(0.75 * PADDING * whole)
            self._signs.place(legend, margin // 2, size[1] - head - legend.shape[0] + pad)
            head += legend.shape[0] - pad
        self.head = head

    def _lay_out(
        self, said: Headline, first: TextRun, room: int, wide: int, unit: float
    ) -> dict[str, tuple[list[caption_text.Line], list[caption_text.Line], bool]]:
        """Lines of each sentence and of the title beside it, and if the clock is not beside that.

        room, wide : for the first line, beside the clock, and for others [pixels]
        The title is on the line of the clock, else where the sentence ends, else below it. Letters shrink where the
        sentence has too many lines, and a little more where that leaves room for the title.
        """
        schemes, gap = [scene.track.scheme for scene in self._scenes], 2.0 * PADDING * unit
        title = TextRun(said.title, first.colour, TITLE * first.size, "Medium")
        title = title._replace(size=title.size * min(1.0, SLACK * (wide - gap) / length((title,), unit)))
        free = wide - 2.0 * gap - length((title,), unit)  # beside the title

        def lines(runs: caption_text.Line, share: float) -> list[caption_text.Line]:
            sized = (run._replace(size=share * first.size) for run in runs)
            return rows((first, *sized), wide - gap, unit, room - gap)

        texts = {
            text: caption_text.sentence_runs(text, schemes, self._names, self._look, first.size)
            for text in {text for _, text in said.said}
        }
        least = 1 if wide >= BROAD * self._window.GetSize()[1] else 2
        most = min(max(least, *(len(lines(runs, SHRUNK)) for runs in texts.values())), least + 1)
        found = dict[str, tuple[list[caption_text.Line], list[caption_text.Line], bool]]()
        for text, runs in texts.items():
            laid = {share: lines(runs, share) for share in SHARES}
            deep = [share for share in SHARES if len(laid[share]) <= most] or [SHARES[-1]]
            beside = [share for share in deep if len(laid[share]) == 1 or length(laid[share][-1], unit) <= free]
            share = beside[0] if beside and beside[0] >= SMALLER * deep[0] else deep[0]
            told, under = laid[share], first._replace(size=share * first.size)
            last = length(told[-1], unit)
            if text == said.title:
                found[text] = told, [(first,)], True
            elif len(told) == 1 and last <= free - (wide - room):
                found[text] = told, [(first, title)], False
            else:
                between = max(len(told) + (last > free), 2) - 2  # lines of the sentence beside which nothing stands
                found[text] = told, [(first,), *between * [(under,)], (under, title)], True
        return found

    def _written(self, lines: Iterable[caption_text.Line], unit: float, room: int) -> np.ndarray:
        """Lines of letters with a soft shadow (h, w, 4), which are broken or shrink in a room [pixels]."""
        return drawn(Card(tuple(lines), self._look.panel, 0.0, shadow=True), unit, room)

    def _show_lanes(self, time: float, poses: Sequence[Pose], whole: float, unit: float, *, numbers: bool) -> None:
        """Show the lines of all lanes in letters of one size, and a warm rim around those that are off.

        A veil lies over others that have no solution any more.
        """
        tracks = [scene.track for scene in self._scenes if not scene.track.scheme.name.endswith(BEFORE)]
        last = None if self.headline is None else self.headline.end
        found = {scene: standing(scene.track, time, tracks, last) for scene in self._scenes}
        sizes = [renderer.GetSize() for renderer in self._renderers]
        key = whole, sizes, [(scene.track.scheme.name, one.room, one.mark == "right") for scene, one in found.items()]
        if key != self._sized:
            self._sized = key
            self._letters, self._below = self._fitted(found, sizes, whole)
        now, look = dict(zip(self._scenes, poses, strict=True)), self._look
        for view, (scenes, line, size) in enumerate(zip(self._views, self.lines, sizes, strict=True)):
            rows: list[caption_text.Line] = []
            for scene in scenes:
                row = scene.track.scheme
                rows += self._lines_of(scene, found[scene], self._letters, self._below)
                many = "" if self._land is None else self._land.summary(view, row)
                more: list[caption_text.Line] = [(TextRun(many, look.ink, SMALL, "Medium"),)] if many else []
                if numbers:
                    ink = look.alarm if found[scene].mark == "off" else look.ink
                    more += [(TextRun(in_detail(scene.track, time), ink, SMALL, "SemiBold"),)]
                    more += [scene.numbers(now[scene], look), (TextRun(caption_text.source(row), look.dim, SMALL),)]
                rows += [tuple(run._replace(size=run.size * unit / whole) for run in one) for one in more if one]
            picture = drawn(Card(tuple(rows), look.panel, 0.0, 2.0, shadow=True, align=0.5), whole, size[0])
            line.place(picture, (size[0] - picture.shape[1]) // 2, round(LOW * min(size)))
            apart = len(self.lines) > 1
            off = apart and any(found[scene].mark == "off" for scene in scenes)
            over = apart and all(found[scene].over for scene in scenes)
            self._glows[view].actor.SetVisibility((off or over) and bool(line.actor.GetVisibility()))
            if off or over:
                self._glows[view].stretch(glow() if off else veil(look.panel), size)

    def _fitted(
        self, found: Mapping[LaneScene, caption_text.Standing], sizes: Sequence[tuple[int, int]], whole: float
    ) -> tuple[float, bool]:
        """Letters of the lines of lanes, at most LANE, in which they fit, and if marks are below names for that."""
        long = partial(length, unit=whole)
        for size, below in product((share * LANE for share in SHARES), (False, True)):
            for scenes, (wide, high) in zip(self._views, sizes, strict=True):
                room = wide - 2.0 * PADDING * whole
                lines = [line for scene in scenes for line in self._lines_of(scene, found[scene], size, below)]
                lines = [row for line in lines for row in rows(line, room, whole)] if below else lines
                if len(lines) * APART * size * whole > LANES * high or max(map(long, lines)) > room:
                    break
            else:
                return size, below
        return SHARES[-1] * LANE, True

    def _lines_of(
        self, scene: LaneScene, found: caption_text.Standing, size: float, below: bool
    ) -> list[caption_text.Line]:
        """Lines of a lane in letters of a size, with the mark below the name or beside it."""
        row = scene.track.scheme
        return caption_text.lane_lines(row, self._names[name_of(row)], found, self._look, size, below=below)

    def clock(self, time: float, size: float = CLOCK * HEAD) -> caption_text.Line:
        """The time and a film's pace; beside whole paths or a map of many rocks, the time of a single rock."""
        land, look = self._land, self._look
        if land is None or not land.many:
            words, colour = "t = {time:.{digits}f} s", look.ink
        else:
            words, colour = tr("rock {rock} at t = {time:.2f} s"), look.dim
        most = max(scene.track.world.scenario.duration for scene in self._scenes)
        text = partial(words.format, digits=decimals(most), rock=None if land is None else land.world.rock)
        room = text(time=most)
        pace: caption_text.Line = ()
        if self.headline is not None and self.headline.paces:  # nothing moves where a film slows
            paces = [f"{caption_text.pace_in_words(one)}   " for _, one in self.headline.paces]
            now = f"{caption_text.pace_in_words(self.headline.pace(time))}   "
            pace = (TextRun(now, look.dim, PACE * size, room=max(paces, key=len)),)
        return (*pace, TextRun(text(time=time), colour, size, "Medium", room=room))

    def legend(self, poses: Sequence[Pose], overlays: Mapping[str, bool], distance: float) -> caption_text.Line:
        """Meanings of the signs on the stage."""
        line: caption_text.Line = ()
        drawn = any(any(scene.truth.seen) for scene in self._scenes)
        signs = truth_signs([scene.track for scene in self._scenes], self._look, drawn=drawn)
        extras = self._extras.signs()
        own = self._own() + extras
        if self._land is not None:
            own += self._land.signs()
            line = self._land.legend(distance, poses[0].scale, contours=overlays["grid"])
        return (*line, *caption_text.legend(piece for overlay, piece in own + signs if overlays[overlay]))

    def _own(self) -> list[caption_text.Sign]:
        """Meanings of the signs around the bodies."""
        return [one for scene in self._scenes for one in scene.signs(self._look)]


@cache
def glow() -> np.ndarray:
    """A warm vignette (64, 64, 4): nothing in the middle, and most in the corners; not to be changed."""
    x = np.linspace(-1.0, 1.0, 64)
    far = np.clip((np.hypot(*np.meshgrid(x, x)) / np.sqrt(2.0) - RIM) / (1.0 - RIM), 0.0, 1.0)
    picture = np.empty((64, 64, 4), np.uint8)
    picture[..., :3] = np.round(255.0 * np.array(rgb(OFF_FILL)))
    picture[..., 3] = np.round(255.0 * GLOW * far * far * (3.0 - 2.0 * far))
    return picture


@cache
def veil(colour: str) -> np.ndarray:
    """A veil (1, 1, 4) over a pane in which nothing moves any more; not to be changed."""
    return np.array([[(*(255.0 * np.array(rgb(colour))), 255.0 * VEIL)]]).round().astype(np.uint8)


def truth_signs(tracks: Sequence[LaneTrack], look: StageColours, *, drawn: bool) -> list[caption_text.Sign]:
    """Meanings of the signs of the true motion: of captions, and of the outline while it is drawn."""
    known = [track.truth for track in tracks if track.truth is not None and track.truth.stretches]
    if not known:
        return []
    own = any(truth is not known[0] for truth in known)
    signs = [("labels", caption_text.sign(marks_in_words(own=own), look.dim))]
    if drawn or any((found := track.departure()) and found.verdict != "right" for track in tracks):
        signs.append(("truth", caption_text.passing_sign(tr("outline: true motion"), look.ink, on=drawn)))
    return signs
