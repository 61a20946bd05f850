"""Long runs: ``python -m tests.soak --steps 1e9 --rounds 200 --hours 24``; windows need a display (xvfb-run)."""

from __future__ import annotations

import argparse
import sys

from tests.soak.kernels import drifts


def main() -> int:
    """Do what is asked for; status 1 if anything grew, drifted or was lost."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--steps", type=float, default=0.0, help="of each kernel")
    parser.add_argument("--scheme", action="append", help="only this one; may be given again")
    parser.add_argument("--rounds", type=int, default=0, help="open, run and close all scenes so many times")
    parser.add_argument("--hours", type=float, default=0.0, help="of simulated time in the window")
    parser.add_argument("--speed", type=float, default=100.0, help="simulated seconds a second")
    given = parser.parse_args()
    good = True
    if given.steps:
        good &= _kernels(int(given.steps), given.scheme)
    if given.rounds or given.hours:
        from PySide6.QtWidgets import QApplication

        app = QApplication(sys.argv[:1])
        good &= not given.rounds or _rounds(given.rounds)
        good &= not given.hours or _hours(given.hours, given.speed)
        app.processEvents()
    return int(not good)


def _kernels(steps: int, schemes: list[str] | None) -> bool:
    print(f"{'scheme':26}{'steps':>10}{'s':>7}  {'length':9}{'energy':9}{'spin':9}{'its size':9}{'MB':>5}")
    good = True
    for drift in drifts(steps, schemes):
        errors = "".join(f"{value:<9.1e}" for value in (drift.length, drift.energy, drift.spin, drift.size))
        told = "" if drift.kept else "  NOT KEPT"
        print(
            f"{drift.scheme:26}{drift.steps:10.2g}{drift.seconds:7.0f}  {errors}{drift.memory:5.1f}{told}", flush=True
        )
        good &= drift.kept
    return good


def _rounds(times: int) -> bool:
    from tests.soak.windows import rounds

    loads = []
    for number, held in enumerate(rounds(times), start=1):
        loads.append(held)
        holds = f"{held.memory:.0f} MB, {held.threads} threads, {held.objects} VTK objects, {held.files} files"
        print(f"round {number}: {holds}", flush=True)
    first, last = loads[min(2, len(loads) - 1)], loads[-1]  # caches fill in the first two
    growth = (last.memory - first.memory) / max(1, len(loads) - 3)
    print(f"{growth:.2f} MB a round")
    return growth < 2.0 and last[1:3] <= first[1:3]


def _hours(hours: float, speed: float) -> bool:
    from tests.soak.windows import played

    reached, looks, before, after = played(3600.0 * hours, speed)
    print(f"{reached / 3600.0:.2f} h played at {speed:g}, {looks} positions of the playhead, {before} -> {after}")
    return abs(reached - 3600.0 * hours) < 1.0 and after.memory - before.memory < 200.0


if __name__ == "__main__":
    sys.exit(main())
