"""Framing: what moves fills its viewport, and captions leave it free."""

from __future__ import annotations

import numpy as np
import pytest
import pyvista as pv

from app.export.offscreen_stage import overlays
from app.playback.run import Run
from app.stage import Stage
from app.stage.bodies.arrows import SpinArrow
from app.stage.plotter import Box
from app.stage.scenes import lane_actors
from app.stage.text.labels import projected
from tests.app.staging import example, finished, stage_of

FORMATS = ((1920, 1080), (1080, 1080), (1080, 1920))


def disc(renderer: pv.Renderer, radius: float) -> tuple[np.ndarray, float]:
    """Middle (2,) and radius [pixels] of a ball in the origin, as a viewport shows it."""
    camera = renderer.camera
    matrix = pv.array_from_vtkmatrix(
        camera.GetCompositeProjectionTransformMatrix(renderer.GetTiledAspectRatio(), -1, 1)
    )
    eye, up = np.array(camera.GetPosition()), np.array(camera.GetViewUp())
    level = np.cross(eye, up) / np.linalg.norm(np.cross(eye, up))
    points = np.array([np.zeros(3), radius * level])
    x, y, _, w = matrix @ np.column_stack([points, np.ones(2)]).T
    pixels = (np.column_stack([x, y]) / w[:, None] + 1) * np.array(renderer.GetSize()) / 2
    return pixels[0], float(np.linalg.norm(pixels[1] - pixels[0]))


@pytest.mark.parametrize("lanes", [1, 2, 3, 4, 6, 8])
def test_a_body_fills_its_viewport_and_no_caption_lies_over_it(flight: Run, plotter: pv.Plotter, lanes: int) -> None:
    flight.lanes, kept = (list(flight.lanes) * 8)[:lanes], flight.lanes
    try:
        stage = stage_of(flight, plotter)
    finally:
        flight.lanes = kept
    radius = flight.world.body.radius
    for size in FORMATS:
        plotter.render_window.SetSize(*size)
        stage.fit()
        shown = [renderer for renderer in plotter.renderers if renderer.GetDraw()]
        areas = [np.prod(renderer.GetSize()) for renderer in shown]
        one_row = len({renderer.GetOrigin()[1] for renderer in shown}) == 1
        assert sum(areas) == pytest.approx(size[0] * (size[1] - (0 if one_row else stage.headed)), rel=0.01)
        for renderer, boxes in zip(shown, stage.describe().captions.boxes(()), strict=True):
            (wide, high), (middle, globe) = renderer.GetSize(), disc(renderer, lane_actors.REACH * radius)
            assert 0.45 <= 2 * globe / min(wide, high) <= 0.85, size
            body = disc(renderer, radius)[1]
            assert (middle - body > 0).all()
            assert (middle + body < (wide, high)).all()
            assert all(np.hypot(*(np.clip(middle, box[:2], box[2:]) - middle)) > body for box in boxes), size


@pytest.mark.parametrize("size", FORMATS)
def test_no_inset_lies_over_a_body(flight: Run, plotter: pv.Plotter, size: tuple[int, int]) -> None:
    plotter.render_window.SetSize(*size)
    stage = stage_of(flight, plotter, overlays=("momentum", "level", "labels"))
    shown = [renderer for renderer in plotter.renderers if renderer.GetDraw()]
    boxes = [stage.describe().extras.boxes(view) for view in range(len(shown))]
    found = [disc(renderer, flight.world.body.radius) for renderer in shown]
    for (middle, radius), here in zip(found, boxes, strict=True):
        assert here
        assert all(np.hypot(*(np.clip(middle, box[:2], box[2:]) - middle)) > radius for box in here)


@pytest.mark.parametrize("name", ["poinsot", "cuboid-major", "top-steady", "table-egg", "rock-ramp"])
def test_nothing_that_lies_over_a_viewport_moves_or_grows_in_a_film(plotter: pv.Plotter, name: str) -> None:
    run = finished(example(name))
    plotter.render_window.SetSize(800, 450)
    stage = stage_of(run, plotter, overlays=overlays(run.scenario))
    end = max(track.end for track in stage.describe().tracks)
    first, *later = (_covered(stage, time) for time in np.linspace(0.0, end, 60))
    assert any(first)
    assert [boxes for boxes in later if boxes != first] == []


@pytest.mark.parametrize("layout", ["overlay", "side-by-side"])
def test_the_follow_camera_keeps_bodies_that_go_apart_in_sight(plotter: pv.Plotter, layout: str) -> None:
    run = finished(example("table-hoop"))
    stage = stage_of(run, plotter, layout=layout, camera="follow", overlays=())
    end, spans = max(track.end for track in stage.describe().tracks), []
    for time in np.linspace(0.0, end, 12):
        stage.show(time)
        for view, scene in stage.describe().scenes:
            renderer, place = plotter.renderers[view], scene.track.positions(np.array([time]))
            at = projected(renderer, place)[0][0] / renderer.GetSize()
            assert ((at > 0.03) & (at < 0.97)).all(), time
        spans.append(stage.describe().rig.eye(0))
    far = [np.linalg.norm(eye - focus) for eye, focus in spans]
    assert (far[-1] > 2.0 * far[0]) == (layout == "overlay")  # apart by 15 radii at the end


def test_the_follow_camera_shows_a_ship_that_drifts_as_large_as_at_first(plotter: pv.Plotter) -> None:
    run = finished(example("ship-parametric-roll", duration=60.0))
    stage, renderer = stage_of(run, plotter, camera="follow"), plotter.renderers[0]
    track = stage.describe().tracks[0]
    for time in (0.0, 60.0):
        stage.show(time)
        pose = track.pose(time)
        x, y = projected(renderer, pose.place + track.body.vertices @ pose.rotation.T)[0].T
        wide, high = renderer.GetSize()
        assert 0 < x.min() < x.max() < wide
        assert max(np.ptp(x) / wide, np.ptp(y) / high) > 0.4


@pytest.mark.parametrize("camera", ["follow", "fit"])
def test_the_arrow_of_a_spin_is_seen_whole_and_clear_of_cards(plotter: pv.Plotter, camera: str) -> None:
    run = finished(example("table-hoop"))
    plotter.render_window.SetSize(640, 360)
    stage = stage_of(run, plotter, camera=camera, overlays=overlays(run.scenario))
    hidden, seen = [], 0
    for time in np.linspace(0.0, max(track.end for track in stage.describe().tracks), 20):
        covered = _covered(stage, time)
        for view, scene in stage.describe().scenes:
            (arrow,) = (part for part in scene.posed if isinstance(part, SpinArrow))
            if arrow.actors[0].GetVisibility():
                places, size = (
                    projected(plotter.renderers[view], arrow.mesh.points)[0],
                    plotter.renderers[view].GetSize(),
                )
                over = [((places > box[:2]) & (places < box[2:])).all(axis=1).any() for box in covered[view]]
                seen += 1
                hidden += [time] if any(over) or (places < 0).any() or (places > size).any() else []
    assert seen > 10
    assert hidden == []


def _covered(stage: Stage, time: float) -> list[list[Box]]:
    """What lies over each viewport at a time [s]."""
    stage.show(time)
    return stage.describe().captions.boxes(stage.describe().colours.boxes)
