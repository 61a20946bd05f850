"""Windows: an ensemble in a window whose child, or which itself, is killed or stopped at a random moment."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable, Iterable
from itertools import cycle
from pathlib import Path

import psutil

from tests.faults.killing import Tally, same
from tests.faults.processes import ROCKS, duration, moment, started

STRUCK = ("child", "itself", "pause")
PATIENCE = 600.0  # [s] for all that must happen
SOON = 600.0  # [s] within which a child ends after its window


class Window:
    """A window in a process of its own; it begins with a scenario, or with what the one before has left."""

    def __init__(self, place: Path, out: Path, scenario: Path | None) -> None:
        self._log = out.with_name(f"{out.name}.log")
        self._log.write_text("")
        words = [place, out, self._log, *([scenario] if scenario else [])]
        environment = os.environ | {"XDG_CONFIG_HOME": str(place)}
        self.process = started(*words, program="tests.faults.driven:ensemble", **environment)

    def told(self, word: str) -> list[str]:
        """What it has told under a word."""
        lines = (line.partition(" ") for line in self._log.read_text().splitlines())
        return [rest for first, _, rest in lines if first == word]

    def child(self) -> psutil.Process:
        """The process of the ensemble."""
        self.until(lambda: bool(self.told("child")))
        assert self.told("child"), self.process.communicate()[1]
        return psutil.Process(int(self.told("child")[-1]))

    def recalled(self) -> int:
        """The rocks that it found when it began."""
        self.until(lambda: bool(self.told("child") or self.told("stopped")))
        return int(self.told("stopped")[0].split()[0]) if self.told("stopped") else 0

    @property
    def ended(self) -> bool:
        """Whether it has."""
        return self.process.poll() is not None

    def until(self, condition: Callable[[], bool]) -> None:
        """Wait for something, or until the window ends; AssertionError where neither happens."""
        end = time.monotonic() + PATIENCE
        while not (condition() or self.ended):
            assert time.monotonic() < end, self.told("stopped")
            time.sleep(0.02)

    def end(self) -> None:
        """Wait until all is saved and the window is closed."""
        _, err = self.process.communicate(timeout=PATIENCE)
        assert (self.process.returncode, err) == (0, "")


def windows(victims: Iterable[str], folder: Path, kills: int, seed: int, rocks: int = 60) -> Tally:
    """Ensembles in windows until there were so many kills; each goes on until it ends, with the same bytes.

    victims : ``child`` is killed: the window lives, says so, and goes on when it is asked to. ``itself``: its child
        ends soon, and the next window shows the rocks that are kept. ``pause``: the child is stopped for a while
    """
    rng, tally, number, order = random.Random(seed), Tally(), 0, cycle(victims)
    scenario, whole = folder / "rocks.toml", folder / "whole"
    scenario.write_text(ROCKS.format(rocks=rocks) + "seed = 0\n")  # as the window's panel has it
    words = ("ensemble", scenario, "--paths", "--quiet")
    duration(*words, "-o", folder / "first")  # compiles, where nothing did before
    takes = duration(*words, "-o", whole)
    while tally.kills < kills:
        number += 1
        place, out = folder / f"unfinished{number}", folder / f"out{number}"
        window: Window | None = Window(place, out, scenario)
        while window is not None and tally.kills < kills:
            victim = next(order)
            try:
                child = window.child()
                time.sleep(moment(rng, takes))
                tally.lost += _speaks(window, child)
                if victim == "itself":
                    tally.lost += not _ended(window, child)
                else:
                    tally.lost += not {"child": _killed, "pause": _stopped}[victim](window, child)
            except psutil.NoSuchProcess:  # all is saved, and the window closes
                break
            tally.kills += 1
            if victim == "itself":
                kept = _kept(place)
                window = None if out.exists() else Window(place, out, None)
                tally.lost += window is not None and window.recalled() < kept
        if window is not None:
            window.end()
            tally.lost += bool(list(place.glob("rocks-*")))
        tally.lost += not same(out, whole)
    return tally


def _speaks(window: Window, child: psutil.Process) -> bool:
    """Whether either has to do with a network."""
    return any(process.net_connections("inet") for process in (psutil.Process(window.process.pid), child))


def _killed(window: Window, child: psutil.Process) -> bool:
    """Kill the child; whether the window says so, and goes on."""
    stops, begun = len(window.told("stopped")), len(window.told("child"))
    child.kill()
    window.until(lambda: len(window.told("child")) > begun)
    return window.ended or any("was killed, perhaps" in told for told in window.told("stopped")[stops:])


def _stopped(window: Window, child: psutil.Process) -> bool:
    """Stop the child for a second, or longer; whether the window is alive meanwhile."""
    child.suspend()
    time.sleep(1.0)
    before = len(window.told("alive"))
    window.until(lambda: len(window.told("alive")) > before + 10)
    child.resume()
    return True


def _ended(window: Window, child: psutil.Process) -> bool:
    """Kill the window; whether its child ends too, and soon."""
    window.process.kill()
    window.process.communicate()
    _, orphans = psutil.wait_procs([child], timeout=SOON)
    return not orphans


def _kept(place: Path) -> int:
    """The rocks in checkpoints."""
    return max((int(path.stem.split("-")[1]) for path in place.glob("rocks-*.part/rocks-*.npz")), default=0)
