"""Nanoseconds a step of every scheme, beside a C program of the same algorithm where a compiler is found.

Of the builds of the C program the one that is fastest in the median counts. Schemes that march many bodies are measured
with MANY of them too, beside C that is compiled to vectors.
"""

from __future__ import annotations

import ctypes
import shutil
import statistics
import subprocess
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import chain
from pathlib import Path

import numpy as np

from app.bench.comparison import Say
from physics.core.potential import FREE
from physics.io.trajectory_writers import scratch_folder
from physics.schemes import SCHEMES, loop
from physics.schemes.loop import WIDTH, marched
from physics.schemes.scheme import Scheme

SOURCE = Path(__file__).with_name("kernels.c")
J = np.array([5 / 12, 10 / 12, 13 / 12])  # the cuboid of Leine et al., section 4.3
J_TOP = np.array([10 / 12, 10 / 12, 13 / 12])  # principal moments of a top: two are equal
TOP = np.array([0.0, 0.0, 5.0, *np.zeros(9)])  # a weight, for schemes that serve tops and no free body
Q, W = np.array([0.8, 0.4, -0.4, 0.2]), np.array([1e-3, 10.0, 1e-3])  # at no lock of Euler angles
STEP = 0.01
# anew from the start after so many: later `explicit` brings two velocities below 1e-308, where a step takes 350 ns
STEPS, MARCHES, REPEATS = 20_000, 10, 9
MANY, MANY_STEPS = 1024, 1000
# for this processor, also without fused multiply-add, which makes chains of operations longer; sqrt that sets no errno
BUILDS = ((), ("-march=native", "-fno-math-errno"), ("-march=native", "-fno-math-errno", "-ffp-contract=off"))
IN_C = {"explicit": "explicit_steps", "implicit": "implicit_steps", "exact": "exact_steps"}


def pointer(array: np.ndarray) -> ctypes.c_void_p:
    """Address of the numbers of an array."""
    return ctypes.c_void_p(array.ctypes.data)


def compiled(source: Path, *options: str) -> ctypes.CDLL | None:
    """A C program as a library, or None where no compiler is found, or it does not know an option."""
    compiler = next((path for name in ("cc", "gcc", "clang") if (path := shutil.which(name))), None)
    if compiler is None:
        return None
    with scratch_folder() as folder:
        library = folder / "program.so"
        command = [compiler, "-O3", *options, "-shared", "-fPIC", str(source), "-o", str(library), "-lm"]
        if subprocess.run(command, capture_output=True, check=False).returncode != 0:
            return None
        return ctypes.CDLL(str(library))


@dataclass(frozen=True)
class KernelTime:
    """Median and spread of one scheme: nanoseconds a step and body; ratio to C in the same run, or None."""

    scheme: str
    bodies: int
    motion: str  # free, or top for schemes that serve tops and no free body
    nanoseconds: float
    least: float
    most: float
    c_nanoseconds: float | None
    ratio_to_c: float | None


def run(say: Say = lambda text: None) -> list[dict[str, object]]:
    """Measure every scheme; ``say`` gets a line for each."""
    libraries = [library for options in BUILDS if (library := compiled(SOURCE, *options)) is not None]
    say(f"{'scheme':28}{'ns a step':>10}{'least':>8}{'most':>8}{'in C':>8}{'ratio':>7}")
    found = []
    many = [scheme for scheme in SCHEMES.values() if loop.MANY in scheme.marches]
    alone = map(partial(_measure, libraries), SCHEMES.values())
    for measured in chain(alone, map(partial(_measure_many, libraries), many)):
        found.append(asdict(measured))
        name = measured.scheme + (f", {measured.bodies} bodies" if measured.bodies > 1 else "")
        ours = f"{name:28}{measured.nanoseconds:10.0f}{measured.least:8.0f}{measured.most:8.0f}"
        c = f"{measured.c_nanoseconds:8.0f}{measured.ratio_to_c:7.2f}" if measured.ratio_to_c else ""
        say(ours + c)
    if not libraries:
        say("no C compiler was found: nothing to compare with")
    return found


def _measure(libraries: Sequence[ctypes.CDLL], scheme: Scheme) -> KernelTime:
    """Measure a scheme in turns with C, so that a machine that slows down slows both."""
    free, row = "free" in scheme.kinds or "top" not in scheme.kinds, np.empty((1, 7))
    moments, field = (J, FREE) if free else (J_TOP, TOP)
    state = scheme.start(moments, Q, W)
    scheme.march(moments, field, STEP, 10, state.copy(), row)  # compile
    step = STEP
    while scheme.march(moments, field, step, STEPS, state.copy(), row)[0] == 0:  # one that gains energy overflows
        step /= 10.0
    constants = state.copy()
    foreign = [getattr(library, IN_C[scheme.name]) for library in libraries if scheme.name in IN_C]
    ours: list[float] = []
    theirs: list[list[float]] = [[] for _ in libraries]  # by build
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
        for function, taken in zip(foreign, theirs, strict=False):
            given = constants if scheme.order is None else J
            begin = np.concatenate([Q, W])
            end = begin.copy()
            began = time.perf_counter()
            for _ in range(MARCHES):
                end[:] = begin
                function(pointer(given), ctypes.c_double(STEP), ctypes.c_long(STEPS), pointer(end))
            taken.append((time.perf_counter() - began) / (MARCHES * STEPS) * 1e9)
            if not np.allclose(out[-1], end, rtol=0, atol=1e-3):
                raise RuntimeError(f"{scheme.name}: the C program does not reach the same state")
    return _compared(scheme, 1, "free" if free else "top", ours, theirs)


def _measure_many(libraries: Sequence[ctypes.CDLL], scheme: Scheme) -> KernelTime:
    """Measure bodies that begin with spins in all directions, see ``_measure``."""
    march = scheme.solver(loop.MANY)
    states = np.zeros((MANY, 7))
    states[:, 0], states[:, 4:] = 1.0, 5.0 * np.random.default_rng(0).standard_normal((MANY, 3))
    marched(march, J, STEP, 1, states, 1)  # compile
    blocks = np.ascontiguousarray(states.reshape(-1, WIDTH, 7).transpose(0, 2, 1))
    ours: list[float] = []
    theirs: list[list[float]] = [[] for _ in libraries]  # by build
    for _ in range(REPEATS):
        began = time.perf_counter()
        last = marched(march, J, STEP, MANY_STEPS, states, 1)[0]
        ours.append((time.perf_counter() - began) / (MANY * MANY_STEPS) * 1e9)
        for library, taken in zip(libraries, theirs, strict=True):
            ends, function = blocks.copy(), getattr(library, f"{scheme.name}_many")
            steps, size = ctypes.c_long(MANY_STEPS), ctypes.c_long(len(blocks))
            began = time.perf_counter()
            function(pointer(J), ctypes.c_double(STEP), steps, size, pointer(ends))
            taken.append((time.perf_counter() - began) / (MANY * MANY_STEPS) * 1e9)
            if not np.allclose(last, ends.transpose(0, 2, 1).reshape(-1, 7), rtol=0, atol=1e-3):
                raise RuntimeError(f"{scheme.name}: the C program for many bodies does not reach the same states")
    return _compared(scheme, MANY, "free", ours, theirs)


def _compared(scheme: Scheme, bodies: int, motion: str, ours: list[float], builds: list[list[float]]) -> KernelTime:
    theirs = min(filter(None, builds), key=statistics.median, default=[])
    ratios = [one / other for one, other in zip(ours, theirs, strict=False)]
    return KernelTime(
        scheme.name,
        bodies,
        motion,
        statistics.median(ours),
        min(ours),
        max(ours),
        statistics.median(theirs) if theirs else None,
        statistics.median(ratios) if ratios else None,
    )
