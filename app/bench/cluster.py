"""What a part of an ensemble costs on a cluster: by 1 to 8 worker processes, and on 1000 cores whose parts sleep.

Processor time is told, of which a machine with few cores has as much as one with many: in the workers for a rock, and
in this process, which is client and scheduler, for a part. A part is what one task computes.

Simulated workers have room for THREADS parts each, in this process, under dask's own scheduler. Their parts sleep as
long as real ones take, and need no thread for that, so that the processor time is that of client, scheduler and
workers' messages: an upper bound of the scheduler's.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from dataclasses import asdict, dataclass
from functools import partial

from app.bench.comparison import Say
from app.bench.rockfall import ramp
from physics.core.errors import ScenarioError
from physics.ensembles import cluster
from physics.ensembles.ensemble import Ensemble

WORKERS = (1, 2, 4, 8)  # processes
PARTS = 8  # of cluster.TASK rocks, of each of them
THREADS = 16  # of a simulated worker, by what it tells the scheduler
SIMULATED = ((1, 320), (8, 1280), (63, 4032))  # simulated workers, and parts in all
SLEEP = 0.35  # [s] about what a part of cluster.TASK rocks takes


@dataclass(frozen=True)
class Clustered:
    """Processor time [ms] on so many workers.

    rock : in the workers, for one; efficiency : that of one worker over it
    part : of client and scheduler, for one
    wall : clock time of all rocks [s]
    """

    workers: int
    rocks: int
    rock: float
    efficiency: float
    part: float
    wall: float


@dataclass(frozen=True)
class Simulated:
    """Parts a second, of as many as the threads could sleep through, and processor time of a part [ms]."""

    threads: int
    parts: int
    rate: float
    possible: float
    part: float


def run(say: Say = lambda text: None) -> dict[str, object]:
    """Measure both; ``say`` gets a line for each. ScenarioError where dask is not installed."""
    try:
        import distributed  # noqa: F401
    except ImportError:
        raise ScenarioError("bench cluster", "needs dask; install it with: pip install 'polhode[cluster]'") from None
    say(f"{'workers':>8}{'rocks':>8}{'wall [s]':>10}{'CPU [ms] a rock':>17}{'of one worker':>15}{'client, a part':>16}")
    real: list[Clustered] = []
    for workers in WORKERS:
        one = _worked(workers, real[0].rock if real else None)
        real.append(one)
        say(
            f"{one.workers:8}{one.rocks:8}{one.wall:10.1f}{one.rock:17.2f}{one.efficiency:15.2f}{one.part:16.1f}",
        )
    say("")
    say(f"{'threads':>8}{'parts':>8}{'parts a second':>16}{'possible':>10}{'CPU [ms] a part':>17}   simulated")
    simulated = [_simulated(*size) for size in SIMULATED]
    for each in simulated:
        say(f"{each.threads:8}{each.parts:8}{each.rate:16.0f}{each.possible:10.0f}{each.part:17.2f}")
    return {"processes": [asdict(one) for one in real], "simulated": [asdict(one) for one in simulated]}


def _worked(workers: int, alone: float | None) -> Clustered:
    """An ensemble on worker processes of one thread; alone: processor time of a rock on one worker [ms]."""
    from distributed import Client, LocalCluster

    rocks = PARTS * cluster.TASK * workers
    with (
        LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None, silence_logs=50) as made,
        Client(made, set_as_default=False) as client,
    ):
        list(cluster.march(Ensemble(ramp(ensemble={"rocks": PARTS * workers})), made.scheduler_address))
        before, cpu = sum(client.run(time.process_time).values()), time.process_time()
        began = time.perf_counter()
        list(cluster.march(Ensemble(ramp(ensemble={"rocks": rocks})), made.scheduler_address))
        wall, cpu = time.perf_counter() - began, time.process_time() - cpu
        rock = 1e3 * (sum(client.run(time.process_time).values()) - before) / rocks
    return Clustered(workers, rocks, rock, (alone or rock) / rock, 1e3 * cpu * cluster.TASK / rocks, wall)


def _simulated(workers: int, parts: int) -> Simulated:
    """Parts that sleep, asked for as ``cluster.march`` asks for them."""
    from distributed import Client, LocalCluster

    start = partial(LocalCluster, processes=False, memory_limit=None, dashboard_address=None, silence_logs=50)
    threads = THREADS * workers
    with (
        start(n_workers=workers, threads_per_worker=THREADS) as made,
        Client(made, set_as_default=False) as client,
    ):
        client.wait_for_workers(workers)
        cpu, began = time.process_time(), time.perf_counter()
        ahead: deque[object] = deque()
        asked = 0
        while asked < parts or ahead:
            while asked < parts and len(ahead) < 4 * threads:
                ahead.append(client.submit(asyncio.sleep, SLEEP, pure=False))
                asked += 1
            ahead.popleft().result()  # type: ignore[attr-defined]  # a future of dask, which has no types
        wall, cpu = time.perf_counter() - began, time.process_time() - cpu
    return Simulated(threads, parts, parts / wall, threads / SLEEP, 1e3 * cpu / parts)
