"""The program's top-level window: it is there before what it shows is loaded."""

from __future__ import annotations

import subprocess
import sys

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from windowing import cuboid, show

from app.settings import Settings
from app.window.front import Front

HEAVY = ("numba", "scipy", "physics", "pyvista", "pyqtgraph", "matplotlib")


def test_what_opens_the_window_loads_nothing_heavy() -> None:
    code = f"import sys, app.display, app.window.main; print([name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_it_shows_the_main_window_and_what_is_open_in_its_title(qtbot: QtBot, qapp: QApplication) -> None:
    front = Front(qapp, Settings())
    qtbot.addWidget(front)
    front.resize(1000, 700)
    front.appear()
    assert front.windowHandle().isExposed()
    window = front.furnish()
    qtbot.waitUntil(lambda: window.isVisible())
    assert window.size() == front.size()
    show(qtbot, window, cuboid())
    assert front.windowTitle().startswith("Test cuboid")
    window.session.edit(cuboid(step=0.02), whole=True)
    qtbot.waitUntil(front.isWindowModified)
    window.actions_by_id["quit"].trigger()
    assert not front.isVisible()
    assert window.session.run is None
    assert front.settings.geometry
