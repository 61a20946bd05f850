"""What a rock of an ensemble costs, by the number of rocks and of threads, and what a million would take.

One scenario: the 780 kg EOTA221 on a ramp of 45°, in a random attitude, with ``implicit``. Everything counts, from the
drawing of the rock to its maps and statistics. What threads could reach is what as many processes do, which share
nothing but the machine.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass

from app.bench.comparison import Comparison, Say, compared, told
from app.bench.memory import resident
from app.bench.rockfall import ramp
from app.system import processes
from physics.ensembles.ensemble import Ensemble, processors

SIZES = (100, 1000, 10_000)  # rocks
TURNS, ROCKS = 5, 200  # of one thread, all threads and as many processes; the rocks of each of them
MILLION = 1_000_000


@dataclass(frozen=True)
class Marched:
    """An ensemble: wall clock and processor time [s], and what its memory grew by [bytes] from first rock to last."""

    rocks: int
    workers: int
    wall: float
    cpu: float
    grown: int

    @property
    def milliseconds(self) -> float:
        """Of processor time a rock."""
        return 1e3 * self.cpu / self.rocks


def run(say: Say = lambda text: None) -> dict[str, object]:
    """Measure ensembles of SIZES, and threads; ``say`` gets a line for each."""
    workers = processors()
    _march(8, workers)  # compile
    sizes = [_march(rocks, workers) for rocks in SIZES]
    say(f"{'rocks':>10}{'threads':>9}{'wall [s]':>10}{'CPU [s]':>10}{'ms a rock':>11}{'memory grown [MB]':>19}")
    for one in sizes:
        times = f"{one.wall:10.1f}{one.cpu:10.1f}{one.milliseconds:11.2f}"
        say(f"{one.rocks:10}{one.workers:9}{times}{one.grown / 1e6:19.1f}")
    say("")
    threads = _threads(workers)
    table = told(say, threads)
    return {"sizes": [asdict(one) for one in sizes], "threads": table, "million": _million(sizes, say)}


def _march(rocks: int, workers: int) -> Marched:
    ensemble = Ensemble(ramp(ensemble={"rocks": rocks}))
    held = 0
    cpu, began = time.process_time(), time.perf_counter()
    for done in ensemble.march(workers):
        held = held or (resident() if done >= min(rocks, 100) else 0)
    wall, cpu = time.perf_counter() - began, time.process_time() - cpu
    return Marched(rocks, workers, wall, cpu, max(resident() - held, 0))


def _threads(workers: int) -> list[Comparison]:
    """One thread, all threads and as many processes in turns: how well they share the machine."""
    alone, shared, apart = [], [], []
    with _processes(workers) as processes:
        for _ in range(TURNS):
            alone.append(_march(ROCKS, 1))
            shared.append(_march(workers * ROCKS, workers))
            apart.append(_together(processes))
    one, all_ = [each.wall for each in alone], [each.wall for each in shared]
    cpu = [each.milliseconds for each in shared], [each.milliseconds for each in alone]
    return [
        compared(f"efficiency of {workers} threads", "one thread", one, all_, unit="s"),
        compared(f"efficiency of {workers} processes", "one thread", one, apart, unit="s"),
        compared("processes over threads", "the threads' wall clock", apart, all_, unit="s"),
        compared("processor time a rock", "that with one thread", *cpu),
    ]


@contextmanager
def _processes(n: int) -> Iterator[list[subprocess.Popen[str]]]:
    """Processes that run as many rocks as a line tells on one thread, and answer with a line."""
    command, place = processes.python("-c", "from app.bench.ensembles import serve; serve()"), processes.environment()
    pipe = subprocess.PIPE
    started = [subprocess.Popen(command, stdin=pipe, stdout=pipe, env=place, text=True, bufsize=1) for _ in range(n)]
    try:
        for process in started:
            _wait_for(process)
        yield started
    finally:
        for process in started:
            process.communicate()


def serve() -> None:
    """What each of the processes does."""
    _march(8, 1)  # compile
    print(flush=True)
    for line in sys.stdin:
        _march(int(line), 1)
        print(flush=True)


def _together(processes: list[subprocess.Popen[str]]) -> float:
    """How long [s] the processes take, at the same time."""
    began = time.perf_counter()
    for process in processes:
        assert process.stdin is not None
        process.stdin.write(f"{ROCKS}\n")
    for process in processes:
        _wait_for(process)
    return time.perf_counter() - began


def _wait_for(process: subprocess.Popen[str]) -> None:
    """Until it answers."""
    assert process.stdout is not None
    process.stdout.readline()


def _million(sizes: list[Marched], say: Say) -> dict[str, float]:
    """What a million rocks would take, by the two largest ensembles; and how well the last was told by the one before.

    By processor time, of which other programs take nothing.
    """
    before, last = sizes[-2:]
    error = last.milliseconds / before.milliseconds - 1.0
    hours = last.cpu / last.rocks * MILLION / last.workers / 3600.0
    memory = (last.grown - before.grown) / (last.rocks - before.rocks) * MILLION
    say(f"a rock of {last.rocks} took {error:+.1%} more processor time than one of {before.rocks}")
    say(f"a million rocks would take {hours:.2f} hours of {last.workers} processors, {memory / 1e6:.0f} MB more memory")
    return {"hours": hours, "bytes": memory, "error": error}
