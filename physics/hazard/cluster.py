"""Ensembles on a running scheduler of dask.distributed (optional extra ``cluster``).

A task is a few rocks. The scenario travels as plain text and the files that it names as bytes; what comes back are
the rocks' passages as plain arrays, counted here in the order of rocks: the same bits as by threads.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import logging
import platform
import tempfile
import time
from collections import deque
from collections.abc import Generator
from concurrent.futures import CancelledError
from contextlib import suppress
from itertools import islice
from pathlib import Path
from threading import Event, Lock
from typing import Any

import numpy as np

from physics.core.arithmetic import elementary_functions
from physics.core.errors import PhysicsError, ScenarioError
from physics.core.wording import N_
from physics.hazard.ensemble import Ensemble
from physics.hazard.rock_record import RockRecord, bundled, unbundled
from physics.io.trajectory_writers import polhode_version
from physics.scenario.fingerprints import check_unchanged, named_files
from physics.scenario.scenario import Scenario
from physics.systems.world import World

TASK = 64  # rocks at most: some tenths of a second, of which the client needs a twentieth
PATIENCE = 5.0  # [s] for the scheduler to answer and for a first worker
ALONE = 60.0  # [s] without any worker before it is given up

Bundle = dict[str, np.ndarray]  # the passages of a task, rock by rock and scheme by scheme


def march(ensemble: Ensemble, address: str) -> Generator[int, None, None]:
    """``Ensemble.march`` on the cluster whose scheduler has this address, such as ``tcp://10.0.0.1:8786``.

    With ``tls://`` all that travels is encrypted and both ends are known by their certificates, which dask's settings
    name (``DASK_DISTRIBUTED__COMM__TLS__CA_FILE``, ``..._CLIENT__CERT``, ``..._CLIENT__KEY``).

    Tasks of workers that are lost are done by others. Raises ScenarioError when dask is not installed or no
    scheduler answers, PhysicsError when the workers cannot run this version or all of them are lost.
    """
    client = _client(address)
    try:
        yield from _marched(ensemble, client, _threads(client, address))
    finally:
        ensemble.pause()
        with suppress(Exception):  # the rocks are counted, or there is another error to report
            client.close(timeout=PATIENCE)


def _marched(ensemble: Ensemble, client: Any, threads: int) -> Generator[int, None, None]:
    ensemble.begin(threads)
    text = packed(ensemble.world.scenario)
    check_unchanged(ensemble.world.scenario, ensemble.identity["files"])
    # a mountain goes to each worker once; what is small goes with each task, so that it cannot be lost with a worker
    scenario = text if len(text) < 100_000 else client.scatter(text, broadcast=True, hash=False)
    key = hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
    ahead: deque[Any] = deque()
    program = polhode_version(), elementary_functions()
    first = ensemble.done
    task = max(1, min(TASK, ensemble.rocks // (8 * threads)))
    while ensemble.done < ensemble.rocks:
        while len(ahead) < 4 * threads and first < ensemble.rocks:
            last = min(first + task, ensemble.rocks)
            ahead.append(client.submit(rocks_of, scenario, key, program, first, last, pure=False))
            first = last
        bundle, cpu = _result(ahead.popleft(), client, ensemble)
        passages = unbundled(bundle)
        while not ensemble.paused and (rock := list(islice(passages, len(ensemble.results)))):
            ensemble.count(rock, cpu * len(rock) / len(bundle["lengths"]))
            yield ensemble.done
        if ensemble.paused:
            return


def _client(address: str) -> Any:
    try:
        import distributed
    except ImportError:
        raise ScenarioError("--dask", N_("needs dask; install it with: pip install 'polhode[cluster]'")) from None
    for name in logging.root.manager.loggerDict:  # each has a level of its own; errors are reported as sentences
        if name.startswith("distributed"):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    try:  # certificates, for tls://, as dask's own settings name them
        security: Any = distributed.Security()
        connection = security.get_connection_args("client")
    except (OSError, ValueError) as error:
        why = N_(
            "the certificates that dask's settings name cannot be read: {error}",
            getattr(error, "strerror", None) or error,
        )
        raise ScenarioError("--dask", why) from None
    try:
        asyncio.run(asyncio.wait_for(_identity(address, connection), PATIENCE))  # a client that fails ends badly
        return distributed.Client(address, timeout=PATIENCE, set_as_default=False, security=security)
    except Exception:  # noqa: BLE001 - no such machine, protocol or time, or another program answers
        raise ScenarioError(
            "--dask", N_("no scheduler answers at '{address}'; expected one such as tcp://10.0.0.1:8786", address)
        ) from None


async def _identity(address: str, connection: dict[str, Any]) -> Any:
    from distributed.core import rpc

    async with rpc(address, connection_args=connection) as scheduler:
        return await scheduler.identity()


def _threads(client: Any, address: str) -> int:
    """The threads of all workers, once there is one."""
    until = time.monotonic() + PATIENCE
    while not (workers := client.scheduler_info(n_workers=-1)["workers"]):
        if time.monotonic() > until:
            raise ScenarioError("--dask", N_("the scheduler at '{address}' has no workers; start some", address))
        time.sleep(0.1)
    return sum(int(worker["nthreads"]) for worker in workers.values())


def _result(future: Any, client: Any, ensemble: Ensemble) -> tuple[Bundle, float]:
    """Result of a task; waits a second at a time, so that Ctrl+C and ``pause`` act.

    A result is fetched once it is there, with much time: dask fails where a limit of time ends it as it fetches.
    """
    from distributed import KilledWorker, TimeoutError

    alone, there = time.monotonic(), Event()
    future.add_done_callback(lambda _: there.set())
    while not there.wait(1.0):
        if ensemble.paused:
            return {}, 0.0
        if client.status != "running":
            raise PhysicsError(N_("the connection to the scheduler of dask was lost"))
        if client.scheduler_info(n_workers=-1)["workers"]:
            alone = time.monotonic()
        elif time.monotonic() - alone > ALONE:
            raise PhysicsError(N_("all workers of dask were lost"))
    try:
        found: tuple[Bundle, float] = future.result(timeout=ALONE)
    except TimeoutError:  # it was lost before it was fetched, and is computed again
        return _result(future, client, ensemble)
    except KilledWorker:
        raise PhysicsError(N_("the same rocks ended several workers of dask; is their memory enough?")) from None
    except CancelledError:
        raise PhysicsError(N_("the connection to the scheduler of dask was lost")) from None
    except (PhysicsError, ScenarioError):
        raise
    except MemoryError:
        raise PhysicsError(N_("a worker of dask has not enough memory; give it more, or fewer threads")) from None
    except Exception as error:  # noqa: BLE001 - whatever a foreign worker or the connection may raise
        raise PhysicsError(N_("a worker of dask failed: {name}: {error}", type(error).__name__, error)) from None
    return found


# ---- what travels, and what workers do ----------------------------------------------------------------


def packed(scenario: Scenario) -> str:
    """A scenario and the files that it names as text."""
    files = {
        name: {
            path.relative_to(paths[0].parent).as_posix(): base64.b64encode(path.read_bytes()).decode() for path in paths
        }
        for name, paths in named_files(scenario).items()
    }
    plain = {key: value for key, value in scenario.in_full().items() if key != "observed"}  # no rock needs it
    return json.dumps({"scenario": plain, "files": files})


def unpacked(text: str, folder: Path) -> Scenario:
    """The scenario of ``packed``, its files in a folder."""
    data = json.loads(text)
    places = {}
    for i, (name, files) in enumerate(data["files"].items()):
        (folder / str(i)).mkdir()
        for own, content in files.items():
            (folder / str(i) / own).parent.mkdir(parents=True, exist_ok=True)
            (folder / str(i) / own).write_bytes(base64.b64decode(content))
        places[name] = f"{i}/{Path(name).name}"
    return Scenario(**_renamed(data["scenario"], places), folder=str(folder))


def _renamed(value: Any, places: dict[str, str]) -> Any:
    """Plain values with other names of files."""
    if isinstance(value, dict):
        return {key: _renamed(inner, places) for key, inner in value.items()}
    if isinstance(value, list):
        return [_renamed(inner, places) for inner in value]
    return places.get(value, value) if isinstance(value, str) else value


def rocks_of(text: str, key: str, program: tuple[str, str], first: int, last: int) -> tuple[Bundle, float]:
    """Compute rocks first to last - 1 on a worker: their passages, and the processor time [s] that they took.

    program: version and elementary functions of the client; a worker that has others computes other rocks.
    """
    version, functions = program
    if version != polhode_version():
        raise PhysicsError(N_("a worker of dask has polhode {value}, here it is {version}", polhode_version(), version))
    if functions != elementary_functions():
        raise PhysicsError(
            N_(
                "the worker of dask on {platform} computes sin, cos, exp, atan or log with another last "
                "digit than this machine; expected workers of one kind of processor and one system",
                platform.node(),
            )
        )
    began = time.thread_time()
    ensemble = _ensemble(key, text)
    found: list[RockRecord] = []
    for rock in range(first, last):
        passages = ensemble.rock(rock)
        assert passages is not None
        found += passages
    return bundled(found), time.thread_time() - began


_lock = Lock()
_made: dict[str, Ensemble] = {}  # the last one, by the digest of its text


def _ensemble(key: str, text: str) -> Ensemble:
    """The ensemble of a text, made once on each worker."""
    with _lock:
        if key not in _made:
            _made.clear()
            with tempfile.TemporaryDirectory(prefix="polhode-") as folder:
                _made[key] = Ensemble(World.of(unpacked(text, Path(folder))))
        return _made[key]
