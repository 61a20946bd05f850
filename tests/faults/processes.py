"""Real processes of the program, to be interrupted, starved and killed.

On Linux they are forked of one in which all is loaded, see tests.faults.serving; elsewhere each is a Python of its own.
"""

from __future__ import annotations

import atexit
import json
import os
import random
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import IO

from app.system.scratch_folders import taken
from tests.faults import layer

ROOT = Path(__file__).parents[2]
CHECKPOINTED = "tests.faults.programs:checkpointed"  # the command line with a checkpoint after each rock
MESSAGE = 100_000  # bytes of a request at most
PATIENCE = 600.0  # [s] until the server of processes stands
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
    """A process that was forked, with the part of ``subprocess.Popen`` that tests of processes use.

    words : of the command line; program : ``module:function`` that takes them from ``sys.argv`` and returns a status
    limits : by name (``RLIMIT_AS`` ...), set before the function is called
    """

    def __init__(
        self, words: list[str], program: str, folder: Path, environment: Mapping[str, str], limits: Mapping[str, int]
    ) -> None:
        self.args, self.returncode = words, None
        self._told, told = socket.socketpair()
        ours, theirs = zip(*(os.pipe() for _ in range(2)), strict=True)
        self.stdout, self.stderr = (os.fdopen(handle, encoding="utf-8") for handle in ours)
        self._read: list[Future[str]] = []
        facts = {"words": words, "program": program, "folder": str(folder), "limits": limits}
        request = json.dumps(facts | {"environment": dict(environment)}).encode()
        nothing = os.open(os.devnull, os.O_RDONLY)
        socket.send_fds(_server(), [request], [nothing, *theirs, told.fileno()])
        for handle in (nothing, *theirs, told.detach()):
            os.close(handle)
        self.pid = int.from_bytes(self._told.recv(4), "little")

    def poll(self) -> int | None:
        """Its exit status, below 0 by a signal; None while it runs."""
        with suppress(subprocess.TimeoutExpired):
            self.wait(0.0)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Its exit status; subprocess.TimeoutExpired where it runs for longer."""
        if self.returncode is None:
            if timeout is not None and not select.select([self._told], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired(self.args, timeout)
            self.returncode = int.from_bytes(self._told.recv(4), "little", signed=True)
            self._told.close()
        return self.returncode

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
def _server() -> socket.socket:
    """The server of processes of this session, which its first process that asks for it starts."""
    folder, until = session(), time.monotonic() + PATIENCE
    address = folder / "server"
    while (lock := taken(folder / "server.lock")) is None:
        time.sleep(0.02)
    try:
        if (server := _connected(address)) is None:
            number = _begun(folder, address)
        while server is None:
            assert os.waitpid(number, os.WNOHANG)[0] == 0, (folder / "server.log").read_text()
            assert time.monotonic() < until, "the server of processes does not start"
            time.sleep(0.02)
            server = _connected(address)
    finally:
        lock.release()
    return server


def _connected(address: Path) -> socket.socket | None:
    """A connection to the server; None where there is none."""
    server = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    try:
        server.connect(str(address))
    except OSError:
        server.close()
        return None
    return server


def _begun(folder: Path, address: Path) -> int:
    """Start the server with the layer of faults below it, which does nothing until it is asked to; its number."""
    hidden = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    place = {name: value for name, value in _AS_BEGUN.items() if name not in hidden} | {"PYTHONPATH": str(ROOT)}
    place |= {"LD_PRELOAD": str(layer.library(folder))} if layer.compiler() else {}
    log = (os.POSIX_SPAWN_OPEN, 2, str(folder / "server.log"), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    nothing = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in (0, 1)]
    words = [sys.executable, "-m", "tests.faults.serving", str(address)]
    return os.posix_spawn(sys.executable, words, place, file_actions=[*nothing, log], setsid=True)


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
    clean = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")}
    environment = clean | {"PYTHONPATH": str(ROOT)} | variables
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
