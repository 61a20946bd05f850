"""What the window's tests share: small scenarios, and waiting for a window that shows one."""

from __future__ import annotations

from collections.abc import Callable

from pytestqt.qtbot import QtBot

from app.window.mainwindow import MainWindow
from physics import Scenario


def cuboid(**changes) -> Scenario:
    """A free cuboid: two seconds under two schemes."""
    values = {
        "kind": "free",
        "title": "Test cuboid",
        "note": "Look at it.",
        "duration": 2.0,
        "step": 0.01,
        "schemes": ("explicit", "implicit"),
        "body": {"shape": "cuboid", "size": (3.0, 2.0, 1.0), "mass": 1.0},
        "initial": {"angular_velocity": (1e-3, 10.0, 1e-3)},
    }
    return Scenario(**(values | changes))


def rock(**changes) -> Scenario:
    """A rock on a short ramp."""
    values = {
        "kind": "rockfall",
        "title": "Test rock",
        "duration": 10.0,
        "step": 0.005,
        "body": {"shape": "eota", "size": (0.93, 0.93, 0.47), "mass": 780.0},
        "terrain": {"profile": "ramp", "drop": 12.0, "width": 30.0},
        "release": {"position": (1.0, 0.0)},
    }
    return Scenario(**(values | changes))


def wait(qtbot: QtBot, condition: Callable[[], bool]) -> None:
    """Until a condition holds; kernels may compile meanwhile."""
    qtbot.waitUntil(condition, timeout=120_000)


def show(qtbot: QtBot, window: MainWindow, scenario: Scenario) -> None:
    """Open a scenario and wait until its stage stands and its run is complete."""
    window.open(scenario)
    wait(qtbot, lambda: window.session.run is not None and window.session.run.scenario is scenario)
    settle(qtbot, window)


def settle(qtbot: QtBot, window: MainWindow) -> None:
    """Wait until the shown run is complete and staged, and nothing else is computed."""
    session = window.session
    wait(qtbot, lambda: session.pending is None and session.clock.complete and window.staged)
