"""``--scheme-file``: schemes of the user's own, whose files are run because the option names them."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence

from app.cli.progress import Progress
from app.system.signals import postponed
from physics import ScenarioError, scheme_from_file
from physics.schemes.own_scheme import add


def add_schemes(files: Sequence[str], arguments: Namespace) -> None:
    """Put the schemes of files into the table; ScenarioError, naming file and line, where one is wrong."""
    progress = Progress("none", getattr(arguments, "quiet", False))
    found: dict[str, str] = {}
    for file in files:
        with postponed():
            scheme = scheme_from_file(file)
        if scheme.name in found:
            raise ScenarioError("NAME", f"'{scheme.name}' is that of {found[scheme.name]} too", file)
        found[scheme.name] = file
        add(scheme)
        if scheme.code is not None and scheme.code.why:
            progress.note([scheme.advice])
