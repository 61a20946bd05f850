"""Windows: scenes opened, run and closed again and again; and one that plays for hours."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Sequence
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication

import assets
from app.window.main_window import MainWindow
from physics import Scenario, load_scenario
from tests.soak.growth import Load, load

SCENES = sorted(Path(assets.__file__).parent.joinpath("scenarios").glob("*.toml"))
PATIENCE = 300.0  # [s] for one scene
SIZE = (640, 400)  # pixels, of windows that are opened often
ROCKS = 8  # of each ensemble


def settled(condition: Callable[[], bool], patience: float = PATIENCE) -> None:
    """Let the window live until a condition holds."""
    until = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < until, "the window does not get ready"
        _lived()
        time.sleep(0.002)


def _lived() -> None:
    """What the event loop of the program does; without one, nobody deletes what is to be deleted later."""
    QApplication.processEvents()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def shown(window: MainWindow, path: Path, shorter: float) -> None:
    """Open the first seconds of a scene, wait until it is computed and staged, draw it twice, and run its rocks."""
    scenario = load_scenario(path)
    scenario = scenario.changed(duration=min(shorter, scenario.duration))
    session, view = window.session, window.view
    window.open(scenario)
    settled(lambda: session.run is not None and session.run.scenario is scenario)
    settled(lambda: session.pending is None and session.clock.complete and window.staged)
    assert view.viewport is not None
    for share in (0.3, 0.9):
        drawn = view.viewport.pictures
        session.seek(share * session.clock.end)
        settled(lambda before=drawn: view.viewport.pictures > before)  # type: ignore[misc]
    if scenario.kind == "rockfall":
        _fallen(window, scenario)


def _fallen(window: MainWindow, scenario: Scenario) -> None:
    """Run an ensemble of the scene's rocks, and wait until its paths are shown."""
    ensembles = window.ensembles
    ensembles.panel.show_scenario(scenario.changed(**{"ensemble.rocks": ROCKS}))
    ensembles.run()
    settled(lambda: ensembles.running.complete and ensembles.running.seen is not None)
    settled(lambda: ensembles.running.seen.done == ROCKS and not ensembles.running.marching)
    settled(lambda: ensembles.seen is ensembles.running.seen)


def rounds(
    times: int, shorter: float = 2.0, scenes: Sequence[Path] = SCENES, *, kept: bool = False
) -> Generator[Load, None, None]:
    """Make a window, show every scene in it (its first seconds) and close it; yields what each round leaves held.

    kept : one window shows the scenes of all rounds, and is closed after the last one, or when no more are wanted
    """
    window = None
    try:
        for number in range(1, times + 1):
            window = window or _opened()
            for path in scenes:
                shown(window, path, shorter)
            if number == times or not kept:
                _closed(window)
                window = None
            yield load()
    finally:
        if window is not None:
            _closed(window)


def _opened() -> MainWindow:
    window = MainWindow()
    window.resize(*SIZE)
    window.show()
    return window


def _closed(window: MainWindow) -> None:
    window.close()
    window.deleteLater()
    for _ in range(3):
        _lived()


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
        _lived()
        time.sleep(0.005)
    reached, after = clock.time, load()
    window.close()
    window.deleteLater()
    return reached, looks, before, after
