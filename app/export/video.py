"""A run as a film: frames at even simulated times, between a title card and an end card.

A card is drawn once; the frames that it is shown for are that picture, and mixtures of it while it fades.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack
from itertools import chain, pairwise, repeat
from pathlib import Path

import numpy as np

from app.document.export_kinds import CLEAR, OPENED, VIDEO, endings
from app.document.recipe import add_note, recipe, span, theme_of, title
from app.export.checks import check_occlusion
from app.export.film_script import FilmScript, check_captions
from app.export.film_times import FASTEST_GIF, SLOWED, card_frames, chapters_of, motion_frames
from app.export.frame_processes import frames
from app.export.offscreen_stage import check_drawable
from app.export.png import numbered
from app.playback.run import Lane
from app.playback.verdicts import notes, verdict
from app.stage.text import caption_text
from app.stage.text.cards import Card, TextRun, draw
from app.stage.theme_colours import StageColours, look_of
from app.system.ffmpeg import Chapter, Sink, film, gif
from app.system.language import tr
from app.system.own_words import note_of, source_of
from app.system.signals import at_terminal, finishing
from app.theme import rgb
from physics import Scenario, ScenarioError, World
from physics.core.processors import processors
from physics.core.wording import N_
from physics.io.trajectory_writers import check_new_folder, check_output, polhode_version, replacing

FADE = 0.4  # [s] from the sky to a card, back to the sky, and from the sky to the motion
ASIDE, HIGH = 0.05, 0.84  # of the picture: beside the letters and their bar, and the height that they take at most
MOST_SOURCES = 4  # lanes whose steps and sources the end card has: of more its letters would be small
LARGER = 1.3  # letters than those of captions: they are read from the back of a room
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


# ---- texts of cards ------------------------------------------------------------------------------------


def title_card(scenario: Scenario, lanes: Sequence[Lane]) -> Card:
    """Title, note, authors, and the schemes in their colours."""
    look = look_of(theme_of(scenario))
    lines: list[Line] = [(TextRun(title(scenario), look.ink, 40.0, "SemiBold"),)]
    if scenario.note:
        lines += [_gap(look, 2.0), (TextRun(note_of(scenario), look.dim, 19.0),)]
    if scenario.export.authors:
        lines += [_gap(look, 8.0), (TextRun(scenario.export.authors, look.ink, 19.0, "Medium"),)]
    lines.append(_gap(look, 14.0))
    for lane in lanes:
        name = TextRun(lane.scheme.title, look.ink, 18.0, "Medium")
        lines += [(caption_text.badge(lane.scheme, 14.0), name), _gap(look, 1.0)]
    return Card(tuple(lines[:-1]), look.sky, 0.0)


def end_card(scenario: Scenario, lanes: Sequence[Lane]) -> Card:
    """Part and pace of the film, verdict of each scheme (of a few: step and source), and how to make the film again."""
    look = look_of(theme_of(scenario))
    first, last = span(scenario, lanes)
    pace = caption_text.pace_in_words(scenario.export.speed)
    lines: list[Line] = [(TextRun(title(scenario), look.ink, 26.0, "SemiBold"),)]
    part = tr("{first:g} to {last:.4g} s").format(first=first, last=last)
    lines.append((TextRun(", ".join(filter(None, [part, pace])), look.dim, 16.0),))
    for lane in lanes:
        judged = verdict(lane, last) if scenario.film.captions == "auto" else ""
        name = TextRun(judged or lane.scheme.title, look.ink, 17.0, "SemiBold")
        words = caption_text.source(lane.scheme)
        if lane.scheme.name in scenario.schemes:  # what was measured took no step
            words = tr("step {step:g} s").format(step=scenario.step_of(lane.scheme.name)) + f", {words}"
        more = [(TextRun(words, look.dim, 14.0),)] if len(lanes) <= MOST_SOURCES else []
        lines += [_gap(look, 7.0), (caption_text.badge(lane.scheme, 13.0), name), *more]
    if scenario.film.captions == "auto":
        for text in notes(lanes):
            lines += [_gap(look, 7.0), (TextRun(text, look.ink, 15.0),)]
    if scenario.source:
        lines += [_gap(look, 9.0), (TextRun(source_of(scenario), look.dim, 14.0),)]
    again = tr("This file holds its recipe:  {command}  makes it again.")
    again = again.format(command="polhode video FILE -o again.mp4")
    lines += [_gap(look, 9.0), (TextRun(f"Polhode {polhode_version()}", look.ink, 15.0, "Medium"),)]
    return Card((*lines, (TextRun(again, look.dim, 14.0),)), look.sky, 0.0)


def _gap(look: StageColours, high: float) -> Line:
    return (TextRun("", look.dim, high),)


# ---- pictures of cards --------------------------------------------------------------------------------------------


def _pictures(scenario: Scenario, lanes: Sequence[Lane], card: Card, colours: int) -> tuple[np.ndarray, np.ndarray]:
    """The sky of the stage, and the same with a card before it: (height, width, 3 or 4)."""
    look, (wide, high) = look_of(theme_of(scenario)), scenario.export.size
    unit = LARGER * max(min(high / 720.0, wide / 800.0), 0.75)
    aside = round(ASIDE * wide)
    left = aside + round(APART * unit)
    letters = draw(card, unit, wide - left - aside, round(HIGH * high))
    upper, lower = (255.0 * np.array(rgb(colour)) for colour in (look.sky, look.horizon))
    sky = np.linspace(upper, lower, high)[:, None].repeat(wide, axis=1)
    shown = sky.copy()
    top = (high - letters.shape[0]) // 2
    inks = [255.0 * np.array(rgb(lane.scheme.colour)) for lane in lanes]
    bar = shown[top : top + letters.shape[0], aside : aside + max(1, round(BAR * unit))]
    for part, ink in zip(np.array_split(bar, len(inks)), inks, strict=True):
        part[:] = ink
    place = shown[top : top + letters.shape[0], left : left + letters.shape[1]]
    place += (letters[..., :3] - place) * (letters[..., 3:] / 255.0)
    pictures = (np.round(one).astype(np.uint8) for one in (sky, shown))
    plain, written = (one if colours == 3 else np.insert(one, 3, 255, axis=2) for one in pictures)
    return plain, written


def _faded(stages: Sequence[np.ndarray], held: int, count: int, fps: float) -> Iterator[np.ndarray]:
    """Frames, ``count`` of them, from each picture to the next; one of them is held as long as there is time."""
    fading = min(round(FADE * fps), count // len(stages))
    for number, (one, other) in enumerate(pairwise(stages)):
        if number == held:
            yield from repeat(one, count - fading * (len(stages) - 1))
        yield from (_mixed(one, other, (frame + 1) / (fading + 1)) for frame in range(fading))


def _mixed(one: np.ndarray, other: np.ndarray, share: float) -> np.ndarray:
    """Two pictures, so much of the other one, with a soft beginning and end."""
    weight = round(256 * share * share * (3.0 - 2.0 * share))
    return ((one.astype(np.uint16) * (256 - weight) + other.astype(np.uint16) * weight + 128) >> 8).astype(np.uint8)


ENDINGS = endings(VIDEO)
PALETTE_SAMPLES = 12  # frames that are drawn in advance to choose the colours of a .gif
LEAST = 100e6  # pixels of a film from which the start of other processes, of 2 to 4 s, is worthwhile
MAX_DRAWING_PROCESSES = 8  # each takes some 500 MB, and there is one encoder
MAX_FRAMES = 2_000_000  # more are a slip in speed or duration


def check_video(path: str | Path, scenario: Scenario) -> Path:
    """The path, if a film of that scenario can be written there; a name without ending is a folder of pictures."""
    path = Path(path)
    export = scenario.export
    check_occlusion(scenario)
    if path.suffix.lower() == ".gif" and export.fps > FASTEST_GIF:
        raise ScenarioError(
            "export.fps",
            N_("a .gif shows at most {fastest_gif} frames a second, got {fps:g}", FASTEST_GIF, export.fps),
            path,
        )
    if export.length is not None:
        motion_frames(scenario)
        if (frames := export.length * export.fps) > MAX_FRAMES:
            message = N_("{frames:.3g} frames are more than {most}; expected a shorter film", frames, MAX_FRAMES)
            raise ScenarioError("export.length", message)
    elif (frames := longest_shown(scenario) / export.speed * export.fps) > MAX_FRAMES:
        raise ScenarioError(
            "export.speed",
            N_("{frames:.3g} frames are more than {most_frames}; expected a higher speed", frames, MAX_FRAMES),
        )
    elif (more := SLOWED / scenario.film.slow * export.fps) > MAX_FRAMES:
        message = N_(
            "{more:.3g} frames in slow motion are more than {most_frames}; expected a larger number",
            more,
            MAX_FRAMES,
        )
        raise ScenarioError("film.slow", N_("{message}, got {slow:g}", message, scenario.film.slow))
    check_captions(scenario, export.first + longest_shown(scenario))
    if path.suffix and not os.path.isdir(path):
        check_output(path, ENDINGS)
        if export.transparent and path.suffix.lower() not in CLEAR:
            text = N_("needs {clear}, or the name of a folder for PNG frames", ", ".join(CLEAR))
            raise ScenarioError("export.transparent", text, path)
        return path
    if os.path.isfile(path):
        known = N_("{endings} or {endings2}", ", ".join(ENDINGS[:-1]), ENDINGS[-1])
        raise ScenarioError("", N_("expected a new folder for pictures, or a name that ends in {known}", known), path)
    return check_new_folder(path)


def longest_shown(scenario: Scenario) -> float:
    """The part of the run [s] that a film shows where no lane ends early."""
    export = scenario.export
    return min(export.last or scenario.duration, scenario.duration) - export.first


def write_video(
    world: World,
    lanes: Sequence[Lane],
    path: str | Path,
    progress: Callable[[int, int], object] = lambda done, total: None,
    processes: int | None = None,
) -> None:
    """Write the run of the lanes, or a part of it, to a file of one of ENDINGS or to a folder of pictures.

    The part, size, rate, speed and looks are those of the scenario's view and export tables.
    progress : called with the frames done and their total
    processes : that draw; None: as many as are worthwhile

    The file appears when it is complete; ScenarioError or PhysicsError, naming it, where it cannot. What is encoded
    when Ctrl+C is pressed is kept under another name, which the KeyboardInterrupt names.
    """
    scenario = world.scenario
    path, export = check_video(path, scenario), scenario.export
    script = FilmScript.of(world, lanes)
    world, times = script.world, script.times
    done = 0
    total = len(times) + script.held + card_frames(export.fps, export.title_card, export.end_card)
    chapters = chapters_of(scenario, lanes, total)
    suffix = path.suffix.lower()
    samples: list[int] = []  # numbers of frames
    if suffix == ".gif":
        samples = np.unique(np.linspace(0, len(times) - 1, PALETTE_SAMPLES).astype(int)).tolist()
    check_drawable(world, lanes)
    wide, high = export.size
    alone = len(times) * wide * high < LEAST
    processes = processes or (1 if alone else min(processors(), MAX_DRAWING_PROCESSES))
    moments = [*times[samples].tolist(), *times.tolist()]
    drawing = frames(world, lanes, moments, processes, transparent=export.transparent, headline=script.headline)
    with replacing(path) as part, ExitStack() as ending:
        with ExitStack() as making:
            drawn = making.enter_context(drawing)
            sampled = (next(drawn) for _ in samples)
            send = making.enter_context(sink(part, suffix, scenario, chain(sampled, stills(world, lanes)), chapters))
            try:
                for picture in _film(world, lanes, script.frames(drawn)):
                    send(picture)
                    done += 1
                    progress(done, total)
            except KeyboardInterrupt:
                if not (done and at_terminal() and suffix):
                    raise
                ending.enter_context(finishing())
        if suffix in OPENED and OPENED[suffix].recipe == "end":
            add_note(part, suffix, recipe(scenario))
        if done < total:
            kept = path.with_stem(f"{path.stem}-interrupted")
            part.replace(kept)
            raise KeyboardInterrupt(N_("interrupted: {kept} holds {done} of {total} frames", kept, done, total))


def _film(world: World, lanes: Sequence[Lane], drawn: Iterator[np.ndarray]) -> Iterator[np.ndarray]:
    """All frames of a film, one after the other: the motion between its cards."""
    picture = next(drawn)
    yield from before(world, lanes, picture)
    yield picture
    for picture in drawn:
        yield picture
    yield from after(world, lanes, picture)


def sink(
    part: Path, suffix: str, scenario: Scenario, samples: Iterable[np.ndarray], chapters: Sequence[Chapter] = ()
) -> AbstractContextManager[Sink]:
    """A sink for the frames, by the ending of the name; samples: see ``gif``."""
    size, fps = scenario.export.size, scenario.export.fps
    if suffix == ".gif":
        return gif(part, size, fps, samples)
    if suffix in ENDINGS:
        clear = scenario.export.transparent
        return film(part, suffix, size, fps, title(scenario), recipe(scenario), chapters, clear=clear)
    return numbered(part, title(scenario), recipe(scenario))
