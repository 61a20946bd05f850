"""Releases, zones and barriers are drawn on the terrain: by mouse or keys, undone; the panel has the same numbers."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing

import numpy as np
import pytest
import shapely
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QFileDialog

from app.stage.ground.marks import AREA_COLOURS
from app.window.controllers.view_editors import with_places
from tests.app.windowing import answer, edited, question, rock, show, wait

pytestmark = pytest.mark.picture
LEFT = Qt.MouseButton.LeftButton


def slope(**changes):
    """A rock on a short ramp."""
    return rock(**({"schemes": ("implicit",), "initial": {"orientation": "random"}} | changes))


def pixel(window, x: float, y: float) -> QPoint:
    """Pixel at which the view shows a place on the map."""
    ((u, v),) = window.view.stage.land.traced(np.array([[x, y]]), spacing=0.0)[0]
    return QPoint(round(u), round(v)) / window.devicePixelRatioF()


def click(qtbot, window, *places) -> None:
    for place in places:
        qtbot.mouseClick(window.view.viewport, LEFT, pos=pixel(window, *place))


@pytest.fixture
def sloping(qtbot, window):
    show(qtbot, window, slope())
    window.session.clock.playing = False
    return window


def test_a_release_is_placed_with_mouse_and_keys_and_undone(qtbot, window) -> None:
    show(qtbot, window, slope(release={"line": ((0.5, -3.0), (0.5, 3.0)), "height": 1.5}))
    window.session.clock.playing = False
    viewport, land = window.view.viewport, window.view.stage.land
    qtbot.keyClick(window, Qt.Key.Key_W)
    assert viewport.aim is not None
    qtbot.keyClick(viewport, Qt.Key.Key_Escape)
    assert viewport.aim is None
    qtbot.keyClick(window, Qt.Key.Key_W)
    first = viewport.aim
    assert land.place(first.x(), first.y()) == pytest.approx(window.session.run.world.position[:2], abs=2.0)
    time = window.session.clock.time
    qtbot.keyClick(viewport, Qt.Key.Key_Down)
    qtbot.keyClick(viewport, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert viewport.aim == first + QPoint(1, 12)
    assert window.session.clock.time == time  # the arrows moved the cross and not the playhead
    expected = land.place(viewport.aim.x(), viewport.aim.y())
    edited(qtbot, window, lambda: qtbot.keyClick(viewport, Qt.Key.Key_Return))
    assert window.session.run.world.position[:2] == pytest.approx(expected, abs=0.006)
    release = window.session.run.scenario.release
    assert (release.line, release.height) == (None, 1.5)
    assert float(window.panel.entries["release.position"].numbers[0].text()) == pytest.approx(expected[0], abs=0.006)
    window.panel.put({})  # the panel holds the same
    assert window.panel.scenario().release == release
    window.actions_by_id["undo"].trigger()
    wait(qtbot, lambda: window.session.run.scenario.release.line is not None)
    assert window.panel.scenario().release.line == ((0.5, -3.0), (0.5, 3.0))


def test_a_line_is_drawn_with_the_mouse_and_undone(qtbot, sloping) -> None:
    viewport = sloping.view.viewport
    qtbot.keyClick(sloping, Qt.Key.Key_W, Qt.KeyboardModifier.ShiftModifier)
    assert "line on which rocks start" in sloping.status.text()
    click(qtbot, sloping, (1.0, -4.0))
    qtbot.keyClick(viewport, Qt.Key.Key_Return)
    assert "at least 2 corners" in sloping.status.text()
    click(qtbot, sloping, (2.0, 0.0), (1.0, 4.0))
    image = sloping.view.grab().toImage()
    at = pixel(sloping, 2.0, 0.0)
    colours = {image.pixelColor(at + QPoint(i, j)).name() for i in (-1, 0, 1) for j in (-1, 0, 1)}
    assert sloping.workspace.theme.accent in colours  # the corner is seen
    scenario = edited(qtbot, sloping, lambda: qtbot.keyClick(viewport, Qt.Key.Key_Return))
    assert np.array(scenario.release.line) == pytest.approx(np.array([[1, -4], [2, 0], [1, 4]]), abs=0.2)
    assert sloping.panel.scenario().release == scenario.release
    assert (viewport.aim, sloping.ground_editor.key, sloping.status.text()[:5]) == (None, "", "Impli")
    assert edited(qtbot, sloping, sloping.session.undo).release.position == (1.0, 0.0)


def test_an_area_is_drawn_with_keys_alone(qtbot, sloping) -> None:
    viewport, playhead = sloping.view.viewport, sloping.session.clock.time
    qtbot.keyClick(sloping, Qt.Key.Key_W, Qt.KeyboardModifier.AltModifier)
    for keys in ((Qt.Key.Key_Space,), (Qt.Key.Key_Down, Qt.Key.Key_Space), (Qt.Key.Key_Left, Qt.Key.Key_Space)):
        for key in keys:
            qtbot.keyClick(viewport, key)
    assert len(sloping.ground_editor.places) == 3
    qtbot.keyClick(viewport, Qt.Key.Key_Backspace)
    assert len(sloping.ground_editor.places) == 2
    qtbot.keyClick(viewport, Qt.Key.Key_Right)
    qtbot.keyClick(viewport, Qt.Key.Key_Down)
    qtbot.keyClick(viewport, Qt.Key.Key_Right)
    qtbot.keyClick(viewport, Qt.Key.Key_Space)
    scenario = edited(qtbot, sloping, lambda: qtbot.keyClick(viewport, Qt.Key.Key_Return))
    assert len(scenario.release.polygon) == 3
    assert sloping.session.clock.time == pytest.approx(playhead, abs=0.02)
    qtbot.keyClick(sloping, Qt.Key.Key_W, Qt.KeyboardModifier.AltModifier)
    qtbot.keyClick(viewport, Qt.Key.Key_Space)
    qtbot.keyClick(viewport, Qt.Key.Key_Escape)
    assert (sloping.ground_editor.key, sloping.ground_editor.places, viewport.aim) == ("", [], None)


def test_a_barrier_ends_with_a_double_click_and_stands_in_the_panel(qtbot, sloping) -> None:
    sloping.panel.entries["barrier"].drawn.emit()  # the button
    assert sloping.ground_editor.key == "barrier"
    click(qtbot, sloping, (8.0, -6.0), (8.0, 6.0))
    at = pixel(sloping, 8.0, 6.0)
    scenario = edited(qtbot, sloping, lambda: qtbot.mouseDClick(sloping.view.viewport, LEFT, pos=at))
    (barrier,) = scenario.barrier
    assert np.array(barrier.line) == pytest.approx(np.array([[8, -6], [8, 6]]), abs=0.2)
    assert len(sloping.panel.entries["barrier"].items) == 1
    assert "barriers" in sloping.view.stage.overlays
    assert "— barrier" in legend(sloping)
    scenario = edited(qtbot, sloping, sloping.panel.entries["barrier"].items[0].gone.click)
    assert scenario.barrier == ()


def test_a_drawn_line_of_interest_is_undone_redone_saved_and_opened_again(qtbot, sloping, tmp_path) -> None:
    drawn = draw(qtbot, sloping, "draw-road", [(8.0, -6.0), (9.0, 0.0), (8.0, 6.0)]).line
    assert np.array(drawn[0].points) == pytest.approx(np.array([[8, -6], [9, 0], [8, 6]]), abs=0.2)
    assert "— line of interest" in legend(sloping)
    assert edited(qtbot, sloping, sloping.session.undo).line == ()
    assert edited(qtbot, sloping, sloping.session.redo).line == drawn
    assert len(sloping.panel.entries["line"].items) == 1
    sloping.files.path = tmp_path / "road.polhode.toml"
    assert sloping.files.save()
    assert edited(qtbot, sloping, sloping.panel.entries["line"].items[0].gone.click).line == ()

    def open_again():
        sloping.files.open(sloping.files.path)
        if question(sloping) is not None:
            answer(sloping, "Don't save")

    assert edited(qtbot, sloping, open_again).line == drawn
    assert sloping.panel.scenario().line == drawn


WEST = ((6.0, -6.0), (14.0, -6.0), (14.0, 6.0), (6.0, 6.0))
EAST = ((8.0, -5.0), (13.0, -5.0), (13.0, 5.0), (8.0, 5.0))


def draw(qtbot, window, action, corners):
    """The scenario after an area was drawn by clicks, and Return."""
    window.actions_by_id[action].trigger()
    click(qtbot, window, *corners)
    return edited(qtbot, window, lambda: qtbot.keyClick(window.view.viewport, Qt.Key.Key_Return))


def seen(window, places, colour: str) -> bool:
    """True if each of the places on the map is shown in a colour."""
    image, wanted = window.view.grab().toImage(), QColor(colour)

    def near(at: QPoint) -> bool:
        colours = [image.pixelColor(at + QPoint(i, j)) for i in (-2, -1, 0, 1, 2) for j in (-2, -1, 0, 1, 2)]
        return any(max(abs(a - b) for a, b in zip(one.getRgb(), wanted.getRgb(), strict=True)) < 40 for one in colours)

    return all(near(pixel(window, *place)) for place in places)


def test_soils_and_forests_are_drawn_with_the_mouse_seen_chosen_ordered_and_undone(qtbot, sloping, tmp_path) -> None:
    assert draw(qtbot, sloping, "draw-soil", WEST).soil.zone[0].preset == "medium"
    middle = [(10.0, -6.0), (6.0, 0.0)]
    assert seen(sloping, middle, AREA_COLOURS["soil"])
    first, second = draw(qtbot, sloping, "draw-soil", EAST).soil.zone
    assert np.array(first.polygon) == pytest.approx(np.array(WEST), abs=0.2)
    assert np.array(second.polygon) == pytest.approx(np.array(EAST), abs=0.2)
    row = sloping.panel.entries["soil.zone"]
    assert [row.items[1].preset.itemText(k) for k in (1, 5)] == ["Extra soft", "Medium hard"]
    for item, words in zip(row.items, ("soft", "medium-hard"), strict=True):
        box = item.preset
        edited(qtbot, sloping, lambda box=box, words=words: choose(box, words))
    drawn = draw(qtbot, sloping, "draw-forest", WEST)
    assert [zone.preset for zone in drawn.soil.zone] == ["soft", "medium-hard"]
    assert (drawn.forest.zone[0].drag, drawn.forest.zone[0].height) == (500.0, 30.0)
    assert seen(sloping, [(14.0, -4.0)], AREA_COLOURS["forest"])
    world = sloping.session.run.world
    assert world.cover.soils[world.cover.soil_map[kinds_at(world, 10.5, 0.0)]].preset == "medium-hard"
    turned = edited(qtbot, sloping, row.items[0].down.click)
    assert [zone.preset for zone in turned.soil.zone] == ["medium-hard", "soft"]
    world = sloping.session.run.world
    assert world.cover.soils[world.cover.soil_map[kinds_at(world, 10.5, 0.0)]].preset == "soft"
    sloping.files.path = tmp_path / "drawn.polhode.toml"
    assert sloping.files.save()
    undone = [edited(qtbot, sloping, sloping.session.undo) for _ in range(2)][-1]
    assert (len(undone.soil.zone), undone.forest.zone) == (2, ())

    def open_again():
        sloping.files.open(sloping.files.path)
        if question(sloping) is not None:
            answer(sloping, "Don't save")

    again = edited(qtbot, sloping, open_again)
    assert (again.soil.zone, again.forest.zone) == (turned.soil.zone, turned.forest.zone)


def kinds_at(world, x, y):
    (x0, y0), (dx, dy) = world.terrain.origin, world.terrain.cell
    return round((y - y0) / dy), round((x - x0) / dx)


def choose(box, words):
    index = box.findData(words)
    box.setCurrentIndex(index)
    box.activated.emit(index)


def test_what_is_drawn_goes_out_with_the_results_of_the_ensemble(qtbot, window, tmp_path, monkeypatch) -> None:
    show(qtbot, window, slope(ensemble={"rocks": 2, "seed": 3}))
    window.session.clock.playing = False
    for action in ("draw-soil", "draw-forest", "draw-area"):
        draw(qtbot, window, action, EAST)
    scenario = edited(qtbot, window, lambda: window.panel.put({"barrier": ({"line": WEST[:2], "height": 2.0},)}))
    window.actions_by_id["run-ensemble"].trigger()
    wait(qtbot, lambda: window.ensembles.running is not None and window.ensembles.running.complete)
    wait(qtbot, lambda: not window.ensembles.running.marching)  # then it can be saved
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "out"), ""))
    window.ensembles.panel.save_button.click()
    wait(qtbot, lambda: "Saved" in window.ensembles.panel.word.text())
    polygons = {
        "soil": scenario.soil.zone[0].polygon,
        "forest": scenario.forest.zone[0].polygon,
        "release": scenario.release.polygon,
    }
    with closing(sqlite3.connect(tmp_path / "out" / "results.gpkg")) as file:
        for name, corners in polygons.items():
            ((blob,),) = file.execute(f"SELECT geom FROM {name}").fetchall()
            found = json.loads((tmp_path / "out" / f"{name}.geojson").read_text())["features"]
            for shape in (shapely.from_wkb(blob[8:]), shapely.from_geojson(json.dumps(found[0]["geometry"]))):
                assert shape.equals(shapely.Polygon(corners))
        assert file.execute("SELECT soil FROM soil").fetchall() == [("medium",)]
        assert file.execute("SELECT height FROM barriers").fetchall() == [(2.0,)]
        deposits = json.loads((tmp_path / "out" / "deposits.geojson").read_text())["features"]
        assert file.execute("SELECT rock FROM deposits").fetchall() == [
            (one["properties"]["rock"],) for one in deposits
        ]


def test_the_area_of_release_stays_on_the_ground_after_it_is_drawn(qtbot, sloping) -> None:
    draw(qtbot, sloping, "draw-area", WEST)
    edge = [(10.0, -6.0), (14.0, 3.0)]
    assert seen(sloping, edge, AREA_COLOURS["release"])
    assert "area of release" in legend(sloping)
    sloping.actions_by_id["zones"].trigger()
    wait(qtbot, lambda: not seen(sloping, edge, AREA_COLOURS["release"]))
    assert "area of release" not in legend(sloping)
    draw(qtbot, sloping, "draw-forest", EAST)
    assert sloping.actions_by_id["zones"].isChecked()
    assert "area of release" in legend(sloping)
    assert "other forests" in legend(sloping)


def legend(window) -> str:
    stage = window.view.stage
    shown = stage.describe()
    return "".join(run.text for run in shown.captions.legend([shown.tracks[0].pose(0.0)], stage.overlays, 0.0))


@pytest.mark.parametrize("action", ["draw-soil", "draw-forest", "draw-area"])
def test_an_area_that_is_none_is_refused_in_a_sentence_and_can_be_mended(qtbot, sloping, action) -> None:
    viewport, before = sloping.view.viewport, sloping.session.run
    sloping.actions_by_id[action].trigger()
    click(qtbot, sloping, *WEST[:2])
    qtbot.keyClick(viewport, Qt.Key.Key_Return)
    assert sloping.status.text() == "Expected at least 3 corners; Esc cancels"
    click(qtbot, sloping, WEST[3], WEST[2])
    qtbot.keyClick(viewport, Qt.Key.Key_Return)
    assert sloping.status.text() == "Sides of the area cross or touch; Backspace removes the last corner, Esc cancels"
    qtbot.mouseClick(viewport, LEFT, pos=QPoint(4, 4))
    assert sloping.status.text() == "No ground there"
    assert sloping.session.run is before
    qtbot.keyClick(viewport, Qt.Key.Key_Backspace)
    scenario = edited(qtbot, sloping, lambda: qtbot.keyClick(viewport, Qt.Key.Key_Return))
    table = scenario.release if action == "draw-area" else getattr(scenario, action.removeprefix("draw-")).zone[0]
    assert len(table.polygon) == 3


def test_typed_corners_off_the_map_are_explained_at_their_zone(qtbot, sloping) -> None:
    draw(qtbot, sloping, "draw-forest", WEST)
    row = sloping.panel.entries["forest.zone"]
    for text, sentence in (
        ("900, 0; 910, 0; 910, 9", "zone 1, polygon: lies off the map; expected x"),
        ("1, 0; 2, 0", "zone 1, polygon: expected at least 3 corners, got 2"),
        ("1, 0; 2, 0; 3, 0", "zone 1, polygon: the polygon has no area"),
    ):
        row.items[0].line.setText(text)
        row.items[0].line.textEdited.emit(text)
        wait(qtbot, lambda sentence=sentence: sentence.lower() in row.error.text().lower())


def test_a_start_in_space_gives_way_to_a_place_on_the_ground() -> None:
    scenario = rock(release={"height": 2.0}, initial={"position": (5.0, 0.0, 30.0), "velocity": (1.0, 0.0, 0.0)})
    again = with_places(scenario, "release.position", ((3.0, 1.0),))
    assert (again.initial.position, again.initial.velocity) == (None, (1.0, 0.0, 0.0))
    assert (again.release.position, again.release.height) == ((3.0, 1.0), 2.0)
