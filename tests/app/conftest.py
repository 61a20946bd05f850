"""The main window, for its tests."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest


@pytest.fixture
def window(qtbot):
    """A window that is shown and empty, closed after the test."""
    from app.window.mainwindow import MainWindow  # here, so that other tests do without Qt

    made = MainWindow()
    qtbot.addWidget(made)
    made.resize(1280, 800)
    made.show()
    made.activateWindow()  # shortcuts need it, and there is no window manager to do it
    qtbot.waitUntil(made.isActiveWindow)
    gc.disable()  # as in the program: what Qt and VTK own must not die in a worker
    yield made
    made.close()
    gc.enable()


@pytest.fixture(scope="session")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with three folders of results, see slopes."""
    from slopes import write_results

    return write_results(tmp_path_factory.mktemp("results"))
