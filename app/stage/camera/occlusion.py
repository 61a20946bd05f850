"""Occlusion: the dark in corners and under arrows that the light of the sky does not reach, where it is asked for.

It needs a graphics card: drawn by Mesa's software (llvmpipe) no two pictures are alike, and some squares of 64 pixels
are garbage. Nor does it serve terrain, whose ground has no light on it: VTK's pass (9.7) reads normals there nobody
wrote. The soft shadows on tables, floors and slopes are there anyway. VTK's own switch on a renderer leaves the sky
away, so that the passes are put together here.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import pyvista as pv
from vtkmodules.vtkRenderingOpenGL2 import (
    vtkCameraPass,
    vtkOpaquePass,
    vtkOpenGLFXAAPass,
    vtkRenderStepsPass,
    vtkSSAOPass,
)

from app.stage.plotter import offscreen
from app.system.opengl import is_software
from physics.core.errors import ScenarioError
from physics.scenario.scenario import Scenario

REACH, BIAS = 0.6, 0.02  # how far away things darken one another, and less than which they do not, in sizes
DIRECTIONS = 96  # in which a point looks for what hides the sky


def refusal(scenario: Scenario, capabilities: Callable[[], str]) -> ScenarioError | None:
    """Why it cannot be had for a scenario where OpenGL has some capabilities; None: it can."""
    why = ""
    if scenario.ground is not None:
        why = f"serves motions without terrain, got '{scenario.kind}', whose ground is shaded anyway"
    elif is_software(capabilities()):
        why = "needs a graphics card; here OpenGL is drawn by software, which would leave garbage in the picture"
    return ScenarioError("view.occlusion", why) if why else None


@lru_cache(maxsize=1)
def capabilities() -> str:
    """Those of the OpenGL that draws pictures here; PhysicsError where there is none."""
    plotter = offscreen((16, 16), samples=0)
    try:
        assert plotter.render_window is not None  # it is until the plotter closes
        return str(plotter.render_window.ReportCapabilities())
    finally:
        plotter.close()


def shade(renderer: pv.Renderer, size: float) -> None:
    """Darken what is solid in a viewport where it is hidden from the sky; size [m] of what one looks at."""
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


def unshade(renderer: pv.Renderer) -> None:
    """Draw a viewport in one go again."""
    renderer.SetPass(None)
