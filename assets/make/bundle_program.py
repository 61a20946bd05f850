"""Program of a bundle: Polhode, or as Python would a module of it by ``-m``: in this way Polhode starts processes."""

from __future__ import annotations

import multiprocessing
import runpy
import sys

SINGLE, PAIRS = ("-P",), ("-X",)  # options of Python that Polhode gives; a bundle never looks in the current folder


def main() -> int:
    """Run what the command line says; its status."""
    multiprocessing.freeze_support()
    words = sys.argv[1:]
    while words and words[0] in SINGLE + PAIRS:
        words = words[1:] if words[0] in SINGLE else words[2:]
    if words[:1] == ["-m"] and len(words) > 1:
        sys.argv = words[1:]
        runpy.run_module(words[1], run_name="__main__", alter_sys=True)
        return 0
    from polhode import main as polhode  # type: ignore[import-not-found]  # the wheel holds it

    status: int = polhode()
    return status


if __name__ == "__main__":
    sys.exit(main())
