"""Judge the verdicts of random scenarios: ``python -m tests.judged --seeds 0:500``; status 1 if one is wrong."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path

from tests.judged.draw import SHARES, case_of, kind_of
from tests.judged.judge import CLOSE, EXACT, judged

COLUMNS = ("cases", "lanes", "right", "wrong", "loose", "undecided", "beyond", "failed")


def main() -> int:
    """Print a line a case, and a table by kind."""
    parser = argparse.ArgumentParser(prog="python -m tests.judged", description=__doc__)
    parser.add_argument("--seeds", default="0:500", help="FIRST:LAST+1, or one")
    parser.add_argument("--kind", action="append", choices=list(SHARES), help="only this one; may be given again")
    parser.add_argument("--save", type=Path, help="folder for the scenarios about which something wrong was said")
    given = parser.parse_args()
    first, _, last = given.seeds.partition(":")
    table = {kind: Counter[str]() for kind in SHARES}
    for seed in range(int(first), int(last or int(first) + 1)):
        kind = kind_of(seed)
        if given.kind and kind not in given.kind:
            continue
        case, count, began = case_of(seed), table[kind], time.process_time()
        count["cases"] += 1
        try:
            with tempfile.TemporaryDirectory() as folder:
                found = judged(case, Path(folder))
        except Exception as error:  # noqa: BLE001 it is listed, and the others go on
            count["failed"] += 1
            print(
                f"{seed} {kind}: {error!r}".replace("\n", " "), traceback.format_tb(error.__traceback__)[-1], flush=True
            )
            found = []
        for lane in found:
            count["lanes"] += 1
            count["wrong"] += bool(lane.faults)
            count["loose"] += CLOSE < lane.error <= EXACT
            count["undecided"] += lane.said == "unknown"
            count["beyond"] += not lane.right
            count["right"] += not lane.faults and lane.said != "unknown"
        spent = time.process_time() - began
        wrong = [f"\n    {lane.lane}: {'; '.join(lane.faults)}" for lane in found if lane.faults]
        worst = max((lane.error for lane in found), default=0.0)
        said = " ".join(f"{lane.said}{'' if lane.right else '?'}" for lane in found)
        print(f"{seed} {kind} {spent:.1f} s, {worst:.1e} deg: {said}{''.join(wrong)}", flush=True)
        if wrong and given.save:
            case.write(given.save)
    print(f"{'kind':10}" + "".join(f"{name:>11}" for name in COLUMNS))
    for kind, count in [*table.items(), ("all", sum(table.values(), Counter()))]:
        if count["cases"]:
            print(f"{kind:10}" + "".join(f"{count[name]:11}" for name in COLUMNS))
    return int(any(count["wrong"] or count["failed"] for count in table.values()))


if __name__ == "__main__":
    sys.exit(main())
