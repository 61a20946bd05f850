"""The plotters that a stage can stand on: their settings, and one without a display."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from time import perf_counter
from typing import Any, Protocol

from pyvista import Plotter, Renderer, vtk_verbosity  # by name: else the first plotter loads what draws
from vtkmodules.vtkFiltersSources import vtkSphereSource
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper, vtkRenderer

from app.system.opengl import is_software
from physics import PhysicsError

# Four renderers in a row: the stage gives them their places. It also brings its own lights.
SETTINGS: dict[str, Any] = {"shape": (1, 4), "border": False, "lighting": "none"}

SAMPLES = 4  # for smooth edges, where a graphics card draws
PROBE = (1280, 720)  # [pixels] of the picture that is timed
BLIND = (
    "no OpenGL to draw with; on Debian and Ubuntu: apt install libegl1 libgl1-mesa-dri; "
    "'polhode run' and 'polhode ensemble' need none"
)


class PlotterLike(Protocol):
    """What a stage asks of a plotter: a window of VTK, and the renderers in it."""

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
    os.environ.setdefault("ALLOW_PLOTTING", "true")  # else PyVista asks another process for a display
    with vtk_verbosity("off"):  # what is missing is told in one sentence
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
        shaded = any(renderer.GetPass() for renderer in plotter.renderers)  # see app.stage.camera.occlusion
        if window.GetMultiSamples() != (samples := 0 if shaded else SAMPLES):
            window.SetMultiSamples(samples)

    tag = window.AddObserver("EndEvent", decide)


def facts(window: Any) -> list[str]:
    """What a render window says of its OpenGL: who made it, what draws, its version."""
    lines = str(window.ReportCapabilities()).splitlines()
    return [line.strip() for line in lines if line.startswith(("OpenGL vendor", "OpenGL renderer", "OpenGL version"))]


def frame_time(plotter: PlotterLike) -> float:
    """How long [s] a picture of PROBE of a sphere of 20 000 triangles with smooth edges takes, its shaders compiled.

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
