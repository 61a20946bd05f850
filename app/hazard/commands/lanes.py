"""Command ``compare``: each lane beside the true motion; of a slope with many rocks, each scheme by distribution."""

from __future__ import annotations

from argparse import Namespace

from app.cli.compute import compare as compare_motions
from physics import ScenarioError
from physics.core.wording import N_


def compare(arguments: Namespace) -> int:
    """``polhode compare``: lanes beside the true motion, or with ``--rocks`` beside a reference by distribution."""
    if arguments.rocks is not None:
        from app.hazard.commands.distributions import compare_distributions  # here: figures are slow to load

        return compare_distributions(arguments)
    for option in ("output", "seed", "workers"):
        if getattr(arguments, option) is not None:
            raise ScenarioError(f"--{option}", N_("applies beside --rocks"))
    return compare_motions(arguments)
