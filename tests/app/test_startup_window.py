"""The program's top-level window: it is there before what it shows is loaded."""

from __future__ import annotations

import subprocess
import sys

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from windowing import cuboid, show, wait

from app.document.settings import Settings
from app.window import main
from app.window.main_window import MainWindow
from app.window.qt_types import MODULES, make_types
from app.window.startup_window import StartupWindow

HEAVY = ("numba", "scipy", "physics", "pyvista", "pyqtgraph", "matplotlib")
UNSEEN = ("pyqtgraph", "rasterio", "pandas", "scipy.stats")
DRAWN = """
import os, sys
from PySide6.QtWidgets import QApplication
from app.document.settings import Settings
from app.window.startup_window import StartupWindow
from app.window.view.picture_viewport import PictureViewport
def draw(viewport):
    print([name for name in sys.argv[1:] if name in sys.modules])
    sys.stdout.flush()
    os._exit(0)
PictureViewport._render = draw
app = QApplication([])
front = StartupWindow(app, Settings(), "picture")
front.appear()
front.furnish().begin()
app.exec()
"""
CLOSED = """
import os, signal, sys
from app.window import main
def appear(front):
    os.kill(os.getpid(), signal.SIGTERM)
    appeared(front)
def furnish(front):
    sys.exit("what nobody sees was loaded")
appeared, main.StartupWindow.appear, main.StartupWindow.furnish = main.StartupWindow.appear, appear, furnish
sys.exit(main.open_window())
"""


def test_what_opens_the_window_loads_nothing_heavy() -> None:
    code = f"import sys, app.cli.window, app.window.main; print([name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_first_picture_waits_for_nothing_that_computes_or_draws_charts() -> None:
    done = subprocess.run([sys.executable, "-c", DRAWN, *UNSEEN], capture_output=True, text=True)
    assert (done.stdout.strip(), done.returncode) == ("[]", 0), done.stderr


def test_a_window_that_is_closed_while_it_appears_ends_the_program() -> None:
    done = subprocess.run([sys.executable, "-c", CLOSED], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_window_that_is_closed_before_it_begins_starts_nothing(window: MainWindow) -> None:
    window.close()
    main._begin(window, None, None)
    assert window.session.pending is None
    assert not window.view._loading.is_alive()


def test_no_type_of_qt_is_left_to_be_made_in_a_thread() -> None:
    make_types()
    assert all(set(dir(module)) <= set(vars(module)) for module in MODULES)


def test_it_shows_the_main_window_and_what_is_open_in_its_title(qtbot: QtBot, qapp: QApplication) -> None:
    front = StartupWindow(qapp, Settings())
    qtbot.addWidget(front)
    front.resize(1000, 700)
    front.appear()
    assert front.windowHandle().isExposed()
    window = front.furnish()
    wait(qtbot, lambda: window.isVisible())
    assert window.size() == front.size()
    show(qtbot, window, cuboid())
    assert front.windowTitle().startswith("Test cuboid")
    window.session.edit(cuboid(step=0.02), whole=True)
    wait(qtbot, front.isWindowModified)
    window.actions_by_id["quit"].trigger()
    assert not front.isVisible()
    assert window.session.run is None
    assert front.settings.geometry
