"""A run as a video: simulated time frame by frame, each drawn, encoded and forgotten."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

import numpy as np

from app.colours import DARK, Theme
from app.export.ffmpeg import Sink, film, gif
from app.export.pictures import numbered
from app.export.recipe import recipe, title
from app.export.studio import Camera, studio
from app.run import Lane
from physics import ScenarioError, World
from physics.files import check_folder, check_output, replacing

ENDINGS = (".mp4", ".webm", ".gif")
FASTEST_GIF = 50  # frames a second: browsers slow down what is faster
PALETTE_SAMPLES = 12  # frames that are drawn in advance to choose the colours of a .gif


def check_video(path: str | Path, fps: float) -> Path:
    """The path, if a video can be written there; a name without ending is a folder of pictures."""
    path = Path(path)
    if path.suffix.lower() == ".gif" and fps > FASTEST_GIF:
        raise ScenarioError("--fps", f"a .gif shows at most {FASTEST_GIF} frames a second, got {fps:g}", path)
    if path.suffix and not path.is_dir():
        return check_output(path, ENDINGS)
    if path.is_file():
        raise ScenarioError("", "expected a new folder for pictures, or a name that ends in .mp4, .webm or .gif", path)
    if path.is_dir() and any(path.iterdir()):
        raise ScenarioError("", "cannot be written: the folder is not empty", path)
    check_folder(path)
    return path


def write_video(
    world: World,
    lanes: Sequence[Lane],
    path: str | Path,
    *,
    size: tuple[int, int] = (1920, 1080),
    fps: float = 30.0,
    speed: float = 1.0,
    theme: Theme = DARK,
    layout: str | None = None,
    camera: str | None = None,
    progress: Callable[[int, int], object] = lambda done, total: None,
) -> None:
    """Write the run of the lanes, until the last one ends, to a .mp4, .webm, .gif or to a folder of pictures.

    size : (width, height) [pixels]
    fps : frames a second
    speed : simulated seconds per second of the video
    layout, camera : ``"side-by-side" | "overlay"``, ``"fit" | "follow"``; the scenario's where None
    progress : called with the frames done and their total

    The file appears when it is complete; ScenarioError or PhysicsError, naming it, where it cannot.
    """
    path = check_video(path, fps)
    times = frame_times(max(float(lane.trajectory.time[-1]) for lane in lanes), fps, speed)
    with (
        replacing(path) as part,
        studio(world, lanes, size=size, theme=theme, layout=layout, camera=camera) as take,
        _sink(part, path, world, size, fps, take, times) as sink,
    ):
        for done, time in enumerate(times, start=1):
            sink(take(float(time)))
            progress(done, len(times))


def frame_times(duration: float, fps: float, speed: float) -> np.ndarray:
    """Simulated times (n,) [s] of the frames of a run of that duration [s]."""
    return np.arange(max(1, round(duration / speed * fps))) * (speed / fps)


def _sink(
    part: Path, path: Path, world: World, size: tuple[int, int], fps: float, take: Camera, times: np.ndarray
) -> AbstractContextManager[Sink]:
    """Where the frames go: by the ending of the name."""
    name, comment = title(world.scenario), recipe(world.scenario)
    suffix = path.suffix.lower()
    if suffix == ".gif":
        chosen = times[np.unique(np.linspace(0, len(times) - 1, PALETTE_SAMPLES).astype(int))]
        return gif(part, size, fps, (take(float(time)) for time in chosen))
    if suffix in ENDINGS:
        return film(part, suffix, size, fps, name, comment)
    return numbered(part, name, comment)
