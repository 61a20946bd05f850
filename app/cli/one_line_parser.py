"""argparse as all commands have it: an error is one line, and numbers may begin with a minus."""

from __future__ import annotations

import argparse
import re
import sys
from contextlib import suppress
from typing import Any, NoReturn

from app.system.language import tr
from app.system.sentences import told
from app.system.terminal import one_line


class OneLineParser(argparse.ArgumentParser):
    """argparse, but errors are one line."""

    def __init__(self, name: str = "", **settings: Any) -> None:
        super().__init__(prog=f"polhode {name}".strip(), allow_abbrev=False, **settings)
        self._negative_number_matcher = re.compile(r"-\.?\d")  # also of values such as -1,0,2 and -90:90:5

    def error(self, message: str) -> NoReturn:
        text = tr("{program}: {error}; see {program} --help").format(
            program=self.prog, error=told(one_line(message.removeprefix("argument ")))
        )
        with suppress(OSError):  # nobody may hear it
            print(text, file=sys.stderr)
        sys.exit(2)


class Version(argparse.Action):
    """``--version``, looked up only when it is asked for, and without physics, which takes 0.5 s to load."""

    def __call__(self, *_: object) -> NoReturn:
        from importlib.metadata import PackageNotFoundError, version

        try:
            found = version("polhode")
        except PackageNotFoundError:  # run from a source tree that is not installed
            found = "unknown"
        print(f"polhode {found}")
        sys.exit(0)
