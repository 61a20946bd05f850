"""Film cards: what a film shows before and after the motion, in the letters and colours of the captions.

A card is drawn once; the frames that it is shown for are that picture, and mixtures of it while it fades.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, repeat

import numpy as np

from app.document.recipe import span, theme_of, title
from app.export.film_frames import card_frames
from app.playback.run import Lane
from app.stage.text import caption_text
from app.stage.text.cards import Card, TextRun, draw
from app.stage.theme_colours import StageColours, look_of
from app.system.language import tr
from app.system.sentences import told
from app.theme import rgb
from physics import Scenario, World
from physics.io.trajectory_writers import polhode_version

FADE = 0.4  # [s] from the sky to a card, back to the sky, and from the sky to the motion
WIDE, HIGH = 0.8, 0.84  # of the picture that letters take at most
LARGER = 1.3  # letters than those of captions: they are read from the back of a room
LINE = 620.0  # the longest line [pixels of a caption in a picture 720 high]: some 70 letters of a note
BAR, APART = 4.0, 26.0  # the coloured bar beside the letters: how wide, and how far from them, likewise

Line = caption_text.Line


def before(world: World, lanes: Sequence[Lane], first: np.ndarray) -> Iterator[np.ndarray]:
    """The frames before the motion, whose first picture is given: none, or the title between two fades."""
    export = world.scenario.export
    if count := card_frames(export.fps, export.title_card):
        sky, card = _pictures(world.scenario, lanes, title_card(world.scenario, lanes), first.shape[2])
        yield from _faded((sky, card, sky, first), 1, count, export.fps)


def after(world: World, lanes: Sequence[Lane], last: np.ndarray) -> Iterator[np.ndarray]:
    """The frames after the motion, whose last picture is given: none, or the end card, and the sky at last."""
    export = world.scenario.export
    if count := card_frames(export.fps, export.end_card):
        sky, card = _pictures(world.scenario, lanes, end_card(world.scenario, lanes), last.shape[2])
        yield from _faded((last, sky, card, sky), 2, count, export.fps)


def stills(world: World, lanes: Sequence[Lane]) -> Iterator[np.ndarray]:
    """The cards of a film as they are between fading in and out."""
    scenario = world.scenario
    for seconds, text in ((scenario.export.title_card, title_card), (scenario.export.end_card, end_card)):
        if seconds:
            yield _pictures(scenario, lanes, text(scenario, lanes), 3)[1]


# ---- what they say ------------------------------------------------------------------------------------


def title_card(scenario: Scenario, lanes: Sequence[Lane]) -> Card:
    """Title, note, authors, and the schemes in their colours."""
    look = look_of(theme_of(scenario))
    lines: list[Line] = [(TextRun(title(scenario), look.ink, 40.0, "SemiBold"),)]
    if scenario.note:
        lines += [_gap(look, 2.0), (TextRun(told(scenario.note), look.dim, 19.0),)]
    if scenario.export.authors:
        lines += [_gap(look, 8.0), (TextRun(scenario.export.authors, look.ink, 19.0, "Medium"),)]
    lines.append(_gap(look, 14.0))
    for lane in lanes:
        name = TextRun(lane.scheme.title, look.ink, 18.0, "Medium")
        lines += [(caption_text.badge(lane.scheme, 14.0), name), _gap(look, 1.0)]
    return Card(tuple(lines[:-1]), look.sky, 0.0)


def end_card(scenario: Scenario, lanes: Sequence[Lane]) -> Card:
    """What was shown: each scheme with its step and source, the part and the pace, and how it is made again."""
    look = look_of(theme_of(scenario))
    first, last = span(scenario, lanes)
    pace = "".join(piece.text for piece in caption_text.pace_sign(scenario.export.speed, look)).strip()
    lines: list[Line] = [(TextRun(title(scenario), look.ink, 26.0, "SemiBold"),)]
    part = tr("{first:g} to {last:.4g} s").format(first=first, last=last)
    lines.append((TextRun(", ".join(filter(None, [part, pace])), look.dim, 16.0),))
    for lane in lanes:
        name = TextRun(lane.scheme.title, look.ink, 17.0, "SemiBold")
        words = caption_text.source(lane.scheme)
        if lane.scheme.name in scenario.schemes:  # what was measured took no step
            words = tr("step {step:g} s").format(step=scenario.step_of(lane.scheme.name)) + f", {words}"
        lines += [_gap(look, 7.0), (caption_text.badge(lane.scheme, 13.0), name), (TextRun(words, look.dim, 14.0),)]
    if scenario.source:
        lines += [_gap(look, 9.0), (TextRun(told(scenario.source), look.dim, 14.0),)]
    again = tr("This file holds its recipe:  {command}  makes it again.")
    again = again.format(command="polhode video FILE -o again.mp4")
    lines += [_gap(look, 9.0), (TextRun(f"Polhode {polhode_version()}", look.ink, 15.0, "Medium"),)]
    return Card((*lines, (TextRun(again, look.dim, 14.0),)), look.sky, 0.0)


def _gap(look: StageColours, high: float) -> Line:
    return (TextRun("", look.dim, high),)


# ---- drawn --------------------------------------------------------------------------------------------


def _pictures(scenario: Scenario, lanes: Sequence[Lane], card: Card, colours: int) -> tuple[np.ndarray, np.ndarray]:
    """The sky of the stage, and the same with a card before it: (height, width, 3 or 4)."""
    look, (wide, high) = look_of(theme_of(scenario)), scenario.export.size
    unit = LARGER * max(min(high / 720.0, wide / 800.0), 0.75)
    letters = draw(card, unit, round(min(WIDE * wide, LINE * unit)), round(HIGH * high))
    upper, lower = (255.0 * np.array(rgb(colour)) for colour in (look.sky, look.horizon))
    sky = np.linspace(upper, lower, high)[:, None].repeat(wide, axis=1)
    shown = sky.copy()
    top, left = (high - letters.shape[0]) // 2, round((1.0 - WIDE) / 2 * wide)
    inks = [255.0 * np.array(rgb(lane.scheme.colour)) for lane in lanes]
    bar = shown[top : top + letters.shape[0], max(0, left - round(APART * unit)) :][:, : max(1, round(BAR * unit))]
    for part, ink in zip(np.array_split(bar, len(inks)), inks, strict=True):
        part[:] = ink
    place = shown[top : top + letters.shape[0], left : left + letters.shape[1]]
    place += (letters[..., :3] - place) * (letters[..., 3:] / 255.0)
    pictures = (np.round(one).astype(np.uint8) for one in (sky, shown))
    plain, written = (one if colours == 3 else np.insert(one, 3, 255, axis=2) for one in pictures)
    return plain, written


def _faded(stages: Sequence[np.ndarray], held: int, count: int, fps: float) -> Iterator[np.ndarray]:
    """So many frames from one picture of several to the next; one of them is held as long as there is time."""
    fading = min(round(FADE * fps), count // len(stages))
    for number, (one, other) in enumerate(pairwise(stages)):
        if number == held:
            yield from repeat(one, count - fading * (len(stages) - 1))
        yield from (_mixed(one, other, (frame + 1) / (fading + 1)) for frame in range(fading))


def _mixed(one: np.ndarray, other: np.ndarray, share: float) -> np.ndarray:
    """Two pictures, so much of the other one, with a soft beginning and end."""
    weight = round(256 * share * share * (3.0 - 2.0 * share))
    return ((one.astype(np.uint16) * (256 - weight) + other.astype(np.uint16) * weight + 128) >> 8).astype(np.uint8)
