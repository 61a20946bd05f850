"""Charts over another quantity than time: righting levers and phase plane of a ship, in files, films, windows."""

from __future__ import annotations

import csv
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from app.kinds import kind_of
from app.kinds.quantities import Quantity
from app.playback.run import Run
from app.plots.chart_data import along_at, value_at, with_gaps
from app.plots.files import sheet, write_plots
from app.plots.film_charts import Charts
from app.plots.hydrostatics_sheet import numbers
from app.plots.hydrostatics_words import judged_value
from app.plots.print_style import style
from app.plots.result_figures import righting_figure
from app.system.language import speaking
from app.theme import LIGHT, legible
from physics import World
from physics.core.rotation import yaw_pitch_roll
from physics.hydrostatics.hull import box, loaded
from physics.hydrostatics.righting_levers import Criterion
from physics.hydrostatics.stability_sheet import SheetInputs, sheet_of
from physics.hydrostatics.weather_criterion import Windage
from physics.systems.ship.world import ShipWorld
from tests.app.staging import example, finished, in_a_row
from tests.app.windowing import quiet, settle, show, wait

NAMES = ("Heel", "Righting lever", "Roll rate over heel")


@pytest.fixture(scope="module")
def capsizing() -> Run:
    """The barge just above its threshold, until it has passed 180 degrees."""
    return finished(example("ship-capsize", schemes=["rkn-4:above"], duration=8.0, **{"export.charts": NAMES}))


def quantity(run: Run, title: str) -> Quantity:
    return next(one for one in kind_of(run.scenario).choices if one.title == title)


def test_a_ship_that_turns_over_goes_on_at_the_other_end_and_every_chart_has_its_values(capsizing: Run) -> None:
    """Heel is within 180 degrees, as in files and captions; a curve has a gap there."""
    run, world = capsizing.lanes[0].trajectory, capsizing.world
    heel = quantity(capsizing, "Heel")
    whole = heel.values(run, world)
    assert (whole.min(), whole.max()) == pytest.approx((-180.0, 180.0), abs=3.0)
    np.testing.assert_array_equal(whole, yaw_pitch_roll(run.orientation)[:, 2])
    x, y = with_gaps(heel, run.time, whole)
    (gap,) = np.flatnonzero(np.isnan(y))
    assert (y[gap - 1] > 170.0, y[gap + 1] < -170.0) == (True, True)
    assert len(x) == len(run) + 1
    assert value_at(heel, run, world, 7.5) == pytest.approx(whole[run.index(7.5)])
    phase = quantity(capsizing, "Roll rate over heel")
    assert along_at(phase, run, world, 7.5) == pytest.approx(whole[run.index(7.5)])
    assert isinstance(world, World)
    for one in kind_of(capsizing.scenario).choices:
        values = one.values(run, world)
        assert values.shape == (len(run),)
        assert np.isfinite(values).all(), one.title


def test_a_part_of_the_time_has_the_heel_of_the_whole(capsizing: Run, tmp_path: Path) -> None:
    def curves(name: str, **table: float) -> np.ndarray:
        world = replace(capsizing.world, scenario=capsizing.scenario.changed(export={"charts": NAMES, **table}))
        write_plots(world, capsizing.lanes, tmp_path / name)
        with (tmp_path / name).open(encoding="utf-8", newline="") as file:
            header, *rows = csv.reader(file)
        assert header == [
            "scheme",
            "time [s]",
            "heel [°]",
            "Heel [°]",
            "Righting lever [m]",
            "Roll rate over heel [°/s]",
        ]
        assert {row[0] for row in rows} == {"rkn-4:above", "hull in calm water"}
        still = np.array([row[2:5:2] for row in rows if row[0] != "rkn-4:above" and row[4]], float)
        at = np.abs(still[:, 0] - 40.0).argmin()  # GZ is the hull's curve, whatever the motion
        assert still[at].tolist() == pytest.approx([40.0, 0.7740144309])
        return np.array([row[1:] for row in rows if row[1]], float)

    whole, part = curves("whole.csv"), curves("part.csv", first=7.0, last=7.5)
    np.testing.assert_allclose(part, whole[(whole[:, 0] >= 7.0) & (whole[:, 0] <= 7.5)], rtol=1e-12)
    np.testing.assert_array_equal(whole[:, 1], whole[:, 2])


def test_in_a_file_the_curves_lie_before_the_levers_and_their_limits(capsizing: Run) -> None:
    _, levers, phase = sheet(capsizing.world, capsizing.lanes).axes
    curve, *marks, run = levers.lines
    assert curve.get_ydata()[np.argmin(np.abs(curve.get_xdata() - 40.0))] == pytest.approx(0.7740144309, abs=1e-9)
    places = [mark.get_xdata()[0] for mark in marks]
    assert places[:4] == [-40.0, -30.0, 30.0, 40.0]
    assert places[4:] == pytest.approx([-73.155, 73.155], abs=0.01)
    assert np.nanmin(run.get_xdata()) < -170.0
    assert np.isnan(run.get_ydata()).sum() == 1
    closed = phase.lines[0].get_xydata()
    assert closed[0] == pytest.approx(closed[-1], abs=1e-6)
    started = phase.lines[1].get_xydata()[0]
    outline = np.interp(0.0, closed[: len(closed) // 2, 0], closed[: len(closed) // 2, 1])
    assert started == pytest.approx([0.0, 1.005 * outline], rel=1e-4)  # 0.5 % above the threshold


def test_in_a_film_a_dot_runs_along_with_its_trail_and_fills_the_area(capsizing: Run) -> None:
    charts = Charts(capsizing.world, capsizing.lanes, LIGHT, (1280, 210), "under")
    panels = in_a_row(capsizing.world, capsizing.lanes)
    before, now = (charts.show(time).astype(int) for time in (0.0, 1.5))
    lever = panels[1]
    run = capsizing.lanes[0].trajectory
    x, y = along_at(lever.quantity, run, capsizing.world, 1.5), value_at(lever.quantity, run, capsizing.world, 1.5)
    ink = legible(capsizing.lanes[0].scheme.colour, LIGHT)
    colour = [int(ink[k : k + 2], 16) for k in (1, 3, 5)]
    assert np.abs(now[round(lever.up(y)), round(lever.across(x))] - colour).max() < 12
    inside = np.s_[round(lever.up(0.2)), round(lever.across(15.0)) : round(lever.across(x - 15.0))]
    assert (np.abs(now[inside] - before[inside]).max(axis=1) > 10).mean() > 0.8  # below the curve, over the axis
    beyond = np.s_[round(lever.up(0.5)), round(lever.across(100.0)) : round(lever.across(150.0))]
    np.testing.assert_array_equal(now[beyond], before[beyond])


def test_the_error_of_the_energy_is_drawn_where_nothing_gives_or_takes_any() -> None:
    calm, kind = example("ship-barge"), kind_of(example("ship-barge"))
    damping = {"linear": (0.0, 0.0, 0.0, 1e4, 0.0, 0.0)}
    half = calm.changed(schemes=["rkn-4", "rkn-4:damped"], variants={"damped": {"damping": damping}})
    for scenario, drawn in (
        (calm, True),
        (calm.changed(wave={"height": 0.5, "period": 6.0}), False),
        (calm.changed(damping=damping), False),
        (half, True),
    ):
        world = World.of(scenario)
        assert ("Energy error" in [one.title for one in kind.chosen((), world)]) is drawn
        assert ("Energy error" in [one.title for one in kind.chosen(("Energy error",), world)]) is drawn


@pytest.mark.picture
def test_in_a_window_the_same(qtbot, window, capsizing: Run) -> None:
    window.plots.titles = {"ship": list(NAMES)}
    show(qtbot, window, capsizing.scenario)
    quiet(window)
    window.session.seek(1.5)
    quiet(window)
    heel, lever, phase = window.plots.charts
    assert (heel.quantity.title, lever.quantity.title) == NAMES[:2]
    (x,), (y,) = lever.dots[0].getData()
    assert x == pytest.approx(heel._told[0])
    area = np.column_stack(lever.backdrop._area.getData())
    assert area[[0, -1], 0] == pytest.approx([0.0, x], abs=1e-9)
    assert y == pytest.approx(np.interp(x, *lever.backdrop.behind.curves[0].T), abs=0.02)
    trail = np.column_stack(lever.trails[0].getOriginalDataset())
    assert trail[-1] == pytest.approx([x, y], abs=0.3)
    assert phase.backdrop._area.getData()[0] is None or len(phase.backdrop._area.getData()[0]) == 0
    phase._seek(120.0)
    run = window.session.run.lanes[0].trajectory
    assert along_at(phase.quantity, run, window.session.run.world, window.session.clock.time) == pytest.approx(
        120.0, abs=2
    )


@pytest.mark.parametrize(
    ("kg", "said", "beyond"),
    [
        (2.5, "", 73.2),
        # KB + BM - KG = 1 + 8²/24 - 4 m; it lolls at atan sqrt(-2 GM/BM)
        (4.0, "Upright it is not stable: GM is -0.333 m, and it comes to rest at a heel of 26.6°. ", 31.3),
    ],
)
def test_a_ship_that_is_not_stable_upright_is_said_to_loll(kg: float, said: str, beyond: float) -> None:
    world = World.of(example("ship-barge", **{"hull.centre_of_gravity": (0.0, 0.0, kg)}))
    facts = kind_of(world.scenario).facts(world)
    assert said in facts
    assert ("Upright" in facts) == bool(said)
    angle = facts.partition("Beyond ")[2].partition("° of heel nothing rights it.")[0]
    assert float(angle) == pytest.approx(beyond, abs=0.3)  # from levers a few degrees apart


def test_a_ship_that_lists_is_righted_from_less_heel_to_that_side() -> None:
    world = World.of(example("ship-barge", **{"hull.centre_of_gravity": (0.0, 0.1, 2.5)}))
    said = kind_of(world.scenario).facts(world)
    assert (
        "Heeled to port, nothing rights it beyond 72.1°. Heeled to starboard, nothing rights it beyond 74.1°." in said
    )


@pytest.mark.picture
def test_the_panel_tells_how_stable_a_ship_is_and_takes_tables_away(qtbot, window) -> None:
    show(qtbot, window, example("ship-fins", duration=1.0))
    said = window.panel.advice.text()
    assert "GM 1.17 m" in said
    assert "5.2 s" in said
    assert "Beyond 73.2°" in said
    for values, gone in (({"control.kind": None}, "control"), ({"wind.given": "lever", "wind.lever": 0.1}, "")):
        window.panel.put(values)
        wait(qtbot, lambda run=window.session.run: window.session.run is not run or window.session.pending is None)
        settle(qtbot, window)
        plain = window.session.run.scenario.to_plain()
        assert gone not in plain
    assert plain["wind"] == {"lever": 0.1}
    shown = {key for key, entry in window.panel.entries.items() if not entry.isHidden()}
    assert {"hull.size", "hull.mass", "wind.gust", "initial.heel"} <= shown
    assert not {"hull.file", "hull.draught", "control.limit", "control.spin", "initial.orientation"} & shown
    world = window.session.run.world
    assert isinstance(world, ShipWorld)
    assert world.model.wind[0] == pytest.approx(0.1 * 328000.0 * 9.81)


@pytest.mark.parametrize("code", ["en", "de", "fr", "it"])
def test_the_verdicts_below_the_righting_levers_are_within_the_figure(code: str) -> None:
    wind = Windage(3000.0, 5.0, (0.0, 4.0, 4.0))  # that no lever withstands: its heel has no number
    inputs = SheetInputs(openings=((0.0, 3.5, 3.2),), windage=wind)
    found = sheet_of(loaded(box((20.0, 8.0, 4.0)), 328_000.0, (0.0, 0.0, 2.5)), inputs=inputs)
    with speaking(code), style():
        figure = righting_figure(found, "box")
        figure.draw_without_rendering()
        (small,) = (one for one in figure.texts if "2.2" in one.get_text())
        assert ": – ° (" in small.get_text()
        extent = small.get_window_extent()
        assert 0.0 <= extent.x0 < extent.x1 <= figure.bbox.x1
        assert extent.y0 >= 0.0


@pytest.mark.parametrize(
    ("value", "said"),
    [(0.149997, "0.149997"), (0.15, "0.15"), (0.150004, "0.15"), (0.2, "0.2"), (-math.inf, "–")],
)
def test_a_value_just_below_its_limit_is_not_rounded_to_it(value: float, said: str) -> None:
    assert judged_value(Criterion("GM upright", value, 0.15, "m")) == said


def test_what_is_small_of_a_model_is_not_taken_for_rounding() -> None:
    """A box of 5 x 1 x 0.5 cm, half under water."""
    found = {
        name: value for name, value, _ in numbers(sheet_of(loaded(box((0.05, 0.01, 0.005)), 1.28e-3, (0, 0, 1e-3))))
    }
    assert found["moment of the waterplane, transverse"] == pytest.approx(0.05 * 0.01**3 / 12.0)
    assert found["centre of gravity, y"] == 0.0
