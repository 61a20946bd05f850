"""The attack repeated: mutated inputs over every kind of file, each in a process with limits of time and memory.

One process has all imported and compiled; for each input it forks one, which is limited and may die.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path

from app.__main__ import main
from tests.fuzz.cases import case, judge
from tests.fuzz.readers import READERS
from tests.fuzz.verdict import Verdict

SECONDS, MEMORY = 20, 2_000_000_000  # of a processor, and bytes more than the process that is forked has
OPENED = ("scenario", "session", "terrain", "body", "trajectory", "recipe")  # what a command takes
WAIT = 60.0  # [s] by the clock: what waits for a pipe or another machine uses no processor


@dataclass
class Attack:
    """What came of inputs: verdicts by kind, and those that are wrong, with the input."""

    kinds: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


def attacked(count: int, seed: int, names: list[str] | None = None) -> Attack:
    """So many inputs, over the readers in turn."""
    chosen, found = names or list(READERS), Attack()
    with tempfile.TemporaryDirectory() as place:
        for name in chosen:  # what is compiled and made for them takes its time now
            judge(name, READERS[name].seeds()[0], Path(place))
        for number in range(count):
            name = chosen[number % len(chosen)]
            here = Path(place, str(number))  # nothing of another input lies beside this one
            here.mkdir()
            data = case(name, seed, number)
            verdict = _limited(name, data, here)
            if verdict.kind == "hang":  # or a lock that a library's thread held as the process was forked: once of 4000
                verdict = _limited(name, data, here)
            shutil.rmtree(here)
            found.kinds[verdict.kind] += 1
            if not verdict.allowed:
                found.wrong.append(f"{name}, seed {seed}, number {number}: {verdict.kind}: {verdict.why}")
    return found


def _limited(name: str, data: bytes, place: Path) -> Verdict:
    """The verdict of a process of its own."""
    child = get_context("fork").Process(target=_judged, args=(name, data, place))
    child.start()
    child.join(WAIT)
    if child.exitcode is None:
        child.kill()
        child.join()
        return Verdict("hang", f"more than {WAIT:g} s by the clock")
    if child.exitcode in (-signal.SIGXCPU, -signal.SIGKILL):
        return Verdict("hang", f"more than {SECONDS} s of a processor")
    if child.exitcode != 0:
        return Verdict("died", f"status {child.exitcode}")
    return Verdict(*json.loads((place / "verdict").read_text()))


def _judged(name: str, data: bytes, place: Path) -> None:
    """Leave the verdict in a file."""
    words = os.open(place / "words", os.O_RDWR | os.O_CREAT | os.O_TRUNC)
    os.dup2(words, 2)
    _limit()
    verdict = judge(name, data, place)
    if verdict.allowed and (beside := os.pread(words, 1000, 0)):  # of GDAL, PROJ, numba
        verdict = Verdict("words beside", beside.decode(errors="replace"))
    if verdict.kind == "sentence" and name.startswith(OPENED):
        verdict = _refused(place / f"input{READERS[name].suffix}", words)
    (place / "verdict").write_text(json.dumps([verdict.kind, verdict.why]))


def _refused(path: Path, words: int) -> Verdict:
    """What the command line says of a file that its reader refuses."""
    os.ftruncate(words, 0)
    os.lseek(words, 0, os.SEEK_SET)
    try:
        status = main(["ensemble", str(path), "-o", str(path.with_name("out")), "--rocks", "1", "--quiet"])
    except SystemExit as end:
        status = int(end.code or 0)
    sys.stderr.flush()
    said = os.pread(words, 10_000, 0).decode(errors="replace")
    if status not in (0, 1, 2) or said.count("\n") != (status != 0) or "Traceback" in said:
        return Verdict("no sentence", f"status {status}: {said}")
    return Verdict("sentence", said)


def _limit() -> None:
    held = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (held + MEMORY,) * 2)
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
