"""What a frame of a film costs: beside the bare picture plus the bare encoding of as many pictures."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np

from app.bench import frames
from app.bench.compare import Comparison, Say, compared, milliseconds, told
from app.run import Lane
from physics import Scenario, World

SIZE = (1280, 720)
SECONDS, FPS = 2.0, 30.0
ROUNDS = 5
LIMIT = 1.2


def run(say: Say = lambda text: None) -> list[dict[str, object]]:
    """Measure a film of each scene; ``say`` gets a line for each."""
    return told(say, [_measure(name, scenario) for name, scenario in frames.scenarios().items()])


def _measure(name: str, scenario: Scenario) -> Comparison:
    from app.export.video import write_video

    world, lanes = frames.computed(scenario)
    speed = max(float(lane.trajectory.time[-1]) for lane in lanes) / SECONDS
    world = replace(world, scenario=scenario.changed(**{"export.size": SIZE, "export.fps": FPS, "export.speed": speed}))
    count = round(SECONDS * FPS)
    ours, theirs = [], []
    with tempfile.TemporaryDirectory() as folder:
        write = Path(folder)
        for number in range(ROUNDS):
            film = write / f"{number}.mp4"
            whole = milliseconds(lambda at=film: write_video(world, lanes, at))
            ours.append(whole / count)
            theirs.append(_bare(world, lanes, write / f"bare-{number}.mp4", count, speed) / count)
    return compared(name, "bare picture and bare encoding", ours, theirs, limit=LIMIT)


def _bare(world: World, lanes: tuple[Lane, ...], path: Path, count: int, speed: float) -> float:
    """Time [ms] to draw the pictures and to fetch them, plus that to encode them; moving the actors does not count."""
    from pyvista.plotting.utilities.regression import image_from_window

    from app.export.ffmpeg import film
    from app.stage.plotter import SAMPLES

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

        for number in range(count):
            stage.show(number * speed / FPS)
            drawn += milliseconds(take)
    return drawn + milliseconds(encode)
