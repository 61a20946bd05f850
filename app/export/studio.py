"""The studio: a stage without a window, from which pictures are taken at any simulated time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import numpy as np

from app.colours import Theme
from app.export import opengl
from app.interrupt import postponed
from app.run import Lane
from physics import World

Camera = Callable[[float], np.ndarray]  # simulated time [s] -> picture (height, width, 3), 8 bits a colour


@contextmanager
def studio(
    world: World,
    lanes: Sequence[Lane],
    *,
    size: tuple[int, int],
    theme: Theme,
    layout: str | None = None,
    camera: str | None = None,
) -> Iterator[Camera]:
    """A function that draws the world at a simulated time [s], in pixels of size (width, height).

    Layout, camera and overlays are the scenario's where none are given.
    """
    opengl.prepare()
    view = world.scenario.view
    with postponed():
        from pyvista.plotting.utilities.regression import image_from_window

        from app.stage import DEFAULT_OVERLAYS, Stage
        from app.stage.plotter import offscreen

        plotter = offscreen(size)
        stage = Stage(
            plotter,
            world,
            lanes,
            theme,
            layout=layout or view.layout or "side-by-side",
            camera=camera or view.camera or "fit",
            overlays=DEFAULT_OVERLAYS if view.overlays is None else view.overlays,
        )
        stage.wait()

    def take(time: float) -> np.ndarray:
        with postponed():
            stage.show(time)
            stage.render()
        return np.ascontiguousarray(image_from_window(plotter.render_window, ignore_alpha=True))

    try:
        yield take
    finally:
        stage.close()
        plotter.close()
