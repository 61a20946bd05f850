"""What every test gets: an environment of its own, and a check that no VTK object outlives it."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from hypothesis import settings

settings.register_profile("polhode", deadline=None)  # a first call compiles: no test depends on timing
settings.load_profile("polhode")

# read when Qt is imported, so set before any test module is
os.environ["QT_API"] = "pyside6"
os.environ["LANGUAGE"] = "en"  # of windows that tests start as programs: their texts and pictures are compared
os.environ["XDG_CONFIG_HOME"] = tempfile.mkdtemp(prefix="polhode-tests-")  # nobody's own settings
os.environ["NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING"] = "1"  # it colours what it tries in vain: 5 % of compiling
if sys.platform == "linux" and not shutil.which("Xvfb") and not os.environ.get("DISPLAY"):
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

# the tests start some hundreds of processes, each of which would compile all sources anew, 0.5 s at a time
if os.environ.pop("PYTHONDONTWRITEBYTECODE", None):
    sys.dont_write_bytecode = False

# Exports and ensembles give way to all else. Beside other tests, on as few processors, what they do in 8 s took 160 s;
# where all give way, nobody does.
if hasattr(os, "nice"):
    os.nice(19)

# what nohup or a script starts in the background ignores Ctrl+C, and so would every process that a test interrupts
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# a folder that the processes of this session share: the first one makes it, and its workers inherit the name
_IS_FIRST = "POLHODE_TEST_SESSION" not in os.environ
if _IS_FIRST:
    os.environ["POLHODE_TEST_SESSION"] = tempfile.mkdtemp(prefix="polhode-session-")

_FAILED = pytest.StashKey[bool]()


def pytest_xdist_auto_num_workers() -> int:
    """One process more than there are processors, as tests of windows and of other processes wait a third of the time.

    ``--maxprocesses`` in pyproject.toml bounds it.
    """
    return (os.cpu_count() or 1) + 1


def pytest_unconfigure() -> None:
    """Throw the tests' settings away, and what the processes of the session shared."""
    shutil.rmtree(os.environ["XDG_CONFIG_HOME"], ignore_errors=True)
    if _IS_FIRST:
        shutil.rmtree(os.environ["POLHODE_TEST_SESSION"], ignore_errors=True)


@pytest.fixture(scope="session")
def kernels_alone() -> Path:
    """The folder in which this session compiles every scheme of every kind alone."""
    return Path(os.environ["POLHODE_TEST_SESSION"])


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect tests without collecting garbage, which took 0.8 s of 6.5 s in each process of a session."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files that lie here hold the longest tests: they come first, so that the processes of a session end together."""
    items.sort(key=lambda item: item.path.parent != Path(__file__).parent)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Compile every kernel alone before the first test, if the session holds the test of that: the others load them."""
    chosen = any("kernels_alone" in getattr(item, "fixturenames", ()) for item in session.items)
    if chosen and not session.config.option.collectonly:
        from tests.physics.kernel_digests import compiled_alone

        with suppress(AssertionError, subprocess.TimeoutExpired):  # the test compiles once more, and says why it fails
            compiled_alone(Path(os.environ["POLHODE_TEST_SESSION"]))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Remember that a test failed: its traceback keeps everything alive."""
    report = yield
    item.stash[_FAILED] = item.stash.get(_FAILED, False) or report.failed
    return report


@pytest.fixture(autouse=True)
def no_vtk_leak(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test that leaves a plotter open or an actor, a mesh or a render window alive."""
    gc.freeze()  # what is older than the test is neither collected nor listed: the check takes no time
    yield
    try:
        if "vtkmodules" in sys.modules and not request.node.stash.get(_FAILED, False):
            from tests.soak.growth import heavy

            request.node.funcargs.clear()  # the values of fixtures, which are torn down by now
            _let_qt_delete()
            gc.collect()
            left = Counter(type(thing).__name__ for thing in heavy())  # made since the last freeze
            assert not left, f"VTK objects outlive the test: {dict(left)}"
    finally:
        gc.enable()  # see no_collector


@pytest.fixture
def own_schemes() -> Iterator[None]:
    """Schemes of somebody's own may be added: the table of schemes is as it was afterwards."""
    from physics import SCHEMES

    before = dict(SCHEMES)
    yield
    for name in SCHEMES.keys() - before.keys():
        del SCHEMES[name]


@pytest.fixture
def brief_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seek the true motion of a rock with less patience, for tests that do not say how long it is known.

    In full it takes up to a third of the time of a test with a window; tests of physics do so.
    """
    monkeypatch.setattr("physics.simulation.search.MAX_EVALUATIONS", 500_000)


@pytest.fixture
def no_collector() -> None:
    """No automatic collection, as in the program, until all that a test and its fixtures hold has died.

    Begun amid the destruction of an object of Qt, it destroys others, which may wait for a lock that the first one has.
    """
    gc.disable()


@pytest.fixture(autouse=True)
def no_process_left(request: pytest.FixtureRequest) -> Iterator[None]:
    """Kill the processes that a failed test has started: one that was waited for in vain may go on without end."""
    before = _children()  # of this session, of other tests, of a fixture that several tests share
    yield
    if request.node.stash.get(_FAILED, False):
        for number in _children() - before:
            with suppress(psutil.NoSuchProcess):
                child = psutil.Process(number)
                for process in [child, *child.children(recursive=True)]:
                    process.kill()


def _children() -> set[int]:
    """The processes that this one has started, as Linux lists them: a look at all processes takes 5 ms a test."""
    found: set[int] = set()
    for children in Path("/proc/self/task").glob("*/children"):
        with suppress(OSError):  # the thread has ended meanwhile
            found.update(map(int, children.read_text().split()))
    return found


def _let_qt_delete() -> None:
    """Carry out what was left to deleteLater()."""
    core = sys.modules.get("PySide6.QtCore")
    if core is not None and core.QCoreApplication.instance() is not None:
        core.QCoreApplication.sendPostedEvents(None, core.QEvent.Type.DeferredDelete.value)
        core.QCoreApplication.processEvents()
