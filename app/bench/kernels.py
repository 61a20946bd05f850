"""Nanoseconds a step of every scheme, beside a C program of the same algorithm where a compiler is found."""

from __future__ import annotations

import ctypes
import statistics
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from app.bench.c_program import compiled, pointer
from app.bench.comparison import Say
from physics.core.potential import FREE
from physics.schemes import SCHEMES
from physics.schemes.scheme import Scheme

SOURCE = Path(__file__).with_name("kernels.c")
J = np.array([5 / 12, 10 / 12, 13 / 12])  # the cuboid of Leine et al., section 4.3
J_TOP = np.array([10 / 12, 10 / 12, 13 / 12])  # with two equal moments, as tops have
TOP = np.array([0.0, 0.0, 5.0, *np.zeros(9)])  # a weight, for schemes that serve bodies under torque
Q, W = np.array([1.0, 0.0, 0.0, 0.0]), np.array([1e-3, 10.0, 1e-3])
STEP = 0.01
# anew from the start after so many: later `explicit` brings two velocities below 1e-308, where a step takes 350 ns
STEPS, MARCHES, REPEATS = 20_000, 10, 9
IN_C = {"explicit": "explicit_steps", "implicit": "implicit_steps", "exact": "exact_steps"}


@dataclass(frozen=True)
class Measured:
    """Median and spread of one scheme: nanoseconds a step; ratio to C in the same run, or None."""

    scheme: str
    motion: str  # free, or top for schemes that serve only bodies under torque
    nanoseconds: float
    least: float
    most: float
    c_nanoseconds: float | None
    ratio_to_c: float | None


def run(say: Say = lambda text: None) -> list[dict[str, object]]:
    """Measure every scheme; ``say`` gets a line for each."""
    library = compiled(SOURCE)
    say(f"{'scheme':28}{'ns a step':>10}{'least':>8}{'most':>8}{'in C':>8}{'ratio':>7}")
    found = []
    for scheme in SCHEMES.values():
        measured = _measure(scheme, library)
        found.append(asdict(measured))
        ours = f"{measured.scheme:28}{measured.nanoseconds:10.0f}{measured.least:8.0f}{measured.most:8.0f}"
        c = f"{measured.c_nanoseconds:8.0f}{measured.ratio_to_c:7.2f}" if measured.ratio_to_c else ""
        say(ours + c)
    if library is None:
        say("no C compiler was found: nothing to compare with")
    return found


def _measure(scheme: Scheme, library: ctypes.CDLL | None) -> Measured:
    """Take turns with C, so that a machine that slows down slows both."""
    free, row = "free" in scheme.kinds, np.empty((1, 7))
    moments, field = (J, FREE) if free else (J_TOP, TOP)
    state = scheme.start(moments, Q, W)
    scheme.march(moments, field, STEP, 10, state.copy(), row)  # compile
    step = STEP
    while scheme.march(moments, field, step, STEPS, state.copy(), row)[0] == 0:  # one that gains energy overflows
        step /= 10.0
    constants = state.copy()
    foreign = getattr(library, IN_C[scheme.name]) if library is not None and scheme.name in IN_C else None
    ours, theirs, ratios = [], [], []
    for _ in range(REPEATS):
        fresh = state.copy()
        # exact evaluates once a row: as many rows as steps; the others step on and store once
        out, every = (np.empty((STEPS, 7)), 1) if scheme.order is None else (row, STEPS)
        out[:] = 0.0  # the pages are there before the clock runs
        began = time.perf_counter()
        for _ in range(MARCHES):
            fresh[:] = state
            scheme.march(moments, field, step, every, fresh, out)
        ours.append((time.perf_counter() - began) / (MARCHES * STEPS) * 1e9)
        if foreign is not None:
            given = constants if scheme.order is None else J
            begin = np.concatenate([Q, W])
            end = begin.copy()
            began = time.perf_counter()
            for _ in range(MARCHES):
                end[:] = begin
                foreign(pointer(given), ctypes.c_double(STEP), ctypes.c_long(STEPS), pointer(end))
            theirs.append((time.perf_counter() - began) / (MARCHES * STEPS) * 1e9)
            ratios.append(ours[-1] / theirs[-1])
            if not np.allclose(out[-1], end, rtol=0, atol=1e-3):
                raise RuntimeError(f"{scheme.name}: the C program does not reach the same state")
    return Measured(
        scheme.name,
        "free" if free else "top",
        statistics.median(ours),
        min(ours),
        max(ours),
        statistics.median(theirs) if theirs else None,
        statistics.median(ratios) if ratios else None,
    )
