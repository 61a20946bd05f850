"""Stalls of the window while it computes and plays, drawing not counted: ``python -m tests.benchmarks.stalls``."""

from __future__ import annotations

import gc
import json
import sys
import time
from pathlib import Path
from threading import get_native_id
from typing import Any

import numpy as np
from PySide6.QtCore import QEvent

import assets
from app.bench.comparison import Say, answer
from tests.benchmarks.frames import SCENARIOS

WANTED = {"longest": 50.0, "q99": 16.0}  # [ms]
HEADS = {"median": "median", "q99": "q99", "longest": "longest", "own_q99": "own q99", "own_longest": "own longest"}
WAIT = 60.0  # [s] for a picture
MANY = 1_000_000  # rocks of an ensemble that lasts longer than one watches
WATCHED = 10.0  # [s] of playing in which stalls are counted


def run(say: Say = lambda text: None) -> list[dict[str, object]]:
    """Measure every scene in a window of its own; needs a display (or xvfb-run)."""
    wanted = f"ms without drawing; wanted: q99 {WANTED['q99']:g}, longest {WANTED['longest']:g}"
    say(f"{'':34}{''.join(f'{head:>13}' for head in HEADS.values())}  {wanted}")
    found = []
    for name, which in [*((name, "stalls") for name in SCENARIOS), (SCENARIOS[-1], "busy")]:
        gaps, own = _gaps(assets.SCENARIOS / f"{name}.toml", which)
        scene = f"{name}, its ensemble runs" if which == "busy" else name
        row = {
            "scene": scene,
            "median": float(np.median(gaps)),
            "q99": float(np.quantile(gaps, 0.99)),
            "longest": float(gaps.max()),
            "own_q99": float(np.quantile(own, 0.99)),
            "own_longest": float(own.max()),
            "turns": len(gaps),
        }
        say(f"{scene:34}{''.join(f'{row[key]:13.2f}' for key in HEADS)}")
        found.append(row)
    return found


def _gaps(path: Path, which: str) -> list[np.ndarray]:
    """All of them, and without what other programs took."""
    found = answer("tests.benchmarks.stalls", which, str(path), str(WATCHED))
    return [np.array(found[name]) for name in ("gaps", "own")]


def stalls(scenario: str, seconds: float, *, busy: bool) -> dict[str, object]:
    """Gaps between two turns of the event loop while a run computes and plays [ms], without the drawing in them.

    seconds : of playing in which they are counted; busy : whether the scenario's ensemble runs meanwhile
    """
    from PySide6.QtWidgets import QApplication

    app = QApplication(sys.argv[:1])
    from app.document.open import scenario_for
    from app.window.main import settle
    from app.window.main_window import MainWindow

    window = MainWindow()
    window.view.asked = "picture"  # which the window draws itself
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
    return {"gaps": watch.gaps, "own": watch.own}


class EventLoopWatch:
    """Gaps between turns [ms], with the time that drawing took in them taken off.

    ``own`` are the same without the time in which the thread was ready and got no processor: on a machine that does
    other things too, they tell what the program itself is to blame for. Where the system does not tell, as ``gaps``.

    window : a main window whose stage stands; its drawing is timed from now on
    """

    def __init__(self, window: Any) -> None:
        self.gaps: list[float] = []
        self.own: list[float] = []
        self._drawing = self._drawing_waited = 0.0
        self._last, self._waited = time.perf_counter(), _waited()
        handle = window.event

        def event(event: QEvent) -> bool:
            if event.type() != QEvent.Type.UpdateRequest:  # at which Qt paints all that changed, and shows it
                return bool(handle(event))
            began, waited = time.perf_counter(), _waited()
            handled = handle(event)
            self._drawing += time.perf_counter() - began
            self._drawing_waited += _waited() - waited
            return bool(handled)

        window.event = event

    def turn(self) -> None:
        """The event loop has turned once."""
        now, waited = time.perf_counter(), _waited()
        gap = now - self._last - self._drawing
        self.gaps.append(1e3 * gap)
        self.own.append(1e3 * (gap - (waited - self._waited - self._drawing_waited)))
        self._last, self._waited = now, waited
        self._drawing = self._drawing_waited = 0.0


def _waited() -> float:
    """Time [s] that this thread was ready and got no processor, so far; 0 if the system does not say."""
    try:
        told = Path(f"/proc/self/task/{get_native_id()}/schedstat").read_text(encoding="ascii")
    except OSError:
        return 0.0
    return 1e-9 * int(told.split()[1])


if __name__ == "__main__":
    if len(sys.argv) > 1:
        gc.disable()  # as in the program
        print(json.dumps(stalls(sys.argv[2], float(sys.argv[3]), busy=sys.argv[1] == "busy")))
    else:
        run(print)
