"""The script of a film: the time that each of its frames shows, and the captions and marks in a band below the motion.

It is made once, before frames are drawn. The band is a part of the picture of its own, so that it covers nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from app.document.recipe import theme_of
from app.export.film_captions import Caption, Sentence, captions_of
from app.export.film_times import Timeline, card_frames, timeline_of
from app.playback.run import Lane
from app.stage.text import caption_text
from app.stage.text.cards import Card, TextRun, draw
from app.stage.theme_colours import look_of
from app.theme import contrast, rgb
from physics import Scenario, ScenarioError, World

LEAST, TALL, BROAD = 0.02, 0.03, 0.021  # size of letters: at least and usually of the height, and usually of the width
ROOM = 0.4  # share of the picture's height for the band
LEFT_OVER = 16  # pixels of the height that the motion has at least
SIDE = 0.5  # of the band, free at its left and right [sizes of letters]


class Band:
    """Captions and the mark of slow motion below a film's pictures of a scenario.

    high : its height [pixels], 0 where it stays empty; the same for all frames
    """

    def __init__(self, scenario: Scenario, captions: Sequence[Caption], timeline: Timeline) -> None:
        self._captions, self._timeline = captions, timeline
        self._look = look_of(theme_of(scenario))
        (self._wide, high), self._slow = scenario.export.size, scenario.film.slow
        self._letters = max(LEAST * high, min(TALL * high, BROAD * self._wide))
        self._highest = min(round(ROOM * high), high - LEFT_OVER)
        self._pictures: dict[tuple[Caption | None, bool], np.ndarray] = {}
        slows = min(timeline.paces) < timeline.usual
        self._mark = self._drawn(self._sign(), self._wide // 3) if slows else np.zeros((0, 0, 4), np.uint8)
        self._room = self._wide - 2 * round(SIDE * self._letters) - self._mark.shape[1]
        self.high = 0
        if captions or slows:
            if self._highest < 1:
                raise ScenarioError(
                    "export.size", f"captions take a picture more than {LEFT_OVER} pixels high, got {high}"
                )
            tallest = [self._text(caption).shape[0] for caption in captions]
            self.high = max([self._mark.shape[0], *tallest])

    def at(self, film: float) -> np.ndarray:
        """The band (high, width, 3) at a film time [s] from the first frame of the motion."""
        caption = next((one for one in self._captions if one.start <= film < one.end), None)
        key = caption, self._timeline.slows(film)
        if key not in self._pictures:
            self._pictures[key] = self._picture(*key)
        return self._pictures[key]

    def _picture(self, caption: Caption | None, slow: bool) -> np.ndarray:
        band = np.empty((self.high, self._wide, 3), np.uint8)
        band[:] = np.round(255.0 * np.array(rgb(self._look.panel)))
        side = round(SIDE * self._letters)
        if caption is not None:
            _lay(band, self._text(caption), side)
        if slow:
            _lay(band, self._mark, self._wide - side - self._mark.shape[1])
        return band

    def _text(self, caption: Caption) -> np.ndarray:
        return self._drawn([self._line(one) for one in caption.sentences], self._room)

    def _line(self, sentence: Sentence) -> caption_text.Line:
        text = TextRun(sentence.text, self._look.ink, 22.0, "Medium")
        return (text,) if sentence.scheme is None else (caption_text.badge(sentence.scheme, 17.0), text)

    def _sign(self) -> list[caption_text.Line]:
        (words,) = caption_text.pace_sign(self._slow, self._look)
        behind = self._look.omega
        ink = max(caption_text.INKS, key=lambda ink: contrast(ink, behind))
        words = TextRun(words.text.strip(), ink, 20.0, "SemiBold", behind=behind)
        return [(words, TextRun("", ink, 26.0))]  # a line as high as a badge

    def _drawn(self, lines: Sequence[caption_text.Line], widest: int) -> np.ndarray:
        card = Card(tuple(lines), self._look.panel, 0.0)
        return draw(card, self._letters / 22.0, max(1, widest), max(1, self._highest))


def _lay(band: np.ndarray, letters: np.ndarray, left: int) -> None:
    """Lay letters (h, w, 4) on a band, in the middle of its height."""
    top = (band.shape[0] - letters.shape[0]) // 2
    place = band[top : top + letters.shape[0], left : left + letters.shape[1]]
    place[:] = np.round(place + (letters[..., :3].astype(float) - place) * (letters[..., 3:] / 255.0))


@dataclass(frozen=True)
class FilmScript:
    """Frames of a film's motion, numbered from the first one of the motion.

    Attributes
    ----------
    world : as ``studio`` draws it, with room for the band
    times : (n,) simulated times [s] of the frames that are drawn
    held : for how many frames more the last of them is shown
    band : below each of them
    """

    world: World
    times: np.ndarray
    held: int
    band: Band

    @classmethod
    def of(cls, world: World, lanes: Sequence[Lane]) -> FilmScript:
        """The script of a film of some lanes, as the scenario's film and export tables say.

        Raises ScenarioError where a caption is outside the film, or the picture is too small for a band.
        """
        scenario, export, timeline = world.scenario, world.scenario.export, timeline_of(world.scenario, lanes)
        band = Band(scenario, captions_of(scenario, lanes, timeline), timeline)
        if band.high:
            size = export.size[0], export.size[1] - band.high
            world = replace(world, scenario=scenario.changed(**{"export.size": size}))
        return cls(world, timeline.times(export.fps), card_frames(export.fps, scenario.film.pause), band)

    def dressed(self, picture: np.ndarray, number: int) -> np.ndarray:
        """The picture (height, width, 3 or 4) of a frame with the band below it."""
        if not self.band.high:
            return picture
        band = self.band.at(number / self.world.scenario.export.fps)
        return np.concatenate([picture, band if picture.shape[2] == 3 else np.insert(band, 3, 255, axis=2)])

    def frames(self, drawn: Iterator[np.ndarray]) -> Iterator[np.ndarray]:
        """All frames of the motion, from the pictures of its times: the last one held."""
        for number, picture in enumerate(drawn):
            yield self.dressed(picture, number)
        for more in range(self.held):
            yield self.dressed(picture, len(self.times) + more)
