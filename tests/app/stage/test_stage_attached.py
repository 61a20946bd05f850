"""Tops stand on their tips, ships lie in their water, and nobody misses a spin that torque may change."""

from __future__ import annotations

import numpy as np
import pytest
import pyvista as pv

from app.playback.run import Run
from app.stage.bodies.arrows import Loss
from app.stage.bodies.floor import Equator, Floor
from app.stage.bodies.sea import Foam, Sea
from app.stage.scenes.top import Circle, axis_length, is_cone
from app.stage.scenes.vessel import Angles, Dial, Heading, Start
from app.stage.theme_colours import look_of
from app.theme import THEMES
from physics.core.rotation import yaw_pitch_roll
from tests import small
from tests.app.staging import close_to, example, finished, picture, stage_of

pytestmark = pytest.mark.picture


@pytest.fixture(scope="module")
def vessel() -> Run:
    return finished(example("vessel-damped"))


# ---- tops ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("time", [0.0, 0.1234567, 0.7, 1.9999, 2.0])
def test_the_tip_stays_on_the_floor(top: Run, plotter: pv.Plotter, time: float) -> None:
    stage = stage_of(top, plotter)
    stage.show(time)
    size = axis_length(top.world)
    for _, scene in stage.describe().scenes:
        drawn, mesh = scene.body.actor.user_matrix, scene.body.actor.mapper.GetInput()
        assert np.linalg.norm((drawn @ np.r_[-top.world.arm, 1.0])[:3]) < 1e-6 * size
        corners = mesh.points @ drawn[:3, :3].T + drawn[:3, 3]
        assert np.linalg.norm(corners, axis=1).min() < 1e-6 * size  # the cone's own tip
        assert corners[:, 2].min() > -0.03 * size  # nothing holds the rim up when a scheme lets the top lean further
    (floor, *_) = [part for _, part in stage.describe().parts if isinstance(part, Floor)]
    assert floor.props[0].bounds[4:] == (0.0, 0.0)


def test_the_axis_of_a_steady_top_is_held_against_the_exact_circle(top: Run, plotter: pv.Plotter) -> None:
    stage = stage_of(top, plotter)
    stage.show(2.0)
    lean, size = top.scenario.initial.nutation, axis_length(top.world)
    circles = [part for _, part in stage.describe().parts if isinstance(part, Circle)]
    assert len(circles) == 2
    points = np.array(circles[0].line.points, float)
    np.testing.assert_allclose(points[:, 2], size * np.cos(lean), rtol=1e-6)
    np.testing.assert_allclose(np.hypot(points[:, 0], points[:, 1]), size * np.sin(lean), rtol=1e-6)
    quaternion, director = (scene.traces[0].points[:, 2].min() / size for _, scene in stage.describe().scenes)
    assert np.cos(lean) - quaternion == pytest.approx(0.086, abs=0.01)  # leaves the circle: it leans by 65.5 degrees
    assert np.cos(lean) - director == pytest.approx(0.0102, abs=0.002)  # 60.7 degrees


def test_a_top_that_need_not_be_steady_has_no_circle(top: Run, plotter: pv.Plotter) -> None:
    scenario = top.scenario.changed(**{"initial.spin": 100.0}, duration=0.2)
    stage = stage_of(finished(scenario), plotter)
    stage.show(0.2)
    assert not any(isinstance(part, Circle) for _, part in stage.describe().parts)


def test_the_path_ends_where_the_stem_does(top: Run, plotter: pv.Plotter) -> None:
    stage = stage_of(top, plotter)
    for k in (0, 77, 400):
        stage.show(float(top.lanes[0].trajectory.time[k]))
        _, scene = stage.describe().scenes[0]
        mesh, drawn = scene.body.actor.mapper.GetInput(), scene.body.actor.user_matrix
        crown = mesh.points[int(np.argmax(mesh.points[:, 2]))] @ drawn[:3, :3].T + drawn[:3, 3]
        np.testing.assert_allclose(scene.traces[0].points[-1], crown, atol=1e-6)


def test_a_cylinder_spins_on_an_axle(top: Run, plotter: pv.Plotter) -> None:
    cylinder = {"shape": "cylinder", "size": [0.1, 0.1, 0.02], "density": 2700.0}
    start = {"nutation": 0.4, "spin": 200.0}
    run = finished(small.top(step=0.001, schemes=["quat-em"], body=cylinder, top={"distance": 0.06}, initial=start))
    stage = stage_of(run, plotter)
    stage.show(0.05)
    (_, scene), *_ = stage.describe().scenes
    assert not is_cone(run.world.body)
    mesh, drawn = scene.body.actor.mapper.GetInput(), scene.body.actor.user_matrix
    corners = mesh.points @ drawn[:3, :3].T + drawn[:3, 3]
    assert np.linalg.norm(corners, axis=1).min() < 0.02 * axis_length(run.world)  # the axle's foot, as wide as the axle


# ---- vessels -------------------------------------------------------------------------------------------


def test_a_ship_lies_in_its_water_with_its_first_heading(vessel: Run, plotter: pv.Plotter) -> None:
    stage = stage_of(vessel, plotter)
    stage.show(30.0)
    kinds = [type(part) for _, part in stage.describe().parts]
    assert kinds.count(Sea) == kinds.count(Dial) == kinds.count(Start) == kinds.count(Heading) == 2
    (heading, *_) = [part for _, part in stage.describe().parts if isinstance(part, Heading)]
    arc = np.array(heading.props[0].mapper.GetInput().points, float)[: Heading.POINTS]
    assert np.abs(arc[:, 2]).max() == 0.0
    assert np.degrees(np.arctan2(arc[-1, 1], arc[-1, 0])) == pytest.approx(14.4, abs=0.1)  # on its way to 16.1
    assert np.degrees(np.arctan2(arc[0, 1], arc[0, 0])) == 0.0


def test_a_ship_that_no_water_bears_is_drawn_without_water(plotter: pv.Plotter) -> None:
    run = finished(example("vessel-free", duration=1.0))
    stage = stage_of(run, plotter)
    parts = [part for _, part in stage.describe().parts]
    assert not any(isinstance(part, Sea | Foam | Angles) for part in parts)  # angles from which level?
    assert sum(isinstance(part, Dial) for part in parts) == 2  # along which the heading is read


# ---- what is said --------------------------------------------------------------------------------------


def test_nobody_misses_spin_that_torque_may_change(top: Run, vessel: Run, plotter: pv.Plotter) -> None:
    for run in (top, vessel):
        stage = stage_of(run, plotter)
        stage.set_overlay("labels", False)  # they say how far each lane is off
        pixels = picture(stage, plotter, 1.3)
        assert not any(isinstance(part, Loss | Equator) for _, part in stage.describe().parts)
        assert "lost" not in "".join(piece.text for piece in stage.describe().captions.legend([], stage.overlays, 0.0))
        assert close_to(THEMES["dark"].danger, pixels, within=25.0) <= 2
        look = look_of(THEMES["dark"])
        pieces = [p for _, scene in stage.describe().scenes for p in scene.numbers(scene.track.pose(1.3), look)]
        assert look.alarm not in {piece.colour for piece in pieces}
        stage.close()


@pytest.mark.parametrize("time", [0.0, 3.3, 8.0, 14.0, 60.0])
def test_the_sectors_of_roll_and_pitch_are_as_wide_as_the_angles(vessel: Run, plotter: pv.Plotter, time: float) -> None:
    stage = stage_of(vessel, plotter)
    stage.set_overlay("labels", False)  # the ship is so large that its names do not touch
    stage.fit()
    stage.show(time)
    sectors = [part for _, part in stage.describe().parts if isinstance(part, Angles)]
    for part, lane in zip(sectors, vessel.lanes, strict=True):
        _, pitch, roll = yaw_pitch_roll(lane.trajectory.at(time).orientation)
        for (sector, _), angle in zip(part.sectors, (roll, pitch), strict=True):
            first, last = (sector.points[k] / np.linalg.norm(sector.points[k]) for k in (1, -1))
            assert first[2] == pytest.approx(0.0, abs=1e-6)  # from level
            assert np.degrees(np.arccos(np.clip(first @ last, -1, 1))) == pytest.approx(abs(angle), abs=0.05)
        assert [name.GetInput() for name in part.names] == ["roll", "pitch"]
        for name, (sector, _) in zip(part.names, part.sectors, strict=True):
            place = np.array(name.GetPositionCoordinate().GetValue())
            assert np.linalg.norm(place) == pytest.approx(1.08 * np.linalg.norm(sector.points[-1]), rel=1e-5)
