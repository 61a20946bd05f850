"""What is loaded before processes are forked of one server: all that commands import, and kernels.

A command in a Python of its own takes 1.0 to 3.5 s of processor time, forked 0.1 to 1.5 s. What it does is the same:
it has its own signals, streams, environment, current folder and limits. Only what Python and libraries do as they start
has been done; and variables that they read as they are imported (PYTHON..., MPLCONFIGDIR) mean nothing.

Nothing is drawn and no thread is begun here: what is forked inherits neither OpenGL nor a lock that nobody gives back.
"""

from __future__ import annotations

import gc
import sys
import tempfile
from contextlib import redirect_stdout
from importlib import import_module
from pathlib import Path

from app.__main__ import main
from tests.faults.processes import CUBOID, ROCKS

# what commands and windows import when they need it
LATE = ("matplotlib.backends.backend_agg", "matplotlib.backends.backend_pdf", "matplotlib.backends.backend_svg")
LATE += ("app.cli.export", "app.export.scene_files", "app.export.offscreen_stage", "app.export.video")
LATE += ("app.plots.files", "pandas", "pyarrow.parquet", "app.window.main_window")

for name in LATE:
    import_module(name)
with tempfile.TemporaryDirectory() as place, redirect_stdout(sys.stderr):
    for command, text, out in (("run", CUBOID, "out.npz"), ("ensemble", ROCKS.format(rocks=1), "out")):
        (source := Path(place) / "it.toml").write_text(text)
        assert main([command, str(source), "-o", str(Path(place) / out), "--quiet"]) == 0
gc.collect()
gc.freeze()  # what is here stays: a process that is forked need not look at it
