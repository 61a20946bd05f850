"""Windows: scenes opened, run and closed again and again; and one that plays for hours."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication

import assets
from app.window.mainwindow import MainWindow
from physics import Scenario, load_scenario
from tests.soak.growth import Load, load

SCENES = sorted(Path(assets.__file__).parent.joinpath("scenarios").glob("*.toml"))
PATIENCE = 300.0  # [s] for one scene


def settled(condition: Callable[[], bool], patience: float = PATIENCE) -> None:
    """Let the window live until a condition holds."""
    until = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < until, "the window does not get ready"
        QApplication.processEvents()
        time.sleep(0.002)


def shown(window: MainWindow, scenario: Scenario) -> None:
    """Open a scenario, wait until it is computed and staged, and play a little of it."""
    window.open(scenario)
    session = window.session
    settled(lambda: session.run is not None and session.run.scenario is scenario)
    settled(lambda: session.pending is None and session.clock.complete and window.staged)
    for share in (0.3, 0.9):
        session.seek(share * session.clock.end)
        QApplication.processEvents()


def rounds(times: int, shorter: float = 2.0, scenes: Sequence[Path] = SCENES) -> Iterator[Load]:
    """In each round a window is made, shows every scene (its first seconds) and is closed; what is held after it."""
    for _ in range(times):
        window = MainWindow()
        window.resize(800, 600)
        window.show()
        for path in scenes:
            scenario = load_scenario(path)
            shown(window, scenario.changed(duration=min(shorter, scenario.duration)))
        window.close()
        window.deleteLater()
        del window
        for _ in range(3):
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
            QApplication.processEvents()
        yield load()


def played(simulated: float, speed: float) -> tuple[float, int, Load, Load]:
    """Play a free body for so long [s], so many times as fast as it is; time reached, looks, what was held, and is."""
    scenario = load_scenario(next(path for path in SCENES if path.stem == "cuboid-intermediate"))
    window = MainWindow()
    window.resize(800, 600)
    window.show()
    window.open(scenario.changed(duration=simulated, step=0.01, record_every=max(1, int(simulated / 4000))))
    session, clock = window.session, window.session.clock
    settled(lambda: session.run is not None and window.staged)
    clock.speed, clock.playing = speed, True
    settled(lambda: clock.time > 0.1 * simulated, 60.0 + 10.0 * simulated / speed)
    before, looks, last = load(), 0, -1.0
    moved = time.monotonic()
    while clock.time < clock.end * (1.0 - 1e-9) or not clock.complete:
        assert time.monotonic() < moved + PATIENCE, f"the playhead stays at {clock.time:g} s"  # however slow a machine
        assert clock.time >= last, "the playhead went back"
        if clock.time > last:
            looks, last, moved = looks + 1, clock.time, time.monotonic()
        QApplication.processEvents()
        time.sleep(0.005)
    reached, after = clock.time, load()
    window.close()
    window.deleteLater()
    return reached, looks, before, after
