"""Time of a start beside a bare window of PySide6 and PyVista: ``python -m tests.benchmarks.start``."""

from __future__ import annotations

import subprocess
import time
from tempfile import TemporaryDirectory

from app.bench.comparison import Say, answer, compared, milliseconds, reported
from app.system import processes

ROUNDS, WARM = 5, True
LIMIT = 1.5  # of the window, and of the first picture
WARM_MOTION, COLD_MOTION = 1.8, 3.0  # limits; cold: no kernel is compiled yet


def run(say: Say = lambda text: None) -> list[dict[str, object]]:
    """Measure windows and the command line; ``say`` gets a line for each. Needs a display (or xvfb-run)."""
    if WARM:  # kernels that are compiled and files that are read once do not count
        measure("ours")
        measure("bare")
    ours, cold, bare = [], [], []
    for _ in range(ROUNDS):
        ours.append(measure("ours"))
        bare.append(measure("bare"))
        with TemporaryDirectory(prefix="polhode-bench-") as folder:
            cold.append(measure("ours", NUMBA_CACHE_DIR=folder))

    def both(one: str, other: str, mine: list[dict[str, float]] = ours) -> tuple[list[float], list[float]]:
        return [found[one] for found in mine], [found[other] for found in bare]

    helped, python = [], []
    for _ in range(ROUNDS):
        helped.append(_timed(processes.python("-m", "app", "--help")))
        python.append(_timed(processes.python("-c", "import argparse")))
    return reported(
        say,
        [
            compared("window on the screen", "a bare window", *both("window", "window"), limit=LIMIT),
            compared("window with all controls", "a bare window", *both("controls", "window"), limit=None),
            compared("first picture", "a bare window's first picture", *both("picture", "picture"), limit=LIMIT),
            compared("first motion", "a bare window's first picture", *both("motion", "picture"), limit=WARM_MOTION),
            compared(
                "first motion, nothing compiled",
                "a bare window's first picture",
                *both("motion", "picture", cold),
                limit=COLD_MOTION,
            ),
            compared("polhode --help", "python -c 'import argparse'", helped, python),
        ],
    )


def measure(which: str, **variables: str) -> dict[str, float]:
    """Milliseconds from the start of a process to its window and its picture; variables: of its environment."""
    found: dict[str, float] = answer("tests.benchmarks.window_processes", which, repr(time.time()), **variables)
    return found


def _timed(command: list[str]) -> float:
    environment = processes.environment()
    return milliseconds(lambda: subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=True))


if __name__ == "__main__":
    run(print)
