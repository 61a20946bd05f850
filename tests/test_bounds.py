"""No kernel reads or writes beside its arrays: a fixed part of the run that ``python -m tests.bounds`` makes of all."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

KINDS, SCHEMES = ("joints", "rockfall", "table", "free", "many"), ("cayley-em", "implicit")


def test_kernels_stay_within_their_arrays_where_lists_are_empty_or_full() -> None:
    chosen = [word for kind in KINDS for word in ("--kind", kind)] + [
        word for name in SCHEMES for word in ("--scheme", name)
    ]
    told = subprocess.run(
        [sys.executable, "-m", "tests.bounds", "--plain", "--seeds", "0:4", *chosen],
        cwd=Path(__file__).parents[1],
        capture_output=True,
        text=True,
    )
    assert told.returncode == 0, told.stdout + told.stderr
    assert "0 scenarios found something" in told.stdout
    for kind in KINDS:  # none of which is refused whole
        assert re.search(f"^{kind} +[1-9][0-9]* ran", told.stdout, re.MULTILINE)
