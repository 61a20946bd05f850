"""``polhode warm``: compile ahead what the examples use, so that nothing waits for it later."""

from __future__ import annotations

import os
import sys
import threading
import time
from argparse import Namespace

import assets
from app.cli.overrides import building
from app.cli.progress import Progress
from app.system.language import tr
from physics import PhysicsError, Scenario, ScenarioError, load_scenario
from physics.core import jit
from physics.simulation.schedule import Schedule, stream


def warm(arguments: Namespace) -> int:
    """``polhode warm``: the kernels of some examples, or of all; those that are kept are not compiled again."""
    if arguments.listen:
        threading.Thread(target=_end_with_input, name="input", daemon=True).start()
    examples = assets.examples()
    for name in arguments.examples:
        if name not in examples:
            raise ScenarioError("", f"no example is called '{name:.60}'; expected some of {', '.join(examples)}")
    if not jit.keeps_kernels():
        raise PhysicsError("no folder to keep kernels in; they are compiled each time that the program runs")
    names = arguments.examples or sorted(examples, key=lambda name: not name.startswith("rock-"))  # 10 s: first
    began = time.monotonic()
    with Progress(arguments.progress, arguments.quiet) as progress:
        for done, name in enumerate(names):
            progress.show(tr("compiling what {name} uses").format(name=name), done, len(names), counted=True)
            if not jit.is_warm(name):
                with building():
                    compile_for(load_scenario(examples[name]))
                jit.note_warm(name)
    if not arguments.quiet:
        print(f"the kernels of {len(names)} examples are ready after {time.monotonic() - began:.0f} s")
    return 0


def _end_with_input() -> None:
    """End the process at once where standard input ends: the window that started it does no more. What is kept, is."""
    while os.read(sys.stdin.fileno(), 4096):
        pass
    os._exit(0)


def compile_for(scenario: Scenario) -> None:
    """Take the first steps of every lane of a scenario: all that is compiled, is compiled at the first call."""
    for world in Schedule.of(scenario).worlds():
        for lane in scenario.schemes:
            blocks = stream(world, lane, rows=1)
            next(blocks)  # the initial state
            next(blocks, None)
