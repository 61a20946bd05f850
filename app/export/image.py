"""One moment as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from app.colours import DARK, Theme
from app.export.pictures import write_png
from app.export.recipe import recipe, title
from app.export.studio import studio
from app.run import Lane
from physics import World
from physics.files import check_output, replacing


def write_image(
    world: World,
    lanes: Sequence[Lane],
    path: str | Path,
    *,
    time: float | None = None,
    size: tuple[int, int] = (1920, 1080),
    theme: Theme = DARK,
    layout: str | None = None,
    camera: str | None = None,
) -> None:
    """Write a .png of size (width, height) [pixels] of the lanes at a simulated time [s], the end if None.

    Layout (``"side-by-side" | "overlay"``) and camera (``"fit" | "follow"``) are the scenario's where None.
    """
    path = check_output(path, (".png",))
    if time is None:
        time = max(float(lane.trajectory.time[-1]) for lane in lanes)
    with (
        replacing(path) as part,
        studio(world, lanes, size=size, theme=theme, layout=layout, camera=camera) as take,
    ):
        write_png(part, take(time), title(world.scenario), recipe(world.scenario))
