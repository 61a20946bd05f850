"""The compiler of kernels: a process of its own that compiles those of examples, while the window plays smoothly."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence

from app.system import processes
from app.system.language import tr
from physics import Scenario
from physics.schemes.lane import lane_of
from physics.systems import system_of

# of the time for a system's first scheme that a further one takes: 0.1 of ships, 0.3 of rocks, 0.5 of tables
FURTHER = 0.35
LONGER = {"exact": 3.0}  # [s] more: its elliptic functions


def compiling_words(scenario: Scenario, lanes: Sequence[str], so_far: float = 0.0) -> str:
    """One sentence on kernels that are being compiled: their schemes, the time that it takes, and the time so far [s].

    What all schemes share is compiled with the scenario's first one.
    """
    schemes = dict.fromkeys(lane_of(lane).scheme.name for lane in lanes)
    first = lane_of(scenario.schemes[0]).scheme.name in schemes
    seconds = (first + FURTHER * (len(schemes) - first)) * system_of(scenario).compiling
    seconds += sum(LONGER.get(scheme, 0.0) for scheme in schemes)
    text = tr("Compiling the kernels of {schemes} (once, about {seconds:.0f} s)…")
    if so_far >= 1.0:
        text = tr("Compiling the kernels of {schemes} (once, about {seconds:.0f} s, {so_far:.0f} s so far)…")
    return text.format(schemes=f" {tr('and')} ".join(schemes), seconds=max(seconds, 1.0), so_far=so_far)


class KernelCompiler:
    """One ``polhode warm`` at a time; its kernels are kept for all processes."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def running(self) -> bool:
        """True while it compiles."""
        return self._process is not None and self._process.poll() is None

    def start(self) -> bool:
        """Begin to compile the kernels of all examples in idle time.

        False where it runs already, or no process can be started.
        """
        command = processes.python("-m", "app", "warm", "--quiet", "--listen", "--idle")
        if self.running:
            return False
        self.stop()  # what ended the last one
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=processes.environment(),
                cwd=processes.ROOT,
                **processes.apart(),
            )
        except OSError:
            return False
        return True

    def stop(self) -> None:
        """Stop compiling, since something else is to be computed; finished kernels are kept."""
        process = self._process
        if process is not None and process.poll() is None:
            process.kill()
            process.wait()
        if process is not None and process.stdin is not None:
            process.stdin.close()
