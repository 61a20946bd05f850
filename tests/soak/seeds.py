"""Seeds: one random user a seed, each in a process of its own, with a home of its own.

What a process leaves in its log is told where it ends with a fault, or by itself.
"""

from __future__ import annotations

import faulthandler
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import matplotlib
from platformdirs import user_cache_path
from PySide6.QtWidgets import QApplication

from tests.soak.clicking import clicked
from tests.soak.watch import LAST

QUIET = 700.0  # [s] without a word, after which a process hangs: longer than the patience of tests.soak.clicking


def soak(deeds: int, seed: int, pictures: Path | None = None, each: int = 1000) -> bool:
    """So many deeds, in processes of ``each`` with a seed each; tells every fault and what went before it."""
    good = True
    for first in range(0, deeds, each):
        good &= _one(seed + first // each, min(each, deeds - first), pictures)
    return good


def _one(seed: int, deeds: int, pictures: Path | None) -> bool:
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="polhode-clicks-") as place:
        folder, log = Path(place), Path(place) / "log"
        log.touch()
        shown = None if pictures is None else pictures / str(seed)
        words = [str(seed), str(deeds), *([] if shown is None else [str(shown)])]
        with (folder / "err").open("w") as err:
            process = subprocess.Popen(
                [sys.executable, "-m", "tests.soak.seeds", *words], env=_environment(folder), cwd=folder, stderr=err
            )
            while process.poll() is None:
                time.sleep(0.2)
                if time.time() - log.stat().st_mtime > QUIET:
                    process.kill()
        lines, printed = log.read_text().splitlines(), (folder / "err").read_text()
    status = process.returncode
    took = f"{time.monotonic() - began:.0f} s"
    if status == 0 and not printed:
        print(f"seed {seed}: {lines[-1]}, {took}", flush=True)
        return True
    fault = next((i for i, line in enumerate(lines) if line.startswith("FAULT")), len(lines))
    numbers = [i for i, line in enumerate(lines[:fault]) if line.isdecimal()]
    shown_from = numbers[-LAST] if len(numbers) >= LAST else 0
    print(f"seed {seed}: FAULT (status {status}, {took}) after:", *lines[shown_from:], printed, sep="\n", flush=True)
    return False


def _environment(folder: Path) -> dict[str, str]:
    """In which all that a window keeps for itself stays in a folder."""
    root = str(Path(__file__).parents[2])
    kept = {name: str(folder / name.lower()) for name in ("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME")}
    for path in kept.values():
        Path(path).mkdir()
    kept["MPLCONFIGDIR"] = matplotlib.get_cachedir()  # fonts are found once, not by each user
    kept["XDG_CACHE_HOME"] = str(user_cache_path())  # and kernels compiled once
    return os.environ | kept | {"PYTHONPATH": root, "TMPDIR": str(folder), "QT_QPA_PLATFORM": "xcb"}


def _child(seed: int, deeds: int, pictures: Path | None) -> int:
    if pictures is not None:
        pictures.mkdir(parents=True, exist_ok=True)
    app = QApplication(["polhode"])
    with Path("log").open("a") as log:
        faulthandler.enable(log)
        clicking = clicked(Path.cwd(), seed, deeds, log, pictures)
        app.processEvents()
        watch = clicking.watch
        for text in sorted(watch.said):
            print(f"SAID {text}", file=log)
        errands = "".join(f", {count} {name}" for name, count in sorted(clicking.errands.items()))
        told = f"{clicking.done} deeds, {clicking.audits} audits, {clicking.addresses} addresses{errands}"
        print(f"{told}, at most {watch.longest:.1f} s between two", file=log)
    return int(bool(watch.faults))


if __name__ == "__main__":
    sys.exit(_child(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]) if len(sys.argv) > 3 else None))
