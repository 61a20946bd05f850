"""How long a start takes: our window beside a bare one of PySide6 and PyVista, each in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
import time

from app.bench.compare import Say, compared, told

ROUNDS, WARM = 5, True
LIMIT = 1.5
PATIENCE = 300.0  # [s] for a process, whose kernels may have to be compiled


def run(say: Say = lambda text: None) -> list[dict[str, object]]:
    """Measure windows and the command line; ``say`` gets a line for each. Needs a display (or xvfb-run)."""
    if WARM:  # kernels that are compiled and files that are read once do not count
        measure("ours")
        measure("bare")
    shown: tuple[list[float], list[float]] = ([], [])
    drawn: tuple[list[float], list[float]] = ([], [])
    for _ in range(ROUNDS):
        for number, which in enumerate(("ours", "bare")):
            found = measure(which)
            shown[number].append(found["window"])
            drawn[number].append(found["picture"])
    helped, python = [], []
    for _ in range(ROUNDS):
        helped.append(_timed([sys.executable, "-m", "app", "--help"]))
        python.append(_timed([sys.executable, "-c", "import argparse"]))
    return told(
        say,
        [
            compared("window on the screen", "a bare window", *shown, limit=LIMIT),
            compared("first picture of the rock", "a bare window's first picture", *drawn, limit=None),
            compared("polhode --help", "python -c 'import argparse'", helped, python),
        ],
    )


def measure(which: str) -> dict[str, float]:
    """Milliseconds from the start of a process until its window and its picture are there."""
    command = [sys.executable, "-m", "app.bench.windows", which]
    done = subprocess.run([*command, repr(time.time())], capture_output=True, text=True, timeout=PATIENCE, check=False)
    if done.returncode != 0:
        words = (done.stderr.strip() or "no display").splitlines()[-1]
        raise RuntimeError(f"the {which} window did not open: {words}")
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def _timed(command: list[str]) -> float:
    began = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return 1e3 * (time.perf_counter() - began)
