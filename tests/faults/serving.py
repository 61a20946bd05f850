"""A process in which all is imported and every kernel loaded; for each line of words it forks one that does these.

Of 1.0 to 3.5 s of processor time that a command takes in a process of its own, it takes 0.1 to 1.5 s here.

``python -m tests.faults.serving``: lines are JSON, [file for standard error, word, ...]; it answers with exit statuses.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Callable
from contextlib import redirect_stdout, suppress
from importlib import import_module
from pathlib import Path

from app.__main__ import _told, main
from app.document import autosave
from app.document.session import load_session, save_session
from physics.ensembles import checkpoint
from tests.faults.processes import CUBOID, ROCKS

# what commands import when they need it
LATE = ("matplotlib.backends.backend_agg", "matplotlib.backends.backend_pdf", "matplotlib.backends.backend_svg")
LATE += ("app.cli.export", "app.export.scene_files", "app.export.still", "app.export.video", "app.plots.files")
LATE += ("pyarrow.parquet",)


def _session(source: str, out: str) -> int:
    """What saving a session in a window does."""
    save_session(out, load_session(source))
    return 0


def _autosave(first: str, then: str, place: str) -> int:
    """What a window does that dies after an edit: two sessions are kept, one after the other."""
    for source in (first, then):
        autosave.keep(load_session(source), Path(place))
    return 0


def _careless(source: str, out: str) -> int:
    """A program that looks at no error: what the attack must see."""
    data = Path(source).read_bytes()
    for name in (out, f"{out}.part"):
        with suppress(OSError), open(name, "wb", buffering=0) as file:
            file.write(data)
    with suppress(OSError):
        os.replace(f"{out}.part", f"{out}.part2")
        os.unlink(f"{out}.part2")
    return 0


OWN: dict[str, Callable[..., int]] = {"save-session": _session, "autosave": _autosave, "careless": _careless}


def _done(words: list[str]) -> int:
    if words[0] not in OWN:
        return main(words)
    try:
        return OWN[words[0]](*words[1:])
    except Exception as error:  # noqa: BLE001 - as the command line tells it
        return _told(error)


def _serve() -> None:
    checkpoint.CheckpointWriter.due = property(lambda self: True)  # type: ignore[assignment,method-assign]  # after each rock
    for line in sys.stdin:
        said, *words = json.loads(line)
        child = os.fork()
        if child == 0:
            handle = os.open(said, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(handle, 2)
            os.dup2(os.open(os.devnull, os.O_RDWR), 1)
            status = 99
            try:
                status = _done(words)
            except SystemExit as end:
                status = int(end.code or 0)
            finally:
                os._exit(status)
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


def _warm_up() -> None:
    """Import what commands import late, and compute as they do; nothing is drawn: what is forked inherits no OpenGL."""
    for name in LATE:
        import_module(name)
    with tempfile.TemporaryDirectory() as place, redirect_stdout(sys.stderr):
        rocks = ROCKS.format(rocks=3)
        for command, text, out in (("run", CUBOID, "out.npz"), ("plot", CUBOID, "out.pdf"), ("ensemble", rocks, "out")):
            (source := Path(place) / "it.toml").write_text(text)
            assert main([command, str(source), "-o", str(Path(place) / out), "--quiet"]) == 0


if __name__ == "__main__":
    _warm_up()
    _serve()
