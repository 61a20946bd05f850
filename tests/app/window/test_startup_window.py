"""The program's top-level window: it is there before what it shows is loaded."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.document import autosave
from app.document.settings import Settings
from app.window import main
from app.window.main import StartupWindow
from app.window.main_window import MainWindow
from tests.app.windowing import answer, cuboid, show, wait

HEAVY = ("numba", "scipy", "physics", "pyvista", "pyqtgraph", "matplotlib")
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

ENDED = """
import os, signal, sys
from PySide6.QtCore import QTimer
from app.window import main
def edit(window):
    window.session.edit(window.session.run.scenario.changed(step=0.02))
    os.kill(os.getpid(), signal.SIGTERM)
def begun(window, *what):
    begin(window, *what)
    window.session.shown.connect(lambda how: how == "opened" and QTimer.singleShot(0, lambda: edit(window)))
begin, main.begin = main.begin, begun
sys.exit(main.open_window())
"""


def test_what_opens_the_window_loads_nothing_heavy() -> None:
    code = f"import sys, app.cli.window, app.window.main; print([name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_window_is_furnished_before_the_stage_is_loaded() -> None:
    """A thread loads it meanwhile."""
    code = "import sys, app.window.main_window; print({'app.stage', 'pyvista', 'vtkmodules'} & {*sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_a_window_that_is_closed_while_it_appears_ends_the_program() -> None:
    done = subprocess.run([sys.executable, "-c", CLOSED], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.skipif(sys.platform != "linux", reason="folders of XDG")
def test_a_program_that_is_ended_from_outside_asks_nothing_and_leaves_edits_to_the_next(tmp_path: Path) -> None:
    env = os.environ | {"XDG_STATE_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / "settings")}
    done = subprocess.run([sys.executable, "-c", ENDED], env=env, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr
    left = autosave.recover(tmp_path / "polhode" / "unfinished")
    assert left is not None
    assert left.schedule.scenario.step == 0.02


def test_a_window_that_is_closed_before_it_begins_starts_nothing(window: MainWindow) -> None:
    window.close()
    main.begin(window, None, None)
    assert window.session.pending is None
    assert "view" not in [thread.name for thread in threading.enumerate()]


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
    assert front.isVisible()
    answer(window, "Don't save")
    assert not front.isVisible()
    assert window.session.run is None
    assert front.settings.geometry
