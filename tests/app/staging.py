"""Finished runs, stages on them, and what their pictures show."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyvista as pv
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkRenderingCore import vtkWindowToImageFilter

import assets
from app.kinds import kind_of
from app.playback.headline import headline_of
from app.playback.run import Lane, Run
from app.plots.files import ChartPlace, draw_panels
from app.plots.film_charts import arranged
from app.stage import Stage
from app.stage.text.labels import projected
from app.theme import THEMES
from physics import Scenario, World, load_scenario
from physics.simulation.schedule import Schedule
from tests.small import rock

_THROWN = {"terrain": {"profile": "ramp"}, "initial": {"velocity": [1.0, 0.0, -0.84]}}
FALL = rock(title="Short fall", duration=4.0, step=0.002, record_every=5, schemes=["explicit", "implicit"], **_THROWN)


def example(name: str, **changes: object) -> Scenario:
    """A scenario that comes with the program."""
    return load_scenario(assets.SCENARIOS / f"{name}.toml").changed(**changes)


def finished(scenario: Scenario) -> Run:
    run = Run(Schedule.of(scenario)).start()
    run.join()
    assert run.error is None
    return run


def left_at(lane: Lane, degrees: float) -> float | None:
    """Time [s] of the first state of a lane that is more than so many degrees off the true motion."""
    off = np.flatnonzero(lane.truth.degrees_off(lane.trajectory) > degrees)
    return float(lane.trajectory.time[off[0]]) if len(off) else None


def stage_of(run: Run, plotter: pv.Plotter, theme: str = "dark", **how: str) -> Stage:
    said = headline_of(run.scenario, run.lanes)
    return Stage(plotter, run.world, run.lanes, THEMES[theme], kind_of(run.scenario).scene(), headline=said, **how)


def picture(stage: Stage, plotter: pv.Plotter, time: float) -> np.ndarray:
    stage.show(time)
    stage.render()
    reader = vtkWindowToImageFilter()
    reader.SetInput(plotter.render_window)
    reader.ReadFrontBufferOff()
    reader.ShouldRerenderOff()
    reader.Update()
    image = reader.GetOutput()
    wide, high, _ = image.GetDimensions()
    return vtk_to_numpy(image.GetPointData().GetScalars()).reshape(high, wide, -1)[::-1].astype(int)


def pixel(stage: Stage, point: np.ndarray) -> tuple[float, float]:
    """Pixel of the picture, from its upper left corner, at which the first viewport shows a point [m]."""
    renderer = stage.describe().renderers[0]
    ((u, v),), _ = projected(renderer, point[None])
    (left, low), high = renderer.GetOrigin(), renderer.GetRenderWindow().GetSize()[1]
    return left + u, high - 1 - low - v


def close_to(colour: str, pixels: np.ndarray, within: float = 60.0) -> int:
    return int((np.linalg.norm(pixels - np.array(pv.Color(colour).int_rgb), axis=2) < within).sum())


def props(plotter: pv.Plotter) -> list[int]:
    return [renderer.GetViewProps().GetNumberOfItems() for renderer in plotter.renderers]


def in_a_row(world: World, lanes: Sequence[Lane]) -> tuple[ChartPlace, ...]:
    """The usual charts of films of 1280 x 720, under the view."""
    size = (1280, 210)
    return draw_panels(world, lanes, THEMES["light"], size, 1.0, *arranged(world, size, "under"))[1]
