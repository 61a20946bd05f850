"""Screens of all sizes: letters and lines that one can read, nothing cut off, no body behind its captions."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontInfo
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QToolButton, QWidget

from app.document.settings import Settings
from app.stage.text.labels import projected
from app.theme import CONTRAST, DARK, LIGHT
from app.window.charts.chart import Readout
from app.window.main_window import MainWindow
from app.window.transport import TimeSlider
from tests.app.text_room import cut
from tests.app.windowing import cuboid, quiet, rock, show

pytestmark = pytest.mark.picture
EIGHT = ("explicit", "implicit", "quat-em", "exact", "magnus-2", "dir-em", "quat-vi", "cf-4")


@pytest.mark.parametrize(("theme", "name"), [(LIGHT, "light"), (DARK, "dark"), (DARK, "system")])
def test_high_contrast_switched_off_is_the_look_that_was(qtbot, theme, name) -> None:
    window = MainWindow(theme, Settings(theme=name))
    qtbot.addWidget(window)
    switch = window.actions_by_id["contrast"].trigger
    switch()
    assert window.workspace.theme is CONTRAST
    again = Settings(**window.settings.model_dump())  # also in another window
    switch()
    assert (window.workspace.theme, window.settings.theme) == (theme, name)
    window.close()
    later = MainWindow(CONTRAST, again)
    qtbot.addWidget(later)
    later.actions_by_id["contrast"].trigger()
    assert later.workspace.theme is theme
    later.close()


def test_what_is_around_the_view_yields_to_it_in_a_small_window(qtbot, window) -> None:
    """A window has 853 x 480 on a screen of 1280 x 720 at a scale of 1.5."""
    show(qtbot, window, cuboid(duration=0.5))
    view, layout, around = window.view, window.window_layout, (window.verdicts, window.plots, window.panel)

    def resize(wide: int, high: int) -> list[bool]:
        window.resize(wide, high)
        quiet(window)
        assert window.transport.timeline.width() >= 200
        assert window.transport.buttons["play"].isVisible()
        return [part.isVisible() for part in around]

    assert resize(1280, 800) == [False, True, True]
    window.actions_by_id["verdicts"].trigger()
    assert resize(1280, 800) == [True, True, True]
    assert resize(1024, 768) == [True, True, True]
    assert resize(853, 480) == [False, False, True]
    assert view.width() * view.height() > 0.5 * layout.body.width() * layout.body.height()
    qtbot.keyClick(window, Qt.Key.Key_P)  # who wants the plots has them
    assert window.plots.isVisible()
    least = window.minimumSizeHint()
    assert resize(least.width(), 300) == [False, True, False]
    qtbot.keyClick(window, Qt.Key.Key_P)
    assert resize(window.minimumSizeHint().width(), 260) == [False, False, False]
    rail = window.window_layout.rail
    assert view.width() == window.width() - rail.width() < 500
    assert view.height() > window.transport.height()
    qtbot.keyClick(window, Qt.Key.Key_F9)
    assert window.panel.isVisible()
    assert resize(1280, 800) == [True, True, True]


def test_tab_goes_through_tools_panel_plots_verdicts_and_transport(qtbot, window) -> None:
    show(qtbot, window, cuboid(duration=0.5))
    window.actions_by_id["verdicts"].setChecked(True)
    quiet(window)
    window.setFocus()
    areas = window.window_layout.tools, window.panel, window.plots, window.verdicts, window.transport
    visited: list[QWidget] = []
    while (now := window.focusWidget()) not in visited:
        visited.append(now)
        qtbot.keyClick(now, Qt.Key.Key_Tab)
    order = [next(n for n, area in enumerate(areas) if area.isAncestorOf(one)) for one in visited[1:]]
    assert order == sorted(order)
    assert set(order) == set(range(len(areas)))
    assert order.count(1) > 20  # fields
    assert [one for one in visited if window.plots.isAncestorOf(one)] == [*window.plots.names, window.plots.logarithmic]
    assert isinstance(visited[-1], QToolButton)
    assert visited[-1].defaultAction() is window.actions_by_id["reset"]


def test_letters_are_enlarged_and_stay_so(qtbot, window) -> None:
    def sizes() -> tuple[float, ...]:
        quiet(window)
        charts, stage = window.plots.charts, window.view.stage.describe()
        tick = charts[0].plot.getAxis("left").style["tickFont"].pointSizeF()
        return tick, window.transport.now.font().pointSizeF(), stage.captions.head, window.panel.width()

    show(qtbot, window, cuboid(duration=0.5))
    window.resize(1600, 900)
    usual = sizes()
    for _ in range(3):
        qtbot.keyClick(window, Qt.Key.Key_Plus, Qt.KeyboardModifier.ControlModifier)
    assert sizes() == pytest.approx([1.33 * size for size in usual], rel=0.04)
    assert cut(window) == []
    window.resize(1024, 768)
    assert cut(window.window_layout.menus) == []
    window.resize(1600, 900)
    kept = Settings(**window.settings.model_dump())
    qtbot.keyClick(window, Qt.Key.Key_Minus, Qt.KeyboardModifier.ControlModifier)
    assert sizes() == pytest.approx([1.21 * size for size in usual], rel=0.04)
    qtbot.keyClick(window, Qt.Key.Key_0, Qt.KeyboardModifier.ControlModifier)
    assert sizes() == pytest.approx(usual)
    assert window.settings.letters == 1.0
    window.close()
    later = MainWindow(DARK, kept)
    qtbot.addWidget(later)
    assert later.transport.now.font().pointSizeF() == pytest.approx(1.33 * usual[1], rel=0.01)
    later.close()


def test_a_presentation_shows_view_plot_and_transport_in_letters_that_are_seen_from_afar(qtbot, window) -> None:
    show(qtbot, window, cuboid(duration=0.5, schemes=EIGHT[:3]))
    window.resize(1024, 768)
    quiet(window)
    before = [one for one in window.findChildren(QWidget) if one.isVisible()]
    usual = QApplication.font().pointSizeF()
    qtbot.keyClick(window, Qt.Key.Key_F5)
    window.resize(1024, 768)
    quiet(window)
    assert window.isFullScreen()
    assert window.size() == QSize(1024, 768)
    parts = (window.view, window.plots, window.transport)
    assert sum(part.width() * part.height() for part in parts) >= 0.99 * 1024 * 768
    assert [chart.isVisible() for chart in window.plots.charts] == [True] + [False] * (len(window.plots.charts) - 1)
    assert min(letters(window)) >= 0.02 * 768
    assert cut(window) == []
    stage = window.view.stage.describe()
    for renderer, line in zip(stage.renderers, stage.captions.lines, strict=True):
        body, _ = projected(renderer, np.zeros((1, 3)))
        assert body[0, 1] > line.top
    plain = stage.captions.headed(0)
    window.actions_by_id["vectors"].setChecked(False)  # the arrows, and so their names
    quiet(window)
    assert stage.captions.headed(0) < plain
    window.actions_by_id["vectors"].setChecked(True)
    qtbot.mouseClick(window.plots.names[1], Qt.MouseButton.LeftButton)
    assert [chart.isVisible() for chart in window.plots.charts[:2]] == [False, True]
    qtbot.mouseClick(window.plots.names[0], Qt.MouseButton.LeftButton)
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    window.resize(1024, 768)
    quiet(window)
    assert not window.isFullScreen()
    assert not window.view.stage.named
    assert [one for one in before if not one.isVisible()] == []
    assert QApplication.font().pointSizeF() == usual


def letters(window) -> Iterator[float]:
    """Sizes of all letters that are seen [pixels]: of widgets, of axes, of the flags of the timeline, of the view."""
    for one in window.findChildren(QWidget):
        if one.isVisible() and isinstance(one, QLabel | QComboBox | Readout | TimeSlider):
            yield QFontInfo(one.font()).pixelSize()
    for name in ("left", "bottom"):
        yield QFontInfo(window.plots.charts[0].plot.getAxis(name).style["tickFont"]).pixelSize()
    stage = window.view.stage.describe()
    yield from (size * stage.unit for size in stage.captions.letters)


def test_plots_are_seen_whole_on_screens_of_all_sizes(check, qtbot, window) -> None:
    for make in (cuboid, rock):
        show(qtbot, window, make(duration=0.2))
        for size in ((960, 600), (1280, 720), (1920, 1080)):
            window.resize(*size)
            quiet(window)
            check(titles_and_values_are_seen_whole, window)
    check(of_more_values_than_fit_whole_ones_are_told, qtbot, window)


def titles_and_values_are_seen_whole(window) -> None:
    for chart in window.plots.charts:
        if not chart.isVisible():  # where there is no room for it
            continue
        wide = chart.title.width()
        assert chart.title.heightForWidth(wide) <= chart.title.height() + 1, chart.quantity.title
        assert chart.readout.sizeHint().width() <= chart.readout.width()
        assert "…" not in chart.readout.text()


def of_more_values_than_fit_whole_ones_are_told(qtbot, window) -> None:
    show(qtbot, window, cuboid(duration=0.2, schemes=EIGHT))
    for _ in range(4):
        window.actions_by_id["larger"].trigger()
    window.resize(300, 600)  # as narrow as it gets
    quiet(window)
    for chart in window.plots.charts:
        assert chart.readout.sizeHint().width() <= chart.readout.width() + 1
        told = [text for row in chart.readout.rows for text, _ in row if text != "…"]
        assert (len(told) < len(EIGHT)) == ("…" in chart.readout.text())
        assert chart.readout.toolTip().count("<span") == len(EIGHT)
    assert any("…" in chart.readout.text() for chart in window.plots.charts)
    window.actions_by_id["usual-size"].trigger()  # of all windows
