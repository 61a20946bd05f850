"""Pictures and plots that the window saves are drawn as exports are."""

from __future__ import annotations

import html
import re
import tomllib

import numpy as np
import pytest
from PIL import Image

from app.document.open import scenario_for
from app.export.offscreen_stage import write_image
from app.stage.plotter import BLIND
from physics import Scenario
from tests.app.staging import finished
from tests.app.windowing import cuboid, quiet, rock, show, wait

pytestmark = pytest.mark.picture


def test_saved_plots_are_those_of_the_row_drawn_as_exports_are(qtbot, window, tmp_path, monkeypatch) -> None:
    window.plots.titles = {"free": ["Energy error", "Attitude error"]}
    show(qtbot, window, cuboid())
    window.plots.refresh(0.0)
    window.plots.zoom(0.5, about=1.0)

    def save(name: str, kind: str = "") -> None:
        monkeypatch.setattr("app.window.widgets.QFileDialog.getSaveFileName", lambda *_: (str(tmp_path / name), kind))
        window.files.save_plots()

    save("a", "For print (*.pdf)")
    assert (tmp_path / "a.pdf").read_bytes().startswith(b"%PDF")
    assert "a.pdf" in window.status.text()
    save("a.svg")
    text = (tmp_path / "a.svg").read_text(encoding="utf-8")
    for word in ("Energy error", "Attitude error", "Explicit (RAMMS)", "Made with Polhode", "#ffffff"):
        assert word in text
    assert "Angular momentum error" not in text
    told = scenario_for_recipe(text)
    assert told.export.charts == ("Attitude error", "Energy error")
    assert (told.export.first, told.export.last) == pytest.approx((0.5, 1.5))
    for name, start in (("a.png", b"\x89PNG"), ("a.csv", b"scheme,time [s],")):
        save(name)
        assert (tmp_path / name).read_bytes().startswith(start)
    save("a.docx")
    assert "a.docx" in window.message.text.text()


def scenario_for_recipe(svg: str) -> Scenario:
    """What the description of a drawing tells."""
    told = re.search(r"<dc:description>(.*?)</dc:description>", svg, re.DOTALL)
    assert told is not None
    return Scenario(**tomllib.loads(html.unescape(told[1])))


@pytest.mark.parametrize("make", [cuboid, rock])
def test_a_saved_picture_is_what_a_film_shows_at_that_time(qtbot, window, tmp_path, monkeypatch, make) -> None:
    window.actions_by_id["calm"].setChecked(True)
    show(qtbot, window, make())
    wait(qtbot, lambda: all(lane.truth is not None for lane in window.session.run.lanes))
    quiet(window)  # the headline says what is known of the truth
    window.session.seek(1.0)
    window.view.viewport.plotter.camera.Azimuth(30.0)
    window.view.viewport.touched = True
    window.view.show_time(1.0)
    before = window.view.viewport.grab().toImage()
    monkeypatch.setattr("app.window.widgets.QFileDialog.getSaveFileName", lambda *_: (str(tmp_path / "a.png"), ""))
    window.actions_by_id["save-picture"].trigger()
    assert "a.png" in window.status.text()
    with Image.open(tmp_path / "a.png") as saved:
        picture = np.asarray(saved, float)
    assert picture.shape[1] >= 1920
    told = scenario_for(tmp_path / "a.png")  # it opens again
    assert (told.export.time, told.export.size) == (pytest.approx(1.0), picture.shape[1::-1])
    run = finished(told)
    write_image(run.world, run.lanes, tmp_path / "film.png")
    with Image.open(tmp_path / "film.png") as film:
        apart = np.abs(np.asarray(film, float) - picture)
    most = 0.002 if window.view.viewport.kind == "picture" else 0.003  # an interactor's lines are wider, see the help
    assert np.mean(apart > 30.0) < most  # the camera is told in rounded numbers
    window.view.viewport.draw()
    assert window.view.viewport.grab().toImage() == before  # the view is as it was
    monkeypatch.setattr("app.window.widgets.QFileDialog.getSaveFileName", lambda *_: (str(tmp_path / "a.bmp"), ""))
    window.files.save_picture()
    assert "a.bmp" in window.message.text.text()


def test_plots_that_are_not_drawn_yet_are_not_saved(qtbot, window, monkeypatch) -> None:
    asked: list[object] = []
    monkeypatch.setattr("app.window.widgets.QFileDialog.getSaveFileName", lambda *_: asked.append(_) or ("a.csv", ""))
    tried: list[bool] = []

    def save(_: str) -> None:
        tried.append(window.plots.run is None)
        window.actions_by_id["save-plots"].trigger()

    window.session.shown.connect(save)
    with qtbot.captureExceptions() as raised:
        show(qtbot, window, cuboid())
    assert tried == [True]
    assert raised == []
    assert asked == []


def test_a_picture_of_a_view_that_has_lost_its_opengl_is_told_and_not_asked_for(
    qtbot, window, tmp_path, monkeypatch
) -> None:
    show(qtbot, window, cuboid())
    asked: list[object] = []
    monkeypatch.setattr("app.window.widgets.QFileDialog.getSaveFileName", lambda *_: asked.append(_) or ("", ""))
    with monkeypatch.context() as lost, qtbot.captureExceptions() as raised:
        lost.setattr(window.view.viewport, "_drawn", lambda *_: False)  # as where OpenGL gives no pixels
        window.actions_by_id["save-picture"].trigger()
    assert raised == []
    assert window.message.text.text() == BLIND[:1].upper() + BLIND[1:]
    assert window.message.isVisible()
    assert asked == []
