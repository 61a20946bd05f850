"""One moment as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

from app.document.recipe import recipe, title
from app.export.offscreen_stage import studio
from app.export.png import write_png
from app.playback.run import Lane, end_of
from physics import World
from physics.io.trajectory_writers import check_output, replacing


def write_image(world: World, lanes: Sequence[Lane], path: str | Path) -> None:
    """Write a .png of the lanes as the scenario's view and export tables say.

    The file appears when it is complete; ScenarioError or PhysicsError, naming it, where it cannot.
    """
    path = check_output(path, (".png",))
    with replacing(path) as part:
        draw_image(world, lanes, part)


def draw_image(world: World, lanes: Sequence[Lane], file: Path | BinaryIO) -> None:
    """The same into a file as it is."""
    export = world.scenario.export
    time = end_of(lanes) if export.time is None else export.time
    with studio(world, lanes, transparent=export.transparent) as take:
        write_png(file, take(time), title(world.scenario), recipe(world.scenario))
