"""Guided: the next inputs of a reader are chosen by what code the last ones reached (atheris, libFuzzer for Python)."""

from __future__ import annotations

import gc
import multiprocessing
import random
import sys
import tempfile
from pathlib import Path
from types import FunctionType

from physics.core.jit import Kernel
from tests.fuzz.cases import corpus, judge, keep
from tests.fuzz.mutation import mutated
from tests.fuzz.readers import READERS

READING = ("app", "physics", "tomllib", "json", "csv", "zipfile", "base64", "numpy.lib._format_impl")  # in Python


def guided(name: str, minutes: float) -> int:
    """Fuzz a reader until the time is over, or an input fails, which is kept; then the status is 77.

    libFuzzer ends the process that it runs in: it gets one of its own.
    """
    with tempfile.TemporaryDirectory() as folder:
        process = multiprocessing.get_context("spawn").Process(target=_fuzz, args=(name, minutes, Path(folder)))
        process.start()
        process.join()
    return process.exitcode or 0


def _fuzz(name: str, minutes: float, folder: Path) -> None:
    import atheris

    seeds = READERS[name].seeds()
    known = folder / "known"
    known.mkdir()
    for i, data in enumerate([*seeds, *(path.read_bytes() for path in corpus(name))]):
        (known / str(i)).write_bytes(data)
        judge(name, data, folder)  # what is imported late is there
    for function in _reading():
        atheris.instrument_func(function)

    def one(data: bytes) -> None:
        verdict = judge(name, data, folder)
        if not verdict.allowed:
            keep(name, data, verdict)
            raise AssertionError(verdict)

    def other(data: bytes, most: int, seed: int) -> bytes:
        """Mutate by bytes, or in the ways of tests.fuzz.mutation."""
        if seed % 2:
            return bytes(atheris.Mutate(data, most))
        return mutated(data, seeds, random.Random(seed))[:most]

    limits = [
        f"-max_total_time={int(60 * minutes)}",
        "-rss_limit_mb=4000",
        "-timeout=60",
        "-verbosity=0",
        "-print_final_stats=1",
    ]
    atheris.Setup([sys.argv[0], *limits, f"-artifact_prefix={folder}/", str(known)], one, custom_mutator=other)
    atheris.Fuzz()


def _reading() -> list[FunctionType]:
    """The functions of the readers, but not those that numba compiles."""
    everything = gc.get_objects()
    compiled = {o.py_func for o in everything if isinstance(o, Kernel)}
    return [
        o
        for o in everything
        if isinstance(o, FunctionType)
        and o not in compiled
        and (o.__module__ or "").startswith(tuple(f"{part}." for part in READING) + READING)
    ]
