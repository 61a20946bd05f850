"""What is not there by default: curves coloured by a quantity, and the dark that no light of the sky reaches."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import pyvista as pv

import assets
from app.playback.run import Run
from app.stage.actor_group import ActorGroup, move, polyline, ridges
from app.stage.bodies.arrows import Arrow
from app.stage.bodies.trails import Trace
from app.theme import contrast
from tests.app.commanding import complaint
from tests.app.staging import example, finished, picture, stage_of

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
        traces = [part for part in scene.parts if isinstance(part, Trace) and part.on]
        assert traces
        for trace in traces:
            now = float(scene.track.measured(np.array([2.5]), quantity, trace.point)[0])
            for line, _, part in trace.lines:
                if part.stop < len(trace.points):
                    continue  # the thin line of the oldest part
                np.testing.assert_array_equal(line.point_data["rgba"][-1, :3], bar.rgba(np.array([now]))[0, :3])
            assert bar.low <= now <= bar.high
    stage.set_overlay("colours", False)
    np.testing.assert_array_equal(picture(stage, plotter, 2.5), before)


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


def test_a_curve_stays_as_a_thin_line_where_it_fades_with_age(runs: dict[str, Run], plotter: pv.Plotter) -> None:
    stage = stage_of(runs["free"], plotter)
    picture(stage, plotter, 2.5)
    late = [part for _, part in stage.describe().parts if isinstance(part, Trace) and part.on]
    for trace in late:  # of the last turn and a half: that of the older half fades
        opaque = trace.lines[0][0].point_data["rgba"][:, 3] == 255
        assert opaque[len(opaque) // 2 :].all()
        assert not opaque[: len(opaque) // 2 - 1].any()
    stage.set_overlay("whole", True)
    traces = [part for _, part in stage.describe().parts if isinstance(part, Trace) and part.on]
    assert late
    assert traces
    for trace in traces:
        (whole, *_), *_, (thin, _, oldest) = trace.lines
        solid = np.zeros(len(trace.points), bool)
        solid[oldest] = thin.point_data["rgba"][:, 3] == 255
        assert (solid | (whole.point_data["rgba"][:, 3] == 255)).all()
        np.testing.assert_array_equal(thin.points, trace.points[oldest])


@pytest.mark.parametrize(("mesh", "count"), [(pv.Cube(), 12), (pv.Plane(), 40), (pv.Line(), 1)])
def test_edges_are_drawn_where_faces_bend_or_end(mesh: pv.PolyData, count: int) -> None:
    assert ridges(mesh).n_lines == count


@pytest.mark.parametrize("colour", ["#101010", "#2d6c9b", "#4f7ba0", "#8a5f3c", "#e2c399", "#ffffff"])
def test_arrows_and_lines_stand_out_from_what_has_their_colour(colour: str) -> None:
    group, renderer = ActorGroup(), pv.Plotter(off_screen=True, window_size=(200, 200))
    Arrow(group, colour, 0.1).show(np.array([-1.0, -0.3, 0.0]), np.array([2.0, 0.0, 0.0]))
    line = polyline(2)
    move(line, np.array([[-1.0, 0.5, 0.0], [1.0, 0.5, 0.0]]))
    group.edge(group.add(line, colour, lit=False, width=3.0), -20.0)
    renderer.background_color = colour
    group.enter(renderer.renderer)
    renderer.view_xy()
    halves = np.array_split(renderer.screenshot(return_img=True).reshape(200, -1, 3), 2)
    renderer.close()
    for half in halves:
        seen = {"#" + bytes(pixel.tolist()).hex() for pixel in np.unique(half.reshape(-1, 3), axis=0)}
        assert max(contrast(pixel, colour) for pixel in seen) > 3.0


@pytest.mark.parametrize("command", ["image", "video"])
def test_who_asks_for_occlusion_on_terrain_is_told_in_one_line(command: str, tmp_path: Path) -> None:
    out = tmp_path / f"no{'.png' if command == 'image' else '.mp4'}"
    said = complaint(command, assets.SCENARIOS / "rock-alpine.toml", "-o", out, "--occlusion", "--quiet")
    assert "--occlusion: applies to motions without terrain" in said
    assert not out.exists()
