"""Fuzz the readers and the physics: ``python -m tests.fuzz --minutes 30``; inputs that fail are kept in tests/corpus.

Inputs are mutated blindly, in the order of a seed; ``--guided READER`` lets atheris choose by what code an input
reaches (pip install -e ".[fuzz]").
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.fuzz.cases import case, judge, keep
from tests.fuzz.readers import READERS


def main() -> int:
    """Fuzz for so long; status 1 if anything but a result or a sentence came out."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=None, help="without one, another each time")
    parser.add_argument("--reader", action="append", choices=list(READERS), help="only this one; may be given again")
    parser.add_argument("--guided", choices=list(READERS), help="guided by coverage, with atheris")
    given = parser.parse_args()
    if given.guided:
        from tests.fuzz.guided import guided

        return guided(given.guided, given.minutes)
    seed = random.randrange(10**9) if given.seed is None else given.seed
    names = given.reader or list(READERS)
    found = Counter[tuple[str, str]]()
    until, number = time.monotonic() + 60.0 * given.minutes, 0
    with tempfile.TemporaryDirectory() as folder:
        while time.monotonic() < until:
            number += 1
            for name in names:
                if number % READERS[name].every:
                    continue
                data = case(name, seed, number)
                verdict = judge(name, data, Path(folder))
                found[name, verdict.kind] += 1
                if not verdict.allowed:
                    keep(name, data, verdict)
    print(f"seed {seed}")
    for name in names:
        told = {kind: n for (reader, kind), n in sorted(found.items()) if reader == name}
        print(f"{name:20} {sum(told.values()):8} inputs  " + ", ".join(f"{n} {kind}" for kind, n in told.items()))
    return int(any(kind not in ("result", "sentence") for _, kind in found))


if __name__ == "__main__":
    sys.exit(main())
