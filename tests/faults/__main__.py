"""Kill processes at random moments and see what is lost: ``python -m tests.faults --kills 50``; needs a display.

``--writes 100000`` fails every single write in turn: of runs, pictures, films, charts, ensembles, sessions.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from tests.faults.killing import SUFFIXES, ensembles, outputs, sessions
from tests.faults.windows import STRUCK, windows
from tests.faults.writing import DEEDS, Attack

KINDS = ("ensemble", "session", *SUFFIXES, *(f"window-{victim}" for victim in STRUCK))


def main() -> int:
    """Kill each kind so many times; status 1 if anything was lost."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kind", action="append", choices=KINDS, help="only this one")
    parser.add_argument("--writes", type=int, help="kill nothing: fail so many writes of each deed, evenly chosen")
    parser.add_argument("--deed", action="append", choices=list(DEEDS), help="only this one")
    given = parser.parse_args()
    if given.writes:
        return _writes(given.writes, given.deed or list(DEEDS))
    lost = 0
    for kind in given.kind or KINDS:
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            if kind == "ensemble":
                tally = ensembles(folder, given.kills, given.seed)
            elif kind == "session":
                tally = sessions(folder, given.kills, given.seed)
            elif kind.startswith("window-"):
                tally = windows([kind.removeprefix("window-")], folder, given.kills, given.seed)
            else:
                tally = outputs(kind, folder, given.kills, given.seed)
        worst = f", at most the last {tally.worst:.1f} s of edits" if kind == "session" else ""
        print(f"{kind:14} {tally.kills:5} kills, {tally.lost} lost{worst}", flush=True)
        lost += tally.lost
    return int(lost > 0)


def _writes(most: int, deeds: list[str]) -> int:
    wrong = 0
    with tempfile.TemporaryDirectory() as place:
        writes = Attack(Path(place))
        for name in deeds:
            tally = writes.fail(name, DEEDS[name], most)
            print(f"{name:18} {tally.calls:5} calls, {tally.failed} failed, {len(tally.wrong)} wrong", flush=True)
            print(*tally.wrong, sep="\n", end="\n" if tally.wrong else "", flush=True)
            wrong += len(tally.wrong)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
