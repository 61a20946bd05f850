"""Separation: the names of two angles never touch, and never jump."""

from __future__ import annotations

import numpy as np
import pyvista as pv

from app.stage.scenes.vessel import Angles
from tests.app.staging import example, finished, stage_of


def test_the_names_of_roll_and_pitch_do_not_touch_where_a_vessel_lies_on_its_side(plotter: pv.Plotter) -> None:
    run = finished(example("vessel-restoring", duration=3.0))
    plotter.render_window.SetSize(640, 360)
    stage = stage_of(run, plotter)
    touching = []
    for time in np.linspace(1.5, 2.2, 60):  # roll by 84 degrees
        stage.show(time)
        for view, scene in stage.describe().scenes:
            (angles,) = (part for part in scene.posed if isinstance(part, Angles))
            places, sizes = [], []
            for name in angles.names:
                size = [0.0, 0.0]
                name.GetSize(plotter.renderers[view], size)
                sizes.append(size)
                places.append(name.GetPositionCoordinate().GetComputedDoubleViewportValue(plotter.renderers[view]))
            if (np.abs(np.subtract(*places)) < np.mean(sizes, axis=0)).all():
                touching.append(time)
    assert touching == []
