"""Charts in files: the window's quantities and colours; and how charts share a film's picture."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from commanding import cuboid_file, polhode
from PIL import Image
from staging import finished, in_a_row
from windowing import cuboid, rock

from app.document.open import scenario_for
from app.kinds import kind_of
from app.plots.chart_data import drawn, short, ticks
from app.plots.files import quantities_of, sheet, write_plots
from app.plots.film_charts import Charts, arranged, divided
from app.theme import DARK, LIGHT, THEMES, contrast, legible
from physics import SCHEMES


def test_curves_are_written_as_they_are_drawn(tmp_path: Path) -> None:
    run = finished(rock(duration=0.5))
    write_plots(run.world, run.lanes, tmp_path / "curves.csv")
    with (tmp_path / "curves.csv").open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    assert header[:3] == ["scheme", "time [s]", "distance [m]"]
    assert header[3:] == [f"{one.title} [{one.unit}]" for one in quantities_of(run.world)]
    for lane in run.lanes:
        table = np.array([row[1:] for row in rows if row[0] == lane.scheme.name], float)
        states = lane.trajectory.rows(drawn(lane.trajectory))
        np.testing.assert_array_equal(table[:, 0], states.time)
        np.testing.assert_array_equal(table[:, 3], np.linalg.norm(states.velocity, axis=1))


@pytest.mark.parametrize("make", [cuboid, rock])
def test_a_part_of_the_time_has_the_numbers_of_the_whole(tmp_path: Path, make) -> None:
    run = finished(make(duration=1.0))

    def curves(name: str, **table: float) -> np.ndarray:
        world = replace(run.world, scenario=run.scenario.changed(export=table))
        write_plots(world, run.lanes, tmp_path / name)
        with (tmp_path / name).open(encoding="utf-8", newline="") as file:
            return np.array([row[1:] for row in list(csv.reader(file))[1:]], float)

    whole, part = curves("whole.csv"), curves("part.csv", first=0.4, last=0.6)
    inside = (whole[:, 0] >= 0.4) & (whole[:, 0] <= 0.6)
    assert 0 < inside.sum() < len(whole)
    np.testing.assert_array_equal(part, whole[inside])  # errors and distances count from the start of the run


def test_charts_of_a_part_of_the_time_show_that_part_and_those_that_are_named(tmp_path: Path) -> None:
    run = finished(cuboid())
    table = {"first": 0.5, "last": 1.5, "charts": ("Energy error", "Lx")}
    world = replace(run.world, scenario=run.scenario.changed(export=table))
    axes = sheet(world, run.lanes).axes
    assert [one.get_title().split("  ")[0] for one in axes] == ["Energy error", "Lx"]
    for one in axes:
        assert one.get_xlim() == (0.5, 1.5)
        assert all(0.5 <= line.get_xdata().min() < line.get_xdata().max() <= 1.5 for line in one.lines)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--first", "9"), "--first: expected less than the duration of 0.5 s"),
        (("--first", "0.3", "--last", "0.2"), "expected more than first"),
    ],
)
def test_a_part_that_is_not_there_is_refused(tmp_path: Path, words, told) -> None:
    said = polhode("plot", cuboid_file(tmp_path), "-o", tmp_path / "a.csv", *words)
    assert (said.status, said.is_told_in_one_line) == (2, True)
    assert told in said.err


def test_a_chart_that_nobody_knows_is_refused(tmp_path: Path) -> None:
    scenario = cuboid_file(tmp_path)
    scenario.write_text(scenario.read_text() + '[export]\ncharts = ["Sped"]\n')
    said = polhode("plot", scenario, "-o", tmp_path / "a.csv")
    assert (said.status, said.is_told_in_one_line) == (2, True)
    assert "there is no chart 'Sped'; expected some of Attitude error" in said.err


def test_vector_files_hold_titles_schemes_and_the_recipe(tmp_path: Path) -> None:
    scenario = cuboid_file(tmp_path)
    for ending in (".svg", ".pdf", ".png"):
        assert polhode("plot", scenario, "-o", tmp_path / f"plots{ending}", "--size", "800x500") == (0, "", "")
    text = (tmp_path / "plots.svg").read_text(encoding="utf-8")
    for word in ("Energy error", SCHEMES["explicit"].title, "Made with Polhode", SCHEMES["implicit"].reference[:20]):
        assert word in text
    assert (tmp_path / "plots.pdf").read_bytes().startswith(b"%PDF")
    with Image.open(tmp_path / "plots.png") as picture:
        assert picture.size == (800, 500)
    assert scenario_for(tmp_path / "plots.png").export.theme == "light"


def test_each_lane_is_drawn_in_its_colour(tmp_path: Path) -> None:
    run = finished(cuboid())
    write_plots(run.world, run.lanes, tmp_path / "plots.png")
    with Image.open(tmp_path / "plots.png") as picture:
        pixels = np.asarray(picture.convert("RGB")).astype(int)
    for lane in run.lanes:
        ink = legible(lane.scheme.colour, DARK)
        assert (np.abs(pixels - [int(ink[k : k + 2], 16) for k in (1, 3, 5)]).max(axis=2) < 12).sum() > 300


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
def test_every_scheme_stands_off_every_theme(theme) -> None:
    assert all(contrast(legible(s.colour, theme), theme.panel) >= 3.0 for s in SCHEMES.values())


def test_the_cursor_is_at_the_time_on_the_axis() -> None:
    run = finished(cuboid())
    charts = Charts(run.world, run.lanes, LIGHT, (1280, 210), "under")
    panels = in_a_row(run.world, run.lanes)
    for time in (0.5, 1.5):
        changed = np.abs(charts.show(time).astype(int) - charts.show(1.0)).max(axis=2) > 30
        for panel in panels:
            rows, columns = slice(round(panel.top), round(panel.bottom)), slice(round(panel.left), round(panel.right))
            found = np.flatnonzero(changed[rows, columns].any(axis=0)) + round(panel.left)
            assert np.abs(found[:, None] - [panel.across(time), panel.across(1.0)]).min(axis=1).max() < 2
            assert panel.across(time) == pytest.approx(panel.left + time / 2.0 * (panel.right - panel.left))


def test_the_numbers_of_four_lanes_stand_above_the_curves() -> None:
    run = finished(cuboid(duration=0.1, schemes=("explicit", "implicit", "magnus-2", "exact")))
    panels = in_a_row(run.world, run.lanes)
    fewer = in_a_row(run.world, run.lanes[:2])
    assert all(panel.top - panel.base >= 2 * 18 for panel in panels)  # in two lines
    assert all(panel.top < other.top for panel, other in zip(fewer, panels, strict=True))


def test_a_picture_is_divided_without_a_gap() -> None:
    for plots in ("under", "beside"):
        for size in ((1920, 1080), (1281, 721), (3840, 2160)):
            view, strip = divided(size, plots)
            assert strip is not None
            total = (view[0], view[1] + strip[1]) if plots == "under" else (view[0] + strip[0], view[1])
            assert total == size
    assert divided((1920, 1080), "none") == ((1920, 1080), None)
    assert divided((160, 90), "under") == ((160, 90), None)  # no room


@pytest.mark.parametrize(
    ("size", "plots", "count", "columns"),
    [
        ((1280, 720), "under", 6, 6),
        ((1080, 1920), "under", 2, 1),  # a phone: one upon the other
        ((1080, 1080), "under", 2, 2),
        ((640, 360), "under", 2, 2),
        ((1280, 720), "beside", 6, 1),
        ((640, 360), "beside", 2, 1),
    ],
)
def test_charts_on_a_small_or_upright_picture_are_few_and_wide(size, plots, count, columns) -> None:
    run = finished(cuboid(duration=0.1))
    strip = divided(size, plots)[1]
    assert strip is not None
    unit = max(0.75, min(size) / 720.0)
    charts, found = arranged(run.world, (strip[0] / unit, strip[1] / unit), plots)
    assert (len(charts), found) == (count, columns)
    if count < 6:
        assert [one.error is None for one in charts] == [False, False]  # the errors
    panels = Charts(run.world, run.lanes, LIGHT, strip, plots)
    assert panels.show(0.05).shape == (strip[1], strip[0], 3)


def test_charts_that_a_scenario_names_are_all_shown() -> None:
    scenario = cuboid(duration=0.1)
    titles = tuple(one.title for one in kind_of(scenario).charts)
    run = finished(scenario.model_copy(update={"export": scenario.export.model_copy(update={"charts": titles})}))
    charts, columns = arranged(run.world, (720.0, 371.0), "under")
    assert (len(charts), columns) == (6, 2)


def test_numbers_are_short() -> None:
    numbers = (0.0, -13.27, 1.23e-16, 2.3e9, 0.5, 5.7844e9)
    assert [short(x, 3) for x in numbers] == ["0", "−13.3", "1e−16", "2.3e9", "0.5", "5.78e9"]


@pytest.mark.parametrize(
    ("values", "texts"),
    [
        ((-200.0, 0.0, 200.0), ["−200", "0", "200"]),
        ((5.75e9, 5.8e9, 5.85e9), ["5.75e9", "5.80e9", "5.85e9"]),
        ((0.0, 2e9, 4e9), ["0", "2e9", "4e9"]),
        ((0.0, 0.25, 0.5), ["0", "0.25", "0.50"]),
        ((0.0, 5e-5, 1e-4), ["0", "0.5e−4", "1.0e−4"]),
        ((12345.0, 12346.0), ["12345", "12346"]),
        ((3.0,), ["3"]),
        ((), []),
    ],
)
def test_numbers_along_an_axis_differ_and_are_true(values, texts) -> None:
    assert ticks(values) == texts
