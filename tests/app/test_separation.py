"""Separation: the names of two angles never touch, and never jump."""

from __future__ import annotations

import numpy as np
import pyvista as pv
from staging import example, finished, stage_of

from app.stage.scenes.vessel import Angles
from app.stage.text.labels import apart

ROOM = np.array([40.0, 15.0])


def test_rectangles_that_are_brought_together_stay_apart_and_move_little_by_little() -> None:
    ways = np.column_stack([np.linspace(-100.0, 100.0, 2001), np.full(2001, 3.0)])
    places = np.stack([np.zeros_like(ways), ways], axis=1)
    moved = places + np.array([apart(place, ROOM) for place in places])
    between = np.abs(np.diff(moved, axis=1)[:, 0])
    assert ((between >= ROOM - 1e-9).any(axis=1)).all()
    np.testing.assert_array_equal(moved[0], places[0])
    assert np.abs(np.diff(moved, axis=0)).max() < 2.0  # they are brought together by 0.1 at a time


def test_names_in_one_place_stand_one_above_the_other() -> None:
    below, above = apart(np.zeros((2, 2)), ROOM)
    assert above[1] - below[1] >= ROOM[1]


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
    stage.close()
    assert touching == []
