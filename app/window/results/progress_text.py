"""How far an ensemble is, in words."""

from __future__ import annotations

import math

from app.ensemble.live import LiveEnsemble
from app.ensemble.source import EnsembleSource
from app.window.exports.queue import duration
from app.window.results.same_scenario import alike
from physics import Scenario

SAVING = "Saving…"


def unsaveable(running: EnsembleSource | None) -> str:
    """Why results cannot be saved now; "": they can."""
    if running is not None and not isinstance(running, LiveEnsemble):
        return f"these results are saved already: {running.saved}"
    if running is not None and running.lost:
        return f"nothing to save: {'it has to go on first' if running.kept else 'the rocks of this ensemble are lost'}"
    if running is None or not running.done or running.marching:
        return "nothing to save yet: results are saved when the ensemble is complete or paused"
    return ""


def none_started(error: OSError) -> str:
    """That no process can be started, and why."""
    return f"no process can be started for the ensemble: {error.strerror or error}"


def how_far(running: EnsembleSource, shown: Scenario | None) -> tuple[str, str, int, int, bool, str]:
    """What the button does, the word beside the bar, how far the bar is, of how many, whether it does not know; and the
    folder in which the results are, "" where they are in none.

    shown : the scenario, which may have been edited since
    """
    done, rocks = running.done, running.scenario.ensemble.rocks
    if running.saving:
        return "Run", SAVING, done, rocks, True, ""
    kept = f". Not kept: {breaking(running.unkept)}" if running.unkept else ""
    if running.marching:
        left = f", {duration(running.time_left)} left" if math.isfinite(running.time_left) else ""
        return "Pause", f"{done} of {rocks} rocks{left}{kept}" if done else "Preparing…", done, rocks, not done, ""
    gone = running.lost and not running.kept
    stopped = "Lost" if gone else "Stopped" if running.lost else "Paused"
    old = "" if shown is None or alike(shown, running.scenario) else "; of values before the last edit"
    told = f"{done} rocks{old}" if running.complete else f"{stopped} after {done} of {rocks} rocks"
    told += kept if running.saved is None else f". Saved: {breaking(running.saved)}"
    again = gone or (running.complete and not running.lost)
    return "Run again" if again else "Go on", told, done, rocks, False, str(running.saved or "")


def breaking(path: object) -> str:
    """A path, or words with one, that may break into lines."""
    return str(path).replace("/", "/\u200b")
