"""Screens of all sizes: letters and lines that one can read, nothing cut off, no body behind its captions."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pytest
import pyvista as pv
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QApplication
from staging import example
from windowing import cuboid, quiet, rock, settle, show, wait

from app.document.settings import Settings
from app.stage.upright_labels import projected
from app.stage.viewport_layout import panes
from app.system.processes import environment
from app.theme import CONTRAST, DARK, LIGHT
from app.window.main_window import MainWindow

pytestmark = pytest.mark.picture
SIX = ("explicit", "implicit", "quat-em", "exact", "magnus-2", "dir-em")


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


def test_at_a_scale_of_two_captions_lines_and_tools_are_as_at_one(tmp_path) -> None:
    """On a screen of 1920 x 1200 pixels that shows 960 x 600: what counts is what one sees."""
    script = tmp_path / "scaled.py"
    script.write_text(SCALED, encoding="utf-8")
    told = {}
    for scale in ("1", "2"):
        env = environment() | {"QT_SCALE_FACTOR": scale}
        done = subprocess.run([sys.executable, str(script)], env=env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        told[scale] = json.loads(done.stdout.splitlines()[-1])
    assert told["2"].pop("ratio") == 2 * told["1"].pop("ratio") == 2.0
    assert told["1"].pop("heading") == pytest.approx(told["2"].pop("heading"), abs=3.0)
    assert told["1"].pop("line") == told["2"].pop("line") == 1.0
    assert told["1"] == told["2"] == {"more": False, "tools": 15}


SCALED = """\
import json, time
from PySide6.QtWidgets import QApplication, QToolButton
app = QApplication([])
from app.window.main_window import MainWindow
from app.document.open import scenario_for
import assets
window = MainWindow()
window.resize(960, 600)
window.show()
window.begin(scenario_for(assets.SCENARIOS / "cuboid-major.toml").changed(duration=0.5))
end = time.monotonic() + 200
while not (window.staged and window.session.clock.complete and window.plots.charts) and time.monotonic() < end:
    app.processEvents()
    time.sleep(0.01)
for _ in range(50):
    app.processEvents()
    time.sleep(0.01)
bar = window.window_layout.menus.parent()
buttons = [b for b in bar.findChildren(QToolButton) if b.defaultAction() and b.isVisible() and b.width() > 10]
ratio = window.devicePixelRatioF()
sheet = window.view.stage._captions.heading
high = window.view.viewport.plotter.render_window.GetSize()[1]
print(json.dumps({
    "ratio": ratio,
    "heading": sheet._place[3] / ratio,
    "line": window.plots.charts[0].curves[0].opts["pen"].widthF() / ratio,
    "more": bar.findChild(QToolButton, "qt_toolbar_ext_button").isVisible(),
    "tools": len(buttons),
}))
window.close()
"""


def test_lines_of_plots_are_seen_on_a_large_screen(qtbot, window) -> None:
    show(qtbot, window, cuboid(duration=0.2))

    def widths() -> set[float]:
        return {curve.opts["pen"].widthF() for chart in window.plots.charts for curve in chart.curves}

    window.resize(1920, 1080)
    qtbot.waitUntil(lambda: widths() == {1.0})
    window.resize(3840, 2400)
    qtbot.waitUntil(lambda: widths() == {2.0})


@pytest.mark.parametrize("size", [(960, 600), (1280, 720), (1920, 1080)])
@pytest.mark.parametrize("make", [cuboid, rock])
def test_titles_and_values_of_plots_are_seen_whole(qtbot, window, size, make) -> None:
    show(qtbot, window, make(duration=0.2))
    window.resize(*size)
    quiet(window)
    for chart in window.plots.charts:
        wide = chart.title.width()
        assert chart.title.heightForWidth(wide) <= chart.title.height() + 1, chart.quantity.title
        assert chart.readout.sizeHint().width() <= chart.readout.width()
        assert "…" not in chart.readout.text()


def test_of_more_values_than_fit_whole_ones_are_told(qtbot, window) -> None:
    show(qtbot, window, cuboid(duration=0.2, schemes=SIX))
    window.resize(960, 600)
    quiet(window)
    for chart in window.plots.charts:
        assert chart.readout.sizeHint().width() <= chart.readout.width() + 1
        assert (chart.readout.text().count("<span") < len(SIX)) == ("…" in chart.readout.text())
        assert chart.readout.toolTip().count("<span") == len(SIX)
    assert any("…" in chart.readout.text() for chart in window.plots.charts)


@pytest.mark.parametrize("name", ["vessel-free", "vessel-restoring", "vessel-damped"])
def test_a_ships_energy_has_numbers_that_fit_and_differ(qtbot, window, name) -> None:
    show(qtbot, window, example(name, duration=5.0))
    (chart,) = [chart for chart in window.plots.charts if chart.quantity.title == "Energy"]
    wait(qtbot, lambda: chart.range != (0.0, 1.0))
    axis = chart.plot.getAxis("left")
    levels = axis.tickValues(*axis.range, axis.height())
    texts = axis.tickStrings(levels[0][1], 1.0, levels[0][0])
    assert len(texts) >= 2
    assert len(set(texts)) == len(texts)
    metrics = QFontMetricsF(axis.style["tickFont"])
    assert all(metrics.horizontalAdvance(text) < axis.width() for text in texts)


def test_moments_of_a_large_mesh_are_seen_whole(qtbot, window, tmp_path) -> None:
    sphere = pv.Sphere(radius=1.0, theta_resolution=9, phi_resolution=8)
    sphere.points *= (31.0, 22.0, 13.0)
    sphere.save(tmp_path / "stone.stl")
    window.files.open(tmp_path / "stone.stl")
    wait(qtbot, lambda: window.session.run is not None)
    settle(qtbot, window)
    window.resize(1280, 720)
    quiet(window)
    entry = window.panel.entries["body.inertia"]
    for number, moment in zip(entry.numbers, window.session.run.world.body.inertia, strict=True):
        text = number.placeholderText()
        assert float(text) == pytest.approx(moment, rel=1e-3)
        assert QFontMetricsF(number.font()).horizontalAdvance(text) < number.width() - 18  # of border and padding


def test_four_lanes_and_those_before_an_edit_share_panes_and_leave_the_bodies_free(qtbot, window) -> None:
    show(qtbot, window, cuboid(duration=0.5, schemes=SIX[:4]))
    before = window.session.run
    window.session.edit(before.scenario.changed(**{"initial.angular_velocity": (1.0, 9.0, 0.0)}), whole=True)
    wait(qtbot, lambda: window.session.run is not before)
    settle(qtbot, window)
    window.actions_by_id["compare"].trigger()
    settle(qtbot, window)
    stage = window.view.stage
    assert [view for view, _ in stage._scenes] == [0, 1, 2, 3] * 2
    for size in ((1280, 720), (1920, 1080)):
        window.resize(*size)
        quiet(window)
        window.view.show_time(0.3)
        QApplication.processEvents()
        for renderer, (_, bottom) in zip(stage._used, stage._captions._sheets, strict=True):
            body, _ = projected(renderer, np.zeros((1, 3)))
            below, right = bottom.top, bottom.right
            assert below < 0.3 * renderer.GetSize()[1] + 1
            assert body[0, 1] > below or body[0, 0] > right


def test_lanes_are_given_panes() -> None:
    assert panes(["a", "b", "a′", "b′"], overlaid=False) == [0, 1, 2, 3]
    assert panes(["a", "b", "c", "a′", "b′", "c′"], overlaid=False) == [0, 1, 2] * 2
    assert panes(list("abcdef"), overlaid=False) == [0, 0, 1, 2, 2, 3]
    assert panes([*"abcde", "x′"], overlaid=False) == [0, 0, 1, 2, 2, 3]  # another scheme before
    assert panes(["a", "a′"], overlaid=True) == [0, 0]
