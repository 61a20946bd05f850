"""Cases: the inputs that readers get, and what a reader did with one."""

from __future__ import annotations

import hashlib
import random
import sys
from pathlib import Path

from tests.fuzz.readers import CORPUS, READERS
from tests.fuzz.verdict import Verdict, judged


def corpus(name: str) -> list[Path]:
    """Inputs of a reader that are kept: those that once failed, and hostile ones by hand."""
    return sorted(path for path in (CORPUS / name).glob("*") if path.is_file())


def case(name: str, seed: int, number: int) -> bytes:
    """A mutation of a good file, the same for the same seed and number."""
    rng = random.Random(f"{seed} {name} {number}")
    seeds = READERS[name].seeds()
    return READERS[name].mutate(rng.choice(seeds), seeds, rng)


def judge(name: str, data: bytes, folder: Path) -> Verdict:
    """What a reader does with an input."""
    READERS[name].seeds()  # what is compiled and made for them takes its time now
    path = folder / f"input{READERS[name].suffix}"
    path.write_bytes(data)
    return judged(lambda: READERS[name].read(path))


def keep(name: str, data: bytes, verdict: Verdict) -> None:
    """Put an input that fails into the corpus, and say so."""
    place = CORPUS / name / f"{hashlib.blake2b(data, digest_size=6).hexdigest()}{READERS[name].suffix}"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(data)
    print(f"{place}: {verdict.kind}: {verdict.why}", file=sys.stderr, flush=True)
