"""A body on a table on the stage: what its caption says, and when a loss of energy is an error."""

from __future__ import annotations

import math

import numpy as np
import pytest
import pyvista as pv
from staging import example, finished, stage_of

from app.playback.run import Run
from app.stage.theme_colours import look_of
from app.theme import THEMES
from physics.analysis import toy_motion as table_motion
from physics.systems.toys.world import ToyWorld

pytestmark = pytest.mark.picture

LOOK = look_of(THEMES["dark"])


def caption(run: Run, time: float, plotter: pv.Plotter) -> str:
    """The numbers of the only lane at a time [s]."""
    stage = stage_of(run, plotter)
    stage.show(time)
    (_, scene), *_ = stage.describe().scenes
    text = "".join(part.text for part in scene.numbers(scene.track.pose(time), LOOK)).replace("\u2007", "")
    stage.close()
    return text


def test_the_caption_tells_tilt_spin_and_slip_of_a_top_that_friction_slows(plotter: pv.Plotter) -> None:
    run = finished(example("table-tippe-top", duration=0.6, schemes=("implicit",)))
    world, found = run.world, run.lanes[0].trajectory
    assert isinstance(world, ToyWorld)
    assert not world.lossless
    text = caption(run, 0.5, plotter)
    i = found.index(0.5)
    assert f"tilt {math.degrees(table_motion.tilt(found, world)[i]):.1f}°" in text
    assert f"spin {table_motion.spin_about_normal(found, world)[i]:.1f} rad/s" in text
    assert f"slip {np.linalg.norm(table_motion.slip(found, world)[i, :2]):.3f} m/s" in text
    assert "energy" not in text


def test_the_caption_tells_the_error_of_the_energy_of_a_disk_that_does_not_slip(plotter: pv.Plotter) -> None:
    run = finished(example("table-disk", duration=0.4, schemes=("implicit",)))
    assert isinstance(run.world, ToyWorld)
    assert run.world.lossless
    text = caption(run, 0.3, plotter)
    assert "energy error" in text
    assert "slip" not in text
    assert not ToyWorld.of(run.scenario.changed(**{"table.rolling_arm": 1e-4})).lossless
