"""Plotters for a stage: their settings, one without a display, the layout of their viewports, and ambient occlusion.

Occlusion darkens corners that the light of the sky does not reach, where the scenario wants it. It needs a graphics
card: drawn by Mesa's software (llvmpipe) no two pictures are alike, and some squares of 64 pixels are garbage. Nor does
it serve terrain, whose ground has no light on it: VTK's pass (9.7) reads unwritten normals there. VTK's own switch
on a renderer leaves out the sky, so the passes are put together here.
"""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from time import perf_counter
from typing import Any, Protocol

import pyvista as pv
from pyvista import Plotter, Renderer, vtk_verbosity  # by name: else the first plotter loads what draws
from vtkmodules.vtkFiltersSources import vtkSphereSource
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper, vtkRenderer
from vtkmodules.vtkRenderingOpenGL2 import (
    vtkCameraPass,
    vtkOpaquePass,
    vtkOpenGLFXAAPass,
    vtkRenderStepsPass,
    vtkSSAOPass,
)

from app.playback.run import BEFORE
from app.system.opengl import is_software
from physics import PhysicsError
from physics.core.errors import ScenarioError
from physics.core.wording import N_
from physics.scenario.scenario import Scenario

MOST_VIEWS = 8  # viewports beside each other
FEW = 4  # lanes that have viewports of their own even where some are of the run before an edit
STEADY = 0.75  # share of the largest possible side at which viewports keep their columns

Size = tuple[float, float]  # width and height [pixels]
Box = tuple[float, float, float, float]  # left, lower, right and upper edge of a part of a viewport [pixels]


def arrange(
    renderers: Sequence[pv.Renderer],
    views: int,
    size: tuple[int, int],
    before: int = 0,
    head: int = 0,
    foot: float = 0.0,
) -> int:
    """Give the first renderers viewports in which bodies are as large as the picture's size allows; the others rest.

    Viewports in several rows are all as high, below the headline. Returns the columns.
    before : those in which they stand, kept unless others are much better; 0: in none yet
    head, foot : depth of the headline, and height of the lines of a viewport's lanes [pixels]
    """

    def shorter(columns: int) -> float:
        return min(size[0] / columns, (size[1] - head) / math.ceil(views / columns) - foot)

    columns = max(range(1, views + 1), key=shorter)
    if 1 <= before <= views and shorter(before) >= STEADY * shorter(columns):
        columns = before
    rows = math.ceil(views / columns)
    high = (1.0 - head / size[1] if rows > 1 else 1.0) / rows
    for number, renderer in enumerate(renderers):
        used = number < views
        renderer.SetDraw(used)
        renderer.SetInteractive(used)
        row = number // columns if used else 0
        # the last row may hold fewer
        i, n = (number % columns, min(columns, views - row * columns)) if used else (0, 1)
        low = (rows - 1 - row) * high
        renderer.SetViewport(i / n, low, (i + 1) / n, low + high)
    return columns


def sheet_over(window: Any) -> Any:
    """A renderer for flat pictures over all of a window with two layers."""
    sheet = vtkRenderer()
    sheet.SetLayer(1)
    sheet.SetInteractive(False)
    sheet.SetPreserveDepthBuffer(True)
    window.AddRenderer(sheet)
    return sheet


def viewport_under(renderers: Sequence[pv.Renderer], x: float, y: float) -> tuple[pv.Renderer, float, float] | None:
    """The viewport at a pixel of the picture from its upper left corner, and the pixel from its own lower left one."""
    for renderer in renderers:
        (left, low), (wide, high) = renderer.GetOrigin(), renderer.GetSize()
        u, v = x - left, renderer.GetRenderWindow().GetSize()[1] - 1 - y - low
        if 0 <= u < wide and 0 <= v < high:
            return renderer, u, v
    return None


def panes(names: Sequence[str], *, overlaid: bool) -> list[int]:
    """The viewport of each lane, by its scheme: one each; beyond FEW, one before an edit is with the one after."""
    if overlaid or len(names) <= FEW:
        return [0 if overlaid else number for number in range(len(names))]
    known = list(dict.fromkeys(name.rstrip(BEFORE) for name in names))
    views = min(len(known), MOST_VIEWS)
    return [known.index(name.rstrip(BEFORE)) * views // len(known) for name in names]


# All renderers in a row: the stage gives them their places. It also brings its own lights.
SETTINGS: dict[str, Any] = {"shape": (1, MOST_VIEWS), "border": False, "lighting": "none"}

SAMPLES = 4  # per pixel, for smooth edges where a graphics card draws
PROBE = (1280, 720)  # size of the timed picture [pixels]
BLIND = N_(
    "no OpenGL found; on Debian and Ubuntu: apt install libegl1 libgl1-mesa-dri; 'polhode "
    "run' and 'polhode ensemble' need none"
)


class PlotterLike(Protocol):
    """A window of VTK and the renderers in it."""

    @property
    def render_window(self) -> Any: ...
    @property
    def renderers(self) -> Iterable[Renderer]: ...


def offscreen(size: Sequence[int], samples: int = SAMPLES) -> Plotter:
    """A plotter that draws pictures of size (width, height) [pixels] without a window and without a display.

    samples : for smooth edges; 0 draws about three times as fast where no graphics card helps.
    Raises PhysicsError where there is no OpenGL: VTK would end the whole process at the first picture.
    """
    if sys.platform == "linux" and not os.environ.get("DISPLAY"):
        os.environ.setdefault("VTK_DEFAULT_OPENGL_WINDOW", "vtkEGLRenderWindow")  # else VTK warns that X is missing
    os.environ.setdefault("ALLOW_PLOTTING", "true")  # else PyVista starts another process to look for a display
    with vtk_verbosity("off"):  # BLIND says in one sentence what is missing
        plotter = Plotter(off_screen=True, window_size=[int(n) for n in size], **SETTINGS)
        window = plotter.render_window
        assert window is not None  # it is until the plotter closes
        window.SetMultiSamples(samples)
        window.Initialize()
    if not window.GetInitialized():
        plotter.close()
        raise PhysicsError(BLIND)
    return plotter


def smooth_if_hardware(plotter: PlotterLike) -> None:
    """Smooth the edges from the second picture on, if a graphics card draws: in software it costs too much.

    Looked at after each picture: stages come and go, and one with occlusion draws without samples.
    """
    window, drawn = plotter.render_window, 0

    def decide(*_: object) -> None:
        nonlocal drawn
        drawn += 1
        if drawn == 1 and is_software(window.ReportCapabilities()):
            window.RemoveObserver(tag)
            return
        shaded = any(renderer.GetPass() for renderer in plotter.renderers)  # see shade
        if window.GetMultiSamples() != (samples := 0 if shaded else SAMPLES):
            window.SetMultiSamples(samples)

    tag = window.AddObserver("EndEvent", decide)


def opengl_facts(window: Any) -> list[str]:
    """Vendor, renderer and version of the OpenGL of a render window."""
    lines = str(window.ReportCapabilities()).splitlines()
    return [line.strip() for line in lines if line.startswith(("OpenGL vendor", "OpenGL renderer", "OpenGL version"))]


def frame_time(plotter: PlotterLike) -> float:
    """Time [s] to draw a picture of PROBE of a sphere of 20 000 triangles with smooth edges, its shaders compiled.

    The quickest of three: beside three more programs that were starting, one on an H200 took over 8 ms, alone 3 ms.
    The plotter must not be shown meanwhile; it is left as it was.
    """
    window, renderer, source = plotter.render_window, vtkRenderer(), vtkSphereSource()
    source.SetThetaResolution(100)
    source.SetPhiResolution(100)
    mapper, actor = vtkPolyDataMapper(), vtkActor()
    mapper.SetInputConnection(source.GetOutputPort())
    actor.SetMapper(mapper)
    renderer.AddActor(actor)
    size, samples = window.GetSize(), window.GetMultiSamples()
    window.SetSize(*PROBE)
    window.SetMultiSamples(SAMPLES)
    window.AddRenderer(renderer)
    times = []
    for _ in range(4):
        began = perf_counter()
        window.Render()
        window.WaitForCompletion()
        times.append(perf_counter() - began)
    window.RemoveRenderer(renderer)
    window.SetMultiSamples(samples)
    window.SetSize(*size)
    return min(times[1:])


REACH, BIAS = 0.6, 0.02  # longest and shortest distance at which surfaces darken each other, in sizes
DIRECTIONS = 96  # samples of the sky above each point


def refusal(scenario: Scenario, capabilities: Callable[[], str]) -> ScenarioError | None:
    """Reason why occlusion is not available for a scenario with these capabilities of OpenGL; None if it is."""
    why = ""
    if scenario.ground is not None:
        why = N_("applies to motions without terrain, got '{kind}', whose ground is shaded anyway", scenario.kind)
    elif is_software(capabilities()):
        why = N_("needs a graphics card; here OpenGL is drawn by software, which would leave garbage in the picture")
    return ScenarioError("view.occlusion", why) if why else None


@lru_cache(maxsize=1)
def capabilities() -> str:
    """Capabilities of the OpenGL that draws pictures here; PhysicsError where there is none."""
    plotter = offscreen((16, 16), samples=0)
    try:
        assert plotter.render_window is not None  # it is until the plotter closes
        return str(plotter.render_window.ReportCapabilities())
    finally:
        plotter.close()


def shade(renderer: pv.Renderer, size: float) -> None:
    """Darken solid surfaces of a viewport where they are hidden from the sky; size [m] of the subject."""
    solid = vtkCameraPass()
    solid.SetDelegatePass(vtkOpaquePass())
    hidden = vtkSSAOPass()
    hidden.SetDelegatePass(solid)
    hidden.SetRadius(REACH * size)
    hidden.SetBias(BIAS * size)
    hidden.SetKernelSize(DIRECTIONS)
    hidden.BlurOn()
    steps = vtkRenderStepsPass()
    steps.SetOpaquePass(hidden)
    smooth = vtkOpenGLFXAAPass()
    smooth.SetDelegatePass(steps)
    renderer.SetPass(smooth)
    renderer.GetRenderWindow().SetMultiSamples(0)  # it does not reach into passes, and after them all is black
