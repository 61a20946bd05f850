"""A small window of a cuboid, and what one sees in it; as a program it tells that of a screen scaled otherwise."""

from __future__ import annotations

import json
import time

from PySide6.QtWidgets import QApplication, QToolButton

import assets
from app.document.open import scenario_for
from app.window.main_window import MainWindow


def measured(window: MainWindow) -> dict[str, float | bool]:
    """Show the cuboid, 960 x 600 points wide: sizes of heading and lines in points, and the tools that are seen."""
    window.resize(960, 600)
    window.actions_by_id["verdicts"].setChecked(False)  # the view keeps its height
    window.show()
    window.begin(scenario_for(assets.SCENARIOS / "cuboid-major.toml").changed(duration=0.5))
    while not (window.staged and window.session.clock.complete and window.plots.charts):
        _go_on(1)
    while any(lane.truth is None for lane in window.session.run.lanes):
        _go_on(1)
    _go_on(50)
    bar = window.window_layout.menus.parent()
    buttons = [b for b in bar.findChildren(QToolButton) if b.defaultAction() and b.isVisible() and b.width() > 10]
    ratio = window.devicePixelRatioF()
    return {
        "ratio": ratio,
        "heading": window.view.stage.describe().captions.heading._place[3] / ratio,
        "line": window.plots.charts[0].curves[0].opts["pen"].widthF() / ratio,
        "more": bar.findChild(QToolButton, "qt_toolbar_ext_button").isVisible(),
        "tools": len(buttons),
        "timeline": window.transport.timeline.width(),
    }


def _go_on(times: int) -> None:
    for _ in range(times):
        QApplication.processEvents()
        time.sleep(0.01)


if __name__ == "__main__":
    app = QApplication([])
    shown = MainWindow()
    print(json.dumps(measured(shown)))
    shown.close()
