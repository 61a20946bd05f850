"""The hydrostatics of a ship in the window: found, followed while one edits, saved, and the same as the command's."""

from __future__ import annotations

import csv
import json
import math
from itertools import groupby
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTableWidget
from test_window_fields import choose, write
from test_window_guides import palette
from test_window_waves import barge, said

from app.plots.hydrostatics_sheet import numbers
from app.window.charts.hydrostatics_panel import HydrostaticsPanel
from app.window.labels import sentence
from tests.app.commanding import polhode
from tests.app.windowing import cuboid, edited, show, wait

pytestmark = pytest.mark.picture


def opened(qtbot, window) -> HydrostaticsPanel:
    """The panel, opened by its keys, complete."""
    qtbot.keyClick(window, Qt.Key.Key_H, Qt.KeyboardModifier.ControlModifier)
    (panel,) = window.findChildren(HydrostaticsPanel)
    complete(qtbot, panel)
    return panel


def complete(qtbot, panel: HydrostaticsPanel) -> None:
    wait(qtbot, lambda: not panel.measuring)


def rows(table: QTableWidget) -> dict[str, list[str]]:
    """What a table shows, by its first column."""
    cells = [[table.item(i, k).text() for k in range(table.columnCount())] for i in range(table.rowCount())]
    return {first: others for first, *others in cells}


def number(panel: HydrostaticsPanel, name: str) -> float:
    return float(rows(panel.numbers)[name][0])


def exact(panel: HydrostaticsPanel, name: str) -> float:
    """The number of a row with all its digits."""
    assert panel.sheet is not None
    return next(value for known, value, _ in numbers(panel.sheet) if sentence(known) == name)


def test_what_a_naval_architect_types_finds_the_sheet(qtbot, window) -> None:
    show(qtbot, window, barge())
    window.panel.choice.load_all()
    for query in ("GZ", "GM", "draught", "stability", "criteria", "KN", "metacentre", "displacement"):
        listed = palette(qtbot, window, query)
        first = listed.entries[listed.list.currentItem().data(Qt.ItemDataRole.UserRole)].text
        assert first == "Hydrostatics…", query
        qtbot.keyClick(listed.line, Qt.Key.Key_Escape)
    qtbot.keyClick(palette(qtbot, window, "GZ").line, Qt.Key.Key_Return)
    (panel,) = window.findChildren(HydrostaticsPanel)
    complete(qtbot, panel)
    assert panel.numbers.isVisible()
    show(qtbot, window, cuboid())
    assert "no hull" in panel.word.text()
    assert panel.numbers.rowCount() == 0
    assert not window.actions_by_id["hydrostatics"].isEnabled()


def test_the_sheet_follows_mass_and_centre_of_gravity(qtbot, window) -> None:
    """KB = T/2, BM = B²/12T, GM = KB + BM - KG, C33 = ρ g A, C44 = ρ g V GM; a high load fails the criteria."""
    show(qtbot, window, barge())
    panel = opened(qtbot, window)
    for typed, mass, kg in (({}, 328e3, 2.5), ({"hull.mass": ["164000"]}, 164e3, 2.5)):
        for key, texts in typed.items():
            edited(qtbot, window, lambda key=key, texts=texts: write(qtbot, window, key, *texts))
        complete(qtbot, panel)
        draught = mass / 1025.0 / 160.0
        gm = draught / 2.0 + 64.0 / 12.0 / draught - kg
        for name, value in {
            "Draught, to the deepest point": draught,
            "Displacement": mass / 1000.0,
            "KB": draught / 2.0,
            "BM transverse": 64.0 / 12.0 / draught,
            "GM transverse": gm,
            "Waterplane": 160.0,
            "C33 (heave)": 1025.0 * 9.81 * 160.0,
            "C44 (roll)": mass * 9.81 * gm,
            "C55 (pitch)": mass * 9.81 * (draught / 2.0 + 400.0 / 12.0 / draught - kg),
        }.items():
            assert exact(panel, name) == pytest.approx(value, rel=1e-5), name
            assert number(panel, name) == pytest.approx(value, rel=5e-4), name  # four digits
    assert {verdict for *_, verdict in rows(panel.criteria).values()} == {"✓ passed"}
    edited(qtbot, window, lambda: write(qtbot, window, "hull.mass", "328000"))
    edited(qtbot, window, lambda: write(qtbot, window, "hull.centre_of_gravity", "0", "0", "3.8"))
    complete(qtbot, panel)
    judged = rows(panel.criteria)
    assert judged["GM upright"] == ["-0.1333 m", "0.15", "✗ not passed"]
    assert judged["Area under GZ to 30°"][2] == "✗ not passed"
    axis = panel.levers.getPlotItem().getAxis("left")
    assert axis.tickStrings([0.1], axis.scale * axis.autoSIPrefixScale, 0.1) == ["0.1"]  # metres, however small
    write(qtbot, window, "hull.mass", "9000000")  # it sinks
    wait(qtbot, lambda: "sink" in panel.word.text() or "sink" in said(window, "hull.mass"))
    edited(qtbot, window, lambda: write(qtbot, window, "hull.mass", "328000"))
    edited(qtbot, window, lambda: write(qtbot, window, "hull.centre_of_gravity", "1", "0", "2.5"))
    complete(qtbot, panel)
    free = panel.sheet.levers.levers[40]
    panel.free.click()
    complete(qtbot, panel)
    assert abs(panel.sheet.levers.levers[40] - free) > 1e-3


def typed(qtbot, window, key: str, text: str) -> None:
    """Type into the line of a field."""
    line = window.panel.entries[key].line
    line.selectAll()
    qtbot.keyClicks(line, text)


def test_curves_are_at_the_draughts_and_displacements_of_the_panel(qtbot, window) -> None:
    show(qtbot, window, barge())
    panel = opened(qtbot, window)
    usual = panel.curves.masses
    edited(qtbot, window, lambda: typed(qtbot, window, "stability.draughts", "1.5; 3"))
    edited(qtbot, window, lambda: typed(qtbot, window, "stability.displacements", "164000"))
    complete(qtbot, panel)
    assert [one.draught for one in panel.curves.form] == pytest.approx([1.5, 3.0])
    assert panel.curves.masses == pytest.approx([164e3])
    assert window.session.run.scenario.stability.draughts == (1.5, 3.0)
    edited(qtbot, window, lambda: typed(qtbot, window, "stability.openings", "0, 3, 4; 0, 0, 9"))
    edited(qtbot, window, lambda: typed(qtbot, window, "stability.tanks", "5, 4, 1000"))
    complete(qtbot, panel)
    assert rows(panel.numbers)["Heel at which opening 1 floods"] == ["33.69", "°"]
    assert rows(panel.numbers)["Heel at which opening 2 floods"] == ["–", "°"]
    gm = 7 / 6 - 1000 * 5 * 64 / 12 / 328e3
    assert number(panel, "GM transverse, with free surfaces") == pytest.approx(gm, abs=5e-4)
    typed(qtbot, window, "stability.tanks", "5, 4")
    wait(qtbot, lambda: "Expected 3 numbers" in said(window, "stability.tanks"))
    edited(qtbot, window, lambda: typed(qtbot, window, "stability.tanks", "6, 4, 1000"))
    typed(qtbot, window, "stability.draughts", "1.5; deep")
    wait(qtbot, lambda: "Expected a number" in said(window, "stability.draughts"))
    typed(qtbot, window, "stability.draughts", "1.5; 5")
    wait(qtbot, lambda: "A draught of 5 m sinks it" in said(window, "stability.draughts"))
    edited(qtbot, window, lambda: typed(qtbot, window, "stability.draughts", "2; 3"))
    for _ in range(5):
        edited(qtbot, window, window.session.undo)
    complete(qtbot, panel)
    assert panel.curves.masses == pytest.approx(usual)
    seven = "1e5; 2e5; 3e5; 4e5; 5e5; 6e5; 6.4e5"
    edited(qtbot, window, lambda: typed(qtbot, window, "stability.displacements", seven))
    complete(qtbot, panel)
    assert len(panel.cross.listDataItems()) == 7  # more than there are colours


def test_the_weather_criterion_is_judged_once_the_side_in_the_wind_is_given(qtbot, window) -> None:
    show(qtbot, window, barge())
    panel = opened(qtbot, window)
    wind = panel.tabs.indexOf(panel.wind)
    assert not panel.tabs.isTabVisible(wind)
    assert "General criteria of the 2008 IS Code, part A, 2.2:" in panel.code.text()
    write(qtbot, window, "stability.windage_area", "60")
    wait(qtbot, lambda: "the weather criterion expects it" in said(window, "stability.windage_lever"))
    write(qtbot, window, "stability.windage_lever", "2.5")
    edited(qtbot, window, lambda: write(qtbot, window, "stability.deck_edge", "0", "4", "4"))
    complete(qtbot, panel)
    assert panel.tabs.isTabVisible(wind)
    assert panel.sheet.weather.steady == pytest.approx(504 * 60 * 2.5 / 9.81 / 328e3)
    judged = rows(panel.criteria)["Weather criterion: area b over area a"]
    assert judged[2] == "✓ passed"
    assert "Outside its range: length 20 m, below 24 m" in rows(panel.numbers)
    assert "Criteria of the 2008 IS Code, part A, 2.2 and 2.3:" in panel.code.text()


def test_the_sheet_is_saved_for_print_and_as_tables(qtbot, window, tmp_path: Path, monkeypatch) -> None:
    show(qtbot, window, barge())
    panel = opened(qtbot, window)
    edited(qtbot, window, lambda: typed(qtbot, window, "stability.displacements", "328000"))
    complete(qtbot, panel)
    for name, kind in (("sheet.csv", "Tables (*.csv)"), ("sheet", "For print (*.pdf)")):
        monkeypatch.setattr(
            "app.window.widgets.QFileDialog.getSaveFileName", lambda *_, n=name, k=kind: (str(tmp_path / n), k)
        )
        panel.save_button.click()
        wait(qtbot, lambda: panel.note.text().startswith("Saved: "))
        complete(qtbot, panel)
        panel.note.clear()
    lost = str(tmp_path / "none" / "sheet.csv")
    monkeypatch.setattr("app.window.widgets.QFileDialog.getSaveFileName", lambda *_: (lost, ""))
    panel.save_button.click()
    wait(qtbot, lambda: lost in panel.word.text())
    assert number(panel, "KB") == 1.0
    assert (tmp_path / "sheet.pdf").read_bytes().startswith(b"%PDF")
    lines = csv.reader((tmp_path / "sheet.csv").read_text(encoding="utf-8").splitlines())
    tables = [[*group] for full, group in groupby(lines, key=bool) if full]
    numbers, judged, levers, form, kn = tables
    assert dict(row[:2] for row in numbers)["GM transverse"] == "1.16666666667"
    assert [row[4] for row in judged[1:]] == ["passed"] * 6
    assert levers[0] == ["heel to starboard [°]", "GZ [m]"]
    assert [float(cell) for cell in levers[11]] == pytest.approx([10.0, 0.2097881152])
    assert float(form[1][0]) * 160.0 * 1.025 == pytest.approx(float(form[1][1]))
    at_30 = [float(cell) for cell in kn[7]]
    middle = kn[0].index("KN [m] at 328 t")
    assert (at_30[0], at_30[middle] - 2.5 * 0.5) == pytest.approx((30.0, 0.7603629711))


def test_the_windows_own_session_gives_the_same_numbers_to_the_command(qtbot, window, tmp_path: Path) -> None:
    show(qtbot, window, barge())
    panel = opened(qtbot, window)
    edited(qtbot, window, lambda: write(qtbot, window, "hull.centre_of_gravity", "0.5", "0.1", "2"))
    complete(qtbot, panel)
    window.files.path = tmp_path / "barge.polhode.toml"
    qtbot.keyClick(window, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    done = polhode("hydrostatics", window.files.path, "--json")
    assert (done.status, done.err) == (0, "")
    found = json.loads(done.out)
    assert exact(panel, "GM transverse") == pytest.approx(found["GM_transverse"], rel=1e-5)
    assert panel.sheet.levers.most == pytest.approx(found["gz_max"])
    assert [row[0] for row in rows(panel.criteria).values()] == [
        f"{one['value']:.4g} {one['unit']}" for one in found["criteria"]
    ]


def test_a_sea_that_is_chosen_starts_with_waves_of_the_ships_length(qtbot, window) -> None:
    """Waves of 20 m in deep water are a fortieth as high; what is typed stays when one chooses again."""
    show(qtbot, window, barge())
    edited(qtbot, window, lambda: choose(window, "wave.given", "regular"))
    wave = window.session.run.scenario.wave
    assert wave.period == pytest.approx(math.sqrt(2.0 * math.pi * 20.0 / 9.81), rel=0.02)
    assert wave.height == 0.5
    edited(qtbot, window, lambda: write(qtbot, window, "wave.height", "0.8"))
    edited(qtbot, window, lambda: choose(window, "wave.given", "irregular"))
    wave = window.session.run.scenario.wave
    assert (wave.spectrum, wave.significant_height, wave.peak_period) == ("jonswap", 0.5, 3.6)
    edited(qtbot, window, lambda: choose(window, "wave.given", "regular"))
    assert window.session.run.scenario.wave.height == 0.8
    assert not any(said(window, key) for key in window.panel.entries)


def test_damping_is_typed_as_a_share_of_the_critical_and_angles_in_degrees(qtbot, window) -> None:
    show(qtbot, window, barge())
    edited(qtbot, window, lambda: write(qtbot, window, "damping.ratio", "0", "0.05", "0"))
    run = window.session.run
    weight, inertia = 328e3 * 9.81, 328e3 * 3.0**2
    assert run.world.model.linear[3] == pytest.approx(0.1 * math.sqrt(weight * 7.0 / 6.0 * inertia))
    assert run.scenario.damping.linear == (0.0,) * 6
    edited(qtbot, window, lambda: write(qtbot, window, "initial.heel", "10"))
    assert window.session.run.scenario.initial.heel == pytest.approx(math.radians(10.0))
    qtbot.keyClick(window, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    assert float(window.panel.entries["initial.heel"].numbers[0].text()) == pytest.approx(math.radians(10.0), rel=1e-4)
