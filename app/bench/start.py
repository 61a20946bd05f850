"""How long a start takes: our window beside a bare one of PySide6 and PyVista, each in a process of its own."""

from __future__ import annotations

import subprocess
import time

from app.bench.comparison import Say, answer, compared, milliseconds, told
from app.system import processes

ROUNDS, WARM = 5, True
LIMIT = 1.5


def run(say: Say = lambda text: None) -> list[dict[str, object]]:
    """Measure windows and the command line; ``say`` gets a line for each. Needs a display (or xvfb-run)."""
    if WARM:  # kernels that are compiled and files that are read once do not count
        measure("ours")
        measure("bare")
    ours, bare = [], []
    for _ in range(ROUNDS):
        ours.append(measure("ours"))
        bare.append(measure("bare"))

    def both(one: str, other: str) -> tuple[list[float], list[float]]:
        return [found[one] for found in ours], [found[other] for found in bare]

    helped, python = [], []
    for _ in range(ROUNDS):
        helped.append(_timed(processes.python("-m", "app", "--help")))
        python.append(_timed(processes.python("-c", "import argparse")))
    return told(
        say,
        [
            compared("window on the screen", "a bare window", *both("window", "window"), limit=LIMIT),
            compared("window with all controls", "a bare window", *both("controls", "window"), limit=None),
            compared("first picture", "a bare window's first picture", *both("picture", "picture"), limit=None),
            compared("polhode --help", "python -c 'import argparse'", helped, python),
        ],
    )


def measure(which: str) -> dict[str, float]:
    """Milliseconds from the start of a process until its window and its picture are there."""
    found: dict[str, float] = answer("app.bench.window_processes", which, repr(time.time()))
    return found


def _timed(command: list[str]) -> float:
    environment = processes.environment()
    return milliseconds(lambda: subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=True))
