"""Cost of a frame of a film, beside the bare picture and its encoding: ``python -m tests.benchmarks.films``."""

from __future__ import annotations

import statistics
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

from app.bench import frames
from app.bench.comparison import Comparison, Say, compared, milliseconds
from app.playback.run import Lane, end_of
from physics import Scenario, World
from physics.io.trajectory_writers import scratch_folder

SIZE = (1280, 720)
SECONDS, FPS = 2.0, 30.0
ROUNDS = 5
LIMIT = 1.15


def run(say: Say = lambda text: None) -> dict[str, object]:
    """Measure a film of each scene; ``say`` gets a line for each."""
    table, begun = frames.each_scene(say, _measure, "until the first frame is drawn, once a film [ms]:")
    return {"films": table, "first_frame_ms": begun}


def _measure(name: str, scenario: Scenario) -> tuple[Comparison, float]:
    """What a frame after the first one costs, and how long that one takes [ms]."""
    from app.export.video import write_video

    world, lanes = frames.computed(scenario)
    speed = end_of(lanes) / SECONDS
    world = replace(world, scenario=scenario.changed(**{"export.size": SIZE, "export.fps": FPS, "export.speed": speed}))
    count = round(SECONDS * FPS)
    ours, theirs, begun = [], [], []
    with scratch_folder() as folder:
        write = folder
        for number in range(ROUNDS):
            drawn = [time.perf_counter()]
            write_video(world, lanes, write / f"{number}.mp4", lambda *_, at=drawn: at.append(time.perf_counter()))
            begun.append(1e3 * (drawn[1] - drawn[0]))
            ours.append(1e3 * (time.perf_counter() - drawn[1]) / (count - 1))
            theirs.append(_bare(world, lanes, write / f"bare-{number}.mp4", count - 1, speed) / (count - 1))
    comparison = compared(name, "bare picture and bare encoding", ours, theirs, limit=LIMIT)
    return comparison, statistics.median(begun)


def _bare(world: World, lanes: tuple[Lane, ...], path: Path, count: int, speed: float) -> float:
    """Time [ms] to draw the pictures and to fetch them, plus that to encode them; moving the actors does not count."""
    from pyvista.plotting.utilities.regression import image_from_window

    from app.stage.plotter import SAMPLES
    from app.system.ffmpeg import film

    pictures: list[np.ndarray] = []

    def encode() -> None:
        with film(path, ".mp4", SIZE, FPS, "bare", "") as sink:
            for picture in pictures:
                sink(picture)

    drawn = 0.0
    with frames.staged(world, lanes, SIZE, SAMPLES) as (stage, plotter):

        def take() -> None:
            stage.render()
            pictures.append(np.ascontiguousarray(image_from_window(plotter.render_window, ignore_alpha=True)))

        stage.wait()
        stage.render()  # the first picture takes the actors to the graphics card
        for number in range(1, count + 1):
            stage.show(number * speed / FPS)
            drawn += milliseconds(take)
    return drawn + milliseconds(encode)


if __name__ == "__main__":
    run(print)
