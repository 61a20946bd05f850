"""Windows of benchmarks, each in its own process: ``python -m app.bench.window_processes ours|bare|stalls|busy …``.

Prints one JSON document with milliseconds, or, for stalls and busy, the gaps between two turns of the event loop.
Nothing is imported here that a bare window does without.
"""

from __future__ import annotations

import gc
import json
import sys
import time
from collections.abc import Callable

WAIT = 60.0  # [s] for a picture
MANY = 1_000_000  # rocks of an ensemble that lasts longer than one watches


HEAVY = ("pyqtgraph", "rasterio", "matplotlib", "scipy.integrate", "scipy.stats", "pandas", "IPython")


def ours(began: float) -> dict[str, object]:
    """Our main window on the scenario that the program begins with: when it is where, and what of HEAVY it loads."""
    from PySide6.QtWidgets import QApplication

    app = QApplication(sys.argv[:1])
    from app.document.settings import Settings
    from app.window.main import settle
    from app.window.startup_window import StartupWindow

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
    """What PySide6 and PyVista alone need for a window with a cuboid."""
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


def stalls(scenario: str, seconds: float, *, busy: bool) -> dict[str, object]:
    """Gaps between two turns of the event loop while a run computes and plays [ms], without the drawing in them.

    seconds : of playing in which they are counted; busy : whether the scenario's ensemble runs meanwhile
    """
    from PySide6.QtWidgets import QApplication

    app = QApplication(sys.argv[:1])
    from app.bench.event_loop import EventLoopWatch
    from app.document.open import scenario_for
    from app.window.main import settle
    from app.window.main_window import MainWindow

    window = MainWindow()
    window.view.asked = "picture"  # whose pictures EventLoopWatch can take off
    window.resize(1280, 800)
    window.show()
    collector = settle(window)
    window.begin(scenario_for(scenario))
    limit = time.monotonic() + WAIT
    while not window.staged and time.monotonic() < limit:
        app.processEvents()
        time.sleep(0.001)
    if busy:
        window.ensembles.panel.entries["ensemble.rocks"].fill(MANY)
        window.ensembles.run()
        running = window.ensembles.running
        assert running is not None
        while not running.done and time.monotonic() < limit:
            app.processEvents()
            time.sleep(0.001)
    watch = EventLoopWatch(window)
    clock = window.session.clock
    clock.loop = "loop"  # it has played on while rocks were waited for
    clock.seek(0.0)
    clock.playing = True
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        app.processEvents()
        watch.turn()
        time.sleep(0.0005)
    collector.stop()
    window.close()
    return {"gaps": watch.gaps, "own": watch.own, "pictured": watch.pictured, "pictures": watch.pictures}


def main() -> None:
    """Do what the arguments say."""
    which, value, *more = sys.argv[1:]
    if which != "bare":
        gc.disable()  # as in the program
    if which in ("stalls", "busy"):
        print(json.dumps(stalls(value, float(more[0]), busy=which == "busy")))
    else:
        print(json.dumps({"ours": ours, "bare": bare}[which](float(value))))


if __name__ == "__main__":
    main()
