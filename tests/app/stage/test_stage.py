"""The stage draws what the recordings say, in any size, and leaves nothing behind."""

from __future__ import annotations

import numpy as np
import pytest
import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkMapper

from app.kinds import kind_of
from app.playback.run import Run
from app.stage import OVERLAYS, Stage
from app.stage.camera.fit import clearance
from app.theme import THEMES
from physics.core.rotation import matrix
from tests.app.staging import FALL, close_to, example, finished, picture, props, stage_of

pytestmark = pytest.mark.picture


@pytest.mark.parametrize("theme", sorted(THEMES))
@pytest.mark.parametrize("camera", ["fit", "follow"])
@pytest.mark.parametrize("layout", ["side-by-side", "overlay"])
def test_every_view_shows_something_and_leaves_nothing(
    flight: Run, fall: Run, plotter: pv.Plotter, theme: str, camera: str, layout: str
) -> None:
    empty = props(plotter)
    for run in (flight, fall):
        stage = stage_of(run, plotter, theme, layout=layout, camera=camera)
        first, later = picture(stage, plotter, 0.5), picture(stage, plotter, 3.0)
        assert first.std() > 10
        assert np.abs(first - later).max() > 50
        stage.close()
        assert props(plotter) == empty


@pytest.mark.parametrize("time", [0.0, 0.123, 7.77, 20.0])
def test_body_stands_where_the_state_says(flight: Run, plotter: pv.Plotter, time: float) -> None:
    stage = stage_of(flight, plotter)
    stage.show(time)
    for (_, scene), lane in zip(stage.describe().scenes, flight.lanes, strict=True):
        state = lane.trajectory.at(time)
        drawn = scene.body.actor.user_matrix
        np.testing.assert_allclose(drawn[:3, :3], matrix(state.orientation), atol=1e-12)
        np.testing.assert_allclose(drawn[:3, 3], state.position, atol=1e-12)


def test_cameras_that_follow_turn_together_and_stay_above_the_ground(fall: Run, plotter: pv.Plotter) -> None:
    stage = stage_of(fall, plotter, camera="follow")
    stage.show(2.0)
    state = fall.lanes[1].trajectory.at(2.0)
    drawn = stage.describe().scenes[1][1].body.actor.user_matrix
    np.testing.assert_allclose(drawn[:3, :3], matrix(state.orientation), atol=1e-12)
    np.testing.assert_allclose(drawn[:3, 3] + stage.describe().shift, state.position, atol=1e-9)
    stage.show(3.0)
    one, other = (plotter.renderers[view].camera for view in (0, 1))
    one.Azimuth(30.0)

    def arm(camera: pv.Camera) -> np.ndarray:
        return np.array(camera.GetPosition()) - np.array(camera.GetFocalPoint())

    # each may stand higher than the other where its own ground is, but looks from the same side and as far away
    assert np.linalg.norm(arm(one)) == pytest.approx(np.linalg.norm(arm(other)))
    assert np.arctan2(*arm(one)[:2]) == pytest.approx(np.arctan2(*arm(other)[:2]))
    assert not np.allclose(one.GetFocalPoint(), other.GetFocalPoint())  # each follows its own rock
    turned = arm(one)
    stage.show(3.2)
    assert np.linalg.norm(arm(one)) == pytest.approx(np.linalg.norm(turned))  # the user's orbit stays
    assert np.arctan2(*arm(one)[:2]) == pytest.approx(np.arctan2(*turned[:2]))
    for time in np.linspace(0.0, 4.0, 41):
        stage.show(float(time))
        for view in range(2):
            eye, focus = stage.describe().rig.eye(view)
            assert eye[2] > stage.land.ground.heights(eye[None])[0]
            assert clearance(stage.land.ground, 0.0, eye, focus) < 1e-6


def test_explicit_leaves_the_pole_of_the_globe_and_implicit_stays(flight: Run, plotter: pv.Plotter) -> None:
    stage = stage_of(flight, plotter)
    stage.show(15.0)
    radius = flight.world.body.radius
    tips = [scene.traces[0].points / radius for _, scene in stage.describe().scenes]
    explicit, implicit = (np.ptp(points, axis=0).max() for points in tips)
    assert explicit > 1.0  # measured 2.4
    assert implicit < 1e-3  # measured 5e-4


def test_a_picture_does_not_depend_on_the_scenes_that_a_process_has_drawn_before(
    flight: Run, plotter: pv.Plotter
) -> None:
    vtkMapper.SetResolveCoincidentTopologyToOff()  # as in a process that has drawn nothing
    pictures = []
    for run in (flight, finished(example("table-hoop", duration=0.1)), flight):
        stage = stage_of(run, plotter)
        pictures.append(picture(stage, plotter, 0.1 if run is not flight else 8.0))
        stage.close()
    np.testing.assert_array_equal(pictures[0], pictures[2])


def test_lost_spin_is_red_for_explicit_only(flight: Run, plotter: pv.Plotter) -> None:
    plotter.window_size = (640, 400)  # in a smaller picture the edge of an arrow leaves little of it
    stage = Stage(
        plotter, flight.world, flight.lanes, THEMES["dark"], kind_of(flight.scenario).scene(), overlays=("vectors",)
    )
    alarm = THEMES["dark"].danger
    early, late = picture(stage, plotter, 1.0), picture(stage, plotter, 15.0)
    half = early.shape[1] // 2
    assert close_to(alarm, early) <= 2
    assert close_to(alarm, late[:, :half]) > 10
    assert close_to(alarm, late[:, half:]) <= 2


def test_torques_lose_no_angular_momentum(plotter: pv.Plotter) -> None:
    run = finished(example("body-boom", duration=4000.0, schemes=("verlet-exact",)))
    stage = stage_of(run, plotter, overlays=("vectors",))
    assert close_to(THEMES["dark"].danger, picture(stage, plotter, 4000.0)) <= 2


def test_overlays_theme_and_layout_do_not_move_the_camera(flight: Run, fall: Run, plotter: pv.Plotter) -> None:
    for run in (flight, fall):
        stage = stage_of(run, plotter)
        stage.show(2.0)
        before = [stage.describe().rig.eye(view) for view in range(2)]
        for name in OVERLAYS:
            for on in (False, True):
                stage.set_overlay(name, on)
                stage.show(2.0)
                assert on or not stage.overlays.get(name)
                np.testing.assert_array_equal([stage.describe().rig.eye(view) for view in range(2)], before)
        stage.set_theme(THEMES["light"])
        stage.set_layout("overlay")
        np.testing.assert_array_equal(stage.describe().rig.eye(0), before[0])
        stage.close()


def test_a_recording_may_grow_while_it_is_shown(plotter: pv.Plotter) -> None:
    run = Run(FALL.changed(duration=20.0)).start()
    while run.world is None:
        pass
    stage = stage_of(run, plotter)
    while not run.finished:
        stage.show(run.reached)
    run.join()
    stage.show(run.reached)
    assert stage.describe().tracks[0].end == run.lanes[0].trajectory.time[-1]
