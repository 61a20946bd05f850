"""Charts of errors: fixed decades, a band in which no lane wins, gain and loss apart, and no curve without a truth."""

from __future__ import annotations

import csv
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from app.export.scene_words import charts
from app.kinds import KINDS
from app.kinds.decades import Decades
from app.kinds.quantities import ATTITUDE_ERROR, ENERGY_ERROR, EXACT_ATTITUDE_ERROR, Quantity
from app.playback.run import Run, find_truths, lanes_of
from app.playback.verdicts import seconds_in_words
from app.plots.chart_data import drawn, reached, read_out, value_at
from app.plots.files import sheet, write_plots
from app.plots.film_charts import arranged
from app.theme import DARK
from app.window.charts.chart import Chart
from app.window.charts.chart_row import Plots
from physics.simulation.schedule import record_schedule
from tests.app.staging import FALL, finished
from tests.app.windowing import cuboid

SIGNED = Decades(signed=True)


@pytest.fixture(scope="module")
def gaining() -> Run:
    """Free bodies that gain energy, lose energy, and keep it."""
    return finished(cuboid(duration=1.0, schemes=("mujoco-euler", "bullet", "exact")))


def chart_of(run: Run, quantity: Quantity, qtbot) -> Chart:
    """A chart that has drawn a run."""
    chart = Chart(quantity, run.lanes, run.world, DARK)
    qtbot.addWidget(chart)
    chart.draw([(lane.trajectory, drawn(lane.trajectory)) for lane in run.lanes], run.reached, None)
    chart.set_range(*chart.range)
    return chart


def test_what_counts_on_from_the_start_is_counted_once_for_a_chart_that_moves(gaining: Run, qtbot) -> None:
    """A playhead that moves reads what was counted as the curve was drawn."""
    calls = []

    def counts(run, world):
        calls.append(len(run))
        return np.cumsum(run.time)

    quantity = Quantity("Sum", "s", counts, counted=True)
    chart = chart_of(gaining, quantity, qtbot)
    assert calls == [len(lane.trajectory) for lane in gaining.lanes]
    for time in (0.0, 0.5, 1.0):
        chart.show_time(time)
    assert len(calls) == len(gaining.lanes)
    run, world = gaining.lanes[0].trajectory, gaining.world
    known = np.cumsum(run.time)
    assert value_at(quantity, run, world, 0.5, known) == value_at(quantity, run, world, 0.5) == known[run.index(0.5)]
    assert value_at(quantity, run, world, 0.5, known[:3]) == known[run.index(0.5)]


@pytest.mark.parametrize("kind", ["free", "top", "vessel", "ship", "table"])
def test_the_attitude_error_comes_first(kind: str) -> None:
    assert KINDS[kind].charts[0].title == "Attitude error"


def test_no_error_in_the_band_is_told_from_another() -> None:
    small = np.array([0.0, 1e-17, -3e-14, 9.9e-14])
    assert {ENERGY_ERROR.text(one) for one in small.tolist()} == {"<1e-13"}
    assert np.abs(SIGNED.heights(small)).max() < SIGNED.edge
    assert {read_out(EXACT_ATTITUDE_ERROR, one, 4) for one in (0.0, 8e-15)} == {"<1e-11"}
    assert read_out(ATTITUDE_ERROR, 0.004, 4) == "<0.01"


def test_an_axis_of_errors_does_not_move_with_them() -> None:
    for scale in (Decades(), SIGNED, EXACT_ATTITUDE_ERROR.error, ATTITUDE_ERROR.error):
        ends = {scale.limits(np.array([error])) for error in (0.0, 1e-15, 1e-3, scale.top, math.nan)}
        assert len(ends) == 1
        ((low, high),) = ends
        assert high > float(scale.heights(scale.top))
        assert low == (-high if scale.signed else 0.0)
    wide = Decades().limits(np.array([30.0]))[1]
    assert wide == Decades().limits(np.array([2000.0]))[1] > Decades().limits(np.array([1.0]))[1]


def test_gain_and_loss_have_their_sign_in_chart_caption_and_file(gaining: Run, tmp_path: Path, qtbot) -> None:
    chart = chart_of(gaining, ENERGY_ERROR, qtbot)
    ends = [curve.yData[-1] for curve in chart.curves]
    assert ends[0] > SIGNED.edge
    assert ends[1] < -SIGNED.edge
    assert abs(ends[2]) < SIGNED.edge
    values = [value_at(ENERGY_ERROR, lane.trajectory, lane.world, 1.0) for lane in gaining.lanes]
    assert [ENERGY_ERROR.text(value)[0] for value in values] == ["+", "−", "<"]
    write_plots(gaining.world, gaining.lanes, tmp_path / "curves.csv")
    with (tmp_path / "curves.csv").open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    column = next(i for i, name in enumerate(header) if name.startswith("Energy error"))
    written = {row[0]: float(row[column]) for row in rows}
    assert [written[lane.scheme.name] for lane in gaining.lanes] == values


def test_the_axis_says_gained_lost_and_rounding(gaining: Run) -> None:
    axes = next(one for one in sheet(gaining.world, gaining.lanes).axes if one.get_title().startswith("Energy error"))
    words = dict(zip(axes.yaxis.get_minorticklocs(), axes.yaxis.get_minorticklabels(), strict=True))
    assert [words[place].get_text() for place in sorted(words)] == ["lost", "rounding", "gained"]


def test_films_pages_and_files_draw_what_is_off_in_degrees_unless_decades_are_asked_for(gaining: Run) -> None:
    largest = max(float(np.nanmax(lane.trajectory.off.degrees)) for lane in gaining.lanes)
    for logarithmic in (False, True):
        world = replace(gaining.world, scenario=gaining.scenario.changed(**{"export.logarithmic": logarithmic}))
        (off,), _ = arranged(world, (1280, 210), "under")  # one large chart
        assert (off.title, off.log) == ("Attitude error", logarithmic)
        page, axes = charts(world, gaining.lanes)[0], sheet(world, gaining.lanes).axes[0]
        assert page["title"] == "Attitude error"
        drawn_to = max(float(np.nanmax(line.get_ydata())) for line in axes.lines)
        if logarithmic:
            assert page["band"] is not None
            assert drawn_to == pytest.approx(float(off.heights(largest)))
        else:
            assert page["band"] is None
            assert page["marks"][0][0] == 0
            assert drawn_to == pytest.approx(largest)
            assert axes.get_ylim()[0] == 0.0
            assert largest <= axes.get_ylim()[1] <= 180.0


def test_errors_that_are_unsure_stay_at_the_foot_of_a_linear_axis() -> None:
    (low, high), unsure = reached(ATTITUDE_ERROR, np.array([0.004, np.nan])), ATTITUDE_ERROR.error.floor
    assert low == 0.0
    assert high >= 10.0 * unsure
    assert reached(ATTITUDE_ERROR, np.array([20.0, 0.0])) == (0.0, 20.0)


@pytest.mark.parametrize(
    ("low", "high", "apart", "texts"),
    [
        (0.0, 180.0, 20.0, "0° 30° 60° 90° 120° 150° 180°"),
        (0.0, 150.0, 40.0, "0° 45° 90° 135°"),
        (-180.0, 180.0, 80.0, "−180° −90° 0° 90° 180°"),
        (0.0, 50.0, 10.0, None),
        (0.0, 1e10, 1e9, None),
    ],
)
def test_axes_of_large_angles_are_numbered_by_parts_of_a_turn(low, high, apart, texts) -> None:
    marks = EXACT_ATTITUDE_ERROR.numbers(low, high, apart)
    assert (None if marks is None else " ".join(text for _, text in marks)) == texts


def test_without_a_truth_nothing_is_drawn_and_the_chart_says_since_when(qtbot) -> None:
    run = finished(FALL.changed(duration=2.0, **{"export.charts": ("Attitude error",)}))
    until = min(lane.truth.valid_until for lane in run.lanes)
    assert 0.0 < until < 2.0
    chart = chart_of(run, ATTITUDE_ERROR, qtbot)
    told = f"no truth after {seconds_in_words(until)}"
    assert chart.missing.toPlainText() == told
    for curve, lane in zip(chart.curves, run.lanes, strict=True):
        known = np.isfinite(curve.yData)
        assert curve.xData[known].max() <= lane.truth.valid_until
        assert not known[curve.xData > lane.truth.valid_until].any()
    chart.show_time(2.0)
    assert chart.readout.text().count("–") == len(run.lanes)
    (axes,) = sheet(run.world, run.lanes).axes
    letters = [lane.scheme.letter for lane in run.lanes]
    assert sorted(text.get_text() for text in axes.texts) == sorted([told, *letters])
    ends = [text.xy[0] for text in axes.texts if text.get_text() in letters]
    assert max(ends) <= max(lane.truth.valid_until for lane in run.lanes)


def test_charts_draw_a_truth_that_comes_after_the_lanes(qtbot) -> None:
    run = finished(cuboid(duration=1.0))
    worlds = run.schedule.worlds()
    late = lanes_of(worlds, run.scenario.shown)
    for lane in late:
        for _ in record_schedule(worlds, lane.scheme.name, lane.recording):
            pass
    plots = Plots(DARK)
    qtbot.addWidget(plots)
    plots.begin()
    plots.show_run(run, late)
    plots.show()
    plots.refresh(0.5)
    chart = plots.charts[0]
    assert not any(np.isfinite(curve.yData).any() for curve in chart.curves)
    assert chart.missing.toPlainText() == "no truth known yet"
    find_truths(worlds, late)
    plots.refresh(0.5)
    assert chart.missing.toPlainText() == ""
    for curve, lane in zip(chart.curves, run.lanes, strict=True):
        np.testing.assert_allclose(curve.yData, lane.truth.degrees_off(lane.trajectory), atol=1e-12)
