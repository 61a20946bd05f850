"""Every command ends soon after Ctrl+C or a polite termination, whatever it does, and leaves nothing behind."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from itertools import cycle
from pathlib import Path

import psutil
import pytest

import assets
from tests.app.commanding import CUBOID
from tests.faults.processes import started

AT_WORK = 2.0  # [s] of a processor: it computes, or still compiles or loads something
LONG = 600.0  # [s] only against a test that never ends
# a kernel of minutes: one block of a hundred million steps
ENDLESS = CUBOID.replace("duration = 0.5", "duration = 1e12\nrecord_every = 100000000")
# steps of SciPy's own, thousands in each
STIFF = """\
kind = "top"
duration = 6000.0
step = 2.264
schemes = ["dop853"]
[body]
shape = "inertia"
inertia = [2.28e-10, 2.28e-10, 3.4e-10]
mass = 2.6e-7
[initial]
angular_velocity = [5.0, 0.0, 5e-8]
[top]
distance = 1.5
[batch]
"initial.angular_velocity" = [[5.0, 0.0, 5e-8], [5.0, 1.0, 0.0]]
"""
ROCKS = [assets.SCENARIOS / "rock-alpine.toml", "--rocks", "1000000"]
SIGNALS = signal.SIGINT, signal.SIGTERM
COMMANDS = [
    ("run", Path("endless.toml"), "-o", Path("out.npz")),
    ("run", Path("stiff.toml"), "-o", Path("out.csv")),
    ("image", Path("endless.toml"), "-o", Path("out.png")),
    ("video", Path("stiff.toml"), "-o", Path("out.mp4")),
    ("plot", Path("endless.toml"), "-o", Path("out.svg")),
    ("scene", Path("stiff.toml"), "-o", Path("out.glb")),
    ("batch", Path("stiff.toml"), "-o", Path("out")),
    ("rank", Path("endless.toml"), "--scheme", "dop853", "--accuracy", "1"),
    ("ensemble", *ROCKS, "-o", Path("out")),
    ("bench", "kernels"),
]


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
@pytest.mark.parametrize(("number", "words"), [*zip(cycle(SIGNALS), COMMANDS)])
def test_a_command_ends_when_it_is_asked(number: signal.Signals, words: tuple[str | Path, ...], tmp_path: Path) -> None:
    for name, text in (("endless.toml", ENDLESS), ("stiff.toml", STIFF)):
        (tmp_path / name).write_text(text)
    before = sorted(tmp_path.iterdir())
    child = started(*(tmp_path / word if isinstance(word, Path) else word for word in words))
    process = psutil.Process(child.pid)
    while child.poll() is None and sum(process.cpu_times()[:2]) < AT_WORK:
        time.sleep(0.05)
    children = process.children(recursive=True) if child.poll() is None else []
    child.send_signal(number)
    _, err = child.communicate(timeout=LONG)
    assert child.returncode == 130, err
    assert err.splitlines()[-1] == "polhode: interrupted"
    assert "Traceback" not in err
    assert sorted(tmp_path.iterdir()) == before
    _, alive = psutil.wait_procs(children, timeout=LONG)
    assert not alive


# holds a file, a folder and a process, and is in a kernel for ever
HELD = """
import subprocess, sys
from pathlib import Path
import numba
from app import __main__ as program
from physics.core.cancellation import undone_by
from physics.io.trajectory_writers import replacing, scratch_folder

@numba.njit(nogil=True)
def for_ever(x):
    while x > 0.0:
        x = 0.5 * x + 1.0
    return x

program._settle(background=False)
with replacing(Path(sys.argv[1], "out.bin")) as part, scratch_folder() as scratch:
    part.write_bytes(b"half")
    other = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"])
    with undone_by(other.kill):
        print(other.pid, scratch, flush=True)
        for_ever(1.0)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
@pytest.mark.parametrize("number", SIGNALS)
def test_amid_a_kernel_files_and_processes_are_undone(number: signal.Signals, tmp_path: Path) -> None:
    words = [sys.executable, "-c", HELD, str(tmp_path)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        other, scratch = child.stdout.readline().split()
        before = psutil.Process(child.pid).cpu_times().user
        while psutil.Process(child.pid).cpu_times().user < before + 1.0:  # compiled, and in the loop
            time.sleep(0.05)
        child.send_signal(number)
        _, err = child.communicate(timeout=LONG)
    assert (child.returncode, err) == (130, "polhode: interrupted\n")
    assert list(tmp_path.iterdir()) == []
    assert not Path(scratch).exists()
    assert not psutil.pid_exists(int(other)) or psutil.Process(int(other)).status() == psutil.STATUS_ZOMBIE
