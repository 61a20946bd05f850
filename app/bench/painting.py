"""A frame of both views of the window beside ``update()`` of VTK's own Qt widget with the same actors, in one run."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import perf_counter

import numpy as np

from app.bench.comparison import Say, answer, compared, milliseconds, told
from app.bench.frames import FRAMES, LIMIT, SIZE, computed, scenarios
from app.kinds import kind_of
from physics import Scenario

NODES, CELL = 1000, 2.0  # of the terrain that a rock falls on, along a side
LARGE = f"rock on {NODES} x {NODES}"
PATIENCE = 60.0  # [s] until a frame is drawn
SCENES = ("cuboid, four lanes", LARGE)


def run(say: Say = lambda text: None) -> dict[str, object]:
    """Measure four lanes of the cuboid, and a rock on a large terrain; needs a display (or xvfb-run)."""
    found, longest = [], {}
    for name in SCENES:
        times = answer("app.bench.painting", name, str(FRAMES))
        beside = "update() of VTK's widget, the same actors"
        found.append(compared(name, beside, times["picture"], times["theirs"], limit=LIMIT))
        found.append(compared(f"{name}, interactor", "the picture", times["interactor"], times["picture"]))
        longest[name] = max(times["picture"])
    table = told(say, found)
    for name, most in longest.items():
        say(f"{name:34}longest frame {most:.1f} ms")
    return {"frames": table, "longest": longest}


def _large(folder: str) -> Scenario:
    """A rock on a rough slope of many nodes, whose file is in a folder."""
    x = CELL * np.arange(NODES)
    across, along = np.meshgrid(x, x)
    heights = 1500.0 - 0.5 * across + 8.0 * np.sin(across / 60.0) * np.cos(along / 45.0)
    path = Path(folder) / "slope.asc"
    head = f"ncols {NODES}\nnrows {NODES}\nxllcorner 0\nyllcorner 0\ncellsize {CELL}\nNODATA_value -9999"
    np.savetxt(path, heights, fmt="%.2f", header=head, comments="")
    changes = {"terrain": {"file": str(path)}, "release.position": (300.0, 0.5 * NODES * CELL)}
    return scenarios()["rock-alpine"].changed(**changes, schemes=["implicit"], duration=20.0)


def main(name: str, frames: int) -> dict[str, list[float]]:
    """The times [ms] of each frame of both, in this process."""
    from PySide6.QtWidgets import QApplication, QWidget

    os.environ.pop("VTK_DEFAULT_OPENGL_WINDOW", None)  # both views in one process: none by EGL beside Qt's GLX
    app = QApplication(sys.argv[:1])
    import pyvista as pv
    import vtkmodules.qt

    vtkmodules.qt.PyQtImpl = "PySide6"
    from vtkmodules.qt.QVTKRenderWindowInteractor import QVTKRenderWindowInteractor

    from app.playback.run import end_of
    from app.stage import Stage
    from app.theme import DARK
    from app.window.view.interactor_viewport import InteractorViewport
    from app.window.view.picture_viewport import PictureViewport

    with tempfile.TemporaryDirectory() as folder:
        world, lanes = computed(_large(folder) if name == LARGE else scenarios()[name])
    end = end_of(lanes)
    holders, bare = (QWidget(), QWidget()), QVTKRenderWindowInteractor()
    view, shown = PictureViewport(holders[0]), InteractorViewport(holders[1])
    for widget in (*holders, view, shown, bare):
        widget.resize(*SIZE)
        widget.show()
    for port in (view, shown):
        port.fit_size()
    bare.Initialize()

    class Bare:
        """What a stage asks of a plotter."""

        render_window = bare.GetRenderWindow()
        renderers = tuple(pv.Renderer(view.plotter) for _ in range(4))

    Bare.render_window.SetMultiSamples(0)
    for renderer in Bare.renderers:
        Bare.render_window.AddRenderer(renderer)
    drawn: list[int] = []
    Bare.render_window.AddObserver("EndEvent", lambda *_: drawn.append(1))
    kind = kind_of(world.scenario).scene()
    ports = {"picture": view, "interactor": shown}
    stages = {which: Stage(port.plotter, world, lanes, DARK, kind) for which, port in ports.items()}
    same = Stage(Bare(), world, lanes, DARK, kind)
    for stage in (*stages.values(), same):
        stage.wait()

    def wait(count: Callable[[], int]) -> None:
        before, began = count(), perf_counter()
        while count() == before:
            app.processEvents()
            if perf_counter() - began > PATIENCE:
                raise RuntimeError(f"no frame was drawn in {PATIENCE:g} s")

    def ours(which: str, time: float) -> None:
        stages[which].show(time)
        ports[which].draw()
        wait(lambda: ports[which].pictures)

    def theirs() -> None:
        bare.update()
        wait(lambda: len(drawn))

    times: dict[str, list[float]] = {"picture": [], "interactor": [], "theirs": []}
    for time in np.linspace(0.0, end, frames + 3).tolist():
        for which in stages:
            times[which].append(milliseconds(partial(ours, which, time)))
        same.show(time)
        times["theirs"].append(milliseconds(theirs))
    for stage in (*stages.values(), same):
        stage.close()
    return {which: taken[3:] for which, taken in times.items()}


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1], int(sys.argv[2]))))
