"""What the tests of the commands share: the command line as a function, and a short scenario."""

from __future__ import annotations

import io
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple

from app.__main__ import main

CUBOID = """\
kind = "free"
duration = 0.5
step = 0.01
schemes = ["explicit", "implicit"]
[body]
shape = "cuboid"
size = [3.0, 2.0, 1.0]
mass = 1.0
[initial]
angular_velocity = [1e-3, 1e-3, 10.0]
"""
# the tables of a rock that is let go anyhow
ROCK = """\
[body]
shape = "eota"
size = [0.93, 0.93, 0.47]
mass = 780.0
[initial]
orientation = "random"
"""


class Outcome(NamedTuple):
    """Exit status and what was printed."""

    status: int
    out: str
    err: str

    @property
    def is_told_in_one_line(self) -> bool:
        """Whether one line on standard error tells what went wrong, and no traceback."""
        return self.err.count("\n") == 1 and self.err.endswith("\n") and "Traceback" not in self.err


def polhode(*words: str | Path) -> Outcome:
    """Call the command line in this process."""
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err:
        try:
            status = main([str(word) for word in words])
        except SystemExit as end:  # argparse
            status = int(end.code or 0)
    return Outcome(status, out.getvalue(), err.getvalue())


def complaint(*words: str | Path) -> str:
    """The one line that a command says of wrong input, with status 2."""
    done = polhode(*words)
    assert (done.status, done.out, done.is_told_in_one_line) == (2, "", True), done
    return done.err


def refused(text: str, folder: Path) -> str:
    """What ``polhode run`` says of a scenario that is wrong: one line, and no file."""
    path = folder / "scenario.toml"
    path.write_text(text)
    said = complaint("run", path, "-o", folder / "out.npz")
    assert not (folder / "out.npz").exists()
    return said


def cuboid_file(folder: Path) -> Path:
    """A scenario file of a free body."""
    path = folder / "cuboid.toml"
    path.write_text(CUBOID)
    return path
