"""Real processes of the program, to be interrupted, starved and killed.

On Linux they are forked of one in which all is loaded, see tests.faults.serving; elsewhere each is a Python of its own.
"""

from __future__ import annotations

import atexit
import ctypes
import multiprocessing
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from functools import cache
from importlib import import_module
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from pathlib import Path
from typing import IO

from tests.faults import layer

ROOT = Path(__file__).parents[2]
CHECKPOINTED = "tests.faults.programs:checkpointed"  # the command line with a checkpoint after each rock
CUBOID = """\
kind = "free"
duration = 20.0
step = 0.002
schemes = ["explicit", "implicit"]
[body]
size = [3.0, 2.0, 1.0]
mass = 1.0
[initial]
angular_velocity = [1e-3, 1e-3, 10.0]
[export]
size = [160, 90]
fps = 5
"""
ROCKS = """\
kind = "rockfall"
duration = 60.0
step = 0.004
schemes = ["explicit", "implicit"]
[body]
shape = "eota"
size = [0.93, 0.93, 0.47]
mass = 780.0
[initial]
orientation = "random"
[terrain]
profile = "ramp"
drop = 20.0
[release]
position = [1.0, 0.0]
[ensemble]
rocks = {rocks}
"""
_AS_BEGUN = dict(os.environ)  # before any test changes it


class Process:
    """A process forked by multiprocessing's server, with the part of ``subprocess.Popen`` that tests of processes use.

    words : of the command line; program : ``module:function`` that takes them from ``sys.argv`` and returns a status
    limits : by name (``RLIMIT_AS`` ...), set before the function is called
    """

    def __init__(
        self, words: list[str], program: str, folder: Path, environment: Mapping[str, str], limits: Mapping[str, int]
    ) -> None:
        self.args, self.returncode, self._read = words, None, list[Future[str]]()
        context = multiprocessing.get_context("forkserver")
        ours, theirs = zip(*(context.Pipe(duplex=False) for _ in range(2)), strict=True)
        self.stdout, self.stderr = (os.fdopen(os.dup(one.fileno()), encoding="utf-8") for one in ours)
        facts = (words, program, folder, dict(environment), limits)
        self._process = context.Process(target=_become, args=(theirs, *facts), daemon=True)
        _serve()
        self._process.start()
        assert self._process.pid is not None
        self.pid = self._process.pid
        for one in theirs:
            one.close()

    def poll(self) -> int | None:
        """Its exit status, below 0 by a signal; None while it runs."""
        self.returncode = self._process.exitcode
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Its exit status; subprocess.TimeoutExpired where it runs for longer."""
        self._process.join(timeout)
        if (status := self.poll()) is None:
            raise subprocess.TimeoutExpired(self.args, timeout or 0.0)
        return status

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        """What it printed, and what it said on standard error, up to its end."""
        if not self._read:
            pool = ThreadPoolExecutor(2)
            self._read = [pool.submit(_read, file) for file in (self.stdout, self.stderr)]
            pool.shutdown(wait=False)
        if wait(self._read, timeout).not_done:
            raise subprocess.TimeoutExpired(self.args, timeout or 0.0)
        self.wait()
        out, err = (reading.result() for reading in self._read)
        return out, err

    def send_signal(self, number: int) -> None:
        """Send it a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """SIGKILL."""
        self.send_signal(signal.SIGKILL)


Running = Process | subprocess.Popen[str]


def _read(file: IO[str]) -> str:
    if file.closed:
        return ""
    with file:
        return file.read()


@cache
def session() -> Path:
    """The folder that the processes of this session of tests share."""
    if "POLHODE_TEST_SESSION" in os.environ:
        return Path(os.environ["POLHODE_TEST_SESSION"])
    folder = Path(tempfile.mkdtemp(prefix="polhode-session-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


@cache
def layer_below() -> Path | None:
    """The layer of faults below the server, which does nothing until it is armed; None where no compiler makes it."""
    return layer.library(Path(tempfile.mkdtemp(dir=session()))) if layer.compiler() else None


def _serve() -> None:
    """Start the server of this process where it does not run, in the environment that the process began with."""
    now, made = dict(os.environ), layer_below()
    os.environ.clear()
    os.environ.update(_without_display(_AS_BEGUN) | {"PYTHONPATH": str(ROOT)})
    os.environ.update({"LD_PRELOAD": str(made)} if made else {})
    try:
        forkserver.set_forkserver_preload(["tests.faults.serving"])
        forkserver.ensure_running()
    finally:
        os.environ.clear()
        os.environ.update(now)


def _without_display(variables: Mapping[str, str]) -> dict[str, str]:
    hidden = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    return {name: value for name, value in variables.items() if name not in hidden}


def _become(
    streams: tuple[Connection, ...],
    words: list[str],
    program: str,
    folder: Path,
    environment: Mapping[str, str],
    limits: Mapping[str, int],
) -> None:
    """The process that was forked, up to its end: streams, folder, environment and limits, then its function."""
    import resource  # not where there are no such limits

    os.setsid()
    for number, stream in enumerate(streams, start=1):
        os.dup2(stream.fileno(), number)
        stream.close()
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - open as long as the process lives
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", buffering=1, encoding="utf-8", errors="backslashreplace", closefd=False)  # noqa: SIM115
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    if "FAULTS_CONTROL" in os.environ:  # see tests.faults.layer
        ctypes.CDLL(os.environ["LD_PRELOAD"]).faults_begin()
    for name, most in limits.items():
        resource.setrlimit(getattr(resource, name), (most, most))
    sys.argv = ["polhode", *words]
    status = 1
    try:
        module, function = program.split(":")
        status = getattr(import_module(module), function)()
    except SystemExit as end:
        status = int(end.code or 0)
    except BaseException:  # noqa: BLE001 - as Python would tell it
        sys.excepthook(*sys.exc_info())
    finally:
        _end(status)


def _end(status: int) -> None:
    """End the process as Python does, but without the destruction of all that was imported, which takes 0.2 s."""
    threading._shutdown()  # type: ignore[attr-defined]  # wait for threads that are no daemons
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(status)


def started(
    *words: str | Path,
    program: str = "app.__main__:main",
    folder: Path = ROOT,
    limits: Mapping[str, int] | None = None,
    **variables: str,
) -> Running:
    """The command line in a process of its own, without a display unless the variables name one.

    program : another function, see Process
    """
    environment = _without_display(os.environ) | {"PYTHONPATH": str(ROOT)} | variables
    if sys.platform == "linux":
        return Process(list(map(str, words)), program, folder, environment, limits or {})
    module, function = program.split(":")
    return subprocess.Popen(
        [sys.executable, "-c", f"import sys; from {module} import {function} as f; sys.exit(f())", *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=folder,
        env=environment,
        start_new_session=True,
    )


def killed(process: Running, after: float) -> bool:
    """Kill it (SIGKILL) after so many seconds; False when it had ended by then."""
    try:
        process.communicate(timeout=after)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return True
    return False


def duration(*words: str | Path) -> float:
    """How long a command takes [s]."""
    began = time.monotonic()
    process = started(*words)
    _, err = process.communicate()
    assert process.returncode == 0, err
    return time.monotonic() - began


def moment(rng: random.Random, whole: float) -> float:
    """A random moment of a run that takes so long [s]."""
    return rng.uniform(0.0, 1.1 * whole)
