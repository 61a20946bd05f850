"""Real processes of the program, to be interrupted, starved and killed."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
CUBOID = """\
kind = "free"
duration = 20.0
step = 0.002
schemes = ["explicit", "implicit"]
[body]
size = [3.0, 2.0, 1.0]
mass = 1.0
[initial]
angular_velocity = [1e-3, 1e-3, 10.0]
[export]
size = [160, 90]
fps = 5
"""
ROCKS = """\
kind = "rockfall"
duration = 60.0
step = 0.004
schemes = ["explicit", "implicit"]
[body]
shape = "eota"
size = [0.93, 0.93, 0.47]
mass = 780.0
[initial]
orientation = "random"
[terrain]
profile = "ramp"
drop = 20.0
[release]
position = [1.0, 0.0]
[ensemble]
rocks = {rocks}
"""
# a checkpoint after each rock, and not every ten seconds
_OFTEN = "import sys, app.__main__ as m, physics.ensembles.checkpoint as c; c.EVERY = 0.0; sys.exit(m.main())"


def started(*words: str | Path, often: bool = False, **variables: str) -> subprocess.Popen[str]:
    """The command line in a process of its own, without a display unless the variables name one.

    often: with many checkpoints
    """
    clean = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")}
    program = ["-c", _OFTEN] if often else ["-m", "app"]
    return subprocess.Popen(
        [sys.executable, *program, *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=clean | {"PYTHONPATH": str(ROOT)} | variables,
        start_new_session=True,
    )


def killed(process: subprocess.Popen[str], after: float) -> bool:
    """Kill it (SIGKILL) after so many seconds; False when it had ended by then."""
    try:
        process.communicate(timeout=after)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return True
    return False


def duration(*words: str | Path) -> float:
    """How long a command takes [s]."""
    began = time.monotonic()
    process = started(*words)
    _, err = process.communicate(timeout=1800)
    assert process.returncode == 0, err
    return time.monotonic() - began


def moment(rng: random.Random, whole: float) -> float:
    """A random moment of a run that takes so long [s]."""
    return rng.uniform(0.0, 1.1 * whole)
