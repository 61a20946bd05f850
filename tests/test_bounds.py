"""No kernel reads or writes beside its arrays: a fixed part of the run that ``python -m tests.bounds`` makes of all."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

KINDS, SCHEMES = ("joints", "rockfall", "table", "free", "many"), ("cayley-em", "implicit")  # 70 s, most to compile


def test_kernels_stay_within_their_arrays_where_lists_are_empty_or_full() -> None:
    chosen = [word for kind in KINDS for word in ("--kind", kind)] + [
        word for name in SCHEMES for word in ("--scheme", name)
    ]
    told = subprocess.run(
        [sys.executable, "-m", "tests.bounds", "--seeds", "0:4", *chosen],
        cwd=Path(__file__).parents[1],
        capture_output=True,
        env={**os.environ, "NUMBA_OPT": "1"},  # checks are the same, and are compiled in less time
        text=True,
    )
    assert told.returncode == 0, told.stdout + told.stderr
    assert "0 scenarios found something" in told.stdout
    for kind in KINDS:  # none of which is refused whole
        assert f"{kind:10}" in told.stdout
