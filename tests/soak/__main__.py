"""Long runs: ``python -m tests.soak --steps 1e9 --rounds 200 --hours 24 --clicks 20000 --hostile 1000``.

Windows need a display (xvfb-run).
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from datetime import datetime
from pathlib import Path

import matplotlib
from platformdirs import user_cache_path

from tests.soak.growth import growth
from tests.soak.kernels import drifts
from tests.soak.watch import LAST

# [MB] a scene: VTK keeps 13 KB of each OpenGL window, Qt 0.1 to 0.3 KB of each frame with a style sheet
LOST = 0.15
QUIET = 700.0  # [s] without a word, after which a process hangs: longer than the patience of tests.soak.clicking


def main() -> int:
    """Do what is asked for; status 1 if anything grew, drifted or was lost."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--steps", type=float, default=0.0, help="of each kernel")
    parser.add_argument("--scheme", action="append", help="only this one; may be given again")
    parser.add_argument("--rounds", type=int, default=0, help="open, run and close all scenes so many times")
    parser.add_argument("--scene", action="append", help="only this one; may be given again")
    parser.add_argument("--kept", action="store_true", help="in one window, which is not closed in between")
    parser.add_argument("--hours", type=float, default=0.0, help="of simulated time in the window")
    parser.add_argument("--speed", type=float, default=100.0, help="simulated seconds a second")
    parser.add_argument("--clicks", type=int, default=0, help="deeds of random users")
    parser.add_argument("--each", type=int, default=1000, help="deeds of one user, who has a seed and a home")
    parser.add_argument("--hostile", type=int, default=0, help="mutated files, of every kind in turn")
    parser.add_argument("--seed", type=int, default=0, help="the first one")
    given = parser.parse_args()
    good = True
    if given.steps:
        good &= _kernels(int(given.steps), given.scheme)
    if given.hostile:
        from tests.soak.hostile import attacked

        attack = attacked(given.hostile, given.seed)
        print(f"seed {given.seed}: " + ", ".join(f"{n} {kind}" for kind, n in sorted(attack.kinds.items())))
        print(*attack.wrong, sep="\n", end="\n" if attack.wrong else "")
        good &= not attack.wrong
    for user in range(-(-given.clicks // given.each)):
        good &= _clicks(given.seed + user, min(given.each, given.clicks - user * given.each))
    if given.rounds or given.hours:
        from PySide6.QtWidgets import QApplication

        app = QApplication(sys.argv[:1])
        good &= not given.rounds or _rounds(given.rounds, given.scene, kept=given.kept)
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


def _clicks(seed: int, deeds: int) -> bool:
    """A random user in a process and a home of its own; each fault is told, and what went before it."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="polhode-clicks-") as place:
        folder, log = Path(place), Path(place) / "log"
        log.touch()
        words = [sys.executable, "-m", "tests.soak.clicking", str(seed), str(deeds)]
        with (folder / "err").open("w") as err:
            process = subprocess.Popen(words, env=_environment(folder), cwd=folder, stderr=err)
            while process.poll() is None:
                time.sleep(0.2)
                if time.time() - log.stat().st_mtime > QUIET:
                    process.kill()
        lines, printed = log.read_text().splitlines(), (folder / "err").read_text()
    status, took = process.returncode, f"{time.monotonic() - began:.0f} s"
    if status == 0 and not printed:
        print(f"seed {seed}: {lines[-1]}, {took}", flush=True)
        return True
    fault = next((i for i, line in enumerate(lines) if line.startswith("FAULT")), len(lines))
    numbers = [i for i, line in enumerate(lines[:fault]) if line.isdecimal()]
    shown = lines[numbers[-LAST] if len(numbers) >= LAST else 0 :]
    print(f"seed {seed}: FAULT (status {status}, {took}) after:", *shown, printed, sep="\n", flush=True)
    return False


def _environment(folder: Path) -> dict[str, str]:
    """Environment in which a window keeps all in a folder; fonts are found and kernels compiled once."""
    kept = {name: str(folder / name.lower()) for name in ("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME")}
    for path in kept.values():
        Path(path).mkdir()
    kept |= {"MPLCONFIGDIR": matplotlib.get_cachedir(), "XDG_CACHE_HOME": str(user_cache_path())}
    root = str(Path(__file__).parents[2])
    return os.environ | kept | {"PYTHONPATH": root, "TMPDIR": str(folder), "QT_QPA_PLATFORM": "xcb"}


def _rounds(times: int, names: list[str] | None, *, kept: bool) -> bool:
    from tests.soak.windows import SCENES, rounds

    scenes = [path for path in SCENES if names is None or path.stem in names]
    loads = []
    for number, held in enumerate(rounds(times, scenes=scenes, kept=kept), start=1):
        loads.append(held)
        memory = f"{held.memory:.1f} MB, {held.used:.2f} in use"
        others = f"{held.threads} threads, {held.objects} VTK objects, {held.files} files"
        print(f"{datetime.now():%H:%M:%S} round {number}: {memory}, {others}", flush=True)
    settled = loads[min(len(loads) // 5, len(loads) - 2) : len(loads) - kept]  # caches fill in the first ones
    slope, error = growth([held.memory for held in settled])
    lost, uncertain = growth([held.used for held in settled])
    told = f"{slope:.3f} ± {error:.3f} MB a round, of that in use {lost:.4f} ± {uncertain:.4f}"
    print(f"{len(loads)} rounds of {len(scenes)} scenes: {told}")
    return slope < 2.0 and lost < LOST * len(scenes) and settled[-1][2:] <= settled[0][2:]


def _hours(hours: float, speed: float) -> bool:
    from tests.soak.windows import played

    reached, looks, before, after = played(3600.0 * hours, speed)
    print(f"{reached / 3600.0:.2f} h played at {speed:g}, {looks} positions of the playhead, {before} -> {after}")
    return abs(reached - 3600.0 * hours) < 1.0 and after.memory - before.memory < 200.0


if __name__ == "__main__":
    sys.exit(main())
