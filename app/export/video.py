"""A run as a film: simulated time frame by frame, each drawn, encoded and forgotten."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack
from itertools import chain, islice
from pathlib import Path

import numpy as np

from app.document.recipe import recipe, span, title
from app.document.recipe_notes import add_note
from app.export.chapters import chapters_of
from app.export.checks import check_occlusion
from app.export.film_cards import after, before, stills
from app.export.film_frames import FASTEST_GIF, card_frames, frame_times
from app.export.frame_processes import frames
from app.export.offscreen_stage import check_drawable
from app.export.png import numbered
from app.playback.run import Lane
from app.system.ffmpeg import Chapter, Sink, film, gif
from app.system.signals import at_terminal, finishing
from physics import Scenario, ScenarioError, World
from physics.ensembles.ensemble import processors
from physics.io.trajectory_writers import check_new_folder, check_output, replacing

ENDINGS = (".mp4", ".webm", ".mov", ".mkv", ".gif", ".apng")
PALETTE_SAMPLES = 12  # frames that are drawn in advance to choose the colours of a .gif
LEAST = 100e6  # pixels of a film from which the start of other processes, of 2 to 4 s, is worthwhile
MOST_PROCESSES = 8  # that draw: each takes some 500 MB, and there is one encoder
MOST_FRAMES = 2_000_000  # of a film: more are a slip in speed or duration


def check_video(path: str | Path, scenario: Scenario) -> Path:
    """The path, if a film of that scenario can be written there; a name without ending is a folder of pictures."""
    path = Path(path)
    export = scenario.export
    check_occlusion(scenario)
    if path.suffix.lower() == ".gif" and export.fps > FASTEST_GIF:
        raise ScenarioError(
            "export.fps", f"a .gif shows at most {FASTEST_GIF} frames a second, got {export.fps:g}", path
        )
    if (frames := longest_shown(scenario) / export.speed * export.fps) > MOST_FRAMES:
        raise ScenarioError("export.speed", f"{frames:.3g} frames are more than {MOST_FRAMES}; expected a higher speed")
    if path.suffix and not os.path.isdir(path):
        check_output(path, ENDINGS)
        if export.transparent:
            raise ScenarioError("export.transparent", "serves pictures; expected a folder for numbered .png", path)
        return path
    if os.path.isfile(path):
        known = f"{', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}"
        raise ScenarioError("", f"expected a new folder for pictures, or a name that ends in {known}", path)
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
    when Ctrl+C is pressed is kept under another name, which the KeyboardInterrupt tells.
    """
    scenario = world.scenario
    path, export = check_video(path, scenario), scenario.export
    first, last = span(scenario, lanes)
    times = first + frame_times(last - first, export.fps, export.speed)
    done = 0
    total = len(times) + card_frames(export.fps, export.title_card, export.end_card)
    chapters = chapters_of(scenario, lanes, total)
    suffix = path.suffix.lower()
    samples = times[np.unique(np.linspace(0, len(times) - 1, PALETTE_SAMPLES).astype(int))] if suffix == ".gif" else []
    check_drawable(world, lanes)
    processes = processes or _process_count(scenario, len(times))
    drawing = frames(world, lanes, [*samples, *times], processes, transparent=export.transparent, pace=export.speed)
    with replacing(path) as part, ExitStack() as ending:
        with (
            drawing as drawn,
            sink(part, suffix, scenario, chain(islice(drawn, len(samples)), stills(world, lanes)), chapters) as send,
        ):
            try:
                for picture in _film(world, lanes, drawn):
                    send(picture)
                    done += 1
                    progress(done, total)
            except KeyboardInterrupt:
                if not (done and at_terminal() and suffix):
                    raise
                ending.enter_context(finishing())
        if suffix in (".gif", ".apng"):
            add_note(part, suffix, recipe(scenario))
        if done < total:
            kept = path.with_stem(f"{path.stem}-interrupted")
            part.replace(kept)
            raise KeyboardInterrupt(f"interrupted: {kept} holds {done} of {total} frames")


def _process_count(scenario: Scenario, frames: int) -> int:
    """The processes that draw a film of so many frames: one for each processor where it is long."""
    wide, high = scenario.export.size
    return 1 if frames * wide * high < LEAST else min(processors(), MOST_PROCESSES)


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
    """Where the frames go, by the ending of the name; samples: see ``gif``."""
    size, fps = scenario.export.size, scenario.export.fps
    if suffix == ".gif":
        return gif(part, size, fps, samples)
    if suffix in ENDINGS:
        return film(part, suffix, size, fps, title(scenario), recipe(scenario), chapters)
    return numbered(part, title(scenario), recipe(scenario))
