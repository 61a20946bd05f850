"""The plotters that a stage can stand on: their settings, and one without a display."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any

import pyvista as pv

# Four renderers in a row: the stage gives them their places. It also brings its own lights.
SETTINGS: dict[str, Any] = {"shape": (1, 4), "border": False, "lighting": "none"}

SAMPLES = 4  # for smooth edges, where a graphics card draws


def offscreen(size: Sequence[int], samples: int = SAMPLES) -> pv.Plotter:
    """A plotter that draws pictures of size (width, height) [pixels] without a window and without a display.

    samples : for smooth edges; 0 draws about three times as fast where no graphics card helps.
    """
    if sys.platform == "linux" and not os.environ.get("DISPLAY"):
        os.environ.setdefault("VTK_DEFAULT_OPENGL_WINDOW", "vtkEGLRenderWindow")  # else VTK warns that X is missing
    plotter = pv.Plotter(off_screen=True, window_size=[int(n) for n in size], **SETTINGS)
    plotter.render_window.SetMultiSamples(samples)
    return plotter


def smooth_if_hardware(plotter: pv.BasePlotter) -> None:
    """Smooth the edges from the second picture on, if a graphics card draws: in software it costs too much."""
    window = plotter.render_window

    def decide(*_: object) -> None:
        window.RemoveObserver(tag)
        shaded = any(renderer.GetPass() for renderer in plotter.renderers)  # see app.stage.occlusion
        if not shaded and not is_software(window.ReportCapabilities()):
            window.SetMultiSamples(SAMPLES)

    tag = window.AddObserver("EndEvent", decide)


def is_software(capabilities: str) -> bool:
    """Whether the OpenGL capabilities, as VTK reports them, are those of a software renderer."""
    text = capabilities.lower()
    return any(name in text for name in ("llvmpipe", "softpipe", "swrast", "software rasterizer", "gdi generic"))
