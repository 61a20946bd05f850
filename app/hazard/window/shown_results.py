"""Results that the stage shows, prepared in the thread that reads them; progress in words."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from app.document.look import Look
from app.hazard.layers import condition_of, edited_fields
from app.hazard.live import LiveEnsemble
from app.hazard.source import EnsembleSource, Query, Snapshot
from app.system.language import tr
from app.window.exports.queue import duration
from app.window.labels import breaking
from physics import Scenario

if TYPE_CHECKING:
    from app.stage.ground.ground import MapLayer
    from app.stage.ground.marks import PathGeometry
    from app.stage.ground.scene import TerrainScene


class ResultPictures(NamedTuple):
    """Maps and paths by scheme; None: none are wanted."""

    laid: dict[str, MapLayer] | None
    path_geometry: dict[str, PathGeometry] | None


def shown_layers(land: TerrainScene, seen: Snapshot) -> ResultPictures:
    """Layers that are shown, for the stage of a terrain."""
    wanted, laid, path_geometry = seen.wanted, None, None
    if wanted.map:
        maps = {name: left.values for name, left in seen.left.items() if left.values is not None}
        laid = land.painted(wanted.title, seen.unit, maps, condition_of(wanted.layer))
    if wanted.colour:
        paths = {name: left.paths for name, left in seen.left.items()}
        path_geometry = land.path_geometry(
            paths, wanted.colour, {name: left.rested for name, left in seen.left.items()}
        )
    return ResultPictures(laid, path_geometry)


def saving() -> str:
    """The word while results are being saved."""
    return tr("Saving…")


def unsaveable(running: EnsembleSource | None) -> str:
    """Reason why results cannot be saved now; "": they can."""
    if running is not None and not isinstance(running, LiveEnsemble):
        return tr("these results are saved already: {folder}").format(folder=running.saved)
    if running is not None and running.lost:
        why = tr("continue it first") if running.kept else tr("the rocks of this ensemble are lost")
        return tr("nothing to save: {why}").format(why=why)
    if running is None or not running.done or running.marching:
        return tr("nothing to save yet: results are saved when the ensemble is complete or paused")
    return ""


def none_started(error: OSError) -> str:
    """Sentence that no process can be started, and why."""
    return tr("no process can be started for the ensemble: {why}").format(why=error.strerror or error)


def how_far(running: EnsembleSource, shown: Scenario | None) -> tuple[str, str, int, int, bool, str]:
    """Action of the button, word beside the bar, its value and maximum, whether these are unknown; and the
    folder in which the results are, "" where they are in none.

    shown : the scenario, which may have been edited since
    """
    done, rocks = running.done, running.scenario.ensemble.rocks
    if running.saving:
        return tr("Run"), saving(), done, rocks, True, ""
    kept = tr(". Not kept: {why}").format(why=breaking(running.unkept)) if running.unkept else ""
    if running.marching:
        left = ""
        if math.isfinite(running.time_left):
            left = tr(", {time} left").format(time=duration(running.time_left))
        text = tr("{done} of {rocks} rocks").format(done=done, rocks=rocks)
        return tr("Pause"), f"{text}{left}{kept}" if done else tr("Preparing…"), done, rocks, not done, ""
    gone = running.lost and not running.kept
    old = tr("; of values before the last edit") if shown is not None and edited_fields(running.scenario, shown) else ""
    if running.complete:
        text = tr("{done} rocks").format(done=done) + old
    else:
        after = tr("Lost after {done} of {rocks} rocks") if gone else tr("Paused after {done} of {rocks} rocks")
        after = tr("Stopped after {done} of {rocks} rocks") if running.lost and not gone else after
        text = after.format(done=done, rocks=rocks)
    text += kept if running.saved is None else tr(". Saved: {folder}").format(folder=breaking(running.saved))
    again = gone or (running.complete and not running.lost)
    return tr("Run again") if again else tr("Continue"), text, done, rocks, False, str(running.saved or "")


def shown_results(scenario: Scenario | None, running: EnsembleSource | None, wanted: Query) -> Look:
    """The look with the folder, if the results lie in one, and with what is drawn of them."""
    if running is None or running.saved is None:
        return Look()
    folder = Path(running.saved)
    look = Look(results=str(folder))
    known = [name for name in running.scenario.schemes if scenario is not None and name in scenario.schemes]
    paths = wanted.colour and (folder / "paths.geojson").is_file()
    if not known or not (wanted.map or paths):
        return look
    look = look.changed(map=wanted.layer) if wanted.map else look.changed(colour=wanted.colour)
    return look.changed(whose=wanted.scheme) if len(known) > 1 and wanted.scheme in known else look
