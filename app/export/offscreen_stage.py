"""The offscreen stage: a stage without a window, which draws pictures of any simulated time; and single pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np
from PIL import Image

from app.document.look import Look
from app.document.recipe import recipe, theme_of, title
from app.export.png import write_png
from app.kinds import kind_of, layers
from app.playback.headline import Headline, headline_of
from app.playback.run import Lane, end_of
from app.plots.film_charts import Charts, divided
from app.system import opengl
from app.system.signals import postponed
from physics import PhysicsError, Scenario, ScenarioError, World
from physics.core.jit import room
from physics.core.wording import N_
from physics.io.trajectory_writers import check_output, replacing

if TYPE_CHECKING:
    import pyvista as pv


Camera = Callable[[float], np.ndarray]  # simulated time [s] -> picture (height, width, 3 or 4), 8 bits a colour


# addresses [bytes] that drawing takes, measured with Mesa: its libraries, and buffers of several samples a pixel
LIBRARIES, PIXEL = 600_000_000, 100
FAR = 1e15  # [m] from the origin, and the largest radius of a body, that can be drawn
WORDS, FLOOR = ("labels", "numbers"), ("grid",)  # overlays
REDUCED = 2  # a fine picture is drawn so many times larger, then reduced


def check_room(size: tuple[int, int]) -> None:
    """PhysicsError where a picture of that size does not fit a limit of memory: OpenGL would end the process."""
    need = LIBRARIES + PIXEL * size[0] * size[1]
    if (left := room()) < need:
        takes = N_("a picture of {size} x {size2} pixels takes {need:.1f} GB", size[0], size[1], need / 1e9)
        found = N_("{left:.1f} GB are left (ulimit -v)", max(left, 0) / 1e9)
        raise PhysicsError(N_("not enough memory: {takes}, and {found}; expected a smaller size", takes, found))


def check_drawable(world: World, lanes: Sequence[Lane]) -> None:
    """Raise an error where ``studio`` could not draw: see ``check_room`` and ``check_extent``."""
    wide, high = (_factor(world.scenario) * side for side in world.scenario.export.size)
    check_room((wide, high))
    check_extent(world, lanes)


def check_extent(world: World, lanes: Sequence[Lane]) -> None:
    """ScenarioError where a body, or the places that it reaches, are too large or too small to be drawn.

    Numbers of a drawing have 32 bits, and so have their squares.
    """
    radius, far = world.body.radius, max(float(np.abs(lane.trajectory.position).max(initial=0.0)) for lane in lanes)
    if not 1.0 / FAR < radius < FAR:
        message = N_(
            "a body with a radius of {radius:.3g} m cannot be drawn; expected {far:g} to {far2:g} m",
            radius,
            1 / FAR,
            FAR,
        )
        raise ScenarioError("body", message)
    if not far < FAR:
        message = N_(
            "the body is up to {far:.3g} m from the origin; expected less than {far2:g} m to draw it", far, FAR
        )
        raise ScenarioError("initial", message)


def _factor(scenario: Scenario) -> int:
    return REDUCED if scenario.export.quality == "fine" else 1


@contextmanager
def studio(
    world: World, lanes: Sequence[Lane], *, transparent: bool = False, headline: Headline | None = None
) -> Iterator[Camera]:
    """A function that draws the world at a simulated time [s] as the scenario's view and export tables say.

    transparent : pictures have an opacity, and no sky; headline : see Stage
    """
    scenario = world.scenario
    export = scenario.export
    check_drawable(world, lanes)
    view, strip = divided(export.size, export.plots)
    charts = None if strip is None else Charts(world, lanes, theme_of(scenario), strip, export.plots)
    with staged(world, lanes, view, transparent, headline) as (stage, shoot):
        keyframes = stage.keyframes()

        def take(time: float) -> np.ndarray:
            with postponed():
                if keyframes is None:
                    stage.orbit(export.orbit * (time - export.first) / export.speed)
                    stage.show(time)
                else:
                    stage.show_keyframe(keyframes, time)
                picture = shoot()
            return picture if charts is None else charts.beside(picture, time)

        yield take


@contextmanager
def staged(
    world: World,
    lanes: Sequence[Lane],
    size: tuple[int, int],
    transparent: bool = False,
    headline: Headline | None = None,
) -> Iterator[tuple[Any, Callable[[], np.ndarray]]]:
    """A stage on a plotter of its own, and a function that draws and reads its picture."""
    opengl.prepare()
    scenario = world.scenario
    look = Look.of(scenario)
    with postponed():
        from app.stage import Stage
        from app.stage.camera.keyframes import viewpoint_of
        from app.stage.plotter import SAMPLES, offscreen

        factor = _factor(scenario)
        plotter = offscreen([factor * n for n in size], 0 if scenario.export.quality == "draft" else SAMPLES)
        stage = Stage(
            plotter,
            world,
            lanes,
            theme_of(scenario),
            kind_of(scenario).scene(),
            layout=look.layout,
            camera=look.camera,
            overlays=overlays(scenario),
            headline=headline,
        )

        window: Any = plotter.render_window  # typed as None too, which it is once the plotter is closed
        window.SetSwapBuffers(False)  # else VTK merges the samples of all pixels and of their depths: 75 ms at 1080p

    def shoot() -> np.ndarray:
        picture = _picture(window, factor, transparent)
        return _straight(picture) if transparent else picture

    try:
        with postponed():
            if look.viewpoint is not None:
                stage.look(viewpoint_of(look.viewpoint, world, look.camera))
            stage.wait()
            if stage.fault is not None:
                raise stage.fault
            for one in layers():
                one.lay(stage, world)
            if transparent:
                _clear(plotter)
        yield stage, shoot
    finally:
        stage.close()
        plotter.close()


def _picture(window: Any, reduced: int, transparent: bool) -> np.ndarray:
    """Picture (height, width, 3 or 4) of a window, 8 bits a colour, ``reduced`` times smaller."""
    from vtkmodules.vtkCommonCore import vtkUnsignedCharArray

    window.Render()
    wide, high = window.GetSize()
    pixels = vtkUnsignedCharArray()
    read = window.GetRGBACharPixelData if transparent else window.GetPixelData
    read(0, 0, wide - 1, high - 1, 0, pixels, 0)
    picture = np.ascontiguousarray(np.asarray(pixels).reshape(high, wide, -1)[::-1])
    return np.asarray(Image.fromarray(picture).reduce(reduced)) if reduced > 1 else picture


def _clear(plotter: pv.Plotter) -> None:
    """Draw no sky: what is empty gets no opacity."""
    assert plotter.render_window is not None  # it is until the plotter closes
    plotter.render_window.SetAlphaBitPlanes(1)
    for renderer in plotter.renderers:
        renderer.SetGradientBackground(False)
        renderer.SetBackground(0.0, 0.0, 0.0)
        renderer.SetBackgroundAlpha(0.0)


def overlays(scenario: Scenario) -> tuple[str, ...]:
    """Names of the overlays of a picture, page or model, without those that the export table leaves out."""
    from app.stage import DEFAULT_OVERLAYS

    chosen = Look.of(scenario).overlays
    names = DEFAULT_OVERLAYS if chosen is None else chosen
    if scenario.export.content == "bodies":
        return ()
    left = {*(() if scenario.export.worded else WORDS), *(FLOOR if scenario.export.content == "lines" else ())}
    return tuple(name for name in names if name not in left)


def _straight(picture: np.ndarray) -> np.ndarray:
    """Colours (height, width, 4) that OpenGL has multiplied with their opacity, not multiplied, for files."""
    opacity = picture[..., 3:].astype(float) / 255.0
    colour = picture[..., :3] / np.maximum(opacity, 1.0 / 255.0)
    return np.concatenate([np.minimum(colour, 255.0).round().astype(np.uint8), picture[..., 3:]], axis=2)


def write_image(world: World, lanes: Sequence[Lane], path: str | Path) -> None:
    """Write a .png of the lanes as the scenario's view and export tables say.

    The file appears when it is complete; ScenarioError or PhysicsError, naming it, where it cannot.
    """
    path = check_output(path, (".png",))
    with replacing(path) as part:
        draw_image(world, lanes, part)


def draw_image(world: World, lanes: Sequence[Lane], file: Path | BinaryIO) -> None:
    """Write the picture of ``write_image`` to a file or stream, without a temporary file."""
    export = world.scenario.export
    time = end_of(lanes) if export.time is None else export.time
    headline = None if export.transparent else headline_of(world.scenario, lanes)
    with studio(world, lanes, transparent=export.transparent, headline=headline) as take:
        write_png(file, take(time), title(world.scenario), recipe(world.scenario))
