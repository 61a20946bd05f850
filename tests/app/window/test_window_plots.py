"""The plots: a curve a lane, the cursor is the clock, a click is a seek."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

from app.export.checks import check_plots
from app.kinds import KINDS
from app.kinds.quantities import EXACT_ATTITUDE_ERROR
from physics import World, simulate
from tests.app.windowing import cuboid, quiet, rock, show, wait


def test_heights_above_ground_and_distances_of_a_rock() -> None:
    scenario = rock(schemes=("implicit",))
    world, run = World.of(scenario), simulate(scenario)["implicit"]
    height = KINDS["rockfall"].charts[3].values(run, world)
    assert height[0] == pytest.approx(scenario.release.height)
    assert height.min() > 0


@pytest.mark.picture
def test_one_curve_a_lane_and_a_readout_with_letters(qtbot, window) -> None:
    show(qtbot, window, cuboid())
    charts = window.plots.charts
    assert [chart.quantity.title for chart in charts] == [
        "Attitude error", "ωx", "ωy", "ωz", "Energy error", "Angular momentum error",
    ]  # fmt: skip
    wait(qtbot, lambda: len(charts[0].curves[0].xData) == 201)
    assert all(len(chart.curves) == 2 for chart in charts)
    assert "E " in charts[0].readout.text()
    assert "I " in charts[0].readout.text()
    assert len(charts[0].readout.rows) == 1
    for _ in range(4):
        window.actions_by_id["larger"].trigger()
    window.resize(300, 1000)  # as narrow as it gets
    eight = ("explicit", "implicit", "quat-em", "exact", "magnus-2", "dir-em", "quat-vi", "cf-4")
    show(qtbot, window, cuboid(schemes=eight))
    quiet(window)
    (chart, *_) = window.plots.charts
    assert len(chart.readout.rows) > 1 or "…" in chart.readout.text()  # eight do not fit beside each other
    assert chart.readout.sizeHint().width() <= chart.readout.width()
    assert chart.readout.accessibleName() == chart.readout.text()
    window.actions_by_id["usual-size"].trigger()  # of all windows


@pytest.mark.picture
def test_charts_stay_for_another_run_of_their_kind_and_draw_its_curves(qtbot, window) -> None:
    show(qtbot, window, cuboid())
    before = window.plots.charts
    show(qtbot, window, cuboid(duration=1.0, schemes=("exact", "implicit")))
    assert window.plots.charts == before
    for curve, lane in zip(before[1].curves, window.session.run.lanes, strict=True):
        wait(qtbot, lambda curve=curve: len(curve.xData) == 101)
        np.testing.assert_array_equal(curve.yData, lane.trajectory.angular_velocity[:, 0])
    assert [len(row) for row in before[0].readout.rows] == [2]
    show(qtbot, window, cuboid(duration=1.0, schemes=("exact",)))
    assert window.plots.charts != before


@pytest.mark.picture
def test_a_click_in_a_plot_sets_the_clock_and_dragging_scrubs(qtbot, window) -> None:
    show(qtbot, window, cuboid())
    window.session.reset()
    quiet(window)
    chart = window.plots.charts[1]
    box = chart.plot.getPlotItem().getViewBox()
    middle = box.mapViewToScene(box.viewRect().center())
    at = chart.plot.mapFromScene(middle)
    qtbot.mouseClick(chart.plot.viewport(), Qt.MouseButton.LeftButton, pos=at)
    wait(qtbot, lambda: window.session.clock.time == pytest.approx(box.viewRect().center().x(), abs=0.05))
    wait(qtbot, lambda: chart.cursor_line.value() == pytest.approx(window.session.clock.time))
    window.session.reset()
    quiet(window)
    plot = window.plots.charts[0].plot
    y, wide = plot.height() // 2, plot.width()
    left, none = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton

    def mouse(kind: QEvent.Type, x: int, button: Qt.MouseButton, buttons: Qt.MouseButton) -> None:
        at, to = QPointF(x, y), plot.viewport()
        QApplication.sendEvent(to, QMouseEvent(kind, at, to.mapToGlobal(at), button, buttons, Qt.KeyboardModifier(0)))
        qtbot.wait(10)

    mouse(QEvent.Type.MouseButtonPress, wide // 3, left, left)
    for x in range(wide // 3, wide * 3 // 4, 8):
        mouse(QEvent.Type.MouseMove, x, none, left)
    assert window.session.clock.time > 0.9
    mouse(QEvent.Type.MouseButtonRelease, wide * 3 // 4, left, none)


@pytest.mark.picture
def test_a_click_over_distance_goes_to_where_the_rock_was(qtbot, window) -> None:
    show(qtbot, window, rock())
    window.session.reset()
    quiet(window)
    chart = window.plots.charts[0]
    run = window.session.run.lanes[0].trajectory
    far = float(np.linalg.norm(run.position[len(run) // 2, :2] - run.position[0, :2]))
    chart._seek(far)
    assert window.session.clock.time == pytest.approx(float(run.time[len(run) // 2]), abs=0.1)


def test_a_scenario_that_names_its_charts_opens_with_them_until_one_chooses(qtbot, window) -> None:
    scenario = cuboid(export={"charts": ["Energy error", "Angular momentum error"]})
    check_plots(scenario)
    show(qtbot, window, scenario)
    assert [chart.quantity.title for chart in window.plots.charts] == ["Energy error", "Angular momentum error"]
    window.plots._switch("free", ["Energy error", "Angular momentum error"], "ωx")
    assert [chart.quantity.title for chart in window.plots.charts] == ["ωx", "Energy error", "Angular momentum error"]


@pytest.mark.picture
def test_one_chart_is_seen_and_the_names_of_others_choose_it(qtbot, window) -> None:
    window.plots.titles = {"rockfall": [quantity.title for quantity in KINDS["rockfall"].choices[:6]]}
    show(qtbot, window, rock())
    window.actions_by_id["ensemble"].setChecked(True)
    window.resize(1024, 700)
    plots = window.plots
    wait(qtbot, lambda: plots.width() < 500)
    assert window.size().toTuple() == (1024, 700)
    for number, name in enumerate(plots.names):
        qtbot.mouseClick(name, Qt.MouseButton.LeftButton)
        assert [chart.isVisible() for chart in plots.charts] == [number == other for other in range(6)]
        assert [other.isChecked() for other in plots.names] == [number == other for other in range(6)]
        assert plots.charts[number].width() > plots.width() - 40


@pytest.mark.picture
def test_errors_are_drawn_in_degrees_and_by_a_click_in_decades_with_letters_at_their_ends(qtbot, window) -> None:
    show(qtbot, window, cuboid(duration=6.0))
    plots = window.plots
    quiet(window)
    chart = plots.charts[0]
    largest = float(np.nanmax(window.session.run.lanes[0].trajectory.off.degrees))
    assert np.nanmax(chart.curves[0].yData) == pytest.approx(largest)
    _, (low, high) = chart.plot.getPlotItem().getViewBox().viewRange()
    assert low == 0.0
    assert largest <= high <= 180.0
    for size in ((1280, 720), (900, 800)):
        window.resize(*size)
        quiet(window)
        box = chart.plot.getPlotItem().getViewBox()
        for text, curve in zip(chart.letters.texts, chart.curves, strict=True):
            assert text.pos().x() == curve.xData[-1]
            place = text.mapRectToDevice(text.boundingRect())
            assert abs(place.center().y() - box.mapViewToDevice(QPointF(0.0, curve.yData[-1])).y()) < place.height()
            assert place.right() <= box.mapRectToDevice(box.boundingRect()).right() + 1.0
    switch = window.actions_by_id["logarithmic"]
    plots.logarithmic.click()
    assert switch.isChecked()
    quiet(window)
    assert np.nanmax(plots.charts[0].curves[0].yData) == np.nanmax(EXACT_ATTITUDE_ERROR.scaled(True).heights(largest))
    assert window.shown_session.scenario().export.logarithmic
    saved = window.shown_session.saved()
    switch.trigger()
    quiet(window)
    assert np.nanmax(plots.charts[0].curves[0].yData) == pytest.approx(largest)
    plots.see("Energy error")
    assert plots.logarithmic.isHidden()
    window.open_saved(saved)
    wait(qtbot, lambda: switch.isChecked())
    assert plots.logarithmic.isChecked()
