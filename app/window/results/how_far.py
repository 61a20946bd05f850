"""How far an ensemble is, in words."""

from __future__ import annotations

import math

from app.looking import Looking
from app.window.exports.queue import duration
from app.window.results.alike import alike
from physics import Scenario


def how_far(running: Looking, shown: Scenario | None) -> tuple[str, str, int, int, bool]:
    """What the button does, the word beside the bar, how far the bar is, of how many, and whether it does not know.

    shown : the scenario, which may have been edited since
    """
    done, rocks = running.done, running.scenario.ensemble.rocks
    if running.saving:
        return "Run", "Saving…", done, rocks, True
    kept = f". Not kept: {_breaking(running.unkept)}" if running.unkept else ""
    if running.marching:
        left = f", {duration(running.time_left)} left" if math.isfinite(running.time_left) else ""
        return "Pause", f"{done} of {rocks} rocks{left}{kept}" if done else "Preparing…", done, rocks, not done
    gone = running.lost and not running.kept
    stopped = "Lost" if gone else "Stopped" if running.lost else "Paused"
    old = "" if shown is None or alike(shown, running.scenario) else "; of values before the last edit"
    told = f"{done} rocks{old}" if running.complete else f"{stopped} after {done} of {rocks} rocks"
    told += kept if running.saved is None else f". Saved: {_breaking(running.saved)}"
    again = gone or (running.complete and not running.lost)
    return "Run again" if again else "Go on", told, done, rocks, False


def where_saved(running: Looking) -> str:
    """Where the results are, in words; "" where they are nowhere yet."""
    if running.saving:
        return "Saving…"
    return "" if running.saved is None else f"Saved in {_breaking(running.saved)}"


def _breaking(path: object) -> str:
    """A path, or words with one, that may break into lines."""
    return str(path).replace("/", "/\u200b")
