"""The panel *Which integrator?*: the ranking, another accuracy, and ending what it measures."""

from __future__ import annotations

import math

import pytest

from app.theme import DARK
from app.window.charts.ranking_panel import RankingPanel
from physics.analysis.ranking import cells
from tests.app.windowing import cuboid, show, wait


@pytest.fixture
def panel(qtbot) -> RankingPanel:
    turning = {"angular_velocity": (1.0, 2.0, 3.0)}
    made = RankingPanel(cuboid(step=0.02, schemes=("implicit", "explicit"), initial=turning), DARK)
    qtbot.addWidget(made)
    made.show()
    yield made
    made.close()
    made.worker.join()
    assert not made.worker.is_alive()


def test_it_lists_the_schemes_of_the_run_and_measures_another_accuracy_anew(qtbot, panel) -> None:
    wait(qtbot, lambda: bool(panel.ranks))
    shown = [panel.table.item(i, 0).text() for i in range(panel.table.rowCount())]
    assert shown == [rank.scheme for rank in panel.ranks]
    assert {"implicit", "explicit", "rk4-unit"} <= set(shown)
    assert [panel.table.item(0, k).text() for k in range(6)] == list(cells(panel.ranks[0]))
    assert panel.verdict.text().startswith(f"{shown[0]} with a step of ")
    assert not panel.busy.isVisible()
    before = {rank.scheme: rank.step for rank in panel.ranks}
    panel.accuracy.setValue(0.001)
    assert panel.ranks == ()
    assert panel.verdict.text() == "Measuring…"
    wait(qtbot, lambda: bool(panel.ranks))
    after = {rank.scheme: rank.step for rank in panel.ranks}
    assert all(not after[name] > before[name] for name in before if math.isfinite(before[name]))
    assert after["implicit"] < before["implicit"]


def test_the_window_opens_it_for_the_motion_that_is_shown(qtbot, window) -> None:
    show(qtbot, window, cuboid())
    window.guides.show_ranking()
    (opened,) = window.findChildren(RankingPanel)
    assert opened.scenario.kind == "free"
    wait(qtbot, lambda: bool(opened.ranks))
    opened.close()
