"""Comparison of two times that are measured in turns in one run, for every benchmark."""

from __future__ import annotations

import json
import statistics
import subprocess
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from app.system import processes

PATIENCE = 300.0  # [s] for a process, whose kernels may have to be compiled
Say = Callable[[str], None]


@dataclass(frozen=True)
class Comparison:
    """Medians of times of the program and of a bare counterpart, in one run.

    ratio, least, most : of ours to theirs, round by round
    limit : the ratio that the project wants to stay below, or None
    """

    what: str
    beside: str
    unit: str
    ours: float
    theirs: float
    ratio: float
    least: float
    most: float
    limit: float | None

    def line(self) -> str:
        """The comparison as a line of a table."""
        wanted = "" if self.limit is None else f"  wanted {self.limit:g}"
        return (
            f"{self.what:34}{self.ours:10.2f}{self.theirs:10.2f} {self.unit:3}{self.ratio:7.2f}"
            f" ({self.least:.2f} to {self.most:.2f}){wanted}  beside {self.beside}"
        )


HEADER = f"{'':34}{'ours':>10}{'bare':>10}    {'ratio':>7}"


def compared(
    what: str, beside: str, ours: list[float], theirs: list[float], unit: str = "ms", limit: float | None = None
) -> Comparison:
    """Compare times in a unit, one of each for every round."""
    ratios = [a / b for a, b in zip(ours, theirs, strict=True)]
    middle = statistics.median
    return Comparison(what, beside, unit, middle(ours), middle(theirs), middle(ratios), min(ratios), max(ratios), limit)


def reported(say: Say, found: list[Comparison]) -> list[dict[str, object]]:
    """Print the table with ``say``, and return it as plain values."""
    say(HEADER)
    for comparison in found:
        say(comparison.line())
    return [asdict(comparison) for comparison in found]


def answer(*words: str, **variables: str) -> Any:
    """Run a module of the program in a process of its own, and return the JSON that it prints; RuntimeError on failure.

    variables : of its environment, beside those of this process
    """
    command, place = processes.python("-m", *words), processes.environment() | variables
    place.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed program has its bytecode: else 0.2 s of compiling count
    done = subprocess.run(command, env=place, capture_output=True, text=True, timeout=PATIENCE, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"the window did not open: {(done.stderr.strip() or 'no display').splitlines()[-1]}")
    return json.loads(done.stdout.splitlines()[-1])


def milliseconds(call: Callable[[], object]) -> float:
    """Time [ms] that a call takes."""
    began = time.perf_counter()
    call()
    return 1e3 * (time.perf_counter() - began)
