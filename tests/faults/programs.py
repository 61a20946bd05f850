"""Programs that tests start beside the command line itself: each takes its words from ``sys.argv``, as scripts do."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from app.__main__ import main, report
from app.document import autosave
from app.document.session import load_session, save_session
from physics.hazard import checkpoint


def checkpointed() -> int:
    """The command line with a checkpoint after each rock, and not every ten seconds."""
    checkpoint.CheckpointWriter.due = property(lambda self: True)  # type: ignore[assignment,method-assign]
    return main()


def starved() -> int:
    """ROOM WORD ...: the command line where all addresses are taken but for so many MB."""
    import mmap  # not where there are no such limits
    import resource

    size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    limit, room = 4_000_000_000, int(sys.argv.pop(1)) * 1_000_000
    taken = mmap.mmap(-1, limit - size - room, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, mmap.PROT_READ)
    resource.setrlimit(resource.RLIMIT_AS, (limit, -1))
    with taken:
        return main()


def session() -> int:
    """What saving a session in a window does: SOURCE OUT."""
    source, out = sys.argv[1:]
    return _done(lambda: save_session(out, load_session(source)))


def autosaved() -> int:
    """What a window does that dies after an edit: FIRST THEN PLACE; two sessions are kept, one after the other."""
    first, then, place = sys.argv[1:]
    return _done(lambda: [autosave.keep(load_session(source), Path(place)) for source in (first, then)])


def careless() -> int:
    """A program that looks at no error, SOURCE OUT: what the attack must see."""
    source, out = sys.argv[1:]
    data = Path(source).read_bytes()
    for name in (out, f"{out}.part"):
        with suppress(OSError), open(name, "wb", buffering=0) as file:
            file.write(data)
    with suppress(OSError):
        os.replace(f"{out}.part", f"{out}.part2")
        os.unlink(f"{out}.part2")
    return 0


def _done(call: Callable[[], object]) -> int:
    try:
        call()
    except Exception as error:  # noqa: BLE001 - as the command line tells it
        return report(error)
    return 0
