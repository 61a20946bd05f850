"""Processes of the program: their memory, priority, and how they start other processes of it.

The current folder may hold files of others. ``-P`` keeps Python from looking for modules there first. Two libraries
read settings from the current folder when they are imported.
"""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from app.system.language import tr

MIN_BYTES = 1_000_000_000  # bytes that libraries and kernels take, on two processors


def shortage() -> str:
    """The reason why the limit of this process is too low, or ""."""
    if sys.platform == "win32":
        return ""
    import resource

    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    if limit == resource.RLIM_INFINITY or limit >= MIN_BYTES:
        return ""
    found = tr("a process may take {limit:.0f} MB here (ulimit -v)").format(limit=limit / 1e6)
    return tr("not enough memory: {found}; expected {least:.0f} MB or more").format(found=found, least=MIN_BYTES / 1e6)


LOWER = 10  # niceness, of at most 19


def give_way() -> None:
    """Lower the priority of the calling thread on Linux.

    Without it the window's thread waited 10 to 40 ms at a time while a terrain was painted on two processors.
    """
    if sys.platform == "linux":  # elsewhere it would apply to the whole process
        os.nice(LOWER)


ROOT = Path(__file__).parents[2]  # the folder of app and physics, installed or as sources
_SETTINGS = {"matplotlibrc": "matplotlib", ".numba_config.yaml": "numba"}  # file -> library that reads it


def python(*words: str) -> list[str]:
    """A command line of this Python: ``-m MODULE ...`` or ``-c PROGRAM ...``; goes with ``environment``."""
    developing = ("-X", "dev") if sys.flags.dev_mode else ()
    return [sys.executable, *developing, "-P", *words]


def environment() -> dict[str, str]:
    """The environment for another process of the program: its folder in the path, the current one not."""
    theirs = [place for place in os.environ.get("PYTHONPATH", "").split(os.pathsep) if os.path.isabs(place)]
    places = os.pathsep.join([str(ROOT), *theirs])
    return os.environ | {"PYTHONPATH": places, "PYTHONSAFEPATH": "1"}


def apart() -> dict[str, Any]:
    """Options of Popen for processes that Ctrl+C in a terminal must not reach: the window ends them."""
    if sys.platform == "win32":
        quiet = subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW
        return {"creationflags": quiet | subprocess.BELOW_NORMAL_PRIORITY_CLASS}
    return {"process_group": 0}  # no session of its own, where Linux ignores niceness


def keep_caches_together() -> None:
    """Make Matplotlib, before it is imported, keep its font list in Polhode's cache unless MPLCONFIGDIR is set."""
    from platformdirs import user_cache_path  # here: `polhode --help` needs no other package

    os.environ.setdefault("MPLCONFIGDIR", str(user_cache_path("polhode", appauthor=False) / "matplotlib"))


def ignore_settings_here() -> None:
    """Import libraries from another folder if the current one has settings that they would read.

    Call it before threads start: the current folder is that of the whole process. numba looks again when it compiles.
    """
    readers = [library for file, library in _SETTINGS.items() if os.path.lexists(file)]
    if not readers:
        return
    here = os.getcwd()
    os.chdir(ROOT)
    try:
        for library in readers:
            import_module(library)
        if "numba" in readers:
            setattr(import_module("numba.core.config"), "_config_fname", "")  # noqa: B010 - private: numba has no other way
    finally:
        os.chdir(here)
