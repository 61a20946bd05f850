"""Windows of benchmarks, each in its own process: ``python -m tests.benchmarks.window_processes ours|bare BEGAN``.

Prints one JSON document with milliseconds.
Nothing is imported here that a bare window does without.
"""

from __future__ import annotations

import gc
import json
import sys
import time
from collections.abc import Callable

WAIT = 60.0  # [s] for a picture


HEAVY = ("pyqtgraph", "rasterio", "scipy.stats", "pandas", "IPython")


def ours(began: float) -> dict[str, object]:
    """Times of our main window with its first scenario, and the modules of HEAVY that it loads."""
    from PySide6.QtWidgets import QApplication

    app = QApplication(sys.argv[:1])
    from app.document.settings import Settings
    from app.window.main import StartupWindow, settle

    front = StartupWindow(app, Settings())
    front.resize(1280, 800)
    front.appear()
    shown = time.time()
    window = front.furnish()
    app.processEvents()
    complete = time.time()
    collector = settle(window)
    window.begin()
    limit = time.monotonic() + WAIT

    def until(drawn: Callable[[], bool]) -> float:
        while not drawn() and time.monotonic() < limit:
            app.processEvents()
            time.sleep(0.001)
        return time.time()

    view, clock = window.view, window.session.clock
    drawn = until(lambda: view.viewport is not None and view.viewport.pictures > 0)
    heavy = [name for name in HEAVY if name in sys.modules]
    assert view.viewport is not None
    first = view.viewport.pictures
    moved = until(lambda: clock.time > 0.0 and view.viewport is not None and view.viewport.pictures > first)
    collector.stop()
    front.close()
    at = {"window": shown, "controls": complete, "picture": drawn, "motion": moved}
    return {name: 1e3 * (time - began) for name, time in at.items()} | {"heavy": heavy}


def bare(began: float) -> dict[str, float]:
    """Time that PySide6 and PyVista alone need for a window with a cuboid."""
    from PySide6.QtGui import QImage, QPixmap
    from PySide6.QtWidgets import QApplication, QLabel, QMainWindow

    app = QApplication(sys.argv[:1])
    import pyvista as pv

    window = QMainWindow()
    view = QLabel()
    window.setCentralWidget(view)
    window.resize(1280, 800)
    window.show()
    while not window.windowHandle().isExposed():
        app.processEvents()
    app.processEvents()
    shown = time.time()
    plotter = pv.Plotter(off_screen=True, window_size=[1280, 800])
    plotter.add_mesh(pv.Cube())
    picture = plotter.screenshot(return_img=True)
    assert picture is not None
    high, wide, _ = picture.shape
    view.setPixmap(QPixmap.fromImage(QImage(picture.data, wide, high, 3 * wide, QImage.Format.Format_RGB888)))
    app.processEvents()
    drawn = time.time()
    plotter.close()
    return {"window": 1e3 * (shown - began), "picture": 1e3 * (drawn - began)}


def main() -> None:
    """Open the window that the arguments name."""
    which, began = sys.argv[1:]
    if which != "bare":
        gc.disable()  # as in the program
    print(json.dumps({"ours": ours, "bare": bare}[which](float(began))))


if __name__ == "__main__":
    main()
