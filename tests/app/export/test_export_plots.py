"""Charts in files: the window's quantities and colours; and how charts share a film's picture."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from app.document.open import scenario_for
from app.plots.chart_data import drawn, short_number, ticks
from app.plots.files import quantities_of, sheet, write_plots
from app.plots.film_charts import Charts
from app.theme import LIGHT, THEMES, contrast, legible
from physics import SCHEMES
from tests.app.commanding import complaint, cuboid_file, polhode
from tests.app.staging import finished, in_a_row
from tests.app.windowing import cuboid, rock


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


def test_the_title_of_an_own_scheme_is_no_formula(tmp_path: Path) -> None:
    run = finished(cuboid(duration=0.1, schemes=("implicit",)))
    lanes = [replace(lane, scheme=replace(lane.scheme, title=r"Cost $\foo$ of all")) for lane in run.lanes]
    write_plots(run.world, lanes, tmp_path / "plots.svg")
    assert r"Cost $\foo$ of all" in (tmp_path / "plots.svg").read_text(encoding="utf-8")


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
        assert one.get_xlim()[0] == 0.5
        assert 1.5 < one.get_xlim()[1] < 1.7  # with room for the letters at the ends of the curves
        assert {text.get_text() for text in one.texts} == {lane.scheme.letter for lane in run.lanes}
        assert all(0.5 <= line.get_xdata().min() < line.get_xdata().max() <= 1.5 for line in one.lines)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--first", "9"), "--first: expected less than the duration of 0.5 s"),
        (("--first", "0.3", "--last", "0.2"), "expected more than first"),
    ],
)
def test_a_part_that_is_not_there_is_refused(tmp_path: Path, words, told) -> None:
    assert told in complaint("plot", cuboid_file(tmp_path), "-o", tmp_path / "a.csv", *words)


def test_a_chart_that_nobody_knows_is_refused(tmp_path: Path) -> None:
    scenario = cuboid_file(tmp_path)
    scenario.write_text(scenario.read_text() + '[export]\ncharts = ["Sped"]\n')
    said = complaint("plot", scenario, "-o", tmp_path / "a.csv")
    assert "there is no chart 'Sped'; expected some of Attitude error" in said


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
            assert panel.across(time) == pytest.approx(panel.left + time / panel.high[0] * (panel.right - panel.left))


def test_numbers_are_short() -> None:
    numbers = (0.0, -13.27, 1.23e-16, 2.3e9, 0.5, 5.7844e9)
    assert [short_number(x, 3) for x in numbers] == ["0", "−13.3", "1e−16", "2.3e9", "0.5", "5.78e9"]


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
    assert ticks(values, "°") == [f"{text}°" for text in texts]
