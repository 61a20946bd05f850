"""What is not there by default: curves coloured by a quantity, and the dark that no light of the sky reaches."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import pyvista as pv
from commanding import polhode
from staging import FALL, example, finished, picture, stage_of
from vtkmodules.vtkRenderingOpenGL2 import vtkRenderStepsPass

import assets
from app.playback.run import Run
from app.stage.bodies.body_mesh import BodyActor
from app.stage.bodies.trails import Trace
from app.stage.lane_track import RecentSamples
from app.stage.lighting import dress, studio
from app.stage.overlays.curve_colours import limits
from app.stage.plotter import SAMPLES, offscreen, smooth_if_hardware
from app.stage.theme_colours import look_of
from app.system.opengl import is_software
from app.theme import DARK

pytestmark = pytest.mark.picture


@pytest.fixture(scope="module")
def runs() -> dict[str, Run]:
    named = {"free": "cuboid-intermediate", "top": "top-steady", "vessel": "vessel-damped"}
    return {kind: finished(example(name, duration=3.0)) for kind, name in named.items()}


@pytest.mark.parametrize("kind", ["free", "top", "vessel"])
@pytest.mark.parametrize("quantity", ["energy", "speed", "rotation", "height"])
def test_curves_take_the_colours_of_a_quantity(
    runs: dict[str, Run], plotter: pv.Plotter, kind: str, quantity: str
) -> None:
    stage = stage_of(runs[kind], plotter)
    before = picture(stage, plotter, 2.5)
    eye = stage.describe().rig.eye(0)
    stage.colour = quantity
    stage.set_overlay("colours", True)
    assert np.abs(picture(stage, plotter, 2.5) - before).max() > 30
    np.testing.assert_array_equal(stage.describe().rig.eye(0), eye)
    bar = stage.describe().colours.bar
    for _, scene in stage.describe().scenes:
        traces = [part for part in scene.parts if isinstance(part, Trace)]
        assert traces
        for trace in traces:
            now = float(scene.track.measured(np.array([2.5]), quantity, trace.point)[0])
            for line, _ in trace.lines:
                np.testing.assert_array_equal(line.point_data["rgba"][-1, :3], bar.rgba(np.array([now]))[0, :3])
            assert bar.low <= now <= bar.high
    stage.set_overlay("colours", False)
    np.testing.assert_array_equal(picture(stage, plotter, 2.5), before)
    stage.close()


def test_speed_and_height_are_those_of_the_point_that_draws(runs: dict[str, Run], plotter: pv.Plotter) -> None:
    for kind in ("free", "vessel"):
        stage = stage_of(runs[kind], plotter)
        track = stage.describe().tracks[0]
        point, times = np.array([0.3, -0.8, 0.5]) * track.body.radius, track.run.time[20:60]
        places = track.points(times, point)
        speeds = np.linalg.norm(np.gradient(places, times, axis=0), axis=1)
        np.testing.assert_allclose(track.measured(times, "speed", point)[1:-1], speeds[1:-1], rtol=0.03)
        np.testing.assert_allclose(track.measured(times, "height", point), places[:, 2])
        stage.close()


def test_bars_have_round_ends_and_begin_at_nothing_where_nothing_varies() -> None:
    assert limits(np.array([10.03, 14.2, 11.0])) == (10.0, 16.0)
    assert limits(np.array([50.0, 50.1])) == (0.0, 50.1)
    assert limits(np.zeros(3)) == (0.0, 1.0)
    low, high = limits(np.array([-0.31, 0.27]))
    assert low <= -0.31
    assert high >= 0.27


def test_samples_that_are_kept_are_those_that_would_be_taken(runs: dict[str, Run], plotter: pv.Plotter) -> None:
    stage = stage_of(runs["free"], plotter)
    track = stage.describe().tracks[0]
    kept = RecentSamples(track, 1.0, 200, track.rates)
    for time in (0.0, 0.004, 0.4, 1.9, 1.907, 1.907, 2.95, 0.7, 3.0, 4.0, 4.001):  # on, by bits and far, back, beyond
        fresh = RecentSamples(track, 1.0, 200, track.rates)
        np.testing.assert_array_equal(kept.at(time), fresh.at(time))
        np.testing.assert_array_equal(kept.at(time)[-1], track.rates(np.array([time]))[0])
    stage.close()


def test_occlusion_is_refused_where_it_would_draw_garbage(runs: dict[str, Run], plotter: pv.Plotter) -> None:
    runs = runs | {"rockfall": finished(FALL.changed(duration=3.0))}
    for kind, words in (("free", "needs a graphics card"), ("rockfall", "applies to motions without terrain")):
        if kind == "free" and not is_software(plotter.render_window.ReportCapabilities()):
            continue
        stage = stage_of(runs[kind], plotter)
        before = picture(stage, plotter, 2.5)
        stage.close()
        stage = stage_of(finished(runs[kind].scenario.changed(**{"view.occlusion": True})), plotter)
        assert str(stage.fault).startswith(f"view.occlusion: {words}")
        np.testing.assert_array_equal(picture(stage, plotter, 2.5), before)
        stage.close()


@pytest.mark.parametrize("command", ["image", "video"])
def test_who_asks_for_occlusion_on_terrain_is_told_in_one_line(command: str, tmp_path: Path) -> None:
    out = tmp_path / f"no{'.png' if command == 'image' else '.mp4'}"
    said = polhode(command, assets.SCENARIOS / "rock-alpine.toml", "-o", out, "--occlusion", "--quiet")
    assert (said.status, said.is_told_in_one_line) == (2, True)
    assert "--occlusion: applies to motions without terrain" in said.err
    assert not out.exists()


def test_a_card_smooths_edges_whichever_stages_come_and_go(
    runs: dict[str, Run], plotter: pv.Plotter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.stage.plotter.is_software", lambda capabilities: False)
    smooth_if_hardware(plotter)
    window = plotter.render_window
    for _ in range(2):
        stage = stage_of(runs["free"], plotter)
        picture(stage, plotter, 2.5)
        stage.close()
        assert window.GetMultiSamples() == SAMPLES
    shaded = vtkRenderStepsPass()
    plotter.renderers[0].SetPass(shaded)
    window.Render()
    assert window.GetMultiSamples() == 0  # with occlusion, see app.stage.plotter
    plotter.renderers[0].SetPass(None)
    window.Render()
    assert window.GetMultiSamples() == SAMPLES


def test_occlusion_darkens_solids_and_leaves_the_sky(runs: dict[str, Run], plotter: pv.Plotter) -> None:
    if is_software(plotter.render_window.ReportCapabilities()):
        pytest.skip("needs a graphics card")
    run = runs["free"]
    stage = stage_of(run, plotter)
    before = picture(stage, plotter, 2.5)
    stage.close()
    shaded = finished(run.scenario.changed(**{"view.occlusion": True}))
    stage = stage_of(shaded, plotter)
    after = picture(stage, plotter, 2.5)
    assert plotter.render_window.GetMultiSamples() == 0
    np.testing.assert_allclose(after[5:25, 150:158], before[5:25, 150:158], atol=1)
    body = np.s_[70:140, 50:110]
    assert 0.6 * before[body].mean() < after[body].mean() < before[body].mean() - 0.2
    stage.close()
    assert not any(renderer.GetPass() for renderer in plotter.renderers)


def test_no_face_is_lit_so_much_that_it_is_plain_white() -> None:
    """In free flight; 0.14 of a body's colour is ambient light, see app.stage.bodies.body_mesh."""
    a, b = np.meshgrid(np.linspace(0.0, np.pi / 2, 91), np.linspace(0.0, 2.0 * np.pi, 181))
    normals = np.stack([np.sin(a) * np.cos(b), np.sin(a) * np.sin(b), np.cos(a)], axis=-1)  # of all that one sees
    lit = np.full((*a.shape, 3), 0.14)
    for light in studio():
        towards = np.array(light.position if light.light_type != pv.Light.HEADLIGHT else (0.0, 0.0, 1.0))
        cosine = np.clip(normals @ (towards / np.linalg.norm(towards)), 0.0, None)
        lit += light.intensity * cosine[..., None] * np.array(light.diffuse_color.float_rgb)
    assert 0.85 < lit.max() < 0.96


def test_a_white_ball_mirrors_the_key_light_from_above_left_and_nowhere_is_plain_white() -> None:
    plotter = offscreen((120, 120), samples=0)
    renderer, *others = plotter.renderers
    for other in others:
        other.SetDraw(False)
    renderer.SetViewport(0.0, 0.0, 1.0, 1.0)
    dress(renderer, look_of(DARK), rock=False)
    ball = pv.Sphere(theta_resolution=60, phi_resolution=60)
    ball.point_data["rgba"] = np.full((ball.n_points, 4), (236, 229, 214, 255), np.uint8)
    body = BodyActor(ball, specular=0.5, closed=True)
    body.actor.prop.specular_power = 60.0
    body.enter(renderer)
    renderer.ResetCamera()
    shown = np.asarray(plotter.screenshot(return_img=True))[..., :3].astype(int)
    plotter.close()
    assert shown.max() < 255
    light = shown.sum(axis=2)
    row, column = np.argwhere(light > 0.98 * light.max()).mean(axis=0) / 120.0  # half way between the lamp and the eye
    assert 0.3 < row < 0.45
    assert 0.36 < column < 0.48
