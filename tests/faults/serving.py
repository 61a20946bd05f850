"""A process in which all is imported and kernels are loaded: for each command that a test starts, it forks one.

A command in a Python of its own takes 1.0 to 3.5 s of processor time, forked from here 0.1 to 1.5 s. What it does is
the same: it has its own signals, streams, environment, current folder and limits. Only what Python and libraries do as
they start has been done; and variables that they read as they are imported (PYTHON..., MPLCONFIGDIR) mean nothing.

``python -m tests.faults.serving ADDRESS``: listens at a socket, and ends when all that have spoken to it are gone.
Nothing is drawn and no thread is begun here: what is forked inherits neither OpenGL nor a lock that nobody gives back.
"""

from __future__ import annotations

import atexit
import ctypes
import gc
import json
import os
import resource
import select
import socket
import sys
import tempfile
import threading
from contextlib import redirect_stdout, suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from app.__main__ import main
from tests.faults.processes import CUBOID, MESSAGE, ROCKS

# what commands and windows import when they need it
LATE = ("matplotlib.backends.backend_agg", "matplotlib.backends.backend_pdf", "matplotlib.backends.backend_svg")
LATE += (
    "app.cli.export",
    "app.export.scene_files",
    "app.export.offscreen_stage",
    "app.export.video",
    "app.plots.files",
)
LATE += ("pandas", "pyarrow.parquet", "app.window.main_window")


def serve(address: str) -> None:
    """Fork a process for every request, until all that made some are gone."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listening:
        listening.bind(f"{address}.part")
        listening.listen()
        os.rename(f"{address}.part", address)
        clients = [listening.accept()[0]]
        while clients:
            for ready in select.select([listening, *clients], [], [])[0]:
                if ready is listening:
                    clients.append(listening.accept()[0])
                    continue
                request, handles, _, _ = socket.recv_fds(ready, MESSAGE, 4)
                if not request:
                    clients.remove(ready)
                    ready.close()
                elif os.fork() == 0:
                    for one in (listening, *clients):
                        one.close()
                    _watch(json.loads(request), handles)
                for handle in handles:
                    os.close(handle)
            while _reaped():
                pass


def _reaped() -> bool:
    """Take note of a process that has ended, if there is one."""
    try:
        return os.waitpid(-1, os.WNOHANG)[0] > 0
    except ChildProcessError:
        return False


def _watch(request: dict[str, Any], handles: list[int]) -> None:
    """Fork the process that was asked for; tell its number, and how it ended. Never returns to whoever serves."""
    *streams, told = handles
    child = os.fork()
    if child == 0:
        os.close(told)
        _become(request, streams)
    for handle in streams:
        os.close(handle)
    os.write(told, child.to_bytes(4, "little"))
    _, status = os.waitpid(child, 0)
    os.write(told, os.waitstatus_to_exitcode(status).to_bytes(4, "little", signed=True))
    os._exit(0)


def _become(request: dict[str, Any], streams: list[int]) -> None:
    """The process that was asked for, up to its end: streams, folder, environment and limits, then its function."""
    os.setsid()
    for number, handle in enumerate(streams):
        os.dup2(handle, number)
        os.close(handle)
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = os.fdopen(2, "w", buffering=1, encoding="utf-8", errors="backslashreplace", closefd=False)
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environment"])
    if "FAULTS_CONTROL" in os.environ:  # see tests.faults.layer
        ctypes.CDLL(os.environ["LD_PRELOAD"]).faults_begin()
    for name, most in request["limits"].items():
        resource.setrlimit(getattr(resource, name), (most, most))
    sys.argv = ["polhode", *request["words"]]
    status = 1
    try:
        module, function = request["program"].split(":")
        status = getattr(import_module(module), function)()
    except SystemExit as end:
        status = int(end.code or 0)
    except BaseException:  # noqa: BLE001 - as Python would tell it
        sys.excepthook(*sys.exc_info())
    finally:
        _end(status)


def _end(status: int) -> None:
    """As Python ends, but for the destruction of all that was imported, which takes 0.2 s."""
    threading._shutdown()  # wait for threads that are no daemons
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(status)


def _load() -> None:
    """Import what commands import late, and compute as they do."""
    for name in LATE:
        import_module(name)
    with tempfile.TemporaryDirectory() as place, redirect_stdout(sys.stderr):
        for command, text, out in (("run", CUBOID, "out.npz"), ("ensemble", ROCKS.format(rocks=1), "out")):
            (source := Path(place) / "it.toml").write_text(text)
            assert main([command, str(source), "-o", str(Path(place) / out), "--quiet"]) == 0
    gc.collect()
    gc.freeze()  # what is here stays: a process that is forked need not look at it


if __name__ == "__main__":
    _load()
    serve(sys.argv[1])
