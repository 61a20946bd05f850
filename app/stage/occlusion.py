"""Occlusion: the dark in corners and under arrows that the light of the sky does not reach, where it is asked for.

It takes a picture twice as long on a software renderer; the soft shadows on floor, water and ground are there anyway.
VTK's own switch on a renderer leaves the sky away (VTK 9.7), so that the passes are put together here.
"""

from __future__ import annotations

import pyvista as pv
from vtkmodules.vtkRenderingOpenGL2 import (
    vtkCameraPass,
    vtkOpaquePass,
    vtkOpenGLFXAAPass,
    vtkRenderStepsPass,
    vtkSSAOPass,
)

REACH, BIAS = 0.6, 0.02  # how far away things darken one another, and less than which they do not, in sizes
SAMPLES = 96


def shade(renderer: pv.Renderer, size: float) -> None:
    """Darken what is solid in a viewport where it is hidden from the sky; size [m] of what one looks at."""
    solid = vtkCameraPass()
    solid.SetDelegatePass(vtkOpaquePass())
    hidden = vtkSSAOPass()
    hidden.SetDelegatePass(solid)
    hidden.SetRadius(REACH * size)
    hidden.SetBias(BIAS * size)
    hidden.SetKernelSize(SAMPLES)
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
