"""Framing: what moves fills its viewport, and captions leave it free."""

from __future__ import annotations

import numpy as np
import pytest
import pyvista as pv
from staging import stage_of

from app.playback.run import Run
from app.stage import lane_actors
from app.stage.caption_room import FILLED, room

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
        for renderer, (heading, told) in zip(shown, stage._captions.cards(), strict=True):
            (wide, high), (middle, globe) = renderer.GetSize(), disc(renderer, lane_actors.GLOBE * radius)
            assert 0.45 <= 2 * globe / min(wide, high) <= 0.75, size
            body = disc(renderer, radius)[1]
            assert (middle - body > 0).all()
            assert (middle + body < (wide, high)).all()
            beside = middle[0] - heading[0], high - heading[1] - middle[1]
            above = middle[0] - told[0], middle[1] - told[1]
            assert min(np.hypot(*np.maximum(gap, 0.0)) for gap in (beside, above)) > body, size
    stage.close()


def test_without_captions_what_moves_stands_in_the_middle_as_large_as_it_may() -> None:
    alone = room((800.0, 600.0), (0.0, 0.0), (0.0, 0.0), aside=True)
    assert alone.scale == 1.0
    np.testing.assert_array_equal(alone.centre, (0.0, 0.0))


def test_between_captions_what_moves_is_as_large_as_they_leave_it() -> None:
    found = room((400.0, 400.0), (150.0, 100.0), (300.0, 80.0), aside=True)
    assert found.scale * FILLED * 400.0 == pytest.approx(220.0 - 2 * 0.025 * 400.0)
    np.testing.assert_allclose(found.centre, (0.0, (80.0 - 100.0) / 400.0))
