"""Clusters: the worker, the scheduler or the client of an ensemble on dask is killed at a random moment."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import psutil

from tests.faults.killing import Tally, same
from tests.faults.processes import CHECKPOINTED, ROCKS, ROOT, Running, duration, moment, started

VICTIMS = ("worker", "scheduler", "client")
_HERE = ("--host", "127.0.0.1", "--no-dashboard")
PATIENCE = 600.0  # [s] until a cluster stands


class Cluster:
    """A scheduler and two workers on this machine, in processes of their own, as dask's commands start them."""

    def __init__(self, folder: Path) -> None:
        told = folder / "scheduler.json"
        told.unlink(missing_ok=True)
        self.scheduler = _dask("scheduler", *_HERE, "--port", "0", "--scheduler-file", str(told))
        until = time.monotonic() + PATIENCE
        while not told.exists() or not told.stat().st_size:
            assert time.monotonic() < until, "the scheduler does not start"
            time.sleep(0.05)
        self.address = str(json.loads(told.read_text())["address"])
        self._workers = _dask("worker", self.address, *_HERE, "--nworkers", "2", "--nthreads", "1")
        while len(self.workers) < 2:
            assert time.monotonic() < until, "the workers do not start"
            time.sleep(0.05)

    @property
    def workers(self) -> list[psutil.Process]:
        """The processes that compute; a nanny starts another where one is lost."""
        found = psutil.Process(self._workers.pid).children()
        return [process for process in found if "spawn_main" in " ".join(process.cmdline())]

    def end(self) -> None:
        """End all processes."""
        for process in (self._workers, self.scheduler):
            with suppress(ProcessLookupError):  # ended already: workers do, when their scheduler is gone
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _dask(*words: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "dask", *words],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def clusters(victim: str, folder: Path, kills: int, seed: int, rocks: int = 40) -> Tally:
    """Ensembles on a cluster whose worker, scheduler or client is killed, as often as asked.

    A worker that is lost is not noticed; where the scheduler is, one sentence says so, and where the client is, nothing
    can: such an ensemble goes on with ``--resume``. All end with the bytes of an ensemble by threads.
    """
    rng, tally, number = random.Random(seed), Tally(), 0
    scenario, whole = folder / "rocks.toml", folder / "whole"
    scenario.write_text(ROCKS.format(rocks=rocks))
    duration("ensemble", scenario, "-o", whole, "--workers", "2", "--quiet")
    cluster = Cluster(folder)
    try:
        for name in ("first", "again"):  # where nothing did before, the first one compiles
            takes = duration("ensemble", scenario, "-o", folder / name, "--dask", cluster.address)
        while tally.kills < kills:
            number += 1
            out = folder / f"out{number}"
            words = ("ensemble", scenario, "-o", out, "--resume", "--quiet", "--dask")
            process = started(*words, cluster.address, program=CHECKPOINTED)
            tally.kills += _struck(victim, process, cluster, moment(rng, takes))
            _, err = process.communicate()
            tally.lost += not _as_promised(victim, process.returncode, err)
            if cluster.scheduler.poll() is not None:
                cluster.end()
                cluster = Cluster(folder)
            if not out.exists():
                duration(*words, cluster.address)
            tally.lost += not same(out, whole)
    finally:
        cluster.end()
    return tally


def _struck(victim: str, process: Running, cluster: Cluster, after: float) -> bool:
    """Kill after so many seconds; False when the ensemble had ended by then."""
    try:
        process.wait(timeout=after)
    except subprocess.TimeoutExpired:
        {"worker": cluster.workers[0], "scheduler": cluster.scheduler, "client": process}[victim].kill()
        return True
    return False


def _as_promised(victim: str, status: int, err: str) -> bool:
    """Whether the command ended as it should."""
    if status == 0:
        return not err
    if victim == "client":
        return status == -signal.SIGKILL
    return victim == "scheduler" and status in (1, 2) and err.startswith("polhode: ") and err.count("\n") == 1
