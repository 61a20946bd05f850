"""The preview of an export: a little of it, made as all of it will be, and what the whole will take."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Thread

import numpy as np

from app.document.export_kinds import Writer
from app.document.recipe import span
from app.export.film_script import FilmScript
from app.export.film_times import card_frames, frame_times
from app.export.gltf import glb
from app.export.offscreen_stage import studio
from app.export.png import write_png
from app.export.scene_model import model_of
from app.export.video import sink
from app.playback.headline import headline_of
from app.playback.run import Lane
from app.system.ffmpeg import ENCODINGS
from app.system.scratch_folders import ScratchFolder
from physics import World
from physics.core.trajectory import Trajectory
from physics.io.trajectory_writers import save

BEGIN = 2.5  # [s] until the process of an export has loaded what draws
MAX_TRIAL_PIXELS = 1280 * 720  # the time of larger pictures grows with their pixels
FRAMES, SETTLED = 9, 5  # of a film that are tried; an encoder spends more on those before, even on what stands still
MAX_TRIAL_ROWS = 2000
PAGE = 60_000, 4 / 3  # bytes of a page beside its model, and of a page for a byte of it


@dataclass(frozen=True)
class Estimate:
    """Estimate of an export: its frames (0: it has none), the time [s], the bytes of its file."""

    frames: int
    seconds: float
    bytes: float


Step = np.ndarray | Estimate | None  # a picture (height, width, 3 or 4) of the export; its estimate; neither


def trial(
    world: World, lanes: Sequence[Lane], ending: str, writer: Writer, computing: float
) -> Generator[Step, None, None]:
    """Try an export as its scenario's tables say, in short steps, between which a window stays responsive.

    ending : of the file, "" for a folder of pictures; computing : [s] that the run took
    Closed early, it leaves nothing. ScenarioError or PhysicsError where the export would fail.
    """
    writer.check(world.scenario)
    begin = BEGIN + (computing if writer.computed else 0.0)
    if writer.trial is not None:
        yield from writer.trial(world, lanes, ending, begin)
        return
    begun = time.perf_counter()
    if writer.draw is not None:
        yield writer.draw(world, lanes)
    drawing = time.perf_counter() - begun
    size, writing = yield from _measured(lambda part: writer.write(world, lanes, part.with_suffix(ending)), ending)
    yield Estimate(0, begin + max(drawing, writing), size)


def film_trial(world: World, lanes: Sequence[Lane], ending: str, begin: float) -> Generator[Step, None, None]:
    """Try some frames of a film."""
    script = FilmScript.of(world, lanes)
    world, larger = _smaller(script.world)
    export = world.scenario.export
    first, last = span(world.scenario, lanes)
    count = len(script.times)
    at = min(max(first if export.time is None else export.time, first), last)
    times = at + frame_times(FRAMES / export.fps * export.speed, export.fps, export.speed)
    frames, drawing = [], math.inf
    with studio(world, lanes, transparent=export.transparent, headline=script.headline) as take:
        for when in times.tolist():
            begun = time.perf_counter()
            frames.append(take(when))
            drawing = min(drawing, time.perf_counter() - begun)
            yield frames[0] if len(frames) == 1 else None

    def encode(part: Path, number: int) -> None:
        with sink(part, ending, world.scenario, frames[:1]) as send:
            for frame in frames[:number]:
                send(frame)

    few, brief = yield from _measured(lambda part: encode(part, SETTLED))
    all_, long = yield from _measured(lambda part: encode(part, FRAMES))
    each = max(all_ - few, 0) / (FRAMES - SETTLED)
    encoding = ENCODINGS.get(ending)
    beginnings = -(-count // ((encoding and encoding.whole_every) or count))
    still = script.held + card_frames(export.fps, export.title_card, export.end_card)
    seconds = count * (drawing + max(long - brief, 0.0) / (FRAMES - SETTLED))
    size = beginnings * max(few - SETTLED * each, 0.0) + count * each
    yield Estimate(count + still, begin + larger * seconds, larger * size)


def still_trial(world: World, lanes: Sequence[Lane], _: str, begin: float) -> Generator[Step, None, None]:
    """Try a picture of at most MAX_TRIAL_PIXELS."""
    world, larger = _smaller(world)
    export, begun = world.scenario.export, time.perf_counter()
    headline = None if export.transparent else headline_of(world.scenario, lanes)
    with studio(world, lanes, transparent=export.transparent, headline=headline) as take:
        picture = take(span(world.scenario, lanes)[1] if export.time is None else export.time)
    drawing = time.perf_counter() - begun
    yield picture
    size, writing = yield from _measured(lambda part: write_png(part, picture, "", ""))
    yield Estimate(0, begin + larger * (drawing + writing), larger * size)


def scene_trial(world: World, lanes: Sequence[Lane], ending: str, begin: float) -> Generator[Step, None, None]:
    """Try a model, of which a page is a little more."""
    with studio(_smaller(_bare(world))[0], lanes) as take:
        yield take(min(world.scenario.export.time or 0.0, span(world.scenario, lanes)[1]))
    begun = time.perf_counter()
    size = float(len(glb(model_of(world, lanes))))
    making = time.perf_counter() - begun
    yield Estimate(0, begin + 2 * making, PAGE[0] + PAGE[1] * size if ending == ".html" else size)


def states_trial(world: World, lanes: Sequence[Lane], ending: str, begin: float) -> Generator[Step, None, None]:
    """Try the first MAX_TRIAL_ROWS states of each lane."""
    some: dict[str, Trajectory] = {}
    for lane in lanes:
        run = lane.trajectory
        some[lane.scheme.name] = run.rows(np.arange(min(len(run), MAX_TRIAL_ROWS)))
    larger = sum(len(lane.trajectory) for lane in lanes) / sum(map(len, some.values()))
    size, writing = yield from _measured(lambda part: save(part.with_suffix(ending), some, world.scenario), ending)
    yield Estimate(0, begin + larger * writing, larger * size)


def _bare(world: World) -> World:
    """The world without captions and charts, as in pages and models."""
    plain = {"export.plots": "none", "export.captions": False, "export.orbit": 0.0}
    return replace(world, scenario=world.scenario.changed(**plain))


def _smaller(world: World) -> tuple[World, float]:
    """The world with pictures of at most MAX_TRIAL_PIXELS, and how many times more pixels the export has."""
    wide, high = world.scenario.export.size
    larger = max(1.0, wide * high / MAX_TRIAL_PIXELS)
    size = round(wide / math.sqrt(larger)), round(high / math.sqrt(larger))
    return replace(world, scenario=world.scenario.changed(**{"export.size": size})), larger


def _measured(write: Callable[[Path], object], ending: str = "") -> Generator[None, None, tuple[int, float]]:
    """The bytes of a file or folder that is written in a thread, and the time [s]; then removed."""
    begun = time.perf_counter()
    with _place() as place:
        failed: list[Exception] = []
        worker = Thread(target=_try, args=(write, place, failed), name="trial")
        worker.start()
        try:
            while worker.is_alive():
                yield
        finally:
            worker.join()
        if failed:
            raise failed[0]
        written = place.with_suffix(ending) if ending else place
        files = written.iterdir() if written.is_dir() else [written]
        return sum(file.stat().st_size for file in files), time.perf_counter() - begun


def _try(write: Callable[[Path], object], place: Path, failed: list[Exception]) -> None:
    try:
        write(place)
    except Exception as error:  # noqa: BLE001 - raised where it is waited for
        failed.append(error)


@contextmanager
def _place() -> Iterator[Path]:
    """A path for a file or folder that is removed afterwards."""
    scratch = ScratchFolder()
    try:
        yield scratch.path / "trial"
    finally:
        scratch.remove()
