"""The main window, plotters and finished runs, for the tests that need them."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    import pyvista as pv

    from app.playback.run import Run


@pytest.fixture(autouse=True)
def timed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is compared by its cost is timed once: nothing here tells how fast it is (tests of physics time it in full).

    Up to 30 runs for each step of each scheme took most of the time of a test that looks at names and captions.
    """
    monkeypatch.setattr("physics.analysis.convergence.REPEATS", 0)


@pytest.fixture
def listening(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Signals are heard as in the program; afterwards as before, and none is remembered."""
    from app.system import signals

    for name in ("_requested", "_at_terminal"):
        monkeypatch.setattr(signals, name, Event())
    assert signal.set_wakeup_fd(-1) == -1, "a test has set up the whole process, as main() does: a signal would end it"
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    signals.listen()
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture
def check(subtests: pytest.Subtests) -> Callable[..., None]:
    """``check(behaviour, *given)``: one of several behaviours that share a window; a failure names it.

    To open a window for each would take longer than all of them.
    """

    def checked(behaviour: Callable[..., None], *given: object) -> None:
        words = [behaviour.__name__.replace("_", " "), *(str(one) for one in given if isinstance(one, str | float))]
        with subtests.test(" | ".join(words)):
            behaviour(*given)

    return checked


@pytest.fixture
def window(qtbot, no_collector, brief_search):
    """A window that is shown and empty, closed after the test; nothing that Qt owns dies in a worker.

    What is opened does not play of itself: to draw frames that no test looks at took a fifth of a test's time.
    """
    from app.window.main_window import MainWindow
    from tests.app.windowing import close  # here, so that other tests do without Qt

    made = MainWindow()
    made.session.calm = True
    qtbot.addWidget(made)
    made.resize(1280, 800)
    made.show()
    made.activateWindow()  # shortcuts need it, and there is no window manager to do it
    qtbot.waitUntil(made.isActiveWindow, timeout=900_000)
    yield made
    close(made)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Nobody's own folder of autosaved sessions and of settings; that of the sessions."""
    monkeypatch.setattr("app.document.autosave.folder", lambda: tmp_path / "unfinished")
    monkeypatch.setattr("app.document.settings.place", lambda: tmp_path / "settings.toml")
    return tmp_path / "unfinished"


@pytest.fixture(scope="session")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with three folders of results, see slopes."""
    from tests.app.slopes import write_results

    return write_results(tmp_path_factory.mktemp("results"))


@pytest.fixture
def plotter() -> Iterator[pv.Plotter]:
    """A small one without a window, closed after the test."""
    from app.stage.plotter import offscreen

    made = offscreen((320, 200), samples=0)
    yield made
    made.close()


@pytest.fixture(scope="session")
def flight() -> Run:
    """A cuboid about its major axis, which the explicit scheme makes tumble."""
    from tests.app.staging import example, finished

    return finished(example("cuboid-major"))


@pytest.fixture(scope="session")
def top() -> Run:
    """A top in steady precession."""
    from tests.app.staging import example, finished

    return finished(example("top-steady"))


@pytest.fixture(scope="session")
def fall() -> Run:
    """A rock on the ramp for four seconds."""
    from tests.app.staging import FALL, finished

    return finished(FALL)
