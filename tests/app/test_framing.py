"""Framing: what moves fills its viewport, and captions leave it free."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
import pyvista as pv
from staging import example, finished, stage_of

from app.export.offscreen_stage import overlays
from app.playback.run import Run
from app.stage import Stage
from app.stage.bodies.arrows import SpinArrow
from app.stage.camera.modes import GAP, place, rooms
from app.stage.camera.rig import HALF
from app.stage.camera.subject import SPAN, Subject, ball, corners
from app.stage.plotter import Box
from app.stage.scenes import lane_actors
from app.stage.text.labels import projected

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
        assert sum(areas) == pytest.approx(np.prod(size), rel=0.01)
        for renderer, boxes in zip(shown, stage.describe().captions.boxes(()), strict=True):
            (wide, high), (middle, globe) = renderer.GetSize(), disc(renderer, lane_actors.REACH * radius)
            assert 0.45 <= 2 * globe / min(wide, high) <= 0.8, size
            body = disc(renderer, radius)[1]
            assert (middle - body > 0).all()
            assert (middle + body < (wide, high)).all()
            assert all(np.hypot(*(np.clip(middle, box[:2], box[2:]) - middle)) > body for box in boxes), size
    stage.close()


@pytest.mark.parametrize("size", FORMATS)
def test_no_inset_lies_over_a_body(flight: Run, plotter: pv.Plotter, size: tuple[int, int]) -> None:
    plotter.render_window.SetSize(*size)
    stage = stage_of(flight, plotter, overlays=("momentum", "level", "labels"))
    shown = [renderer for renderer in plotter.renderers if renderer.GetDraw()]
    boxes = [stage.describe().extras.boxes(view) for view in range(len(shown))]
    found = [disc(renderer, flight.world.body.radius) for renderer in shown]
    stage.close()
    for (middle, radius), here in zip(found, boxes, strict=True):
        assert here
        assert all(np.hypot(*(np.clip(middle, box[:2], box[2:]) - middle)) > radius for box in here)


def test_a_body_steps_aside_for_an_inset_until_the_user_moves_a_camera(flight: Run, plotter: pv.Plotter) -> None:
    plotter.render_window.SetSize(1280, 720)
    stage = stage_of(flight, plotter)
    radius, renderer, places = flight.world.body.radius, plotter.renderers[0], []
    for on, turned in ((True, False), (False, False), (True, True)):
        if turned:
            renderer.camera.Azimuth(20.0)
        stage.set_overlay("momentum", on)
        places.append(disc(renderer, radius)[0])
    first, without, after = places
    stage.close()
    assert np.linalg.norm(first - without) > 20.0
    assert np.linalg.norm(after - without) < 20.0


@pytest.mark.parametrize("name", ["poinsot", "cuboid-major", "top-steady", "table-egg", "rock-ramp"])
def test_nothing_that_lies_over_a_viewport_moves_or_grows_in_a_film(plotter: pv.Plotter, name: str) -> None:
    run = finished(example(name))
    plotter.render_window.SetSize(800, 450)
    stage = stage_of(run, plotter, overlays=overlays(run.scenario))
    end = max(track.end for track in stage.describe().tracks)
    first, *later = (_covered(stage, time) for time in np.linspace(0.0, end, 60))
    stage.close()
    assert any(first)
    assert [boxes for boxes in later if boxes != first] == []


def test_narrow_panes_have_cards_of_one_height_and_the_meanings_of_marks(plotter: pv.Plotter) -> None:
    plotter.render_window.SetSize(640, 360)
    stage = stage_of(finished(example("cuboid-intermediate")), plotter)
    stage.show(12.0)
    captions = stage.describe().captions
    assert len({bottom.top for _, bottom in captions.sheets}) == 1
    (legend,) = [line for line in captions.heading.card.lines if "≈" in line[0].text]
    assert [piece.text.strip() for piece in legend] == ["✓ <1° ≈ <10° ✗ >10° off", "outline: true motion"]
    stage.close()


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
    stage.close()
    assert (far[-1] > 2.0 * far[0]) == (layout == "overlay")  # apart by 15 radii at the end


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
    stage.close()
    assert seen > 10
    assert hidden == []


def test_lanes_of_small_viewports_do_without_their_source(flight: Run, plotter: pv.Plotter) -> None:
    shown = []
    for lanes, size in ((1, (1280, 720)), (4, (900, 900))):
        stage = _of_lanes(flight, plotter, lanes, size)
        shown.append([len(sheets[1].card.lines) for sheets in stage.describe().captions.sheets])
        stage.close()
    assert shown == [[3], [2, 2, 2, 2]]  # badge and title, source, numbers


@pytest.mark.parametrize(
    ("name", "lanes", "size"),
    [
        ("rock-tschamut", 1, (900, 900)),
        ("rock-ramp", 4, (800, 450)),
        ("rock-alpine", 2, (1400, 700)),
        ("rock-alpine", 2, (900, 540)),
        ("poinsot", 4, (800, 450)),
        ("poinsot", 4, (640, 360)),
    ],
)
def test_insets_cards_and_title_have_each_a_place(
    plotter: pv.Plotter, name: str, lanes: int, size: tuple[int, int]
) -> None:
    run = finished(example(name, duration=2.0))
    run.lanes = (list(run.lanes) * 4)[:lanes]
    plotter.render_window.SetSize(*size)
    stage = stage_of(run, plotter, overlays=overlays(run.scenario))
    covered = _covered(stage, 0.0)
    stage.close()
    assert len(covered[0]) >= 3
    for boxes in covered:
        for one, other in combinations(boxes, 2):
            assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


def test_a_slope_is_fitted_beside_the_captions_that_are_shown_then(plotter: pv.Plotter) -> None:
    run = finished(example("rock-equant"))
    run.lanes = list(run.lanes) * 4
    plotter.render_window.SetSize(800, 450)
    stage = stage_of(run, plotter, overlays=overlays(run.scenario))
    fitted = [stage.describe().modes.boxes, stage.viewpoint.distance]
    assert fitted[0] == _covered(stage, 0.0)
    stage.fit()
    assert fitted[1] == stage.viewpoint.distance
    stage.close()


def test_in_low_viewports_the_heading_does_without_signs(flight: Run, plotter: pv.Plotter) -> None:
    lines = []
    for lanes, size in ((1, (1280, 720)), (4, (800, 450))):
        stage = _of_lanes(flight, plotter, lanes, size)
        lines.append(len(stage.describe().captions.heading.card.lines))
        stage.close()
    assert lines == [3, 2]  # title, time, signs


def _of_lanes(run: Run, plotter: pv.Plotter, lanes: int, size: tuple[int, int]) -> Stage:
    """A stage with the first lanes of a run of two, or each of them twice; the run stays as it is."""
    run.lanes, kept = (list(run.lanes) * 2)[:lanes], run.lanes
    plotter.render_window.SetSize(*size)
    try:
        return stage_of(run, plotter)
    finally:
        run.lanes = kept


def _covered(stage: Stage, time: float) -> list[list[Box]]:
    """What lies over each viewport at a time [s]."""
    stage.show(time)
    return stage.describe().captions.boxes(stage.describe().colours.boxes)


@pytest.fixture
def globe() -> Subject:
    focus = np.array([1.0, 2.0, 3.0])
    return Subject(focus + ball(2.0), np.array([0.6, -0.8, 0.0]), focus)


@pytest.mark.parametrize("aspect", [0.5, 1.0, 2.0])
def test_a_subject_spans_as_much_as_it_may_of_a_viewport(aspect: float) -> None:
    box = Subject(corners(np.array([-3, -1, 0]), np.array([3, 1, 1])), np.array([0, -1.0, 0]), np.zeros(3))
    sides = 2 * HALF * np.array([max(aspect, 1), max(1 / aspect, 1)])
    spans = np.ptp(box.seen(box.distance(aspect)), axis=0) / sides
    assert max(spans / SPAN) == pytest.approx(1.0)


def test_without_captions_what_moves_stands_in_the_middle_as_large_as_it_may(globe: Subject) -> None:
    (middle,), distance = rooms(globe, [(800.0, 600.0)], [()])
    assert distance == globe.distance(800.0 / 600.0)
    np.testing.assert_array_equal(middle, (0.0, 0.0))


def pixels(subject: Subject, distance: float, size: tuple[float, float], middle: np.ndarray) -> np.ndarray:
    """Where points are seen in a viewport, (n, 2) from its lower left corner."""
    return (middle + 1) * np.array(size) / 2 + subject.seen(distance) * min(size) / 2 / HALF


@pytest.mark.parametrize("size", [(400.0, 400.0), (900.0, 400.0), (400.0, 900.0)])
def test_between_captions_what_moves_is_as_large_as_they_leave_it(globe: Subject, size: tuple[float, float]) -> None:
    boxes = (0.0, size[1] - 100.0, 150.0, size[1]), (0.0, 0.0, 200.0, 80.0), (size[0] - 120.0, 0.0, size[0], 110.0)
    (middle,), distance = rooms(globe, [size], [boxes])
    x, y = pixels(globe, distance, size, middle).T
    for left, low, right, top in boxes:
        assert not ((x > left) & (x < right) & (y > low) & (y < top)).any()
    gap = 0.9 * GAP * min(size)
    assert min(x.min(), y.min(), size[0] - x.max(), size[1] - y.max()) > gap
    assert distance == globe.distance(size[0] / size[1]) or not place(globe, 0.98 * distance, size, boxes)[1]


def test_where_captions_leave_no_room_they_lie_over_what_moves(globe: Subject) -> None:
    size = (400.0, 400.0)
    (middle,), distance = rooms(globe, [size], [[(0.0, 0.0, 400.0, 190.0), (0.0, 210.0, 400.0, 400.0)]])
    assert distance == globe.distance(1.0)
    assert np.abs(middle).max() < 0.05


def test_viewports_of_one_size_show_what_moves_in_one_place_and_all_from_one_distance(globe: Subject) -> None:
    sizes = [(400.0, 400.0), (400.0, 400.0), (401.0, 800.0)]
    middles, distance = rooms(globe, sizes, [[(0.0, 250.0, 250.0, 400.0)], [], []])
    np.testing.assert_array_equal(middles[0], middles[1])
    assert distance >= globe.distance(1.0)


@pytest.mark.parametrize("size", FORMATS)
def test_without_captions_a_long_hull_that_points_at_the_camera_is_seen_whole(
    plotter: pv.Plotter, size: tuple[int, int]
) -> None:
    run = finished(example("ship-log", duration=1.0, step=0.05))
    stage = stage_of(run, plotter, overlays=())
    plotter.render_window.SetSize(*size)
    stage.fit()
    renderer, hull = plotter.renderers[0], corners(-run.world.body.extents / 2, run.world.body.extents / 2)
    places = 2 * projected(renderer, hull)[0] / renderer.GetSize() - 1
    stage.close()
    assert np.abs(places).max() < 0.97


@pytest.mark.parametrize("aspect", [0.5, 1.0, 2.0])
def test_a_centred_subject_is_as_far_to_the_left_as_to_the_right_and_as_high_as_deep(aspect: float) -> None:
    hull = corners(np.array([-6.0, -0.5, -0.5]), np.array([6.0, 0.5, 0.5]))
    askew = Subject(hull, np.array([0.8, -0.5, 0.2]) / np.linalg.norm((0.8, -0.5, 0.2)), np.zeros(3))
    centred = askew.centred(aspect)
    seen = centred.seen(centred.distance(aspect))
    np.testing.assert_allclose(seen.min(axis=0), -seen.max(axis=0), atol=0.01 * np.ptp(seen))
